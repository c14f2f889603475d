"""Ratings follow what was played, and what is corrected."""

import re
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league import ratings, services
from league.models import Rating, RatingPool, RatingRevision, RatingStep, Tournament
from matches import followers
from matches.actors import NOBODY
from matches.models import Event, Player
from matches.policy import visible_matches
from rules.desk.state import Table
from tests import factories
from tests.api.client import Api
from tests.factories import signed_in
from tests.html import squeezed
from tests.league import desks

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def follow(tournament: Tournament) -> Tournament:
    """Do what a worker does for a tournament."""
    followers.work(tournament.pk)
    tournament.log.refresh_from_db()
    return tournament


def strengths() -> dict[str, tuple[float, float]]:
    """Return everybody's rating by name, and require it to be their last step."""
    found = {}
    for row in Rating.objects.select_related("player"):
        last = row.player.rating_steps.filter(pool=row.pool).last()
        assert last is not None
        assert (last.mu, last.sigma) == (row.mu, row.sigma)
        found[row.player.name] = (row.mu, row.sigma)
    return found


def test_the_published_figures_of_four_new_players() -> None:
    four = [(str(uuid4()), place) for place in (1, 2, 3, 4)]

    (after,) = ratings.rated([four], {})

    assert after[four[0][0]] == (27.795253, 8.263572)
    assert after[four[3][0]] == (20.962413, 8.084128)


def test_who_wins_is_rated_above_who_loses_and_surer_than_before() -> None:
    follow(desks.played_out(desks.tournament(), players=4, rounds=3))

    names = [row.player.name for row in ratings.best_first("score")]
    assert names[0] == "Guest 1"
    assert names[-1] == "Guest 4"
    assert all(row.sigma < 25 / 3 for row in ratings.best_first("score"))
    assert all(row.provisional for row in ratings.best_first("score"))
    first = Player.objects.get(name="Guest 1")
    assert [step.place for step in first.rating_steps.all()] == [1, 1, 1]
    assert not RatingRevision.objects.exists()


def test_a_league_shows_who_is_rated_best_and_leads_to_everybody() -> None:
    by = factories.actor()
    league = desks.league(by)
    follow(desks.played_out(desks.tournament(by, league=league), players=10, rounds=1))
    page = squeezed(Client().get(league.get_absolute_url()))
    where = f"{league.get_absolute_url()}ratings/score/"
    assert f'href="{where}"' in page
    everybody = squeezed(Client().get(where))
    rated = [page.count('<span class="soft push num">') for page in (page, everybody)]
    assert rated == [8, 10]
    off = Client()
    off.cookies["results"] = "off"
    assert "Guest" not in squeezed(off.get(where))
    assert Client().get(f"{league.get_absolute_url()}ratings/zx/").status_code == 404


def test_a_rating_is_provisional_until_enough_tables_were_played() -> None:
    follow(desks.played_out(desks.tournament(), players=2, rounds=ratings.PROVISIONAL))

    assert not any(row.provisional for row in ratings.best_first("score"))


def test_a_corrected_past_is_rated_as_if_it_had_been_right_and_says_who_moved() -> None:
    """Two tournaments of one league; the first is corrected after both were rated."""
    by = factories.actor()
    league = desks.league(by)
    first = desks.tournament(by=by, league=league)
    entries = desks.entered(first, 4)
    desks.start(first, rounds=2)
    for _ in range(2):
        desks.paired(first)
        desks.play(first)
    follow(first)
    second = desks.tournament(by=by, league=league, title="Second")
    for entry in entries:
        services.enter(tournament=second, by=by, act_id=uuid4(), player=entry.player)
    desks.start(second, rounds=1)
    desks.paired(second)
    desks.play(second)
    follow(second)
    before = strengths()
    table = desks.desk(first).rounds[0].tables[0]
    right = [0, 2] if table.players[0] < table.players[1] else [2, 0]
    act = {"type": "result-corrected", "round": 1, "table": 1, "scores": right, "note": ""}
    told = services.preview_correction(
        tournament=first, by=by, act_id=_report_of(first, 1, 1), act=act
    )
    path = (
        f"/tournaments/{first.code}/rounds/1/tables/1/correct/?scores={'-'.join(map(str, right))}"
    )
    page = signed_in(by.user).get(path, headers={"Accept-Language": "de"}).content.decode()
    assert re.search(r"Wertung −?\d+,\d wird −?\d+,\d", page)

    desks.act(first, "result-corrected", round=1, table=1, scores=right, note="Wrong way round")
    follow(first)

    after = strengths()
    assert after != before
    said = [change.text for change in told.followers if "rating" in change.text]
    moved = {name for name in after if after[name] != before[name]}
    assert {text.partition(":")[0] for text in said} == moved
    revision = RatingRevision.objects.get()
    assert revision.tournament_id == first.pk
    assert len(revision.changes) == len(moved)
    assert revision.tables == 6
    _rebuilt(first, second)
    assert strengths() == after


def _report_of(tournament: Tournament, number: int, table: int) -> UUID:
    """Return the id of the act that told a table's result."""
    rows = Event.objects.filter(log=tournament.pk, type="result-reported").order_by("version")
    return next(row.act_id for row in rows if f'"round":{number},"table":{table},' in row.body)


def _rebuilt(*tournaments: Tournament) -> None:
    """Make all of it anew from the logs."""
    Rating.objects.all().delete()
    RatingStep.objects.all().delete()
    for tournament in tournaments:
        tournament.rated.all().delete()
    for tournament in reversed(tournaments):
        followers.follow(tournament.pk, followers.named("league.ratings.Ratings"), anew=True)


@pytest.mark.sqlite
def test_what_is_dated_back_afterwards_is_rated_before_what_was_played_since() -> None:
    by, two = factories.actor(), [factories.actor().player for _ in range(2)]
    cups = [desks.tournament(by, title=title) for title in ("First", "Second")]
    for cup, wins in zip(cups, (desks.first_wins, _second_wins), strict=True):
        for player in two:
            services.enter(tournament=cup, by=by, act_id=uuid4(), player=player)
        desks.start(cup, rounds=1)
        desks.paired(cup)
        desks.play(cup, result=wins)
        follow(cup)
    before = strengths()
    services.edit_tournament(by=by, tournament=cups[1], starts_at=NOON)
    follow(cups[1])
    assert sorted(before.values()) == sorted(strengths().values())
    assert before != strengths(), "now the other one won last"


def _second_wins(table: Table) -> tuple[int, ...]:
    return desks.first_wins(table)[::-1]


def test_a_round_is_rated_after_the_one_before_though_the_clock_was_set_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cup = desks.tournament()
    desks.entered(cup, 4)
    desks.start(cup, rounds=2)
    desks.paired(cup)
    desks.play(cup)
    back = timezone.now() - timedelta(minutes=10)
    monkeypatch.setattr(timezone, "now", lambda: back)
    desks.paired(cup)
    desks.play(cup)
    monkeypatch.undo()
    follow(cup)
    steps = RatingStep.objects.filter(player__name="Guest 1").select_related("table")
    assert [step.table.round for step in steps] == [1, 2]
    assert strengths()["Guest 1"] == (steps[1].mu, steps[1].sigma)


def test_undoing_a_round_takes_its_ratings_back() -> None:
    tournament = follow(desks.played_out(desks.tournament(), players=4, rounds=1))
    one = strengths()
    told = services.preview_take_back(
        tournament=tournament, by=desks.organiser(tournament), to=tournament.log.head_version - 2
    )
    gone = [change.text for change in told.followers if "not rated any more" in change.text]
    assert len(gone) == 4, "its round would not be closed"
    desks.act(tournament, "taken-back", to=1)

    follow(tournament)

    assert len(one) == 4
    assert strengths() == {}
    assert RatingRevision.objects.get().changes


def test_what_is_not_public_or_was_not_played_is_not_rated() -> None:
    secret = desks.tournament(visibility=Tournament.Visibility.ENTRANTS)
    follow(desks.played_out(secret, players=2, rounds=1))
    assert not Rating.objects.exists()

    held = desks.tournament(title="Held")
    desks.entered(held, 3)
    desks.start(held)
    desks.act(held, "results-held", round=1)
    desks.paired(held)
    desks.play(held)
    follow(held)
    assert not Rating.objects.exists()

    desks.act(held, "results-shown")
    follow(held)
    assert Rating.objects.count() == 2, "who had the bye is not rated"


def test_a_tournament_out_of_view_takes_its_matches_along_and_is_not_rated(
    django_capture_on_commit_callbacks: Any,
) -> None:
    by = factories.actor()
    cup = desks.tournament(by)
    desks.entered(cup, 2)
    desks.start(cup)
    desks.paired(cup)
    desks.play(cup)
    desks.paired(cup)
    match = services.open_table(tournament=cup, by=by, number=2, table=1)
    follow(cup)
    version, rated = cup.log.head_version, strengths()
    assert len(rated) == 2
    path, about = f"matches/{match.code}/", f"tournaments/{cup.code}/"

    assert Api(None).get(path).status_code == 200
    for visibility, status in (("entrants", 404), ("public", 200)):
        with django_capture_on_commit_callbacks(execute=True):
            assert Api(by).patch(about, {"visibility": visibility}).status_code == 200
        assert Api(None).get(about).status_code == Api(None).get(path).status_code == status
        assert visible_matches(NOBODY).filter(pk=match.pk).exists() == (status == 200)
        assert strengths_after(cup) == (rated if status == 200 else {})

    services.withdraw(by=by, tournament=cup)
    assert Api(None).get(path).status_code == 404
    assert strengths_after(cup) == {}
    with django_capture_on_commit_callbacks(execute=True):
        services.edit_tournament(by=by, tournament=cup, visibility="entrants")
        services.edit_tournament(by=by, tournament=cup, visibility="public")
    assert Api(None).get(path).status_code == 404, "what is withdrawn stays out of view"
    assert strengths_after(cup) == {}
    assert follow(cup).log.head_version == version


def strengths_after(tournament: Tournament) -> dict[str, tuple[float, float]]:
    follow(tournament)
    return strengths()


def test_a_forfeit_is_not_rated() -> None:
    tournament = desks.tournament()
    desks.entered(tournament, 2)
    desks.start(tournament)
    desks.paired(tournament)
    gone = desks.desk(tournament).rounds[0].tables[0].players[0]
    desks.act(tournament, "result-reported", round=1, table=1, absent=[gone])
    desks.act(tournament, "round-closed", round=1)

    follow(tournament)

    assert not Rating.objects.exists()


def test_who_ties_at_a_table_of_four_is_rated_alike() -> None:
    tournament = desks.tournament()
    desks.entered(tournament, 4)
    desks.start(tournament, format="pods", rounds=1, best_of=1, tiebreaks=[])
    desks.paired(tournament)

    def tie(table: Table) -> tuple[int, ...]:
        return (5, 3, 3, 1)

    desks.play(tournament, result=tie)
    follow(tournament)

    rows = sorted(strengths().values(), reverse=True)
    assert rows[0] > rows[1] == rows[2] > rows[3]


class History:
    """Tournaments of a league as if they were played, and rated after each change of it."""

    def __init__(self, name: str, players: list[Player]) -> None:
        by = factories.actor()
        home = desks.league(by, name)
        self.cups = [desks.tournament(by, league=home) for _ in range(3)]
        self.players = [str(player.pk) for player in players]
        self.tables: dict[int, dict[tuple[int, int, int], list[tuple[int, int]]]] = {
            number: {} for number in range(3)
        }

    def played(self, cup: Tournament) -> dict[ratings.Key, ratings.Places]:
        """Return the tables of a tournament: the keys are minute, round and table."""
        found = self.tables[self.cups.index(cup)]
        return {
            (NOON + timedelta(minutes=minute), cup.pk, number, table): tuple(
                (self.players[player], place) for player, place in result
            )
            for (minute, number, table), result in found.items()
        }

    def told(self) -> list[Any]:
        """Return everything that is kept of its ratings."""
        of = {"pool__league": self.cups[0].league}
        who = {player: number for number, player in enumerate(self.players)}
        cups = {cup.pk: number for number, cup in enumerate(self.cups)}
        rows = Rating.objects.filter(**of).values_list(
            "player", "mu", "sigma", "shown", "played", "provisional"
        )
        steps = RatingStep.objects.filter(**of).values_list(
            *("player", "table__tournament", "table__round", "table__table"),
            *("place", "mu", "sigma"),
        )
        return [
            sorted((who[str(player)], *row) for player, *row in rows),
            sorted((who[str(player)], cups[cup], *row) for player, cup, *row in steps),
            [
                (each.tables, sorted((who[player], *moved) for player, *moved in each.changes))
                for each in RatingRevision.objects.filter(**of).order_by("pk")
            ],
        ]


def _change(found: dict[Any, Any], minute: int, draw: Random) -> None:
    """Close a round, mostly now, change a result, or take one or a round away."""
    what = draw.random()
    if found and what < 0.15:
        found[draw.choice(sorted(found))] = _result(draw)
    elif found and what < 0.25:
        del found[draw.choice(sorted(found))]
    elif found and what < 0.3:
        last = max(number for _, number, _ in found)
        for key in [key for key in found if key[1] == last]:
            del found[key]
    else:
        at = minute if draw.random() < 0.8 else draw.randrange(minute + 1)
        number = max((number for _, number, _ in found), default=0) + 1
        for table in range(1, draw.randint(1, 3) + 1):
            found[at, number, table] = _result(draw)


def _result(draw: Random) -> list[tuple[int, int]]:
    """Return who of nine sat at a table, and their places, ties too."""
    there = draw.sample(range(9), draw.choice([2, 2, 3, 4]))
    return [(player, draw.randint(1, len(there))) for player in there]


@pytest.mark.parametrize("seed", range(4))
def test_what_is_added_at_the_end_is_rated_as_if_all_was_rated_again(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw, added = Random(seed), list[bool]()
    players = [Player.objects.create(name=f"Player {number}") for number in range(9)]
    quick, whole = (History(f"{name} {seed}", players) for name in ("Quick", "Whole"))
    real = ratings.ends_before

    def ends_before(pool: RatingPool, key: ratings.Key) -> bool:
        if pool.league == whole.cups[0].league:
            return False
        added.append(real(pool, key))
        return added[-1]

    monkeypatch.setattr(ratings, "ends_before", ends_before)
    for minute in range(1, 21):
        number = draw.randrange(3)
        _change(quick.tables[number], minute // draw.choice([1, 1, 2]), draw)
        whole.tables[number] = dict(quick.tables[number])
        for history in (quick, whole):
            monkeypatch.setattr(ratings, "played", history.played)
            ratings.Ratings().project(history.cups[number].log)
        assert quick.told() == whole.told()
    assert {*added} == {True, False}


def test_a_round_at_the_end_reads_none_of_the_steps_before() -> None:
    by = factories.actor()
    home = desks.league(by)
    asked = []
    for rounds in (1, 3, 1):
        cup = desks.tournament(by, league=home)
        desks.entered(cup, 4)
        desks.start(cup, rounds=rounds)
        for _ in range(rounds):
            desks.paired(cup)
            desks.play(cup)
        with CaptureQueriesContext(connection) as queries:
            follow(cup)
        steps = [each["sql"] for each in queries if "ratingstep" in each["sql"].lower()]
        asked.append([sql.split()[0] for sql in steps])
    assert asked[0] == asked[2]
    assert {*asked[2]} == {"INSERT"}
