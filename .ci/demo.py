"""Start `make demo` as a visitor would, request pages and API answers, and verify its logs.

Exits with status 1 and the reason if anything is wrong.
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


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="zgxl-") as data:
        with demo(data) as url:
            answers = {page: get(url + page) for page in PAGES}
            matches = summaries(answers["api/v1/matches/"])
            get(f"{url}matches/{matches[0][0]}/")
        with demo(data) as url:
            again = summaries(get(url + "api/v1/matches/"))
            require(again == matches, "a second start changed the matches")
        verify(data)


def summaries(answer: bytes) -> list[tuple[str, int, str]]:
    """Return each match's code, version and headline."""
    results = json.loads(answer)["results"]
    return [(match["code"], match["version"], match["headline"]) for match in results]


@contextlib.contextmanager
def demo(data: str) -> Iterator[str]:
    """Run `make demo`, print the time to its first page, and yield its URL; check it cleans up."""
    mark = str(uuid.uuid4())
    began = time.monotonic()
    process = subprocess.Popen(
        ["make", "demo"],
        cwd=ROOT,
        env={**os.environ, "ZGXL_MARK": mark, "PORT": "0", "DATA": data},
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        url = printed_url(process)
        get(url)
        seconds = time.monotonic() - began
        print(f"first page after {seconds:.1f} s", flush=True)
        yield url
    finally:
        os.killpg(process.pid, signal.SIGINT)  # as Ctrl-C does
        process.wait(30)
    require_nothing_left(f"ZGXL_MARK={mark}")


def printed_url(process: subprocess.Popen[str]) -> str:
    """Print the demo's output up to the line with its URL, and return the URL."""
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
