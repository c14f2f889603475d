"""One fold for replay, undo, redo and verification."""

from typing import Any

import msgspec
import pytest

import rules
from rules import checking, fair
from rules.replay import ActRefusedError, Entry, Timeline, entry_after, judge
from rules.ruleset import Opened, SeedRevealed, TakenBack
from rules.score.acts import (
    GameClosed,
    GameEnded,
    GameWon,
    Options,
    PointsScored,
    ScoreOpened,
    ScoreSeat,
)

RULESET = rules.get("score@1")
SEED = b"a secret of thirty-two bytes ..."


def opened(**changes: Any) -> ScoreOpened:
    setup = ScoreOpened(
        ruleset="score@1",
        commitment=fair.commitment(SEED),
        options=Options(best_of=5),
        seats=(ScoreSeat(label="Green"), ScoreSeat(label="Red")),
    )
    return msgspec.structs.replace(setup, **changes)


def timeline_of(*acts: Any, **setup: Any) -> Timeline:
    timeline = Timeline(RULESET)
    for act in (opened(**setup), *acts):
        timeline.add(*entry_after(RULESET, timeline, act, irregular=True))
    return timeline


def points(n: int) -> PointsScored:
    return PointsScored(seat=1, points=n)


def points_at(timeline: Timeline) -> int:
    return int(timeline.head.state.score.tallies[0].points)


# -- taking back ----------------------------------------------------------------------


def test_taking_back_makes_an_older_state_current() -> None:
    timeline = timeline_of(points(1), points(2), points(4), TakenBack(to=2))

    assert points_at(timeline) == 1
    assert timeline.effective() == (1, 2)


def test_the_next_act_extends_what_was_taken_back_to() -> None:
    timeline = timeline_of(points(1), points(2), TakenBack(to=2), points(8))

    assert points_at(timeline) == 9
    assert timeline.effective() == (1, 2, 5)


def test_redo_is_taking_back_to_what_was_left_aside() -> None:
    timeline = timeline_of(points(1), points(2), TakenBack(to=2), TakenBack(to=3))

    assert points_at(timeline) == 3
    assert timeline.effective() == (1, 2, 3)


def test_the_digest_of_a_redo_is_that_of_the_entry_itself() -> None:
    timeline = timeline_of(points(1), points(2), TakenBack(to=2), TakenBack(to=3))

    assert timeline.entries[-1].digest == timeline.entries[2].digest


def test_the_state_as_known_at_a_version_stays() -> None:
    timeline = timeline_of(points(1), points(2), TakenBack(to=2), points(8))

    assert timeline.at(3).state.score.tallies[0].points == 3
    assert timeline.effective(3) == (1, 2, 3)
    assert timeline.effective(4) == (1, 2)


def test_everything_but_the_setup_can_be_taken_back() -> None:
    timeline = timeline_of(points(1), TakenBack(to=1))

    assert points_at(timeline) == 0
    assert timeline.effective() == (1,)


@pytest.mark.parametrize(
    ("to", "code"),
    [
        pytest.param(0, "no-such-version", id="before the first"),
        pytest.param(-1, "no-such-version", id="below zero"),
        pytest.param(4, "no-such-version", id="itself"),
        pytest.param(3, "already-there", id="the head"),
    ],
)
def test_taking_back_leads_somewhere_else_in_the_log(to: int, code: str) -> None:
    verdict = judge(RULESET, timeline_of(points(1), points(2)), TakenBack(to=to))

    assert (verdict.call, verdict.code) == ("impossible", code)


@pytest.mark.parametrize("to", [2, 4], ids=["the state itself", "the taking back of it"])
def test_taking_back_to_the_head_is_refused(to: int) -> None:
    timeline = timeline_of(points(1), points(2), TakenBack(to=2))

    assert judge(RULESET, timeline, TakenBack(to=to)).code == "already-there"


def test_the_end_of_a_match_can_be_taken_back() -> None:
    timeline = timeline_of(GameWon(seat=1), TakenBack(to=1), options=Options())

    assert RULESET.outcome(timeline.head.state) is None


# -- opening --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "act", "code"),
    [
        pytest.param([], points(1), "not-opened", id="nothing before the setup"),
        pytest.param([opened()], opened(), "already-opened", id="one setup"),
        pytest.param([], opened(ruleset="zg@1"), "other-ruleset", id="its own game"),
        pytest.param([], opened(seats=()), "seat-count", id="a setup with a meaning"),
    ],
)
def test_a_log_opens_once_and_first(before: list[Opened], act: Any, code: str) -> None:
    timeline = Timeline(RULESET)
    for each in before:
        timeline.add(*entry_after(RULESET, timeline, each))

    verdict = judge(RULESET, timeline, act)

    assert (verdict.call, verdict.code) == ("impossible", code)


# -- revealing the seed ---------------------------------------------------------------


def revealed(seed: bytes = SEED) -> SeedRevealed:
    return SeedRevealed(seed=seed.hex())


def test_the_seed_is_revealed_after_the_end() -> None:
    timeline = timeline_of(GameWon(seat=1), revealed(), options=Options())

    assert timeline.head.revealed
    assert timeline.entries[-1].digest == timeline.entries[-2].digest


@pytest.mark.parametrize(
    ("acts", "setup", "act", "code"),
    [
        pytest.param([], {}, revealed(), "match-under-way", id="too early"),
        pytest.param(
            [GameWon(seat=1), revealed()],
            {"options": Options()},
            revealed(),
            "already-revealed",
            id="twice",
        ),
        pytest.param(
            [GameWon(seat=1)],
            {"options": Options(), "commitment": ""},
            revealed(),
            "no-commitment",
            id="never promised",
        ),
        pytest.param(
            [GameWon(seat=1)],
            {"options": Options()},
            revealed(b"another"),
            "wrong-seed",
            id="another seed",
        ),
        pytest.param(
            [GameWon(seat=1)],
            {"options": Options()},
            SeedRevealed(seed="not hex"),
            "wrong-seed",
            id="no seed at all",
        ),
    ],
)
def test_a_seed_is_revealed_as_promised(
    acts: list[Any], setup: dict[str, Any], act: SeedRevealed, code: str
) -> None:
    verdict = judge(RULESET, timeline_of(*acts, **setup), act)

    assert (verdict.call, verdict.code) == ("impossible", code)


def test_taking_back_past_the_end_hides_no_seed_that_is_out() -> None:
    timeline = timeline_of(GameWon(seat=1), revealed(), TakenBack(to=1), options=Options())

    assert not timeline.at(2).revealed
    assert timeline.head.revealed
    assert judge(RULESET, timeline, revealed()).call == "impossible"


# -- entries --------------------------------------------------------------------------


def test_an_act_against_the_rules_needs_somebody_to_let_it_stand() -> None:
    with pytest.raises(ActRefusedError) as caught:
        entry_after(RULESET, timeline_of(), GameClosed())

    assert caught.value.verdict.code == "nothing-scored"


def test_an_act_that_stood_against_the_rules_is_marked() -> None:
    entry, _ = entry_after(RULESET, timeline_of(), GameClosed(), irregular=True)

    assert entry.irregular == "nothing-scored"
    assert entry.consequences


def test_an_impossible_act_never_stands() -> None:
    with pytest.raises(ActRefusedError):
        entry_after(RULESET, timeline_of(), GameWon(seat=3), irregular=True)


def test_making_an_entry_leaves_the_timeline_as_it_is() -> None:
    timeline = timeline_of(points(1))

    entry_after(RULESET, timeline, points(2))

    assert len(timeline) == 2
    assert points_at(timeline) == 1


def test_a_timeline_is_no_longer_than_its_states_while_an_entry_is_added() -> None:
    timeline = timeline_of(points(1))

    timeline.entries.append(Entry(version=3, act=points(1)))  # as another thread sees it

    assert len(timeline) == 2
    assert timeline.at(len(timeline)) is timeline.head


def test_versions_follow_one_another() -> None:
    timeline = timeline_of(points(1))

    with pytest.raises(ValueError, match="version 4 cannot follow version 2"):
        timeline.append(Entry(version=4, act=points(1)))


@pytest.mark.parametrize("version", [0, -1, 3])
def test_there_is_no_state_at_an_unknown_version(version: int) -> None:
    with pytest.raises(IndexError):
        timeline_of(points(1)).at(version)


# -- proof ----------------------------------------------------------------------------


def changed(timeline: Timeline, version: int, /, **changes: Any) -> list[Entry]:
    entries = list(timeline.entries)
    entries[version - 1] = msgspec.structs.replace(entries[version - 1], **changes)
    return entries


def long_match() -> Timeline:
    return timeline_of(
        points(1),
        GameClosed(),
        points(2),
        TakenBack(to=3),
        GameClosed(),
        GameWon(seat=1),
        GameWon(seat=1),
        revealed(),
    )


def test_a_sound_log_verifies() -> None:
    assert checking.check(RULESET, long_match().entries) is None


@pytest.mark.parametrize(
    ("version", "changes", "what"),
    [
        pytest.param(2, {"act": points(3)}, "digest", id="an act changed"),
        pytest.param(2, {"act": GameWon(seat=2)}, "consequences", id="an act replaced"),
        pytest.param(2, {"act": points(10**7)}, "verdict", id="an act that never stood"),
        pytest.param(
            2, {"act": points(10**7), "irregular": "too-many-points"}, "verdict", id="nor marked"
        ),
        pytest.param(3, {"consequences": ()}, "consequences", id="a consequence removed"),
        pytest.param(4, {"version": 5}, "version", id="a version skipped"),
        pytest.param(4, {"on": 2}, "on", id="another state extended"),
        pytest.param(5, {"on": 2}, "on", id="taken back elsewhere"),
        pytest.param(5, {"act": TakenBack(to=9)}, "on", id="taken back to nowhere"),
        pytest.param(
            5,
            {"act": TakenBack(to=4), "on": 4, "irregular": "already-there"},
            "verdict",
            id="taken back to where it is",
        ),
        pytest.param(
            5, {"consequences": (GameEnded(1, (1, 2)),)}, "consequences", id="one of a taking back"
        ),
        pytest.param(6, {"irregular": ""}, "verdict", id="a mark removed"),
        pytest.param(6, {"irregular": "has-conceded"}, "verdict", id="another mark"),
        pytest.param(7, {"digest": "0" * 64}, "digest", id="a digest changed"),
        pytest.param(9, {"act": revealed(b"other")}, "verdict", id="another seed"),
    ],
)
def test_the_first_entry_that_differs_is_named(
    version: int, changes: dict[str, Any], what: str
) -> None:
    entries = changed(long_match(), version, **changes)
    before, found = checking.replayed(RULESET, entries)

    assert found is not None
    assert found.version == changes.get("version", version)
    assert found.what == what
    assert before.moments == Timeline(RULESET, entries[: version - 1]).moments


def test_swapped_entries_are_found() -> None:
    entries = list(long_match().entries)
    entries[1], entries[2] = entries[2], entries[1]

    found = checking.check(RULESET, entries)

    assert found is not None
    assert (found.version, found.what) == (3, "version")
