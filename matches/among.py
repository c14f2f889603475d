"""Whether a row is among those that a subquery finds."""

from typing import Any

from django.db.models import BooleanField, F, Func, QuerySet, Subquery


class Among(Func):
    """Whether a key is one of those a query finds: `Q(Among("pk", seats.values("match")))`.

    PostgreSQL is given them as an array, which it makes once and apart: of a set to look into its
    planner thinks that it is made anew for every row, and shares the rows out to workers.
    """

    template = "%(expressions)s"
    arg_joiner = " IN "
    output_field = BooleanField()

    def __init__(self, key: str, found: QuerySet[Any, Any], **extra: Any) -> None:
        super().__init__(F(key), Subquery(found), **extra)

    def as_postgresql(self, compiler: Any, connection: Any, **given: Any) -> Any:
        array = {"template": "%(expressions)s)", "arg_joiner": " = ANY(ARRAY"}
        return self.as_sql(compiler, connection, **given | array)
