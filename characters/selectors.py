"""What one can read of characters. Every read is a cut: what some eyes may know, no trace more."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.translation import gettext
from msgspec import Struct, field

from characters import ledger, policy
from characters.models import (
    Audience,
    Campaign,
    Card,
    Change,
    Character,
    Favour,
    GearItem,
    Goal,
    LedgerEntry,
    Move,
    Section,
    Trade,
)
from characters.policy import Eyes
from characters.search import Search
from characters.sheet import Sheet, shapes
from characters.sheet.goals import held_of, matches_wanted, wanted_by
from characters.sheet.grammar import TITLES
from matches.errors import NotFound
from matches.models import Log, Match, Player, SeatResult
from matches.policy import Actor

Kind = Section.Kind
Result = SeatResult.Result
OF_ITEMS: dict[str, str] = {
    GearItem.Kind.PIECE: Kind.GEAR,
    GearItem.Kind.POSSESSION: Kind.POSSESSIONS,
    GearItem.Kind.LODE: Kind.LODE,
    GearItem.Kind.ARTIFEX: Kind.LODE,
}
"""The section that says who may know of an item."""

ORDER = (
    *(Kind.PUBLIC, Kind.PRIVATE, Kind.MODE_DECK, Kind.MANEUVERS, Kind.GOALS, Kind.GEAR),
    *(Kind.LODE, Kind.POSSESSIONS, Kind.CURRENCY, Kind.DIARY, Kind.NOTES, Kind.UNPARSED),
)


class Part(Struct, omit_defaults=True):
    """A section one may know. `audience` and `named` are told to its owner alone."""

    kind: str
    title: str
    text: str = ""
    audience: str = ""
    named: list[str] = []


class GoalTold(Struct, omit_defaults=True):
    """A goal; `have` of `of` things when its words ask for some, all of them `since` a day."""

    id: UUID
    text: str
    kind: str
    current: bool = False
    reached_at: datetime | None = None
    have: int | None = None
    of: int | None = None
    since: date | None = None

    @property
    def complete(self) -> bool:
        return self.of is not None and self.have == self.of


class ItemTold(Struct, omit_defaults=True):
    """A thing in somebody's hands, and how it came there as far as one may know."""

    serial: str
    kind: str
    name: str
    quality: str = ""
    colour: str = ""
    slot: str = ""
    inside: str = ""
    method: str = ""
    from_: str = field(default="", name="from")
    price: int | None = None
    certainty: str = ""
    raw: str = ""
    since: date | None = None  # the day it came
    ends: str = ""  # of its card, where one may see it

    @property
    def both(self) -> list[str]:
        return self.ends.split(" | ") if self.ends else []

    @property
    def title(self) -> str:
        return " ".join(word for word in (self.quality, self.colour, self.name) if word)


class SheetTold(Struct):
    """A character as some eyes may know it. What is hidden is not there."""

    character: Character
    eyes: Eyes
    parts: dict[str, Part]
    goals: list[GoalTold]
    items: list[ItemTold]
    balance: int | None
    favours: list[Favour]

    def text(self, kind: str) -> str:
        return self.parts[kind].text if kind in self.parts else ""

    @property
    def ordered(self) -> list[Part]:
        return [self.parts[kind] for kind in ORDER if kind in self.parts]

    def tells(self, part: Part) -> bool:
        """Tell whether there is anything in a part."""
        match part.kind:
            case Kind.GOALS:
                return bool(self.goals)
            case Kind.GEAR:
                return bool(self.gear)
            case Kind.LODE:
                return bool(self.lodes)
            case Kind.POSSESSIONS:
                return bool(self.possessions)
            case Kind.CURRENCY:
                return self.balance is not None
            case Kind.DIARY:
                return bool(part.text or self.favours)
        return bool(part.text)

    @property
    def mode_deck(self) -> shapes.ModeDeck:
        lines = [*self.text(Kind.MODE_DECK).split("\n"), "", "", ""]
        return shapes.ModeDeck(*lines[:3])

    @property
    def maneuvers(self) -> list[str]:
        return [line for line in self.text(Kind.MANEUVERS).split("\n") if line]

    def of_kind(self, *kinds: str) -> list[ItemTold]:
        return [item for item in self.items if item.kind in kinds]

    @property
    def gear(self) -> list[ItemTold]:
        return self.of_kind("piece")

    @property
    def possessions(self) -> list[ItemTold]:
        return self.of_kind("possession")

    @property
    def lodes(self) -> list[tuple[ItemTold, list[ItemTold]]]:
        """Lodes, each with its artifex; then artifex whose lode is not held, each for itself."""
        programs, lodes = self.of_kind("artifex"), self.of_kind("lode")
        found = [(lode, [one for one in programs if one.inside == lode.serial]) for lode in lodes]
        held = {lode.serial for lode in lodes}
        return found + [(one, []) for one in programs if one.inside not in held]


# -- finding --------------------------------------------------------------------------------


def characters_for(actor: Actor) -> QuerySet[Character]:
    """Return the characters one may know of, newest first."""
    found = policy.visible_characters(actor).select_related("owner", "campaign")
    return found.order_by("-id").distinct()


def character_for(actor: Actor, pk: UUID) -> Character:
    """Return a character one may know of. Raises: NotFound."""
    found = Character.objects.select_related("owner", "campaign").filter(pk=pk).first()
    if found is None:
        raise NotFound(gettext("There is no such character."), "no-such-character")
    policy.require_see(actor, found)
    return found


def characters_of(actor: Actor, player: Player) -> QuerySet[Character]:
    return characters_for(actor).filter(owner=player)


# -- the sheet ------------------------------------------------------------------------------


def sheet_of(character: Character, eyes: Eyes) -> SheetTold:
    """Return a character's sheet as some eyes may know it."""
    parts = parts_of(character, eyes)
    items = items_told(character, eyes, parts)
    return SheetTold(
        character,
        eyes,
        parts,
        goals_told(character, items, parts, eyes) if Kind.GOALS in parts else [],
        items,
        balance_of(character, parts),
        list(favours_of(character, eyes, parts).select_related("about", "holder")),
    )


def parts_of(character: Character, eyes: Eyes) -> dict[str, Part]:
    """Return the sections that some eyes may know, by kind."""
    sections = policy.known_sections(eyes, character)
    return {
        section.kind: Part(
            section.kind,
            str(Section.Kind(section.kind).label),
            section.text,
            section.audience if eyes.own else "",
            [player.name for player in section.named.all()] if eyes.own else [],
        )
        for section in (sections.prefetch_related("named") if eyes.own else sections)
    }


def goals_told(
    character: Character, items: Iterable[ItemTold], parts: Mapping[str, Part], eyes: Eyes
) -> list[GoalTold]:
    """Return a character's goals, with how far each has come where one may know the things."""
    known = list(items)
    told = [_goal(goal, known, parts) for goal in character.goals.all()]
    asked = {goal.id: wanted for goal in told if (wanted := matches_wanted(goal.text))}
    if eyes.results_off:
        for goal in told:
            goal.reached_at = None if goal.id in asked else goal.reached_at
        return told
    results = results_of(character) if asked else Counter()
    for goal in told:
        if wanted := asked.get(goal.id):
            won, goal.of = wanted
            goal.have = min(goal.of, results[Result.WON] if won else results.total())
    return told


def results_of(character: Character) -> Counter[str]:
    """Return how a character's matches came out, of those that everyone may know."""
    rows = SeatResult.objects.filter(
        seat__appearance__character=character,
        seat__match__visibility=Match.Visibility.PUBLIC,
    ).exclude(Q(public_result="") | Q(seat__match__log__status=Log.Status.WITHDRAWN))
    return Counter(rows.values_list("public_result", flat=True))


def _goal(goal: Goal, items: list[ItemTold], parts: Mapping[str, Part]) -> GoalTold:
    told = GoalTold(goal.pk, goal.text, goal.kind, goal.current, goal.reached_at)
    wanted = wanted_by(goal.text)
    if not wanted and _named_on(parts, goal.text):
        told.have = told.of = 1
    if wanted and (Kind.GEAR if wanted[0].kind == "piece" else Kind.LODE) in parts:
        there = [(one.kind, one.quality, one.colour, one.name) for one in items]
        found = held_of(wanted, there)
        told.of, told.have = len(wanted), len(found)
        days = [items[place].since for place in found]
        if told.complete and None not in days:
            told.since = max(day for day in days if day)
    return told


def _named_on(parts: Mapping[str, Part], text: str) -> bool:
    """Tell whether a goal is the name of a design card or a maneuver that one may know of."""
    shown = (parts[kind].text for kind in (Kind.MODE_DECK, Kind.MANEUVERS) if kind in parts)
    return text.casefold() in {line.casefold() for lines in shown for line in lines.split("\n")}


def items_told(character: Character, eyes: Eyes, parts: dict[str, Part]) -> list[ItemTold]:
    """Return what a character holds as `items_known`, with how it came."""
    held = items_known(character, parts)
    came = arrivals(character, held)
    return [_item(item, _seen(came.get(item.pk, []), eyes), eyes) for item in held]


def items_known(character: Character, parts: Collection[str]) -> list[GearItem]:
    """Return what a character holds, as far as the sections of it may be known."""
    return [item for item in ledger.items_of(character) if OF_ITEMS[item.kind] in parts]


def balance_of(character: Character, parts: Collection[str]) -> int | None:
    """Return a character's money, if it is of the sections that may be known."""
    return ledger.balance(character) if Kind.CURRENCY in parts else None


def arrivals(character: Character, items: list[GearItem]) -> dict[UUID, list[LedgerEntry]]:
    """Return the entry by which each item last came, and the cover stories told of it."""
    rows = LedgerEntry.objects.filter(item__in=items).select_related(
        "words", "giver", "taker", "covers"
    )
    last: dict[UUID, LedgerEntry] = {}
    covers: dict[int, list[LedgerEntry]] = defaultdict(list)
    for entry in rows.order_by("pk"):
        if entry.covers_id:
            covers[entry.covers_id].append(entry)
        elif entry.taker_id == character.pk and entry.giver_id != character.pk:
            last[entry.item_id] = entry  # type: ignore[index]
    return {item: [entry, *narrowest_first(covers[entry.pk])] for item, entry in last.items()}


def narrowest_first(stories: Iterable[LedgerEntry]) -> list[LedgerEntry]:
    """Return cover stories in the order they are believed: a later one mends an earlier one."""
    return sorted(stories, key=lambda story: (-WIDENING.index(story.audience), -story.pk))


def _seen(stories: list[LedgerEntry], eyes: Eyes) -> LedgerEntry | None:
    """Return the first story some eyes may know: the true one comes first."""
    return next((entry for entry in stories if knows_entry(eyes, entry)), None)


def knows_entry(eyes: Eyes, entry: LedgerEntry) -> bool:
    """Tell whether an entry is for some eyes: both sides of it know it as owners do."""
    sides = {who.owner_id for who in (entry.giver, entry.taker) if who}
    return policy.knows(eyes, entry.audience) or (eyes.player is not None and eyes.player in sides)


def _item(item: GearItem, entry: LedgerEntry | None, eyes: Eyes) -> ItemTold:
    told = ItemTold(
        item.serial,
        item.kind,
        item.name,
        item.quality,
        item.colour,
        item.slot,
        item.inside.serial if item.inside else "",
    )
    if item.card and policy.knows_card(eyes, item.card):
        told.ends = item.card.ends
    if entry is not None and not (eyes.results_off and entry.method == LedgerEntry.Method.WON):
        words = words_of(entry)
        told.method, told.price, told.certainty = entry.method, entry.price, entry.certainty
        giver = entry.giver if entry.giver and entry.giver.audience == "public" else None
        told.from_ = giver.name if giver else words["party"] or words["context"]
        told.raw = words["raw"]
        told.since = entry.happened_on or entry.recorded_at.date()
    return told


WIDENING = ("public", "players", "officials", "owner")
"""Audiences from the widest to the narrowest."""

WORDS = ("party", "place", "context", "raw")


def words_of(entry: LedgerEntry) -> dict[str, str]:
    words: Any = getattr(entry, "words", None)
    return {name: getattr(words, name, "") for name in WORDS}


# -- out again ------------------------------------------------------------------------------


def plain_sheet(told: SheetTold) -> Sheet:
    """Return a sheet as it can be written as text and pasted again."""
    sheet = Sheet(
        name=told.character.name,
        tagline=told.character.tagline,
        sections=[
            shapes.Section(kind, TITLES[kind], text)
            for kind in (Kind.PRIVATE, Kind.PUBLIC, Kind.DIARY, Kind.NOTES)
            if (text := told.text(kind))
        ],
        mode_deck=told.mode_deck,
        maneuvers=told.maneuvers,
        goals=[shapes.Goal(goal.text, goal.current) for goal in told.goals],
        gear=_gear_lines(told.gear),
        possessions=[item.name for item in told.possessions],
        unparsed=[line for line in told.text(Kind.UNPARSED).split("\n") if line],
    )
    for lode, artifex in told.lodes:
        if sheet.lode is None:
            sheet.lode = shapes.Lode(lode.name, [one.name for one in artifex])
        else:
            sheet.possessions.append(lode.name)
    money = told.balance
    if money is not None and (money or sheet.spent):
        sheet.currency = shapes.Currency(money, money + sheet.spent)
    return sheet


def _gear_lines(items: list[ItemTold]) -> list[shapes.Gear]:
    """Return a line for pieces alike that came one after the other."""
    lines: list[shapes.Gear] = []
    for item in items:
        method = "" if _untyped(item) else item.method
        line = shapes.Gear(
            item.quality, item.colour, item.name, method, item.from_, item.price, raw=item.raw
        )
        if lines and _alike(lines[-1], line):
            lines[-1].count += 1
        else:
            lines.append(line)
    return lines


def _untyped(item: ItemTold) -> bool:
    """Tell whether a piece came by a line that did not say how."""
    return item.method == LedgerEntry.Method.ISSUED and item.certainty == "claimed"


def _alike(one: shapes.Gear, other: shapes.Gear) -> bool:
    return all(
        getattr(one, name) == getattr(other, name)
        for name in ("quality", "colour", "type", "method", "from_", "price", "raw")
    )


def ledger_of(character: Character) -> QuerySet[LedgerEntry]:
    """Return every entry that touches a character, oldest first."""
    mine = Q(giver=character) | Q(taker=character)
    return LedgerEntry.objects.filter(mine).order_by("pk")


def entry_of(character: Character, pk: int) -> LedgerEntry:
    """Return an entry that touches a character. Raises: NotFound."""
    rows = ledger_of(character).select_related("item", "giver", "taker", "words")
    entry = rows.filter(pk=pk).first()
    if entry is None:
        raise NotFound(gettext("There is no such entry."), "no-such-entry")
    return entry


def changes_for(actor: Actor, character: Character) -> QuerySet[Change]:
    """Return a sheet's changes, newest first, that one may know. Raises: NotAllowed.

    Of what is kept from someone now, its past is kept from them too.
    """
    policy.require_record(actor, character)
    eyes = policy.eyes_of(actor, character)
    known = parts_of(character, eyes)
    changes = Change.objects.filter(character=character, audience__in=eyes.audiences)
    kinds = set(Kind.values) - set(known)
    return changes.exclude(what__in=kinds).select_related("changed_by")


# -- offers ---------------------------------------------------------------------------------


def _trades() -> QuerySet[Trade]:
    return Trade.objects.select_related("by__owner", "to__owner").prefetch_related("gives", "wants")


def offers_to(character: Character) -> QuerySet[Trade]:
    """Return what is offered to a character and waits for its answer."""
    return _trades().filter(to=character, status=Trade.Status.OFFERED)


def offers_by(character: Character) -> QuerySet[Trade]:
    """Return what a character has offered, newest first."""
    return _trades().filter(by=character)[:20]


def trade_for(actor: Actor, pk: UUID) -> Trade:
    """Return an offer that one is a side of. Raises: NotFound."""
    trade = _trades().filter(pk=pk).first()
    if trade is None or not (policy.is_owner(actor, trade.by) or policy.is_owner(actor, trade.to)):
        raise NotFound(gettext("There is no such offer."), "no-such-offer")
    return trade


# -- moves and campaigns ------------------------------------------------------------------------


def _moves() -> QuerySet[Move]:
    return Move.objects.select_related("character__owner", "by", "to", "campaign__owner")


def moves_of(character: Character) -> QuerySet[Move]:
    """Return what a character is offered to, and was, newest first."""
    return _moves().filter(character=character)[:20]


def moves_to(actor: Actor) -> QuerySet[Move]:
    """Return the characters that wait for an actor to take them."""
    waiting = _moves().filter(status=Move.Status.OFFERED)
    return waiting.filter(to=actor.player) if actor.player else waiting.none()


def moves_into(campaign: Campaign) -> QuerySet[Move]:
    """Return the characters that ask to join a campaign."""
    return _moves().filter(campaign=campaign, status=Move.Status.OFFERED)


def move_for(actor: Actor, pk: UUID) -> Move:
    """Return an offer that one is a side of. Raises: NotFound."""
    move = _moves().prefetch_related("campaign__officials").filter(pk=pk).first()
    if move and (policy.is_owner(actor, move.character) or policy.may_answer_move(actor, move)):
        return move
    raise NotFound(gettext("There is no such offer."), "no-such-offer")


def campaigns() -> QuerySet[Campaign]:
    """Return all campaigns: that they are there, and who runs them, anyone may know."""
    return Campaign.objects.select_related("owner").prefetch_related("officials")


def campaign_for(pk: UUID) -> Campaign:
    """Return a campaign. Raises: NotFound."""
    campaign = campaigns().filter(pk=pk).first()
    if campaign is None:
        raise NotFound(gettext("There is no such campaign."), "no-such-campaign")
    return campaign


# -- favours and grudges --------------------------------------------------------------------


def favours_of(
    character: Character, eyes: Eyes, parts: Collection[str] | None = None
) -> QuerySet[Favour]:
    """Return what stands in a character's diary, and what others told it; newest first.

    What others bear them is for their owner alone.
    """
    shown = Q(pk__in=[])
    if Kind.DIARY in (parts_of(character, eyes) if parts is None else parts):
        shown |= Q(holder=character, audience__in={*eyes.audiences, Audience.NAMED})
    if eyes.own:
        shown |= Q(about=character, told=True)
    found = Favour.objects.filter(shown)
    return found.filter(match="") if eyes.results_off else found


def favour_for(actor: Actor, pk: UUID) -> Favour:
    """Return a favour one may know of. Raises: NotFound."""
    favour = Favour.objects.select_related("holder__campaign", "about").filter(pk=pk).first()
    for who in (favour.holder, favour.about) if favour else ():
        if who and favours_of(who, policy.eyes_of(actor, who)).filter(pk=pk).exists():
            assert favour is not None
            return favour
    raise NotFound(gettext("There is no such favour."), "no-such-favour")


# -- the catalogue --------------------------------------------------------------------------


def cards_for(actor: Actor, search: Search | None = None, **exact: str) -> QuerySet[Card]:
    """Return the cards one may see, as a search and exact columns that are said narrow them."""
    cards = policy.visible_cards(actor).select_related("card_set", "owner")
    for name, value in exact.items():
        if value:
            cards = cards.filter(**{f"{name}__iexact": value})
    return search.narrow(cards) if search else cards


def card_for(actor: Actor, pk: UUID) -> Card:
    """Return a card one may see. Raises: NotFound."""
    card = policy.visible_cards(actor).select_related("card_set", "owner").filter(pk=pk).first()
    if card is None:
        raise NotFound(gettext("There is no such card."), "no-such-card")
    return card
