"""What waits for the caller, in one answer."""

from typing import Literal

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from characters.api.books import trade_response
from characters.api.moves import move_response
from league import waiting
from league.api import shapes
from league.api.responses import table_response
from league.displays import TableSide
from league.finals import InvitedPlace
from league.models import Circuit
from league.waiting import Playing, Running, ToLog
from matches.actors import Actor
from matches.api.base import Endpoint
from matches.api.responses import match_line


class NextView(Endpoint):
    @extend_schema(operation_id="next", tags=["next"], responses=shapes.NextResponse)
    def get(self, request: Request) -> Response:
        """Get what waits for you: matches to log, your next tables, what you run, and answers.

        At most thirty of each kind, the newest.
        """
        own = waiting.own_tournaments(self.actor)
        playing, running = waiting.at_tournaments(self.actor, own)
        asked = waiting.asked(self.actor)
        return Response(
            shapes.NextResponse(
                matches=[_to_log(each, self.actor, request) for each in waiting.to_log(self.actor)],
                playing=[_playing(each, request) for each in playing],
                running=[_running(each, request) for each in running],
                trades=[trade_response(each) for each in asked.trades],
                moves=[move_response(each) for each in asked.moves],
                invitations=[_invitation(*each, request) for each in asked.invitations],
            )
        )


def _to_log(each: ToLog, actor: Actor, request: Request) -> shapes.MatchToLog:
    return shapes.MatchToLog(match_line(each.match, actor, request), each.proposals)


def _playing(each: Playing, request: Request) -> shapes.PlayingResponse:
    scene, seen = each.scene, each.scene.my_table
    under_way = scene.timetable.under_way
    names = {side.number: side.name for side in seen.sides} if seen else {}
    return shapes.PlayingResponse(
        tournament=scene.tournament.code,
        title=scene.tournament.title,
        headline=scene.headline,
        entrant=scene.me,
        table=table_response(seen.round, seen.table, names, seen.matches) if seen else None,
        bye=_bye(scene.my_bye),
        deadline=under_way.deadline if under_way and seen else None,
        announced=[shapes.AnnouncementResponse(said.text, said.at) for said in each.announced],
        url=reverse("api:tournament", args=[scene.tournament.code], request=request),
        check_in=scene.should_check_in,
    )


def _bye(side: TableSide | None) -> Literal["", "bye", "rest"]:
    if side is None:
        return ""
    return "rest" if side.rests else "bye"


def _running(each: Running, request: Request) -> shapes.RunningResponse:
    code = each.tournament.code
    url = reverse("api:tournament", args=[code], request=request)
    return shapes.RunningResponse(code, each.tournament.title, each.due, url)


def _invitation(
    circuit: Circuit, place: InvitedPlace, request: Request
) -> shapes.InvitationToAnswer:
    return shapes.InvitationToAnswer(
        circuit=circuit.pk,
        name=circuit.name,
        final=circuit.final.code if circuit.final else "",
        why=place.why,
        url=reverse("api:circuit", args=[circuit.pk], request=request),
    )
