"""Matches: opening and finding them, importing and exporting their logs."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import msgspec
from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from matches import (
    actors,
    audiences,
    cuts,
    drafting,
    feed,
    policy,
    selectors,
    services,
    transfer,
    undoing,
)
from matches.api import shapes
from matches.api.base import SEAT, OpenEndpoint, TextRenderer, made, making, parameters
from matches.api.people import player_by
from matches.api.responses import (
    entries_response,
    entry_response,
    match_line,
    match_response,
    plain,
    seen,
    step_response,
    tell,
    what_if_response,
)
from matches.conditional import not_modified
from matches.errors import NotFound
from matches.luck import luck_of
from matches.models import Match
from matches.narration import Narrator, names_of
from matches.opening import of_ruleset
from matches.scene import scene_of
from matches.services import SeatRequest
from matches.went import went_of
from matches.what_if import what_if


class MatchesView(OpenEndpoint):
    query_shape = shapes.MatchesQuery
    paged = True

    @extend_schema(
        operation_id="matches_list",
        tags=["matches"],
        parameters=parameters(shapes.MatchesQuery, paged=True),
        responses=shapes.Matches,
    )
    def get(self, request: Request) -> Response:
        """List the matches one may see, newest first. `ruleset` is `zg` or `zg@1`."""
        return Response(
            self.page(
                self.found(),
                lambda match: match_line(match, self.actor, request),
                partial(selectors.look_ahead, self.actor),
            )
        )

    def found(self) -> QuerySet[Match]:
        """Return the matches that the URL asks for. Raises: BadInput."""
        query: shapes.MatchesQuery = self.query
        if query.player is None:
            matches = selectors.matches_for(self.actor)
        else:
            matches = selectors.matches_of(self.actor, player_by(query.player))
        if query.status:
            matches = selectors.of_status(matches, query.status)
        if query.ruleset:
            matches = of_ruleset(matches, query.ruleset, "log__ruleset")
        return matches

    @extend_schema(
        operation_id="matches_open",
        tags=["matches"],
        request=shapes.MatchRequest,
        responses={200: shapes.MatchResponse, 201: shapes.MatchResponse},
    )
    def post(self, request: Request) -> Response:
        """Open a match: 201, or 200 for one already opened under this id."""
        sent = self.body(shapes.MatchRequest)
        seats = {"seats": [seat_request(seat) for seat in sent.seats]}
        match = services.open_match(by=self.actor, **making(sent) | seats)
        return opened(self, match)


def seat_request(sent: shapes.SeatRequest) -> SeatRequest:
    """Return a seat as the service takes it."""
    return SeatRequest(sent.player, sent.name, sent.label, sent.deck)


class RawParser(BaseParser):
    """Parses a file as bytes."""

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        return stream.read(transfer.MAX_BYTES + 1)


class NdjsonParser(RawParser):
    media_type = "application/x-ndjson"


class TextParser(RawParser):
    media_type = "text/plain"


class ImportView(OpenEndpoint):
    query_shape = shapes.ImportQuery
    parser_classes = [NdjsonParser, TextParser]
    throttle_scope = "heavy"
    writes_by_query = True

    @extend_schema(
        operation_id="matches_import",
        tags=["matches"],
        parameters=parameters(shapes.ImportQuery),
        request=dict.fromkeys(("application/x-ndjson", "text/plain"), OpenApiTypes.STR),
        responses={200: shapes.MatchResponse, 201: shapes.MatchResponse},
    )
    def post(self, request: Request) -> Response:
        """Import a log file, whole or not at all.

        An ndjson file keeps its id, rows and hashes; notation makes a new log: 201, or 200 if it
        was made under this `id` before.
        """
        query: shapes.ImportQuery = self.query
        data = request.data if isinstance(request.data, bytes) else b""
        sent_as = request.content_type
        match = services.import_log(by=self.actor, data=data, content_type=sent_as, act_id=query.id)
        return opened(self, match)


def opened(view: OpenEndpoint, match: Match) -> Response:
    """Answer a match that was opened or imported, now or by the same request before."""
    whole = selectors.match_for(view.actor, match.code)
    answer = match_response(whole, view.actor, view.request)
    return Response(answer, status=made(match), headers={"Location": answer.url})


class OfMatch(OpenEndpoint):
    """An endpoint under one match, which is 404 for those who may not see it."""

    @property
    def match(self) -> Match:
        return selectors.match_for(self.actor, self.kwargs["code"])


class MatchView(OfMatch):
    @extend_schema(
        operation_id="matches_read",
        tags=["matches"],
        parameters=[SEAT],
        responses=shapes.MatchResponse,
    )
    def get(self, request: Request, code: str) -> Response:
        """Get a match: its head, who is at its table, and what you may do here."""
        return Response(self.answer(self.match))

    def answer(self, match: Match) -> shapes.MatchResponse:
        """Return the body of the answer."""
        return match_response(match, self.actor, self.request)


class StateView(OfMatch):
    query_shape = shapes.StateQuery

    @extend_schema(
        operation_id="matches_state",
        tags=["matches"],
        parameters=[SEAT, *parameters(shapes.StateQuery)],
        responses=shapes.StateResponse,
    )
    def get(self, request: Request, code: str) -> HttpResponseBase:
        """Get the state `at` a version, as a seat, the officials or the public (`as`) may see it.

        As it was believed then; with `happened`, as it happened: after the entry that now counts in
        its place.
        """
        query: shapes.StateQuery = self.query
        tagged = query == shapes.StateQuery() and not actors.has_results_off(request)
        if tagged and "If-None-Match" in request.headers:
            tag = selectors.public_tag(code, self.reader)  # one query instead of six
            if tag and (same := not_modified(request, tag)):
                return same
        match = self.match
        version, audience = selectors.cut(self.actor, match, query.at, query.audience)
        if not version:
            raise NotFound("Nothing of this match is shown yet.", "no-such-entry")
        if query.happened:
            last = selectors.shown_version(self.actor, match)
            version = selectors.happened(match, last).at(version)
        moment = audiences.state_view(match, version, audience)
        answer = shapes.StateResponse(audience=audience, **plain(moment))
        tag = selectors.public_tag_of(match, self.reader) if tagged else None
        return Response(answer, headers={"ETag": tag} if tag else None)

    @property
    def reader(self) -> str:
        """The actor as a part of the ETag: a seat is shown more of a match than the public.

        An actor who comes to know more or less sees that with the next entry.
        """
        who = [self.actor.player_id, *sorted(number for _, number in self.actor.seats)]
        return "-".join(map(str, who))


class OptionsView(OfMatch):
    query_shape = shapes.OptionsQuery

    @extend_schema(
        operation_id="matches_options",
        tags=["matches"],
        parameters=[SEAT, *parameters(shapes.OptionsQuery)],
        responses=shapes.OptionsResponse,
    )
    def get(self, request: Request, code: str) -> Response:
        """List what is legal now, in a fixed order, for those who record."""
        query: shapes.OptionsQuery = self.query
        match = self.match
        policy.require_record(self.actor, match)
        timeline = selectors.timeline(match)
        if query.seat is not None:
            drafting.require_seat(timeline, query.seat, "$.seat")
        head = timeline.at(match.log.head_version)
        found = selectors.offers(timeline, head.state, policy.audience(self.actor, match))
        offers = [offer for offer in found if query.seat in (None, offer.seat)]
        moves = undoing.moves_for(self.actor, match)
        answer = shapes.OptionsResponse(
            head.version,
            plain(offers),
            *(step_response(each, partial(seen, match, self.actor)) for each in moves),
        )
        return Response(answer)


class LogFileRenderer(TextRenderer):
    media_type = "application/x-ndjson"
    format = "ndjson"
    charset = None


class LogFiles(OpenEndpoint):
    """An endpoint that answers pages of a log or, as a file, all of it."""

    renderer_classes = [*OpenEndpoint.renderer_classes, LogFileRenderer, TextRenderer]
    files: Mapping[str, Callable[[Any, int], bytes | str]]  # writer of each, up to a version
    told = {
        (200, "application/json"): shapes.Entries,
        (200, "application/x-ndjson"): OpenApiTypes.STR,
        (200, "text/plain"): OpenApiTypes.STR,
    }

    @property
    def throttle_scope(self) -> str | None:
        """Writing a whole log is slow, a page of it is not."""
        return "heavy" if self.file else None

    @property
    def file(self) -> Callable[[Any, int], bytes | str] | None:
        """The writer of the file that is asked for, None for a page."""
        return self.files.get(self.request.accepted_renderer.format)


class EventsView(LogFiles, OfMatch):
    query_shape = shapes.EventsQuery
    files = {
        LogFileRenderer.format: transfer.export_ndjson,
        TextRenderer.format: transfer.export_notation,
    }

    @extend_schema(
        operation_id="matches_events",
        tags=["matches"],
        parameters=[SEAT, *parameters(shapes.EventsQuery)],
        responses=LogFiles.told,
    )
    def get(self, request: Request, code: str) -> Response:
        """List the entries `after` a version; with `happened`, only those that still count.

        `Accept: application/x-ndjson` is the whole log as a file, `text/plain` its notation.
        """
        query: shapes.EventsQuery = self.query
        match = self.match
        if write := self.file:
            return Response(write(match, selectors.whole(self.actor, match)))
        last, audience = selectors.cut(self.actor, match)
        shown = audiences.entries(match, query.after, query.limit, last, audience)
        page = entries_response(shown, query.after, last)
        if query.happened and last:
            counts = selectors.happened(match, last).counts
            page.entries = [entry for entry in page.entries if entry.version in counts]
        if query.told:
            tell(
                page.entries,
                Narrator(selectors.timeline(match), names_of(match), audience=audience),
            )
        return Response(page)


class CutView(OfMatch):
    @extend_schema(
        operation_id="matches_cut",
        tags=["matches"],
        parameters=[SEAT],
        responses=shapes.CutResponse,
    )
    def get(self, request: Request, code: str) -> Response:
        """Get what is held back from the public."""
        match = self.match
        policy.require_manage(self.actor, match)
        return Response(_cut(match))

    @extend_schema(
        operation_id="matches_change_cut",
        tags=["matches"],
        parameters=[SEAT],
        request={"application/json": shapes.CutRequest},
        responses=shapes.CutResponse,
    )
    def patch(self, request: Request, code: str) -> Response:
        """Hold results back, delay them, or release them."""
        sent, match = self.body(shapes.CutRequest), self.match
        services.change_cut(by=self.actor, match=match, **msgspec.structs.asdict(sent))
        return Response(_cut(match))


def _cut(match: Match) -> shapes.CutResponse:
    log = match.log
    shown = cuts.public_version(log)
    return shapes.CutResponse(log.held, log.delay, match.visibility, shown, log.head_version)


class LuckView(OfMatch):
    @extend_schema(operation_id="matches_luck", tags=["matches"], responses=shapes.LuckResponse)
    def get(self, request: Request, code: str) -> Response:
        """Get the expected result of each side's draws, by exact odds, and the actual one.

        Fractions as text. Empty before the match is over, and in a game without odds.
        """
        found = luck_of(scene_of(self.actor, self.match))
        sides = found.sides if found else []
        return Response(
            shapes.LuckResponse(
                [
                    shapes.SideLuck(each.seat, each.draws, str(each.expected), each.came)
                    for each in sides
                ]
            )
        )


class WentView(OfMatch):
    @extend_schema(
        operation_id="matches_went",
        tags=["matches"],
        parameters=[SEAT],
        responses=shapes.WentResponse,
    )
    def get(self, request: Request, code: str) -> Response:
        """Get how a match went so far: what each side had left, wherever that changed.

        Every entry counts, also one taken back later. Empty in a game that counts nothing, and
        before anything was lost.
        """
        found = went_of(scene_of(self.actor, self.match))
        if found is None:
            return Response(shapes.WentResponse([], 0, []))
        sides = [shapes.SideWent(each.seat, each.most, each.now) for each in found.sides]
        turnings = [shapes.TurningResponse(at, list(left)) for at, left in found.turnings]
        return Response(shapes.WentResponse(sides, found.leads, turnings))


class WhatIfView(OfMatch):
    of_anyone = True  # it records nothing
    throttle_scope = "heavy"

    @extend_schema(
        operation_id="matches_what_if",
        tags=["matches"],
        parameters=[SEAT],
        request=shapes.WhatIfRequest,
        responses=shapes.WhatIfResponse,
    )
    def post(self, request: Request, code: str) -> Response:
        """Judge the acts of a match that is over again, under other options; nothing is recorded.

        Acts that would have been impossible are left out, and later ones go on without them.
        """
        sent, match = self.body(shapes.WhatIfRequest), self.match
        policy.require_results(request)
        found = what_if(scene_of(self.actor, match), sent.options)
        return Response(what_if_response(found))


class FeedView(OpenEndpoint):
    query_shape = shapes.FeedQuery
    of_results = True

    @extend_schema(
        operation_id="feed",
        tags=["feed"],
        parameters=parameters(shapes.FeedQuery),
        responses=shapes.Entries,
    )
    def get(self, request: Request) -> Response:
        """List the entries of all logs you may see, `after` a position, each once.

        An entry that was held back comes at the position at which it became public. An entry of a
        match has `match` beside it, one of a tournament `tournament`: its code.
        """
        query: shapes.FeedQuery = self.query
        stretch = feed.feed(self.actor, query.after, query.limit)
        entries = [
            entry_response(shown.entry, {shown.kind: shown.code}) for shown in stretch.entries
        ]
        return Response(shapes.Entries(entries, stretch.last, stretch.more))
