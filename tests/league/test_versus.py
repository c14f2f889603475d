"""Two players side by side: what happened between them, as far as the reader may see."""

import re
from typing import Any

import pytest
from django.test import Client

from league import profile, ratings, versus
from league.models import Rating, Tournament
from matches import claiming
from matches import services as tables
from matches.actors import NOBODY, Actor
from matches.followers import work
from matches.models import Player
from matches.services import SeatRequest
from matches.views import matches
from tests import factories
from tests.api.client import Api, problem
from tests.factories import signed_in
from tests.html import squeezed, text_of
from tests.league import desks
from tests.league.test_profile import duel, player

pytestmark = pytest.mark.django_db


def at(one: Player | Actor, other: Player | Actor) -> str:
    first, second = (player(each) if isinstance(each, Actor) else each for each in (one, other))
    return f"/players/{first.pk}/versus/{second.pk}/"


def api(one: Player | Actor, other: Player | Actor, by: Actor | None = None) -> Any:
    return Api(by).get(at(one, other).removeprefix("/"))


def rated_cup(**details: Any) -> tuple[Tournament, Player, Player]:
    """Return a cup of two rounds with all its tables rated, its winner and the other player."""
    cup = desks.played_out(desks.tournament(title="Rated cup", **details), players=2, rounds=2)
    work(cup.pk)
    final = cup.entries.filter(standings__round=0).order_by("standings__place")
    one, other = (entry.player for entry in final)
    assert one is not None
    assert other is not None
    return cup, one, other


def test_counted_is_what_happened_between_the_two_and_may_be_known() -> None:
    one, two, three = (factories.actor(name) for name in ("one", "two", "three"))
    won, lost = duel(one, two), duel(one, two, winner=2)
    elsewhere, closed = duel(one, three), duel(one, two, seen="table")
    held = duel(one, two, held=True)
    told = api(one, two).json()
    assert (told["player"]["name"], told["other"]["name"]) == ("one", "two")
    [record] = told["records"]
    assert [record[each] for each in ("ruleset", "played", "won", "drawn", "lost")] == [
        *("score@1", 2, 1, 0, 1)
    ]
    results = {match["code"]: match["result"] for match in told["results"]}
    assert results == {held.code: "", lost.code: "lost", won.code: "won"}
    assert [*results] == [held.code, lost.code, won.code]  # newest first
    [other_way] = api(two, one).json()["records"]
    assert (other_way["won"], other_way["lost"]) == (1, 1)
    [known] = api(one, two, by=one).json()["records"]
    assert (known["played"], known["won"]) == (4, 3)
    page = Client().get(at(one, two)).content.decode()
    assert [match.code in page for match in (won, lost, held)] == [True] * 3
    assert [match.code in page for match in (elsewhere, closed)] == [False] * 2
    assert "1 more is under way, or its result is not told." in squeezed(Client().get(at(one, two)))


def test_a_table_of_three_counts_as_head_to_head_does() -> None:
    people = [factories.actor() for _ in range(3)]
    seats = [SeatRequest(player=each.player) for each in people]
    match = factories.match(people[0], "score", seats, options={"best_of": 1})
    factories.record(match, factories.points(1), by=people[0])
    factories.record(match, {"type": "game-closed"}, by=people[0])
    work(match.pk)
    for one, other, result in ((0, 1, "won"), (1, 0, "lost"), (1, 2, "lost")):
        told = api(people[one], people[other]).json()
        assert [each["result"] for each in told["results"]] == [result]
        rivals = Api().get(f"players/{people[one].player_id}/").json()["rivals"]
        [rival] = [each for each in rivals if each["player"] == told["other"]["id"]]
        assert rival["won"] == told["records"][0]["won"] == (result == "won")


def test_a_long_list_of_matches_has_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "PAGE", 2)
    one, two = factories.actor(), factories.actor()
    first, *_ = played = [duel(one, two) for _ in range(3)]
    assert first.code not in squeezed(Client().get(at(one, two)))
    older = squeezed(Client().get(f"{at(one, two)}?page=2"))
    assert [match.code in older for match in played] == [True, False, False]
    assert "3 matches together" in older


def test_ratings_of_both_say_what_to_expect_and_what_came() -> None:
    _cup, one, other = rated_cup()
    [both] = versus.ratings_of(NOBODY, one, other)
    mine, theirs = (Rating.objects.get(player=each) for each in (one, other))
    assert both.one.strength == pytest.approx((mine.mu, mine.sigma))
    expected = ratings.expected((mine.mu, mine.sigma), (theirs.mu, theirs.sigma))
    assert both.expected == expected > 0.5
    assert both.placed == (2, 0, 0)
    [turned] = versus.ratings_of(NOBODY, other, one)
    assert turned.placed == (0, 0, 2)
    assert turned.expected == pytest.approx(1 - expected)
    page = squeezed(Client().get(at(one, other)))
    said = f"By rating alone, <bdi>{one}</bdi> would win {both.percent} of 100 games"
    assert f"{said} and <bdi>{other}</bdi> {100 - both.percent}." in page
    assert (
        f"At 2 rated tables of both, <bdi>{one}</bdi> came out ahead 2, level 0, behind 0" in page
    )
    [told] = api(one, other).json()["ratings"]
    assert (told["expected"], told["ahead"], told["behind"]) == (expected, 2, 0)
    assert told["player"]["shown"] == pytest.approx(mine.shown)
    assert len(told["other"]["steps"]) == 2


def test_equals_are_expected_to_share() -> None:
    assert ratings.expected((25.0, 4.0), (25.0, 4.0)) == 0.5
    assert ratings.expected((30.0, 2.0), (25.0, 3.0)) == 0.765401


def test_who_is_not_rated_with_the_other_is_not_compared_by_it() -> None:
    _cup, one, _other = rated_cup()
    by = factories.actor()
    _elsewhere, stranger, _ = rated_cup(by=by, league=desks.league(by))
    assert versus.ratings_of(NOBODY, one, stranger) == []
    assert "no game and league in which both are rated" in squeezed(Client().get(at(one, stranger)))


def test_both_ratings_are_drawn_over_time_once_neither_is_provisional(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _cup, one, other = rated_cup()
    assert "<polyline" not in squeezed(Client().get(at(one, other)))
    monkeypatch.setattr(profile, "PROVISIONAL", 2)
    [both] = versus.ratings_of(NOBODY, one, other)
    lines = re.findall(
        r'<polyline(?: class="other")? points="([^"]+)"', squeezed(Client().get(at(one, other)))
    )
    assert lines == both.paths
    mine, theirs = (
        [tuple(map(float, point.split(","))) for point in line.split()] for line in lines
    )
    assert [x for x, _ in mine] == [x for x, _ in theirs]  # both sat at the same tables
    assert mine[-1][1] < theirs[-1][1]  # higher up
    assert {x for x, _ in mine} == {profile.EDGE, profile.WIDE - profile.EDGE}


def test_tournaments_of_both_have_both_places_for_those_who_may_see_them() -> None:
    cup, one, other = rated_cup()
    desks.entered(desks.tournament(title="Elsewhere"), 2)
    told = {"tournament": cup.code, "title": "Rated cup", "place": 1, "other_place": 2}
    assert api(one, other).json()["tournaments"] == [told]
    assert api(other, one).json()["tournaments"] == [told | {"place": 2, "other_place": 1}]
    row = r"Rated cup</a></th><td class=\"num\">1</td><td class=\"num\">2</td>"
    assert re.search(row, squeezed(Client().get(at(one, other))))
    Tournament.objects.filter(pk=cup.pk).update(visibility="entrants")
    hidden = api(one, other, by=factories.actor()).json()
    assert hidden["tournaments"] == []
    assert hidden["ratings"][0]["ahead"] == 0
    assert api(one, other, by=desks.organiser(cup)).json()["tournaments"] == [told]


def test_who_has_results_off_is_told_who_met_and_not_how_it_went() -> None:
    cup, one, other = rated_cup()
    match = factories.match(
        desks.organiser(cup), "score", [SeatRequest(player=each) for each in (one, other)]
    )
    page = squeezed(factories.spared().get(at(one, other)))
    assert match.code in page
    assert 'Rated cup</a></th><td class="num">–</td><td class="num">–</td>' in page
    assert "By rating alone" not in page
    told = factories.spared().get(f"/api/v1{at(one, other)}").json()
    assert (told["records"], told["ratings"]) == ([], [])
    assert told["tournaments"][0]["place"] is None
    assert [each["result"] for each in told["results"]] == [""]


def test_a_claimed_guest_stands_for_who_claimed_it() -> None:
    host, me, other = (factories.actor(name) for name in ("host", "me", "other"))
    guest = tables.add_guest(by=host, name="Rim Walker")
    match = factories.match(
        host, "score", [SeatRequest(player=guest), SeatRequest(player=other.player)]
    )
    token = claiming.token_of(tables.offer_claim(by=host, guest=guest))
    tables.claim(by=me, token=token)
    for asked, there in ((at(guest, other), at(me, other)), (at(other, guest), at(other, me))):
        assert Client().get(asked).headers["Location"] == there
        assert match.code in squeezed(Client().get(there))
    told = api(guest, other).json()
    assert told["player"]["id"] == str(me.player_id)
    assert [each["code"] for each in told["results"]] == [match.code]
    assert Client().get(at(guest, me)).status_code == 404
    problem(api(guest, me), 404, "one-player")


def test_nobody_is_compared_with_themselves_or_with_nobody() -> None:
    one = factories.actor()
    assert Client().get(at(one, one)).status_code == 404
    problem(api(one, one), 404, "one-player")
    gone = Player(name="gone")
    for pair in ((one, gone), (gone, one)):
        assert Client().get(at(*pair)).status_code == 404
        problem(api(*pair), 404, "no-such-player")


def test_a_guest_of_a_table_of_its_own_is_compared_for_nobody_who_is_not_signed_in() -> None:
    by = factories.actor("host")
    match = factories.match(by, seats=[SeatRequest(name="Ezut")] * 2, visibility="table")
    guest = match.seats.get(number=1).player
    assert guest is not None
    find = f"/players/{by.player_id}/versus/?q=ezut"
    for pair in ((by, guest), (guest, by)):
        assert Client().get(at(*pair)).status_code == 404
        problem(api(*pair), 404, "no-such-player")
        assert signed_in(by.user).get(at(*pair)).status_code == 200
    assert Client().get(f"/players/{guest.pk}/versus/").status_code == 404
    assert "Nobody else you may see is called “ezut”" in squeezed(Client().get(find))
    assert squeezed(signed_in(by.user).get(find)).count("/versus/") > 2


def test_whom_to_compare_with_is_found_by_a_name() -> None:
    one, *_ = people = [factories.actor(name) for name in ("Vega", "Vega-North", "Vega-South")]
    find = f"/players/{one.player_id}/versus/"
    client = signed_in(one.user)
    page = squeezed(client.get(find, {"q": "vega"}))
    assert [at(one, each) in page for each in people] == [False, True, True]
    assert client.get(find, {"q": "south"}).headers["Location"] == at(one, people[2])
    assert "Type 2 characters or more" in squeezed(Client().get(find, {"q": "v"}))
    assert Client().get(f"/players/{Player().pk}/versus/").status_code == 404


def test_a_profile_leads_to_the_comparison_with_whom_they_met() -> None:
    one, two = factories.actor("one"), factories.actor("two")
    duel(one, two)
    page = squeezed(Client().get(player(one).get_absolute_url()))
    assert f'<a href="{at(one, two)}">two</a>' in page
    assert f'action="/players/{one.player_id}/versus/"' in page
    there = text_of(Client().get(at(one, two)))
    assert "Counted is how one did" in there
