"""Queries that are compiled once: Django writes a queryset's SQL anew each time it is asked.

For a few rows of many columns that takes longer than to ask the database. A prepared query is an
ordinary queryset, compiled when it is first asked, with marks in the place of its values; from
then on only the values change (ADR 0055).
"""

from collections.abc import Callable
from copy import copy
from datetime import datetime
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeVar
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import Model, QuerySet
from django.db.models.query import ModelIterable
from django.db.models.sql.compiler import SQLCompiler

from matches.rows import adapted

Row = TypeVar("Row", bound=Model)
Value = UUID | datetime | str | int


class Prepared(Generic[Row]):
    """A query of whole rows that differs from one asking to the next in its values alone.

    `build` makes the queryset of the values by their names; `marks` are such values, each unlike
    every other parameter of the query. A value is never None: that would be other SQL.
    """

    def __init__(self, build: Callable[..., QuerySet[Row]], **marks: Value) -> None:
        self.build, self.marks = build, marks

    def __call__(self, **values: Value) -> list[Row]:
        """Return the rows for these values."""
        asked = _Asked(self._compiled.with_values(values))
        return list(ModelIterable(asked))  # type: ignore[arg-type]  # it takes no more of a queryset

    def first(self, **values: Value) -> Row | None:
        """Return the first of the rows for these values, None where there is none."""
        return next(iter(self(**values)), None)

    @cached_property
    def _compiled(self) -> "_Compiled":
        compiler = self.build(**self.marks).query.get_compiler(using=DEFAULT_DB_ALIAS)
        sql, params = compiler.as_sql()
        names = {_param(mark): name for name, mark in self.marks.items()}
        places = {n: names[param] for n, param in enumerate(params) if param in names}
        if set(places.values()) != set(self.marks):
            raise ValueError(f"of {names} there are {places} in {sql}")
        converters = compiler.get_converters([column for column, *_ in compiler.select])
        return _Compiled(compiler, sql, params, places, converters)


class _Compiled(NamedTuple):
    """A queryset's compiler and SQL, at which of its parameters each value goes, and what makes
    Python's values of its columns."""

    compiler: SQLCompiler
    sql: str
    params: tuple[Any, ...]
    places: dict[int, str]
    converters: dict[int, Any]

    def with_values(self, values: dict[str, Value]) -> SQLCompiler:
        """Return a compiler that asks with these values, on this thread's connection."""
        params = list(self.params)
        for place, name in self.places.items():
            params[place] = _param(values[name])
        compiler = copy(self.compiler)
        compiler.connection = connections[DEFAULT_DB_ALIAS]
        compiler.execute_sql = lambda **_: self._rows(params)  # type: ignore[method-assign,assignment]
        compiler.get_converters = lambda _: self.converters  # type: ignore[assignment,method-assign]
        return compiler

    def _rows(self, params: list[Any]) -> list[list[tuple[Any, ...]]]:
        """Return all rows at once, as the one chunk of them that Django's reader takes."""
        with connection.cursor() as cursor:
            cursor.execute(self.sql, params)
            return [cursor.fetchall()]


class _Asked:
    """What Django's reader of rows takes for a queryset."""

    db = DEFAULT_DB_ALIAS

    def __init__(self, compiler: SQLCompiler) -> None:
        self.query, self.compiler = self, compiler
        self._known_related_objects: dict[Any, Any] = {}

    def get_compiler(self, using: str) -> SQLCompiler:
        return self.compiler


def _param(value: Value) -> Any:
    return adapted(value) if isinstance(value, UUID | datetime) else value
