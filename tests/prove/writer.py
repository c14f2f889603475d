"""Writing processes that can be killed.

`python -m tests.prove.writer SOCKET` imports the site once and forks a process for each caller. The
process records the requested acts through the services, and answers once that has returned. A
request with `die` has its process killed (SIGKILL) at that point: `inside` the transaction, after
the rows were inserted; or `after` the commit, before the answer.
"""

import contextlib
import json
import os
import random
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn
from uuid import UUID

from deploy import processes

READY_WITHIN = 120  # seconds
PATIENCE = 120  # seconds for an answer


# -- the caller -----------------------------------------------------------------------------


class Gone(Exception):
    """The writing process has died."""


class Writer:
    """The caller's handle of a writing process."""

    def __init__(self, path: Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(str(path))
        self.answers = self.socket.makefile("rb")
        self.pid: int = self.read()["pid"]

    def send(self, request: dict[str, Any]) -> None:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self.socket.sendall(json.dumps(request).encode() + b"\n")

    def read(self) -> dict[str, Any]:
        """Return the next answer. Raises: Gone."""
        try:
            line = self.answers.readline()
        except ConnectionResetError:
            line = b""
        if not line.endswith(b"\n"):
            raise Gone
        answer: dict[str, Any] = json.loads(line)
        return answer

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def close(self) -> None:
        self.answers.close()
        self.socket.close()


@contextlib.contextmanager
def writers(folder: Path, **environ: str) -> Iterator[Callable[[], Writer]]:
    """Yield a function that starts a new writing process on this database.

    `environ` changes the environment of the processes, such as `DATABASE_URL`.
    """
    from tests import site

    path = folder / "writers"
    with (folder / "writers.log").open("wb") as output:
        mother = processes.start(
            [sys.executable, "-m", "tests.prove.writer", str(path)],
            env=site.environment(**environ),
            stdout=output,
            stderr=output,
        )
    try:
        deadline = time.monotonic() + READY_WITHIN
        while not path.exists():
            if mother.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError((folder / "writers.log").read_text())
            time.sleep(0.02)
        yield lambda: Writer(path)
    finally:
        processes.stop(mother)


class Phone:
    """A client that records in a match, act by act, and resends what was not acknowledged.

    `said` holds the ids in order, `receipts` what was acknowledged. Each act follows the one
    before by id. `trusting`: the broken variant, whose writer ignores the id.
    """

    def __init__(
        self, hire: Callable[[], Writer], match: str, by: int, seed: int, *, trusting: bool = False
    ) -> None:
        self.hire, self.match, self.by, self.trusting = hire, match, by, trusting
        self.pick = random.Random(seed)
        self.writer = hire()
        self.said: list[str] = []
        self.receipts: dict[str, dict[str, Any]] = {}
        self.deaths = self.unacknowledged = 0
        self.usual = 0.005  # typical seconds until an answer

    def say(self, die: str = "") -> None:
        """Record one act while its process dies: `inside`, `after` or `anywhere`."""
        from tests.prove.experiment import require

        request = self.request()
        began = time.monotonic()
        self.writer.send({**request, "die": die})
        if die == "anywhere":
            time.sleep(self.pick.uniform(0, 1.5 * self.usual))
            self.writer.kill()
        try:
            self.accept(request["id"], self.writer.read())
        except Gone:
            self.say_again(request)
            return
        self.usual += 0.1 * (time.monotonic() - began - self.usual)
        if die:  # the answer was sent before it died
            require(die == "anywhere", f"a process answered that was to die {die} its commit")
            self.say_again(request)

    def say_again(self, request: dict[str, Any]) -> None:
        """Resend a request to a new process, and to the next if that one dies too."""
        known = request["id"] in self.receipts
        deadline = time.monotonic() + PATIENCE
        while True:
            self.deaths += 1
            self.writer.close()
            self.writer = self.hire()
            self.writer.send(request)
            try:
                answer = self.writer.read()
                break
            except Gone:
                if time.monotonic() > deadline:
                    raise
        self.accept(request["id"], answer)
        self.unacknowledged += not known and not answer["recorded"]

    def request(self) -> dict[str, Any]:
        after = self.said[-1] if self.said and not self.trusting else None
        act = {"type": "points-scored", "seat": self.pick.randint(1, 2), "points": len(self.said)}
        self.said.append(str(UUID(int=self.pick.getrandbits(128), version=4)))
        return {
            "match": self.match,
            "by": self.by,
            "id": self.said[-1],
            "act": act,
            "after": after,
            "trusting": self.trusting,
        }

    def accept(self, act_id: str, answer: dict[str, Any]) -> None:
        from tests.prove.experiment import require

        require("version" in answer, f"an act was answered with {answer}")
        receipt = {name: answer[name] for name in ("version", "position", "hash")}
        if not self.trusting:
            first = self.receipts.get(act_id, receipt)
            require(first == receipt, "the same act got another receipt")
        self.receipts[act_id] = receipt


# -- the writing process --------------------------------------------------------------------


def main(path: str) -> NoReturn:
    import django

    django.setup()
    from matches import services  # noqa: F401  # imported once for all forks

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path + ".new")
        listener.listen(64)
        Path(path + ".new").rename(path)
        while True:
            caller, _ = listener.accept()
            mother = os.getpid()
            if os.fork() == 0:
                listener.close()
                processes.end_with_parent(parent=mother)
                serve(caller)
            caller.close()


def serve(caller: socket.socket) -> NoReturn:
    stream = caller.makefile("rwb")
    tell(stream, {"pid": os.getpid()})
    for line in stream:
        tell(stream, record(json.loads(line)))
    os._exit(0)


def tell(stream: Any, answer: dict[str, Any]) -> None:
    stream.write(json.dumps(answer).encode() + b"\n")
    stream.flush()


def record(request: dict[str, Any]) -> dict[str, Any]:
    from unittest.mock import patch
    from uuid import uuid4

    from django.contrib.auth.models import User
    from django.db import Error, transaction

    from matches import actors, rows, selectors, services, storing
    from matches.errors import Refused

    die = request.get("die")

    def dying(store: Callable[..., Any]) -> Callable[..., Any]:
        def store_and_die(*arguments: Any) -> None:
            with transaction.atomic():
                store(*arguments)
                os.kill(os.getpid(), signal.SIGKILL)

        return store_and_die if die == "inside" else store

    try:
        by = actors.actor_for(User.objects.get(pk=request["by"]))
        with (
            patch.object(rows, "insert", dying(rows.insert)),
            patch.object(storing, "in_one_statement", dying(storing.in_one_statement)),
        ):
            receipt = services.record(
                match=selectors.match_for(by, request["match"]),
                by=by,
                act_id=uuid4() if request["trusting"] else UUID(request["id"]),
                act=request["act"],
                after=UUID(request["after"]) if request["after"] else None,
            )
    except Refused as refused:
        return {"refused": refused.code}
    except Error as error:  # the server is gone, so this process ends
        print(repr(error), flush=True)
        os._exit(1)
    if die == "after":
        os.kill(os.getpid(), signal.SIGKILL)
    return {
        "version": receipt.version,
        "position": receipt.position,
        "hash": receipt.hash,
        "recorded": receipt.recorded,
    }


if __name__ == "__main__":
    main(sys.argv[1])
