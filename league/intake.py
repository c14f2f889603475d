"""Import lists of entries or results into an existing tournament, as a whole or not at all.

Lists are drafted act by act and written at once, as in `importing`.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple
from uuid import UUID, uuid5

import msgspec
from django.db import IntegrityError, transaction
from django.db.models import Model
from django.utils.translation import gettext

from league import desks, policy
from league.entering import require_not_kept_out
from league.fairness import seats_so_far
from league.files import MOST_BYTES, MOST_NAME, BadFile, Problem, place_of, problem_of, too_many
from league.importing import Guests, guest_id
from league.known import namesakes_of
from league.models import Entry, Tournament
from league.opening import insert
from matches import canonical
from matches import log as logs
from matches.actors import Actor
from matches.errors import (
    BadInput,
    Busy,
    Conflict,
    IdReused,
    NotAllowed,
    NotFound,
    Refused,
    TooLarge,
)
from matches.log import Request
from matches.models import Player
from rules import texts
from rules.desk import lists
from rules.desk.acts import Entered, ResultReported, Waitlisted
from rules.desk.limits import MOST_PEOPLE
from rules.desk.retold import Newcomer
from rules.desk.standings import granted_to
from rules.desk.state import Desk, Table, open_round, round_at
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


Draft = Callable[[logs.Drafting], Sequence[Model]]
"""Drafts a list's acts and returns the rows that go with them. Raises: BadFile."""

Same = Callable[[Sequence[Act]], bool]
"""Tells whether recorded acts are those of a list. Raises: BadInput."""


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
    player = policy.require_make(by)
    canonical.require_plain(text, "$.text")
    if len(text.encode()) > MOST_BYTES:
        raise TooLarge(
            "too-large",
            gettext("A list has at most {MOST_BYTES:,} bytes.").format(MOST_BYTES=MOST_BYTES),
            "$.text",
        )
    try:
        if kind == "entries":
            comers = [_choosing(row, each, chosen or {}) for row, each in lists.entry_rows(text)]
            count, same = len(comers), partial(_same_entries, tournament, act_id, comers)
            asked = partial(namesakes_of, by, tournament, [each.name for _, each in comers])
            draft = _entering(tournament, player, act_id, comers, asked)
        else:
            lines = lists.result_rows(text)
            count, draft = len(lines), _reporting(tournament, by, player, act_id, lines)
            same = partial(_same_results, tournament, act_id, lines)
    except lists.ListError as error:
        raise BadFile([problem_of(each) for each in error.problems]) from None
    if not count:
        raise BadFile(
            [Problem("row 1", "bad-file", gettext("There is no row below the column headings."))]
        )

    def taken() -> bool:
        return _taken_before(tournament, act_id, same)

    again = taken()
    told = [] if kind != "entries" or again else _namesakes(comers, asked())
    return Taken(count, again or _write(tournament, draft, taken, dry_run=dry_run), again, told)


def _choosing(row: int, each: Newcomer, chosen: Mapping[str, UUID | None]) -> tuple[int, Newcomer]:
    """Return a row with the player chosen for it, if any. Raises: ListError for an invalid id."""
    ref = str(chosen[each.name] or "") if each.name in chosen else each.ref
    try:
        ref = str(UUID(ref)) if ref else ""
    except ValueError:
        said = gettext("“{ref}” is not the id of a player.").format(ref=ref[:40])
        problem = lists.Problem(row, said, "player")
        raise lists.ListError(problem) from None
    return row, msgspec.structs.replace(each, ref=ref)


def _namesakes(
    comers: Sequence[tuple[int, Newcomer]], known: Mapping[str, list[Player]]
) -> list[Namesakes]:
    return [
        Namesakes(row, each.name, known[each.name], UUID(each.ref) if each.ref else None)
        for row, each in comers
        if each.name in known
    ]


def _nth(act_id: UUID, place: int) -> UUID:
    """Return the id of an act of a list; the first act has the list's own."""
    return uuid5(act_id, str(place)) if place else act_id


def _taken_before(tournament: Tournament, act_id: UUID, same: Same) -> bool:
    """Return whether the list was recorded under its id. Raises: IdReused for another one."""
    found = _acts_under(tournament, act_id)
    try:
        if found and not same(found):
            raise IdReused(act_id)
    except BadInput:  # a list that was recorded could be read
        raise IdReused(act_id) from None
    return bool(found)


def _acts_under(tournament: Tournament, act_id: UUID) -> list[Act]:
    """Return the acts recorded for a list's id, in order."""
    entries, found = logs.load(tournament.log).entries, list[Act]()
    while version := logs.version_of(tournament.log, _nth(act_id, len(found))):
        found.append(entries[version - 1].act)
    return found


def _same_entries(
    tournament: Tournament,
    act_id: UUID,
    comers: Sequence[tuple[int, Newcomer]],
    acts: Sequence[Act],
) -> bool:
    """Return whether acts entered the rows of a list, comparing names of guests who still exist."""
    if len(acts) != len(comers):
        return False
    refs = [getattr(act, "ref", "") for act in acts]
    rows = Entry.objects.filter(tournament=tournament).values_list("pk", "player")
    players = {str(pk): str(player) for pk, player in rows}
    if any(
        each.ref and players.get(ref, each.ref) != each.ref
        for ref, (_, each) in zip(refs, comers, strict=True)
    ):
        return False
    ids = [guest_id(tournament, _nth(act_id, place)) for place in range(len(comers))]
    guests = Player.objects.in_bulk(ids)
    return all(
        isinstance(act, Entered | Waitlisted)
        and act.rating == each.rating
        and (pk not in guests or guests[pk].name == _name_of(each))
        for pk, act, (_, each) in zip(ids, acts, comers, strict=True)
    )


def _same_results(
    tournament: Tournament, act_id: UUID, lines: Sequence[lists.Line], acts: Sequence[Act]
) -> bool:
    """Return whether acts report a list, as read against the desk before the first of them."""
    version = logs.version_of(tournament.log, act_id)
    assert version is not None
    desk: Desk = logs.load(tournament.log).at(version - 1).state.desk
    numbers = _numbers(tournament, desk)
    told = [_report_of(desk, line, numbers, mine=0) for line in lines]
    return [act for act in told if act is not None] == list(acts)


def _name_of(newcomer: Newcomer) -> str:
    return canonical.text_from(newcomer.name, "name", MOST_NAME, least=1)


def _numbers(tournament: Tournament, desk: Desk) -> Mapping[str, Sequence[int]]:
    """Return entrants' numbers by name."""
    numbers = defaultdict(list)
    for number, name in desks.names_of(tournament, desk).items():
        numbers[name].append(number)
    return numbers


def _write(
    tournament: Tournament, draft: Draft, taken: Callable[[], bool], *, dry_run: bool
) -> bool:
    """Draft on top of the head and store it; retry whenever the head has moved."""
    for _ in range(logs.MOST_TRIES):
        head = tournament.log.head_version
        drafting = logs.drafting(tournament.log)
        rows = draft(drafting)
        if dry_run:
            return False
        try:
            with transaction.atomic():
                insert(rows)
                if drafting.store():
                    return True
                transaction.set_rollback(True)
        except IntegrityError:  # the same list, or somebody on it, was stored concurrently
            tournament.log.refresh_from_db()
            if taken():
                return True
            if tournament.log.head_version == head:
                raise
        else:
            tournament.log.refresh_from_db()
    raise Busy("busy", gettext("Too many are recording here at once; try again."))


def _entering(
    tournament: Tournament,
    by: Player,
    act_id: UUID,
    comers: Sequence[tuple[int, Newcomer]],
    asked: Callable[[], Mapping[str, list[Player]]],
) -> Draft:
    def draft(drafting: logs.Drafting) -> Sequence[Model]:
        desk: Desk = drafting.timeline.head.state.desk
        known = asked()
        names = set(desks.names_of(tournament, desk).values())
        if len(comers) > (room := MOST_PEOPLE - len(desk.people)):
            raise BadFile([too_many(place_of(comers[room][0]))])
        guests = Guests(tournament, drafting, by)
        before = {entry.player_id: entry for entry in tournament.entries.select_related("player")}
        entered, said = set[UUID](), gettext("{name} is entered already.")
        wrong: list[Problem] = []
        for place, (row, each) in enumerate(comers):
            try:
                name = _name_of(each)
                if name in names:
                    raise Conflict("entered-already", said.format(name=name))
                if each.ref:
                    player = _meant(each, known)
                    is_here = desks.number_of(desk, before.get(player.pk))
                    if is_here or player.pk in entered:
                        raise Conflict("entered-already", said.format(name=player.name))
                    entered.add(player.pk)
                    _enter_again(guests, _nth(act_id, place), each, player, before)
                else:
                    guests.enter(_nth(act_id, place), Entered(rating=each.rating), name)
            except Refused as refused:
                wrong.append(Problem(place_of(row, "name"), refused.code, refused.detail))
        if wrong:
            raise BadFile(wrong)
        return guests.rows

    return draft


def _meant(each: Newcomer, known: Mapping[str, list[Player]]) -> Player:
    """Return the known namesake that a row means. Raises: NotFound."""
    for player in known.get(each.name, ()):
        if str(player.pk) == each.ref:
            return player
    text = gettext("Nobody known here as {name} has that id.").format(name=each.name)
    raise NotFound(text, "no-such-player")


def _enter_again(
    guests: Guests,
    act_id: UUID,
    each: Newcomer,
    player: Player,
    before: Mapping[UUID | None, Entry],
) -> None:
    """Enter a known player, reusing the row if their entry was taken back. Raises: Refused."""
    tournament = guests.tournament
    entry = before.get(player.pk) or guests.entry_of(act_id, player)
    require_not_kept_out(tournament, entry)
    seats, lean = seats_so_far(tournament, player)
    guests.enter_as(act_id, Entered(rating=each.rating, seats=seats, lean=lean), entry)
    if player.pk not in before:
        guests.entries.append(entry)


def _reporting(
    tournament: Tournament, by: Actor, player: Player, act_id: UUID, lines: Sequence[lists.Line]
) -> Draft:
    def draft(drafting: logs.Drafting) -> Sequence[Model]:
        desk: Desk = drafting.timeline.head.state.desk
        numbers = _numbers(tournament, desk)
        mine = desks.number_for(by, tournament, desk)
        wrong: list[Problem] = []
        place = 0
        for line in lines:
            try:
                act = _report_of(desk, line, numbers, mine)
                if act is not None:
                    drafting.add(Request(_nth(act_id, place), act, player.pk))
                    place += 1
            except Refused as refused:
                wrong.append(Problem(place_of(line.row), refused.code, refused.detail))
        if wrong or not place:
            raise BadFile(
                wrong or [Problem("row 1", "bad-file", gettext("No table has a result here."))]
            )
        return ()

    return draft


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
    )


def _require_under_way(desk: Desk, number: int) -> None:
    """Raises: BadInput unless the round is published and still open."""
    if not number or number != open_round(desk) or not round_at(desk, number).published:
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
