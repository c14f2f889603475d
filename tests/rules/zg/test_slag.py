"""The effects of strikes: lock, slag, follow-up, stun."""

from rules.zg.consequences import FollowUpEarned, LockLapsed, TargetLocked
from tests.rules.zg.table import (
    DECK,
    attacks,
    consequence,
    followed,
    last,
    offered,
    opened,
    played,
    stand,
    verdict,
    view,
)


def test_one_strike_locks_the_target() -> None:
    locked = consequence(TargetLocked, last("attacked 1 One a 2 Shield a"))

    assert (locked.seat, locked.foe, locked.target) == (1, 2, "Shield")


def test_a_locked_card_may_be_attacked_again_without_banking_the_strike() -> None:
    lines = ["attacked 1 One a 2 Shield a", "attacked 1 Boots a 2 Shield b"]

    assert followed(*lines) == ["card-tested"]
    assert view(played(*lines))["seats"][0]["locks"] == [{"foe": 2, "target": "Shield"}]
    assert view(played(*lines))["seats"][1]["cards"][5]["locked_by"] == [1]


def test_f5_a_lock_of_the_third_pulse_lapses_at_once() -> None:
    lines = [*attacks(1, 2, ("Miss", "Boots")), "attacked 1 One a 2 Shield a"]

    assert followed(*lines) == ["card-tested", "target-locked", "lock-lapsed", "pulses-ended"]
    lapsed = consequence(LockLapsed, last(*lines))
    assert (lapsed.seat, lapsed.foe, lapsed.target) == (1, 2, "Shield")


def test_an_earlier_lock_lapses_with_the_pulses() -> None:
    lines = ["attacked 1 One a 2 Shield a", *attacks(1, 2, ("Miss", "Boots"))]

    assert followed(*lines) == ["card-tested", "lock-lapsed", "pulses-ended"]
    assert view(played(*lines))["seats"][0]["locks"] == []


def test_a_lock_on_a_card_slagged_since_is_not_told_of_again() -> None:
    lines = ["attacked 1 One a 2 Shield a", "attacked 1 Two a 2 Shield a", "turn-passed 1"]

    assert followed(*lines) == ["pulses-ended"]


def test_two_strikes_slag_the_target() -> None:
    assert followed("attacked 1 Two a 2 Shield a") == ["card-tested", "card-slagged"]
    assert view(played("attacked 1 Two a 2 Shield a"))["seats"][1]["gear"] == 8


def test_three_strikes_slag_the_target_and_earn_a_follow_up() -> None:
    entry = last("attacked 1 Three a 2 Shield a")

    earned = consequence(FollowUpEarned, entry)
    assert (earned.seat, earned.card, earned.foe, earned.end) == (1, "Three", 2, "a")


def test_every_stun_is_told_and_only_the_first_is_given_back_with_its_test() -> None:
    restored = ["attacked 1 Four a 2 Frail a", "ruled restore foe=2 target=Frail"]
    again = [*restored, "test-called 1 Two 2 Frail 4"]
    assert "figure-stunned" in followed(*again)
    given_back = [*again, "ruled strikes strikes=2"]
    assert "stun-lifted" not in followed(*given_back)
    assert view(played(*given_back))["seats"][1]["stunned"] is True


def test_a_ruling_ends_a_stun() -> None:
    stunned = ["attacked 1 Four a 2 Frail a"]
    assert verdict(played(), "ruled unstun foe=2") == "irregular not-stunned"
    assert followed(*stunned, "ruled unstun foe=2") == ["stun-lifted"]
    assert view(played(*stunned, "ruled unstun foe=2"))["seats"][1]["stunned"] is False


def test_four_strikes_stun_as_well() -> None:
    assert followed("attacked 1 Four a 2 Frail a") == [
        "card-tested",
        "card-slagged",
        "figure-stunned",
        "follow-up-earned",
    ]
    assert view(played("attacked 1 Four a 2 Frail a"))["seats"][1]["stunned"] is True


# -- follow-ups -----------------------------------------------------------------------


def test_a_follow_up_costs_no_pulse() -> None:
    timeline = played("attacked 1 Three a 2 Shield a", "attacked 1 Three a 2 Boots a")

    assert view(timeline)["pulse"] == 1
    assert view(stand(timeline, "attacked 1 Three a 2 One a"))["pulse"] == 2


def test_a_follow_up_with_three_strikes_goes_on() -> None:
    lines = ["attacked 1 Three a 2 Shield a", "attacked 1 Three a 2 Boots a"]

    assert followed(*lines) == ["card-tested", "card-slagged", "follow-up-earned"]


def test_a_follow_up_repeats_card_and_end() -> None:
    timeline = played("attacked 1 Three a 2 Shield a")

    assert verdict(timeline, "attacked 1 Three a 2 Boots a") == "legal"
    assert verdict(timeline, "attacked 1 Three b 2 Boots a") == "irregular follow-up-same-end"
    assert verdict(timeline, "cover-called 1 Three b 2 Boots") == "irregular follow-up-same-end"


def test_a_follow_up_is_made_on_the_same_foe() -> None:
    timeline = played("attacked 1 Three a 2 Shield a", setup=opened(DECK, DECK, DECK))

    assert verdict(timeline, "attacked 1 Three a 3 Boots a") == "irregular card-already-played"


def test_nothing_modifies_a_follow_up() -> None:
    timeline = played("attacked 1 Three a 2 Shield a")

    for blaze in ("augments=[1]", "bolsters=[3]"):
        line = f"attacked 1 Three a 2 Boots a {blaze}"
        assert verdict(timeline, line) == "irregular powerup-on-follow-up"


def test_an_option_lets_powerups_modify_a_follow_up() -> None:
    setup = opened(options={"powerups_on_followup": True})
    timeline = played("attacked 1 Three a 2 Shield a", setup=setup)

    assert verdict(timeline, "attacked 1 Three a 2 Boots a augments=[1] bolsters=[3]") == "legal"


def test_the_last_pulse_waits_for_its_follow_up() -> None:
    lines = [*attacks(1, 2, ("Miss", "Boots")), "attacked 1 Three a 2 Shield a"]

    assert "pulses-ended" not in followed(*lines)
    assert view(played(*lines))["next"] == {"what": "follow-up", "seat": 1}
    assert verdict(played(*lines), "attacked 2 One a 1 Shield a") == "irregular not-your-pulse"
    assert followed(*lines, "attacked 1 Three a 2 Frail b") == ["card-tested", "pulses-ended"]


def test_a_follow_up_may_be_given_up() -> None:
    lines = [*attacks(1, 2, ("Miss", "Boots")), "attacked 1 Three a 2 Shield a"]

    assert ("turn-passed", 1) in offered(played(*lines))
    assert followed(*lines, "turn-passed 1") == ["pulses-ended"]


def test_playing_on_gives_up_the_follow_up() -> None:
    timeline = played("attacked 1 Three a 2 Shield a", "attacked 1 One a 2 Boots a")

    assert view(timeline)["follow_up"] is None
    assert verdict(timeline, "attacked 1 Three a 2 Frail b") == "irregular card-already-played"


def test_there_is_no_follow_up_on_a_defeated_foe() -> None:
    assert "follow-up-earned" not in followed("attacked 1 Three a 2 Ulster a")
