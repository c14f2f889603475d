"""Rows of the API's tables for goals, gear, ledger, favours and trades."""

from collections.abc import Callable
from io import BytesIO
from typing import Any, NamedTuple
from uuid import uuid4

from PIL import Image

from characters import cards, ledger, moving, portraits, services
from characters.models import Character
from characters.services import Recording, TradeOffer
from matches import followers
from matches import services as matches
from matches.actors import Actor
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
    ("card-sets", "get"): ALL,
    ("card-set", "get"): ALL,
    ("card-set", "patch"): [401, 403, 403, 403, 200, 200],
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
    ("fallen", "get"): ALL,
    ("sales", "get"): ALL,
    ("supply", "get"): ALL,
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

# Valid bodies, from which malformed ones are made.
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
    ("card-set", "patch"): (f"cards/sets/{ID}/", {"name": "Tides"}),
    ("trades", "post"): ("trades/", {"character": ID, "to": ID, "pays": 1}),
    ("trade", "post"): (f"trades/{ID}/", {"decision": "accept"}),
    ("goals", "post"): ("goals/", {"character": ID, "text": "Sleep"}),
    ("goal", "patch"): (f"goals/{ID}/", {"current": True}),
    ("favours", "post"): ("favours/", {"character": ID, "kind": "grudge", "text": "A bad spin"}),
    ("favour", "patch"): (f"favours/{ID}/", {"settled": True}),
}

Sent = tuple[str, dict[str, Any]]


class Pair(NamedTuple):
    """Two characters with their owners."""

    character: Character
    beside: Character

    @property
    def owner(self) -> Actor:
        return Actor(self.character.owner.user, self.character.owner)

    @property
    def other(self) -> Actor:
        return Actor(self.beside.owner.user, self.beside.owner)

    @property
    def pk(self) -> str:
        return str(self.character.pk)


def request(name: str, method: str, character: Character, beside: Character) -> Sent:
    """Return the path and data of a request to an endpoint, after creating what it needs."""
    pair = Pair(character, beside)
    path = PATHS[name](pair) if name in PATHS else f"{name}/"
    if method != "get":
        return path, BODIES[name](pair) if name in BODIES else {}
    return path, {"character": pair.pk} if name in OF_ONE else {}


def picture(kind: str = "PNG", size: tuple[int, int] = (90, 120)) -> bytes:
    """Return a picture as a file in the format `kind`."""
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
    places = [services.FieldedPlace(loadout=spar.pk), services.FieldedPlace()]
    match = services.open_match(by=by, ruleset="zg", seats=places)
    conceded = {"type": "conceded", "seat": 1}
    matches.record(match=match, by=by, act_id=uuid4(), act=conceded)
    followers.work(match.pk)
    return str(one.appearances.get().pk)


# -- the request for each endpoint --------------------------------------------------------


def _card(pair: Pair) -> str:
    data = {"name": "Grip", "slot": "Claw"}
    return f"cards/{cards.add(by=pair.owner, game='zg', data=data, shared=True).pk}/"


def _set(pair: Pair) -> str:
    data = {"name": "Grip", "slot": "Claw"}
    card = cards.add(by=pair.owner, game="zg", data=data, shared=True, card_set="Grips")
    return f"cards/sets/{card.card_set_id}/"


def _loadout(pair: Pair) -> str:
    made = services.make_loadout(by=pair.owner, character=pair.character, name="Duel", items=[])
    return f"loadouts/{made.pk}/"


def _booked(pair: Pair, what: Recording) -> int:
    """Return the id of the ledger entry that a recording created."""
    [entry] = services.record(by=pair.owner, character=pair.character, act_id=uuid4(), what=what)
    return entry.pk


def _trade(pair: Pair) -> str:
    gift = TradeOffer(gives=[_item(pair.other, pair.beside)], method="gift")
    made = services.offer(by=pair.other, character=pair.beside, to=pair.character, what=gift)
    return f"trades/{made.pk}/"


def _portrait(pair: Pair) -> str:
    portraits.put(by=pair.owner, character=pair.character, data=picture())
    return f"portraits/{pair.pk}/"


def _move(pair: Pair) -> str:
    character = pair.character
    campaign, character.campaign = character.campaign, None
    character.save()
    assert campaign is not None
    move = moving.ask_to_join(by=pair.owner, character=character, campaign=campaign)
    return f"moves/{move.pk}/"


def _goal(pair: Pair) -> str:
    made = services.add_goal(by=pair.owner, character=pair.character, text="Sleep")
    return f"goals/{made.pk}/"


def _favour(pair: Pair) -> str:
    made = services.add_favour(
        by=pair.owner, character=pair.character, kind="favour", text="A lift home"
    )
    return f"favours/{made.pk}/"


# Lists of one character, which GET names in the query.
OF_ONE = ("gear", "appearances", "prompts", "loadouts", "ledger", "trades", "goals", "favours")
# Paths that name an object, which is created first if need be.
PATHS: dict[str, Callable[[Pair], str]] = {
    "cards-export": lambda pair: "cards/export/",
    "cards-import": lambda pair: "cards/import/",
    "card": _card,
    "card-sets": lambda pair: "cards/sets/",
    "card-set": _set,
    "gear-item": lambda pair: f"gear/{_item(pair.owner, pair.character)}/",
    "loadout": _loadout,
    "ledger-undo": lambda pair: f"ledger/{_booked(pair, Recording('won', amount=1))}/undo/",
    "ledger-cover": lambda pair: (
        f"ledger/{_booked(pair, Recording('stolen', line='Basic Red Claw'))}/cover/"
    ),
    "trade": _trade,
    "character-portrait": _portrait,
    "campaign": lambda pair: f"campaigns/{pair.character.campaign_id}/",
    "fallen": lambda pair: f"campaigns/{pair.character.campaign_id}/fallen/",
    "supply": lambda pair: f"campaigns/{pair.character.campaign_id}/supply/",
    "sales": lambda pair: f"campaigns/{pair.character.campaign_id}/sales/",
    "move": _move,
    "moves-leave": lambda pair: "moves/leave/",
    "goal": _goal,
    "favour": _favour,
}
BODIES: dict[str, Callable[[Pair], dict[str, Any]]] = {
    "cards": lambda pair: {"game": "zg", "card": {"name": "Grip", "slot": "Claw"}},
    "cards-import": lambda pair: {
        "game": "zg",
        "text": "name | slot\nGrip | Claw",
        "dry_run": False,
    },
    "card": lambda pair: {"shared": True},
    "card-set": lambda pair: {"name": "Tides"},
    "gear-item": lambda pair: {"card": None},
    "prompts": lambda pair: {
        "character": pair.pk,
        "kind": "goal",
        "appearance": _ended(pair.owner, pair.pk),
    },
    "loadouts": lambda pair: {"character": pair.pk, "name": "Duel"},
    "loadout": lambda pair: {"shared": True},
    "ledger": lambda pair: {
        "id": str(uuid4()),
        "character": pair.pk,
        "method": "won",
        "amount": 1,
    },
    "ledger-undo": lambda pair: {"id": str(uuid4()), "character": pair.pk},
    "ledger-cover": lambda pair: {"id": str(uuid4()), "character": pair.pk, "method": "gift"},
    "trades": lambda pair: {
        "character": pair.pk,
        "to": str(pair.beside.pk),
        "gives": [_item(pair.owner, pair.character)],
    },
    "trade": lambda pair: {"decision": "accept"},
    "character-portrait": lambda pair: {"audience": "players"},
    "campaigns": lambda pair: {"name": "Rim"},
    "campaign": lambda pair: {"name": "Rim"},
    "moves": lambda pair: {"character": pair.pk, "to": str(pair.beside.owner_id)},
    "move": lambda pair: {"decision": "accept"},
    "moves-leave": lambda pair: {"character": pair.pk},
    "goals": lambda pair: {"character": pair.pk, "text": "Sleep"},
    "goal": lambda pair: {"reached": True},
    "favours": lambda pair: {"character": pair.pk, "kind": "grudge", "text": "A bad spin"},
    "favour": lambda pair: {"settled": True},
}
