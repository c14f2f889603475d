"""Players' wins, draws and losses: a row for each seat of a match that has ended.

Correcting a log updates the rows of its seats, so a record changes both ways.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple
from uuid import UUID

from django.db.models import Case, Value, When
from django.db.models.functions import Coalesce
from django.utils.translation import gettext

import rules
from matches import cuts, policy
from matches import log as logs
from matches.actors import Actor
from matches.among import Among
from matches.followers import Follower
from matches.models import Log, Player, Seat, SeatResult, withdrawn
from rules.replay import Timeline
from rules.ruleset import LOST_BY_ALL, Outcome

Result = SeatResult.Result


class PlayerRecords(Follower):
    """Keeps the result of each seat of each match."""

    def stands(self, log: Log, timeline: Timeline, since: int) -> bool:
        """A match that goes on has no results."""
        return not results_at(timeline, since) and not results_at(timeline, log.head_version)

    def project(self, log: Log) -> None:
        timeline = logs.load(log)
        now = results_at(timeline, log.head_version)
        public = results_at(timeline, cuts.public_version(log))
        seats = Seat.objects.filter(match_id=log.pk)
        SeatResult.objects.filter(seat__in=seats).delete()
        SeatResult.objects.bulk_create(
            SeatResult(
                seat=seat,
                result=now.get(seat.number, ""),
                public_result=public.get(seat.number, ""),
            )
            for seat in seats
            if now or public
        )

    def preview(self, log: Log, before: Timeline, after: Timeline) -> Iterable[str]:
        was, would = results_at(before, len(before)), results_at(after, len(after))
        if was == would:
            return
        for seat in Seat.objects.filter(match_id=log.pk).select_related("player"):
            old, new = was.get(seat.number), would.get(seat.number)
            if old != new:
                yield gettext("{name}: {old} becomes {new}.").format(
                    name=seat.who, old=_in_words(old), new=_in_words(new)
                )


def _in_words(result: Result | None) -> str:
    return str(result.label).lower() if result else gettext("no result")


def results_at(timeline: Timeline, version: int) -> dict[int, Result]:
    """Return the result of each seat as at a version; empty while the match goes on."""
    if not version:
        return {}
    outcome = timeline.ruleset.outcome(timeline.at(version).state)
    if outcome is None:
        return {}
    return {seat: _result(outcome, seat) for seat in range(1, len(outcome.places) + 1)}


def _result(outcome: Outcome, seat: int) -> Result:
    if outcome.why == LOST_BY_ALL:
        return Result.LOST
    if not outcome.winners:
        return Result.DRAWN
    return Result.WON if seat in outcome.winners else Result.LOST


class GameResults(NamedTuple):
    """A player's results in one ruleset."""

    ruleset: str
    game: str
    played: int
    won: int
    drawn: int
    lost: int


class GamePlayed(NamedTuple):
    """A game, by its key, and how many matches of it a player sat at."""

    game: str
    name: str
    matches: int


class Known(NamedTuple):
    """The result of a match for a player, as far as an actor may know it, else "".

    `others` sit there too, by id and name.
    """

    match: UUID
    ruleset: str
    result: str
    others: Sequence[tuple[UUID, str]] = ()


def sat_of(actor: Actor, player: Player, beside: Player | None = None) -> list[Known]:
    """Return the matches a player sits at that an actor may see, newest first, in one query.

    With `beside` only those at which that player sits too. Results are "" for an actor with results
    off, and of a withdrawn match.
    """
    known = Case(
        When(withdrawn("match__log__"), then=Value("")),
        When(match__in=policy.whole_matches(actor), then="result__result"),
        default="result__public_result",
    )
    seats = Seat.objects.filter(player=player, match__in=policy.visible_matches(actor))
    if beside is not None:
        theirs = Seat.objects.order_by().filter(player=beside)
        seats = seats.filter(Among("match", theirs.values("match")))
    rows = (
        seats.annotate(known=Coalesce(known, Value("")))
        .order_by("-match__started_at", "-match", "number", "match__seats__number")
        .values_list(
            *("match", "number", "match__log__ruleset", "known"),
            *("match__seats__player", "match__seats__player__name"),
        )
    )
    found = []
    for (match, _, ruleset, result), group in groupby(rows, itemgetter(0, 1, 2, 3)):
        others = [(pk, name) for *_, pk, name in group if pk not in (None, player.pk)]
        found.append(Known(match, ruleset, "" if actor.results_off else result, others))
    return found


def once_each(known: Iterable[Known]) -> list[Known]:
    """Return one result for each match: for who sits there twice, that of their last seat."""
    return [*{each.match: each for each in known}.values()]


def games_of(sat: Iterable[Known]) -> list[GamePlayed]:
    """Count matches by game, over or not, that of most matches first."""
    counts = Counter(each.ruleset.partition("@")[0] for each in once_each(sat))
    return [GamePlayed(key, rules.get(key).name, count) for key, count in counts.most_common()]


def known_among(sat: Iterable[Known]) -> list[Known]:
    """Return those of some matches whose results an actor may know."""
    return [each for each in sat if each.result]


def records_of(known: Iterable[Known]) -> list[GameResults]:
    """Sum up results by ruleset."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for each in known:
        counts[each.ruleset][each.result] += 1
    return [
        GameResults(
            ruleset,
            rules.get(ruleset).name,
            count.total(),
            count[Result.WON],
            count[Result.DRAWN],
            count[Result.LOST],
        )
        for ruleset, count in sorted(counts.items())
    ]
