"""The files a server is set up by: units, the environment they read, and containers."""

import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
UNITS = {"streams": "zgxl-streams", "worker": "zgxl-worker@", "beat": "zgxl-beat"}
EXAMPLES = ("systemd/environment.example", "container/site.env.example")


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_shell_reads_of_an_example_what_systemd_reads(name: str) -> None:
    """`docs/deploying.md` has both read the same file."""
    text = (DEPLOY / name).read_text()
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    lines += [line.removeprefix("#") for line in re.findall(r"^#[A-Z_]+=.*$", text, re.MULTILINE)]
    said = dict(shlex.split(line)[0].split("=", 1) for line in lines)
    script = "set -a; . /dev/stdin; env -0"
    read = subprocess.run(
        ["sh", "-euc", script], input="\n".join(lines), env={}, capture_output=True, text=True
    )
    assert read.returncode == 0, read.stderr
    found = dict(each.split("=", 1) for each in read.stdout.split("\0") if each)
    assert said == {key: found[key] for key in said}


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_name_only_what_the_site_reads_and_hold_no_secret(name: str) -> None:
    text = (DEPLOY / name).read_text()
    table = (DEPLOY.parent / "docs/deploying.md").read_text()
    named = re.findall(r"^#?([A-Z_]+)=(.*)$", text, re.MULTILINE)
    assert named
    for variable, value in named:
        assert f"| `{variable}` |" in table, variable
        assert not value or variable not in ("SECRET_KEY", "METRICS_TOKEN"), variable


def compose() -> Any:
    return yaml.safe_load((DEPLOY / "container/compose.yaml").read_text())


@pytest.mark.parametrize("service", UNITS)
def test_containers_run_what_the_units_run(service: str) -> None:
    """Both run the same program with the same options; what differs is where they listen."""
    unit = (DEPLOY / f"systemd/{UNITS[service]}.service").read_text()
    (line,) = re.findall(r"^ExecStart=\S+/python (.*)$", unit, re.MULTILINE)
    of_unit, of_container = line.split(), compose()["services"][service]["command"][1:]
    for places in ("--uds", "--hostname", "--schedule", "--host"):
        for command in (of_unit, of_container):
            if places in command:
                at = command.index(places)
                del command[at : at + 2]
    assert sorted(of_unit) == sorted(of_container)


def test_only_who_owns_the_tables_is_told_the_owners_password() -> None:
    services = compose()["services"]
    told = {name for name, each in services.items() if "OWNER_PASSWORD" in str(each)}
    assert told == {"db", "migrate", "backup"}


def test_as_many_streams_as_an_address_may_have_may_come_back_at_once() -> None:
    conf = (DEPLOY / "nginx/zgxl.conf").read_text()
    (streams,) = re.findall(r"location ~ \S+stream/\$ \{(.*?)\n    \}", conf, re.DOTALL)
    allowed = re.findall(r"limit_conn zgxl_streams (\d+);|burst=(\d+) nodelay;", streams)
    assert {int(each or other) for each, other in allowed} == {settings.STREAM_LIMIT_ADDRESS}
    assert len(allowed) == 2
