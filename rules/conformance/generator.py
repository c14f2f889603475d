"""Generate well-formed acts of every type, most of them against the rules, from a state.

The generator knows no game: types say what a field may hold, the setup and the state which names
and numbers have a meaning, and the offers what is nearly legal.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import msgspec
from msgspec import inspect

from rules import bots
from rules.ruleset import Act, Offer, Ruleset

MUTATED = 45  # in 100: an offered act with a field or two changed
OFFERED = 5  # in 100: an offered act as it is


def generated_act(
    ruleset: Ruleset, offers: Sequence[Offer], words: Sequence[str], pick: bots.Stream
) -> Act:
    """Return an act: offered, nearly offered, or made from the types alone.

    `words` are the words used by the state (`words_of`).
    """
    kind = pick(100)
    if offers and kind < MUTATED + OFFERED:
        act = bots.act_of(ruleset, pick.choice(offers), pick)
        if kind < OFFERED:
            return act
        for _ in range(1 + pick(2)):
            act = mutated(act, words, pick)
        return act
    return made(pick.choice(ruleset.acts), words, pick)


@cache
def _described(kind: type[Act]) -> tuple[inspect.Field, ...]:
    """Return the fields of a type of act with their types as msgspec describes them."""
    described = inspect.type_info(kind)
    assert isinstance(described, inspect.StructType)
    return described.fields


def made(kind: type[Act], words: Sequence[str], pick: bots.Stream) -> Act:
    """Return an act of a type with each field generated from its own type."""
    fields = _described(kind)
    plain = {
        field.encode_name: _value(field.type, words, pick)
        for field in fields
        if field.required or pick(2)
    }
    return _well_formed(kind, plain) or made(kind, words, pick)


def mutated(act: Act, words: Sequence[str], pick: bots.Stream) -> Act:
    """Return an act with one field generated anew, or the act itself if it has no fields."""
    fields = _described(type(act))
    if not fields:
        return act
    field = pick.choice(fields)
    plain = {each.encode_name: getattr(act, each.name) for each in fields}
    plain = msgspec.to_builtins(plain)
    plain[field.encode_name] = _value(field.type, words, pick)
    return _well_formed(type(act), plain) or act


def words_of(state: Any) -> list[str]:
    """Return the words that a state and its setup use, and some they do not."""
    found = {word for word in _leaves(msgspec.to_builtins(state)) if isinstance(word, str)}
    ours = ("", "x", "Nobody's Helm", "a", "b", "9-7-4", "R+ G B", "Go* R B##", "Ro")
    return [*sorted(found), *ours]


def _well_formed(kind: type[Act], plain: dict[str, Any]) -> Act | None:
    try:
        return msgspec.convert(plain, kind)
    except msgspec.ValidationError:
        return None


def _leaves(plain: Any) -> Iterator[Any]:
    if isinstance(plain, dict):
        for value in plain.values():
            yield from _leaves(value)
    elif isinstance(plain, list | tuple):
        for value in plain:
            yield from _leaves(value)
    else:
        yield plain


def _value(kind: Any, words: Sequence[str], pick: bots.Stream) -> Any:
    """Return a plain value for a type as described by msgspec."""
    match kind:
        case inspect.BoolType():
            return pick(2) == 1
        case inspect.NoneType():
            return None
        case inspect.IntType():
            return (pick(5), pick(13) - 3, pick(200) - 100, pick(2**62) - 2**61)[pick(8) % 5 % 4]
        case inspect.StrType(pattern=pattern, max_length=longest):
            fitting = [
                w for w in words if re.search(pattern or "", w) and len(w) <= (longest or 200)
            ]
            return pick.choice([*fitting, *fitting, "", f"{pick(2**60):064x}"])
        case inspect.LiteralType(values) | inspect.EnumType(values):
            return pick.choice(list(values))
        case inspect.UnionType(types):
            return _value(pick.choice(types), words, pick)
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            return [_value(item, words, pick) for _ in range(pick(4))]
        case inspect.TupleType(item_types=items):
            return [_value(item, words, pick) for item in items]
        case inspect.StructType(fields=fields):
            return {
                field.encode_name: _value(field.type, words, pick)
                for field in fields
                if field.required or pick(2)
            }
        case inspect.Metadata(type=inner):
            return _value(inner, words, pick)
    raise TypeError(f"the generator knows no {kind}")
