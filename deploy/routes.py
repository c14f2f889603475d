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


def first(route: URLPattern) -> tuple[bool, bool]:
    """Return what orders the routes of the API: those of matches, which are requested most, first.

    A route without parameters comes before those with some, whatever floors they are of: `import/`
    is no code of a match.
    """
    path = str(route.pattern)
    return not path.startswith("matches/"), "<" in path
