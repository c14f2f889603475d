"""The catalogue: adding, changing and exporting cards.

What a card may hold is up to its game: its deck type parses a card, its `check_deck` finds errors
in the faces. Nothing here names a game.
"""

import csv
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from io import StringIO
from typing import Any
from uuid import UUID

import msgspec
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.translation import gettext

import rules
from characters import policy
from characters.models import Card, CardSet
from matches import canonical, decks, once
from matches.actors import Actor
from matches.errors import BadInput, NotAllowed
from matches.models import Player
from matches.policy import require_make
from rules import texts
from rules.cells import bared, safe
from rules.ruleset import Problem, Ruleset

COLUMNS = ("slot", "colour", "quality", "cost", "impulse", "move", "range")
FACE = ("name", "ends", "dots", "blazes", "face", *COLUMNS)
"""The columns that say what is printed on a card."""


class CardFlaw(msgspec.Struct):
    """A problem with a card of a file: its number from 1, or 0 for the file itself.

    `line` is that of a table, as a spreadsheet counts them, else 0. `card`: its number in the file,
    from 1; 0 for the file itself. `code`: a permanent code of the problem.
    """

    card: int
    where: str
    code: str
    detail: str
    line: int = 0


def games() -> list[str]:
    """Return the keys of the games that have cards."""
    found = (ruleset.key for ruleset in rules.RULESETS.values() if decks.takes_cards(ruleset))
    return list(dict.fromkeys(found))


def game_of(key: str) -> Ruleset:
    """Return a game that has cards. Raises: BadInput."""
    try:
        ruleset = rules.get(key)
    except KeyError:
        raise BadInput(
            "unknown-game", gettext("There is no game {name!a}.").format(name=key[:20]), "$.game"
        ) from None
    if not decks.takes_cards(ruleset):
        raise BadInput(
            "no-cards", gettext("{name} has no cards.").format(name=ruleset.name), "$.game"
        )
    return ruleset


def columns(ruleset: Ruleset) -> list[str]:
    """Return the columns of a table: the fields of a card, and what a file says beside it."""
    return [*decks.card_fields(ruleset), *decks.BESIDE]


def printed(by: Actor, game: str, names: Sequence[str]) -> dict[str, Any]:
    """Return the faces of cards visible to an actor, by name.

    Their own take precedence over the site's, and these over what others share.
    """
    spelled = {each for name in names for each in _spellings(name)}
    alike = Q(name__in=spelled) | Q(small__in={name.lower() for name in spelled})
    found = policy.visible_cards(by).filter(game=game).annotate(small=Lower("name"))
    rows, mine = found.filter(alike).order_by("-pk"), by.player_id
    ordered = sorted(rows, key=lambda card: (card.owner_id == mine, card.owner_id is None))
    return {card.name: card.data for card in ordered}


def _spellings(name: str) -> tuple[str, str]:
    """Return a name with either apostrophe: phones type the curly one, lists tell none apart."""
    return name.replace("’", "'"), name.replace("'", "’")


def check(ruleset: Ruleset, data: Any) -> list[CardFlaw]:
    """Return the flaws of a card given as plain data; none if it can be played."""
    try:
        deck = canonical.convert({"cards": [data]}, ruleset.deck_type, "$")
    except BadInput as bad:
        where = bad.where.replace("$.cards[0]", "$", 1)
        return [CardFlaw(1, where, bad.code, bad.errors[0]["detail"])]
    options = msgspec.convert({}, ruleset.options_type)
    found = [
        CardFlaw(1, _place(problem), problem.code, texts.of_finding(ruleset.texts, problem, {}))
        for problem in ruleset.check_deck(deck, options)
        if "card" in problem.params
    ]
    return found or list(_flaws_of_texts(data))


def _flaws_of_texts(data: dict[str, Any]) -> Iterator[CardFlaw]:
    """Yield flaws in the texts of a card that would confuse its readers.

    In a form or a table, commas separate the values of a list.
    """
    for name, value in data.items():
        if isinstance(value, list) and any("," in text for text in value):
            yield CardFlaw(
                1,
                f"$.{name}",
                "comma",
                gettext("Commas separate the entries, so none may contain one."),
            )
        for text in value if isinstance(value, list) else [value]:
            try:
                if isinstance(text, str):
                    canonical.text_from(text, f"$.{name}", len(text), least=name == "name")
            except BadInput as bad:
                yield CardFlaw(1, bad.where, bad.code, bad.detail)


def _place(problem: Problem) -> str:
    """Return the field that a problem is about, or the whole card if it names none."""
    end = problem.params.get("end")
    return f"$.{end}" if end else "$.slot" if "slot" in problem.params else "$"


def _require_playable(ruleset: Ruleset, data: Any) -> None:
    """Raises: BadInput, at the part of `card` that is wrong."""
    for flaw in check(ruleset, data):
        raise BadInput(flaw.code, flaw.detail, flaw.where.replace("$", "$.card", 1))


def add(
    *,
    by: Actor,
    game: str,
    data: Any,
    card_set: str = "",
    shared: bool = False,
    act_id: UUID | None = None,
) -> Card:
    """Add a card of one's own. Idempotent by `act_id`.

    Raises: NotAllowed, BadInput, Conflict for one that already exists.
    """
    owner = require_make(by)
    ruleset, data = game_of(game), bared(data)
    _require_playable(ruleset, data)
    with _only_card_called(data["name"]):
        return once.make(
            Card,
            owner.pk,
            act_id,
            game=ruleset.key,
            owner=owner,
            card_set=_own_set(ruleset, owner, card_set),
            shared=shared,
            **_face(ruleset, data),
        )


def change(
    *,
    by: Actor,
    card: Card,
    data: Any = None,
    shared: bool | None = None,
    card_set: str | None = None,
) -> Card:
    """Change a card's data, its set, or whether it is shared; a changed face is a new revision."""
    if not policy.may_edit_card(by, card):
        raise NotAllowed("not-allowed", gettext("Only its owner changes a card."))
    ruleset = game_of(card.game)
    if data is not None:
        data = bared(data)
        _require_playable(ruleset, data)
    with _only_card_called(card.name if data is None else data["name"]):
        card = _locked(card)
        if data is not None:
            take_face(card, card_from(ruleset, data, card.owner))
        if shared is not None:
            card.shared = shared
        if card_set is not None:
            card.card_set = _own_set(ruleset, card.owner, card_set)
        card.save(force_update=True)
    return card


def _locked(card: Card) -> Card:
    """Lock a card until the transaction ends, and return its current row.

    One removed meanwhile is returned as it was: it can not be saved.
    """
    rows = Card.objects.select_related("card_set", "owner")
    return rows.select_for_update(no_key=True, of=("self",)).filter(pk=card.pk).first() or card


def take_face(card: Card, fresh: Card) -> None:
    """Give a card the face of another; if that changes it, it is a new revision."""
    if fresh.face != card.face:
        for name in FACE:
            setattr(card, name, getattr(fresh, name))
        card.revision += 1


def _only_card_called(name: str) -> AbstractContextManager[None]:
    text = gettext("There is a {name} in this set already.").format(name=name)
    return once.only_one("card-exists", text)


def remove(*, by: Actor, card: Card) -> None:
    """Remove a card from the catalogue. Gear that used it stays, without its face."""
    if not policy.may_edit_card(by, card):
        raise NotAllowed("not-allowed", gettext("Only its owner removes a card."))
    card.delete()


def make_set(*, by: Actor, card_set: CardSet) -> CardSet:
    """Add a set of the site. Raises: NotAllowed, BadInput, Conflict for one that already exists."""
    if not policy.may_keep_sets(by):
        raise NotAllowed(
            "not-allowed", gettext("Only those who run the site can change its sets of cards.")
        )
    made = CardSet(game=game_of(card_set.game).key)
    return _keep_set(made, name=card_set.name, about=card_set.about)


def change_set(
    *,
    by: Actor,
    card_set: CardSet,
    name: str | None = None,
    about: str | None = None,
    shared: bool | None = None,
) -> CardSet:
    """Change a set's name and description, and whether all its visible cards are shared.

    Raises: NotAllowed, BadInput, Conflict.
    """
    _require_edit_set(by, card_set)
    with _locked_set(card_set):
        _keep_set(card_set, name=name, about=about)
        if shared is not None:
            policy.visible_cards(by).filter(card_set=card_set).update(shared=shared)
    return card_set


def remove_set(*, by: Actor, card_set: CardSet) -> None:
    """Remove a set with all its cards. Gear that used them stays, without its face."""
    _require_edit_set(by, card_set)
    with _locked_set(card_set):
        card_set.delete()


@contextmanager
def _locked_set(card_set: CardSet) -> Iterator[None]:
    """Lock a set for the block, a transaction.

    Whoever writes many of its cards locks it first: two who lock cards in any order would deadlock.
    """
    with transaction.atomic():
        CardSet.objects.select_for_update(no_key=True).filter(pk=card_set.pk).first()
        yield


def _require_edit_set(by: Actor, card_set: CardSet) -> None:
    if not policy.may_edit_set(by, card_set):
        raise NotAllowed("not-allowed", gettext("Only its owner changes a set of cards."))


def _keep_set(kept: CardSet, *, name: str | None, about: str | None) -> CardSet:
    said = {}
    if name is not None:
        said["name"] = kept.name = canonical.text_from(name, "$.name", 80, least=1)
    if about is not None:
        said["about"] = kept.about = canonical.text_from(about, "$.about", 2000, lines=True)
    text = gettext("There is a set {name} already.").format(name=kept.name)
    with once.only_one("set-exists", text):
        kept.save(update_fields=None if kept._state.adding else said)
    return kept


def set_name(name: Any) -> str:
    """Return the name of a set, the usual one if it is empty. Raises: BadInput."""
    return canonical.text_from(name, "$.set", 80) or gettext("My cards")


def _own_set(ruleset: Ruleset, owner: Player | None, name: str) -> CardSet:
    found, _ = CardSet.objects.get_or_create(game=ruleset.key, name=set_name(name), owner=owner)
    return found


def card_from(ruleset: Ruleset, data: Any, owner: Player | None) -> Card:
    """Return a card with this face, not stored, and in no set yet."""
    return Card(game=ruleset.key, owner=owner, **_face(ruleset, data))


def _face(ruleset: Ruleset, data: Any) -> dict[str, Any]:
    """Return the values of the columns `FACE`."""
    deck = canonical.convert({"cards": [data]}, ruleset.deck_type, "$")
    face = msgspec.to_builtins(deck.cards[0])
    ends = [str(face[end]) for end in ("a", "b") if face.get(end)]
    dots = [dot for end in ends for dot in end.split()]
    return {
        "name": face["name"],
        "ends": " | ".join(ends),
        "dots": len(dots),
        "blazes": sum(len(dot) - 1 for dot in dots),
        "face": msgspec.json.encode(face).decode(),
        **{name: value for name in COLUMNS if (value := face.get(name)) is not None},
    }


# -- exporting ---------------------------------------------------------------------------------


def table(game: str, cards: Iterable[Card]) -> str:
    """Write cards of a game as a CSV table that can be imported again."""
    fields = columns(game_of(game))
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(fields)
    for card in cards:
        data = {**_filed(card), decks.SHARED: "yes" if card.shared else "no"}
        writer.writerow([safe(cell(data.get(name))) for name in fields])
    return out.getvalue()


def listed(cards: Iterable[Card]) -> dict[str, Any]:
    """Return cards as plain data that can be imported again."""
    return {"cards": [_filed(card) for card in cards]}


def _filed(card: Card) -> dict[str, Any]:
    """Return a card as it stands in a file."""
    beside = {decks.SET: card.card_set.name, decks.SHARED: card.shared, decks.ID: str(card.pk)}
    return card.data | beside


def cell(value: Any) -> str:
    """Return a value on a card as text."""
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)
