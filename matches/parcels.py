"""Parcels: files made by jobs, in `settings.JOBS_DIR`, which web and workers share.

The parts of a parcel are first written to a folder, each atomically, so that a resumed job skips
those that exist. At the end the folder is packed into a zip, which appears atomically, and deleted.

When a person is erased, every parcel still in parts is begun anew, as its parts may name them.
"""

import os
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any
from uuid import UUID

from django.conf import settings

from matches.jobkinds import Paused, Progress

PACKED, PARTS = ".zip", ".parts"
SPOILED = ".spoiled"  # a file among the parts: they have to be made anew


class Parcel:
    """A zip in the making, of `steps` steps and one more for packing."""

    def __init__(self, job: UUID, progress: Progress, steps: int) -> None:
        self.folder, self.packed = folder(job), packed(job)
        self.progress, self.steps = progress, steps
        self.done = self.made = 0  # steps done; files written in this slice
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def has(self, path: str) -> bool:
        return (self.folder / path).exists()

    def put(self, path: str, data: bytes | str) -> None:
        """Add a file. `path` must be trusted: it is not checked."""
        part = self.folder / path
        part.parent.mkdir(parents=True, exist_ok=True)
        with _placed(part, part.parent) as file:
            file.write(data.encode() if isinstance(data, str) else data)
        self.made += 1

    def step(self) -> None:
        """Report a step as done; no slice ends before it wrote a file, unless all are to be made
        anew. Raises: Paused, Taken.
        """
        self.done += 1
        self._require_unspoiled()
        self.progress(min(self.done, self.steps), self.steps + 1)
        if self.made:
            self.progress.may_pause()

    def seal(self, name: str) -> dict[str, Any]:
        """Pack the zip, and return the job's result, with the file's `name`.

        Raises: Paused, Taken.
        """
        parts = sorted(part for part in self.folder.rglob("[!.]*") if part.is_file())
        with (
            _placed(self.packed, self.folder) as file,
            zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as out,
        ):
            for part in parts:
                out.write(part, part.relative_to(self.folder))
                self.progress(self.steps, self.steps + 1)
            self._require_unspoiled()
        self.progress(self.steps + 1, self.steps + 1)
        shutil.rmtree(self.folder)
        return {"file": name, "bytes": self.packed.stat().st_size}

    def _require_unspoiled(self) -> None:
        """Delete parts that were spoiled, and have the job begin anew. Raises: Paused."""
        if (self.folder / SPOILED).exists():
            shutil.rmtree(self.folder)
            raise Paused


def packed(job: UUID) -> Path:
    """Return the path of a job's file, whether it exists or not."""
    return _root() / f"{job}{PACKED}"


def folder(job: UUID) -> Path:
    """Return the folder of the parts of a job's file until they are packed."""
    return _root() / f"{job}{PARTS}"


def remove(job: UUID) -> None:
    """Delete a job's file and its parts."""
    packed(job).unlink(missing_ok=True)
    shutil.rmtree(folder(job), ignore_errors=True)


def spoil() -> None:
    """Have all parcels that are still in parts begun anew."""
    for parts in _root().glob(f"*{PARTS}"):
        with suppress(FileNotFoundError):  # it has just been packed
            (parts / SPOILED).touch()


def lying() -> dict[UUID, float]:
    """Return the jobs that have files, with the time of their last change as a timestamp."""
    found: dict[UUID, float] = {}
    for path in _root().glob("*"):
        with suppress(ValueError, FileNotFoundError):  # not ours, or just deleted
            job = UUID(path.stem)
            found[job] = max(found.get(job, 0.0), path.stat().st_mtime)
    return found


def _root() -> Path:
    return Path(settings.JOBS_DIR)


@contextmanager
def _placed(path: Path, beside: Path) -> Iterator[IO[bytes]]:
    """Write a file atomically, readable by its owner alone.

    Until it is complete it is in the folder `beside`, under a name that begins with a dot.
    """
    descriptor, aside = tempfile.mkstemp(dir=beside, prefix=".")
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(aside).replace(path)
    finally:
        Path(aside).unlink(missing_ok=True)
