"""Rows of the API's tables for goals, gear, ledger, favours and trades."""

from io import BytesIO
from typing import Any
from uuid import uuid4

from PIL import Image

from characters import cards, ledger, moving, portraits, services
from characters.models import Character
from characters.services import Offer, Recording
from matches import followers
from matches import services as matches
from matches.policy import Actor
from tests.api.client import Api

ID = "0190a000-0000-7000-8000-000000000001"

# anonymous, stranger, player, official, opener (the owner), staff
ALL = [200] * 6
KEEPS = [401, 403, 403, 201, 201, 201]
OWNS = [401, 403, 403, 403, 201, 403]
BOOKS: dict[tuple[str, str], list[int]] = {
    ("cards", "get"): ALL,
    ("cards", "post"): [401, 201, 201, 201, 201, 201],
    ("cards-export", "get"): ALL,
    ("cards-import", "post"): [401, 201, 201, 201, 201, 201],
    ("card", "get"): ALL,
    ("card", "patch"): [401, 403, 403, 403, 200, 200],
    ("gear", "get"): ALL,
    ("gear-item", "get"): ALL,
    ("gear-item", "patch"): [401, 403, 403, 403, 200, 403],
    ("appearances", "get"): ALL,
    ("prompts", "get"): [401, 403, 403, 200, 200, 200],
    ("prompts", "post"): [401, 403, 403, 409, 200, 409],  # about a goal, its owner's alone
    ("loadouts", "get"): ALL,
    ("loadouts", "post"): OWNS,
    ("loadout", "get"): [401, 404, 404, 200, 200, 200],
    ("loadout", "patch"): [401, 404, 404, 403, 200, 403],
    ("ledger", "get"): ALL,
    ("ledger", "post"): KEEPS,
    ("ledger-undo", "post"): KEEPS,
    ("ledger-cover", "post"): OWNS,
    ("character-portrait", "get"): ALL,
    ("character-portrait", "put"): [401, 403, 403, 403, 200, 403],
    ("campaigns", "get"): ALL,
    ("campaigns", "post"): [401, 201, 201, 201, 201, 201],
    ("campaign", "get"): ALL,
    ("campaign", "patch"): [401, 403, 403, 200, 403, 200],  # the character's
    ("moves", "get"): [401, 200, 200, 200, 200, 200],
    ("moves", "post"): OWNS,
    ("move", "post"): [401, 404, 404, 200, 403, 200],  # asks to join a campaign
    ("moves-leave", "post"): [401, 403, 403, 204, 204, 204],
    ("trades", "get"): [401, 403, 403, 403, 200, 403],
    ("trades", "post"): OWNS,
    ("trade", "post"): [401, 404, 403, 404, 200, 404],  # offered to the owner by the player
    ("goals", "get"): ALL,
    ("goals", "post"): OWNS,
    ("goal", "patch"): [401, 403, 403, 403, 200, 403],
    ("favours", "get"): ALL,
    ("favours", "post"): OWNS,
    ("favour", "patch"): [401, 404, 404, 404, 200, 404],  # in a diary kept private
}

# Good bodies, from which malformed ones are made.
ROUTES: dict[tuple[str, str], tuple[str, dict[str, Any]]] = {
    ("gear-item", "patch"): ("gear/ZG-000000/", {"card": None}),
    ("prompts", "post"): (
        "prompts/",
        {"character": ID, "appearance": ID, "kind": "goal"},
    ),
    ("loadouts", "post"): ("loadouts/", {"character": ID, "name": "Duel"}),
    ("loadout", "patch"): (f"loadouts/{ID}/", {"name": "Spar"}),
    ("ledger", "post"): ("ledger/", {"id": ID, "character": ID, "method": "won", "amount": 1}),
    ("ledger-undo", "post"): ("ledger/1/undo/", {"id": ID, "character": ID}),
    ("ledger-cover", "post"): (
        "ledger/1/cover/",
        {"id": ID, "character": ID, "method": "gift"},
    ),
    ("character-portrait", "put"): (f"portraits/{ID}/", {"audience": "owner"}),
    ("campaigns", "post"): ("campaigns/", {"name": "Belt"}),
    ("campaign", "patch"): (f"campaigns/{ID}/", {"name": "Belt"}),
    ("moves", "post"): ("moves/", {"character": ID, "to": ID}),
    ("move", "post"): (f"moves/{ID}/", {"decision": "accept"}),
    ("moves-leave", "post"): ("moves/leave/", {"character": ID}),
    ("cards", "post"): ("cards/", {"game": "zg", "card": {"name": "Grip", "slot": "Claw"}}),
    ("cards-import", "post"): ("cards/import/", {"game": "zg", "text": "name | slot\nGrip | Claw"}),
    ("card", "patch"): (f"cards/{ID}/", {"shared": True}),
    ("trades", "post"): ("trades/", {"character": ID, "to": ID, "pays": 1}),
    ("trade", "post"): (f"trades/{ID}/", {"decision": "accept"}),
    ("goals", "post"): ("goals/", {"character": ID, "text": "Sleep"}),
    ("goal", "patch"): (f"goals/{ID}/", {"current": True}),
    ("favours", "post"): ("favours/", {"character": ID, "kind": "grudge", "text": "A bad spin"}),
    ("favour", "patch"): (f"favours/{ID}/", {"settled": True}),
}

Sent = tuple[str, dict[str, Any]]


def request(name: str, method: str, character: Character, beside: Character) -> Sent:
    """Return the path and the data to ask one of the endpoints with, and make what it needs."""
    owner = Actor(character.owner.user, character.owner)
    other = Actor(beside.owner.user, beside.owner)
    pk = str(character.pk)
    match name, method:
        case "cards", "post":
            return "cards/", {"game": "zg", "card": {"name": "Grip", "slot": "Claw"}}
        case "cards-import", _:
            return "cards/import/", {
                "game": "zg",
                "text": "name | slot\nGrip | Claw",
                "dry_run": False,
            }
        case "card", _:
            card = cards.add(
                by=owner, game="zg", data={"name": "Grip", "slot": "Claw"}, shared=True
            )
            return f"cards/{card.pk}/", {} if method == "get" else {"shared": True}
        case "cards" | "cards-export", _:
            return f"{name.replace('-', '/')}/", {}
        case "gear-item", _:
            return f"gear/{_item(owner, character)}/", {} if method == "get" else {"card": None}
        case "prompts", "post":
            return "prompts/", {"character": pk, "kind": "goal", "appearance": _ended(owner, pk)}
        case "loadouts", "post":
            return "loadouts/", {"character": pk, "name": "Duel"}
        case "loadout", _:
            duel = services.make_loadout(by=owner, character=character, name="Duel", items=[])
            return f"loadouts/{duel.pk}/", {} if method == "get" else {"shared": True}
        case "ledger", "post":
            return "ledger/", {"id": str(uuid4()), "character": pk, "method": "won", "amount": 1}
        case "ledger-undo", _:
            won = Recording("won", amount=1)
            [entry] = services.record(by=owner, character=character, act_id=uuid4(), what=won)
            return f"ledger/{entry.pk}/undo/", {"id": str(uuid4()), "character": pk}
        case "trades", "post":
            item = _item(owner, character)
            return "trades/", {"character": pk, "to": str(beside.pk), "gives": [item]}
        case "trade", _:
            gift = Offer(gives=[_item(other, beside)], method="gift")
            trade = services.offer(by=other, character=beside, to=character, what=gift)
            return f"trades/{trade.pk}/", {"decision": "accept"}
        case "ledger-cover", _:
            stole = Recording("stolen", line="Basic Red Claw")
            [entry] = services.record(by=owner, character=character, act_id=uuid4(), what=stole)
            story = {"id": str(uuid4()), "character": pk, "method": "gift"}
            return f"ledger/{entry.pk}/cover/", story
        case "character-portrait", _:
            portraits.put(by=owner, character=character, data=picture())
            return f"portraits/{pk}/", {} if method == "get" else {"audience": "players"}
        case "campaigns", _:
            return "campaigns/", {} if method == "get" else {"name": "Rim"}
        case "campaign", _:
            return f"campaigns/{character.campaign_id}/", {} if method == "get" else {"name": "Rim"}
        case "moves", "get":
            return "moves/", {}
        case "moves", "post":
            return "moves/", {"character": pk, "to": str(beside.owner_id)}
        case "move", _:
            campaign, character.campaign = character.campaign, None
            character.save()
            assert campaign is not None
            move = moving.ask_to_join(by=owner, character=character, campaign=campaign)
            return f"moves/{move.pk}/", {"decision": "accept"}
        case "moves-leave", _:
            return "moves/leave/", {"character": pk}
        case "goals", "post":
            return "goals/", {"character": pk, "text": "Sleep"}
        case "goal", _:
            goal = services.add_goal(by=owner, character=character, text="Sleep")
            return f"goals/{goal.pk}/", {"reached": True}
        case "favours", "post":
            return "favours/", {"character": pk, "kind": "grudge", "text": "A bad spin"}
        case "favour", _:
            favour = services.add_favour(
                by=owner, character=character, kind="favour", text="A lift home"
            )
            return f"favours/{favour.pk}/", {"settled": True}
    return f"{name}/", {"character": pk}


def picture(kind: str = "PNG", size: tuple[int, int] = (90, 120)) -> bytes:
    """Return a picture as a file of some kind."""
    out = BytesIO()
    Image.new("RGB", size, "teal").save(out, kind)
    return out.getvalue()


def send(api: Api, method: str, sent: Sent) -> Any:
    path, data = sent
    return api.get(path, **data) if method == "get" else api.post(path, data, method=method)


def _item(by: Actor, character: Character) -> str:
    found = Recording("found", line="Basic Red Helmet")
    services.record(by=by, character=character, act_id=uuid4(), what=found)
    return ledger.items_of(character)[-1].serial


def _ended(by: Actor, character: str) -> str:
    """Field a character that has a goal, let the match end, and return the appearance."""
    one = Character.objects.get(pk=character)
    goal = services.add_goal(by=by, character=one, text="Sleep")
    services.edit_goal(by=by, goal=goal, current=True)
    items = [_item(by, one) for _ in range(3)]
    spar = services.make_loadout(by=by, character=one, name="Spar", items=items)
    places = [services.Place(loadout=spar.pk), services.Place()]
    match = services.open_match(by=by, ruleset="zg", seats=places)
    conceded = {"type": "conceded", "seat": 1}
    matches.record(match=match, by=by, act_id=uuid4(), act=conceded)
    followers.work(match.pk)
    return str(one.appearances.get().pk)
