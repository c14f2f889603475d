"""Z/X at the desk: its floor rules, time called for the matches too, and what they report."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

import rules
from league import services
from league.models import StagePlan, Tournament
from league.starting import start_of
from matches import followers, log
from matches.models import Match
from rules import bots
from rules.desk.acts import TimeCalled
from rules.desk.state import Result
from rules.ruleset import event_type
from tests import factories
from tests.factories import signed_in
from tests.league import desks

pytestmark = pytest.mark.django_db
QUIET = (
    *("first-decided", "hand-kept", "start-resources-placed", "resource-passed"),
    *("ignition-ended", "turn-ended", "hand-trimmed"),
)


def cup(**details: Any) -> Tournament:
    """Return a Z/X tournament in its first round: 1 plays 2 and 3 plays 4, or so."""
    made = desks.tournament(ruleset="zx", stages=[{"format": "swiss"}], **details)
    desks.entered(made, 4)
    plan = made.plans.get()
    desks.act(made, **{"kind": "stage-started", **_settings(plan.settings)})
    desks.paired(made)
    return made


def _settings(planned: dict[str, Any]) -> dict[str, Any]:
    said = start_of(StagePlan(settings=planned), 7)
    return {name: value for name, value in said.items() if name != "type"} | {"seed": 7}


def table(made: Tournament, number: int) -> Any:
    return desks.desk(made).rounds[0].tables[number - 1]


def open_match(made: Tournament, number: int) -> Match:
    by = desks.organiser(made)
    return services.open_table(tournament=made, by=by, number=1, table=number)


def quietly(match: Match, turns: int) -> None:
    """Play on without anything happening until so many turns have ended, or the match has."""
    zx, pick = rules.get("zx"), bots.Stream("nothing happens")
    while turns and (state := log.load(match.log).head.state) and not zx.outcome(state):
        offers = [each for each in zx.options(state) if each.type in QUIET]
        act = bots.act_of(zx, offers[0], pick)
        factories.record(match, act, by=desks.organiser(match.table.tournament))
        turns -= event_type(act) == "turn-ended"
        match.log.refresh_from_db()


def test_a_tournament_of_the_game_is_run_by_its_floor_rules() -> None:
    made = desks.tournament(ruleset="zx", stages=[{"format": "swiss"}, {"format": "pods"}])
    other = desks.tournament(
        ruleset="zx", stages=[{"format": "swiss", "best_of": 3}], round_minutes=0
    )
    usual = {"best_of": 1, "time_up": "lost", "tiebreaks": ["omw"], "format": "swiss"}

    assert [plan.settings for plan in made.plans.all()] == [usual, {"format": "pods"}]
    assert made.round_minutes == 30
    assert other.plans.get().settings["best_of"] == 3
    assert other.round_minutes == 0
    assert desks.tournament().round_minutes == 0
    assert "ZX-X3" in Client().get(f"/tournaments/{made.code}/rules/").content.decode()


def test_time_called_at_the_desk_is_called_at_every_table_and_level_life_loses_both() -> None:
    made = cup()
    match = open_match(made, 1)
    quietly(match, 1)
    desks.act(made, "time-called", round=1)
    match.log.refresh_from_db()

    assert match.log.events.filter(type="time-called").count() == 1
    page = Client().get(f"/matches/{match.code}/").content.decode()
    assert "Time is called." in page
    quietly(match, 2)
    assert match.log.events.filter(type="life-compared").count() == 1
    followers.work(match.pk)
    assert table(made, 1).result == Result(lost=True)
    assert table(made, 1).status == "settled"

    rows = Client().get(f"/tournaments/{made.code}/rounds/1/").content.decode()
    assert "lost by all" in rows


def test_time_that_a_web_process_called_and_died_is_told_by_the_worker() -> None:
    made = cup()
    match = open_match(made, 1)
    quietly(match, 1)
    log.append(made.log, log.Request(uuid4(), TimeCalled(round=1)))
    later = open_match(made, 2)
    assert not match.log.events.filter(type="time-called").exists()

    followers.work(made.pk)
    assert match.log.events.filter(type="time-called").count() == 1
    assert not later.log.events.filter(type="time-called").exists()


def test_time_that_was_called_too_soon_is_called_again_once_it_is_up() -> None:
    made = cup()
    match, by = open_match(made, 1), desks.organiser(made)
    quietly(match, 1)
    before, called = match.log.head_version, match.log.events.filter(type="time-called")
    desks.act(made, "time-called", round=1)
    services.take_back(tournament=made, by=by, act_id=uuid4(), to=made.log.head_version - 1)
    factories.record(match, {"type": "taken-back", "to": before}, by=by)
    followers.work(made.pk)
    assert called.count() == 1
    desks.act(made, "time-called", round=1)
    assert called.count() == 2


def test_a_match_won_on_time_reports_who_won() -> None:
    made = cup()
    match, by = open_match(made, 2), desks.organiser(made)
    factories.record(match, {"type": "options-changed", "depth": "score"}, by=by)
    desks.act(made, "time-called", round=1)
    factories.record(match, {"type": "won-called", "seat": 2, "how": "time"}, by=by)
    followers.work(match.pk)

    assert table(made, 2).result == Result(scores=(0, 1))
    assert not match.log.events.filter(type="time-called").exists()


def test_what_is_left_is_entered_by_hand_at_table_and_console() -> None:
    made = cup()
    desks.act(made, "time-called", round=1)
    client = signed_in(desks.organiser(made).user)
    console = f"/tournaments/{made.code}/console/"
    form = {"act_id": str(uuid4()), "type": "result-reported", "round": "1", "by": ""}

    assert "has left" in client.get(console).content.decode()
    assert client.post(console, {**form, "table": "1", "left": ["3", "1"]}).status_code == 302
    form["act_id"] = str(uuid4())
    assert client.post(console, {**form, "table": "2", "lost": "1"}).status_code == 302
    assert table(made, 1).result == Result(scores=(1, 0), left=(3, 1))
    assert table(made, 2).result == Result(lost=True)

    fix = f"/tournaments/{made.code}/rounds/1/tables/1/correct/"
    assert "What it moves" in client.get(f"{fix}?left=2&left=2").content.decode()
    sent = {"act_id": str(uuid4()), "scores": "", "left": "2-2", "note": "Counted again."}
    assert client.post(fix, sent).status_code == 302
    assert table(made, 1).result == Result(lost=True, left=(2, 2))


def test_before_time_is_called_nothing_is_compared() -> None:
    made = cup()
    client = signed_in(desks.organiser(made).user)
    form = {"act_id": str(uuid4()), "type": "result-reported", "round": "1", "table": "1"}

    answer = client.post(f"/tournaments/{made.code}/console/", {**form, "left": ["3", "1"]})
    assert answer.status_code == 422
    assert table(made, 1).status == "open"
