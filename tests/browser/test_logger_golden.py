"""A whole match tapped in on a phone ends with the digests it was recorded with."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

import rules
from matches import selectors
from rules import notation
from rules.ruleset import Act, event_type
from tests import factories
from tests.browser.scribe import Scribe
from tests.browser.test_golden import act_on, opened_as

GOLDEN = Path(__file__).parent.parent / "golden"

pytestmark = [pytest.mark.browser, pytest.mark.sqlite]


def test_a_golden_match_is_tapped_in_to_its_digests(scribe: Callable[..., Scribe]) -> None:
    golden = notation.play(notation.read_match((GOLDEN / "zg-duel.zgxl").read_text(), rules.get))
    phone = scribe(opened_as(golden))
    by_forms = 0
    for entry in golden.entries[1:]:
        by_forms += not log_by_taps(phone, entry.act)
        phone.recorded(entry.version)
    expect(phone.page.get_by_role("heading", level=1)).to_contain_text("won")
    expect(phone.page.get_by_role("link", name="See the match")).to_be_visible()
    assert [e.digest for e in phone.timeline().entries] == [e.digest for e in golden.entries]
    assert by_forms <= 1  # a Rule of Prime called by a seat whose pulses are over
    assert not phone.heard


def log_by_taps(phone: Scribe, act: Act) -> bool:
    """Tap an act in; through the forms of More, and False, when no tile says it."""
    tapping = TAPPED.get(event_type(act))
    if tapping is None or not _in_turn(phone, act):
        phone.tap(phone.key("More", exact=True))
        phone.tap(phone.page.get_by_role("link", name="Ruling, concession…"))
        phone.page.wait_for_url("**/acts/**")
        before = int(phone.page.locator("#scene").get_attribute("data-version"))
        act_on(phone.page, act)
        expect(phone.page.locator("#scene")).to_have_attribute("data-version", str(before + 1))
        phone.open()
        return False
    tapping(phone, act)
    return True


def _in_turn(phone: Scribe, act: Act) -> bool:
    state = phone.timeline().head.state
    tests = ("attacked", "prime-called", "cover-called", "target-drawn", "moved")
    return event_type(act) not in tests or state.board.current == getattr(act, "seat", 0)


def _tests(phone: Scribe, act: Any) -> None:
    """Choose options, then the two halves; a follow-up has its own half chosen already."""
    special = {
        "cover-called": "Covered",
        "prime-called": "Rule of Prime",
        "target-drawn": "Target drawn first",
    }
    wanted = [special[event_type(act)]] if event_type(act) in special else []
    wanted += ["Sneak attack"] if getattr(act, "sneak", False) else []
    wanted += ["High ground"] if getattr(act, "high_ground", False) else []
    for name in wanted:
        phone.tap(phone.key("More", exact=True))
        phone.tap(phone.page.locator(".lg-opt", has_text=name))
    for opener, sheet, places in (
        ("+AP", "#lg-ap", getattr(act, "augments", ())),
        ("+Armour", "#lg-armour", getattr(act, "bolsters", ())),
    ):
        for place in sorted(set(places)):
            phone.tap(phone.key(opener))
            name = f"{place} twice" if places.count(place) == 2 else str(place)
            phone.tap(phone.page.locator(f"{sheet} .lg-opt").get_by_text(name, exact=True))
    if getattr(act, "half_turn", False):
        phone.tap(phone.page.locator(".lg-opt", has_text="½ turn"))
    card, end = getattr(act, "card", ""), getattr(act, "end", "a")
    armed = phone.page.locator("#lg-armed:visible")
    if card and armed.count() and armed.inner_text() != f"{card} {end.upper()}":
        phone.tap(phone.page.locator("#lg-cancel"))
    if not armed.count():
        phone.tap(phone.half(card, end) if card else phone.page.locator(".lg-half:visible").first)
    phone.tap(phone.half(act.target, getattr(act, "target_end", "a")))


def _retests(phone: Scribe, act: Any) -> None:
    phone.tap(phone.key("Retest", exact=True))
    name = list(selectors.match_for(factories.opener_of(phone.match), phone.match.code).seats.all())
    who = name[act.seat - 1]
    said = f"{who.player.name if who.player else who.label}: the {act.which} again, end "
    phone.tap(phone.key(said + act.end.upper()))


def _moves(phone: Scribe, act: Any) -> None:
    if act.card:
        phone.tap(phone.half(act.card, "a"))
    phone.tap(phone.key("Move", exact=True))


def _goes(phone: Scribe, act: Any) -> None:
    phone.tap(phone.page.locator(f'form:has([name=seat][value="{act.seat}"]) .lg-big'))


def _starts(phone: Scribe, _act: Any) -> None:
    phone.page.clock.install()
    phone.tap(phone.key("Start the countdown"))


def _expires(phone: Scribe, _act: Any) -> None:
    phone.page.clock.fast_forward("01:01")
    phone.tap(phone.key("Time is up"))


TAPPED: dict[str, Callable[[Scribe, Any], None]] = {
    "impulse-won": _goes,
    "attacked": _tests,
    "cover-called": _tests,
    "prime-called": _tests,
    "target-drawn": _tests,
    "retested": _retests,
    "moved": _moves,
    "character-spent": lambda phone, act: phone.tap(
        phone.key("Save").or_(phone.key("give up the character card"))
    ),
    "countdown-started": _starts,
    "countdown-expired": _expires,
    "taken-back": lambda phone, act: phone.tap(phone.key("Undo:")),
}
