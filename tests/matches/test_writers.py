"""Many writers at once: nothing twice, nothing lost, no gap.

Who wins when all name the same version is put to the proof in `tests/prove/one_version.py`.
"""

from uuid import UUID, uuid4

import pytest

from matches import memory, services
from matches.log import Receipt
from matches.models import FeedHead, Log, Match
from matches.services import CorrectionRequest
from matches.verify import verify
from tests import factories
from tests.prove import crowd
from tests.prove.crowd import WRITERS

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_same_act_sent_by_sixteen_at_once_is_one_entry() -> None:
    match = factories.match()
    by = factories.opener_of(match)
    own = crowd.copies(match, by)
    ids: list[UUID] = [uuid4() for _ in range(20)]

    def write(round_: int, writer: int) -> Receipt:
        act = factories.points()
        return services.record(match=own[writer], by=by, act_id=ids[round_], act=act)

    for each in crowd.rounds(write, len(ids)):
        assert all(answer == each[0] for answer in each)
        assert sum(answer.recorded for answer in each if isinstance(answer, Receipt)) == 1
    assert Log.objects.get(pk=match.log.pk).head_version == len(ids) + 1


def test_the_same_act_is_one_entry_without_anything_in_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As sixteen processes would: each reads the log for itself."""
    monkeypatch.setattr(memory, "keep", lambda fresh: fresh)
    match = factories.match()
    by = factories.opener_of(match)
    own = crowd.copies(match, by)
    act_id = uuid4()

    def write(round_: int, writer: int) -> Receipt:
        act = factories.points()
        return services.record(match=own[writer], by=by, act_id=act_id, act=act)

    (each,) = crowd.rounds(write, 1)
    assert all(answer == each[0] for answer in each)
    assert Log.objects.get(pk=match.log.pk).head_version == 2


def test_without_after_all_sixteen_are_recorded() -> None:
    match = factories.match()
    by = factories.opener_of(match)
    own = crowd.copies(match, by)

    def write(round_: int, writer: int) -> Receipt:
        act = factories.points()
        return services.record(match=own[writer], by=by, act_id=uuid4(), act=act)

    answers = crowd.rounds(write, 5)
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

    answers = crowd.rounds(write, 10)
    positions = [a.position for each in answers for a in each if isinstance(a, Receipt)]
    assert sorted(positions) == list(range(before + 1, before + 1 + 10 * WRITERS))


def test_opening_a_match_twice_at_once_creates_one() -> None:
    by = factories.actor()
    act_id = uuid4()
    opened: list[UUID] = []

    def open_one(round_: int, writer: int) -> Receipt:
        match = factories.match(by, act_id=act_id)
        opened.append(match.pk)
        return factories.record(match, by=by)

    crowd.rounds(open_one, 1)
    assert len(set(opened)) == 1
    assert Match.objects.count() == 1


def test_of_sixteen_corrections_after_one_preview_one_wins() -> None:
    match = factories.match()
    by, struck = factories.opener_of(match), [uuid4() for _ in range(5)]
    for act_id in (uuid4(), *struck):
        factories.record(match, act_id=act_id)
    own, first = crowd.copies(match, by), match.log.head_version
    sizes = [5, 4, 3, 2, 1]  # each takes back the oldest that is left, and repeats the later ones
    heads = [first + sum(sizes[:round_]) for round_ in range(6)]

    def write(round_: int, writer: int) -> Receipt:
        receipts = services.correct(
            match=own[writer],
            by=by,
            correction_id=uuid4(),
            request=CorrectionRequest(
                struck[round_], None, reason="It did not happen.", after=heads[round_]
            ),
        )
        return receipts[0]

    for each in crowd.rounds(write, 5):
        assert sorted(map(crowd.status, each)) == [201, *[409] * (WRITERS - 1)]
    report = verify(Log.objects.get(pk=match.log.pk))
    assert (report.ok, report.entries) == (True, heads[5])
