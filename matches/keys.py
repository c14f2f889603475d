"""API keys: credentials of programs, each for some of the rights of its owner."""

import hashlib
import logging
import secrets
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

from allauth.mfa.base.internal.flows import check_rate_limit
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.db import OperationalError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from matches import canonical, once
from matches.errors import BadInput, Conflict, IdReused, NotFound
from matches.models import Key
from matches.prepared import Prepared

SCOPES = {
    "matches": gettext_lazy("Open and record matches"),
    "characters": gettext_lazy("Keep characters and their books"),
    "league": gettext_lazy("Run leagues and tournaments"),
}
logger = logging.getLogger(__name__)

LIMIT = 20  # keys a user may have of each kind
SIGNED_IN_FOR = timedelta(days=30)


def keys_of(user: User) -> QuerySet[Key]:
    """Return a user's keys, newest first: those they made, and those made for a password."""
    return Key.objects.filter(user=user)


def make(
    user: User,
    *,
    name: str,
    scopes: Sequence[str],
    expires_at: datetime | None = None,
    act_id: UUID | None = None,
) -> str:
    """Create a key and return it, this once. Raises: BadInput, Conflict.

    Idempotent by `act_id`: a repeated call returns a new key in place of the old one, until that is
    used.
    """
    name = canonical.text_from(name, "$.name", 60, least=1)
    if unknown := sorted(set(scopes) - SCOPES.keys()):
        raise BadInput(
            "unknown-scope",
            gettext("There is no scope {unknown}: {SCOPES}.").format(
                unknown=unknown[0], SCOPES=", ".join(SCOPES)
            ),
        )
    key = _new()

    def keep(made: Key) -> None:
        _lock(user)
        if keys_of(user).filter(by_password=False).count() >= LIMIT:
            raise Conflict(
                "too-many-keys",
                gettext("You have {LIMIT} keys; end one of them first.").format(LIMIT=LIMIT),
            )
        made.expires_at, made.digest = expires_at, _digest(key)
        made.save(force_insert=True)

    maker = UUID(int=user.pk)
    made = once.make(Key, maker, act_id, keep=keep, user=user, name=name, scopes=[*scopes])
    unused = Key.objects.filter(pk=made.pk, used_on=None)
    if not once.made_now(made) and not unused.update(digest=_digest(key)):
        raise IdReused(act_id)
    return key


def make_by_password(user: User) -> str:
    """Create a key for a user who gave their password, deleting the oldest such key if need be."""
    with transaction.atomic():
        _lock(user)
        mine = keys_of(user).filter(by_password=True)
        kept = mine.values_list("pk", flat=True)[: LIMIT - 1]
        mine.exclude(pk__in=list(kept)).delete()
        end = timezone.now() + SIGNED_IN_FOR
        scopes = [*SCOPES]
        return issue(user, name="Password", scopes=scopes, expires_at=end, by_password=True)


def _lock(user: User) -> None:
    """Lock the user's row until the transaction ends, so that keys can be counted."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)


def end_with_password(instance: User, **kwargs: object) -> None:
    """Delete the keys made for a password once another one is saved, whoever set it."""
    if instance._password is not None:  # type: ignore[attr-defined]  # set, and no better hash of it
        keys_of(instance).filter(by_password=True).delete()


def issue(user: User, **fields: object) -> str:
    """Create a key with these columns and return it."""
    key = _new()
    Key.objects.create(user=user, digest=_digest(key), **fields)
    return key


def _new() -> str:
    return f"zgxl_{secrets.token_urlsafe(32)}"


def end(user: User, pk: UUID) -> None:
    """Delete a key; it stops working. Raises: NotFound."""
    if not keys_of(user).filter(pk=pk).delete()[0]:
        raise NotFound(gettext("There is no such key."), "no-such-key")


def narrow(user: User, pk: UUID, scope: str) -> None:
    """Take a scope from a key, which goes on with the others. Raises: NotFound."""
    with transaction.atomic():
        _lock(user)
        key = keys_of(user).filter(pk=pk).first()
        if key is None or scope not in key.scopes:
            raise NotFound(gettext("There is no such key."), "no-such-key")
        key.scopes = [each for each in key.scopes if each != scope]
        key.save(update_fields=["scopes"])


# Columns of users that few requests need, deferred to save time.
_SELDOM = [
    "user__last_login",
    "user__date_joined",
    "user__first_name",
    "user__last_name",
    "user__email",
]
_HOLDING = Prepared(
    lambda digest, now: (
        Key.objects.order_by()
        .filter(Q(expires_at=None) | Q(expires_at__gt=now), digest=digest)
        .select_related("user__player")
        .defer("name", "digest", "created_at", "expires_at", *_SELDOM, "user__password")
    ),
    digest="?",
    now=datetime(1, 1, 1, tzinfo=UTC),
)


def find(key: str) -> Key | None:
    """Return a valid key with its user and player; the day of its use is stored."""
    now = timezone.now()
    found = _HOLDING.first(digest=_digest(key), now=now)
    if found is None:
        return None
    if found.used_on != now.date():
        _note_use(found, now.date())
    return found


def _note_use(key: Key, day: date) -> None:
    """Store the day a key was last used, if it can be written: reading must not fail for it."""
    try:
        Key.objects.filter(pk=key.pk).update(used_on=day)
    except OperationalError as error:
        logger.warning("the day a key was used cannot be stored: %s", error)


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def require_second_factor(user: User, code: str) -> None:
    """Require a code of the user's second factor, if they have one.

    Raises: BadInput for a missing or wrong one, Django's ValidationError for too many of those.
    """
    factors = list(Authenticator.objects.filter(user=user))
    if not factors:
        return
    forget = check_rate_limit(user) if code else None
    if not any(factor.wrap().validate_code(code) for factor in factors):
        raise BadInput(
            "second-factor-needed", gettext("Send the `code` of your second factor too.")
        )
    if forget is not None:
        forget()
