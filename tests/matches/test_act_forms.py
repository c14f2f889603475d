"""Offers as forms."""

import rules
from matches.act_forms import form_groups
from rules.ruleset import Offer, Subset
from rules.zx.acts import HandTrimmed


def test_a_value_on_offer_twice_can_be_ticked_twice_and_is_as_often_as_it_was_chosen() -> None:
    cards = Subset(("Pier Sentry", "Undertow", "Undertow"), most=2, least=2)
    given = HandTrimmed(seat=1, cards=("Pier Sentry", "Undertow"))

    [group] = form_groups(
        rules.get("zx"), [Offer("hand-trimmed", 1, {"cards": cards})], {1: "Tidewatch"}, given
    )

    [field] = group.forms[0].fields
    assert [(option.value, option.chosen) for option in field.options] == [
        ("Pier Sentry", True),
        ("Undertow", True),
        ("Undertow", False),
    ]
