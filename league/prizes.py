"""Prizes: what a place wins reaches the character's books by the ledger, once."""

from uuid import uuid5

from django.utils import timezone

from characters import services as characters
from league import desks, policy
from league.models import Prize, Tournament
from matches.errors import Conflict
from matches.policy import Actor


def award(*, by: Actor, tournament: Tournament) -> list[Prize]:
    """Give every prize of a closed tournament that was not given, and return those given now.

    Money and gear go into the books of the character that entered; of a player without one it is
    written down who won it. Raises: NotAllowed, Conflict while it is not closed.
    """
    policy.require_organise(by, tournament)
    desk = desks.desk_of(tournament)
    if not desk.closed:
        raise Conflict("not-closed", "Prizes are given once the tournament is closed.")
    entries = desks.entries_by_number(tournament, desk)
    given = []
    for prize in tournament.prizes.filter(given_at=None):
        if prize.place > len(desk.order):
            continue
        prize.entry = entries[desk.order[prize.place - 1]]
        prize.save(update_fields=["entry"])
        _enter(by, prize)
        prize.given_at = timezone.now()
        prize.save(update_fields=["given_at"])
        given.append(prize)
    return given


def _enter(by: Actor, prize: Prize) -> None:
    """Enter a prize in its winner's books, under an id of its own."""
    character = prize.entry.character if prize.entry else None
    if character is None:
        return
    told = characters.Told(party=prize.tournament.title[:80], context=f"Place {prize.place}")
    if prize.line:
        what = characters.Recording(method="won", line=prize.line, told=told)
        act = uuid5(prize.tournament_id, f"prize {prize.pk} gear")
        characters.record(by=by, character=character, act_id=act, what=what)
    if prize.amount:
        what = characters.Recording(method="won", amount=prize.amount, told=told)
        act = uuid5(prize.tournament_id, f"prize {prize.pk} money")
        characters.record(by=by, character=character, act_id=act, what=what)
