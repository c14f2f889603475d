"""The ledgers in the API: what is answered, and what is refused."""

from uuid import uuid4

import pytest

from characters import editing, moving, services
from characters.models import Character, Goal, LedgerEntry, Trade
from matches.actors import Actor
from matches.errors import BadInput, NotFound
from tests import factories
from tests.api.client import Api, problem

pytestmark = pytest.mark.django_db


def test_gear_is_bought_seen_and_undone(owner: Actor, oriel: Character) -> None:
    api, pk = Api(owner), str(oriel.pk)
    line = "Basic Red Claw (c5 x 2 @ Pit Stop)"
    sent = {"id": str(uuid4()), "character": pk, "line": line}
    answer = api.post("ledger/", sent)
    assert answer.status_code == 201
    told = answer.json()
    assert [entry["method"] for entry in told["results"]] == ["bought"] * 4
    assert told["results"][0]["sentence"] == "Bought Basic Red Claw for c5, Pit Stop"
    assert (told["results"][1]["change"], told["balance"]) == (-5, 2)
    assert api.post("ledger/", sent).json() == told
    serial = told["results"][0]["item"]
    assert len(api.get("gear/", character=pk).json()["results"]) == 11
    life = Api().get(f"gear/{serial.lower()}/").json()
    assert (life["name"], life["holder"], len(life["life"])) == ("Basic Red Claw", pk, 1)
    entry = told["results"][0]["id"]
    undo = {"id": str(uuid4()), "character": pk, "reason": "typed twice"}
    assert api.post(f"ledger/{entry}/undo/", undo).json()["balance"] == 12
    problem(
        api.post(f"ledger/{entry}/undo/", {**undo, "id": str(uuid4())}), 409, "already-corrected"
    )
    assert api.get(f"gear/{serial}/").json()["holder"] is None


def test_characters_are_found_by_their_name_or_their_player_s_as_on_the_page(
    owner: Actor, oriel: Character
) -> None:
    assert owner.player is not None
    services.create(by=factories.actor("loner"), name="Una", audience="public")
    for word, found in (
        ("rie", [oriel.name]),
        (owner.player.name.upper(), [oriel.name]),
        ("?", []),
    ):
        told = Api().get("characters/", name=word).json()["results"]
        assert [one["name"] for one in told] == found
        page = factories.client_of().get("/characters/", {"q": word}).text
        assert (oriel.get_absolute_url() in page) == bool(found)


def test_others_see_neither_money_nor_theft(oriel: Character) -> None:
    told = Api().get("ledger/", character=str(oriel.pk)).json()
    assert told["balance"] is None
    assert told["results"]
    assert not [one for one in told["results"] if "amount" in one or one["method"] == "stolen"]


def test_what_can_not_be_is_refused_and_writes_nothing(owner: Actor, oriel: Character) -> None:
    api, pk = Api(owner), str(oriel.pk)
    before = LedgerEntry.objects.count()
    base = {"id": str(uuid4()), "character": pk}
    for sent, status, code in [
        ({"line": "Basic Red Claw (c13)"}, 422, "overspent"),
        ({"line": "nothing of the kind"}, 400, "no-gear"),
        ({"method": "eaten", "amount": 1}, 400, "bad-method"),
        ({"method": "won", "amount": -1}, 400, "out-of-range"),
        ({"method": "won", "amount": 10**9}, 400, "out-of-range"),
        ({"method": "won"}, 400, "nothing"),
        ({"method": "gift", "out": True, "items": ["ZG-000000"]}, 400, "no-such-item"),
        ({"method": "won", "amount": 1, "character": str(uuid4())}, 400, "no-such-character"),
        ({"method": "won", "amount": 1, "audience": "named"}, 400, "unknown-value"),
        ({"method": "won", "amount": 1, "party": "a\nb"}, 400, "not-a-line"),
        ({"method": "bought", "line": "2 x Basic Red Claw", "amount": 9}, 400, "no-price"),
        ({"method": "bought", "line": "Basic Red Claw (c4)", "amount": 9}, 400, "price-twice"),
        ({"line": "Basic Red Claw (found, a yard)", "method": "won"}, 400, "way-twice"),
    ]:
        problem(api.post("ledger/", {**base, **sent}), status, code)
    unread = problem(api.post("ledger/", {**base, "line": "Prime Claw"}), 400, "no-gear")
    assert "(Basic, Superior, State of the Art)" in unread["detail"]
    assert LedgerEntry.objects.count() == before
    problem(api.get("ledger/"), 400, "missing-field")
    problem(api.get("gear/", character="x"), 400, "wrong-type")
    problem(api.get("gear/nothing/"), 404, "no-such-item")


def test_a_trade_by_api(owner: Actor, oriel: Character) -> None:
    other = factories.actor()
    ben = services.paste(by=other, text="Character: Ben")
    [item, *_] = Api(owner).get("gear/", character=str(oriel.pk)).json()["results"]
    sent = {"character": str(oriel.pk), "to": str(ben.pk), "gives": [item["serial"]]}
    trade = Api(owner).post("trades/", sent).json()
    assert trade["status"] == "offered"
    theirs = Api(other)
    assert theirs.get("trades/", character=str(ben.pk)).json()["results"] == [trade]
    for _ in range(2):
        answer = theirs.post(f"trades/{trade['id']}/", {"decision": "accept"})
        assert answer.json()["status"] == "accepted"
    problem(theirs.post(f"trades/{trade['id']}/", {"decision": "decline"}), 409, "not-offered")
    assert len(theirs.get("gear/", character=str(ben.pk)).json()["results"]) == 1


def test_the_books_come_in_pages(owner: Actor, oriel: Character) -> None:
    api, pk = Api(owner), str(oriel.pk)
    whole = api.get("ledger/", character=pk).json()
    assert whole["next"] is None
    pages, found = [api.get("ledger/", character=pk, limit="4").json()], []
    while pages[-1]["next"]:
        pages.append(api.client.get(pages[-1]["next"]).json())
    assert {page["balance"] for page in pages} == {whole["balance"]}
    for page in pages:
        assert 0 < len(page["results"]) <= 4
        found += page["results"]
    assert len(pages) > 2
    assert found == whole["results"]
    problem(api.get("ledger/", character=pk, cursor="x"), 400, "wrong-type")
    problem(api.get("ledger/", character=pk, cursor=str(2**63)), 400, "out-of-range")


def test_offers_come_in_pages(owner: Actor, oriel: Character) -> None:
    Trade.objects.bulk_create(
        Trade(by=services.create(by=owner, name="Hand"), to=oriel, pays=1) for _ in range(60)
    )
    api, pk = Api(owner), str(oriel.pk)
    first = api.get("trades/", character=pk).json()
    rest = api.client.get(first["next"]).json()
    assert (len(first["results"]), len(rest["results"]), rest["next"]) == (50, 10, None)
    taken = factories.signed_in(owner.user)
    url = f"{oriel.get_absolute_url()}offers/"
    shown = [taken.get(f"{url}?page={number}").content.decode() for number in (1, 2)]
    assert [page.count('value="accept"') for page in shown] == [50, 10]


def test_characters_that_wait_to_be_taken_come_in_pages(owner: Actor) -> None:
    ben = factories.actor()
    for _ in range(51):
        hand = services.create(by=ben, name="Hand")
        moving.offer_to(by=ben, character=hand, to=owner.player)
    first = Api(owner).get("moves/").json()
    rest = Api(owner).client.get(first["next"]).json()
    assert (len(first["results"]), len(rest["results"]), rest["next"]) == (50, 1, None)


def test_goals_and_favours_by_api(owner: Actor, oriel: Character) -> None:
    api, pk = Api(owner), str(oriel.pk)
    added = api.post("goals/", {"character": pk, "text": "Sleep"}).json()
    last = added["id"]
    assert last == added["results"][-1]["id"]
    now = api.patch(f"goals/{last}/", {"current": True}).json()["results"]
    assert [goal["text"] for goal in now if goal.get("current")] == ["Sleep"]
    assert len(api.patch(f"goals/{last}/", {"removed": True}).json()["results"]) == 4
    ben = services.paste(by=factories.actor("ben"), text="Character: Ben")
    sent = {"character": pk, "kind": "grudge", "text": "Broke my shield", "about": str(ben.pk)}
    kept = api.post("favours/", sent).json()
    theirs = Api(Actor(ben.owner.user, ben.owner))
    assert theirs.get("favours/", character=str(ben.pk)).json()["results"] == []
    told = api.post("favours/", {**sent, "told": True}).json()
    seen = theirs.get("favours/", character=str(ben.pk)).json()["results"]
    assert [(one["id"], one["audience"]) for one in seen] == [(told["id"], "")]
    assert Api().get("favours/", character=str(ben.pk)).json()["results"] == []
    change = {"settled": True, "audience": "owner"}
    for other, status, code in (
        (theirs, 404, "no-such-favour"),
        (Api(factories.actor()), 404, "no-such-favour"),
    ):
        problem(other.patch(f"favours/{kept['id']}/", change), status, code)
    problem(theirs.patch(f"favours/{told['id']}/", change), 403, "not-allowed")
    with pytest.raises(BadInput) as refused:
        services.add_favour(by=owner, character=oriel, kind="debt", text="A shield")
    assert (refused.value.code, refused.value.where) == ("bad-kind", "$.kind")
    settled = api.patch(f"favours/{kept['id']}/", change).json()
    assert settled["settled_at"]
    mine = api.get("favours/", character=pk).json()["results"]
    assert [one["audience"] for one in (settled, *mine)] == ["owner", "named", "owner"]


def test_a_goal_that_is_reached_is_not_the_current_one(owner: Actor, oriel: Character) -> None:
    goal = oriel.goals.first()
    assert goal is not None
    services.edit_goal(by=owner, goal=goal, reached=True)
    problem(Api(owner).patch(f"goals/{goal.pk}/", {"current": True}), 409, "goal-reached")
    again = Api(owner).patch(f"goals/{goal.pk}/", {"reached": False, "current": True})
    assert again.json()["results"][0]["current"]
    Goal.objects.filter(pk=goal.pk).delete()  # in another tab, meanwhile
    with pytest.raises(NotFound) as gone:
        services.edit_goal(by=owner, goal=goal, text="Sleep")
    assert gone.value.code == "no-such-goal"


def test_a_sheet_has_so_many_goals_and_no_more(owner: Actor, oriel: Character) -> None:
    there = range(oriel.goals.count(), editing.MAX_GOALS - 1)
    Goal.objects.bulk_create(Goal(character=oriel, text="x", ordinal=50 + no) for no in there)
    sent = {"character": str(oriel.pk), "text": "Sleep"}
    assert Api(owner).post("goals/", sent).status_code == 201
    [error] = problem(Api(owner).post("goals/", sent), 400, "too-many")["errors"]
    assert error["where"] == "$.text"


def test_a_sheet_is_changed_in_parts(owner: Actor, oriel: Character) -> None:
    api, path, ben = Api(owner), f"characters/{oriel.pk}/", factories.actor("ben")
    part = {"key": "private", "text": "Afraid of heights.", "audience": "named"}
    changes = {"tagline": "a diver", "sections": [{**part, "named": [str(ben.player_id)]}]}
    told = api.patch(path, changes).json()
    assert (told["name"], told["tagline"], told["audience"]) == (oriel.name, "a diver", "public")
    [private] = [each for each in told["sections"] if each["key"] == "private"]
    assert {name: private[name] for name in part} == part
    assert len(private["named"]) == 1
    assert "Afraid of heights." in Api(ben).get(path).content.decode()
    assert "Afraid of heights." not in Api().get(path).content.decode()
    assert "audience" not in Api().get(path).json()
    assert api.patch(path, {"audience": "owner"}).status_code == 200
    assert Api(ben).get(path).status_code == 404


def test_there_is_no_goal_for_those_who_may_not_know_the_goals(
    owner: Actor, oriel: Character
) -> None:
    friend, goal = factories.actor(), oriel.goals.first()
    assert friend.player is not None and goal is not None
    services.edit_section(
        by=owner, character=oriel, kind="goals", audience="named", named=[friend.player]
    )
    path, change = f"goals/{goal.pk}/", {"text": "Sleep."}
    problem(Api(factories.actor()).patch(path, change), 404, "no-such-goal")
    problem(Api(friend).patch(path, change), 403, "not-allowed")
    assert Api(owner).patch(path, change).status_code == 200


def test_of_a_change_of_a_sheet_all_is_kept_or_nothing(owner: Actor, oriel: Character) -> None:
    api, path = Api(owner), f"characters/{oriel.pk}/"
    unknown = {"name": "Una", "sections": [{"key": "shoes", "text": "Red."}]}
    problem(api.patch(path, unknown), 400, "no-such-section")
    nobody = {"name": "Una", "sections": [{"key": "private", "named": [str(uuid4())]}]}
    told = problem(api.patch(path, nobody), 400, "unknown-player")
    assert told["errors"][0]["where"] == "$.sections[0].named[0]"
    problem(api.patch(path, {"sections": [{"key": "gear", "text": "Red."}]}), 400, "not-typed")
    problem(api.patch(path, {}), 400, "missing-field")
    assert api.get(path).json()["name"] == oriel.name
