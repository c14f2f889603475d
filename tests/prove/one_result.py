"""Many scorekeepers report one table at once, each differently: one result, never two."""

from typing import Any
from unittest.mock import patch
from uuid import uuid4

from league import selectors, services
from league.models import Tournament
from matches.actors import Actor
from matches.log import Receipt
from rules.desk.ruleset import DeskRuleset
from rules.ruleset import LEGAL
from tests import factories
from tests.league import desks
from tests.prove import crowd
from tests.prove.crowd import WRITERS
from tests.prove.experiment import Found, batches, experiment, must_break, require

TABLES = 25
SCORES = ([2, 0], [2, 1], [1, 2], [0, 2])
ALIKE = WRITERS // len(SCORES)
OTHERWISE = WRITERS - ALIKE


@experiment(
    section="Races",
    promise="Of sixteen scorekeepers who report one table at once, four of them the same result, "
    "one is accepted: a table has one result, never two, and identical reports get the "
    "first receipt.",
    full={"tables": 500},
    short={"tables": 10},
    short_on="postgresql",
)
def one_result(*, tables: int) -> Found:
    for count in batches(tables, TABLES):
        report(count)
    broke = must_break(lambda: that_takes_any(min(tables, 3)))
    return Found(
        asked=f"{tables:,} tables, each reported by {WRITERS} at once",
        found=f"{tables:,} results; identical reports got the first receipt, the others a refusal",
        counts={"tables": tables, "again": tables * (ALIKE - 1), "refused": tables * OTHERWISE},
        bite=f"With a desk that accepts any report: {broke}.",
    )


def report(tables: int) -> None:
    """Report every table of a round from all writers at once."""
    by = factories.actor()
    cup = desks.tournament(by)
    desks.entered(cup, 2 * tables)
    desks.start(cup)
    desks.paired(cup)
    own = [seen_by(by, cup) for _ in range(WRITERS)]

    def write(number: int, writer: int) -> Receipt:
        act: dict[str, Any] = {"type": "result-reported", "round": 1, "table": number + 1}
        act["scores"] = SCORES[writer % len(SCORES)]
        return services.record(tournament=own[writer], by=by, act_id=uuid4(), act=act)

    for number, answers in enumerate(crowd.rounds(write, tables), 1):
        statuses = sorted(map(crowd.status, answers))
        expected = [200] * (ALIKE - 1) + [201] + [422] * OTHERWISE
        require(statuses == expected, f"table {number}: {statuses}")
        receipts = [answer for answer in answers if isinstance(answer, Receipt)]
        require(len({each.hash for each in receipts}) == 1, f"table {number} has two receipts")
        taken = receipts[0].act
        table = desks.desk(cup).rounds[0].tables[number - 1]
        told = table.result.scores if table.result else None
        require(told == getattr(taken, "scores", None), f"table {number} has {told}")


def seen_by(by: Actor, cup: Tournament) -> Tournament:
    """Return a fresh instance of a tournament, as a separate request would load it."""
    return selectors.tournament_for(by, cup.code)


def that_takes_any(tables: int) -> None:
    """Report to a desk that accepts every act: the broken variant."""
    with patch.object(DeskRuleset, "judge", lambda *of: LEGAL):
        report(tables)
