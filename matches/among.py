"""A lookup that tests whether a row is among those a subquery finds."""

from typing import Any

from django.db.models import BooleanField, F, Func, QuerySet, Subquery


class Among(Func):
    """Whether a key is one of those a query finds: `Q(Among("pk", seats.values("match")))`.

    PostgreSQL gets the keys as an array, computed once. For `IN` with a subquery its planner
    assumes that the subquery runs again for every row, and starts parallel workers.
    """

    template = "%(expressions)s"
    arg_joiner = " IN "
    output_field = BooleanField()

    def __init__(self, key: str, found: QuerySet[Any, Any], **extra: Any) -> None:
        super().__init__(F(key), Subquery(found), **extra)

    def as_postgresql(self, compiler: Any, connection: Any, **given: Any) -> Any:
        array = {"template": "%(expressions)s)", "arg_joiner": " = ANY(ARRAY"}
        return self.as_sql(compiler, connection, **given | array)
