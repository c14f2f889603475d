"""Remove what was made by mistake, as long as nothing belongs to it."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Model, QuerySet
from django.utils.translation import gettext

from league import policy
from league.models import Circuit, Division, Krewe, Qualifier, Season, Venue
from matches.actors import Actor
from matches.errors import Conflict

MAX_SHOWN = 9
Removable = Venue | Krewe | Season | Division | Circuit | Qualifier


def remove(*, by: Actor, thing: Removable) -> None:
    """Delete a qualifier, or a venue, krewe, season, division or circuit that nothing belongs to.

    Raises: NotAllowed, Conflict.
    """
    _require(by, thing)
    if belongs(thing):
        raise Conflict(
            "in-use",
            gettext("{thing} cannot be removed: something belongs to it.").format(thing=thing),
        )
    thing.delete()


def belongs(thing: Model) -> bool:
    """Return whether any row refers to it, apart from a krewe's players."""
    return any(rows.exists() for rows in _leading(thing))


def belonging(thing: Model) -> list[Model]:
    """Return the first few rows of each kind that refer to it."""
    return [row for rows in _leading(thing) for row in rows[:MAX_SHOWN]]


def _leading(thing: Model) -> Iterator[QuerySet[Any]]:
    for each in thing._meta.related_objects:
        yield each.related_model._default_manager.filter(**{each.field.name: thing.pk})


def _require(by: Actor, thing: Removable) -> None:
    match thing:
        case Venue():
            policy.require_keep(by, thing)
        case Krewe():
            policy.require_run(by, thing.league)
        case Season() | Circuit():
            policy.require_run(by, policy.league_of(thing))
        case Division():
            policy.require_run(by, thing.season.league)
        case Qualifier() if not policy.may_withdraw(by, thing.tournament):
            policy.require_run(by, thing.circuit.season.league)
