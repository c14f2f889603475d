"""Which leagues, tournaments and venues an actor finds. What is read of a desk: `desk_reads`."""

from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
    prefetch_related_objects,
)
from django.utils.translation import gettext

from characters.models import Character
from league import policy
from league.backends import TABLE
from league.models import (
    Entry,
    Krewe,
    League,
    Prize,
    Role,
    Round,
    Season,
    Standing,
    TableMatch,
    Tournament,
    Venue,
)
from matches.actors import Actor, remembered
from matches.errors import NotFound
from matches.models import Log, Match, Player, withdrawn

NEVER = datetime.max.replace(tzinfo=UTC)
MAX_OPEN = 60  # limit on open tournaments searched for what is on and next


def tournament_for(actor: Actor, code: str) -> Tournament:
    """Return a tournament the actor may see, with related rows for its pages. Raises: NotFound."""
    found = remembered(actor, ("tournament", code), lambda: _coded(code))
    if found is None or not policy.may_see(actor, found):
        raise NotFound(
            gettext("There is no tournament {code}.").format(code=code[:20]), "no-such-tournament"
        )
    return found


def _coded(code: str) -> Tournament | None:
    known = Tournament.objects.select_related("log", "league", "season", "venue", "opener")
    return known.filter(code=code.upper().replace("\0", "?")).first()


def tournaments_for(actor: Actor) -> QuerySet[Tournament]:
    """Return the tournaments the actor may see, newest first."""
    found = policy.visible_tournaments(actor).select_related("log", "league", "season", "venue")
    return found.order_by("-created_at", "-log_id")


def entered_as(tournaments: QuerySet[Tournament], character: Character) -> QuerySet[Tournament]:
    """Return those of some tournaments that a character entered, each once."""
    theirs = Entry.objects.filter(character=character).exclude(status=Entry.TAKEN_BACK)
    return tournaments.filter(pk__in=theirs.values("tournament"))


def entered_for(tournaments: QuerySet[Tournament], player: Player) -> QuerySet[Tournament]:
    """Return those of some tournaments that a player takes part in, alone or with a krewe."""
    return tournaments.filter(_entered(player))


def with_places(
    actor: Actor, tournaments: QuerySet[Tournament], theirs: Q, name: str = "place"
) -> QuerySet[Tournament]:
    """Annotate tournaments with the final place of an entry that is theirs, None before that.

    For an actor with results off there is none.
    """
    if actor.results_off:
        return tournaments.annotate(**{name: Value(None, IntegerField())})
    final = Standing.objects.filter(
        tournament=OuterRef("pk"), round=0, entry__in=Entry.objects.filter(theirs)
    )
    return tournaments.annotate(**{name: Subquery(final.values("place")[:1])})


def called(actor: Actor, word: str) -> QuerySet[Tournament]:
    """Return the tournaments with this code, or with a word in their title, that one may see."""
    named = Q(code=word.upper()) | Q(title__icontains=word)
    return policy.visible_tournaments(actor).filter(named)


def of_leagues(tournaments: QuerySet[Tournament], word: str) -> QuerySet[Tournament]:
    """Narrow tournaments to those of the leagues with this slug, or with a word in their name."""
    return tournaments.filter(Q(league__slug=word.lower()) | Q(league__name__icontains=word))


def at_tables_of(
    matches: QuerySet[Match], tournaments: Iterable[Tournament] | QuerySet[Tournament]
) -> QuerySet[Match]:
    """Return those of some matches that were opened at a table of some tournaments."""
    found = TableMatch.objects.order_by().filter(tournament__in=tournaments)
    return matches.filter(pk__in=found.values("match"))


def table_of(actor: Actor, match: Match) -> TableMatch | None:
    """Return the table a match is played at, None without a tournament that the actor may see."""
    prefetch_related_objects([match], TABLE)
    found: TableMatch | None = getattr(match, "table", None)
    return found if found and policy.may_see(actor, found.tournament) else None


def open_first(tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Order tournaments: those open, newest first, then those closed, the last one first.

    One that was withdrawn is open no more.
    """
    closed_last = Case(When(withdrawn(), then=1), When(closed_at=None, then=0), default=1)
    return tournaments.order_by(closed_last, F("closed_at").desc(nulls_last=True), "-created_at")


def of_status(tournaments: QuerySet[Tournament], status: str) -> QuerySet[Tournament]:
    """Narrow tournaments to those open or those ended; one that was withdrawn is neither."""
    return tournaments.exclude(withdrawn()).filter(closed_at__isnull=status == Log.Status.OPEN)


def on_and_next(actor: Actor) -> tuple[list[Tournament], list[Tournament]]:
    """Return the tournaments under way, newest first, and those to come, soonest first."""
    found = tournaments_for(actor).filter(closed_at=None).exclude(withdrawn())
    return _on_and_next(found.annotate(begun=BEGUN)[:MAX_OPEN])


def on_next_and_played(
    tournaments: QuerySet[Tournament], most: int
) -> tuple[list[Tournament], list[Tournament], list[Tournament]]:
    """Return those of some tournaments under way, to come, and the `most` last closed ones."""
    gone = Q(withdrawn(), closed_at=None)
    found = tournaments.exclude(gone).annotate(begun=BEGUN)
    newest = F("closed_at").desc(nulls_first=True), "-created_at", "-log_id"
    every: list[Any] = list(found.order_by(*newest)[: MAX_OPEN + most])
    on, soon = _on_and_next(each for each in every if each.closed_at is None)
    return on, soon, [each for each in every if each.closed_at is not None][:most]


BEGUN = Exists(Round.objects.filter(tournament=OuterRef("pk")))


def _on_and_next(tournaments: Iterable[Any]) -> tuple[list[Tournament], list[Tournament]]:
    open_ = list(tournaments)
    soon = [each for each in open_ if not each.begun]
    soon.sort(key=lambda each: each.starts_at or NEVER)
    return [each for each in open_ if each.begun], soon


def organised_by(actor: Actor) -> QuerySet[Tournament]:
    """Return the tournaments the actor organises where something is left to do, newest first."""
    if actor.player is None:
        return Tournament.objects.none()
    promised = Exists(Prize.objects.filter(tournament=OuterRef("pk"), given_at=None))
    found = tournaments_for(actor).exclude(withdrawn())
    return found.filter(policy.organised(actor.player), Q(closed_at=None) | promised)


def own(actor: Actor, tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Return those of some tournaments that the actor takes part in or organises."""
    if actor.player is None:
        return tournaments.none()
    return tournaments.filter(_entered(actor.player) | policy.organised(actor.player))


def entered_by(actor: Actor) -> QuerySet[Tournament]:
    """Return the open tournaments the actor takes part in, newest first."""
    if actor.player is None:
        return Tournament.objects.none()
    return tournaments_for(actor).filter(_entered(actor.player), closed_at=None)


def own_open(actor: Actor, most: int) -> tuple[list[Tournament], list[Tournament]]:
    """Return the open tournaments the actor takes part in, and those they organise, newest first.

    At most so many of each; both come from one query.
    """
    if actor.player is None:
        return [], []
    entered = _entered(actor.player)
    organised = policy.organised(actor.player) & ~withdrawn()
    found = tournaments_for(actor).filter(entered | organised, closed_at=None)
    every: list[Any] = list(found.annotate(is_entered=entered, is_organised=organised)[:MAX_OPEN])
    return (
        [each for each in every if each.is_entered][:most],
        [each for each in every if each.is_organised][:most],
    )


def _entered(player: Player) -> Q:
    mine = Entry.objects.filter(policy.takes_part(player)).values("tournament")
    return Q(pk__in=mine)


def leagues_of(actor: Actor) -> QuerySet[League]:
    """Return the leagues the actor organises."""
    roles = {"members__player": actor.player, "members__role": Role.ORGANISER}
    return League.objects.filter(**roles).order_by("name", "pk")


def league_and_seasons(slug: str) -> tuple[League, list[Season]]:
    """Return a league as `league_for` does, and its seasons, newest first. Raises: NotFound."""
    players = Count("league__members", filter=Q(league__members__role=Role.PLAYER))
    known = Season.objects.filter(league__slug=slug.replace("\0", "?"))
    found: list[Any] = list(known.select_related("league__venue").annotate(players=players))
    if not found:
        return league_for(slug), []
    league = found[0].league
    league.players = found[0].players
    return league, found


def season_of(seasons: Iterable[Season], day: date) -> Season | None:
    """Return the season of a day: the newest running then, else the next to come."""
    left = sorted((each for each in seasons if each.ends_on >= day), key=lambda s: s.starts_on)
    running = [each for each in left if each.starts_on <= day]
    return running[-1] if running else next(iter(left), None)


def season_in(league: League | None, day: date) -> Season | None:
    """Return the season of a league on a day, None without a league or season."""
    return season_of(league.seasons.all(), day) if league else None


def league_for(slug: str) -> League:
    """Return a league, annotated with its number of `players`. Raises: NotFound."""
    players = Count("members", filter=Q(members__role=Role.PLAYER))
    known = League.objects.select_related("venue").annotate(players=players)
    found = known.filter(slug=slug.replace("\0", "?")).first()
    if found is None:
        raise NotFound(gettext("There is no such league."), "no-such-league")
    return found


def krewe_for(pk: UUID) -> Krewe:
    """Return a krewe with its players. Raises: NotFound."""
    found = Krewe.objects.select_related("league", "captain").prefetch_related("players")
    krewe = found.filter(pk=pk).first()
    if krewe is None:
        raise NotFound(gettext("There is no such krewe."), "no-such-krewe")
    return krewe


def venue_for(slug: str) -> Venue:
    """Return a venue with its keeper. Raises: NotFound."""
    found = Venue.objects.select_related("keeper").filter(slug=slug.replace("\0", "?")).first()
    if found is None:
        raise NotFound(gettext("There is no such venue."), "no-such-venue")
    return found


def seasons() -> QuerySet[Season]:
    """Return all seasons with their leagues, newest first."""
    return Season.objects.select_related("league").order_by("-starts_on", "-id")
