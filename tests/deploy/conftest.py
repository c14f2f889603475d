"""Fixtures of the deployment tests."""

import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SETTINGS = Path(__file__).resolve().parents[2] / "deploy" / "settings.py"
KNOWN = (
    "DATABASE_URL",
    "REPLICA_URL",
    "BROKER_URL",
    "CACHE_URL",
    "DEBUG",
    "HTTPS",
    "PROXIES",
    "SECRET_KEY",
)


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """Load the settings with a given environment and a temporary data directory."""

    def read(**environ: str) -> dict[str, Any]:
        for name in KNOWN:
            monkeypatch.delenv(name, raising=False)
        for name, value in {"DATA": str(tmp_path / "data"), **environ}.items():
            monkeypatch.setenv(name, value)
        return runpy.run_path(str(SETTINGS))

    return read
