"""Files that come in: whole tournaments, and lists for one that is here. Whole, or not at all."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from msgspec import Meta, Struct
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from league import files, importing, intake, known, policy, selectors
from league.api.base import AtDesk
from league.api.shapes import Slug
from league.importing import Imported
from matches import canonical, once
from matches.api.base import OpenEndpoint, made, parameters
from matches.api.matches import RawParser, TextParser
from matches.errors import BadInput, named

MEDIA = ("application/json", "text/csv", "text/plain")


class JSONFileParser(RawParser):
    media_type = "application/json"


class TableParser(RawParser):
    media_type = "text/csv"


class ImportQuery(Struct):
    """What the file is; a dry run (the default) keeps nothing and answers all problems."""

    kind: Literal["published", "trf", "results", "tournament"]
    title: Annotated[str, Meta(max_length=120)] = ""
    league: Slug = ""
    starts_at: datetime | None = None
    dry_run: bool = True


class Price(Struct):
    """What a round costs, in the order in which it counts."""

    breaches: int
    rematches: int
    bye_group: int
    squares: int
    floats: int
    again: int


class RoundPrice(Struct):
    """A round as it was paired, beside ours of the same players with the same bye."""

    round: int
    published: Price
    ours: Price


class ImportAnswer(Struct):
    """What came of a file. `differences` to `compared` published rows, a sentence each."""

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
        request=dict.fromkeys(MEDIA, OpenApiTypes.STR),
        responses={200: ImportAnswer, 201: ImportAnswer},
    )
    def post(self, request: Request) -> Response:
        """Take in a tournament that was played elsewhere, from the file that is sent.

        The same file comes in once: 201, and 200 every later time. What is wrong
        with it is answered whole, by place.
        """
        policy.require_make(self.actor)
        asked: ImportQuery = self.query
        starts_at = canonical.time_from(asked.starts_at, "$.starts_at") if asked.starts_at else None
        found = importing.import_tournament(
            by=self.actor,
            data=sent(request),
            kind=asked.kind,
            title=asked.title,
            league=named("$.league", selectors.league_for, asked.league) if asked.league else None,
            starts_at=starts_at,
            dry_run=asked.dry_run,
        )
        answer = told(found, request)
        new = once.made_now(found.tournament) and not asked.dry_run
        return Response(answer, status=made(new))


def sent(request: Request) -> bytes:
    """Return the file that was sent. Raises: BadInput."""
    if not isinstance(request.data, bytes):
        raise BadInput("no-file", f"Send the file itself, as {', '.join(MEDIA)}.", "$.file")
    return request.data


def told(found: Imported, request: Request) -> ImportAnswer:
    code = found.tournament.code if found.kept else None
    return ImportAnswer(
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
    """What the list is. `id` makes it safe to send again."""

    kind: Literal["entries", "results"]
    id: UUID
    dry_run: bool = True


class KnownPlayer(Struct):
    """Somebody the league or the organiser knows, and where they played last."""

    player: UUID
    name: str
    last: str


class NamesakesAnswer(Struct):
    row: int
    name: str
    players: list[KnownPlayer]


class ListAnswer(Struct):
    """What came of a list. In `namesakes` are who enters as new without a `player` in the list."""

    rows: int
    kept: bool
    namesakes: list[NamesakesAnswer]


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
        responses={200: ListAnswer, 201: ListAnswer},
    )
    def post(self, request: Request, code: str) -> Response:
        """Enter a list of people, or report a list of results of the round under way.

        Who has no `player` is a new guest; `namesakes` tells whom the names may mean.

        All of it is recorded, or nothing and every problem is answered with its row.
        """
        tournament = self.tournament
        policy.require_official(self.actor, tournament)
        asked: ListQuery = self.query
        found = intake.take_in_list(
            by=self.actor,
            tournament=tournament,
            act_id=asked.id,
            kind=asked.kind,
            text=files.text_of(sent(request)),
            dry_run=asked.dry_run,
        )
        status = made(bool(found.kept) and not (asked.dry_run or found.again))
        told = ListAnswer(found.rows, found.kept, list(map(_namesakes, found.namesakes)))
        return Response(told, status=status)


def _namesakes(each: intake.Namesakes) -> NamesakesAnswer:
    players = [KnownPlayer(one.pk, one.name, known.last_of(one)) for one in each.players]
    return NamesakesAnswer(each.row, each.name, players)
