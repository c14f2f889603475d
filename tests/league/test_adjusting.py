"""Points that organisers give in a circuit or take, and what they count for."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from league import circuits, divisions, erasing, finals, outlooks, races, services
from league.models import Adjustment, Circuit, Standing, Tournament
from matches import claiming
from matches import services as matches
from matches.actors import Actor
from matches.errors import Conflict, NotAllowed
from matches.models import Player
from tests import factories
from tests.api.client import Api, problem
from tests.factories import signed_in
from tests.html import squeezed
from tests.league import desks

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

YEAR = {"starts_on": date(2026, 1, 1), "ends_on": date(2026, 12, 31)}


def _circuit(by: Actor, **rules: Any) -> Circuit:
    league = services.found_league(by=by, name="Drift")
    season = services.open_season(by=by, league=league, name="One", divisions=["A"], **YEAR)
    rules = {"points": [10, 6, 3], **rules}
    return services.open_circuit(by=by, season=season, name="Dust", **rules)


def _players(number: int) -> list[Player]:
    found = [factories.actor().player for _ in range(number)]
    return [each for each in found if each is not None]


def _table(circuit: Circuit, after: int | None = None) -> list[tuple[Player, int]]:
    endings = circuits.endings_of(circuits.qualifiers_of(circuit))
    return [(row.player, row.points) for row in circuits.table_from(circuit, endings, after)]


def _give(circuit: Circuit, player: Player, points: int, reason: str = "Why.") -> Adjustment:
    league = circuit.season.league
    by = league.members.get(role="organiser").player
    return services.adjust(
        by=Actor(by.user, by), within=circuit, player=player, points=points, reason=reason
    )


def _to_come(circuit: Circuit, by: Actor, **details: Any) -> Tournament:
    league, season = circuit.season.league, circuit.season
    coming = desks.tournament(by, title="To come", league=league, season=season, **details)
    services.add_qualifier(by=by, circuit=circuit, tournament=coming)
    return coming


def _closed(cup: Tournament, *, days_ago: int) -> None:
    when = timezone.now() - timedelta(days=days_ago)
    Tournament.objects.filter(pk=cup.pk).update(closed_at=when)


def _at(adjustment: Adjustment, *, days_ago: int) -> None:
    when = timezone.now() - timedelta(days=days_ago)
    Adjustment.objects.filter(pk=adjustment.pk).update(made_at=when)


def test_organisers_give_and_take_points_of_a_circuit_for_all_to_read() -> None:
    by = factories.actor("Halder")
    circuit = _circuit(by)
    first, second, third = _players(3)
    desks.stand(circuit, [first, second])
    at, api = f"circuits/{circuit.pk}/adjustments/", Api(by)
    sent = {"id": str(uuid4()), "player": str(first.pk), "points": -5, "reason": "Never came."}
    answers = [api.post(at, sent) for _ in range(2)]
    assert [each.status_code for each in answers] == [201, 200]
    given = answers[0].json()
    assert given == answers[1].json()
    assert (given["points"], given["reason"], given["name"]) == (-5, "Never came.", first.name)
    for wrong, code in (
        ({"points": 0}, "bad-points"),
        ({"points": -1001}, "out-of-range"),
        ({"reason": " "}, "bad-length"),
        ({"player": str(third.pk)}, "not-in-circuit"),
    ):
        told = problem(api.post(at, {**sent, "id": str(uuid4()), **wrong}), 400, code)
    assert told["errors"][0]["where"] == "$.player"
    division = circuit.season.divisions.get()
    problem(api.post(f"divisions/{division.pk}/adjustments/", sent), 409, "id-reused")
    problem(api.post(f"circuits/{uuid4()}/adjustments/", sent), 404, "no-such-circuit")
    problem(Api(factories.actor()).post(at, {**sent, "id": str(uuid4())}), 403, "not-allowed")

    page, edit = signed_in(by.user), f"/circuits/{circuit.pk}/edit/"
    form = {"do": "adjust", "adjust-player": second.pk, "adjust-points": 2}
    told = squeezed(page.post(edit, {**form, "adjust-reason": ""}))
    assert "This field is required." in told
    answer = page.post(edit, {**form, "adjust-reason": "Painted by Halder"})
    assert (answer.status_code, answer["Location"]) == (302, f"/circuits/{circuit.pk}/")

    table = Api(None).get(f"circuits/{circuit.pk}/").json()["table"]
    assert [(row["player"], row["points"]) for row in table] == [
        (str(second.pk), 8),
        (str(first.pk), 5),
    ]
    assert [row["adjustments"] for row in table][-1] == [given]
    shown = squeezed(Client().get(f"/circuits/{circuit.pk}/"))
    assert f"−5 {first}, " in shown
    assert ": Never came." in shown
    assert "with −5" in shown
    assert "with +2" in shown
    with pytest.raises(Conflict, match="something belongs to it"):
        services.remove(by=by, thing=circuit)

    erasing.erase(by.player)
    assert [each.reason for each in Adjustment.objects.all()] == ["Never came.", "Erased"]


def test_nobody_is_offered_points_before_there_is_a_result() -> None:
    by = factories.actor()
    circuit = _circuit(by)
    page = squeezed(signed_in(by.user).get(f"/circuits/{circuit.pk}/edit/"))
    assert "Points given and taken" not in page
    desks.stand(circuit, _players(1))
    page = squeezed(signed_in(by.user).get(f"/circuits/{circuit.pk}/edit/"))
    assert "Points given and taken" in page


def test_points_given_add_to_the_sum_and_leave_results_and_tie_breaks_alone() -> None:
    circuit = _circuit(factories.actor(), best=1)
    first, second, third = _players(3)
    desks.stand(circuit, [first, second, third])
    desks.stand(circuit, [first, third])
    _give(circuit, second, 4)
    _give(circuit, third, 7)
    _give(circuit, third, -3)
    endings = circuits.endings_of(circuits.qualifiers_of(circuit))
    rows = circuits.table_from(circuit, endings)
    assert [(row.player, row.points, row.ahead_by) for row in rows] == [
        (first, 10, "result"),  # 10 of a result is more than 6 with 4
        (third, 10, "latest"),
        (second, 10, ""),
    ]
    assert [row.adjusted for row in rows] == [0, 4, 4]
    assert [[got.points for got in row.got] for row in rows] == [[10, 10], [3, 6], [6]]
    assert [[got.counted for got in row.got] for row in rows][1] == [False, True]


def test_as_of_an_earlier_tournament_only_what_was_given_by_then_counts() -> None:
    circuit = _circuit(factories.actor())
    first, second = players = _players(2)
    for ago in (30, 20, 10):
        _closed(desks.stand(circuit, players), days_ago=ago)
    _at(_give(circuit, first, -8), days_ago=25)
    _at(_give(circuit, second, 1), days_ago=5)
    found = [_table(circuit, after) for after in range(4)]
    assert found == [
        [],
        [(second, 6), (first, 2)],
        [(first, 12), (second, 12)],
        [(first, 22), (second, 19)],
    ]
    assert _table(circuit) == found[-1]
    for after, rows in enumerate(found):
        table = Api(None).get(f"circuits/{circuit.pk}/", after=after).json()["table"]
        assert [each["points"] for each in table] == [points for _, points in rows]
        page = squeezed(Client().get(f"/circuits/{circuit.pk}/?after={after}"))
        assert page.count("with −8") == (after > 0)
        assert page.count("with +1") == (after == 3)

    race = races.of(circuit, circuits.endings_of(circuits.qualifiers_of(circuit)))
    assert race is not None
    assert {line.player: line.totals for line in race.lines} == {
        first: (0, 2, 12, 22),
        second: (0, 6, 12, 19),
    }


def test_a_race_goes_below_zero_and_above_where_it_ends() -> None:
    circuit = _circuit(factories.actor(), points=[50, 0])
    first, second = players = _players(2)
    _closed(desks.stand(circuit, players), days_ago=20)
    _closed(desks.stand(circuit, [second, first]), days_ago=10)
    _at(_give(circuit, second, -30), days_ago=15)
    _give(circuit, first, -45)
    race = races.of(circuit, circuits.endings_of(circuits.qualifiers_of(circuit)))
    assert race is not None
    assert [line.totals for line in race.lines] == [(0, -30, 20), (0, 50, 5)]
    assert [tick.number for tick in race.up] == [-20, 0, 20, 40]
    for line in race.lines:
        assert all(race.top <= y <= race.foot for _, y in line.marks)
    zero = next(tick.at for tick in race.up if tick.number == 0)
    assert {line.marks[0][1] for line in race.lines} == {zero}
    assert ">−20<" in squeezed(Client().get(f"/circuits/{circuit.pk}/"))
    _give(circuit, second, -20)
    _give(circuit, first, -5)
    assert races.of(circuit, circuits.endings_of(circuits.qualifiers_of(circuit))) is None


def test_who_is_in_the_final_follows_points_given_and_taken() -> None:
    by = factories.actor()
    circuit = _circuit(by, by_ranking=1)
    first, second = _players(2)
    desks.stand(circuit, [first, second])
    assert [place.player for place in finals.qualified(circuit)] == [first]
    _give(circuit, first, -5)
    [place] = finals.qualified(circuit)
    assert (place.player, place.why) == (second, "6 points, place 1 of the ranking")
    final = desks.tournament(by, league=circuit.season.league)
    services.name_final(by=by, circuit=circuit, tournament=final)
    [known] = finals.in_final(final, by)
    assert known.players == [second]


def _calls(circuit: Circuit) -> dict[Player, tuple[str, int | None]]:
    circuit.refresh_from_db()
    endings = circuits.endings_of(circuits.qualifiers_of(circuit))
    stands = outlooks.outlooks(circuit, endings)
    rows = circuits.table_from(circuit, endings)
    return {row.player: (stands[row.player.pk].call, stands[row.player.pk].needs) for row in rows}


def test_what_is_sure_and_what_is_needed_counts_points_given_and_taken() -> None:
    by = factories.actor()
    circuit = _circuit(by, by_ranking=1, points=[10, 2])
    first, second = _players(2)
    desks.stand(circuit, [first, second])
    _to_come(circuit, by)
    assert _calls(circuit) == {first: ("live", 10), second: ("live", None)}
    _give(circuit, first, 3)
    assert _calls(circuit) == {first: ("safe", None), second: ("out", None)}
    _give(circuit, second, 5)
    assert _calls(circuit) == {first: ("live", 10), second: ("live", 10)}


def test_points_of_whose_only_result_was_undone_may_count_again() -> None:
    by = factories.actor()
    circuit = _circuit(by, by_ranking=1, points=[10, 2])
    first, second, waiting = _players(3)
    desks.stand(circuit, [first, second])
    undone = desks.stand(circuit, [waiting])
    _to_come(circuit, by)
    _give(circuit, first, 30)
    _give(circuit, waiting, 25)
    assert _calls(circuit)[first] == ("live", 10)
    Standing.objects.filter(tournament=undone).delete()
    Tournament.objects.filter(pk=undone.pk).update(closed_at=None)
    assert [player for player, _ in _table(circuit)] == [first, second]
    assert _calls(circuit)[first][0] == "live", "whoever waits may come to 45 of 40"
    assert _calls(circuit)[second] == ("out", None)


def test_a_reader_is_told_of_nobody_whose_results_they_may_not_see() -> None:
    by = factories.actor()
    circuit = _circuit(by)
    first, hidden = _players(2)
    desks.stand(circuit, [first])
    secret = desks.stand(circuit, [hidden])
    _give(circuit, hidden, -1, "A secret.")
    assert "A secret." in squeezed(Client().get(f"/circuits/{circuit.pk}/"))
    Tournament.objects.filter(pk=secret.pk).update(visibility="entrants")
    assert "A secret." not in squeezed(Client().get(f"/circuits/{circuit.pk}/"))
    told = Api(None).get(f"circuits/{circuit.pk}/").json()["table"]
    assert [row["player"] for row in told] == [str(first.pk)]


def test_the_circuit_of_the_next_season_begins_without_points() -> None:
    by = factories.actor()
    circuit = _circuit(by)
    desks.stand(circuit, [player := _players(1)[0]])
    _give(circuit, player, 4)
    days = {"starts_on": date(2027, 1, 1), "ends_on": date(2027, 12, 31)}
    fresh = divisions.roll_over(by=by, season=circuit.season, name="Two", **days)
    assert not fresh.circuits.get().adjustments.exists()
    assert _table(circuit) == [(player, 14)]


def test_an_account_takes_over_the_points_of_a_guest() -> None:
    by, me = factories.actor(), factories.actor()
    circuit = _circuit(by)
    guest = matches.add_guest(by=by, name="Guest")
    desks.stand(circuit, [guest])
    _give(circuit, guest, 4)
    token = claiming.token_of(matches.offer_claim(by=by, guest=guest))
    matches.claim(by=me, token=token)
    assert _table(circuit) == [(me.player, 14)]


def test_others_give_no_points() -> None:
    by = factories.actor()
    circuit = _circuit(by)
    desks.stand(circuit, [player := _players(1)[0]])
    with pytest.raises(NotAllowed):
        services.adjust(
            by=factories.actor(), within=circuit, player=player, points=1, reason="Why."
        )
    assert not Adjustment.objects.exists()


def test_a_page_reads_what_was_given_once(django_assert_max_num_queries: Any) -> None:
    circuit = _circuit(factories.actor(), by_ranking=1)
    players: Sequence[Player] = _players(3)
    for _ in range(6):
        desks.stand(circuit, players)
    for each in players:
        _give(circuit, each, 2)
    with django_assert_max_num_queries(12):
        assert Client().get(f"/circuits/{circuit.pk}/").status_code == 200
    _give(circuit, players[0], -90)
    reader = factories.actor()
    with django_assert_max_num_queries(2):
        _, rows = circuits.first_of(circuit.season, reader)
    assert [(row.player, row.points) for row in rows] == _table(circuit)
    assert [each.reason for each in rows[-1].adjustments] == ["Why.", "Why."]
    assert "−28 points" in squeezed(Client().get(circuit.season.league.get_absolute_url()))
