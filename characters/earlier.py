"""A sheet as it was at the end of a day, according to its history and its ledger.

Nobody learns more from it than they may read elsewhere. A part is shown to those who may know it
now and might have known it then. If a text was changed later, the text of that day is shown only to
those who may read it in the sheet's history; so is a goal that was removed or reworded. An item or
a balance is shown only to those who may know, from the ledger, all movements of it; corrected
entries are ignored. Favours and grudges are shown only to the owner.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import NamedTuple

from django.db.models import Q
from django.utils import timezone

from characters import policy, portraits, shown, telling
from characters.editing import goal_line
from characters.models import (
    Audience,
    Change,
    Character,
    Favour,
    GearItem,
    Goal,
    LedgerEntry,
    Portrait,
)
from characters.policy import Eyes
from characters.selectors import ledger_of
from characters.shown import Kind, VisibleGoal, VisibleItem, VisibleSection, VisibleSheet

Method = LedgerEntry.Method


class Earlier(NamedTuple):
    """A sheet of a past day; `untold`: titles of parts left out because their text was different.

    `called`: its name on that day, if it has changed and the reader may know the old one.
    """

    sheet: VisibleSheet
    untold: Sequence[str] = ()
    called: str = ""
    portrait: Portrait | None = None


def sheet_on(character: Character, eyes: Eyes, day: date) -> Earlier:
    """Return a character's sheet as it was at the end of a day, as far as `eyes` may know it."""
    nothing = Earlier(VisibleSheet(character, eyes, {}, [], [], None, []))
    if day < timezone.localdate(character.created_at):
        return nothing
    end = timezone.make_aware(datetime.combine(day + timedelta(days=1), time()))
    past = _Past(character, eyes, end)
    if not past.was_known:
        return nothing
    parts, untold = past.parts()
    items = list(_items(character, eyes, parts, day))
    sheet = VisibleSheet(
        character,
        eyes,
        parts,
        list(past.goals(items, parts)) if Kind.GOALS in parts else [],
        items,
        _balance(character, eyes, day) if Kind.CURRENCY in parts else None,
        _favours(character, end) if eyes.own and Kind.DIARY in parts else [],
    )
    return Earlier(sheet, untold, past.called, past.portrait())


class _Past:
    """A sheet's history after a moment: later changes by what they changed, oldest first."""

    def __init__(self, character: Character, eyes: Eyes, end: datetime) -> None:
        self.character, self.eyes, self.end = character, eyes, end
        self.keeps = eyes.rank in ("owner", "officials")
        self.since: Mapping[str, list[Change]] = defaultdict(list)
        for change in character.changes.filter(changed_at__gte=end).order_by("changed_at", "pk"):
            self.since[change.what].append(change)

    def then(self, what: str, now: str) -> str:
        return self.since[what][0].before if self.since[what] else now

    def may_read(self, change: Change) -> bool:
        return self.keeps and change.audience in self.eyes.audiences

    @property
    def was_known(self) -> bool:
        """Whether these eyes may have known of the character."""
        return self._was_for("audience", self.character.audience)

    def _was_for(self, what: str, now: str, named: str = "") -> bool:
        """Tell whether an audience that includes these eyes now included them then."""
        before = self.then(what, now)
        if before == Audience.NAMED == now and not self.since[named]:
            return True  # the same people
        return policy.knows(self.eyes, before)

    def parts(self) -> tuple[dict[str, VisibleSection], list[str]]:
        """Return the parts of the sheet as they were then, and the titles of those left out."""
        parts, untold = shown.parts_of(self.character, self.eyes), []
        for section in policy.sections_for(self.eyes, self.character):
            kind, part = section.kind, parts[section.kind]
            if not self._was_for(f"{kind} audience", section.audience, f"{kind} by name"):
                del parts[kind]
            elif kind != Kind.GOALS and self.since[kind]:
                if self.may_read(self.since[kind][0]):
                    part.text = self.since[kind][0].before
                else:
                    untold.append(parts.pop(kind).title)
        return parts, untold

    @property
    def called(self) -> str:
        changes = self.since["name"]
        return changes[0].before if changes and self.may_read(changes[0]) else ""

    def portrait(self) -> Portrait | None:
        """Return the portrait if it is still the same; older ones are not kept."""
        found = portraits.portrait_for(self.character, self.eyes)
        if found is None or self.since["portrait"]:
            return None
        return found if self._was_for("portrait audience", found.audience) else None

    def goals(
        self, items: list[VisibleItem], parts: Mapping[str, VisibleSection]
    ) -> Iterator[VisibleGoal]:
        """Yield the goals of that time, with the progress that the items of that time meant."""
        for goal, line, may_read in self._goal_lines():
            text, marks = _parted(line)
            if goal is None or goal.text != text:
                if not may_read:
                    continue
                goal = Goal(character=self.character, text=text)
            if goal.reached_at and goal.reached_at >= self.end:
                goal.reached_at = None
            goal.current = "current" in marks and not goal.reached_at
            yield shown.visible_goal(goal, items, parts)

    def _goal_lines(self) -> list[tuple[Goal | None, str, bool]]:
        """Return the goals as the history writes them, each with its row if it still exists.

        Later changes are undone, the newest first. The third value tells whether the text may be
        read.
        """
        found: list[tuple[Goal | None, str, bool]] = [
            (goal, goal_line(goal), True) for goal in self.character.goals.exclude(text="")
        ]
        for change in reversed(self.since[Kind.GOALS]):
            lines = [line for _, line, _ in found]
            place = lines.index(change.after) if change.after in lines else len(lines)
            gone = found[place : place + 1]
            goal = gone[0][0] if gone else None
            before = [(goal, change.before, self.may_read(change))] if change.before else []
            found[place : place + 1] = before
        return found


def _parted(line: str) -> tuple[str, str]:
    """Split a goal as the history writes it into its text and its marks."""
    found = re.fullmatch(r"(.*?)(?: \((current|reached|current, reached)\))?", line, re.DOTALL)
    assert found is not None
    return found[1], found[2] or ""


# -- by the books -------------------------------------------------------------------------------


def _items(
    character: Character, eyes: Eyes, parts: Mapping[str, VisibleSection], day: date
) -> Iterator[VisibleItem]:
    """Yield the items held at the end of a day, if the eyes may know all their movements."""
    moves: dict[GearItem, list[LedgerEntry]] = defaultdict(list)
    covers: dict[int, list[LedgerEntry]] = defaultdict(list)
    for row in _counting(character):
        if row.covers_id:
            covers[row.covers_id].append(row)
        elif row.item and row.giver_id != row.taker_id:
            moves[row.item].append(row)
    for item, rows in moves.items():
        stories = [
            shown.story_of([row, *shown.narrowest_first(covers[row.pk])], eyes) for row in rows
        ]
        if shown.OF_ITEMS[item.kind] not in parts or None in stories:
            continue
        by_then = [
            (row, story)
            for row, story in zip(rows, stories, strict=True)
            if story and shown.day_of(story) <= day
        ]
        came = [story for row, story in by_then if row.taker_id == character.pk]
        if 2 * len(came) > len(by_then):
            last = max(reversed(came), key=shown.day_of)  # of one day, the one entered last
            yield shown.visible_item(item, last, eyes)


def _balance(character: Character, eyes: Eyes, day: date) -> int | None:
    """Return the balance at the end of a day, None if the eyes may not know all later changes."""
    rows = [row for row in _counting(character) if row.amount]
    if not all(shown.knows_entry(eyes, row) for row in rows if shown.day_of(row) > day):
        return None
    return sum(telling.change_of(row, character) for row in rows if shown.day_of(row) <= day)


def _counting(character: Character) -> list[LedgerEntry]:
    """Return a character's entries that were not corrected, oldest first."""
    rows = ledger_of(character).filter(corrections=None).exclude(method=Method.CORRECTED)
    return list(rows.select_related("item__card", "item__inside", "giver", "taker", "words"))


def _favours(character: Character, end: datetime) -> list[Favour]:
    """Return the favours and grudges of that time; those settled later are open."""
    about = Q(holder=character) | Q(about=character, told=True)
    found = list(Favour.objects.filter(about, since__lt=end).select_related("about", "holder"))
    for favour in found:
        if favour.settled_at and favour.settled_at >= end:
            favour.settled_at = None
    return found
