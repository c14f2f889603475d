"""Draw an end of a card, `"R+ G B##o"`, as SVG: plain text in, drawing out.

How owners of pages use it (`{% load dots look %}`):

    {% dots "R+ G B##o" %}            one drawing, 3rem high; it says itself to screen readers
    {% dots end.text "big" %}         sizes: "mini", "" and "big"
    {% dots end.text decorative=True %}  where the text beside it says the same
    {{ end.text|spoken }}             "red armour-piercing, green, blue double armour …"
    {% icon "undo" %} {% icon "eye" "Held back" %}

A whole card is a template of its game: `rules/<key>/_card.html`, with `card` as plain data
(`name slot colour a b …`) and `state` a class (`slagged`, `locked` or nothing).

A dot is a letter and its marks: colour, shape and letter each say which it is, so none of
them has to be seen alone. Marks that strike stand above the dot, those of defence below.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache

from django import template
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext_lazy

from rules.texts import listed

register = template.Library()

CELL = 28  # width of one dot; a drawing is 48 high
MARK = 12  # width of a mark where there is room
SHAPES = {
    "R": ("dot-r", "m3 24a11 11 0 1 0 22 0a11 11 0 1 0-22 0z"),
    "G": ("dot-g", "m14 11 13 13-13 13-13-13z"),
    "B": ("dot-b", "m4 14h20v20h-20z"),
}
UNKNOWN = ("dot-x", "m4 24a10 10 0 1 0 20 0a10 10 0 1 0-20 0z")
LETTERS = {
    "R": ("dot-letter", "m11 28.5v-9h3.2a2.5 2.5 0 0 1 0 5h-3.2m3.4 0 2.8 4"),
    "G": ("dot-letter", "m17.2 21.3c-.6-1.2-1.7-1.9-3-1.9-2.2 0-3.7 1.9-3.7 4.6s1.5 4.6 3.8 4.6"
        "c1.3 0 2.3-.4 3.1-1.2v-3.1h-3"),
    "B": ("dot-letter", "m11.2 28.5v-9h2.9a2.2 2.2 0 0 1 0 4.4a2.3 2.3 0 0 1 0 4.6zm0-4.6h2.9"),
}  # fmt: skip
QUESTION = ("dot-unknown", "m11.2 21.8c0-3.2 5.6-3.2 5.6 0 0 1.8-2.8 1.9-2.8 4m0 1.6v2.2")
COLOURS = {
    "R": gettext_lazy("red"),
    "G": gettext_lazy("green"),
    "B": gettext_lazy("blue"),
    "?": gettext_lazy("not known yet"),
}
STRIKING = {
    "+": ("blaze", "m6 12v-10.5m-4 4 4-4 4 4"),
    "*": (
        "blaze-full",
        "m6 0 1.4 3.6 3.6-1.6-1.7 3.6 2.7 1.4-3.2 1.2.7 3.8-3.5-2.4-3.5 2.4.7-3.8-3.2-1.2"
        " 2.7-1.4-1.7-3.6 3.6 1.6z",
    ),
}
SHIELDING = {
    "#": ("blaze", "m2 1.5h8v4.5c0 2.5-1.5 4-4 5.2-2.5-1.2-4-2.7-4-5.2z"),
    "o": ("blaze", "m6 9a3 3 0 1 0 0-6a3 3 0 1 0 0 6zm0-9v4m0 4v4m-6-6h4m4 0h4"),
}
WORDS = {
    "+": (gettext_lazy("armour-piercing"), gettext_lazy("double armour-piercing")),
    "*": (gettext_lazy("explosive"), gettext_lazy("double explosive")),
    "#": (gettext_lazy("armour"), gettext_lazy("double armour")),
    "o": (gettext_lazy("weak point"), gettext_lazy("double weak point")),
}


Line = tuple[str, str]
"""SVG attributes, and a path drawn with them."""


def _marks(marks: Sequence[str], left: float, top: float) -> Iterator[Line]:
    """Yield the paths of marks side by side, centred above or below the dot at `left`."""
    if not marks:
        return
    size = min(MARK, CELL // len(marks))
    scaled = f' transform="scale({size / MARK:.3g})"' if size < MARK else ""
    left += (CELL - size * len(marks)) / 2
    for n, mark in enumerate(marks):
        kind, line = (STRIKING | SHIELDING)[mark]
        x, y = (round(way * MARK / size, 1) for way in (left + size * n, top))
        yield f'class="{kind}"{scaled}', f"M{x:g} {y:g}{line}"


def _dot(place: int, dot: str) -> Iterator[Line]:
    left, letter, marks = place * CELL, dot[0], dot[1:]
    for kind, line in (SHAPES.get(letter, UNKNOWN), LETTERS.get(letter, QUESTION)):
        yield f'class="{kind}"', f"M{left} 0{line}"
    yield from _marks([m for m in marks if m in STRIKING], left, 0)
    yield from _marks([m for m in marks if m in SHIELDING], left, 36)


def _drawn(row: Sequence[str]) -> SafeString:
    """Return the SVG of dots, with one path per set of attributes: a page has hundreds of dots."""
    paths: dict[str, list[str]] = defaultdict(list)
    for place, dot in enumerate(row):
        for alike, line in _dot(place, dot):
            paths[alike].append(line)
    inked = sorted(paths, key=lambda alike: "letter" in alike or "unknown" in alike)
    return format_html_join(
        "", '<path {} d="{}"/>', ((mark_safe(each), "".join(paths[each])) for each in inked)
    )


def _say(dot: str) -> str:
    marks = [str(words[dot.count(mark) > 1]) for mark, words in WORDS.items() if mark in dot[1:]]
    return " ".join([str(COLOURS.get(dot[0], dot[0])), *([listed(marks)] if marks else [])])


@register.filter
def spoken(text: str) -> str:
    """Return a row of dots in words: `red armour-piercing, green, blue double armour`."""
    return ", ".join(_say(dot) for dot in text.split())


@register.simple_tag
def dots(text: str, size: str = "", decorative: bool = False) -> SafeString:
    """Return a row of dots as SVG; `?` is one nobody has seen yet."""
    return _row(text, size, decorative, get_language())


@lru_cache(maxsize=4096)
def _row(text: str, size: str, decorative: bool, language: str | None) -> SafeString:
    row = text.split() or ["?", "?", "?"]
    naming = (
        'aria-hidden="true"' if decorative else f'role="img" aria-label="{escape(spoken(text))}"'
    )
    return format_html(
        '<svg class="dots {}" viewBox="0 0 {} 48" {}>{}</svg>',
        size,
        CELL * len(row),
        mark_safe(naming),
        _drawn(row),
    )
