"""Start a planned stage: how many can play it now, and what could be played instead."""

from collections.abc import Iterator
from functools import partial
from typing import Any
from uuid import UUID, uuid5

from django.utils.translation import gettext

from league import desks, pairing, planning, recording
from league.models import FORMATS, StagePlan, Tournament
from matches import log as logs
from matches.actors import Actor
from matches.errors import Conflict, NotFound
from rules.desk.acts import CutMade, StageStarted
from rules.desk.formats import cuts
from rules.desk.pairing import counts_for
from rules.desk.state import KNOCKOUTS, State, available, is_in

SEATS = (3, 4, 5, 6)


def is_cut(state: State, plan: StagePlan) -> bool:
    """Return whether starting a planned stage now makes a cut first."""
    stages = state.desk.stages
    return bool(plan.cut and stages and not stages[-1].cut)


def there(state: State, plan: StagePlan) -> int:
    """Return how many are available for a planned stage, before any cut."""
    if not is_cut(state, plan):
        return len(available(state))
    players = state.desk.stages[-1].players
    return min(sum(is_in(state.desk, each) for each in players), cuts.CUTS[-1])


def counts(plan: StagePlan) -> tuple[int, ...]:
    """Return the numbers that can play a planned stage; empty if any number from 2 can."""
    return counts_for(plan.settings["format"], plan.settings.get("sizes", ()))


def sizes(state: State, plan: StagePlan) -> list[int]:
    """Return with how many a planned stage may start now: several numbers if there is a cut."""
    most, known = there(state, plan), counts(plan)
    least = 2 if is_cut(state, plan) else most
    return [n for n in range(max(least, 2), most + 1) if not known or n in known]


def others(state: State, plan: StagePlan, *, last: bool) -> Iterator[tuple[str, str]]:
    """Yield what could be played instead of a stage: format with seats, and its name.

    No cut can follow a knock-out, so knock-outs are offered only if the stage is the `last`.
    """
    number = there(state, plan)
    for name in ("multi-round-robin", "pods"):
        for seats in SEATS:
            fits = number in counts_for(name, [seats]) if name != "pods" else number >= seats
            if fits:
                called = gettext("{format} at tables of {seats}")
                yield f"{name} {seats}", called.format(format=FORMATS[name], seats=seats)
    if number > 1:
        for name in ("swiss", "round-robin", "single-elimination"):
            if last or name not in KNOCKOUTS:
                yield name, str(FORMATS[name])


def start_of(plan: StagePlan, seed: int) -> dict[str, Any]:
    """Return the act that starts a planned stage, with a seed unless the plan has one."""
    known = StageStarted.__struct_fields__
    chosen = {name: value for name, value in plan.settings.items() if name in known}
    return {"type": "stage-started", "seed": seed, **chosen}


def start(*, by: Actor, tournament: Tournament, act_id: UUID, order: int, cut: int) -> None:
    """Start the stage planned at a position, after its cut if it has one.

    `cut` overrides the planned size, 0 keeps it. Idempotent per `act_id`. Raises: NotFound,
    Conflict, as `recording.record`.
    """
    plan = _plan(tournament, order)
    record = partial(recording.record, tournament=tournament, by=by)
    if logs.version_of(tournament.log, act_id) is None:
        size = _cut_before(desks.state_at(tournament), plan, cut)
        if size:
            record(act_id=uuid5(act_id, "cut"), act=CutMade(size=size))
    record(act_id=act_id, act=start_of(plan, pairing.seed_of(act_id)))


def _cut_before(state: State, plan: StagePlan, cut: int) -> int:
    """Return the size of the cut before the next stage, 0 for no cut. Raises: Conflict."""
    if len(state.desk.stages) != plan.order - 1:
        raise Conflict(
            "other-stage", gettext("{plan} is not the stage that comes next.").format(plan=plan)
        )
    if not is_cut(state, plan):
        return 0
    size = cut or plan.cut
    if size not in sizes(state, plan):
        text = gettext("A cut to {size} is not possible: {there} are left.")
        raise Conflict("no-such-cut", text.format(size=size, there=there(state, plan)))
    return size


def replan(*, by: Actor, tournament: Tournament, order: int, chosen: str) -> None:
    """Plan something else instead of a stage that this number of entrants cannot play.

    `chosen` is one of what `others` offers. Raises: NotFound, NotAllowed, Conflict.
    """
    plan, state = _plan(tournament, order), desks.state_at(tournament)
    plans = list(tournament.plans.all())
    if chosen not in dict(others(state, plan, last=plan == plans[-1])):
        raise NotFound(gettext("There is no such stage."), "no-such-stage")
    format_, _, seats = chosen.partition(" ")
    fresh: dict[str, Any] = {"format": format_, "cut": plan.cut}
    if seats:
        fresh["sizes"] = planning.sizes_at(format_, int(seats))
    if format_ in planning.USUAL:
        fresh["tiebreaks"] = planning.USUAL[format_]
    stages = planning.as_sent(tournament)
    stages[plans.index(plan)] = fresh
    planning.plan_stages(by=by, tournament=tournament, stages=stages)


def _plan(tournament: Tournament, order: int) -> StagePlan:
    plan = tournament.plans.filter(order=order).first()
    if plan is None:
        raise NotFound(gettext("There is no such stage."), "no-such-stage")
    return plan
