"""Reads of a desk, each at a cut: what the reader's audience may know of it at a version."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from django.utils.translation import gettext

from league import desk_cuts, desks, policy
from league.desk_cuts import Cut
from league.models import Tournament
from matches import audiences, rows
from matches import log as logs
from matches.actors import Actor
from matches.audiences import Shown
from matches.errors import NotAllowed, NotFound
from matches.memory import load_all
from matches.models import Log
from rules.chain import Record
from rules.desk import standings
from rules.desk.acts import BY_PLAYERS
from rules.desk.state import Desk, State, keeps_seeds
from rules.fields import Choice
from rules.replay import Timeline
from rules.ruleset import Audience, Offer, event_type


def cut(
    actor: Actor, tournament: Tournament, at: int | None = None, as_: str = ""
) -> tuple[Cut, int]:
    """Return the cut of a read, and the version it asks for. Raises: NotFound, NotAllowed."""
    own = policy.audience(actor, tournament)
    wanted: Audience = as_ or own  # type: ignore[assignment]  # one of two words
    if wanted not in (own, "public") and own != "officials":
        raise NotAllowed("not-your-eyes", gettext("Only officials may look as somebody else."))
    found = desk_cuts.cut_for(actor, tournament, wanted)
    if at is not None and not 1 <= at <= found.version:
        raise NotFound(
            gettext("There is no entry {at}: the log has 1 to {version}.").format(
                at=at, version=found.version
            ),
            "no-such-entry",
        )
    return found, (found.version if at is None else at)


def _state_at(tournament: Tournament, cut: Cut, version: int) -> State:
    """Return the state at a version; for the public, with the rounds held at the head."""
    folded = desks.timeline(tournament)
    state: State = folded.at(version).state
    held = _held(tournament, folded)
    if cut.audience == "officials" or not held:
        return state
    return msgspec.structs.replace(state, desk=msgspec.structs.replace(state.desk, held=held))


def _held(tournament: Tournament, folded: Timeline) -> int:
    """Return from which round on results are held at the head, 0 for none."""
    held: int = folded.at(tournament.log.head_version).state.desk.held
    return held


def shown_desk(tournament: Tournament, cut: Cut, at: int | None = None) -> Desk:
    """Return the desk at a version without what the cut's audience must not see.

    Unpublished rounds and all results of held rounds are left out.
    """
    desk = _state_at(tournament, cut, at or cut.version).desk
    if cut.audience == "officials":
        return desk
    rounds = tuple(
        _without_results(each) if 0 < desk.held <= number else each
        for number, each in enumerate(desk.rounds, 1)
        if each.published
    )
    order = () if desk.held else desk.order
    return msgspec.structs.replace(desk, rounds=rounds, penalties=(), order=order)


def _without_results(each: Any) -> Any:
    tables = tuple(
        msgspec.structs.replace(
            table, status="open", result=None, by=0, claim=None, corrected=0, appeal=""
        )
        for table in each.tables
    )
    return msgspec.structs.replace(each, tables=tables, order=(), closed=False)


def hides_seeds(desk: Desk, cut: Cut, stage: int) -> bool:
    """Return whether the cut's audience must not see the seeding of a stage."""
    return cut.audience != "officials" and keeps_seeds(desk, stage)


class DeskMoment(NamedTuple):
    """A desk at a version, as far as an audience may know it."""

    version: int
    digest: str
    state: Mapping[str, Any]
    headline: str
    outcome: Any


def state_view(tournament: Tournament, cut: Cut, at: int) -> DeskMoment:
    """Return the desk at a version, as far as the cut's audience may know it."""
    folded = desks.timeline(tournament)
    state = _state_at(tournament, cut, at)
    over = folded.ruleset.outcome(state)
    return DeskMoment(
        at,
        "" if _withholding(tournament, cut)(at) else folded.entries[at - 1].digest,
        folded.ruleset.view(state, cut.audience),
        headline(tournament, cut, at),
        over,
    )


def headline(
    tournament: Tournament,
    cut: Cut,
    at: int | None = None,
    names: Mapping[int, str] | None = None,
) -> str:
    """Return a line on how a tournament stands, as far as the cut's audience may know.

    `names` are its entrants' names, if known already.
    """
    at = at or cut.version
    if names is None:
        return _headlines([(tournament, cut, at)])[0].text
    return _line(tournament, cut, _state_at(tournament, cut, at), names)


class Headline(NamedTuple):
    """A line on how a tournament stands, and whether it is still open there."""

    text: str
    is_open: bool


def headlines(actor: Actor, tournaments: Sequence[Tournament]) -> list[Headline]:
    """Return such lines for several tournaments, as far as an actor may know, in two queries."""
    return _headlines(_shown_now(actor, tournaments))


Shot = tuple[Tournament, Cut, int]
"""A tournament as cut for a reader, at a version."""


def _shown_now(actor: Actor, tournaments: Sequence[Tournament]) -> list[Shot]:
    """Return several tournaments as an actor is shown them now, with their logs read at once."""
    load_all(tournament.log for tournament in tournaments)
    if actor.results_off:
        policy.foresee(actor, tournaments)
    ruled = policy.ruled_among(actor, tournaments)
    eyes: list[Audience] = ["officials" if t.pk in ruled else "public" for t in tournaments]
    cuts = [desk_cuts.cut_for(actor, t, each) for t, each in zip(tournaments, eyes, strict=True)]
    return [(t, cut, cut.version) for t, cut in zip(tournaments, cuts, strict=True)]


def _headlines(moments: Sequence[Shot]) -> list[Headline]:
    states = [_state_at(*moment) for moment in moments]
    winners = [  # only winners are named in the line
        desks.Entrant(tournament, state.desk, number)
        for (tournament, _, _), state in zip(moments, states, strict=True)
        for number in standings.winners_of(state.desk)
    ]
    names: dict[UUID, dict[int, str]] = {}
    for each, name in zip(winners, desks.called(winners), strict=True):
        names.setdefault(each.tournament.pk, {})[each.number] = name
    found = []
    for (tournament, cut, _), state in zip(moments, states, strict=True):
        text = _line(tournament, cut, state, names.get(tournament.pk, {}))
        found.append(Headline(text, not (state.desk.closed or tournament.log.is_withdrawn)))
    return found


def _line(tournament: Tournament, cut: Cut, state: State, names: Mapping[int, str]) -> str:
    """Return a line on a tournament's state, with its winner's name."""
    if tournament.log.is_withdrawn:
        return gettext("Withdrawn")
    held = 0 if cut.audience == "officials" else state.desk.held
    if held and state.desk.closed:
        return gettext("Closed: its results are held back")
    number = len(state.desk.rounds)
    if 0 < held <= number:  # between rounds too: how many are still in is a result
        return gettext("Round {number}: its results are held back").format(number=number)
    line: str = desks.timeline(tournament).ruleset.headline(state, names)
    return line


def entries(tournament: Tournament, cut: Cut, after: int = 0, limit: int = 100) -> list[Shown]:
    """Return the entries after a version, at most `limit` and none beyond the cut."""
    last = min(cut.version, after + limit)
    stored = list(rows.records_of(tournament.log, after, last))
    texts = audiences.texts_of({tournament.pk}, (record for record, _ in stored))
    show = showing(tournament, cut)
    return [show(record, place, texts) for record, place in stored]


def showing(tournament: Tournament, cut: Cut) -> Callable[[Record, int, dict[str, str]], Shown]:
    """Return a function that shows a record at a cut, with its position and the texts of notes."""
    log, withheld = tournament.log, _withholding(tournament, cut)

    def show(record: Record, position: int, texts: dict[str, str]) -> Shown:
        if record.version > cut.version or record.version in cut.hidden:
            return audiences.unseen(log, record, position)
        return audiences.shown(log, record, position, texts, cut.audience, withheld)

    return show


def whole(tournament: Tournament, cut: Cut) -> int:
    """Return up to which version a desk's log may be exported.

    Raises: NotAllowed while something in it is hidden from the cut's audience.
    """
    folded, withheld = desks.timeline(tournament), _withholding(tournament, cut)
    hide = folded.ruleset.hide
    for entry in folded.entries[: cut.version]:
        is_seen = all(hide(event, cut.audience) == event for event in entry.events)
        if entry.version in cut.hidden or withheld(entry.version) or not is_seen:
            raise NotAllowed(
                "hidden",
                gettext(
                    "This log is no file for you: what proves entry {version} is hidden from you."
                ).format(version=entry.version),
            )
    return cut.version


def _withholding(tournament: Tournament, cut: Cut) -> Callable[[int], bool]:
    """Return a function that tells whether the state at a version has something the cut hides.

    An unpublished pairing is hidden until it is published, results while they are held, and
    penalties for good.
    """
    if cut.audience == "officials":
        return lambda version: False
    folded = desks.timeline(tournament)
    held = _held(tournament, folded)

    def withheld(version: int) -> bool:
        desk: Desk = folded.at(version).state.desk
        return bool(held or desk.penalties) or desk_cuts.keeps_pairing(folded, version, cut)

    return withheld


class End(NamedTuple):
    """The end of a desk's log, as far as an audience sees it."""

    version: int
    hash: str
    headline: str
    status: str
    outcome: Any


def end_of(tournament: Tournament, cut: Cut) -> End:
    """Return the end of a desk's log at a cut."""
    return _end(tournament, cut, headline(tournament, cut))


def ends(actor: Actor, tournaments: Sequence[Tournament]) -> list[End]:
    """Return the ends of several desks' logs, as far as an actor may know, in two queries."""
    shown = _shown_now(actor, tournaments)
    lines = _headlines(shown)
    return [_end(t, cut, line.text) for (t, cut, _), line in zip(shown, lines, strict=True)]


def _end(tournament: Tournament, cut: Cut, line: str) -> End:
    folded = desks.timeline(tournament)
    outcome = folded.ruleset.outcome(folded.at(cut.version).state)
    status = Log.Status.ENDED if outcome else Log.Status.OPEN
    return End(
        cut.version,
        logs.hash_at(tournament.log, cut.version),
        line,
        Log.Status.WITHDRAWN if tournament.log.is_withdrawn else status,
        outcome,
    )


def offers(actor: Actor, tournament: Tournament) -> list[Offer]:
    """Return what an actor may record now; for players, what they may record for themselves."""
    folded = desks.timeline(tournament)
    state = folded.at(tournament.log.head_version).state
    found = folded.ruleset.options(state)
    if policy.may_rule(actor, tournament):
        return list(found)
    if policy.is_official(actor, tournament):
        kinds = {event_type(kind) for kind in policy.SCORES}
        return [offer for offer in found if offer.type in kinds]
    number = desks.number_for(actor, tournament, state.desk)
    kinds = {event_type(kind) for kind in BY_PLAYERS}
    mine = (_for_one(offer, number) for offer in found if offer.type in kinds)
    return [offer for offer in mine if offer is not None]


def _for_one(offer: Offer, number: int) -> Offer | None:
    """Return an offer restricted to one entrant, None if it is not for them."""
    for name in ("entrant", "by"):
        field = offer.fields.get(name)
        if isinstance(field, Choice):
            if number not in field.values or not number:
                return None
            fields = {**offer.fields, name: Choice((number,))}
            return msgspec.structs.replace(offer, fields=fields)
    return None if number else offer
