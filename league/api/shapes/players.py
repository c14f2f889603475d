"""Players and their ratings."""

from typing import Annotated
from uuid import UUID

from msgspec import Struct

from matches.api.shapes import (
    MatchLine,
    Moment,
    Page,
    PlayerDetail,
    PlayerResponse,
    RecordResponse,
    among,
)
from matches.models import SeatResult


class RatingStepResponse(Struct):
    """A rating after a table, and by how much it `moved`.

    `tournament` is empty where you may not see it.

    `place`: theirs at the table.
    """

    tournament: str
    place: int
    shown: float
    moved: float
    sigma: float
    at: Moment


class PlayerRating(Struct):
    """A player's rating by the tables of a league (empty: of tournaments without one), in a game.

    `shown` is mu - 3 sigma; below eight tables it is provisional. `steps`: the newest 200, in
    order. `provisional`: fewer than eight tables were rated.
    """

    game: str
    league: str
    shown: float
    sigma: float
    played: int
    provisional: bool
    steps: list[RatingStepResponse]


class FavouriteResponse(Struct):
    """A character or a card, and in how many public matches a player fielded it.

    `id`: that of the character or the card. `matches`: in how many public matches.
    """

    id: UUID
    name: str
    matches: int


class TrophyResponse(Struct):
    """A tournament, by its code, that a player ended at this `place` of a `field` of so many.

    `sharing`: how many share the place, 1 if nobody else does.

    `final_of`: the id of the circuit whose final it was, null if it was none.
    """

    tournament: str
    title: str
    place: int
    field: int
    sharing: int
    final_of: UUID | None


class PlayerProfile(PlayerDetail):
    """A player, with their results and their `ratings`, that of most tables first.

    `trophies`: where they ended among the first three and in the upper half; the best sixty.

    `characters` and `cards` are the five of each they fielded most, counted only where everybody
    may see them: in public matches, a card on a character whose gear is public. `name`: theirs.
    """

    ratings: list[PlayerRating]
    characters: list[FavouriteResponse]
    cards: list[FavouriteResponse]
    trophies: list[TrophyResponse]


class RatedBoth(Struct):
    """Two players' ratings in one pool.

    `expected` is the chance, from 0 to 1, that the first wins, by these ratings alone. Of the rated
    tables with both, the first was `ahead` at so many, `level` or `behind`.

    `player`: that of the first. `other`: that of the other. `ahead`, `level` and `behind`: at how
    many of the rated tables with both the first was so.
    """

    player: PlayerRating
    other: PlayerRating
    expected: float
    ahead: int
    level: int
    behind: int


class TournamentOfBoth(Struct):
    """A tournament that two players took part in, by its code, and their places at its end.

    `place`: that of the first. `other_place`: that of the other.
    """

    tournament: str
    title: str
    place: int | None
    other_place: int | None


class MatchOfBoth(MatchLine):
    """A match of two players, and its `result` for the first: empty if you may not know it.

    `place`: where it was played, in words.
    """

    result: Annotated[str, among(["", *SeatResult.Result.values])]


class Versus(Page[MatchOfBoth]):
    """Two players side by side, and one page of their matches: follow `next` until it is null.

    `records`: the results of the first against the other by game. `ratings`: where both are rated.
    `tournaments`: the newest thirty that both took part in.

    `player`: the first. `other`: the other.
    """

    player: PlayerResponse
    other: PlayerResponse
    records: list[RecordResponse]
    ratings: list[RatedBoth]
    tournaments: list[TournamentOfBoth]
