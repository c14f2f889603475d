"""A pseudo-translation: every message two fifths longer, accented, and in brackets.

Text outside brackets on a page was never translated; what does not fit will not fit in German.
"""

import re
from functools import cache
from html.parser import HTMLParser
from typing import Any

import pytest
from django.utils.translation import trans_real

from rules import texts

LANGUAGE = "de"  # the language it replaces
KEPT = re.compile(r"%\(\w+\)[sd]|%[sd%]|\{\w*(?:![ars])?(?::[^}]*)?\}|<[^>]*>|&#?\w+;")
ACCENTS = str.maketrans("aceinouyzACEIOUY", "àçéîñóùýžÅÇÉÎÓÙÝ")


@cache
def stretched(text: str) -> str:
    """Return a pseudo-translated message; placeholders, tags and entities stay as they are."""
    if not text.strip():
        return text
    parts, at = [], 0
    for kept in KEPT.finditer(text):
        parts += [text[at : kept.start()].translate(ACCENTS), kept.group()]
        at = kept.end()
    letters = len(KEPT.sub("", text))
    return f"⟦{''.join(parts)}{text[at:].translate(ACCENTS)}{'~' * (2 * letters // 5)}⟧"


class Catalogue:
    """A catalogue that has every message."""

    def get(self, message: Any, default: Any = None) -> Any:
        return stretched(message.split("\4")[-1]) if isinstance(message, str) else default

    def plural(self, message: str, number: int) -> str:
        raise KeyError(message)

    def __getitem__(self, message: str) -> str:
        return str(self.get(message))


class Translation(trans_real.DjangoTranslation):
    def ngettext(self, one: str, many: str, number: int) -> str:
        return stretched(one if number == 1 else many)


def put_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Serve the pseudo-translation to readers of German."""
    translation = Translation(LANGUAGE)
    monkeypatch.setattr(translation, "_catalog", Catalogue())
    monkeypatch.setattr(translation, "_fallback", None)
    monkeypatch.setitem(trans_real._translations, LANGUAGE, translation)

    def spoken(self: texts.Texts, language: str) -> dict[str, str]:
        return {code: stretched(text) for code, text in self._english.items()}

    monkeypatch.setattr(texts.Texts, "_in", spoken)


class Seen(HTMLParser):
    """The text of a page that is shown or announced, one line for each piece."""

    SILENT = ("script", "style", "code", "kbd", "pre", "textarea", "template", "option")
    SPOKEN = ("aria-label", "title", "placeholder", "alt")

    def __init__(self, page: str) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self._silent: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        code = "code" in (given.get("class") or "").split()
        foreign = tag != "html" and "lang" in given
        if self._silent or tag in self.SILENT or code or foreign:
            if tag not in ("input", "img", "br", "meta", "link", "hr", "use"):
                self._silent.append(tag)
            return
        self.pieces += [given[name] or "" for name in self.SPOKEN if name in given]

    def handle_endtag(self, tag: str) -> None:
        if self._silent and tag in self._silent:
            while self._silent.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.pieces.append(data)

    def unmarked(self) -> list[str]:
        """Return the text outside all brackets."""
        text = "\n".join(self.pieces)
        while (less := re.sub(r"⟦[^⟦⟧]*⟧", "\n", text)) != text:
            text = less
        return [piece.strip() for piece in text.split("\n") if re.search(r"[A-Za-z]{2}", piece)]
