"""What is in memory of a log never leads back."""

import pytest

from matches import memory
from matches.memory import LoadedLog
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)


def test_who_reads_a_log_slower_does_not_take_back_what_another_has_read() -> None:
    match = factories.match()
    slow = LoadedLog(match.log)
    slow.catch_up()
    factories.record(match, factories.points(1))
    memory.forget(match.log)
    known = memory.loaded(match.log)
    assert known.version == slow.version + 1
    assert memory._keep(slow) is known
    assert memory.loaded(match.log) is known


def test_what_leads_elsewhere_is_replaced() -> None:
    """As after a log is restored from a copy."""
    match = factories.match()
    other = factories.match()
    known, fresh = memory.loaded(match.log), LoadedLog(other.log)
    fresh.catch_up()
    fresh.pk = match.log.pk
    assert memory._keep(fresh) is fresh
    assert memory._keep(known) is known
