"""Play-offs between divisions: who takes part, and the tournament that decides the places."""

from collections.abc import Sequence
from datetime import date
from uuid import uuid4

import pytest
from django.test import Client

from league import divisions, erasing, services
from league.models import Adjustment, Division, DivisionPlayer, Role, Season, Tournament
from matches.actors import Actor
from matches.errors import BadInput, Conflict
from matches.followers import work
from matches.models import Player
from tests import factories
from tests.api.client import Api, problem
from tests.factories import client_of, signed_in
from tests.html import squeezed, text_of
from tests.league import desks

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

NEXT = {"name": "Two", "starts_on": date(2027, 1, 1), "ends_on": date(2027, 12, 31)}


def _season(by: Actor, players: int = 4, play_off: int = 1) -> tuple[Season, list[list[Player]]]:
    """Return a season of two divisions, one up and one down, and who plays there by place."""
    days = {"starts_on": date(2026, 1, 1), "ends_on": date(2026, 12, 31)}
    season = services.open_season(
        by=by, league=desks.league(by), name="One", divisions=["A", "B"], **days
    )
    found: list[list[Player]] = []
    for division in season.divisions.all():
        services.edit_division(by=by, division=division, up=1, down=1, play_off=play_off)
        found.append([factories.actor().player for _ in range(players)])
        for seed, player in enumerate(found[-1], 1):
            DivisionPlayer.objects.create(division=division, player=player, seed=seed)
        desks.stand(division, found[-1])
    return season, found


def _play_off(by: Actor, season: Season, ranked: Sequence[Player]) -> Tournament:
    """Play the play-off of a season's first division: who is named first wins."""
    cup = desks.tournament(by, league=season.league, title="Play-off")
    for player in ranked:
        services.enter(tournament=cup, by=by, act_id=uuid4(), player=player)
    desks.start(cup, rounds=0, format="round-robin", tiebreaks=[])
    for _ in range(len(ranked) - 1 + len(ranked) % 2):
        desks.paired(cup)
        desks.play(cup)
    desks.act(cup, "tournament-closed")
    services.edit_division(by=by, division=season.divisions.get(level=1), play_off_in=cup)
    work(cup.pk)
    return cup


def _moves(season: Season) -> list[list[str]]:
    return [[row.moves for row in rows] for _, rows in divisions.division_tables(season)]


def _levels(season: Season) -> list[set[Player]]:
    return [
        {member.player for member in division.members.all()}
        for division in season.divisions.order_by("level")
    ]


def test_who_plays_for_a_place_stands_between_those_who_move_and_those_who_stay() -> None:
    season, (upper, _) = _season(by := factories.actor())
    assert _moves(season) == [["", "", "plays-on", "down"], ["up", "plays-up", "", ""]]
    services.place(by=by, division=season.divisions.get(level=1), player=upper[2], active=False)
    assert _moves(season) == [["", "plays-on", "down", ""], ["up", "plays-up", "", ""]]
    page = squeezed(Client().get(f"/seasons/{season.pk}/"))
    assert "1 goes down. 1 plays to stay, against one of the next division." in page
    assert page.count("1 goes up.") == 1
    assert [page.count(said) for said in (">plays to stay<", ">plays to go up<")] == [1, 1]


def test_a_season_does_not_go_on_while_a_play_off_is_open() -> None:
    by = factories.actor()
    season, (upper, lower) = _season(by)
    with pytest.raises(Conflict, match="not decided yet") as refused:
        services.roll_over(by=by, season=season, **NEXT)
    assert refused.value.code == "play-off-open"
    sent = {**{name: str(value) for name, value in NEXT.items()}, "preview": True}
    told = Api(by).post(f"seasons/{season.pk}/roll-over/", sent).json()["moves"]
    assert {each["player"] for each in told if not each["decided"]} == {
        *(str(upper[2].pk), str(lower[1].pk)),
    }


@pytest.mark.parametrize("rises", [True, False])
def test_the_final_order_of_the_play_off_says_who_plays_where(rises: bool) -> None:
    by = factories.actor()
    season, (upper, lower) = _season(by)
    stays, comes = upper[2], lower[1]
    _play_off(by, season, [comes, stays] if rises else [stays, comes])
    assert _moves(season) == [
        ["", "", "down" if rises else "", "down"],
        ["up", "up" if rises else "", "", ""],
    ]
    sent = {name: str(value) for name, value in NEXT.items()}
    host = signed_in(by.user)
    page, begin = season.get_absolute_url(), f"/leagues/{season.league.slug}/seasons/"
    assert f'href="{begin}?previous={season.pk}"' in squeezed(host.get(page))
    chosen = f'<option value="{season.pk}" selected>'
    assert chosen in squeezed(host.get(f"{begin}?previous={season.pk}"))
    assert host.get(f"{begin}?previous=x").status_code == 200
    answers = [Api(by).post(f"seasons/{season.pk}/roll-over/", sent) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 200]
    fresh, again = (Season.objects.get(pk=answer.json()["season"]) for answer in answers)
    assert fresh == again
    assert f'before <a href="{fresh.get_absolute_url()}">' in squeezed(host.get(page))
    assert "?previous=" not in squeezed(host.get(page))
    first, second = _levels(fresh)
    assert first == {*upper[:2], lower[0], comes if rises else stays}
    assert second == {*lower[2:], upper[3], stays if rises else comes}
    assert [each.play_off for each in fresh.divisions.all()] == [1, 1]
    assert not fresh.divisions.exclude(play_off_in=None).exists()


def test_who_does_not_come_to_a_play_off_is_behind_who_does() -> None:
    by = factories.actor()
    season, (upper, lower) = _season(by, players=6, play_off=2)
    guest = factories.actor().player
    _play_off(by, season, [guest, lower[2], upper[4]])
    assert _moves(season)[1] == ["up", "", "up", "", "", ""]
    assert _moves(season)[0] == ["", "", "", "down", "", "down"]


def test_a_place_that_is_shared_where_it_is_decided_leaves_it_open() -> None:
    by = factories.actor()
    season, (upper, lower) = _season(by)
    first, second = (factories.actor().player for _ in range(2))
    cup = desks.tournament(by, league=season.league)
    for player in (first, second, upper[2], lower[1]):
        services.enter(tournament=cup, by=by, act_id=uuid4(), player=player)
    desks.start(cup, format="single-elimination", rounds=0, tiebreaks=[])
    for _ in range(2):
        desks.paired(cup)
        desks.play(cup)
    desks.act(cup, "tournament-closed")
    work(cup.pk)
    services.edit_division(by=by, division=season.divisions.get(level=1), play_off_in=cup)
    assert "plays-on" in _moves(season)[0]


def test_the_console_of_a_play_off_enters_those_in_play_at_a_tap() -> None:
    by = factories.actor()
    season, (upper, lower) = _season(by, play_off=2)
    top, second = season.divisions.order_by("level")
    cup = desks.tournament(by, league=season.league)
    services.enter(tournament=cup, by=by, act_id=uuid4(), player=upper[2])
    client, url = signed_in(by.user), f"/tournaments/{cup.code}/console/"
    offer = "In play by the tables of A and B"
    assert offer not in squeezed(client.get(url))
    services.edit_division(by=by, division=top, play_off_in=cup)
    running = desks.tournament(
        by, league=season.league, season=season, division=second, title="B 3"
    )
    page = squeezed(client.get(url))
    assert offer in page
    assert f'still to be closed: <a href="{running.get_absolute_url()}">B 3</a>' in page
    in_play = [upper[1], lower[1], lower[2]]
    assert [page.count(f'value="{each.pk}" checked') for each in (*in_play, upper[2])] == [
        1,
        1,
        1,
        0,
    ]
    services.sanction(by=by, league=season.league, player=lower[2], kind="exile", reason="Absent")
    sent = {"do": "enter-all", "act_id": uuid4(), "player": [each.pk for each in in_play]}
    page = squeezed(client.post(url, sent, follow=True))
    assert f"{lower[2]}: " in page
    there = desks.desk(cup).people
    assert len(there) == 3
    client.post(url, sent)
    assert len(desks.desk(cup).people) == 3
    assert client.post(url, sent | {"player": ["x"]}).status_code == 400


def test_a_tournament_of_another_league_or_of_a_division_is_no_play_off() -> None:
    by = factories.actor()
    season, _ = _season(by)
    top = season.divisions.get(level=1)
    other = desks.tournament(by)
    counts = desks.tournament(by, league=season.league, season=season, division=top)
    for cup, code in ((other, "other-league"), (counts, "counts-in-division")):
        with pytest.raises(BadInput) as refused:
            services.edit_division(by=by, division=top, play_off_in=cup)
        assert refused.value.code == code


def test_an_organiser_names_the_play_off_by_page_and_program() -> None:
    by = factories.actor()
    season, _ = _season(by)
    top = season.divisions.get(level=1)
    cup = desks.tournament(by, league=season.league)
    client = signed_in(by.user)
    form = {"name": "A", "level": 1, "up": 1, "down": 1, "play_off": 2, "play_off_in": cup.pk}
    assert client.post(f"/divisions/{top.pk}/edit/", form).status_code == 302
    told = Api(None).get(f"divisions/{top.pk}/").json()
    assert (told["play_off"], told["play_off_in"]) == (2, cup.code)
    for code, found in (("", None), (cup.code, cup)):
        Api(by).patch(f"divisions/{top.pk}/", {"play_off_in": code})
        assert Division.objects.get(pk=top.pk).play_off_in == found


def test_a_tournament_is_opened_in_a_division() -> None:
    by = factories.actor()
    season, _ = _season(by)
    _, lower = season.divisions.order_by("level")
    client = signed_in(by.user)
    opening = squeezed(client.get("/tournaments/new/"))
    assert f'value="{season.league.pk}" selected' in opening  # the only one there is
    assert "Who enters</label>" in opening  # somebody always does
    assert '<details class="panel" open' not in opening  # title, game and format are enough
    other = desks.league(by, name="Other")
    there = squeezed(client.get(f"/tournaments/new/?league={other.slug}"))
    assert 'name="division"' not in there  # it has none
    link = f"/tournaments/new/?league={season.league.slug}&amp;division={lower.pk}"
    page = squeezed(client.get(season.get_absolute_url()))
    assert link in page
    assert page.count("Name the tournament that decides") == 1
    assert f'value="{lower.pk}" selected' in squeezed(client.get(link.replace("&amp;", "&")))
    form = {"title": "Cup", "game": "score", "format": "swiss", "rounds": "3", "best_of": "1",
            "cut": "0", "cap": "0", "division": lower.pk}  # fmt: skip
    krewes = {"division": "", "league": "", "enters": "krewe"}
    for wrong, text in (
        ({"league": other.pk}, "another league"),
        ({"league": ""}, "another league"),
        (krewes, "Krewes are of a league"),
        ({"league": season.league.pk, "enters": "krewe"}, "rank players"),
    ):
        answer = client.post("/tournaments/new/", form | wrong)
        assert (answer.status_code, text in squeezed(answer)) == (400, True)
    sent = form | {"league": season.league.pk, "enters": "character"}
    assert client.post("/tournaments/new/", sent).status_code == 302
    made = Tournament.objects.get(title="Cup")
    assert (made.season, made.division, made.enters) == (season, lower, "character")
    beside = sent | {"title": "Krewes", "division": "", "enters": "krewe"}
    assert client.post("/tournaments/new/", beside).status_code == 302
    assert Tournament.objects.get(title="Krewes").enters == "krewe"
    assert "<bdi>B</bdi> · " in squeezed(client.get(season.get_absolute_url()))
    assert "One: B" in squeezed(client.get(f"/tournaments/{made.code}/rules/"))


def test_a_tournament_counts_in_a_division_that_an_organiser_of_the_league_names() -> None:
    by = factories.actor()
    season, _ = _season(by)
    upper, lower = season.divisions.order_by("level")
    other = services.open_season(by=by, league=season.league, divisions=["C"], **NEXT)
    cup = desks.tournament(by, league=season.league, season=season)
    client, api, url = Client(), Api(by), f"tournaments/{cup.code}/"
    client.force_login(by.user)
    page = squeezed(client.get(f"/{url}edit/"))
    assert "Division" in page and ">C</option>" not in page
    form = {
        "title": "Cup",
        "timezone": "UTC",
        "visibility": "public",
        "decks": "none",
        "round_minutes": 0,
        "remind_hours": 24,
        "shared_prizes": "split",
    }
    assert client.post(f"/{url}edit/", form | {"division": lower.pk}).status_code == 302
    assert api.get(url).json()["division"] == lower.pk
    assert api.patch(url, {"division": 0}).json()["division"] is None
    assert api.patch(url, {"division": upper.pk}).json()["division"] == upper.pk
    problem(api.patch(url, {"division": other.divisions.get().pk}), 400, "other-season")
    problem(api.patch(url, {"division": 10**9}), 400, "no-such-division")

    helper = factories.actor()
    services.name_member(by=by, tournament=cup, player=helper.player, role=Role.ORGANISER)
    problem(Api(helper).patch(url, {"division": lower.pk}), 403, "not-allowed")
    client.force_login(helper.user)
    assert "Division" not in squeezed(client.get(f"/{url}edit/"))
    assert client.post(f"/{url}edit/", form).status_code == 302
    assert api.patch(url, {"title": "Cup 2"}).json()["division"] == upper.pk


def test_a_tournament_of_krewes_counts_for_no_players() -> None:
    by = factories.actor()
    season, _ = _season(by)
    upper = season.divisions.get(level=1)
    about = {"league": season.league, "season": season, "enters": "krewe"}
    with pytest.raises(BadInput, match="rank players"):
        desks.tournament(by, division=upper, **about)
    cup = desks.tournament(by, **about)
    with pytest.raises(BadInput, match="rank players"):
        services.edit_tournament(by=by, tournament=cup, division=upper)
    circuit = services.open_circuit(by=by, season=season, name="Ring", points=[5])
    sent = {"tournament": cup.code}
    url = f"circuits/{circuit.pk}/"
    problem(Api(by).post(f"{url}tournaments/", sent), 400, "enters-krewes")
    problem(Api(by).post(f"{url}tournaments/", {**sent, "final": True}), 400, "enters-krewes")
    problem(Api(by).patch(url, {"final": cup.code}), 400, "enters-krewes")
    assert str(cup) not in text_of(client_of(by).get(f"/{url}edit/"))


def test_a_play_off_counts_in_no_division() -> None:
    by = factories.actor()
    season, _ = _season(by)
    upper = season.divisions.get(level=1)
    cup = desks.tournament(by, league=season.league, season=season)
    services.edit_division(by=by, division=upper, play_off_in=cup)
    with pytest.raises(BadInput, match="A play-off counts in no division"):
        services.edit_tournament(by=by, tournament=cup, division=upper)


def test_who_played_in_a_division_is_in_its_table_and_goes_on_from_there() -> None:
    by = factories.actor()
    season, (upper, _) = _season(by)
    lower = season.divisions.get(level=2)
    cup = desks.tournament(by, league=season.league, season=season, division=lower)
    for player in (factories.actor().player, upper[0]):
        services.enter(tournament=cup, by=by, act_id=uuid4(), player=player)
    guest = services.enter(tournament=cup, by=by, act_id=uuid4(), name="Guest").player
    desks.start(cup, rounds=1)
    desks.paired(cup)
    desks.play(cup)
    desks.act(cup, "tournament-closed")
    work(cup.pk)
    told = divisions.division_table(lower)
    assert len(told) == 6  # the four members, and the two who are in no other division
    assert guest in {row.player for row in told}
    assert upper[0] not in {row.player for row in told}
    assert len(divisions.plan_rollover(season)) == 10


def test_an_organiser_says_who_has_left_who_is_new_and_who_changes_the_division() -> None:
    by = factories.actor()
    season, (upper, lower) = _season(by, play_off=0)
    fresh = factories.actor().player
    services.name_member(by=by, league=season.league, player=fresh, role="player")
    first, second = season.divisions.order_by("level")
    page = signed_in(by.user)
    for player, active in ((upper[0], {}), (fresh, {"new-active": "on"})):
        sent = {"do": "place", "new-player": player.pk, **active}
        answer = page.post(f"/divisions/{first.pk}/edit/", sent)
        assert (answer.status_code, answer["Location"]) == (302, f"/seasons/{season.pk}/")
    moved = {"player": str(lower[3].pk)}
    table = Api(by).post(f"divisions/{first.pk}/players/", moved).json()["table"]
    assert [(each["player"], each["active"]) for each in table] == [
        *((str(each.pk), True) for each in (*upper[1:], fresh, lower[3])),
        (str(upper[0].pk), False),
    ]
    assert [row.player for row in divisions.division_table(second)] == lower[:3]
    services.place(by=by, division=first, player=upper[0])
    assert _moves(season) == [["", "", "", "", "", "down"], ["up", "", ""]]


def test_organisers_give_and_take_points_of_a_division_for_all_to_read() -> None:
    by = factories.actor("Halder")
    season, (upper, lower) = _season(by, play_off=0)
    first = season.divisions.get(level=1)
    at = f"divisions/{first.pk}/adjustments/"
    api, player = Api(by), lower[0]
    sent = {"id": str(uuid4()), "player": str(upper[0].pk), "points": -3, "reason": "Never came."}
    answers = [api.post(at, sent) for _ in range(2)]
    assert [each.status_code for each in answers] == [201, 200]
    given = answers[0].json()
    assert given == answers[1].json()
    assert (given["points"], given["reason"]) == (-3, "Never came.")
    for wrong, code in (
        ({"points": 0}, "bad-points"),
        ({"points": 1001}, "out-of-range"),
        ({"reason": " "}, "bad-length"),
        ({"player": str(player.pk)}, "not-in-division"),
    ):
        problem(api.post(at, {**sent, "id": str(uuid4()), **wrong}), 400, code)

    page, edit = signed_in(by.user), f"/divisions/{first.pk}/edit/"
    form = {"do": "adjust", "adjust-player": upper[3].pk, "adjust-points": 2}
    told = squeezed(page.post(edit, {**form, "adjust-reason": ""}))
    assert "This field is required." in told
    assert page.post(edit, {**form, "adjust-reason": "Painted by Halder"}).status_code == 302

    table = api.get(f"divisions/{first.pk}/").json()["table"]
    assert [(row["player"], row["points"]) for row in table] == [
        (str(upper[3].pk), "2"),
        (str(upper[1].pk), "0"),
        (str(upper[2].pk), "0"),
        (str(upper[0].pk), "-3"),
    ]
    assert [row["adjustments"] for row in table][-1] == [given]
    assert _moves(season)[0] == ["", "", "", "down"]
    shown = squeezed(Client().get(f"/seasons/{season.pk}/"))
    assert f"−3 {upper[0]}, " in shown
    assert ": Never came." in shown
    with pytest.raises(Conflict, match="something belongs to it"):
        services.remove(by=by, thing=first)
    services.place(by=by, division=season.divisions.get(level=2), player=upper[0])
    assert api.post(at, sent).json() == given

    erasing.erase(by.player)
    assert [each.reason for each in Adjustment.objects.all()] == ["Never came.", "Erased"]


def test_a_season_goes_on_once_every_tournament_is_closed_and_may_be_begun_anew() -> None:
    by = factories.actor()
    season, (upper, _) = _season(by, play_off=0)
    first = season.divisions.get(level=1)
    late = desks.tournament(by, title="Late", league=season.league, season=season, division=first)
    with pytest.raises(Conflict, match="counts in a division: Late") as refused:
        services.roll_over(by=by, season=season, **NEXT)
    assert refused.value.code == "tournament-open"
    services.withdraw(by=by, tournament=late)
    fresh = services.roll_over(by=by, season=season, **NEXT)
    for thing in (*fresh.divisions.all(), fresh):
        services.remove(by=by, thing=thing)
    services.place(by=by, division=first, player=upper[0], active=False)
    assert upper[0] not in set().union(*_levels(services.roll_over(by=by, season=season, **NEXT)))
