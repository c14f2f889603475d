"""Sixteen concurrent writers, in threads with their own connections."""

from collections.abc import Callable
from threading import Barrier, Thread
from typing import Any

from django.db import IntegrityError, close_old_connections, connection

from matches import selectors
from matches.actors import Actor
from matches.errors import Refused
from matches.log import Receipt
from matches.models import Match

WRITERS = 16
PATIENCE = 120  # seconds

Answer = Receipt | Exception


def rounds(write: Callable[[int, int], Any], count: int) -> list[list[Answer]]:
    """Run `write(round, writer)` in sixteen threads that start every round together.

    Returns the answers by round.
    """
    answers: list[list[Answer]] = [[] for _ in range(count)]
    barrier = Barrier(WRITERS)

    def work(writer: int) -> None:
        try:
            for number in range(count):
                barrier.wait(PATIENCE)
                try:
                    answers[number].append(write(number, writer))
                except (Refused, IntegrityError) as error:
                    answers[number].append(error)
                barrier.wait(PATIENCE)
        except BaseException:
            barrier.abort()
            raise
        finally:
            connection.close()

    threads = [Thread(target=work, args=(writer,)) for writer in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    close_old_connections()
    return answers


def copies(match: Match, by: Actor) -> list[Match]:
    """Return sixteen instances of a match, as sixteen requests would each have loaded it."""
    return [selectors.match_for(by, match.code) for _ in range(WRITERS)]


def status(answer: Answer) -> int:
    """Return the HTTP status for an answer, 500 for an unexpected error."""
    if isinstance(answer, Receipt):
        return 201 if answer.recorded else 200
    return answer.status if isinstance(answer, Refused) else 500
