"""Idempotent creation: a request sent again, by a double tap or after a lost answer, finds its row.

The client sends an id, `act_id`; the id of the new row is derived from it and from the sender.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar
from uuid import UUID, uuid5

from django.db import IntegrityError, transaction
from django.db.models import Model

from matches import faults
from matches.errors import Conflict, IdReused, Refused

Row = TypeVar("Row", bound=Model)


def id_of(model: type[Model], maker: UUID, act_id: UUID) -> UUID:
    """Return the id of the row of a model that `maker` creates under an `act_id`."""
    return uuid5(maker, f"{model._meta.model_name} {act_id}")


def nth_id(act_id: UUID, place: int) -> UUID:
    """Return the id of one act of a request with several; the first has the request's own."""
    return uuid5(act_id, str(place)) if place else act_id


def address_of(row: Model) -> str:
    """Return the last part of the address of what a row is."""
    return str(getattr(row, "slug", None) or getattr(row, "code", None) or row.pk)


def make(
    model: type[Row],
    maker: UUID,
    act_id: UUID | None,
    /,
    *,
    keep: Callable[[Row], object] | None = None,
    same: Callable[[Row], bool] | None = None,
    key: str = "pk",
    **fields: Any,
) -> Row:
    """Return a new row with these values, or the one created before: `made_now` tells which.

    `keep` saves it, with all that belongs to it, in one transaction. `same` tells whether an
    existing row also matches the rest of the request; `key` is the column of the id.

    Raises: IdReused for an `act_id` under which something else was created, or whose row was
    changed since; the error says what it is.
    """
    many = {name: value for name, value in fields.items() if _is_many(model, name)}
    own = {name: value for name, value in fields.items() if name not in many}
    known = {key: id_of(model, maker, act_id)} if act_id else {}

    def before() -> Row | None:
        found = model._default_manager.filter(**known).first() if known else None
        if found and not (_says(found, model(**own), own, many) and (not same or same(found))):
            raise IdReused(act_id, made=address_of(found))
        return found

    if found := before():
        return found
    row = model(**known, **own)

    def write() -> None:
        keep(row) if keep else row.save(force_insert=True)
        for name, value in many.items():
            getattr(row, name).set(value)

    return write_down(row, write, before)


def write_down(row: Row, write: Callable[[], object], before: Callable[[], Row | None]) -> Row:
    """Return a row after `write` has saved it, with all that belongs to it, in one transaction.

    If that fails as a concurrent request saved the same, return what `before` finds.
    """
    try:
        with transaction.atomic():
            write()
    except (IntegrityError, Refused):
        if found := before():
            return found
        raise
    return mark(row)


@contextmanager
def only_one(code: str, text: str, where: str = "") -> Iterator[None]:
    """Turn a violated unique constraint in the block, a transaction, into an error.

    `where` is the path to the part that is taken. Raises: Conflict, also for a row gone meanwhile.
    """
    try:
        with transaction.atomic():
            yield
    except IntegrityError as fault:
        raise faults.refusal_of(fault) or Conflict(code, text, where=where) from None


def mark(row: Row, made_now: bool = True) -> Row:
    """Return a row marked as created by this call or found by it; the mark is not stored."""
    row.made_now = made_now  # type: ignore[attr-defined]
    return row


def made_now(row: Model) -> bool:
    """Tell whether the call that returned a row created it."""
    return getattr(row, "made_now", False)


def _is_many(model: type[Model], name: str) -> bool:
    return bool(model._meta.get_field(name).many_to_many)


def _says(found: Model, new: Model, own: Mapping[str, Any], many: Mapping[str, Any]) -> bool:
    """Tell whether an existing row has the values that a new one would."""
    columns = [found._meta.get_field(name).attname for name in own]  # type: ignore[union-attr]
    return all(getattr(found, each) == getattr(new, each) for each in columns) and all(
        {row.pk for row in getattr(found, name).all()} == {row.pk for row in value}
        for name, value in many.items()
    )
