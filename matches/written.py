"""Lines of logs as they were written into pages, kept in memory.

The words of a line whose entry stands rest on that entry and those before it, all of which its
hash names, on what its row says beside it, and on who is told. All of that is its key. So nothing
here is ever old, and nobody is given what was written for other eyes.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock

from django.utils.safestring import SafeString

MOST_LINES = 10_000  # in all: 20 MB in a process

_written: OrderedDict[Hashable, SafeString] = OrderedDict()
_lock = Lock()


def written(key: Hashable, write: Callable[[], SafeString]) -> SafeString:
    """Return what was written under a key, else write it now."""
    with _lock:
        found = _written.get(key)
        if found is not None:
            _written.move_to_end(key)
            return found
    found = write()
    with _lock:
        _written[key] = found
        while len(_written) > MOST_LINES:
            _written.popitem(last=False)
    return found
