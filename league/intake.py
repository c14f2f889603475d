"""Import lists of entries or results into an existing tournament, as a whole or not at all.

Lists are drafted act by act and written at once, as in `importing`.
"""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

import msgspec
from django.db import IntegrityError, transaction
from django.db.models import Model
from django.utils.translation import gettext

from league import desks, policy
from league.entering import guest_id
from league.fairness import seats_so_far
from league.files import MAX_BYTES, MAX_NAME, BadFile, Problem, place_of, problem_of, too_many
from league.importing import Guests
from league.known import meant, namesakes_of
from league.models import Entry, Tournament
from league.opening import insert
from league.texts import distinct, distinct_in_lists
from matches import canonical, once
from matches import log as logs
from matches.actors import Actor
from matches.errors import (
    BadInput,
    Busy,
    Conflict,
    IdReused,
    NotAllowed,
    Refused,
    TooLarge,
)
from matches.log import Request
from matches.models import Player
from rules import texts
from rules.cells import bare
from rules.desk import lists
from rules.desk.acts import Entered, ResultReported, Waitlisted
from rules.desk.limits import MAX_PEOPLE
from rules.desk.retold import Newcomer
from rules.desk.standings import granted_to
from rules.desk.state import Desk, Table, round_at, round_under_way
from rules.ruleset import Act

LISTS = ("entries", "results")


class Namesakes(NamedTuple):
    """The players a name on a list may mean, and the one chosen, in the list or beside it."""

    row: int
    name: str
    players: list[Player]
    chosen: UUID | None


class Taken(NamedTuple):
    """The result of a list: its number of rows, whether it is recorded, and whether it was before.

    `namesakes` are those of rows that may mean a known player, for entries.
    """

    rows: int
    kept: bool
    again: bool
    namesakes: list[Namesakes] = []


def take_in_list(
    *,
    by: Actor,
    tournament: Tournament,
    act_id: UUID,
    kind: str,
    text: str,
    chosen: Mapping[str, UUID | None] | None = None,
    dry_run: bool = False,
) -> Taken:
    """Enter a whole list of entries, or report a whole list of results; all or nothing.

    A row enters a new guest unless `chosen` (by name) or else the list's `player` column says which
    known namesake it means: a name alone never identifies anybody. Results are those of the open,
    published round. Idempotent per `act_id`. Raises: NotFound, NotAllowed, IdReused for another
    list, BadInput listing all problems.
    """
    require = {"entries": policy.require_organise, "results": policy.require_official}.get(kind)
    if require is None:
        raise BadInput(
            "unknown-value",
            gettext("A list is one of {LISTS}.").format(LISTS=", ".join(LISTS)),
            "$.kind",
        )
    require(by, tournament)
    canonical.require_plain(text, "$.text")
    if len(text.encode()) > MAX_BYTES:
        raise TooLarge(
            "too-large",
            gettext("A list has at most {MAX_BYTES:,} bytes.").format(MAX_BYTES=MAX_BYTES),
            "$.text",
        )
    sent: _List
    try:
        if kind == "entries":
            sent = EntryList(by, tournament, act_id, text, chosen or {})
        else:
            sent = ResultList(by, tournament, act_id, text)
    except lists.ListError as error:
        raise BadFile([problem_of(each) for each in error.problems]) from None
    if not sent.count:
        raise BadFile(
            [
                Problem(
                    place_of(1), "bad-file", gettext("There is no row below the column headings.")
                )
            ]
        )
    again = sent.is_recorded()
    namesakes = [] if again else sent.namesakes()
    return Taken(sent.count, again or sent.write(dry_run=dry_run), again, namesakes)


class _List(ABC):
    """A list as it was sent: who sent it, for which tournament, and under which act id."""

    def __init__(self, by: Actor, tournament: Tournament, act_id: UUID) -> None:
        self.by, self.tournament, self.act_id = by, tournament, act_id
        self.player = policy.require_make(by)

    @property
    @abstractmethod
    def count(self) -> int:
        """Return the number of rows."""

    @abstractmethod
    def same(self, acts: Sequence[Act]) -> bool:
        """Return whether recorded acts are those of the list. Raises: BadInput."""

    @abstractmethod
    def draft(self, drafting: logs.Drafting) -> Sequence[Model]:
        """Draft the list's acts and return the rows that go with them. Raises: BadFile."""

    def namesakes(self) -> list[Namesakes]:
        """Return those of rows that may mean a known player."""
        return []

    def is_recorded(self) -> bool:
        """Return whether the list was recorded under its id. Raises: IdReused for another one."""
        found = self._acts()
        try:
            if found and not self.same(found):
                raise IdReused(self.act_id)
        except BadInput:  # a list that was recorded could be read
            raise IdReused(self.act_id) from None
        return bool(found)

    def _acts(self) -> list[Act]:
        """Return the acts recorded for the list's id, in order."""
        log, found = self.tournament.log, list[Act]()
        entries = logs.load(log).entries
        while version := logs.version_of(log, once.nth_id(self.act_id, len(found))):
            found.append(entries[version - 1].act)
        return found

    def write(self, *, dry_run: bool) -> bool:
        """Draft on top of the head and store it; retry whenever the head has moved."""
        log = self.tournament.log
        for _ in range(logs.MAX_TRIES):
            head = log.head_version
            drafting = logs.drafting(log)
            rows = self.draft(drafting)
            if dry_run:
                return False
            try:
                with transaction.atomic():
                    insert(rows)
                    if drafting.store():
                        return True
                    transaction.set_rollback(True)
            except IntegrityError:  # the same list, or somebody on it, was stored concurrently
                log.refresh_from_db()
                if self.is_recorded():
                    return True
                if log.head_version == head:
                    raise
            else:
                log.refresh_from_db()
        raise Busy("busy", gettext("Too many are recording here at once; try again."))


class EntryList(_List):
    """People to enter: known players by their id (`ref`), all others as new guests."""

    def __init__(
        self,
        by: Actor,
        tournament: Tournament,
        act_id: UUID,
        text: str,
        chosen: Mapping[str, UUID | None],
    ) -> None:
        super().__init__(by, tournament, act_id)
        known = {bare(name): who for name, who in chosen.items()}
        self.comers = [_choosing(row, each, known) for row, each in lists.entry_rows(text)]

    @property
    def count(self) -> int:
        return len(self.comers)

    def same(self, acts: Sequence[Act]) -> bool:
        """Return whether acts entered these rows, comparing names of guests who still exist."""
        if len(acts) != len(self.comers):
            return False
        refs = [getattr(act, "ref", "") for act in acts]
        rows = Entry.objects.filter(tournament=self.tournament).values_list("pk", "player")
        players = {str(pk): str(player) for pk, player in rows}
        if any(
            each.ref and players.get(ref, each.ref) != each.ref
            for ref, (_, each) in zip(refs, self.comers, strict=True)
        ):
            return False
        ids = [
            guest_id(self.tournament, once.nth_id(self.act_id, n)) for n in range(len(self.comers))
        ]
        guests = Player.objects.in_bulk(ids)
        return all(
            isinstance(act, Entered | Waitlisted)
            and act.rating == each.rating
            and (pk not in guests or guests[pk].name == _name_of(each))
            for pk, act, (_, each) in zip(ids, acts, self.comers, strict=True)
        )

    def namesakes(self) -> list[Namesakes]:
        known = self._known()
        return [
            Namesakes(row, each.name, known[each.name], UUID(each.ref) if each.ref else None)
            for row, each in self.comers
            if each.name in known
        ]

    def _known(self) -> Mapping[str, list[Player]]:
        """Return the known players each name on the list may mean."""
        return namesakes_of(self.by, self.tournament, [each.name for _, each in self.comers])

    def draft(self, drafting: logs.Drafting) -> Sequence[Model]:
        tournament = self.tournament
        desk: Desk = drafting.timeline.head.state.desk
        known = self._known()
        names = set(desks.names_of(tournament, desk).values())
        if len(self.comers) > (room := MAX_PEOPLE - len(desk.people)):
            raise BadFile([too_many(place_of(self.comers[room][0]))])
        guests = Guests(tournament, drafting, self.player)
        before = {entry.player_id: entry for entry in tournament.entries.select_related("player")}
        entered, taken = set[UUID](), gettext("{name} is entered already.")
        wrong: list[Problem] = []
        for place, (row, each) in enumerate(self.comers):
            try:
                name = _name_of(each)
                if name in names:
                    raise Conflict("entered-already", taken.format(name=name))
                if each.ref:
                    player = meant(known, each.name, UUID(each.ref))
                    is_here = desks.number_of(desk, before.get(player.pk))
                    if is_here or player.pk in entered:
                        raise Conflict("entered-already", taken.format(name=player.name))
                    entered.add(player.pk)
                    seats, lean = seats_so_far(tournament, player)
                    act = Entered(rating=each.rating, seats=seats, lean=lean)
                    guests.enter_known(
                        once.nth_id(self.act_id, place), act, player, before.get(player.pk)
                    )
                else:
                    guests.enter(once.nth_id(self.act_id, place), Entered(rating=each.rating), name)
            except Refused as refused:
                wrong.append(Problem(place_of(row, "name"), refused.code, refused.detail))
        if wrong:
            raise BadFile(wrong)
        return guests.rows


class ResultList(_List):
    """Results of the open, published round."""

    def __init__(self, by: Actor, tournament: Tournament, act_id: UUID, text: str) -> None:
        super().__init__(by, tournament, act_id)
        self.lines = lists.result_rows(text)

    @property
    def count(self) -> int:
        return len(self.lines)

    def same(self, acts: Sequence[Act]) -> bool:
        """Return whether acts report these lines, read against the desk before the first act."""
        log = self.tournament.log
        version = logs.version_of(log, self.act_id)
        assert version is not None
        desk: Desk = logs.load(log).at(version - 1).state.desk
        numbers = _numbers(self.tournament, desk)
        reports = [_report_of(desk, line, numbers, mine=0) for line in self.lines]
        return [act for act in reports if act is not None] == list(acts)

    def draft(self, drafting: logs.Drafting) -> Sequence[Model]:
        desk: Desk = drafting.timeline.head.state.desk
        numbers = _numbers(self.tournament, desk)
        mine = desks.number_for(self.by, self.tournament, desk)
        wrong: list[Problem] = []
        place = 0
        for line in self.lines:
            try:
                act = _report_of(desk, line, numbers, mine)
                if act is not None:
                    drafting.add(Request(once.nth_id(self.act_id, place), act, self.player.pk))
                    place += 1
            except Refused as refused:
                wrong.append(Problem(place_of(line.row), refused.code, refused.detail))
        if wrong or not place:
            raise BadFile(
                wrong or [Problem(place_of(1), "bad-file", gettext("No table has a result here."))]
            )
        return ()


def _choosing(row: int, each: Newcomer, chosen: Mapping[str, UUID | None]) -> tuple[int, Newcomer]:
    """Return a row with the player chosen for it, if any. Raises: ListError for an invalid id."""
    ref = str(chosen[each.name] or "") if each.name in chosen else each.ref
    try:
        ref = str(UUID(ref)) if ref else ""
    except ValueError:
        detail = gettext("“{ref}” is not the id of a player.").format(ref=ref[:40])
        problem = lists.Problem(row, detail, "player")
        raise lists.ListError(problem) from None
    return row, msgspec.structs.replace(each, ref=ref)


def _name_of(newcomer: Newcomer) -> str:
    return canonical.text_from(newcomer.name, "name", MAX_NAME, least=1)


def _numbers(tournament: Tournament, desk: Desk) -> Mapping[str, Sequence[int]]:
    """Return entrants' numbers by name; who shares it also by the name that tells them apart."""
    numbers = defaultdict(list)
    names = desks.names_of(tournament, desk).items()
    for number, name in {*names, *distinct(names), *distinct_in_lists(names)}:
        numbers[name].append(number)
    return numbers


def _report_of(
    desk: Desk, line: lists.Line, numbers: Mapping[str, Sequence[int]], mine: int
) -> ResultReported | None:
    """Return the result a row reports, None for a correct bye. Raises: BadInput, NotAllowed."""
    _require_under_way(desk, line.round)
    who = [_number_of(name, numbers) for name in line.names]
    if line.meeting is None:
        _require_bye(desk, line, who[0])
        return None
    table = _table_of(desk, line, who)
    if mine in who:
        raise NotAllowed(
            "own-table", gettext("This is your own table: let another official report it.")
        )
    turned = table.players != tuple(who)
    gone = {numbers[name][0] for name in line.meeting.absent}
    return ResultReported(
        round=line.round,
        table=table.number,
        scores=line.meeting.scores[::-1] if turned else line.meeting.scores,
        drawn=line.meeting.drawn,
        absent=tuple(player for player in table.players if player in gone),
        lost=line.meeting.lost,
    )


def _require_under_way(desk: Desk, number: int) -> None:
    """Raises: BadInput unless the round is published and still open."""
    if not number or number != round_under_way(desk):
        raise BadInput(
            "other-round", gettext("Round {round} is not under way.").format(round=number)
        )


def _number_of(name: str, numbers: Mapping[str, Sequence[int]]) -> int:
    """Return the number of the only entrant with that name. Raises: BadInput."""
    match numbers.get(name, ()):
        case [one]:
            return one
        case []:
            text = gettext("Nobody here is called {name}.")
        case _:
            text = gettext("More than one here is called {name}.")
    raise BadInput("unknown-name", text.format(name=name))


def _require_bye(desk: Desk, line: lists.Line, player: int) -> None:
    """Raises: BadInput unless the only player on a row has the bye it states."""
    granted = granted_to(desk, player, line.round)
    worth = granted.worth if granted else None
    has_one = granted is not None or player in round_at(desk, line.round).byes
    if not has_one or worth != line.worth:
        text = gettext("{alone} has no bye in round {number}.")
        raise BadInput("no-bye", text.format(alone=line.alone, number=line.round))


def _table_of(desk: Desk, line: lists.Line, who: Sequence[int]) -> Table:
    """Return the table where the players of a row meet. Raises: BadInput."""
    for table in round_at(desk, line.round).tables:
        if set(table.players) == set(who):
            return table
    text = gettext("{names} do not meet in round {number}.")
    names = texts.listed(list(line.names))
    raise BadInput("not-paired", text.format(names=names, number=line.round))
