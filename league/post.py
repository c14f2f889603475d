"""Send the letters of an outbox: each is claimed before it is sent and settled afterwards.

If a worker is killed before the mail server accepted a letter, its row is claimed again later, so
none is lost. If it is killed between the server's acceptance and our commit, the letter is sent
twice, which SMTP cannot prevent; both copies carry the same Message-ID, so that mail servers and
readers can tell that they are the same.
"""

import logging
from collections.abc import Callable, Sequence
from datetime import timedelta
from smtplib import SMTPException
from typing import Any, TypeVar
from uuid import UUID

from django.core.mail import EmailMessage, get_connection
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from league.models.telling import Letter

CLAIMED = timedelta(minutes=5)  # lease of a claimed row; a worker that takes longer is dead
MAX_ATTEMPTS = 8
AT_ONCE = 200
FRESH = timedelta(days=2)  # what is older is no longer worth a letter

L = TypeVar("L", bound=Letter)
S = TypeVar("S")
logger = logging.getLogger(__name__)


def due(letters: QuerySet[L]) -> QuerySet[L]:
    """Filter letters to those to be sent now that no worker is sending."""
    now = timezone.now()
    free = Q(claimed_at=None) | Q(claimed_at__lt=now - CLAIMED)
    return unsent(letters).filter(free, attempts__lt=MAX_ATTEMPTS, due_at__lte=now)


def given_up(letters: QuerySet[L]) -> QuerySet[L]:
    """Filter letters to those whose attempts are exhausted."""
    return unsent(letters).filter(attempts__gte=MAX_ATTEMPTS)


def unsent(letters: QuerySet[L]) -> QuerySet[L]:
    """Filter letters to those not sent yet."""
    return letters.exclude(wanted="").exclude(wanted=F("settled"))


def send(
    letters: Sequence[L], still_due: QuerySet[L], write: Callable[[L], EmailMessage | None]
) -> int:
    """Send letters that are still in `still_due` when their turn comes; return how many were sent.

    `write` returns None for a letter that is outdated. One that cannot be written is postponed and
    does not stop the others. If the mail server is down, nothing is claimed and all remain due.
    """
    sent, connection = 0, get_connection()
    try:
        for letter in letters:
            connection.open()
            sent += _send(connection, letter, still_due, write)
    except (SMTPException, OSError) as error:
        logger.warning("the mail server does not answer: %s", error)
    finally:
        connection.close()
    return sent


def _send(
    connection: Any, letter: L, still_due: QuerySet[L], write: Callable[[L], EmailMessage | None]
) -> bool:
    """Claim a letter, send it and settle it; return whether it was sent."""
    now = timezone.now()
    row = type(letter)._default_manager.filter(pk=letter.pk)
    if not still_due.filter(pk=letter.pk, wanted=letter.wanted).update(claimed_at=now):
        return False
    try:
        message = write(letter)
    except Exception as error:
        logger.error("%s %s cannot be written: %r", type(letter).__name__, letter.pk, error)
        _put_off(row, letter, error)
        return False
    if message is None:
        row.update(settled=letter.wanted, claimed_at=None)
        return False
    try:
        connection.send_messages([message])
    except (SMTPException, OSError) as error:
        _put_off(row, letter, error)
        connection.close()
        return False
    row.update(
        settled=letter.wanted,
        sent=F("sent") + 1,
        sent_at=now,
        claimed_at=None,
        error="",
        attempts=0,
    )
    return True


def _put_off(row: QuerySet[L], letter: L, error: Exception) -> None:
    again = timezone.now() + timedelta(minutes=2**letter.attempts)
    row.update(claimed_at=None, attempts=F("attempts") + 1, due_at=again, error=repr(error)[:500])


def try_again(letters: QuerySet[L]) -> None:
    """Retry letters that were given up or wait for their next attempt."""
    letters.update(attempts=0, error="", due_at=timezone.now())


def once_each(make: Callable[[UUID], S]) -> Callable[[UUID], S]:
    """Return `make` with results cached per tournament; an exception is cached and raised again."""
    known: dict[UUID, S | Exception] = {}

    def made(tournament: UUID) -> S:
        if tournament not in known:
            try:
                known[tournament] = make(tournament)
            except Exception as error:
                logger.exception("no letters of tournament %s can be written", tournament)
                known[tournament] = error
        found = known[tournament]
        if isinstance(found, Exception):
            raise found
        return found

    return made
