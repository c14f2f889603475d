"""The logger at depth `full`: one turn with everything, by taps."""

import re
from collections.abc import Callable

import msgspec
import pytest
from playwright.sync_api import expect

import rules
from matches import decks
from matches.services import SeatRequest
from rules.ruleset import event_type
from tests import factories
from tests.browser.scribe import Scribe
from tests.rules.zg.full import MOVERS

pytestmark = [pytest.mark.browser, pytest.mark.sqlite]

IMPULSES = (7, 6, 9, 4, 2, 4, 3, 1, 5)
DECK = msgspec.to_builtins(
    msgspec.structs.replace(
        MOVERS,
        cards=tuple(
            msgspec.structs.replace(card, impulse=impulse, b=card.b or "B R G")
            for card, impulse in zip(MOVERS.cards, IMPULSES, strict=True)
        ),
        modes=("Wits", "Ambition"),
    )
)
THEIRS = {**DECK, "cards": [{**card, "name": f"{card['name']} II"} for card in DECK["cards"]]}
OPTIONS = {
    "depth": "full",
    "terrain": [{"name": "Crate", "length": 1, "height": 1, "width": 1}],
    "arenas": [{"name": "Airlock", "ways": ["open", "vent"]}],
}


def test_one_turn_of_everything(scribe: Callable[..., Scribe]) -> None:
    seats = [
        SeatRequest(name="Yow Ferrin", deck=DECK),
        SeatRequest(name="Ezut Marr", deck=THEIRS),
    ]
    phone = scribe(factories.match(game="zg", seats=seats, options=OPTIONS))
    page = phone.page
    first = page.locator(".lg-turn").first

    def chosen(*names: str) -> None:
        for name in names:
            phone.tap(
                page.locator(":popover-open .lg-opt:visible").get_by_text(name, exact=True).first
            )

    def call(name: str) -> None:
        phone.act(lambda: phone.tap(phone.key(f"Call: {name}")))

    def more(kind: str) -> None:
        phone.tap(phone.key("More"))
        phone.tap(page.locator(":popover-open summary", has_text=kind))

    phone.tap(first.get_by_text("Hand", exact=True))
    chosen("Left", "Ram", "Scope")
    phone.act(lambda: phone.tap(phone.key("Take the hand")))
    expect(first).to_contain_text("hand taken")
    for turn, name, numbers in (
        (first, "Yow Ferrin", "943"),
        (page.locator(".lg-turn").last, "Ezut Marr", "5-3-1"),
    ):
        phone.tap(turn.get_by_text("Impulse", exact=True))
        page.locator(":popover-open input[name=numbers]").fill(numbers)
        call(name)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Yow Ferrin attacks with")

    phone.tap(phone.key("Place", exact=True))
    phone.act(lambda: phone.tap(page.locator(":popover-open button", has_text="Not measured")))
    phone.tap(phone.key("Place", exact=True))
    phone.act(lambda: phone.tap(page.locator(":popover-open button", has_text="7")))

    more("Draw a Mode card")
    chosen("Wits")
    phone.act(lambda: phone.tap(page.locator(":popover-open .lg-offer:visible .lg-key").first))

    phone.tap(phone.key("Move", exact=True))
    phone.tap(page.locator(":popover-open summary").get_by_text("Left: new stance", exact=True))
    chosen("1", "kneel")
    phone.act(lambda: phone.tap(page.locator(":popover-open .lg-offer:visible .lg-key")))
    expect(phone.half("Left", "a")).not_to_have_attribute("aria-label", re.compile("played"))
    expect(page.locator(".lg-pulse")).to_have_text("pulse 1 of 3")

    for opener, dot in (("+AP", "2"), ("+Armour", "1")):
        phone.tap(phone.key(opener))
        chosen(dot)
    phone.test("Left", "Odd II")
    phone.tap(phone.key("Retest"))
    phone.act(lambda: phone.tap(phone.key("Ezut Marr: the target again, end B")))

    phone.test("Ram", "Odd II")
    more("Use a Mode card")
    phone.act(lambda: phone.tap(page.locator(":popover-open .lg-offer:visible .lg-key").first))
    phone.tap(phone.key("knocked back"))
    phone.act(lambda: phone.tap(page.locator(":popover-open .lg-key").first))

    told = [event_type(event) for entry in phone.timeline().entries for event in entry.events]
    assert [kind for kind in told if kind in EVERYTHING] == list(EVERYTHING)
    travelled = next(e.act for e in phone.timeline().entries if event_type(e.act) == "travelled")
    assert (travelled.card, travelled.cards, travelled.stance) == ("Left", 1, "kneel")
    assert not phone.heard


EVERYTHING = (
    "hand-taken",
    "impulse-called",
    "impulse-called",
    "placed",
    "placed",
    "mode-drawn",
    "travelled",
    "attacked",
    "retested",
    "attacked",
    "knocked-back",
    "mode-used",
    "knockdown-called",
    "figure-downed",
)


def test_who_attacked_in_every_pulse_ends_the_turn_by_a_key_in_sight(
    scribe: Callable[..., Scribe],
) -> None:
    """The rest of the last pulse's move stays open; another attack would be refused."""
    samples = list(decks.samples(rules.get("zg")).values())
    seats = [
        SeatRequest(name="Yow Ferrin", deck=samples[0]),
        SeatRequest(name="Ezut Marr", deck=samples[1]),
    ]
    phone = scribe(factories.match(game="zg", seats=seats, options={"depth": "full"}))
    phone.goes_first("Yow Ferrin")
    heading = phone.page.locator("h1 .lg-with")
    for card in ("Ridge Helm", "Green Feet"):
        expect(phone.key("No more")).to_have_count(0)
        phone.test(card, "Deepwater Helm")
    phone.tap(phone.key("Move", exact=True))
    moves = phone.page.locator(":popover-open")
    phone.tap(moves.locator("summary", has_text=re.compile("Spacewing Backgear[^:]*$")))
    zero, one = (moves.locator(".num:visible").nth(n).bounding_box() for n in (0, 1))
    assert zero["y"] == one["y"]  # side by side
    phone.tap(moves.locator(".lg-opt:visible", has_text="Spacewing Backgear").last)
    phone.act(lambda: phone.tap(moves.locator(".lg-offer:visible .lg-key")))
    expect(heading).to_have_text("Yow Ferrin attacks with…")  # the card that moved may attack
    phone.test("Spacewing Backgear", "Deepwater Helm")
    expect(heading).to_have_text("Yow Ferrin may still move")
    phone.act(lambda: phone.tap(phone.key("No more")))
    expect(heading).to_have_text("Ezut Marr attacks with…")
