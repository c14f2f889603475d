"""Many writers at once: one wins, the others learn it; nothing twice, nothing lost."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Barrier, Thread
from uuid import UUID, uuid4

import pytest
from django.db import IntegrityError, close_old_connections, connection

from matches import errors, held, log, selectors, services
from matches.log import Receipt
from matches.models import Event, FeedHead, Log, Match
from matches.policy import Actor
from matches.verify import verify
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)

WRITERS = 16
ROUNDS = 200

Answer = Receipt | Exception


@contextmanager
def writers(write: Callable[[int, int], Receipt], rounds: int) -> Iterator[list[list[Answer]]]:
    """Run `write(round, writer)` in sixteen threads with connections of their own.

    All begin a round at once. Gives their answers, by round.
    """
    answers: list[list[Answer]] = [[] for _ in range(rounds)]
    barrier = Barrier(WRITERS)

    def work(writer: int) -> None:
        try:
            for round_ in range(rounds):
                barrier.wait(60)
                try:
                    answers[round_].append(write(round_, writer))
                except (errors.Refused, IntegrityError) as error:
                    answers[round_].append(error)
                barrier.wait(60)
        except BaseException:
            barrier.abort()
            raise
        finally:
            connection.close()

    threads = [Thread(target=work, args=(writer,)) for writer in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    close_old_connections()
    yield answers


def copies(match: Match, by: Actor) -> list[Match]:
    """Return a match sixteen times, as sixteen requests would each have found it."""
    return [selectors.match_for(by, match.code) for _ in range(WRITERS)]


def race(match: Match, by: Actor, rounds: int) -> None:
    """Let sixteen write after the same entry, again and again: exactly one wins each round."""
    first = match.log.head_version
    own = copies(match, by)

    def write(round_: int, writer: int) -> Receipt:
        act, after = factories.points(1 + writer % 2), first + round_
        return services.record(match=own[writer], by=by, act_id=uuid4(), act=act, after=after)

    with writers(write, rounds) as answers:
        for each in answers:
            counted = Counter(getattr(answer, "code", "won") for answer in each)
            assert counted == {"won": 1, "moved-on": WRITERS - 1}


def test_of_sixteen_with_the_same_after_one_wins_each_round() -> None:
    match = factories.match()
    race(match, factories.opener_of(match), ROUNDS)
    report = verify(Log.objects.get(pk=match.log.pk))
    assert (report.ok, report.entries) == (True, ROUNDS + 1)
    positions = (
        Event.objects.filter(ordinal=0).order_by("position").values_list("position", flat=True)
    )
    assert list(positions) == list(range(1, FeedHead.objects.get().position + 1))


def test_without_the_check_of_the_head_that_test_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def unchecked(log: Log, tip: tuple[int, str], head: dict[str, object]) -> bool:
        return Log.objects.filter(pk=log.pk).update(**head) == 1

    monkeypatch.setattr(log, "move_head", unchecked)
    match = factories.match()
    with pytest.raises(AssertionError):
        race(match, factories.opener_of(match), rounds=20)


def test_the_same_act_sent_by_sixteen_at_once_is_one_entry() -> None:
    match = factories.match()
    by = factories.opener_of(match)
    own = copies(match, by)
    ids: list[UUID] = [uuid4() for _ in range(20)]

    def write(round_: int, writer: int) -> Receipt:
        act = factories.points()
        return services.record(match=own[writer], by=by, act_id=ids[round_], act=act)

    with writers(write, len(ids)) as answers:
        for each in answers:
            assert all(answer == each[0] for answer in each)
            assert sum(answer.recorded for answer in each if isinstance(answer, Receipt)) == 1
    assert Log.objects.get(pk=match.log.pk).head_version == len(ids) + 1


def test_the_same_act_is_one_entry_without_anything_in_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As sixteen processes would: each reads the log for itself."""
    monkeypatch.setattr(held, "_keep", lambda fresh: fresh)
    match = factories.match()
    by = factories.opener_of(match)
    own = copies(match, by)
    act_id = uuid4()

    def write(round_: int, writer: int) -> Receipt:
        act = factories.points()
        return services.record(match=own[writer], by=by, act_id=act_id, act=act)

    with writers(write, 1) as (each,):
        assert all(answer == each[0] for answer in each)
    assert Log.objects.get(pk=match.log.pk).head_version == 2


def test_without_after_all_sixteen_are_recorded() -> None:
    match = factories.match()
    by = factories.opener_of(match)
    own = copies(match, by)

    def write(round_: int, writer: int) -> Receipt:
        act = factories.points()
        return services.record(match=own[writer], by=by, act_id=uuid4(), act=act)

    with writers(write, 5) as answers:
        versions = sorted(a.version for each in answers for a in each if isinstance(a, Receipt))
    assert versions == list(range(2, 2 + 5 * WRITERS))
    assert verify(Log.objects.get(pk=match.log.pk)).ok


def test_sixteen_matches_share_one_feed_without_a_gap() -> None:
    matches = [factories.match() for _ in range(WRITERS)]
    before = FeedHead.objects.get().position

    def write(round_: int, writer: int) -> Receipt:
        match = matches[writer]
        by = factories.opener_of(match)
        return services.record(match=match, by=by, act_id=uuid4(), act=factories.points())

    with writers(write, 10) as answers:
        positions = [a.position for each in answers for a in each if isinstance(a, Receipt)]
    assert sorted(positions) == list(range(before + 1, before + 1 + 10 * WRITERS))


def test_one_who_opens_a_match_twice_at_once_has_one() -> None:
    by = factories.actor()
    act_id = uuid4()
    opened: list[UUID] = []

    def open_one(round_: int, writer: int) -> Receipt:
        match = factories.match(by, act_id=act_id)
        opened.append(match.pk)
        return factories.record(match, by=by)

    with writers(open_one, 1):
        assert len(set(opened)) == 1
    assert Match.objects.count() == 1
