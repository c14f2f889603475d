"""Founding leagues, opening venues, and editing their descriptions."""

from contextlib import suppress
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils.text import slugify
from django.utils.translation import gettext

from league import policy, roles, texts
from league.models import League, Role, Venue
from league.opening import require_timezone
from league.texts import of_field
from matches import once
from matches.actors import Actor
from matches.errors import BadInput
from matches.opening import game_named

MAX_TRIES = 9
MAX_TABLES = 4096


@transaction.atomic
def _insert_named(row: Venue | League) -> None:
    """Save a new row with a slug that is not taken yet.

    If rows with the same name are created at once, each retries with the next slug. Raises:
    IntegrityError if the row itself exists already.
    """
    for _ in range(MAX_TRIES):
        row.slug = _slug(type(row), row.name)
        with suppress(IntegrityError), transaction.atomic():
            row.save(force_insert=True)
            return
        if type(row).objects.filter(pk=row.pk).exists():
            break
    row.slug = f"{row.slug[:50]}-{row.pk.hex[-8:]}"
    row.save(force_insert=True)


def _slug(model: type[Venue] | type[League], name: str) -> str:
    """Return a slug for a name that no row of the model has yet."""
    base = slugify(name)[:50] or model.__name__.lower()
    taken = {"new", *model.objects.filter(slug__startswith=base).values_list("slug", flat=True)}
    wanted = base
    for number in range(2, len(taken) + 3):
        if wanted not in taken:
            break
        wanted = f"{base}-{number}"
    return wanted


def found_league(
    *,
    by: Actor,
    name: str,
    game: str = "zg",
    about: str = "",
    house_rules: str = "",
    venue: Venue | None = None,
    is_open: bool = True,
    act_id: UUID | None = None,
) -> League:
    """Found a league, with the actor as organiser. Idempotent per `act_id`.

    Raises: NotAllowed, BadInput, IdReused.
    """
    founder = policy.require_make(by)
    game_named(game, "$.game")

    def keep(league: League) -> None:
        _insert_named(league)
        roles.given(by, league=league, player=founder, role=Role.ORGANISER)

    return once.make(
        League,
        founder.pk,
        act_id,
        keep=keep,
        name=texts.name(name),
        game=game,
        about=of_field(League, "about", about),
        house_rules=of_field(League, "house_rules", house_rules),
        venue=venue,
        is_open=is_open,
    )


def edit_league(*, by: Actor, league: League, **changes: Any) -> None:
    """Change a league's description. Raises: NotAllowed, BadInput."""
    policy.require_run(by, league)
    for name, value in changes.items():
        if isinstance(value, str):
            value = of_field(League, name, value)
        setattr(league, name, value)
    league.save(update_fields=list(changes))


def open_venue(
    *,
    by: Actor,
    name: str,
    region: str = "",
    timezone: str = "",
    tables: int | None = None,
    about: str = "",
    house_rules: str = "",
    lore: str = "",
    act_id: UUID | None = None,
) -> Venue:
    """Open a venue, with the actor as keeper. Idempotent per `act_id`.

    Raises: NotAllowed, BadInput, IdReused.
    """
    keeper = policy.require_make(by)
    return once.make(
        Venue,
        keeper.pk,
        act_id,
        keep=_insert_named,
        name=texts.name(name),
        region=of_field(Venue, "region", region),
        timezone=timezone and require_timezone(timezone),
        tables=_tables(tables),
        about=of_field(Venue, "about", about),
        house_rules=of_field(Venue, "house_rules", house_rules),
        lore=of_field(Venue, "lore", lore),
        keeper=keeper,
    )


def edit_venue(*, by: Actor, venue: Venue, **changes: Any) -> None:
    """Change a venue's description or its keeper. Raises: NotAllowed, BadInput."""
    policy.require_keep(by, venue)
    for name, value in changes.items():
        if name == "timezone":
            value = value and require_timezone(value)
        elif name == "tables":
            value = _tables(value)
        elif name != "keeper":
            value = of_field(Venue, name, value)
        setattr(venue, name, value)
    venue.save(update_fields=list(changes))


def _tables(count: int | None) -> int | None:
    """Return how many tables a venue has, None if that is not told. Raises: BadInput."""
    if count is not None and not 0 < count <= MAX_TABLES:
        detail = gettext("A venue has from 1 to {most} tables.").format(most=MAX_TABLES)
        raise BadInput("bad-number", detail, "$.tables")
    return count
