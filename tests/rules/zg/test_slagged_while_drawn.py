"""A ruling can slag the very card that was drawn as target."""

from tests.rules.zg.table import offered, played


def test_a_drawn_card_that_is_slagged_by_a_ruling_is_drawn_no_more() -> None:
    timeline = played("target-drawn 1 2 Shield", "ruled slag foe=2 target=Shield")
    assert timeline.head.state.board.drawn is None
    assert ("target-drawn", 1) in offered(timeline)
