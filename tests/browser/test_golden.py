"""Golden matches played through the forms of a real browser, to their recorded digests."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import expect

import rules
from matches import selectors, services
from matches.models import Match
from rules import notation
from rules.replay import Timeline
from rules.ruleset import Act, TakenBack, event_type
from tests import factories
from tests.browser.test_match import PHONE, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.sqlite]

GOLDEN = Path(__file__).parent.parent / "golden"
PLAYED = ["zg-duel.zgxl", "score-best-of-three.zgxl"]


def opened_as(timeline: Timeline) -> Match:
    """Open a match on the setup of another, so that their digests can be compared."""
    setup = notation.write_match(timeline.ruleset, timeline.entries[:1])
    by = factories.actor()
    match = services.import_log(by=by, data=setup.encode(), content_type="text/plain")
    return selectors.match_for(by, match.code)


@pytest.mark.parametrize("name", PLAYED)
def test_a_golden_match_goes_through_the_browser(
    new_page: Callable[..., Any], live_site: str, name: str
) -> None:
    golden = notation.play(notation.read_match((GOLDEN / name).read_text(), rules.get))
    match = opened_as(golden)
    page = sign_in(new_page(viewport=PHONE, java_script_enabled=False), match, live_site)
    page.goto(f"/matches/{match.code}/acts/")
    for entry in golden.entries[1:]:
        if entry.irregular:
            write_down(page, entry.act)
            page.get_by_role("button", name="It stood").click()
        else:
            act_on(page, entry.act)
        expect(page.locator("#scene")).to_have_attribute("data-version", str(entry.version))
    match.log.refresh_from_db()
    played = selectors.timeline(match)
    assert [e.digest for e in played.entries] == [e.digest for e in golden.entries]


def act_on(page: Any, act: Act) -> None:
    """Record an act by the form that offers it."""
    if isinstance(act, TakenBack):
        page.get_by_role("button", name="Take back").click()
        return
    wanted = {name: values_of(value) for name, value in msgspec.to_builtins(act).items()}
    page.wait_for_load_state()  # not only the beginning, with the scene, has come
    forms = page.locator(f'form:has(input[name="type"][value="{event_type(act)}"])')
    form = next(form for form in forms.all() if form.evaluate(FILL, wanted))
    form.evaluate("form => form.requestSubmit()")


def write_down(page: Any, act: Act) -> None:
    """Record what no form offers as a line of notation."""
    page.get_by_text("Something else, as a line of notation").click()
    page.get_by_label("Act", exact=True).fill(notation.write(act))
    page.get_by_label("Act", exact=True).press("Enter")


def values_of(value: Any) -> list[str]:
    values = value if isinstance(value, list | tuple) else [value]
    return [str(one).lower() if isinstance(one, bool) else str(one) for one in values]


# Sets every field of an act in a form; false, and nothing done, when the form cannot hold it.
FILL = """(form, wanted) => {
  const carried = (control) => control.name.startsWith("with")
    ? [...new URLSearchParams(control.value)]
    : [[control.name, control.value]];
  const left = new Map(Object.entries(wanted));
  const controls = [...form.elements].filter((control) => control.name);
  const chosen = [];
  for (const control of controls) {
    const parts = carried(control);
    if (!parts.every(([name]) => name in wanted)) continue;
    if (["number", "text"].includes(control.type)) {
      chosen.push([control, wanted[control.name][0]]);
      left.delete(control.name);
    } else if (control.tagName === "SELECT") {
      const values = [...control.options].map((option) => option.value);
      if (!values.includes(wanted[control.name][0])) continue;
      chosen.push([control, wanted[control.name][0]]);
      left.delete(control.name);
    } else if (parts.every(([name, value]) => wanted[name].includes(value))) {
      chosen.push([control, true]);
      for (const [name] of parts) left.delete(name);
    }
  }
  if (left.size) return false;
  for (const [control, value] of chosen) {
    if (value === true) { if (control.type !== "hidden") control.checked = true; }
    else control.value = value;
  }
  return true;
}"""
