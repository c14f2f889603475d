"""Webhooks: what is sent when, signatures, retries, and addresses that are never called."""

import base64
import hashlib
import hmac
import json
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import cache
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any
from unittest import mock
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from jsonschema import Draft202012Validator

from league import delivering, happenings, outgoing, services, tasks, webhooks
from league.models import Attempt, Delivery, Happening, Tournament, Webhook
from matches import followers
from matches import services as matches
from matches.actors import Actor
from matches.errors import BadInput, Conflict, NotAllowed, NotFound
from matches.models import Event
from tests import factories
from tests.api.client import Api, problem
from tests.factories import signed_in
from tests.html import squeezed
from tests.league import desks
from tests.league.hooks import Receiver, receiver, registered

pytestmark = pytest.mark.django_db


@pytest.fixture
def there(settings: Any) -> Iterator[Receiver]:
    settings.WEBHOOK_HOSTS = ["127.0.0.1"]
    with receiver() as found:
        yield found
    for came in [each for each in found.came if "webhook-id" in each.headers]:
        faults = [each.message for each in _schema(came.told["type"]).iter_errors(came.told)]
        assert faults == [], came.told


@cache
def _schema(kind: str) -> Draft202012Validator:
    """Return how the API's schema describes messages of a kind, with no field besides."""
    told = Client().get("/api/v1/schema/?format=json").json()
    for shape in told["components"]["schemas"].values():
        if "properties" in shape:
            shape["additionalProperties"] = False
    message = told["webhooks"][kind]["post"]["requestBody"]["content"]["application/json"]
    return Draft202012Validator({**message["schema"], "components": told["components"]})


class Cup:
    """A tournament of a league that has a webhook, and how a worker comes by."""

    def __init__(self, there: Receiver, **details: Any) -> None:
        self.by = factories.actor()
        self.league = desks.league(self.by)
        self.there = there
        self.hook, self.secret = registered(self.by, self.league, there.url)
        self.made = desks.tournament(self.by, league=self.league, **details)

    def begin(self) -> Tournament:
        desks.entered(self.made, 4)
        desks.start(self.made, rounds=2)
        desks.paired(self.made)
        return self.made

    def worked(self, *more: Any) -> list[tuple[str, bool]]:
        """Do what a worker does; return the kinds that came, and whether each stands."""
        before = len(self.there.came)
        for pk in (self.made.pk, *more):
            followers.work(pk)
        tasks.deliver_all()
        fresh = [each.told for each in self.there.came[before:]]
        return sorted((told["type"], told["data"].get("stands", True)) for told in fresh)


def test_what_happens_is_told_once_in_the_order_of_a_tournament(there: Receiver) -> None:
    cup = Cup(there)
    made = cup.begin()

    assert cup.worked() == [("pairings.published", True)]
    assert cup.worked() == []
    pairings = there.came[0].told["data"]
    assert pairings["tournament"] == made.code
    assert [len(table["entries"]) for table in pairings["tables"]] == [2, 2]
    assert set(pairings["names"].values()) == {f"Guest {number}" for number in range(1, 5)}

    desks.play(made)
    assert cup.worked() == [("result.recorded", True)] * 2 + [("standings.written", True)]
    desks.paired(made)
    desks.play(made)
    desks.act(made, "tournament-closed")
    told = cup.worked()
    assert told.count(("tournament.finished", True)) == 1
    places = next(e.told for e in there.came if e.told["type"] == "tournament.finished")
    first = places["data"]["places"][0]
    assert (first["place"], places["data"]["names"][first["entry"]]) == (1, "Guest 1")


def test_a_message_has_the_time_of_its_entry_and_its_header_that_of_the_attempt(
    there: Receiver,
) -> None:
    """However late a worker comes, and however often it tries."""
    cup = Cup(there)
    made = cup.begin()
    recorded_at = Event.objects.filter(log=made.pk, ordinal=0).latest("version").recorded_at
    there.answers = [500]
    cup.worked()
    assert Delivery.objects.get().due_at > recorded_at
    late()
    cup.worked()
    told = [datetime.fromisoformat(each.told["timestamp"]) for each in there.came]
    assert told == [recorded_at, recorded_at]
    for came, attempt in zip(there.came, Attempt.objects.order_by("began_at"), strict=True):
        sent = int(came.headers["webhook-timestamp"])
        assert 0 <= sent - int(attempt.began_at.timestamp()) <= 60


def test_of_two_messages_about_one_thing_the_later_one_has_the_later_time(there: Receiver) -> None:
    """Also where no entry came between them, as when a site is given another address."""
    cup = Cup(there)
    cup.begin()
    cup.worked()
    with mock.patch.object(happenings, "address_of", return_value="https://else.example/"):
        followers.again(happenings.Happenings, [cup.made.pk])
        cup.worked()
    first, second = (each.told for each in there.came)
    assert first["data"]["url"] != second["data"]["url"]
    assert first["timestamp"] < second["timestamp"]


def test_a_rebuild_tells_nothing_again(there: Receiver) -> None:
    cup = Cup(there)
    made = cup.begin()
    cup.worked()
    followers.again(happenings.Happenings, [made.pk])
    assert cup.worked() == []


def test_a_corrected_result_is_told_anew_and_one_taken_back_stands_no_more(
    there: Receiver,
) -> None:
    cup = Cup(there)
    made = cup.begin()
    desks.desk(made)
    before = made.log.head_version
    desks.play(made, tables=[1])
    cup.worked()
    table = desks.desk(made).rounds[0].tables[0]
    won = [0, 2] if table.players[0] < table.players[1] else [2, 0]
    desks.act(made, "result-corrected", round=1, table=1, scores=won, note="Misread.")
    assert cup.worked() == [("result.recorded", True)]
    assert there.came[-1].told["data"]["corrected"] == 1

    services.take_back(
        tournament=made, by=cup.by, act_id=uuid4(), to=before, note="It was on paper."
    )
    assert cup.worked() == [("result.recorded", False)]


def test_the_signature_is_that_of_the_specification(there: Receiver) -> None:
    """The example of Standard Webhooks: the same id, time, body and secret sign the same."""
    cup = Cup(there)
    webhooks.ping(by=cup.by, webhook=cup.hook)
    delivery = Delivery.objects.get()
    now = timezone.now()
    signed = delivering.signature(delivery, now, b'{"test": 2432232314}')
    key = base64.b64decode(cup.secret.removeprefix("whsec_"))
    name, when = f"msg_{delivery.pk.hex}", str(int(now.timestamp()))
    wanted = hmac.new(key, f'{name}.{when}.{{"test": 2432232314}}'.encode(), hashlib.sha256)
    assert signed == {
        "webhook-id": name,
        "webhook-timestamp": when,
        "webhook-signature": f"v1,{base64.b64encode(wanted.digest()).decode()}",
    }


def test_for_a_day_after_a_new_secret_both_sign(there: Receiver) -> None:
    cup = Cup(there)
    fresh = webhooks.rotate(by=cup.by, webhook=cup.hook)
    assert fresh != cup.secret
    assert fresh not in str(Webhook.objects.values_list().get())
    now = timezone.now()
    assert len(delivering.keys_of(cup.hook, now)) == 2
    assert len(delivering.keys_of(cup.hook, now + timedelta(days=2))) == 1


def test_of_two_new_secrets_at_once_neither_is_lost(there: Receiver) -> None:
    cup = Cup(there)
    stale = Webhook.objects.get(pk=cup.hook.pk)
    first = webhooks.rotate(by=cup.by, webhook=cup.hook)
    second = webhooks.rotate(by=cup.by, webhook=stale)
    keys = [base64.b64decode(secret.removeprefix("whsec_")) for secret in (second, first)]
    assert delivering.keys_of(stale, timezone.now()) == keys


def late(**to: Any) -> None:
    """Let everything that waits be due."""
    past = timezone.now() - timedelta(seconds=1)
    Delivery.objects.filter(status="waiting", **to).update(due_at=past)
    Webhook.objects.update(resting_until=None)


def test_it_is_tried_by_the_schedule_under_one_id_then_given_up_and_sent_by_hand(
    there: Receiver,
) -> None:
    cup = Cup(there)
    there.answers = [500] * len(delivering.SCHEDULE)
    webhooks.ping(by=cup.by, webhook=cup.hook)
    for number, _ in enumerate(delivering.SCHEDULE, 1):
        began = timezone.now()
        assert tasks.deliver_all() is None
        row = Delivery.objects.get()
        assert row.attempts == number
        if number < len(delivering.SCHEDULE):
            assert row.due_at >= began + delivering.SCHEDULE[number]
            assert row.status == "waiting"
        late()
    assert row.status == "dead"
    assert {each.id for each in there.came} == {f"msg_{row.pk.hex}"}
    assert [each.status for each in row.tries.all()] == [500] * 8

    webhooks.send_again(by=cup.by, delivery=row)
    delivering.deliver_due()
    assert Delivery.objects.get().status == "delivered"
    assert {each.id for each in there.came} == {f"msg_{row.pk.hex}"}


def after_post(monkeypatch: pytest.MonkeyPatch, then: Callable[[], object]) -> None:
    """Do something whenever a message was sent, before its answer is seen."""
    post = outgoing.post

    def posted(*args: Any) -> outgoing.Answer:
        answer = post(*args)
        then()
        return answer

    monkeypatch.setattr(outgoing, "post", posted)


def test_a_log_is_read_once_a_run_and_whether_it_is_public_is_asked_each_time(
    there: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = Cup(there)
    desks.play(cup.begin())
    followers.work(cup.made.pk)

    def reads() -> int:
        with CaptureQueriesContext(connection) as queries:
            delivering.deliver_due()
        return sum("FROM matches_event" in each["sql"] for each in queries)

    def hide() -> None:
        if len(there.came) == 3:
            Tournament.objects.update(visibility="entrants")

    after_post(monkeypatch, hide)
    with monkeypatch.context() as patch:
        patch.setattr(delivering, "SHARE", 0)
        of_one = reads()
    assert len(there.came) == 1
    assert reads() == of_one > 0
    assert [Delivery.objects.filter(status=s).count() for s in ("delivered", "held")] == [3, 1]


def test_one_that_fails_rests_and_says_itself_when_to_come_again(there: Receiver) -> None:
    cup = Cup(there)
    there.answers, there.headers = [503], {"Retry-After": "7200"}
    made = cup.begin()
    desks.play(made)
    began = timezone.now()
    assert len(cup.worked()) == 1  # the others wait for the address, not each on its own
    first = Delivery.objects.get(attempts=1)
    assert first.due_at >= began + timedelta(hours=2)
    assert Webhook.objects.get().resting_until >= began + timedelta(hours=2)


def test_one_that_is_slow_to_answer_rests_too(
    there: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = Cup(there)
    desks.play(cup.begin())
    monkeypatch.setattr(delivering, "SLOW", 0)
    began = timezone.now()
    assert len(cup.worked()) == 1
    assert Delivery.objects.get(status="delivered").tries.get().status == 200
    assert Webhook.objects.get().resting_until >= began + delivering.REST
    monkeypatch.undo()
    late()
    assert len(cup.worked()) == 3
    assert Webhook.objects.get().resting_until is None


def test_a_run_goes_on_with_others_once_a_webhook_had_its_share(
    there: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = Cup(there)
    other, _ = registered(cup.by, cup.league, there.url)
    desks.play(cup.begin())
    monkeypatch.setattr(delivering, "SHARE", 0)
    assert len(cup.worked()) == 2
    delivered = Delivery.objects.filter(status="delivered")
    assert set(delivered.values_list("webhook", flat=True)) == {cup.hook.pk, other.pk}


def test_one_that_answers_comes_before_one_that_rested(there: Receiver) -> None:
    cup = Cup(there)
    other, _ = registered(cup.by, cup.league, there.url)
    for hook in (cup.hook, other):
        webhooks.ping(by=cup.by, webhook=hook)
    Webhook.objects.filter(pk=cup.hook.pk).update(resting_until=timezone.now())
    delivering.deliver_due()
    first = Delivery.objects.order_by("ended_at").first()
    assert first is not None and first.webhook == other


def test_a_webhook_is_sent_to_by_one_worker_and_all_by_as_many_as_there_are_lanes(
    there: Receiver,
) -> None:
    cup = Cup(there)
    hooks = [cup.hook, *(registered(cup.by, cup.league, there.url)[0] for _ in range(2))]
    desks.play(cup.begin())
    followers.work(cup.made.pk)

    def claim(*claiming: Webhook) -> None:
        for hook in claiming:
            row = Delivery.objects.filter(webhook=hook, status="waiting").first()
            assert row is not None
            Delivery.objects.filter(pk=row.pk).update(claimed_at=timezone.now())

    claim(*hooks[: delivering.LANES])
    assert delivering.deliver_due() == 0
    Delivery.objects.update(claimed_at=None)
    claim(hooks[0])
    assert delivering.deliver_due() == 8  # all but those to the first
    assert not Delivery.objects.filter(webhook=hooks[0], status="delivered").exists()


def test_one_that_can_not_be_made_is_put_off_and_stops_no_other(
    there: Receiver, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    cup = Cup(there)
    cup.begin()
    followers.work(cup.made.pk)
    monkeypatch.setattr(happenings, "facts_of", mock.Mock(side_effect=KeyError("unreadable")))
    webhooks.ping(by=cup.by, webhook=cup.hook)
    began = timezone.now()
    assert delivering.deliver_due() == 1
    assert there.kinds == [delivering.TEST]
    row = Delivery.objects.get(kind="pairings.published")
    assert (row.status, row.attempts, row.claimed_at) == ("waiting", 1, None)
    assert row.due_at >= began + delivering.SCHEDULE[1]
    assert "unreadable" in caplog.text


def test_it_tells_when_it_is_tried_next_and_not_before(there: Receiver) -> None:
    cup = Cup(there)
    there.answers = [500]
    webhooks.ping(by=cup.by, webhook=cup.hook)
    began = timezone.now()
    delivering.deliver_due()
    path = f"webhooks/{cup.hook.pk}/deliveries/"
    told = datetime.fromisoformat(Api(cup.by).get(path).json()["results"][0]["due_at"])
    assert told == Webhook.objects.get().resting_until >= began + delivering.REST


def test_gone_switches_it_off(there: Receiver) -> None:
    cup = Cup(there)
    there.answers = [410]
    webhooks.ping(by=cup.by, webhook=cup.hook)
    delivering.deliver_due()
    assert not Webhook.objects.get().is_on
    late()
    assert delivering.deliver_due() == 0


class Killed(BaseException):
    """As a worker ends that is killed: nothing after it is done."""


def test_a_worker_killed_between_the_answer_and_the_mark_sends_it_again_under_the_same_id(
    there: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = Cup(there)
    webhooks.ping(by=cup.by, webhook=cup.hook)
    after_post(monkeypatch, mock.Mock(side_effect=Killed))
    with pytest.raises(Killed):
        delivering.deliver_due()
    monkeypatch.undo()
    assert len(there.came) == 1

    assert delivering.deliver_due() == 0  # another worker may be about it
    long_ago = timezone.now() - delivering.CLAIMED - timedelta(seconds=1)
    Delivery.objects.update(claimed_at=long_ago)
    assert delivering.deliver_due() == 1
    first, second = there.came
    assert (first.id, first.body) == (second.id, second.body)
    assert Attempt.objects.count() == 2


# -- what is not told --------------------------------------------------------------------------


def test_held_results_are_not_told_until_they_are_shown(there: Receiver) -> None:
    cup = Cup(there)
    made = cup.begin()
    cup.worked()
    desks.act(made, "results-held", round=1)
    desks.play(made)
    assert cup.worked() == []
    desks.act(made, "results-shown")
    assert cup.worked() == [("result.recorded", True)] * 2 + [("standings.written", True)]


def test_what_was_waiting_when_results_were_held_waits_on(there: Receiver) -> None:
    cup = Cup(there)
    made = cup.begin()
    cup.worked()
    there.answers = [500]
    desks.play(made, tables=[1])
    cup.worked()
    desks.act(made, "results-held", round=1)
    late()
    assert cup.worked() == []
    assert Delivery.objects.get(kind="result.recorded").status == "held"
    desks.act(made, "results-shown")
    assert cup.worked() == [("result.recorded", True)]


def test_what_is_shown_while_a_worker_judges_it_held_back_is_told(
    there: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The follower finds nothing held yet; the worker finds that the log has gone on."""
    cup = Cup(there)
    made = cup.begin()
    cup.worked()
    there.answers = [500]
    desks.play(made, tables=[1])
    cup.worked()
    desks.act(made, "results-held", round=1)
    late()
    judge = happenings.still_so

    def judged(*args: Any) -> bool | None:
        monkeypatch.undo()
        found = judge(*args)
        assert found is None
        desks.act(made, "results-shown")
        followers.work(made.pk)
        return found

    monkeypatch.setattr(happenings, "still_so", judged)
    assert cup.worked() == [("result.recorded", True)]
    assert Delivery.objects.get(kind="result.recorded").attempts == 2


def test_what_is_held_back_is_judged_again_now_and_then(
    there: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change that leaves the log as it is may be followed before a worker holds a message."""
    cup = Cup(there)
    cup.begin()
    cup.worked()
    there.answers = [500]
    desks.play(cup.made, tables=[1])
    cup.worked()
    Tournament.objects.update(visibility="entrants")
    late()
    assert delivering.deliver_due() == 0
    row = Delivery.objects.filter(kind="result.recorded")
    assert row.get().status == "held"
    Tournament.objects.update(visibility="public")
    tasks.deliver_all()
    assert row.get().status == "held"
    row.update(due_at=timezone.now())
    tasks.deliver_all()
    assert row.get().status == "delivered"


def test_a_tournament_of_its_entrants_is_told_once_it_is_public(there: Receiver) -> None:
    cup = Cup(there, visibility="entrants")
    made = cup.begin()
    assert cup.worked() == []
    assert not Happening.objects.exists()
    services.edit_tournament(by=cup.by, tournament=made, visibility="public")
    assert cup.worked() == [("pairings.published", True)]


def test_a_round_that_is_not_published_is_not_told(there: Receiver) -> None:
    cup = Cup(there)
    desks.entered(cup.made, 4)
    desks.start(cup.made)
    services.pair(tournament=cup.made, by=cup.by, act_id=uuid4(), seed=7)
    assert cup.worked() == []


def test_a_match_is_told_when_the_public_knows_its_end(there: Receiver) -> None:
    cup = Cup(there)
    made = cup.begin()
    match = services.open_table(tournament=made, by=cup.by, number=1, table=1)
    matches.change_cut(match=match, by=cup.by, delay=600)
    cup.worked(match.pk)
    conceded = {"type": "conceded", "seat": 2}
    matches.record(match=match, by=cup.by, act_id=uuid4(), act=conceded)
    assert "match.finished" not in [kind for kind, _ in cup.worked(match.pk)]
    matches.change_cut(match=match, by=cup.by, delay=0)
    told = cup.worked(match.pk)
    assert ("match.finished", True) in told
    end = next(e.told["data"] for e in there.came if e.told["type"] == "match.finished")
    assert (end["match"], end["outcome"]["winners"]) == (match.code, [1])


def test_who_wants_one_kind_is_told_that_one(there: Receiver) -> None:
    cup = Cup(there)
    webhooks.change(by=cup.by, webhook=cup.hook, events=["standings.written"])
    made = cup.begin()
    desks.play(made)
    assert cup.worked() == [("standings.written", True)]


def test_what_was_before_a_webhook_is_no_news_to_it(there: Receiver) -> None:
    by = factories.actor()
    league = desks.league(by)
    made = desks.tournament(by, league=league)
    desks.entered(made, 4)
    desks.start(made)
    desks.paired(made)
    followers.work(made.pk)
    registered(by, league, there.url)
    followers.again(happenings.Happenings, [made.pk])
    followers.work(made.pk)
    assert not Delivery.objects.exists()


def test_a_name_that_was_erased_is_in_no_message(there: Receiver) -> None:
    cup = Cup(there)
    ada = factories.actor("yowuya")
    services.enter(tournament=cup.made, by=ada, act_id=uuid4())
    there.answers = [500]
    cup.begin()
    cup.worked()
    assert "yowuya" in there.came[0].body.decode()
    assert "yowuya" not in str(Delivery.objects.values_list("data", flat=True)[0])
    assert ada.player is not None
    matches.erase(by=ada, player=ada.player)
    late()
    delivering.deliver_due()
    assert "yowuya" not in there.came[-1].body.decode()


# -- where it cannot go ----------------------------------------------------------------------

BAD = [
    "http://example.org/hook",
    "ftp://example.org/",
    "https://user:word@example.org/",
    "https://example.org/#part",
    "https://example.org:22/",
    "https://localhost/",
    "https://db.internal/",
    "https://127.0.0.1/",
    "https://127.1/",
    "https://0x7f.1/",
    "https://localhost.localdomain/",
    "https://10.0.0.8/",
    "https://169.254.169.254/latest/",
    "https://[::1]/",
    "https://[::ffff:10.0.0.1]/",
    "https://[fd00::1]/",
    "https://[64:ff9b::a00:1]/",
    "https://[2002:a00:1::]/",
    "https://0x7f000001/",
    "https://2130706433/",
    "https://example.org/a b",
    "https://exämple.org/",
    "https://[::1",
    "nothing",
    "",
]


@pytest.mark.parametrize("url", BAD)
def test_an_address_that_leads_elsewhere_is_refused(url: str) -> None:
    with pytest.raises(BadInput) as refused:
        outgoing.require_address(url)
    assert refused.value.code == "bad-url"


@pytest.mark.parametrize(
    "ip",
    ["0.0.0.0", "127.8.8.8", "192.168.1.1", "172.16.9.9", "100.64.0.1", "224.0.0.1", "240.0.0.1",
     "255.255.255.255", "::", "::1", "fe80::1", "ff02::1", "2001:0:1::1", "2001:db8::1"],
)  # fmt: skip
def test_an_address_of_no_public_host_is_none(ip: str) -> None:
    assert not outgoing.is_public(ip)


def test_a_name_that_leads_within_is_not_called(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looked up when it is called: one that was public when it was named may lead home by now."""
    found = [
        (socket.AF_INET, socket.SOCK_STREAM, 6, "", (ip, 443)) for ip in ("9.9.9.9", "10.0.0.1")
    ]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **more: found)
    with pytest.raises(outgoing.Failed, match="not one of the public internet"):
        outgoing.post("https://hooks.example.org/", b"{}", {})


def test_what_tls_says_of_a_certificate_is_quoted_in_a_sentence_of_ours(
    there: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = Cup(there)
    expired = ssl.SSLCertVerificationError()
    expired.verify_message = "certificate has expired"
    monkeypatch.setattr(outgoing, "_connected", mock.Mock(side_effect=expired))
    webhooks.ping(by=cup.by, webhook=cup.hook)
    delivering.deliver_due()
    [row] = Api(cup.by).get(f"webhooks/{cup.hook.pk}/deliveries/").json()["results"]
    assert row["tries"][0]["error"] == "Its certificate does not hold: certificate has expired."
    monkeypatch.setattr(outgoing, "gettext", "translated: {}".format)
    page = squeezed(signed_in(cup.by.user).get(cup.hook.get_absolute_url()))
    assert "translated: Its certificate does not hold: “certificate has expired”" in page


def test_a_redirect_is_not_followed(there: Receiver) -> None:
    there.answers, there.headers = [307], {"Location": there.url}
    assert outgoing.post(there.url, b"{}", {}).status == 307
    assert len(there.came) == 1


@pytest.mark.parametrize("broken", [ConnectionResetError, BrokenPipeError, HTTPException])
def test_what_breaks_once_it_is_cut_off_took_too_long(
    there: Receiver, monkeypatch: pytest.MonkeyPatch, broken: type[Exception]
) -> None:
    def breaks(*args: object) -> None:
        raise broken

    monkeypatch.setattr(outgoing, "DEADLINE", 0)
    monkeypatch.setattr(HTTPConnection, "getresponse", breaks)
    with pytest.raises(outgoing.Failed, match="too long"):
        outgoing.post(there.url, b"{}", {})


def test_one_that_drips_is_cut_off(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.WEBHOOK_HOSTS = ["127.0.0.1"]
    monkeypatch.setattr(outgoing, "DEADLINE", 0.3)
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def drip() -> None:
            with server.accept()[0] as one:
                one.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: ")
                while not over.wait(0.02):
                    try:
                        one.sendall(b"X")
                    except OSError:
                        return

        thread = threading.Thread(target=drip)
        thread.start()
        try:
            with pytest.raises(outgoing.Failed, match="too long"):
                outgoing.post(f"http://127.0.0.1:{server.getsockname()[1]}/", b"{}", {})
        finally:
            over.set()
            thread.join()


# -- whose it is ------------------------------------------------------------------------------


def test_only_who_runs_a_league_sees_and_changes_its_webhooks(there: Receiver) -> None:
    cup = Cup(there)
    other = factories.actor()
    with pytest.raises(NotAllowed):
        registered(other, cup.league, there.url)
    with pytest.raises(NotAllowed):
        webhooks.webhooks_of(other, cup.league)
    with pytest.raises(NotFound):
        webhooks.webhook_for(other, cup.hook.pk)
    with pytest.raises(NotAllowed):
        webhooks.send_again(by=other, delivery=webhooks.ping(by=cup.by, webhook=cup.hook))
    with pytest.raises(NotAllowed):
        webhooks.end(by=other, webhook=cup.hook)
    assert not webhooks.webhooks_of(Actor()).exists()


def test_a_league_has_five_and_one_test_at_a_time(there: Receiver) -> None:
    cup = Cup(there)
    for _ in range(webhooks.LIMIT - 1):
        registered(cup.by, cup.league, there.url)
    with pytest.raises(Conflict):
        registered(cup.by, cup.league, there.url)
    test = webhooks.ping(by=cup.by, webhook=cup.hook)
    at, api = f"webhooks/{cup.hook.pk}/", Api(cup.by)
    problem(api.post(f"{at}test/", {}), 409, "test-waits")
    problem(api.post(f"{at}deliveries/{test.pk}/send/", {}), 409, "waits-already")
    problem(api.post(f"{at}deliveries/{uuid4()}/send/", {}), 404, "no-such-delivery")
    for events, code in ((["eaten"], "unknown-event"), ([], "missing-field")):
        with pytest.raises(BadInput) as refused:
            webhooks.change(by=cup.by, webhook=cup.hook, events=events)
        assert (refused.value.code, refused.value.where) == (code, "$.events")
    assert api.patch(at, {"is_on": False}).status_code == 200
    problem(api.post(f"{at}test/", {}), 409, "webhook-off")


# -- what the guide says ------------------------------------------------------------------------


def test_the_guides_verification_takes_ours_and_refuses_all_else(there: Receiver) -> None:
    guide = (Path(settings.BASE_DIR) / "docs" / "api.md").read_text("utf-8")
    found = re.search(r"^```python\n(def verify.*?)^```$", guide, re.DOTALL | re.MULTILINE)
    assert found is not None
    known: dict[str, Any] = {"base64": base64, "hmac": hmac, "json": json, "time": time}
    exec("from collections.abc import Mapping\nfrom typing import Any\n" + found[1], known)
    verify = known["verify"]
    cup = Cup(there)
    fresh = webhooks.rotate(by=cup.by, webhook=cup.hook)
    webhooks.ping(by=cup.by, webhook=cup.hook)
    delivering.deliver_due()
    [came] = there.came
    for secret in (cup.secret, fresh):
        assert verify(secret, came.headers, came.body)["type"] == delivering.TEST
    for secret, body, later in (
        (fresh, came.body + b" ", 0),
        (fresh, came.body, 301),
        ("whsec_b3RoZXI=", came.body, 0),
    ):
        with pytest.raises(ValueError, match=r"ours|old"):
            verify(secret, came.headers, body, time.time() + later)
