"""The queue of a site without a broker: messages are files in a shared directory.

Kombu's own transport creates a message's file before it writes it, and the table of queues too. A
worker that looked in between read an empty file: it lost the message and crashed.
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
    """A directory of messages, in which every file appears atomically."""

    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:  # type: ignore[override]
        """Put a message where `_get` finds it, in order of arrival. Raises: ChannelError."""
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
                os.link(empty, table)  # fails if another process made it meanwhile
            except FileExistsError:
                pass
            finally:
                empty.unlink(missing_ok=True)
        super()._queue_bind(exchange, routing_key, pattern, queue)


class Transport(filesystem.Transport):
    """Kombu's transport over such a directory."""

    Channel = Channel
