"""The post: letters of an outbox go out, each claimed before it is sent and settled after.

A worker killed before the mail server took a letter leaves a row that is claimed again later, so
none is lost. One killed between the server's yes and our commit has its letter sent twice: SMTP has
no way to ask. Both then carry one Message-ID, by which mail servers and readers can tell that they
are the same.
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

CLAIMED = timedelta(minutes=5)  # more than a letter takes: its worker is gone
MOST_ATTEMPTS = 8
AT_ONCE = 200

L = TypeVar("L", bound=Letter)
S = TypeVar("S")
logger = logging.getLogger(__name__)


def due(letters: QuerySet[L]) -> QuerySet[L]:
    """Narrow letters to what is to be told and was not, and nobody is about to tell."""
    now = timezone.now()
    free = Q(claimed_at=None) | Q(claimed_at__lt=now - CLAIMED)
    return untold(letters).filter(free, attempts__lt=MOST_ATTEMPTS, due_at__lte=now)


def given_up(letters: QuerySet[L]) -> QuerySet[L]:
    """Narrow letters to what is to be told, and is tried no more."""
    return untold(letters).filter(attempts__gte=MOST_ATTEMPTS)


def untold(letters: QuerySet[L]) -> QuerySet[L]:
    """Narrow letters to what is to be told and was not."""
    return letters.exclude(wanted="").exclude(wanted=F("settled"))


def send(
    letters: Sequence[L], still_due: QuerySet[L], write: Callable[[L], EmailMessage | None]
) -> int:
    """Send letters that `still_due` holds when their turn comes; return how many went out.

    `write` returns None of one that is to be told no more. One that can not be written is put
    off, and stops no other. When the mail server is away nothing is claimed, and all stays due.
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
    """Claim a letter, send it and settle it; tell whether it went out."""
    now = timezone.now()
    row = type(letter)._default_manager.filter(pk=letter.pk)
    if not still_due.filter(pk=letter.pk, wanted=letter.wanted).update(claimed_at=now):
        return False
    try:
        message = write(letter)
    except Exception as error:
        logger.error("%s %s can not be written: %r", type(letter).__name__, letter.pk, error)
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
    """Have letters tried again that were given up or wait."""
    letters.update(attempts=0, error="", due_at=timezone.now())


def once_each(make: Callable[[UUID], S]) -> Callable[[UUID], S]:
    """Return `make`, asked once for each tournament: what it raised then it raises again."""
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
