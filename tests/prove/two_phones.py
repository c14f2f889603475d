"""Two phones at one table, cut off, killed and reopened: nothing lost, nothing recorded twice."""

import json
import os
import random
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from matches.models import Log, Match, Proposal
from matches.services import seat_link
from matches.verify import verify
from tests import factories
from tests.prove.experiment import Found, experiment, must_break, require

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True}
PATIENCE = 120_000  # ms
FORGETFUL = """
const put = IDBObjectStore.prototype.add;
IDBObjectStore.prototype.add = function (item) {
  const copy = {...item, match: "nowhere"}; // written down where nobody reads it again
  return put.call(this, copy);
};
"""


@experiment(
    section="Offline",
    promise="What a phone confirms as kept reaches the log once, through dead networks, killed "
    "pages and a takeover by another phone.",
    full={"acts": 200, "kills": 50},
    short={"acts": 6, "kills": 2},
    engines=("sqlite",),
    apart=True,
)
def two_phones(*, acts: int, kills: int) -> Found:
    with site_and_browser() as (url, browser):
        logged, kept, waves = at_one_table(url, browser, acts, kills)
        broke = must_break(lambda: at_one_table(url, browser, 2, 1, script=FORGETFUL))
    return Found(
        asked=f"two phones in a browser, {acts} acts each, {kills} pages killed and reopened, "
        f"{waves} times offline, taking over from each other",
        found=f"{logged + kept} acts: {logged} in the log, {kept} as open proposals, "
        "0 lost, 0 duplicated, the log verified",
        counts={"acts": logged + kept, "proposals": kept, "kills": kills},
        bite=f"With an outbox that is not read after reopening: {broke}.",
    )


@contextmanager
def site_and_browser() -> Iterator[tuple[str, Any]]:
    """Run the site on this experiment's database; yield its URL and a browser."""
    from playwright.sync_api import sync_playwright

    from tests import chromium, site

    program = chromium.find()
    require(program, f"Chromium is missing; type: {chromium.BY_HAND}")
    assert program
    os.environ |= {**program.environment, site.ASYNC_UNSAFE: "true"}
    site.collect_static()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        running, url = site.web(Path(folder) / "web.log", API_RATE_ANON="100000/min")
        browser = playwright.chromium.launch(executable_path=program.path, args=chromium.FLAGS)
        try:
            yield url, browser
        finally:
            browser.close()
            running.stop()


def at_one_table(
    url: str, browser: Any, acts: int, kills: int, script: str = ""
) -> tuple[int, int, int]:
    """Let two phones log; return the numbers of acts in the log and of pending proposals."""
    match = factories.match(options={"best_of": 1})
    phones = [Phone(browser, url, match, seat, script) for seat in (1, 2)]
    try:
        waves = _log(phones, acts, kills)
    finally:
        for phone in phones:
            phone.context.close()
    return *_check(match, acts), waves


class Phone:
    """A browser with a seat's link. Its acts are points for its seat, each number used once."""

    def __init__(self, browser: Any, url: str, match: Match, seat: int, script: str) -> None:
        self.context = browser.new_context(base_url=url, **PHONE)
        self.context.set_default_timeout(PATIENCE)
        if script:
            self.context.add_init_script(script)
        self.match, self.seat, self.said = match, seat, 0
        self.page = self.context.new_page()
        self.page.goto(f"/j/{seat_link(match.seats.get(number=seat))}/")
        self.page.get_by_role("button", name="Sit down").click()
        self.open()

    def open(self) -> None:
        self.page.goto(f"/matches/{self.match.code}/table/")
        self.page.wait_for_selector("#logger form")
        self.page.evaluate("navigator.serviceWorker.ready.then(() => 1)")

    def kill(self) -> None:
        """Kill the page, as a phone does that runs out of memory, and reopen it."""
        self.page.close()
        self.page = self.context.new_page()
        self.open()

    def say(self) -> None:
        """Log points in the form of its seat; return once the phone says they are saved."""
        self.said += 1
        self.page.wait_for_function(FORM, arg=self.seat)
        self.page.evaluate(SAY, [self.seat, self.said])

    def take_over(self) -> None:
        """Become the scribe again, if the page offers it."""
        from playwright.sync_api import TimeoutError as TooLate

        key = self.page.locator("[data-take-over]:visible")
        if key.count():
            with suppress(TooLate):  # the button is gone: the table has moved on
                key.first.click(timeout=5000)
            self.page.wait_for_selector("#logger form")

    def settle(self) -> None:
        """Send everything: take over, or log after the other phone's acts, until nothing waits."""
        self.context.set_offline(False)
        for _ in range(200):
            self.page.wait_for_function(RESTS)
            if not self.page.evaluate("document.querySelectorAll('#lg-unsent li').length"):
                return
            self.page.evaluate(DECIDE)
            self.page.wait_for_timeout(200)
        require(False, f"phone {self.seat} never got rid of its acts")


def _log(phones: list[Phone], acts: int, kills: int) -> int:
    """Log all acts in waves and kill pages; return the number of waves without a network."""
    pick, cut, killed = random.Random(8), 0, 0
    while left := [phone for phone in phones if phone.said < acts]:
        phone = pick.choice(left)
        if pick.random() < 0.5:
            phone.take_over()
        if pick.random() < 0.7:
            phone.context.set_offline(True)
            cut += 1
        for _ in range(min(pick.randint(2, 6), acts - phone.said)):
            phone.say()
        if killed < kills:
            phone.kill()
            killed += 1
        phone.settle()
    for number in range(kills - killed):
        phones[number % 2].kill()
    return cut


def _check(match: Match, acts: int) -> tuple[int, int]:
    """Return the numbers of acts in the log and of proposals. Raises: Broken."""
    from matches import selectors

    match.log.refresh_from_db()
    logged = [(act.seat, act.points) for act in map(_act, selectors.timeline(match).entries[1:])]
    waiting = Proposal.objects.filter(match=match, state=Proposal.State.OPEN)
    kept = [(act["seat"], act["points"]) for act in map(_sent, waiting)]
    found = Counter([*logged, *kept])
    said = {(seat, points) for seat in (1, 2) for points in range(1, acts + 1)}
    lost, doubled = said - set(found), [each for each, times in found.items() if times > 1]
    require(not lost, f"{len(lost)} of {len(said)} acts are lost")
    require(not doubled, f"{len(doubled)} of {len(said)} acts are stored twice")
    report = verify(Log.objects.get(pk=match.log.pk))
    require(report.ok, f"the log does not verify: {report.problem} {report.detail}")
    return len(logged), len(kept)


def _act(entry: Any) -> Any:
    return entry.act


def _sent(proposal: Proposal) -> dict[str, Any]:
    sent: dict[str, Any] = json.loads(proposal.act)
    return sent


FIND = """(seat) => [...document.querySelectorAll("#logger form")].find(
  ({elements: {type, seat: of}}) => type?.value === "points-scored" && of?.value === `${seat}`)"""
FORM = f"(seat) => !document.querySelector('#logger[aria-busy]') && ({FIND})(seat)"
SAY = f"""async ([seat, points]) => {{
  const root = document.getElementById("logger");
  const form = ({FIND})(seat);
  form.elements.points.value = points;
  const kept = new Promise((done) => {{
    let begun = false;
    const watch = new MutationObserver(() => {{
      const busy = root.hasAttribute("aria-busy");
      if (begun && !busy) done(watch.disconnect());
      begun ||= busy;
    }});
    watch.observe(root, {{attributes: true}});
  }});
  form.requestSubmit(form.querySelector("button"));
  await kept;
}}"""
RESTS = """() => {
  const root = document.getElementById("logger");
  if (!root || "shell" in root.dataset || root.hasAttribute("aria-busy")) return false;
  const waits = document.querySelectorAll("#lg-unsent li").length;
  return !waits || document.querySelector("#lg-unsent [data-review]");
}"""
DECIDE = """() => {
  const key = (what) => document.querySelector(`#lg-unsent [data-review=${what}]`);
  (key("after") ?? key("take"))?.click();
}"""
