"""Entries of a tournament, and the decks they bring."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from characters.api.characters import character_named
from characters.loadouts import loadout_for
from characters.models import Character
from league import desk_cuts, desk_reads, desks, policy, registering, selectors, services
from league.api import responses, shapes
from league.api.base import ByTournament
from league.models import Entry, Krewe, Tournament
from matches.actors import Actor
from matches.api import shapes as logged
from matches.api.base import OpenEndpoint, made, parameters
from matches.api.games import list_response
from matches.api.people import player_by
from matches.errors import BadInput, NotAllowed, NotFound, named
from rules.desk.standings import final_places


class EntriesView(ByTournament):
    query_shape = shapes.TournamentQuery

    @extend_schema(
        operation_id="entries_list",
        tags=["entries"],
        parameters=parameters(shapes.TournamentQuery),
        responses=shapes.Entrants,
    )
    def get(self, request: Request) -> Response:
        """List the entries of a tournament, in the order they were made."""
        tournament, _, at, desk = self.read()
        found = desks.entries_by_number(tournament, desk)
        places = final_places(desk)
        results = [
            responses.entrant_response(
                tournament,
                desk,
                entry,
                with_deck=registering.may_see_deck(self.actor, entry),
                places=places,
            )
            for entry in found.values()
        ]
        return Response(shapes.Entrants(at, results))

    @extend_schema(
        operation_id="entries_enter",
        tags=["entries"],
        request=shapes.EntryRequest,
        responses={200: shapes.EntrantResponse, 201: shapes.EntrantResponse},
    )
    def post(self, request: Request) -> Response:
        """Enter a tournament, or its waiting list if full: 201, or 200 if this id already did."""
        sent = self.body(shapes.EntryRequest)
        policy.require_make(self.actor)
        tournament = named("$.tournament", selectors.tournament_for, self.actor, sent.tournament)
        entry = services.enter(
            tournament=tournament,
            by=self.actor,
            act_id=sent.id,
            player=player_by(sent.player) if sent.player else None,
            name=sent.name,
            character=_character(self.actor, sent.character),
            krewe=_krewe(sent.krewe),
            rating=sent.rating,
            deck=sent.deck,
            text=sent.text,
        )
        desk = desks.desk_of(tournament)
        entry.number = desks.number_of(desk, entry)
        with_deck = registering.may_see_deck(self.actor, entry)
        answer = responses.entrant_response(tournament, desk, entry, with_deck=with_deck)
        return Response(answer, status=made(entry))


def _character(actor: Actor, pk: UUID | None) -> Character | None:
    """Return a character that the actor may see: an entry shows its name to everybody."""
    return character_named(actor, pk) if pk is not None else None


def _krewe(pk: UUID | None) -> Krewe | None:
    if pk is None:
        return None
    found = Krewe.objects.filter(pk=pk).first()
    if found is None:
        raise BadInput("unknown-krewe", "There is no such krewe.", "$.krewe")
    return found


class EntryView(OpenEndpoint):
    @extend_schema(operation_id="entries_read", tags=["entries"], responses=shapes.EntrantResponse)
    def get(self, request: Request, entry_id: UUID) -> Response:
        """Return an entry."""
        entry, tournament = entry_for(self.actor, entry_id)
        cut = desk_cuts.cut_for(self.actor, tournament)
        desk = desk_reads.shown_desk(tournament, cut)
        entry.number = desks.number_of(desk, entry) or entry.number
        with_deck = registering.may_see_deck(self.actor, entry)
        return Response(responses.entrant_response(tournament, desk, entry, with_deck=with_deck))


def entry_for(actor: Actor, pk: UUID) -> tuple[Entry, Tournament]:
    """Return an entry with its tournament. Raises: NotFound, also for actors who may not see it."""
    found = Entry.objects.select_related("tournament__log", *desks.WHO).filter(pk=pk).first()
    if found is None or not policy.may_see(actor, found.tournament):
        raise NotFound("There is no such entry.", "no-such-entrant")
    return found, found.tournament


class EntryDeckView(OpenEndpoint):
    @extend_schema(
        operation_id="entries_deck",
        tags=["entries"],
        responses=shapes.EntrysDeck,
    )
    def get(self, request: Request, entry_id: UUID) -> Response:
        """Return the deck of an entry, to those who may see it."""
        entry, _ = entry_for(self.actor, entry_id)
        if not registering.may_see_deck(self.actor, entry):
            raise NotAllowed("hidden", "Decks are shown when the tournament is closed.")
        deck, problems = registering.deck_of(entry), entry.deck_problems
        answer = shapes.EntrysDeck(deck, entry.deck_text, problems, entry.pieces.exists())
        return Response(answer)

    @extend_schema(
        operation_id="entries_register",
        tags=["entries"],
        request=shapes.DeckRegistration,
        responses=shapes.DeckRegistered,
    )
    def post(self, request: Request, entry_id: UUID) -> Response:
        """Register the deck of an entry, and list what is wrong with it."""
        sent = self.body(shapes.DeckRegistration)
        if not {"deck", "text", "loadout"} & set(request.data):
            text = "Send a `deck`, a list as `text`, or a `loadout`."
            raise BadInput("missing-field", text, "$.deck")
        if sum(each is not None for each in (sent.deck, sent.text, sent.loadout)) > 1:
            raise BadInput("twice", "Send a deck, a text or a loadout, only one of them.", "$.text")
        entry, _ = entry_for(self.actor, entry_id)
        if sent.loadout is not None:
            loadout = named("$.loadout", loadout_for, self.actor, sent.loadout)
            found = services.register_loadout(by=self.actor, entry=entry, loadout=loadout)
        else:
            deck = {"deck": sent.deck, "text": sent.text}
            found = services.register_deck(by=self.actor, entry=entry, **deck)
        answer = list_response(found) if found else logged.DeckResponse([])
        return Response(shapes.DeckRegistered(answer.problems, answer.deck, answer.lines))
