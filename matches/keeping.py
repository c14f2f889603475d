"""Files that are created once and then kept: keys, passwords. Nothing here needs Django."""

import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path


def kept(path: Path, make: Callable[[], str]) -> str:
    """Return the text of `path`; the first call creates it, readable by its owner alone.

    It is written to a temporary file and linked into place: a concurrent call reads all of it or
    creates it, and a process that dies leaves no partial file. Raises: OSError if the file cannot
    be read or its folder not be written.
    """
    with suppress(FileNotFoundError):
        return path.read_text()
    descriptor, aside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # mode 0600
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(make())
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(aside, path)
    finally:
        Path(aside).unlink()
    return path.read_text()
