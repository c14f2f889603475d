"""Texts by code: one TOML file per language in each ruleset's package, such as `text/en.toml`.

A text is looked up by its code and filled in with parameters. The tables of a file are only for its
readers; codes are unique across them. Call `speak` to set how the current language is determined.
English is the default, and the fallback for texts a language lacks.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import resources
from typing import Any

import msgspec

from rules.capabilities import SupportsEndings
from rules.ruleset import Event, Outcome, Problem, Ruleset, Seat, Verdict, event_type

SEATS = ("seat", "foe", "winner", "loser")
"""Parameters that hold a seat; in a sentence they become the name of who sits there."""

ENGLISH = "en"

_LEFTWARDS = re.compile(  # a letter that is written from right to left
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_APART, _TOGETHER = "\u2068", "\u2069"
"""The characters that isolate what is between them, so that it is laid out by itself."""

_language: Callable[[], str | None] = lambda: ENGLISH  # noqa: E731 - replaced by `speak`


def speak(language: Callable[[], str | None]) -> None:
    """Use the language that `language` returns, which is called at every lookup."""
    global _language
    _language = language


class Texts(Mapping[str, str]):
    """The texts of some packages by code, in the language current at each lookup."""

    def __init__(self, *packages: str, names: Mapping[str, str]) -> None:
        self._packages = packages
        self._english = _merged([*map(read, packages), names])
        self._others: dict[str, Mapping[str, str]] = {}

    def __getitem__(self, code: str) -> str:
        text = self._english[code]
        language = _language() or ENGLISH
        return text if language == ENGLISH else self._in(language).get(code, text)

    def __iter__(self) -> Iterator[str]:
        return iter(self._english)

    def __len__(self) -> int:
        return len(self._english)

    def _in(self, language: str) -> Mapping[str, str]:
        if language not in self._others:
            packages = [each for each in self._packages if has(each, language)]
            self._others[language] = _merged([read(each, language) for each in packages])
        return self._others[language]


def load(package: str, names: Mapping[str, str] | None = None) -> Mapping[str, str]:
    """Return a package's texts by code, including those common to all logs.

    `names` stand in no language's file: they are the same in all.
    Raises: ValueError for a code given twice.
    """
    return Texts("rules", package, names=names or {})


def has(package: str, language: str) -> bool:
    """Tell whether a package has texts in a language."""
    return (resources.files(package) / "text" / f"{language}.toml").is_file()


def read(package: str, language: str = ENGLISH) -> Mapping[str, str]:
    """Return the texts of one package only."""
    return _merged(tables(package, language).values())


def tables(package: str, language: str = ENGLISH) -> Mapping[str, Mapping[str, str]]:
    """Return the texts of one package by table.

    `acts` and `consequences` describe events; `verdicts`, `problems` and `outcomes` are keyed by
    codes.
    """
    file = resources.files(package) / "text" / f"{language}.toml"
    return tomllib.loads(file.read_text("utf-8"))


def _merged(tables: Iterable[Mapping[str, str]]) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for table in tables:
        if twice := found.keys() & table.keys():
            raise ValueError(f"texts given twice: {', '.join(sorted(twice))}")
        found |= table
    return found


def names_of(setup: Any, names: Mapping[Seat, str] | None = None) -> dict[Seat, str]:
    """Return the name of each seat: the given one, or else its label."""
    labels = {number: seat.label for number, seat in enumerate(setup.seats, 1)}
    return {seat: isolated(name) for seat, name in (labels | dict(names or {})).items()}


def isolated(name: str) -> str:
    """Return a name as it stands in a sentence: one written from right to left is isolated.

    Otherwise the numbers and names beside it would change places: a 2–1 would be read as 1–2.
    """
    alone = name.startswith(_APART) or not _LEFTWARDS.search(name)
    return name if alone else f"{_APART}{name}{_TOGETHER}"


def sentence(
    texts: Mapping[str, str], code: str, params: Mapping[str, Any], names: Mapping[Seat, str]
) -> str:
    """Fill in the text of a code. Seats among the parameters become their names.

    Raises: KeyError for a code without a text, or a text with an unknown parameter.
    """
    return texts[code].format_map({key: _named(key, value, names) for key, value in params.items()})


def of_outcome(texts: Mapping[str, str], outcome: Outcome, names: Mapping[Seat, str]) -> str:
    """Describe how a match ended; a game may have another text for the case that nobody won."""
    alone = f"{outcome.why}.none"
    code = alone if not outcome.winners and alone in texts else outcome.why
    return sentence(texts, code, {"winners": outcome.winners}, names)


def of_ending(ruleset: Ruleset, state: Any, outcome: Outcome, names: Mapping[Seat, str]) -> str:
    """Describe how a match ended, in the game's own words for its last state if it has any."""
    if isinstance(ruleset, SupportsEndings):
        return ruleset.ending(state, names)
    return of_outcome(ruleset.texts, outcome, names)


def of_event(texts: Mapping[str, str], event: Event, names: Mapping[Seat, str]) -> str:
    """Describe an event by its type, with its fields as parameters."""
    params = msgspec.structs.asdict(event)
    return sentence(texts, event_type(event), params, names)


def of_finding(
    texts: Mapping[str, str], finding: Verdict | Problem, names: Mapping[Seat, str]
) -> str:
    """Describe why an act or a deck is not legal, with its clause: "… (ZG ATK-7)".

    Values are replaced by their names in the texts, such as `value.phase.main`.
    """
    params = {key: called(texts, key, value) for key, value in finding.params.items()}
    text = sentence(texts, finding.code, params, names)
    return f"{text} ({finding.clause})" if finding.clause else text


def _named(key: str, value: Any, names: Mapping[Seat, str]) -> Any:
    if key in SEATS and type(value) is int:
        return isolated(names.get(value) or COMMON["list.seat"].format(seat=value))
    if isinstance(value, tuple) and key in ("seats", "winners"):
        return listed([_named("seat", seat, names) for seat in value])
    return value


_ALSO = {
    "act": "{}.title",
    "cls": "class.{}",
    "what": "next.{}",
    "now": "value.phase.{}",
    "method": "format.{}",
    "expected": "format.{}",
}
"""Other codes under which a value's name may be: an act's title, what a table waits for."""


def called(texts: Mapping[str, str], key: str, value: Any) -> Any:
    """Return the name of a field's value, or the value itself if the texts have none."""
    if type(value) is not str:
        return value
    codes = (f"value.{key}.{value}", _ALSO.get(key, "").format(value))
    return next((texts[code] for code in codes if code in texts), value)


def counted(texts: Mapping[str, str], what: str, n: int) -> str:
    """Return `1 card`, `2 cards`."""
    return texts[f"{what}.one" if n == 1 else f"{what}.many"].format(n=n)


def of_winners(texts: Mapping[str, str], outcome: Outcome, names: Mapping[Seat, str]) -> str:
    """Return who won, as a headline says it."""
    if not outcome.winners:
        return texts["headline.none"]
    winners = listed([names[seat] for seat in outcome.winners])
    return texts["headline.won"].format(winner=winners)


def listed(words: list[str]) -> str:
    """Join words as in a sentence: "a", "a and b", "a, b and c"."""
    *rest, last = map(isolated, words or [COMMON["list.nobody"]])
    return COMMON["list.last"].format(rest=", ".join(rest), last=last) if rest else last


COMMON = Texts("rules", names={})
"""The texts common to all logs, without any game's own."""
