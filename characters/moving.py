"""Move a character to another player or into a campaign: one side asks, the other agrees.

Leaving a campaign needs no agreement, nor does being removed from one by its officials.
"""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from characters import policy, trades
from characters.editing import note
from characters.locking import locked, owned
from characters.models import Audience, Campaign, Character, Move
from characters.offers import require_open, settle
from matches import once
from matches.actors import Actor
from matches.errors import BadInput, Conflict, NotAllowed
from matches.models import Player

Status = Move.Status


def offer_to(*, by: Actor, character: Character, to: Player | None) -> Move:
    """Offer a character, with everything it has and its whole history, to another player."""
    policy.require_edit(by, character)
    if to is None or to.user_id is None:
        raise BadInput(
            "no-account", gettext("A character goes to a player with an account."), "$.to"
        )
    if to.pk == character.owner_id:
        raise BadInput("same-player", gettext("It is theirs already."), "$.to")
    return _offered(by, Move(character=character, by=character.owner, to=to))


def ask_to_join(*, by: Actor, character: Character, campaign: Campaign) -> Move:
    """Ask a campaign's officials to admit a character; one's own campaign admits it at once."""
    policy.require_edit(by, character)
    if campaign.characters.filter(pk=character.pk).exists():
        raise BadInput("same-campaign", gettext("It is in this campaign already."), "$.campaign")
    move = _offered(by, Move(character=character, by=character.owner, campaign=campaign))
    return accept(by=by, move=move) if policy.may_run(by, campaign) else move


def _offered(by: Actor, move: Move) -> Move:
    text = gettext("It is offered already; take that back first.")
    with once.only_one("offered-already", text):
        owned(by, move.character)
        move.save()
    return move


def accept(*, by: Actor, move: Move) -> Move:
    """Take a character over, or into a campaign. Idempotent."""
    if not policy.may_answer_move(by, move):
        raise NotAllowed("not-allowed", gettext("Only those it was offered to can accept it."))
    with transaction.atomic():
        character, offered = _locked(move)
        if offered.status == Status.ACCEPTED:
            return offered
        require_open(offered)
        if character.owner_id != offered.by_id:
            raise Conflict("another-owner", gettext("It has gone to another player since."))
        if offered.to:
            _give(by, character, offered.to)
        else:
            _place(by, character, offered.campaign)
        settle(offered, Status.ACCEPTED)
    return offered


def decline(*, by: Actor, move: Move) -> Move:
    """Decline an offer, or withdraw one's own."""
    if policy.may_answer_move(by, move):
        status = Status.DECLINED
    elif policy.is_owner(by, move.character):
        status = Status.WITHDRAWN
    else:
        raise NotAllowed("not-allowed", gettext("This is between others."))
    with transaction.atomic():
        _, offered = _locked(move)
        require_open(offered)
        settle(offered, status)
    return offered


def leave(*, by: Actor, character: Character) -> None:
    """Take a character out of its campaign, as its owner or an official of the campaign."""
    policy.require_see(by, character)
    with transaction.atomic():
        [current] = locked(character.pk)
        if current.campaign is None:
            raise BadInput("no-campaign", gettext("It is in no campaign."), "$")
        if not (policy.is_owner(by, current) or policy.may_run(by, current.campaign)):
            raise NotAllowed(
                "not-allowed", gettext("Its owner or an official of the campaign does that.")
            )
        _place(by, current, None)
    character.campaign = None


def place(*, by: Actor, character: Character, campaign: Campaign | None) -> None:
    """Put a character into a campaign or out of it, as staff."""
    if not policy.may_place(by):
        raise NotAllowed(
            "not-allowed", gettext("Only those who run the site can move a character.")
        )
    with transaction.atomic():
        _place(by, locked(character.pk)[0], campaign)


# -- helpers -----------------------------------------------------------------------------------


def _locked(move: Move) -> tuple[Character, Move]:
    [character] = locked(move.character_id)
    return character, Move.objects.select_for_update().get(pk=move.pk)


def _give(by: Actor, character: Character, owner: Player) -> None:
    note(by, character, "owner", character.owner.name, owner.name, Audience.OWNER)
    Move.objects.filter(character=character, status=Status.OFFERED, to=None).update(
        status=Status.WITHDRAWN, settled_at=timezone.now()
    )
    trades.withdraw_all(character)
    character.owner = owner
    character.save(update_fields=["owner"])


def _place(by: Actor, character: Character, campaign: Campaign | None) -> None:
    before = character.campaign.name if character.campaign else ""
    after = campaign.name if campaign else ""
    note(by, character, "campaign", before, after, character.audience)
    character.campaign = campaign
    character.save(update_fields=["campaign"])
