"""What the endpoints of this package share."""

from league import desk_reads, selectors
from league.api.shapes import TournamentQuery
from league.desk_cuts import Cut
from league.models import League, Tournament, Venue
from matches.api.base import OpenEndpoint
from matches.errors import named
from rules.desk.state import Desk


def league_named(slug: str) -> League | None:
    """Return the league of a request's `league`, None for "". Raises: BadInput."""
    return named("$.league", selectors.league_for, slug) if slug else None


def venue_named(slug: str) -> Venue | None:
    """Return the venue of a request's `venue`, None for "". Raises: BadInput."""
    return named("$.venue", selectors.venue_for, slug) if slug else None


class OfLeague(OpenEndpoint):
    @property
    def league(self) -> League:
        return selectors.league_for(self.kwargs["slug"])


class AtDesk(OpenEndpoint):
    """An endpoint under one tournament, which is 404 for those who may not see it."""

    @property
    def tournament(self) -> Tournament:
        return selectors.tournament_for(self.actor, self.kwargs["code"])


class ByTournament(OpenEndpoint):
    """An endpoint whose query names a `tournament`, and with `at` the version to read it at."""

    def read(self) -> tuple[Tournament, Cut, int, Desk]:
        """Return the tournament, the caller's cut, the version, and the desk as shown there.

        Raises: BadInput; NotFound for a version beyond the cut.
        """
        query: TournamentQuery = self.query
        tournament = named("$.tournament", selectors.tournament_for, self.actor, query.tournament)
        cut, at = desk_reads.cut(self.actor, tournament, query.at)
        return tournament, cut, at, desk_reads.shown_desk(tournament, cut, at)
