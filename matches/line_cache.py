"""A cache of rendered lines of logs.

The text of a line that stands depends on its entry and those before it, all of which its hash
covers, on its row's other data, and on the audience. The key holds all of that, so a cached line is
never stale, and nobody is served one rendered for another audience.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock

from django.utils.safestring import SafeString

MAX_LINES = 10_000  # 20 MB per process

_written: OrderedDict[Hashable, SafeString] = OrderedDict()
_lock = Lock()


def written(key: Hashable, write: Callable[[], SafeString]) -> SafeString:
    """Return the cached text of a key, rendering it if it is missing."""
    with _lock:
        found = _written.get(key)
        if found is not None:
            _written.move_to_end(key)
            return found
    found = write()
    with _lock:
        _written[key] = found
        while len(_written) > MAX_LINES:
            _written.popitem(last=False)
    return found
