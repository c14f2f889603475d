"""The queue of a site without a broker: messages are files in a directory that programs share.

Kombu's own transport opens a message's file first and fills it after, and makes the table of
queues so too. A worker that looked between the two read an empty file: it lost the message, and
ended with a fault.
"""

import os
import uuid
from json import dumps
from pathlib import Path
from time import monotonic
from typing import Any

from kombu.exceptions import ChannelError
from kombu.transport import filesystem


class Channel(filesystem.Channel):
    """A directory of messages, in which each file is there whole or not at all."""

    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:  # type: ignore[override]
        """Put a message where `_get` finds it, in the order of coming; raise ChannelError."""
        name = f"{round(monotonic() * 1000)}_{uuid.uuid4()}"
        folder = Path(self.data_folder_out)
        hidden = folder / f"{name}.unfinished"
        try:
            hidden.write_text(dumps(payload))
            hidden.rename(folder / f"{name}.{queue}.msg")
        except OSError as error:
            hidden.unlink(missing_ok=True)
            raise ChannelError(f"cannot add a message to {folder}: {error}") from error

    def _queue_bind(self, exchange: str, routing_key: str, pattern: str, queue: str) -> None:
        table = self._exchange_file(exchange)
        if not table.exists():
            table.parent.mkdir(exist_ok=True)
            empty = table.with_suffix(f".{uuid.uuid4()}")
            try:
                empty.write_text("[]")
                os.link(empty, table)  # never over the table another made meanwhile
            except FileExistsError:
                pass
            finally:
                empty.unlink(missing_ok=True)
        super()._queue_bind(exchange, routing_key, pattern, queue)


class Transport(filesystem.Transport):
    """Kombu's transport over such a directory."""

    Channel = Channel
