"""A file created once: concurrent callers all get the same complete text."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from matches.keeping import kept


def test_concurrent_callers_all_get_the_same_complete_text(tmp_path):
    everyone = threading.Barrier(8)

    def ask(number):
        everyone.wait()
        # As large as takes several writes: half of it could be read.
        return kept(tmp_path / "key", lambda: f"{number}" * 100_000)

    with ThreadPoolExecutor(8) as threads:
        texts = set(threads.map(ask, range(8)))

    assert len(texts) == 1
    assert len(texts.pop()) == 100_000
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


def test_nobody_reads_a_half_written_file(tmp_path):
    def late():
        assert kept(tmp_path / "key", lambda: "of the other") == "of the other"
        return "mine"

    assert kept(tmp_path / "key", late) == "of the other"


def test_a_failure_to_create_leaves_no_file(tmp_path):
    def fail():
        raise OSError("no chance")

    with pytest.raises(OSError, match="no chance"):
        kept(tmp_path / "key", fail)

    assert list(tmp_path.iterdir()) == []


def test_the_file_is_readable_by_its_owner_only(tmp_path):
    kept(tmp_path / "key", lambda: "hush")

    assert (tmp_path / "key").stat().st_mode & 0o077 == 0
