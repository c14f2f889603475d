"""Turn a pasted sheet into a character."""

import hashlib
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID, uuid5

import msgspec
from django.utils.translation import gettext

from characters import ledger
from characters.ledger import Certainty, LedgerAct, LedgerLine, Method
from characters.models import Audience, Character, GearItem, Goal, LedgerEntry, Section
from characters.sheet import Sheet, read
from characters.sheet.goals import pieces_wanted
from characters.sheet.shapes import Gear, Lode
from matches import canonical, once
from matches.actors import Actor
from matches.errors import BadInput, Impossible, TooLarge, named
from matches.policy import require_make
from matches.selectors import match_for

MAX_TEXT = 100_000  # characters
SERIAL = "23456789ABCDEFGHJKMNPQRSTVWXYZ"

Kind = Section.Kind
AUDIENCES = {
    Kind.PUBLIC: Audience.PUBLIC,
    Kind.PRIVATE: Audience.OWNER,
    Kind.MODE_DECK: Audience.PUBLIC,
    Kind.MANEUVERS: Audience.PUBLIC,
    Kind.GOALS: Audience.PUBLIC,
    Kind.GEAR: Audience.PUBLIC,
    Kind.CURRENCY: Audience.OWNER,
    Kind.POSSESSIONS: Audience.PUBLIC,
    Kind.LODE: Audience.PUBLIC,
    Kind.DIARY: Audience.OWNER,
    Kind.NOTES: Audience.OWNER,
    Kind.UNPARSED: Audience.OWNER,
}
"""The default audience of each section."""


@dataclass(frozen=True)
class GearOrigin:
    """The owner's answers about a line of gear, by its `number` from 1.

    `from_`: whose name is in it: a `victim`, a `maker` or an `issue`. `match`: the code of the
    match it came from.
    """

    number: int
    from_: str = ""
    audience: str = ""  # public if empty, except that stolen things are for the owner only
    match: str = ""


@dataclass(frozen=True)
class Answers:
    """The owner's answers to the questions a sheet leaves open."""

    name: str = ""
    current_goal: int | None = None  # from 1
    opening: int | None = None
    gear: Sequence[GearOrigin] = ()


def preview(text: str) -> Sheet:
    """Parse a sheet without storing it. Raises: BadInput, TooLarge."""
    if len(text) > MAX_TEXT:
        raise TooLarge(
            "too-large",
            gettext("A sheet has at most {MAX_TEXT:,} characters.").format(MAX_TEXT=MAX_TEXT),
            "$.text",
        )
    canonical.require_plain(text, "$.text")
    return read(text, gettext)


def paste(
    *, by: Actor, text: str, answers: Answers | None = None, act_id: UUID | None = None
) -> Character:
    """Create a character from a pasted sheet, with its gear and its books; all or nothing.

    An unexplained opening balance is entered as claimed. Idempotent by `act_id`. Raises:
    NotAllowed, BadInput, TooLarge, IdReused for another sheet; Impossible for an opening that does
    not cover what was spent.
    """
    owner = require_make(by)
    sheet, given = preview(text), answers or Answers()
    where = "$.answers.name" if given.name else "$.text"
    name = canonical.text_from(given.name or sheet.name, where, 200)
    if not name:
        raise BadInput(
            "no-name", gettext("No line names the character: say the name."), "$.answers.name"
        )
    texts = _texts(sheet)
    of_gear = dict(_of_gear(by, sheet, given.gear))
    digest = hashlib.sha256(msgspec.json.encode([text, given])).hexdigest()

    def keep(character: Character) -> None:
        character.save(force_insert=True)
        make_sections(character, texts)
        _make_goals(character, sheet, given.current_goal)
        act = LedgerAct(character.pk, owner.pk, request_digest=digest)
        _open_books(character, sheet, given.opening, act, of_gear)

    def same(character: Character) -> bool:
        kept = character.sections.values_list("kind", "text")
        same_texts = all(text == texts.get(kind, "") for kind, text in kept)
        return same_texts and _digests_of(character) <= {digest}

    return once.make(
        Character,
        owner.pk,
        act_id,
        keep=keep,
        same=same,
        owner=owner,
        name=name,
        tagline=sheet.tagline,
    )


def make_sections(character: Character, texts: dict[str, str]) -> None:
    """Create every section of a new character, with its text if there is any."""
    Section.objects.bulk_create(
        Section(character=character, kind=kind, text=texts.get(kind, ""), audience=audience)
        for kind, audience in AUDIENCES.items()
    )


def _texts(sheet: Sheet) -> dict[str, str]:
    deck = sheet.mode_deck
    cards = [deck.primary, deck.secondary, deck.tertiary]
    return {
        **{section.key: section.text for section in sheet.sections},
        Kind.MODE_DECK: "\n".join(cards) if any(cards) else "",
        Kind.MANEUVERS: "\n".join(sheet.maneuvers),
        Kind.UNPARSED: "\n".join(sheet.unparsed),
    }


def _of_gear(
    by: Actor, sheet: Sheet, answers: Sequence[GearOrigin]
) -> Iterator[tuple[int, GearOrigin]]:
    """Yield answers by the number of their line, with match codes resolved. Raises: BadInput."""
    for place, origin in enumerate(answers):
        where = f"$.answers.gear[{place}]"
        if not 1 <= origin.number <= len(sheet.gear):
            detail = gettext("There is no line {number} of gear: the sheet has {gear}.")
            detail = detail.format(number=origin.number, gear=len(sheet.gear))
            raise BadInput("no-such-gear", detail, f"{where}.number")
        code = origin.match and named(f"{where}.match", match_for, by, origin.match).code
        yield origin.number, replace(origin, match=code)


def _make_goals(character: Character, sheet: Sheet, current: int | None) -> None:
    if current is not None and not 1 <= current <= len(sheet.goals):
        detail = gettext("There is no goal {current}: the sheet has {goals}.").format(
            current=current, goals=len(sheet.goals)
        )
        raise BadInput("no-such-goal", detail, "$.answers.current_goal")
    Goal.objects.bulk_create(
        Goal(
            character=character,
            ordinal=ordinal,
            text=goal.text,
            kind=goal_kind(goal.text),
            current=ordinal == current if current else goal.current,
        )
        for ordinal, goal in enumerate(sheet.goals, 1)
    )


def goal_kind(text: str) -> Goal.Kind:
    """Return what kind of goal a text is (ZG CRE-8)."""
    if pieces_wanted(text):
        return Goal.Kind.SET
    return Goal.Kind.LODE if text.casefold().endswith(" lode") else Goal.Kind.FREE


# -- the books of a new character -----------------------------------------------------------


def _open_books(
    character: Character,
    sheet: Sheet,
    opening: int | None,
    act: LedgerAct,
    of_gear: Mapping[int, GearOrigin],
) -> None:
    """Write the first acts of a character's books, each of them `act` under an id of its own."""
    came_in = sheet.currency.opening or 0 if opening is None else opening
    if came_in < sheet.spent:
        detail = gettext("c{spent} was spent: an opening of c{came_in} does not cover it.").format(
            spent=sheet.spent, came_in=came_in
        )
        raise Impossible("overspent", detail, balance=came_in - sheet.spent)

    def post(what: str, lines: list[LedgerLine], certainty: str = Certainty.CERTAIN) -> None:
        if lines:
            ledger.post(replace(act, id=uuid5(character.pk, what), certainty=certainty), lines)

    money = LedgerLine(
        Method.ISSUED,
        amount=came_in,
        taker=character,
        audience=Audience.OWNER,
        words={"context": gettext("opening balance")},
    )
    post("opening", [money] if came_in else [], Certainty.CLAIMED)
    for number, piece in enumerate(sheet.gear):
        sure = Certainty.CERTAIN if piece.method else Certainty.CLAIMED
        answer = of_gear.get(number + 1, GearOrigin(number + 1))
        post(f"gear {number}", list(_acquired(character, piece, answer)), sure)
    for number, name in enumerate(sheet.possessions):
        owned = _owned(character, make_item(GearItem.Kind.POSSESSION, name))
        post(f"possession {number}", [owned], Certainty.CLAIMED)
    if sheet.lode:
        post("lode", list(_lode(character, sheet.lode)), Certainty.CLAIMED)


def _digests_of(character: Character) -> set[str]:
    """Return the digest of the sheet that opened a character's books; none if they were empty."""
    firsts = (uuid5(character.pk, what) for what in ("opening", "gear 0", "possession 0", "lode"))
    found = LedgerEntry.objects.filter(act_id__in=firsts, ordinal=0)
    return set(found.values_list("request_digest", flat=True))


def _acquired(character: Character, piece: Gear, origin: GearOrigin) -> Iterator[LedgerLine]:
    """Yield the lines by which pieces came in: each item, and what was paid for it."""
    method = piece.method or Method.ISSUED
    words = _words(method, piece, origin)
    audience = origin.audience or (Audience.OWNER if method == Method.STOLEN else "")
    for _ in range(piece.count):
        item = make_item(
            GearItem.Kind.PIECE,
            piece.type,
            quality=piece.quality,
            colour=piece.colour,
            slot=piece.type,
        )
        yield LedgerLine(
            method,
            item=item,
            taker=character,
            price=piece.price,
            audience=audience,
            words=words,
        )
        if piece.price:
            yield LedgerLine(method, amount=piece.price, giver=character, audience=audience)


def _words(method: str, piece: Gear, origin: GearOrigin) -> dict[str, str]:
    """Return the words of an entry for a line.

    A victim is only named as such if the owner says so.
    """
    words = {"raw": piece.raw}
    if origin.from_ == "victim" or (not origin.from_ and method in _FROM_SOMEBODY):
        words["party"] = piece.from_
    else:
        words["context"] = f"made by {piece.from_}" if origin.from_ == "maker" else piece.from_
    if origin.match:
        words["context"] = f"{words.get('context') or 'match'} {origin.match}"
    return words


_FROM_SOMEBODY = {"bought", "gift", "traded", "lent", "returned", "won", "confiscated"}


def _lode(character: Character, lode: Lode) -> Iterator[LedgerLine]:
    case = make_item(GearItem.Kind.LODE, lode.name)
    yield _owned(character, case)
    for name in lode.artifex:
        yield _owned(character, make_item(GearItem.Kind.ARTIFEX, name, inside=case))


def _owned(character: Character, item: GearItem) -> LedgerLine:
    return LedgerLine(Method.ISSUED, item=item, taker=character)


def make_item(kind: str, name: str, **details: object) -> GearItem:
    """Create an item with a unique serial. It is nobody's until an entry of the ledger."""
    while True:
        serial = "ZG-" + "".join(secrets.choice(SERIAL) for _ in range(6))
        if not GearItem.objects.filter(serial=serial).exists():
            return GearItem.objects.create(serial=serial, kind=kind, name=name, **details)
