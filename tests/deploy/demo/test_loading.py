"""The demo is loaded through the services, once."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from django.conf import settings
from django.db.models import F

from characters import audit
from characters.models import Appearance, Character, Favour, LedgerEntry, Move, Trade
from deploy import demo
from deploy.demo import cast, match_bots, people, single_matches
from matches import actors, decks, log, services, verify
from matches.models import Event, Log, Match
from rules import bots
from rules.zg.ruleset import ZgRuleset
from tests import factories

pytestmark = pytest.mark.sqlite  # as the demo is

TABLES = {table.seed: table for table in single_matches.tables()}
UNDER_WAY = replace(TABLES[41], upto=8)


@pytest.fixture
def load(monkeypatch, tmp_path, transactional_db):
    """Load a small demo: a match of each game and one under way."""
    tables = (TABLES[1], TABLES[8], TABLES[51], UNDER_WAY)
    monkeypatch.setattr(single_matches, "tables", lambda: iter(tables))
    monkeypatch.setattr(people, "LOGINS", tmp_path / "logins.json")
    monkeypatch.setattr(cast, "load", lambda people: None)
    return demo.load


@pytest.fixture
def load_few(monkeypatch, tmp_path, load):
    """Load that without the golden matches."""
    monkeypatch.setattr(single_matches, "GOLDEN", tmp_path)
    return load


@pytest.fixture
def load_cast(monkeypatch, tmp_path, transactional_db):
    """Load the demo's characters alone, and one match they fought."""
    duel = next(cast.duels())
    monkeypatch.setattr(cast, "duels", lambda: iter([duel]))
    monkeypatch.setattr(single_matches, "tables", lambda: iter(()))
    monkeypatch.setattr(single_matches, "GOLDEN", tmp_path)
    monkeypatch.setattr(people, "LOGINS", tmp_path / "logins.json")
    return demo.load


def under_way() -> Match:
    return Match.objects.get(title=f"Table {UNDER_WAY.seed}")


def test_forty_matches_are_played_and_one_is_left_under_way():
    first = [table for table in TABLES.values() if table.seed <= 41]
    assert [table.upto for table in first].count(None) == 40
    assert len(first) == 41


def test_every_game_of_cards_is_played_and_left_under_way():
    for game in ("zg", "zx"):
        upto = {table.upto is None for table in TABLES.values() if table.game == game}
        assert upto == {True, False}


def test_every_golden_match_is_there_all_verify_and_a_second_run_adds_nothing(load):
    logins = load()

    golden = Path(single_matches.GOLDEN).glob("*.zgxl")
    assert Match.objects.filter(title__endswith=", worked by hand").count() == len(list(golden)) > 0
    assert all(verify.verify(each).ok for each in Log.objects.all())
    events = list(Event.objects.order_by("pk").values_list("pk", "hash"))
    assert load() == logins
    assert list(Event.objects.order_by("pk").values_list("pk", "hash")) == events


def test_a_run_that_was_cut_off_is_finished_by_the_next(load_few, monkeypatch):
    monkeypatch.setattr(single_matches, "tables", lambda: iter([replace(UNDER_WAY, upto=3)]))
    load_few()
    monkeypatch.setattr(single_matches, "tables", lambda: iter([UNDER_WAY]))

    load_few()

    assert under_way().log.head_version == UNDER_WAY.upto


def test_what_a_visitor_records_is_not_played_on(load_few):
    load_few()
    match = under_way()
    by = actors.actor_for(match.opener.user)
    act = bots.random_act(
        log.load(match.log).ruleset, log.load(match.log).head.state, bots.Stream("visitor")
    )
    services.record(match=match, by=by, act_id=match.pk, act=act)

    load_few()

    match.log.refresh_from_db()
    assert match.log.head_version == UNDER_WAY.upto + 1


def test_what_a_visitor_took_back_is_not_played_again(load_few):
    load_few()
    match = Match.objects.get(title="Table 8")
    by = actors.actor_for(match.opener.user)
    services.take_back(match=match, by=by, act_id=match.pk, to=2)
    taken_back = Match.objects.get(pk=match.pk).log.head_version

    load_few()

    assert Match.objects.get(pk=match.pk).log.head_version == taken_back


def test_a_match_that_does_not_end_is_given_up(monkeypatch, db):
    monkeypatch.setattr(match_bots, "PATIENCE", 1)
    match = factories.match(seats=3)
    match_bots.play_out(match, factories.opener_of(match), 7)
    acts = Event.objects.filter(log=match.log, ordinal=0).order_by("version")
    assert list(acts.values_list("type", flat=True)) == ["opened", "conceded", "conceded"]
    assert Match.objects.get().log.status == Log.Status.ENDED


def test_other_sample_cards_leave_what_was_opened(load_few, monkeypatch):
    load_few()
    samples = decks.samples
    monkeypatch.setattr(decks, "samples", lambda ruleset: dict(reversed(samples(ruleset).items())))

    load_few()

    assert Match.objects.filter(title=f"Table {UNDER_WAY.seed}").count() == 1


def test_what_changed_rules_decide_otherwise_is_made_anew_but_for_what_people_recorded(
    load_few, monkeypatch, tmp_path
):
    golden = (Path(settings.BASE_DIR) / "tests/golden/zg-blanks.zgxl").read_text("utf-8")
    undigested = re.sub(r' ?\bdigest="?\w+"?', "", golden).replace(" {}", "")
    (tmp_path / "zg-blanks.zgxl").write_text(undigested, "utf-8")
    with monkeypatch.context() as earlier:
        earlier.setattr(ZgRuleset, "dump", dumped_otherwise(ZgRuleset.dump))
        load_few()
    Log.objects.update(rules_digest="of before")
    theirs = under_way()
    by = actors.actor_for(theirs.opener.user)
    services.take_back(match=theirs, by=by, act_id=theirs.pk, to=2)
    before = {match.pk: match.log.ruleset for match in Match.objects.select_related("log")}

    load_few()

    logs = {match.pk: match.log for match in Match.objects.select_related("log")}
    withdrawn = {pk for pk in before if logs[pk].is_withdrawn}
    assert withdrawn == {pk for pk, key in before.items() if key == "zg@1"} - {theirs.pk}
    assert len(logs) == len(before) + len(withdrawn)
    assert all(verify.verify(logs[pk]).ok for pk in logs.keys() - withdrawn - {theirs.pk})

    load_few()

    assert Match.objects.count() == len(logs)


def dumped_otherwise(dump):
    return lambda self, state: dump(self, state) + b" "


def test_the_cast_has_gear_goals_grudges_and_a_match_behind_it(load_cast):
    load_cast()

    tables = (Character, LedgerEntry, Favour, Trade, Move, Appearance, Event)
    before = [table.objects.count() for table in tables]
    assert Character.objects.count() == len(cast.PLAYED_BY) == 8
    assert all(one.goals.filter(current=True).exists() for one in Character.objects.all())
    assert not list(audit.problems())
    match = Match.objects.get(title="The Rim Circuit 1")
    assert match.log.status == Log.Status.ENDED
    assert Appearance.objects.filter(seat__match=match).count() == 2
    dated = LedgerEntry.objects.exclude(happened_on=None)
    earlier = dated.filter(happened_on__lt=F("recorded_at__date"), item__isnull=False)
    assert not earlier.exists(), "no piece goes before the day its sheet was written"

    load_cast()

    assert [table.objects.count() for table in tables] == before
