"""Tournaments of others at a desk of ours.

What comes in is drafted act by act, by the same rules as a day at the desk, and then written at
once: whole, or not at all with all that is wrong. The same file of the same player comes in once.
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID, uuid5

import msgspec
from django.db import IntegrityError, transaction
from django.db.models import Model
from django.utils.translation import gettext

from league import desks, policy
from league.exporting import export_whole
from league.files import (
    MOST_BYTES,
    MOST_NAME,
    MOST_PROBLEMS,
    BadFile,
    Coming,
    Person,
    Problem,
    coming_of,
    place_of,
    problem_of,
    read,
    whole_of,
)
from league.models import Entry, League, Tournament
from league.opening import Opening, draft_tournament, insert
from matches import canonical
from matches import log as logs
from matches.errors import (
    BadInput,
    Busy,
    Conflict,
    IdReused,
    Irregular,
    NotAllowed,
    Refused,
    TooLarge,
)
from matches.log import Request
from matches.models import Player
from matches.policy import Actor
from rules import texts
from rules.desk import lists, retold
from rules.desk.acts import Entered, ResultReported, Waitlisted
from rules.desk.formats import swiss
from rules.desk.retold import Newcomer
from rules.desk.state import Desk, open_round
from rules.replay import Timeline
from rules.ruleset import Act

LISTS = ("entries", "results")


class Weighed(msgspec.Struct, frozen=True):
    """What a round cost as it was paired, beside ours of the same players with the same bye."""

    round: int
    published: swiss.Cost
    ours: swiss.Cost


class Imported(msgspec.Struct, frozen=True):
    """What came of a file: the tournament, where its standings differ, what its rounds cost.

    A dry run keeps nothing: its tournament is nowhere but here.
    """

    tournament: Tournament
    kept: bool = True
    players: int = 0
    rounds: int = 0
    differences: tuple[str, ...] = ()
    weighed: tuple[Weighed, ...] = ()
    compared: int = 0


class ImportedAlready(Conflict):
    """The same file of the same player came in under another name, as `tournament`."""

    def __init__(self, tournament: Tournament) -> None:
        super().__init__(
            "imported-already",
            gettext("This file is here already, as {title}.").format(title=tournament.title),
        )
        self.tournament = tournament


# -- in: drafting and writing -----------------------------------------------------------------


def guest_id(tournament: Tournament, act_id: UUID) -> UUID:
    """Return the id of the guest who an act enters."""
    return uuid5(tournament.pk, f"guest {act_id}")


class Guests:
    """Guests entering by a draft: their acts, and the rows that go with them."""

    def __init__(self, tournament: Tournament, drafting: logs.Drafting, by: Player) -> None:
        self.tournament, self.drafting, self.by = tournament, drafting, by
        self.players: list[Player] = []
        self.entries: list[Entry] = []

    def enter(self, act_id: UUID, act: Entered, name: str) -> None:
        """Enter a guest, or put them on the waiting list. Raises: Irregular, Impossible."""
        pk = self.tournament.pk
        guest = Player(pk=guest_id(self.tournament, act_id), name=name, invited_by=self.by)
        entry = Entry(pk=uuid5(pk, str(act_id)), tournament=self.tournament, player=guest)
        act = msgspec.structs.replace(act, ref=str(entry.pk))
        try:
            self.drafting.add(Request(act_id, act, self.by.pk))
        except Irregular as refused:
            if refused.verdict.code != "full":
                raise
            waits = Waitlisted(ref=act.ref, rating=act.rating, seats=act.seats, lean=act.lean)
            self.drafting.add(Request(act_id, waits, self.by.pk))
        self.players.append(guest)
        self.entries.append(entry)

    @property
    def rows(self) -> list[Model]:
        return [*self.players, *self.entries]


def import_tournament(
    *,
    by: Actor,
    data: bytes,
    kind: str,
    title: str = "",
    league: League | None = None,
    starts_at: datetime | None = None,
    dry_run: bool = False,
) -> Imported:
    """Record a tournament that was played elsewhere; guests stand for its players.

    `kind` is one of `KINDS`. A file that can not be recorded whole leaves nothing behind, nor
    does a dry run. Raises: NotAllowed, BadInput with every problem.
    """
    player = policy.require_make(by)
    coming = read(kind, data)
    base = uuid5(player.pk, hashlib.sha256(data).hexdigest())
    about = {"league": league, "starts_at": starts_at, "sign_up": False}
    return _take_in(by, base, coming, title, about, dry_run=dry_run)


def _take_in(
    by: Actor,
    base: UUID,
    coming: Coming,
    title: str,
    about: Mapping[str, Any],
    *,
    dry_run: bool = False,
) -> Imported:
    opening = draft_tournament(
        by=by,
        title=title or coming.title or "A tournament",
        ruleset=coming.ruleset,
        desk=coming.options,
        act_id=base,
        **about,
    )
    if (before := _before(opening)) is not None:
        return _compared(before, desks.timeline(before), coming, kept=True)
    drafting, guests = _drafted(opening, coming, policy.require_make(by), base)
    tournament = opening.tournament
    if not dry_run:
        tournament = opening.keep(drafting, guests.rows)
    return _compared(tournament, drafting.timeline, coming, kept=not dry_run)


def _before(opening: Opening) -> Tournament | None:
    """Return the tournament that the same file became before. Raises: ImportedAlready."""
    try:
        return opening.before
    except IdReused:
        kept = Tournament.objects.select_related("log").get(pk=opening.tournament.pk)
        raise ImportedAlready(kept) from None


def _drafted(
    opening: Opening, coming: Coming, by: Player, base: UUID
) -> tuple[logs.Drafting, Guests]:
    """Return a tournament as it would be recorded. Raises: BadFile with all that can not stand."""
    drafting = logs.Drafting(opening.tournament.log)
    drafting.add(opening.request)
    guests = Guests(opening.tournament, drafting, by)
    wrong: list[Problem] = []
    for place, each in enumerate(coming.steps):
        act_id = uuid5(base, str(place))
        try:
            if isinstance(each.act, Entered):
                guests.enter(act_id, each.act, each.name)
            else:
                request = Request(act_id, each.act, by.pk, irregular=True, note=each.note)
                drafting.add(request)
        except Refused as refused:
            wrong.append(Problem(each.where, "bad-file", refused.detail))
            if len(wrong) == MOST_PROBLEMS:
                break
    if wrong:
        raise BadFile(wrong)
    return drafting, guests


def _compared(
    tournament: Tournament, timeline: Timeline, coming: Coming, *, kept: bool
) -> Imported:
    """Return what came of a file, compared with what it published."""
    desk: Desk = timeline.head.state.desk
    told, weighed = coming.told, list[Weighed]()
    if told is not None and told.stage.format == "swiss":
        for before, after in zip(timeline.moments, timeline.moments[1:], strict=False):
            if len(after.state.desk.rounds) > len(before.state.desk.rounds):
                mine = retold.weigh(before.state.desk, after.state.desk)
                weighed.append(Weighed(mine.round, mine.published, mine.ours))
    rows = tuple(coming.rows)
    found = retold.differences(desk, told, rows) if told is not None and rows else []
    return Imported(
        tournament,
        kept,
        len(desk.people),
        len(desk.rounds),
        tuple(found),
        tuple(weighed),
        len(rows),
    )


# -- in: lists for a tournament that is here ----------------------------------------------------


class Taken(NamedTuple):
    """What came of a list: so many rows, whether they are recorded, and were before."""

    rows: int
    kept: bool
    again: bool


Draft = Callable[[logs.Drafting], Sequence[Model]]
"""Drafts a list's acts and returns the rows that go with them. Raises: BadFile."""

Same = Callable[[Sequence[Act]], bool]
"""Tells whether acts that are recorded are those of a list. Raises: BadInput."""


def take_in_list(
    *, by: Actor, tournament: Tournament, act_id: UUID, kind: str, text: str, dry_run: bool = False
) -> Taken:
    """Enter all of a list of entries, or report all of a list of results, or nothing of it.

    Who is entered is a guest; results are of the round that is published and not closed. The
    same `act_id` takes a list in once. Raises: NotFound, NotAllowed, IdReused for another list,
    BadInput with every problem.
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
            comers = lists.entry_rows(text)
            count, draft = len(comers), _entering(tournament, player, act_id, comers)
            same = partial(_same_entries, tournament, act_id, comers)
        else:
            lines = lists.result_rows(text)
            count, draft = len(lines), _reporting(tournament, by, player, act_id, lines)
            same = partial(_same_results, tournament, act_id, lines)
    except lists.ListError as error:
        raise BadFile([problem_of(each) for each in error.problems]) from None
    if not count:
        raise BadFile([Problem("row 1", "bad-file", gettext("There is no row below the heads."))])

    def taken() -> bool:
        return _taken_before(tournament, act_id, same)

    again = taken()
    return Taken(count, again or _write(tournament, draft, taken, dry_run=dry_run), again)


def _nth(act_id: UUID, place: int) -> UUID:
    """Return the id of one act of a list: the first has that of the list."""
    return uuid5(act_id, str(place)) if place else act_id


def _taken_before(tournament: Tournament, act_id: UUID, same: Same) -> bool:
    """Tell whether a list was taken in under its id. Raises: IdReused for another one."""
    found = _acts_under(tournament, act_id)
    try:
        if found and not same(found):
            raise IdReused(act_id)
    except BadInput:  # what was taken in could be read
        raise IdReused(act_id) from None
    return bool(found)


def _acts_under(tournament: Tournament, act_id: UUID) -> list[Act]:
    """Return the acts of the list that was taken in under an id, in its order."""
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
    """Tell whether these acts entered who is on a list, by name where the guest is still there."""
    if len(acts) != len(comers):
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
    """Tell whether these acts report a list, read as the desk was before the first of them."""
    version = logs.version_of(tournament.log, act_id)
    assert version is not None
    desk: Desk = logs.load(tournament.log).at(version - 1).state.desk
    numbers = _numbers(tournament, desk)
    told = [_report_of(desk, line, numbers, mine=0) for line in lines]
    return [act for act in told if act is not None] == list(acts)


def _name_of(newcomer: Newcomer) -> str:
    return canonical.text_from(newcomer.name, "name", MOST_NAME, least=1)


def _numbers(tournament: Tournament, desk: Desk) -> Mapping[str, Sequence[int]]:
    """Return the numbers of who is entered by their names."""
    numbers = defaultdict(list)
    for number, name in desks.names_of(tournament, desk).items():
        numbers[name].append(number)
    return numbers


def _write(
    tournament: Tournament, draft: Draft, taken: Callable[[], bool], *, dry_run: bool
) -> bool:
    """Draft on top of the head and write it down, as often as it takes until the head stands."""
    for _ in range(logs.MOST_TRIES):
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
        except IntegrityError:  # the same list, a moment ago
            tournament.log.refresh_from_db()
            if not taken():
                raise
            return True
        tournament.log.refresh_from_db()
    raise Busy("busy", gettext("Too many are recording here at once; try again."))


def _entering(
    tournament: Tournament, by: Player, act_id: UUID, comers: Sequence[tuple[int, Newcomer]]
) -> Draft:
    def draft(drafting: logs.Drafting) -> Sequence[Model]:
        desk: Desk = drafting.timeline.head.state.desk
        names = set(desks.names_of(tournament, desk).values())
        guests = Guests(tournament, drafting, by)
        wrong: list[Problem] = []
        for place, (row, each) in enumerate(comers):
            try:
                name = _name_of(each)
                if name in names:
                    raise Conflict(
                        "entered-already", gettext("{name} is entered already.").format(name=name)
                    )
                guests.enter(_nth(act_id, place), Entered(rating=each.rating), name)
            except Refused as refused:
                wrong.append(Problem(place_of(row, "name"), refused.code, refused.detail))
        if wrong:
            raise BadFile(wrong)
        return guests.rows

    return draft


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
    """Return what a row reports, None for a bye that is one. Raises: BadInput, NotAllowed."""
    number = open_round(desk)
    if not number or not desk.rounds[number - 1].published or line.round != number:
        raise BadInput(
            "other-round", gettext("Round {round} is not under way.").format(round=line.round)
        )
    each = desk.rounds[number - 1]
    found = []
    for name in line.names:
        known = numbers.get(name, ())
        if len(known) != 1:
            what = (
                gettext("Nobody here is called")
                if not known
                else gettext("More than one here is called")
            )
            raise BadInput("unknown-name", f"{what} {name}.")
        found.append(known[0])
    if line.meeting is None:
        if found[0] not in each.byes:
            raise BadInput(
                "no-bye",
                gettext("{alone} has no bye in round {number}.").format(
                    alone=line.alone, number=number
                ),
            )
        return None
    table = next((one for one in each.tables if set(one.players) == set(found)), None)
    if table is None:
        raise BadInput(
            "not-paired",
            gettext("{names} do not meet in round {number}.").format(
                names=texts.listed(list(line.names)), number=number
            ),
        )
    if mine in found:
        raise NotAllowed(
            "own-table", gettext("This is your own table: let another official report it.")
        )
    turned = table.players != tuple(found)
    scores = line.meeting.scores[::-1] if turned else line.meeting.scores
    gone = {numbers[name][0] for name in line.meeting.absent}
    absent = tuple(one for one in table.players if one in gone)
    return ResultReported(
        round=number, table=table.number, scores=scores, drawn=line.meeting.drawn, absent=absent
    )


# -- again, to learn it -----------------------------------------------------------------------


def rehearse(*, by: Actor, tournament: Tournament, number: int = 1) -> Tournament:
    """Open a tournament of one's own to practise with: another as it was before a round.

    Those who entered have numbers for names; nobody but who asks sees it, and it is not rated.
    The same player rehearses the same round of a tournament once. What really came of it stands
    in the original.

    Raises: NotFound, BadInput for a round that was not paired, Conflict while some is held back.
    """
    player = policy.require_make(by)
    whole = whole_of(export_whole(by=by, tournament=tournament))
    paired = [i for i, act in enumerate(whole.acts) if act["type"] == "round-paired"]
    if not 1 <= number <= len(paired):
        raise BadInput(
            "no-such-round",
            gettext("{paired} rounds were paired.").format(paired=len(paired)),
            "$.round",
        )
    whole = msgspec.structs.replace(
        whole,
        title=f"Rehearsal: {tournament.title}"[:120],
        people=tuple(
            Person(gettext("Entrant {i}").format(i=i), each.rating)
            for i, each in enumerate(whole.people, 1)
        ),
        acts=whole.acts[: paired[number - 1]],
    )
    base = uuid5(player.pk, f"rehearsal {tournament.pk} {number}")
    about = {"sign_up": False, "visibility": Tournament.Visibility.ENTRANTS}
    return _take_in(by, base, coming_of(whole), whole.title, about).tournament
