"""What the console shows: what is due, the open round, its tables, the people, and its forms."""

from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.db.models import prefetch_related_objects
from django.http import QueryDict

from league import (
    desks,
    discipline,
    divisions,
    due,
    finals,
    hints,
    journal,
    known,
    policy,
    prizes,
    recording,
    rulings,
    sanctions,
    texts,
)
from league.discipline import OnRecord
from league.displays import RoundDisplay, TableDisplay, TableSide
from league.forms.console import (
    ByeForm,
    ExtraForm,
    HeldForm,
    PenaltyForm,
    ScoresForm,
    scores_of,
)
from league.journal import LogLine
from league.live_scores import live_scores
from league.models import Entry, Sanction, Tournament
from league.scene import Scene
from league.views.entries import krewes_to_enter
from league.views.tables import PossibleResult, may_compare, results_for
from league.views.tournament import floor_rules, prizes_of
from rules.desk.people import missed
from rules.desk.state import BRACKETS, entrants, open_round

TYPED = ("penalty-given", "bye-granted", "results-held", "time-extended")
"""Acts with forms of their own, since numbers are typed for them."""
LONG = 20
"""From more entrants than this the console has jumps and a search, and folds who plays."""


def console_context(scene: Scene, sent: QueryDict | None, sought: str = "") -> dict[str, Any]:
    """Return the console's context; a form that was `sent` and refused keeps its input.

    `sought`, a name or number, narrows the tables and people.
    """
    if scene.desk.closed:
        prefetch_related_objects([scene.tournament], "prizes")
    found = scene.open_round
    return {
        "round": found,
        "decks": due.decks_due(scene),
        **_context_of_due(scene),
        **_context_of_pairing(scene, found),
        **_context_of_tables(scene, found, sent, sought),
        **_context_of_people(scene, sought),
        **_context_of_more(scene, sent),
        **_context_of_prizes(scene),
    }


def _context_of_due(scene: Scene) -> dict[str, Any]:
    return {
        "due": due.next_due(scene),
        "otherwise": due.otherwise(scene),
        "waiting_for": due.waiting_for(scene),
        "timer": due.timer(scene),
        "obstacle": due.obstacle(scene),
        "overdue": due.overdue(scene),
        "floor": floor_rules(scene.tournament),
        "may_open_like": policy.may_open_like(scene.actor, scene.tournament),
        "undo_to": _undo_to(scene),
    }


def _context_of_pairing(scene: Scene, found: RoundDisplay | None) -> dict[str, Any]:
    """Return the context of the open round's pairing: who may swap, and the reasons."""
    unpublished = found if found is not None and not found.published else None
    return {
        "unpublished": unpublished,
        "swap": _swap(scene, found) if found is not None else None,
        "gone": due.gone_from(found, scene) if found is not None else [],
        "why": scene.why(unpublished.number) if unpublished else None,
        "lacks_tables": due.lacks_tables(unpublished, scene) if unpublished else False,
    }


@dataclass(frozen=True)
class TableRow:
    """A table of the open round, with what can be done there."""

    seen: TableDisplay
    results: list[PossibleResult]
    scores: ScoresForm | None
    compares: bool  # time is up: what both have left decides
    may_correct: bool

    @property
    def anchor(self) -> str:
        return f"t{self.seen.table.number}"

    def is_sought(self, sought: str) -> bool:
        names = (f"{side.name} {side.played_by}" for side in self.seen.sides)
        return _is_sought(sought, self.seen.table.number, *names)


@dataclass(frozen=True)
class GivenPenalty:
    """A penalty on record, by its number at the desk; `is_twice`: the same was given that round."""

    number: int
    line: LogLine
    is_twice: bool
    may_withdraw: bool


@dataclass(frozen=True)
class LookedAt:
    """A queue of tables of any round, each with the name of its round."""

    queue: due.Queue
    tables: list[tuple[str, TableDisplay]]


def _context_of_tables(
    scene: Scene, found: RoundDisplay | None, sent: QueryDict | None, sought: str
) -> dict[str, Any]:
    seen_tables = found.tables if found is not None and found.published else []
    queues = due.queues(scene)
    rows = [
        TableRow(
            seen,
            results_for(scene, seen),
            scores_of(seen, sent),
            may_compare(scene, seen),
            scene.may_correct(seen),
        )
        for seen in seen_tables
    ]
    return {
        "queues": [queue for queue in queues if queue.name not in due.LOOKED_AT],
        "to_look_at": [
            LookedAt(queue, [(scene.round_name(seen.round), seen) for seen in queue.tables])
            for queue in queues
            if queue.name in due.LOOKED_AT and queue.tables
        ],
        "tables": rows,
        "tables_shown": [row for row in rows if row.is_sought(sought)],
        "live_scores": live_scores(scene, found.number) if seen_tables and found else {},
    }


def _is_sought(sought: str, number: int, *names: str) -> bool:
    """Whether a number is what is sought, or a name contains it. Nothing sought: everything."""
    return sought == str(number) or any(sought.casefold() in name.casefold() for name in names)


def _context_of_people(scene: Scene, sought: str) -> dict[str, Any]:
    people = [
        (number, _called(scene.entries[number]), person)
        for number, person in enumerate(scene.desk.people, 1)
    ]
    playing = [(number, name) for number, name, person in people if person.status == "in"]
    return {
        "people": people,
        "people_shown": [each for each in people if _is_sought(sought, *each[:2])],
        "long": len(people) > LONG,
        "folded": len(people) > LONG and scene.rounds and not scene.asks_check_in and not sought,
        "sought": sought,
        "playing": texts.distinct(playing),
        "krewes": krewes_to_enter(scene.tournament),
        "characters": known.characters(scene.actor, scene.tournament),
        "in_play": _in_play(scene),
        "kept_out": _kept_out(scene),
    }


def _in_play(scene: Scene) -> list[divisions.InPlay | finals.InFinal]:
    """Return those who play here for a place in a division, or as finalists, and are not entered.

    Empty for others than organisers.
    """
    actor, tournament = scene.actor, scene.tournament
    if scene.desk.stages or scene.desk.closed or tournament.enters != Tournament.Enters.PLAYER:
        return []
    if not scene.may_organise:
        return []
    here = {entry.player_id for entry in scene.entries.values()}
    found: list[divisions.InPlay | finals.InFinal] = [
        *divisions.in_play(tournament, actor),
        *finals.in_final(tournament, actor),
    ]
    left = (
        replace(each, players=[one for one in each.players if one.pk not in here]) for each in found
    )
    return [each for each in left if each.players]


def _context_of_more(scene: Scene, sent: QueryDict | None) -> dict[str, Any]:
    return {
        "announced": journal.announced(scene),
        "record": _on_record(scene),
        "given": _given(scene),
        "hints": hints.hints_for(scene.actor, scene.tournament, scene.names),
        **forms_for(scene, sent),
    }


def _context_of_prizes(scene: Scene) -> dict[str, Any]:
    tournament, desk = scene.tournament, scene.desk
    return {
        "prizes": prizes_of(scene) if prizes.are_due(tournament, desk) else [],
        "misgiven": prizes.misgiven(tournament, desk, scene.entries),
        "to_give": prizes.go_to_books(tournament, desk, scene.entries),
    }


@dataclass(frozen=True)
class Swap:
    """The open tables of a round, and who may be seated there: who sits there or has a bye."""

    tables: list[TableDisplay]
    entrants: list[TableSide]


def _swap(scene: Scene, found: RoundDisplay) -> Swap:
    """Return what may be swapped in a round; nothing in a published bracket."""
    bracket = scene.desk.stages[-1].setup.format in BRACKETS
    if bracket and found.published:
        return Swap([], [])
    tables = [seen for seen in found.tables if seen.table.status == "open"]
    seated = [side for seen in tables for side in seen.sides]
    return Swap(tables, sorted([*seated, *found.byes], key=lambda side: side.number))


def forms_for(scene: Scene, sent: QueryDict | None) -> dict[str, forms.Form]:
    """Return the forms for typed numbers; the one that was sent is bound."""
    everybody = [(number, _called(entry)) for number, entry in scene.entries.items()]
    playing = [(number, scene.names[number]) for number in entrants(scene.desk, "in")]
    rounds = len(scene.desk.rounds)

    def of(kind: str) -> QueryDict | None:
        return sent if sent is not None and sent.get("type") == kind else None

    penalty, bye, held, extra = map(of, TYPED)
    found = scene.open_round
    return {
        "penalty": PenaltyForm(texts.distinct(everybody), penalty),
        "bye": ByeForm(playing, rounds + 1, min(sum(missed(scene.desk), (rounds + 1,))), bye),
        "extra": ExtraForm(found.open_tables if found is not None else (), extra),
        "held": HeldForm(open_round(scene.desk) or rounds + 1, rounds, held),
    }


def _called(entry: Entry) -> str:
    """Return an entrant's name and who plays them, whom the desk has to find."""
    return f"{entry} ({entry.played_by})" if entry.played_by else entry.name


def _on_record(scene: Scene) -> list[OnRecord]:
    """Return the entrants on the league's disciplinary record, to those who may see it."""
    found = discipline.record_for(scene.actor, scene.tournament.league) or []
    here = {entry.player_id for entry in scene.entries.values()}
    return [one for one in found if one.player.pk in here]


def _given(scene: Scene) -> list[GivenPenalty]:
    """Return the penalties of the tournament on record, newest first; the public sees none."""
    twice = discipline.given_twice(scene.desk)
    own = rulings.own_penalties(scene.actor, scene.tournament, scene.desk)
    return [
        GivenPenalty(
            number,
            line,
            is_twice=number in twice,
            may_withdraw=scene.may_organise or number not in own,
        )
        for number, line in journal.penalty_lines(scene)
    ]


def _kept_out(scene: Scene) -> list[tuple[int, str, Sanction]]:
    """Return the banned entrants with number, name and sanction, to those who may see it."""
    if scene.desk.closed or not scene.may_rule:
        return []
    out = entrants(scene.desk, "in", "waiting")
    entries = {number: scene.entries[number] for number in out}
    found = sanctions.all_kept_out(scene.tournament, entries)
    return [(number, _called(entry), held) for number, entry, held in found]


def _undo_to(scene: Scene) -> int | None:
    """Return the version that undoing the last act goes back to, None if the actor may not."""
    policy.keep_entry(scene.actor, scene.tournament, scene.entries.get(scene.me))
    folded = desks.timeline(scene.tournament)
    history = folded.effective()
    to = history[-2] if len(history) > 1 else None
    may = to is not None and recording.may_undo(folded, scene.actor, scene.tournament, to)
    return to if may else None
