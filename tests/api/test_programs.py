"""The page for programmers: its requests and the example client are both run as printed."""

import html
import importlib.util
import re
import shlex
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest
from django.conf import settings
from django.test import Client

from matches import followers, selectors
from matches.services import SeatRequest
from rules.zg import samples
from tests import factories
from tests.api.client import Api
from tests.api.test_hidden import HAND
from tests.league import desks

SHOWN = re.compile(r'<pre class="wraps" id="([a-z]+)">(.*?)</pre>', re.DOTALL)
CLIENT = Path(settings.BASE_DIR) / "docs" / "examples" / "client.py"


def send(command: str, key: str) -> Any:
    """Send what a command of curl says, by the test client."""
    words = [word.replace("$KEY", key) for word in shlex.split(command)]
    assert words[:2] == ["curl", "-sS"]
    headers = dict(words[at + 1].split(": ", 1) for at, word in enumerate(words) if word == "-H")
    path = words[2].removeprefix("http://testserver")
    assert path.startswith("/api/v1/")
    if "-d" not in words:
        return Client().get(path, headers=headers)
    body = words[words.index("-d") + 1]
    return Client().post(path, body, content_type=headers.pop("Content-Type"), headers=headers)


@pytest.mark.django_db
def test_every_request_of_the_page_is_answered() -> None:
    by = factories.actor()
    assert by.user is not None
    match = factories.match(by)
    factories.record(match, {"type": "conceded", "seat": 2})
    over = desks.played_out(desks.tournament(), players=2, rounds=1)
    followers.work(over.pk)
    cup = desks.tournament()
    page = Client().get("/developers/").content.decode()
    assert 'href="/developers/guide.md"' in page
    assert 'href="/developers/examples/client.py"' in page
    shown = {name: html.unescape(text) for name, text in SHOWN.findall(page)}
    assert len(shown) == 12
    key = factories.key(by.user)
    assert over.code in shown["standings"]  # the newest with standings that stay
    opened = send(shown.pop("open"), key)
    assert opened.status_code == 201
    record = shown.pop("record").replace("CODE", opened.json()["code"])
    assert send(record, key).status_code == 201
    assert send(shown.pop("enter").replace("CODE", cup.code), key).status_code == 201
    told = {name: send(command, key).status_code for name, command in shown.items()}
    assert told == dict.fromkeys(shown, 200)
    assert send(shown["webhooks"], "zgxl_none").status_code == 401


@pytest.fixture(scope="module")
def program() -> ModuleType:
    spec = importlib.util.spec_from_file_location("example_client", CLIENT)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def test_the_example_client_works_against_a_real_site(live_site: str, program: ModuleType) -> None:
    by = factories.actor("yowuya")
    cup = desks.tournament()
    client = program.Client(live_site, factories.key(by.user))
    code = program.log_match(client, "By a program", ["Red", "Green"])
    match = selectors.match_for(by, code)
    assert match.log.status == "ended"
    assert program.enter(client, cup.code) == 1
    deck = samples.starters()["Merc"]
    duel = factories.match(by, "zg", [SeatRequest(deck=deck)] * 2, options={"depth": "full"})
    factories.record(duel, {"type": "hand-taken", "seat": 1, "cards": HAND}, by=by)
    found = list(program.follow(program.Client(live_site)))
    acts = [entry["act"]["type"] for _, entry in found if entry.get("match") == code]
    assert acts == ["opened", "game-won", "game-won"]
    assert program.tell(found[-1][1]) == f"{duel.code} hidden"
    assert list(program.follow(client, found[-1][0])) == []
    with pytest.raises(program.Refused) as refused:
        program.Client(live_site).ask("entries/", {"tournament": cup.code, "id": str(match.pk)})
    assert refused.value.code == "not-authenticated"
    command = [sys.executable, CLIENT, live_site, factories.key(by.user), "enter", "NOCODE"]
    told = subprocess.run(command, capture_output=True, check=False, text=True)
    assert told.returncode == 1
    assert told.stderr.startswith("no-such-tournament: ")


@pytest.mark.django_db
def test_the_example_client_checks_a_log_that_it_keeps(program: ModuleType) -> None:
    by = factories.actor()
    match = factories.match(by, options={"best_of": 5})
    for act in (factories.points(), {"type": "game-won", "seat": 1}):
        factories.record(match, act, by=by)
    factories.record(match, {"type": "game-closed"}, by=by, irregular=True)
    factories.correct(match, 3, {"type": "game-won", "seat": 2})  # acts that repeat and go on
    spelt = msgspec.json.encode(samples.starters()["Merc"]).replace(b"Dock", "Größe 😀".encode())
    deck = msgspec.json.decode(spelt)
    duel = factories.match(by, "zg", [SeatRequest(deck=deck)] * 2, options={"depth": "full"})
    hand = [*HAND[:2], "Größe 😀 Claw"]
    for seat in (1, 2):
        factories.record(duel, {"type": "hand-taken", "seat": seat, "cards": hand}, by=by)
    cup = desks.played_out(desks.tournament(), players=4, rounds=1)
    for kind, log in (("matches", match), ("matches", duel), ("tournaments", cup)):
        path, reader = f"{kind}/{log.code}/", Api()
        entries = reader.get(f"{path}events/").json()["entries"]
        names = {name for entry in entries for name in entry}
        assert log != match or {"irregular", "on", "repeats"} <= names
        assert log != duel or "act" not in entries[-1]
        assert program.first_bad(str(log.pk), entries) == 0
        assert reader.get(path).json()["log"] == str(log.pk)
        assert program.first_bad(str(log.pk), entries[1:]) == 1
        assert program.first_bad(str(log.pk), [entries[0], *entries[2:]]) == 2
        assert program.first_bad(str(by.player.pk), entries) == 1
        altered = [{**entries[0], "recorded_at": "2026-01-01T00:00:00.000000Z"}, *entries[1:]]
        assert program.first_bad(str(log.pk), altered) == 1


def test_the_client_verifies_as_the_guide_says() -> None:
    guide = (CLIENT.parent.parent / "api.md").read_text("utf-8")
    snippets = re.findall(r"^```python\n(.*?)^```$", guide, re.DOTALL | re.MULTILINE)
    assert len(snippets) == 2
    assert all(snippet.strip() in CLIENT.read_text("utf-8") for snippet in snippets)
