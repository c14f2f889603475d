"""The log of a tournament's desk, with the same endpoints as a match's log."""

from functools import partial

import msgspec
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from league import desk_cuts, desk_reads, desks, hints, journal, policy, services
from league.api import responses, shapes
from league.api.base import AtDesk
from league.models import Tournament
from league.recording import MAX_ACTS
from league.scene import Scene
from matches import log as logs
from matches import transfer, verify
from matches.api import shapes as logged
from matches.api.base import TextRenderer, made, parameters
from matches.api.matches import LogFileRenderer, LogFiles
from matches.api.recording import Recording, act_arguments, acts_schema, one_of
from matches.api.responses import entries_response, plain, step_response
from matches.errors import MovedOn, NotAllowed
from matches.log import Receipt
from matches.undoing import moves


class InDesk(AtDesk, Recording[Tournament]):
    """An endpoint that records at a desk."""

    def receipt(self, of: Tournament, receipt: Receipt) -> logged.ReceiptResponse:
        return responses.receipt_response(of, desk_cuts.cut_for(self.actor, of), receipt)

    def missed(self, of: Tournament, moved: MovedOn) -> logged.Entries:
        return responses.missed_response(of, self.actor, moved)


class DeskStateView(AtDesk):
    query_shape = shapes.DeskStateQuery

    @extend_schema(
        operation_id="tournaments_state",
        tags=["tournaments"],
        parameters=parameters(shapes.DeskStateQuery),
        responses=logged.StateResponse,
    )
    def get(self, request: Request, code: str) -> Response:
        """Return the state of the desk `at` a version, `as` the officials or the public see it."""
        query: shapes.DeskStateQuery = self.query
        tournament = self.tournament
        cut, at = desk_reads.cut(self.actor, tournament, query.at, query.as_)
        view = desk_reads.state_view(tournament, cut, at)
        return Response(logged.StateResponse(audience=cut.audience, **plain(view._asdict())))


class DeskOptionsView(AtDesk):
    @extend_schema(
        operation_id="tournaments_options",
        tags=["tournaments"],
        responses=logged.OptionsResponse,
    )
    def get(self, request: Request, code: str) -> Response:
        """List what the caller may record now, in a fixed order."""
        tournament = self.tournament
        if not policy.may_record(self.actor, tournament):
            raise NotAllowed("not-allowed", "Only its officials and entrants record here.")
        cut = desk_cuts.cut_for(self.actor, tournament)
        undo = redo = None
        if policy.may_rule(self.actor, tournament):
            undo, redo = moves(desks.timeline(tournament), cut.version)
        offered = desk_reads.offers(self.actor, tournament)
        return Response(
            logged.OptionsResponse(
                cut.version, plain(offered), step_response(undo), step_response(redo)
            )
        )


def _log_file(tournament: Tournament, upto: int) -> bytes:
    return transfer.export_log(tournament.log, upto, title=tournament.title)


def _notation(tournament: Tournament, upto: int) -> str:
    return transfer.export_text(tournament.log, upto)


class DeskEventsView(LogFiles, AtDesk):
    query_shape = shapes.DeskEventsQuery
    files = {LogFileRenderer.format: _log_file, TextRenderer.format: _notation}

    @extend_schema(
        operation_id="tournaments_events",
        tags=["tournaments"],
        parameters=parameters(shapes.DeskEventsQuery),
        responses=LogFiles.told,
    )
    def get(self, request: Request, code: str) -> Response:
        """List the entries `after` a version; of hidden ones only version, hash and leaf.

        With `Accept: application/x-ndjson` the whole log as a file, with `text/plain` its notation.
        """
        query: shapes.DeskEventsQuery = self.query
        tournament = self.tournament
        cut = desk_cuts.cut_for(self.actor, tournament)
        if write := self.file:
            return Response(write(tournament, desk_reads.whole(tournament, cut)))
        shown = desk_reads.entries(tournament, cut, query.after, query.limit)
        page = entries_response(shown, query.after, cut.version)
        if query.told:
            scene = Scene(self.actor, tournament)
            for entry in page.entries:
                if entry.act is not None:
                    entry.told = journal.sentence(scene, entry.version, entry.note)
        return Response(page)


class DeskActsView(InDesk):
    @extend_schema(
        operation_id="tournaments_record",
        tags=["tournaments"],
        **acts_schema("RecordedAtDesk", MAX_ACTS),
    )
    def post(self, request: Request, code: str) -> Response:
        """Record an act: 201 with a receipt, or 200 if it was already recorded.

        The acts of a list are recorded one by one: 200, with a status and a receipt or problem for
        each.
        """
        if isinstance(request.data, list):
            tournament = self.tournament
            record_all = partial(services.record_all, tournament=tournament, by=self.actor)
            return self.record_each(tournament, request.data, record_all)
        act, tournament = act_arguments(request.data), self.tournament
        with self.recording(tournament):
            receipt = services.record(tournament=tournament, by=self.actor, **act)
        return self.recorded(tournament, receipt)


class HintsView(AtDesk):
    @extend_schema(operation_id="tournaments_hints", tags=["tournaments"], responses=shapes.Hints)
    def get(self, request: Request, code: str) -> Response:
        """List facts that may deserve a look, for organisers and zMarshals."""
        tournament = self.tournament
        policy.require_rule(self.actor, tournament)
        names = desks.names_of(tournament, desks.desk_of(tournament))
        found = hints.hints_for(self.actor, tournament, names)
        return Response(
            shapes.Hints(
                [
                    shapes.HintResponse(
                        each.hint.code,
                        each.text,
                        list(each.hint.entrants),
                        list(each.hint.rounds),
                        list(each.hint.entries),
                    )
                    for each in found
                ]
            )
        )


class PenaltiesView(AtDesk):
    @extend_schema(
        operation_id="tournaments_penalise",
        tags=["tournaments"],
        request=shapes.PenaltyRequest,
        responses={200: shapes.PenaltyReceipt, 201: shapes.PenaltyReceipt},
    )
    def post(self, request: Request, code: str) -> Response:
        """Give a penalty and carry out what it implies: 201, or 200 if this id already gave one.

        A disqualification takes the entrant out. It and a match loss also rule the open result at a
        table of two; other penalties change no result.
        """
        sent, tournament = self.body(shapes.PenaltyRequest), self.tournament
        fields = msgspec.structs.asdict(sent)
        act_id, note = fields.pop("id"), fields.pop("note")
        status = made(logs.version_of(tournament.log, act_id) is None)
        beside = services.penalise(
            tournament=tournament,
            by=self.actor,
            act_id=act_id,
            act={"type": "penalty-given", **fields},
            note=note,
        )
        penalty_receipt = shapes.PenaltyReceipt(
            logs.version_of(tournament.log, act_id) or 0,
            [plain(each) for each in beside],
            responses.head_response(tournament, desk_cuts.cut_for(self.actor, tournament)),
        )
        return Response(penalty_receipt, status=status)


class DeskTakeBackView(InDesk):
    @extend_schema(
        operation_id="tournaments_take_back",
        tags=["tournaments"],
        request=shapes.UndoRequestAtDesk,
        responses={
            200: one_of("TakenBackAtDesk", shapes.BlastResponse, logged.ReceiptResponse),
            201: logged.ReceiptResponse,
        },
    )
    def post(self, request: Request, code: str) -> Response:
        """Make the desk as of version `to` current again.

        With `preview` only return what is undone.
        """
        sent, tournament = self.body(shapes.UndoRequestAtDesk), self.tournament
        if sent.preview:
            preview = services.preview_take_back(tournament=tournament, by=self.actor, to=sent.to)
            return Response(responses.blast_response(preview))
        with self.recording(tournament):
            receipt = services.take_back(
                tournament=tournament,
                by=self.actor,
                act_id=sent.id,
                to=sent.to,
                after=sent.after,
                note=sent.reason,
            )
        return self.recorded(tournament, receipt)


class DeskCorrectView(InDesk):
    @extend_schema(
        operation_id="tournaments_correct",
        tags=["tournaments"],
        request=shapes.ResultRequest,
        responses={
            200: one_of("CorrectedAtDesk", shapes.BlastResponse, logged.ReceiptResponse),
            201: logged.ReceiptResponse,
        },
    )
    def post(self, request: Request, code: str) -> Response:
        """Correct a result; published pairings stay. With `preview` only return what it changes."""
        sent, tournament = self.body(shapes.ResultRequest), self.tournament
        if sent.preview:
            preview = services.preview_correction(
                tournament=tournament, by=self.actor, act_id=sent.act_id, act=sent.act
            )
            return Response(responses.blast_response(preview))
        with self.recording(tournament):
            receipt = services.correct(
                tournament=tournament,
                by=self.actor,
                correction_id=sent.id,
                act_id=sent.act_id,
                act=sent.act,
                reason=sent.reason,
                after=sent.after,
            )
        return self.recorded(tournament, receipt)


class DeskVerifyView(AtDesk):
    throttle_scope = "heavy"

    @extend_schema(operation_id="tournaments_verify", tags=["tournaments"], responses=verify.Report)
    def get(self, request: Request, code: str) -> Response:
        """Verify the log now: check its chain, decide every act again, make every pairing again."""
        tournament = self.tournament
        policy.require_verify(self.actor, tournament)
        cut = desk_cuts.cut_for(self.actor, tournament)
        upto = None if cut.version == tournament.log.head_version else cut.version
        return Response(verify.verify(tournament.log, upto))
