"""Pairing a round: as the machine would have it, recorded, and anew while nobody saw it."""

import secrets
from dataclasses import dataclass
from functools import partial
from uuid import UUID, uuid5

from django.utils.translation import gettext

from league import desks, policy, recording
from league.models import Tournament
from matches import log as logs
from matches.actors import Actor
from matches.errors import BadInput, Conflict
from matches.log import Drafted, Receipt, Request
from matches.memory import LoadedLog
from rules import replay
from rules.desk import pairing, shadow
from rules.desk.acts import PairingChanged, RoundPaired
from rules.desk.shadow import Shadow
from rules.desk.stages import may_pair
from rules.desk.state import Desk, open_round, round_at
from rules.replay import Timeline
from rules.ruleset import TakenBack

SEEDS = 2**31


def propose(*, tournament: Tournament, by: Actor, seed: int | None = None) -> "Proposed":
    """Return how the machine would pair the next round, without recording it.

    Raises: NotFound, NotAllowed, Conflict when there is no round to pair.
    """
    policy.require_rule(by, tournament)
    return proposed(desks.desk_of(tournament), seed)


def proposed(desk: Desk, seed: int | None = None) -> "Proposed":
    """Return how the machine would pair the next round. Raises: as `propose`."""
    if not may_pair(desk):
        raise Conflict("nothing-to-pair", gettext("There is no round to pair now."))
    drawn = secrets.randbelow(SEEDS) if seed is None else seed
    if not 0 <= drawn < SEEDS:
        raise BadInput(
            "bad-seed", gettext("A seed is from 0 to {value}.").format(value=SEEDS - 1), "$.seed"
        )
    return Proposed(desk, drawn, pairing.propose(desk, drawn))


@dataclass(frozen=True)
class Proposed:
    """A round as the machine would have it, and the desk it would come to."""

    desk: Desk
    seed: int
    proposal: pairing.Proposal

    @property
    def method(self) -> str:
        return self.desk.stages[-1].setup.format

    @property
    def act(self) -> RoundPaired:
        return RoundPaired(method=self.method, seed=self.seed)  # type: ignore[arg-type]  # the stage's own

    @property
    def is_relaxed(self) -> bool:
        """Whether some meet who are not to: no round is without."""
        return bool(self.proposal.breaches)

    @property
    def tables(self) -> tuple[int, ...]:
        return pairing.tables_for(self.desk, self.proposal.pairings)

    @property
    def shadows(self) -> tuple[Shadow, ...]:
        """The same round by other ways, each weighed as ours is; of a Swiss alone."""
        if self.method != "swiss":
            return ()
        _, *others = shadow.shadows(self.desk, self.seed)
        return tuple(others)


def pair(*, tournament: Tournament, by: Actor, act_id: UUID, seed: int | None = None) -> Receipt:
    """Pair the next round as the machine has it; nobody sees it until it is published.

    The same `act_id` pairs one round: without a seed it has that of the id.
    """
    asked = partial(recording.record, tournament=tournament, by=by, act_id=act_id)
    seed = seed_of(act_id) if seed is None else seed
    version = logs.version_of(tournament.log, act_id)
    if version is not None:
        entry = desks.timeline(tournament).entries[version - 1]
        if isinstance(entry.act, RoundPaired) and entry.act.seed == seed:
            return asked(act=entry.act, irregular=bool(entry.irregular))
    found = propose(tournament=tournament, by=by, seed=seed)
    return asked(act=found.act, irregular=found.is_relaxed)


def seed_of(act_id: UUID) -> int:
    """Return the seed that an act draws by unless it names one: the same when it is sent again."""
    return act_id.int % SEEDS


def pair_again(*, tournament: Tournament, by: Actor, act_id: UUID) -> None:
    """Pair a round anew that is not published, keeping all that was recorded since but its changes.

    Organisers alone pair, so nobody undoes here what they may not. All at once or not at all; sent
    again it was done. Raises: NotFound, NotAllowed, Conflict.
    """
    policy.require_organise(by, tournament)
    player = policy.require_make(by).pk
    asked = partial(Request, act_id, by=player, said="pair again")  # whatever is gone back to

    def draft(known: LoadedLog) -> Drafted:
        drafting = logs.Drafting(tournament.log, known.timeline.copy(), known.tip)
        found = drafting.timeline
        to, since = _since_unpublished(found)
        drafting.add(asked(TakenBack(to=to)))
        for entry in since:
            same = uuid5(act_id, f"again {entry.version}")
            drafting.add(Request(same, entry.act, player, irregular=bool(entry.irregular)))
        again = proposed(found.head.state.desk)
        paired = uuid5(act_id, "paired")
        drafting.add(Request(paired, again.act, player, irregular=again.is_relaxed))
        return drafting.sealed, drafting.notes

    logs.write(tournament.log, asked(TakenBack(to=0)), draft)


def _since_unpublished(found: Timeline) -> tuple[int, list[replay.Entry]]:
    """Return the version before the unpublished round, and what was recorded since beside it."""
    desk: Desk = found.head.state.desk
    number = open_round(desk)
    to = recording.before_round(found, number) if number else None
    if to is None or round_at(desk, number).published:
        raise Conflict("nothing-to-pair", gettext("There is no round to pair now."))
    earlier = set(found.effective(to))
    since = [found.entries[v - 1] for v in found.effective() if v not in earlier]
    return to, [each for each in since if not isinstance(each.act, RoundPaired | PairingChanged)]
