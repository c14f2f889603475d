"""A whole short match of Zerpang! on a phone: set up, entered, moved, fought, won."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from matches.services import SeatRequest
from rules.ruleset import event_type
from rules.zerpang.acts import CLASSES, COLOURS
from tests import factories
from tests.browser.scribe import Scribe
from tests.browser.test_match import sign_in

pytestmark = [pytest.mark.browser, pytest.mark.sqlite]

SEATS = (("Ada Roe", "ninja"), ("Bea Lind", "elf"), ("Cem Okur", "pirate"))


def table() -> Any:
    seats = [SeatRequest(name=name) for name, _ in SEATS]
    return factories.match(game="zerpang", seats=seats, options={"deck": "demo-99"})


def lay(phone: Scribe, card: str) -> None:
    """Lay a card down for its points."""
    phone.act(lambda: phone.tap(phone.page.locator(f'button[value="{card}"]').first))


def test_a_whole_short_match_on_a_phone(scribe: Callable[..., Scribe], tmp_path: Path) -> None:
    phone = scribe(table())
    expect(phone.page.get_by_role("heading", name="Setting up")).to_be_in_viewport()
    for base, (name, cls) in enumerate(SEATS, 1):
        phone.act(lambda name=name, cls=cls: phone.tap(phone.key(f"{name} plays the {cls}")))
        phone.act(lambda name=name, base=base: phone.tap(phone.key(f"{name} takes base B{base}")))
    phone.act(lambda: phone.tap(phone.key("Ada Roe begins")))

    phone.act(lambda: phone.tap(phone.key("Enter on G1a")))
    phone.tap(phone.page.get_by_role("link", name="Move 1-1 from G1a"))
    expect(phone.page.get_by_role("heading", level=1)).to_contain_text("where does 1-1 go?")
    phone.page.screenshot(path=tmp_path / "move.png")
    phone.act(lambda: phone.tap(phone.key("To Z1.5", exact=True)))
    moved = phone.page.locator(".hexes .pawn", has_text="1-1")
    expect(moved).to_be_in_viewport()  # with nothing to tap the board stays where it was
    phone.act(lambda: phone.tap(phone.key("Draw 2")))
    phone.act(lambda: phone.tap(phone.key("Draw 1")))
    phone.act(lambda: phone.tap(phone.key("Enter on G3b")))
    phone.act(lambda: phone.tap(phone.key("Undo: Cem Okur brings")))
    phone.act(lambda: phone.tap(phone.key("Enter on G3a")))
    phone.act(lambda: phone.tap(phone.key("Draw 1")))
    lay(phone, "PT2")
    phone.tap(phone.page.get_by_role("link", name="Move 1-1 from Z1.5"))
    phone.act(lambda: phone.tap(phone.key("To Z1.1 by")))
    expect(phone.page.locator("#lg-said")).to_contain_text("needed")
    wide = phone.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 360, "it scrolls sideways"
    found = Axe().run(phone.page)
    assert found.violations_count == 0, found.generate_report()

    phone.tap(phone.key("More", exact=True))
    clock = phone.page.locator("#lg-more details", has_text="Read the clock")
    clock.evaluate("each => each.open = true")
    clock.get_by_label("Seconds").fill("10801")
    phone.act(lambda: phone.tap(clock.get_by_role("button", name="Record")))
    expect(phone.page.locator("#lg-desk")).to_contain_text("lasted long enough")

    kinds = [event_type(entry.act) for entry in phone.timeline().entries]
    assert kinds.count("piece-moved") == 2
    assert not phone.heard
    phone.page.goto(f"/matches/{phone.match.code}/")
    expect(phone.page.get_by_role("img", name="The board", exact=True)).to_be_visible()
    found = Axe().run(phone.page)
    assert found.violations_count == 0, found.generate_report()
    phone.page.screenshot(path=tmp_path / "match.png", full_page=True)
    _six_stand_side_by_side(phone)


BURST = "parts => parts.filter((part) => part.scrollWidth > part.clientWidth).length"


def _six_stand_side_by_side(phone: Scribe) -> None:
    names = [f"{name} of the Long Names" for name in ("Ada", "Bea", "Cem", "Dov", "Eli", "Fay")]
    phone.match = factories.match(game="zerpang", seats=[SeatRequest(name=each) for each in names])
    for n, (cls, colour) in enumerate(zip(CLASSES[:6], COLOURS, strict=True), 1):
        factories.record(phone.match, {"type": "class-taken", "seat": n, "cls": cls})
        base = {"type": "base-taken", "seat": n, "base": f"B{n}", "colour": colour}
        factories.record(phone.match, base)
    factories.record(phone.match, {"type": "first-seat-picked", "seat": 6})
    sign_in(phone.page, phone.match, phone.page.url.partition("/matches/")[0])
    phone.open()

    parts = phone.page.locator(".lg-score > span")
    assert parts.count() == 7 and parts.evaluate_all(BURST) == 0
    phone.page.set_viewport_size({"width": 180, "height": 370})  # 200 % of 360 x 740
    assert parts.evaluate_all(BURST) == 0
    assert parts.evaluate_all(
        "parts => parts.every((part) => part.getBoundingClientRect().right <= 180)"
    )
