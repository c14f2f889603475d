"""Start `make demo` twice as a visitor would, ask it for pages and answers, verify its logs.

Ends with status 1 and the reason if anything is not as it should be.
"""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
import uuid
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("", "matches/", "api/v1/games/", "api/v1/matches/")
COLD, WARM = 60, 5  # seconds to the first page


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="zgxl-") as data:
        mark = f"ZGXL_MARK={uuid.uuid4()}"
        with demo(data, mark, within=COLD) as url:
            answers = {page: get(url + page) for page in PAGES}
            matches = json.loads(answers["api/v1/matches/"])["results"]
            get(f"{url}matches/{matches[0]['code']}/")
        require_nothing_left(mark)
        with demo(data, mark, within=WARM) as url:
            again = json.loads(get(url + "api/v1/matches/"))["results"]
            require(again == matches, "a second start changed the matches")
            verify(data)
        require_nothing_left(mark)


@contextlib.contextmanager
def demo(data: str, mark: str, *, within: int) -> Iterator[str]:
    """Run `make demo`; give its URL once the first page has come."""
    name, value = mark.split("=")
    began = time.monotonic()
    process = subprocess.Popen(
        ["make", "demo"],
        cwd=ROOT,
        env={**os.environ, name: value, "PORT": "0", "DATA": data},
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        url = told_url(process)
        get(url)
        seconds = time.monotonic() - began
        print(f"first page after {seconds:.1f} s, at most {within}", flush=True)
        require(seconds <= within, "the first page came too late")
        yield url
    finally:
        os.killpg(process.pid, signal.SIGINT)  # as Ctrl-C does
        process.wait(30)


def told_url(process: subprocess.Popen[str]) -> str:
    """Print what the demo says, up to and with the line of its URL."""
    logins = 0
    for line in process.stdout or ():
        print(line, end="", flush=True)
        logins += bool(re.fullmatch(r"\s*\S+: \S+\n", line))
        if found := re.search(r"http://\S+", line):
            require(logins > 0, "no login was printed")
            return found[0]
    raise SystemExit(f"make demo ended with status {process.wait()}")


def get(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=30) as answer:
        body: bytes = answer.read()
        print(f"{answer.status} {url} {len(body)} bytes", flush=True)
    return body


def verify(data: str) -> None:
    subprocess.run(
        [sys.executable, "manage.py", "verify"],
        cwd=ROOT,
        env={**os.environ, "DATA": data},
        check=True,
    )


def require_nothing_left(mark: str) -> None:
    deadline = time.monotonic() + 10
    while left := [pid for pid in Path("/proc").glob("[0-9]*") if belongs(pid, mark)]:
        require(time.monotonic() < deadline, f"processes are left: {left}")
        time.sleep(0.1)
    print("stopped, nothing is left", flush=True)


def belongs(process: Path, mark: str) -> bool:
    try:
        return mark.encode() in (process / "environ").read_bytes().split(b"\0")
    except OSError:
        return False


def require(condition: bool, otherwise: str) -> None:
    if not condition:
        raise SystemExit(f"demo: {otherwise}")


if __name__ == "__main__":
    main()
