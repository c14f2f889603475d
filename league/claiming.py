"""What whoever claims a guest inherits from leagues and desks."""

from collections.abc import Iterable

from django.db.models import Model, Q, QuerySet
from django.utils.translation import gettext, ngettext_lazy

from league import policy, roles
from league.models import Entry, Krewe, Membership, Rating, Tournament
from league.ratings import Ratings
from matches import followers
from matches.claiming import ClaimedPart, Claimer, Moved, part
from matches.errors import Conflict
from matches.models import Player

ENTRIES = f"{Entry._meta.label}.player"

VOID = Q(status=Entry.TAKEN_BACK) | Q(status="dropped", pairings=None)
"""Entries that stand in nobody's way: of somebody entered twice, one is dropped or taken back."""


def _played(player: Player) -> QuerySet[Entry]:
    """Return the entries by which a player takes part, alone or in a krewe, without void ones."""
    return Entry.objects.filter(policy.takes_part(player)).exclude(VOID)


class Leagues(Claimer):
    """Moves entries with their pairings, places and penalties; ratings are recomputed.

    A role that was taken away from a player is not restored by a claim or by undoing one.
    """

    computed = frozenset({"league.Rating", "league.RatingStep"})

    def parts(self, guest: Player) -> Iterable[ClaimedPart]:
        entered = Tournament.objects.filter(entries__player=guest)
        rated = Rating.objects.filter(player=guest).select_related("player")
        yield part(ngettext_lazy("tournament", "tournaments"), entered)
        yield part(ngettext_lazy("krewe", "krewes"), Krewe.objects.filter(players=guest))
        yield part(ngettext_lazy("role in a league", "roles in leagues"), guest.memberships.all())
        yield part(ngettext_lazy("ban or exile", "bans and exiles"), guest.sanctions.all())
        yield part(ngettext_lazy("rating", "ratings"), rated)

    def require(self, guest: Player, player: Player) -> None:
        theirs, own = (_played(one).values("tournament") for one in (guest, player))
        if met := Tournament.objects.filter(pk__in=theirs).filter(pk__in=own).first():
            raise Conflict(
                "met",
                gettext(
                    "{guest} and {player} both take part in {met}, so they cannot be one person."
                ).format(guest=guest, player=player, met=met),
            )

    def prepare(self, guest: Player, player: Player) -> None:
        for member in guest.memberships.all():
            if roles.was_taken(player, member):
                roles.end(member)

    def is_void(self, row: Model) -> bool:
        """Return whether an entry was taken back, or dropped before it sat at any table.

        It is kept, since the log names it.
        """
        return isinstance(row, Entry) and Entry.objects.filter(VOID, pk=row.pk).exists()

    def forfeits(self, row: Model, player: Player) -> bool:
        return isinstance(row, Membership) and roles.was_taken(player, row)

    def moved(self, rows: Moved) -> None:
        entries = Entry.objects.filter(pk__in=rows.get(ENTRIES, []))
        logs = entries.order_by("tournament").values_list("tournament", flat=True).distinct()
        followers.again(Ratings, logs)
