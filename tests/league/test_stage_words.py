"""How the rules page of a tournament describes its stages and names its tie-breaks."""

import pytest

from league import stage_words, tiebreaks
from rules.desk.acts import StageStarted
from rules.desk.tiebreaks import TIEBREAKS


@pytest.mark.parametrize(
    ("stage", "said"),
    [
        (
            StageStarted(format="swiss", win=2, draw=1, bye=2, halves=True, no_rematches=True),
            "A win is worth 1, a draw 0.5, a loss 0, a bye 1. No two meet twice.",
        ),
        (
            StageStarted(format="pods", table_points=(7, 5, 3, 1), short_points=(7, 4, 1)),
            "4, 3 sit at a table. The places at a table are worth 7, 5, 3, 1, a bye 3."
            " At a table with fewer seats they are worth 7, 4, 1.",
        ),
        (
            StageStarted(format="round-robin", groups=2, legs=2),
            "There are 2 groups. All meet 2 times. A win is worth 3, a draw 1, a loss 0, a bye 3.",
        ),
        (
            StageStarted(format="double-elimination", no_reset=True),
            "The final is not played again, whoever loses it.",
        ),
        (StageStarted(format="single-elimination", third_place=True), "Third place is played for."),
    ],
)
def test_a_stage_says_its_points_and_how_it_is_paired(stage: StageStarted, said: str) -> None:
    assert stage_words.describe(stage) == said


def test_no_two_tie_breaks_are_called_alike() -> None:
    names = [tiebreaks.named(code) for code in TIEBREAKS]
    assert len({*names}) == len(names)
