"""Players and their ratings."""

from msgspec import Struct

from matches.api.shapes import Moment, PlayerDetail


class RatingStepResponse(Struct):
    """A rating after a table, and by how much it `moved`.

    `tournament` is empty where you may not see it.
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
    order.
    """

    game: str
    league: str
    shown: float
    sigma: float
    played: int
    provisional: bool
    steps: list[RatingStepResponse]


class PlayerProfile(PlayerDetail):
    """A player, with their results and their `ratings`, that of most tables first."""

    ratings: list[PlayerRating]
