"""A sheet as of a past day, from its history and ledger, with no more than these reveal."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from characters import earlier, policy, portraits, services, shown
from characters.earlier import Earlier
from characters.models import Character, Goal, LedgerEntry
from characters.policy import Eyes
from characters.services import Circumstances, Recording
from matches.actors import RESULTS_COOKIE, Actor
from tests import factories
from tests.api.client import Api, problem
from tests.characters.api_rows import picture
from tests.characters.canaries import CANARY, cage
from tests.characters.sheets import SHEET
from tests.html import text_of

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

PUBLIC, OWNER, OFFICIALS = Eyes(), Eyes("owner"), Eyes("officials")
On = Callable[[int], None]


@pytest.fixture
def on(monkeypatch: pytest.MonkeyPatch) -> On:
    """Return what makes it noon of a day of May."""

    def turn(day: int) -> None:
        monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 5, day, 12, tzinfo=UTC))

    return turn


@pytest.fixture
def oriel(owner: Actor, on: On) -> Character:
    on(2)
    return services.paste(by=owner, text=SHEET)


def as_of(day: int, character: Character, eyes: Eyes = OWNER) -> Earlier:
    return earlier.sheet_on(Character.objects.get(pk=character.pk), eyes, date(2026, 5, day))


def write(owner: Actor, character: Character, kind: str, **said: Any) -> None:
    services.edit_section(by=owner, character=character, kind=kind, **said)


def enter(owner: Actor, character: Character, method: str, **said: Any) -> LedgerEntry:
    what = Recording(method, **said)
    return services.record(by=owner, character=character, act_id=uuid4(), what=what)[0]


def pieces(found: Earlier) -> list[str]:
    return [item.title for item in found.sheet.gear]


@pytest.mark.parametrize("eyes", [OWNER, PUBLIC])
def test_where_nothing_changed_since_a_sheet_is_what_it_is_now(
    owner: Actor, oriel: Character, eyes: Eyes
) -> None:
    portraits.put(by=owner, character=oriel, data=picture(), audience="public")
    found, now = as_of(2, oriel, eyes), shown.sheet_of(oriel, eyes)
    told = ("parts", "goals", "balance", "favours")
    assert [getattr(found.sheet, name) for name in told] == [getattr(now, name) for name in told]
    known = [item for item in now.items if item.method]  # one was stolen, which is kept secret
    assert sorted(item.serial for item in found.sheet.items) == sorted(i.serial for i in known)
    assert found.portrait and not (found.untold or found.called)


def test_a_sheet_is_read_as_it_was_when_the_day_ended(
    owner: Actor, oriel: Character, on: On
) -> None:
    on(4)
    write(owner, oriel, "public", text="Slow.")
    services.edit(by=owner, character=oriel, name="Orry", tagline="")
    portraits.put(by=owner, character=oriel, data=picture(), audience="public")
    enter(owner, oriel, "bought", line="Basic Red Claw (c2 @ Pit Stop)")
    on(6)
    write(owner, oriel, "public", text="Slower.")
    enter(owner, oriel, "destroyed", items=[last_item(oriel)], out=True)
    then, between, now = (as_of(day, oriel) for day in (3, 4, 6))
    assert then.sheet.text("public").startswith("She is quick")
    assert (between.sheet.text("public"), now.sheet.text("public")) == ("Slow.", "Slower.")
    assert (then.called, between.called) == ("Oriel Tamsin", "")
    assert [bool(found.portrait) for found in (then, between)] == [False, True]
    assert ["Basic Red Claw" in pieces(found) for found in (then, between, now)] == [0, 1, 0]
    assert [found.sheet.balance for found in (then, between, now)] == [12, 10, 10]


def last_item(character: Character) -> str:
    found = LedgerEntry.objects.filter(taker=character, item__isnull=False).latest("pk").item
    assert found is not None
    return found.serial


def test_goals_are_those_of_the_day(owner: Actor, oriel: Character, on: On) -> None:
    on(4)
    climber, nereid, orpheus, state = oriel.goals.all()
    services.edit_goal(by=owner, goal=climber, current=True)
    services.add_goal(by=owner, character=oriel, text="Sleep")
    on(6)
    services.edit_goal(by=owner, goal=orpheus, current=True)
    services.edit_goal(by=owner, goal=nereid, text="Triton Lode")
    services.edit_goal(by=owner, goal=state, reached=True, reached_on=date(2026, 5, 5))
    services.remove_goal(by=owner, goal=Goal.objects.get(text="Sleep"))

    def told(day: int, eyes: Eyes = OWNER) -> list[str]:
        return [
            f"{goal.text}{' *' * goal.current}{' !' * bool(goal.reached_at)}"
            for goal in as_of(day, oriel, eyes).sheet.goals
        ]

    full = state.text
    assert told(3) == ["Expert Climber", "Nereid Lode", "Orpheus Lode", full]
    assert told(4) == ["Expert Climber *", "Nereid Lode", "Orpheus Lode", full, "Sleep"]
    assert told(5)[3] == f"{full} !"
    assert told(6) == ["Expert Climber", "Triton Lode", "Orpheus Lode *", f"{full} !"]
    assert told(4, PUBLIC) == ["Expert Climber *", "Orpheus Lode", full]


def test_what_was_private_then_or_is_now_is_told_to_nobody(
    owner: Actor, oriel: Character, on: On
) -> None:
    on(4)
    write(owner, oriel, "mode-deck", audience="owner")
    write(owner, oriel, "private", audience="public")
    on(6)
    write(owner, oriel, "mode-deck", audience="public")
    write(owner, oriel, "private", audience="owner")
    known = {day: {*as_of(day, oriel, PUBLIC).sheet.parts} for day in (3, 4, 6)}
    assert ["mode-deck" in known[day] for day in (3, 4, 6)] == [True, False, True]
    assert not any("private" in parts for parts in known.values())
    assert "private" in as_of(4, oriel).sheet.parts


def test_what_one_knows_by_name_is_known_while_the_names_are_the_same(
    owner: Actor, oriel: Character, on: On
) -> None:
    friend = factories.actor()
    assert friend.player
    on(4)
    write(owner, oriel, "notes", text="Rusty.", audience="named", named=[friend.player])
    on(6)
    write(owner, oriel, "public", text="Slow.")
    eyes = policy.eyes_of(friend, oriel)
    assert ["notes" in as_of(day, oriel, eyes).sheet.parts for day in (3, 4)] == [False, True]
    on(8)
    write(owner, oriel, "notes", named=[friend.player, owner.player])
    assert ["notes" in as_of(day, oriel, eyes).sheet.parts for day in (4, 8)] == [False, True]


def test_a_text_that_was_changed_is_told_to_who_reads_the_history(
    owner: Actor, oriel: Character, on: On
) -> None:
    on(4)
    write(owner, oriel, "public", text="Lives at 4 Dock Road.")
    on(6)
    write(owner, oriel, "public", text="Slow.")
    for eyes, told in ((OWNER, True), (OFFICIALS, True), (PUBLIC, False)):
        found = as_of(4, oriel, eyes)
        assert ("Dock Road" in found.sheet.text("public")) == told
        assert found.untold == ([] if told else ["Public background (IC)"])
    page = text_of(Client().get(oriel.get_absolute_url(), {"on": "2026-05-04"}))
    assert "Changed since, and not told: Public background (IC)." in page
    assert "Dock Road" not in page


def test_a_character_that_was_hidden_or_not_there_is_told_nothing_of(
    owner: Actor, oriel: Character, on: On
) -> None:
    on(4)
    services.edit(by=owner, character=oriel, audience="owner")
    on(6)
    services.edit(by=owner, character=oriel, audience="public")
    assert [bool(as_of(day, oriel, PUBLIC).sheet.parts) for day in (1, 3, 4, 6)] == [0, 1, 0, 1]
    assert as_of(4, oriel).sheet.parts
    assert not as_of(1, oriel).sheet.parts


def test_things_are_told_by_moves_that_who_looks_may_know(
    owner: Actor, oriel: Character, on: On
) -> None:
    stole = Circumstances(party="a victim", audience="owner")
    on(4)
    secret = enter(owner, oriel, "stolen", line="Basic Red Claw", told=stole)
    covered = enter(owner, oriel, "stolen", line="Basic Blue Claw", told=stole)
    on(6)
    story = Circumstances(party="a shop", audience="public")
    services.cover(by=owner, entry=covered, act_id=uuid4(), method="bought", circumstances=story)
    for day, mine, all_ in ((3, set(), set()), (4, {"Red", "Blue"}, set()), (6, None, {"Blue"})):
        claws = [
            {title.split()[1] for title in pieces(as_of(day, oriel, eyes)) if "Claw" in title}
            for eyes in (OWNER, PUBLIC)
        ]
        assert claws == [{"Red", "Blue"} if mine is None else mine, all_]
    assert secret.item and "Red Claw" not in str(pieces(as_of(6, oriel, PUBLIC)))


def test_money_is_told_where_all_that_came_since_is_known(
    owner: Actor, oriel: Character, on: On
) -> None:
    on(4)
    write(owner, oriel, "currency", audience="public")
    enter(owner, oriel, "found", amount=5, told=Circumstances(audience="owner"))
    on(6)
    enter(owner, oriel, "found", amount=3)
    assert [as_of(day, oriel).sheet.balance for day in (3, 4, 6)] == [12, 17, 20]
    assert [as_of(day, oriel, PUBLIC).sheet.balance for day in (3, 4, 6)] == [None, 17, 20]


def test_what_was_corrected_never_happened_and_a_day_that_is_said_counts(
    owner: Actor, oriel: Character, on: On
) -> None:
    on(4)
    wrong = enter(owner, oriel, "found", line="Basic Red Claw")
    on(6)
    services.correct(by=owner, entry=wrong, act_id=uuid4())
    late = Circumstances(happened_on=date(2026, 5, 3))
    enter(owner, oriel, "found", line="Basic Blue Claw", told=late)
    for day, found in ((2, []), (3, ["Basic Blue Claw"]), (5, ["Basic Blue Claw"])):
        assert [title for title in pieces(as_of(day, oriel)) if "Claw" in title] == found
    claw = next(each for each in as_of(3, oriel).sheet.items if each.title == "Basic Blue Claw")
    for method, out in (("lent", True), ("returned", False)):  # on the same day
        enter(owner, oriel, method, items=[claw.serial], out=out, told=late)
    [claw] = [each for each in as_of(3, oriel).sheet.items if each.serial == claw.serial]
    assert claw.method == "returned"


def test_a_diary_of_a_day_is_its_owner_s(owner: Actor, oriel: Character, on: On) -> None:
    write(owner, oriel, "diary", text="Met Bor.", audience="public")
    grudge = services.add_favour(by=owner, character=oriel, kind="grudge", text="A spin", who="Bor")
    on(4)
    services.edit_favour(by=owner, favour=grudge, settled=True)
    found = as_of(3, oriel)
    assert [(each.text, each.settled_at) for each in found.sheet.favours] == [("A spin", None)]
    assert found.sheet.text("diary") == "Met Bor."
    assert not as_of(3, oriel, PUBLIC).sheet.favours


def test_the_page_and_the_api_take_a_day(owner: Actor, oriel: Character, on: On) -> None:
    on(4)
    enter(owner, oriel, "found", line="Basic Red Claw")
    on(8)
    client, url = factories.client_of(owner), oriel.get_absolute_url()
    then = client.get(url, {"on": "2026-05-03"})
    page = text_of(then)
    assert "as it was when 3 May 2026 ended" in page
    assert "Red Claw" not in page
    assert "hx-get" not in then.content.decode()
    for day in ("", "2026-05-08", "9999-12-31"):
        assert "as it was" not in text_of(client.get(url, {"on": day}))
    assert client.get(url, {"on": "0001-01-01", "as": "public"}).status_code == 200
    assert client.get(url, {"on": "May"}).status_code == 400
    api = f"characters/{oriel.pk}/"
    told = Api(owner).get(api, on="2026-05-03").json()
    assert (told["currency"], len(told["gear"])) == (12, 5)
    assert len(Api(owner).get(api, on="2026-05-04").json()["gear"]) == 6
    assert Api(owner).get(api, on="May").status_code == 400
    for path in (api, f"{api}sheet/"):
        [error] = problem(Api(owner).get(path, on="2999-05-03"), 400, "bad-day")["errors"]
        assert error["where"] == "$.on"


def test_who_has_results_off_is_told_no_sheet_of_a_day(oriel: Character, on: On) -> None:
    on(8)
    reader, day = Api(), {"on": "2026-05-03"}
    reader.client.cookies[RESULTS_COOKIE] = "off"
    assert "as it was" not in text_of(reader.client.get(oriel.get_absolute_url(), day))
    problem(reader.get(f"characters/{oriel.pk}/", **day), 403, "results-off")


def test_no_day_tells_a_private_word(on: On) -> None:
    on(2)
    found = cage()
    on(9)
    people = [found.character.pk, found.hidden.pk, *found.places["characters"]]
    for role in found.roles.values():
        client = factories.client_of(role)
        for pk in people:
            for url in (f"/characters/{pk}/", f"/api/v1/characters/{pk}/"):
                for day in (1, 2, 5):
                    answer = client.get(url, {"on": f"2026-05-0{day}"})
                    assert CANARY not in answer.content.decode().casefold(), (url, day)
