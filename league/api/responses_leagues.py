"""Answers on places, leagues, seasons and circuits, made from the results of selectors."""

from collections.abc import Iterable
from typing import Any

import msgspec
from rest_framework.request import Request
from rest_framework.reverse import reverse

from league import (
    chronicle,
    circuits,
    divisions,
    fairness,
    lore,
    outlooks,
    policy,
    selectors,
)
from league.api import shapes
from league.models import (
    Adjustment,
    Circuit,
    Division,
    Krewe,
    League,
    Membership,
    PlaceText,
    Role,
    Sanction,
    Season,
    Venue,
)
from league.outlooks import CircuitScene
from matches.actors import Actor
from matches.api.responses import spins_response
from matches.models import Player

MAX_PLAYED = 50  # tournaments listed for a place


def venue_response(venue: Venue, request: Request) -> shapes.VenueResponse:
    return shapes.VenueResponse(
        venue.slug,
        venue.name,
        venue.region,
        venue.about,
        venue.lore,
        reverse("api:venue", args=[venue.slug], request=request),
        place_url(venue, request),
        venue.timezone,
        venue.tables,
        venue.house_rules,
    )


def place_url(venue: Venue | None, request: Request) -> str:
    """Return the URL of the place where a venue lies, "" for none."""
    place = lore.place_of(venue) if venue else None
    return reverse("api:place", args=[place.slug], request=request) if place else ""


def _of_place(place: lore.Place, request: Request) -> dict[str, str]:
    return {
        **{name: getattr(place, name) for name in ("slug", "name", "game", "where", "line")},
        "url": reverse("api:place", args=[place.slug], request=request),
    }


def places_response(request: Request) -> shapes.Places:
    world = lore.lore()
    return shapes.Places(
        [shapes.PlaceLine(**_of_place(place, request)) for place in world.places], world.words
    )


def place_response(place: lore.Place, actor: Actor, request: Request) -> shapes.PlaceResponse:
    venues = lore.venues_at(place)
    played = selectors.tournaments_for(actor).filter(venue__in=venues)[:MAX_PLAYED]
    return shapes.PlaceResponse(
        **_of_place(place, request),
        facts=[shapes.PlaceFact(*each) for each in place.facts],
        dated=[shapes.DatedEvent(*each) for each in place.dated],
        sections=[shapes.PlaceSection(each.title, each.text.strip()) for each in place.sections],
        venues=[venue.slug for venue in venues],
        tournaments=[each.code for each in played],
        texts=[text_response(each, request) for each in chronicle.texts_for(actor, place.slug)],
    )


def text_response(text: PlaceText, request: Request) -> shapes.PlaceTextResponse:
    return shapes.PlaceTextResponse(
        id=text.pk,
        place=text.place,
        league=text.league.slug if text.league else "",
        title=text.title,
        text=text.text,
        audience=text.audience,
        when=text.when,
        calendar=text.calendar,
        version=text.version,
        is_removed=text.is_removed,
        url=reverse("api:place-text", args=[text.place, text.pk], request=request),
    )


def _of_league(league: League, request: Request) -> dict[str, Any]:
    return {
        "slug": league.slug,
        "name": league.name,
        "game": league.game,
        "venue": league.venue.slug if league.venue else "",
        "is_open": league.is_open,
        "url": reverse("api:league", args=[league.slug], request=request),
    }


def league_line(league: League, request: Request) -> shapes.LeagueLine:
    return shapes.LeagueLine(**_of_league(league, request))


def league_response(league: League, request: Request) -> shapes.LeagueResponse:
    members = league.members.select_related("player").order_by("role", "pk")
    return shapes.LeagueResponse(
        **_of_league(league, request),
        about=league.about,
        house_rules=league.house_rules,
        officials=[member_response(each) for each in members.exclude(role=Role.PLAYER)],
        players=members.filter(role=Role.PLAYER).count(),
    )


def member_response(member: Membership) -> shapes.MemberResponse:
    return shapes.MemberResponse(member.player_id, member.player.name, member.role)


def sanction_response(sanction: Sanction) -> shapes.SanctionResponse:
    return shapes.SanctionResponse(
        sanction.pk,
        sanction.player_id,
        sanction.player.name,
        sanction.kind,
        sanction.starts_on,
        sanction.ends_on,
        sanction.lifted_on,
        sanction.reason,
    )


def krewe_response(krewe: Krewe) -> shapes.KreweResponse:
    return shapes.KreweResponse(
        id=krewe.pk,
        league=krewe.league.slug,
        name=krewe.name,
        captain=krewe.captain_id,
        players=sorted(player.pk for player in krewe.players.all()),
    )


# -- seasons and circuits -----------------------------------------------------------------


def _of_season(season: Season, request: Request) -> dict[str, Any]:
    return {
        "id": season.pk,
        "league": season.league.slug,
        "name": season.name,
        "starts_on": season.starts_on,
        "ends_on": season.ends_on,
        "url": reverse("api:season", args=[season.pk], request=request),
    }


def season_line(season: Season, request: Request) -> shapes.SeasonLine:
    return shapes.SeasonLine(**_of_season(season, request))


def season_response(season: Season, actor: Actor, request: Request) -> shapes.SeasonResponse:
    shown = policy.visible_tournaments(actor).filter(season=season)
    return shapes.SeasonResponse(
        **_of_season(season, request),
        about=season.about,
        divisions=[
            division_response(each, actor, rows)
            for each, rows in (
                [] if actor.results_off else divisions.division_tables(season, actor)
            )
        ],
        circuits=list(season.circuits.values_list("pk", flat=True)),
        tournaments=list(shown.values_list("code", flat=True)),
        spins=[spins_response(each) for each in fairness.spins_of(actor, season)],
    )


def division_response(
    division: Division, actor: Actor, rows: Iterable[divisions.Ranked] | None = None
) -> shapes.DivisionResponse:
    decider = division.play_off_in
    if rows is None:
        rows = divisions.division_table(division, actor)
    return shapes.DivisionResponse(
        division.pk,
        division.level,
        division.name,
        division.up,
        division.down,
        division.play_off,
        decider.code if decider and policy.may_see(actor, decider) else "",
        [
            shapes.DivisionRow(
                row.place,
                row.player.pk,
                row.player.name,
                str(row.points),
                row.active,
                row.moves,
                [adjustment_response(each, row.player) for each in row.adjustments],
            )
            for row in rows
        ],
    )


def adjustment_response(adjustment: Adjustment, player: Player) -> shapes.AdjustmentResponse:
    return shapes.AdjustmentResponse(
        adjustment.pk,
        player.pk,
        player.name,
        adjustment.points,
        adjustment.reason,
        adjustment.made_at,
    )


def moves_response(moves: Iterable[divisions.Move]) -> list[shapes.PlayerMove]:
    return [
        shapes.PlayerMove(m.player.pk, m.player.name, m.level, m.was, m.seed, m.decided)
        for m in moves
    ]


def circuit_line(circuit: Circuit, request: Request) -> shapes.CircuitLine:
    return shapes.CircuitLine(
        circuit.pk,
        circuit.season_id,
        circuit.name,
        reverse("api:circuit", args=[circuit.pk], request=request),
    )


def _circuit_row(row: circuits.RankingRow, outlook: outlooks.Outlook | None) -> shapes.CircuitRow:
    got = [
        shapes.GotResponse(
            g.qualifier.tournament.code, g.place, g.points, g.counted, g.field, g.sharing
        )
        for g in row.got
    ]
    return shapes.CircuitRow(
        row.place,
        row.player.pk,
        row.player.name,
        row.points,
        got,
        _outlook(outlook),
        row.ahead_by,
        [adjustment_response(each, row.player) for each in row.adjustments],
        row.moved,
    )


def _outlook(found: outlooks.Outlook | None) -> shapes.OutlookResponse | None:
    if found is None:
        return None
    return shapes.OutlookResponse(found.status, found.why, found.call, found.needs)


def circuit_response(
    circuit: Circuit,
    actor: Actor,
    request: Request,
    after: int | None = None,
    *,
    so_far: bool = False,
) -> shapes.CircuitResponse:
    scene = CircuitScene(circuit, actor, after, so_far=so_far)
    return shapes.CircuitResponse(
        **msgspec.structs.asdict(circuit_line(circuit, request)),
        rule=circuits.sentence(circuit),
        about=circuit.about,
        points=circuit.points,
        best=circuit.best,
        direct=circuit.direct,
        by_ranking=circuit.by_ranking,
        pass_down=circuit.pass_down,
        after=scene.after,
        qualifiers=[
            shapes.QualifierResponse(
                each.tournament.code,
                each.tournament.title,
                each.tier,
                each.tournament.closed_at is not None,
                each.tournament.starts_at,
            )
            for each in scene.qualifiers
        ],
        final=scene.final.code if scene.final else "",
        table=[_circuit_row(row, scene.outlooks.get(row.player.pk)) for row in scene.rows],
        qualified=[
            shapes.QualifiedResponse(
                each.player.pk,
                each.player.name,
                each.why,
                [player.name for player in each.passed],
                each.answer,
            )
            for each in scene.qualified
        ],
        so_far=scene.so_far.tournament.code if scene.so_far else "",
    )
