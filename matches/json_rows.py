"""Rows that belong to another one, read in its query as one JSON text.

For few and short rows, another query would cost nearly as much as the first.
"""

from collections.abc import Sequence
from typing import Any, TypeVar

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Model, Subquery, TextField

Row = TypeVar("Row", bound=Model)


class JsonRows(Subquery):
    """Aggregates the rows of a subquery, whose one column `packed` is JSON, into one JSON list."""

    template = "(SELECT CAST(JSON_AGG(found.packed) AS TEXT) FROM (%(subquery)s) found)"
    output_field = TextField()

    def as_sqlite(self, compiler: Any, connection: Any, **given: Any) -> Any:
        template = "(SELECT JSON_GROUP_ARRAY(JSON(found.packed)) FROM (%(subquery)s) found)"
        return self.as_sql(compiler, connection, template=template, **given)


def unpacked(model: type[Row], fields: Sequence[Any], columns: Sequence[Any]) -> Row:
    """Return a model instance of which some columns came as JSON; the others are deferred."""
    names = [field.attname for field in fields]
    values = [field.to_python(each) for field, each in zip(fields, columns, strict=False)]
    return model.from_db(DEFAULT_DB_ALIAS, names, values)
