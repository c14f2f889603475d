"""Printed pages: a sheet fits one page, and cards have one size."""

import re
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User

from characters import services
from matches import actors
from tests.audit.figure import Figure, Pages
from tests.characters.sheets import SHEET

SHEETS = {"a4": ("210mm", "297mm"), "letter": ("8.5in", "11in")}
SLOTS = ("Backgear", "Claw", "Grapple")
CARD = (63, 88)  # mm
MM = 96 / 25.4  # px
SIX = [f"Basic {colour} {slot} (found)" for colour in ("Red", "Blue") for slot in SLOTS]
PAGE = re.compile(rb"/Type\s*/Page\b")
CARDS = """() => [...document.querySelectorAll(".pocket")].map((each) => {
  const {width, height} = each.getBoundingClientRect();
  return [width, height];
})"""


def _of_ten() -> UUID:
    """Create a character with ten pieces of gear from a pasted sheet; return its id."""
    by = actors.actor_for(User.objects.get(username="organiser"))
    found: UUID = services.paste(by=by, text="\n".join([SHEET, *SIX])).pk
    return found


def figures(tab: Any, pages: Pages) -> Iterator[Figure]:
    path = f"/characters/{_of_ten()}/print/"
    counts = []
    for name, (width, height) in SHEETS.items():
        tab.goto(f"{path}?paper={name}")
        data = tab.pdf(width=width, height=height, prefer_css_page_size=True)
        counts.append(f"{len(PAGE.findall(data))} ({name})")
    gear = tab.locator(".paper .boxes .code").count()
    yield Figure(
        "Pages of a character's sheet on paper",
        "1",
        ", ".join(counts),
        f"a sheet with {gear} pieces of gear, as PDF by Chromium",
        all(count.startswith("1 ") for count in counts),
    )
    tab.goto(pages["characters:character-pocket"].path)
    tab.emulate_media(media="print")
    sizes = tab.evaluate(CARDS)
    tab.emulate_media(media="screen")
    off = max(
        abs(side / MM - wanted) for size in sizes for side, wanted in zip(size, CARD, strict=True)
    )
    yield Figure(
        f"Pocket cards: deviation from {CARD[0]} × {CARD[1]} mm",
        "≤ 0.5 mm",
        f"{off:.2f} mm",
        f"{len(sizes)} cards",
        off <= 0.5,
    )
