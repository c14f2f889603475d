"""The proof page: what held, what did not, and the figures."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.test import Client

from deploy import proof
from deploy.proof import Promise, Row

pytestmark = pytest.mark.django_db

RAN = {"date": "2026-01-02", "commit": "abc1234", "size": "full"}
KEPT = Promise(
    name="kept",
    section="Races",
    promise="One wins.",
    rows=(
        Row(engine="SQLite", asked="9 rounds", found="9 winners", bite="It broke.", **RAN),
        Row(engine="PostgreSQL", asked="9 rounds", found="10 winners", bite="It broke.", **RAN),
    ),
)
BROKEN = Promise(
    name="broken",
    section="Crashes",
    promise="Nothing is lost.",
    rows=(Row(engine="SQLite", broken="3 acts are lost", **{**RAN, "size": "short"}),),
)
UNTRIED = Promise(name="untried", section="Crashes", promise="Nobody tried this.")


@pytest.fixture
def page(client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    def show(*promises: Promise) -> str:
        monkeypatch.setattr(proof, "DATA", tmp_path / "proof.json")
        if promises:
            proof.DATA.write_bytes(msgspec.json.encode(promises))
        answer = client.get("/proof/")
        assert answer.status_code == 200
        return " ".join(answer.content.decode().split())

    return show


def test_what_engines_have_in_common_is_told_once(page: Any) -> None:
    told = page(KEPT)
    assert told.count("9 rounds") == 1
    assert "9 winners" in told
    assert "10 winners" in told
    assert "The one promise held" in told
    assert "short form" not in told


def test_what_is_broken_is_told_first(page: Any) -> None:
    told = page(BROKEN, KEPT, UNTRIED)
    assert "1 of 2 promises did not hold" in told
    assert "3 acts are lost" in told
    assert "short form" in told
    assert "Nobody tried this" not in told


def test_without_figures_it_says_so(page: Any) -> None:
    assert "Nothing has been put to the proof yet" in page()


def test_every_page_leads_there_and_what_is_shipped_can_be_read(client: Client) -> None:
    assert 'href="/proof/"' in client.get("/").content.decode()
    assert all(promise.name and promise.promise for promise in proof.read())
    assert client.get("/proof/").status_code == 200
