"""The clauses of the games' rulebooks, in our own words, and the way from a citation to its text.

Each game keeps its own in `clauses.toml`, by chapter: how the core keeps a clause, what it says
in short, and where it keeps less than all, why.
"""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import NamedTuple

GAMES = ("zg", "zx", "zerpang")
"""The games that have a rulebook, as `rules.get` knows them."""


class Clause(NamedTuple):
    """One clause. `cited`: as verdicts name it; `name`: the same without its game."""

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
    """Clauses of one matter. `name`: what a citation of all of them says, without its game."""

    name: str
    title: str
    clauses: tuple[Clause, ...]

    @property
    def anchor(self) -> str:
        return _anchor(self.name)


@cache
def chapters_of(key: str) -> tuple[Chapter, ...]:
    """Return the rulebook of a game in its order; nothing of one that has none."""
    if key not in GAMES:
        return ()
    file = resources.files(f"rules.{key}") / "clauses.toml"
    read = tomllib.loads(file.read_text("utf-8"))
    return tuple(_chapter(name, **chapter) for name, chapter in read.items())


def _chapter(name: str, title: str, cited: str, **clauses: list[str]) -> Chapter:
    found = tuple(_clause(cited.format(number), *said) for number, said in clauses.items())
    return Chapter(name, title, found)


_GAME = len("ZG ")  # how long a citation names its game


def _clause(cited: str, how: str, says: str, why: str = "") -> Clause:
    return Clause(cited, cited[_GAME:], how, says, why)


def pieces(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield a text in pieces: each with the game and the anchor of what it cites, or neither."""
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
    """Return game and anchor of all that can be cited: clauses, and chapters as a whole."""
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
    """Write words as a sentence; `what programs read` is put in quotes."""
    return re.sub(r"`(.*?)`", r"“\1”", f"{words[:1].upper()}{words[1:]}.")
