"""Tampering with stored logs in nine ways: each is detected, and the first bad entry named."""

import random
import secrets
import tempfile
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import msgspec
from django.db import transaction
from django.db.models import F
from django.test import override_settings

import rules
from matches import drafting, heads, rows, services, transfer, triggers
from matches.drafting import Request
from matches.models import Event, Log
from matches.verify import verify
from rules import chain, encoding, notation, replay
from rules.replay import Timeline
from rules.ruleset import event_type
from tests import database, factories
from tests.prove.experiment import Found, experiment, require
from tests.prove.mutated_files import put_away
from tests.prove.requests import duel

SEED = 7
ASIDE = 1_000_000
CONTENT = ("type", "seat", "body")
OF_ACTS = ("act_id", "request_digest", "verdict", "on", "repeats", "state_digest", "salt", "hash",
           "recorded_at", "recorded_by", "said_at")  # fmt: skip


@experiment(
    section="Tampering",
    promise="Any change of stored data is detected, and the first bad entry is named.",
    full={"tamperings": 10_000},
    short={"tamperings": 300},
)
def tampering(*, tamperings: int) -> Found:
    """Tamper with two logs past their triggers, verify, and restore them."""
    table = Table()
    done: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder, database.as_owner():
        triggers.drop()
        key = Path(folder, "key")
        kept = override_settings(HEADS_DIR=Path(folder, "heads"), HEADS_KEY_FILE=key)
        none = override_settings(HEADS_DIR=Path(folder, "none"), HEADS_KEY_FILE=key)
        with kept:
            heads.write()
        for number in range(tamperings):
            kind = KINDS[number % len(KINDS)]
            with transaction.atomic():
                first_bad = kind(table)
                with kept:
                    found(table, kind, first_bad)
                if kind in OUTSIDE_ALONE:
                    with none:
                        missed(table, kind)
                transaction.set_rollback(True)
            done[kind.__name__] += 1
    outside = sum(done[kind.__name__] for kind in OUTSIDE_ALONE)
    told = ", ".join(f"{name} {count:,}" for name, count in done.items())
    return Found(
        asked=f"{tamperings:,} tamperings of {len(done)} kinds ({told})",
        found=f"all {tamperings:,} detected, the first bad entry named each time",
        counts={"tamperings": tamperings, **done},
        bite=f"Without the signed heads stored outside, all {outside:,} truncated, rechained "
        "and deleted logs were missed.",
    )


class Table:
    """Two logs to tamper with in turn: a card game, and points with every field of an act."""

    def __init__(self) -> None:
        self.pick = random.Random(SEED)
        self.logs = [_scored(), _duel()]
        self.log = self.logs[0]

    def turn(self, log: Log | None = None) -> Log:
        """Choose the log to tamper with next."""
        self.log = log or self.pick.choice(self.logs)
        self.log.refresh_from_db()
        return self.log

    def version(self, *, upto: int = 0) -> int:
        return self.pick.randint(1, self.log.head_version - upto)

    def rows(self, version: int | None = None) -> Any:
        found = Event.objects.filter(log=self.log)
        return found if version is None else found.filter(version=version)


def _scored() -> Log:
    match = factories.match()
    by = factories.opener_of(match)
    for number in range(12):
        factories.record(match, factories.points(1 + number % 2, number % 5))
    services.take_back(match=match, by=by, act_id=uuid4(), to=match.log.head_version - 1)
    for number in range(12):
        factories.record(match, factories.points(1 + number % 2, 1 + number % 3))
    return match.log


def _duel() -> Log:
    played = duel()
    text = notation.write_match(played.ruleset, played.entries[:40])
    return transfer.import_log(by=factories.actor(), data=text.encode()).log


# -- the nine kinds: each returns the first bad entry -----------------------------------------


def bit(table: Table) -> int:
    """Flip one bit of one value."""
    table.turn()
    row = table.pick.choice(list(table.rows().values()))
    columns = CONTENT if row["ordinal"] else CONTENT + OF_ACTS
    name = table.pick.choice([name for name in columns if row[name] not in (None, "")])
    Event.objects.filter(pk=row["id"]).update(**{name: _flipped(row[name], table.pick)})
    return int(row["version"])


def swap(table: Table) -> int:
    """Swap two events, or two entries."""
    table.turn()
    one, other = sorted(table.pick.sample(range(1, table.log.head_version + 1), 2))
    if table.pick.random() < 0.5:
        for old, new in ((one, ASIDE), (other, one), (ASIDE, other)):
            table.rows(old).update(version=new)
        return one
    first, second = (table.rows(version).get(ordinal=0) for version in (one, other))
    if all(getattr(first, name) == getattr(second, name) for name in CONTENT):
        return swap(table)
    for row, content in ((first, second), (second, first)):
        Event.objects.filter(pk=row.pk).update(**{n: getattr(content, n) for n in CONTENT})
    return one


def drop(table: Table) -> int:
    """Delete an event or an entry, and close the gap or leave it."""
    table.turn()
    version = table.version()
    gone = table.rows(version)
    if table.pick.random() < 0.3:
        gone = gone.filter(ordinal=table.pick.randrange(gone.count()))
    elif table.pick.random() < 0.5:
        gone.delete()
        _shift(table, version, -1)
        return version
    gone.delete()
    return version


def double(table: Table) -> int:
    """Insert a duplicate of an entry after itself."""
    table.turn()
    version = table.version()
    _insert(table, version, version)
    return version + 1


def insert(table: Table) -> int:
    """Insert a forged entry made from another one, or a forged consequence."""
    table.turn()
    version = table.version()
    if table.pick.random() < 0.3:
        last = table.rows(version).last()
        Event.objects.create(
            log=table.log, version=version, ordinal=last.ordinal + 1, position=last.position,
            type=last.type, seat=last.seat, body=last.body,
        )  # fmt: skip
        return version
    _insert(table, version, table.version())
    record = next(rows.records_of(table.log, version, version + 1))[0]
    before = table.rows(version).get(ordinal=0).hash
    salted = msgspec.structs.replace(record, salt=secrets.token_hex(chain.SALT_BYTES))
    sealed = chain.sealed(str(table.log.pk), before, salted)
    table.rows(version + 1).filter(ordinal=0).update(salt=sealed.salt, hash=sealed.hash)
    return version + 1


def kind(table: Table) -> int:
    """Change the kind of an event."""
    table.turn()
    row = table.pick.choice(list(table.rows()))
    ruleset = rules.get(table.log.ruleset)
    known = [event_type(each) for each in (*ruleset.acts, *ruleset.consequences)]
    other = table.pick.choice([name for name in known if name != row.type])
    body = row.body.replace(f'"{row.type}"', f'"{other}"', 1)
    Event.objects.filter(pk=row.pk).update(type=other, body=body)
    return row.version


def tail(table: Table) -> int:
    """Cut off the last entries, and move the head back."""
    table.turn()
    last = table.version(upto=1)
    table.rows().filter(version__gt=last).delete()
    hashed = table.rows(last).get(ordinal=0).hash
    Log.objects.filter(pk=table.log.pk).update(head_version=last, head_hash=hashed)
    return last + 1


def rechain(table: Table) -> int:
    """Change an act, recompute all later consequences, and rehash the whole log."""
    scored = table.turn(table.logs[0])
    version = table.pick.choice(
        table.rows().filter(type="points-scored").values_list("version", flat=True)
    )
    before = list(rows.records_of(scored))
    ruleset = rules.get(scored.ruleset)
    timeline = Timeline(ruleset)
    table.rows().filter(version__gte=version).delete()
    previous = before[version - 2][0].hash
    for record, position in before:
        entry = encoding.entry_of(ruleset, record)
        assert entry is not None
        if record.version >= version:
            act = entry.act
            if record.version == version:
                act = msgspec.structs.replace(act, points=act.points + 1)
            entry, moment = replay.entry_after(ruleset, timeline, act)
            asked = Request(UUID(record.act_id), act, UUID(str(record.recorded_by)))
            sealed = drafting.seal(scored, (record.version - 1, previous), entry, moment, asked)
            rows.insert(scored, [(sealed.record, position)])
            previous = sealed.record.hash
        timeline.append(entry)
    Log.objects.filter(pk=scored.pk).update(head_hash=previous)
    return int(version)


def delete(table: Table) -> int:
    """Delete a whole log with all related rows."""
    put_away(table.turn())
    return 1


Tampering = Callable[[Table], int]
KINDS: tuple[Tampering, ...] = (bit, swap, drop, double, insert, kind, tail, rechain, delete)
OUTSIDE_ALONE: tuple[Tampering, ...] = (tail, rechain, delete)


# -- detection --------------------------------------------------------------------------------


def found(table: Table, kind: Tampering, first_bad: int) -> None:
    told = kind.__name__
    if kind is delete:
        gone = [head.log for head in heads.gone()]
        require(gone == [table.log.pk], f"{told}: the heads miss {gone}")
        return
    report = verify(table.log)
    require(not report.ok, f"{told} at entry {first_bad} was not found")
    require(
        report.first_bad == first_bad,
        f"{told} at entry {first_bad} was found at {report.first_bad}: {report.detail}",
    )


def missed(table: Table, kind: Tampering) -> None:
    """Check that this cannot be detected without the heads outside; else they prove nothing."""
    if kind is delete:
        require(not heads.gone(), "a deleted log was found without heads")
    else:
        require(verify(table.log).ok, f"{kind.__name__} was found without heads")


# -- rows -------------------------------------------------------------------------------------


def _flipped(value: Any, pick: random.Random) -> Any:
    """Return a value with one bit flipped that is still valid for its column."""
    match value:
        case str():
            at, bit = pick.randrange(len(value)), pick.randrange(7)
            changed = chr(ord(value[at]) ^ 1 << bit)
            if changed == "\0":
                return _flipped(value, pick)
            return value[:at] + changed + value[at + 1 :]
        case UUID():
            return UUID(int=value.int ^ 1 << pick.randrange(128))
        case datetime():
            return value + timedelta(microseconds=1 << pick.randrange(40))
    return value ^ 1 << pick.randrange(8)


def _shift(table: Table, after: int, by: int) -> None:
    """Shift the versions of later entries, by way of unused numbers to avoid collisions."""
    later = table.rows().filter(version__gt=after)
    later.update(version=F("version") + ASIDE)
    table.rows().filter(version__gt=ASIDE).update(version=F("version") - ASIDE + by)


def _insert(table: Table, after: int, like: int) -> None:
    """Insert a copy of an entry with a new id after another."""
    copied = list(table.rows(like))
    table.rows().filter(version__gt=after).update(position=F("position") + ASIDE)
    position = table.rows(after).first().position + 1
    _shift(table, after, 1)
    for row in copied:
        row.pk, row.version, row.position = None, after + 1, position
        row.act_id = uuid4() if row.act_id else None
    others = Event.objects.filter(position=position).exclude(log=table.log)
    others.update(position=F("position") + 2 * ASIDE)
    Event.objects.bulk_create(copied)
