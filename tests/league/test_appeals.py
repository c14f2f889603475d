"""Appeals at a desk: by seated players, in time, decided by an official who did not rule."""

from datetime import timedelta
from functools import partial
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from league import services
from league.models import Role, Tournament
from matches.actors import Actor
from matches.errors import Conflict, NotAllowed
from rules.desk.acts import Options
from tests import factories
from tests.api.client import Api, problem
from tests.factories import signed_in
from tests.html import squeezed
from tests.league import desks

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

AT = {"round": 1, "table": 1}
CLOCK = "league.appeals.timezone.now"


def _ruled(
    *, by: Actor | None = None, judges: int = 1, opener: Actor | None = None, **details: Any
) -> tuple[Tournament, list[Actor]]:
    """Return a tournament whose only table the organiser ruled on, and who sits there.

    The last of them are judges beside the organiser.
    """
    cup = desks.tournament(opener, desk=Options(appeal_minutes=30), self_report=False, **details)
    players = [factories.actor() for _ in range(2)]
    for player in players:
        services.enter(tournament=cup, by=player, act_id=uuid4())
    desks.start(cup, rounds=1)
    desks.paired(cup)
    helpers = [factories.actor() for _ in range(judges)]
    for helper in helpers:
        _appoint(cup, helper)
    desks.act(cup, "ruled", **AT, scores=[2, 0], note="As seen.", by=by or desks.organiser(cup))
    return cup, [*players, *helpers]


def _appoint(cup: Tournament, who: Actor) -> None:
    assert who.player is not None
    by = desks.organiser(cup)
    services.name_member(by=by, tournament=cup, player=who.player, role=Role.JUDGE)


def _appeal(cup: Tournament, player: Actor) -> None:
    number = desks.desk(cup).rounds[0].tables[0].players
    mine = next(n for n in number if desks.desks.number_for(player, cup, desks.desk(cup)) == n)
    sent = {"type": "ruling-appealed", **AT, "by": mine}
    services.record(tournament=cup, by=player, act_id=uuid4(), act=sent, note="It was a draw.")


def _status(cup: Tournament) -> str:
    return desks.desk(cup).rounds[0].tables[0].appeal


def test_who_sits_there_appeals_in_time_whoever_reports() -> None:
    cup, (one, _, _) = _ruled()
    page = f"/tournaments/{cup.code}/rounds/1/tables/1/"
    client = signed_in(one.user)
    assert "Appeal the ruling" in squeezed(client.get(page))
    assert "Appeal the ruling" not in squeezed(Client().get(page))
    late = timezone.now() + timedelta(minutes=31)
    with patch(CLOCK, lambda: late):
        assert "Appeal the ruling" not in squeezed(client.get(page))
        with pytest.raises(Conflict, match="could be appealed until"):
            _appeal(cup, one)

    number = 1 + [e.player for e in cup.entries.order_by("number")].index(one.player)
    form = {"type": "ruling-appealed", "by": number, "note": "A draw.", "act_id": str(uuid4())}
    assert client.post(page, form).status_code == 302

    assert _status(cup) == "open"
    told = squeezed(client.get(page))
    assert "Appealed: an official decides." in told
    assert "A draw." in told


def test_another_official_than_who_ruled_decides() -> None:
    cup, (one, _, judge) = _ruled()
    host = desks.organiser(cup)
    _appeal(cup, one)
    client = signed_in(host.user)
    page = f"/tournaments/{cup.code}/rounds/1/tables/1/"
    told = squeezed(client.get(page))
    assert "you ruled here, another official decides" in told
    assert "Correct the result" not in told
    told = squeezed(client.get(f"{page}correct/"))
    assert "You ruled here: another official decides the appeal." in told
    for kind in ({"type": "appeal-rejected"}, {"type": "result-corrected", "scores": [0, 2]}):
        with pytest.raises(NotAllowed, match="another official decides"):
            desks.act(cup, **AT, note="No.", kind=kind.pop("type"), **kind)
    client.force_login(judge.user)
    told = squeezed(client.get(page))
    assert "Reject it" in told
    assert "Correct the result" in told
    sent = {"type": "appeal-rejected", **AT, "note": "Both saw it."}
    assert client.post(page, {**sent, "act_id": str(uuid4())}).status_code == 302
    assert _status(cup) == "rejected"
    correct = {"scores": "0-2", "note": "Seen again."}
    console = f"/tournaments/{cup.code}/console/"
    for anchor, url in (("", page), ("tables", f"{console}#tables"), ("t1", f"{console}#t1")):
        sent = correct | {"anchor": anchor, "act_id": str(uuid4())}
        assert client.post(f"{page}correct/", sent).headers["Location"] == url
    assert "the ruling stands" in squeezed(Client().get(page))


@pytest.mark.parametrize("plays", [False, True])
def test_where_there_is_no_other_who_ruled_decides(plays: bool) -> None:
    cup, (one, two, *_) = _ruled(judges=0)
    if plays:  # who sits there decides nothing of it either
        _appoint(cup, two)
    _appeal(cup, one)
    desks.act(cup, "result-corrected", **AT, scores=[1, 1], note="Granted.")
    assert _status(cup) == "granted"


def test_a_judge_of_its_league_is_another_official() -> None:
    host, judge = factories.actor(), factories.actor()
    assert judge.player is not None
    league = desks.league(host)
    services.name_member(by=host, league=league, player=judge.player, role=Role.JUDGE)
    cup, (one, _) = _ruled(by=host, judges=0, opener=host, league=league)
    _appeal(cup, one)
    with pytest.raises(NotAllowed, match="another official decides"):
        desks.act(cup, "appeal-rejected", **AT, note="No.")


def test_who_ruled_does_not_undo_the_appeal() -> None:
    cup, (one, _, judge) = _ruled()
    _appeal(cup, one)
    cup.log.refresh_from_db()
    before = cup.log.head_version - 1
    undo = partial(desks.act, cup, "taken-back", to=before, after=before + 1)
    with pytest.raises(NotAllowed, match="another official decides"):
        undo()
    client = signed_in(desks.organiser(cup).user)
    assert "Undo the last act" not in desks.due(client, cup)
    client.force_login(judge.user)
    assert "Undo the last act" in desks.due(client, cup)
    undo(by=judge)
    assert _status(cup) == "may"


def test_an_official_without_an_account_is_no_other() -> None:
    cup, (one, _, judge) = _ruled()
    _appeal(cup, one)
    User.objects.filter(pk=judge.user.pk).update(is_active=False)
    desks.act(cup, "appeal-rejected", **AT, note="Nobody else is left.")
    assert _status(cup) == "rejected"


def test_what_is_not_decided_before_the_close_is_told_as_such() -> None:
    cup, (one, _, judge) = _ruled()
    _appeal(cup, one)
    desks.act(cup, "round-closed", round=1)
    desks.act(cup, "tournament-closed", irregular=True)
    client = signed_in(judge.user)
    told = squeezed(client.get(f"/tournaments/{cup.code}/rounds/1/tables/1/"))
    assert "not decided before the close" in told
    assert "Reject it" not in told


def test_an_open_appeal_is_among_what_is_due_and_keeps_the_tournament_open() -> None:
    cup, (one, _, judge) = _ruled()
    desks.act(cup, "round-closed", round=1)
    _appeal(cup, one)
    client = signed_in(desks.organiser(cup).user)
    due = desks.due(client, cup)
    assert "Appealed" in due
    assert "An appeal is open" in due
    assert "Close the tournament" not in due
    desks.act(cup, "appeal-rejected", **AT, note="It stands.", by=judge)
    assert "Close the tournament" in desks.due(client, cup)


def test_what_is_held_back_of_an_appeal_is_held_back() -> None:
    cup, (one, *_) = _ruled()
    desks.act(cup, "results-held", round=1)
    _appeal(cup, one)
    path = f"pairings/?tournament={cup.code}&round=1"
    [told] = Api(None).get(path).json()["results"]
    assert told["appeal"] == ""
    [told] = Api(desks.organiser(cup)).get(path).json()["results"]
    assert told["appeal"] == "open"
    public = Api(None).get(f"tournaments/{cup.code}/events/").json()
    assert "ruling-appealed" not in str(public)


def test_how_long_rulings_may_be_appealed_is_said_as_a_tournament_is_opened() -> None:
    by = factories.actor()
    made = Api(by).post("tournaments/", {"title": "Cup", "desk": {"appeal_minutes": 45}}).json()
    assert made["desk"]["appeal_minutes"] == 45
    page = squeezed(Client().get(f"/tournaments/{made['code']}/rules/"))
    assert "may be appealed for 45 minutes" in page
    sent = {"title": "Cup", "desk": {"appeal_minutes": 20161}}
    problem(Api(by).post("tournaments/", sent), 400, "out-of-range")
