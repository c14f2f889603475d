"""Careers and the life of items in matches, read from deeds as far as an actor may know them.

A match is visible as `matches` allows: to its head for those at its table, otherwise in its public
version, and without its results for a reader with results off; hidden events are not counted. Other
players' characters are named only to readers who may know them, and their gear only if it is
public; otherwise the match's own names are used.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.functions import JSONArray, JSONObject
from msgspec import Struct, field, to_builtins

from characters import policy
from characters.models import (
    Appearance,
    Audience,
    Card,
    Character,
    Deed,
    FieldedItem,
    GearItem,
    Section,
)
from matches import policy as matches
from matches.actors import NOBODY, Actor
from matches.json_rows import JsonRows
from matches.models import Player, Seat, SeatResult, withdrawn

Kind = Deed.Kind
Hands = Collection[UUID]
"""Characters that fielded an item and whose gear the actor may see."""

Result = SeatResult.Result


class CareerRecord(Struct, frozen=True):
    """The sum of a career, or of an item's life in matches.

    `tests` as the weapon with the `strikes` dealt, `tested` as the target with those `blocked`.
    """

    matches: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    tests: int = 0
    strikes: int = 0
    tested: int = 0
    blocked: int = 0
    slags: int = 0
    slagged: int = 0


class Party(Struct, omit_defaults=True):
    """A participant of a match: a character if visible, otherwise the name used by the match.

    `name`: that of the character, or of the side.
    """

    name: str
    seat: int
    character: UUID | None = None


class VisibleDeed(Struct, omit_defaults=True):
    """A deed with its moment, the entry `version` of the match. `other` is the other side.

    `turn`: the number of the turn. `other_card` and `other_item`: the card of the other side,
    and its serial. `card`: its name in the match. `result`: what came of it.
    """

    version: int
    turn: int
    kind: str
    card: str
    item: str = ""  # its serial
    other: Party | None = None
    other_card: str = ""
    other_item: str = ""
    strikes: int = 0
    blocked: int = 0
    result: str = ""


class FieldedPiece(Struct):
    """A thing as it was fielded: the name it had in the match.

    `card`: its name in the deck.
    """

    card: str
    item: str  # its serial
    name: str


class Outing(Struct, omit_defaults=True):
    """A match in which a character was fielded, as far as the actor may know it.

    `fielded_at`: when the match began. `foes`: who was on the other sides. `deeds`: what it did
    and what was done to it. `gear`: what it fielded. `id`: that of the appearance. `record` is
    null if results are hidden from you.
    """

    id: UUID
    match: str  # its code
    title: str
    character: UUID
    name: str
    seat: int
    fielded_at: datetime
    record: CareerRecord | None  # None if results are hidden from the reader
    result: str = ""
    foes: list[Party] = field(default_factory=list)
    gear: list[FieldedPiece] = field(default_factory=list)
    deeds: list[VisibleDeed] = field(default_factory=list)

    @property
    def result_label(self) -> str:
        """The result in a word."""
        return str(Result(self.result).label)

    @property
    def lost(self) -> list[VisibleDeed]:
        return [deed for deed in self.deeds if deed.kind == Kind.LOST]

    @property
    def took(self) -> list[VisibleDeed]:
        return [deed for deed in self.deeds if deed.kind == Kind.TOOK]


# -- queries -----------------------------------------------------------------------------------


def appearances(actor: Actor, **which: Any) -> QuerySet[Any]:
    """Return appearances in visible matches, newest first, annotated for a list.

    `whole`: whether the actor sees that match to its head; and `known_result`.
    """
    whole = Q(seat__match__in=matches.whole_matches(actor))
    public = Value("") if actor.results_off else F("seat__result__public_result")
    return (
        _seen(actor, **which)
        .annotate(
            whole=Exists(matches.whole_matches(actor).filter(pk=OuterRef("seat__match_id"))),
            known_result=Case(When(whole, then="seat__result__result"), default=public),
        )
        .select_related("seat__match", "character__campaign")
        .order_by("-fielded_at", "-id")
    )


def _seen(actor: Actor, **which: Any) -> QuerySet[Appearance]:
    """Return appearances in matches that an actor may see, none of them withdrawn."""
    found = Appearance.objects.filter(**which, seat__match__in=matches.visible_matches(actor))
    return found.exclude(withdrawn("seat__match__log__"))


def deeds(actor: Actor, **which: Any) -> QuerySet[Deed]:
    """Return the deeds that an actor may know."""
    whole = Q(match__in=matches.whole_matches(actor))
    known = whole & Q(at_head=True)
    if not actor.results_off:
        known |= ~whole & Q(public=True)
    return (
        Deed.objects.filter(**which)
        .filter(match__in=matches.visible_matches(actor))
        .exclude(withdrawn("match__log__"))
        .filter(known)
    )


# -- sums --------------------------------------------------------------------------------------


def record_of(actor: Actor, character: Character) -> CareerRecord:
    """Return the record of a character's career."""
    played = appearances(actor, character=character)
    return _record(played, deeds(actor, appearance__character=character))


def record_of_item(actor: Actor, item: GearItem, hands: Hands | None = None) -> CareerRecord:
    """Return the record of an item's life in matches, in hands whose gear the actor may see."""
    known = hands_of(actor, item) if hands is None else hands
    done = deeds(actor, item=item, appearance__character__in=known)
    return _record(appearances_with(actor, item, known), done)


def with_open_gear() -> QuerySet[Section, Any]:
    """Return a subquery of the characters whose gear is public."""
    return Section.objects.filter(
        kind=Section.Kind.GEAR, audience=Audience.PUBLIC, character__audience=Audience.PUBLIC
    ).values("character")


def record_of_card(card: Card) -> CareerRecord:
    """Return the record of a card's pieces in matches, counting only what is public."""
    open_ = with_open_gear()
    played = appearances(NOBODY, character__in=open_, fielded__design=card)
    done = deeds(
        NOBODY,
        appearance__character__in=open_,
        appearance__fielded__design=card,
        appearance__fielded__item=F("item"),
    )
    return _record(played, done)


MOST = 5  # how many favourites of a kind are listed


class Favourite(NamedTuple):
    """A character or a card that a player fielded, and in how many matches."""

    id: UUID
    name: str
    matches: int


def with_favourites(actor: Actor, players: QuerySet[Player]) -> QuerySet[Any]:
    """Annotate players with what they fielded most, as `favourites` reads it.

    That is `characters_json`, and the designs of their pieces, `cards_json`; only what everybody
    may see, in public matches: cards on characters that show everybody their gear. For an actor
    with results off only matches count that they find in lists.
    """
    everybody = replace(NOBODY, results_off=actor.results_off)
    played = _seen(everybody, seat__player=OuterRef("pk"))
    shown, cards = policy.visible_characters(everybody), policy.visible_cards(everybody)
    fielded = played.filter(character__in=with_open_gear(), fielded__design__in=cards)
    return players.annotate(
        characters_json=_most(played.filter(character__in=shown), "character"),
        cards_json=_most(fielded, "fielded__design"),
    )


def _most(played: QuerySet[Appearance], of: str) -> JsonRows:
    """Return the subquery of what was fielded in most of some appearances: id, name, how many."""
    name = f"{of}__name"
    rows = played.order_by().values(of, name).annotate(count=Count("pk", distinct=True))
    packed = rows.annotate(packed=JSONArray(of, name, "count")).order_by("-count", name, of)
    return JsonRows(packed.values("packed")[:MOST])


def favourites(rows: str | None) -> list[Favourite]:
    """Return what `with_favourites` read, that of most matches first."""
    found = msgspec.json.decode(rows or "[]", type=list[Favourite])
    return sorted(found, key=lambda each: (-each.matches, each.name, each.id))


def with_records(actor: Actor, rows: QuerySet[Any]) -> QuerySet[Any]:
    """Annotate rows with the records of their `item`s, as `record_in` reads them.

    A record is that of `record_of_item`.
    """
    shown = _with_gear(actor).order_by().values("pk")
    played = appearances(actor, fielded__item=OuterRef("item"), character__in=shown)
    done = deeds(actor, item=OuterRef("item"), appearance__character__in=shown)
    found: QuerySet[Any] = rows.annotate(
        played_sums=_packed(played.order_by().values("fielded__item"), _OF_APPEARANCES),
        done_sums=_packed(done.order_by().values("item"), _OF_DEEDS),
    )
    return found


def _packed(groups: QuerySet[Any, Any], sums: dict[str, Any]) -> Subquery:
    packed = JSONObject(**{name: name for name in sums})
    return Subquery(groups.annotate(**sums).annotate(packed=packed).values("packed"))


def record_in(row: Any) -> CareerRecord:
    """Return the record of the item of a row that `with_records` annotated."""
    sums = {**(row.played_sums or {}), **(row.done_sums or {})}
    return CareerRecord(**{name: count or 0 for name, count in sums.items()})


def _record(played: QuerySet[Any], done: QuerySet[Deed]) -> CareerRecord:
    results = played.order_by().aggregate(**_OF_APPEARANCES)
    sums = done.order_by().aggregate(**_OF_DEEDS)
    return CareerRecord(**results, **{name: count or 0 for name, count in sums.items()})


_OF_APPEARANCES = {
    "matches": Count("pk", distinct=True),
    **{
        result: Count("pk", filter=Q(known_result=result), distinct=True)
        for result in Result.values
    },
}
_OF_DEEDS = {
    "tests": Count("pk", filter=Q(kind=Kind.WEAPON)),
    "strikes": Sum("strikes", filter=Q(kind=Kind.WEAPON)),
    "tested": Count("pk", filter=Q(kind=Kind.TARGET)),
    "blocked": Sum("blocked", filter=Q(kind=Kind.TARGET)),
    "slags": Count("pk", filter=Q(kind=Kind.TOOK)),
    "slagged": Count("pk", filter=Q(kind=Kind.LOST)),
}


LIMIT = 200  # the most matches in an item's life, the newest ones


def record_from(outings: Sequence[Outing]) -> CareerRecord:
    """Return the combined record of some outings."""
    sums = Counter[str]()
    for outing in outings:
        sums.update(to_builtins(outing.record or CareerRecord(matches=1)))
    return CareerRecord(**{name: sums[name] for name in CareerRecord.__struct_fields__})


def outings_with(actor: Actor, item: GearItem, hands: Hands) -> list[Outing]:
    """Return the matches an item was fielded in, with what happened to it."""
    return outings(actor, list(appearances_with(actor, item, hands)[:LIMIT]), item)


def appearances_with(actor: Actor, item: GearItem, hands: Hands) -> QuerySet[Any]:
    """Return the `appearances` in which an item was fielded by these characters."""
    return appearances(actor, fielded__item=item, character__in=hands)


def hands_of(actor: Actor, item: GearItem) -> Hands:
    """Return the characters that fielded an item and whose gear the actor may see."""
    fielders = _with_gear(actor).filter(appearances__fielded__item=item).order_by()
    return set(fielders.values_list("pk", flat=True))


def _with_gear(actor: Actor) -> QuerySet[Character]:
    return policy.characters_showing(actor, Section.Kind.GEAR)


# -- details -----------------------------------------------------------------------------------


def outings(actor: Actor, played: Sequence[Any], item: GearItem | None = None) -> list[Outing]:
    """Return `appearances` with their deeds, of one `item` or of all.

    The item behind a card is included only if the actor may see the gear of its character.
    """
    of_item = {"item": item} if item is not None else {}
    done: dict[UUID, list[Deed]] = defaultdict(list)
    for deed in deeds(actor, appearance__in=[each.pk for each in played], **of_item).select_related(
        "item", "other_item"
    ):
        done[deed.appearance_id].append(deed)
    names = Names(actor, played)
    names.open |= names.known & {each.character_id for each in played}
    gear = _gear([each for each in played if each.character_id in names.open])
    results = [_outing(each, done[each.pk], gear[each.pk], names) for each in played]
    for each, outing in zip(played, results, strict=True):
        if actor.results_off and not each.whole:
            outing.record = None
    return results


def _gear(played: Sequence[Appearance]) -> dict[UUID, list[FieldedPiece]]:
    """Return what was fielded, in the order of the deck."""
    found: dict[UUID, list[FieldedPiece]] = defaultdict(list)
    rows = FieldedItem.objects.filter(appearance__in=played).select_related("item")
    for row in rows.order_by("pk"):
        piece = FieldedPiece(row.card, row.item.serial, str(row.item))
        found[row.appearance_id].append(piece)
    return found


def _outing(
    appearance: Any, done: Sequence[Deed], gear: list[FieldedPiece], names: "Names"
) -> Outing:
    match, result = appearance.seat.match, appearance.known_result or ""
    return Outing(
        id=appearance.pk,
        match=match.code,
        title=str(match),
        character=appearance.character_id,
        name=appearance.character.name,
        seat=appearance.seat.number,
        fielded_at=appearance.fielded_at,
        result=result,
        foes=[
            names.party(match.pk, number)
            for number in sorted(names.seats[match.pk])
            if number != appearance.seat.number
        ],
        gear=gear,
        deeds=[_visible_deed(deed, names, appearance.character_id) for deed in done],
        record=_summed(done, result),
    )


def _visible_deed(deed: Deed, names: "Names", own: UUID) -> VisibleDeed:
    return VisibleDeed(
        version=deed.version,
        turn=deed.turn,
        kind=deed.kind,
        card=deed.card,
        item=deed.item.serial if deed.item and own in names.open else "",
        other=names.party(deed.match_id, deed.other_seat) if deed.other_seat else None,
        other_card=deed.other_card,
        other_item=names.item(deed),
        strikes=deed.strikes,
        blocked=deed.blocked,
        result=deed.result,
    )


def _summed(done: Sequence[Deed], result: str) -> CareerRecord:
    def of(kind: str) -> list[Deed]:
        return [deed for deed in done if deed.kind == kind]

    return CareerRecord(
        matches=1,
        tests=len(of(Kind.WEAPON)),
        strikes=sum(deed.strikes for deed in of(Kind.WEAPON)),
        tested=len(of(Kind.TARGET)),
        blocked=sum(deed.blocked for deed in of(Kind.TARGET)),
        slags=len(of(Kind.TOOK)),
        slagged=len(of(Kind.LOST)),
        **({result: 1} if result else {}),
    )


class Names:
    """The names of participants in some matches, with a constant number of queries."""

    def __init__(self, actor: Actor, played: Sequence[Appearance]) -> None:
        self.seats: dict[UUID, dict[int, str]] = defaultdict(dict)
        self.characters: dict[tuple[UUID, int], tuple[UUID, str]] = {}
        self.open: set[UUID] = set()  # characters whose gear is shown incidentally
        self.known: set[UUID] = set()  # characters whose gear the actor may see
        there = OuterRef("appearance__character")
        shown = policy.visible_characters(actor).filter(pk=there)
        open_ = Q(audience="public") | Q(character__owner=actor.player_id)
        gear = Section.objects.filter(open_, character=there, kind=Section.Kind.GEAR)
        known = _with_gear(actor).filter(pk=there)
        ids = {each.seat.match_id for each in played}
        rows = (
            Seat.objects.filter(match__in=ids)
            .select_related("player", "appearance__character")
            .annotate(is_shown=Exists(shown), is_open=Exists(gear), is_known=Exists(known))
        )
        for seat in rows:
            self.seats[seat.match_id][seat.number] = seat.who
            if seat.is_shown:
                who = seat.appearance.character
                self.characters[seat.match_id, seat.number] = who.pk, who.name
                self.open |= {who.pk} if seat.is_open else set()
                self.known |= {who.pk} if seat.is_known else set()

    def party(self, match: UUID, number: int) -> Party:
        if found := self.characters.get((match, number)):
            return Party(found[1], number, found[0])
        return Party(self.seats[match].get(number, ""), number)

    def item(self, deed: Deed) -> str:
        """Return the serial of the other side's item if it may be shown."""
        found = self.characters.get((deed.match_id, deed.other_seat or 0))
        known = found is not None and found[0] in self.open
        return deed.other_item.serial if known and deed.other_item else ""
