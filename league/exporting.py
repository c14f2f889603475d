"""Export tournaments as files."""

from typing import Any

import msgspec
from django.utils.translation import gettext

import rules
from league import desk_cuts, desk_reads, desks, policy
from league.files import Person, TournamentFile
from league.models import Tournament
from league.texts import distinct_in_lists
from matches.actors import Actor
from matches.errors import BadInput, Conflict
from rules.desk import lists, retold, trf
from rules.desk.standings import order_of, sheet_of
from rules.desk.state import Desk, rounds_of


def export_whole(*, by: Actor, tournament: Tournament) -> bytes:
    """Return a whole tournament as a file that any site running this software can import.

    Raises: NotFound, Conflict while a round or results are held back from the actor. A pairing that
    was undone before anybody saw it is not part of the file.
    """
    policy.require_see(by, tournament)
    cut, timeline = desk_cuts.cut_for(by, tournament), desks.timeline(tournament)
    if cut.hidden.intersection(timeline.effective(tournament.log.head_version)):
        raise Conflict("held-back", gettext("Some of it is not shown yet; ask again when it is."))
    ruleset = rules.get("desk@1")
    desk: Desk = timeline.at(cut.version).state.desk
    names = desks.names_of(tournament, desk)
    _, *entries = timeline.history(cut.version)
    shown = [ruleset.hide(entry.act, cut.audience) for entry in entries]
    whole = TournamentFile(
        title=tournament.title,
        people=tuple(
            Person(names[number], person.rating) for number, person in enumerate(desk.people, 1)
        ),
        acts=tuple(_plain(act) for act in shown if act is not None),
        ruleset=tournament.ruleset,
        options=desks.setup_of(tournament).options,
    )
    return msgspec.json.format(msgspec.json.encode(whole), indent=1)


def _plain(act: Any) -> dict[str, Any]:
    """Return an act without what ties it to this site: labels, refs and note digests."""
    plain: dict[str, Any] = msgspec.to_builtins(act)
    plain = {name: value for name, value in plain.items() if name not in ("label", "ref")}
    return plain | ({"note": ""} if "note" in plain else {})


def export_stage(*, by: Actor, tournament: Tournament, kind: str, stage: int = 1) -> str:
    """Return a stage as text (`trf` or `results`), or the tournament's `entries`.

    Results have a row for a table of two, or, where a table seats more, for each player. Raises:
    NotFound, BadInput for a stage that does not exist, or that no report file can hold.
    """
    policy.require_see(by, tournament)
    cut = desk_cuts.cut_for(by, tournament)
    desk = desk_reads.shown_desk(tournament, cut)
    people = desks.names_of(tournament, desk)
    if kind != "trf":  # lists name people by nothing else
        people = dict(distinct_in_lists(people.items()))
    names = {str(number): name for number, name in people.items()}
    if kind == "entries":
        rows = (
            (
                retold.Newcomer(str(n), name=names[str(n)], rating=person.rating),
                "checked-in" if person.status == "in" and person.here else person.status,
            )
            for n, person in enumerate(desk.people, 1)
        )
        return lists.write_entries(rows)
    desks.require_stage(desk, stage)
    if kind == "results" and _seats_more(desk, stage - 1):
        return lists.write_seats(desk, stage - 1, names)
    source = msgspec.structs.replace(retold.as_published(desk, stage - 1), title=tournament.title)
    try:
        if kind == "results":
            return lists.write_results(source, names)
        sheet = sheet_of(desk, stage - 1)
        points = {str(player): sheet.points(player) for player in sheet.parts}
        return trf.write(source, names, points, [str(p) for p in order_of(desk, stage - 1)])
    except ValueError as error:
        raise BadInput("cannot-hold", str(error).capitalize() + ".", "$.stage") from None


def _seats_more(desk: Desk, index: int) -> bool:
    """Return whether a table of a stage seats other than two."""
    rounds = (each for _, each in rounds_of(desk, index))
    return any(len(table.players) != 2 for each in rounds for table in each.tables)
