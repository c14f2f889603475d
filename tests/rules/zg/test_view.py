"""What pages and the API see of the board."""

import json

import msgspec
import pytest

from rules import bots
from tests.rules.zg.full import at, full
from tests.rules.zg.table import DECK, RULESET, SAVER, opened, played, view


@pytest.mark.parametrize(
    ("lines", "awaited"),
    [
        ([], ("impulse", None)),
        (["impulse-won 2"], ("pulse", 2)),
        (["target-drawn 2 1 Boots"], ("target", 2)),
        (["attacked 1 Three a 2 Shield a"], ("follow-up", 1)),
        (["attacked 1 Two a 2 Ulster a"], ("save", 2)),
        (["options-changed score"], ("slag", None)),
        (["conceded 2"], ("over", None)),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_the_view_says_what_is_awaited(lines: list[str], awaited: tuple[str, int | None]) -> None:
    timeline = played(*lines, setup=opened(DECK, SAVER))

    assert view(timeline)["next"] == {"what": awaited[0], "seat": awaited[1]}


def test_the_last_test_is_seen_with_its_reasons() -> None:
    test = view(played("attacked 1 Two a 2 Shield a"))["test"]

    assert (test["seat"], test["card"], test["end"]) == (1, "Two", "a")
    assert (test["foe"], test["target"], test["target_end"]) == (2, "Shield", "a")
    assert (test["dot_matches"], test["strikes"], test["result"]) == (2, 2, "slag")
    assert test["text"] == "slagged"
    assert [dot["why"] for dot in test["dots"]] == ["plain-match", "plain-match", "no-match"]


def test_a_card_is_seen_where_it_is() -> None:
    seats = view(played("attacked 1 Two a 2 Shield a"))["seats"]

    cards = {card["name"]: card for card in seats[1]["cards"]}
    assert cards["Shield"]["slagged"] is True
    assert cards["Boots"]["slagged"] is False
    assert cards["Ulster"]["ulster"] is True
    assert [card["name"] for card in seats[0]["cards"] if card["played"]] == ["Two"]


def test_a_loss_that_can_be_saved_is_seen() -> None:
    loss = view(played("attacked 1 Two a 2 Shield a", setup=opened(DECK, SAVER)))["loss"]

    assert loss == {"seat": 2, "card": "Shield", "can_save": True}


def test_the_outcome_is_seen() -> None:
    assert view(played("conceded 2"))["outcome"] == {
        "places": [1, 2],
        "winners": [1],
        "why": "by-concession",
        "clause": "ZG LEA-11",
        "text": RULESET.texts["by-concession"],
    }


def test_the_view_is_plain_data_for_every_audience() -> None:
    for seed in range(3):
        timeline = bots.playout(RULESET, bots.sample_setup(RULESET, seed), seed)
        for moment in timeline.moments[::7]:
            seen = {who: RULESET.view(moment.state, who) for who in ("public", "officials", 1)}
            assert json.loads(json.dumps(seen["public"])) == seen["public"]
            for each in seen.values():
                for seat in each["seats"]:
                    del seat["hand"]
            assert seen[1] == seen["officials"] == seen["public"]


HAND = 'hand-taken 1 ["Wings","Left","Odd"]'


def test_others_know_what_a_seat_may_do_but_not_with_which_cards() -> None:
    timeline = at(HAND)
    state = timeline.head.state
    own, others = (RULESET.offers_to(state, seat) for seat in (1, 2))

    assert own == RULESET.options(state)
    assert others == RULESET.offers_to(at(HAND.replace("Odd", "Ram")).head.state, 2)
    attacks = [offer for offer in others if (offer.type, offer.seat) == ("attacked", 1)]
    assert {card for offer in attacks for card in offer.fields["card"].values} > {"Wings", "Ram"}
    assert ("hand-taken", 1) not in {(offer.type, offer.seat) for offer in others}


def test_nobody_is_offered_a_draw_of_the_server_from_a_deck_without_its_hand() -> None:
    timeline = at(HAND, setup=msgspec.structs.replace(full(), commitment="c" * 64))
    offers = RULESET.offers_to(timeline.head.state, "public")
    spins = {
        o.fields["foe"].values: o.fields["spin"].values for o in offers if o.type == "target-drawn"
    }

    assert spins == {(1,): ("table",), (2,): ("table", "server")}
