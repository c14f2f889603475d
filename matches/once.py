"""Making a thing once: what is sent again, by a double tap or after a lost answer, is found again.

Whoever sends brings an id, `act_id`; from it and from who they are follows that of the new row.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar
from uuid import UUID, uuid5

from django.db import IntegrityError, transaction
from django.db.models import Model

from matches.errors import IdReused, Refused

Row = TypeVar("Row", bound=Model)


def id_of(model: type[Model], maker: UUID, act_id: UUID) -> UUID:
    """Return the id of what somebody makes of a kind under an `act_id`."""
    return uuid5(maker, f"{model._meta.model_name} {act_id}")


def make(
    model: type[Row],
    maker: UUID,
    act_id: UUID | None,
    /,
    *,
    keep: Callable[[Row], object] | None = None,
    same: Callable[[Row], bool] | None = None,
    key: str = "pk",
    **said: Any,
) -> Row:
    """Return a new row that says this, or the one that was made of it before: `made_now` tells.

    `keep` writes it down, with what goes with it, in one transaction. `same` tells of a row that
    is there whether the rest of it was asked for too; `key` is the column that holds the id.

    Raises: IdReused for an `act_id` under which something else was made, or what says something
    else by now; it tells what that is.
    """
    many = {name: value for name, value in said.items() if _is_many(model, name)}
    own = {name: value for name, value in said.items() if name not in many}
    known = {key: id_of(model, maker, act_id)} if act_id else {}

    def before() -> Row | None:
        found = model._default_manager.filter(**known).first() if known else None
        if found and not (_says(found, model(**own), own, many) and (not same or same(found))):
            raise IdReused(act_id, made=str(getattr(found, "slug", found.pk)))
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
    """Return a new row that `write` writes down, with what goes with it, in one transaction.

    Where that fails as the same was made a moment ago, return what `before` finds.
    """
    try:
        with transaction.atomic():
            write()
    except (IntegrityError, Refused):
        if found := before():
            return found
        raise
    return mark(row)


def mark(row: Row, made_now: bool = True) -> Row:
    """Return a row, marked as made by this call, or as found by it; that is never stored."""
    row.made_now = made_now  # type: ignore[attr-defined]
    return row


def made_now(row: Model) -> bool:
    """Tell whether the call that returned a row made it, and did not find it."""
    return getattr(row, "made_now", False)


def _is_many(model: type[Model], name: str) -> bool:
    return bool(model._meta.get_field(name).many_to_many)


def _says(found: Model, new: Model, own: Mapping[str, Any], many: Mapping[str, Any]) -> bool:
    """Tell whether a row that is there says what a new one would."""
    columns = [found._meta.get_field(name).attname for name in own]  # type: ignore[union-attr]
    return all(getattr(found, each) == getattr(new, each) for each in columns) and all(
        {row.pk for row in getattr(found, name).all()} == {row.pk for row in value}
        for name, value in many.items()
    )
