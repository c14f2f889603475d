"""Helpers for tests of parcels: a player with matches, and the contents of a parcel."""

import io
import json
import zipfile
from typing import Any

from matches import exporting, jobs
from matches.actors import Actor
from matches.models import Job
from tests import factories


def player_of(count: int) -> Actor:
    """Return an actor who opened `count` matches."""
    by = factories.actor()
    for _ in range(count):
        factories.match(by)
    return by


def everything(by: Actor) -> Job:
    """Request a parcel with everything that belongs to an actor."""
    return jobs.ask(exporting.Everything.name, by=by)


def unpacked(by: Actor, job: Job) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Return the contents of a job's file: its index, and its files by path."""
    with jobs.open_file(by, job) as file:
        data = file.read()
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        assert packed.testzip() is None
        assert len(set(packed.namelist())) == len(packed.namelist())
        files = {name: packed.read(name) for name in packed.namelist()}
    index = "league.json" if "league.json" in files else exporting.INDEX
    return json.loads(files.pop(index)), files
