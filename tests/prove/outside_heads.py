"""Heads stored outside: truncated, rehashed and deleted logs, with and without them."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from django.db import transaction
from django.db.models import Max
from django.test import override_settings

from matches import heads, rows
from matches.models import Event, FeedHead, Job, Log, Match
from matches.verify import verify
from rules import chain
from tests import database, factories
from tests.prove.experiment import Found, experiment, must_break, require

ENTRIES = 12


@experiment(
    section="Tampering",
    promise="Truncated, rechained and removed logs, all consistent in themselves, are detected "
    "with the heads stored outside, at their first bad entry.",
    full={"tamperings": 1500},
    short={"tamperings": 24},
)
def outside_heads(*, tamperings: int) -> Found:
    """Tamper repeatedly as the owner, each time in a transaction that is rolled back."""
    pick = random.Random(tamperings)
    with _outside() as folder:
        matches = [_played(pick) for _ in range(6)]
        missed = _missed_without(matches, pick, tamperings, folder)
        for _ in range(tamperings):
            _found_with(pick.choice(matches), pick)
        broke = must_break(lambda: _without(folder, matches[0], pick))
    return Found(
        asked=f"{tamperings:,} times a log truncated, rechained or removed, with the head and the "
        "feed adjusted to match",
        found=f"{tamperings:,} detected, the first bad entry named each time",
        counts={"tamperings": tamperings, "missed without heads": missed},
        bite=f"With the files of heads removed: {broke}.",
    )


@contextmanager
def _outside() -> Iterator[Path]:
    with TemporaryDirectory(prefix="zgxl-") as home:
        folder = Path(home) / "heads"
        with override_settings(HEADS_DIR=folder, HEADS_KEY_FILE=Path(home) / "key"):
            yield folder


def _played(pick: random.Random) -> Match:
    """Return a match whose head was written outside from time to time."""
    match = factories.match()
    for _ in range(ENTRIES):
        factories.record(match)
        if pick.random() < 0.3:
            heads.write()
    heads.write()
    match.log.refresh_from_db()
    return match


def _found_with(match: Match, pick: random.Random) -> None:
    """Tamper once, and require that it is detected and named. Raises: Broken."""
    version = pick.randint(2, ENTRIES)
    way = pick.choice(("cut", "chain", "remove"))
    with transaction.atomic():
        database.unprotect()
        log = match.log
        if way == "remove":
            _remove(log)
            known = {head.log for head in heads.gone()}
            require(log.pk in known, f"the log {log.pk} is gone, and nobody knows")
        else:
            _cut(log, version) if way == "cut" else _chain_anew(log, version)
            bad = version + 1 if way == "cut" else version
            report = verify(Log.objects.get(pk=log.pk))
            require(
                (report.first_bad, report.problem) == (bad, "outside"),
                f"{way} at {version}: the check said {report.first_bad} {report.problem!r}",
            )
        transaction.set_rollback(True)


def _missed_without(
    matches: list[Match], pick: random.Random, tamperings: int, folder: Path
) -> int:
    """Count how many truncated or rehashed logs pass without the heads: all of them."""
    missed = 0
    with override_settings(HEADS_DIR=folder / "nothing"):
        for _ in range(max(10, tamperings // 10)):
            match, version = pick.choice(matches), pick.randint(2, ENTRIES)
            with transaction.atomic():
                database.unprotect()
                pick.choice((_cut, _chain_anew))(match.log, version)
                missed += verify(Log.objects.get(pk=match.log.pk)).ok
                transaction.set_rollback(True)
    return missed


def _without(folder: Path, match: Match, pick: random.Random) -> None:
    with override_settings(HEADS_DIR=folder / "nothing"):
        _found_with(match, pick)


def _cut(log: Log, version: int) -> None:
    Event.objects.filter(log=log, version__gt=version).delete()
    last = Event.objects.get(log=log, version=version, ordinal=0)
    Log.objects.filter(pk=log.pk).update(head_version=version, head_hash=last.hash)
    FeedHead.objects.update(position=Event.objects.aggregate(last=Max("position"))["last"])


def _chain_anew(log: Log, version: int) -> None:
    previous = Event.objects.get(log=log, version=version - 1, ordinal=0).hash
    Event.objects.filter(log=log, version=version, ordinal=0).update(salt="5a" * 16)
    for record, _ in list(rows.records_of(log, version - 1)):
        previous = chain.sealed(str(log.pk), previous, record).hash
        Event.objects.filter(log=log, version=record.version, ordinal=0).update(hash=previous)
    Log.objects.filter(pk=log.pk).update(head_hash=previous)


def _remove(log: Log) -> None:
    Match.objects.filter(log=log).delete()
    Job.objects.filter(log=log).delete()
    Event.objects.filter(log=log).delete()
    Log.objects.filter(pk=log.pk).delete()
