"""Ratings follow what was played, and what is corrected."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from league import ratings, services
from league.models import Rating, RatingRevision, RatingStep, Tournament
from matches import followers
from matches.models import Event, Player
from matches.policy import NOBODY, visible_matches
from rules.desk.state import Table
from tests import factories
from tests.api.client import Api
from tests.league import desks

pytestmark = pytest.mark.django_db


def follow(tournament: Tournament) -> Tournament:
    """Do what a worker does for a tournament."""
    followers.work(tournament.pk)
    tournament.log.refresh_from_db()
    return tournament


def strengths() -> dict[str, tuple[float, float]]:
    """Return everybody's rating by name, and require it to be their last step."""
    found = {}
    for row in Rating.objects.select_related("player"):
        last = ratings.history(row.player, row.pool).last()
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

    names = [row.player.name for row in ratings.table_of("score")]
    assert names[0] == "Guest 1"
    assert names[-1] == "Guest 4"
    assert all(row.sigma < 25 / 3 for row in ratings.table_of("score"))
    assert all(row.provisional for row in ratings.table_of("score"))
    first = Player.objects.get(name="Guest 1")
    assert [step.place for step in ratings.history(first)] == [1, 1, 1]
    assert not RatingRevision.objects.exists()


def test_a_rating_is_provisional_until_enough_tables_were_played() -> None:
    follow(desks.played_out(desks.tournament(), players=2, rounds=ratings.PROVISIONAL))

    assert not any(row.provisional for row in ratings.table_of("score"))


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


def test_undoing_a_round_takes_its_ratings_back() -> None:
    tournament = follow(desks.played_out(desks.tournament(), players=4, rounds=1))
    one = strengths()
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
