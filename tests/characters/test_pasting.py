"""A pasted sheet becomes a character with its books, and pastes back from its export."""

from io import StringIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
import pytest
from django.core.management import CommandError, call_command
from django.utils.html import escape

from characters import ledger, pasting, policy, services, shown
from characters.models import Character, GearItem, LedgerEntry
from characters.sheet import read, write
from matches.actors import NOBODY, actor_for
from matches.errors import BadInput, IdReused, Impossible, NotAllowed, TooLarge
from tests import factories
from tests.api.client import Api, problem
from tests.characters.sheets import AFTER, BEFORE, MANGLED, SHEET
from tests.html import squeezed, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def pasted(text: str = SHEET, **answers: Any) -> Character:
    said = services.Answers(**answers)
    return services.paste(by=factories.actor(), text=text, answers=said)


def told(character: Character) -> shown.VisibleSheet:
    return shown.sheet_of(character, policy.Eyes("owner"))


def exported(character: Character) -> str:
    return write(shown.plain_sheet(told(character)))


def test_a_pasted_sheet_becomes_a_character() -> None:
    character = pasted(current_goal=2)
    sheet = told(character)
    assert (character.name, character.tagline) == ("Oriel Tamsin", "Daughter of the Quarry Guild")
    assert sheet.text("private").startswith("Born on a supply barge")
    assert sheet.mode_deck.tertiary == "Pride"
    assert [goal.text for goal in sheet.goals if goal.current] == ["Nereid Lode"]
    assert [item.title for item in sheet.gear] == [
        "Basic Green Helmet",
        "Superior Red Frontgear",
        "Superior Green Shield",
        "Basic Green Feet",
        "Basic Green Feet",
    ]
    assert [item.price for item in sheet.gear] == [None, None, 30, 15, 15]
    assert sheet.balance == 12
    assert [item.name for item in sheet.possessions] == ["Ledger / Book of debts"]
    [(lode, artifex)] = sheet.lodes
    assert (lode.name, len(artifex)) == ("Quartz Lode", 2)
    assert len({item.serial for item in sheet.items}) == len(sheet.items) == 9


def test_the_opening_is_claimed_and_covers_what_was_spent() -> None:
    character = pasted()
    opening = LedgerEntry.objects.get(method="issued", amount__isnull=False)
    assert (opening.amount, opening.certainty, opening.taker) == (72, "claimed", character)
    assert ledger.balance(character) == 12


def test_another_opening_may_be_said() -> None:
    assert ledger.balance(pasted(opening=100)) == 40
    with pytest.raises(Impossible, match="does not cover"):
        pasted(opening=59)
    assert Character.objects.count() == 1


def test_a_set_goal_counts_what_is_held() -> None:
    text = SHEET.replace("Basic Green Feet", "State of the Art Green Feet")
    [goal] = [goal for goal in told(pasted(text)).goals if goal.kind == "set"]
    assert (goal.have, goal.of) == (1, 5)


@pytest.mark.parametrize("name", ["as it is", *MANGLED])
def test_a_character_exports_to_a_text_that_pastes_back_to_it(name: str) -> None:
    text = MANGLED.get(name, str)(SHEET)
    one = pasted(text, name="" if read(text).name else "Nobody")
    text = exported(one)
    assert exported(pasted(text)) == text
    again = pasted(text)
    assert ledger.balance(one) == ledger.balance(again)
    kinds = [
        sorted(GearItem.objects.filter(entries__taker=who).values_list("kind", "name").distinct())
        for who in (one, again)
    ]
    assert kinds[0] == kinds[1]


def test_a_second_lode_keeps_its_artifex_in_the_text() -> None:
    one = pasted(SHEET)
    by = actor_for(one.owner.user)
    what = services.Recording("found", line="Ares Lode - Grim + Tally", kind="lode")
    services.record(by=by, character=one, act_id=uuid4(), what=what)
    text = exported(one)
    assert "Ares Lode - Grim + Tally" in text
    assert exported(pasted(text)) == text


def test_a_sheet_without_a_name_asks_for_one() -> None:
    with pytest.raises(BadInput, match="say the name"):
        pasted("Goals:\nSleep")
    assert pasted("Goals:\nSleep", name="Ada").name == "Ada"
    with pytest.raises(BadInput, match="no goal 7"):
        pasted(current_goal=7)


@pytest.mark.parametrize(
    ("from_", "party", "context"),
    [
        ("", "", "Halder Voss Issue"),
        ("victim", "Halder Voss Issue", ""),
        ("maker", "", "made by Halder Voss Issue"),
        ("issue", "", "Halder Voss Issue"),
    ],
)
def test_whose_the_words_of_a_theft_are_is_said(from_: str, party: str, context: str) -> None:
    pasted(gear=[services.GearOrigin(2, from_)])
    entry = LedgerEntry.objects.select_related("words").get(method="stolen")
    assert (entry.words.party, entry.words.context) == (party, context)
    assert entry.audience == "owner"


def test_a_line_is_shown_to_whom_it_is_meant_for_and_names_its_match() -> None:
    match = factories.match()
    said = [
        services.GearOrigin(2, "maker", "public"),
        services.GearOrigin(1, match=match.code.lower()),
    ]
    pasted(gear=said)
    entries = LedgerEntry.objects.select_related("words")
    assert entries.get(method="stolen").audience == "public"
    assert entries.get(method="found").words.context == f"training match {match.code}"


@pytest.mark.parametrize("said", [{"number": 9}, {"number": 1, "match": "NONE22"}])
def test_of_gear_that_is_not_there_nothing_is_said(said: dict[str, Any]) -> None:
    sent = {"text": SHEET, "answers": {"gear": [said]}}
    answer = Api(factories.actor()).post("characters/paste/", sent)
    where = "match" if "match" in said else "number"
    told = problem(answer, 400, "no-such-match" if where == "match" else "no-such-gear")
    assert told["errors"][0]["where"] == f"$.answers.gear[0].{where}"
    assert not Character.objects.exists()


def test_a_sheet_that_is_sent_again_is_kept_once_and_another_by_its_id_is_none() -> None:
    by, bare = factories.actor(), "Name: Ada\n\nNotes:\nOne"
    for text, other in ((SHEET, SHEET.replace("c12", "c13")), (bare, bare + "\nTwo")):
        act_id = uuid4()
        one, again = (services.paste(by=by, text=text, act_id=act_id) for _ in range(2))
        assert one == again
        with pytest.raises(IdReused):
            services.paste(by=by, text=other, act_id=act_id)
    assert Character.objects.count() == 2
    assert {*one.sections.values_list("text", flat=True)} == {"", "One"}


def test_a_name_that_is_said_stands_before_that_of_the_sheet() -> None:
    assert pasted(name="Ada").name == "Ada"
    for text, name, where in ((SHEET, "A\x1b", "$.answers.name"), ("Name: A\u202eb", "", "$.text")):
        with pytest.raises(BadInput) as refused:
            pasted(text, name=name)
        assert (refused.value.code, refused.value.where) == ("control-character", where)


def test_an_answer_is_about_a_goal_or_a_line_of_gear_that_is_there() -> None:
    said: list[dict[str, Any]] = [{"current_goal": 0}, {"current_goal": 5}]
    said += [{"gear": [services.GearOrigin(number)]} for number in (0, 5)]
    for answers in said:
        with pytest.raises(BadInput, match="There is no"):
            pasted(**answers)
    starred = SHEET.replace("Nereid Lode", "* Nereid Lode")
    for number, ordinal in ((None, 2), (4, 4)):
        one = pasted(starred, current_goal=number, gear=[services.GearOrigin(4)])
        assert one.goals.get(current=True).ordinal == ordinal


def test_one_not_signed_in_keeps_nothing() -> None:
    with pytest.raises(NotAllowed):
        services.paste(by=NOBODY, text=SHEET)
    assert not Character.objects.exists()


# -- the API and the command ------------------------------------------------------------------


def test_the_api_previews_without_keeping_anything() -> None:
    api = Api(factories.actor())
    answer = api.post("characters/paste/", {"text": SHEET, "preview": True})
    assert answer.status_code == 200
    said = answer.json()
    assert said.keys() == {
        *("name", "tagline", "sections", "mode_deck", "maneuvers", "goals", "gear", "currency"),
        *("possessions", "lode", "unparsed", "questions", "lines"),
    }
    assert said["mode_deck"] == {
        "primary": "Guild",
        "secondary": "Expert Digger",
        "tertiary": "Pride",
    }
    assert said["gear"][3] == {
        "quality": "Basic",
        "colour": "Green",
        "type": "Feet",
        "method": "bought",
        "from": "Pit Stop",
        "price": 15,
        "count": 2,
        "raw": "Basic Green Feet (c15 x 2 @ Pit Stop)",
    }
    assert said["currency"] == {"amount": 12, "opening": 72}
    long = api.post("characters/paste/", {"text": SHEET + "\n" * 70_000, "preview": True})
    assert long.json()["gear"] == said["gear"], "a sheet may be larger than other requests"
    assert not Character.objects.exists()


def test_the_api_keeps_a_character_and_gives_its_text() -> None:
    api = Api(factories.actor())
    of_gear = [{"number": 2, "from": "victim", "audience": "public"}]
    answers = {"current_goal": 1, "gear": of_gear}
    sent = {"text": BEFORE + SHEET + AFTER, "answers": answers}
    answer = api.post("characters/paste/", sent)
    assert answer.status_code == 201
    said = answer.json()
    assert answer.headers["Location"] == said["url"]
    assert (said["currency"], len(said["gear"]), said["goals"][0]["current"]) == (12, 5, True)
    text = api.client.get(said["links"]["sheet"]).content.decode()
    assert read(text).goals == read(SHEET.replace("Expert Climber", "* Expert Climber")).goals
    seen = Api().client.get(said["url"]).json()
    assert seen["gear"][1]["from"] == "Halder Voss Issue"
    assert "currency" not in seen
    assert "Born on a supply barge" not in msgspec.json.encode(seen).decode()


def test_the_api_says_what_is_wrong() -> None:
    api = Api(factories.actor())
    problem(api.post("characters/paste/", {"text": "Goals:\nSleep"}), 400, "no-name")
    problem(api.post("characters/paste/", {"text": ""}), 400, "bad-length")
    poor = {"text": SHEET, "answers": {"opening": 1}}
    problem(api.post("characters/paste/", poor), 422, "overspent")
    assert not Character.objects.exists()
    with pytest.raises(TooLarge) as refused:
        services.preview("x" * (pasting.MAX_TEXT + 1))
    assert (refused.value.code, refused.value.where) == ("too-large", "$.text")
    assert services.preview("x" * pasting.MAX_TEXT).name == ""
    with pytest.raises(BadInput) as refused:
        services.preview("a\0b")
    assert (refused.value.code, refused.value.where) == ("nul", "$.text")


def test_the_command_tells_or_keeps_a_sheet(tmp_path: Path) -> None:
    path, out = tmp_path / "sheet.txt", StringIO()
    path.write_text(SHEET)
    call_command("paste_sheet", str(path), stdout=out)
    assert msgspec.json.decode(out.getvalue())["name"] == "Oriel Tamsin"
    assert not Character.objects.exists()
    user = factories.user()
    call_command("paste_sheet", str(path), owner=user.username, stdout=out)
    assert Character.objects.get().owner.user == user
    with pytest.raises(CommandError, match="no account"):
        call_command("paste_sheet", str(path), owner="nobody")
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("paste_sheet", str(tmp_path))


# -- the page -----------------------------------------------------------------------------------


def test_the_page_shows_each_line_before_it_keeps_the_character() -> None:
    client = factories.signed_in(factories.user())
    shown = client.post("/characters/paste/", {"text": SHEET})
    assert shown.status_code == 200
    for line in SHEET.splitlines():
        assert squeezed(shown).count(f"</span> {escape(line)}</td>") == bool(line)
    unread = client.post("/characters/paste/", {"text": f"{SHEET}\nCash: c-40"})
    assert "No amount could be read on line" in text_of(unread)
    assert not Character.objects.exists()
    said = {"text": SHEET, "keep": "1", "current-goal": "3", "opening": "72", "from-2": "issue"}
    said |= {"audience-2": "officials", "match-1": "NONE22"}
    refused = client.post("/characters/paste/", said)
    assert refused.status_code == 400
    assert "There is no match NONE22." in refused.content.decode()
    kept = client.post("/characters/paste/", said | {"match-1": ""})
    character = Character.objects.get()
    assert LedgerEntry.objects.get(method="stolen").audience == "officials"
    assert kept.headers["Location"] == character.get_absolute_url()
    assert character.goals.get(current=True).text == "Orpheus Lode"


def test_the_page_keeps_what_was_typed_when_an_answer_is_wrong() -> None:
    client = factories.signed_in(factories.user())
    said = {"text": SHEET, "keep": "1", "current-goal": "9", "opening": "1"}
    shown = client.post("/characters/paste/", said)
    assert shown.status_code == 400
    assert "Quartz Lode" in shown.content.decode()
    assert client.post("/characters/paste/", {"text": ""}).status_code == 400
    assert client.post("/characters/paste/", {"text": "a\0b"}).status_code == 400
    assert not Character.objects.exists()
