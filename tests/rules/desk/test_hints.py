"""Hints for officials: exact facts, each with the entries it rests on."""

from rules.desk.hints import Hint, hints
from tests.rules.desk.table import desk_of, more, played

BEGUN = ("enter 4", "stage-started swiss rounds=2 best-of=3")


def _round(number: int, *results: str) -> list[str]:
    told = [f"result-reported {number} {at} {said}" for at, said in enumerate(results, 1)]
    paired = ["round-paired swiss 1", f"round-published {number}"]
    return [*paired, *told, f"round-closed {number}"]


DRAWN, WON = "scores=[1,1]", "scores=[2,0]"


def test_a_draw_by_which_both_make_the_cut_is_flagged() -> None:
    history = played(*BEGUN, *_round(1, WON, WON), *_round(2, DRAWN, WON))
    assert hints(history) == ()
    one, two = sorted(desk_of(history).rounds[1].tables[0].players)
    reported = next(
        entry.version for entry in history.entries if getattr(entry.act, "scores", ()) == (1, 1)
    )
    assert hints(more(history.copy(), "cut-made 2")) == (
        Hint("drew-into-cut", (one, two), (2,), (reported,)),
    )


def test_a_no_show_whose_opponent_makes_the_cut_is_flagged() -> None:
    history = played(*BEGUN, *_round(1, WON, WON), "round-paired swiss 1", "round-published 2")
    one, two = desk_of(history).rounds[1].tables[0].players
    more(history, f"ruled 2 1 NOTE absent=[{one}]", "result-reported 2 2 scores=[2,0]")
    ruled = len(history.entries) - 1
    more(history, "round-closed 2")
    both = more(history.copy(), "cut-made 4")
    more(history, f"dropped {one}")
    assert hints(history) == hints(both) == ()
    assert hints(more(history, "cut-made 2")) == (
        Hint("walked-into-cut", tuple(sorted((one, two))), (2,), (ruled,)),
    )


def test_only_a_second_draw_between_the_same_players_is_flagged() -> None:
    two = ("enter 2", "stage-started round-robin legs=3 best-of=3")
    rounds = [
        line.replace("swiss", "round-robin")
        for number, said in enumerate((DRAWN, WON, DRAWN), 1)
        for line in _round(number, said)
    ]
    history = played(*two, *rounds[:9])
    assert hints(history) == ()
    [found] = hints(more(history, *rounds[9:]))
    assert (found.code, found.entrants, found.rounds) == ("drew-again", (1, 2), (1, 3))
    assert [history.entries[v - 1].act.round for v in found.entries] == [1, 3]


def test_a_player_whose_reports_are_disputed_repeatedly_is_flagged() -> None:
    history = played("enter 2", "stage-started round-robin legs=4 best-of=3")
    for number, by in enumerate((1, 1, 0, 1), 1):
        more(history, "round-paired round-robin 1", f"round-published {number}")
        more(history, f"result-reported {number} 1 scores=[2,0] by={by}")
        if number == 4:
            break
        more(history, f"result-disputed {number} 1 by=2")
        if number < 2:
            assert hints(history) == ()
        more(history, f"ruled {number} 1 NOTE scores=[2,0]", f"round-closed {number}")
    more(history, "result-disputed 4 1 by=1")
    [found] = hints(history)
    assert (found.code, found.entrants, found.rounds) == ("disputed-again", (1,), (1, 2))
    assert len(found.entries) == 4


def test_a_cut_after_a_stage_without_rounds_is_no_hint() -> None:
    history = played(*BEGUN, "stage-ended NOTE", "cut-made 2")
    assert hints(history) == ()
