"""What is held of a log never leads back."""

import pytest

from matches import held
from matches.held import Held
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)


def test_who_reads_a_log_slower_does_not_take_back_what_another_has_read() -> None:
    match = factories.match()
    slow = Held(match.log)
    slow.catch_up()
    factories.record(match, factories.points(1))
    held.drop(match.log)
    known = held.held(match.log)
    assert known.version == slow.version + 1
    assert held._keep(slow) is known
    assert held.held(match.log) is known


def test_what_leads_elsewhere_is_replaced() -> None:
    """As after a log is restored from a copy."""
    match = factories.match()
    other = factories.match()
    known, fresh = held.held(match.log), Held(other.log)
    fresh.catch_up()
    fresh.pk = match.log.pk
    assert held._keep(fresh) is fresh
    assert held._keep(known) is known
