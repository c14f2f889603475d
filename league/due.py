"""What is due at a desk: the next step with its reason, and the queues of its tables."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext

import rules
from league import desk_reads, prizes, reporting, scheduling, starting
from league.displays import RoundDisplay, TableDisplay
from league.models import StagePlan
from league.scene import Scene
from league.timers import Timer, timer_of
from rules import texts
from rules.desk.pairing import is_over
from rules.desk.results import cut_of
from rules.desk.rounds import too_few
from rules.desk.state import entrants, is_in, open_appeals


@dataclass(frozen=True)
class Due:
    """The next step: a button and the reason. `fields` are what its form sends.

    `sizes`: the cuts to choose from if the planned one is impossible; the form can then skip the
    stage.
    """

    label: str
    why: str
    do: str
    fields: dict[str, Any] = field(default_factory=dict)
    sizes: Sequence[int] = ()


def _shown_afterwards(scene: Scene) -> Due | None:
    """Return the step of showing held results of a closed tournament, None if none are held."""
    if not scene.desk.held:
        return None
    return Due(
        gettext("Show the results held back"),
        gettext("The tournament is closed, and only officials see how it ended."),
        "act",
        {"type": "results-shown"},
    )


@dataclass(frozen=True)
class Queue:
    name: str
    title: str
    tables: list[TableDisplay]


def next_due(scene: Scene) -> Due | None:
    """Return the organiser's next step, None while tables play or once all is over."""
    desk, found = scene.desk, scene.open_round
    if desk.closed:
        return _shown_afterwards(scene)
    if found is not None:
        return _next_in(found, scene)
    if scene.may_pair and too_few(desk):
        return None
    if scene.may_pair:
        return Due(
            gettext("Pair {name}").format(name=scene.round_name(len(desk.rounds) + 1)),
            gettext("{playing} are in.").format(playing=scene.to_be_paired),
            "pair",
        )
    plan = next_plan(scene)
    if plan is not None and (sizes := starting.sizes(scene.state, plan)):
        return _start_of(scene, plan, sizes)
    if desk.stages and scene.may_start and not open_appeals(desk):
        why = _not_played_by(scene, plan) if plan else gettext("Nothing is left to play.")
        return Due(gettext("Close the tournament"), why, "act", {"type": "tournament-closed"})
    return None


def _next_in(found: RoundDisplay, scene: Scene) -> Due | None:
    """Return the next step in an open round: pair it again, publish or close it."""
    if not found.published:
        if why := moved_since(found, scene):
            return Due(gettext("Pair {name} again").format(name=found.name), why, "pair-again")
        return Due(
            gettext("Publish {name}").format(name=found.name),
            gettext("Nobody sees it before."),
            "act",
            {"type": "round-published", "round": found.number},
        )
    return None if found.undecided else _close(found, scene)


def _close(found: RoundDisplay, scene: Scene) -> Due:
    """Return the step that closes a round whose results are all in, and pairs the next if any."""
    number, total = found.number, len(found.tables)
    why = gettext("{done} of {total} results are reported.")
    if scene.options.confirmed_only:
        why = gettext("{done} of {total} results are confirmed.")
    why = why.format(done=total, total=total)
    if not _pairs_on(scene):
        label = gettext("Close {name}").format(name=found.name)
        return Due(label, why, "act", {"type": "round-closed", "round": number})
    label = gettext("Close Round {number} and pair Round {following}")
    label = label.format(number=number, following=number + 1)
    after = gettext("Publishing comes after.")
    return Due(label, f"{why} {after}", "close-and-pair", {"round": number})


def _pairs_on(scene: Scene) -> bool:
    """Return whether the next round is paired as this one closes: it has players, and no date."""
    if is_over(scene.desk) or any(date.pairs_at for date in scene.timetable.to_come):
        return False
    return not too_few(scene.desk)


def gone_from(found: RoundDisplay, scene: Scene) -> list[int]:
    """Return entrants who left but are to play in a round, or to get a bye when it is published."""
    waited = [table for table in found.round.tables if table.status == "open"]
    seated = [player for table in waited for player in table.players]
    byes = () if found.published else found.round.byes
    return [each for each in (*seated, *byes) if not is_in(scene.desk, each)]


def left_out_of(found: RoundDisplay, scene: Scene) -> list[int]:
    """Return entrants of the stage without table or bye in an unpublished round."""
    if found.published or scene.is_knockout:
        return []
    placed = {player for table in found.round.tables for player in table.players}
    placed |= {side.number for side in found.byes}
    players = scene.desk.stages[found.round.stage].players
    return [each for each in players if each not in placed and is_in(scene.desk, each)]


def lacks_tables(found: RoundDisplay, scene: Scene) -> bool:
    """Tell whether a round takes more tables than its venue has, and is played all at once."""
    venue = scene.tournament.venue
    if venue is None or venue.tables is None or scene.timetable.under_way:
        return False
    return len(found.tables) > venue.tables


def moved_since(found: RoundDisplay, scene: Scene) -> str:
    """Describe who left or joined since a round was paired that is not yet published, "" if nobody.

    Always "" in a knock-out, where results alone decide who plays.
    """
    if scene.is_knockout:
        return ""
    gone, came = gone_from(found, scene), left_out_of(found, scene)
    sentences = []
    if gone:
        names = texts.listed([scene.names[each] for each in gone])
        sentences.append(gettext("Left since it was paired: {names}.").format(names=names))
    if came:
        names = texts.listed([scene.names[each] for each in came])
        sentences.append(
            gettext("In the tournament but not in this round: {names}.").format(names=names)
        )
    return " ".join(sentences)


def _start_of(scene: Scene, plan: StagePlan, sizes: Sequence[int]) -> Due:
    """Return the step that starts a stage, with a cut that is possible."""
    fields = {"order": plan.order}
    if starting.is_cut(scene.state, plan) and plan.cut not in sizes:
        why = gettext("{there} are left, too few for the best {cut}: choose how many play on.")
        label = gettext("Start {plan} with the best").format(plan=plan)
        left = starting.there(scene.state, plan)
        return Due(label, why.format(there=left, cut=plan.cut), "start", fields, sizes)
    cut = plan.cut and scene.desk.stages
    label = gettext("Start {plan} with the best {cut}") if cut else gettext("Start {plan}")
    why = gettext("The stage before is over.") if scene.desk.stages else _there_are(scene)
    if starting.is_cut(scene.state, plan):
        names = texts.listed([scene.names[each] for each in cut_of(scene.desk, plan.cut)])
        why = gettext("The stage before is over. These play on: {names}.").format(names=names)
    return Due(label.format(plan=plan, cut=plan.cut), why, "start", fields)


def _not_played_by(scene: Scene, plan: StagePlan) -> str:
    """Describe how many entrants a planned stage needs, for a number that cannot play it."""
    there = starting.there(scene.state, plan)
    counts = ", ".join(map(str, starting.counts(plan))) or gettext("two or more")
    text = gettext("{plan} needs {counts} players, and {there} are there.")
    return text.format(plan=plan, counts=counts, there=there)


@dataclass(frozen=True)
class Otherwise:
    """A planned stage that cannot be played, by its position, and formats that could be."""

    order: int
    formats: list[tuple[str, str]]


def otherwise(scene: Scene) -> Otherwise | None:
    """Return what could be played instead of a next stage that cannot be; None if it can."""
    plan = next_plan(scene)
    if plan is None or starting.sizes(scene.state, plan):
        return None
    last = plan == scene.plans[-1]
    return Otherwise(plan.order, list(starting.others(scene.state, plan, last=last)))


def _there_are(scene: Scene) -> str:
    """Describe how many could play now."""
    if not scene.options.check_in:
        return gettext("{playing} are in.").format(playing=scene.playing)
    return gettext("{there} of {playing} are here.").format(
        there=scene.checked_in, playing=scene.playing
    )


def describe_due(scene: Scene) -> str:
    """Describe in a line the organiser's next step, or what everybody waits for."""
    found = next_due(scene)
    if found is not None:
        return f"{found.label}. {found.why}"
    if prizes.go_to_books(scene.tournament, scene.desk, scene.entries):
        return gettext("Give the prizes.")
    if prizes.are_due(scene.tournament, scene.desk):
        return gettext("Hand the prizes over.")
    return waiting_for(scene)


@dataclass(frozen=True)
class DecksDue:
    """How many decks are registered, whose are missing and whose have problems."""

    registered: int
    missing: list[tuple[int, str]]
    wrong: list[tuple[int, str, int]]


def decks_due(scene: Scene) -> DecksDue | None:
    """Return the state of deck registration.

    None if decks are not asked for and none is registered.
    """
    tournament = scene.tournament
    if not tournament.takes_decks:
        return None
    playing = [(n, scene.entries[n]) for n in entrants(scene.desk, "in", "waiting")]
    there = [(n, entry) for n, entry in playing if entry.deck]
    if not there and not tournament.needs_decks:
        return None
    return DecksDue(
        len(there),
        [(n, entry.name) for n, entry in playing if not entry.deck],
        [(n, each.name, len(each.deck_problems)) for n, each in there if each.deck_problems],
    )


def next_plan(scene: Scene) -> StagePlan | None:
    """Return the next planned stage, if it may start now."""
    if not scene.may_start:
        return None
    plan = next(iter(scene.plans[len(scene.desk.stages) :]), None)
    there = scene.checked_in if scene.options.check_in else scene.playing
    return plan if plan is not None and (scene.desk.stages or there > 1) else None


def cut_to_come(scene: Scene, stage: int) -> int | None:
    """Return the size of the cut planned after the running stage, or None."""
    desk = scene.desk
    if not 0 < stage == len(desk.stages) < len(scene.plans) or desk.closed or desk.stages[-1].cut:
        return None
    hidden = desk_reads.hides_seeds(desk, scene.cut, stage - 1)
    return None if hidden else scene.plans[stage].cut or None


def waiting_for(scene: Scene) -> str:
    """Describe what everybody waits for when no step is due."""
    if scene.desk.closed:
        return gettext("The tournament is closed.")
    found = scene.open_round
    if found is None and open_appeals(scene.desk):
        return gettext("An appeal is open: an official decides it before the close.")
    if scene.may_pair and (few := too_few(scene.desk)):
        return texts.of_finding(rules.get("desk").texts, few, {})
    if found is None:
        plan = next_plan(scene)
        if plan is not None:
            return _not_played_by(scene, plan)
        return _before_the_first(scene) if not scene.desk.stages else ""
    undecided = [seen for seen in found.undecided if not seen.entered]
    disputed = [seen for seen in undecided if seen.table.status == "disputed"]
    sentences = []
    if called := [seen for seen in found.tables if seen.table.called]:
        text = gettext("An official is called: {names}.")
        sentences.append(text.format(names=_numbered(called)))
    if disputed:
        text = gettext("In dispute, an official rules: {names}.")
        sentences.append(text.format(names=_numbered(disputed)))
    if others := [seen for seen in undecided if seen not in disputed]:
        sentences.append(gettext("Waiting for {names}.").format(names=_numbered(others)))
    if gone := gone_from(found, scene):
        text = gettext("Left since it was published: {names}. Rule that they did not show up.")
        sentences.append(text.format(names=texts.listed([scene.names[each] for each in gone])))
    return " ".join(sentences)


NUMBERED = 8  # tables named one by one: of more it is said how many


def _numbered(tables: Sequence[TableDisplay]) -> str:
    """Name tables by their numbers, or say how many they are."""
    if len(tables) > NUMBERED:
        return gettext("{count} tables").format(count=len(tables))
    named = gettext("table {number}")
    return ", ".join(named.format(number=seen.table.number) for seen in tables)


def _before_the_first(scene: Scene) -> str:
    """Describe what a tournament that has not started waits for."""
    if scene.options.check_in and scene.playing > 1:
        return gettext(
            "It takes two who are here to start, and {there} of {playing} are: "
            "check everybody in, say “Here” for each, or let them do it on the tournament’s page."
        ).format(there=scene.checked_in, playing=scene.playing)
    return gettext("It takes two entrants to start.")


LOOKED_AT = ("called", "disputed", "appealed", "stale", "differ")
"""Queues of tables that an official has to look at; some may be of any round."""


def queues(scene: Scene) -> list[Queue]:
    """Return the open round's tables by what they wait for, and those of any round to look at."""
    found = scene.open_round
    seen = found.tables if found is not None and found.published else []

    def of(*statuses: str) -> list[TableDisplay]:
        return [each for each in seen if each.table.status in statuses and not each.entered]

    contradicted = reporting.differing(scene.tournament, scene.desk)
    differing = {(each.round, each.table.number) for each in contradicted}
    every = [each for one in scene.rounds for each in one.tables]
    return [
        Queue("start", gettext("To start"), [each for each in of("open") if not each.matches]),
        Queue("running", gettext("Running"), [each for each in of("open") if each.matches]),
        Queue("confirm", gettext("Awaiting confirmation"), of("reported")),
        Queue("called", gettext("Called for"), [each for each in seen if each.table.called]),
        Queue("disputed", gettext("Disputed"), of("disputed")),
        Queue(
            "appealed",
            gettext("Appealed"),
            [each for each in every if each.table.appeal == "open"],
        ),
        Queue(
            "stale", gettext("No longer fits the bracket"), [each for each in every if each.stale]
        ),
        Queue(
            "differ",
            gettext("The match says otherwise"),
            [each for each in every if (each.round, each.table.number) in differing],
        ),
    ]


def timer(scene: Scene) -> Timer | None:
    """Return the clock of the open round; None if it has none or time was called."""
    return timer_of(scene.tournament, scene.desk, scene.at)


def obstacle(scene: Scene) -> str:
    """Return what keeps a round from being paired although its time has come, "" for nothing."""
    late = scene.timetable.late
    return scheduling.obstacle(late) if late else ""


def overdue(scene: Scene) -> list[TableDisplay]:
    """Return the open round's tables without a result that counts, once its deadline has passed."""
    date, found = scene.timetable.under_way, scene.open_round
    if date is None or found is None or not date.is_overdue:
        return []
    return found.undecided
