"""Brackets: matches fed by the winners and losers of others, for any field from 2.

A bracket is laid out once for a number of seeds, without byes: where a seed has no opponent, the
match is left out and the seed advances directly, so that no bye ever meets a bye. Its progress is
computed from the results alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec


class Source(msgspec.Struct, frozen=True):
    """Where a player in a match comes from: a `seed` (its number), or a match by its index."""

    what: Literal["seed", "winner", "loser"]
    number: int


Line = list[Source | None]
"""The sources down one side of a bracket, None where nobody comes."""


class Slot(msgspec.Struct, frozen=True, omit_defaults=True):
    """A match of a bracket.

    `name`: `W2.1` is the first match of the second round; `L` the losers' side, `F` the final, `P`
    the match for third place. `wave` numbers the sets of matches that can be played at once.
    `places` are those of its winner and loser if the bracket ends for them here, else 0. `reset`
    marks the second final, played only if the first seat lost the first one. `room`: how many
    matches its round would have in a full bracket.
    """

    name: str
    wave: int
    takes: tuple[Source, Source]
    places: tuple[int, int] = (0, 0)
    reset: bool = False
    room: int = 1

    @property
    def number(self) -> int:
        """Its position in its round, counted from 1 as in a full bracket."""
        return int(self.name.partition(".")[2])


class Bracket(msgspec.Struct, frozen=True):
    """All matches, each after those that feed it. `seeds` is the number of players."""

    seeds: int
    slots: tuple[Slot, ...]

    def named(self, name: str) -> Slot:
        """Return a match by its name. Raises: KeyError for an unknown one."""
        for slot in self.slots:
            if slot.name == name:
                return slot
        raise KeyError(name)


Two = tuple[int | None, int | None]
Met = tuple[str, frozenset[int]]
"""The name of a match and the set of players who met in it."""


class Standing(msgspec.Struct, frozen=True):
    """The progress of a bracket.

    `players`: who sits in each match, None if not known yet; `ready`: the matches that can be
    played; `places`: the places decided, ties sharing the better one; `idle`: the matches that are
    not needed (an unnecessary reset).
    """

    players: dict[str, Two]
    ready: tuple[str, ...]
    places: dict[int, int]
    idle: tuple[str, ...] = ()

    @property
    def over(self) -> bool:
        return not self.ready and all(
            None not in each for name, each in self.players.items() if name not in self.idle
        )


def seed_order(size: int) -> list[int]:
    """Return the seeds down the side of a bracket of 1, 2, 4, 8 …, so that the best meet last.

    o(1) = 1; o(2m) has each seed s of o(m) followed by 2m + 1 - s.
    """
    order = [1]
    while len(order) < size:
        total = 2 * len(order) + 1
        order = [each for seed in order for each in (seed, total - seed)]
    return order


def size_for(count: int) -> int:
    """Return the smallest power of two that holds this many."""
    return 1 << max(count - 1, 0).bit_length()


def met(name: str, players: Iterable[int | None]) -> Met:
    return name, frozenset(player for player in players if player)


def resolve(
    bracket: Bracket, players: Sequence[int], winners: Mapping[Met, int], out: Iterable[int] = ()
) -> Standing:
    """Return the progress of a bracket.

    `players` by seed, best first; `winners` by the name of the match and who met in it: a match
    between other players than the results before it give counts for nothing. Players who are `out`
    (dropped, disqualified) lose every match that is left.
    """
    gone = frozenset(out)
    seated: dict[str, Two] = {}
    ends: list[Two] = []
    ready, places, idle = [], dict[int, int](), []
    for slot in bracket.slots:
        pair = _taken(slot.takes[0], players, ends), _taken(slot.takes[1], players, ends)
        if slot.reset and ends[-1][0] is None:
            pair = None, None
        if slot.reset and pair[0] is not None and pair[0] == ends[-1][0]:
            # The undefeated finalist won the first final: nothing is left to decide.
            idle.append(slot.name)
            end = pair
        else:
            end = _end(pair, winners.get(met(slot.name, pair)), gone)
            if None not in pair and end[0] is None:
                ready.append(slot.name)
        seated[slot.name] = pair
        ends.append(end)
        for player, place in zip(end, slot.places, strict=True):
            if player is not None and place:
                places[player] = place
    if len(players) == 1:
        places[players[0]] = 1
    return Standing(seated, tuple(ready), places, tuple(idle))


def reach(bracket: Bracket, standing: Standing, player: int) -> tuple[int, int]:
    """Return a player's place after winning all remaining matches, and after losing them all."""
    if (place := standing.places.get(player)) is not None:
        return place, place
    sits = [i for i, slot in enumerate(bracket.slots) if player in standing.players[slot.name]]
    return _place(bracket, sits[-1], "winner"), _place(bracket, sits[-1], "loser")


def _place(bracket: Bracket, number: int, end: Literal["winner", "loser"]) -> int:
    """Return the place of a player who wins every match from this one on, or loses them."""
    place = bracket.slots[number].places[end == "loser"]
    while not place:
        taking = (i for i, slot in enumerate(bracket.slots) if Source(end, number) in slot.takes)
        following = next(taking, None)
        if following is None:  # the final, which may be played again
            return 1 if end == "winner" else 2
        number = following
        place = bracket.slots[number].places[end == "loser"]
    return place


def _taken(source: Source, players: Sequence[int], ends: Sequence[Two]) -> int | None:
    if source.what == "seed":
        return players[source.number - 1]
    winner, loser = ends[source.number]
    return winner if source.what == "winner" else loser


def _end(pair: Two, winner: int | None, gone: frozenset[int]) -> Two:
    """Return the winner and the loser of a match, None where undecided."""
    one, two = pair
    if one is None or two is None:
        return None, None
    if winner in pair and winner is not None:
        return winner, two if winner == one else one
    if two in gone:
        return one, two
    if one in gone:
        return two, one
    return None, None


# -- laying out -----------------------------------------------------------------------


class Layout:
    """A bracket while it is being laid out."""

    def __init__(self) -> None:
        self.slots: list[Slot] = []

    def match(
        self,
        name: str,
        one: Source | None,
        two: Source | None,
        places: tuple[int, int] = (0, 0),
        *,
        wave: int = 1,
        reset: bool = False,
        room: int = 1,
    ) -> tuple[Source | None, Source | None]:
        """Add a match and return the sources of its winner and its loser.

        With one side empty there is no match: the other player advances, and nobody lost.
        """
        if one is None or two is None:
            return one or two, None
        before = max(self._wave(one), self._wave(two), self.slots[-1].wave if reset else 0)
        wave = max(wave, before + 1)
        self.slots.append(Slot(name, wave, (one, two), places, reset, room))
        number = len(self.slots) - 1
        return Source("winner", number), Source("loser", number)

    def round(
        self, name: str, line: Line, places: tuple[int, int] = (0, 0), *, wave: int = 1
    ) -> tuple[Line, Line]:
        """Add a match for every two of a line; return the lines of winners and of losers.

        `wave` is the earliest wave it is played in: a player with a bye waits for the others.
        """
        winners, losers = [], []
        room = len(line) // 2
        for i in range(room):
            one, two = line[2 * i : 2 * i + 2]
            ends = self.match(f"{name}.{i + 1}", one, two, places, wave=wave, room=room)
            winners.append(ends[0])
            losers.append(ends[1])
        return winners, losers

    def _wave(self, source: Source) -> int:
        return 0 if source.what == "seed" else self.slots[source.number].wave


def first_round(count: int) -> Line:
    """Return the seeds down the side, None for a seed that the field does not have."""
    return [Source("seed", seed) if seed <= count else None for seed in seed_order(size_for(count))]
