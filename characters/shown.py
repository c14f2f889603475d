"""A character's sheet as it is shown and exported: what a view may know, and no trace of more."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils import timezone
from msgspec import Struct, field

from characters import ledger, policy
from characters.models import Audience, Character, Favour, GearItem, Goal, LedgerEntry, Section
from characters.policy import Eyes
from characters.sheet import Sheet, shapes
from characters.sheet.goals import held_of, matches_wanted, wanted_by
from characters.sheet.grammar import TITLES
from characters.sheet.writing import lode_line
from matches.models import Match, SeatResult, withdrawn

Kind = Section.Kind
Result = SeatResult.Result
OF_ITEMS: dict[str, str] = {
    GearItem.Kind.PIECE: Kind.GEAR,
    GearItem.Kind.POSSESSION: Kind.POSSESSIONS,
    GearItem.Kind.LODE: Kind.LODE,
    GearItem.Kind.ARTIFEX: Kind.LODE,
}
"""The section whose audience an item has."""

ORDER = (
    *(Kind.PUBLIC, Kind.PRIVATE, Kind.MODE_DECK, Kind.MANEUVERS, Kind.GOALS, Kind.GEAR),
    *(Kind.LODE, Kind.POSSESSIONS, Kind.CURRENCY, Kind.DIARY, Kind.NOTES, Kind.UNPARSED),
)
TEXTS = (Kind.PUBLIC, Kind.PRIVATE, Kind.DIARY, Kind.NOTES, Kind.UNPARSED)
"""Sections that are running text."""

WORDS = ("party", "place", "context", "raw")


class VisibleSection(Struct, omit_defaults=True):
    """A visible section. `audience` and `named` are shown to its owner only."""

    kind: str
    title: str
    text: str = ""
    audience: str = ""
    named: list[str] = []

    @property
    def template(self) -> str:
        """The template that shows it."""
        name = "text" if self.kind in TEXTS else self.kind.replace("-", "_")
        return f"characters/_part_{name}.html"

    @property
    def wide(self) -> bool:
        """Whether it takes the wider column of a sheet."""
        return self.kind in (*TEXTS, Kind.GEAR)


class VisibleGoal(Struct, omit_defaults=True):
    """A goal; `have` of `of` things if its words ask for some, all of them `since` a day.

    `reached_at`: when it was reached; null until then. `kind`: what its words ask for: a card,
    a lode, a set, or something else.
    """

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


class VisibleItem(Struct, omit_defaults=True):
    """An item that somebody holds, and how it came, as far as that is visible.

    `inside`: the serial of the lode it lives in. `from`: from whom or where it came, in words.
    `ends`: the ends of its card, if visible. `since`: the day it came.
    """

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
    ends: str = ""  # of its card, if visible

    @property
    def both(self) -> list[str]:
        return self.ends.split(" | ") if self.ends else []

    @property
    def title(self) -> str:
        return " ".join(word for word in (self.quality, self.colour, self.name) if word)


class VisibleSheet(Struct):
    """A character in a view. Hidden parts are absent."""

    character: Character
    eyes: Eyes
    parts: dict[str, VisibleSection]
    goals: list[VisibleGoal]
    items: list[VisibleItem]
    balance: int | None
    favours: list[Favour]

    def text(self, kind: str) -> str:
        return self.parts[kind].text if kind in self.parts else ""

    @property
    def ordered(self) -> list[VisibleSection]:
        return [self.parts[kind] for kind in ORDER if kind in self.parts]

    def tells(self, part: VisibleSection) -> bool:
        """Tell whether a part has any content."""
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
    def goals_current_first(self) -> list[VisibleGoal]:
        return sorted(self.goals, key=lambda goal: not goal.current)

    @property
    def mode_deck(self) -> shapes.ModeDeck:
        lines = [*self.text(Kind.MODE_DECK).split("\n"), "", "", ""]
        return shapes.ModeDeck(*lines[:3])

    @property
    def maneuvers(self) -> list[str]:
        return [line for line in self.text(Kind.MANEUVERS).split("\n") if line]

    def of_kind(self, *kinds: str) -> list[VisibleItem]:
        return [item for item in self.items if item.kind in kinds]

    @property
    def gear(self) -> list[VisibleItem]:
        return self.of_kind("piece")

    @property
    def possessions(self) -> list[VisibleItem]:
        return self.of_kind("possession")

    @property
    def lodes(self) -> list[tuple[VisibleItem, list[VisibleItem]]]:
        """Lodes, each with its artifex; then artifex whose lode is not held, each on its own."""
        programs, lodes = self.of_kind("artifex"), self.of_kind("lode")
        found = [(lode, [one for one in programs if one.inside == lode.serial]) for lode in lodes]
        held = {lode.serial for lode in lodes}
        return found + [(one, []) for one in programs if one.inside not in held]


# -- the sheet ------------------------------------------------------------------------------


def sheet_of(character: Character, eyes: Eyes) -> VisibleSheet:
    """Return a character's sheet in a view."""
    parts = parts_of(character, eyes)
    items = visible_items(character, eyes, parts)
    return VisibleSheet(
        character,
        eyes,
        parts,
        visible_goals(character, items, parts, eyes) if Kind.GOALS in parts else [],
        items,
        balance_of(character, parts),
        list(favours_of(character, eyes, parts).select_related("about", "holder")),
    )


def parts_of(character: Character, eyes: Eyes) -> dict[str, VisibleSection]:
    """Return the visible sections, by kind."""
    sections = policy.sections_for(eyes, character)
    return {
        section.kind: VisibleSection(
            section.kind,
            str(Section.Kind(section.kind).label),
            section.text,
            section.audience if eyes.own else "",
            [player.name for player in section.named.all()] if eyes.own else [],
        )
        for section in (sections.prefetch_related("named") if eyes.own else sections)
    }


def visible_goals(
    character: Character,
    items: Iterable[VisibleItem],
    parts: Mapping[str, VisibleSection],
    eyes: Eyes,
) -> list[VisibleGoal]:
    """Return a character's goals, with their progress if the things are visible."""
    known = list(items)
    goals = [visible_goal(goal, known, parts) for goal in character.goals.exclude(text="")]
    countable = {goal.id: wanted for goal in goals if (wanted := matches_wanted(goal.text))}
    if eyes.results_off:
        for goal in goals:
            goal.reached_at = None if goal.id in countable else goal.reached_at
        return goals
    results = results_of(character) if countable else Counter()
    for goal in goals:
        if wanted := countable.get(goal.id):
            won, goal.of = wanted
            goal.have = min(goal.of, results[Result.WON] if won else results.total())
    return goals


def results_of(character: Character) -> Counter[str]:
    """Count the results of a character's matches that are public."""
    rows = SeatResult.objects.filter(
        seat__appearance__character=character,
        seat__match__visibility=Match.Visibility.PUBLIC,
    ).exclude(Q(public_result="") | withdrawn("seat__match__log__"))
    return Counter(rows.values_list("public_result", flat=True))


def visible_goal(
    goal: Goal, items: list[VisibleItem], parts: Mapping[str, VisibleSection]
) -> VisibleGoal:
    """Return a goal with its progress, from the items that may be known."""
    visible = VisibleGoal(goal.pk, goal.text, goal.kind, goal.current, goal.reached_at)
    wanted = wanted_by(goal.text)
    if not wanted and _named_on(parts, goal.text):
        visible.have = visible.of = 1
    if wanted and (Kind.GEAR if wanted[0].kind == "piece" else Kind.LODE) in parts:
        there = [(one.kind, one.quality, one.colour, one.name) for one in items]
        found = held_of(wanted, there)
        visible.of, visible.have = len(wanted), len(found)
        days = [items[place].since for place in found]
        if visible.complete and None not in days:
            visible.since = max(day for day in days if day)
    return visible


def _named_on(parts: Mapping[str, VisibleSection], text: str) -> bool:
    """Tell whether a goal is the name of a design card or a maneuver that is visible."""
    shown = (parts[kind].text for kind in (Kind.MODE_DECK, Kind.MANEUVERS) if kind in parts)
    return text.casefold() in {line.casefold() for lines in shown for line in lines.split("\n")}


# -- favours and grudges --------------------------------------------------------------------


def favours_of(
    character: Character, eyes: Eyes, parts: Collection[str] | None = None
) -> QuerySet[Favour]:
    """Return the entries of a character's diary, and what others shared with it; newest first.

    What others bear them is for their owner only.
    """
    shown = Q(pk__in=[])
    if Kind.DIARY in (parts_of(character, eyes) if parts is None else parts):
        shown |= Q(holder=character, audience__in={*eyes.audiences, Audience.NAMED})
    if eyes.own:
        shown |= Q(about=character, told=True)
    found = Favour.objects.filter(shown).exclude(text="")  # that of an erased person
    return found.filter(match="") if eyes.results_off else found


# -- items and money -------------------------------------------------------------------------


def visible_items(
    character: Character, eyes: Eyes, parts: dict[str, VisibleSection]
) -> list[VisibleItem]:
    """Return the items of `items_known`, with how they came."""
    held = items_known(character, parts)
    came = arrivals(character, held)
    return [visible_item(item, story_of(came.get(item.pk, []), eyes), eyes) for item in held]


def items_known(character: Character, parts: Collection[str]) -> list[GearItem]:
    """Return the items a character holds whose sections are visible."""
    return [item for item in ledger.items_of(character) if OF_ITEMS[item.kind] in parts]


def balance_of(character: Character, parts: Collection[str]) -> int | None:
    """Return a character's money, if its section is visible."""
    return ledger.balance(character) if Kind.CURRENCY in parts else None


def arrivals(character: Character, items: list[GearItem]) -> dict[UUID, list[LedgerEntry]]:
    """Return the entry by which each item last came, and its cover stories.

    What was undone did not happen: the item came as it had come before.
    """
    rows = LedgerEntry.objects.filter(item__in=items, corrections=None, corrects=None)
    rows = rows.select_related("words", "giver", "taker", "covers")
    last: dict[UUID, LedgerEntry] = {}
    covers: dict[int, list[LedgerEntry]] = defaultdict(list)
    for entry in rows.order_by("pk"):
        if entry.covers_id:
            covers[entry.covers_id].append(entry)
        elif entry.taker_id == character.pk and entry.giver_id != character.pk:
            last[entry.item_id] = entry  # type: ignore[index]
    return {item: [entry, *narrowest_first(covers[entry.pk])] for item, entry in last.items()}


def narrowest_first(stories: Iterable[LedgerEntry]) -> list[LedgerEntry]:
    """Return cover stories in order of precedence: a later one replaces an earlier one."""
    return sorted(stories, key=lambda story: (-policy.NARROWING.index(story.audience), -story.pk))


def story_of(stories: list[LedgerEntry], eyes: Eyes) -> LedgerEntry | None:
    """Return the first story that is visible in a view: the true one comes first."""
    return next((entry for entry in stories if knows_entry(eyes, entry)), None)


def knows_entry(eyes: Eyes, entry: LedgerEntry) -> bool:
    """Tell whether an entry is visible in a view: both sides know it as owners do."""
    sides = {who.owner_id for who in (entry.giver, entry.taker) if who}
    return policy.knows(eyes, entry.audience) or (eyes.player is not None and eyes.player in sides)


def visible_item(item: GearItem, entry: LedgerEntry | None, eyes: Eyes) -> VisibleItem:
    """Return an item with the entry by which it came, as far as that may be known."""
    visible = VisibleItem(
        item.serial,
        item.kind,
        item.name,
        item.quality,
        item.colour,
        item.slot,
        item.inside.serial if item.inside else "",
    )
    if item.card and policy.knows_card(eyes.player, item.card):
        visible.ends = item.card.ends
    if entry is not None and not (eyes.results_off and entry.method == LedgerEntry.Method.WON):
        words = words_of(entry)
        visible.method, visible.price, visible.certainty = (
            entry.method,
            entry.price,
            entry.certainty,
        )
        giver = entry.giver if entry.giver and entry.giver.audience == "public" else None
        visible.from_ = giver.name if giver else words["party"] or words["context"]
        visible.raw = words["raw"]
        visible.since = day_of(entry)
    return visible


def day_of(entry: LedgerEntry) -> date:
    """Return the day of an entry: the one it names, otherwise the one it was recorded on."""
    return entry.happened_on or timezone.localdate(entry.recorded_at)


def words_of(entry: LedgerEntry) -> dict[str, str]:
    words: Any = getattr(entry, "words", None)
    return {name: getattr(words, name, "") for name in WORDS}


# -- exporting ------------------------------------------------------------------------------


def plain_sheet(visible: VisibleSheet) -> Sheet:
    """Return a sheet that can be written as text and pasted again."""
    sheet = Sheet(
        name=visible.character.name,
        tagline=visible.character.tagline,
        sections=[
            shapes.Section(kind, TITLES[kind], text)
            for kind in (Kind.PRIVATE, Kind.PUBLIC, Kind.DIARY, Kind.NOTES)
            if (text := visible.text(kind))
        ],
        mode_deck=visible.mode_deck,
        maneuvers=visible.maneuvers,
        goals=[shapes.Goal(goal.text, goal.current) for goal in visible.goals],
        gear=_gear_lines(visible.gear),
        possessions=[item.name for item in visible.possessions],
        unparsed=[line for line in visible.text(Kind.UNPARSED).split("\n") if line],
    )
    for lode, artifex in visible.lodes:
        found = shapes.Lode(lode.name, [one.name for one in artifex])
        if sheet.lode is None:
            sheet.lode = found
        else:
            sheet.possessions.append(lode_line(found))
    money = visible.balance
    if money is not None and (money or sheet.spent):
        sheet.currency = shapes.Currency(money, money + sheet.spent)
    return sheet


def _gear_lines(items: list[VisibleItem]) -> list[shapes.Gear]:
    """Return lines of gear, with consecutive identical pieces on one line."""
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


def _untyped(item: VisibleItem) -> bool:
    """Tell whether a piece came by a line that did not say how."""
    return item.method == LedgerEntry.Method.ISSUED and item.certainty == "claimed"


def _alike(one: shapes.Gear, other: shapes.Gear) -> bool:
    return all(
        getattr(one, name) == getattr(other, name)
        for name in ("quality", "colour", "type", "method", "from_", "price", "raw")
    )
