"""Taking back: who may, how far, and what becomes current."""

from collections.abc import Callable
from uuid import uuid4

import pytest

from matches import actors, audiences, errors, selectors, services, undoing
from matches.actors import Actor
from matches.log import Receipt
from matches.models import Match
from matches.services import SeatRequest
from tests import factories

pytestmark = pytest.mark.django_db


class Table:
    """A sanctioned match of two players and an official: its opener rules over nothing."""

    def __init__(self, game: str = "toy") -> None:
        self.opener, self.one, self.two, self.judge = (factories.actor() for _ in range(4))
        self.match: Match = factories.match(
            self.opener,
            game,
            [SeatRequest(player=self.one.player), SeatRequest(player=self.two.player)],
            sanctioned=True,
        )
        services.name_official(
            by=self.opener, match=self.match, player=actors.player_of(self.judge)
        )
        self.match = selectors.match_for(self.opener, self.match.code)

    def toss(self, seat: int, side: str = "tails", **act: str) -> Receipt:
        act = {"type": "tossed", "seat": seat, "side": side, **act}
        return factories.record(self.match, act)

    def take_back(self, to: int, by: Actor) -> Receipt:
        return services.take_back(match=self.match, by=by, act_id=uuid4(), to=to)


def test_the_last_act_is_taken_back_by_anyone_at_the_table() -> None:
    table = Table()
    table.toss(1, "heads")
    table.take_back(1, table.two)
    timeline = selectors.timeline(table.match)
    assert timeline.head.state.heads == (0, 0)
    assert timeline.effective() == (1,)


def test_nothing_is_lost_by_taking_back() -> None:
    table = Table()
    table.toss(1, "heads")
    table.take_back(1, table.one)
    assert selectors.timeline(table.match).at(2).state.heads == (1, 0)


def test_acts_can_be_taken_back_one_after_the_other() -> None:
    table = Table()
    table.toss(1)
    table.toss(2)
    table.take_back(2, table.one)
    table.take_back(1, table.one)
    assert selectors.timeline(table.match).effective() == (1,)


def test_a_taking_back_can_be_taken_back() -> None:
    table = Table()
    table.toss(1, "heads")
    table.take_back(1, table.one)
    table.take_back(2, table.two)
    assert selectors.timeline(table.match).head.state.heads == (1, 0)


def test_older_acts_are_for_officials() -> None:
    table = Table()
    for seat in (1, 2, 1):
        table.toss(seat)
    with pytest.raises(errors.NotAllowed) as refused:
        table.take_back(2, table.one)
    assert refused.value.code == "officials-only"
    assert table.take_back(2, table.judge).version == 5
    assert undoing.moves_for(table.one, table.match).redo is None  # it restores two at once
    with pytest.raises(errors.NotAllowed):
        table.take_back(4, table.one)
    redo = undoing.moves_for(table.judge, table.match).redo
    assert redo is not None and redo.to == 4


def test_the_opener_rules_only_where_it_is_not_sanctioned() -> None:
    table = Table()
    table.toss(1)
    table.toss(2)
    with pytest.raises(errors.NotAllowed):
        table.take_back(1, table.opener)
    table.match.sanctioned = False
    assert table.take_back(1, table.opener).version == 4


def test_once_it_is_over_only_an_official_reopens() -> None:
    table = Table()
    for seat in (1, 2, 1, 2, 1):
        table.toss(seat, "heads")
    with pytest.raises(errors.NotAllowed) as refused:
        table.take_back(5, table.two)
    assert refused.value.code == "officials-only"
    assert table.take_back(5, table.judge).version == 7
    assert table.match.log.status == "open"


def test_a_ruling_is_taken_back_restored_and_corrected_by_an_official_alone() -> None:
    table = Table("zg")
    ruling = uuid4()
    end = {"type": "ruled", "what": "end-turn"}
    factories.record(table.match, end, by=table.judge, act_id=ruling)

    def refused(change: Callable[[], object]) -> None:
        with pytest.raises(errors.NotAllowed) as told:
            change()
        assert told.value.code == "officials-only"
        assert {*undoing.moves_for(table.two, table.match)} == {None}
        assert not undoing.correctable(table.two, table.match)

    refused(lambda: table.take_back(1, table.two))
    request = services.CorrectionRequest(ruling, None)
    refused(lambda: services.preview_correction(match=table.match, by=table.two, request=request))
    assert table.take_back(1, table.judge).version == 3
    refused(lambda: table.take_back(2, table.two))
    assert table.take_back(2, table.judge).version == 4


def test_a_ruling_that_ended_a_match_of_draws_is_restored_by_an_official_alone() -> None:
    table = Table()
    table.toss(1, "", spin="server")
    factories.record(table.match, {"type": "ruled", "winner": 2}, by=table.judge)
    table.take_back(2, table.judge)
    assert undoing.moves_for(table.two, table.match).redo is None
    with pytest.raises(errors.NotAllowed) as refused:
        table.take_back(4, table.two)  # the entry of the seed, which the ruling revealed
    assert refused.value.code == "officials-only"
    assert table.take_back(4, table.judge).version == 6


def test_past_a_draw_it_takes_another_seat() -> None:
    table = Table()
    table.toss(1, "", spin="server")
    for same in (table.one, table.opener):
        with pytest.raises(errors.NotAllowed) as refused:
            table.take_back(1, same)
        assert refused.value.code == "needs-another-seat"
    assert table.take_back(1, table.two).version == 3


def test_past_a_hidden_card_turned_up_it_takes_another_seat() -> None:
    table = Table("zx")
    first, kept = {"type": "first-decided", "seat": 1, "first": 1}, {"type": "hand-kept"}
    shown = {"type": "start-resources-placed", "seat": 1, "cards": ["Event", "Z/X"]}
    for act in (first, {**kept, "seat": 1}, {**kept, "seat": 2}, shown):
        factories.record(table.match, act)
    for same in (table.one, table.opener):
        with pytest.raises(errors.NotAllowed) as refused:
            table.take_back(4, same)
        assert refused.value.code == "needs-another-seat"
    assert table.take_back(4, table.two).version == 6


def test_past_a_draw_an_official_may() -> None:
    table = Table()
    table.toss(1, "", spin="server")
    assert table.take_back(1, table.judge).version == 3


@pytest.mark.parametrize("to", [0, -1, 3, 2**63 - 1])
def test_there_is_no_going_back_to_what_is_not_there(to: int) -> None:
    table = Table()
    table.toss(1)
    with pytest.raises(errors.Impossible) as refused:
        table.take_back(to, table.one)
    assert refused.value.code == "no-such-version"


def test_the_same_taking_back_sent_twice_is_one() -> None:
    table = Table()
    table.toss(1)
    act_id = uuid4()
    sent = [
        services.take_back(match=table.match, by=table.one, act_id=act_id, to=1) for _ in range(2)
    ]
    assert sent[0] == sent[1]


def test_a_taking_back_can_be_sent_as_an_act() -> None:
    table = Table()
    table.toss(1)
    factories.record(table.match, {"type": "taken-back", "to": 1}, by=table.two)
    assert selectors.timeline(table.match).effective() == (1,)


def test_the_right_is_asked_again_when_the_log_has_moved_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What was the last act when the request came is an older one when it is stored."""
    from matches import storing

    table = Table()
    table.toss(1)
    move_head, late = storing.move_head, []

    def moved_meanwhile(*args: object) -> bool:
        if not late:
            late.append(True)
            table.toss(2)
        return move_head(*args)

    monkeypatch.setattr(storing, "move_head", moved_meanwhile)
    with pytest.raises(errors.NotAllowed):
        table.take_back(1, table.one)


def test_a_reason_can_be_given() -> None:
    table = Table()
    table.toss(1)
    services.take_back(
        match=table.match, by=table.judge, act_id=uuid4(), to=1, note="The coin fell off."
    )
    assert audiences.entries(table.match)[-1].note == "The coin fell off."
