"""Import tournaments played elsewhere.

A file is drafted act by act, under the same rules as a day at the desk, and then written at once,
or not at all, with all its problems reported. The same file is imported once per player.
"""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID, uuid5

import msgspec
from django.db.models import Model
from django.utils.translation import gettext, ngettext

from league import desks, policy
from league.entering import guest_id
from league.exporting import export_whole
from league.files import (
    MAX_PROBLEMS,
    BadFile,
    ImportPlan,
    Person,
    Problem,
    coming_of,
    read,
    whole_of,
)
from league.known import meant, namesakes_of
from league.models import Entry, League, Season, Tournament
from league.opening import Opening, draft_tournament
from league.sanctions import require_not_kept_out
from matches import log as logs
from matches.actors import Actor
from matches.errors import BadInput, Conflict, IdReused, Irregular, Refused
from matches.log import Request
from matches.models import Player
from rules.desk import retold
from rules.desk.acts import Entered, Waitlisted
from rules.desk.state import Desk
from rules.replay import Timeline


class Imported(msgspec.Struct, frozen=True):
    """The result of an import: the tournament, differences in standings, costs of rounds.

    A dry run stores nothing; its tournament exists in memory only.
    """

    tournament: Tournament
    kept: bool = True
    players: int = 0
    rounds: int = 0
    differences: tuple[str, ...] = ()
    weighed: tuple[retold.Weighed, ...] = ()
    compared: int = 0


class ImportedAlready(Conflict):
    """The player imported the same file already, as `tournament`, with other details."""

    def __init__(self, tournament: Tournament) -> None:
        super().__init__(
            "imported-already",
            gettext("This file was imported already, as {title}.").format(title=tournament.title),
        )
        self.tournament = tournament


# -- in: drafting and writing -----------------------------------------------------------------


class Guests:
    """Guests who enter in a draft: their acts, and the rows that go with them."""

    def __init__(self, tournament: Tournament, drafting: logs.Drafting, by: Player) -> None:
        self.tournament, self.drafting, self.by = tournament, drafting, by
        self.players: list[Player] = []
        self.entries: list[Entry] = []

    def _entry_of(self, act_id: UUID, player: Player) -> Entry:
        return Entry(
            pk=uuid5(self.tournament.pk, str(act_id)), tournament=self.tournament, player=player
        )

    def enter(self, act_id: UUID, act: Entered, name: str) -> None:
        """Enter a guest, or put them on the waiting list. Raises: Irregular, Impossible."""
        guest = Player(pk=guest_id(self.tournament, act_id), name=name, invited_by=self.by)
        entry = self._entry_of(act_id, guest)
        self._enter_as(act_id, act, entry)
        self.players.append(guest)
        self.entries.append(entry)

    def enter_known(
        self, act_id: UUID, act: Entered, player: Player, before: Entry | None = None
    ) -> None:
        """Enter a known player; `before` is their row if an earlier entry was taken back.

        Raises: Conflict, and as `enter`.
        """
        entry = before or self._entry_of(act_id, player)
        require_not_kept_out(self.tournament, entry)
        self._enter_as(act_id, act, entry)
        if before is None:
            self.entries.append(entry)

    def _enter_as(self, act_id: UUID, act: Entered, entry: Entry) -> None:
        """Enter somebody with an entry, or put them on the waiting list. Raises: as `enter`."""
        act = msgspec.structs.replace(act, ref=str(entry.pk))
        try:
            self.drafting.add(Request(act_id, act, self.by.pk))
        except Irregular as refused:
            if refused.verdict.code != "full":
                raise
            waits = Waitlisted(ref=act.ref, rating=act.rating, seats=act.seats, lean=act.lean)
            self.drafting.add(Request(act_id, waits, self.by.pk))

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
    season: Season | None = None,
    starts_at: datetime | None = None,
    dry_run: bool = False,
) -> Imported:
    """Record a tournament that was played elsewhere; its players are new guests, or are named.

    `kind` is one of `KINDS`; only a `tournament` can name known players. A file that cannot be
    recorded as a whole leaves nothing behind, nor does a dry run. Raises: NotAllowed, BadInput
    listing all problems.
    """
    player = policy.require_make(by)
    coming = read(kind, data)
    base = uuid5(player.pk, hashlib.sha256(data).hexdigest())
    about = {"league": league, "season": season, "starts_at": starts_at, "sign_up": False}
    return _take_in(by, base, coming, title, about, dry_run=dry_run)


def _take_in(
    by: Actor,
    base: UUID,
    coming: ImportPlan,
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
    drafting, guests = _drafted(opening, coming, by, base)
    tournament = opening.tournament
    if not dry_run:
        tournament = opening.keep(drafting, guests.rows)
    return _compared(tournament, drafting.timeline, coming, kept=not dry_run)


def _before(opening: Opening) -> Tournament | None:
    """Return the tournament imported earlier from the same file. Raises: ImportedAlready."""
    try:
        return opening.before
    except IdReused:
        kept = Tournament.objects.select_related("log").get(pk=opening.tournament.pk)
        raise ImportedAlready(kept) from None


def _drafted(
    opening: Opening, coming: ImportPlan, actor: Actor, base: UUID
) -> tuple[logs.Drafting, Guests]:
    """Return the draft of a tournament with its guests. Raises: BadFile, listing all problems."""
    by = policy.require_make(actor)
    named = [each.name for each in coming.steps if each.player]
    known = namesakes_of(actor, opening.tournament, named) if named else {}
    drafting = logs.Drafting(opening.tournament.log)
    drafting.add(opening.request)
    guests = Guests(opening.tournament, drafting, by)
    wrong: list[Problem] = []
    for place, each in enumerate(coming.steps):
        act_id = uuid5(base, str(place))
        try:
            if each.player and isinstance(each.act, Entered):
                guests.enter_known(act_id, each.act, meant(known, each.name, each.player))
            elif isinstance(each.act, Entered):
                guests.enter(act_id, each.act, each.name)
            else:
                request = Request(act_id, each.act, by.pk, irregular=True, note=each.note)
                drafting.add(request)
        except Refused as refused:
            wrong.append(Problem(each.where, "bad-file", refused.detail))
            if len(wrong) == MAX_PROBLEMS:
                break
    if wrong:
        raise BadFile(wrong)
    return drafting, guests


def _compared(
    tournament: Tournament, timeline: Timeline, coming: ImportPlan, *, kept: bool
) -> Imported:
    """Return the result of an import, compared with what the file published."""
    desk: Desk = timeline.head.state.desk
    source, weighed = coming.source, list[retold.Weighed]()
    if source is not None and source.stage.format == "swiss":
        for before, after in zip(timeline.moments, timeline.moments[1:], strict=False):
            if len(after.state.desk.rounds) > len(before.state.desk.rounds):
                weighed.append(retold.weigh(before.state.desk, after.state.desk))
    rows = tuple(coming.rows)
    found = retold.differences(desk, source, rows) if source is not None and rows else []
    return Imported(
        tournament,
        kept,
        len(desk.people),
        len(desk.rounds),
        tuple(found),
        tuple(weighed),
        len(rows),
    )


# -- again, to learn it -----------------------------------------------------------------------


def practise(*, by: Actor, tournament: Tournament, number: int = 1) -> Tournament:
    """Open a private practice tournament: a copy of another as it was before a round.

    Entrants are called by numbers; only the actor sees it, and it is not rated. A player practises
    each round of a tournament once. The original shows what really happened. Raises: NotFound,
    BadInput for a round that was not paired, Conflict while some of it is held back.
    """
    player = policy.require_make(by)
    whole = whole_of(export_whole(by=by, tournament=tournament))
    paired = [i for i, act in enumerate(whole.acts) if act["type"] == "round-paired"]
    if not 1 <= number <= len(paired):
        raise BadInput(
            "no-such-round",
            ngettext(
                "{paired} round was paired.", "{paired} rounds were paired.", len(paired)
            ).format(paired=len(paired)),
            "$.round",
        )
    whole = msgspec.structs.replace(
        whole,
        title=f"Practice: {tournament.title}"[:120],
        people=tuple(
            Person(gettext("Entrant {i}").format(i=i), each.rating)
            for i, each in enumerate(whole.people, 1)
        ),
        acts=whole.acts[: paired[number - 1]],
    )
    base = uuid5(player.pk, f"practice {tournament.pk} {number}")
    about = {"sign_up": False, "visibility": Tournament.Visibility.ENTRANTS}
    return _take_in(by, base, coming_of(whole), whole.title, about).tournament
