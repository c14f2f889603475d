"""The search string of the catalogue: `color:red type:gear dots>=5 owner:me "tide"`.

Words are parts of a name; `key:value` is a part of a text, `key=value` all of it; numbers take `=
!= < <= > >=`; a minus before a term negates it. A term that cannot be parsed is reported with its
column, and the others still apply.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from characters.models import Card
from matches.actors import Actor
from matches.errors import BadInput

MAX_TEXT = 200
MAX_TERMS = 20
MAX_NUMBER = 99_999

TEXTS = {
    "name": "name",
    "type": "slot",
    "slot": "slot",
    "part": "slot",
    "colour": "colour",
    "color": "colour",
    "quality": "quality",
    "set": "card_set__name",
    "end": "ends",
}
NUMBERS = ("cost", "impulse", "move", "range", "dots", "blazes", "revision")
BLAZES = {"ap": "+", "explosive": "*", "armour": "#", "armor": "#", "weak": "o"}
STATES = {
    "shared": Q(owner__isnull=False, shared=True),
    "private": Q(shared=False),
    "invented": Q(invented=True),
}
COMPARED = {"<": "lt", "<=": "lte", ">": "gt", ">=": "gte"}

_TERM = re.compile(
    r"(?P<minus>-?)(?:(?P<key>[A-Za-z]+)(?P<sign>>=|<=|!=|[:=<>]))?"
    r'(?P<value>"(?:[^"]*)"|[^\s"]\S*|(?=\s|$))'
)


@dataclass(frozen=True)
class Term:
    """One term with its column from 1: a condition, or what is wrong with it."""

    text: str
    column: int
    condition: Q | None = None
    problem: str = ""


@dataclass(frozen=True)
class Search:
    """A parsed search string: its terms in order."""

    terms: tuple[Term, ...]

    @property
    def problems(self) -> list[Term]:
        return [term for term in self.terms if term.problem]

    def narrow(self, cards: QuerySet[Card]) -> QuerySet[Card]:
        """Return the cards that satisfy all valid terms."""
        for term in self.terms:
            if term.condition is not None:
                cards = cards.filter(term.condition)
        return cards

    def fatal(self, cards: QuerySet[Card]) -> Term | None:
        """Return the first term after which no card is left."""
        for term in self.terms:
            if term.condition is not None:
                cards = cards.filter(term.condition)
                if not cards.exists():
                    return term
        return None


def read(text: str, actor: Actor) -> Search:
    """Parse a search string; `owner:me` is the actor."""
    return Search(tuple(_terms(text[:MAX_TEXT], actor)))


def require(text: str, actor: Actor) -> Search:
    """Parse a search string whose terms must all be valid. Raises: BadInput."""
    search = read(text, actor)
    for term in search.problems:
        raise BadInput(
            "bad-search",
            gettext("Column {column}: {problem}").format(column=term.column, problem=term.problem),
            "$.q",
        )
    return search


def _terms(text: str, actor: Actor) -> Iterator[Term]:
    at = 0
    for count in range(len(text) + 1):
        at += len(text[at:]) - len(text[at:].lstrip())
        if at >= len(text):
            return
        if count == MAX_TERMS:
            yield Term(
                text[at:],
                at + 1,
                problem=gettext("At most {MAX_TERMS} terms.").format(MAX_TERMS=MAX_TERMS),
            )
            return
        found = _TERM.match(text, at)
        if found is None:
            yield Term(text[at:], at + 1, problem=gettext("A quotation mark is missing."))
            return
        yield _term(found, actor)
        at = found.end()


def _term(found: re.Match[str], actor: Actor) -> Term:
    text, column = found[0], found.start() + 1
    key, value = (found["key"] or "").lower(), found["value"].strip('"').strip()
    if not value:
        return Term(text, column, problem=gettext("Say what to look for."))
    if found["value"].count('"') % 2:
        return Term(text, column, problem=gettext("A quotation mark is missing."))
    try:
        condition = _condition(key, found["sign"] or ":", value, actor)
    except ValueError as wrong:
        return Term(text, column, problem=str(wrong))
    return Term(text, column, ~condition if found["minus"] else condition)


def _condition(key: str, sign: str, value: str, actor: Actor) -> Q:
    """Return the condition of a term. Raises: ValueError, with what is wrong."""
    if not key:
        return Q(name__icontains=value)
    if key in NUMBERS:
        return _number(key, sign, value)
    if key not in TEXTS and key not in WORDS:
        raise ValueError(_none(key, [*TEXTS, *NUMBERS, *WORDS]))
    if sign not in (":", "=", "!="):
        detail = gettext("“{key}” is not a number: write {key}:{value}.")
        raise ValueError(detail.format(key=key, value=value[:20]))
    condition = WORDS[key](value, actor) if key in WORDS else _text(TEXTS[key], sign, value)
    return ~condition if sign == "!=" else condition


def _none(word: str, known: Iterable[str]) -> str:
    text = gettext("There is no “{word}”; there are {known}.")
    return text.format(word=word[:20], known=", ".join(known))


def _text(column: str, sign: str, value: str) -> Q:
    return Q(**{f"{column}__{'icontains' if sign == ':' else 'iexact'}": value})


def _number(column: str, sign: str, value: str) -> Q:
    if not (value.isascii() and value.isdigit() and int(value[:9]) <= MAX_NUMBER):
        detail = gettext("“{value}” is not a number from 0 to {most:,}.")
        raise ValueError(detail.format(value=value[:20], most=MAX_NUMBER))
    condition = Q(**{f"{column}__{COMPARED.get(sign, 'exact')}": int(value)})
    return ~condition if sign == "!=" else condition


def _owner(value: str, actor: Actor) -> Q:
    match value.lower():
        case "me":
            if actor.player is None:
                raise ValueError(gettext("Sign in first: then “me” is you."))
            return Q(owner=actor.player)
        case "site":
            return Q(owner__isnull=True)
    return Q(owner__name__iexact=value)


def _one_of(known: dict[str, Q], value: str, actor: Actor) -> Q:
    if value.lower() not in known:
        raise ValueError(_none(value, known))
    return known[value.lower()]


WORDS: dict[str, Callable[[str, Actor], Q]] = {
    "game": lambda value, actor: Q(game__iexact=value),
    "owner": _owner,
    "is": partial(_one_of, STATES),
    "blaze": partial(_one_of, {name: Q(ends__contains=sign) for name, sign in BLAZES.items()}),
}
