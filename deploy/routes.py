"""A URL belongs to the highest floor that serves it."""

from collections.abc import Iterator
from importlib import import_module

from django.urls import URLPattern


def highest(*modules: str) -> Iterator[URLPattern]:
    """Yield the routes of modules, the highest floor's first; each route once."""
    seen: set[str] = set()
    for module in modules:
        for pattern in import_module(module).urlpatterns:
            route = str(pattern.pattern)
            if route not in seen:
                seen.add(route)
                yield pattern
