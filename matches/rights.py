"""Rights in PostgreSQL: the owner of the tables migrates, the web role serves.

The web role may read and insert into append-only tables, and has on every other table only the
rights that the site uses. With a single role (one club on one machine), it owns the tables and
serves too; then only the triggers protect them.
"""

from collections.abc import Iterator

from django.apps import apps
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper

from matches import append_only

ALL = ("SELECT", "INSERT", "UPDATE", "DELETE")
NO_DELETE = ("SELECT", "INSERT", "UPDATE")
APPEND = ("SELECT", "INSERT")
READ = ("SELECT",)
NOTHING: tuple[str, ...] = ()  # partitions are used through their table
NEVER = ("TRUNCATE", "REFERENCES", "TRIGGER")
READ_ONLY_TABLES = {"django_migrations", "django_content_type", "auth_permission"}
POWERS = ("pg_write_all_data", "pg_execute_server_program", "pg_write_server_files")


def expected(database: BaseDatabaseWrapper) -> dict[str, tuple[str, ...]]:
    """Return the rights the web role should have on each of our tables that exists."""
    kept = {apps.get_model(label)._meta.db_table for label in settings.NEVER_DELETED}
    append = set(append_only.tables())
    ours = READ_ONLY_TABLES.union(database.introspection.django_table_names())
    there = set(database.introspection.table_names())
    rights: dict[str, tuple[str, ...]] = dict.fromkeys({append_only.PLACES} & there, NOTHING)
    for table in sorted(ours & there):
        if table in append:
            rights[table] = APPEND
            rights |= dict.fromkeys(append_only.parts(database, table), NOTHING)
        elif table in READ_ONLY_TABLES:
            rights[table] = READ
        else:
            rights[table] = NO_DELETE if table in kept else ALL
    return rights


def grant(using: str, role: str) -> None:
    """Give a role the rights of the web role on every table, and revoke all others.

    Raises: NotAppendOnly if there is no such role, or it owns the tables itself.
    """
    database = connections[using]
    name = database.ops.quote_name(role)
    with transaction.atomic(using=using), database.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role])
        if cursor.fetchone() is None:
            raise append_only.NotAppendOnly(
                f"There is no role {role} in this PostgreSQL. Make it, with a password of its own: "
                f"`createuser --pwprompt {role}`; then run `manage.py grant`."
            )
        if role in _roles(cursor):
            raise append_only.NotAppendOnly(
                f"The owner and the web role are the same, {role}: DATABASE_URL must name a role "
                "of its own when OWNER_DATABASE_URL is set."
            )
        cursor.execute("SELECT quote_ident(current_schema()), quote_ident(current_database())")
        schema, base = cursor.fetchone()
        cursor.execute(f"REVOKE CREATE ON SCHEMA {schema} FROM PUBLIC, {name}")
        cursor.execute(f"REVOKE CREATE, TEMPORARY ON DATABASE {base} FROM PUBLIC, {name}")
        cursor.execute(f"GRANT CONNECT ON DATABASE {base} TO {name}")
        cursor.execute(f"GRANT USAGE ON SCHEMA {schema} TO {name}")
        for table, rights in expected(database).items():
            cursor.execute(f'REVOKE ALL ON "{table}" FROM PUBLIC, {name}')
            if rights:
                cursor.execute(f'GRANT {", ".join(rights)} ON "{table}" TO {name}')


def check(using: str = DEFAULT_DB_ALIAS) -> list[str]:
    """Return what is wrong with the rights of the connected role; nothing on SQLite.

    A single role that owns everything is correct as long as no other role was given rights.
    """
    database = connections[using]
    if database.vendor == "sqlite" or is_single(using):
        return []
    with database.cursor() as cursor:
        return [
            problem
            for role in sorted(_roles(cursor))  # the session's role too: RESET ROLE returns to it
            for problem in problems_of(database, cursor, role)
        ]


def is_single(using: str = DEFAULT_DB_ALIAS) -> bool:
    """Tell whether the connected role owns the events, and no other may write them."""
    database = connections[using]
    if database.vendor == "sqlite":
        return True
    with database.cursor() as cursor:
        cursor.execute(
            """
            SELECT pg_has_role(relowner, 'MEMBER') AND NOT EXISTS (
                SELECT 1 FROM aclexplode(relacl)
                WHERE privilege_type = 'INSERT' AND grantee <> relowner
            )
            FROM pg_class WHERE oid = to_regclass(%s)
            """,
            [append_only.tables()[0]],
        )
        found = cursor.fetchone()
    return bool(found and found[0])


def problems_of(database: BaseDatabaseWrapper, cursor: CursorWrapper, role: str) -> Iterator[str]:
    """Yield the rights a role has but should not have, and those it lacks."""
    cursor.execute(
        """
        SELECT rolsuper, rolcreaterole, has_schema_privilege(rolname, current_schema(), 'CREATE'),
            rolreplication
        FROM pg_roles WHERE rolname = %s
        """,
        [role],
    )
    powers = dict(
        zip(
            ("is a superuser", "may make roles", "may make tables", "may replicate"),
            cursor.fetchone(),
            strict=True,
        )
    )
    yield from (f"the role {role} {power}" for power, has in powers.items() if has)
    if powers["is a superuser"]:
        return
    cursor.execute(
        "SELECT rolname FROM pg_roles "
        "WHERE rolname = ANY(%s) AND pg_has_role(%s::name, oid, 'MEMBER')",
        [list(POWERS), role],
    )
    yield from (f"the role {role} is a member of {group}" for (group,) in cursor.fetchall())
    for table, rights in expected(database).items():
        yield from _problems_with(cursor, role, table, rights)


def _problems_with(
    cursor: CursorWrapper, role: str, table: str, rights: tuple[str, ...]
) -> Iterator[str]:
    cursor.execute(
        "SELECT pg_has_role(%s::name, relowner, 'MEMBER') "
        "FROM pg_class WHERE oid = to_regclass(%s)",
        [role, table],
    )
    if cursor.fetchone()[0]:
        yield f"the role {role} owns {table}, or may become its owner"
        return
    cursor.execute(
        """
        SELECT name, has_table_privilege(%s::name, to_regclass(%s), name)
            OR (name = ANY(%s::text[])
                AND has_any_column_privilege(%s::name, to_regclass(%s), name))
        FROM unnest(%s::text[]) AS name
        """,
        [role, table, ["UPDATE", "REFERENCES"], role, table, [*ALL, *NEVER]],
    )
    may = {name for name, has in cursor.fetchall() if has}
    for right in sorted(may ^ set(rights)):
        yield f"the role {role} {'may' if right in may else 'may not'} {right} {table}"


def _roles(cursor: CursorWrapper) -> set[str]:
    cursor.execute("SELECT session_user, current_user")
    return set(cursor.fetchone())
