"""Send mutated requests to the site in this process, and watch the tables for writes.

`python -m tests.prove --answers SEED COUNT` does so on the database of `DATABASE_URL` and prints
the statuses as JSON, so that engines can be compared.
"""

import hashlib
import json
import logging
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any
from uuid import UUID

import msgspec
from axes.utils import reset
from django.apps import apps
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.db.models import Model
from django.test import Client

from matches import keys, links, transfer
from matches.models import Match
from tests import factories
from tests.prove.experiment import Broken, require
from tests.prove.requests import Sent, Source, duel

PER_TABLE = 100
PER_DATABASE = 1000
HARMLESS = re.compile(
    r"\s*(SELECT|SAVEPOINT|RELEASE|ROLLBACK|BEGIN|COMMIT|PRAGMA"
    r'|(INSERT INTO|UPDATE|DELETE FROM) "(django_session|axes_|matches_key))',
    re.IGNORECASE,
)
SAFE = ("get", "head", "options", "trace")
FIXED = UUID("0190a000-0000-7000-8000-00000000000a")


class World:
    """The targets of the requests, two running matches, and the clients that send them."""

    def __init__(self) -> None:
        opener = factories.actor()
        self.users = {
            "opener": opener.user,
            "stranger": factories.user(),
            "staff": factories.user(),
        }
        User.objects.filter(pk=self.users["staff"].pk).update(is_staff=True, is_superuser=True)
        match = factories.played(2, by=opener)
        seats = [
            factories.SeatRequest(label=seat.label, deck=msgspec.to_builtins(seat.deck))
            for seat in duel().setup.seats
        ]
        cards = factories.match(opener, "zg", seats)
        self.seat = links.seat_token(match.seats.get(number=1))
        self.values = self._values(match, cards)
        self.clients: dict[str, Client] = {}
        self.keys = {name: factories.key(user) for name, user in self.users.items()}
        for name in (*self.users, "visitor", "seat"):
            self.enter(name)

    def _values(self, match: Match, cards: Match) -> dict[bytes, bytes]:
        values = {
            "code": match.code,
            "duel": cards.code,
            "log": match.log.pk,
            "token": self.seat,
            "number": 1,
            "version": 2,
            "player": match.opener_id,
            "player_id": match.opener_id,
            "pk": match.opener_id,
            "key": "zg",
            "tool": "compare",
            "page": "bench",
            "act": FIXED,
            "act_id": FIXED,
            "file": transfer.export_ndjson(cards).decode(),
            "notation": transfer.export_notation(cards),
        }
        return {b"{%s}" % name.encode(): str(value).encode() for name, value in values.items()}

    def enter(self, name: str) -> None:
        """Sign a client in afresh, with a new account if its own was erased."""
        self.clients[name] = Client(raise_request_exception=False, SERVER_NAME="localhost")
        if name in self.users:
            if not User.objects.filter(pk=self.users[name].pk).exists():
                self.users[name] = factories.user()
            self.clients[name].force_login(self.users[name])
            self.keys[name] = factories.key(self.users[name])
        elif name == "seat":
            self.clients[name].post(f"/j/{self.seat}/")

    def require_in(self, name: str) -> bool:
        """Sign a client in again if its session or key is gone; return whether it was."""
        session = self.clients[name].cookies.get("sessionid")
        signed_in = bool(session and session.value)
        key_holds = keys.find(self.keys.get(name, "")) is not None
        if (signed_in, key_holds) == (name != "visitor", name in self.users):
            return False
        self.enter(name)
        return True

    def fill(self, raw: bytes) -> bytes:
        return re.sub(rb"\{\w+\}", lambda name: self.values.get(name[0], name[0]), raw)

    def watch(self, execute: Any, statement: str, *rest: Any) -> Any:
        """Note before a statement runs that it may write to a watched table."""
        self.wrote |= not HARMLESS.match(statement)
        return execute(statement, *rest)

    def answer(self, sent: Sent) -> int:
        """Send one request and return the status of the response. Raises: Broken for 5xx."""
        client = self.clients[sent.by]
        headers = {name: self.fill(value).decode("latin-1") for name, value in sent.headers}
        if sent.path.startswith(b"/api/"):
            client = Client(raise_request_exception=False, SERVER_NAME="localhost")
            if sent.by in self.keys:
                headers["Authorization"] = f"Token {self.keys[sent.by]}"
            elif sent.by == "seat":
                headers["X-Seat"] = self.seat
        cache.clear()  # it holds the rate limits' counters
        with connection.execute_wrapper(self.watch):
            answer = client.generic(
                sent.method.upper(),
                self.fill(sent.path).decode("latin-1"),
                self.fill(sent.body),
                content_type=sent.media,
                headers=headers,
            )
        for _ in answer.streaming_content if answer.streaming else ():
            pass
        if answer.status_code >= 500:
            fault = answer.exc_info[1] if answer.exc_info else ""
            raise Broken(f"{answer.status_code} for {sent}: {fault!r}")
        return int(answer.status_code)


NOT_LOOKED_AT = ("sessions", "axes", "contenttypes")


def fingerprint(*besides: type[Model]) -> bytes:
    """Return a digest of all rows except those of sessions, failed logins and `besides`."""
    tables = [
        model._meta.db_table
        for model in apps.get_models()
        if model._meta.app_label not in NOT_LOOKED_AT and model not in besides
    ]
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":  # in one query
            each = "(SELECT md5(string_agg(t::text, '|' ORDER BY t::text)) FROM \"{}\" t)"
            cursor.execute(f"SELECT {', '.join(map(each.format, tables))}")
            return repr(cursor.fetchone()).encode()
        digest = hashlib.sha256()
        for table in tables:
            cursor.execute(f'SELECT * FROM "{table}" ORDER BY 1')
            digest.update(repr(cursor.fetchall()).encode())
        return digest.digest()


def statuses(
    seed: int, count: int, only: Callable[[Sent], bool] | None = None
) -> Iterator[tuple[Sent, int]]:
    """Send `count` requests and yield each with its status; `only` filters the generated ones.

    Raises: Broken for a server error, and for a row written by a refused request.
    """
    source = filter(only, Source(seed))
    for start in range(0, count, PER_TABLE):
        if start % PER_DATABASE == 0:
            call_command("flush", interactive=False, verbosity=0)
            ContentType.objects.clear_cache()
            factories.user("ada")
            factories.user("ben")
        reset()
        yield from _at_one_table(islice(source, min(PER_TABLE, count - start)))


def _at_one_table(requests: Iterable[Sent]) -> Iterator[tuple[Sent, int]]:
    world = World()
    before = fingerprint()
    for sent in requests:
        world.wrote = False
        status = world.answer(sent)
        yield sent, status
        if world.wrote and (sent.method in SAFE or status >= 400):
            require(fingerprint() == before, f"rows were written, though answered {status}: {sent}")
        entered = sent.method not in SAFE and status < 400 and world.require_in(sent.by)
        if world.wrote or entered:
            before = fingerprint()


def main(seed: str, count: str) -> None:
    call_command("migrate", verbosity=0)
    warnings.simplefilter("error")
    logging.disable(logging.CRITICAL)
    print(json.dumps([status for _, status in statuses(int(seed), int(count))]))
