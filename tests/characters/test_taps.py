"""One question after a match, answered by many taps at once, is entered once."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections

from characters import aftermath, ledger, services
from characters.models import LedgerEntry
from matches.errors import Conflict
from tests.characters.duels import duel

TAPS = 8


@pytest.mark.django_db(transaction=True)
def test_a_repair_tapped_many_times_at_once_is_paid_once() -> None:
    fight = duel("repair")
    fight.attack(1, "Backgear", "Shield")
    fight.end()
    fight.follow()
    [repair] = (p for p in aftermath.prompts_of(fight.ben, fight.bor) if p.kind == "repair")

    def tap(_: int) -> bool:
        try:
            services.answer(
                by=fight.ben,
                character=fight.bor,
                appearance=repair.appearance,
                kind="repair",
                item=repair.item,
            )
        except Conflict:
            return False
        finally:
            connections.close_all()
        return True

    with ThreadPoolExecutor(TAPS) as taps:
        taken = list(taps.map(tap, range(TAPS)))
    assert taken.count(True) == 1
    assert ledger.balance(fight.bor) == 40
    assert LedgerEntry.objects.filter(method="repaired", amount=10).count() == 1
