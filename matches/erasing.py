"""Erasing a person: what names them is deleted, what they played stays.

No event holds a name, so every chain, digest and outcome is unchanged. The player's row stays
without a name, as logs refer to it by an opaque id.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any
from uuid import uuid4

from allauth.usersessions.models import UserSession
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.db.models import ForeignKey, Model, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from matches import parcels, people, policy
from matches.actors import Actor
from matches.configured import functions
from matches.errors import Conflict
from matches.models import Claim, Job, Match, Note, Player, Proposal, Seat

NAMELESS = "Erased player"
_JOINED = (  # Thai, Lao, Burmese, Khmer, kana, Han, Hangul: scripts without spaces between words
    r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff"
    r"\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_SPACED = rf"[^\W{_JOINED}]"
_IS_JOINED = re.compile(f"[{_JOINED}]")

Eraser = Callable[[Player], None]
"""Erases a person from a higher floor's rows; named in `settings.ERASERS`."""


def erase(*, by: Actor, player: Player) -> None:
    """Erase a person for good. Allowed to themselves and to superusers.

    Raises: NotAllowed; Conflict for the last superuser.
    """
    policy.require_erase(by, player)
    with transaction.atomic():
        erase_everything(player)


def erase_everything(player: Player) -> None:
    """Erase a person without a permission check, in the caller's transaction. Raises: Conflict."""
    people.locked(Q(pk=player.pk) | Q(claimed_by=player.pk))
    player.refresh_from_db()
    user = player.user
    if user is not None and _is_last_superuser(user):
        raise Conflict(
            "last-superuser", gettext("Name another superuser first: somebody has to be one.")
        )
    names = names_of(player)
    _forget_admin(player, names)
    erasers: list[Eraser] = functions("ERASERS")
    for eraser in erasers:
        eraser(player)
    _forget_words(player, names)
    _forget_traces(player)
    if user is not None:
        _end_sessions(user)
        user.delete()  # cascades to their API keys and their admin log entries
    for guest in player.claimed.all():
        erase_everything(guest)
    player.guests.update(invited_by=None)
    Player.objects.filter(pk=player.pk).update(
        name=NAMELESS, user=None, invited_by=None, claimed_by=None, language=""
    )
    Claim.objects.filter(guest=player).delete()
    player.refresh_from_db()
    _afterwards(parcels.spoil)  # of others, under way: their parts may hold the name
    _afterwards(scrub, connection.alias)


def _afterwards(work: Callable[..., object], *of: object) -> None:
    """Run something after the commit. A failure is logged and undoes nothing."""
    transaction.on_commit(lambda: work(*of), robust=True)


def names_of(player: Player) -> list[str]:
    """Return a person's name, and those of the guests they claimed.

    An erased player has none.
    """
    guests = player.claimed.values_list("name", flat=True)
    username = player.user.username if player.user else ""
    nameless = ("", NAMELESS, gettext(NAMELESS))
    return [name for name in (player.name, username, *guests) if name not in nameless]


def naming(names: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern that finds any of some names, or one of their longer words."""
    words = (word for name in names for word in name.split())
    telling = (word for word in words if len(word) > (1 if _IS_JOINED.match(word) else 2))
    return naming_in_full({*names, *telling})


def _is_last_superuser(user: User) -> bool:
    others = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=user.pk)
    return user.is_superuser and not others.exists()


def _forget_words(player: Player, names: list[str]) -> None:
    """Blank the notes they wrote, and texts of their matches that name them."""
    Note.objects.filter(author=player.pk).update(
        text="", salt="", author=None, erased_at=timezone.now()
    )
    Proposal.objects.filter(player=player).update(note="")
    for field in ("title", "place"):
        blank(_matches_of(player), field, naming(names))


def blank(rows: QuerySet[Any], field: str, named: re.Pattern[str], to: str = "") -> None:
    """Blank a text field of rows that name somebody, or replace it by `to`."""
    texts = rows.exclude(**{field: ""}).values_list("pk", field)
    pks = {pk for pk, text in texts if named.search(text)}
    rows.model._default_manager.filter(pk__in=pks).update(**{field: to})


def _matches_of(player: Player) -> QuerySet[Match]:
    """Return the matches a player opened, sat at or was an official of."""
    seated = Seat.objects.filter(player=player).values("match")
    officiated = player.officiated_matches.order_by().values("pk")
    theirs = Q(opener=player) | Q(pk__in=seated) | Q(pk__in=officiated)
    return Match.objects.filter(theirs).order_by()


def naming_in_full(names: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern that finds any of some names as whole words, in any case; none for no name.

    In scripts without spaces between words, a name ends where the next word begins.
    """
    anyone = "|".join(map(re.escape, names)) or "(?!)"
    return re.compile(rf"(?<!{_SPACED})(?:{anyone})(?!{_SPACED})", re.IGNORECASE)


def _forget_admin(player: Player, names: list[str]) -> None:
    """Blank what the admin's log says of them, under any of their names, and of what is theirs.

    In entries about other things, only a name of several words is taken for them: a single word may
    be anything.
    """
    whole = naming_in_full(names)
    full = [name for name in names if len(name.split()) > 1]
    naming_them_alone = naming_in_full(full)
    about_them, named = Q(pk__in=[]), Q(pk__in=[])
    for person in _as_person_and_user(player):
        kind = ContentType.objects.get_for_model(person)
        about_them |= Q(content_type=kind, object_id=person.pk)
    for name in names:
        named |= Q(object_repr__icontains=name) | Q(change_message__icontains=name)
    gone = list(LogEntry.objects.filter(about_them).values_list("pk", flat=True))
    for entry in LogEntry.objects.filter(named).select_related("content_type"):
        text = f"{entry.object_repr}\n{entry.change_message}"
        if naming_them_alone.search(text) or (whole.search(text) and _is_of(entry, player)):
            gone.append(entry.pk)
    LogEntry.objects.filter(pk__in=gone).update(object_repr=NAMELESS, change_message="")


def _as_person_and_user(player: Player) -> list[Model]:
    return [each for each in (player, player.user) if each is not None]


def _is_of(entry: LogEntry, player: Player) -> bool:
    """Tell whether an entry of the admin's log is about something of a player's."""
    kind = entry.content_type
    model: type[Model] | None = kind.model_class() if kind else None
    if model is None:
        return False
    if model is Match:
        return _matches_of(player).filter(Q(pk=entry.object_id)).exists()
    row = model._base_manager.filter(pk=entry.object_id)
    return any(
        row.filter(**{field.name: each}).exists()
        for field in model._meta.get_fields()
        for each in _as_person_and_user(player)
        if isinstance(field, ForeignKey) and field.related_model is type(each)
    )


def _forget_traces(player: Player) -> None:
    """Delete their jobs and what those made, and what sign-in logged; replace their seat links."""
    theirs = Job.objects.filter(asked_by=player.pk)
    for pk in theirs.filter(log=None).values_list("pk", flat=True):
        _afterwards(parcels.remove, pk)
    theirs.filter(log=None).delete()
    theirs.update(asked_by=None)
    for seat in Seat.objects.filter(player=player):
        Seat.objects.filter(pk=seat.pk).update(link=uuid4())
    if player.user is not None:
        for model in (AccessAttempt, AccessFailureLog, AccessLog):
            model.objects.filter(username__iexact=player.user.username).delete()


def _end_sessions(user: User) -> None:
    """End all their sessions.

    Sign-in records the user of most sessions; the others have to be read one by one, which happens
    last so that nobody waits for it.
    """
    noted = UserSession.objects.filter(user=user).values("session_key")
    Session.objects.filter(pk__in=noted).delete()
    _afterwards(_end_unnoted_sessions, str(user.pk))


def _end_unnoted_sessions(user_pk: str) -> None:
    noted = UserSession.objects.values("session_key")
    theirs = [
        session.pk
        for session in Session.objects.exclude(pk__in=noted).iterator()
        if session.get_decoded().get("_auth_user_id") == user_pk
    ]
    Session.objects.filter(pk__in=theirs).delete()


def scrub(using: str) -> None:
    """Overwrite deleted rows that SQLite keeps in free pages and in its write-ahead log.

    PostgreSQL's vacuum does so by itself; only the owner of the tables may run one.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        return
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def extent_of(player: Player) -> dict[str, Any]:
    """Return what an erasure would touch, for whoever has to confirm it."""
    return {
        "player": player,
        "matches": Match.objects.filter(seats__player=player).distinct().count(),
        "notes": Note.objects.filter(author=player.pk, erased_at=None).count(),
        "told": [line for lines in functions("ERASURES_TOLD") for line in lines(player)],
        "alone": [title for titles in functions("RUN_ALONE") for title in titles(player)],
    }
