"""Files that are made once and then kept: keys, passwords. Nothing here needs Django."""

import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path


def kept(path: Path, make: Callable[[], str]) -> str:
    """Return the text of `path`; the first to ask makes it, for its owner's eyes alone.

    It is written aside and linked into place: who asks at the same moment reads all of it or
    makes it, and a process that dies on the way leaves no half of it.
    Raises: OSError where the file cannot be read or its folder not be written.
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
