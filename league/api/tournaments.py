"""Tournaments: their desks with the same verbs as a match, and what is computed from them."""

from typing import Any
from uuid import UUID

import msgspec
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from characters.models import Character
from league import desks, entering, policy, selectors, services
from league.api import answers, shapes
from league.api.leagues import player_by, said, season_by, venue_by
from league.models import Entry, Krewe, Tournament
from matches import canonical, verify
from matches.api import shapes as logged
from matches.api.acts import act_asked
from matches.api.answers import entry_answer, plain, step_answer
from matches.api.base import Endpoint, OpenEndpoint, parameters
from matches.api.games import list_answer
from matches.api.problems import problem_of
from matches.errors import BadInput, MovedOn, NotAllowed, NotFound, Refused
from matches.log import Receipt
from matches.selectors import moves
from rules.desk.acts import Options
from rules.desk.standings import final_places

_ACT = msgspec.json.schema_components([logged.ActRequest])[1]["ActRequest"]


class TournamentsView(OpenEndpoint):
    @extend_schema(
        operation_id="tournaments_list",
        tags=["tournaments"],
        parameters=parameters(shapes.TournamentsQuery, paged=True),
        responses=shapes.Tournaments,
    )
    def get(self, request: Request) -> Response:
        """List the tournaments one may see, newest first."""
        asked = self.query(shapes.TournamentsQuery)
        found = selectors.tournaments_for(self.actor)
        if asked.league:
            found = found.filter(league__slug=asked.league)
        if asked.season:
            found = found.filter(season=asked.season)
        if asked.ruleset:
            exact = "@" in asked.ruleset
            found = found.filter(
                **{"ruleset" if exact else "ruleset__startswith": asked.ruleset + "@" * (not exact)}
            )
        return Response(
            self.page(found, lambda one: answers.tournament_line(one, self.actor, request))
        )

    @extend_schema(
        operation_id="tournaments_open",
        tags=["tournaments"],
        request=shapes.TournamentRequest,
        responses={200: shapes.TournamentAnswer, 201: shapes.TournamentAnswer},
    )
    def post(self, request: Request) -> Response:
        """Open a tournament: 201 as its desk's log begins, 200 for one opened under this id."""
        sent = self.body(shapes.TournamentRequest)
        policy.require_make(self.actor)
        fields = msgspec.structs.asdict(sent)
        starts_at = sent.starts_at
        tournament = services.open_tournament(
            by=self.actor,
            **fields
            | {
                "act_id": fields.pop("id"),
                "timezone_name": fields.pop("timezone"),
                "desk": Options(**msgspec.structs.asdict(fields.pop("desk"))),
                "league": selectors.league_for(sent.league) if sent.league else None,
                "season": season_by(sent.season) if sent.season else None,
                "venue": venue_by(sent.venue),
                "starts_at": canonical.time_from(starts_at, "$.starts_at") if starts_at else None,
            },
        )
        answer = answers.tournament_answer(tournament, self.actor, request)
        status = 201 if tournament.just_opened else 200
        return Response(answer, status=status, headers={"Location": answer.url})


class AtDesk(OpenEndpoint):
    """An endpoint under one tournament, which is 404 for those who may not see it."""

    @property
    def tournament(self) -> Tournament:
        return selectors.tournament_for(self.actor, self.kwargs["code"])

    def recorded(self, tournament: Tournament, receipt: Receipt) -> Response:
        cut = desks.cut_for(self.actor, tournament)
        answer = answers.receipt_answer(tournament, cut, receipt)
        return Response(answer, status=_status(receipt))

    def with_missed(self, tournament: Tournament, moved: MovedOn) -> MovedOn:
        """Tell what was missed, as the asker may see it."""
        moved.extra["missed"] = answers.missed_answer(tournament, self.actor, moved)
        return moved


def _status(receipt: Receipt) -> int:
    return 201 if receipt.recorded else 200


class TournamentView(AtDesk):
    @extend_schema(
        operation_id="tournaments_read", tags=["tournaments"], responses=shapes.TournamentAnswer
    )
    def get(self, request: Request, code: str) -> Response:
        """Tell a tournament: its head, how it is run, what one may do here."""
        return Response(answers.tournament_answer(self.tournament, self.actor, request))

    @extend_schema(
        operation_id="tournaments_change",
        tags=["tournaments"],
        request={"application/json": shapes.TournamentChange},
        responses=shapes.TournamentAnswer,
    )
    def patch(self, request: Request, code: str) -> Response:
        """Change what stands around a desk, or plan its `stages` anew. Nothing in its log."""
        tournament = self.tournament
        changes = said(self.body(shapes.TournamentChange))
        if "starts_at" in changes:
            changes["starts_at"] = canonical.time_from(changes["starts_at"], "$.starts_at")
        policy.require_organise(self.actor, tournament)
        stages = changes.pop("stages", None)
        if stages is not None:
            services.plan_stages(by=self.actor, tournament=tournament, stages=stages)
        if changes:
            services.edit_tournament(by=self.actor, tournament=tournament, **changes)
        return Response(answers.tournament_answer(tournament, self.actor, request))


class RoundDatesView(AtDesk):
    @extend_schema(
        operation_id="tournaments_dates", tags=["tournaments"], responses=shapes.RoundDates
    )
    def get(self, request: Request, code: str) -> Response:
        """Tell when the next round is paired by itself, and by when one is to be played."""
        return Response(answers.dates_answer(self.tournament, self.actor))

    @extend_schema(
        operation_id="tournaments_set_date",
        tags=["tournaments"],
        request=shapes.RoundDateRequest,
        responses=shapes.RoundDates,
    )
    def post(self, request: Request, code: str) -> Response:
        """Set the dates of the round to come or the one under way; what is not named is none."""
        sent, tournament = self.body(shapes.RoundDateRequest), self.tournament
        pairs_at, deadline = (
            canonical.time_from(at, f"$.{name}") if at else None
            for name, at in (("pairs_at", sent.pairs_at), ("deadline", sent.deadline))
        )
        services.set_date(
            by=self.actor,
            tournament=tournament,
            number=sent.round,
            pairs_at=pairs_at,
            weekly=sent.weekly,
            deadline=deadline,
        )
        return Response(answers.dates_answer(tournament, self.actor))


class DeskStateView(AtDesk):
    @extend_schema(
        operation_id="tournaments_state",
        tags=["tournaments"],
        parameters=parameters(shapes.DeskStateQuery),
        responses=logged.StateAnswer,
    )
    def get(self, request: Request, code: str) -> Response:
        """Tell the desk `at` a version, `as` the officials or the public know it."""
        asked = self.query(shapes.DeskStateQuery)
        tournament = self.tournament
        cut, at = selectors.cut(self.actor, tournament, asked.at, asked.as_)
        told = selectors.state_view(tournament, cut, at)
        return Response(logged.StateAnswer(audience=cut.audience, **plain(told._asdict())))


class DeskOptionsView(AtDesk):
    @extend_schema(
        operation_id="tournaments_options",
        tags=["tournaments"],
        responses=logged.OptionsAnswer,
    )
    def get(self, request: Request, code: str) -> Response:
        """Offer what the asker may record now, in a fixed order."""
        tournament = self.tournament
        if not policy.may_record(self.actor, tournament):
            raise NotAllowed("not-allowed", "Only its officials and entrants record here.")
        cut = desks.cut_for(self.actor, tournament)
        undo = redo = None
        if policy.may_rule(self.actor, tournament):
            undo, redo = moves(desks.timeline(tournament), cut.version)
        offered = selectors.offers(self.actor, tournament)
        return Response(
            logged.OptionsAnswer(cut.version, plain(offered), step_answer(undo), step_answer(redo))
        )


class DeskEventsView(AtDesk):
    @extend_schema(
        operation_id="tournaments_events",
        tags=["tournaments"],
        parameters=parameters(shapes.DeskEventsQuery),
        responses=logged.Entries,
    )
    def get(self, request: Request, code: str) -> Response:
        """Tell the entries `after` a version; of hidden ones version, hash and leaf alone."""
        asked = self.query(shapes.DeskEventsQuery)
        tournament = self.tournament
        cut = desks.cut_for(self.actor, tournament)
        shown = selectors.entries(tournament, cut, asked.after, asked.limit)
        reached = shown[-1].version if shown else asked.after
        told = [entry_answer(entry) for entry in shown]
        return Response(logged.Entries(told, reached, more=reached < cut.version))


class DeskActsView(AtDesk):
    @extend_schema(
        operation_id="tournaments_record",
        tags=["tournaments"],
        request={
            "application/json": {"oneOf": [_ACT, {"type": "array", "items": _ACT, "maxItems": 500}]}
        },
        responses={
            200: PolymorphicProxySerializer(
                "RecordedAtDesk",
                [logged.ReceiptAnswer, logged.ActAnswers],  # type: ignore[list-item]  # our structs
                resource_type_field_name=None,
            ),
            201: logged.ReceiptAnswer,
        },
    )
    def post(self, request: Request, code: str) -> Response:
        """Record an act: 201 with a receipt, 200 for one already recorded.

        A list is recorded one by one: 200, with a status and a receipt or a problem for each.
        """
        tournament = self.tournament
        if isinstance(request.data, list):
            return Response(logged.ActAnswers(self._record_all(tournament, request.data)))
        try:
            receipt = services.record(
                tournament=tournament, by=self.actor, **act_asked(request.data)
            )
        except MovedOn as moved:
            raise self.with_missed(tournament, moved) from None
        return self.recorded(tournament, receipt)

    def _record_all(self, tournament: Tournament, items: list[Any]) -> list[logged.ActAnswer]:
        asked: list[Any] = []
        for place, item in enumerate(items):
            try:
                asked.append(act_asked(item, f"$[{place}]"))
            except BadInput as bad:
                asked.append(bad)
        good = [item for item in asked if not isinstance(item, Refused)]
        told = iter(services.record_all(tournament=tournament, by=self.actor, acts=good))
        return [
            self._answer(tournament, item if isinstance(item, Refused) else next(told))
            for item in asked
        ]

    def _answer(self, tournament: Tournament, answer: Receipt | Refused) -> logged.ActAnswer:
        if isinstance(answer, MovedOn):
            answer = self.with_missed(tournament, answer)
        if isinstance(answer, Refused):
            return logged.ActAnswer(answer.status, problem=problem_of(answer))
        cut = desks.cut_for(self.actor, tournament)
        receipt = answers.receipt_answer(tournament, cut, answer)
        return logged.ActAnswer(_status(answer), receipt=receipt)


class DeskTakeBackView(AtDesk):
    @extend_schema(
        operation_id="tournaments_take_back",
        tags=["tournaments"],
        request=shapes.UndoRequestAtDesk,
        responses={
            200: PolymorphicProxySerializer(
                "TakenBackAtDesk",
                [shapes.BlastAnswer, logged.ReceiptAnswer],  # type: ignore[list-item]  # our structs
                resource_type_field_name=None,
            ),
            201: logged.ReceiptAnswer,
        },
    )
    def post(self, request: Request, code: str) -> Response:
        """Make the desk as at version `to` current again; with `preview` only tell what goes."""
        sent, tournament = self.body(shapes.UndoRequestAtDesk), self.tournament
        if sent.preview:
            told = services.preview_take_back(tournament=tournament, by=self.actor, to=sent.to)
            return Response(answers.undoing_answer(told))
        try:
            receipt = services.take_back(
                tournament=tournament,
                by=self.actor,
                act_id=sent.id,
                to=sent.to,
                after=sent.after,
                note=sent.reason,
            )
        except MovedOn as moved:
            raise self.with_missed(tournament, moved) from None
        return self.recorded(tournament, receipt)


class DeskCorrectView(AtDesk):
    @extend_schema(
        operation_id="tournaments_correct",
        tags=["tournaments"],
        request=shapes.ResultRequest,
        responses={
            200: PolymorphicProxySerializer(
                "CorrectedAtDesk",
                [shapes.BlastAnswer, logged.ReceiptAnswer],  # type: ignore[list-item]  # our structs
                resource_type_field_name=None,
            ),
            201: logged.ReceiptAnswer,
        },
    )
    def post(self, request: Request, code: str) -> Response:
        """Correct a result; published pairings stay. With `preview` only tell what it moves."""
        sent, tournament = self.body(shapes.ResultRequest), self.tournament
        if sent.preview:
            told = services.preview_correction(
                tournament=tournament, by=self.actor, act_id=sent.act_id, act=sent.act
            )
            return Response(answers.correction_answer(told))
        try:
            receipt = services.correct(
                tournament=tournament,
                by=self.actor,
                correction_id=sent.id,
                act_id=sent.act_id,
                act=sent.act,
                reason=sent.reason,
                after=sent.after,
            )
        except MovedOn as moved:
            raise self.with_missed(tournament, moved) from None
        return self.recorded(tournament, receipt)


class DeskVerifyView(AtDesk):
    throttle_scope = "heavy"

    @extend_schema(operation_id="tournaments_verify", tags=["tournaments"], responses=verify.Report)
    def get(self, request: Request, code: str) -> Response:
        """Prove the log now: its chain, every act decided again, every pairing made again."""
        tournament = self.tournament
        policy.require_verify(self.actor, tournament)
        cut = desks.cut_for(self.actor, tournament)
        upto = None if cut.version == tournament.log.head_version else cut.version
        return Response(verify.verify(tournament.log, upto))


class ProposeView(AtDesk):
    @extend_schema(
        operation_id="tournaments_proposal",
        tags=["tournaments"],
        parameters=parameters(shapes.SeedQuery),
        responses=shapes.ProposalOfRound,
    )
    def get(self, request: Request, code: str) -> Response:
        """Pair the next round without recording it."""
        asked = self.query(shapes.SeedQuery)
        told = services.propose(tournament=self.tournament, by=self.actor, seed=asked.seed)
        return Response(answers.proposal_answer(told, shadows=asked.shadows))

    @extend_schema(
        operation_id="tournaments_propose",
        tags=["tournaments"],
        request=shapes.ProposeRequest,
        responses=shapes.ProposalOfRound,
    )
    def post(self, request: Request, code: str) -> Response:
        """Pair the next round without recording it."""
        sent = self.body(shapes.ProposeRequest)
        told = services.propose(tournament=self.tournament, by=self.actor, seed=sent.seed)
        return Response(answers.proposal_answer(told, shadows=sent.shadows))


class TableMatchView(AtDesk):
    @extend_schema(
        operation_id="tournaments_open_table",
        tags=["tournaments"],
        request=shapes.OpenTableRequest,
        responses=shapes.TableMatchAnswer,
    )
    def post(self, request: Request, code: str, number: int, table: int) -> Response:
        """Open the match of a table, or tell the one that is under way there."""
        self.body(shapes.OpenTableRequest)
        match = services.open_table(
            tournament=self.tournament, by=self.actor, number=number, table=table
        )
        url = reverse("api:match", args=[match.code], request=request)
        return Response(shapes.TableMatchAnswer(match.code, url))


class PrizesView(AtDesk):
    @extend_schema(operation_id="tournaments_prizes", tags=["tournaments"], responses=shapes.Prizes)
    def get(self, request: Request, code: str) -> Response:
        """List the prizes, and who has what of them once all is over, given or not."""
        tournament = self.tournament
        found = tournament.prizes.order_by("place", "pk")
        return Response(answers.prizes_answer(tournament, self.actor, found))

    @extend_schema(
        operation_id="tournaments_promise",
        tags=["tournaments"],
        request=shapes.PrizeRequest,
        responses={201: shapes.PrizeAnswer},
    )
    def post(self, request: Request, code: str) -> Response:
        """Promise a place a prize."""
        sent = self.body(shapes.PrizeRequest)
        tournament = self.tournament
        prize = services.promise_prize(
            by=self.actor, tournament=tournament, **msgspec.structs.asdict(sent)
        )
        [told] = answers.prizes_answer(tournament, self.actor, [prize]).results
        return Response(told, status=201)


class AwardsView(AtDesk):
    @extend_schema(
        operation_id="tournaments_award",
        tags=["tournaments"],
        request=shapes.AwardRequest,
        responses=shapes.Prizes,
    )
    def post(self, request: Request, code: str) -> Response:
        """Give the prizes of a closed tournament; what was given is not given again."""
        self.body(shapes.AwardRequest)
        tournament = self.tournament
        given = services.award(by=self.actor, tournament=tournament)
        return Response(answers.prizes_answer(tournament, self.actor, given))


# -- lists of one tournament --------------------------------------------------------------


class EntriesView(OpenEndpoint):
    @extend_schema(
        operation_id="entries_list",
        tags=["entries"],
        parameters=parameters(shapes.OfTournament),
        responses=shapes.Entrants,
    )
    def get(self, request: Request) -> Response:
        """List who takes part in a tournament, in the order they came."""
        asked = self.query(shapes.OfTournament)
        tournament = selectors.tournament_for(self.actor, asked.tournament)
        cut, at = selectors.cut(self.actor, tournament, asked.at)
        desk = selectors.shown_desk(tournament, cut, at)
        found = desks.entries_by_number(tournament, desk)
        places = final_places(desk)
        told = [
            answers.entrant_answer(
                tournament,
                desk,
                entry,
                with_deck=entering.may_see_deck(self.actor, entry),
                places=places,
            )
            for entry in found.values()
        ]
        return Response(shapes.Entrants(at, told))

    @extend_schema(
        operation_id="entries_enter",
        tags=["entries"],
        request=shapes.EntryRequest,
        responses={200: shapes.EntrantAnswer, 201: shapes.EntrantAnswer},
    )
    def post(self, request: Request) -> Response:
        """Enter a tournament, or its waiting list when it is full: 200 when this id did so."""
        sent = self.body(shapes.EntryRequest)
        policy.require_make(self.actor)
        tournament = selectors.tournament_for(self.actor, sent.tournament)
        entry = services.enter(
            tournament=tournament,
            by=self.actor,
            act_id=sent.id,
            player=player_by(sent.player) if sent.player else None,
            name=sent.name,
            character=_character(sent.character),
            krewe=_krewe(sent.krewe),
            rating=sent.rating,
            deck=sent.deck,
            text=sent.text,
        )
        desk = desks.desk_of(tournament)
        entry.number = desks.number_of(desk, entry)
        with_deck = entering.may_see_deck(self.actor, entry)
        told = answers.entrant_answer(tournament, desk, entry, with_deck=with_deck)
        return Response(told, status=201 if entry.just_entered else 200)


def _character(pk: UUID | None) -> Character | None:
    if pk is None:
        return None
    found = Character.objects.filter(pk=pk).first()
    if found is None:
        raise BadInput("unknown-character", "There is no such character.", "$.character")
    return found


def _krewe(pk: UUID | None) -> Krewe | None:
    if pk is None:
        return None
    found = Krewe.objects.filter(pk=pk).first()
    if found is None:
        raise BadInput("unknown-krewe", "There is no such krewe.", "$.krewe")
    return found


class EntryView(OpenEndpoint):
    @extend_schema(operation_id="entries_read", tags=["entries"], responses=shapes.EntrantAnswer)
    def get(self, request: Request, entry_id: UUID) -> Response:
        """Tell an entry."""
        entry, tournament = entry_for(self, entry_id)
        cut = desks.cut_for(self.actor, tournament)
        desk = selectors.shown_desk(tournament, cut)
        entry.number = desks.number_of(desk, entry) or entry.number
        with_deck = entering.may_see_deck(self.actor, entry)
        return Response(answers.entrant_answer(tournament, desk, entry, with_deck=with_deck))


def entry_for(view: OpenEndpoint, pk: UUID) -> tuple[Entry, Tournament]:
    found = (
        Entry.objects.select_related("tournament__log", "player", "character", "krewe")
        .filter(pk=pk)
        .first()
    )
    if found is None or not policy.may_see(view.actor, found.tournament):
        raise NotFound("There is no such entry.", "no-such-entrant")
    return found, found.tournament


class EntryDeckView(Endpoint):
    @extend_schema(
        operation_id="entries_deck",
        tags=["entries"],
        responses={(200, "application/json"): OpenApiTypes.OBJECT},
    )
    def get(self, request: Request, entry_id: UUID) -> Response:
        """Tell the deck an entry brings, to whom may know it."""
        entry, _ = entry_for(self, entry_id)  # type: ignore[arg-type]  # only its actor is asked
        if not entering.may_see_deck(self.actor, entry):
            raise NotAllowed("hidden", "Decks are shown when the tournament is closed.")
        told = {"deck": entering.deck_of(entry), "problems": entry.deck_problems}
        return Response(told | {"text": entry.deck_text})

    @extend_schema(
        operation_id="entries_register",
        tags=["entries"],
        request=shapes.DeckRegistration,
        responses=shapes.DeckRegistered,
    )
    def post(self, request: Request, entry_id: UUID) -> Response:
        """Register the deck an entry brings, and name what is wrong with it."""
        sent = self.body(shapes.DeckRegistration)
        if not {"deck", "text"} & set(request.data):
            raise BadInput("missing-field", "Send a `deck`, or a list as `text`.", "$.deck")
        if sent.deck is not None and sent.text is not None:
            raise BadInput("twice", "Send a deck or a text, not both.", "$.text")
        entry, _ = entry_for(self, entry_id)  # type: ignore[arg-type]  # only its actor is asked
        found = services.register_deck(by=self.actor, entry=entry, deck=sent.deck, text=sent.text)
        told = list_answer(found) if found else logged.DeckAnswer([])
        return Response(shapes.DeckRegistered(told.problems, told.deck, told.lines))


class RoundsView(OpenEndpoint):
    @extend_schema(
        operation_id="rounds_list",
        tags=["rounds"],
        parameters=parameters(shapes.OfRound),
        responses=shapes.Rounds,
    )
    def get(self, request: Request) -> Response:
        """List the rounds of a tournament, each with why it is paired so."""
        asked = self.query(shapes.OfRound)
        tournament = selectors.tournament_for(self.actor, asked.tournament)
        cut, at = selectors.cut(self.actor, tournament, asked.at)
        desk = selectors.shown_desk(tournament, cut, at)
        numbers = range(1, len(desk.rounds) + 1)
        told = [
            answers.round_answer(tournament, at, desk, number)
            for number in numbers
            if asked.round in (None, number)
        ]
        return Response(shapes.Rounds(at, told))


class PairingsView(OpenEndpoint):
    @extend_schema(
        operation_id="pairings_list",
        tags=["pairings"],
        parameters=parameters(shapes.OfRound),
        responses=shapes.Pairings,
    )
    def get(self, request: Request) -> Response:
        """List the tables of a tournament's rounds, with results as far as they are shown."""
        asked = self.query(shapes.OfRound)
        tournament = selectors.tournament_for(self.actor, asked.tournament)
        cut, at = selectors.cut(self.actor, tournament, asked.at)
        desk = selectors.shown_desk(tournament, cut, at)
        names = desks.names_of(tournament, desk)
        matches = answers.matches_by_table(tournament)
        told = [
            answers.table_answer(number, table, names, matches.get((number, table.number), []))
            for number, each in enumerate(desk.rounds, 1)
            if asked.round in (None, number)
            for table in each.tables
        ]
        return Response(shapes.Pairings(at, told))


class StandingsView(OpenEndpoint):
    @extend_schema(
        operation_id="standings_list",
        tags=["standings"],
        parameters=parameters(shapes.StandingsQuery),
        responses=shapes.Standings,
    )
    def get(self, request: Request) -> Response:
        """Tell a stage's table as of any moment; with `terms` every number opens."""
        asked = self.query(shapes.StandingsQuery)
        tournament = selectors.tournament_for(self.actor, asked.tournament)
        cut, at = selectors.cut(self.actor, tournament, asked.at)
        desk = selectors.shown_desk(tournament, cut, at)
        stage = asked.stage or len(desk.stages)
        if asked.stage is not None and not 1 <= asked.stage <= len(desk.stages):
            raise NotFound(f"There is no stage {asked.stage}.", "no-such-stage")
        rows = selectors.table(tournament, cut, stage - 1, at, asked.after)
        names = desks.names_of(tournament, desk)
        told = [answers.standing_row(row, names, terms=asked.terms) for row in rows]
        return Response(shapes.Standings(at, stage, told))
