"""Remove what was made by mistake, as long as nothing belongs to it."""

from collections.abc import Iterator
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import Model, QuerySet
from django.utils.translation import gettext

from league import finals, policy
from league.models import Circuit, Division, DivisionPlayer, Krewe, Qualifier, Season, Venue
from matches.actors import Actor
from matches.errors import Conflict, NotFound

MAX_SHOWN = 9
Thing = TypeVar("Thing", bound=Model)
Removable = Venue | Krewe | Season | Division | Circuit | Qualifier


def remove(*, by: Actor, thing: Removable) -> None:
    """Delete a qualifier, or a venue, krewe, season, division or circuit that nothing belongs to.

    A tournament counts on for a circuit once its final has begun. Raises: NotAllowed, NotFound,
    Conflict.
    """
    _require(by, thing)
    if isinstance(thing, Qualifier):
        finals.require_to_come(thing.circuit)
    with transaction.atomic():
        lock(thing)
        if is_in_use(thing):
            raise Conflict(
                "in-use",
                gettext("{thing} cannot be removed: something belongs to it.").format(thing=thing),
            )
        thing.delete()


def lock(thing: Thing) -> Thing:
    """Lock a thing until the transaction ends, and return its current row.

    Until then nothing new can belong to it. Raises: NotFound for what was removed meanwhile.
    """
    rows: QuerySet[Thing] = type(thing)._default_manager.select_for_update()
    found = rows.filter(pk=thing.pk).order_by("pk").first()  # no join is locked
    if found is None:
        raise NotFound
    return found


def is_in_use(thing: Model) -> bool:
    """Return whether any row refers to it, apart from the players of a krewe or a division."""
    return any(rows.exists() for rows in _referring(thing))


def users_of(thing: Model) -> list[Model]:
    """Return the first few rows of each kind that refer to it."""
    return [row for rows in _referring(thing) for row in rows[:MAX_SHOWN]]


def _referring(thing: Model) -> Iterator[QuerySet[Any]]:
    """Yield the rows that refer to it, kind by kind."""
    for each in thing._meta.related_objects:
        if each.related_model is DivisionPlayer:
            continue
        yield each.related_model._default_manager.filter(**{each.field.name: thing.pk})


def _require(by: Actor, thing: Removable) -> None:
    match thing:
        case Venue():
            policy.require_keep(by, thing)
        case Krewe() | Season():
            policy.require_run(by, thing.league)
        case Division() | Circuit():
            policy.require_run(by, thing.season.league)
        case Qualifier() if not policy.may_end_counting(by, thing.tournament):
            policy.require_run(by, thing.circuit.season.league)
