"""The ledger is append-only in the database itself."""

from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction

from characters import services
from characters.services import Recording
from tests import factories

pytestmark = pytest.mark.django_db

TABLE = "characters_ledgerentry"


@pytest.mark.parametrize(
    "statement",
    [
        f"UPDATE {TABLE} SET amount = 1000000 WHERE amount = 5",
        f"UPDATE {TABLE} SET audience = audience",
        f"DELETE FROM {TABLE}",
        f"DELETE FROM {TABLE} WHERE method = 'won'",
    ],
)
def test_no_line_is_changed_or_removed(statement: str) -> None:
    by = factories.actor()
    character = services.paste(by=by, text="Character: Ada")
    services.record(by=by, character=character, act_id=uuid4(), what=Recording("won", amount=5))
    with (
        pytest.raises(DatabaseError, match=r"is append-only|permission denied"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)
