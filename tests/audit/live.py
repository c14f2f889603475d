"""How long a recorded act takes to reach a spectator who polls."""

import random
import time
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import User

from matches import actors, selectors, services
from matches.services import SeatRequest
from tests.audit.figure import Figure, share

SPECTATORS, ACTS = 8, 12
STREAMS = "**/stream/**"  # blocked, so that a page polls
WATCH = """
window.came = [];
document.addEventListener("DOMContentLoaded", () => {
  const scene = document.getElementById("scene");
  const told = () => came.push([Number(scene.dataset.version), Date.now()]);
  new MutationObserver(told).observe(scene, {attributeFilter: ["data-version"]});
});
"""


def figures(browser: Any, url: str) -> Iterator[Figure]:
    """Record acts at random moments while several pages follow."""
    by = actors.actor_for(User.objects.get(username="organiser"))
    seats = [SeatRequest(label=label) for label in ("Red", "Blue")]
    match = services.open_match(by=by, ruleset="score", seats=seats, title="Looked on")
    match = selectors.match_for(by, match.code)
    tabs = []
    for _ in range(SPECTATORS):
        tab = browser.new_context(base_url=url).new_page()
        tab.route(STREAMS, lambda route: route.fulfill(status=404))
        tab.add_init_script(WATCH)
        tab.goto(f"/matches/{match.code}/")
        tabs.append(tab)
    chance = random.Random(1)
    recorded: dict[int, float] = {}
    for _ in range(ACTS):
        act = {"type": "points-scored", "seat": 1, "points": 1}
        receipt = services.record(match=match, by=by, act_id=uuid4(), act=act)
        recorded[receipt.version] = time.time() * 1000
        tabs[0].wait_for_timeout(chance.uniform(1000, 4500))
    tabs[0].wait_for_timeout(5000)
    waits, lost = [], 0
    for tab in tabs:
        came = tab.evaluate("came")
        for version, at in recorded.items():
            told = [seen for newest, seen in came if newest >= version]
            waits += [min(told) - at] if told else []
            lost += not told
        tab.context.close()
    yield Figure(
        "From an act to a polling spectator",
        "95 % within 4,000 ms",
        f"{share(waits, 0.95):,.0f} ms (median {share(waits, 0.5):,.0f} ms), {lost} lost",
        f"{ACTS} acts, {SPECTATORS} spectators",
        share(waits, 0.95) <= 4000 and not lost,
    )
