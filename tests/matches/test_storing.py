"""One PostgreSQL statement stores what a transaction of six does, or nothing."""

from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from django.db import IntegrityError, connection, transaction
from msgspec.structs import replace

from matches import canonical, log, notify, rows, storing, verify
from matches.models import Event, FeedHead, FollowJob, Log, Match
from rules.chain import EventRow
from tests import factories
from tests.bench import ground

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]

WITHIN = 60  # seconds; how fast this machine is, is not what is tested
OF_THIS_ENTRY = {"position", "act_id", "state_digest", "salt", "hash", "recorded_at", "recorded_by"}
"""What differs from one match to another."""


@pytest.fixture
def stored(monkeypatch: pytest.MonkeyPatch) -> list[Log]:
    """Return the logs that one statement stored something of, in order."""
    found: list[Log] = []
    store = storing.in_one_statement

    def noting(log: Log, *args: Any) -> int | None:
        found.append(log)
        return store(log, *args)

    monkeypatch.setattr(storing, "in_one_statement", noting)
    return found


def _all() -> tuple[Any, ...]:
    """Return all that storing an entry changes."""
    return (
        FeedHead.objects.get().position,
        list(Log.objects.order_by("pk").values_list()),
        list(FollowJob.objects.order_by("pk").values_list("pk", "asked")),
        list(Event.objects.order_by("position", "ordinal").values_list()),
    )


def _acts() -> list[dict[str, Any]]:
    return [factories.points(1 + n % 2, n) for n in range(6)]


def test_both_ways_of_storing_write_the_same_rows(
    stored: list[Log], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, six = factories.match(), factories.match()
    position = FeedHead.objects.get().position
    for act in _acts():
        factories.record(one, act)
    assert stored == [one.log] * 6
    assert FeedHead.objects.get().position == position + 6
    assert FollowJob.objects.get(log=one.log).asked == 7  # the opening too

    monkeypatch.setattr(storing, "has_one_statement", lambda: False)
    for act in _acts():
        factories.record(six, act)
    assert stored == [one.log] * 6
    assert _rows(one) == _rows(six)
    for each in (one, six):
        each.log.refresh_from_db()
        assert verify.verify(each.log).ok
        assert each.log.head_version == 7
        assert each.log.head_hash == Event.objects.get(log=each.log, version=7).hash
    assert one.log.headline == six.log.headline


def _rows(match: Match) -> list[dict[str, Any]]:
    return [
        {name: value for name, value in row.items() if name not in OF_THIS_ENTRY}
        for row in Event.objects.filter(log=match.log, version__gt=1)
        .order_by("version", "ordinal")
        .values(*rows.COLUMNS)
    ]


def test_a_match_of_cards_is_stored_whole(stored: list[Log]) -> None:
    acts = ground.record_all(factories.actor(), ground.played_by_bots())()
    log = stored[-1]
    report = verify.verify(log)
    assert report.ok
    assert report.entries == log.head_version > acts / 2
    assert Event.objects.filter(log=log, ordinal__gt=1).exists()


def test_stored_texts_are_read_back_exactly() -> None:
    match = factories.match()
    draft = _drafted(match)
    body = '{"a":"\\u0007 \\\\ \\" \' %s % \u2028 \U0001f995 \u05d0\u200f"}'
    record = replace(draft.sealed[0].record, rows=(EventRow("points-scored", None, body),) * 40)
    head = {"head_version": 2, "head_hash": record.hash, "headline": "100 %s '"}
    first = storing.in_one_statement(match.log, draft.start, head, [record])
    found = Event.objects.filter(log=match.log, version=2)
    assert set(found.values_list("body", "seat", "position")) == {(body, None, first)}
    assert sorted(found.values_list("ordinal", flat=True)) == [*range(40)]
    assert [each for each, _ in rows.records_of(match.log, after=1)] == [record]
    match.log.refresh_from_db()
    assert match.log.headline == "100 %s '"


def test_nothing_is_stored_on_top_of_a_stale_head(stored: list[Log]) -> None:
    match = factories.played(2)
    draft = _drafted(match)
    factories.record(match)
    before = _all()
    assert not draft.store()
    assert len(stored) == 4
    assert _all() == before


def test_a_refused_row_rolls_back_the_whole_entry(stored: list[Log]) -> None:
    match, act = factories.match(), uuid4()
    factories.record(match, act_id=act)
    draft = _drafted(match, act)
    before = _all()
    with pytest.raises(IntegrityError):
        draft.store()
    assert len(stored) == 2
    assert _all() == before


def test_within_an_outer_transaction_it_is_stored_with_it(
    stored: list[Log],
) -> None:
    match = factories.match()
    before = _all()
    with transaction.atomic():
        factories.record(match)
        transaction.set_rollback(True)
    assert stored == []
    assert _all() == before


@pytest.mark.parametrize("is_one", [True, False])
def test_readers_are_notified(
    settings: Any, monkeypatch: pytest.MonkeyPatch, *, is_one: bool
) -> None:
    match = factories.match()
    settings.STREAMS = True
    monkeypatch.setattr(storing, "has_one_statement", lambda: is_one)
    with psycopg.connect(**_place(), autocommit=True) as reader:
        reader.execute(f"LISTEN {notify.CHANNEL}")
        factories.record(match)
        told = [each.payload for each in reader.notifies(timeout=WITHIN, stop_after=1)]
    assert told == [str(match.pk)]


def _place() -> dict[str, Any]:
    """Return how to reach the database, past Django."""
    given = connection.get_connection_params()
    return {name: given[name] for name in ("dbname", "user", "host", "port") if name in given}


def _drafted(match: Match, act: UUID | None = None) -> log.Drafting:
    """Return a draft of one entry on top of a match's head, before it is stored."""
    draft = log.drafting(match.log)
    points = canonical.act_from(draft.timeline.ruleset, factories.points())
    draft.add(log.Request(act or uuid4(), points))
    return draft
