"""The rehearsal of the whole server, in its short form: `deploy/rehearse` is the long one."""

import pytest

from tests import rehearse


@pytest.mark.broker
def test_the_whole_server_loses_and_doubles_nothing_when_parts_of_it_are_killed() -> None:
    found = rehearse.rehearse(tables=2, readers=4, seconds=2, every=1)

    assert found.acts >= found.tables
    assert found.heard == 2 * (found.acts + found.tables)  # two readers a table, and its setup
    assert found.connections >= 2 * found.readers  # each was cut off, and came back
    assert found.killed == ["worker-1", "web-1", "streams", "broker"]
