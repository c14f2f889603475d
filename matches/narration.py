"""A log told as a story: every entry as a line, the lines grouped by turn.

A game with turns keeps `turn` in its state; a log without them is one chapter.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from django.utils.translation import gettext

from matches import people
from matches.memory import loaded
from matches.models import Match, Note
from matches.superseded import Fate, Fates, counting, fates_of
from rules import texts
from rules.capabilities import SupportsVeiledOffers
from rules.replay import Entry, Timeline, along
from rules.ruleset import (
    LEGAL,
    Act,
    Audience,
    Consequence,
    Opened,
    SeedRevealed,
    TakenBack,
    event_type,
)

STRETCH = 200
"""Entries whose notes are read in one query: about as many as a page shows."""


@dataclass(frozen=True)
class EventLine:
    """One event: its plain data and its sentence."""

    type: str
    data: dict[str, Any]
    text: str


@dataclass(frozen=True)
class EntryLine:
    """One entry of the story; its texts are made when asked for.

    `undone`: it no longer counts; `fate`: why, and `undoing` who took it back. `against`: the rule
    it broke, in words; `in_place_of`: the entry it corrects or repeats.
    """

    entry: Entry
    teller: "Narrator"
    turn: int | None
    undone: bool = False
    note: str = ""
    by: str = ""
    recorded_at: datetime | None = None
    hash: str = ""
    in_place_of: int | None = None
    fate: Fate | None = None
    undoing: "Recorded | None" = None

    @property
    def version(self) -> int:
        return self.entry.version

    @property
    def seat(self) -> int | None:
        return getattr(self.entry.act, "seat", None)

    @property
    def irregular(self) -> str:
        return self.entry.irregular

    @property
    def repeats(self) -> bool:
        return self.entry.repeats is not None

    @cached_property
    def act(self) -> EventLine:
        return self.teller.act(self.entry)

    @cached_property
    def consequences(self) -> list[EventLine]:
        return list(self.teller.consequences(self.entry))

    @cached_property
    def against(self) -> str:
        return self.teller.against(self.entry) if self.irregular else ""

    @property
    def moves_along(self) -> bool:
        """Whether the entry moves back or forth along the log instead of adding to the match."""
        return isinstance(self.entry.act, TakenBack)

    @property
    def stands(self) -> bool:
        """Whether its text depends only on what was recorded up to it, so that it never changes."""
        later = self.undone or self.fate is not None or self.moves_along
        return not later and self.in_place_of is None


@dataclass(frozen=True)
class Chapter:
    """Lines of one turn, which began with entry `first`; `turn` is None in a game without turns."""

    turn: int | None
    first: int
    lines: list[EntryLine]


class Recorded(NamedTuple):
    """What an entry's row holds besides the act; `hash` identifies the entry and all before it."""

    note: str = ""
    by: str = ""
    at: datetime | None = None
    hash: str = ""


@dataclass(frozen=True)
class Narrator:
    """Tells the entries of one log, as an audience may see them.

    `names`: who sits in which seat; `rows`: by version.
    """

    timeline: Timeline
    names: Mapping[int, str]
    rows: Mapping[int, Recorded] = field(default_factory=dict)
    audience: Audience = "public"

    def line(
        self, version: int, counts: frozenset[int] | None = None, fates: Fates | None = None
    ) -> EntryLine:
        """Return the line of an entry; `counts` are the versions that count, `fates` of others."""
        entry = self.timeline.entries[version - 1]
        row = self.rows.get(version, Recorded())
        fate = fates.of.get(version) if fates else None
        return EntryLine(
            entry=entry,
            teller=self,
            turn=self.turn(version),
            undone=counts is not None and version not in counts,
            note=row.note,
            by=row.by,
            recorded_at=row.at,
            hash=row.hash,
            in_place_of=fates.in_place_of.get(version) if fates else None,
            fate=fate,
            undoing=self.rows.get(fate.by) if fate else None,
        )

    def chapters(
        self,
        versions: Sequence[int],
        upto: int,
        replaced: Mapping[int, int] | None = None,
        *,
        in_a_row: bool = True,
    ) -> list[Chapter]:
        """Return entries by turn, as they count at version `upto`; oldest first.

        `replaced`: corrected entries with those that replaced them. `in_a_row`: a chapter ends
        where an entry of another turn was recorded; without it, the lines of one turn are one
        chapter, whatever entries were between them.
        """
        counts = frozenset(counting(self.timeline, upto))
        fates = fates_of(self.timeline, upto, replaced or {}, self.names)
        lines = [self.line(version, counts, fates) for version in versions]
        begins = self._first if in_a_row else self._numbered
        chapters = []
        for _, part in groupby(lines, lambda line: begins(line.version)):
            of_turn = list(part)
            version = of_turn[0].version
            first = self._first(version) if in_a_row else version
            chapters.append(Chapter(self._in_turn(of_turn[-1].version), first, of_turn))
        return chapters

    def changed(self, after: int, upto: int) -> list[int]:
        """Return all entries whose lines read differently since a version.

        Those that came after it, and older ones that no longer count or count again.
        """
        before = self.timeline.effective(after) if after else ()
        turned = set(before) ^ set(self.timeline.effective(upto))
        older = sorted(version for version in turned if version <= after)
        return [*older, *range(after + 1, upto + 1)]

    def turn(self, version: int) -> int | None:
        """Return the turn after an entry, None in a game without turns."""
        return getattr(self.timeline.at(version).state, "turn", None)

    def _in_turn(self, version: int) -> int | None:
        """Return the turn an entry was recorded in: the entry that ends a turn belongs to it."""
        return self.turn(max(version - 1, 1))

    def _numbered(self, version: int) -> int:
        """Return the number of the turn an entry was recorded in, 0 where none had begun."""
        return self._in_turn(version) or 0

    def _first(self, version: int) -> int:
        """Return the first of the consecutive entries that were recorded in the same turn."""
        turn = self._numbered(version)
        while version > 1 and self._numbered(version - 1) == turn:
            version -= 1
        return version

    def text(self, version: int) -> str:
        """Return an entry's act as a sentence."""
        return self.act(self.timeline.entries[version - 1]).text

    def act(self, entry: Entry) -> EventLine:
        """Return an entry's act as a line of the story."""
        act = entry.act
        match act:
            case Opened():
                text = gettext("The match was opened: {values}.").format(
                    values=", ".join(map(texts.isolated, self.names.values()))
                )
            case TakenBack(to=to):
                text = self._taking_back(entry.version, to)
            case SeedRevealed():
                text = gettext("The secret seed of the spins was revealed.")
            case _:
                return self._event_line(act, self._before(entry))
        return EventLine(event_type(act), msgspec.to_builtins(act), text)

    def _taking_back(self, version: int, to: int) -> str:
        before = self.timeline.effective(version - 1)
        after = self.timeline.effective(version)
        if gone := [v for v in before if v not in after]:
            if corrects := self._corrects(version):
                return gettext("{corrects}, and judged again what came after: {text}").format(
                    corrects=corrects, text=self.text(gone[0])
                )
            text = (
                gettext("Taken back and {n} after it: {text}")
                if gone[1:]
                else gettext("Taken back: {text}")
            )
            return text.format(n=len(gone) - 1, text=self.text(gone[0]))
        return gettext("Restored, up to entry {to}: {text}").format(
            to=to, text=self.text(after[-1])
        )

    def _corrects(self, version: int) -> str:
        """Return what a taking back corrects, as a sentence, "" if it corrects nothing."""
        following = [entry.repeats for entry in self.timeline.entries[version : version + 2]]
        if following and following[0] is not None:
            return gettext("Struck out")
        return gettext("Corrected") if following[1:] and following[1] is not None else ""

    def against(self, entry: Entry) -> str:
        """Return the rule an act broke, in words; "" if it would tell what is hidden."""
        ruleset, state = self.timeline.ruleset, self._before(entry)
        if isinstance(ruleset, SupportsVeiledOffers):
            state = ruleset.veil(state, self.audience)
        act = ruleset.hide(entry.act, self.audience)
        verdict = ruleset.judge(state, act) if isinstance(act, Act) else LEGAL
        if verdict.code != entry.irregular:  # it rests on what is hidden from this audience
            return ""
        return texts.of_finding(ruleset.texts, verdict, self.names)

    def _before(self, entry: Entry) -> Any:
        return self.timeline.at(entry.base).state

    def consequences(self, entry: Entry) -> Iterator[EventLine]:
        """Yield the consequences of an entry."""
        if not entry.consequences:
            return
        before = self._before(entry)
        for event, state in along(self.timeline.ruleset, before, entry.act, entry.consequences):
            yield self._event_line(event, state)

    def _event_line(self, event: Act | Consequence, state: Any) -> EventLine:
        ruleset = self.timeline.ruleset
        seen = ruleset.hide(event, self.audience)
        if seen is None:
            return EventLine("hidden", {}, gettext("Something that is hidden for now."))
        return EventLine(
            event_type(seen), msgspec.to_builtins(seen), ruleset.tell(seen, state, self.names)
        )


def narrator(match: Match, timeline: Timeline, audience: Audience) -> Narrator:
    """Return the narrator of a match, with the names of its players and the data of its rows."""
    return Narrator(timeline, names_of(match), _Rows(match), audience)


def names_of(match: Match) -> dict[int, str]:
    """Return who sits in which seat: the player's name, or the seat's label."""
    sides = enumerate(match.sides(), 1)
    return {number: label if name is None else name for number, (label, name) in sides}


class _Rows(Mapping[int, Recorded]):
    """The data of a log's rows that its entries lack, by version.

    A long log has more notes than any page shows: they are read a stretch at a time, when needed.
    """

    def __init__(self, match: Match) -> None:
        known = loaded(match.log)
        self._log, self._imported = match.log, match.log.imported_version
        self._entries, self._marks = known.timeline.entries, known.marks
        self._recorded = known.recorded()
        self._people = self._recorders(match)
        self._notes: dict[int, dict[str, str]] = {}

    def _recorders(self, match: Match) -> Mapping[UUID | None, str]:
        ids = {by for by, _ in self._recorded[self._imported :] if by}  # a file may name any id
        there = [seat.player for seat in match.seats.all() if seat.player]
        if match.opener_id in ids and match.opener:
            there.append(match.opener)
        return people.known_as(ids, there)

    def __len__(self) -> int:
        return min(len(self._entries), len(self._marks), len(self._recorded))

    def __iter__(self) -> Iterator[int]:
        return iter(range(1, len(self) + 1))

    def __getitem__(self, version: int) -> Recorded:
        if not 1 <= version <= len(self):
            raise KeyError(version)
        by, at = self._recorded[version - 1]
        name = self._people.get(by, "") if version > self._imported else ""
        return Recorded(self._note(version), name, at, self._marks[version - 1].hash)

    def _note(self, version: int) -> str:
        digest = getattr(self._entries[version - 1].act, "note", "")
        if not digest:
            return ""
        start = (version - 1) // STRETCH * STRETCH
        if start not in self._notes:
            self._notes[start] = self._read(start)
        return self._notes[start].get(digest, "")

    def _read(self, start: int) -> dict[str, str]:
        """Return the texts of the notes of one stretch of entries, by digest."""
        some = self._entries[start : start + STRETCH]
        digests = {getattr(each.act, "note", "") for each in some} - {""}
        found = Note.objects.filter(log=self._log, digest__in=digests)
        return dict(found.values_list("digest", "text"))
