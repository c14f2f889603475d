"""What the console's pages do, done through the API: penalties, re-pairing, prizes, withdrawing."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from league import services
from league.models import Tournament
from matches.models import Log
from tests import factories
from tests.api.client import Api, problem
from tests.league import desks

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def paired() -> Tournament:
    cup = desks.tournament()
    desks.entered(cup, 4)
    desks.start(cup)
    desks.paired(cup)
    return cup


def running(cup: Tournament) -> Api:
    return Api(desks.organiser(cup))


def penalty(kind: str, entrant: int) -> dict[str, Any]:
    told = {"infraction": "conduct", "penalty": kind, "demerits": 3, "note": "Threw a table."}
    return {"id": str(uuid4()), "entrant": entrant, **told}


@pytest.mark.parametrize(
    ("kind", "beside"),
    [
        ("disqualification", ["disqualified", "ruled"]),
        ("match-loss", ["ruled"]),
        ("game-loss", []),
    ],
)
def test_a_penalty_does_what_it_says(kind: str, beside: list[str]) -> None:
    cup = paired()
    first, second = desks.desk(cup).rounds[0].tables[0].players
    sent = penalty(kind, second)
    answer = running(cup).post(f"tournaments/{cup.code}/penalties/", sent)
    assert answer.status_code == 201
    told = answer.json()
    assert [each["type"] for each in told["beside"]] == beside
    desk = desks.desk(cup)
    assert desk.penalties[0].penalty == kind
    assert desk.people[second - 1].status == (
        "disqualified" if kind == "disqualification" else "in"
    )
    table = desk.rounds[0].tables[0]
    assert table.status == ("settled" if beside else "open")
    assert told["version"] + len(beside) == told["head"]["version"] == cup.log.head_version
    assert first in table.players


@pytest.mark.parametrize("kind", ["disqualification", "match-loss", "warning"])
def test_a_penalty_sent_again_is_given_once(kind: str) -> None:
    cup = paired()
    api, path, sent = running(cup), f"tournaments/{cup.code}/penalties/", penalty(kind, 2)
    first = api.post(path, sent)
    again = api.post(path, sent)
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == first.json()
    assert len(desks.desk(cup).penalties) == 1
    problem(api.post(path, {**sent, "entrant": 3}), 409, "id-reused")


def test_a_penalty_of_nobody_there_is_refused() -> None:
    cup = paired()
    answer = running(cup).post(f"tournaments/{cup.code}/penalties/", penalty("warning", 9))
    assert answer.status_code == 422
    assert not desks.desk(cup).penalties


def test_a_round_that_is_not_published_is_paired_again() -> None:
    cup = desks.tournament()
    desks.entered(cup, 4)
    desks.start(cup)
    services.pair(tournament=cup, by=desks.organiser(cup), act_id=uuid4(), seed=7)
    desks.act(cup, "dropped", entrant=2)
    desks.entered(cup, 1)
    api, path, sent = running(cup), f"tournaments/{cup.code}/pair-again/", {"id": str(uuid4())}
    answer = api.post(path, sent)
    assert answer.status_code == 201
    [told] = answer.json()["results"]
    seated = {player for table in told["tables"] for player in table["players"]}
    assert (told["round"], seated) == (1, {1, 3, 4, 5})
    head = desks.desk(cup), cup.log.head_version
    again = api.post(path, sent)
    assert (again.status_code, again.json()) == (200, answer.json())
    assert (desks.desk(cup), cup.log.head_version) == head
    file = f"tournaments/{cup.code}/file/?kind=tournament"
    problem(Api().get(file), 409, "held-back")
    desks.act(cup, "round-published", round=1)
    problem(api.post(path, {"id": str(uuid4())}), 409, "nothing-to-pair")
    assert Api().get(file).json()["acts"][-2]["seed"] == told["seed"]


def test_a_prize_is_promised_taken_back_and_handed_over() -> None:
    cup = desks.tournament()
    api, path = running(cup), f"tournaments/{cup.code}/prizes/"
    first, second = (api.post(path, {"place": n, "line": "A hat"}).json()["id"] for n in (1, 2))
    assert api.post(f"{path}{second}/end/", {}).status_code == 204
    assert [each["id"] for each in api.get(path).json()["results"]] == [first]
    problem(api.post(f"{path}{second}/end/", {}), 404, "no-such-prize")
    problem(api.post(f"{path}{first}/hand-over/", {}), 409, "not-won")
    desks.played_out(cup)
    told = api.post(f"{path}{first}/hand-over/", {}).json()
    assert told["given_at"]
    assert told["shares"][0]["name"] == "Guest 1"
    assert api.post(f"{path}{first}/hand-over/", {}).json() == told
    problem(api.post(f"{path}{first}/end/", {}), 409, "prizes-given")


def test_a_prize_of_another_tournament_is_not_there() -> None:
    cup, other = desks.tournament(), desks.tournament()
    prize = services.promise_prize(by=desks.organiser(other), tournament=other, place=1, amount=5)
    path = f"tournaments/{cup.code}/prizes/{prize.pk}"
    problem(running(cup).post(f"{path}/end/", {}), 404, "no-such-prize")
    problem(running(cup).post(f"{path}/hand-over/", {}), 409, "not-won")
    path = f"tournaments/{cup.code}/prizes/{2**70}"
    problem(running(cup).post(f"{path}/end/", {}), 404, "no-such-prize")


def test_a_tournament_is_withdrawn_from_view() -> None:
    cup = desks.tournament()
    assert running(cup).post(f"tournaments/{cup.code}/withdraw/", {}).status_code == 204
    cup.log.refresh_from_db()
    assert cup.log.status == Log.Status.WITHDRAWN
    problem(Api(factories.user()).get(f"tournaments/{cup.code}/"), 404, "no-such-tournament")
    assert Client().get(cup.get_absolute_url()).status_code == 404
    assert running(cup).post(f"tournaments/{cup.code}/withdraw/", {}).status_code == 204


def test_a_table_s_match_is_opened_as_every_match_is() -> None:
    cup = paired()
    path = f"tournaments/{cup.code}/rounds/1/tables/1/match/"
    first, again = (running(cup).post(path, {}) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    told = first.json()
    read = running(cup).get(f"matches/{told['code']}/").json()
    assert read.pop("table") == {"tournament": cup.code, "round": 1, "table": 1, "game": 1}
    assert told == again.json() == {**read, "match": read["code"]}
    assert first.headers["Location"] == again.headers["Location"] == read["url"]


@pytest.mark.parametrize("option", ["board", "deck"])
def test_no_tournament_is_opened_with_options_that_no_match_can_be_opened_with(option: str) -> None:
    api, sent = Api(factories.actor()), {"title": "Cup", "ruleset": "zerpang"}
    wrong = sent | {"options": {option: "nowhere"}}
    told = problem(api.post("tournaments/", wrong), 422, f"no-such-{option}")
    assert [each["where"] for each in told["errors"]] == ["$.options"]
    assert "nowhere" in told["detail"]
    assert not Tournament.objects.exists()
    assert api.post("tournaments/", sent).status_code == 201
