"""A desk through the services: who may record what, and what the log makes of it."""

import re
from datetime import timedelta
from typing import Any, get_args
from uuid import UUID, uuid4, uuid5

import msgspec
import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.utils import timezone, translation

from league import circuits, followers, ranking, selectors, services, titles
from league import desks as cuts
from league.models import (
    Circuit,
    League,
    Membership,
    Pairing,
    Penalty,
    Role,
    Round,
    Sanction,
    Standing,
    Tournament,
)
from matches import policy as matches_policy
from matches import services as match_services
from matches.errors import BadInput, Conflict, Impossible, NotAllowed
from matches.followers import work
from matches.log import Receipt
from matches.models import Event, Match, Player
from matches.policy import NOBODY, Actor
from matches.transfer import export_ndjson
from rules.desk.acts import ByeGranted, Options, PenaltyGiven
from tests import factories
from tests.api.client import Api, problem
from tests.api.test_bad_forms import signed_in
from tests.league import desks

pytestmark = pytest.mark.django_db


def test_a_tournament_is_played_to_its_close() -> None:
    cup = desks.played_out(desks.tournament())
    assert desks.desk(cup).order == (1, 2, 3, 4)
    work(cup.pk)
    final = Standing.objects.filter(tournament=cup, round=0)
    assert [row.entry.number for row in final.order_by("place")] == [1, 2, 3, 4]
    assert Round.objects.filter(tournament=cup).count() == 2
    assert Pairing.objects.filter(round__tournament=cup).count() == 4
    cup.refresh_from_db()
    assert cup.closed_at is not None


def test_projected_again_the_rows_are_the_same() -> None:
    cup = desks.played_out(desks.tournament(), players=5)
    follower = followers.Desks()
    follower.project(cup.log)
    once = list(Standing.objects.values_list("round", "place", "entry", "points", "tiebreaks"))
    follower.project(cup.log)
    again = list(Standing.objects.values_list("round", "place", "entry", "points", "tiebreaks"))
    assert once == again
    assert len(once) == 15


def test_losing_semi_finalists_share_a_place_and_its_points() -> None:
    cup = desks.tournament()
    desks.entered(cup, 4)
    desks.start(cup, format="single-elimination", rounds=0, tiebreaks=[])
    for _ in range(2):
        desks.paired(cup)
        desks.play(cup)
    desks.act(cup, "tournament-closed")
    work(cup.pk)
    final = Standing.objects.filter(tournament=cup, round=0).order_by("place", "pk")
    assert list(final.values_list("place", "entry__place")) == [(1, 1), (2, 2), (3, 3), (3, 3)]
    shown = ranking.rows_of(desks.desk(cup), 0)
    assert [row.place for row in shown] == [1, 2, 3, 3]
    circuit = Circuit(points=[10, 6, 4, 1])
    assert [circuits.points_for(circuit, place) for place in (0, 1, 4, 5)] == [0, 10, 1, 0]
    assert circuits.points_for(circuit, 3, tier=2, sharing=2) == 5


def test_a_round_is_hidden_until_it_is_published() -> None:
    cup = desks.tournament()
    desks.entered(cup, 4)
    desks.start(cup)
    before = desks.desk(cup)
    assert not before.rounds
    version = cup.log.head_version
    services.pair(tournament=cup, by=desks.organiser(cup), act_id=uuid4(), seed=1)
    assert cuts.cut_for(NOBODY, cup).version == version
    assert cuts.cut_for(desks.organiser(cup), cup).version == version + 1
    desks.act(cup, "round-published", round=1)
    assert cuts.cut_for(NOBODY, cup).version == version + 2
    assert not cuts.cut_for(NOBODY, cup).hidden


def test_a_ref_is_of_one_entry_of_one_tournament() -> None:
    cup, other = desks.tournament(), desks.tournament()
    free, [taken], [elsewhere] = str(uuid4()), desks.entered(cup, 1), desks.entered(other, 1)
    first = {"ref": free, "act_id": uuid4()}
    for again in (False, True):
        assert desks.act(cup, "entered", **first).recorded != again
    for ref in (free, free.upper(), str(taken.pk), str(elsewhere.pk)):
        with pytest.raises(Conflict) as refused:
            desks.act(cup, "entered", ref=ref)
        assert refused.value.code == "ref-taken"
    for _ in range(2):  # it names no row
        desks.act(cup, "entered", ref="board-1")
    work(cup.pk)
    assert cup.entries.count() == 4


def test_an_id_is_the_same_however_it_is_written_and_who_has_none_is_found_too() -> None:
    cup = desks.tournament()
    refs = [uuid4() for _ in range(2)]
    for ref in (str(refs[0]).upper(), refs[1].hex, "board-1", ""):
        desks.act(cup, "entered", ref=ref)
    work(cup.pk)
    desk = desks.desk(cup)
    assert [person.ref for person in desk.people[:2]] == [str(ref) for ref in refs]
    assert {cuts.number_of(desk, entry) for entry in cup.entries.all()} == {1, 2, 3, 4}


def test_a_round_undone_before_it_was_published_stays_hidden() -> None:
    cup = desks.tournament()
    desks.entered(cup, 4)
    desks.start(cup)
    version = cup.log.head_version
    services.pair(tournament=cup, by=desks.organiser(cup), act_id=uuid4(), seed=1)
    services.take_back(tournament=cup, by=desks.organiser(cup), act_id=uuid4(), to=version)
    assert cuts.cut_for(NOBODY, cup) == (version + 2, "public", {version + 1})
    desks.paired(cup, seed=2)
    assert cuts.cut_for(NOBODY, cup).hidden == {version + 1}


def test_results_held_back_are_hidden_with_the_matches_they_come_from() -> None:
    cup = desks.tournament()
    players = [factories.actor() for _ in range(2)]
    for player in players:
        services.enter(tournament=cup, by=player, act_id=uuid4())
    desks.start(cup)
    desks.paired(cup)
    match = services.open_table(tournament=cup, by=players[0], number=1, table=1)
    desks.act(cup, "results-held", round=1)
    match.log.refresh_from_db()
    assert match.log.held
    receipt = desks.act(cup, "result-reported", round=1, table=1, scores=[2, 0])
    assert receipt.version in cuts.cut_for(NOBODY, cup).hidden
    desks.act(cup, "results-shown")
    match.log.refresh_from_db()
    assert not match.log.held
    assert not cuts.cut_for(NOBODY, cup).hidden


def test_who_opens_a_table_does_not_manage_its_match() -> None:
    cup = desks.tournament()
    players = [factories.actor() for _ in range(2)]
    for player in players:
        services.enter(tournament=cup, by=player, act_id=uuid4())
    desks.start(cup)
    desks.paired(cup)
    desks.act(cup, "results-held", round=1)
    match = services.open_table(tournament=cup, by=players[0], number=1, table=1)
    friend = factories.actor().player
    assert friend is not None

    with pytest.raises(NotAllowed):
        match_services.change_cut(by=players[0], match=match, held=False)
    with pytest.raises(NotAllowed):
        match_services.name_official(by=players[0], match=match, player=friend)
    assert Match.objects.get(pk=match.pk).log.held
    match_services.name_official(by=desks.organiser(cup), match=match, player=friend)


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
    cup = desks.tournament()
    players = [factories.actor() for _ in range(2)]
    for player in players:
        services.enter(tournament=cup, by=player, act_id=uuid4())
    desks.start(cup)
    desks.paired(cup)

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
    client, act_id = Client(), str(reported.act_id)
    assert isinstance(judge.user, User)
    client.force_login(judge.user)
    for form in ({"scores": "0-2"}, {"scores": "0-2", "note": "No.", "act_id": str(uuid4())}):
        answer = client.post(f"{path}correct/", form)
        assert (answer.status_code, b"You play at this table" in answer.content) == (403, True)
    assert f"{path}correct/" not in client.get(path).content.decode()
    change = {"id": str(uuid4()), "act_id": act_id, "act": {"scores": [0, 2]}, "reason": "No."}
    problem(Api(judge).post(f"tournaments/{cup.code}/correct/", change), 403, "own-table")


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
    assert isinstance(by.user, User)
    client = Client()
    client.force_login(by.user)
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


def test_who_comes_late_waits_and_moves_up() -> None:
    cup = desks.tournament(desk=Options(cap=2))
    desks.entered(cup, 3)
    assert [person.status for person in desks.desk(cup).people] == ["in", "in", "waiting"]
    desks.act(cup, "dropped", entrant=1)
    assert [person.status for person in desks.desk(cup).people] == ["dropped", "in", "in"]


def test_who_dropped_already_is_named_where_it_is_said_again() -> None:
    cup = desks.tournament()
    desks.entered(cup, 1)
    desks.act(cup, "dropped", entrant=1)
    with pytest.raises(Impossible, match=r"^Guest 1 is dropped\.$") as refused:
        desks.act(cup, "dropped", entrant=1)
    assert refused.value.extra["params"] == {"entrant": 1, "status": "dropped"}
    with pytest.raises(Impossible, match=r"^There is no number 2: the last is 1\.$"):
        desks.act(cup, "dropped", entrant=2)


def test_entering_again_with_the_same_id_enters_once() -> None:
    cup = desks.tournament()
    me, act_id = factories.actor(), uuid4()
    first = services.enter(tournament=cup, by=me, act_id=act_id)
    assert services.enter(tournament=cup, by=me, act_id=act_id) == first
    with pytest.raises(Conflict, match="entered already"):
        services.enter(tournament=cup, by=me, act_id=uuid4())
    desks.act(cup, "dropped", by=me, entrant=1)
    with pytest.raises(Conflict, match="an organiser lets them back in"):
        services.enter(tournament=cup, by=me, act_id=uuid4())
    assert len(desks.desk(cup).people) == 1
    assert cup.entries.count() == 1


def test_whose_entry_was_taken_back_is_shown_no_more_of_what_is_kept_to_entrants() -> None:
    cup = desks.tournament(visibility="entrants")
    by, me = desks.organiser(cup), factories.actor()
    assert me.player is not None
    desks.entered(cup, 1)
    services.enter(tournament=cup, by=by, act_id=uuid4(), player=me.player)
    path = f"/tournaments/{cup.code}/"
    assert signed_in(me.user).get(path).status_code == 200
    services.take_back(tournament=cup, by=by, act_id=uuid4(), to=2)
    work(cup.pk)
    assert signed_in(me.user).get(path).status_code == 404
    assert Api(me).get(f"tournaments/{cup.code}/").status_code == 404
    services.enter(tournament=cup, by=by, act_id=uuid4(), player=me.player)
    assert signed_in(me.user).get(path).status_code == 200


def test_a_guest_whose_entry_is_refused_is_nobody() -> None:
    cup = desks.tournament()
    services.withdraw(by=desks.organiser(cup), tournament=cup)
    with pytest.raises(Conflict, match="This was withdrawn"):
        services.enter(tournament=cup, by=desks.organiser(cup), act_id=uuid4(), name="Ghost")
    assert not Player.objects.filter(name="Ghost").exists()


def test_who_is_banned_does_not_enter() -> None:
    by = factories.actor()
    home = desks.league(by)
    cup = desks.tournament(by, league=home)
    me = factories.actor()
    assert me.player is not None
    held = services.sanction(
        by=by, league=home, player=me.player, kind="exile", reason="Threw dice."
    )
    with pytest.raises(Conflict, match="exiled"):
        services.enter(tournament=cup, by=me, act_id=uuid4())
    services.lift(by=by, sanction=held)
    services.enter(tournament=cup, by=me, act_id=uuid4())


def _banned(by: Actor, league: League, player: Actor, days: int) -> Sanction:
    assert player.player is not None
    until = timezone.localdate() + timedelta(days=days)
    about = {"kind": "ban", "reason": "Threw dice.", "ends_on": until}
    return services.sanction(by=by, league=league, player=player.player, **about)


def test_a_ban_counts_on_the_day_that_is_played() -> None:
    by, soon, later = (factories.actor() for _ in range(3))
    home = desks.league(by)
    starts_at = timezone.now() + timedelta(days=10)
    cup = desks.tournament(by, league=home, starts_at=starts_at)
    _banned(by, home, soon, days=5)
    _banned(by, home, later, days=15)
    services.enter(tournament=cup, by=soon, act_id=uuid4())
    with pytest.raises(Conflict, match="banned"):
        services.enter(tournament=cup, by=later, act_id=uuid4())


def test_who_was_banned_since_they_entered_is_told_and_does_not_check_in() -> None:
    by, me, mate, other = (factories.actor() for _ in range(4))
    home = desks.league(by)
    for player in (me, mate, other):
        services.join(by=player, league=home)
    krewe = services.make_krewe(by=me, league=home, name="Cinders")
    alone = desks.tournament(by, league=home, desk=Options(check_in=True))
    together = desks.tournament(by, league=home, desk=Options(check_in=True), enters="krewe")
    services.enter(tournament=alone, by=mate, act_id=uuid4())
    services.enter(tournament=alone, by=other, act_id=uuid4())
    services.enter(tournament=together, by=me, act_id=uuid4(), krewe=krewe)
    assert mate.player is not None
    held = _banned(by, home, mate, days=5)
    services.add_to_krewe(by=me, krewe=krewe, player=mate.player)

    for cup, player in ((alone, mate), (together, me), (alone, by)):
        with pytest.raises(Conflict, match=f"{mate.player} is banned"):
            desks.act(cup, "checked-in", by=player, entrant=1)
    desks.act(alone, "checked-in", by=other, entrant=2)
    for cup in (alone, together):
        page = signed_in(by.user).get(f"/tournaments/{cup.code}/console/").content.decode()
        assert "Entered, and kept out:" in page
    services.lift(by=by, sanction=held)
    desks.act(together, "checked-in", by=me, entrant=1)


def test_a_krewe_enters_only_where_krewes_do_and_nobody_enters_twice() -> None:
    by, captain, mate = (factories.actor() for _ in range(3))
    home = desks.league(by)
    for player in (captain, mate):
        services.join(by=player, league=home)
    assert mate.player is not None
    krewe = services.make_krewe(by=captain, league=home, name="Cinders")
    second = services.make_krewe(by=captain, league=home, name="Drift")
    third = services.make_krewe(by=mate, league=home, name="Embers")
    with pytest.raises(BadInput, match="Krewes do not enter here"):
        cup = desks.tournament(by, league=home)
        services.enter(tournament=cup, by=captain, act_id=uuid4(), krewe=krewe)

    cup, act_id = desks.tournament(by, league=home, enters="krewe"), uuid4()
    first = services.enter(tournament=cup, by=captain, act_id=act_id, krewe=krewe)
    assert services.enter(tournament=cup, by=captain, act_id=act_id, krewe=krewe) == first
    for organiser in (captain, by):
        with pytest.raises(Conflict, match="takes part already"):
            services.enter(tournament=cup, by=organiser, act_id=uuid4(), krewe=second)
    services.enter(tournament=cup, by=mate, act_id=uuid4(), krewe=third)
    with pytest.raises(Conflict, match="takes part in Cup already"):
        services.add_to_krewe(by=captain, krewe=krewe, player=mate.player)
    services.take_back(tournament=cup, by=by, act_id=uuid4(), to=2)
    services.add_to_krewe(by=captain, krewe=krewe, player=mate.player)
    services.leave_krewe(by=captain, krewe=krewe, player=mate.player)
    services.enter(tournament=cup, by=mate, act_id=uuid4(), krewe=third)
    services.add_to_krewe(by=captain, krewe=second, player=mate.player)
    assert cup.entries.count() == 2


def test_nobody_says_how_they_are_rated_themselves() -> None:
    cup = desks.tournament()
    me = factories.actor()
    with pytest.raises(NotAllowed) as refused:
        services.enter(tournament=cup, by=me, act_id=uuid4(), rating=4000)
    assert refused.value.code == "rating-by-organiser"
    with pytest.raises(NotAllowed):
        desks.act(cup, "entered", by=me, label="", rating=4000)
    assert not cup.entries.exists()
    by = desks.organiser(cup)
    services.enter(tournament=cup, by=by, act_id=uuid4(), player=me.player, rating=1500)
    assert desks.desk(cup).people[0].rating == 1500


def test_a_finished_match_reports_by_itself_and_a_correction_follows() -> None:
    cup = desks.tournament(options={"best_of": 3})
    players = [factories.actor() for _ in range(2)]
    for player in players:
        services.enter(tournament=cup, by=player, act_id=uuid4())
    desks.start(cup)
    desks.paired(cup)
    match = services.open_table(tournament=cup, by=players[0], number=1, table=1)
    assert services.open_table(tournament=cup, by=players[1], number=1, table=1) == match
    assert [seat.player_id for seat in match.seats.all()] == [
        players[number - 1].player_id for number in desks.desk(cup).rounds[0].tables[0].players
    ]
    acts = [uuid4() for _ in range(2)]
    for act_id in acts:
        match_services.record(
            match=match, by=players[0], act_id=act_id, act={"type": "game-won", "seat": 1}
        )
    work(match.pk)
    table = desks.desk(cup).rounds[0].tables[0]
    assert (table.status, table.result.scores if table.result else None) == ("settled", (2, 0))
    judge = desks.organiser(cup)
    match_services.correct(
        match=match, by=judge, correction_id=uuid4(), act_id=acts[1],
        act={"type": "conceded", "seat": 1}, reason="It was the other side.",
    )  # fmt: skip
    work(match.pk)
    table = desks.desk(cup).rounds[0].tables[0]
    assert (table.corrected, table.result.scores if table.result else None) == (1, (0, 2))


def test_a_report_is_not_kept_out_by_who_took_its_id() -> None:
    cup = desks.tournament(options={"best_of": 3})
    players = [factories.actor() for _ in range(4)]
    for player in players:
        services.enter(tournament=cup, by=player, act_id=uuid4())
    desks.start(cup)
    desks.paired(cup)
    seated = desks.desk(cup).rounds[0].tables[0].players
    spoiler = min({1, 2, 3, 4} - {*seated})
    one, other = players[seated[0] - 1], players[spoiler - 1]
    match = services.open_table(tournament=cup, by=one, number=1, table=1)
    taken = uuid5(match.pk, "3")
    said = {"round": 1, "table": 2, "scores": [0, 2], "by": spoiler}
    services.record(tournament=cup, by=other, act_id=taken, act={"type": "result-reported", **said})
    for _ in range(2):
        won = {"type": "game-won", "seat": 1}
        match_services.record(match=match, by=one, act_id=uuid4(), act=won)

    work(match.pk)
    work(match.pk)

    table = desks.desk(cup).rounds[0].tables[0]
    assert (table.status, table.result.scores if table.result else None) == ("settled", (2, 0))


def test_why_a_table_opens_no_match_is_told_in_the_reader_s_words() -> None:
    cup = desks.tournament()
    desks.entered(cup, 2)
    desks.start(cup)
    desks.paired(cup)
    desks.play(cup, tables=[1])
    with translation.override("de"), pytest.raises(Conflict) as refused:
        services.open_table(tournament=cup, by=desks.organiser(cup), number=1, table=1)
    assert "steht fest" in refused.value.detail


def test_a_log_taken_in_does_not_become_the_match_of_a_table() -> None:
    cup = desks.tournament()
    players = [factories.actor() for _ in range(2)]
    for player in players:
        services.enter(tournament=cup, by=player, act_id=uuid4())
    desks.start(cup)
    desks.paired(cup)
    with transaction.atomic():  # what somebody makes who knows how ids were made
        match = services.open_table(tournament=cup, by=players[0], number=1, table=1)
        file = export_ndjson(match)
        transaction.set_rollback(True)
    taken_in = match_services.import_log(by=factories.actor(), data=file)

    assert services.open_table(tournament=cup, by=players[0], number=1, table=1) != taken_in


def test_a_correction_is_previewed_and_leaves_published_pairings() -> None:
    cup = desks.tournament()
    desks.entered(cup, 8)
    desks.start(cup)
    desks.paired(cup)
    desks.play(cup)
    desks.paired(cup)
    first = desks.desk(cup).rounds[0].tables[0]
    act_id = uuid4()
    pairings = [table.players for table in desks.desk(cup).rounds[1].tables]
    told = services.preview_correction(
        tournament=cup, by=desks.organiser(cup), act_id=_reported(cup, first.number),
        act={"scores": [0, 2]},
    )  # fmt: skip
    assert told.blast.moved
    assert told.blast.redrawn[0][0] == 2
    services.correct(
        tournament=cup, by=desks.organiser(cup), correction_id=act_id,
        act_id=_reported(cup, first.number), act={"scores": [0, 2]}, reason="Written upside down.",
    )  # fmt: skip
    after = desks.desk(cup)
    assert after.rounds[0].tables[0].corrected == 1
    assert [table.players for table in after.rounds[1].tables] == pairings
    client = Client()
    page = client.get(f"/tournaments/{cup.code}/rounds/1/tables/{first.number}/").content.decode()
    assert "the result is corrected to 0–2" in page
    assert "<q" in page and "Written upside down." in page
    client.force_login(desks.organiser(cup).user)
    assert (
        "Written upside down." in client.get(f"/tournaments/{cup.code}/console/").content.decode()
    )


def test_of_a_corrected_bracket_is_played_again_what_others_played() -> None:
    """Who lost but once by what is right now is not out, whoever beat somebody else there."""
    double = {"format": "double-elimination", "best_of": 3, "tiebreaks": []}
    cup = desks.tournament(stages=[double])
    desks.entered(cup, 4)
    desks.act(cup, "stage-started", seed=7, **double)
    for _ in range(2):  # 1 and 2 win, then 1 beats 2 and 3 beats 4
        desks.paired(cup)
        desks.play(cup)
    first = next(table.number for table in desks.desk(cup).rounds[0].tables if 1 in table.players)
    services.correct(
        tournament=cup, by=desks.organiser(cup), correction_id=uuid4(),
        act_id=_reported(cup, first), act={"scores": [0, 2]}, reason="Written upside down.",
    )  # fmt: skip
    desks.paired(cup)

    again = desks.desk(cup).rounds[2].tables
    assert {frozenset(table.players) for table in again} == {frozenset({4, 2}), frozenset({1, 3})}
    page = Client().get(f"/tournaments/{cup.code}/rounds/2/").content.decode()
    assert page.count("no longer fits") == 2
    assert "no longer fits" not in Client().get(f"/tournaments/{cup.code}/").content.decode()
    told = Client().get(f"/tournaments/{cup.code}/rounds/2/tables/1/").content.decode()
    assert "others would meet here now" in told


def test_a_german_console_offers_what_the_desk_takes() -> None:
    cup = desks.tournament()
    desks.entered(cup, 2)
    client = Client(headers={"accept-language": "de"})
    client.force_login(desks.organiser(cup).user)
    page = client.get(f"/tournaments/{cup.code}/console/").content.decode()
    kinds = {"worth": ByeGranted, "infraction": PenaltyGiven, "penalty": PenaltyGiven}
    for name, kind in kinds.items():
        options = page.partition(f'name="{name}"')[2].partition("</select>")[0]
        offered = re.findall(r'<option value="([^"]*)">([^<]*)', options)
        field = next(f for f in msgspec.structs.fields(kind) if f.name == name)
        assert {value for value, _ in offered} <= set(get_args(field.type)), name
        assert len(offered) > 3, name
        assert all(value != told for value, told in offered), name


def _reported(cup: Tournament, table: int) -> UUID:
    """Return the id under which the result of a table of round 1 was reported."""
    told = Event.objects.filter(log=cup.log, type="result-reported", body__contains='"round":1,')
    found = told.filter(body__contains=f'"table":{table},').get().act_id
    assert found is not None
    return found


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


def test_a_league_keeps_an_organiser() -> None:
    by = factories.actor()
    home = desks.league(by)
    with pytest.raises(Conflict):
        services.dismiss(by=by, member=Membership.objects.get(league=home))


def test_what_is_held_back_is_not_told_as_it_stood_before_either() -> None:
    tournament = desks.tournament()
    desks.entered(tournament, 4)
    desks.start(tournament)
    desks.paired(tournament)
    desks.play(tournament)
    tournament.log.refresh_from_db()
    before = tournament.log.head_version
    desks.act(tournament, "results-held", round=1)
    tournament.log.refresh_from_db()

    found, at = selectors.cut(NOBODY, tournament, before)

    (first,) = selectors.shown_desk(tournament, found, at).rounds
    assert [table.result for table in first.tables] == [None, None]
    assert {row.points for row in ranking.table(tournament, found, 0, at)} == {0}
    told = selectors.state_view(tournament, found, at)
    assert "scores" not in str(told.state)
    assert told.digest == ""
    own = cuts.cut_for(desks.organiser(tournament), tournament)
    assert selectors.shown_desk(tournament, own, at).rounds[0].tables[0].result is not None


def test_a_cut_and_the_close_tell_no_order_while_results_are_held_back() -> None:
    cup = desks.tournament()
    desks.entered(cup, 4)
    desks.start(cup, rounds=1)
    desks.paired(cup)
    desks.play(cup)
    desks.act(cup, "results-held", round=1)
    acts = [("cut-made", {"size": 2}), ("tournament-closed", {})]
    versions = [desks.act(cup, kind, **fields).version for kind, fields in acts]

    def told() -> list[Any]:
        shown = Api().get(f"tournaments/{cup.code}/events/", limit=500).json()["entries"]
        return [shown[version - 1].get("act") for version in versions]

    assert told() == [None, None]
    desks.act(cup, "results-shown")
    assert [act["type"] for act in told()] == [kind for kind, _ in acts]


def test_a_stage_shows_no_seeds_while_the_results_they_follow_from_are_held_back() -> None:
    cup = desks.tournament()
    desks.entered(cup, 4)
    desks.start(cup, rounds=1)
    desks.paired(cup)
    desks.play(cup, lambda table: (0, 2) if table.players[0] < table.players[1] else (2, 0))
    desks.act(cup, "results-held", round=1)
    desks.act(cup, "cut-made", size=3)
    seeds = list(desks.desk(cup).stages[0].cut)
    bracket = {"format": "single-elimination", "rounds": 0, "best_of": 1, "tiebreaks": ()}
    version = desks.start(cup, **bracket, players=seeds).version
    desks.paired(cup)
    playing = sorted(seeds[1:])
    page = cup.get_absolute_url()

    def told() -> list[Any]:
        api, code = Api(), cup.code
        rows = api.get("standings/", tournament=code, stage=2).json()
        clinch = api.get(f"tournaments/{code}/clinch/", size=2).json()
        return [
            api.get(f"tournaments/{code}/state/").json()["state"]["stages"][1]["players"],
            [row["entrant"] for row in (*rows["results"], *rows["below"])],
            [each["entrant"] for each in clinch["results"]],
            api.get(f"tournaments/{code}/events/").json()["entries"][version - 1].get("act"),
            "bout-card" in Client().get(page).content.decode(),
            "?stage=2&amp;why=" in Client().get(f"{page}standings/").content.decode(),
        ]

    assert told() == [playing, [], [], None, False, False]
    desks.act(cup, "results-shown")
    players, ranked, clinched, act, *drawn = told()
    assert players == act["players"] == seeds
    assert (len(ranked), len(clinched), drawn) == (4, 3, [True, True])


def test_a_page_that_is_followed_is_sent_again_only_when_something_came() -> None:
    player = factories.actor()
    cup = desks.tournament()
    services.enter(tournament=cup, by=player, act_id=uuid4())
    desks.entered(cup, 3)
    desks.start(cup)
    client = Client()
    assert isinstance(player.user, User)
    client.force_login(player.user)

    def ask(path: str, tag: str = "", by: Client = client) -> Any:
        headers = {"If-None-Match": tag} if tag else {}
        return by.get(path, {"part": "live"}, headers=headers)

    home = cup.get_absolute_url()
    pages = (home, f"{home}standings/", "/next/")
    tags = {path: ask(path)["ETag"] for path in pages}
    for path, tag in tags.items():
        assert tag.strip('"') in client.get(path).content.decode()
        assert ask(path, tag).status_code == 304
    services.pair(tournament=cup, by=desks.organiser(cup), act_id=uuid4())
    for path, tag in tags.items():
        assert ask(path, tag).status_code == 304, "nobody is told of a round before it is published"
    desks.act(cup, "round-published", round=1)
    for path, tag in tags.items():
        answer = ask(path, tag)
        assert answer.status_code == 200
        assert answer["ETag"] != tag
        assert "<html" not in answer.content.decode()
        if "standings" not in path:
            assert "Table" in answer.content.decode()
    seen = f"{home}rounds/1/"
    tags = {path: ask(path)["ETag"] for path in (seen, f"{home}standings/")}
    desks.act(cup, "result-reported", round=1, table=1, scores=[2, 0])
    for path, tag in tags.items():
        answer = ask(path, tag)
        assert answer["ETag"] != tag
        assert ask(path, answer["ETag"]).status_code == 304
    assert "Round 1: 1" in ask(seen).content.decode()
    assert ask(pages[0], by=Client())["ETag"] != ask(pages[0])["ETag"]


def due(client: Client, cup: Tournament) -> str:
    """Return what the console of a tournament says is due."""
    page = client.get(f"/tournaments/{cup.code}/console/").content.decode()
    return page.partition('id="due"')[2].partition("</section>")[0]


def test_who_waits_for_check_in_is_told_so() -> None:
    cup = desks.tournament(desk=Options(check_in=True))
    client = Client()
    client.force_login(desks.organiser(cup).user)

    assert "It takes two entrants" in due(client, cup)
    desks.entered(cup, 3)
    assert "0 of 3 are" in due(client, cup)
    desks.act(cup, "checked-in", entrant=1)
    assert "1 of 3 are" in due(client, cup)
    desks.act(cup, "checked-in", entrant=3)
    assert "Start Swiss" in due(client, cup)


def test_everybody_is_checked_in_at_once_and_only_once() -> None:
    cup = desks.tournament(desk=Options(check_in=True))
    desks.entered(cup, 3)
    desks.act(cup, "checked-in", entrant=2)
    client = Client()
    client.force_login(desks.organiser(cup).user)
    url, sent = f"/tournaments/{cup.code}/console/", {"do": "all-here", "act_id": uuid4()}

    assert "Check everybody in" in client.get(url).content.decode()
    told = [client.post(url, sent, follow=True).content.decode() for _ in range(2)]
    assert "2 checked in." in told[0]
    assert "Check everybody in" not in told[0]
    assert "0 checked in." in told[1]
    assert [person.here for person in desks.desk(cup).people] == [True] * 3
    client.force_login(factories.actor().user)
    assert client.post(url, sent).status_code == 403


def test_who_may_not_check_in_yet_is_named_and_the_others_are_in() -> None:
    cup = desks.tournament(desk=Options(check_in=True), ruleset="zx", decks="required")
    desks.entered(cup, 2)
    client = Client()
    client.force_login(desks.organiser(cup).user)

    page = client.post(
        f"/tournaments/{cup.code}/console/", {"do": "all-here", "act_id": uuid4()}, follow=True
    ).content.decode()
    assert "0 checked in." in page
    for number in (1, 2):
        assert f"Guest {number}: A deck has to be registered first." in page


def test_a_round_of_a_later_stage_has_one_name() -> None:
    final = {"format": "single-elimination", "cut": 2}
    cup = desks.tournament(stages=[desks.SWISS, final])
    desks.entered(cup, 4)
    desks.start(cup, rounds=1)
    desks.paired(cup)
    desks.play(cup)
    client = Client()
    client.force_login(desks.organiser(cup).user)

    assert "Start Final bracket with the best 2" in due(client, cup)
    client.post(f"/tournaments/{cup.code}/console/", {"do": "start", "order": 2, "act_id": uuid4()})
    told = due(client, cup)
    assert "Pair Round 2, Final bracket" in told
    assert "2 are in." in told, "who does not play on is not counted"
    cup.log.refresh_from_db()
    desks.paired(cup)
    page = client.get(f"/tournaments/{cup.code}/console/").content.decode()
    assert "Round 2: 0 of 1 tables reported" in page
    assert "The pairings of round 2 are published." in page
    assert "Round 2, Final bracket" in client.get(cup.get_absolute_url()).content.decode()


def test_what_one_runs_is_listed_with_what_is_due() -> None:
    opener, other = factories.actor(), factories.actor()
    home = desks.league(opener, "Rim league")
    assert other.player is not None
    services.name_member(by=opener, league=home, player=other.player, role=Role.ORGANISER)
    cup = desks.tournament(opener, league=home, title="Rim cup")
    desks.tournament(title="Of others")
    desks.entered(cup, 2)

    def told(by: Any) -> str:
        client = Client()
        client.force_login(by.user)
        return client.get("/next/").content.decode()

    for by in (opener, other):
        page = told(by)
        assert "Rim league" in page
        assert f"/tournaments/{cup.code}/console/#due" in page
        assert "Start Swiss" in page
        assert "Of others" not in page
    assert "What you run" not in told(factories.actor())
    services.promise_prize(by=opener, tournament=cup, place=1, amount=5)
    desks.start(cup, rounds=1)
    desks.paired(cup)
    desks.play(cup)
    desks.act(cup, "tournament-closed")
    work(cup.pk)
    assert "Hand the prizes over." in told(opener)
    assert services.award(by=opener, tournament=cup) == []  # guests have no books
    assert "Hand the prizes over." in told(opener)
    services.hand_over(by=opener, tournament=cup, prize=cup.prizes.get().pk)
    assert "Rim cup" not in told(opener)


def test_the_match_of_a_table_is_called_in_the_language_of_who_looks(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    by = factories.actor()
    venue, league = services.open_venue(by=by, name="Rim Hall"), desks.league(by)
    cup = desks.tournament(by, league=league, venue=venue)
    desks.entered(cup, 2)
    desks.start(cup)
    desks.paired(cup)
    match = services.open_table(tournament=cup, by=by, number=1, table=1)
    assert str(match) == f"{cup.title}: round 1, table 1"
    german = {
        titles.TITLE: "{tournament}: Runde {round}, Tisch {table}",
        titles.PLACE: "{venue}, Tisch {table}",
    }
    monkeypatch.setattr(titles, "gettext", german.__getitem__)
    for page in (match.get_absolute_url(), league.get_absolute_url()):
        told = client.get(page).content.decode()
        assert f"{cup.title}: Runde 1, Tisch 1" in told
        assert "Rim Hall, Tisch 1" in told
    assert titles.worded("Anna's kitchen") is None


def test_home_leads_who_is_signed_in_to_their_next_table_while_something_is_on() -> None:
    cup = desks.tournament()
    client = Client()
    client.force_login(desks.organiser(cup).user)
    assert 'href="/next/"' not in client.get("/").text
    desks.entered(cup, 2)
    desks.start(cup)
    desks.paired(cup)
    work(cup.pk)
    assert 'href="/next/"' in client.get("/").text
    assert 'href="/next/"' not in Client().get("/").text
