"""The export of a person's data: nothing of theirs is missing, and nothing of others is in it."""

import io
import json
import random
import tracemalloc
import zipfile
from typing import Any

import pytest
from django.test import Client

from characters import cards, ledger, moving, portraits, services
from characters.models import Character, LedgerEntry
from characters.sheet import read
from matches import exporting, transfer
from matches.actors import Actor
from matches.links import seat_token
from matches.services import SeatRequest, seat_link
from tests import factories
from tests.api.client import Api, problem
from tests.characters.api_rows import picture
from tests.characters.canaries import hide_canaries
from tests.characters.sheets import SHEET

pytestmark = pytest.mark.django_db


def opened(data: bytes) -> tuple[dict[str, Any], dict[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        files = {name: packed.read(name) for name in packed.namelist()}
    return json.loads(files.pop("everything.json")), files


def everything(actor: Actor) -> tuple[dict[str, Any], dict[str, bytes]]:
    client = factories.signed_in(actor.user)
    answer = client.get("/me/everything.zip")
    assert answer.headers["Content-Type"] == "application/zip"
    return opened(answer.getvalue())


@pytest.fixture
def owner() -> Actor:
    return factories.actor("ada")


def test_an_export_holds_all_of_ones_own_data(owner: Actor) -> None:
    oriel = services.paste(by=owner, text=SHEET)
    portraits.put(by=owner, character=oriel, data=picture())
    cards.add(by=owner, game="zg", data={"name": "Grip", "slot": "Claw", "a": "R G B"})
    match = factories.played(3, by=owner, seats=[SeatRequest(player=owner.player), SeatRequest()])
    told, files = everything(owner)
    [one] = told["characters"]
    assert one["name"] == "Oriel Tamsin"
    assert one["balance"] == ledger.balance(oriel)
    assert {item["serial"] for item in one["items"]} == {
        item.serial for item in ledger.items_of(oriel)
    }
    assert len(one["books"]) == LedgerEntry.objects.count()
    text = files[f"{one['folder']}/sheet.txt"].decode()
    assert read(text).gear == read(SHEET).gear
    assert files[f"{one['folder']}/portrait.jpg"].startswith(b"\xff\xd8")
    assert files["cards-zg.csv"].decode().splitlines()[1].startswith("Grip,Claw")
    assert [(m["code"], m["seats"], m["opened"]) for m in told["matches"]] == [
        (match.code, [1], True)
    ]
    assert files[f"matches/{match.code}.ndjson"].count(b"\n") > 3
    api = Api(owner).get("export/").json()
    assert api["characters"][0]["folder"] == one["folder"]
    packed = Api(owner).get("export/", {"Accept": "application/zip"})
    assert opened(packed.getvalue())[0]["player"]["username"] == "ada"
    assert "exported_at" in told


def test_an_export_has_the_same_etag_until_something_changes(owner: Actor) -> None:
    api, seats = Api(owner), [SeatRequest(player=owner.player), SeatRequest(name="Bo")]
    match = factories.match(owner, seats=seats)
    services.paste(by=owner, text=SHEET)
    first = api.get("export/")
    known = {"If-None-Match": first.headers["ETag"]}
    assert api.get("export/", known).status_code == 304
    services.paste(by=owner, text=SHEET)
    changed = api.get("export/", known)
    assert changed.status_code == 200
    assert changed.headers["ETag"] != first.headers["ETag"]
    assert changed.json()["matches"][0]["code"] == match.code


def test_private_words_are_only_in_their_owners_export(owner: Actor) -> None:
    hide_canaries(owner)
    mine = json.dumps(everything(owner)[0])
    for word in ("private", "diary", "notes", "unparsed", "mode-deck", "past", "goal", "party"):
        assert f"canary-{word}" in mine
    other = factories.actor()
    assert "canary" not in json.dumps(everything(other)[0])


def test_an_item_given_away_is_in_the_new_owners_export(owner: Actor) -> None:
    ben = factories.actor("ben")
    oriel: Character = services.paste(by=owner, text=SHEET)
    moving.accept(by=ben, move=moving.offer_to(by=owner, character=oriel, to=ben.player))
    assert everything(owner)[0]["characters"] == []
    assert [one["name"] for one in everything(ben)[0]["characters"]] == ["Oriel Tamsin"]


def test_a_guest_takes_what_belongs_to_their_seat(owner: Actor) -> None:
    seats = [SeatRequest(player=owner.player), SeatRequest(name="Ezut Marr")]
    match = factories.match(owner, seats=seats)
    factories.record(match)
    token = seat_token(match.seats.get(number=2))
    told = Api().get("export/", {"X-Seat": token}).json()
    assert [(one["code"], one["seats"]) for one in told["matches"]] == [(match.code, [2])]
    assert [one["name"] for one in told["sat_as"]] == ["Ezut Marr"]
    assert "characters" not in told
    packed = Api().get("export/", {"X-Seat": token, "Accept": "application/zip"})
    assert list(opened(packed.getvalue())[1]) == [f"matches/{match.code}.ndjson"]
    guest = Client()
    guest.post(f"/j/{seat_link(match.seats.get(number=2))}/")
    assert opened(guest.get("/me/everything.zip").getvalue())[0]["sat_as"][0]["name"] == "Ezut Marr"
    problem(Api().get("export/"), 401, "not-authenticated")
    assert Client().get("/me/everything.zip").status_code == 403


def test_a_zip_takes_no_more_memory_than_its_longest_log(
    owner: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(12):
        factories.match(owner)
    log = random.Random(7).randbytes(1024 * 1024)
    monkeypatch.setattr(transfer, "export_ndjson", lambda match, upto: bytes(bytearray(log)))
    exporting.archive(by=owner).close()
    tracemalloc.start()
    with exporting.archive(by=owner) as file:
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert len(zipfile.ZipFile(file).namelist()) == 13
    assert most < 6 * len(log)
