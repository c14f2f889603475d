"""The demo's season: four venues, three qualifiers, and the Dark Side final in its semi-finals.
Its league also tells something of the places.

Once all of it was there it is the people's: what they close, rename or take away stays so.
"""

from collections.abc import Sequence
from datetime import date
from typing import Any
from uuid import UUID

from django.utils import timezone

from deploy.demo import desk_bots, ownership
from league import chronicle, services
from league.models import (
    Circuit,
    League,
    Membership,
    PlaceTextVersion,
    Role,
    Season,
    Tournament,
    Venue,
)
from matches import followers
from matches.actors import Actor

LEAGUE = "ZGXL"
NAMESPACE = UUID("0f7a6a52-5f0e-4a1e-8c52-6a8e5a7e2211")
VENUES: dict[str, dict[str, Any]] = {
    "Dark Side Station": {
        "region": "Behind the Moon, at the second Lagrange point",
        "about": "Three million people on ships, hubs and rocks that were bolted to one another, "
        "held together against the tides by those who live there. Nobody rules it. Once a year its "
        "tournament ends the ZGXL's season, and eight billion watch.",
        "tables": 8,
        "house_rules": "Every table has a lamp, a wreck in its middle and two crates that hold a "
        "shot.\nWhat falls off a table during a tide is put back where the zMarshal saw it last.",
    },
    "Luna": {
        "region": "The Moon, in the tunnels",
        "about": "Convicts dug these mines, and between shifts they made matches of their duels: "
        "here Z-G became a sport. The first Cestus Mercs were guards picked from among them.",
        "tables": 4,
        "house_rules": "Tables stand in side tunnels, two props on each. No running in the main "
        "shaft.",
    },
    "Terminus": {
        "region": "The waystation above Africa",
        "about": "Twenty million live around the seven rings of the T1 Space Gun, and the "
        "Umbilical joins them to the ground. Everybody passes through quarantine, and whatever is "
        "played anywhere has friends here.",
    },
    "Earth": {
        "region": "The third planet",
        "about": "Half of all people, under laws that forgive nothing done to the ground they "
        "stand on. Whoever breaks one plays elsewhere, for good.",
    },
}
TEXTS: dict[str, tuple[dict[str, Any], ...]] = {
    "dark-side-station": (
        {
            "title": "Who lights the hall",
            "text": "The hall of the final has no mains. Every ship that is tied up within four "
            "locks of it lends a cable for the week, and a lamp at each table hangs on another "
            "ship's current. A crew that feels cheated pulls its plug. The zMarshals carry "
            "torches, and no match has ever been stopped for the dark.",
        },
        {
            "title": "The final that went on outside",
            "text": "A tide took the roof off the hall in the last turn of the third table. Both "
            "players had their suits on, asked for their gear, and played it out under the stars.",
            "when": "2106-08-19",
        },
    ),
    "luna": (
        {
            "title": "A hall for Tycho",
            "text": "The night shift of the Tycho mines dug a hall that was on no plan, swept it, "
            "and opened it with a duel. The governor came to close it down and stayed to the end.",
            "when": "2097-03",
        },
    ),
}
"""Stories of the league about places, beside those shipped; `when` is in the story's time."""

SWISS = {
    "format": "swiss",
    "name": "Swiss",
    "rounds": 3,
    "best_of": 3,
    "tiebreaks": ["omw", "gw", "ogw"],
}
CUT = {"format": "single-elimination", "name": "Cut", "best_of": 3, "cut": 4}
PODS = {"format": "pods", "name": "Pods", "rounds": 3, "tiebreaks": ["firsts", "beaten"]}
POD_FINAL = {"format": "pod-elimination", "name": "Final table", "cut": 4}
GROUPS = {"format": "round-robin", "name": "Groups", "groups": 2, "best_of": 3}
DOUBLE = {"format": "double-elimination", "name": "Double elimination", "best_of": 3, "cut": 4}
SEMIS = {"format": "single-elimination", "name": "The Dark Side", "best_of": 3, "third_place": True}
DIVISIONS = ("Inner orbit", "Outer orbit")
"""The season's divisions, the highest first; `small_tournaments` plays an evening of each."""
QUALIFIERS: tuple[tuple[str, str, list[dict[str, Any]]], ...] = (
    ("Tycho Open", "Luna", [SWISS, CUT]),
    ("Space Gun Pods", "Terminus", [PODS, POD_FINAL]),
    ("Earthbound Cup", "Earth", [GROUPS, DOUBLE]),
)
FINAL = "Dark Side Tournament"


def load(people: Sequence[Actor]) -> None:
    """Create what is missing of the season; the first of the people runs it."""
    by, players = people[0], people[1:]
    if all(_is_loaded(by, title) for title in (*(name for name, *_ in QUALIFIERS), FINAL)):
        return
    venues = {name: _venue(by, name) for name in VENUES}
    season = _season(by, people[1], venues["Dark Side Station"])
    _tell(by, season.league)
    circuit = Circuit.objects.filter(season=season).first() or services.open_circuit(
        by=by,
        season=season,
        name="Road to the Dark Side",
        points=[25, 18, 15, 12, 10, 8, 6],
        best=2,
        direct=1,
        by_ranking=1,
    )
    for title, venue, stages in QUALIFIERS:
        cup = _tournament(by, title, stages, league=season.league, season=season,
                          venue=venues[venue])  # fmt: skip
        services.add_qualifier(by=by, circuit=circuit, tournament=cup)
        desk_bots.drive(by, cup, players)
        followers.work(cup.pk)
    final = _tournament(by, FINAL, [SEMIS], league=season.league, season=season,
                        venue=venues["Dark Side Station"])  # fmt: skip
    services.name_final(by=by, circuit=circuit, tournament=final)
    _final(by, circuit, final, players)


def _is_loaded(by: Actor, title: str) -> bool:
    """Tell whether a tournament came as far as it should, or into other hands."""
    cup = ownership.last_cup(by, ownership.editions(NAMESPACE, title))
    if cup is None or ownership.is_outdated(cup):
        return False
    under_way = title == FINAL and cup.matches.exists()
    return under_way or ownership.is_theirs(cup) or desk_bots.desk_of(cup).closed


def _venue(by: Actor, name: str) -> Venue:
    found = Venue.objects.filter(name=name, keeper=by.player).first()
    return found or services.open_venue(by=by, name=name, **VENUES[name])


def _tell(by: Actor, league: League) -> None:
    """Add the league's stories about places; one that had a title before is not added again."""
    for place, texts in TEXTS.items():
        for fields in texts:
            kept = PlaceTextVersion.objects.filter(of__league=league, of__place=place)
            if not kept.filter(title=fields["title"]).exists():
                chronicle.write_text(by=by, place=place, league=league, **fields)


def _season(by: Actor, marshal: Actor, home: Venue) -> Season:
    league = league_of(by) or services.found_league(
        by=by,
        name=LEAGUE,
        venue=home,
        about="The largest league of Z-G. Three qualifiers on three worlds, then the Dark Side.",
        house_rules="A slag lasts one match. What a table agrees on stands; a zMarshal rules.",
    )
    if marshal.player is not None:
        services.name_member(by=by, league=league, player=marshal.player, role=Role.JUDGE)
    return Season.objects.filter(league=league).first() or _new_season(by, league)


def _new_season(by: Actor, league: League) -> Season:
    """Begin this year's season: between its divisions one goes up, one down, and two play off."""
    year = timezone.localdate().year
    season = services.open_season(
        by=by,
        league=league,
        name=f"Season of {year}",
        starts_on=date(year, 1, 1),
        ends_on=date(year, 12, 31),
        divisions=DIVISIONS,
    )
    for division in season.divisions.all():
        services.edit_division(by=by, division=division, up=1, down=1, play_off=1)
    return season


def league_of(by: Actor) -> League | None:
    """Return the demo's league, which is run by the first of the people."""
    roles = Membership.objects.filter(player=by.player, role=Role.ORGANISER)
    return League.objects.filter(name=LEAGUE, members__in=roles).first()


def _tournament(
    by: Actor, title: str, stages: Sequence[dict[str, Any]], **around: Any
) -> Tournament:
    def make(act_id: UUID) -> Tournament:
        return services.open_tournament(
            by=by, title=title, ruleset="score", options={"best_of": 3}, stages=stages,
            act_id=act_id, **around,
        )  # fmt: skip

    return ownership.cup(by, ownership.editions(NAMESPACE, title), make)


def _final(by: Actor, circuit: Circuit, cup: Tournament, players: Sequence[Actor]) -> None:
    """Play the final into its semi-finals: one is over, the other under way."""
    invited = {place.player.pk for place in services.qualified(circuit)}
    desk_bots.drive(by, cup, [actor for actor in players if actor.player_id in invited], upto=1)
    if ownership.is_theirs(cup):
        return
    desk = desk_bots.desk_of(cup)
    if table := desk_bots.open_table(desk):
        services.open_table(tournament=cup, by=by, number=len(desk.rounds), table=table.number)
    followers.work(cup.pk)
