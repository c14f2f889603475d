"""Backups taken while the site records, restored into new databases and drilled."""

import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event as Flag

from django.conf import settings
from django.db import connection
from django.db.models import Max

from matches import heads
from matches.models import Event, Log, Match
from tests import factories, places, site
from tests.places import Place
from tests.prove.experiment import Broken, Found, experiment, must_break, require

LEAST = 20  # minimum number of acts between two backups
PAUSE = 0.01  # seconds


@experiment(
    section="Restoring",
    promise="A backup taken under load restores into a new database unchanged, with every act "
    "acknowledged before it began, and appends continue from there.",
    full={"copies": 20},
    short={"copies": 1},
    short_on="postgresql",
)
def restore_drill(*, copies: int) -> Found:
    matches = [factories.match() for _ in range(4)]
    with TemporaryDirectory(prefix="zgxl-") as home, _heads():
        for number in range(copies):
            with _restored(matches, Path(home) / str(number)) as (place, copy, acts):
                _drilled(place, copy)
                if number == copies - 1:
                    broke = must_break(lambda: _drilled_without(matches[0], place, copy))
    return Found(
        asked=f"{copies} backups taken while acts were recorded in {len(matches)} matches, each "
        "restored into a new database under new roles, and drilled",
        found=f"{copies} restored with every log, hash, head and position of the feed as it was; "
        f"none of {acts:,} acknowledged acts lost",
        counts={"copies": copies, "acts in the last copy": acts},
        bite=f"With the last entry of a log deleted after restoring: {broke}.",
    )


@contextmanager
def _heads() -> Iterator[None]:
    """Remove the heads of these logs afterwards, so that later tests do not find them."""
    try:
        yield
    finally:
        for file in Path(settings.HEADS_DIR).glob("*"):
            file.unlink()


@contextmanager
def _restored(matches: list[Match], home: Path) -> Iterator[tuple[Place, Path, int]]:
    """Back up under load and restore; yield the place, the backup and its minimum of acts."""
    home.mkdir()
    heads.write()
    with places.new_place(home) as place:
        with _recording(matches):
            said = _heads_of(matches)
            copy = places.copy_into(home / "copies", place)
        _succeeded(place.run("restore", str(copy)))
        for log, version in said.items():
            require(_last(place, log) >= version, f"the copy of {log} lacks {version}")
        yield place, copy, sum(said.values())


def _drilled(place: Place, copy: Path) -> None:
    _succeeded(place.drill(copy))


def _drilled_without(match: Match, place: Place, copy: Path) -> None:
    place.lose(match.log_id, _last(place, match.log_id))
    _drilled(place, copy)


def _succeeded(done: "subprocess.CompletedProcess[str]") -> None:
    """Require success. Raises: Broken with the last line of output."""
    if done.returncode:
        said = done.stderr.strip().splitlines()[-1]
        raise Broken(said.removeprefix("CommandError: ").rstrip("."))


@contextmanager
def _recording(matches: list[Match]) -> Iterator[None]:
    """Record acts in all matches during the block, and a little before and after it."""
    done = Flag()
    begun = sum(_heads_of(matches).values())
    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(_write, matches, done)
        while sum(_heads_of(matches).values()) < begun + LEAST and not writing.done():
            time.sleep(PAUSE)
        try:
            yield
        finally:
            done.set()
            writing.result()


def _write(matches: list[Match], done: Flag) -> None:
    try:
        while not done.is_set():
            for match in matches:
                factories.record(match)
            time.sleep(PAUSE)
    finally:
        connection.close()


def _heads_of(matches: list[Match]) -> dict[object, int]:
    logs = Log.objects.filter(match__in=matches)
    return dict(logs.values_list("pk", "head_version"))


def _last(place: Place, log: object) -> int:
    """Return the last version of a log that a restored database holds."""
    with site.on_database(place.environ["DATABASE_URL"]):
        last = Event.objects.filter(log=log).aggregate(last=Max("version"))["last"]
    return int(last or 0)
