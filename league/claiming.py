"""What a guest brings along from leagues and desks when an account takes them over."""

from collections.abc import Iterable

from league.models import DivisionPlayer, Entry, Krewe, Rating, Tournament
from league.ratings import Ratings
from matches import followers
from matches.claiming import Claimer, Moved, Part, part
from matches.errors import Conflict
from matches.models import Player

ENTRIES = f"{Entry._meta.label}.player"


class Leagues(Claimer):
    """Entries go with their pairings, places and penalties; ratings are rated again."""

    computed = frozenset({"league.Rating", "league.RatingStep"})

    def parts(self, guest: Player) -> Iterable[Part]:
        yield part("tournament", Tournament.objects.filter(entries__player=guest))
        yield part("krewe", Krewe.objects.filter(players=guest))
        yield part("role in a league", guest.memberships.all(), "roles in leagues")
        yield part("ban or exile", guest.sanctions.all(), "bans and exiles")
        yield part("rating", Rating.objects.filter(player=guest).select_related("player"))

    def require(self, guest: Player, player: Player) -> None:
        both = Tournament.objects.filter(
            entries__player=guest, pk__in=Entry.objects.filter(player=player).values("tournament")
        ).first()
        level = DivisionPlayer.objects.filter(
            player=guest, division__in=player.divisions.values("division")
        ).first()
        if met := both or (level and level.division):
            raise Conflict(
                "met", f"You and {guest} both take part in {met}, so you are not the same person."
            )

    def moved(self, rows: Moved) -> None:
        entries = Entry.objects.filter(pk__in=rows.get(ENTRIES, []))
        logs = entries.order_by("tournament").values_list("tournament", flat=True).distinct()
        followers.again(Ratings, logs)
