"""A tournament as shown to an actor at a version: named rounds and stages, tables, dates."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cached_property
from itertools import islice
from typing import Any, TypeVar

from django.db.models import prefetch_related_objects
from django.utils import timezone
from django.utils.translation import gettext

from league import brackets, dates, desk_cuts, desk_reads, desks, policy, ranking, reasons
from league.desk_cuts import Cut
from league.displays import RoundDisplay, StageDisplay, TableDisplay, TableSide
from league.models import FORMATS, Entry, Role, StagePlan, Tournament
from league.played import Codes, codes_of, table_with
from league.texts import distinct
from matches.actors import Actor
from rules.desk import standings, worth
from rules.desk.pairing import planned_rounds, propose
from rules.desk.people import annullable
from rules.desk.stages import may_pair, may_start
from rules.desk.state import (
    BRACKETS,
    KNOCKOUTS,
    Desk,
    Result,
    State,
    Table,
    disqualifying,
    entrants,
    is_annulled,
    is_in,
    left_outside,
    open_round,
    round_at,
    rounds_of,
    stage_at,
)

T = TypeVar("T")


class Scene:
    """What an actor is shown of a tournament at a version."""

    def __init__(self, actor: Actor, tournament: Tournament, at: int | None = None) -> None:
        self.actor, self.tournament = actor, tournament
        self.cut: Cut
        self.cut, self.at = desk_reads.cut(actor, tournament, at)
        self.desk: Desk = desk_reads.shown_desk(tournament, self.cut, self.at)
        self.roles = policy.roles_at(actor, tournament)
        self.results_off = desk_cuts.wants_no_results(actor, tournament)

    @cached_property
    def entries(self) -> dict[int, Entry]:
        desks.read_entries([self.tournament])
        return desks.numbered(self.tournament, self.desk, self.tournament.entries.all())

    @cached_property
    def names(self) -> dict[int, str]:
        """Return the names of entrants by number, told apart where several have the same."""
        return dict(distinct((number, entry.name) for number, entry in self.entries.items()))

    def names_at(self, version: int) -> Mapping[int, str]:
        """Return the names of entrants by the numbers they had at a version."""
        if version in self.counted:
            return self.names
        desks.read_entries([self.tournament])
        return desks.names_at(self.tournament, version, self.tournament.entries.all())

    @cached_property
    def counted(self) -> frozenset[int]:
        """Return the versions of the entries that were not undone."""
        return frozenset(desks.timeline(self.tournament).effective(self.at))

    @cached_property
    def me(self) -> int:
        """Return the actor's entrant number, 0 for none."""
        # the players of krewes are not loaded
        if any(entry.krewe_id for entry in self.entries.values()):
            return desks.number_for(self.actor, self.tournament, self.desk)
        mine = self.actor.player_id
        return next((n for n, e in self.entries.items() if mine and e.player_id == mine), 0)

    @property
    def is_official(self) -> bool:
        return bool(self.roles)

    @property
    def may_organise(self) -> bool:
        return Role.ORGANISER in self.roles

    @property
    def may_rule(self) -> bool:
        return not self.roles.isdisjoint(policy.RULING)

    def may_correct(self, seen: TableDisplay) -> bool:
        """Return whether the actor may rule on a table: as `rulings.require_anothers` has it."""
        return self.may_organise or (self.may_rule and not seen.mine)

    @property
    def past(self) -> bool:
        return self.at < self.cut.version

    @property
    def settled(self) -> bool:
        """Return whether nothing is to come: it is closed, and no results are held back."""
        return self.desk.closed and not self.desk.held

    @cached_property
    def first_round_at(self) -> datetime | None:
        """Return when the first round of a closed tournament was published."""
        return desks.published_at(self.tournament, self.at).get(1) if self.desk.closed else None

    @cached_property
    def headline(self) -> str:
        return desk_reads.headline(self.tournament, self.cut, self.at, self.names)

    @cached_property
    def plans(self) -> list[StagePlan]:
        return list(self.tournament.plans.all())

    @property
    def state(self) -> State:
        return State(desks.setup_of(self.tournament), self.desk)

    @property
    def options(self) -> Any:
        return desks.setup_of(self.tournament).options

    @cached_property
    def _codes(self) -> Codes:
        return codes_of([self.tournament])[self.tournament.pk]

    @cached_property
    def _matches(self) -> dict[tuple[int, int], list[str]]:
        return {
            at[:2]: codes
            for at, codes in self._codes.items()
            if table_with(self.tournament, self.desk, *at)
        }

    def codes_at(self, number: int, table: int) -> Sequence[str]:
        """Return the codes of the matches at a table, in order."""
        return self._matches.get((number, table), ())

    # -- rounds and tables ------------------------------------------------------------

    @cached_property
    def rounds(self) -> list[RoundDisplay]:
        return [self._round(number) for number in range(1, len(self.desk.rounds) + 1)]

    def round_at(self, number: int) -> RoundDisplay:
        return self.rounds[number - 1]

    @property
    def current(self) -> RoundDisplay | None:
        return self.rounds[-1] if self.rounds else None

    @property
    def open_round(self) -> RoundDisplay | None:
        number = 0 if self.desk.closed else open_round(self.desk)
        return self.round_at(number) if number else None

    def _round(self, number: int) -> RoundDisplay:
        this_round = round_at(self.desk, number)
        held = self.holds(number)
        stale = set() if held else set(standings.stale_tables(self.desk, this_round.stage))
        tables = [
            self.seen(number, table, stale=(number, table.number) in stale)
            for table in sorted(this_round.tables, key=lambda table: table.number)
        ]
        rests = standings.rests(self.desk, number)
        byes = [replace(self.side(who, 1), rests=who in rests) for who in this_round.byes]
        byes += self._granted(number)
        name = self.round_name(number)
        only = self.options.confirmed_only
        undecided = [s for s in tables if worth.counts(s.table, confirmed_only=only) is None]
        return RoundDisplay(number, name, this_round, tables, byes, undecided, held)

    def _granted(self, number: int) -> list[TableSide]:
        """Return those in a round's stage who have a granted bye and no table."""
        this_round = round_at(self.desk, number)
        seated = {player for table in this_round.tables for player in table.players}
        placed = seated.union(this_round.byes)
        stage = stage_at(self.desk, number)
        away = [player for player in stage.players if player not in placed]
        grants = [(player, standings.granted_to(self.desk, player, number)) for player in away]
        return [self.side(player, 1, worth=bye.worth) for player, bye in grants if bye]

    def holds(self, number: int) -> bool:
        """Return whether the results of a round are held back from the actor."""
        return 0 < self.desk.held <= number and self.cut.audience != "officials"

    def round_name(self, number: int) -> str:
        """Return the name of a round, or of the next, with its stage if there are several.

        A round of a bracket is named after who still plays.
        """
        index, title = len(self.desk.stages) - 1, ""
        if number <= len(self.desk.rounds):
            found = round_at(self.desk, number)
            index = found.stage
            title = brackets.title_of(found, self.desk.stages[index])
        if not title and len(self.desk.stages) < 2:
            return gettext("Round {number}").format(number=number)
        stage = title or self.stage_name(index)
        return gettext("Round {number}, {stage}").format(number=number, stage=stage)

    def stage_name(self, index: int) -> str:
        if index < len(self.plans):
            return str(self.plans[index])
        return str(FORMATS[self.desk.stages[index].setup.format])

    @cached_property
    def disqualified(self) -> frozenset[int]:
        return frozenset(entrants(self.desk, "disqualified"))

    @cached_property
    def returnable(self) -> frozenset[int]:
        """Return who left and may come back: nobody whom a penalty on record disqualified."""
        left = {n for n in self.disqualified if not disqualifying(self.desk, n)}
        return frozenset(left.union(entrants(self.desk, "dropped")).difference(self.annulled))

    def side(self, number: int, seat: int, **more: Any) -> TableSide:
        name = self.names.get(number, gettext("Entrant {number}").format(number=number))
        entry = self.entries.get(number)
        more.setdefault("played_by", entry.played_by if entry and self.roles else "")
        more.setdefault("disqualified", number in self.disqualified)
        return TableSide(number, name, seat, me=bool(self.me) and number == self.me, **more)

    def seen(self, number: int, table: Table, *, stale: bool = False) -> TableDisplay:
        result = table.result
        places = worth.placing(table, result) if result and not result.lost else ()
        sides = [
            self.side(
                player,
                seat,
                score=_score(result, player, seat),
                place=places[seat - 1] if places else None,
                absent=bool(result and player in result.absent),
            )
            for seat, player in enumerate(table.players, 1)
        ]
        stage = stage_at(self.desk, number)
        what = brackets.slot_name(table.slot, stage) if table.slot else ""
        codes = self.codes_at(number, table.number)
        annulled, held = is_annulled(stage, table.players), self.holds(number)
        entered = held and self.is_official and (number, table.number) in self._counting
        return TableDisplay(number, table, sides, what, codes, stale, held, entered, annulled)

    @cached_property
    def _counting(self) -> frozenset[tuple[int, int]]:
        """Return the rounds and tables with a result that counts, held back or not."""
        desk, only = desks.state_at(self.tournament, self.at).desk, self.options.confirmed_only
        tables = ((n, table) for n, each in enumerate(desk.rounds, 1) for table in each.tables)
        return frozenset(
            (n, table.number) for n, table in tables if worth.counts(table, confirmed_only=only)
        )

    def table(self, number: int, table: int) -> TableDisplay | None:
        if not 1 <= number <= len(self.rounds):
            return None
        return next((s for s in self.round_at(number).tables if s.table.number == table), None)

    @cached_property
    def my_table(self) -> TableDisplay | None:
        """Return the actor's table in the open round, or None."""
        found = self.open_round
        if found is None or not self.me or not found.published:
            return None
        return next((seen for seen in found.tables if seen.mine), None)

    @property
    def my_bye(self) -> TableSide | None:
        """Return the actor's bye in the open round, or None."""
        found = self.open_round
        return next((side for side in found.byes if side.me), None) if found else None

    @property
    def my_path(self) -> list[TableDisplay]:
        return [seen for each in self.rounds for seen in each.tables if seen.mine]

    # -- stages -----------------------------------------------------------------------

    @cached_property
    def stages(self) -> list[StageDisplay]:
        return [self._stage(index) for index in range(len(self.desk.stages))]

    def _stage(self, index: int) -> StageDisplay:
        stage = self.desk.stages[index]
        rounds = [self.round_at(number) for number, _ in rounds_of(self.desk, index)]
        kind = stage.setup.format
        is_drawn = kind in BRACKETS and not desk_reads.hides_seeds(self.desk, self.cut, index)
        return StageDisplay(
            index,
            self.stage_name(index),
            stage,
            str(FORMATS[kind]),
            planned_rounds(stage),
            rounds,
            brackets.laid_out(self.desk, index, rounds, self.side) if is_drawn else [],
        )

    def standing_rows(
        self, stage: StageDisplay, after: int | None = None, tiebreaks: tuple[str, ...] = ()
    ) -> list[ranking.Row]:
        """Return a stage's standings, then those who missed its cut, optionally after a round.

        With `tiebreaks`: as if these broke ties.
        """
        of_it = self.tournament, self.cut, stage.index, self.at, after
        return [*ranking.table(*of_it, tiebreaks), *ranking.below(*of_it)]

    # -- what is due ------------------------------------------------------------------

    @cached_property
    def timetable(self) -> dates.Timetable:
        """Return the dates of the open round and of those to come; none for a past version."""
        return dates.Timetable() if self.past else dates.timetable(self.tournament, self.desk)

    @cached_property
    def present(self) -> frozenset[int]:
        """Return who is here: checked in or, while check-in is not asked for, in a stage so far."""
        checks_in = self.asks_check_in or not self.options.check_in
        playing = () if checks_in else {n for stage in self.desk.stages for n in stage.players}
        here = {n for n, person in enumerate(self.desk.people, 1) if person.here}
        return frozenset({*here, *playing} & {*entrants(self.desk, "in")})

    @property
    def checked_in(self) -> int:
        return len(self.present)

    @cached_property
    def asks_check_in(self) -> bool:
        """Return whether check-in counts now: before a stage, unless a cut decides who plays."""
        if not self.options.check_in or not self.may_start:
            return False
        to_come = self.plans[len(self.desk.stages) :]
        return not self.desk.stages or any(not plan.cut for plan in to_come[:1])

    @property
    def should_check_in(self) -> bool:
        """Return whether the actor is asked to say that they are here, from a day before."""
        if not self.me or self.past or not self.asks_check_in:
            return False
        person, starts_at = self.desk.people[self.me - 1], self.tournament.starts_at
        is_near = starts_at is None or starts_at - timezone.now() < timedelta(days=1)
        return person.status == "in" and not person.here and is_near

    @cached_property
    def left_outside(self) -> frozenset[int]:
        """Return who missed the start of the running stage and may still join it."""
        return frozenset() if self.may_start else frozenset(left_outside(self.desk))

    @cached_property
    def annullable(self) -> frozenset[int]:
        """Return who left the running round robin and still has results in it."""
        return frozenset(annullable(self.desk))

    @property
    def annulled(self) -> tuple[int, ...]:
        """Return those whose results in the current stage are annulled."""
        return self.desk.stages[-1].annulled if self.desk.stages else ()

    @property
    def playing(self) -> int:
        return len(entrants(self.desk, "in"))

    @property
    def is_knockout(self) -> bool:
        """Return whether only results decide who plays in the last stage, even if somebody left."""
        return self.desk.stages[-1].setup.format in KNOCKOUTS

    @property
    def is_brackets_alone(self) -> bool:
        """Return whether results alone decide every pairing to come, in planned stages too."""
        formats = {plan.settings["format"] for plan in self.plans[len(self.desk.stages) :]}
        formats |= {stage.setup.format for stage in self.desk.stages[-1:]}
        return bool(formats) and formats <= set(KNOCKOUTS)

    @property
    def to_be_paired(self) -> int:
        """Return how many play in the next round: its stage's, in a knock-out those still in."""
        stage = self.desk.stages[-1]
        if self.is_knockout:
            return sum(map(len, propose(self.desk, 0).pairings))
        return sum(is_in(self.desk, player) for player in stage.players)

    @property
    def may_pair(self) -> bool:
        return may_pair(self.desk)

    @property
    def may_start(self) -> bool:
        return not self.desk.closed and may_start(self.desk)

    def why(self, number: int) -> reasons.Why:
        return reasons.why(desks.timeline(self.tournament), self.at, self.desk, number)


def _score(result: Result | None, player: int, seat: int) -> int | None:
    """Return somebody's score, None if there are no scores or they did not show up."""
    if result is None or not result.scores or player in result.absent:
        return None
    return result.scores[seat - 1]


def scenes_of(actor: Actor, *lists: Sequence[Tournament]) -> list[list[Scene]]:
    """Return lists of tournaments as shown to an actor now, with one query per kind of data."""
    tournaments = [each for some in lists for each in some]
    if not tournaments:
        return [[] for _ in lists]
    policy.foresee(actor, tournaments)
    desks.read_entries(tournaments)
    prefetch_related_objects(tournaments, "plans", "prizes", "dates")
    codes = codes_of(tournaments)
    scenes = [Scene(actor, each) for each in tournaments]
    for scene in scenes:
        scene._codes = codes[scene.tournament.pk]
    return parted_as(lists, scenes)


def parted_as(lists: Sequence[Sequence[Any]], found: Iterable[T]) -> list[list[T]]:
    """Return what was read for several lists at once, list by list."""
    rest = iter(found)
    return [list(islice(rest, len(each))) for each in lists]
