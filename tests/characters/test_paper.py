"""A character's portrait and printed pages: re-encoded images, one page, pocket cards; goals."""

import base64
import random
import struct
import zlib
from datetime import date, datetime, timedelta
from io import BytesIO
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from PIL import Image, ImageOps

from characters import cards, ledger, portraits, printing, services, shown
from characters.models import Appearance, Change, Character, Portrait
from characters.policy import Eyes
from characters.services import Circumstances, Recording
from characters.shown import VisibleSection
from matches.actors import Actor
from matches.errors import BadInput, TooLarge
from matches.models import Seat, SeatResult
from tests import factories
from tests.api.client import Api, problem
from tests.characters.api_rows import picture
from tests.characters.sheets import tells
from tests.factories import client_of
from tests.html import squeezed

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


# -- portraits ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF"])
def test_a_picture_is_made_small_and_written_anew(
    owner: Actor, oriel: Character, kind: str
) -> None:
    portrait = portraits.put(by=owner, character=oriel, data=picture(kind, (1500, 900)))
    assert (portrait.width, portrait.height) == (640, 384)
    with Image.open(BytesIO(portrait.image)) as image:
        assert (image.format, image.mode) == ("JPEG", "RGB")
        assert "exif" not in image.info


def test_grey_of_sixteen_bits_keeps_its_shades(owner: Actor, oriel: Character) -> None:
    out = BytesIO()
    Image.new("I;16", (900, 700), 30_000).save(out, "PNG")
    portrait = portraits.put(by=owner, character=oriel, data=out.getvalue())
    with Image.open(BytesIO(portrait.image)) as image:
        assert image.getpixel((320, 240)) == (117, 117, 117)


def test_a_portrait_is_for_a_group_that_there_is(owner: Actor, oriel: Character) -> None:
    portraits.put(by=owner, character=oriel, data=picture("PNG", (9, 9)), audience="officials")
    for audience in ("named", "friends"):
        with pytest.raises(BadInput) as refused:
            portraits.put(by=owner, character=oriel, audience=audience)
        assert (refused.value.code, refused.value.where) == ("bad-audience", "$.audience")


def test_nothing_of_the_file_stays(owner: Actor, oriel: Character) -> None:
    exif = Image.Exif()
    exif[0x0112], exif[0x010E] = 6, "canary-place"  # turned by a quarter; a description
    out = BytesIO()
    Image.new("RGB", (120, 90)).save(out, "JPEG", exif=exif, comment=b"canary-comment")
    portrait = portraits.put(by=owner, character=oriel, data=out.getvalue() + b"canary-tail")
    assert (portrait.width, portrait.height) == (90, 120)
    assert b"canary" not in portrait.image


@pytest.mark.parametrize("held", range(10))
def test_a_picture_is_set_upright_however_its_camera_was_held(
    owner: Actor, oriel: Character, held: int
) -> None:
    exif, out = Image.Exif(), BytesIO()
    exif[0x0112] = held
    drawn = Image.new("RGB", (40, 60), "white")
    drawn.paste("black", (0, 0, 20, 30))
    drawn.save(out, "PNG", exif=exif)
    portrait = portraits.put(by=owner, character=oriel, data=out.getvalue())
    upright = ImageOps.exif_transpose(drawn_with(drawn, exif)).convert("L")
    with Image.open(BytesIO(portrait.image)) as image:
        assert image.size == upright.size
        corners = [(5, 5), (image.width - 5, 5), (5, image.height - 5)]
        for corner in corners:
            shown, wanted = image.convert("L").getpixel(corner), upright.getpixel(corner)
            assert abs(shown - wanted) < 20


def drawn_with(image: Image.Image, exif: Image.Exif) -> Image.Image:
    """Return a picture as it is read from a file with this Exif."""
    again = image.copy()
    again.info["exif"] = exif.tobytes()
    return again


TAGS = (0x010E, 0x0110, 0x0111, 0x011A, 0x0132, 0x014A, 0x8769, 0x8825, 0x927C, 0xA005)
SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 10: 8, 11: 4, 12: 8, 13: 4, 16: 8}  # by type


def odd_exif(chance: random.Random) -> bytes:
    """Return a JPEG whose Exif has tags of types that are none of theirs."""
    tags = [(0x0112, 3, 1, struct.pack("<H", 6))]
    for tag in chance.sample(TAGS, 2):
        kind, count = chance.choice([*SIZES]), chance.choice([0, 1, 2, 5])
        tags.append((tag, kind, count, chance.randbytes(SIZES[kind] * count)))
    tags.sort()
    table, beyond = struct.pack("<H", len(tags)), b""
    for tag, kind, count, value in tags:
        where = struct.pack("<I", 8 + 2 + 12 * len(tags) + 4 + len(beyond))
        table += struct.pack("<HHI", tag, kind, count)
        table += value.ljust(4, b"\0") if len(value) <= 4 else where
        beyond += value if len(value) > 4 else b""
    exif = b"Exif\0\0II*\0" + struct.pack("<I", 8) + table + b"\0\0\0\0" + beyond
    head, rest = picture("JPEG")[:2], picture("JPEG")[2:]
    return head + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + rest


def test_a_picture_with_odd_exif_is_drawn_all_the_same(owner: Actor, oriel: Character) -> None:
    chance = random.Random(7)
    for _ in range(100):
        portrait = portraits.put(by=owner, character=oriel, data=odd_exif(chance))
        assert (portrait.width, portrait.height) == (120, 90)


def png(width: int, height: int) -> bytes:
    """Return a PNG that says it is so large, with nothing in it."""

    def part(name: bytes, data: bytes) -> bytes:
        sum_ = struct.pack(">I", zlib.crc32(name + data))
        return struct.pack(">I", len(data)) + name + data + sum_

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", zlib.compress(b""))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"GIF89a",
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>",
        b"%PDF-1.4",
        picture()[:90],
        picture("BMP"),
        png(0, 0),
        b"\xff\xd8\xff\xe0" + b"\0" * 90,
    ],
    ids=range(8),
)
def test_what_is_no_picture_is_refused(owner: Actor, oriel: Character, data: bytes) -> None:
    with pytest.raises(BadInput):
        portraits.put(by=owner, character=oriel, data=data)
    assert not Portrait.objects.exists()


def test_what_is_too_large_is_refused_unread(owner: Actor, oriel: Character) -> None:
    for data in (png(60_000, 60_000), png(9000, 9000), picture() + b"\0" * portraits.MAX_BYTES):
        with pytest.raises((TooLarge, BadInput)):
            portraits.put(by=owner, character=oriel, data=data)


@pytest.mark.parametrize("size", [(portraits.MAX_SIDE + 1, 1), (1, portraits.MAX_SIDE + 1)])
def test_a_thread_of_a_picture_is_refused_unread(
    owner: Actor, oriel: Character, size: tuple[int, int]
) -> None:
    with pytest.raises(TooLarge, match="20,000 on a side"):
        portraits.put(by=owner, character=oriel, data=png(*size))


def test_a_portrait_is_given_shown_and_taken_away(owner: Actor, oriel: Character) -> None:
    url, client = oriel.get_absolute_url(), client_of(owner)
    sent = SimpleUploadedFile("me.exe", picture(), content_type="text/html")
    given = client.post(f"{url}portrait/", {"image": sent, "audience": "officials"})
    assert given.status_code == 302
    shown = client.get(f"{url}portrait.jpg")
    assert (shown.status_code, shown.headers["Content-Type"]) == (200, "image/jpeg")
    again = client.get(f"{url}portrait.jpg", headers={"If-None-Match": shown.headers["ETag"]})
    assert again.status_code == 304
    assert "portrait.jpg" in client.get(url).content.decode()
    assert "portrait.jpg" not in client.get(f"{url}?as=public").content.decode()
    assert "portrait.jpg" not in Client().get(f"{url}print/").content.decode()
    assert Client().get(f"{url}portrait.jpg").status_code == 404
    stranger = client_of(factories.actor())
    assert stranger.get(f"{url}portrait/").status_code == 403
    assert client.post(f"{url}portrait/", {"audience": "public"}).status_code == 302
    assert Client().get(f"{url}portrait.jpg").status_code == 200
    bad = SimpleUploadedFile("me.png", b"no picture")
    said = client.post(f"{url}portrait/", {"image": bad, "audience": "public"})
    assert "not a picture we can read" in said.content.decode()
    assert client.post(f"{url}portrait/", {"audience": "public", "remove": "on"}).status_code == 302
    assert client.get(f"{url}portrait.jpg").status_code == 404
    assert client.post(f"{url}portrait/", {"audience": "public"}).status_code == 400
    assert Change.objects.filter(what="portrait").count() == 2


def test_a_portrait_by_api(owner: Actor, oriel: Character) -> None:
    path = f"portraits/{oriel.pk}/"
    problem(Api(owner).get(path), 404, "no-portrait")
    image = base64.b64encode(picture()).decode()
    told = Api(owner).post(path, {"image": image, "audience": "owner"}, method="put").json()
    assert (told["width"], told["height"], told["audience"]) == (90, 120, "owner")
    problem(Api().get(path), 404, "no-portrait")
    Api(owner).post(path, {"audience": "public"}, method="put")
    assert [api.get(path).json()["audience"] for api in (Api(owner), Api())] == ["public", ""]
    problem(Api(owner).post(path, {"image": "bm8="}, method="put"), 400, "not-a-picture")
    assert Api(owner).post(path, {"removed": True}, method="put").status_code == 204


# -- paper --------------------------------------------------------------------------------------


def test_a_page_shows_what_its_eyes_may_know(owner: Actor, oriel: Character) -> None:
    url = f"{oriel.get_absolute_url()}print/"
    mine, public = (
        client_of(owner).get(url + query).content.decode() for query in ("", "?as=public")
    )
    for word in ("Born on a supply barge", "c12", "Halder"):
        assert tells(mine, word)
        assert not tells(public, word)
    assert Client().get(f"{url}?as=owner").status_code == 403
    assert Client().get(f"{url}?paper=stone").status_code == 400
    assert "letter.css" in Client().get(f"{url}?paper=letter").content.decode()
    pocket = Client().get(f"{oriel.get_absolute_url()}pocket/").content.decode()
    assert pocket.count('class="pocket ') == 10
    assert not tells(pocket, "c12")


@pytest.mark.parametrize("length", [0, 500, 3000, 6000, 200_000])
def test_any_sheet_is_cut_to_a_page(oriel: Character, length: int) -> None:
    sheet = shown.sheet_of(oriel, Eyes("owner"))
    for kind in ("public", "private"):
        sheet.parts[kind] = VisibleSection(kind, kind, "word " * (length // 5))
    found = printing.page_of(sheet)
    assert sum(len(part.text) for part in found.texts) <= 9000
    assert found.cut == (length >= 6000)
    lines = VisibleSection("public", "public", "a\n" * 5000)
    sheet.parts = {"public": lines}
    assert len(printing.page_of(sheet).texts[0].text.splitlines()) <= 130


def test_pocket_cards_lie_nine_on_a_page(owner: Actor, oriel: Character) -> None:
    won = Recording("won", line="12 x Basic Red Feet (won)")
    services.record(by=owner, character=oriel, act_id=uuid4(), what=won)
    pages = printing.pocket_pages(shown.sheet_of(oriel, Eyes("owner")))
    assert [len(page) for page in pages] == [9, 9, 4]


def test_a_tag_tells_what_everybody_may_know(owner: Actor, oriel: Character) -> None:
    item = next(one for one in ledger.items_of(oriel) if one.slot == "Helmet")
    face = {"name": "Barge Helmet", "slot": "Helmet", "a": "R+ G B", "b": "B# R G", "cost": 30}
    card = cards.add(by=owner, game="zg", data=face, shared=True)
    services.print_as(by=owner, item=item, card=card)
    url = f"/items/{item.serial}/tag/"
    for reader in (Client(), client_of(owner)):
        tag = squeezed(reader.get(url))
        for word in (str(item), item.serial, "Barge Helmet", "c30", "held by Oriel Tamsin"):
            assert word in tag
        assert tag.count('class="dots') == 2
        assert "Not everybody may know" not in tag
    assert "letter.css" in Client().get(f"{url}?paper=letter").content.decode()
    assert Client().get(f"{url}?paper=stone").status_code == 400
    services.edit_section(by=owner, character=oriel, kind="gear", audience="owner")
    assert Client().get(url).status_code == 404
    mine = squeezed(client_of(owner).get(url))
    assert item.serial in mine
    assert "Not everybody may know" in mine
    assert "held by" not in mine


# -- goals --------------------------------------------------------------------------------------


def goals_of(who: Eyes, character: Character) -> dict[str, Any]:
    sheet = shown.sheet_of(character, who)
    return {goal.text: (goal.have, goal.of, goal.since) for goal in sheet.goals}


def test_goals_follow_the_books_and_the_log(owner: Actor, oriel: Character) -> None:
    for text in ("A Superior Red Claw", "Quartz Lode", "Expert Digger", "Win 2 matches", "Rest"):
        services.add_goal(by=owner, character=oriel, text=text)
    own = Eyes("owner", owner.player_id)
    before = goals_of(own, oriel)
    assert before["A Superior Red Claw"] == (0, 1, None)
    assert before["Quartz Lode"][:2] == (1, 1)
    assert before["Expert Digger"][:2] == (1, 1)
    assert before["Win 2 matches"] == (0, 2, None)
    assert before["Rest"] == (None, None, None)
    day = date(2026, 5, 31)
    services.record(
        by=owner,
        character=oriel,
        act_id=uuid4(),
        what=Recording("won", line="Superior Red Claw", told=Circumstances(happened_on=day)),
    )
    won(oriel)
    after = goals_of(own, oriel)
    assert after["A Superior Red Claw"] == (1, 1, day)
    assert after["Win 2 matches"] == (1, 2, None)
    services.edit_section(by=owner, character=oriel, kind="gear", audience="owner")
    assert goals_of(Eyes(), oriel)["A Superior Red Claw"] == (None, None, None)


def won(character: Character) -> None:
    match = factories.match()
    seat = Seat.objects.get(match=match, number=1)
    Appearance.objects.create(seat=seat, character=character)
    SeatResult.objects.create(seat=seat, result="won", public_result="won")


def test_one_thing_stands_for_one_of_those_wanted(owner: Actor, oriel: Character) -> None:
    text = "Basic Green Gear (Feet, Feet, Feet, Helmet)"
    services.add_goal(by=owner, character=oriel, text=text)
    assert goals_of(Eyes("owner"), oriel)[text][:2] == (3, 4)


def test_a_goal_is_reached_on_its_day(owner: Actor, oriel: Character) -> None:
    goal = services.add_goal(by=owner, character=oriel, text="Rest")
    url = f"{oriel.get_absolute_url()}goals/{goal.pk}/"
    for bad in ("2999-01-01", "1066-10-14", "soon"):
        assert client_of(owner).post(url, {"do": "reached", "on": bad}).status_code == 400
    assert client_of(owner).post(url, {"do": "reached", "on": "2026-05-31"}).status_code == 302
    assert "reached 31 May 2026" in client_of(owner).get(oriel.get_absolute_url()).content.decode()
    told = Api(owner).patch(f"goals/{goal.pk}/", {"reached": False}).json()["results"][-1]
    assert "reached_at" not in told
    sent = {"reached": True, "reached_on": "2026-06-01"}
    told = Api(owner).patch(f"goals/{goal.pk}/", sent).json()["results"][-1]
    assert told["reached_at"].startswith("2026-06-01")


def test_a_goal_is_reached_today_wherever_today_is(owner: Actor, oriel: Character) -> None:
    goal = services.add_goal(by=owner, character=oriel, text="Rest")
    now = timezone.now()
    east = {"reached": True, "reached_on": str(now.date() + timedelta(days=1))}
    api = Api(owner)
    told = api.patch(f"goals/{goal.pk}/", east).json()["results"][-1]
    reached = datetime.fromisoformat(told["reached_at"])
    assert timedelta() <= reached - now < timedelta(minutes=10)
    api.patch(f"goals/{goal.pk}/", {"reached": False})
    nowhere = {"reached": True, "reached_on": str(now.date() + timedelta(days=3))}
    problem(api.patch(f"goals/{goal.pk}/", nowhere), 400, "bad-day")
