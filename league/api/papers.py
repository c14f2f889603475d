"""Tournament files, calendars, clinching, and ratings."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from msgspec import Meta, Struct
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from league import calendars, desk_cuts, desks, exporting, ratings, selectors
from league.api.base import AtDesk, league_named
from league.api.files import file_in
from league.api.shapes import Slug, StageOrLast
from league.models import Rating
from matches.api.base import OpenEndpoint, parameters
from matches.api.shapes import Moment, Page
from matches.models import Player
from matches.opening import game_named
from rules.desk import clinch

FILES = {
    "tournament": ("json", "application/json"),
    "trf": ("trf", "text/plain; charset=utf-8"),
    "results": ("csv", "text/csv; charset=utf-8"),
    "entries": ("csv", "text/csv; charset=utf-8"),
    "calendar": ("ics", "text/calendar; charset=utf-8"),
}


class FileQuery(Struct):
    kind: Annotated[
        Literal["tournament", "trf", "results", "entries", "calendar"],
        Meta(description="what the file holds"),
    ] = "tournament"
    stage: Annotated[
        int, Meta(ge=1, le=64, description="for `trf` and `results`: a stage, from 1")
    ] = 1


class FileRenderer(BaseRenderer):
    """Lets a file, which is answered as it is, through DRF's content negotiation."""

    def __init__(self, suffix: str, media: str) -> None:
        self.format, self.media_type = suffix, media.partition(";")[0]


class FileView(AtDesk):
    query_shape = FileQuery
    throttle_scope = "heavy"

    def get_renderers(self) -> Any:
        """Return the renderer of the requested kind of file."""
        kind = self.request.query_params.get("kind", "") if self.request else ""
        suffix, media = FILES.get(kind, FILES["tournament"])
        if suffix == "json" or self.request.method not in ("GET", "HEAD"):
            return super().get_renderers()
        return [FileRenderer(suffix, media)]

    @extend_schema(
        operation_id="tournaments_file",
        tags=["tournaments"],
        parameters=parameters(FileQuery),
        responses={(200, media.partition(";")[0]): file_in(media) for _, media in FILES.values()},
    )
    def get(self, request: Request, code: str) -> HttpResponse:
        """Return a tournament as a file: whole (JSON), one stage (TRF16 or CSV), or a calendar."""
        query: FileQuery = self.query
        tournament = self.tournament
        data: bytes | str
        if query.kind == "tournament":
            data = exporting.export_whole(by=self.actor, tournament=tournament)
        elif query.kind == "calendar":
            data = calendars.calendar_of(by=self.actor, tournament=tournament)
        else:
            data = exporting.export_stage(
                by=self.actor, tournament=tournament, kind=query.kind, stage=query.stage
            )
        suffix, media = FILES[query.kind]
        of_stage = f"-{query.stage}" if query.kind in ("trf", "results") else ""
        name = f"{tournament.code}-{query.kind}{of_stage}.{suffix}"
        return HttpResponse(
            data,
            content_type=media,
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )


class ClinchQuery(Struct):
    size: Annotated[int, Meta(ge=1, le=4096, description="how many go through")]
    stage: StageOrLast = None


class ReachResponse(Struct):
    """The best and worst place an entrant can still reach. `exact`: both can really occur."""

    entrant: int
    name: str
    call: Literal["safe", "live", "out"]
    best: int
    worst: int
    exact: bool


class Clinched(Struct):
    stage: int
    size: int
    results: list[ReachResponse]


class ClinchView(AtDesk):
    query_shape = ClinchQuery
    throttle_scope = "heavy"

    @extend_schema(
        operation_id="tournaments_clinch",
        tags=["tournaments"],
        parameters=parameters(ClinchQuery),
        responses=Clinched,
    )
    def get(self, request: Request, code: str) -> Response:
        """Return who is safe, live or out for a cut, by bounds that hold however the rest goes."""
        query: ClinchQuery = self.query
        tournament = self.tournament
        found = desk_cuts.cut_for(self.actor, tournament)
        desk = selectors.shown_desk(tournament, found)
        stage = query.stage or len(desk.stages)
        if query.stage is not None:
            desks.require_stage(desk, query.stage)
        hidden = not stage or selectors.hides_seeds(desk, found, stage - 1)
        names = desks.names_of(tournament, desk)
        results = [
            ReachResponse(
                entrant=each.entrant,
                name=names[each.entrant],
                call=each.call(query.size),
                best=each.best,
                worst=each.worst,
                exact=each.exact,
            )
            for each in (() if hidden else clinch.reach(desk, stage - 1))
        ]
        return Response(Clinched(stage, query.size, results))


class RatingsQuery(Struct):
    game: Annotated[str, Meta(max_length=40, description="the key of a game")] = "zg"
    league: Annotated[
        Slug,
        Meta(description="by default ratings of tournaments that belong to no league"),
    ] = ""


class RatingResponse(Struct):
    """`shown` is mu - 3 sigma; below eight tables it is provisional."""

    player: UUID
    name: str
    shown: float
    mu: float
    sigma: float
    played: int
    provisional: bool


class RatingsResponse(Page[RatingResponse]):
    """One page: follow `next` until it is null."""


class RatingsView(OpenEndpoint):
    query_shape = RatingsQuery
    paged = True
    of_results = True

    @extend_schema(
        operation_id="ratings_list",
        tags=["ratings"],
        parameters=parameters(RatingsQuery, paged=True),
        responses=RatingsResponse,
    )
    def get(self, request: Request) -> Response:
        """List rated players, best first."""
        query: RatingsQuery = self.query
        league = league_named(query.league)
        return Response(
            self.page(ratings.best_first(game_named(query.game, "$.game").key, league), _rating)
        )


def _rating(row: Rating) -> RatingResponse:
    return RatingResponse(
        player=row.player_id,
        name=row.player.name,
        shown=row.shown,
        mu=row.mu,
        sigma=row.sigma,
        played=row.played,
        provisional=row.provisional,
    )


class MovedRating(Struct):
    """A rating that moved: before and after; null if there was none, or is none any more."""

    player: UUID
    name: str
    mu: float | None
    sigma: float | None
    now_mu: float | None
    now_sigma: float | None


class RevisionResponse(Struct):
    """How entry `version` of a tournament changed the past; `tables` were rated again.

    Both are null for a tournament you may not see: it was withdrawn, or is no longer public.
    """

    tournament: str | None
    version: int | None
    at: Moment
    tables: int
    moved: list[MovedRating]


class RevisionsResponse(Page[RevisionResponse]):
    """One page: follow `next` until it is null."""


class RevisionsView(OpenEndpoint):
    query_shape = RatingsQuery
    paged = True
    of_results = True

    @extend_schema(
        operation_id="ratings_revisions",
        tags=["ratings"],
        parameters=parameters(RatingsQuery, paged=True),
        responses=RevisionsResponse,
    )
    def get(self, request: Request) -> Response:
        """List the changes of ratings caused by changes to the past, newest first."""
        query: RatingsQuery = self.query
        league = league_named(query.league)
        game = game_named(query.game, "$.game").key
        page = self.page(ratings.revisions(self.actor, game, league), lambda row: row)
        moved = {player for row in page["results"] for player, *_ in row.changes}
        people = Player.objects.in_bulk(moved)
        page["results"] = [_revision(row, people) for row in page["results"]]
        return Response(page)


def _revision(row: Any, people: Mapping[UUID, Player]) -> RevisionResponse:
    moved = [
        MovedRating(people[UUID(player)].pk, people[UUID(player)].name, *strengths)
        for player, *strengths in row.changes
        if UUID(player) in people
    ]
    code, version = (row.tournament.code, row.version) if row.named else (None, None)
    return RevisionResponse(code, version, row.made_at, row.tables, moved)
