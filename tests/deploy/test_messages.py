"""The file-based queue: messages are read whole, however many processes write and read."""

import errno
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Empty
from typing import Any

import pytest
from django.conf import settings
from kombu import Connection
from kombu.exceptions import ChannelError

from deploy.celery import app

QUEUE = "tried"


@pytest.fixture
def channel(tmp_path: Path) -> Iterator[Callable[[], Any]]:
    """Open channels of one directory, as programs beside each other do."""
    folders = {"data_folder_in": "messages", "data_folder_out": "messages"}
    folders |= {"control_folder": "control"}
    paths = {option: tmp_path / folder for option, folder in folders.items()}
    paths["data_folder_in"].mkdir()
    options = {option: str(path) for option, path in paths.items()}
    opened = []

    def open_channel() -> Any:
        opened.append(Connection("filesystem://localhost", transport_options=options))
        return opened[-1].channel()

    yield open_channel
    for connection in opened:
        connection.close()


def taken(channel: Any) -> Any:
    try:
        return channel._get(QUEUE)
    except Empty:
        return None


def test_the_queue_of_a_site_without_a_broker_is_this_one() -> None:
    assert settings.CELERY_BROKER_URL.startswith("filesystem:")
    with app.connection_for_write() as connection:
        assert type(connection.transport).__module__ == "deploy.messages"


def test_messages_come_whole_once_and_in_their_order(channel: Callable[[], Any]) -> None:
    there, reader = channel(), channel()
    for number in range(20):
        there._put(QUEUE, {"number": number})
    there._put("another", {"number": "of another queue"})
    read = [taken(reader)["number"] for _ in range(20)]
    assert sorted(read) == [*range(20)]
    assert taken(reader) is None


def test_who_looks_while_a_message_is_written_sees_none_or_all_of_it(
    channel: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    writer, reader = channel(), channel()
    seen = []
    write = Path.write_text

    def looked_at(path: Path, text: str) -> int:
        written = write(path, text[: len(text) // 2])
        seen.append(taken(reader))
        return written + write(path, text)

    monkeypatch.setattr(Path, "write_text", looked_at)
    writer._put(QUEUE, {"text": "x" * 1000})
    assert seen == [None]
    assert taken(reader) == {"text": "x" * 1000}


def test_what_many_write_at_once_is_read_whole(channel: Callable[[], Any]) -> None:
    writers, each = 4, 250

    def write(writer: Any, name: int) -> None:
        for number in range(each):
            writer._put(QUEUE, [name, number])

    threads = [threading.Thread(target=write, args=(channel(), name)) for name in range(writers)]
    reader = channel()
    for thread in threads:
        thread.start()
    read = []
    while any(thread.is_alive() for thread in threads):
        read.append(taken(reader))
    while message := taken(reader):
        read.append(message)
    assert sorted(message for message in read if message) == [
        [name, number] for name in range(writers) for number in range(each)
    ]


def test_a_queue_is_bound_by_many_who_begin_at_once(channel: Callable[[], Any]) -> None:
    faults = []
    begin = threading.Barrier(8)

    def bind(own: Any, number: int) -> None:
        begin.wait()
        try:
            own._queue_bind("letters", "", "", f"queue-{number}")
            own.get_table("letters")
        except Exception as fault:
            faults.append(fault)

    threads = [threading.Thread(target=bind, args=(channel(), number)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
    table = channel().get_table("letters")
    assert {bound.queue for bound in table} == {f"queue-{number}" for number in range(8)}


def test_a_full_disk_leaves_nothing_half_written(
    channel: Callable[[], Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    writer = channel()

    def full(path: Path, text: str) -> None:
        path.touch()
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(ChannelError):
        writer._put(QUEUE, {})
    with pytest.raises(OSError, match="No space"):
        writer._queue_bind("letters", "", "", "queue")
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
