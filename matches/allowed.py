"""The values a shape allows at a path, in words, for error messages."""

import re
from functools import cache
from typing import Any

from msgspec import inspect

_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")
_LISTS = (inspect.ListType, inspect.VarTupleType, inspect.SetType)


def describe(error: str, shape: Any, data: Any, path: str) -> str:
    """Return what is said of a value at a path of a shape, with what may stand there."""
    kind = _of(shape)
    for name, number in _STEP.findall(path):
        kind = _chosen(kind, data, name)
        if isinstance(kind, inspect.UnionType):  # of acts, and it is none of them
            tags = [str(each.tag) for each in kind.types if isinstance(each, inspect.StructType)]
            return f"{error}; it is one of {', '.join(tags)}"
        kind, data = _below(kind, data, name, number)
    if words := _words(kind):
        error = f"Expected {words}"
    values = [str(value) for value in _values(kind) if value not in ("", None)]
    return f"{error}; it is one of {', '.join(values)}" if values else error


def fields_at(shape: Any, data: Any, path: str) -> list[str]:
    """Return the fields that an object at a path of a shape may have."""
    kind = _of(shape)
    for name, number in _STEP.findall(path):
        kind, data = _below(_chosen(kind, data, name), data, name, number)
    kind = _chosen(kind, data, "")
    if not isinstance(kind, inspect.StructType):
        return []
    fields = {field.encode_name for field in kind.fields} | {kind.tag_field}
    return sorted(filter(None, fields))


@cache
def _of(shape: Any) -> inspect.Type:
    return inspect.type_info(shape)


def _bare(kind: Any) -> Any:
    return _bare(kind.type) if isinstance(kind, inspect.Metadata) else kind


def _chosen(kind: Any, data: Any, name: str) -> Any:
    """Return the kind that data is of; of several acts the one it says it is, all if none."""
    kind = _bare(kind)
    if not isinstance(kind, inspect.UnionType):
        return kind
    kinds = [bare for each in kind.types if not isinstance(bare := _bare(each), inspect.NoneType)]
    if len(kinds) == 1:
        return kinds[0]
    tagged = [each for each in kinds if isinstance(each, inspect.StructType) and each.tag_field]
    for each in tagged:
        if isinstance(data, dict) and data.get(each.tag_field) == each.tag:
            return each
    return kind if tagged and name == tagged[0].tag_field else None


def _below(kind: Any, data: Any, name: str, number: str) -> tuple[Any, Any]:
    """Return the kind of a field or an item, and what is there."""
    if name and isinstance(kind, inspect.StructType):
        found = [field.type for field in kind.fields if field.encode_name == name]
        return found[0] if found else None, data.get(name) if isinstance(data, dict) else None
    if name and isinstance(kind, inspect.DictType):
        return kind.value_type, data.get(name) if isinstance(data, dict) else None
    if number and isinstance(kind, _LISTS):
        at = int(number) if number.isdecimal() else 0
        return kind.item_type, data[at] if isinstance(data, list) and at < len(data) else None
    return None, None


def _words(kind: Any) -> str:
    """Return the words that a text with a pattern brings along of what it is."""
    if isinstance(kind, inspect.UnionType):
        return next(filter(None, map(_words, kind.types)), "")
    bare = _bare(kind)
    if not (isinstance(bare, inspect.StrType) and bare.pattern):
        return ""
    schema = getattr(kind, "extra_json_schema", None) or {}
    return str(schema.get("description", ""))


def _values(kind: Any) -> list[Any]:
    """Return the values there are of a kind, none where there are others too."""
    match _bare(kind):
        case inspect.LiteralType(values=values):
            return list(values)
        case inspect.EnumType(cls=enum):
            return [each.value for each in enum]
        case inspect.UnionType(types=kinds):
            return [value for each in kinds for value in _values(each)]
    return []
