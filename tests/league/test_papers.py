"""Files, calendars and clinch calls of a tournament, and ratings, in the API."""

import json
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from icalendar import Calendar

import rules
from league import desks as league_desks
from league import services
from matches import followers
from rules import notation
from tests import factories
from tests.api.client import Api, problem
from tests.league import desks

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def test_a_tournament_is_told_as_files() -> None:
    cup = desks.played_out(desks.tournament(title="Cup"), players=4, rounds=2)
    path = f"tournaments/{cup.code}/file/"
    api = Api(None)

    told = {kind: api.get(path, kind=kind) for kind in ("tournament", "trf", "results", "entries")}

    assert {kind: answer.status_code for kind, answer in told.items()} == dict.fromkeys(told, 200)
    assert told["tournament"].json()["file"] == "zgxl-tournament"
    assert told["trf"].content.decode().splitlines()[0] == "012 Cup"
    assert told["results"].content.decode().count("\n") == 1 + 4
    assert told["entries"].content.decode().splitlines()[1] == "Guest 1,,in"
    assert told["entries"]["Content-Disposition"] == (
        f'attachment; filename="{cup.code}-entries.csv"'
    )
    assert f'"{cup.code}-results-1.csv"' in told["results"]["Content-Disposition"]
    for kind, answer in told.items():
        media = answer["Content-Type"]
        assert api.get(path, {"Accept": media.partition(";")[0]}, kind=kind).status_code == 200
        problem(api.get(path, {"Accept": "image/png"}, kind=kind), 406, "not-acceptable")
    problem(api.get(path, {"Accept": "application/json"}, kind="trf"), 406, "not-acceptable")
    problem(api.get(path, kind="trf", stage=2), 400, "no-such-stage")
    problem(api.get(path, kind="cards"), 400, "unknown-value")


def test_a_desk_s_log_is_told_as_files_where_nothing_of_it_is_hidden() -> None:
    cup = desks.tournament()
    desks.entered(cup, 2)
    desks.start(cup)
    path, files = f"tournaments/{cup.code}/events/", ["application/x-ndjson", "text/plain"]
    assert [Api().get(path, {"Accept": media}).status_code for media in files] == [200, 200]
    desks.act(cup, "penalty-given", entrant=1, infraction="conduct", penalty="warning")
    for media in files:
        told = problem(Api(factories.user()).get(path, {"Accept": media}), 403, "hidden")
        assert "what proves entry" in told["detail"]
    by = Api(desks.organiser(cup))
    log, script = (by.get(path, {"Accept": media}).content.decode() for media in files)
    head = json.loads(log.splitlines()[0])
    assert (head["ruleset"], head["entries"]) == ("desk@1", log.count("\n") - 1)
    told = notation.play(notation.read_match(script, rules.get))
    assert told.head.state == league_desks.timeline(cup).head.state


def test_anybody_gets_the_log_of_a_tournament_whose_rounds_are_published() -> None:
    cup = desks.played_out(desks.tournament(), players=4, rounds=2)
    path, media = f"tournaments/{cup.code}/events/", {"Accept": "application/x-ndjson"}
    assert Api(None).get(path, media).content == Api(desks.organiser(cup)).get(path, media).content


def test_a_log_with_a_pairing_nobody_saw_is_no_file_for_the_public() -> None:
    cup, stranger = desks.tournament(), Api(factories.user())
    desks.entered(cup, 4)
    desks.start(cup)
    path, media = f"tournaments/{cup.code}/events/", {"Accept": "application/x-ndjson"}
    desks.paired(cup, seed=1)  # publishes it
    assert stranger.get(path, media).status_code == 200
    desks.play(cup)
    cup.log.refresh_from_db()
    by, version = desks.organiser(cup), cup.log.head_version
    services.pair(tournament=cup, by=by, act_id=uuid4(), seed=1)
    services.take_back(tournament=cup, by=by, act_id=uuid4(), to=version)
    desks.paired(cup, seed=2)
    told = problem(stranger.get(path, media), 403, "hidden")
    assert f"what proves entry {version + 1}" in told["detail"]


def test_a_calendar_says_where_one_sits() -> None:
    player = factories.actor()
    assert player.player is not None
    cup = desks.tournament(
        title="Cup", starts_at=datetime(2026, 9, 1, 10, tzinfo=UTC), round_minutes=50
    )
    services.enter(tournament=cup, by=desks.organiser(cup), act_id=uuid4(), player=player.player)
    desks.entered(cup, 1)
    desks.start(cup)
    desks.paired(cup)

    mine, public = (
        Calendar.from_ical(Api(who).get(f"tournaments/{cup.code}/file/", kind="calendar").content)
        for who in (player, None)
    )

    def said(calendar: Calendar) -> list[str]:
        return [str(event["summary"]) for event in calendar.walk("VEVENT")]

    assert said(public) == ["Cup", "Cup: round 1"]
    assert said(mine) == ["Cup", "Cup: round 1, table 1 with Guest 1"]
    event = mine.walk("VEVENT")[1]
    assert (event.decoded("dtend") - event.decoded("dtstart")).seconds == 50 * 60


def test_who_is_safe_is_told_with_their_places() -> None:
    cup = desks.tournament()
    desks.entered(cup, 4)
    path = f"tournaments/{cup.code}/clinch/"
    assert Api(None).get(path, size=3).json() == {"stage": 0, "size": 3, "results": []}
    desks.start(cup, rounds=3)
    for _ in range(2):
        desks.paired(cup)
        desks.play(cup)

    told = Api(None).get(path, size=3).json()

    first = told["results"][0]
    assert (first["name"], first["call"], first["best"]) == ("Guest 1", "safe", 1)
    problem(Api(None).get(path, size=0), 400, "out-of-range")
    problem(Api(None).get(path, size=2, stage=2), 400, "no-such-stage")
    problem(Api(None).get("standings/", tournament=cup.code, stage=2), 400, "no-such-stage")


def test_ratings_are_listed_best_first() -> None:
    by = factories.actor()
    cup = desks.played_out(desks.tournament(by, league=desks.league(by)), players=4, rounds=2)
    desks.played_out(desks.tournament(), players=2, rounds=1)
    followers.work(cup.pk)
    assert cup.league is not None

    told = Api(None).get("ratings/", game="score", league=cup.league.slug).json()

    assert told["results"][0]["name"] == "Guest 1"
    assert len(told["results"]) == 4
    assert all(row["provisional"] for row in told["results"])
    problem(Api(None).get("ratings/", league="nobody"), 400, "no-such-league")


def test_a_correction_of_the_past_tells_whose_ratings_moved() -> None:
    by = factories.actor()
    cup = desks.tournament(by, league=desks.league(by))
    desks.entered(cup, 4)
    desks.start(cup)
    desks.paired(cup)
    desks.play(cup)
    followers.work(cup.pk)
    assert cup.league is not None
    pool = {"game": "score", "league": cup.league.slug}
    before = Api(None).get("ratings/", **pool).json()["results"]
    assert Api(None).get("ratings/revisions/", **pool).json()["results"] == []
    table = desks.desk(cup).rounds[0].tables[0]
    scores = list(desks.first_wins(table))[::-1]
    done = desks.act(cup, "result-corrected", round=1, table=1, scores=scores, note="Turned")
    followers.work(cup.pk)
    after = Api(None).get("ratings/", **pool).json()["results"]
    [told] = Api(None).get("ratings/revisions/", **pool).json()["results"]
    reader = Api(None)
    reader.client.cookies["results"] = "off"
    problem(reader.get("ratings/revisions/", **pool), 403, "results-off")
    assert (told["tournament"], told["version"]) == (cup.code, done.version)
    was, now = ({row["player"]: (row["mu"], row["sigma"]) for row in r} for r in (before, after))
    assert {each["player"]: (each["mu"], each["sigma"]) for each in told["moved"]} == {
        player: was[player] for player in was if was[player] != now[player]
    }
    assert all(now[e["player"]] == (e["now_mu"], e["now_sigma"]) for e in told["moved"])
    services.edit_tournament(by=by, tournament=cup, visibility="entrants")
    [told] = Api(None).get("ratings/revisions/", **pool).json()["results"]
    assert (told["tournament"], told["version"]) == (None, None)
    assert told["moved"]


def test_a_withdrawn_tournament_leaves_a_reason_why_ratings_moved() -> None:
    by = factories.actor()
    league = desks.league(by)
    cup = desks.played_out(desks.tournament(by, league=league), players=4, rounds=2)
    followers.work(cup.pk)
    pool = {"game": "score", "league": league.slug}
    was = Api(None).get("ratings/", **pool).json()["results"]
    services.withdraw(by=by, tournament=cup)
    followers.work(cup.pk)
    assert Api(None).get("ratings/", **pool).json()["results"] == []
    [told] = Api(None).get("ratings/revisions/", **pool).json()["results"]
    assert (told["tournament"], told["version"]) == (None, None)
    moved = {(each["player"], each["mu"], each["now_mu"]) for each in told["moved"]}
    assert moved == {(row["player"], row["mu"], None) for row in was}
    [named] = Api(by).get("ratings/revisions/", **pool).json()["results"]
    assert named["tournament"] == cup.code, "its organisers see it"
