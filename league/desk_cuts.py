"""How much of a tournament's log each reader is shown.

Only organisers and judges see a round before it is published: until then the public's cut ends with
the entry before it was paired. Entries about rounds that were never published stay hidden, and so
do results that are held back.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from league import policy
from league.desks import timeline
from league.models import Tournament
from matches import log as logs
from matches.actors import Actor
from matches.models import Log
from rules.desk.acts import (
    AppealRejected,
    CutMade,
    PairingChanged,
    ResultConfirmed,
    ResultCorrected,
    ResultDisputed,
    ResultReported,
    ResultsShown,
    RoundClosed,
    RoundPaired,
    RoundPublished,
    Ruled,
    RulingAppealed,
    StageStarted,
    TournamentClosed,
)
from rules.desk.state import open_round, round_at, round_under_way
from rules.replay import Timeline
from rules.ruleset import Act, Audience, TakenBack

RESULTS: tuple[type[Act], ...] = (
    ResultReported,
    ResultConfirmed,
    ResultDisputed,
    Ruled,
    ResultCorrected,
    RulingAppealed,
    AppealRejected,
    RoundClosed,
)
SHOWS = (ResultsShown, RoundPublished, TakenBack)  # what may show the public what was hidden


class Cut(NamedTuple):
    """How much of a log a reader is shown: up to a version, as an audience, without `hidden`."""

    version: int
    audience: Audience
    hidden: frozenset[int]


def cut_for(actor: Actor, tournament: Tournament, audience: Audience | None = None) -> Cut:
    """Return how much an actor is shown, as their own audience or as the one given."""
    head = tournament.log.head_version
    eyes = policy.audience(actor, tournament) if audience is None else audience
    if eyes == "officials":
        return Cut(head, eyes, frozenset())
    found = public_cut(tournament)
    if wants_no_results(actor, tournament):
        return found._replace(
            version=min(found.version, _before_results(timeline(tournament), head))
        )
    return found


def wants_no_results(actor: Actor, tournament: Tournament) -> bool:
    """Return whether an actor has results off and no part in a tournament."""
    return actor.results_off and not (
        policy.is_official(actor, tournament) or policy.entry_of(actor, tournament)
    )


def _before_results(found: Timeline, head: int) -> int:
    """Return the version before the first result, counting or not."""
    results = (e.version for e in found.entries[:head] if isinstance(e.act, RESULTS))
    return next(results, head + 1) - 1


def public_cut(tournament: Tournament) -> Cut:
    """Return how much of a tournament the public is shown."""
    return _public_cut(tournament.log, tournament.log.head_hash)


@lru_cache(maxsize=256)
def _public_cut(log: Log, head_hash: str) -> Cut:
    found, head = logs.load(log), log.head_version
    return Cut(_last_public(found, head), "public", _hidden(found, head))


def _last_public(found: Timeline, head: int) -> int:
    """Return the version before the open round's pairing if it is unpublished, else the head."""
    desk = found.at(head).state.desk
    number = open_round(desk)
    if not number or round_at(desk, number).published:
        return head
    return min(_since_pairing(found, head)) - 1


def _since_pairing(found: Timeline, version: int) -> Iterator[int]:
    """Yield the versions that a version's state extends, back to when its last round was paired."""
    for entry in found.backwards(version):
        yield entry.version
        if isinstance(entry.act, RoundPaired):
            return


def keeps_pairing(found: Timeline, version: int, cut: Cut) -> bool:
    """Return whether the state at a version has a pairing that a cut does not show."""
    if all(each.published for each in found.at(version).state.desk.rounds):
        return False
    return any(v > cut.version or v in cut.hidden for v in _since_pairing(found, version))


def _hidden(found: Timeline, head: int) -> frozenset[int]:
    """Return the versions hidden from the public: rounds never published, and held results."""
    shown = _published(found, head)
    held = found.at(head).state.desk.held
    hidden = set()
    for entry in found.entries[:head]:
        act = entry.act
        if (isinstance(act, RoundPaired | PairingChanged) and entry.version not in shown) or (
            held and _last_told(found, entry.version) >= held
        ):
            hidden.add(entry.version)
    return frozenset(hidden)


def shown_since(tournament: Tournament, since: int, upto: int) -> frozenset[int]:
    """Return what readers of the log up to `since` were not shown of it, but are at `upto`.

    They read it at any head from there on whose public cut reaches so far. Heads before an act of
    `SHOWS` suffice, as only such an act ends what is hidden.
    """
    found = timeline(tournament)
    hidden: set[int] = set()
    for entry in found.entries[since:upto] if since else ():
        head = entry.version - 1
        if isinstance(entry.act, SHOWS) and _last_public(found, head) >= since:
            hidden |= {version for version in _hidden(found, head) if version <= since}
    return frozenset(hidden - _hidden(found, upto)) if hidden else frozenset()


def _last_told(found: Timeline, version: int) -> int:
    """Return the last round whose results an entry reveals, 0 for none.

    A cut, the closing, and a stage's explicit seeds reveal the results of all rounds before, since
    they show the order of the entrants.
    """
    act = found.entries[version - 1].act
    names_seeds = isinstance(act, StageStarted) and act.players
    if isinstance(act, CutMade | TournamentClosed) or names_seeds:
        return len(found.at(version).state.desk.rounds)
    return getattr(act, "round", 0) if isinstance(act, RESULTS) else 0


def _published(found: Timeline, head: int) -> set[int]:
    """Return the versions that paired or changed a round that was published then or later."""
    shown: set[int] = set()
    for entry in found.entries[:head]:
        if isinstance(entry.act, RoundPublished):
            shown.update(_since_pairing(found, entry.version))
        elif isinstance(entry.act, PairingChanged) and _is_under_way(found, entry.version):
            shown.add(entry.version)
    return shown


def _is_under_way(found: Timeline, version: int) -> bool:
    return round_under_way(found.at(version).state.desk) != 0
