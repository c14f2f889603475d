"""Who may know and do what with characters: the only policy module. What is not here is denied.

The owner of a character knows and may change all of it. Officials are those of its campaign, and
whoever a floor above names by `user.has_perm("characters.rule", character)`; the players are those
who play in its campaign. Each part of a sheet has an audience; anyone outside it finds no trace of
the part.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet, prefetch_related_objects
from django.utils.translation import gettext

from characters.models import (
    Audience,
    Campaign,
    Card,
    CardSet,
    Character,
    Loadout,
    Move,
    Section,
    Trade,
)
from matches.actors import Actor, remembered
from matches.errors import NotAllowed, NotFound, ResultsOff
from matches.models import Player

NARROWING: tuple[str, ...] = (
    *(Audience.PUBLIC, Audience.PLAYERS, Audience.OFFICIALS, Audience.OWNER),
)
"""The audiences that are groups, from the widest to the narrowest."""

Rank = Literal["public", "players", "officials", "owner"]
_KNOWN: dict[Rank, frozenset[str]] = {
    "public": frozenset({"public"}),
    "players": frozenset({"public", "players"}),
    "officials": frozenset({"public", "players", "officials"}),
    "owner": frozenset(Audience.values),
}


@dataclass(frozen=True)
class Eyes:
    """Whose view of a sheet is taken: a rank, and a player, for parts shown to people by name.

    With `results_off` it hides all results of matches and tournaments.
    """

    rank: Rank = "public"
    player: UUID | None = None
    results_off: bool = False

    @property
    def audiences(self) -> frozenset[str]:
        return _KNOWN[self.rank]

    @property
    def own(self) -> bool:
        return self.rank == "owner"


# -- an actor's relation to a character ------------------------------------------------


def is_owner(actor: Actor, character: Character) -> bool:
    return actor.player_id == character.owner_id


def runs(actor: Actor, campaign: Campaign | None) -> bool:
    """Tell whether an actor is an official of a campaign."""
    if campaign is None:
        return False
    return actor.player_id == campaign.owner_id or _part_in(actor).get(campaign.pk, False)


def campaigns_run_by(player: Player) -> QuerySet[Campaign, Any]:
    """Return a subquery of the campaigns that a player owns or is an official of."""
    return Campaign.objects.filter(Q(owner=player) | Q(officials=player)).values("pk")


def is_official(actor: Actor, character: Character) -> bool:
    named = actor.has_perm("characters.rule", character)
    return named or runs(actor, character.campaign)


def is_player(actor: Actor, character: Character) -> bool:
    """Tell whether an actor plays in a character's campaign."""
    return character.campaign_id is not None and character.campaign_id in _part_in(actor)


def _part_in(actor: Actor) -> Mapping[UUID, bool]:
    """Return the campaigns an actor has a part in, True as an official, False as a player only."""
    me = actor.player
    return {} if me is None else remembered(actor, "campaigns", lambda: _campaigns_of(me))


def _campaigns_of(me: Player) -> dict[UUID, bool]:
    played = Character.objects.filter(owner=me, campaign__isnull=False)
    helped = Campaign.officials.through.objects.filter(player=me)
    found = Campaign.objects.filter(
        Q(pk__in=helped.values("campaign")) | Q(pk__in=played.values("campaign"))
    ).order_by()
    official = Exists(helped.filter(campaign=OuterRef("pk")))
    return dict(found.values_list("pk", official))


def eyes_of(actor: Actor, character: Character) -> Eyes:
    """Return an actor's view of a character."""
    rank: Rank = "public"
    if is_owner(actor, character):
        rank = "owner"
    elif is_official(actor, character):
        rank = "officials"
    elif is_player(actor, character):
        rank = "players"
    return Eyes(rank, actor.player_id, actor.results_off and rank in ("public", "players"))


def audiences_in(actor: Actor, campaign: Campaign) -> frozenset[str]:
    """Return the audiences an actor belongs to for all characters of a campaign, own or not."""
    if _rules_all(actor) or runs(actor, campaign):
        return _KNOWN["officials"]
    return _KNOWN["players" if campaign.pk in _part_in(actor) else "public"]


def eyes_as(actor: Actor, character: Character, rank: Rank) -> Eyes:
    """Return the view of a lower rank. Raises: NotAllowed for a higher one."""
    own = eyes_of(actor, character)
    if not own.audiences >= _KNOWN[rank]:
        raise NotAllowed(
            "not-your-eyes", gettext("You can only view it as somebody who may know less than you.")
        )
    return own if rank == own.rank else Eyes(rank, results_off=own.results_off)


# -- what may be known -------------------------------------------------------------------


def knows(eyes: Eyes, audience: str) -> bool:
    return audience in eyes.audiences


def knows_character(eyes: Eyes, character: Character) -> bool:
    if character.audience == Audience.NAMED and not eyes.own:
        prefetch_related_objects([character], "named")  # in one query, and only if needed
        return any(eyes.player == one.pk for one in character.named.all())
    return knows(eyes, character.audience)


def sections_for(eyes: Eyes, character: Character) -> QuerySet[Section]:
    """Return the sections of a character visible in a view."""
    shown = Q(audience__in=eyes.audiences)
    if eyes.player is not None:
        named = Section.named.through.objects.filter(player=eyes.player)
        shown |= Q(audience=Audience.NAMED, pk__in=named.values("section"))
    return Section.objects.filter(shown, character=character).order_by("pk")


def knows_part(eyes: Eyes, character: Character, kind: str) -> bool:
    """Tell whether a part of a character's sheet is visible in a view."""
    return sections_for(eyes, character).filter(kind=kind).exists()


def knows_card(player: UUID | None, card: Card) -> bool:
    """Tell whether a player may know a card: the site's, a shared one, or their own."""
    return card.shared or card.owner_id is None or card.owner_id == player


def _rules_all(actor: Actor) -> bool:
    """Tell whether an actor counts as an official of every character.

    Asked about the class, not an object: with no object, "characters.rule" would be looked up in
    the permission tables, which do not have it.
    """
    everyone: Any = Character
    return actor.has_perm("characters.rule", everyone)


def visible_characters(actor: Actor) -> QuerySet[Character]:
    """Return the characters visible to an actor."""
    named = Character.named.through.objects.filter(player=actor.player_id).values("character")
    return Character.objects.filter(_shown_to(actor, named))


def visible_sections(actor: Actor, kind: str) -> QuerySet[Section]:
    """Return the sections of a kind visible to an actor, whether or not their characters are."""
    named = Section.named.through.objects.filter(player=actor.player_id).values("section")
    return Section.objects.filter(_shown_to(actor, named, "character__"), kind=kind)


def _shown_to(actor: Actor, named: QuerySet[Any, Any], of: str = "") -> Q:
    """Return the condition for visibility to an actor; `of` is the lookup path to the character."""
    shown = Q(audience=Audience.PUBLIC)
    if _rules_all(actor):
        shown |= Q(audience__in=_KNOWN["officials"])
    if me := actor.player:
        played = Character.objects.filter(owner=me, campaign__isnull=False).values("campaign")
        shown |= Q(**{f"{of}owner": me})
        shown |= Q(audience=Audience.NAMED, pk__in=named)
        run = {f"{of}campaign__in": campaigns_run_by(me)}
        shown |= Q(audience__in=_KNOWN["officials"], **run)
        shown |= Q(audience=Audience.PLAYERS, **{f"{of}campaign__in": played})
    return shown


def characters_showing(actor: Actor, kind: str) -> QuerySet[Character]:
    """Return the visible characters whose section of a kind is visible too."""
    section = visible_sections(actor, kind).filter(character=OuterRef("pk"))
    return visible_characters(actor).filter(Exists(section))


def visible_cards(actor: Actor) -> QuerySet[Card]:
    """Return the cards of the site, shared cards, and the actor's own."""
    shown = Q(owner=None) | Q(shared=True)
    if actor.player is not None:
        shown |= Q(owner=actor.player)
    return Card.objects.filter(shown)


def visible_sets(actor: Actor) -> QuerySet[CardSet]:
    """Return the sets of the site, those with a visible card, and the actor's own."""
    shown = Q(owner=None) | Q(pk__in=visible_cards(actor).values("card_set"))
    if actor.player is not None:
        shown |= Q(owner=actor.player)
    return CardSet.objects.filter(shown)


# -- what is allowed ----------------------------------------------------------------------


def may_edit(actor: Actor, character: Character) -> bool:
    return is_owner(actor, character)


def may_record(actor: Actor, character: Character) -> bool:
    """The owner may keep the books; so may officials, under their own name."""
    return is_owner(actor, character) or is_official(actor, character)


def may_answer(actor: Actor, trade: Trade) -> bool:
    """The character an offer was made to accepts or declines it."""
    return is_owner(actor, trade.to)


def may_name_officials(actor: Actor, campaign: Campaign) -> bool:
    """The owner of a campaign may, and staff; if its owner was erased, every official."""
    staff = actor.has_perm("characters.change_campaign")
    orphaned = campaign.owner.user_id is None
    return staff or actor.player_id == campaign.owner_id or (orphaned and runs(actor, campaign))


def may_keep_sets(actor: Actor) -> bool:
    return actor.has_perm("characters.change_cardset")


def may_edit_set(actor: Actor, card_set: CardSet) -> bool:
    own = actor.player is not None and card_set.owner_id == actor.player.pk
    return own or may_keep_sets(actor)


def may_run(actor: Actor, campaign: Campaign) -> bool:
    """The owner of a campaign and its officials may run it, and staff."""
    staff = actor.has_perm("characters.change_campaign")
    return staff or runs(actor, campaign)


def may_place(actor: Actor) -> bool:
    return actor.has_perm("characters.change_character")


def may_answer_move(actor: Actor, move: Move) -> bool:
    """The player a character is offered to answers; for a campaign, its officials."""
    if move.to_id:
        return actor.player_id == move.to_id
    return move.campaign is not None and may_run(actor, move.campaign)


def may_edit_card(actor: Actor, card: Card) -> bool:
    staff = actor.has_perm("characters.change_card")
    return staff or (actor.player is not None and card.owner_id == actor.player.pk)


def may_field(actor: Actor, loadout: Loadout) -> bool:
    """The owner may field a loadout, officials too, and anyone a shared one.

    The latter must be able to see the character and its gear already.
    """
    character = loadout.character
    if is_owner(actor, character):
        return True
    eyes = eyes_of(actor, character)
    others = loadout.shared or is_official(actor, character)
    may_see = others and knows_character(eyes, character)
    return may_see and knows_part(eyes, character, Section.Kind.GEAR)


# -- requirements ---------------------------------------------------------------------------


def require_results(actor: Actor, character: Character | None) -> None:
    """Raises: NotAllowed for readers with results off who do not keep the character's books."""
    if actor.results_off if character is None else eyes_of(actor, character).results_off:
        raise ResultsOff


def require_see(actor: Actor, character: Character) -> None:
    if not knows_character(eyes_of(actor, character), character):
        raise NotFound(gettext("There is no such character."), "no-such-character")


def require_edit(actor: Actor, character: Character) -> None:
    require_see(actor, character)
    if not may_edit(actor, character):
        raise NotAllowed("not-allowed", gettext("Only its owner changes a character."))


def require_award(actor: Actor, character: Character) -> None:
    """Require the right to award prizes, which a floor above grants as "characters.award".

    Raises: NotAllowed.
    """
    if not actor.has_perm("characters.award", character) and not may_record(actor, character):
        raise NotAllowed(
            "not-allowed", gettext("Only the organisers of an event can award its prizes.")
        )


def require_record(actor: Actor, character: Character) -> None:
    require_see(actor, character)
    if not may_record(actor, character):
        raise NotAllowed(
            "not-allowed", gettext("Only the owner and officials keep a character's books.")
        )
