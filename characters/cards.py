"""The catalogue: adding, importing and exporting cards.

What a card may hold is up to its game: its deck type parses a card, its `check_deck` finds errors
in the faces. Nothing here names a game.
"""

import csv
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from io import StringIO
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from django.db import IntegrityError, transaction
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

MAX_CARDS = 1000  # in one file
MAX_TEXT = 1_000_000  # characters in one file
COLUMNS = ("slot", "colour", "quality", "cost", "impulse", "move", "range")


class CardFlaw(msgspec.Struct):
    """A problem with a card of a file: its number from 1, or 0 for the file itself."""

    card: int
    where: str
    code: str
    detail: str


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
    """Return the columns of a table: the fields a card of a game may have, and its set."""
    return [*decks.card_fields(ruleset), decks.SET]


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
        columns = _columns(ruleset, data, owner, _own_set(ruleset, owner, card_set), shared)
        return once.make(Card, owner.pk, act_id, **columns)


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
    if data is not None:
        ruleset, data = game_of(card.game), bared(data)
        _require_playable(ruleset, data)
        fresh = _card(ruleset, data, card.owner, card.card_set, card.shared)
        if fresh.face != card.face:
            for name in ("name", "ends", "dots", "blazes", "face", *COLUMNS):
                setattr(card, name, getattr(fresh, name))
            card.revision += 1
    if shared is not None:
        card.shared = shared
    with _only_card_called(card.name):
        if card_set is not None:
            card.card_set = _own_set(game_of(card.game), card.owner, card_set)
        card.save(force_update=True)
    return card


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
    with transaction.atomic():
        _keep_set(card_set, name=name, about=about)
        if shared is not None:
            policy.visible_cards(by).filter(card_set=card_set).update(shared=shared)
    return card_set


def remove_set(*, by: Actor, card_set: CardSet) -> None:
    """Remove a set with all its cards. Gear that used them stays, without its face."""
    _require_edit_set(by, card_set)
    card_set.delete()


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


def take_in(
    *,
    by: Actor,
    game: str,
    text: str,
    card_set: str = "",
    shared: bool = False,
    dry_run: bool = True,
) -> tuple[int, list[CardFlaw]]:
    """Import a file of cards, JSON or a table, all or nothing.

    A card goes into the set it names, or else into `card_set`. Returns the number of cards and all
    their flaws. With a flaw, or on a dry run, nothing is stored.
    """
    owner = require_make(by)
    ruleset = game_of(game)
    try:
        rows = _rows(ruleset, text, _set_name(card_set))
    except BadInput as bad:
        return 0, [CardFlaw(0, bad.where, bad.code, bad.detail)]
    flaws = list(_flaws(ruleset, rows, owner))
    if not flaws and not dry_run:
        try:
            with transaction.atomic():
                sets = {row.set: _own_set(ruleset, owner, row.set) for row in rows}
                Card.objects.bulk_create(
                    _card(ruleset, row.face, owner, sets[row.set], shared) for row in rows
                )
        except IntegrityError:  # some of them were added concurrently
            if flaws := list(_flaws(ruleset, rows, owner)):
                return len(rows), flaws
            raise
    return len(rows), flaws


class Row(NamedTuple):
    """A card of a file, and the set it goes into; both may be anything until they are checked."""

    face: Any
    set: Any


def _rows(ruleset: Ruleset, text: str, usual: str) -> list[Row]:
    canonical.require_plain(text, "$.text")
    cards = decks.listed_in(decks.read_file(ruleset, text, MAX_TEXT))
    if not cards or len(cards) > MAX_CARDS:
        raise BadInput(
            "no-cards",
            gettext("A file has 1 to {MAX_CARDS} cards.").format(MAX_CARDS=MAX_CARDS),
            "$.text",
        )
    return [Row(card, _set_of(card, usual)) for card in cards]


def _set_of(card: Any, usual: str) -> Any:
    """Take the set out of a card of a file; none, or an empty text, stands for the usual one."""
    named = card.pop(decks.SET, None) if isinstance(card, dict) else None
    return usual if named in (None, "") else named


def _flaws(ruleset: Ruleset, rows: Sequence[Row], owner: Player) -> Iterator[CardFlaw]:
    """Yield every flaw of a file, including cards that occur twice or already exist."""
    old = Card.objects.filter(card_set__owner=owner, card_set__game=ruleset.key)
    seen = set(old.values_list("card_set__name", "name", "colour"))
    for number, row in enumerate(rows, 1):
        found = check(ruleset, row.face) or _flaws_of_set(row.set)
        yield from (msgspec.structs.replace(flaw, card=number) for flaw in found)
        if not found:
            key = (row.set, row.face["name"], row.face.get("colour", ""))
            if key in seen:
                detail = gettext("There is a {filter} in this set already.").format(
                    filter=" ".join(filter(None, reversed(key[1:])))
                )
                yield CardFlaw(number, "$.name", "card-exists", detail)
            seen.add(key)


def _flaws_of_set(name: Any) -> list[CardFlaw]:
    try:
        _set_name(name)
    except BadInput as bad:
        return [CardFlaw(1, bad.where, bad.code, bad.detail)]
    return []


def _set_name(name: str) -> str:
    return canonical.text_from(name, "$.set", 80) or gettext("My cards")


def _own_set(ruleset: Ruleset, owner: Player | None, name: str) -> CardSet:
    found, _ = CardSet.objects.get_or_create(game=ruleset.key, name=_set_name(name), owner=owner)
    return found


def _card(*of: Any) -> Card:
    return Card(**_columns(*of))


def _columns(
    ruleset: Ruleset, data: Any, owner: Player | None, card_set: CardSet, shared: bool
) -> dict[str, Any]:
    """Return the column values of a card."""
    deck = canonical.convert({"cards": [data]}, ruleset.deck_type, "$")
    face = msgspec.to_builtins(deck.cards[0])
    ends = [str(face[end]) for end in ("a", "b") if face.get(end)]
    dots = [dot for end in ends for dot in end.split()]
    return {
        "card_set": card_set,
        "game": ruleset.key,
        "owner": owner,
        "shared": shared,
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
        data = {**card.data, decks.SET: card.card_set.name}
        writer.writerow([safe(cell(data.get(name))) for name in fields])
    return out.getvalue()


def listed(cards: Iterable[Card]) -> dict[str, Any]:
    """Return cards as plain data that can be imported again."""
    return {"cards": [{**card.data, decks.SET: card.card_set.name} for card in cards]}


def cell(value: Any) -> str:
    """Return a value on a card as text."""
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)
