"""Mutated log files: each is imported completely, or not a single row of it is."""

import re
import time
from collections.abc import Callable
from functools import partial

import msgspec
from django.db import transaction

import rules
from matches import transfer, triggers
from matches.actors import Actor
from matches.errors import Refused
from matches.models import FeedHead, Log, Match
from matches.verify import verify
from rules import bots, notation
from tests import database, factories
from tests.prove.answers import fingerprint
from tests.prove.experiment import Found, experiment, must_break, require
from tests.prove.mutate import Spoiler
from tests.prove.requests import duel

Import = Callable[[bytes, str], Match]
NDJSON, NOTATION = "application/x-ndjson", "text/plain"
SEED = 6
LOOK = 20
FEW = 1000
"""So many files at most are sent to find the variant that is broken."""


@experiment(
    section="Bad input",
    promise="A modified log file is imported completely or not at all.",
    full={"files": 20_000, "largest": 1_000_000},
    short={"files": 500, "largest": 64_000},
)
def mutated_files(*, files: int, largest: int) -> Found:
    """Send half as ndjson, half as notation; imported logs are verified and deleted again."""
    by = factories.actor()
    take = partial(bring_in, by)
    goods = [(data, media) for media in (NDJSON, NOTATION) for data in good_files(by, media)]
    with database.as_owner():  # the only role that may delete imported logs
        triggers.drop()
        taken = brought_in(take, goods, files)
        broke = must_break(lambda: brought_in(partial(shortened, take), goods, min(files, FEW)))
        grown = growth(by, take, largest)
    return Found(
        asked=f"{files:,} mutated files, half ndjson, half notation",
        found=f"{files - taken:,} refused without writing a row, {taken:,} imported completely and "
        f"verified, no crash; {grown}",
        counts={"files": files, "refused": files - taken, "taken": taken},
        bite=f"When the lines before a bad one are imported: {broke}.",
    )


def bring_in(by: Actor, data: bytes, media: str) -> Match:
    return transfer.import_log(by=by, data=data, content_type=media)


def good_files(by: Actor, media: str) -> list[bytes]:
    """Return a card game and a score-keeping match as files; neither is in the database."""
    ruleset = rules.get("score")
    scored = bots.playout(ruleset, bots.sample_setup(ruleset, 1, seats=2), 1)
    texts = [notation.write_match(log.ruleset, log.entries[:60]) for log in (duel(), scored)]
    return [as_file(by, text.encode(), media) for text in texts]


def as_file(by: Actor, text: bytes, media: str) -> bytes:
    """Return a match in notation as a file of another media type, without leaving a row."""
    if media == NOTATION:
        return text
    with transaction.atomic():
        match = transfer.import_log(by=by, data=text, content_type=NOTATION)
        data = transfer.export_ndjson(match)
        transaction.set_rollback(True)
    return data


def brought_in(take: Import, goods: list[tuple[bytes, str]], files: int) -> int:
    """Send mutated files, check that each is imported completely or not; return how many were."""
    spoil = Spoiler(SEED)
    before, taken = fingerprint(FeedHead), 0
    for number in range(1, files + 1):
        good, media = goods[number % len(goods)]
        data = spoiled(spoil, good, goods[(number + 2) % len(goods)][0], media)
        try:
            match = take(data, media)
        except Refused as refused:
            require(refused.status < 500, f"file {number} was answered with {refused.status}")
        else:
            taken += 1
            whole(match.log, data, number)
            put_away(match.log)
        if number % LOOK == 0 or number == files:
            same = fingerprint(FeedHead) == before
            require(same, f"one of {LOOK} files up to {number} was refused, and rows were written")
    return taken


def spoiled(spoil: Spoiler, good: bytes, other: bytes, media: str) -> bytes:
    """Mutate the bytes, the lines, or the content of a JSON line."""
    how = spoil.pick.random()
    if how < 0.4:
        return spoil.spoil_bytes(good, other)
    lines, others = good.split(b"\n"), other.split(b"\n")
    at = spoil.pick.randrange(len(lines))
    if how < 0.7 and media == NDJSON and lines[at]:
        lines[at] = spoil.spoil_json(msgspec.json.decode(lines[at]))
    elif how < 0.8:
        del lines[at : at + spoil.pick.randint(1, 5)]
    elif how < 0.9:
        lines.insert(at, spoil.pick.choice(lines + others))
    else:
        to = spoil.pick.randrange(len(lines))
        lines[at], lines[to] = lines[to], lines[at]
    return b"\n".join(lines)


def whole(log: Log, data: bytes, number: int) -> None:
    """Compare an imported log with the lines of its file."""
    report = verify(log)
    require(report.ok, f"file {number} was taken and does not verify: {report.detail}")
    lines = [line for line in data.split(b"\n") if line.strip()]
    is_ndjson = lines[0].lstrip().startswith(b"{")
    acts = len(lines) - 1 if is_ndjson else len(re.findall(rb"(?m)^[ \t]*\d+[ \t]", data))
    missing = acts - report.entries
    require(missing <= 0, f"a file with {acts} entries was imported with {missing} missing")


def put_away(log: Log) -> None:
    """Delete an imported log, so that the tables stay small."""
    for relation in Log._meta.related_objects:
        if relation.related_model is not Match:
            relation.related_model._base_manager.filter(**{relation.field.name: log}).delete()
    Match.objects.filter(pk=log.pk).delete()
    Log.objects.filter(pk=log.pk).delete()


def shortened(take: Import, data: bytes, media: str) -> Match:
    """Import a file up to its first bad line: the broken variant."""
    lines = data.split(b"\n")
    for upto in (len(lines), *range(len(lines) - 1, 0, -8)):
        try:
            return take(b"\n".join(lines[:upto]), media)
        except Refused as refused:
            last = refused
    raise last


def growth(by: Actor, take: Import, largest: int) -> str:
    """Return a sentence on how the time of an import grows with the file's size."""
    told = []
    for media, name in ((NDJSON, "ndjson"), (NOTATION, "notation")):
        seconds = [_seconds(take, _long(by, media, size)) for size in (largest // 8, largest)]
        told.append(f"{seconds[1] / seconds[0]:.1f} × as {name}")
    return f"{largest // 1000:,} KB take, compared with an eighth of that, {' and '.join(told)}"


def _seconds(take: Import, file: tuple[bytes, str]) -> float:
    began = time.perf_counter()
    match = take(*file)
    spent = time.perf_counter() - began
    put_away(match.log)
    return spent


def _long(by: Actor, media: str, size: int) -> tuple[bytes, str]:
    """Return a score-keeping match as a file of about `size` bytes."""
    ruleset = rules.get("score")
    setup = bots.sample_setup(ruleset, 2, seats=2)
    head = notation.write_match(ruleset, bots.playout(ruleset, setup, 2).entries[:1]).encode()
    acts = [b"%d points-scored %d 1\n" % (n, 1 + n % 2) for n in range(2, 20_000)]
    few = as_file(by, head + b"".join(acts[:64]), media)
    many = 64 * size // len(few)
    return as_file(by, head + b"".join(acts[:many]), media), media
