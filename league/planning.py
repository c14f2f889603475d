"""A tournament's planned stages, validated against its game's floor rules and the desk."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
from django.db import transaction
from django.utils.translation import gettext

import rules
from league import policy
from league.models import StagePlan, Tournament
from matches import canonical
from matches.actors import Actor
from matches.errors import BadInput
from rules.capabilities import FloorRules, SupportsFloorRules
from rules.desk.acts import StageStarted
from rules.desk.formats import cuts
from rules.desk.pairing import counts_for
from rules.desk.stages import planned
from rules.desk.state import KNOCKOUTS
from rules.fields import Choice, Field, Ordered, Range, RangeList
from rules.ruleset import Ruleset

TIMED = ("swiss", "round-robin", "ladder")
"""Formats in which floor rules may decide a table of two by the clock."""
USUAL = {
    "swiss": ["omw", "gw", "ogw"],
    "round-robin": ["de", "sb", "win"],
    "pods": ["firsts", "beaten", "omw-bare"],
    "multi-round-robin": ["firsts", "beaten"],
}
"""The tie-breaks of a format, unless the organiser or the game's floor rules name others."""


def plan_stages(*, by: Actor, tournament: Tournament, stages: Sequence[Mapping[str, Any]]) -> None:
    """Replace the planned stages. Those that started stay as they are in the log.

    Raises: NotAllowed, BadInput for what the desk would refuse when a stage starts.
    """
    policy.require_organise(by, tournament)
    game = rules.get(tournament.ruleset)
    settings = msgspec.json.decode(tournament.options, type=game.options_type)
    plans = plans_of(stages, floor_of(game, settings))
    with transaction.atomic():
        Tournament.objects.select_for_update(no_key=True).get(pk=tournament.pk)
        tournament.plans.all().delete()
        for plan in plans:
            plan.tournament = tournament
        StagePlan.objects.bulk_create(plans)


Uneven = Literal["smaller", "larger", "byes"]


def sizes_at(format_: str, seats: int, uneven: Uneven = "smaller") -> list[int]:
    """Return the sizes of tables of more than two, the preferred one first.

    `uneven`: what is preferred where the players do not fill such tables.
    """
    if format_ == "multi-round-robin" or uneven == "byes":
        return [seats]
    smaller = [*range(seats - 1, 2, -1)]
    larger = [seats + 1] if seats < 6 and (uneven == "larger" or not smaller) else []
    return [seats, *larger, *smaller]


def as_sent(tournament: Tournament) -> list[dict[str, Any]]:
    """Return the planned stages in the form they are sent in, with `name` and `cut`."""
    plans = tournament.plans.order_by("order")
    return [{**plan.settings, "name": plan.name, "cut": plan.cut} for plan in plans]


def floor_of(game: Ruleset, options: Any) -> FloorRules | None:
    """Return the floor rules of a game, None if it has none."""
    return game.floor_rules(options) if isinstance(game, SupportsFloorRules) else None


def _on(floor: FloorRules | None, stage: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a planned stage with defaults from the game's floor rules."""
    if floor is None or stage.get("format") not in TIMED:
        return stage
    usual: dict[str, Any] = {"best_of": floor.best_of, "time_up": floor.time_up}
    if stage.get("format") == "swiss":
        usual["tiebreaks"] = list(floor.tiebreaks)
    return {**usual, **stage}


def plans_of(stages: Sequence[Mapping[str, Any]], floor: FloorRules | None) -> list[StagePlan]:
    """Return planned stages with defaults from floor rules.

    Raises: BadInput for what the desk would refuse when they start.
    """
    plans: list[StagePlan] = []
    for order, stage in enumerate(stages, 1):
        plan = _plan(order, _on(floor, stage))
        _require_cut(plan, plans[-1] if plans else None)
        plans.append(plan)
    return plans


def _plan(order: int, stage: Mapping[str, Any]) -> StagePlan:
    """Return a planned stage. Raises: BadInput."""
    where = f"$.stages[{order - 1}]"
    settings = dict(stage)
    name = canonical.text_from(settings.pop("name", ""), f"{where}.name", 80)
    cut = settings.pop("cut", 0)
    for own in ("players", "type"):
        if own in settings:
            detail = gettext("`{own}` is said as the stage starts.").format(own=own)
            raise BadInput("unknown-field", detail, f"{where}.{own}")
    setup = canonical.convert(settings, StageStarted, where)
    for field, domain in planned(setup):
        text = _may_be(setup.format, field, domain)
        raise BadInput("out-of-range", text, f"{where}.{field}")
    return StagePlan(order=order, name=name, settings=settings, cut=cut)


def _may_be(format_: str, field: str, domain: Field | None) -> str:
    """Describe the values that a field of a stage can have."""
    match domain:
        case Range(low, high):
            return f"`{field}` is from {low} to {high}."
        case RangeList(low, high, most):
            return f"`{field}` are at most {most} numbers from {low} to {high}."
        case Ordered(values, most):
            return f"`{field}` are at most {most}, none twice, of {', '.join(map(str, values))}."
        case Choice(values):
            known = (", ".join(map(str, v)) if isinstance(v, tuple) else str(v) for v in values)
            return f"`{field}` is one of {', '.join(known)}."
    return gettext("A stage of {format} has no `{field}`.").format(format=format_, field=field)


def _require_cut(plan: StagePlan, before: StagePlan | None) -> None:
    """Raises: BadInput for an impossible cut, or a size that its stage cannot be played with."""
    if text := _wrong_cut(plan, before):
        raise BadInput("bad-cut", text, f"$.stages[{plan.order - 1}].cut")


def _wrong_cut(plan: StagePlan, before: StagePlan | None) -> str:
    """Describe what is wrong with the cut before a stage, "" if nothing is."""
    cut, format_ = plan.cut, plan.settings["format"]
    if type(cut) is not int or not (cut == 0 or 2 <= cut <= cuts.CUTS[-1]):
        return gettext("A cut is from 2 to {CUTS}, or 0 for none.").format(CUTS=cuts.CUTS[-1])
    if not cut:
        return ""
    if before is None:
        return gettext("There is no stage before the first to cut.")
    if before.settings["format"] in KNOCKOUTS:
        return gettext("A knock-out is not cut: it is played to its end.")
    known = counts_for(format_, plan.settings.get("sizes", ()))
    if known and cut not in known:
        text = gettext("A stage of {format} needs {counts} players.")
        return text.format(format=format_, counts=", ".join(map(str, known)))
    return ""
