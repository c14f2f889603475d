"""Pair a round: propose it, record it, and pair it again while it is unpublished."""

import secrets
from dataclasses import dataclass
from functools import partial
from uuid import UUID, uuid5

from django.utils.translation import gettext

import rules
from league import dates, desks, policy, recording
from league.models import Tournament
from matches import log as logs
from matches.actors import Actor
from matches.errors import BadInput, Conflict, Refused
from matches.log import Receipt, Request
from rules import replay, texts
from rules.desk import pairing, shadow
from rules.desk.acts import PairingChanged, RoundClosed, RoundPaired
from rules.desk.rounds import unpairable
from rules.desk.shadow import Shadow
from rules.desk.state import Desk, open_round, round_at
from rules.replay import Timeline
from rules.ruleset import TakenBack

SEEDS = 2**31


def propose(*, tournament: Tournament, by: Actor, seed: int | None = None) -> "Proposed":
    """Return a proposal for the next round, without recording it.

    Raises: NotFound, NotAllowed, Conflict if there is no round to pair, or too few to play it.
    """
    policy.require_rule(by, tournament)
    return proposed(desks.desk_of(tournament), seed)


def proposed(desk: Desk, seed: int | None = None) -> "Proposed":
    """Return a proposal for the next round. Raises: as `propose`."""
    if why := unpairable(desk):
        raise Conflict(why.code, texts.of_finding(rules.get("desk").texts, why, {}))
    drawn = secrets.randbelow(SEEDS) if seed is None else seed
    if not 0 <= drawn < SEEDS:
        raise BadInput(
            "bad-seed", gettext("A seed is from 0 to {value}.").format(value=SEEDS - 1), "$.seed"
        )
    return Proposed(desk, drawn, pairing.propose(desk, drawn))


@dataclass(frozen=True)
class Proposed:
    """A proposed round, and the desk it is for."""

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
        """Return whether it breaks a pairing rule, as any round would."""
        return bool(self.proposal.breaches)

    @property
    def tables(self) -> tuple[int, ...]:
        return pairing.tables_for(self.desk, self.proposal.pairings)

    @property
    def shadows(self) -> tuple[Shadow, ...]:
        """Return the same Swiss round by other methods, with costs by our measure; else nothing."""
        if self.method != "swiss":
            return ()
        _, *others = shadow.shadows(self.desk, self.seed)
        return tuple(others)


def pair(*, tournament: Tournament, by: Actor, act_id: UUID, seed: int | None = None) -> Receipt:
    """Pair the next round as the machine proposes; it is hidden until it is published.

    Idempotent per `act_id`; without a seed it is derived from the id.
    """
    record = partial(recording.record, tournament=tournament, by=by, act_id=act_id)
    seed = seed_of(act_id) if seed is None else seed
    before = desks.recorded_as(tournament, act_id)
    if before and isinstance(before.act, RoundPaired) and before.act.seed == seed:
        return record(act=before.act, irregular=bool(before.irregular))
    found = propose(tournament=tournament, by=by, seed=seed)
    return record(act=found.act, irregular=found.is_relaxed)


def seed_of(act_id: UUID) -> int:
    """Return the seed derived from an act's id, so that a repeated request draws the same."""
    return act_id.int % SEEDS


def pair_again(*, tournament: Tournament, by: Actor, act_id: UUID) -> None:
    """Pair the unpublished round again, keeping what was recorded since except changes by hand.

    Only organisers may pair, so nobody undoes here what they may not. Atomic and idempotent.
    Raises: NotFound, NotAllowed, Conflict.
    """
    policy.require_organise(by, tournament)
    player = policy.require_make(by).pk
    # the digest does not depend on the version to go back to
    request = partial(Request, act_id, by=player, payload="pair again")

    def add(drafting: logs.Drafting) -> None:
        to, since = _since_unpublished(drafting.timeline)
        drafting.add(request(TakenBack(to=to)))
        for entry in since:
            same = uuid5(act_id, f"again {entry.version}")
            drafting.add(Request(same, entry.act, player, irregular=bool(entry.irregular)))
        _add_paired(drafting, act_id, player)

    logs.write_all(tournament.log, request(TakenBack(to=0)), add)


def close_and_pair(*, tournament: Tournament, by: Actor, act_id: UUID, number: int) -> None:
    """Close a round and pair the next, which is hidden until it is published: both or neither.

    Idempotent. Raises: NotFound, NotAllowed, Impossible, Conflict.
    """
    policy.require_organise(by, tournament)
    player = policy.require_make(by).pk
    request = Request(act_id, RoundClosed(round=number), player, payload=f"close {number} and pair")

    def add(drafting: logs.Drafting) -> None:
        drafting.add(request)
        try:
            _add_paired(drafting, act_id, player)
        except Refused as refused:
            text = gettext("Round {number} is still open: it can be closed by itself.")
            detail = f"{refused.detail} {text.format(number=number)}"
            raise Conflict(refused.code, detail) from None

    logs.write_all(tournament.log, request, add)
    dates.settle_paired(tournament)


def _add_paired(drafting: logs.Drafting, act_id: UUID, player: UUID) -> Proposed:
    """Draft the pairing of the next round, as part of the request `act_id`. Raises: Conflict."""
    found = proposed(drafting.timeline.head.state.desk)
    paired = uuid5(act_id, "paired")
    drafting.add(Request(paired, found.act, player, irregular=found.is_relaxed))
    return found


def _since_unpublished(found: Timeline) -> tuple[int, list[replay.Entry]]:
    """Return the version before the unpublished round, and later acts other than its pairing."""
    desk: Desk = found.head.state.desk
    number = open_round(desk)
    to = recording.before_round(found, number) if number else None
    if to is None or round_at(desk, number).published:
        raise Conflict("nothing-to-pair", gettext("There is no round to pair now."))
    earlier = set(found.effective(to))
    since = [each for each in found.history() if each.version not in earlier]
    return to, [each for each in since if not isinstance(each.act, RoundPaired | PairingChanged)]
