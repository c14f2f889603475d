"""Encode events as they are stored, in canonical JSON, and decode them to their exact types."""

from collections.abc import Iterable
from functools import cache, reduce
from operator import or_
from typing import Any

import msgspec

from rules.chain import EventRow, Record
from rules.replay import Entry
from rules.ruleset import Act, Consequence, Event, Ruleset, SeedRevealed, TakenBack, event_type


def body(event: Event) -> str:
    """Encode an event as canonical JSON: declared order, defaults omitted, no spaces."""
    return msgspec.json.encode(event).decode()


def row_of(event: Event) -> EventRow:
    """Return an event as a stored row."""
    return EventRow(event_type(event), getattr(event, "seat", None), body(event))


def stored_act(ruleset: Ruleset, text: str) -> Act:
    """Decode a stored act. Raises: msgspec.MsgspecError."""
    act: Act = _act_decoder(ruleset).decode(text)
    return act


def stored_consequences(ruleset: Ruleset, texts: Iterable[str]) -> tuple[Consequence, ...]:
    """Decode stored consequences. Raises: msgspec.MsgspecError."""
    return tuple(map(_consequence_decoder(ruleset).decode, texts)) if texts else ()


def entry_of(ruleset: Ruleset, record: Record) -> Entry | None:
    """Decode a stored entry for the ruleset, or return None if its rows do not read back."""
    first, *rest = record.rows
    try:
        act = stored_act(ruleset, first.body)
        consequences = stored_consequences(ruleset, [row.body for row in rest])
        events: tuple[Event, ...] = (act, *consequences)
        if tuple(map(row_of, events)) != record.rows:
            return None
    except (msgspec.MsgspecError, UnicodeError):
        return None
    irregular = irregular_of(record.verdict)
    return Entry(
        record.version,
        act,
        consequences,
        record.on,
        record.state_digest,
        irregular,
        record.repeats,
    )


def verdict_text(irregular: str) -> str:
    """Return a verdict as stored; `irregular` is the code of the broken rule, "" if none was."""
    return f"irregular {irregular}" if irregular else "legal"


def irregular_of(verdict: str) -> str:
    """Return the code of the rule that was broken; empty for a legal act."""
    return "" if verdict == "legal" else verdict.removeprefix("irregular ")


def act_types(ruleset: Ruleset) -> tuple[type[Act], ...]:
    """Return every type of act that a log under a ruleset may hold."""
    return (ruleset.opened, TakenBack, SeedRevealed, *ruleset.acts)


@cache
def union(types: tuple[type[Event], ...]) -> Any:
    """Return the union of some types."""
    return reduce(or_, types)


@cache
def _act_decoder(ruleset: Ruleset) -> msgspec.json.Decoder[Any]:
    return _decoder(act_types(ruleset))


@cache
def _consequence_decoder(ruleset: Ruleset) -> msgspec.json.Decoder[Any]:
    return _decoder(tuple(ruleset.consequences))


@cache
def _decoder(types: tuple[type[Event], ...]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(union(types))
