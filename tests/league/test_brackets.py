"""How a bracket is drawn: every match where its round has room for it, and lines between rounds."""

import re

import pytest
from django.test import Client

from league.brackets import leads_of
from rules.desk.formats import double_elimination, single_elimination
from rules.desk.formats.bracket import Bracket, Slot, Source
from tests.html import squeezed
from tests.league import desks

FIELDS = range(2, 34)
BRACKETS = [
    *(pytest.param(single_elimination.lay_out(n), id=f"single-{n}") for n in FIELDS),
    *(pytest.param(double_elimination.lay_out(n), id=f"double-{n}") for n in FIELDS),
]


def after(bracket: Bracket, slot: Slot) -> Slot | None:
    """Return the match the winner of another goes to."""
    source = Source("winner", bracket.slots.index(slot))
    return next((each for each in bracket.slots if source in each.takes), None)


@pytest.mark.parametrize("bracket", BRACKETS)
def test_each_match_has_a_place_of_its_own_in_its_round(bracket: Bracket) -> None:
    places: dict[str, list[Slot]] = {}
    for slot in bracket.slots:
        places.setdefault(slot.name.partition(".")[0], []).append(slot)
    for found in places.values():
        assert len({slot.room for slot in found}) == 1
        assert len({slot.number for slot in found}) == len(found)
        assert all(1 <= slot.number <= slot.room for slot in found)


@pytest.mark.parametrize("bracket", BRACKETS)
def test_a_line_ends_where_the_next_match_is_drawn(bracket: Bracket) -> None:
    for slot, leads in zip(bracket.slots, leads_of(bracket), strict=True):
        there = after(bracket, slot)
        if leads == "straight":
            assert there and (there.number, there.room) == (slot.number, slot.room)
        elif leads == "together":
            assert there and (there.number, there.room) == ((slot.number + 1) // 2, slot.room // 2)


@pytest.mark.parametrize("count", [8, 16, 32])
def test_where_nobody_is_missing_every_round_but_the_last_leads_on(count: int) -> None:
    for bracket, sides in (
        (single_elimination.lay_out(count), 1),
        (double_elimination.lay_out(count), 2),
    ):
        led = zip(bracket.slots, leads_of(bracket), strict=True)
        ends = [slot.name for slot, leads in led if not leads]
        assert len([name for name in ends if name[0] in "WL"]) == sides
        assert {leads for leads in leads_of(bracket) if leads} == (
            {"together"} if sides == 1 else {"together", "straight"}
        )


@pytest.mark.django_db
def test_who_has_nobody_to_meet_leaves_the_place_free(client: Client) -> None:
    stage = {"format": "single-elimination", "best_of": 3}
    tournament = desks.tournament(stages=[stage])
    desks.entered(tournament, 5)
    desks.act(tournament, "stage-started", **stage, seed=7)
    page = client.get(f"/tournaments/{tournament.code}/").content.decode()
    columns = page.split('class="bracket-round"')[1:]
    drawn = [re.findall(r'leads-\w+|<li aria-hidden="true">', column) for column in columns]
    nobody = '<li aria-hidden="true">'
    assert drawn == [[nobody, "leads-together", nobody, nobody], ["leads-together"] * 2, []]
    listed = client.get(f"/tournaments/{tournament.code}/?as=list").content.decode()
    assert nobody not in listed and "Final" in listed
    for _ in range(2):
        desks.paired(tournament)
        desks.play(tournament)
    moved = squeezed(client.get(f"/tournaments/{tournament.code}/standings/changes/"))
    assert re.findall(r"Guest \d \d → \d", moved)[-1:] == ["Guest 4 4 → 3"], "two are third"
    desks.act(tournament, "disqualified", entrant=1)
    marked = squeezed(client.get(f"/tournaments/{tournament.code}/"))
    assert re.search(r'Guest 1</bdi> <span class="soft small">\(disqualified\)', marked)
