"""Call a ruleset's tools with plain data, converted by the types of their parameters."""

import inspect
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, get_type_hints

import msgspec

Tool = Callable[..., Any]


def parameters(tool: Tool) -> dict[str, tuple[Any, Any]]:
    """Return the type and the default of each parameter, `msgspec.NODEFAULT` if it has none."""
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
    """Return a tool's result as plain data.

    Raises: msgspec.ValidationError for values of a wrong type; ValueError, its base class, for a
    value that the tool cannot use.
    """
    request = msgspec.convert(dict(plain), request_type(tool))
    return msgspec.to_builtins(tool(**msgspec.structs.asdict(request)))
