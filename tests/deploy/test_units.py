"""The files that set up a server: units, their environment, and containers."""

import logging
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from celery.signals import after_setup_logger, after_setup_task_logger
from django.conf import settings

import deploy.celery  # noqa: F401
from deploy.log_lines import JsonLine

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


def test_nothing_in_a_health_check_holds_a_blank() -> None:
    """Podman parts an argument at its blanks when Docker's Compose asks it."""
    checks = [
        each["healthcheck"]["test"]
        for each in compose()["services"].values()
        if "healthcheck" in each
    ]
    assert checks
    assert not [part for check in checks for part in check if re.search(r"\s", part)]
    (script,) = [part for check in checks for part in check if part.endswith(".py")]
    assert (DEPLOY.parent / script).is_file()


def test_the_database_is_healthy_when_it_answers_where_the_site_asks() -> None:
    """A new one answers at its socket before it takes connections, and begins anew in between."""
    test = compose()["services"]["db"]["healthcheck"]["test"]
    assert test[test.index("-h") + 1] == "127.0.0.1"


def test_containers_come_back_with_the_host() -> None:
    """Podman starts those that are to run always, and not those that run unless stopped."""
    services = compose()["services"]
    once = {name for name, each in services.items() if each["restart"] == "no"}
    assert once == {"migrate", "backup"}
    assert {each["restart"] for name, each in services.items() if name not in once} == {"always"}


def test_one_service_builds_the_image_that_all_run() -> None:
    services = compose()["services"]
    assert [name for name, each in services.items() if "build" in each] == ["migrate"]
    local = {each["image"] for each in services.values() if "." not in each["image"]}
    assert local == {services["migrate"]["image"]} == {"localhost/zgxl"}


def of_containers(tmp_path: Path) -> str:
    """The nginx file as the container makes it of the server's."""
    (_, _, script) = compose()["services"]["nginx"]["command"]
    script = re.sub(r"\$\{(\w+):-(.*?)\}", r"\2", script).replace("$$", "$")
    (tmp_path / "resolv.conf").write_text(
        "search example\nnameserver 10.0.0.1\nnameserver 10.0.0.2\n"
    )
    places = {
        "/etc/nginx/conf.d": tmp_path,
        "/etc/resolv.conf": tmp_path / "resolv.conf",
        " /zgxl.conf": f" {DEPLOY / 'nginx/zgxl.conf'}",
    }
    for there, here in places.items():
        assert there in script
        script = script.replace(there, str(here))
    made = script.replace("exec nginx -g 'daemon off;'", "true")
    subprocess.run(["sh", "-euc", made], check=True)
    return (tmp_path / "zgxl.conf").read_text()


def test_nginx_of_the_containers_asks_for_names_again(tmp_path: Path) -> None:
    """A container that begins anew may have another address."""
    conf = of_containers(tmp_path)
    assert "/run/zgxl" not in conf
    assert "location /static/" not in conf
    assert "X-Forwarded-Proto http;" in conf
    upstreams = dict(re.findall(r"^upstream (\w+) \{(.*?)^\}", conf, re.DOTALL | re.MULTILINE))
    for name in ("web", "streams"):
        body = upstreams[f"zgxl_{name}"]
        assert f"server {name}:8000 resolve max_fails=0;" in body
        assert "resolver 10.0.0.1 valid=2s;" in body
    zones = re.findall(r"\bzone (\w+) |\bzone=(?=\w+:)(\w+)", conf)
    assert len(zones) == len(set(zones)) == 5, "a zone has one use"
    major, minor = compose()["services"]["nginx"]["image"].partition(":")[2].split(".")
    assert (int(major), int(minor)) >= (1, 28), "`resolve` in the free nginx is of 1.27.3"


@pytest.mark.parametrize(("form", "held"), [("json", JsonLine), ("line", logging.Formatter)])
def test_what_celery_logs_is_written_as_what_the_site_logs(
    form: str, held: type, settings: Any
) -> None:
    settings.LOG_FORMAT = form
    logger = logging.Logger("celery.of-this-test")
    logger.addHandler(handler := logging.StreamHandler())
    handler.setFormatter(logging.Formatter())
    for signal in (after_setup_logger, after_setup_task_logger):
        signal.send(sender=None, logger=logger)
    assert type(handler.formatter) is held


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


def test_nginx_keeps_no_list_of_paths_that_hold_the_secret_of_a_link() -> None:
    server = (DEPLOY / "nginx/zgxl.conf").read_text().partition("\nserver {")[2]
    said = re.findall(r"^( *)access_log (.*?);", server, re.MULTILINE)
    assert said == [(" " * 4, "off")], "once, for all that is served"
    limits = re.findall(r"^ {4}limit_(req|conn)_log_level (\w+);", server, re.MULTILINE)
    assert dict(limits) == {"req": "info", "conn": "info"}, "its error log keeps what is worse"
