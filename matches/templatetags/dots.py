"""Draw an end of a card, `"R+ G B##o"`, as SVG: plain text in, drawing out.

How owners of pages use it (`{% load dots look %}`):

    {% dots "R+ G B##o" %}            one drawing, 3rem high; it says itself to screen readers
    {% dots end.text "big" %}         sizes: "mini", "" and "big"
    {% dots end.text decorative=True %}  where the text beside it says the same
    {{ end.text|spoken }}             "red armour-piercing, green, blue double armour …"
    {% icon "undo" %} {% icon "live" "Live" %}

A whole card is a template of its game: `rules/<key>/_card.html`, with `card` as plain data
(`name slot colour a b …`) and `state` a class (`slagged`, `locked` or nothing).

A dot is a letter and its marks: colour, shape and letter each say which it is, so none of
them has to be seen alone. Marks that strike stand above the dot, those of defence below.
"""

from collections.abc import Sequence
from functools import lru_cache

from django import template
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext_lazy

from rules.texts import listed

register = template.Library()

CELL = 28  # width of one dot; a drawing is 48 high
SHAPES = {
    "R": '<circle class="dot-r" cx="14" cy="24" r="11"/>',
    "G": '<path class="dot-g" d="M14 11 27 24 14 37 1 24z"/>',
    "B": '<path class="dot-b" d="M4 14h20v20H4z"/>',
}
UNKNOWN = '<circle class="dot-x" cx="14" cy="24" r="10"/>'
COLOURS = {
    "R": gettext_lazy("red"),
    "G": gettext_lazy("green"),
    "B": gettext_lazy("blue"),
    "?": gettext_lazy("not known yet"),
}
STRIKING = {
    "+": '<path class="blaze" d="M6 12V1.5M2 5.5l4-4 4 4"/>',
    "*": '<path class="blaze-full" d="M6 0 7.4 3.6 11 2 9.3 5.6 12 7 8.8 8.2 9.5 12'
    ' 6 9.6 2.5 12 3.2 8.2 0 7 2.7 5.6 1 2 4.6 3.6z"/>',
}
SHIELDING = {
    "#": '<path class="blaze" d="M2 1.5h8V6c0 2.5-1.5 4-4 5.2C3.5 10 2 8.5 2 6z"/>',
    "o": '<path class="blaze" d="M6 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM6 0v4M6 8v4M0 6h4M8 6h4"/>',
}
WORDS = {
    "+": (gettext_lazy("armour-piercing"), gettext_lazy("double armour-piercing")),
    "*": (gettext_lazy("explosive"), gettext_lazy("double explosive")),
    "#": (gettext_lazy("armour"), gettext_lazy("double armour")),
    "o": (gettext_lazy("weak point"), gettext_lazy("double weak point")),
}


def _glyphs(marks: Sequence[str], top: int) -> SafeString:
    """Draw marks side by side, centred above or below their dot."""
    size = 12 if len(marks) < 3 else 9
    left = (CELL - size * len(marks)) / 2
    return format_html_join(
        "",
        '<g transform="translate({} {}) scale({})">{}</g>',
        (
            (
                round(left + size * n, 1),
                top,
                round(size / 12, 2),
                mark_safe((STRIKING | SHIELDING)[mark]),
            )
            for n, mark in enumerate(marks)
        ),
    )


def _dot(place: int, dot: str) -> SafeString:
    letter, marks = dot[0], dot[1:]
    return format_html(
        '<g transform="translate({})">{}<text x="14" y="28.5">{}</text>{}{}</g>',
        place * CELL,
        mark_safe(SHAPES.get(letter, UNKNOWN)),
        letter,
        _glyphs([m for m in marks if m in STRIKING], 0),
        _glyphs([m for m in marks if m in SHIELDING], 36),
    )


def _say(dot: str) -> str:
    marks = [str(words[dot.count(mark) > 1]) for mark, words in WORDS.items() if mark in dot[1:]]
    return " ".join([str(COLOURS.get(dot[0], dot[0])), *([listed(marks)] if marks else [])])


@register.filter
def spoken(text: str) -> str:
    """Say a row of dots in words: `red armour-piercing, green, blue double armour`."""
    return ", ".join(_say(dot) for dot in text.split())


@register.simple_tag
def dots(text: str, size: str = "", decorative: bool = False) -> SafeString:
    """Draw a row of dots from its text; `?` is one nobody has seen yet."""
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
        format_html_join("", "{}", ((_dot(n, dot),) for n, dot in enumerate(row))),
    )
