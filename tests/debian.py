"""Unpack Debian packages into folders of our own: needs no root, and installs nothing."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

TOOLS = Path(__file__).resolve().parent.parent / ".tools"


def unpack(packages: Sequence[str], into: Path) -> None:
    """Fetch packages and their missing dependencies with apt, and unpack them into a folder.

    Raises: OSError, CalledProcessError.
    """
    apt = TOOLS / f"apt-{into.name}"
    for folder in ("state/lists/partial", "cache/archives/partial"):
        (apt / folder).mkdir(parents=True, exist_ok=True)
    options = [
        f"Dir::State={apt / 'state'}",
        "Dir::State::status=/var/lib/dpkg/status",
        f"Dir::Cache={apt / 'cache'}",
        "Dir::Etc::Main=/etc/apt/apt.conf",
        "Debug::NoLocking=true",
        "APT::Sandbox::User=",
        "APT::Update::Post-Invoke-Success=",
    ]
    apt_get = ["apt-get", "-q", *(part for option in options for part in ("-o", option))]
    quietly([*apt_get, "update"])
    quietly([*apt_get, "install", "-y", "--no-install-recommends", "--download-only", *packages])
    whole = into.with_name(f"{into.name}.partial")
    shutil.rmtree(whole, ignore_errors=True)
    for package in sorted((apt / "cache/archives").glob("*.deb")):
        quietly(["dpkg-deb", "-x", str(package), str(whole)])
    whole.rename(into)
    shutil.rmtree(apt)


def quietly(command: list[str], environment: dict[str, str] | None = None) -> None:
    """Run a command and show its output only if it fails."""
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(done.stdout + done.stderr, flush=True)
        done.check_returncode()
