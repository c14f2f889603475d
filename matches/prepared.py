"""Queries compiled to SQL once: Django compiles a queryset anew each time it is evaluated.

For a few rows of many columns that takes longer than the query itself. A prepared query is an
ordinary queryset, compiled on first use with marks in place of its values; from then on only the
values change (ADR 0055).
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeVar
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import QuerySet
from django.db.models.query import get_related_populators
from django.db.models.sql.compiler import SQLCompiler

from matches.rows import adapted

Row = TypeVar("Row")
Value = UUID | datetime | str | int


class Prepared(Generic[Row]):
    """A query whose SQL is fixed and only whose parameters vary between calls.

    `build` returns the queryset for values given by name; `marks` are sample values, each unlike
    every other parameter of the query. A value is never None, which would need other SQL.
    """

    def __init__(self, build: Callable[..., QuerySet[Any, Row]], **marks: Value) -> None:
        self.build, self.marks = build, marks

    def __call__(self, **values: Value) -> list[Row]:
        """Return the rows for these values."""
        compiled = self._compiled
        params = list(compiled.params)
        for place, name in compiled.places.items():
            params[place] = _param(values[name])
        with connection.cursor() as cursor:
            cursor.execute(compiled.sql, params)
            found = cursor.fetchall()
        return [compiled.read(row) for row in found]

    def first(self, **values: Value) -> Row | None:
        """Return the first row for these values, None if there is none."""
        return next(iter(self(**values)), None)

    @cached_property
    def _compiled(self) -> "_Compiled":
        compiler = self.build(**self.marks).query.get_compiler(using=DEFAULT_DB_ALIAS)
        sql, params = compiler.as_sql()
        names = {_param(mark): name for name, mark in self.marks.items()}
        places = {n: names[param] for n, param in enumerate(params) if param in names}
        if set(places.values()) != set(self.marks):
            raise ValueError(f"of {names} there are {places} in {sql}")
        return _Compiled(sql, params, places, _reader(compiler))


class _Compiled(NamedTuple):
    """A queryset's SQL, where each value goes among its parameters, and the reader of its rows."""

    sql: str
    params: tuple[Any, ...]
    places: dict[int, str]
    read: Callable[[Sequence[Any]], Any]


def _reader(compiler: SQLCompiler) -> Callable[[Sequence[Any]], Any]:
    """Return a function that makes a model instance of a row, with joined ones, as `ModelIterable`.

    Values of `values_list` are returned as they are: every engine gives them as plain ones.
    """
    if compiler.query.values_select:
        return tuple
    info, annotated = compiler.klass_info, compiler.annotation_col_map or {}
    assert info is not None  # it is a query of whole rows
    start, end = info["select_fields"][0], info["select_fields"][-1] + 1
    names = [column.target.attname for column, *_ in compiler.select[start:end]]
    joined = get_related_populators(info, compiler.select, DEFAULT_DB_ALIAS)  # type: ignore[call-arg]  # 6.1 takes one more
    columns = [column for column, *_ in compiler.select]
    converters = compiler.get_converters(columns).items()
    conversions = [(n, each, column) for n, (of, column) in converters for each in of]

    def read(row: Sequence[Any]) -> Any:
        values = list(row)
        for n, convert, column in conversions:
            values[n] = convert(values[n], column, connection)
        found = info["model"].from_db(DEFAULT_DB_ALIAS, names, values[start:end])
        for other in joined:
            other.populate(values, found)
        for name, n in annotated.items():
            setattr(found, name, values[n])
        return found

    return read


def _param(value: Value) -> Any:
    return adapted(value) if isinstance(value, UUID | datetime) else value
