"""A league to view: a season with a circuit, one finished tournament, one in progress."""

from dataclasses import dataclass
from datetime import date, timedelta
from uuid import uuid4

from django.utils import timezone

from league import adjusting, services, webhooks
from league.happenings import EVENTS
from league.models import (
    Attempt,
    Circuit,
    Delivery,
    League,
    Penalty,
    Reminder,
    Season,
    Tournament,
    Venue,
)
from matches.actors import Actor
from matches.followers import work
from tests.league import desks

BRACKET = {"format": "single-elimination", "name": "Bracket", "best_of": 3, "cut": 4}


@dataclass(frozen=True)
class Leagues:
    league: League
    season: Season
    circuit: Circuit
    venue: Venue
    played: Tournament
    live: Tournament


def leagues(by: Actor) -> Leagues:
    venue = services.open_venue(by=by, name="Tycho hall", region="Luna", about="A hall.")
    league = services.found_league(by=by, name="Rim league", venue=venue, house_rules="Be kind.")
    season = services.open_season(
        by=by,
        league=league,
        name="Spring",
        starts_on=date(2026, 3, 1),
        ends_on=date(2026, 6, 1),
        divisions=["First"],
    )
    circuit = services.open_circuit(
        by=by, season=season, name="Ring", points=[5, 3, 1], direct=1, by_ranking=1
    )
    about = {"league": league, "season": season, "venue": venue, "round_minutes": 50}
    stages = [{**desks.SWISS, "name": "Swiss"}, BRACKET]
    played = desks.tournament(by, title="Rim open", stages=stages, **about)
    _play_out(played)
    services.add_qualifier(by=by, circuit=circuit, tournament=played)
    live = desks.tournament(by, title="Rim cup", **about)
    services.name_final(by=by, circuit=circuit, tournament=live)
    _begin(live, by)
    assert by.player is not None
    _date(by, live)
    services.make_krewe(by=by, league=league, name="Cinders")
    _tell(by, league)
    _write(by, league)
    guest = live.entries.exclude(player=by.player).first()
    assert guest is not None
    assert guest.player is not None
    services.sanction(by=by, league=league, player=guest.player, kind="exile", reason="Rude.")
    first, brought = season.divisions.get(), "Brought the prizes."
    services.place(by=by, division=first, player=guest.player)
    services.adjust(by=by, within=first, player=guest.player, points=1, reason=brought)
    ahead = adjusting.players_of(circuit)[0]
    services.adjust(by=by, within=circuit, player=ahead, points=-1, reason="Came late.")
    return Leagues(league, season, circuit, venue, played, live)


def _date(by: Actor, cup: Tournament) -> None:
    """Set the dates of the next pairing and of the current round's games, with a reminder."""
    week = timezone.now() + timedelta(weeks=3)
    services.set_date(by=by, tournament=cup, number=2, deadline=week)
    services.set_date(by=by, tournament=cup, number=3, pairs_at=week, weekly=True)
    Reminder.objects.create(
        tournament=cup, kind=Reminder.Kind.UNPLAYED, round=2, player=by.player, at=week, due_at=week
    )


def _tell(by: Actor, league: League) -> None:
    """Register a webhook with one message delivered at the second attempt and one pending."""
    hook, _ = webhooks.register(
        by=by, league=league, url="https://hooks.example.org/zgxl", events=list(EVENTS)
    )
    sent = webhooks.ping(by=by, webhook=hook)
    for status, error in ((None, "It took too long."), (200, "")):
        Attempt.objects.create(
            delivery=sent, began_at=sent.at, milliseconds=240, status=status, error=error
        )
    Delivery.objects.filter(pk=sent.pk).update(status=Delivery.Status.DELIVERED, attempts=2)
    webhooks.ping(by=by, webhook=hook)


def _write(by: Actor, league: League) -> None:
    """Write about a place: a public text, a restricted one, an event in each calendar, an edit."""
    for title, audience, when, calendar in (
        ("Who sweeps the rings", "public", "", "story"),
        ("Where the spare key is", "organisers", "", "story"),
        ("The seventh ring is closed", "players", "2107-03", "story"),
        ("The rings are painted", "public", "2026-02-14", "real"),
    ):
        services.write_text(
            by=by,
            place="terminus",
            league=league,
            title=title,
            text="As they tell it on the rings.",
            audience=audience,
            when=when,
            calendar=calendar,
        )
    first = league.place_texts.earliest("pk")
    services.edit_text(by=by, of=first, version=1, text="Nobody does.\n\nYet they are swept.")


def _play_out(cup: Tournament) -> None:
    desks.entered(cup, 5)
    desks.start(cup, rounds=2)
    for _ in range(2):
        desks.paired(cup)
        desks.play(cup)
    desks.act(cup, "cut-made", size=4)
    desks.act(cup, "stage-started", format="single-elimination", best_of=3, seed=1)
    for _ in range(2):
        desks.paired(cup)
        desks.play(cup)
    desks.act(cup, "tournament-closed")
    services.promise_prize(by=desks.organiser(cup), tournament=cup, place=1, amount=50)
    services.award(by=desks.organiser(cup), tournament=cup)
    work(cup.pk)


def _begin(cup: Tournament, by: Actor) -> None:
    """Play a round and pair the next without publishing it; add a penalty and a drop."""
    services.enter(tournament=cup, by=by, act_id=uuid4())
    desks.entered(cup, 4)
    desks.start(cup)
    desks.paired(cup)
    work(cup.pk)
    desks.play(cup)
    desks.act(cup, "penalty-given", entrant=2, infraction="late", penalty="warning", demerits=1)
    desks.act(cup, "dropped", entrant=5)
    services.pair(tournament=cup, by=desks.organiser(cup), act_id=uuid4(), seed=1)
    work(cup.pk)
    assert Penalty.objects.exists()
