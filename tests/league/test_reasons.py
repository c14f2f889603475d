"""Why a round is paired as it is, as its page says it."""

import msgspec

from league import reasons
from rules.replay import Timeline
from tests.rules.desk.table import desk_of, more, played


def told(timeline: Timeline, number: int) -> tuple[dict[int, tuple[str, ...]], dict[int, str]]:
    why = reasons.why(timeline, len(timeline), desk_of(timeline), number)
    return why.reasons, why.byes


def test_a_round_is_explained_by_who_was_there_and_what_stood_when_it_was_paired() -> None:
    """Those of round 2 were level then; what was corrected, and who left, says nothing of it."""
    timeline = played("enter 5", "stage-started swiss rounds=3", "play 1", "play 2")
    said = told(timeline, 1), told(timeline, 2)
    first = desk_of(timeline).rounds[0]
    one, other = first.tables[0].result.scores  # type: ignore[union-attr]  # it was played
    more(timeline, f"dropped {first.byes[0]}", f"dropped {first.tables[0].players[0]}")
    more(timeline, f"result-corrected 1 1 NOTE scores=[{other},{one}]")

    assert (told(timeline, 1), told(timeline, 2)) == said


def test_nothing_is_said_of_points_while_results_before_are_held_back() -> None:
    timeline = played("enter 5", "stage-started swiss rounds=3", "play 1", "play 2")
    desk = desk_of(timeline)
    held = msgspec.structs.replace(desk.rounds[0], closed=False)
    shown = msgspec.structs.replace(desk, rounds=(held, *desk.rounds[1:]))

    why = reasons.why(timeline, len(timeline), shown, 2)

    assert not why.reasons
    assert not why.byes
