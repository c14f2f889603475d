"""The parts of `make load` on which the meaning of its figures depends."""

import xml.etree.ElementTree as ET

import pytest

import rules
from rules import bots
from rules.replay import Timeline, entry_after
from tests.load.client import address_of
from tests.load.figures import Compared, Used, compare, percentile
from tests.load.people import Load, Place, Spectator, Table, choose, spectators
from tests.load.plots import plot, ticks


@pytest.mark.parametrize(
    ("values", "share", "found"),
    [
        ([7.0], 50, 7.0),
        ([3.0, 1.0, 2.0], 50, 2.0),
        ([float(n) for n in range(1, 101)], 95, 95.0),
        ([float(n) for n in range(1, 101)], 99, 99.0),
        ([float(n) for n in range(1, 11)], 99, 10.0),
    ],
)
def test_a_percentile_is_a_value_that_was_measured(
    values: list[float], share: int, found: float
) -> None:
    assert percentile(values, share) == found


@pytest.mark.parametrize(
    ("there", "found"),
    [
        (["a", "b", "c"], Compared(0, 0, 0)),
        (["a", "c"], Compared(lost=1, doubled=0, unasked=0)),
        (["a", "b", "b", "b", "c"], Compared(lost=0, doubled=2, unasked=0)),
        (["a", "b", "c", "d"], Compared(lost=0, doubled=0, unasked=1)),
    ],
    ids=["all", "lost", "doubled", "unasked"],
)
def test_every_acknowledged_act_is_there_once(there: list[str], found: Compared) -> None:
    assert compare(["a", "b", "c"], there) == found


def test_what_no_part_took_was_idle_or_taken_by_others() -> None:
    before, after = Used({"web": 1.0}, 2.0, 10.0), Used({"web": 3.0}, 5.0, 20.0)

    assert after.since(before) == {"web": 0.2, "idle": 0.3, "others on this machine": 0.5}


def test_spectators_of_every_kind_are_spread_over_tables_and_addresses() -> None:
    load = Load(Place(), "")
    timeline = Timeline(rules.get("score"))
    tables = [Table(str(number), timeline, bots.Stream(number)) for number in range(50)]

    here = spectators(load, tables, 2000)

    assert len({(each.code, each.kind) for each in here}) == 50 * 4
    assert {address_of(number) for number in range(251)} == {"127.0.1.1", "127.0.1.2"}


def test_bots_leave_a_match_going_on() -> None:
    ruleset = rules.get("zg")
    timeline, pick = Timeline(ruleset), bots.Stream("load")
    timeline.add(*entry_after(ruleset, timeline, bots.sample_setup(ruleset, 3, seats=2)))
    while len(timeline) < 60 and (act := choose(timeline, pick)):
        timeline.add(*entry_after(ruleset, timeline, act))

    assert len(timeline) == 60
    assert ruleset.outcome(timeline.head.state) is None


@pytest.mark.parametrize("most", [0.003, 1, 7, 99, 100, 101, 4000])
def test_ticks_are_few_and_reach_as_far_as_what_is_plotted(most: float) -> None:
    found = ticks(most)

    assert found[0] == 0
    assert found[-1] >= most > found[-2]
    assert 3 <= len(found) <= 6


def test_a_plot_is_well_formed_and_names_its_axes_and_lines() -> None:
    drawn = plot(
        {"act < 1": [(0, 3.5), (200, 4)], "page": [(0, 9.25), (200, 30)]},
        across="matches",
        up="ms, median",
        title="Cost & count",
    )

    svg = ET.fromstring(drawn)
    texts = {text.text for text in svg.iter("{http://www.w3.org/2000/svg}text")}
    assert {"matches", "ms, median", "act < 1", "page", "0", "200"} <= texts
    for circle in svg.iter("{http://www.w3.org/2000/svg}circle"):
        assert 0 <= float(circle.attrib["cx"]) <= 640
        assert 0 <= float(circle.attrib["cy"]) <= 360


def test_acts_that_a_page_is_told_together_are_counted_each_from_its_sending() -> None:
    load = Load(Place(), "", measuring=True, sent={("A", 4): 1.0, ("A", 5): 2.0, ("A", 6): 3.0})
    page = Spectator(load, 0, "A", "page stream", last=3)

    page._heard(6, 3.5)

    assert list(load.delivered()) == [("page stream", took) for took in (2.5, 1.5, 0.5)]
