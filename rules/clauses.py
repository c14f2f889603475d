"""The clauses of the games' rulebooks in our own words, and links from citations to them.

Each game has its own `clauses.toml`, by chapter: how the core implements a clause, what it says in
short, and, where it is not implemented in full, why.
"""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import NamedTuple

GAMES = ("zg", "zx", "zerpang")
"""The games that have a rulebook, by their keys in `rules.get`."""


class Clause(NamedTuple):
    """One clause. `cited`: the name that verdicts cite; `name`: the same without its game."""

    cited: str
    name: str
    how: str
    says: str
    why: str = ""

    @property
    def anchor(self) -> str:
        return _anchor(self.name)

    @property
    def sentence(self) -> str:
        return _sentence(self.says)

    @property
    def reason(self) -> str:
        return _sentence(self.why)


class Chapter(NamedTuple):
    """Clauses about one subject. `name`: how a citation names them all, without the game."""

    name: str
    title: str
    clauses: tuple[Clause, ...]

    @property
    def anchor(self) -> str:
        return _anchor(self.name)


@cache
def chapters_of(key: str) -> tuple[Chapter, ...]:
    """Return the chapters of a game's rulebook in order; none for a game without one."""
    if key not in GAMES:
        return ()
    file = resources.files(f"rules.{key}") / "clauses.toml"
    read = tomllib.loads(file.read_text("utf-8"))
    return tuple(_chapter(name, **chapter) for name, chapter in read.items())


def _chapter(name: str, title: str, cited: str, **clauses: list[str]) -> Chapter:
    found = tuple(_clause(cited.format(number), *parts) for number, parts in clauses.items())
    return Chapter(name, title, found)


_GAME = len("ZG ")  # the length of a citation's game prefix


def _clause(cited: str, how: str, says: str, why: str = "") -> Clause:
    return Clause(cited, cited[_GAME:], how, says, why)


def pieces(text: str) -> Iterator[tuple[str, str, str]]:
    """Split a text into pieces, each with the game and the anchor it cites, or two empty texts."""
    at = 0
    for found in _citation().finditer(text):
        yield text[at : found.start()], "", ""
        yield found[0], *_places()[found[0]]
        at = found.end()
    yield text[at:], "", ""


@cache
def _citation() -> re.Pattern[str]:
    longest_first = sorted(_places(), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, longest_first))})(?!\w|[.-]\w)")


@cache
def _places() -> dict[str, tuple[str, str]]:
    """Return game and anchor of everything that can be cited: clauses, and chapters as a whole."""
    found: dict[str, tuple[str, str]] = {}
    for key in GAMES:
        for chapter in chapters_of(key):
            for clause in chapter.clauses:
                found[clause.cited] = key, clause.anchor
            whole = f"{chapter.clauses[0].cited[:_GAME]}{chapter.name}"
            found.setdefault(whole, (key, chapter.anchor))
    return found


def _anchor(name: str) -> str:
    return name.replace(" ", "-")


def _sentence(words: str) -> str:
    """Write words as a sentence, with quotes instead of `backticks`."""
    return re.sub(r"`(.*?)`", r"“\1”", f"{words[:1].upper()}{words[1:]}.")
