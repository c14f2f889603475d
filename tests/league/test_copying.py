"""A tournament copied from another takes over its settings and nothing of its day."""

from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from league import copying, services
from league import desks as at_desk
from league.models import Role, Tournament
from rules.desk.acts import Options
from tests import factories
from tests.api.client import Api, problem
from tests.factories import signed_in
from tests.html import text_of
from tests.league import desks

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

STAGES: list[dict[str, Any]] = [
    {**desks.SWISS, "name": "Swiss", "cut": 0, "win": 2, "seed": 9},
    {"format": "single-elimination", "third_place": True, "name": "", "cut": 4},
]
SET = {
    "about": "Every week.",
    "cost_class": "Rookie",
    "visibility": "entrants",
    "decks": "required",
    "sign_up": False,
    "self_report": False,
    "round_minutes": 40,
    "remind_hours": 3,
    "shared_prizes": "order",
    "timezone": "Europe/Berlin",
    "options": {"best_of": 3},
}


def _weekly(**details: Any) -> Tournament:
    """Return a tournament in which nothing is as it would be by itself, with entrants."""
    by = factories.actor()
    league = desks.league(by)
    details.setdefault("venue", services.open_venue(by=by, name="Bar"))
    desk = Options(cap=8, check_in=True, confirmed_only=True)
    cup = desks.tournament(by, league=league, desk=desk, stages=STAGES, **SET, **details)
    desks.entered(cup, 2)
    return cup


def _opened(cup: Tournament, **said: Any) -> Tournament:
    return services.open_like(by=desks.organiser(cup), former=cup, title="Next", **said)


def test_all_that_was_set_comes_along_and_nobody_who_entered() -> None:
    cup = _weekly(ruleset="score")
    services.edit_tournament(by=desks.organiser(cup), tournament=cup, decks_shown=True)

    found = _opened(cup)

    names = [name for name in (*copying.SAME, "options") if name != "about"]
    assert [getattr(found, name) for name in names] == [getattr(cup, name) for name in names]
    assert at_desk.setup_of(found).options == at_desk.setup_of(cup).options
    first, final = found.plans.all()
    assert first.settings == {**desks.SWISS, "win": 2}
    assert (final.settings["third_place"], final.cut) == (True, 4)
    assert not found.entries.exists()
    assert not found.decks_shown


def test_it_is_of_the_season_of_its_day_and_in_its_division_there() -> None:
    by = factories.actor()
    league = desks.league(by)
    one, two = (
        services.open_season(
            by=by, league=league, name=str(year), divisions=["Top"],
            starts_on=date(year, 1, 1), ends_on=date(year, 12, 31),
        )
        for year in (2031, 2032)
    )  # fmt: skip
    top = one.divisions.get()
    cup = desks.tournament(by, league=league, season=one, division=top)
    soon, later = (
        _opened(cup, starts_at=datetime(year, 5, 1, tzinfo=UTC)) for year in (2031, 2032)
    )
    assert (soon.season, soon.division, later.season, later.division) == (one, top, two, None)


def test_it_counts_for_the_circuits_of_its_season_that_are_open() -> None:
    by = factories.actor()
    league = desks.league(by)
    one, two = (
        services.open_season(
            by=by, league=league, name=str(year),
            starts_on=date(year, 1, 1), ends_on=date(year, 12, 31),
        )
        for year in (2031, 2032)
    )  # fmt: skip
    of_one = {"by": by, "season": one, "points": [3, 1]}
    cup = desks.tournament(by, league=league, season=one)
    final = desks.tournament(by, league=league, season=one)
    races, over = (services.open_circuit(name=name, **of_one) for name in ("Races", "Over"))
    for each in (races, over):
        services.add_qualifier(by=by, circuit=each, tournament=cup, tier=2, direct=1)
    services.name_final(by=by, circuit=over, tournament=final)
    desks.entered(final, 2)
    desks.start(final)

    client = signed_in(by.user)
    sent = {"title": "Next", "starts_at": "2031-05-01T20:00", "cap": "0", "act_id": str(uuid4())}
    page = f"/tournaments/new/?like={cup.code}"
    for _ in range(2):
        told = text_of(client.post(page, sent, follow=True))
        assert "It counts for Races." in told
        assert "It does not count for Over, as Cup does" in told
    found = races.qualifiers.get(tournament__title="Next")
    assert (found.order, found.tier, found.direct) == (2, 2, 1)
    assert over.qualifiers.count() == 1

    api, later = Api(by), {"like": cup.code, "title": "Later", "starts_at": "2032-05-01T20:00:00Z"}
    told = api.post("tournaments/", {**later, "starts_at": "2031-06-01T20:00:00Z"}).json()
    assert told["circuits"] == [str(races.pk)]
    told = api.post("tournaments/", later).json()
    assert (told["season"], told["circuits"]) == (str(two.pk), [])


@pytest.mark.parametrize(
    ("title", "after"),
    [
        ("Club night 12", "Club night 13"),
        ("Cup #099", "Cup #100"),
        ("Rim Open 2026", "Rim Open 2027"),
        ("Cup 26/11", ""),
        ("Cup", "Cup 2"),
    ],
)
def test_a_name_that_is_numbered_goes_on(title: str, after: str) -> None:
    assert copying.title_after(Tournament(title=title)) == after


def test_the_same_hour_of_a_week_to_come_is_proposed() -> None:
    zone = {"timezone": "Europe/Berlin"}
    spring = Tournament(starts_at=datetime(2099, 3, 27, 18, tzinfo=UTC), **zone)
    assert copying.starts_after(spring) == datetime(2099, 4, 3, 17, tzinfo=UTC)
    long_ago = Tournament(starts_at=timezone.now() - timedelta(days=45), timezone="UTC")
    proposed = copying.starts_after(long_ago)
    assert proposed is not None
    assert timedelta(0) < proposed - timezone.now() <= timedelta(weeks=1)
    assert copying.starts_after(Tournament()) is None


def test_a_page_opens_the_next_one_once() -> None:
    cup = _weekly(title="Night 7", starts_at=datetime(2099, 1, 1, 19, tzinfo=UTC))
    client = signed_in(desks.organiser(cup).user)
    page = f"/tournaments/new/?like={cup.code}"
    assert page in client.get(f"/tournaments/{cup.code}/console/").content.decode()
    form = client.get(page).context["form"]
    assert (form["title"].value(), form["cap"].value()) == ("Night 8", 8)

    sent = {"title": "Night 8", "starts_at": "2099-01-08T20:00", "cap": "6", "act_id": str(uuid4())}
    for _ in range(2):
        assert client.post(page, sent).status_code == 302

    found = Tournament.objects.get(title="Night 8")
    assert found.starts_at == datetime(2099, 1, 8, 19, tzinfo=UTC)
    assert at_desk.setup_of(found).options == Options(cap=6)
    assert found.plans.count() == 2


def test_a_program_says_what_is_not_the_same() -> None:
    cup = _weekly()
    api = Api(desks.organiser(cup))
    bar = services.open_venue(by=desks.organiser(cup), name="Hall", timezone="Asia/Tokyo")
    sent = {
        "like": cup.code,
        "title": "Other",
        "venue": bar.slug,
        "decks": "none",
        "id": str(uuid4()),
    }
    made, again = (api.post("tournaments/", sent) for _ in range(2))
    assert (made.status_code, again.status_code) == (201, 200)
    told = made.json()
    assert [told[name] for name in ("venue", "timezone", "decks")] == [
        bar.slug,
        "Asia/Tokyo",
        "none",
    ]
    assert (told["league"], told["desk"]["cap"], told["cost_class"]) == (
        *(cup.league.slug, 8, "Rookie"),
    )


def test_only_who_organises_it_opens_another_like_it() -> None:
    cup = desks.tournament(league=desks.league(by := factories.actor()), by=by)
    helper = factories.actor()
    assert helper.player is not None
    sent = {"like": cup.code, "title": "Mine"}
    problem(Api(helper).post("tournaments/", sent), 403, "not-allowed")
    services.name_member(by=by, tournament=cup, player=helper.player, role=Role.ORGANISER)
    client = signed_in(helper.user)
    page = f"/tournaments/new/?like={cup.code}"
    assert client.get(page).status_code == 403
    assert page not in client.get(f"/tournaments/{cup.code}/console/").content.decode()
    assert Api(helper).post("tournaments/", {**sent, "league": ""}).status_code == 201
    alone = desks.tournament(by)  # of no league
    assert Api(by).post("tournaments/", {**sent, "like": alone.code}).status_code == 201
    problem(Api(by).post("tournaments/", {**sent, "like": "NONE"}), 400, "no-such-tournament")
