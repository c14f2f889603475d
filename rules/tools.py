"""Call a ruleset's tools with plain data: their parameters' types say what they take."""

import inspect
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, get_type_hints

import msgspec

Tool = Callable[..., Any]


def parameters(tool: Tool) -> dict[str, tuple[Any, Any]]:
    """Return the type and the default of each parameter, `msgspec.NODEFAULT` for none."""
    types = get_type_hints(tool, include_extras=True)
    found = {}
    for name, parameter in inspect.signature(tool).parameters.items():
        default = parameter.default
        found[name] = types[name], msgspec.NODEFAULT if default is parameter.empty else default
    return found


@cache
def request_type(tool: Tool) -> type[msgspec.Struct]:
    """Return a struct of a tool's parameters; its JSON schema describes a request."""
    fields: list[Any] = [(name, *of) for name, of in parameters(tool).items()]
    return msgspec.defstruct(
        f"{tool.__name__.title()}Request",
        fields,
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
    )


def call(tool: Tool, plain: Mapping[str, Any]) -> Any:
    """Return what a tool finds, as plain data.

    Raises: msgspec.ValidationError for values of other types; ValueError, which it is one of,
    for a value that means nothing to the tool.
    """
    request = msgspec.convert(dict(plain), request_type(tool))
    return msgspec.to_builtins(tool(**msgspec.structs.asdict(request)))
