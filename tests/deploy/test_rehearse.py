"""The rehearsal of the whole server, in its short form: `deploy/rehearse` is the long one."""

from pathlib import Path

import pytest

from tests import rehearse

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.broker
def test_the_whole_server_loses_and_doubles_nothing_when_parts_of_it_are_killed() -> None:
    found = rehearse.rehearse(tables=2, readers=4, seconds=4, every=0.3)

    assert found.acts >= found.tables
    assert found.heard == 2 * (found.acts + found.tables)  # two readers a table, and its setup
    assert found.reconnects >= found.readers
    assert len(found.killed) == 3


def test_containers_run_what_the_units_run() -> None:
    """Both name the same programs; what differs is where they listen."""
    compose = (ROOT / "deploy/container/compose.yaml").read_text()
    for name in ("zgxl-streams", "zgxl-worker@", "zgxl-beat"):
        unit = (ROOT / f"deploy/systemd/{name}.service").read_text()
        (line,) = [line for line in unit.splitlines() if line.startswith("ExecStart=")]
        for option in line.split()[1:]:
            if option.startswith("--") and option not in ("--uds", "--hostname"):
                assert f'"{option}"' in compose, f"{name}: {option}"
