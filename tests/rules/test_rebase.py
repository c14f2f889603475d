"""Corrections by rebase, compared with an oracle, and the edge cases."""

from typing import Any

import msgspec
import pytest

import rules
from rules import checking, fair, notation, rebase, replay
from rules.replay import ActRefusedError, Entry, Timeline, entry_after
from rules.ruleset import Act, Ruleset, SeedRevealed, TakenBack
from rules.score.acts import GameClosed, GameWon, Options, PointsScored, ScoreOpened, ScoreSeat
from tests.matches.toy import Options as ToyOptions
from tests.matches.toy import Tossed, Toy, ToyOpened, ToySeat
from tests.rules import histories
from tests.rules.toys import Secrets

SCORE, TOY = rules.get("score@1"), Toy()
RULESETS: dict[Ruleset, set[str]] = {
    rules.get("zg"): {"turned irregular", "left out"},
    SCORE: {"turned irregular", "left out", "end undone", "end made"},
    TOY: {"turned irregular", "turned legal", "left out", "end undone", "end made", "draws"},
    Secrets(): {"left out", "end undone"},
}
ALWAYS = {"replaced", "struck", "repeated", "taken back"}
SEED = b"a secret of thirty-two bytes ..."


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.key)
def test_corrected_histories_equal_the_edited_list(ruleset: Ruleset) -> None:
    covered = histories.histories(ruleset, 50)
    print(ruleset.key, dict(covered))
    assert covered.keys() >= ALWAYS | RULESETS[ruleset]


def keeps_consequences(fresh: Timeline, entry: Entry) -> rebase.RebaseStep:
    """Record an act again with what followed from it before."""
    again, _ = entry_after(fresh.ruleset, fresh, entry.act, irregular=True, repeats=entry.version)
    fresh.append(msgspec.structs.replace(again, consequences=entry.consequences))
    return rebase.RebaseStep(entry.version, len(fresh))


def forgets(fresh: Timeline, entry: Entry) -> rebase.RebaseStep:
    """Leave every later act out."""
    return rebase.RebaseStep(entry.version, None)


@pytest.mark.parametrize("broken", [keeps_consequences, forgets])
def test_the_oracle_sees_what_is_wrong(broken: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rebase, "_again", broken)
    with pytest.raises((AssertionError, ActRefusedError)):
        histories.histories(SCORE, 50)


# -- one correction -------------------------------------------------------------------


def grown(ruleset: Ruleset, *acts: Act) -> Timeline:
    timeline = Timeline(ruleset)
    for act in acts:
        timeline.add(*entry_after(ruleset, timeline, act, irregular=True))
    return timeline


def score(*acts: Act, best_of: int = 3) -> Timeline:
    sides = (ScoreSeat(label="Green"), ScoreSeat(label="Red"))
    setup = ScoreOpened(ruleset="score@1", options=Options(best_of=best_of), seats=sides)
    return grown(SCORE, setup, *acts)


def points(n: int) -> PointsScored:
    return PointsScored(seat=1, points=n)


def test_later_acts_are_recorded_again_and_say_which_they_repeat() -> None:
    timeline = score(points(1), points(2), points(4))
    plan = rebase.rebase(timeline, 2, points(8))
    assert [(e.act, e.on, e.repeats) for e in plan.entries] == [
        (TakenBack(to=1), 1, None),
        (points(8), None, None),
        (points(2), None, 3),
        (points(4), None, 4),
    ]
    assert plan.steps == (rebase.RebaseStep(2, 6), rebase.RebaseStep(3, 7), rebase.RebaseStep(4, 8))
    assert len(timeline) == 4


def test_a_struck_act_leaves_the_others() -> None:
    plan = rebase.rebase(score(points(1), points(2), points(4)), 3, None)
    assert plan.timeline.head.state.score.tallies[0].points == 5
    assert plan.steps[0] == rebase.RebaseStep(3, None)


def test_a_repeated_act_names_the_entry_it_was_recorded_in_first() -> None:
    timeline = rebase.rebase(score(points(1), points(2), points(4)), 2, points(8)).timeline
    again = rebase.rebase(timeline, 6, points(16))
    assert [entry.repeats for entry in again.entries] == [None, None, 3, 4]


def test_an_act_that_became_impossible_is_omitted_with_the_reason() -> None:
    timeline = score(GameClosed(), points(1), best_of=2)
    plan = rebase.rebase(timeline, 2, GameWon(seat=1))
    assert plan.left_out == ()
    over = rebase.rebase(score(points(1), points(2), best_of=1), 2, GameWon(seat=1))
    assert [(step.before, step.why and step.why.code) for step in over.left_out] == [
        (3, "match-over")
    ]


def test_an_act_against_the_rules_may_become_legal_and_back() -> None:
    timeline = score(points(1), GameClosed())
    struck = rebase.rebase(timeline, 2, None)
    assert struck.entries[-1].irregular == "nothing-scored"
    mended = rebase.rebase(score(GameClosed(), GameClosed()), 2, points(3), irregular=True)
    assert [entry.irregular for entry in mended.entries] == ["", "", ""]


def test_a_new_act_against_the_rules_must_be_let_stand() -> None:
    timeline = score(points(1), points(2))
    with pytest.raises(ActRefusedError):
        rebase.rebase(timeline, 2, GameClosed())
    plan = rebase.rebase(timeline, 2, GameClosed(), irregular=True)
    assert plan.entries[1].irregular == "nothing-scored"


@pytest.mark.parametrize("version", [1, 3, 4], ids=["the setup", "taken back", "a taking back"])
def test_only_an_act_that_counts_is_corrected(version: int) -> None:
    timeline = score(points(1), points(2), TakenBack(to=2))
    assert not rebase.correctable(timeline, version)
    with pytest.raises(ValueError, match="cannot be corrected"):
        rebase.rebase(timeline, version, points(3))


# -- the server's draws ---------------------------------------------------------------


def tossed(*, seed_is_out: bool = False) -> Timeline:
    """Return a match of tosses by the server, over when the seed is out."""
    seats = (ToySeat(label="A"), ToySeat(label="B"))
    setup = ToyOpened(
        ruleset="toy@1",
        log="a log",
        commitment=fair.commitment(SEED),
        options=ToyOptions(),
        seats=seats,
    )
    timeline = grown(TOY, setup)
    while TOY.outcome(timeline.head.state) is None if seed_is_out else len(timeline) < 5:
        toss = drawn(timeline.head, Tossed(seat=timeline.head.state.turn, spin="server"))
        timeline.add(*entry_after(TOY, timeline, toss))
    if seed_is_out:
        timeline.add(*entry_after(TOY, timeline, SeedRevealed(seed=SEED.hex())))
    return timeline


def drawn(moment: replay.Moment, act: Act) -> Act:
    draws = TOY.draws(moment.state, act)
    return fair.fill(draws, act, seed=SEED, log="a log", n=moment.draws)


def test_a_repeated_act_keeps_its_draw_and_the_next_is_a_new_one() -> None:
    timeline = tossed()
    plan = rebase.rebase(timeline, 2, None)
    assert [e.act for e in plan.entries[1:]] == [e.act for e in timeline.entries[2:]]
    assert plan.timeline.head.draws == 4, "number 3 is not drawn a second time"
    assert checking.check(TOY, plan.timeline.entries, SEED) is None


def test_a_struck_draw_made_again_falls_the_same() -> None:
    timeline = tossed()
    plan = rebase.rebase(timeline, 5, None)
    again = drawn(plan.timeline.head, msgspec.structs.replace(timeline.entries[4].act, side=""))
    assert again == timeline.entries[4].act


def test_a_repeated_act_without_a_draw_uses_up_none() -> None:
    timeline = tossed()
    timeline.add(*entry_after(TOY, timeline, Tossed(seat=timeline.head.state.turn, side="tails")))
    plan = rebase.rebase(timeline, 5, None)
    assert len(plan.entries) == 2
    assert plan.timeline.head.draws == 3, "the number of the one struck out"
    assert plan.left_out == ()


def test_a_replaced_draw_falls_the_same() -> None:
    timeline = tossed()
    plan = rebase.rebase(timeline, 2, Tossed(seat=2, spin="server"), irregular=True, draw=drawn)
    assert plan.entries[1].act == Tossed(seat=2, spin="server", side=timeline.entries[1].act.side)


def test_a_seed_that_is_out_stays_out_and_is_not_revealed_again() -> None:
    timeline = tossed(seed_is_out=True)
    plan = rebase.rebase(timeline, 2, Tossed(seat=1, side="tails"))
    kinds = [type(entry.act) for entry in plan.entries]
    assert SeedRevealed not in kinds
    assert plan.timeline.head.revealed
    assert checking.check(TOY, plan.timeline.entries) is None


# -- what a log may say it repeats ----------------------------------------------------


def corrected() -> Timeline:
    """Return a log of entries 2 to 4, the first corrected: 5 back, 6 new, 7 and 8 again."""
    return rebase.rebase(score(points(1), points(2), points(4)), 2, points(8)).timeline


FORGED: dict[str, tuple[int, dict[str, Any]]] = {
    "another of those left aside, with another act": (7, {"repeats": 4}),
    "the corrected act": (7, {"repeats": 2}),
    "one twice": (8, {"repeats": 3}),
    "one that still counts": (7, {"repeats": 1}),
    "itself": (7, {"repeats": 7}),
    "what is not there": (7, {"repeats": 99}),
    "nothing there can be": (7, {"repeats": 0}),
    "one where nothing was taken back": (3, {"repeats": 2}),
    "one by a taking back": (5, {"repeats": 3}),
    "one by the setup": (1, {"repeats": 1}),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_wrong_repetition_is_found(name: str) -> None:
    version, changes = FORGED[name]
    entries = list(corrected().entries)
    entries[version - 1] = msgspec.structs.replace(entries[version - 1], **changes)
    found = checking.check(SCORE, entries)
    assert found is not None
    assert (found.version, found.what) == (version, "repeats")


def test_a_repeated_act_equals_the_original() -> None:
    entries = list(corrected().entries)
    entries[6] = msgspec.structs.replace(entries[6], act=points(3))
    found = checking.check(SCORE, entries)
    assert found is not None
    assert (found.version, found.what) == (7, "repeats")


def test_no_act_is_repeated_after_a_new_one() -> None:
    timeline = score(points(1), points(2), TakenBack(to=1), points(8), points(9))
    entry, _ = entry_after(SCORE, timeline, points(2), repeats=3)
    found = checking.check(SCORE, [*timeline.entries, entry])
    assert found is not None
    assert (found.version, found.what) == (7, "repeats")


def test_no_act_is_repeated_after_a_new_one_among_the_repeated() -> None:
    timeline = score(points(1), points(2), points(4), TakenBack(to=1))
    for act, repeats in ((points(2), 3), (points(9), None), (points(4), 4)):
        timeline.add(*entry_after(SCORE, timeline, act, repeats=repeats))
    found = checking.check(SCORE, timeline.entries)
    assert found is not None
    assert (found.version, found.what) == (8, "repeats")


@pytest.mark.parametrize("repeats", [(3, 3), (4, 3)], ids=["one twice", "in another order"])
def test_acts_that_are_alike_are_repeated_in_their_order(repeats: tuple[int, int]) -> None:
    entries = list(rebase.rebase(score(points(1), points(2), points(2)), 2, points(8)).entries)
    before = score(points(1), points(2), points(2)).entries
    again = [
        msgspec.structs.replace(entry, repeats=origin)
        for entry, origin in zip(entries[2:], repeats, strict=True)
    ]
    found = checking.check(SCORE, [*before, *entries[:2], *again])
    assert found is not None
    assert (found.version, found.what) == (8, "repeats")


def test_a_seed_revealed_is_no_part_of_a_correction() -> None:
    """Not where the last act is struck out, nor is it what a later act is repeated after."""
    timeline = score(GameWon(seat=1), best_of=1)
    repeatable = checking.Repeatable(timeline)
    reveal = SeedRevealed(seed=SEED.hex())
    for act in (points(1), reveal, points(2), TakenBack(to=2), reveal):
        on = act.to if isinstance(act, TakenBack) else None
        timeline.append(Entry(len(timeline) + 1, act, on=on))
        repeatable.follow(timeline.entries[-1])
        if isinstance(act, TakenBack):
            assert list(repeatable.left) == [5]
    assert repeatable.wrong(points(2), 5) == "none"
    assert stands(timeline, 6) == {1: 1, 2: 2, 7: 7}


def test_no_number_of_a_draw_comes_back_behind_a_repeated_act() -> None:
    """Where the act before it has more draws than it had."""
    moments = [replay.Moment(version, None, version, version - 1) for version in (1, 2)]
    again = Entry(4, points(1), repeats=2)
    assert replay.draws_kept(moments, again, replay.Moment(3, None, 3, draws=7)) == 7


@pytest.mark.parametrize("line", ["points-scored~3 1 9", "points-scored~2 1 1", "points-scored~ x"])
def test_notation_with_a_wrong_repetition_is_refused(line: str) -> None:
    text = notation.write_match(SCORE, corrected().entries)
    wrong = text.replace("points-scored~3 1 2", line)
    assert wrong != text
    with pytest.raises(notation.NotationError):
        notation.play(notation.read_match(wrong, rules.get))


# -- what became of an entry ----------------------------------------------------------


def stands(timeline: Timeline, *known: int) -> dict[int, int]:
    upto = len(timeline)
    return rebase.successors(timeline, upto, rebase.replacements(timeline, upto, known))


def test_corrected_and_repeated_entries_have_successors() -> None:
    assert stands(corrected()) == {1: 1, 2: 6, 3: 7, 4: 8, 6: 6, 7: 7, 8: 8}


def test_successors_follow_one_correction_after_another() -> None:
    twice = rebase.rebase(corrected(), 6, points(16)).timeline
    assert stands(twice) == {1: 1, 2: 10, 6: 10, 10: 10} | {3: 11, 7: 11, 11: 11} | {
        4: 12,
        8: 12,
        12: 12,
    }


def test_a_struck_act_has_no_successor() -> None:
    struck = rebase.rebase(score(points(1), points(2)), 2, None).timeline
    assert stands(struck) == {1: 1, 3: 5, 5: 5}


def test_the_last_act_taken_back_and_another_recorded_is_a_correction_when_it_is_known_as_one() -> (
    None
):
    timeline = score(points(1), TakenBack(to=1), points(2))
    assert stands(timeline) == {1: 1, 4: 4}
    assert stands(timeline, 3) == {1: 1, 2: 4, 4: 4}


def test_a_correction_taken_back_leaves_all_as_it_was() -> None:
    timeline = corrected()
    timeline.add(*entry_after(SCORE, timeline, TakenBack(to=4)))
    assert stands(timeline) == {1: 1, 2: 2, 3: 3, 4: 4, 7: 3, 8: 4}


# -- redo -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("moves", "leads_to"),
    [
        ([], None),
        ([3], 4),
        ([3, 2], 3),
        ([3, 2, 3], 4),
        ([3, 2, 3, 4], None),
        ([2], 4),
        ([3, 2, 4], None),
        ([3, 4, 3], 4),
    ],
)
def test_redo_brings_back_what_was_taken_back_last(moves: list[int], leads_to: int | None) -> None:
    timeline = score(points(1), points(2), points(4))
    for to in moves:
        timeline.add(*entry_after(SCORE, timeline, TakenBack(to=to)))
    assert timeline.redo() == leads_to


def test_there_is_no_redo_after_a_new_act() -> None:
    timeline = score(points(1), points(2), TakenBack(to=2), points(4))
    assert timeline.redo() is None
    assert timeline.redo(4) == 3


def test_a_correction_is_undone_and_redone() -> None:
    timeline = corrected()
    timeline.add(*entry_after(SCORE, timeline, TakenBack(to=4)))
    assert timeline.redo() == 8
