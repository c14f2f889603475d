"""Offers as forms."""

import re

import pytest
from django.http import QueryDict
from django.template.loader import render_to_string

import rules
from matches.errors import BadInput
from matches.forms.acts import act_from_form, form_groups
from rules.fields import Choice, Range, Subset
from rules.ruleset import Offer
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


def test_a_number_an_act_can_not_be_without_is_asked_for_before_it_is_sent() -> None:
    score = rules.get("score")
    offer = Offer("points-scored", 1, {"points": Range(-9, 9)})

    [group] = form_groups(score, [offer], {1: "Ada"})

    [field] = group.forms[0].fields
    assert field.needed
    with pytest.raises(BadInput, match="Points is missing"):
        act_from_form(score, QueryDict("type=points-scored&seat=1&points="))


def test_forms_of_one_act_are_named_by_who_acts() -> None:
    """Else their fields could not be told apart without seeing where they stand."""
    offers = [Offer("points-scored", seat, {"points": Range(-9, 9)}) for seat in (1, 2)]
    groups = form_groups(rules.get("score"), offers, {1: "Ada", 2: "Ben"})
    context = {"group": groups[0], "match": {"code": "ABCDEF"}}
    page = render_to_string("matches/_act_group.html", context)
    for name in ("Ada", "Ben"):
        [key] = re.findall(rf'<p class="label" id="(.*)">{name}</p>', page)
        assert page.count(f'aria-labelledby="{key}"') == 1


def test_every_settled_choice_but_the_first_is_labelled() -> None:
    fields = {
        "card": Choice(("Toll Gate",)),
        "licence": Choice(("Two Faces",)),
        "piece": Choice(("",)),
        "foe": Choice((5,)),
    }

    [group] = form_groups(
        rules.get("score"), [Offer("points-scored", 1, fields)], {1: "Tarn", 5: "Vega"}
    )

    assert group.forms[0].given == ["Tarn", "Toll Gate", "Licence: Two Faces", "Foe: Vega"]
    assert group.forms[0].summary == group.forms[0].given


@pytest.mark.parametrize(
    ("cards", "told"),
    [
        (["Ash Nurse", "Rail Marauder"], ["Ash Nurse / Rail Marauder"]),
        (["A", "B", "C", "D", "E"], []),
    ],
)
def test_a_form_is_told_from_others_by_what_it_leaves_to_choose(
    cards: list[str], told: list[str]
) -> None:
    """Who reads "Tarn · Toll Gate" takes the licence for the card that is played."""
    fields = {"card": Choice(tuple(cards)), "licence": Choice(("Toll Gate",))}
    offers = [
        Offer("points-scored", 1, fields),
        Offer("points-scored", 1, fields | {"licence": Choice(("",))}),
    ]

    [group] = form_groups(rules.get("score"), offers, {1: "Tarn"})

    assert [form.given for form in group.forms] == [["Tarn", "Licence: Toll Gate"], ["Tarn"]]
    assert [form.summary for form in group.forms] == [
        ["Tarn", *told, "Licence: Toll Gate"],
        ["Tarn", *told],
    ]


def test_forms_that_would_read_alike_are_told_apart_by_the_fields_in_which_they_differ() -> None:
    """To put a card on the field to sleep and one among the resources were of one name."""
    fields = {"op": Choice(("sleep",)), "source": Choice(("Undertow", "Flashover"))}
    cards = Choice(tuple("ABCDE"))
    offers = [
        Offer("points-scored", 1, fields | {"square": Choice(("b1", "b2"))}),
        Offer("points-scored", 1, fields | {"card": cards}),
        Offer("points-scored", 1, fields | {"card": cards, "pays": Subset(("A",), most=1)}),
        Offer("points-scored", 1, fields),
        Offer("points-scored", 1, fields | {"op": Choice(("draw",))}),
    ]

    [group] = form_groups(rules.get("score"), offers, {1: "Tarn"})

    assert [words for _, words in group.folded] == [
        ["Tarn", "sleep", "Square: b1 / b2"],
        ["Tarn", "sleep", "Card: A / B / C / D …"],
        ["Tarn", "sleep", "Card: A / B / C / D …", "Pays: A"],
        ["Tarn", "sleep"],
        ["Tarn", "draw"],
    ]
