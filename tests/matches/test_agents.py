"""Browsers in plain words."""
# ruff: noqa: E501 (agents are as long as they are)

import pytest

from matches.agents import plain

LIKE = "AppleWebKit/537.36 (KHTML, like Gecko)"


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0", "Firefox on Android"),
        (f"Mozilla/5.0 (Linux; Android 10; K) {LIKE} Chrome/124.0.0.0 Mobile Safari/537.36", "Chrome on Android"),
        (f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {LIKE} Chrome/124.0 Safari/537.36 Edg/124.0", "Edge on Windows"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1", "Safari on iPhone"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15", "Safari on macOS"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0", "Firefox on Linux"),
        ("curl/8.5.0", "curl"),
        ("", "An unknown browser"),
        ("\x00💥" * 90, "An unknown browser"),
    ],
)  # fmt: skip
def test_an_agent_is_said_as_a_person_would(agent: str, words: str) -> None:
    assert plain(agent) == words
