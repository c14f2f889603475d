"""Says in words what every field of the API's schema is.

A field says it itself, by `Meta(description=…)`; or the text of its shape does, in a sentence that
begins with the field, as in: `since`: from when on. Else its name means what it means everywhere:
see `words` beside the shapes of each floor.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

import msgspec

import characters.api.shapes.words
import league.api.shapes.words
import matches.api.shapes.words
from matches.api.shapes import Request

WORDS: Mapping[str, Mapping[str, str]] = {
    "characters": characters.api.shapes.words.WORDS,
    "league": league.api.shapes.words.WORDS,
    "matches": matches.api.shapes.words.WORDS,
}
"""What the fields of a name are, by the floor of their shape."""

PATH_WORDS = {
    "matches/code": "the code of the match",
    "tournaments/code": "the code of the tournament",
    "leagues/slug": "the slug of the league",
    "venues/slug": "the slug of the venue",
    "places/slug": "the slug of the place",
    "seats/token": "the token of the seat's link",
    "claims/token": "the token of the link by which a guest is claimed",
    "key": "the key of the game, such as zg; with a version, as zg@1, the rules of that version",
    "tool": "the name of one of the game's tools",
    "serial": "the serial of the piece",
    "act_id": "the id that the proposed act was sent with",
    "other_id": "the id of the other player",
    "text_id": "the id of the text",
    "ledger_entry_id": "the id of a line of the ledger",
    "seat": "the number of the seat, from 1",
    "round": "the number of the round, from 1 through all stages",
    "table": "the number of the table in its round, from 1",
}
"""What a part of an address is, by its name; where that is not enough, after its first part."""


def path_words(kind: str, name: str) -> str:
    """Return what a part of an address is; `kind` is the first part of the address."""
    told = PATH_WORDS.get(f"{kind}/{name}") or PATH_WORDS.get(name)
    of = name.removesuffix("_id")
    return told or ("" if of == name else f"the id of the {of}")


def is_described(field: Mapping[str, Any]) -> bool:
    """Tell whether the schema of a field, or of something it may be, says what it is."""
    return any(each.get("description") for each in (field, *field.get("anyOf", ())))


def describe(name: str, field: dict[str, Any], struct: type[msgspec.Struct]) -> None:
    """Describe a field of a struct in its schema, unless it says itself what it is."""
    if not is_described(field) and (told := _told(name, struct)):
        can_be_null = {"type": "null"} in field.get("anyOf", ())
        silent = can_be_null and "null" not in told
        field["description"] = told + _of_null(struct) if silent else told


def _of_null(struct: type[msgspec.Struct]) -> str:
    """Return what null means in a shape of which no text says it."""
    if not issubclass(struct, Request):
        return "; null for none"
    changes = re.search(r"(?:left out|not sent) stay", struct.__doc__ or "")
    return "; null or left out: as it was" if changes else "; null or left out: none"


def _told(name: str, struct: type[msgspec.Struct]) -> str:
    """Return what the text of a shape says of a field, else what its name means; else nothing."""
    sentences = [each for kind in struct.__mro__ for each in _sentences(kind.__doc__ or "")]
    about = (each for each in sentences if name in _first_names(each))
    floors = (struct.__module__.partition(".")[0], "matches")
    words = (WORDS[floor][name] for floor in floors if name in WORDS.get(floor, ()))
    within = (each for each in sentences if f"`{name}`" in each)
    return next(chain(about, words, within), "").removeprefix(f"`{name}`: ")


SENTENCE_END = re.compile(r"(?<=\.)\s+|(?<!`)[;,]\s+(?=`\w+`:)|;\s+(?=`)")
FIRST_NAMES = re.compile(r"`\w+`(?:(?:,| and|, and) `\w+`)*(?=:? )")


def _sentences(text: str) -> Iterator[str]:
    """Split a text into sentences, and these where they go on with another field."""
    flat = " ".join(text.split())
    return (each.removesuffix(".") for each in SENTENCE_END.split(flat) if each)


def _first_names(sentence: str) -> list[str]:
    """Return the fields that a sentence begins with."""
    found = FIRST_NAMES.match(sentence)
    return re.findall(r"`(\w+)`", found[0]) if found else []
