"""Tournaments of every format and with every act, from the first entry to the close."""

from typing import Any

import msgspec
import pytest

from rules import bots
from rules.bots import Stream
from rules.checking import check
from rules.desk.acts import StageStarted
from rules.desk.previews import Blast, difference
from rules.desk.stages import planned
from rules.desk.standings import places_of
from rules.desk.state import Desk
from rules.replay import Timeline
from rules.ruleset import event_type
from tests.rules.desk.table import (
    KNOCKOUT,
    RULESET,
    SWISS,
    desk_of,
    more,
    played,
    played_out,
    preview,
)

FORMATS: list[tuple[int, dict[str, Any]]] = [
    (9, {"format": "swiss", "best_of": 3, "tiebreaks": ["omw", "gw", "ogw"]}),
    (7, {"format": "swiss", "win": 2, "draw": 1, "halves": True, "tiebreaks": ["bh-c1", "sb"]}),
    (6, {"format": "round-robin", "legs": 2}),
    (9, {"format": "round-robin", "groups": 2}),
    (11, {"format": "single-elimination", "third_place": True}),
    (7, {"format": "double-elimination"}),
    (6, {"format": "double-elimination", "no_reset": True}),
    (9, {"format": "pods", "rounds": 3, "table_points": [10, 6, 3, 1], "tiebreaks": ["beaten"]}),
    (11, {"format": "pods", "rounds": 2, "sizes": [6, 5]}),
    (10, {"format": "pod-elimination"}),
    (7, {"format": "multi-round-robin", "sizes": [4]}),
    (5, {"format": "ladder", "rounds": 4}),
]


@pytest.mark.parametrize(
    ("entrants", "fields"), FORMATS, ids=lambda v: v["format"] if isinstance(v, dict) else v
)
def test_every_format_is_played_from_the_offers_to_the_close(
    entrants: int, fields: dict[str, Any]
) -> None:
    for seed in range(2):
        desk = played_out(entrants, fields, f"out {seed}")

        assert sorted(desk_of(desk).order) == list(range(1, entrants + 1))
        assert check(RULESET, desk.entries) is None
        for each in desk_of(desk).rounds:
            seated = [player for table in each.tables for player in table.players]
            assert len({*seated, *each.byes}) == len(seated) + len(each.byes)
        kinds = [event_type(entry.act) for entry in desk.entries]
        print(f"{fields['format']}: {len(desk_of(desk).rounds)} rounds, {len(kinds)} entries")


def of_every_act() -> Timeline:
    """Return a tournament in which every act of the desk was recorded."""
    desk = played(
        "enter 6", "waitlisted", "checked-in 1", "dropped 2", "returned 2", cap=6, appeal_minutes=30
    )
    more(desk, "pair-forbidden [1,3]", "pair-allowed [1,3]", "table-fixed 1 2", "bye-granted 6 2")
    more(desk, "penalty-given 4 late warning", "penalty-withdrawn 1 NOTE")
    more(desk, "results-held 1", "announced NOTE")
    more(desk, "unannounced 1", f"{SWISS} rounds=3", "round-paired swiss 1")
    one, two = desk_of(desk).rounds[0].tables[:2]
    more(desk, f"pairing-changed {one.number} 1 {two.players[0]} NOTE", "round-published 1")
    first, second, *others = desk_of(desk).rounds[0].tables
    by, foe = first.players
    more(desk, "clock-paused 1", "clock-resumed 1", f"time-extended 1 5 table={first.number}")
    more(desk, "time-extended 1 10", f"time-proposed 1 {first.number} 1900000000", "time-called 1")
    more(desk, f"official-called 1 {first.number} {by}", f"call-answered 1 {first.number}")
    more(desk, f"result-reported 1 {first.number} scores=[1,0] by={by}")
    more(desk, f"result-disputed 1 {first.number} by={foe}")
    more(desk, f"ruled 1 {first.number} NOTE scores=[0,1]")
    more(desk, f"ruling-appealed 1 {first.number} {by} NOTE")
    more(desk, f"appeal-rejected 1 {first.number} NOTE")
    by, foe = second.players
    more(desk, f"result-reported 1 {second.number} scores=[1,0] by={by}")
    more(desk, f"result-confirmed 1 {second.number} by={foe}")
    more(desk, *(f"result-reported 1 {each.number} scores=[0,1]" for each in others))
    more(desk, "round-closed 1", f"result-corrected 1 {second.number} NOTE scores=[0,1]")
    more(desk, "results-shown", "play 2", "disqualified 5", "stage-ended NOTE", "cut-made 4")
    more(desk, KNOCKOUT, "play 1", "play 2", "stage-started round-robin", "play 1", "dropped 1")
    return more(desk, "results-annulled 1 NOTE", "stage-ended NOTE", "tournament-closed")


def test_undoing_anything_returns_the_exact_state() -> None:
    """Each act of a tournament that has them all is taken back, and all of it brought back."""
    desk = of_every_act()
    assert {type(entry.act) for entry in desk.entries[1:]} == set(RULESET.acts)
    dumps = [RULESET.dump(moment.state) for moment in desk.moments]
    for version in range(1, len(dumps)):
        more(desk, f"taken-back {version}")
        assert RULESET.dump(desk.head.state) == dumps[version - 1]
        more(desk, f"taken-back {len(desk) - 1}")
        assert RULESET.dump(desk.head.state) == dumps[-1]
    assert check(RULESET, desk.entries) is None


def test_a_preview_of_anything_is_the_real_difference() -> None:
    """Of each act of such a tournament, and of each undo of it: who has which place then."""
    desk = of_every_act()
    for entry in desk.entries[1:]:
        before, after = desk.at(entry.version - 1).state, desk.at(entry.version).state
        earlier = upto(desk, entry.version - 1)
        assert moved(preview(earlier, entry.act)) == places_that_differ(before.desk, after.desk)
        undone = difference(desk, earlier)
        assert moved(undone) == places_that_differ(desk.head.state.desk, before.desk)


def upto(timeline: Timeline, version: int) -> Timeline:
    """Return a log as it was at a version."""
    earlier = timeline.copy()
    del earlier.entries[version:], earlier.moments[version:]
    return earlier


def moved(blast: Blast) -> dict[tuple[int, int], tuple[int, int]]:
    return {(row.stage, row.entrant): row.places for row in blast.moved}


def places_that_differ(before: Desk, after: Desk) -> dict[tuple[int, int], tuple[int, int]]:
    """Return the places before and after, 0 for none, worked out from the tables."""
    found = {}
    for index in range(min(len(before.stages), len(after.stages))):
        was, now = places_of(before, index), places_of(after, index)
        for player, place in now.items():
            if was.get(player, 0) != place:
                found[index + 1, player] = was.get(player, 0), place
    return found


def test_what_may_be_planned_is_what_may_be_started() -> None:
    """Every offer's choices can be planned; what is planned wrong is refused at the start too."""
    for count in (4, 9, 16):
        desk = played(f"enter {count}")
        for offer in RULESET.options(desk.head.state):
            if offer.type != "stage-started":
                continue
            pick = Stream(f"plan {count} {offer}")
            act = bots.act_of(RULESET, offer, pick)
            assert isinstance(act, StageStarted)
            assert not list(planned(act))
            for name, wrong in WRONG.items():
                bad = msgspec.structs.replace(act, **{name: wrong})
                assert [field for field, _ in planned(bad)] == [name]
                assert RULESET.judge(desk.head.state, bad).call == "impossible"


WRONG = {
    "rounds": 31,
    "best_of": 10,
    "win": 101,
    "bye": -1,
    "table_points": (1,) * 7,
    "short_points": (1,) * 6,
    "sizes": (2,),
    "tiebreaks": ("omw", "omw"),
    "legs": 5,
    "groups": 17,
    "accelerated": -1,
    "seed": -1,
    "seeding": "luck",
}
