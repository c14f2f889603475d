"""Permissions at a desk: players, scorekeepers, judges, organisers; penalties."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from league import services
from league.models import (
    Membership,
    Penalty,
    Role,
)
from matches import policy as matches_policy
from matches.actors import Actor
from matches.errors import BadInput, Conflict, Impossible, NotAllowed
from matches.followers import work
from matches.log import Receipt
from tests import factories
from tests.api.client import Api, problem
from tests.factories import signed_in
from tests.league import desks
from tests.league.consoles import Console

pytestmark = pytest.mark.django_db


def test_a_scorekeeper_enters_results_and_nothing_else() -> None:
    cup = desks.tournament()
    desks.entered(cup, 4)
    desks.start(cup)
    desks.paired(cup)
    keeper = factories.actor()
    assert keeper.player is not None
    services.name_member(
        by=desks.organiser(cup), player=keeper.player, role=Role.SCOREKEEPER, tournament=cup
    )
    desks.act(cup, "result-reported", by=keeper, round=1, table=1, scores=[2, 1])
    refused = [
        ("dropped", {"entrant": 1}),
        ("ruled", {"round": 1, "table": 2, "scores": [2, 0]}),
        ("round-closed", {"round": 1}),
        ("penalty-given", {"entrant": 1, "infraction": "late", "penalty": "warning"}),
    ]
    for kind, fields in refused:
        with pytest.raises(NotAllowed):
            desks.act(cup, kind, by=keeper, **fields)
    with pytest.raises(NotAllowed):
        services.take_back(tournament=cup, by=keeper, act_id=uuid4(), to=2)


def test_players_report_confirm_and_dispute_for_themselves_alone() -> None:
    cup = desks.tournament()
    one, two, three = (factories.actor() for _ in range(3))
    for player in (one, two):
        services.enter(tournament=cup, by=player, act_id=uuid4())
    desks.start(cup)
    desks.paired(cup)
    seats = desks.desk(cup).rounds[0].tables[0].players
    with pytest.raises(NotAllowed):
        desks.act(cup, "result-reported", by=three, round=1, table=1, scores=[2, 0])
    services.record(
        tournament=cup, by=one, act_id=uuid4(),
        act={"type": "result-reported", "round": 1, "table": 1, "scores": [2, 0], "by": 1},
    )  # fmt: skip
    with pytest.raises(NotAllowed):  # in another's name
        services.record(
            tournament=cup, by=one, act_id=uuid4(),
            act={"type": "result-confirmed", "round": 1, "table": 1, "by": 2},
        )  # fmt: skip
    services.record(
        tournament=cup, by=two, act_id=uuid4(),
        act={"type": "result-reported", "round": 1, "table": 1, "scores": [0, 2], "by": 2},
    )  # fmt: skip
    assert desks.desk(cup).rounds[0].tables[0].status == "disputed"
    assert set(seats) == {1, 2}


def test_what_is_reported_and_stands_is_not_reported_again() -> None:
    cup, players = desks.playing()

    def told(number: int, *scores: int) -> Receipt:
        act: dict[str, Any] = {"type": "result-reported", "round": 1, "table": 1, "by": number}
        act["scores"] = list(scores)
        return services.record(tournament=cup, by=players[number - 1], act_id=uuid4(), act=act)

    first = told(1, 2, 0)
    assert (told(1, 2, 0), told(1, 2, 0).recorded) == (first, False)
    assert told(1, 2, 1).recorded  # they mistook: that is another report, and so is the first now
    assert told(1, 2, 0).version == first.version + 2
    settled = told(2, 2, 0)
    assert desks.desk(cup).rounds[0].tables[0].status == "settled"
    assert told(2, 2, 0) == settled
    assert told(1, 2, 0).version == first.version + 2
    with pytest.raises(Impossible, match="Table 1 is settled"):
        told(1, 0, 2)
    services.take_back(
        tournament=cup, by=desks.organiser(cup), act_id=uuid4(), to=first.version - 1
    )
    again = told(1, 2, 0)
    assert again.recorded
    told(2, 0, 2)
    assert desks.desk(cup).rounds[0].tables[0].status == "disputed"
    assert (told(1, 2, 0), told(2, 0, 2).recorded) == (again, False)
    assert cup.log.head_version == again.version + 1


def test_an_official_does_not_settle_their_own_table() -> None:
    by = factories.actor()
    cup = desks.tournament(by)
    services.enter(tournament=cup, by=by, act_id=uuid4())
    desks.entered(cup, 1)
    desks.start(cup)
    desks.paired(cup)
    with pytest.raises(NotAllowed, match="own table"):
        desks.act(cup, "result-reported", round=1, table=1, scores=[2, 0])


def test_a_judge_who_plays_does_not_rule_on_their_own_table() -> None:
    by, judge = factories.actor("Ada"), factories.actor("Bo")
    cup = desks.tournament(by)
    assert judge.player is not None
    services.name_member(by=by, tournament=cup, player=judge.player, role=Role.JUDGE)
    for each in (by, judge):
        services.enter(tournament=cup, by=each, act_id=uuid4())
    desks.entered(cup, 2)
    desks.start(cup)
    desks.paired(cup)
    own, other = (desks.table_of(cup, 2), 3 - desks.table_of(cup, 2))
    result: dict[str, Any] = {"round": 1, "scores": [2, 0], "note": "Seen."}
    with pytest.raises(NotAllowed, match="You play at this table"):
        desks.act(cup, "ruled", by=judge, table=own, **result)
    desks.act(cup, "ruled", by=judge, table=other, **result)
    desks.act(cup, "ruled", table=own, **result)
    with pytest.raises(NotAllowed, match="You play at this table"):
        desks.act(cup, "result-corrected", by=judge, table=own, **result | {"scores": [0, 2]})
    reported = cup.log.events.filter(type="ruled", body__contains=f'"table":{own}').get()
    path = f"/tournaments/{cup.code}/rounds/1/tables/{own}/"
    client, act_id = signed_in(judge.user), str(reported.act_id)
    for form in ({"scores": "0-2"}, {"scores": "0-2", "note": "No.", "act_id": str(uuid4())}):
        answer = client.post(f"{path}correct/", form)
        assert (answer.status_code, b"You play at this table" in answer.content) == (403, True)
    assert f"{path}correct/" not in client.get(path).content.decode()
    change = {"id": str(uuid4()), "act_id": act_id, "act": {"scores": [0, 2]}, "reason": "No."}
    problem(Api(judge).post(f"tournaments/{cup.code}/correct/", change), 403, "own-table")
    mine, foe = 2, sum(desks.desk(cup).rounds[0].tables[own - 1].players) - 2
    stranger = desks.desk(cup).rounds[0].tables[other - 1].players[0]
    warned = {"infraction": "late", "penalty": "warning", "demerits": 1}
    of_foes: list[tuple[str, dict[str, Any]]] = [
        ("disqualified", {"entrant": foe}),
        ("dropped", {"entrant": foe}),
        ("penalty-given", {"entrant": foe, **warned}),
        ("pairing-changed", {"table": own, "seat_number": 1, "entrant": stranger}),
        ("pairing-changed", {"table": other, "seat_number": 1, "entrant": mine}),
    ]
    for kind, fields in of_foes:
        with pytest.raises(NotAllowed, match="You play at this table"):
            desks.act(cup, kind, by=judge, irregular=True, **fields)
    sent = {"id": str(uuid4()), "entrant": foe, **warned}
    problem(Api(judge).post(f"tournaments/{cup.code}/penalties/", sent), 403, "own-table")
    desks.act(cup, "penalty-given", by=judge, entrant=stranger, **warned)
    desks.act(cup, "dropped", by=judge, entrant=mine)


def test_a_judge_undoes_neither_what_was_decided_of_them_nor_what_organisers_record() -> None:
    by, judge = factories.actor(), factories.actor()
    cup = desks.tournament(by)
    assert judge.player is not None
    services.name_member(by=by, tournament=cup, player=judge.player, role=Role.JUDGE)
    services.enter(tournament=cup, by=judge, act_id=uuid4())
    desks.entered(cup, 3)
    desks.start(cup, rounds=1)
    desks.paired(cup)
    own = desks.table_of(cup, 1)
    code = f"tournaments/{cup.code}"

    def undo(to: int, who: Actor = judge) -> Receipt:
        return services.take_back(tournament=cup, by=who, act_id=uuid4(), to=to)

    def refused(to: int, why: str) -> None:
        with pytest.raises(NotAllowed) as told:
            undo(to)
        assert told.value.code == why
        with pytest.raises(NotAllowed):
            services.preview_take_back(tournament=cup, by=judge, to=to)
        problem(Api(judge).post(f"{code}/take-back/", {"id": str(uuid4()), "to": to}), 403, why)
        sent = {"type": "taken-back", "to": to}
        with pytest.raises(NotAllowed):
            services.record(tournament=cup, by=judge, act_id=uuid4(), act=sent)

    result: dict[str, Any] = {"round": 1, "scores": [0, 2], "note": "Seen."}
    ruled = desks.act(cup, "ruled", table=own, **result).version
    refused(ruled - 1, "own-table")
    assert services.preview_take_back(tournament=cup, by=by, to=ruled - 1).undone == (ruled,)
    undo(ruled - 1, by)
    refused(ruled, "own-table")  # it would count again
    given: dict[str, Any] = {"entrant": 1, "infraction": "conduct", "penalty": "warning"}
    given = {**given, "demerits": 1, "note": "Rude."}
    refused(desks.act(cup, "penalty-given", **given).version - 1, "own-table")
    desks.act(cup, "disqualified", entrant=1)
    for kind, fields in (
        ("penalty-withdrawn", {"number": 1, "note": "Not me."}),
        ("returned", {"entrant": 1}),
    ):
        with pytest.raises(NotAllowed, match="decided about you"):
            desks.act(cup, kind, by=judge, **fields)
    for who, forms in ((judge, 0), (by, 1)):
        page = Console(cup, who).page()
        assert ("Rude." in page, page.count("Withdraw it")) == (True, forms)
    desks.act(cup, "returned", entrant=1)
    other = desks.act(cup, "ruled", by=judge, table=3 - own, **result).version
    undo(other - 1)
    desks.play(cup)
    refused(cup.log.head_version - 1, "not-allowed")  # a round that was closed
    desks.act(cup, "tournament-closed")
    refused(cup.log.head_version - 1, "not-allowed")
    refused(2, "not-allowed")
    with pytest.raises(NotAllowed):
        services.pair_again(tournament=cup, by=judge, act_id=uuid4())
    page = signed_in(judge.user).get(f"/tournaments/{cup.code}/console/").content.decode()
    assert f"/tournaments/{cup.code}/undo/" not in page


def test_an_organiser_who_plays_rules_on_their_own_table_and_everybody_is_told() -> None:
    by = factories.actor("Ada")
    cup = desks.tournament(by)
    services.enter(tournament=cup, by=by, act_id=uuid4())
    desks.entered(cup, 3)
    desks.start(cup)
    desks.paired(cup)
    own, other = (desks.table_of(cup, 1), 3 - desks.table_of(cup, 1))
    path = f"/tournaments/{cup.code}/rounds/1/tables/"
    for table, told in ((own, "Ruled by Ada, who plays at this table."), (other, "Ruled by Ada.")):
        assert "Ruled by" not in Client().get(f"{path}{table}/").content.decode()
        desks.act(cup, "ruled", round=1, table=table, scores=[2, 0], note="Seen.")
        assert told in Client().get(f"{path}{table}/").content.decode()
    client = signed_in(by.user)
    console = client.get(f"/tournaments/{cup.code}/console/").content.decode()
    assert console.count("Ada, who plays at this table") == 1


def test_a_judge_who_sits_at_a_match_is_a_player_of_it() -> None:
    by, judge, outside = (factories.actor() for _ in range(3))
    cup = desks.tournament(by)
    for each in (judge, outside):
        assert each.player is not None
        services.name_member(by=by, tournament=cup, player=each.player, role=Role.JUDGE)
    for each in (by, judge):
        services.enter(tournament=cup, by=each, act_id=uuid4())
    desks.start(cup)
    desks.paired(cup)
    match = services.open_table(tournament=cup, by=by, number=1, table=1)
    rules = [matches_policy.may_rule(each, match) for each in (by, judge, outside)]
    assert rules == [True, False, True]
    assert matches_policy.may_record(judge, match)


def test_penalties_stand_in_the_disciplinary_record() -> None:
    cup = desks.tournament()
    desks.entered(cup, 2)
    desks.act(
        cup, "penalty-given", entrant=1, infraction="late", penalty="warning", demerits=2,
        note="Ten minutes.",
    )  # fmt: skip
    work(cup.pk)
    assert Penalty.objects.get().demerits == 2
    services.take_back(
        tournament=cup, by=desks.organiser(cup), act_id=uuid4(), to=cup.log.head_version - 1
    )
    work(cup.pk)
    assert not Penalty.objects.exists()


def test_the_disciplinary_record_goes_across_tournaments_for_officials_of_the_league() -> None:
    opener, judge, player = (factories.actor() for _ in range(3))
    home = desks.league(opener)
    assert judge.player is not None
    services.name_member(by=opener, league=home, player=judge.player, role=Role.JUDGE)
    cups = [desks.tournament(opener, league=home, title=f"Cup {n}") for n in (1, 2)]
    for cup in cups:
        services.enter(tournament=cup, by=player, act_id=uuid4())
        told = {"entrant": 1, "infraction": "conduct", "penalty": "warning", "demerits": 2}
        desks.act(cup, "penalty-given", **told)
        work(cup.pk)
    assert player.player is not None
    services.sanction(by=opener, league=home, player=player.player, kind="exile", reason="Rude.")

    def seen(by: Any, path: str) -> str:
        client = Client()
        if by is not None:
            client.force_login(by.user)
        return client.get(path).content.decode()

    for by in (opener, judge):
        assert "record/" in seen(by, home.get_absolute_url())
        page = seen(by, f"{home.get_absolute_url()}record/")
        assert "4 demerits" in page
        assert "Exiled" in page
        assert "Cup 1" in page
        assert "4 demerits" in seen(by, f"/tournaments/{cups[1].code}/console/")
    for by in (None, player):
        assert "record/" not in seen(by, home.get_absolute_url())
        assert "emerits" not in seen(by, f"{home.get_absolute_url()}record/")


def test_nobody_records_by_hand_what_the_site_records() -> None:
    cup = desks.tournament()
    with pytest.raises(Impossible):
        desks.act(cup, "seed-revealed", seed="00")


def test_a_result_that_was_recorded_is_corrected_with_a_reason_and_nothing_else_is() -> None:
    cup, act_id, entered = desks.tournament(), uuid4(), uuid4()
    by = desks.organiser(cup)
    services.enter(tournament=cup, by=by, act_id=entered, name="Guest 1")
    desks.entered(cup, 1)
    desks.start(cup)
    desks.paired(cup)
    at = {"round": 1, "table": 1}
    desks.act(cup, "result-reported", **at, scores=[2, 0], act_id=act_id)
    result = {"type": "result-reported", **at, "scores": [0, 2]}
    for named, reason, code, where in (
        (act_id, " ", "missing-reason", "$.reason"),
        (uuid4(), "Misread.", "act-unknown", "$.act_id"),
        (entered, "Misread.", "not-correctable", "$.act_id"),
    ):
        sent = {"id": str(uuid4()), "act_id": str(named), "act": result, "reason": reason}
        [error] = problem(Api(by).post(f"tournaments/{cup.code}/correct/", sent), 422, code)[
            "errors"
        ]
        assert error["where"] == where


def test_a_ban_has_an_end_to_come_and_an_exile_has_none() -> None:
    by, player = factories.actor(), factories.actor()
    home, today = desks.league(by), timezone.localdate()
    path = f"leagues/{home.slug}/discipline/"
    sent = {"player": str(player.player_id), "reason": "Why."}
    for wrong in (
        {"kind": "ban"},
        {"kind": "exile", "ends_on": str(today)},
        {"kind": "ban", "ends_on": str(today - timedelta(1))},
    ):
        [error] = problem(Api(by).post(path, sent | wrong), 400, "bad-date")["errors"]
        assert error["where"] == "$.ends_on"
    with pytest.raises(BadInput) as refused:
        services.sanction(by=by, league=home, player=player.player, kind="duel", reason="Why.")
    assert (refused.value.code, refused.value.where) == ("unknown-value", "$.kind")
    told = Api(by).post(path, sent | {"ends_on": str(today)})
    assert told.status_code == 201
    lift = f"{path}{home.sanctions.get().pk}/lift/"
    problem(Api(player).post(lift, {}), 403, "not-allowed")
    problem(Api(by).post(f"{path}0/lift/", {}), 404, "no-such-sanction")
    elsewhere = (
        f"leagues/{desks.league(by, 'Away').slug}/discipline/{home.sanctions.get().pk}/lift/"
    )
    problem(Api(by).post(elsewhere, {}), 404, "no-such-sanction")
    assert Api(by).post(lift, {}).status_code == 200


def test_a_league_keeps_an_organiser() -> None:
    by = factories.actor()
    home = desks.league(by)
    with pytest.raises(Conflict):
        services.dismiss(by=by, member=Membership.objects.get(league=home))
