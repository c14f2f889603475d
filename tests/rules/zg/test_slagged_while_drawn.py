"""A ruling can slag the very card that was drawn as target."""

from tests.rules.zg.table import offered, played, verdict


def test_a_drawn_card_that_is_slagged_by_a_ruling_is_drawn_no_more() -> None:
    timeline = played("target-drawn 1 2 Shield", "ruled slag foe=2 target=Shield")
    assert timeline.head.state.board.drawn is None
    assert ("target-drawn", 1) in offered(timeline)


def test_a_follow_up_ends_with_its_card() -> None:
    timeline = played("attacked 1 Three a 2 Shield a", "ruled slag foe=1 target=Three")
    assert timeline.head.state.board.follow_up is None


def test_a_slagged_card_whose_draw_stood_is_attacked_next() -> None:
    timeline = played("attacked 1 Two a 2 Shield a", "target-drawn! 1 2 Shield")
    assert verdict(timeline, "cover-called 1 One a 2 Shield") == "legal"
    assert ("cover-called", 1) in offered(timeline)


def test_a_slagged_card_earns_no_follow_up() -> None:
    timeline = played("ruled slag foe=1 target=Three", "attacked! 1 Three a 2 Shield a")
    assert timeline.head.state.board.follow_up is None
