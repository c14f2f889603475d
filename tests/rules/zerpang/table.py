"""Positions of Zerpang! for tests, in the notation of the worked examples.

`at("ninja pirate", {"1-1": "G1a"}, turn=1)` is a state: seat n uses base Bn, the board is
`derived-hex91`, the deck `demo-99`, every hand holds eight cards.
"""

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from rules.ruleset import Act, Event, Outcome, event_type
from rules.zerpang.acts import COLOURS, PIECES, Options, ZerpangOpened, ZerpangSeat
from rules.zerpang.ruleset import ZerpangRuleset
from rules.zerpang.state import HOME, State, Table, Turn
from tests.rules.tables import judged

RULESET = ZerpangRuleset()
HAND = 8


def opened(seats: int, **options: Any) -> ZerpangOpened:
    chosen = {"deck": "demo-99", **options}
    return ZerpangOpened(
        ruleset="zerpang@1",
        options=Options(**chosen),
        seats=tuple(ZerpangSeat(label=f"Side {n}") for n in range(1, seats + 1)),
    )


def start(seats: int, **options: Any) -> State:
    return RULESET.start(opened(seats, **options))


def at(
    classes: str,
    places: Mapping[str, str] | None = None,
    *,
    turn: int = 1,
    rings: Mapping[str, int] | None = None,
    ground: tuple[str, ...] = (),
    hands: Mapping[int, int] | None = None,
    bases: tuple[int, ...] = (),
    now: Mapping[str, Any] | None = None,
    **options: Any,
) -> State:
    """Return a position: the places of pieces (home by default), rings on pieces and spaces."""
    names = classes.split()
    state = start(len(names), **options)
    sides = []
    for seat, cls in enumerate(names, 1):
        where = [(places or {}).get(f"{seat}-{n}", HOME) for n in range(1, PIECES + 1)]
        worn = [(rings or {}).get(f"{seat}-{n}", 0) for n in range(1, PIECES + 1)]
        sides.append(
            msgspec.structs.replace(
                state.table.sides[seat - 1],
                cls=cls,
                base=f"B{(bases or range(1, 7))[seat - 1]}",
                colour=COLOURS[seat - 1],
                at=tuple(where),
                rings=tuple(worn) if any(worn) else (),
                hand=(hands or {}).get(seat, HAND),
            )
        )
    held = sum(side.hand for side in sides)
    table = msgspec.structs.replace(
        state.table,
        sides=tuple(sides),
        deck=state.deck.size - held,
        ground=tuple(sorted(ground)),
        first=turn,
        turn=Turn(seat=turn, **(now or {})),
    )
    return with_table(state, table)


def with_table(state: State, table: Table) -> State:
    return msgspec.structs.replace(state, table=table)


PIECE = re.compile(r"(?<![\w\"])\d-\d(?![\w\"])")
LIST = re.compile(r"\[([^\]]*)\]")


def read(line: str) -> Act:
    """Parse a line of notation; pieces and the words of a list need no quotes here."""
    quoted = LIST.sub(lambda found: f"[{','.join(map(_quoted, found[1].split(',')))}]", line)
    return RULESET.read(PIECE.sub(lambda found: f'"{found[0]}"', quoted))


def _quoted(word: str) -> str:
    return word if word.isdigit() or not word else f'"{word}"'


def events(state: State, line: str) -> tuple[list[Event], State]:
    """Return the events of one line, the act first, and the state after it.

    The line must be legal, or marked with `!` and irregular.
    """
    kind, mark, rest = line.partition("!")
    act = read(kind + rest)
    verdict = judged(RULESET, state, act)
    expected = "irregular" if mark else "legal"
    assert verdict.call == expected, f"{line}: {verdict.call} {verdict.code} {verdict.params}"
    found: list[Event] = [act, *RULESET.decide(state, act)]
    for event in found:
        state = RULESET.evolve(state, event)
    return found, state


def after(state: State, *lines: str) -> State:
    for line in lines:
        _, state = events(state, line)
    return state


def followed(state: State, *lines: str) -> list[str]:
    """Return the types of the last line's consequences."""
    *before, last = lines
    found, _ = events(after(state, *before), last)
    return [event_type(event) for event in found[1:]]


def consequence(state: State, kind: type, *lines: str) -> Any:
    """Return the last line's only consequence of a kind."""
    *before, last = lines
    found, _ = events(after(state, *before), last)
    (one,) = [event for event in found if isinstance(event, kind)]
    return one


def verdict(state: State, line: str) -> str:
    """Return the code of an illegal line, or `legal`."""
    found = judged(RULESET, state, read(line))
    return found.code or found.call


def call(state: State, line: str) -> str:
    found = judged(RULESET, state, read(line))
    return f"{found.call} {found.code}".rstrip()


def outcome(state: State) -> Outcome | None:
    return RULESET.outcome(state)


def where(state: State, piece: str) -> str:
    return state.table.sides[int(piece[0]) - 1].at[int(piece[2]) - 1]
