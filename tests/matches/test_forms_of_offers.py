"""Offers as forms: a walk and a tuple are each one choice that carries several values."""

import re

import msgspec
import pytest
from django.http import QueryDict
from django.template.loader import render_to_string
from django.utils import translation

import rules
from matches.forms.acts import act_from_form, form_groups
from rules import bots
from rules.fields import Choice, Ordered, Range, Walk
from rules.ruleset import Offer

ZERPANG = rules.get("zerpang")


def test_a_walk_is_a_choice_of_where_it_ends() -> None:
    lane = Walk("K1", (("K1", "Z1.6"), ("Z1.6", "K1", "M1")), ends=("Z1.6", "M1"), most=2)
    offer = Offer("piece-moved", 1, {"piece": Choice(("1-1",)), "path": lane})

    (group,) = form_groups(ZERPANG, [offer], {1: "Ada"})
    piece, path = group.forms[0].fields
    assert [(option.at, option.label) for option in path.options] == [
        ("Z1.6", "Z1.6"),
        ("M1", "Z1.6 M1"),
    ]
    posted = QueryDict(mutable=True)
    posted.update({"type": "piece-moved", "seat": "1", piece.name: "1-1"})
    posted[path.name] = path.options[1].value
    assert act_from_form(ZERPANG, posted)["path"] == ["Z1.6", "M1"]


def test_a_tuple_is_one_choice() -> None:
    pieces = Choice((("1-1", "1-2"),))
    offer = Offer("linked-moved", 1, {"pieces": pieces, "dirs": Choice(((1,), (1, 1)))})

    (group,) = form_groups(ZERPANG, [offer], {1: "Ada"})
    together, dirs = group.forms[0].fields
    assert together.kind == "hidden"
    posted = QueryDict(mutable=True)
    posted.update({"type": "linked-moved", "seat": "1", together.name: together.options[0].value})
    posted[dirs.name] = dirs.options[1].value
    act = act_from_form(ZERPANG, posted)
    assert (act["pieces"], act["dirs"]) == (["1-1", "1-2"], [1, 1])


def test_an_order_of_all_is_one_choice_since_ticks_have_none() -> None:
    offer = Offer("combat-order-chosen", 1, {"order": Ordered(("1-1", "1-2"), most=2, least=2)})

    (group,) = form_groups(ZERPANG, [offer], {1: "Ada"})
    (order,) = group.forms[0].fields
    assert [option.label for option in order.options] == ["1-1 1-2", "1-2 1-1"]
    posted = QueryDict(mutable=True)
    posted.update({"type": offer.type, "seat": "1", order.name: order.options[1].value})
    assert act_from_form(ZERPANG, posted)["order"] == ["1-2", "1-1"]


@pytest.mark.parametrize("game", ["score", "zerpang", "zg", "zx"])
def test_every_field_has_a_label(game: str) -> None:
    ruleset = rules.get(game)
    fields = {part.name for act in ruleset.acts for part in msgspec.structs.fields(act)}

    assert {f"field.{name}" for name in fields - {"seat"}} <= ruleset.texts.keys()


def test_a_game_calls_its_fields_in_the_language_of_the_reader() -> None:
    offer = Offer("points-scored", 1, {"points": Range(1, 9)})
    called = {}
    for language in ("en", "de"):
        with translation.override(language):
            (group,) = form_groups(rules.get("score"), [offer], {1: "Ada"})
            called[language] = [each.label for each in group.forms[0].fields]
    assert called == {"en": ["Points"], "de": ["Punkte"]}


def test_cards_are_called_by_their_titles() -> None:
    state = bots.playout(ZERPANG, bots.sample_setup(ZERPANG, 1, seats=2), 1).head.state
    both = [key for key, card in state.deck.cards.items() if card.P and card.N][:2]
    card = {"card": Choice(tuple(both)), "side": Choice(("N",)), "more": Choice((True,))}

    (group,) = form_groups(ZERPANG, [Offer("special-played", 1, card)], {1: "Ada"}, state=state)
    one, side, more = group.forms[0].fields
    titles = [(key, state.deck.cards[key].face("N").title) for key in both]
    assert [(option.value, option.label) for option in one.options] == titles
    assert (side.options[0].value, more.options[0].value) == ("N", "true")
    assert group.forms[0].given == ["Ada", "Side: Ninjutsu", "with its larger effect"]


def test_a_plain_yes_is_told_with_what_it_answers() -> None:
    offer = Offer("travelled", 1, {"rise": Choice((True,)), "card": Choice(("Left",))})

    (group,) = form_groups(rules.get("zg"), [offer], {1: "Ada"})
    assert group.forms[0].given == ["Ada", "Rise: yes", "Card: Left"]


def test_many_forms_of_an_act_are_folded_by_who_acts() -> None:
    offers = [
        Offer("effect-applied", seat, {"op": Choice((op,)), "amount": Range(1, 9)})
        for op in ("damage", "draw", "discard")
        for seat in (2, 1)
    ]
    (few,) = form_groups(rules.get("zx"), offers[:4], {1: "Ada", 2: "Bo"})
    (group,) = form_groups(rules.get("zx"), offers, {1: "Ada", 2: "Bo"})
    assert (few.many, group.many) == (False, True)
    assert [(who, [words for _, words in folded]) for who, folded in group.by_seat] == [
        ("Bo", [["Bo", "damage"], ["Bo", "draw"], ["Bo", "discard"]]),
        ("Ada", [["Ada", "damage"], ["Ada", "draw"], ["Ada", "discard"]]),
    ]
    context = {"group": group, "form_url": "/", "within": "matches/_act_form.html"}
    page = render_to_string("matches/_act_many.html", context)
    told = re.findall(r"<summary>([^<]*)</summary>", page)
    assert [each.strip() for each in told] == [
        *("Bo", "damage", "draw", "discard"),
        *("Ada", "damage", "draw", "discard"),
    ]
    assert page.count("<form") == len(offers)
