"""Queries about characters. Every result is limited to what the reader may see."""

from collections.abc import Sequence
from contextlib import suppress
from uuid import UUID

from django.db.models import Case, Count, F, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce
from django.utils.translation import gettext

from characters import policy
from characters.ledger import touching
from characters.models import (
    Campaign,
    Card,
    CardSet,
    Change,
    Character,
    Favour,
    Goal,
    LedgerEntry,
    Move,
    Trade,
)
from characters.search import Search
from characters.shown import Kind, favours_of, parts_of
from matches.actors import Actor
from matches.errors import NotFound

FEW = 5  # of one's own characters, to choose from
MANY = 20  # of those that a name may mean
BY = " · "


def characters_for(actor: Actor) -> QuerySet[Character]:
    """Return the characters visible to an actor, newest first."""
    found = policy.visible_characters(actor).select_related("owner", "campaign")
    return found.order_by("-created_at", "-id").distinct()


def own_first(actor: Actor, found: QuerySet[Character]) -> QuerySet[Character]:
    """Return characters with an actor's before all others, annotated with `own`."""
    own = Case(When(owner=actor.player_id, then=True), default=False)
    return found.annotate(own=own).order_by("-own", "-created_at", "-id")


def known_by(typed: str) -> Q:
    """Return as a condition that a typed text is a part of a character's name, or its player's."""
    return Q(name__icontains=typed) | Q(owner__name__icontains=typed)


def called(found: QuerySet[Character], typed: str) -> list[Character]:
    """Return the characters a typed text means, at most `MANY`: by id, whole name, or part of it.

    A name may be followed by that of the player, as `with_player` writes it.
    """
    with suppress(ValueError):
        return list(found.filter(pk=UUID(typed)))
    name, _, player = typed.partition(BY)
    whole = Q(name__iexact=name)
    if player:
        whole &= Q(owner__name__iexact=player)
    return list(found.filter(whole)[:MANY]) or list(found.filter(known_by(typed))[:MANY])


def with_player(character: Character) -> str:
    """Return a character's name and its player's: several have the same name."""
    return f"{character.name}{BY}{character.owner.name}"


def own_of(actor: Actor) -> list[Character]:
    """Return an actor's newest characters, to choose from."""
    if actor.player is None:
        return []
    return list(Character.objects.filter(owner=actor.player)[:FEW])


def character_for(actor: Actor, pk: UUID) -> Character:
    """Return a character visible to an actor. Raises: NotFound."""
    rows = Character.objects.select_related("owner", "campaign", "portrait")
    found = rows.defer("portrait__image").filter(pk=pk).first()
    if found is None:
        raise NotFound(gettext("There is no such character."), "no-such-character")
    policy.require_see(actor, found)
    return found


def ledger_of(character: Character) -> QuerySet[LedgerEntry]:
    """Return every entry that touches a character, oldest first."""
    return LedgerEntry.objects.filter(touching(character)).order_by("pk")


def entry_of(character: Character, pk: int) -> LedgerEntry:
    """Return an entry that touches a character. Raises: NotFound."""
    rows = ledger_of(character).select_related("item", "giver", "taker", "words")
    entry = rows.filter(pk=pk).first()
    if entry is None:
        raise NotFound(gettext("There is no such entry."), "no-such-entry")
    return entry


def changes_for(actor: Actor, character: Character) -> QuerySet[Change]:
    """Return a sheet's changes that an actor may see, newest first. Raises: NotAllowed.

    The history of a section is hidden from those who may not see the section now.
    """
    policy.require_record(actor, character)
    eyes = policy.eyes_of(actor, character)
    known = parts_of(character, eyes)
    changes = Change.objects.filter(character=character, audience__in=eyes.audiences)
    kinds = set(Kind.values) - set(known)
    return changes.exclude(what__in=kinds).select_related("changed_by")


# -- offers ---------------------------------------------------------------------------------


def _trades() -> QuerySet[Trade]:
    return Trade.objects.select_related("by__owner", "to__owner").prefetch_related("gives", "wants")


def offers_to(character: Character) -> QuerySet[Trade]:
    """Return the open offers to a character, newest first."""
    return _trades().filter(to=character, status=Trade.Status.OFFERED)


def offers_to_own(actor: Actor) -> QuerySet[Trade]:
    """Return the open offers to an actor's characters, newest first."""
    waiting = Trade.objects.select_related("by", "to").filter(status=Trade.Status.OFFERED)
    return waiting.filter(to__owner=actor.player) if actor.player else waiting.none()


def offers_by(character: Character) -> QuerySet[Trade]:
    """Return the offers of a character, newest first."""
    return _trades().filter(by=character)


def trades_of(character: Character) -> QuerySet[Trade]:
    """Return the open offers to a character and all offers by it, newest first."""
    return _trades().filter(Q(to=character, status=Trade.Status.OFFERED) | Q(by=character))


def trade_for(actor: Actor, pk: UUID) -> Trade:
    """Return an offer that an actor is a party to. Raises: NotFound."""
    trade = _trades().filter(pk=pk).first()
    if trade is None or not (policy.is_owner(actor, trade.by) or policy.is_owner(actor, trade.to)):
        raise NotFound(gettext("There is no such offer."), "no-such-offer")
    return trade


# -- moves and campaigns ------------------------------------------------------------------------


def _moves() -> QuerySet[Move]:
    return Move.objects.select_related("character__owner", "by", "to", "campaign__owner")


def moves_of(character: Character) -> QuerySet[Move]:
    """Return all moves of a character, newest first."""
    return _moves().filter(character=character)


def moves_to(actor: Actor) -> QuerySet[Move]:
    """Return the characters offered to an actor, or to a campaign that the actor runs."""
    waiting = _moves().filter(status=Move.Status.OFFERED)
    if actor.player is None:
        return waiting.none()
    run = policy.campaigns_run_by(actor.player)
    return waiting.filter(Q(to=actor.player) | Q(campaign__in=run))


def moves_into(campaign: Campaign) -> QuerySet[Move]:
    """Return the characters that ask to join a campaign."""
    return _moves().filter(campaign=campaign, status=Move.Status.OFFERED)


def move_for(actor: Actor, pk: UUID) -> Move:
    """Return a move that an actor is a party to. Raises: NotFound."""
    move = _moves().prefetch_related("campaign__officials").filter(pk=pk).first()
    if move and (policy.is_owner(actor, move.character) or policy.may_answer_move(actor, move)):
        return move
    raise NotFound(gettext("There is no such offer."), "no-such-offer")


def campaigns() -> QuerySet[Campaign]:
    """Return all campaigns: their existence and their officials are public."""
    return Campaign.objects.select_related("owner").prefetch_related("officials")


def campaign_for(pk: UUID) -> Campaign:
    """Return a campaign. Raises: NotFound."""
    campaign = campaigns().filter(pk=pk).first()
    if campaign is None:
        raise NotFound(gettext("There is no such campaign."), "no-such-campaign")
    return campaign


def goal_for(actor: Actor, pk: UUID) -> Goal:
    """Return a goal visible to an actor. Raises: NotFound."""
    goal = Goal.objects.select_related("character__campaign").filter(pk=pk).first()
    if goal is not None:
        character, eyes = goal.character, policy.eyes_of(actor, goal.character)
        shown = policy.knows_character(eyes, character)
        if shown and policy.knows_part(eyes, character, Kind.GOALS):
            return goal
    raise no_such_goal()


def no_such_goal() -> NotFound:
    return NotFound(gettext("There is no such goal."), "no-such-goal")


def favour_for(actor: Actor, pk: UUID) -> Favour:
    """Return a favour visible to an actor. Raises: NotFound."""
    favour = Favour.objects.select_related("holder__campaign", "about").filter(pk=pk).first()
    for who in (favour.holder, favour.about) if favour else ():
        if who and favours_of(who, policy.eyes_of(actor, who)).filter(pk=pk).exists():
            assert favour is not None
            return favour
    raise NotFound(gettext("There is no such favour."), "no-such-favour")


# -- the catalogue --------------------------------------------------------------------------


def cards_for(actor: Actor, search: Search | None = None, **exact: str) -> QuerySet[Card]:
    """Return the visible cards, narrowed by a search and by exact columns."""
    cards = policy.visible_cards(actor).select_related("card_set", "owner")
    for name, value in exact.items():
        if value:
            cards = cards.filter(**{f"{name}__iexact": value})
    return search.narrow(cards) if search else cards


EXACT = ("slot", "colour", "quality")
"""The columns by which the catalogue is narrowed to what is exactly so."""

OFFERED = 60  # values of a column at most


def values_known(actor: Actor) -> dict[str, list[str]]:
    """Return the values that visible cards have in each of the columns `EXACT`, to choose from.

    Those that differ only in capitals find the same.
    """
    rows = policy.visible_cards(actor).order_by().values_list(*EXACT).distinct()
    return {
        name: sorted({row[at].casefold(): row[at] for row in rows if row[at]}.values())[:OFFERED]
        for at, name in enumerate(EXACT)
    }


UNKNOWN_LAST = {"": 2_147_483_647, "-": -1}  # the sort value of an unknown number


def sorted_cards(cards: QuerySet[Card], by: str) -> QuerySet[Card]:
    """Return cards sorted by a column, descending with a minus in front, then by name."""
    minus, column = by[: by.startswith("-")], by.removeprefix("-")
    if column == "name":
        return cards.order_by(by, "id")
    if Card._meta.get_field(column).null:
        place = Coalesce(F(column), Value(UNKNOWN_LAST[minus]))
        return cards.annotate(place=place).order_by(f"{minus}place", "name", "id")
    return cards.order_by(by, "name", "id")


def cards_chosen(actor: Actor, pks: Sequence[UUID]) -> list[Card]:
    """Return the visible ones of some cards, in the order they were chosen."""
    found = cards_for(actor).in_bulk(pks)
    return [found[pk] for pk in dict.fromkeys(pks) if pk in found]


def card_for(actor: Actor, pk: UUID) -> Card:
    """Return a card visible to an actor. Raises: NotFound."""
    card = policy.visible_cards(actor).select_related("card_set", "owner").filter(pk=pk).first()
    if card is None:
        raise NotFound(gettext("There is no such card."), "no-such-card")
    return card


def sets_for(actor: Actor) -> QuerySet[CardSet]:
    """Return the visible sets, each with how many visible cards are in it, and how many shared."""
    seen = Q(cards__in=policy.visible_cards(actor).order_by().values("pk"))
    found = policy.visible_sets(actor).select_related("owner").order_by("name", "id")
    return found.annotate(
        size=Count("cards", filter=seen), shared=Count("cards", filter=Q(cards__shared=True))
    )


def own_sets(actor: Actor) -> QuerySet[CardSet]:
    """Return an actor's own sets; a visitor has none."""
    found = sets_for(actor)
    return found.filter(owner=actor.player) if actor.player else found.none()


def set_for(actor: Actor, pk: UUID) -> CardSet:
    """Return a set visible to an actor. Raises: NotFound."""
    found = sets_for(actor).filter(pk=pk).first()
    if found is None:
        raise NotFound(gettext("There is no such set of cards."), "no-such-set")
    return found
