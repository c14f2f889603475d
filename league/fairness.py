"""Fairness over a season, so that later seatings balance earlier ones.

It keeps how spins fell, and who had which seat at tables of three and more.
"""

from collections import Counter, defaultdict
from uuid import UUID

from league import desks, policy
from league.models import PairingSeat, Season, Tournament
from matches.actors import Actor
from matches.draws import Tally
from matches.models import Player, SpinTally
from matches.tallies import fallen
from rules.desk.formats.pods import lean_of

MAX_SEATS = 6

Brought = tuple[tuple[int, ...], int]
"""How often a player had seat 1, 2 …, and the sum of how far back they sat."""


def spins_of(actor: Actor, season: Season) -> list[Tally]:
    """Return how spins fell in a season's matches, as far as an actor may see them."""
    tournaments = policy.visible_tournaments(actor).filter(season=season)
    return fallen(actor, SpinTally.objects.filter(log__match__table__tournament__in=tournaments))


def brought(tournament: Tournament, act_id: UUID, player: Player | None) -> Brought:
    """Return a player's earlier seats as an entry states them: if it is sent again, as before."""
    before = desks.recorded_as(tournament, act_id)
    if before is None:
        return seats_so_far(tournament, player)
    return getattr(before.act, "seats", ()), getattr(before.act, "lean", 0)


def seats_so_far(tournament: Tournament, player: Player | None) -> Brought:
    """Return how often a player had each seat in this season, and how far back they sat in all.

    Counts published tables of three and more in the season's other tournaments. Where somebody was
    absent the others close up, as within a tournament, and who is alone has no seat.
    """
    if player is None or tournament.season_id is None:
        return (), 0
    theirs = PairingSeat.objects.filter(
        entry__player=player, pairing__round__tournament__season=tournament.season_id
    ).exclude(pairing__round__tournament=tournament)
    tables: dict[int, list[PairingSeat]] = defaultdict(list)
    for each in (
        PairingSeat.objects.filter(pairing__in=theirs.values("pairing"))
        .select_related("entry")
        .order_by("seat")
    ):
        tables[each.pairing_id].append(each)
    had: Counter[int] = Counter()
    lean = 0
    for seats in tables.values():
        there = [each.entry.player_id for each in seats if not _was_absent(each)]
        if len(seats) > 2 and len(there) > 1 and player.pk in there:
            seat = there.index(player.pk) + 1
            had[min(seat, MAX_SEATS)] += 1
            lean += lean_of(seat, len(there))
    return tuple(had[seat] for seat in range(1, max(had, default=0) + 1)), lean


def _was_absent(seat: PairingSeat) -> bool:
    return seat.score is None and seat.place is not None and seat.place > 1
