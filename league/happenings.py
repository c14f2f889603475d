"""Public facts about a league's tournaments and their matches, as webhooks report them.

A follower keeps a `Happening` for each public fact: a tournament's published pairings, results,
standings and places, and how matches at its tables ended. A fact that is new, changed or no longer
true becomes a `Delivery` to every webhook that wants its kind, in the same transaction. What is
held back, delayed or visible to entrants only is no happening, and when such a fact vanishes
nothing is sent either, since that would reveal it.
"""

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy

from league import desk_cuts, desk_reads, desks, policy
from league.models import Delivery, Happening, TableMatch, Tournament, Webhook
from league.telling import address_of
from matches import cuts, jobs
from matches import log as logs
from matches.actors import NOBODY
from matches.followers import Follower
from matches.models import Log
from matches.policy import visible_matches
from rules.desk import standings, worth
from rules.desk.state import WITHOUT_POINTS, Desk, Round, State, Table, after_round
from rules.replay import Timeline

PAIRINGS, RESULT = "pairings.published", "result.recorded"
STANDINGS, FINISHED, MATCH = "standings.written", "tournament.finished", "match.finished"
EVENTS = {
    PAIRINGS: gettext_lazy("Pairings are published"),
    RESULT: gettext_lazy("A result is recorded, or corrected"),
    STANDINGS: gettext_lazy("Standings are written down"),
    FINISHED: gettext_lazy("A tournament is finished"),
    MATCH: gettext_lazy("A match at a table is finished"),
}
MAX_ROWS = 512  # of a list in a message; the API lists all

What = tuple[str, int, int]  # kind, round, table


class PublicFacts(NamedTuple):
    """What the public knows of a log now.

    Nothing is sent about `silent` kinds, not even removals. `version`: of the last entry it knows.
    """

    tournament: Tournament
    version: int
    facts: dict[What, dict[str, Any]]
    silent: frozenset[str] = frozenset()
    silent_from: int = 0  # a round; 0 for none

    def is_silent(self, what: What) -> bool:
        kind, number, _ = what
        return kind in self.silent and (not number or number >= self.silent_from)


Kept = dict[tuple[UUID, str, int | None], PublicFacts]
"""Cache of `PublicFacts` by log, head and public version, for callers that ask repeatedly."""


class Happenings(Follower):
    """Keeps the public facts, and creates deliveries to webhooks when they change."""

    def stands(self, log: Log, timeline: Timeline, since: int) -> bool:
        """Skip matches that are not at a tournament's table."""
        if isinstance(timeline.at(since).state, State):
            return False
        return not TableMatch.objects.filter(match=log.pk).exists()

    def project(self, log: Log) -> None:
        known = facts_of(log)
        if known is None:
            return
        rows = {row.what: row for row in log.happenings.all()}
        changed = [row for row in rows.values() if _moves(row, known)]
        fresh = [
            Happening(log=log, kind=what[0], round=what[1], table=what[2])
            for what in known.facts
            if what not in rows
        ]
        now = timezone.now()  # a worker may follow much later than an entry was recorded
        recorded_at = desks.recorded_at(log.pk, [known.version]).get(known.version, now)
        for row in changed:
            row.serial += 1
            row.at = recorded_at if recorded_at > row.at else now
        for row in fresh:
            row.at = recorded_at
        for row in [*changed, *fresh]:
            data = known.facts.get(row.what)
            row.stands, row.data = data is not None, data or _gone(row.data)
            row.digest = digest(row.data)
        Happening.objects.bulk_create(fresh, 500)
        fields = ["serial", "stands", "digest", "data", "at"]
        Happening.objects.bulk_update(changed, fields, 200)
        _release(log)
        _tell(known.tournament, [*changed, *fresh])


def _moves(row: Happening, known: PublicFacts) -> bool:
    """Return whether a row differs from the known fact and the difference may be sent."""
    data = known.facts.get(row.what)
    if data is None:
        return row.stands and not known.is_silent(row.what)
    return not row.stands or row.digest != digest(data)


def _gone(data: dict[str, Any]) -> dict[str, Any]:
    """Return the message about a fact that is no longer true: only what it was about."""
    what = ("tournament", "match", "round", "table")
    kept = {name: value for name, value in data.items() if name in what}
    return {**kept, "stands": False}


def digest(data: dict[str, Any]) -> str:
    return hashlib.sha256(msgspec.json.encode(data, order="deterministic")).hexdigest()


def _release(log: Log) -> None:
    """Make held messages be checked again."""
    held = Delivery.objects.filter(happening__log=log, status=Delivery.Status.HELD)
    if held.update(status=Delivery.Status.WAITING, due_at=timezone.now()):
        transaction.on_commit(wake)


def _tell(tournament: Tournament, rows: Sequence[Happening]) -> None:
    if not rows:
        return
    hooks = list(Webhook.objects.filter(league=tournament.league_id, is_on=True))
    now = timezone.now()
    made = [
        Delivery(
            webhook=hook,
            happening=row,
            serial=row.serial,
            kind=row.kind,
            data=row.data,
            at=row.at,
            due_at=now,
        )
        for row in rows
        for hook in hooks
        if row.kind in hook.events
    ]
    Delivery.objects.bulk_create(made, 200, ignore_conflicts=True)
    if made:
        transaction.on_commit(wake)


def wake() -> None:
    """Wake a worker to deliver messages; if the broker is down, the sweep does it later."""
    from league.tasks import deliver

    jobs.send(deliver)


# -- what is known ------------------------------------------------------------------------


def facts_of(log: Log, kept: Kept | None = None) -> PublicFacts | None:
    """Return what the public knows of a log, None if it is in no league or not public.

    Facts computed from the log are cached in `kept`; whether it is public is always checked anew.
    """
    kept = {} if kept is None else kept
    key = (log.pk, log.head_hash, log.public_version)
    tournament = Tournament.objects.select_related("log").filter(pk=log.pk).first()
    if tournament is not None:
        tournament.log = log
        if not _is_reported(tournament):
            return None
        return kept.get(key) or kept.setdefault(key, _of_desk(tournament))
    table = (
        TableMatch.objects.select_related("tournament__log", "match").filter(match=log.pk).first()
    )
    if table is None or not _is_shown(table):
        return None
    return kept.get(key) or kept.setdefault(key, _of_match(table, log))


def _is_reported(tournament: Tournament) -> bool:
    return tournament.league_id is not None and policy.is_public(tournament)


def _of_desk(tournament: Tournament) -> PublicFacts:
    cut = desk_cuts.public_cut(tournament)
    desk = desk_reads.shown_desk(tournament, cut)
    facts: dict[What, dict[str, Any]] = {}
    for number, each in enumerate(desk.rounds, 1):
        facts |= _of_round(tournament, desk, number, each)
    if desk.closed and desk.order:
        places = standings.final_places(desk)
        rows = [{"place": places[one], "entry": _entry(tournament, desk, one)} for one in places]
        facts[FINISHED, 0, 0] = _fact(tournament, "", places=rows[:MAX_ROWS])
    silent = frozenset({RESULT, STANDINGS, FINISHED} if desk.held else ())
    return PublicFacts(tournament, cut.version, facts, silent, desk.held)


def _of_round(
    tournament: Tournament, desk: Desk, number: int, each: Round
) -> Iterator[tuple[What, dict[str, Any]]]:
    round_ = {"round": number, "stage": each.stage + 1}
    tables = [
        {"table": one.number, "entries": [_entry(tournament, desk, who) for who in one.players]}
        for one in each.tables
    ]
    byes = [_entry(tournament, desk, who) for who in each.byes]
    yield (
        (PAIRINGS, number, 0),
        _fact(tournament, "pairings", **round_, tables=tables[:MAX_ROWS], byes=byes),
    )
    for table in each.tables:
        seats = _seats(tournament, desk, table)
        if seats:
            state = {"table": table.number, "status": table.status, "seats": seats}
            about = _fact(tournament, "pairings", **round_, **state, corrected=table.corrected)
            yield (RESULT, number, table.number), about
    if each.closed and each.order:
        rows = _standing_rows(tournament, desk, number, each)
        yield (STANDINGS, number, 0), _fact(tournament, "standings", **round_, rows=rows)


def _seats(tournament: Tournament, desk: Desk, table: Table) -> list[dict[str, Any]]:
    """Return everybody's part in a table's result, empty while none counts."""
    result = worth.counts(table)
    if result is None:
        return []
    places = worth.placing(table, result)
    return [
        {
            "entry": _entry(tournament, desk, player),
            "score": result.scores[seat] if result.scores else None,
            "place": places[seat],
            "absent": player in result.absent,
        }
        for seat, player in enumerate(table.players)
    ]


def _standing_rows(
    tournament: Tournament, desk: Desk, number: int, each: Round
) -> list[dict[str, Any]]:
    upto = after_round(desk, number)
    order = standings.order_after(desk, number)
    places = standings.places_of(upto, each.stage, order)
    bare = desk.stages[each.stage].setup.format in WITHOUT_POINTS
    counted = {} if bare else {r.player: r for r in standings.standings(upto, each.stage)}
    return [
        {
            "place": places[one],
            "entry": _entry(tournament, desk, one),
            "points": str(counted[one].points) if one in counted else None,
        }
        for one in order[:MAX_ROWS]
    ]


def _is_shown(table: TableMatch) -> bool:
    shown = visible_matches(NOBODY).filter(pk=table.match_id).exists()
    return shown and _is_reported(table.tournament)


def _of_match(table: TableMatch, log: Log) -> PublicFacts:
    folded = logs.load(log)
    version = cuts.public_version(log)
    outcome = folded.ruleset.outcome(folded.at(version).state) if version else None
    facts: dict[What, dict[str, Any]] = {}
    if outcome is not None:
        facts[MATCH, 0, 0] = {
            "tournament": table.tournament.code,
            "match": table.match.code,
            "round": table.round,
            "table": table.table,
            "game": table.game,
            "outcome": msgspec.to_builtins(outcome),
            "stands": True,
            "url": address_of("api:match", table.match.code),
        }
    is_behind = version < log.head_version
    return PublicFacts(table.tournament, version, facts, frozenset({MATCH} if is_behind else ()))


def _entry(tournament: Tournament, desk: Desk, number: int) -> str:
    return str(desks.entry_id(tournament.pk, desk, number))


def _fact(tournament: Tournament, more: str, **about: Any) -> dict[str, Any]:
    """Return a fact about a tournament, with the API address of the full data."""
    if more:
        url = f"{address_of(f'api:{more}')}?tournament={tournament.code}"
    else:
        url = address_of("api:tournament", tournament.code)
    if more == "pairings":
        url += f"&round={about['round']}"
    return {"tournament": tournament.code, **about, "stands": True, "url": url}


# -- what a message still says ----------------------------------------------------------------


def still_so(delivery: Delivery, known: PublicFacts | None) -> bool | None:
    """Return whether a delivery is still true, or None if that must not be revealed now.

    In the latter case it waits until it may be sent.
    """
    row = delivery.happening
    if row is None:
        return True
    if known is None or known.is_silent(row.what):
        return None
    data = known.facts.get(row.what)
    if data is None:
        return not delivery.data["stands"]
    return digest(data) == digest(delivery.data)
