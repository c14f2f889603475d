"""Loadouts: gear picked for a deck, its cost against a class, and its problems.

A loadout holds items, not cards: its deck is computed each time it is viewed. A piece is its card
of the catalogue, or a blank whose ends are typed in when they are first flipped.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from uuid import UUID

import msgspec
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext
from msgspec import Struct

from characters import aftermath, ledger, policy, selectors
from characters.books import items_by
from characters.games import Fielding, fielding_of
from characters.locking import owned
from characters.models import (
    Audience,
    Card,
    Character,
    GearItem,
    Loadout,
    Section,
)
from matches import canonical, once
from matches.actors import Actor
from matches.errors import BadInput, Impossible, NotAllowed, NotFound
from matches.policy import require_make
from rules import texts
from rules.ruleset import Problem, Ruleset

GAME = "zg"  # the game of a sheet's gear
MAX_LOADOUTS = 50  # per character
MAX_SHARED = 200  # the most that a form offers
DESIGNS = (
    "Primary design",
    "Secondary design",
    "Tertiary design",
)


class LoadoutFlaw(Struct):
    """A problem with a loadout. `item` is the serial of the piece it is about, if any.

    `code`: a permanent code of the problem.
    """

    code: str
    clause: str
    detail: str
    item: str = ""


class EvaluatedLoadout(Struct):
    """A loadout with its deck, its known cost, and every problem.

    `most`: the limit of its class; `unknown`: how many of its cards have no known cost.
    """

    loadout: Loadout
    items: list[GearItem]
    deck: dict[str, object]
    names: Sequence[str]
    cost: int
    unknown: int
    most: int | None
    problems: list[LoadoutFlaw]

    @property
    def over(self) -> int:
        return max(0, self.cost - self.most) if self.most is not None else 0


# -- reading ----------------------------------------------------------------------------------


def loadouts_of(actor: Actor, character: Character) -> list[Loadout]:
    """Return a character's loadouts that an actor may field, and so may view.

    For the shared ones, and for the others, the answer is the same for all of them.
    """
    found = list(character.loadouts.all())
    alike = {loadout.shared: loadout for loadout in found}
    may = {shared: policy.may_field(actor, loadout) for shared, loadout in alike.items()}
    return [loadout for loadout in found if may[loadout.shared]]


def fieldable(actor: Actor, game: str) -> list[Loadout]:
    """Return the loadouts that an actor may field in a game, their own first.

    Of loadouts others share with limited audiences, only the newest `MAX_LOADOUTS` are considered.
    """
    me = actor.player
    if me is None:
        return []
    open_gear = Section.objects.filter(
        character=OuterRef("character"), kind=Section.Kind.GEAR, audience=Audience.PUBLIC
    )
    known = Loadout.objects.filter(
        game=game, character__in=policy.visible_characters(actor).values("pk")
    ).select_related("character__owner", "character__campaign")
    own = known.filter(character__owner=me)
    others = known.exclude(character__owner=me).annotate(open=Exists(open_gear))
    shared = others.filter(shared=True, open=True).order_by("character__name", "name")
    rest = others.exclude(shared=True, open=True).filter(
        Q(shared=True) | Q(character__campaign__in=policy.campaigns_run_by(me))
    )
    newest = rest.order_by("-changed_at", "-id")[:MAX_LOADOUTS]
    few = [each for each in newest if policy.may_field(actor, each)]
    return [*own.order_by("character__name", "name"), *shared[:MAX_SHARED], *few]


def loadout_for(actor: Actor, pk: UUID) -> Loadout:
    """Return a loadout that an actor may field. Raises: NotFound."""
    found = (
        Loadout.objects.select_related("character__owner", "character__campaign")
        .filter(pk=pk)
        .first()
    )
    if found is None or not policy.may_field(actor, found):
        raise NotFound(gettext("There is no such loadout."), "no-such-loadout")
    return found


def evaluate(loadout: Loadout, items: Iterable[GearItem] | None = None) -> EvaluatedLoadout:
    """Return a loadout with its deck, cost and problems, for other `items` if given."""
    picked = list(loadout.items.select_related("card") if items is None else items)
    return _evaluated(loadout, picked, _facts_of(loadout.character, picked))


@dataclass(frozen=True)
class _Facts:
    """The data behind a character's loadouts: its modes, who holds its gear, what is unmended."""

    modes: Mapping[str, str]  # the texts of the sections
    held: Mapping[UUID, Counter[UUID]]
    waiting: Mapping[UUID, str]


def _facts_of(character: Character, items: Iterable[GearItem]) -> _Facts:
    kinds = (Section.Kind.MODE_DECK, Section.Kind.MANEUVERS)
    sections = character.sections.filter(kind__in=kinds).values_list("kind", "text")
    known = list({item.pk: item for item in items}.values())
    return _Facts(dict(sections), ledger.holders(known), aftermath.unmended(character, known))


def _evaluated(loadout: Loadout, picked: list[GearItem], facts: _Facts) -> EvaluatedLoadout:
    ruleset, fielding = fielding_of(loadout.game)
    plain = _deck(loadout, picked, facts)
    deck = canonical.convert(plain, ruleset.deck_type, "$.deck")
    options = canonical.convert(
        fielding.options(loadout.game_class), ruleset.options_type, "$.class"
    )
    cost = fielding.cost_of(deck, options)
    problems = [_flaw(ruleset, problem) for problem in ruleset.check_deck(deck, options)]
    problems += _out_of_hand(loadout.character, picked, facts)
    problems += _unmended(loadout.character, picked, facts)
    return EvaluatedLoadout(
        loadout=loadout,
        items=picked,
        deck=plain,
        names=fielding.names_in(deck),
        cost=cost.known,
        unknown=cost.unknown,
        most=cost.most,
        problems=problems,
    )


def as_registered(
    character: Character, game: str, items: Sequence[GearItem], deck: Mapping[str, object]
) -> EvaluatedLoadout:
    """Return gear with the deck that was made of it before, and its problems as of now."""
    ruleset, fielding = fielding_of(game)
    typed = canonical.convert(deck, ruleset.deck_type, "$.deck")
    found = evaluate(Loadout(character=character, game=game), items)
    return msgspec.structs.replace(found, deck=dict(deck), names=fielding.names_in(typed))


def evaluate_for(actor: Actor, loadout: Loadout) -> EvaluatedLoadout:
    """Return a loadout as an actor may see it: without slags for one with results off."""
    [evaluated] = evaluate_all_for(actor, loadout.character, [loadout])
    return evaluated


def evaluate_all_for(
    actor: Actor, character: Character, found: Sequence[Loadout]
) -> list[EvaluatedLoadout]:
    """Return loadouts of a character like `evaluate_for`, with one set of queries."""
    rows = Loadout.objects.filter(pk__in=[loadout.pk for loadout in found])
    pieces = {row.pk: list(row.items.all()) for row in rows.prefetch_related("items__card")}
    facts = _facts_of(character, chain.from_iterable(pieces.values()))
    if policy.eyes_of(actor, character).results_off:
        facts = replace(facts, waiting={})
    return [_evaluated(loadout, pieces[loadout.pk], facts) for loadout in found]


def _flaw(ruleset: Ruleset, problem: Problem) -> LoadoutFlaw:
    detail = texts.sentence(ruleset.texts, problem.code, problem.params, {})
    return LoadoutFlaw(problem.code, problem.clause, detail)


def _out_of_hand(
    character: Character, items: Iterable[GearItem], facts: _Facts
) -> Iterator[LoadoutFlaw]:
    """Yield problems for pieces that the character no longer holds."""
    for item in items:
        if facts.held[item.pk][character.pk] < 1:
            detail = gettext("{item} ({serial}) is no longer in {character}'s hands.").format(
                item=item, serial=item.serial, character=character
            )
            yield LoadoutFlaw("not-held", "", detail, item.serial)


def _unmended(
    character: Character, items: Iterable[GearItem], facts: _Facts
) -> Iterator[LoadoutFlaw]:
    """Yield problems for pieces whose slag has yet to be dealt with."""
    for item in items:
        if item.pk in facts.waiting:
            named = f"{item} ({item.serial})"
            detail = gettext(
                "{item} was slagged in {waiting}. Say on the sheet of {name} what follows, or"
                " leave it out."
            ).format(item=named, waiting=facts.waiting[item.pk], name=character.name)
            yield LoadoutFlaw("slag-open", "ZG LEA-8", detail, item.serial)


def _deck(loadout: Loadout, items: Iterable[GearItem], facts: _Facts) -> dict[str, object]:
    """Return the deck of a loadout as plain data, its cards in the order of the items."""
    _, fielding = fielding_of(loadout.game)
    owner = loadout.character.owner_id
    cards = [card_of(fielding, loadout.game, item, owner) for item in items]
    deck: dict[str, object] = {"cards": cards}
    if loadout.with_modes and (modes := list(_modes(fielding, facts.modes))):
        deck["modes"] = modes
    return deck


def card_of(fielding: Fielding, game: str, item: GearItem, owner: UUID) -> dict[str, object]:
    """Return a piece as the card it is played as: a blank if its owner may not know that card."""
    card = design_of(item, owner)
    if card is not None and card.game == game:
        return card.data
    return fielding.blank_piece(item.slot or item.name, item.quality, item.colour)


def _modes(fielding: Fielding, sections: Mapping[str, str]) -> Iterator[dict[str, object]]:
    """Yield the cards of a character's mode deck: its designs, then its maneuvers."""
    designs = sections.get(Section.Kind.MODE_DECK, "").split("\n")[: len(DESIGNS)]
    for place, line in zip(DESIGNS, designs, strict=False):
        if line.strip():
            yield fielding.mode_card(line, place)
    maneuvers = filter(str.strip, sections.get(Section.Kind.MANEUVERS, "").split("\n"))
    for number, line in enumerate(list(maneuvers)[:20], 1):
        yield fielding.mode_card(line, f"Maneuver {number}")


# -- writing ----------------------------------------------------------------------------------


def make(
    *,
    by: Actor,
    character: Character,
    name: str,
    items: Sequence[str],
    game: str = GAME,
    game_class: str = "standard",
    with_modes: bool = True,
    shared: bool = False,
    act_id: UUID | None = None,
) -> Loadout:
    """Create a loadout from gear that a character holds, by serial.

    One with problems is stored as it is. Idempotent by `act_id`.
    Raises: NotFound, NotAllowed, BadInput, Impossible, IdReused.
    """
    policy.require_edit(by, character)
    loadout = Loadout(character=character, game=game, with_modes=with_modes, shared=shared)
    _name(loadout, name)
    _class(loadout, game_class)

    def keep(made: Loadout) -> None:
        owned(by, character)
        if character.loadouts.count() >= MAX_LOADOUTS:
            raise Impossible(
                "too-many-loadouts",
                gettext("A character has at most {MAX_LOADOUTS}.").format(
                    MAX_LOADOUTS=MAX_LOADOUTS
                ),
            )
        made.save(force_insert=True)
        made.items.set(_pieces(character, items))

    def same(made: Loadout) -> bool:
        return {item.serial for item in made.items.all()} == set(items)

    names = ("character", "game", "with_modes", "shared", "name", "game_class")
    fields = {name: getattr(loadout, name) for name in names}
    maker = require_make(by)
    return once.make(Loadout, maker.pk, act_id, keep=keep, same=same, **fields)


def change(
    *,
    by: Actor,
    loadout: Loadout,
    name: str | None = None,
    items: Sequence[str] | None = None,
    game_class: str | None = None,
    with_modes: bool | None = None,
    shared: bool | None = None,
) -> Loadout:
    """Change the given fields of a loadout. What was fielded before is not affected."""
    policy.require_edit(by, loadout.character)
    if name is not None:
        _name(loadout, name)
    if game_class is not None:
        _class(loadout, game_class)
    loadout.with_modes = loadout.with_modes if with_modes is None else with_modes
    loadout.shared = loadout.shared if shared is None else shared
    sent = {"name": name, "game_class": game_class, "with_modes": with_modes, "shared": shared}
    changed = [each for each, value in sent.items() if value is not None]
    with transaction.atomic():
        owned(by, loadout.character)  # of two lists of gear at once one stays, not both together
        if items is not None:
            kept = set(loadout.items.values_list("serial", flat=True))
            loadout.items.set(_pieces(loadout.character, items, kept))
        loadout.save(update_fields=[*changed, "changed_at"])
    return loadout


def remove(*, by: Actor, loadout: Loadout) -> None:
    with transaction.atomic():
        owned(by, loadout.character)  # it may have been given away meanwhile
        loadout.delete()


def draft(
    character: Character, items: Sequence[str], game_class: str, with_modes: bool
) -> EvaluatedLoadout:
    """Return what a loadout would be, without storing it. Raises: BadInput, Impossible."""
    loadout = Loadout(character=character, with_modes=with_modes)
    _class(loadout, game_class)
    return evaluate(loadout, _pieces(character, items))


def _name(loadout: Loadout, name: str) -> None:
    loadout.name = canonical.text_from(name, "$.name", 80, least=1)


def _class(loadout: Loadout, game_class: str) -> None:
    _, fielding = fielding_of(loadout.game)
    if game_class not in fielding.classes:
        raise BadInput(
            "unknown-class",
            gettext("There is no class {game_class!a}: {classes}.").format(
                game_class=game_class[:20], classes=", ".join(fielding.classes)
            ),
            "$.class",
        )
    loadout.game_class = game_class


def _pieces(
    character: Character, serials: Sequence[str], kept: Collection[str] = ()
) -> list[GearItem]:
    """Return gear that a character holds, by serials; pieces `kept` from before may be gone."""
    found = items_by(serials)
    held = ledger.holders(found)
    for number, item in enumerate(found):
        where = f"$.items[{number}]"
        if item.kind != GearItem.Kind.PIECE:
            detail = gettext("{serial} is no zGear.").format(serial=item.serial)
            raise Impossible("no-gear", detail, where=where)
        if held[item.pk][character.pk] < 1 and item.serial not in kept:
            detail = gettext("{serial} is not in those hands.").format(serial=item.serial)
            raise Impossible("not-held", detail, where=where)
    return sorted(found, key=lambda item: item.pk)


# -- which card a piece is --------------------------------------------------------------------


def printed(actor: Actor, item: GearItem) -> Card | None:
    """Return the card that a piece is, if the actor may see it."""
    return design_of(item, actor.player_id)


def design_of(item: GearItem, player: UUID | None) -> Card | None:
    """Return the card that a piece is, if a player may know it."""
    return item.card if item.card is not None and policy.knows_card(player, item.card) else None


def print_as(*, by: Actor, item: GearItem, card: Card | None) -> None:
    """Set which card of the catalogue a piece is, or make it a blank again.

    Only the owner of the character that holds it may. Raises: NotAllowed, Impossible.
    """
    holder = ledger.holder_of(item)
    if holder is None or not policy.may_edit(by, holder):
        raise NotAllowed(
            "not-allowed",
            gettext("Only the owner of the character that holds it can say which card it is."),
        )
    if item.kind != GearItem.Kind.PIECE:
        raise Impossible("no-gear", gettext("{serial} is no zGear.").format(serial=item.serial))
    if card is not None:
        card = selectors.card_for(by, card.pk)
    item.card = card
    item.save(update_fields=["card"])


def outfit(*, by: Actor, character: Character, name: str) -> Loadout:
    """Return the loadout of this name, made from all gear a character holds if there is none.

    A piece that is not a card yet becomes the first visible card for its slot, preferably of its
    own colour.
    """
    if found := character.loadouts.filter(name=name).first():
        return found
    pieces = [item for item in ledger.items_of(character) if item.kind == GearItem.Kind.PIECE]
    for item in pieces:
        if item.card_id is None and (card := _likely(by, item)):
            print_as(by=by, item=item, card=card)
    serials = [item.serial for item in pieces]
    return make(by=by, character=character, name=name, items=serials, game_class="open")


def _likely(actor: Actor, item: GearItem) -> Card | None:
    cards = cards_like(policy.visible_cards(actor), item).exclude(slot="")
    return cards.filter(colour__iexact=item.colour).first() or cards.first()


def cards_like(cards: QuerySet[Card], item: GearItem) -> QuerySet[Card]:
    """Return the cards that a piece may be: those for its slot, or all if that is unknown."""
    _, fielding = fielding_of(GAME)
    slot = str(fielding.blank_piece(item.slot or item.name, "", "").get("slot", ""))
    found = cards.filter(game=GAME).select_related("card_set")
    return found.filter(slot__iexact=slot) if slot else found
