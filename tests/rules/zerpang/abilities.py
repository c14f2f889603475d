"""Every ability of a class by its clause, and whether an entry uses it."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rules.replay import Entry
from rules.zerpang.acts import (
    ClockRead,
    CombatPlayed,
    ForeignPieceMoved,
    LinkedMoved,
    PhaseReplaced,
    PieceBallooned,
    PieceEntered,
    PieceLeapt,
    PieceMoved,
    PieceReleased,
    PieceUploaded,
    PointsPaid,
    SpecialPlayed,
)
from rules.zerpang.consequences import (
    CardsAdded,
    DiscardOwed,
    PieceAbducted,
    PiecesReleased,
    PointsSpent,
    RingLeft,
    RingLost,
    RingTaken,
    UploadPointSpent,
)
from rules.zerpang.rings import discount
from rules.zerpang.state import State, class_of, is_elf_gate, owner, pieces_on_board

Shows = Callable[[State, Any], bool]


def _by(*classes: str) -> Shows:
    return lambda state, event: class_of(state, event.seat) in classes


def _played(cls: str, side: str = "") -> Shows:
    return lambda state, act: class_of(state, act.seat) == cls and side in ("", act.side)


def _as_points(cls: str) -> Shows:
    """Return a predicate for a specialty that counted only as points."""
    return lambda state, act: class_of(state, act.seat) == cls and bool(act.side)


def _replaced(ability: str) -> Shows:
    return lambda state, act: act.ability == ability


def _drawn(why: str) -> Shows:
    return lambda state, event: event.why == why


def _always(state: State, event: Any) -> bool:
    return True


def _cheaper(state: State, act: PieceEntered) -> bool:
    return bool(discount(state, act.seat)) and bool(pieces_on_board(state.table, act.seat))


def _carries(state: State, event: RingTaken) -> bool:
    return class_of(state, owner(event.piece)) != "zombie"


def _mutates(state: State, event: RingTaken) -> bool:
    return not _carries(state, event)


def _on_elf_gate(state: State, act: PieceMoved) -> bool:
    return is_elf_gate(state, act.path[-1])


ABILITIES: Mapping[str, tuple[type, Shows]] = {
    "N1 Ninjutsu": (SpecialPlayed, _played("ninja", "N")),
    "N2 leap": (PieceLeapt, _always),
    "N3 not here to fight": (PhaseReplaced, _replaced("not-here")),
    "P1 Pillage": (SpecialPlayed, _played("pirate", "P")),
    "P2 scoundrel": (ForeignPieceMoved, _always),
    "P3 salvage": (PhaseReplaced, _replaced("salvage")),
    "Z1 brainless": (CombatPlayed, _as_points("zombie")),
    "Z2 contagion": (RingLeft, _always),
    "Z3 infection": (RingTaken, _carries),
    "Z4 mutation": (RingTaken, _mutates),
    "Z5 cleansing": (RingLost, _always),
    "Z6 outbreak": (PieceEntered, _cheaper),
    "R1 emulation": (SpecialPlayed, _played("robot")),
    "R2 cyberlink": (LinkedMoved, _always),
    "R3 upload": (PieceUploaded, _always),
    "R3 extra point": (UploadPointSpent, _always),
    "G1 set for points": (PointsSpent, _by("gunslinger")),
    "G1 pair for its action": (SpecialPlayed, _played("gunslinger")),
    "G2 filled up": (CardsAdded, _drawn("limit")),
    "G2 to the limit": (DiscardOwed, _always),
    "L1 lost in translation": (CombatPlayed, _as_points("alien")),
    "L2 balloons": (PieceBallooned, _always),
    "L3 bright lights": (PieceAbducted, _always),
    "L4 given back": (PiecesReleased, _always),
    "L5 tag and release": (PieceReleased, _always),
    "L6 probe": (CardsAdded, _drawn("probe")),
    "E1 open gates": (PieceMoved, _on_elf_gate),
    "E1 points only": (PointsPaid, _as_points("elf")),
    "W7 the clock": (ClockRead, _always),
}


def shown(before: State, entry: Entry) -> Iterator[str]:
    """Yield the abilities that an entry uses, given the state before it."""
    for event in entry.events:
        for name, (kind, shows) in ABILITIES.items():
            if type(event) is kind and shows(before, event):
                yield name
