"""The tests' own servers end with the process that started them."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from tests import services
from tests.waiting import PATIENCE, eventually

ROOT = Path(__file__).resolve().parents[2]


def gone(pid: int) -> bool:
    try:
        return (Path("/proc") / str(pid) / "cmdline").read_bytes() == b""
    except OSError:
        return True


def test_postgres_is_real_and_its_directory_goes_with_it():
    with services.postgres() as url:
        home = url.partition("host=")[2]
        with psycopg.connect(url) as connection:
            assert connection.execute("SELECT 6 * 7").fetchone() == (42,)

    assert not Path(home).exists()


def test_a_durable_postgres_waits_for_the_disk():
    with services.postgres(durable=True) as url, psycopg.connect(url) as connection:
        assert connection.execute("SHOW fsync").fetchone() == ("on",)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_postgres_ends_with_the_process_that_started_it(number):
    starter = subprocess.Popen(
        [sys.executable, "-m", "tests.services"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert starter.stdout
    url = re.sub(r".*'(.*)'\n", r"\1", starter.stdout.readline())
    data = Path(url.partition("host=")[2], "data")
    postmaster = int((data / "postmaster.pid").read_text().split()[0])
    assert not gone(postmaster)

    os.kill(starter.pid, number)

    starter.wait(PATIENCE)
    starter.stdout.close()
    eventually(lambda: gone(postmaster), "its server is still there")
