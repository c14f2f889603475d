"""Leagues, venues, seasons and circuits."""

from typing import Any
from uuid import UUID

import msgspec
from django.db import transaction
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from league import chronicle, circuits, lore, policy, roles, selectors, services
from league.api import answers, shapes
from league.models import Circuit, Krewe, League, Penalty, Sanction, Season, Tournament, Venue
from league.parcels import LeagueParcel
from matches import jobs
from matches.api.base import Endpoint, NoQuery, OpenEndpoint, parameters
from matches.api.jobs import asked as answer_asked
from matches.api.shapes import JobAnswer
from matches.errors import BadInput, NotFound
from matches.models import Player
from matches.policy import Actor


def player_by(pk: UUID | None, where: str = "$.player") -> Player:
    """Return a player by id, for a claimed guest whoever claimed them. Raises: BadInput."""
    if pk is None:
        raise BadInput("missing-field", "Say which player.", where)
    found = Player.objects.select_related("claimed_by").filter(pk=pk).first()
    if found is None:
        raise BadInput("unknown-player", f"There is no player {pk}.", where)
    return found.claimed_by or found


def venue_by(slug: str) -> Venue | None:
    return selectors.venue_for(slug) if slug else None


def said(sent: msgspec.Struct) -> dict[str, Any]:
    """Return what a change names; what is not there stays. Raises: BadInput for nothing."""
    found = {
        name: value for name, value in msgspec.structs.asdict(sent).items() if value is not None
    }
    if not found:
        raise BadInput("missing-field", "Say what changes.")
    return found


# -- venues -------------------------------------------------------------------------------


class VenuesView(OpenEndpoint):
    @extend_schema(
        operation_id="venues_list",
        tags=["venues"],
        parameters=parameters(NoQuery, paged=True),
        responses=shapes.Venues,
    )
    def get(self, request: Request) -> Response:
        """List the venues."""
        found = Venue.objects.order_by("name", "id")
        return Response(self.page(found, lambda one: answers.venue_answer(one, request)))

    @extend_schema(
        operation_id="venues_open",
        tags=["venues"],
        request=shapes.VenueRequest,
        responses={201: shapes.VenueAnswer},
    )
    def post(self, request: Request) -> Response:
        """Open a venue, which one then keeps."""
        sent = self.body(shapes.VenueRequest)
        venue = services.open_venue(by=self.actor, **msgspec.structs.asdict(sent))
        return Response(answers.venue_answer(venue, request), status=201)


class VenueView(OpenEndpoint):
    @extend_schema(operation_id="venues_read", tags=["venues"], responses=shapes.VenueAnswer)
    def get(self, request: Request, slug: str) -> Response:
        """Tell a venue."""
        return Response(answers.venue_answer(selectors.venue_for(slug), request))

    @extend_schema(
        operation_id="venues_change",
        tags=["venues"],
        request={"application/json": shapes.VenueChange},
        responses=shapes.VenueAnswer,
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Change what a venue tells of itself."""
        changes = said(self.body(shapes.VenueChange))
        venue = selectors.venue_for(slug)
        services.edit_venue(by=self.actor, venue=venue, **changes)
        return Response(answers.venue_answer(venue, request))


class PlacesView(OpenEndpoint):
    @extend_schema(operation_id="places_list", tags=["venues"], responses=shapes.Places)
    def get(self, request: Request) -> Response:
        """List the places that the games' stories tell of, with the words used of them."""
        return Response(answers.places_answer(request))


class PlaceView(OpenEndpoint):
    @extend_schema(operation_id="places_read", tags=["venues"], responses=shapes.PlaceAnswer)
    def get(self, request: Request, slug: str) -> Response:
        """Tell of a place: its facts, its story, what happened in which year, who is there."""
        place = lore.place_for(slug)
        return Response(answers.place_answer(place, self.actor, request))


class PlaceTextsView(OpenEndpoint):
    @extend_schema(
        operation_id="place_texts_list",
        tags=["venues"],
        parameters=parameters(NoQuery, paged=True),
        responses=shapes.PlaceTexts,
    )
    def get(self, request: Request, slug: str) -> Response:
        """List what organisers added to a place, as far as one may know of it, oldest first."""
        found = chronicle.texts_for(self.actor, lore.place_for(slug).slug)
        return Response(self.page(found, lambda one: answers.text_answer(one, request)))

    @extend_schema(
        operation_id="place_texts_add",
        tags=["venues"],
        request=shapes.PlaceTextRequest,
        responses={201: shapes.PlaceTextAnswer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Add a text to a place, in the name of a league that one organises."""
        sent = self.body(shapes.PlaceTextRequest)
        policy.require_make(self.actor)
        league = selectors.league_for(sent.league) if sent.league else None
        fields = msgspec.structs.asdict(sent) | {"league": league}
        made = services.write_text(by=self.actor, place=slug, **fields)
        return Response(answers.text_answer(made, request), status=201)


class PlaceTextView(OpenEndpoint):
    @extend_schema(
        operation_id="place_texts_read", tags=["venues"], responses=shapes.PlaceTextAnswer
    )
    def get(self, request: Request, slug: str, text_id: UUID) -> Response:
        """Tell one text of a place."""
        return Response(answers.text_answer(chronicle.text_for(self.actor, slug, text_id), request))

    @extend_schema(
        operation_id="place_texts_change",
        tags=["venues"],
        request={"application/json": shapes.PlaceTextChange},
        responses=shapes.PlaceTextAnswer,
    )
    def patch(self, request: Request, slug: str, text_id: UUID) -> Response:
        """Change a text, or take it away; 409 with the `current` one when it has gone on."""
        changes = said(self.body(shapes.PlaceTextChange))
        found = chronicle.text_for(self.actor, slug, text_id)
        kept = services.edit_text(by=self.actor, of=found, **changes)
        return Response(answers.text_answer(kept, request))


# -- leagues ------------------------------------------------------------------------------


class LeaguesView(OpenEndpoint):
    @extend_schema(
        operation_id="leagues_list",
        tags=["leagues"],
        parameters=parameters(NoQuery, paged=True),
        responses=shapes.Leagues,
    )
    def get(self, request: Request) -> Response:
        """List the leagues."""
        found = League.objects.select_related("venue").order_by("name", "id")
        return Response(self.page(found, lambda one: answers.league_line(one, request)))

    @extend_schema(
        operation_id="leagues_found",
        tags=["leagues"],
        request=shapes.LeagueRequest,
        responses={201: shapes.LeagueAnswer},
    )
    def post(self, request: Request) -> Response:
        """Found a league, whose organiser one then is."""
        sent = self.body(shapes.LeagueRequest)
        fields = msgspec.structs.asdict(sent) | {"venue": venue_by(sent.venue)}
        league = services.found_league(by=self.actor, **fields)
        return Response(answers.league_answer(league, request), status=201)


class OfLeague(OpenEndpoint):
    @property
    def league(self) -> League:
        return selectors.league_for(self.kwargs["slug"])


class LeagueView(OfLeague):
    @extend_schema(operation_id="leagues_read", tags=["leagues"], responses=shapes.LeagueAnswer)
    def get(self, request: Request, slug: str) -> Response:
        """Tell a league, and who runs it."""
        return Response(answers.league_answer(self.league, request))

    @extend_schema(
        operation_id="leagues_change",
        tags=["leagues"],
        request={"application/json": shapes.LeagueChange},
        responses=shapes.LeagueAnswer,
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Change what a league tells of itself."""
        changes, league = said(self.body(shapes.LeagueChange)), self.league
        services.edit_league(by=self.actor, league=league, **changes)
        return Response(answers.league_answer(league, request))


def roles_answer(by: Actor, thing: League | Tournament) -> shapes.RolesAnswer:
    """Return who is what somewhere, for its organisers. Raises: NotAllowed, NotFound."""
    found = roles.members_of(by=by, thing=thing)
    changes = roles.changes_of(by=by, thing=thing)
    return shapes.RolesAnswer(
        [answers.member_answer(each) for each in found],
        [
            shapes.RoleChangeAnswer(
                each.player_id, each.player.name, each.role, each.given, each.by_id, each.at
            )
            for each in changes
        ],
    )


def end_role(by: Actor, thing: League | Tournament, sent: shapes.RoleRequest) -> None:
    """Take a role back. Raises: NotAllowed, NotFound, Conflict."""
    found = roles.member(by=by, thing=thing, player=sent.player, role=sent.role)
    roles.dismiss(by=by, member=found)


class ExportView(OfLeague):
    throttle_scope = "heavy"

    @extend_schema(
        operation_id="leagues_export",
        tags=["leagues"],
        request=shapes.NothingMore,
        responses={202: JobAnswer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Have a worker pack all of a league for its organiser: logs, certificates, results.

        `Location` tells how far it is.
        """
        self.body(shapes.NothingMore)
        job = jobs.ask(LeagueParcel.name, about=self.league.pk, by=self.actor)
        return answer_asked(job, self.actor, request)


class MemberEndView(OfLeague):
    @extend_schema(
        operation_id="leagues_end_role",
        tags=["leagues"],
        request=shapes.RoleRequest,
        responses=shapes.RolesAnswer,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Take a role in a league back; the last organiser stays."""
        sent, league = self.body(shapes.RoleRequest), self.league
        end_role(self.actor, league, sent)
        return Response(roles_answer(self.actor, league))


class MembersView(OfLeague):
    @extend_schema(operation_id="leagues_roles", tags=["leagues"], responses=shapes.RolesAnswer)
    def get(self, request: Request, slug: str) -> Response:
        """Tell who is what in a league, and what was given and taken, for its organisers."""
        return Response(roles_answer(self.actor, self.league))

    @extend_schema(
        operation_id="leagues_join",
        tags=["leagues"],
        request=shapes.MemberRequest,
        responses={201: shapes.MemberAnswer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Join a league as a player, or give somebody a role in it."""
        sent, league = self.body(shapes.MemberRequest), self.league
        if sent.player is None and sent.role == "player":
            member = services.join(by=self.actor, league=league)
        else:
            policy.require_run(self.actor, league)
            player = player_by(sent.player)
            member = services.name_member(
                by=self.actor, league=league, player=player, role=sent.role
            )
        return Response(answers.member_answer(member), status=201)


class KrewesView(OfLeague):
    @extend_schema(operation_id="krewes_list", tags=["leagues"], responses=shapes.Krewes)
    def get(self, request: Request, slug: str) -> Response:
        """List the krewes of a league."""
        found = self.league.krewes.select_related("league").prefetch_related("players")
        return Response(self.page(found, answers.krewe_answer))

    @extend_schema(
        operation_id="krewes_make",
        tags=["leagues"],
        request=shapes.KreweRequest,
        responses={201: shapes.KreweAnswer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Make a krewe; who does is its captain."""
        sent, league = self.body(shapes.KreweRequest), self.league
        policy.require_make(self.actor)
        players = [player_by(pk, f"$.players[{n}]") for n, pk in enumerate(sent.players)]
        krewe = services.make_krewe(by=self.actor, league=league, name=sent.name, players=players)
        return Response(answers.krewe_answer(krewe), status=201)


class KreweView(OpenEndpoint):
    @extend_schema(operation_id="krewes_read", tags=["leagues"], responses=shapes.KreweAnswer)
    def get(self, request: Request, krewe_id: UUID) -> Response:
        """Tell who is in a krewe."""
        return Response(answers.krewe_answer(selectors.krewe_for(krewe_id)))

    @extend_schema(
        operation_id="krewes_change",
        tags=["leagues"],
        request={"application/json": shapes.KreweChange},
        responses={200: shapes.KreweAnswer, 204: None},
    )
    def patch(self, request: Request, krewe_id: UUID) -> Response:
        """Take somebody in, name the captain, have somebody leave; or take the krewe away."""
        sent = self.body(shapes.KreweChange)
        said(sent)
        policy.require_make(self.actor)
        krewe = selectors.krewe_for(krewe_id)
        if sent.removed:
            services.remove_krewe(by=self.actor, krewe=krewe)
            return Response(status=204)
        with transaction.atomic():
            self._change(krewe, sent)
        return Response(answers.krewe_answer(selectors.krewe_for(krewe_id)))

    def _change(self, krewe: Krewe, sent: shapes.KreweChange) -> None:
        if sent.add:
            player = player_by(sent.add, "$.add")
            services.add_to_krewe(by=self.actor, krewe=krewe, player=player)
        if sent.captain:
            player = player_by(sent.captain, "$.captain")
            services.edit_krewe(by=self.actor, krewe=krewe, captain=player)
        if sent.remove:
            player = player_by(sent.remove, "$.remove")
            services.leave_krewe(by=self.actor, krewe=krewe, player=player)


class DisciplineView(OfLeague):
    @extend_schema(
        operation_id="leagues_discipline",
        tags=["leagues"],
        responses=shapes.RecordOfDiscipline,
    )
    def get(self, request: Request, slug: str) -> Response:
        """Tell the disciplinary record of a league, for its organisers and judges."""
        league = self.league
        policy.require_discipline(self.actor, league)
        found = Sanction.objects.filter(league=league).select_related("player")
        given = Penalty.objects.filter(tournament__league=league).select_related(
            "tournament", "entry__player", "entry__character", "entry__krewe"
        )
        penalties = [
            shapes.PenaltyAnswer(
                each.tournament.code,
                each.entry.player_id,
                each.entry.name,
                each.infraction,
                each.penalty,
                each.demerits,
                each.given_at,
            )
            for each in given
        ]
        sanctions = [answers.sanction_answer(each) for each in found]
        return Response(shapes.RecordOfDiscipline(sanctions, penalties))

    @extend_schema(
        operation_id="leagues_sanction",
        tags=["leagues"],
        request=shapes.SanctionRequest,
        responses={201: shapes.SanctionAnswer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Ban a player from a league's tournaments, or exile them."""
        sent, league = self.body(shapes.SanctionRequest), self.league
        policy.require_run(self.actor, league)
        made = services.sanction(
            by=self.actor,
            league=league,
            player=player_by(sent.player),
            kind=sent.kind,
            ends_on=sent.ends_on,
            reason=sent.reason,
        )
        return Response(answers.sanction_answer(made), status=201)


class LiftView(Endpoint):
    @extend_schema(
        operation_id="leagues_lift",
        tags=["leagues"],
        request=shapes.LiftRequest,
        responses=shapes.SanctionAnswer,
    )
    def post(self, request: Request, slug: str, sanction: int) -> Response:
        """Lift a ban or an exile."""
        self.body(shapes.LiftRequest)
        found = (
            Sanction.objects.select_related("league", "player")
            .filter(pk=sanction, league__slug=slug)
            .first()
        )
        if found is None:
            raise NotFound("There is no such ban.", "no-such-sanction")
        services.lift(by=self.actor, sanction=found)
        return Response(answers.sanction_answer(found))


# -- seasons ------------------------------------------------------------------------------


class SeasonsView(OpenEndpoint):
    @extend_schema(
        operation_id="seasons_list",
        tags=["seasons"],
        parameters=parameters(shapes.SeasonsQuery, paged=True),
        responses=shapes.Seasons,
    )
    def get(self, request: Request) -> Response:
        """List the seasons, newest first."""
        asked = self.query(shapes.SeasonsQuery)
        found = selectors.seasons()
        if asked.league:
            found = found.filter(league__slug=asked.league)
        return Response(self.page(found, lambda one: answers.season_line(one, request)))

    @extend_schema(
        operation_id="seasons_open",
        tags=["seasons"],
        request=shapes.SeasonRequest,
        responses={201: shapes.SeasonAnswer},
    )
    def post(self, request: Request) -> Response:
        """Begin a season of a league; `divisions` by name, the highest first."""
        sent = self.body(shapes.SeasonRequest)
        policy.require_make(self.actor)
        season = services.open_season(
            by=self.actor,
            league=selectors.league_for(sent.league),
            name=sent.name,
            starts_on=sent.starts_on,
            ends_on=sent.ends_on,
            about=sent.about,
            divisions=sent.divisions,
        )
        return Response(answers.season_answer(season, self.actor, request), status=201)


def season_by(pk: UUID) -> Season:
    found = selectors.seasons().filter(pk=pk).first()
    if found is None:
        raise NotFound("There is no such season.", "no-such-season")
    return found


class SeasonView(OpenEndpoint):
    @extend_schema(operation_id="seasons_read", tags=["seasons"], responses=shapes.SeasonAnswer)
    def get(self, request: Request, season_id: UUID) -> Response:
        """Tell a season: its divisions with their tables, its circuits and tournaments."""
        return Response(answers.season_answer(season_by(season_id), self.actor, request))


class RolloverView(Endpoint):
    @extend_schema(
        operation_id="seasons_roll_over",
        tags=["seasons"],
        request=shapes.RolloverRequest,
        responses={200: shapes.RolloverAnswer, 201: shapes.RolloverAnswer},
    )
    def post(self, request: Request, season_id: UUID) -> Response:
        """Begin the next season, players moved up and down; sent twice it is begun once."""
        sent, season = self.body(shapes.RolloverRequest), season_by(season_id)
        policy.require_run(self.actor, season.league)
        moves = answers.moves_answer(circuits.plan_rollover(season))
        if sent.preview:
            return Response(shapes.RolloverAnswer(moves, None))
        fresh = services.roll_over(
            by=self.actor,
            season=season,
            name=sent.name,
            starts_on=sent.starts_on,
            ends_on=sent.ends_on,
        )
        return Response(shapes.RolloverAnswer(moves, fresh.pk), status=201)


# -- circuits -----------------------------------------------------------------------------


class CircuitsView(OpenEndpoint):
    @extend_schema(
        operation_id="circuits_list",
        tags=["circuits"],
        parameters=parameters(shapes.CircuitsQuery, paged=True),
        responses=shapes.Circuits,
    )
    def get(self, request: Request) -> Response:
        """List the circuits."""
        asked = self.query(shapes.CircuitsQuery)
        found = Circuit.objects.order_by("name", "id")
        if asked.season:
            found = found.filter(season=asked.season)
        return Response(self.page(found, lambda one: answers.circuit_line(one, request)))

    @extend_schema(
        operation_id="circuits_open",
        tags=["circuits"],
        request=shapes.CircuitRequest,
        responses={201: shapes.CircuitAnswer},
    )
    def post(self, request: Request) -> Response:
        """Make a circuit of a season."""
        sent = self.body(shapes.CircuitRequest)
        policy.require_make(self.actor)
        fields = msgspec.structs.asdict(sent) | {"season": season_by(sent.season)}
        circuit = services.open_circuit(by=self.actor, **fields)
        return Response(answers.circuit_answer(circuit, self.actor, request), status=201)


class OfCircuit(OpenEndpoint):
    of_results = True

    @property
    def circuit(self) -> Circuit:
        found = (
            Circuit.objects.select_related("season__league", "final__log")
            .filter(pk=self.kwargs["circuit_id"])
            .first()
        )
        if found is None:
            raise NotFound("There is no such circuit.", "no-such-circuit")
        return found


class CircuitView(OfCircuit):
    @extend_schema(
        operation_id="circuits_read",
        tags=["circuits"],
        parameters=parameters(shapes.CircuitQuery),
        responses=shapes.CircuitAnswer,
    )
    def get(self, request: Request, circuit_id: UUID) -> Response:
        """Tell a circuit: its table, `after` so many tournaments, and who is in its final."""
        asked = self.query(shapes.CircuitQuery)
        return Response(answers.circuit_answer(self.circuit, self.actor, request, asked.after))


class QualifiersView(OfCircuit):
    @extend_schema(
        operation_id="circuits_add",
        tags=["circuits"],
        request=shapes.QualifierRequest,
        responses={201: shapes.CircuitAnswer},
    )
    def post(self, request: Request, circuit_id: UUID) -> Response:
        """Let a tournament count for a circuit, or make it its final."""
        sent, circuit = self.body(shapes.QualifierRequest), self.circuit
        policy.require_run(self.actor, circuit.season.league)
        tournament = selectors.tournament_for(self.actor, sent.tournament)
        if sent.final:
            services.name_final(by=self.actor, circuit=circuit, tournament=tournament)
        else:
            services.add_qualifier(
                by=self.actor,
                circuit=circuit,
                tournament=tournament,
                tier=sent.tier,
                direct=sent.direct,
            )
        return Response(answers.circuit_answer(circuit, self.actor, request), status=201)


class InvitationsView(OfCircuit):
    @extend_schema(
        operation_id="circuits_answer",
        tags=["circuits"],
        request=shapes.InvitationRequest,
        responses={201: shapes.CircuitAnswer},
    )
    def post(self, request: Request, circuit_id: UUID) -> Response:
        """Say whether a player comes to the final, and who comes instead."""
        sent, circuit = self.body(shapes.InvitationRequest), self.circuit
        policy.require_make(self.actor)
        instead = player_by(sent.replacement, "$.replacement") if sent.replacement else None
        services.answer(
            by=self.actor,
            circuit=circuit,
            player=player_by(sent.player),
            comes=sent.comes,
            replacement=instead,
        )
        return Response(answers.circuit_answer(circuit, self.actor, request), status=201)
