"""The record of players: results and spins, as far as the viewer may see."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import translation

from matches import followers, log, records, services, tallies
from matches.actors import NOBODY, Actor
from matches.models import Match, SeatResult, SpinTally
from matches.records import GameResults
from tests import factories
from tests.api.client import Api
from tests.html import squeezed

pytestmark = pytest.mark.django_db


def of_two(**details: Any) -> tuple[Match, Actor, Actor]:
    one, two = factories.actor(), factories.actor()
    seats = [factories.SeatRequest(player=each.player) for each in (one, two)]
    return factories.match(seats=seats, **details), one, two


def record_of(player: Actor, actor: Actor = NOBODY) -> tuple[int, int, int, int]:
    """Return what an actor is told of a player: played, won, drawn, lost."""
    assert player.player is not None
    found = records.records_of(records.known_among(records.sat_of(actor, player.player)))
    assert len(found) < 2
    return found[0][2:] if found else (0, 0, 0, 0)


def act(match: Match, kind: str, **fields: Any) -> None:
    factories.record(match, {"type": kind, **fields})
    followers.work(match.pk)


def test_a_match_counts_once_it_has_ended() -> None:
    match, one, two = of_two()
    act(match, "points-scored", seat=1, points=1)
    assert record_of(one) == (0, 0, 0, 0)
    act(match, "game-won", seat=1)
    assert (record_of(one), record_of(two)) == ((1, 1, 0, 0), (1, 0, 0, 1))


def test_a_correction_changes_the_record_of_both() -> None:
    match, one, two = of_two()
    act(match, "game-won", seat=1)
    act(match, "taken-back", to=1)
    assert (record_of(one), record_of(two)) == ((0, 0, 0, 0),) * 2
    act(match, "game-won", seat=2)
    assert (record_of(one), record_of(two)) == ((1, 0, 0, 1), (1, 1, 0, 0))


@pytest.mark.parametrize(
    ("kind", "fields", "expected"),
    [
        ("game-drawn", {}, (1, 0, 1, 0)),
        ("all-lost", {}, (1, 0, 0, 1)),
        ("ruled", {"result": "all-lost"}, (1, 0, 0, 1)),
        ("all-won", {}, (1, 1, 0, 0)),
    ],
)
def test_a_match_drawn_lost_or_won_by_all_is_told_apart(
    kind: str, fields: dict[str, Any], expected: tuple[int, int, int, int]
) -> None:
    match, one, two = of_two()
    act(match, kind, **fields)
    assert (record_of(one), record_of(two)) == (expected, expected)


def test_a_solitary_player_may_win() -> None:
    player = factories.actor()
    match = factories.match(seats=[factories.SeatRequest(player=player.player)])
    act(match, "game-won", seat=1)
    assert record_of(player) == (1, 1, 0, 0)


def test_a_hidden_match_is_on_nobody_elses_record() -> None:
    match, one, two = of_two(held=True)
    act(match, "game-won", seat=1)
    assert record_of(one) == (0, 0, 0, 0)
    assert record_of(one, two) == record_of(one, factories.opener_of(match)) == (1, 1, 0, 0)
    services.change_cut(by=factories.opener_of(match), match=match, held=False)
    followers.work(match.pk)
    assert record_of(one) == (1, 1, 0, 0)


def test_a_match_kept_to_its_table_or_withdrawn_is_on_no_record() -> None:
    match, one, two = of_two(visibility="table")
    act(match, "game-won", seat=1)
    assert (record_of(one), record_of(one, two)) == ((0, 0, 0, 0), (1, 1, 0, 0))
    services.withdraw(by=factories.opener_of(match), match=match)
    assert record_of(one, factories.opener_of(match)) == (0, 0, 0, 0)


def test_whoever_takes_a_seat_later_takes_its_record() -> None:
    match = factories.match()
    act(match, "game-won", seat=1)
    late = factories.actor()
    services.take_seat(by=late, token=services.seat_link(match.seats.get(number=1)))
    assert record_of(late) == (1, 1, 0, 0)


def test_a_preview_says_whose_record_a_change_would_touch() -> None:
    match, one, _ = of_two()
    act(match, "game-won", seat=1)
    before = log.load(match.log)
    after = type(before)(before.ruleset, before.entries[:1])
    texts = [change.text for change in followers.preview(match.log, before, after)]
    assert one.player is not None
    assert texts[0] == f"{one.player.name}: won becomes no result."
    with translation.override("de"):
        (change, *_) = followers.preview(match.log, before, after)
    assert change.text == f"{one.player.name}: gewonnen wird kein Ergebnis."
    assert len(texts) == 2
    assert SeatResult.objects.filter(result="won").count() == 1


# -- spins ----------------------------------------------------------------------------------


def toss(match: Match, seat: int, side: str, spin: str = "table") -> None:
    act(match, "tossed", seat=seat, side=side, spin=spin)


def spins_of(player: Actor, actor: Actor = NOBODY) -> list[tuple[str, str, dict[str, int]]]:
    assert player.player is not None
    found = tallies.tallies_of(actor, player.player)
    return [(each.purpose, each.source, each.counts) for each in found]


def test_spins_are_counted_by_beneficiary_and_by_spinner() -> None:
    match, one, two = of_two(game="toy")
    for seat, side in ((1, "heads"), (2, "tails"), (1, "tails"), (2, "tails")):
        toss(match, seat, side)
    assert spins_of(one) == [("toss", "table", {"heads": 1, "tails": 1})]
    assert spins_of(two) == [("toss", "table", {"heads": 0, "tails": 2})]
    toss(match, 1, "", "server")
    assert [found[1] for found in spins_of(one)] == ["site", "table"]


def test_a_spin_taken_back_counts_no_more() -> None:
    match, one, _ = of_two(game="toy")
    toss(match, 1, "heads")
    services.take_back(match=match, by=factories.opener_of(match), act_id=uuid4(), to=1)
    followers.work(match.pk)
    assert spins_of(one) == []
    assert not SpinTally.objects.exists()


def test_a_spin_held_back_is_counted_for_the_table_alone() -> None:
    match, one, two = of_two(game="toy", held=True)
    toss(match, 1, "heads")
    assert (spins_of(one), len(spins_of(one, two))) == ([], 1)


# -- where they are told --------------------------------------------------------------------


def test_the_page_and_the_api_tell_both(client: Client) -> None:
    match, one, two = of_two()
    act(match, "game-won", seat=1)
    tossing, *_ = of_two(game="toy")
    seat = tossing.seats.get(number=1)
    seat.player = one.player
    seat.save()
    toss(tossing, 1, "heads")
    page = squeezed(client.get(f"/players/{one.player_id}/"))
    assert ">Record<" in page
    assert ">Form<" in page and "newest right" not in page, "one match has no order"
    assert "Counted are the matches logged here that are over. 1 more is under way" in page
    assert "1 of 1" in page
    told = Api().get(f"players/{one.player_id}/").json()
    assert told["records"] == [
        GameResults("score@1", "Any game, results only", 1, 1, 0, 0)._asdict()
    ]
    assert told["spins"] == [
        {
            "purpose": "toss",
            "source": "table",
            "counts": {"heads": 1, "tails": 0},
            "as_uneven": 100,
        }
    ]
    assert Api().get(f"players/{two.player_id}/").json()["records"][0]["lost"] == 1


def test_a_player_costs_the_same_however_much_they_played(
    client: Client, django_assert_max_num_queries: Any
) -> None:
    _, one, _ = of_two()
    for _ in range(4):
        match = factories.match(seats=[factories.SeatRequest(player=one.player)] * 2)
        act(match, "game-won", seat=1)
    client.get(f"/players/{one.player_id}/")
    with django_assert_max_num_queries(20):
        client.get(f"/players/{one.player_id}/")
