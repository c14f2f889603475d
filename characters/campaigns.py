"""Campaigns: characters that share a world, run by an owner and the officials they name."""

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext

from characters import policy
from characters.cards import game_of
from characters.models import Campaign
from matches import canonical, once
from matches.actors import Actor
from matches.errors import BadInput, NotAllowed
from matches.models import Player
from matches.policy import require_make

MAX_PRICE = 9999
MAX_OFFICIALS = 50


def create(*, by: Actor, name: str, game: str = "zg", act_id: UUID | None = None) -> Campaign:
    """Create a campaign of one's own, in which slagged gear is whole again for the next match.

    Idempotent by `act_id`.
    """
    owner = require_make(by)
    key = game_of(game).key
    return once.make(Campaign, owner.pk, act_id, name=_name(name), game=key, owner=owner)


def change(
    *,
    by: Actor,
    campaign: Campaign,
    name: str | None = None,
    after_slag: str | None = None,
    repair_price: int | None = None,
    officials: Sequence[Player] | None = None,
    owner: Player | None = None,
) -> Campaign:
    """Change a campaign's settings; None leaves one unchanged.

    Only its owner names officials and hands it to one of them, whose place they take. Of an erased
    owner's campaign, every official may.
    """
    if not policy.may_run(by, campaign):
        raise NotAllowed("not-allowed", gettext("Only the officials of a campaign change it."))
    if owner is not None:
        officials = _handed_over(campaign, owner, officials)
    if officials is not None:
        _require_officials(by, campaign, officials)
    if after_slag is not None and after_slag not in Campaign.AfterSlag:
        raise BadInput("unknown-value", gettext("That cannot follow a slag."), "$.after_slag")
    if repair_price is not None and not 0 <= repair_price <= MAX_PRICE:
        detail = gettext("A repair costs from c0 to c{MAX_PRICE:,}.").format(MAX_PRICE=MAX_PRICE)
        raise BadInput("bad-price", detail, "$.repair_price")
    sent = {
        "owner": owner,
        "name": None if name is None else _name(name),
        "after_slag": after_slag,
        "repair_price": repair_price,
    }
    changed = {field: value for field, value in sent.items() if value is not None}
    for field, value in changed.items():
        setattr(campaign, field, value)
    with transaction.atomic():
        campaign.save(update_fields=changed)
        if officials is not None:
            campaign.officials.set(officials)
    return campaign


def _handed_over(
    campaign: Campaign, owner: Player, officials: Sequence[Player] | None
) -> list[Player]:
    """Return the officials of a campaign after one of them takes it over. Raises: BadInput."""
    known = list(campaign.officials.all())
    if owner not in known:
        detail = gettext("A campaign is handed to one of its officials.")
        raise BadInput("no-official", detail, "$.owner")
    others = [one for one in (known if officials is None else officials) if one != owner]
    return others if campaign.owner.user_id is None else [*others, campaign.owner]


def _require_officials(by: Actor, campaign: Campaign, officials: Sequence[Player]) -> None:
    if not policy.may_name_officials(by, campaign):
        raise NotAllowed(
            "not-allowed", gettext("Only its owner names the officials of a campaign.")
        )
    if len(officials) > MAX_OFFICIALS or any(one.user_id is None for one in officials):
        detail = gettext("At most {MAX_OFFICIALS} officials, each with an account.").format(
            MAX_OFFICIALS=MAX_OFFICIALS
        )
        raise BadInput("bad-officials", detail, "$.officials")


def _name(name: str) -> str:
    return canonical.text_from(name, "$.name", 80, least=1)
