"""Command-line flags derived from types: a tool's parameters, or a game's options."""

import argparse
import json
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import inspect

from rules import tools

ARGUMENT = "flag "  # prefix of our flags' names, so that they never clash with a game's


def add_tool(parser: argparse.ArgumentParser, tool: tools.Tool) -> None:
    """Add a tool's parameters: required values as positional arguments, a struct as flags."""
    for name, (kind, default) in tools.parameters(tool).items():
        described = inspect.type_info(kind)
        if isinstance(described, inspect.StructType):
            add_fields(parser, kind)
        elif default is msgspec.NODEFAULT:
            parser.add_argument(ARGUMENT + name, metavar=name.upper())
        else:
            _add_flag(parser, name, described, default)


def add_fields(parser: argparse.ArgumentParser, kind: type[msgspec.Struct]) -> None:
    """Add a flag for each field of a struct."""
    for field in inspect.type_info(kind).fields:  # type: ignore[attr-defined]
        _add_flag(parser, field.name, field.type, field.default)


def of_tool(given: argparse.Namespace, tool: tools.Tool) -> dict[str, Any]:
    """Return the arguments given for a tool's parameters, as plain data."""
    plain: dict[str, Any] = {}
    for name, (kind, _) in tools.parameters(tool).items():
        if isinstance(inspect.type_info(kind), inspect.StructType):
            plain[name] = of_fields(given, kind)
        elif hasattr(given, ARGUMENT + name):
            plain[name] = getattr(given, ARGUMENT + name)
    return plain


def of_fields(given: argparse.Namespace, kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the flags given for a struct's fields, as plain data."""
    return {
        name: getattr(given, ARGUMENT + name)
        for name in kind.__struct_fields__
        if hasattr(given, ARGUMENT + name)
    }


def _add_flag(parser: argparse.ArgumentParser, name: str, kind: Any, default: Any) -> None:
    """Add `--name`, which is absent from the result unless it is given."""
    flag = "--" + name.replace("_", "-")
    settings: dict[str, Any] = {"dest": ARGUMENT + name, "default": argparse.SUPPRESS}
    match kind:
        case inspect.BoolType():
            parser.add_argument(flag, action=argparse.BooleanOptionalAction, **settings)
        case inspect.IntType():
            parser.add_argument(flag, type=int, metavar="N", **settings)
        case inspect.LiteralType(values):
            parser.add_argument(flag, choices=values, help=f"{default} if not given", **settings)
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            each, metavar = _item(item)
            settings |= {"type": each, "metavar": metavar}
            each_one = flag.removesuffix("s")  # --arena, also written --arenas as the field is
            parser.add_argument(*dict.fromkeys((each_one, flag)), action="append", **settings)
        case _:
            parser.add_argument(flag, metavar="VALUE", **settings)


def _item(kind: Any) -> tuple[Callable[[str], Any], str]:
    """Return a function that parses one item of a list, and its placeholder in the help text."""
    if isinstance(kind, inspect.StructType):
        return json.loads, "JSON"
    return (int, "N") if isinstance(kind, inspect.IntType) else (str, "VALUE")
