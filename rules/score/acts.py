"""What people record about a game whose rules we do not know, and its consequences."""

from typing import Annotated, Literal

import msgspec

from rules.ruleset import Act, Consequence, NoteHash, Opened, Seat, SeatSetup


class Options(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How the match is scored.

    `best_of`: the maximum number of games, most wins decide; `low_wins`: fewer points are better.
    """

    best_of: Annotated[int, msgspec.Meta(ge=1, le=99)] = 1
    low_wins: bool = False


class ScoreSeat(SeatSetup, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A seat or a whole team. It has no deck."""

    deck: None = None


class ScoreOpened(Opened, frozen=True, kw_only=True, tag="opened"):
    options: Options
    seats: tuple[ScoreSeat, ...]


class PointsScored(Act, frozen=True, tag="points-scored"):
    """Points scored by a seat in the current game; negative to take some off."""

    seat: Seat
    points: int


class GameWon(Act, frozen=True, tag="game-won"):
    seat: Seat


class GameDrawn(Act, frozen=True, tag="game-drawn"):
    pass


class AllLost(Act, frozen=True, tag="all-lost"):
    """Nobody wins the game: a double loss, or a table beaten by the game."""


class AllWon(Act, frozen=True, tag="all-won"):
    """Everybody wins the game: a table that plays together has beaten it."""


class GameClosed(Act, frozen=True, tag="game-closed"):
    """The game is over and is decided by its points."""


class SeatsPlaced(Act, frozen=True, tag="seats-placed"):
    """The seats that share the next place, from first place down."""

    seats: tuple[Seat, ...]


class Conceded(Act, frozen=True, tag="conceded"):
    """A seat concedes the whole match."""

    seat: Seat


class Ruled(Act, frozen=True, tag="ruled"):
    """An official decides the match."""

    result: Literal["win", "draw", "all-lost"]
    winners: tuple[Seat, ...] = ()
    note: NoteHash = ""


class GameEnded(Consequence, frozen=True, tag="game-ended"):
    """One game is over. `places` are in seat order; a draw has no winners."""

    game: int
    places: tuple[int, ...]
    winners: tuple[Seat, ...] = ()
    lost: bool = False


class MatchEnded(Consequence, frozen=True, tag="match-ended"):
    places: tuple[int, ...]
    why: str
    winners: tuple[Seat, ...] = ()


ACTS: tuple[type[Act], ...] = (
    PointsScored,
    GameWon,
    GameDrawn,
    AllLost,
    AllWon,
    GameClosed,
    SeatsPlaced,
    Conceded,
    Ruled,
)
CONSEQUENCES: tuple[type[Consequence], ...] = (GameEnded, MatchEnded)
