"""Mutated requests to every endpoint and page, the same ones on both engines."""

import json
import logging
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from django.conf import settings

from matches import canonical
from tests.prove.answers import statuses
from tests.prove.experiment import Found, experiment, must_break, require
from tests.prove.requests import Sent

SEED = 5
FEW = 20
"""So many that nest deeply are sent at most to find the variant that is broken."""


@experiment(
    section="Bad input",
    promise="Whatever is sent, nothing crashes, refused requests write nothing, and both engines "
    "answer the same.",
    full={"requests": 50_000},
    short={"requests": 2500},
    engines=("postgresql",),
    label="SQLite and PostgreSQL",
)
def mutated_requests(*, requests: int) -> Found:
    """Send them on each engine: PostgreSQL in this process, SQLite in another concurrently."""
    with _quiet(), tempfile.TemporaryDirectory() as folder:
        other = _on_sqlite(Path(folder), requests)
        try:
            told = list(statuses(SEED, requests))
            output, _ = other.communicate()
        finally:
            other.kill()
            other.wait()
    require(other.returncode == 0, f"on SQLite: {output.strip().splitlines()[-1:]}")
    for (sent, here), there in zip(told, json.loads(output), strict=True):
        require(here == there, f"{here} on PostgreSQL, {there} on SQLite, for {sent}")
    with _quiet(), patch.object(canonical, "_require_shallow", lambda text, where: None):
        broke = must_break(lambda: list(statuses(SEED, FEW, _nests)))
    reached = Counter(sent.name for sent, _ in told)
    refused = sum(status >= 400 for _, status in told)
    return Found(
        asked=f"{2 * requests:,} mutated requests, half to each engine, to {len(reached)} "
        f"endpoints and pages, at least {min(reached.values()):,} to each",
        found=f"0 × 5xx, {refused:,} refused without writing a row, the same status on "
        "both engines",
        counts={"requests": requests, "routes": len(reached), "refused": refused},
        bite=f"Without the nesting limit: {broke[:3]} for {broke.split(':')[0].split()[-1]}.",
    )


@contextmanager
def _quiet() -> Iterator[None]:
    """Log nothing: each refusal would be told."""
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


def _nests(sent: Sent) -> bool:
    return b"[" * 1000 in sent.body


def _on_sqlite(folder: Path, requests: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.prove", "--answers", str(SEED), str(requests)],
        env={**os.environ, "DATABASE_URL": f"sqlite:///{folder / 'other.sqlite3'}"},
        cwd=settings.BASE_DIR,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
