"""Erasing a person: what names them goes, what they played stays.

No event holds a name, so every chain, digest and outcome is left as it is. The player's row
stays without a name, for logs refer to it by an opaque id.
"""

from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import uuid4

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.module_loading import import_string

from matches import policy
from matches.errors import Conflict
from matches.models import Claim, Job, Match, Note, Player, Proposal, Seat
from matches.policy import Actor

NAMELESS = "Erased player"

Eraser = Callable[[Player], None]
"""What a higher floor does with its own rows of a person; named in `settings.ERASERS`."""


def erase(*, by: Actor, player: Player) -> None:
    """Erase a person for good: themself, or by a superuser.

    Raises: NotAllowed, Conflict for the last superuser.
    """
    policy.require_erase(by, player)
    with transaction.atomic():
        erase_everything(player)


def erase_everything(player: Player) -> None:
    """Erase a person, whoever asks; in the caller's transaction. Raises: Conflict."""
    user = player.user
    if user is not None and _is_last_superuser(user):
        raise Conflict("last-superuser", "Name another superuser first: somebody has to be one.")
    names = [name for name in (player.name, user and user.username) if name]
    for path in settings.ERASERS:
        eraser: Eraser = import_string(path)
        eraser(player)
    _forget_words(player, names)
    _forget_traces(player, names)
    if user is not None:
        _end_sessions(user)
        user.delete()  # with their key for programs, and what they did in the admin
    for guest in player.claimed.all():
        erase_everything(guest)
    player.guests.update(invited_by=None)
    Player.objects.filter(pk=player.pk).update(
        name=NAMELESS, user=None, invited_by=None, claimed_by=None
    )
    Claim.objects.filter(guest=player).delete()
    player.refresh_from_db()
    transaction.on_commit(partial(scrub, connection.alias))


def _is_last_superuser(user: User) -> bool:
    others = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=user.pk)
    return user.is_superuser and not others.exists()


def _forget_words(player: Player, names: list[str]) -> None:
    """Blank what they wrote, and the titles and places that name them.

    A part of their name alone is looked for only in matches they had to do with.
    """
    Note.objects.filter(author=player.pk).update(
        text="", salt="", author=None, erased_at=timezone.now()
    )
    Proposal.objects.filter(player=player).update(note="")
    theirs = Q(opener=player) | Q(seats__player=player) | Q(officials=player)
    words = {word for name in names for word in name.split() if len(word) > 2}
    for field in ("title", "place"):
        for name in names:
            Match.objects.filter(**{f"{field}__icontains": name}).update(**{field: ""})
        for word in words:
            named = Match.objects.filter(theirs, **{f"{field}__icontains": word})
            pks = list(named.values_list("pk", flat=True))
            Match.objects.filter(pk__in=pks).update(**{field: ""})


def _forget_traces(player: Player, names: list[str]) -> None:
    """Forget who asked for jobs, the links to their seats, and what admin and sign-in noted."""
    Job.objects.filter(asked_by=player.pk).update(asked_by=None)
    for seat in Seat.objects.filter(player=player):
        Seat.objects.filter(pk=seat.pk).update(link=uuid4())
    named = Q()
    for name in names:
        named |= Q(object_repr__icontains=name) | Q(change_message__icontains=name)
    LogEntry.objects.filter(named).update(object_repr=NAMELESS, change_message="")
    if player.user is not None:
        for model in (AccessAttempt, AccessFailureLog, AccessLog):
            model.objects.filter(username__iexact=player.user.username).delete()


def _end_sessions(user: User) -> None:
    for session in Session.objects.iterator():
        if session.get_decoded().get("_auth_user_id") == str(user.pk):
            session.delete()


def scrub(using: str) -> None:
    """Overwrite what SQLite keeps of old rows in free pages and in its write-ahead log.

    PostgreSQL does so by its own vacuum; only the owner of the tables may call one.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        return
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def told(player: Player) -> dict[str, Any]:
    """Return what an erasure would touch, for whoever has to confirm it."""
    return {
        "player": player,
        "matches": Match.objects.filter(seats__player=player).distinct().count(),
        "notes": Note.objects.filter(author=player.pk, erased_at=None).count(),
    }
