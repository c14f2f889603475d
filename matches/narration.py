"""Tell a log as a story: every entry as a line, the lines by turn.

A game with turns keeps `turn` in its state; a log without them is one chapter.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from typing import Any
from uuid import UUID

import msgspec

from matches.models import Event, Match, Note, Player
from rules.replay import Entry, Timeline
from rules.ruleset import (
    Act,
    Audience,
    Consequence,
    Opened,
    SeedRevealed,
    TakenBack,
    event_type,
)


@dataclass(frozen=True)
class Told:
    """One event: its plain data and its sentence."""

    type: str
    data: dict[str, Any]
    text: str


@dataclass(frozen=True)
class Line:
    """One entry, told. `undone`: it no longer counts."""

    version: int
    act: Told
    consequences: list[Told]
    turn: int | None
    seat: int | None
    undone: bool = False
    irregular: str = ""
    note: str = ""
    by: str = ""
    recorded_at: datetime | None = None

    @property
    def moves_along(self) -> bool:
        """Whether the entry goes back or forth along the log instead of adding to the match."""
        return self.act.type == event_type(TakenBack)


@dataclass(frozen=True)
class Chapter:
    """Lines of one turn, which began with entry `first`; `turn` is None in a game without."""

    turn: int | None
    first: int
    lines: list[Line]


@dataclass(frozen=True)
class Recorded:
    """What an entry's row knows besides the act."""

    note: str = ""
    by: str = ""
    at: datetime | None = None


@dataclass(frozen=True)
class Narrator:
    """Tells the entries of one log, as an audience may know them.

    `names`: who sits in which seat; `rows`: by version.
    """

    timeline: Timeline
    names: Mapping[int, str]
    rows: Mapping[int, Recorded] = field(default_factory=dict)
    audience: Audience = "public"

    def line(self, version: int, counts: frozenset[int] | None = None) -> Line:
        """Tell one entry; `counts` are the versions that still do."""
        entry = self.timeline.entries[version - 1]
        row = self.rows.get(version, Recorded())
        return Line(
            version=version,
            act=self._act(entry),
            consequences=list(self._consequences(entry)),
            turn=self.turn(version),
            seat=getattr(entry.act, "seat", None),
            undone=counts is not None and version not in counts,
            irregular=entry.irregular,
            note=row.note,
            by=row.by,
            recorded_at=row.at,
        )

    def chapters(self, versions: Sequence[int], upto: int) -> list[Chapter]:
        """Tell entries by turn, as they count at version `upto`; oldest first."""
        counts = frozenset(self.timeline.effective(upto))
        lines = [self.line(version, counts) for version in versions]
        by_turn = groupby(lines, lambda line: self._first(line.version, line.turn))
        return [Chapter((told := list(part))[0].turn, first, told) for first, part in by_turn]

    def changed(self, after: int, upto: int) -> list[int]:
        """Return the entries that came after a version, and the older ones that count no more.

        Also those that count again: all whose lines read differently.
        """
        before = self.timeline.effective(after) if after else ()
        turned = set(before) ^ set(self.timeline.effective(upto))
        older = sorted(version for version in turned if version <= after)
        return [*older, *range(after + 1, upto + 1)]

    def turn(self, version: int) -> int | None:
        """Return the turn an entry belongs to, None in a game without turns."""
        return getattr(self.timeline.at(version).state, "turn", None)

    def _first(self, version: int, turn: int | None) -> int:
        """Return the first of the entries in a row that belong to the same turn."""
        while version > 1 and self.turn(version - 1) == turn:
            version -= 1
        return version

    def text(self, version: int) -> str:
        """Tell an entry's act in a sentence."""
        return self._act(self.timeline.entries[version - 1]).text

    def _act(self, entry: Entry) -> Told:
        act = entry.act
        match act:
            case Opened():
                text = f"The match was opened: {', '.join(self.names.values())}."
            case TakenBack(to=to):
                text = self._taking_back(entry.version, to)
            case SeedRevealed():
                text = "The secret seed of the spins was revealed."
            case _:
                return self._told(act, self._before(entry))
        return Told(event_type(act), msgspec.to_builtins(act), text)

    def _taking_back(self, version: int, to: int) -> str:
        before = self.timeline.effective(version - 1)
        after = self.timeline.effective(version)
        if gone := [v for v in before if v not in after]:
            rest = f" and {len(gone) - 1} after it" if gone[1:] else ""
            return f"Taken back{rest}: {self.text(gone[0])}"
        return f"Brought back, up to entry {to}: {self.text(after[-1])}"

    def _before(self, entry: Entry) -> Any:
        return self.timeline.at(entry.on or entry.version - 1).state

    def _consequences(self, entry: Entry) -> Iterator[Told]:
        if not entry.consequences:
            return
        ruleset = self.timeline.ruleset
        state = ruleset.evolve(self._before(entry), entry.act)
        for event in entry.consequences:
            yield self._told(event, state)
            state = ruleset.evolve(state, event)

    def _told(self, event: Act | Consequence, state: Any) -> Told:
        ruleset = self.timeline.ruleset
        seen = ruleset.hide(event, self.audience)
        if seen is None:
            return Told("hidden", {}, "Something that is hidden for now.")
        return Told(
            event_type(seen), msgspec.to_builtins(seen), ruleset.tell(seen, state, self.names)
        )


def narrator(match: Match, timeline: Timeline, audience: Audience) -> Narrator:
    """Return who tells a match: with the names of its players and what its rows know."""
    return Narrator(timeline, names_of(match), _rows(match), audience)


def names_of(match: Match) -> dict[int, str]:
    """Return who sits in which seat: the player's name, or the seat's label."""
    return {
        seat.number: seat.player.name if seat.player else seat.label for seat in match.seats.all()
    }


def _rows(match: Match) -> dict[int, Recorded]:
    events = Event.objects.filter(log=match.log, ordinal=0)
    rows = list(events.values_list("version", "recorded_by", "recorded_at", "body"))
    people = _people({by for _, by, _, _ in rows if by})
    notes = dict(Note.objects.filter(log=match.log).values_list("digest", "text"))
    return {
        version: Recorded(
            note=notes.get(msgspec.json.decode(body).get("note", ""), "") if notes else "",
            by=people.get(by, ""),
            at=at,
        )
        for version, by, at, body in rows
    }


def _people(ids: set[UUID]) -> dict[UUID | None, str]:
    return dict(Player.objects.filter(pk__in=ids).values_list("pk", "name"))
