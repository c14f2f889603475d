"""Tournaments as files, to take away and to import; and lists for an existing tournament."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from msgspec import Meta, Struct
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from league import calendars, exporting, files, importing, intake, known, policy
from league.api.base import AtDesk, league_named
from league.api.seasons import season_by
from league.api.shapes import Slug
from league.importing import Imported
from matches import canonical, once
from matches.api.base import OpenEndpoint, made, parameters
from matches.api.matches import RawParser, TextParser
from matches.errors import BadInput, named
from rules.cells import MARK

MEDIA = ("application/json", "text/csv", "text/plain")


def file_in(media: str) -> OpenApiTypes:
    """Return how the schema tells of a file: JSON is an object, anything else a text."""
    return OpenApiTypes.OBJECT if media == "application/json" else OpenApiTypes.STR


class JSONFileParser(RawParser):
    media_type = "application/json"


class TableParser(RawParser):
    media_type = "text/csv"


DryRun = Annotated[bool, Meta(description="store nothing, say every problem")]


class ImportQuery(Struct):
    kind: Annotated[
        Literal["published", "trf", "results", "tournament"], Meta(description="what the file is")
    ]
    title: Annotated[
        str, Meta(max_length=120, description="of the tournament; by default the one in the file")
    ] = ""
    league: Slug = ""
    season: Annotated[UUID | None, Meta(description="of that league")] = None
    starts_at: Annotated[datetime | None, Meta(description="when it began")] = None
    dry_run: DryRun = True


class Price(Struct):
    """What a round costs, by criterion in order of precedence.

    `breaches`: pairs that were not to meet. `rematches`: pairs that met before. `bye_group`:
    how far the bye lies above the lowest score group. `squares`: squared differences of points.
    `floats`: repeated floats. `again`: third and later meetings.
    """

    breaches: int
    rematches: int
    bye_group: int
    squares: int
    floats: int
    again: int


class RoundPrice(Struct):
    """The cost of a round as published, and as we pair the same players with the same bye.

    `published`: as it was. `ours`: as we pair it.
    """

    round: int
    published: Price
    ours: Price


class ImportResponse(Struct):
    """The result of an import.

    `differences` to the `compared` published rows are one sentence each.

    `players` and `rounds`: how many there are. `weighed`: what each round cost. `tournament`:
    the code of what was stored.
    """

    kept: bool
    tournament: str | None
    url: str | None
    players: int
    rounds: int
    compared: int
    differences: list[str]
    weighed: list[RoundPrice]


class ImportView(OpenEndpoint):
    query_shape = ImportQuery
    parser_classes = [JSONFileParser, TableParser, TextParser]
    throttle_scope = "heavy"
    writes_by_query = True

    @extend_schema(
        operation_id="tournaments_import",
        tags=["tournaments"],
        parameters=parameters(ImportQuery),
        request={media: file_in(media) for media in MEDIA},
        responses={200: ImportResponse, 201: ImportResponse},
    )
    def post(self, request: Request) -> Response:
        """Import a tournament that was played elsewhere from the file that is sent.

        A file is imported once: 201, then 200 for each repetition. All its problems are returned at
        once, each with its place in the file.
        """
        policy.require_make(self.actor)
        query: ImportQuery = self.query
        starts_at = canonical.time_from(query.starts_at, "$.starts_at") if query.starts_at else None
        found = importing.import_tournament(
            by=self.actor,
            data=sent(request),
            kind=query.kind,
            title=query.title,
            league=league_named(query.league),
            season=named("$.season", season_by, query.season) if query.season else None,
            starts_at=starts_at,
            dry_run=query.dry_run,
        )
        answer = import_response(found, request)
        new = once.made_now(found.tournament) and not query.dry_run
        return Response(answer, status=made(new))


def sent(request: Request) -> bytes:
    """Return the file that was sent. Raises: BadInput."""
    if not isinstance(request.data, bytes):
        raise BadInput("no-file", f"Send the file itself, as {', '.join(MEDIA)}.")
    return request.data


def import_response(found: Imported, request: Request) -> ImportResponse:
    code = found.tournament.code if found.kept else None
    return ImportResponse(
        kept=found.kept,
        tournament=code,
        url=reverse("api:tournament", args=[code], request=request) if code else None,
        players=found.players,
        rounds=found.rounds,
        compared=found.compared,
        differences=list(found.differences),
        weighed=[
            RoundPrice(
                each.round,
                Price(*msgspec.structs.astuple(each.published)),
                Price(*msgspec.structs.astuple(each.ours)),
            )
            for each in found.weighed
        ],
    )


class ListQuery(Struct):
    kind: Annotated[Literal["entries", "results"], Meta(description="what the list is of")]
    id: Annotated[UUID, Meta(description="makes the request idempotent")]
    dry_run: DryRun = True


class KnownPlayer(Struct):
    """A player known to the league or the organiser, and where they last played.

    `last`: the title of the tournament they last played; empty if unknown. `name`: theirs.
    """

    player: UUID
    name: str
    last: str


class NamesakesResponse(Struct):
    """A row of a list that may mean somebody known.

    `row`: its number, from 1. `players`: whom it may mean.
    """

    row: int
    name: str
    players: list[KnownPlayer]


class ListResponse(Struct):
    """The result of a list.

    `namesakes` lists rows without a `player` whose names match known players; such rows enter as
    new guests.

    `rows`: how many the list has. `kept`: it was stored; false on a dry run.
    """

    rows: int
    kept: bool
    namesakes: list[NamesakesResponse]


class ListView(AtDesk):
    query_shape = ListQuery
    parser_classes = [TableParser, TextParser]
    throttle_scope = "heavy"
    writes_by_query = True

    @extend_schema(
        operation_id="tournaments_take_in",
        tags=["tournaments"],
        parameters=parameters(ListQuery),
        request=dict.fromkeys(MEDIA[1:], OpenApiTypes.STR),
        responses={200: ListResponse, 201: ListResponse},
    )
    def post(self, request: Request, code: str) -> Response:
        """Enter a list of people, or report a list of results of the open round.

        A row without a `player` enters as a new guest; `namesakes` lists the known players it may
        mean. Either all rows are recorded, or none and each problem is returned with its row.
        """
        tournament = self.tournament
        policy.require_official(self.actor, tournament)
        query: ListQuery = self.query
        found = intake.take_in_list(
            by=self.actor,
            tournament=tournament,
            act_id=query.id,
            kind=query.kind,
            text=files.text_of(sent(request)),
            dry_run=query.dry_run,
        )
        status = made(bool(found.kept) and not (query.dry_run or found.again))
        answer = ListResponse(found.rows, found.kept, list(map(_namesakes, found.namesakes)))
        return Response(answer, status=status)


def _namesakes(each: intake.Namesakes) -> NamesakesResponse:
    players = [KnownPlayer(one.pk, one.name, known.last_of(one)) for one in each.players]
    return NamesakesResponse(each.row, each.name, players)


# -- to take away -------------------------------------------------------------------------

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
    mark: Annotated[
        bool,
        Meta(description="begin a CSV with a byte order mark, for spreadsheet programs"),
    ] = False


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
        suffix, media = FILES[query.kind]
        data: bytes | str
        if query.kind == "tournament":
            data = exporting.export_whole(by=self.actor, tournament=tournament)
        elif query.kind == "calendar":
            data = calendars.calendar_of(by=self.actor, tournament=tournament)
        else:
            text = exporting.export_stage(
                by=self.actor, tournament=tournament, kind=query.kind, stage=query.stage
            )
            data = MARK + text if query.mark and suffix == "csv" else text
        of_stage = f"-{query.stage}" if query.kind in ("trf", "results") else ""
        name = f"{tournament.code}-{query.kind}{of_stage}.{suffix}"
        return HttpResponse(
            data,
            content_type=media,
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )
