"""kill -9 of workers during projections: rows and checkpoint are written together or not at all."""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction

from deploy import processes
from matches import followers
from matches.followers import Follower, Tally
from matches.models import Checkpoint, FollowJob, Headline, Job, Log, SeatResult, SpinTally
from tests import factories, site
from tests.prove.experiment import Broken, Found, experiment, must_break, require

WORKERS = 2
LOGS = 12
FEW, TRIES = 8, 8
"""Kills, and how often, of the broken variant: what one left undone a later act may make good."""
PATIENCE = 120  # seconds
GAP = 0.005  # seconds before and after a projection, for a kill to fall into
COMMITTED = "projected"
START = "import django; django.setup(); from tests.prove import follow_kills as f; f.main()"


@experiment(
    section="Crashes",
    promise="Projected rows equal those of a rebuild, wherever workers were killed, and two "
    "workers never project the same twice.",
    full={"kills": 200},
    short={"kills": 20},
    short_on="postgresql",
)
def follow_kills(*, kills: int) -> Found:
    projected = run(kills)
    broke = must_break(lambda: [run(FEW, broken=True) for _ in range(TRIES)])
    return Found(
        asked=f"kill -9 of one of {WORKERS} workers {kills} times, each during a projection",
        found=f"{projected:,} projections: rows equal to a rebuild, none committed twice, "
        "nothing parked",
        counts={"kills": kills, "projections": projected},
        bite=f"With the checkpoint moved before the rows: {broke}.",
    )


def run(kills: int, *, broken: bool = False) -> int:
    """Record, and kill workers during projections; return the number of projections."""
    Job.objects.filter(kind=COMMITTED).delete()
    pick = random.Random(kills)
    matches = [factories.match() for _ in range(LOGS)]
    with tempfile.TemporaryDirectory() as name, nursery(Path(name), broken=broken) as hire:
        working = [hire() for _ in range(WORKERS)]
        for _ in range(kills):
            for match in pick.sample(matches, 3):
                over = match.log.status != Log.Status.OPEN
                factories.record(match, BACK if over else pick.choice(ACTS))
            victim = pick.randrange(WORKERS)
            _wait(lambda pid=working[victim]: (Path(name) / str(pid)).exists() or _idle())
            os.kill(working[victim], signal.SIGKILL)
            working[victim] = hire()
        _wait(_idle)
    return check(matches)


ACTS: list[dict[str, Any]] = [
    {"type": "points-scored", "seat": 1, "points": 1},
    {"type": "game-won", "seat": 2},
    {"type": "game-drawn"},
]
BACK = {"type": "taken-back", "to": 1}


def _idle() -> bool:
    return not FollowJob.objects.exists()


def _wait(until: Any) -> None:
    deadline = time.monotonic() + PATIENCE
    while not until():
        require(time.monotonic() < deadline, "no worker came to the end of it")
        time.sleep(0.001)


def check(matches: list[Any]) -> int:
    """Compare the rows with those of a rebuild, and return how many were committed."""
    parked = list(Checkpoint.objects.exclude(error="").values_list("error", flat=True))
    are = "1 log is" if len(parked) == 1 else f"{len(parked)} logs are"
    require(not parked, f"{are} parked: {plainly(*parked[:1])}")
    committed = Counter(
        tuple(job) for job in Job.objects.filter(kind=COMMITTED).values_list("result", flat=True)
    )
    twice = sum(count > 1 for count in committed.values())
    require(not twice, f"{'1 head was' if twice == 1 else f'{twice} heads were'} projected twice")
    live = rows_of(matches)
    for match in matches:
        followers.follow(match.pk, anew=True)
    rebuilt = rows_of(matches)
    differing = sum(live[key] != rebuilt[key] for key in live)
    require(
        live == rebuilt, f"{differing} of {len(live)} logs have other rows than a rebuild makes"
    )
    return sum(committed.values())


def plainly(error: str = "") -> str:
    """Return in plain words why a log was parked, instead of the database's own message."""
    if error.startswith("IntegrityError") and "unique" in error.casefold():
        return "the database refused a row that already existed"
    return error


def rows_of(matches: list[Any]) -> dict[Any, Any]:
    """Return all rows of the followers, by log."""
    return {
        match.pk: [
            list(SeatResult.objects.filter(seat__match=match).order_by("pk").values()),
            list(SpinTally.objects.filter(log_id=match.pk).order_by("value").values()),
            list(Headline.objects.filter(log_id=match.pk).values()),
        ]
        for match in matches
    }


# -- the workers ------------------------------------------------------------------------------


@contextmanager
def nursery(folder: Path, *, broken: bool) -> Iterator[Any]:
    """Run a process that imports the site once and forks a worker on request."""
    process = subprocess.Popen(
        [sys.executable, "-c", START, str(folder), json.dumps(broken)],
        env=site.environment(DJANGO_SETTINGS_MODULE="tests.settings"),
        cwd=settings.BASE_DIR,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None

    def hire() -> int:
        assert process.stdin is not None
        assert process.stdout is not None
        print(file=process.stdin, flush=True)
        line = process.stdout.readline()
        if not line:
            raise Broken("the workers do not start")
        return int(line)

    try:
        yield hire
    finally:
        process.stdin.close()  # ends the process, and with it the workers
        process.stdout.close()
        process.wait(PATIENCE)


def work_for_ever(folder: Path, *, broken: bool) -> None:
    """Run due projections in any order; a file named after the process marks it as projecting."""
    sign = folder / str(os.getpid())
    pick = random.Random(os.getpid())
    plain = followers._project

    def watched(project: Any) -> Any:
        def projecting(self: Follower, log: Log) -> None:
            sign.touch()
            time.sleep(GAP * (4 if broken else 1))
            project(self, log)
            time.sleep(GAP)
            row = [self.name, str(log.pk), log.head_version, log.public_version]
            Job.objects.create(kind=COMMITTED, log=log, result=row)

        return projecting

    def unsigned(follower: Follower, pk: Any, *, anew: bool) -> Tally:
        done = _checkpoint_first(follower, pk) if broken else plain(follower, pk, anew=anew)
        sign.unlink(missing_ok=True)
        return done

    for follower in followers.followers():
        kind: Any = type(follower)
        kind.project = watched(kind.project)
    followers._project = unsigned
    while True:
        due = list(FollowJob.objects.values_list("pk", flat=True))
        pick.shuffle(due)
        for pk in due:
            followers.work(pk)
        time.sleep(0.01)


def _checkpoint_first(follower: Follower, pk: Any) -> Tally:
    """Move the checkpoint before writing the rows: the broken variant."""
    log = Log.objects.get(pk=pk)
    mark, _ = Checkpoint.objects.get_or_create(follower=follower.name, log_id=pk)
    if (mark.version, mark.public_version) == (log.head_version, log.public_version):
        return Tally(current=1)
    mark.version, mark.public_version = log.head_version, log.public_version
    mark.code = follower.version
    mark.save()
    with transaction.atomic():
        follower.project(log)
    return Tally(projected=1)


def main() -> None:
    """Fork a worker for each line read from stdin; this process never opens the database."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    nursery = os.getpid()
    for _ in sys.stdin:
        if not (pid := os.fork()):
            processes.end_with_parent(parent=nursery)
            work_for_ever(Path(sys.argv[1]), broken=json.loads(sys.argv[2]))
        print(pid, flush=True)
