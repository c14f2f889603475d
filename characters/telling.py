"""The ledger in sentences, as far as a view may know it."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby
from uuid import UUID

from django.utils.translation import gettext, gettext_lazy
from msgspec import Struct

from characters import ledger, policy
from characters.models import Character, GearItem, LedgerEntry, Move, Section
from characters.policy import Eyes
from characters.selectors import ledger_of
from characters.shown import (
    OF_ITEMS,
    VisibleSheet,
    day_of,
    knows_entry,
    narrowest_first,
    parts_of,
    words_of,
)
from matches.actors import NOBODY, Actor
from matches.errors import NotFound
from matches.models import Player

FEW = 3  # changes of the money told on a sheet

CAME = {
    "issued": gettext_lazy("Came with"),
    "bought": gettext_lazy("Bought"),
    "found": gettext_lazy("Found"),
    "stolen": gettext_lazy("Stole"),
    "won": gettext_lazy("Won"),
    "gift": gettext_lazy("Was given"),
    "traded": gettext_lazy("Took in trade"),
    "lent": gettext_lazy("Borrowed"),
    "returned": gettext_lazy("Got back"),
    "repaired": gettext_lazy("Had repaired"),
    "salvaged": gettext_lazy("Salvaged"),
    "confiscated": gettext_lazy("Confiscated"),
    "corrected": gettext_lazy("Undone: has again"),
}
WENT = {
    "bought": gettext_lazy("Paid"),
    "repaired": gettext_lazy("Paid for repair"),
    "stolen": gettext_lazy("Was robbed of"),
    "gift": gettext_lazy("Gave away"),
    "traded": gettext_lazy("Traded away"),
    "lent": gettext_lazy("Lent"),
    "returned": gettext_lazy("Gave back"),
    "won": gettext_lazy("Lost"),
    "confiscated": gettext_lazy("Had to give up"),
    "destroyed": gettext_lazy("Lost for good"),
    "corrected": gettext_lazy("Undone: without"),
}


class VisibleEntry(Struct, omit_defaults=True, kw_only=True):
    """A line of the books from one character's side.

    `change` is that of their money, `balance` what they had after it, if visible.

    `ordinal`: its number among the lines of one act. `sentence`: the line in words. `cover`: it
    is a cover story. `corrects`: the id of the line that it undoes. `corrected`: it was undone
    by another. `recorded_by`: the name of who recorded it, if it was neither side's player.
    """

    id: int
    act_id: UUID
    ordinal: int = 0  # of the lines of one act
    method: str
    sentence: str
    item: str = ""  # its serial
    amount: int | None = None
    change: int | None = None
    balance: int | None = None
    price: int | None = None
    certainty: str
    audience: str = ""  # shown to the owner only
    cover: bool = False
    corrects: int | None = None
    corrected: bool = False
    happened_on: date | None = None
    recorded_at: datetime
    recorded_by: str = ""  # told to who keeps the books, if it was neither side's player
    party: str = ""
    place: str = ""
    context: str = ""
    raw: str = ""


class VisibleAct(Struct):
    """The lines of one act, in their order."""

    lines: list[VisibleEntry]

    @property
    def first(self) -> VisibleEntry:
        return self.lines[0]

    @property
    def moved(self) -> list[VisibleEntry]:
        """What moved, without money lines that are the price of an item's line."""
        prices = Counter(line.price for line in self.lines if line.item)
        found = []
        for line in self.lines:
            if line.item or not prices[line.amount]:
                found.append(line)
            else:
                prices[line.amount] -= 1
        return found

    @property
    def change(self) -> int:
        return sum(line.change or 0 for line in self.lines)

    @property
    def balance(self) -> int | None:
        """The money left after it, if visible."""
        known = [line.balance for line in self.lines if line.balance is not None]
        return known[-1] if known else None


@dataclass(frozen=True)
class LedgerFilter:
    """A filter for lines of the books; empty fields do not narrow."""

    method: str = ""
    word: str = ""
    item: str = ""  # a part of its name or of its serial
    person: str = ""
    place: str = ""
    since: date | None = None
    until: date | None = None

    def admits(self, row: LedgerEntry, entry: VisibleEntry, character: Character) -> bool:
        """Tell whether a line matches, judging only by what is visible of it."""
        day = day_of(row)
        return (
            self.method in ("", entry.method)
            and _has(f"{entry.sentence} {entry.raw}", self.word)
            and _has(f"{row.item} {entry.item}" if row.item else "", self.item)
            and _has(_met(row, character), self.person)
            and _has(f"{entry.place} {entry.party}", self.place)
            and (self.since or day) <= day <= (self.until or day)
        )


def _has(text: str, part: str) -> bool:
    return part.casefold() in text.casefold()


def acts_of(
    character: Character, eyes: Eyes, wanted: LedgerFilter, parts: Collection[str]
) -> list[VisibleAct]:
    """Return the acts with a matching line, newest first, each with all its lines."""
    pairs = _pairs(character, eyes, parts)
    looked_for = {row.act_id for row, entry in pairs if wanted.admits(row, entry, character)}
    acts = [
        VisibleAct([entry for _, entry in lines])
        for act_id, lines in groupby(pairs, key=lambda pair: pair[0].act_id)
        if act_id in looked_for
    ]
    return acts[::-1]


def books_of(
    character: Character,
    eyes: Eyes,
    wanted: LedgerFilter | None = None,
    parts: Collection[str] | None = None,
) -> list[VisibleEntry]:
    """Return the matching lines of a character, newest first.

    `parts`: the visible parts of the sheet, if already known.
    """
    pairs = _pairs(character, eyes, parts_of(character, eyes) if parts is None else parts)
    wanted = wanted or LedgerFilter()
    return [entry for row, entry in reversed(pairs) if wanted.admits(row, entry, character)]


def newest_money(sheet: VisibleSheet) -> list[VisibleAct]:
    """Return the last acts that changed the money on a sheet, newest first, if it is visible."""
    if Section.Kind.CURRENCY not in sheet.parts:
        return []
    acts = acts_of(sheet.character, sheet.eyes, LedgerFilter(), sheet.parts)
    return [act for act in acts if act.change][:FEW]


Pair = tuple[LedgerEntry, VisibleEntry]
"""A line of the books as stored, and as shown."""


def _pairs(character: Character, eyes: Eyes, parts: Collection[str]) -> list[Pair]:
    rows = ledger_of(character).select_related("item", "giver", "taker", "words")
    return list(_visible_pairs(list(rows), character, eyes, frozenset(parts)))


def _visible_pairs(
    rows: Sequence[LedgerEntry], character: Character, eyes: Eyes, parts: frozenset[str]
) -> Iterator[Pair]:
    known = {row.pk for row in rows if knows_entry(eyes, row)}
    untold = frozenset() if eyes.own else covers_untold(rows, known)
    undone = undone_in(rows)
    money = Section.Kind.CURRENCY in parts
    others = _recorders(rows) if eyes.rank in ("owner", "officials") else {}
    balance = 0
    for row in rows:
        change = change_of(row, character)
        balance += change
        if row.pk not in known or row.pk in untold or not _in_parts(row, parts):
            continue
        entry = visible_entry(row, character, eyes)
        entry.corrected = row.pk in undone
        entry.recorded_by = others.get(row.pk, "")
        if money and change:
            entry.change, entry.balance = change, balance
        yield row, entry


def _recorders(rows: Sequence[LedgerEntry]) -> dict[int, str]:
    """Return by whom entries were made who never played a side of them: officials, organisers."""
    sides = {row.pk: {who for who in (row.giver, row.taker) if who} for row in rows}
    found = {
        row.pk: row.recorded_by
        for row in rows
        if row.recorded_by and row.recorded_by not in {who.owner_id for who in sides[row.pk]}
    }
    if not found:
        return {}
    given = Move.objects.filter(by__in=found.values(), status=Move.Status.ACCEPTED, campaign=None)
    before = set(given.values_list("character", "by"))
    players = Player.objects.in_bulk(found.values())
    return {
        pk: players[by].name
        for pk, by in found.items()
        if by in players and not any((who.pk, by) in before for who in sides[pk])
    }


def covers_untold(rows: Iterable[LedgerEntry], known: Collection[int]) -> frozenset[int]:
    """Return the cover stories not to be shown to a reader who knows these entries.

    Anyone who knows the truth gets no cover story; of several, the one for the narrowest audience
    is shown.
    """
    stories: dict[int, list[LedgerEntry]] = defaultdict(list)
    for row in rows:
        if row.covers_id and row.pk in known:
            stories[row.covers_id].append(row)
    return frozenset(
        story.pk
        for true, versions in stories.items()
        for story in narrowest_first(versions)[0 if true in known else 1 :]
    )


def undone_in(rows: Sequence[LedgerEntry]) -> set[int]:
    """Return the entries that were undone, and the cover stories told of them."""
    undone = {row.corrects_id for row in rows if row.corrects_id}
    return undone | {row.pk for row in rows if row.covers_id in undone}


def change_of(row: LedgerEntry, character: Character) -> int:
    """Return by how much an entry changes a character's balance."""
    if row.amount is None or row.covers_id:
        return 0
    return row.amount * ((row.taker_id == character.pk) - (row.giver_id == character.pk))


def _in_parts(row: LedgerEntry, parts: frozenset[str]) -> bool:
    return (OF_ITEMS[row.item.kind] if row.item else Section.Kind.CURRENCY) in parts


def visible_entry(row: LedgerEntry, character: Character, eyes: Eyes) -> VisibleEntry:
    """Return one line from a character's side, as visible in a view."""
    words = words_of(row)
    return VisibleEntry(
        id=row.pk,
        act_id=row.act_id,
        ordinal=row.ordinal,
        method=row.method,
        sentence=sentence(row, character),
        item=row.item.serial if row.item else "",
        amount=row.amount,
        price=row.price,
        certainty=row.certainty,
        audience=row.audience if eyes.own else "",
        cover=bool(row.covers_id) and eyes.own,
        corrects=row.corrects_id,
        happened_on=row.happened_on,
        recorded_at=row.recorded_at,
        party=words["party"],
        place=words["place"],
        context=words["context"],
        raw=words["raw"],
    )


def sentence(row: LedgerEntry, character: Character) -> str:
    """Return an entry as a sentence for a character: `Bought Basic Blue Feet for c20, zGearGo`."""
    verbs = CAME if row.taker_id == character.pk else WENT
    what = str(row.item) if row.item else f"c{row.amount}"
    price = ""
    if row.price is not None:
        price = " " + gettext("for c%(price)s") % {"price": row.price}
    words = words_of(row)
    parts = [_met(row, character), words["place"], words["context"]]
    rest = "".join(f", {text}" for text in parts if text)
    return f"{verbs.get(row.method, row.method.capitalize())} {what}{price}{rest}"


def _met(row: LedgerEntry, character: Character) -> str:
    """Return the public name of whom a character dealt with: another, a shop, a person."""
    other = row.giver if row.taker_id == character.pk else row.taker
    if other and other.pk != character.pk:
        return other.name if other.audience == "public" else gettext("somebody")
    return words_of(row)["party"]


# -- the life of an item ------------------------------------------------------------------------


class Chapter(Struct):
    """A line of an item's life: whose it is, if visible, and what happened."""

    character: Character | None
    entry: VisibleEntry
    coverable: bool = False  # by the reader: it came to them, and not everyone knows how


class Life(Struct):
    """An item's life from its first line to its last, as far as visible."""

    item: GearItem
    holder: Character | None
    chapters: list[Chapter]


def life_of(actor: Actor, serial: str) -> Life:
    """Return the life of an item. Raises: NotFound if none of it is visible."""
    items = GearItem.objects.select_related("card")
    item = items.filter(serial=serial.upper().replace("\0", "?")).first()
    if item is None:
        raise _no_such_item(serial)
    rows = list(
        item.entries.select_related(
            "giver__campaign", "taker__campaign", "giver__owner", "taker__owner", "words"
        ).order_by("pk")
    )
    seen = _Witness(actor, item, rows)
    known = {row.pk: who for row in rows if (who := seen.side_of(row))}
    untold = covers_untold(rows, known)
    chapters = [
        Chapter(
            who,
            visible_entry(row, who, seen.eyes[who.pk]),
            seen.eyes[who.pk].own and tellable(row, who),
        )
        for row in rows
        if (who := known.get(row.pk)) and (row.pk not in untold or seen.eyes[who.pk].own)
    ]
    where = ledger.last_of(item, rows)
    holder = next((row.taker for row in rows if row.taker and row.taker.pk == where), None)
    if holder is not None and not seen.shows(holder):
        holder = None
    if not chapters and holder is None:
        raise _no_such_item(serial)
    undone = undone_in(rows)
    for chapter in chapters:
        chapter.entry.corrected = chapter.entry.id in undone
    return Life(item, holder, chapters)


def public_life_of(serial: str) -> Life | None:
    """Return the life of an item as everybody may know it; None if nobody may know of it."""
    try:
        return life_of(NOBODY, serial)
    except NotFound:
        return None


def _no_such_item(serial: str) -> NotFound:
    detail = gettext("There is no item {serial}.").format(serial=serial[:20])
    return NotFound(detail, "no-such-item")


def tellable(row: LedgerEntry, character: Character) -> bool:
    """Tell whether a character's owner may write a cover story for an entry."""
    came = row.taker_id == character.pk and row.giver_id != character.pk
    return came and bool(row.item) and not row.covers_id and row.audience != "public"


class _Witness:
    """What an actor knows of the characters an item passed through."""

    def __init__(self, actor: Actor, item: GearItem, rows: Iterable[LedgerEntry]) -> None:
        people = {who.pk: who for row in rows for who in (row.giver, row.taker) if who}
        known = policy.characters_showing(actor, OF_ITEMS[item.kind]).filter(pk__in=people)
        shown = known.order_by().values_list("pk", flat=True)
        self.eyes = {pk: policy.eyes_of(actor, people[pk]) for pk in shown}

    def shows(self, who: Character) -> bool:
        """Tell whether a character and its section for such items are visible."""
        return who.pk in self.eyes

    def side_of(self, row: LedgerEntry) -> Character | None:
        """Return the side from which an entry is visible."""
        for who in (row.taker, row.giver):
            if who and self.shows(who) and knows_entry(self.eyes[who.pk], row):
                return who
        return None
