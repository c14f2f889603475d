"""Field characters: open a match with loadouts at its seats.

The log gets cards and, at each such seat, an opaque `ref`. Whose seat it is, and which item each
card was, is stored in rows of this floor, in one transaction with the match.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID, uuid5

import msgspec
from django.db import transaction
from django.utils.translation import gettext

from characters import loadouts
from characters.loadouts import EvaluatedLoadout
from characters.models import Appearance, Campaign, FieldedItem, Loadout
from matches import log as logs
from matches import opening, services
from matches import policy as matches
from matches.actors import Actor, player_of
from matches.errors import BadInput, Impossible, named
from matches.models import Match, Player, Seat, uuid7
from matches.services import SeatRequest

WHOLE = Campaign.AfterSlag.WHOLE
BARS = {"not-held", "slag-open"}
"""Problems that keep a loadout off the table; others do not prevent playing it."""


@dataclass(frozen=True)
class FieldedPlace:
    """Who sits where, and the loadout that is fielded there, if any.

    Without a player or a name, the seat goes to the player of the loadout's character.
    """

    seat: SeatRequest = field(default_factory=SeatRequest)
    loadout: UUID | None = None


def open_match(*, by: Actor, seats: Sequence[FieldedPlace], **table: Any) -> Match:
    """Open a match like `matches.services.open_match`, and field loadouts at its seats.

    Idempotent by `act_id`: opened again, the gear is as it was the first time.

    Raises: the errors of that function; NotFound for a loadout the actor may not field; BadInput,
    Impossible.
    """
    matches.require_open(by)
    table["act_id"] = table.get("act_id") or uuid7()
    match_id = opening.id_of(player_of(by), table["act_id"])
    fielded: dict[int, EvaluatedLoadout] = {}
    requests = []
    for number, place in enumerate(seats, 1):
        where = f"$.seats[{number - 1}].loadout"
        loadout = _loadout_at(by, place, str(table["ruleset"]), where)
        if loadout is None:
            requests.append(place.seat)
            continue
        fielded[number] = loadouts.evaluate(loadout)
        ref = _ref(match_id, number)
        deck = _fielded_before(ref, number, loadout)
        if deck is None:
            require_fit(fielded[number], where)
            deck = fielded[number].deck
        requests.append(_seat(place.seat, loadout, deck, ref))
    _require_once(fielded)
    with transaction.atomic():
        match = services.open_match(by=by, seats=requests, **table)
        if not Appearance.objects.filter(seat__match=match).exists():
            _write(match, fielded, by)
    return match


def _ref(match_id: UUID, number: int) -> UUID:
    """Return the `ref` of a fielded seat in the log, the same if the match is opened again."""
    return uuid5(match_id, f"seat {number}")


def _loadout_at(by: Actor, place: FieldedPlace, ruleset: str, where: str) -> Loadout | None:
    """Return the loadout fielded at a place, None without one. Raises: NotFound, BadInput."""
    if place.loadout is None:
        return None
    if place.seat.deck is not None:
        detail = gettext("A seat has a deck or a loadout, not both.")
        raise BadInput("deck-and-loadout", detail, where)
    loadout: Loadout = named(where, loadouts.loadout_for, by, place.loadout)
    if loadout.game != ruleset.partition("@")[0]:
        detail = gettext("{loadout} is a loadout for another game.").format(loadout=loadout)
        raise BadInput("other-game", detail, where)
    return loadout


def require_fit(loadout: EvaluatedLoadout, where: str = "") -> None:
    """Raises: Impossible for gear that is gone, or whose slag has yet to be dealt with.

    `where`: the path to the loadout in what was sent, "" if it was not named.
    """
    for flaw in loadout.problems:
        if flaw.code in BARS:
            raise Impossible(flaw.code, flaw.detail, where=where)


def _require_once(fielded: Mapping[int, EvaluatedLoadout]) -> None:
    characters = [each.loadout.character_id for each in fielded.values()]
    if len(set(characters)) < len(characters):
        raise Impossible("character-twice", gettext("A character sits at one seat of a match."))


def _seat(seat: SeatRequest, loadout: Loadout, deck: Any, ref: UUID) -> SeatRequest:
    player = seat.player
    if player is None and not seat.name:
        player = loadout.character.owner
    return replace(seat, player=player, deck=deck, ref=str(ref))


def _fielded_before(ref: UUID, number: int, loadout: Loadout) -> Any:
    """Return the deck of a loadout as the same request fielded it before, or None."""
    before = Appearance.objects.filter(pk=ref, loadout=loadout).first()
    if before is None:
        return None
    setup = logs.load(before.seat.match.log).setup
    return msgspec.to_builtins(setup.seats[number - 1].deck)


def _write(match: Match, fielded: Mapping[int, EvaluatedLoadout], by: Actor) -> None:
    """Store whose seats these are, and which item each card is."""
    for seat in Seat.objects.filter(match=match, number__in=fielded):
        appear(seat, fielded[seat.number], _ref(match.pk, seat.number), by.player)


def appear(seat: Seat, fielded: EvaluatedLoadout, ref: UUID, by: Player | None) -> None:
    """Store whose seat this is, with its `ref` in the log, and which item each of its cards is."""
    loadout = fielded.loadout
    character = loadout.character
    appearance = Appearance.objects.create(
        pk=ref,
        seat=seat,
        character=character,
        loadout=None if loadout._state.adding else loadout,
        fielded_by=by,
        campaign=None if character.after_slag == WHOLE else character.campaign,
    )
    FieldedItem.objects.bulk_create(
        FieldedItem(appearance=appearance, item=item, card=name, design=item.card)
        for item, name in zip(fielded.items, fielded.names, strict=True)
    )
