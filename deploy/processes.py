"""Child processes that never outlive their parent. Knows no Django.

A child gets a session of its own, so a Ctrl-C reaches only the parent, and asks the kernel for a
signal when the parent ends, however it ends.
"""

import contextlib
import ctypes
import os
import signal
import subprocess
from collections.abc import Callable, Sequence
from typing import Any

PR_SET_PDEATHSIG = 1
PATIENCE = 8.0  # seconds to end by itself
_libc = ctypes.CDLL(None, use_errno=True)  # loaded before any fork


def end_with_parent(with_signal: int = signal.SIGKILL, parent: int | None = None) -> None:
    """Have the kernel send `with_signal` to this process when its parent ends.

    `parent` is the pid the parent had: one that has ended already sends no signal any more. Raises:
    OSError.
    """
    if _libc.prctl(PR_SET_PDEATHSIG, int(with_signal), 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG) failed")
    if parent is not None and os.getppid() != parent:
        os.kill(os.getpid(), with_signal)


def start(
    command: Sequence[str], *, death_signal: int = signal.SIGKILL, **options: Any
) -> subprocess.Popen[Any]:
    """Start a child in its own session that ends with this process.

    Call it from a thread that lives as long as the child may: the kernel watches that thread.
    `options` go to `subprocess.Popen`.
    """
    return subprocess.Popen(
        command, start_new_session=True, preexec_fn=_child(os.getpid(), death_signal), **options
    )


def _child(parent: int, death_signal: int) -> Callable[[], None]:
    def prepare() -> None:
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        end_with_parent(death_signal, parent)

    return prepare


def stop(process: subprocess.Popen[Any]) -> None:
    """End a child started by `start` and its whole session: first TERM, then KILL."""
    process.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(PATIENCE)
    kill_session(process)


def kill_session(process: subprocess.Popen[Any]) -> None:
    """Kill what is left of the session of a child started by `start`."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
