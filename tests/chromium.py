"""A real Chromium: the machine's own, one installed through apt, or one unpacked into .tools/.

The headless shell is used: the same engine without browser windows, which would double the cost.

libatomic1 is needed by playwright's driver, which does not run on a bare Debian.
"""

import os
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright._impl._driver import compute_driver_executable

from tests import debian
from tests.services import Missing

PACKAGES = ("chromium-headless-shell", "fonts-liberation", "libatomic1")
BY_HAND = f"sudo apt-get install -y --no-install-recommends {' '.join(PACKAGES)}"
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
UNPACKED = debian.TOOLS / "chromium"

# No request may go to another host, and a small /dev/shm must suffice.
FLAGS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-dev-shm-usage",
    "--disable-domain-reliability",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--metrics-recording-only",
    "--no-first-run",
    "--no-pings",
]


@dataclass(frozen=True)
class Chromium:
    """An executable, and the extra environment variables that it and its driver need."""

    path: Path
    environment: dict[str, str]

    def works(self) -> bool:
        with_ours = {**os.environ, **self.environment}
        programs = ([str(self.path)], list(compute_driver_executable()))
        return all(
            subprocess.run(
                [*program, "--version"], env=with_ours, capture_output=True, check=False
            ).returncode
            == 0
            for program in programs
        )


def find() -> Chromium | None:
    """Return a Chromium that runs, if any; the CHROMIUM variable overrides the machine's own."""
    return next((chromium for chromium in _candidates() if chromium.works()), None)


def require() -> Chromium:
    """Return a Chromium that runs, installing one if need be. Raises: `Missing`."""
    if found := find():
        return found
    print("Getting Chromium", flush=True)
    try:
        _install() if os.geteuid() == 0 else _unpack()
    except (OSError, subprocess.CalledProcessError) as error:
        raise Missing(
            f"Chromium is missing and apt does not bring it; type:\n  {BY_HAND}"
        ) from error
    if found := find():
        return found
    raise Missing(f"Chromium does not run here; type:\n  {BY_HAND}")


def _candidates() -> Iterable[Chromium]:
    environment = _unpacked_environment()
    for name in (os.environ.get("CHROMIUM"), *NAMES):
        if name and (path := shutil.which(name)):
            yield Chromium(Path(path), environment)
    if (path := UNPACKED / "usr/lib/chromium/chromium-headless-shell").exists():
        yield Chromium(path, environment)


def _install() -> None:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "-y", "--no-install-recommends", *PACKAGES]):
        debian.quietly(["apt-get", "-q", *command], environment)


def _unpack() -> None:
    debian.unpack(PACKAGES, UNPACKED)
    _write_font_config(UNPACKED)


def _write_font_config(root: Path) -> None:
    (root / "fonts.conf").write_text(
        '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>'
        f"<dir>{UNPACKED}/usr/share/fonts</dir><cachedir>{UNPACKED}/cache</cachedir></fontconfig>"
    )


def _unpacked_environment() -> dict[str, str]:
    """Return environment variables for the libraries and fonts that were unpacked, if any."""
    libraries = UNPACKED.glob("**/*-linux-gnu*/**/*.so*")
    places = {
        "LD_LIBRARY_PATH": ":".join(sorted({str(path.parent) for path in libraries})),
        "FONTCONFIG_FILE": str(UNPACKED / "fonts.conf"),
        "XDG_DATA_HOME": str(UNPACKED / "usr/share"),
    }
    if (UNPACKED / "usr/share/fonts").exists():
        return places
    return {name: value for name, value in places.items() if name == "LD_LIBRARY_PATH" and value}


ROOM = 200  # px that a page may still grow while it is looked at
TALL = 3000  # px, more than most pages need on a phone: each further size is laid out anew
LAID_OUT = """() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(
  () => resolve(document.documentElement.scrollHeight))))"""


def show_whole_page(page: Any, width: int) -> None:
    """Make the window as high as the page, and more, so that no bar covers a part of it.

    The page is laid out in each size before it is measured, which takes a busy machine a while.
    """
    height = TALL
    while (needed := _resize(page, width, height)) > height:
        height = needed + ROOM


def _resize(page: Any, width: int, height: int) -> int:
    """Return how high the window has to be for the whole page, laid out anew."""
    page.set_viewport_size({"width": width, "height": height})
    return int(page.evaluate(LAID_OUT))
