"""Files of cards: compared with the cards that are there, and taken in as a whole or not at all.

A card of a file is the one of its id, if that is the importer's own, or the site's for those who
keep its sets; else the one of its name and colour in the importer's set that it names. So with an
id it is renamed or moved to another set. It is new, or changed as its page changes it, or
unchanged, so that a file taken in again does nothing.
"""

import hashlib
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal
from uuid import UUID

import msgspec
from django.db.models import Q
from django.utils.translation import gettext

from characters import cards, policy
from characters.cards import CardFlaw
from characters.models import Card, CardSet
from matches import canonical, decks, once, people
from matches.actors import Actor
from matches.errors import BadInput, Conflict
from matches.models import Player
from matches.policy import require_make
from rules.ruleset import Ruleset

MAX_CARDS = 5000  # in one file
MAX_TEXT = 1_000_000  # characters in one file
SHARED = {"yes": True, "no": False, "true": True, "false": False}
BATCH = 500  # rows in a statement

Outcome = Literal["new", "changed", "unchanged", "refused"]
Home = tuple[str, bool]
"""A set by its name, and whether it is the site's rather than the importer's."""
Key = tuple[Home, str, str]
"""The set, name and colour of a card: there is only one of each."""


class FieldChange(msgspec.Struct):
    """A field of a card before and after an import; null where it has no value.

    `field`: which it is. `after`: how it is after.
    """

    field: str
    before: Any
    after: Any


class CardLine(msgspec.Struct):
    """What an import does with a card: `changes` are those of a card that is there.

    `card` is its number from 1, `line` that of a table, else 0. `like`: a card of its set that is
    called almost the same, as another colour or spelling makes another card. `card`: its number in
    the file, from 1. `line`: that of a table, from 1; else 0. `outcome`: whether it is new, differs
    from the card that is there, is the same, or cannot be taken. `changes`: what differs from the
    card that is there.
    """

    card: int
    line: int
    name: str
    colour: str
    set: str
    outcome: Outcome
    shared: bool
    changes: list[FieldChange] = []
    like: str = ""


class SetLine(msgspec.Struct):
    """How many cards of each outcome go into a set of one's own; `exists` tells if it is there.

    `new`, `changed`, `unchanged` and `refused`: how many.
    """

    name: str
    exists: bool
    new: int = 0
    changed: int = 0
    unchanged: int = 0
    refused: int = 0


class CardsImported(msgspec.Struct):
    """What an import does, or on a dry run would do; with a problem, nothing is stored.

    `tried` stands for all of it.

    `cards`: how many there are in the file. `lines`: what becomes of each card. `sets`: what
    becomes of each set.
    """

    cards: int
    kept: bool
    problems: list[CardFlaw]
    lines: list[CardLine] = []
    sets: list[SetLine] = []
    tried: str = ""

    @property
    def changes_something(self) -> bool:
        """Whether it is more than what is there already."""
        return any(line.outcome in ("new", "changed") for line in self.lines)

    @property
    def counts(self) -> Counter[str]:
        """How many lines there are of each outcome."""
        return Counter(line.outcome for line in self.lines)


def take_in(
    *,
    by: Actor,
    game: str,
    text: str,
    card_set: str = "",
    shared: bool = False,
    update: bool = False,
    tried: str = "",
    dry_run: bool = True,
) -> CardsImported:
    """Import a file of cards, JSON or a table, all or nothing.

    `card_set` and `shared` are for cards that do not say; the latter for new ones only. Cards that
    are there are changed only on `update`. `tried` is that of a dry run.

    Raises: NotAllowed, BadInput, Conflict if the import would do anything else than it did then, or
    cards are added beside it.
    """
    owner = require_make(by)
    ruleset = cards.game_of(game)
    try:
        rows, usual = _read(ruleset, text, owner), cards.set_name(card_set)
    except BadInput as bad:
        return CardsImported(
            0, False, [CardFlaw(0, bad.where, bad.code, bad.detail, _line_in(bad))]
        )
    file = _File(by, owner, ruleset, rows, usual, shared, update)
    return _Plan(file).result(kept=False) if dry_run else _carry_out(file, tried)


def _line_in(bad: BadInput) -> int:
    return int(bad.where[5:]) if bad.where.startswith("line ") else 0


# -- reading ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Row:
    """A card of a file as read: without flaws it has a `card`, not in its set yet.

    `set` is "" if it names none; in a plan it has the one it goes into, and `of_site`.
    """

    number: int
    line: int
    set: str
    shared: bool | None
    columns: Collection[str] | None
    card: Card | None = None
    name: str = ""
    flaws: list[CardFlaw] = field(default_factory=list)
    id: UUID | None = None
    of_site: bool = False

    @property
    def home(self) -> Home:
        return self.set, self.of_site

    def flaw(self, where: str, code: str, detail: str) -> CardFlaw:
        return CardFlaw(self.number, where, code, detail, self.line)


@dataclass(frozen=True)
class _File:
    """A file that was sent, and how its sender wants it taken in."""

    by: Actor
    owner: Player
    ruleset: Ruleset
    rows: Sequence[_Row]
    usual: str  # the set of a card that names none
    shared: bool  # whether a new card is, unless it says so itself
    update: bool


def _read(ruleset: Ruleset, text: str, owner: Player) -> list[_Row]:
    """Return the cards of a file, each checked by itself. Raises: BadInput."""
    canonical.require_plain(text, "$.text")
    found = decks.rows_in(ruleset, text, MAX_TEXT)
    if not found or len(found) > MAX_CARDS:
        detail = gettext("A file has 1 to {MAX_CARDS} cards.").format(MAX_CARDS=MAX_CARDS)
        raise BadInput("no-cards", detail, "$.text")
    return [_row(ruleset, number, row, owner) for number, row in enumerate(found, 1)]


def _row(ruleset: Ruleset, number: int, row: decks.FileRow, owner: Player) -> _Row:
    said = dict.fromkeys(decks.BESIDE)
    face = row.card
    if isinstance(face, dict):
        said = {name: face.get(name) for name in said}
        face = {name: value for name, value in face.items() if name not in said}
    bad, card_set, shared, pk = list(row.flaws), "", None, None
    try:
        card_set = "" if said[decks.SET] in (None, "") else cards.set_name(said[decks.SET])
        shared = _shared_from(said[decks.SHARED])
        pk = _id_from(said[decks.ID])
    except BadInput as wrong:
        bad.append(wrong)
    flaws = [CardFlaw(number, each.where, each.code, each.detail, row.line) for each in bad]
    flaws = flaws or [
        msgspec.structs.replace(flaw, card=number, line=row.line)
        for flaw in cards.check(ruleset, face)
    ]
    named = face.get("name") if isinstance(face, dict) else ""
    return _Row(
        number,
        row.line,
        card_set,
        shared,
        row.columns,
        None if flaws else cards.card_from(ruleset, face, owner),
        named if isinstance(named, str) else "",
        flaws,
        pk,
    )


def _shared_from(value: Any) -> bool | None:
    """Return whether a card of a file is shared, None if it does not say. Raises: BadInput."""
    if value in (None, ""):
        return None
    known = SHARED.get(value.lower()) if isinstance(value, str) else value
    if not isinstance(known, bool):
        raise BadInput("unknown-value", gettext("A card is shared, yes or no."), "$.shared")
    return known


def _id_from(value: Any) -> UUID | None:
    """Return the id that a card of a file has, None for a card without. Raises: BadInput."""
    if value in (None, ""):
        return None
    try:
        return UUID(value)
    except (ValueError, TypeError, AttributeError):
        detail = gettext("An id is as it was exported, or left out for a new card.")
        raise BadInput("unknown-value", detail, "$.id") from None


# -- comparing --------------------------------------------------------------------------------


def _what_is_there(file: _File, *, lock: bool) -> tuple[dict[Home, CardSet], dict[Key, Card]]:
    """Return the sets that a file is about, and the cards in them.

    They are the importer's sets that it names, and those of the cards that it names by id.
    """
    own, named = Q(owner=file.owner), {row.set or file.usual for row in file.rows}
    keeps = own | Q(owner=None) if policy.may_keep_sets(file.by) else own
    by_id = Card.objects.filter(pk__in={row.id for row in file.rows if row.id})
    homes = Q(own, name__in=named) | Q(keeps, pk__in=by_id.values("card_set"))
    found = CardSet.objects.filter(homes, game=file.ruleset.key)
    there = Card.objects.order_by("pk")
    if lock:
        found, there = found.select_for_update(no_key=True), there.select_for_update(no_key=True)
    sets = {(each.name, each.owner_id is None): each for each in found.order_by("pk")}
    home_of = {each.pk: home for home, each in sets.items()}
    return sets, {
        (home_of[card.card_set_id], card.name, card.colour): card
        for card in there.filter(card_set__in=home_of)
    }


class _Plan:
    """What a file does to the cards that are there, as they are now."""

    def __init__(self, file: _File, *, lock: bool = False) -> None:
        """Compare each row with the cards there are; `lock` these until the transaction ends."""
        self.file = file
        self.fields = list(decks.card_fields(file.ruleset))
        self.sets, self.there = _what_is_there(file, lock=lock)
        self.by_id = {card.pk: (home, card) for (home, *_), card in self.there.items()}
        self.rows = [self._placed(row) for row in file.rows]
        self.seen: dict[Key, _Row] = {}
        self.meant: dict[UUID, _Row] = {}  # by the card that is there
        self.like = {_alike(key): _called(card) for key, card in self.there.items()}
        self.problems: list[CardFlaw] = []
        self.lines = [self._line(row) for row in self.rows]

    def _placed(self, row: _Row) -> _Row:
        """Return a row with the set it goes into: one of its card's owner."""
        if row.id not in self.by_id:
            return replace(row, set=row.set or self.file.usual, id=None)
        (name, of_site), _ = self.by_id[row.id]
        return replace(row, set=row.set or name, of_site=of_site)

    def meant_by(self, row: _Row) -> Card | None:
        """Return the card that is there and that a row means: by its id, or else by its name."""
        return self.by_id[row.id][1] if row.id else self.there.get(_key(row))

    def _line(self, row: _Row) -> CardLine:
        line = CardLine(
            row.number,
            row.line,
            row.name,
            row.card.colour if row.card else "",
            row.set,
            "refused",
            bool(row.shared),
        )
        if row.card is None:
            self.problems += row.flaws
            return line
        there = self.meant_by(row)
        if row.shared is None:
            line.shared = there.shared if there else self.file.shared
        line.changes = self._changes(row, there) if there else []
        first = self.seen.setdefault(_key(row), row)
        if flaws := list(self._flaws(row, row.card, first, there, line.changes)):
            self.problems += flaws
        elif first is not row:
            line.outcome = "unchanged"
        elif there:
            line.outcome = "changed" if line.changes else "unchanged"
        else:
            line.outcome = "new"
            line.like = self.like.get(_alike(_key(row)), "")
            self.like[_alike(_key(row))] = _called(row.card)
        return line

    def _flaws(
        self,
        row: _Row,
        card: Card,
        first: _Row,
        there: Card | None,
        changes: Sequence[FieldChange],
    ) -> Iterator[CardFlaw]:
        """Yield what keeps a card of a file, right by itself, from being taken in.

        `first` is the row of the same card; a row may be repeated as it is.
        """
        meant = self.meant.setdefault(there.pk, row) if there else row
        first = first if first is not row else meant
        said_alike = (first.card and first.card.face, first.shared) == (card.face, row.shared)
        is_repeated = said_alike and first.home == row.home and self.meant_by(first) is there
        if first.card and not is_repeated:
            said = gettext("{name} stands in this file twice, and differs: see line {line} too.")
            if not row.line:
                said = gettext(
                    "{name} stands in this file twice, and differs: see card {line} too."
                )
            at = first.line or first.number
            yield row.flaw("$.name", "card-exists", said.format(name=_called(card), line=at))
        elif there and self.there.get(_key(row), there) is not there:
            said = gettext("There is a {name} in this set already.").format(name=_called(card))
            yield row.flaw("$.name", "card-exists", said)
        elif row.home not in self.sets and row.of_site:
            said = gettext("A card of the site stays in its set, or moves to another named here.")
            yield row.flaw("$.set", "site-set", said)
        elif changes and there and not policy.may_edit_card(self.file.by, there):
            yield row.flaw("$.name", "not-allowed", gettext("Only its owner changes a card."))
        elif changes and not self.file.update:
            said = gettext("There is a {name} in this set already.").format(name=_called(card))
            yield row.flaw("$.name", "card-exists", said)
        elif row.columns is not None:
            for change in changes:
                if change.field not in row.columns:
                    said = gettext("{name} has a value here, and the file no column for it.")
                    said = said.format(name=change.field)
                    yield row.flaw(f"$.{change.field}", "missing-column", said)

    def _changes(self, row: _Row, there: Card) -> list[FieldChange]:
        """Return what a row changes about the card that it means."""
        assert row.card is not None
        (home, _), _ = self.by_id[there.pk]
        before = there.data | {decks.SET: home, decks.SHARED: there.shared}
        shared = there.shared if row.shared is None else row.shared
        after = row.card.data | {decks.SET: row.set, decks.SHARED: shared}
        return [
            FieldChange(name, before.get(name), after.get(name))
            for name in (*self.fields, decks.SET, decks.SHARED)
            if before.get(name) != after.get(name)
        ]

    def result(self, *, kept: bool) -> CardsImported:
        """Return what the plan does, for people and programs."""
        counts: dict[str, Counter[str]] = {line.set: Counter() for line in self.lines}
        for line in self.lines:
            counts[line.set][line.outcome] += 1
        known = {name for name, _ in self.sets}
        sets = [SetLine(name, name in known, **count) for name, count in counts.items()]
        kept = kept and not self.problems
        return CardsImported(len(self.lines), kept, self.problems, self.lines, sets, self.digest)

    @property
    def digest(self) -> str:
        """A short text that differs for every other plan."""
        faces = [row.card.face if row.card else "" for row in self.rows]
        return hashlib.sha256(msgspec.json.encode([self.lines, faces])).hexdigest()[:32]


def _key(row: _Row) -> Key:
    assert row.card is not None
    return row.home, row.card.name, row.card.colour


def _alike(key: Key) -> tuple[Home, str]:
    """Return what two cards of a set have in common that people may take for one."""
    card_set, name, _ = key
    return card_set, unicodedata.normalize("NFKC", name).casefold()


def _called(card: Card) -> str:
    return f"{card.colour} {card.name}".strip()


# -- writing ----------------------------------------------------------------------------------


def _carry_out(file: _File, tried: str) -> CardsImported:
    """Do what a file says, of the cards that are there now. Raises: Conflict."""
    text = gettext("This file would now do something else than when it was tried: look again.")
    with once.only_one("changed-meanwhile", text):
        people.locked(Q(pk=file.owner.pk))  # imports of one player go one after the other
        plan = _Plan(file, lock=True)
        if tried and tried != plan.digest:
            raise Conflict("changed-meanwhile", text)
        result = plan.result(kept=True)
        if result.kept:
            _write(plan)
    return result


def _write(plan: _Plan) -> None:
    file = plan.file
    new_homes = dict.fromkeys(row.home for row in plan.rows if row.home not in plan.sets)
    new_sets = {
        home: CardSet(game=file.ruleset.key, name=home[0], owner=file.owner) for home in new_homes
    }
    CardSet.objects.bulk_create([*new_sets.values()], BATCH)
    sets = plan.sets | new_sets
    new, changed = [], []
    for row, line in zip(plan.rows, plan.lines, strict=True):
        assert row.card is not None
        if line.outcome == "new":
            row.card.card_set, row.card.shared = sets[row.home], line.shared
            new.append(row.card)
        elif line.outcome == "changed" and (card := plan.meant_by(row)):
            cards.take_face(card, row.card)
            card.card_set, card.shared = sets[row.home], line.shared
            changed.append(card)
    Card.objects.bulk_create(new, BATCH)
    # `bulk_update` would leave `changed_at` as it is, and name every card once for each column.
    Card.objects.bulk_create(
        changed,
        BATCH,
        update_conflicts=True,
        unique_fields=["id"],
        update_fields=[*cards.FACE, "card_set", "shared", "revision", "changed_at"],
    )
