"""Tournaments of others at a desk of ours, and ours told to others.

What comes in is recorded act by act through the same services as a day at the desk, under ids
made from the file: the same file of the same player comes in once, and one that was broken off
goes on where it stopped.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID, uuid5

import msgspec

import rules
from league import desks, fairness, policy, selectors
from league.entering import enter
from league.models import League, Tournament
from league.opening import open_tournament
from league.recording import record
from matches import canonical
from matches.errors import BadInput, Conflict
from matches.policy import Actor
from rules import texts
from rules.desk import lists, retold, trf
from rules.desk.acts import DeskOpened, Entered, Options, StageStarted, Waitlisted
from rules.desk.formats import swiss
from rules.desk.retold import Retold, Row, Step
from rules.desk.standings import order_of, sheet_of
from rules.desk.state import Desk
from rules.replay import Entry, RefusedError, Timeline, entry_after
from rules.ruleset import Act, Opened, Ruleset, SeedRevealed

KINDS = ("published", "trf", "results", "tournament")
MOST_BYTES = 4_000_000
MOST_NAME = 80
ELSEWHERE = "As recorded elsewhere"
SOME_NOTE = "0" * 64


class Person(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who entered, in the order of their numbers."""

    name: str
    rating: int = 0


class Whole(
    msgspec.Struct, frozen=True, omit_defaults=True, tag="zgxl-tournament", tag_field="file"
):
    """A whole tournament as a file: who entered, and every act that counts, in order."""

    title: str
    people: tuple[Person, ...]
    acts: tuple[dict[str, Any], ...]
    ruleset: str = "score@1"
    options: Options = Options()


class Weighed(msgspec.Struct, frozen=True):
    """What a round cost as it was paired, beside ours of the same players with the same bye."""

    round: int
    published: swiss.Cost
    ours: swiss.Cost


class Imported(msgspec.Struct, frozen=True):
    """What came of a file: the tournament, where its standings differ, what its rounds cost."""

    tournament: Tournament
    differences: tuple[str, ...] = ()
    weighed: tuple[Weighed, ...] = ()
    compared: int = 0


# -- in -----------------------------------------------------------------------------------


def kind_of(name: str, data: bytes) -> str:
    """Return what a file is by its name and beginning. Raises: BadInput."""
    suffix = name.lower().rpartition(".")[2]
    if suffix == "csv":
        return "results"
    if suffix in ("trf", "trfx", "txt"):
        return "trf"
    if suffix == "json":
        return "tournament" if b'"zgxl-tournament"' in data[:200] else "published"
    raise BadInput("unknown-file", "A tournament is a file .json, .trf, .txt or .csv.", "$.file")


def import_tournament(
    *,
    by: Actor,
    data: bytes,
    kind: str,
    title: str = "",
    league: League | None = None,
    starts_at: datetime | None = None,
) -> Imported:
    """Record a tournament that was played elsewhere; guests stand for its players.

    `kind` is one of `KINDS`. A file whose acts can not all stand is refused before anything is
    written. Raises: NotAllowed, BadInput, Impossible.
    """
    player = policy.require_make(by)
    if len(data) > MOST_BYTES:
        raise BadInput("too-large", f"A file has at most {MOST_BYTES:,} bytes.", "$.file")
    base = uuid5(player.pk, hashlib.sha256(data).hexdigest())
    details: dict[str, Any] = {"league": league, "starts_at": starts_at, "sign_up": False}
    if kind == "tournament":
        return _whole(by, base, _decoded(data), title, details)
    told, rows = _told(kind, data)
    names = {number: _name(told, key) for key, number in retold.numbered(told).items()}
    steps = list(_steps(told, names))
    _require_names((name, "$.file") for name in names.values())
    _require_to_stand(
        Options(), ((_noted(step.act) if step.reason else step.act, "$.file") for step, _ in steps)
    )
    tournament = open_tournament(
        by=by, title=title or told.title or "A tournament", ruleset="score", act_id=base, **details
    )
    weighed = []
    for place, (step, name) in enumerate(steps):
        before = desks.desk_of(tournament)
        _record(tournament, by, uuid5(base, str(place)), step, name)
        tournament.log.refresh_from_db()
        after = desks.desk_of(tournament)
        if len(after.rounds) > len(before.rounds) and told.stage.format == "swiss":
            mine = retold.weigh(before, after)
            weighed.append(Weighed(mine.round, mine.published, mine.ours))
    found = retold.differences(desks.desk_of(tournament), told, rows) if rows else []
    return Imported(tournament, tuple(found), tuple(weighed), len(rows))


def _told(kind: str, data: bytes) -> tuple[Retold, tuple[Row, ...]]:
    try:
        match kind:
            case "published":
                return retold.read_published(data)
            case "trf":
                return trf.read(data.decode("utf-8")), ()
            case "results":
                stage = StageStarted(format="swiss", best_of=3, tiebreaks=("omw", "gw", "ogw"))
                told = lists.read_results(data.decode("utf-8"), stage)
                rounds = max(len(told.rounds), 1)
                stage = msgspec.structs.replace(stage, rounds=rounds)
                return msgspec.structs.replace(told, stage=stage), ()
    except UnicodeDecodeError:
        raise BadInput("bad-file", "The file is not text in UTF-8.", "$.file") from None
    except RecursionError:
        raise BadInput("too-deep", "Too many brackets stand inside each other.", "$.file") from None
    except (msgspec.DecodeError, trf.TrfError, lists.ListError) as error:
        raise BadInput("bad-file", str(error), "$.file") from None
    raise BadInput("unknown-value", f"A file is one of {', '.join(KINDS)}.", "$.kind")


def _require_names(names: Iterable[tuple[str, str]]) -> None:
    """Raises: BadInput, with the place, for a name that nobody can have."""
    for name, where in names:
        canonical.text_from(name, where, MOST_NAME, least=1)


def _require_to_stand(options: Options, acts: Iterable[tuple[Act, str]]) -> None:
    """Require that acts can be recorded one after the other, without recording them.

    Raises: BadInput, with the place of the first that can not.
    """
    ruleset = rules.get("desk@1")
    timeline = Timeline(ruleset)
    opened = DeskOpened(ruleset="desk@1", options=options, seats=())
    for act, where in ((opened, "$.options"), *acts):
        try:
            timeline.append(_entry_after(ruleset, timeline, act))
        except RefusedError as refused:
            said = texts.of_finding(ruleset.texts, refused.verdict, {})
            raise BadInput("bad-file", said, where) from None


def _entry_after(ruleset: Ruleset, timeline: Timeline, act: Act) -> Entry:
    """Return the entry an act makes, as `_record` and `enter` have it. Raises: RefusedError."""
    if not isinstance(act, Entered):
        return entry_after(ruleset, timeline, act, irregular=True)
    try:
        return entry_after(ruleset, timeline, act)
    except RefusedError as refused:
        if refused.verdict.code != "full":
            raise
    waits = Waitlisted(rating=act.rating, seats=act.seats, lean=act.lean)
    return entry_after(ruleset, timeline, waits)


def _noted(act: Act) -> Act:
    """Return an act as it is judged once its reason is kept beside it."""
    return msgspec.structs.replace(act, note=SOME_NOTE)


def _name(told: Retold, key: str) -> str:
    return next(each.name or each.key for each in told.players if each.key == key)


def _steps(told: Retold, names: Mapping[int, str]) -> Iterator[tuple[Step, str]]:
    """Yield what is to be recorded, with the name of who enters."""
    number = 0
    for step in retold.acts(told):
        number += isinstance(step.act, Entered)
        yield step, names[number] if isinstance(step.act, Entered) else ""


def _record(tournament: Tournament, by: Actor, act_id: UUID, step: Step, name: str) -> None:
    if isinstance(step.act, Entered | Waitlisted):
        enter(tournament=tournament, by=by, act_id=act_id, name=name, rating=step.act.rating)
        return
    record(
        tournament=tournament, by=by, act_id=act_id, act=step.act, note=step.reason, irregular=True
    )


def _decoded(data: bytes) -> Whole:
    try:
        return msgspec.json.decode(data, type=Whole)
    except RecursionError:
        raise BadInput("too-deep", "Too many brackets stand inside each other.", "$.file") from None
    except msgspec.DecodeError as error:
        raise BadInput("bad-file", str(error), "$.file") from None


def _whole(by: Actor, base: UUID, found: Whole, title: str, details: Mapping[str, Any]) -> Imported:
    """Record a whole tournament that a site like this one told."""
    _require_names((each.name, f"$.people[{n}].name") for n, each in enumerate(found.people))
    _require_to_stand(found.options, _acts_of(found))
    tournament = open_tournament(
        by=by,
        title=title or found.title,
        ruleset=found.ruleset.partition("@")[0],
        desk=found.options,
        act_id=base,
        **details,
    )
    coming = iter(found.people)
    for place, said in enumerate(found.acts):
        act_id = uuid5(base, str(place))
        if said.get("type") in ("entered", "waitlisted"):
            person = next(coming)
            enter(
                tournament=tournament,
                by=by,
                act_id=act_id,
                name=person.name,
                rating=person.rating,
                brought=_brought(said),
            )
            continue
        plain = {name: value for name, value in said.items() if name != "note"}
        note = ELSEWHERE if "note" in said else ""
        record(tournament=tournament, by=by, act_id=act_id, act=plain, note=note, irregular=True)
    tournament.log.refresh_from_db()
    return Imported(tournament)


def _acts_of(found: Whole) -> Iterator[tuple[Act, str]]:
    """Yield the acts of a whole tournament as they are judged, with their places.

    Raises: BadInput.
    """
    coming = iter(found.people)
    for place, said in enumerate(found.acts):
        where = f"$.acts[{place}]"
        noted = {"note": SOME_NOTE} if "note" in said else {}
        act = canonical.act_from(rules.get("desk"), {**said, **noted}, where)
        if isinstance(act, Opened | SeedRevealed):
            raise BadInput("bad-file", "A site records this by itself.", where)
        if isinstance(act, Entered | Waitlisted):
            person = next(coming, None)
            if person is None:
                raise BadInput("bad-file", "More enter than are named.", where)
            act = Entered(rating=person.rating, seats=act.seats, lean=act.lean)
        yield act, where


def _brought(said: Mapping[str, Any]) -> fairness.Brought:
    """Return the seats an entry of a file brings along. Raises: BadInput."""
    act = canonical.act_from(rules.get("desk"), said)
    return getattr(act, "seats", ()), getattr(act, "lean", 0)


# -- out ----------------------------------------------------------------------------------


def export_whole(*, by: Actor, tournament: Tournament) -> bytes:
    """Return a whole tournament as a file that comes in again at any site like this one.

    Raises: NotFound, Conflict while a round or results are held back from who asks.
    """
    policy.require_see(by, tournament)
    cut = desks.cut_for(by, tournament)
    if cut.hidden:
        raise Conflict("held-back", "Some of it is not shown yet; ask again when it is.")
    timeline = desks.timeline(tournament)
    ruleset = rules.get("desk@1")
    desk: Desk = timeline.at(cut.version).state.desk
    names = desks.names_of(tournament, desk)
    acts = [timeline.entries[version - 1].act for version in timeline.effective(cut.version)]
    shown = [ruleset.hide(act, cut.audience) for act in acts[1:]]
    whole = Whole(
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
    """Return an act without what ties it to this site: labels, refs and hashes of reasons."""
    said: dict[str, Any] = msgspec.to_builtins(act)
    said = {name: value for name, value in said.items() if name not in ("label", "ref")}
    return said | ({"note": ""} if "note" in said else {})


def export_stage(*, by: Actor, tournament: Tournament, kind: str, stage: int = 1) -> str:
    """Return a stage as text: `trf`, `results`, or `entries` of the tournament.

    Raises: NotFound, BadInput for a stage that is not there or has tables of more than two.
    """
    policy.require_see(by, tournament)
    cut = desks.cut_for(by, tournament)
    desk = selectors.shown_desk(tournament, cut)
    names = {str(number): name for number, name in desks.names_of(tournament, desk).items()}
    if kind == "entries":
        people = (
            retold.Newcomer(str(n), name=names[str(n)], rating=person.rating)
            for n, person in enumerate(desk.people, 1)
        )
        return lists.write_entries(people)
    if not 1 <= stage <= len(desk.stages):
        raise BadInput("no-such-stage", f"There are {len(desk.stages)} stages.", "$.stage")
    told = msgspec.structs.replace(retold.told_of(desk, stage - 1), title=tournament.title)
    try:
        if kind == "results":
            return lists.write_results(told, names)
        sheet = sheet_of(desk, stage - 1)
        points = {str(player): sheet.points(player) for player in sheet.parts}
        return trf.write(told, names, points, [str(p) for p in order_of(desk, stage - 1)])
    except ValueError as error:
        raise BadInput("not-two", str(error).capitalize() + ".", "$.stage") from None


# -- again, to learn it -----------------------------------------------------------------------


def rehearse(*, by: Actor, tournament: Tournament, number: int = 1) -> Tournament:
    """Open a tournament of one's own to practise with: another as it was before a round.

    Those who entered have numbers for names; nobody but who asks sees it, and it is not rated.
    The same player rehearses the same round of a tournament once. What really came of it stands
    in the original.

    Raises: NotFound, BadInput for a round that was not paired, Conflict while some is held back.
    """
    player = policy.require_make(by)
    whole = _decoded(export_whole(by=by, tournament=tournament))
    paired = [i for i, act in enumerate(whole.acts) if act["type"] == "round-paired"]
    if not 1 <= number <= len(paired):
        raise BadInput("no-such-round", f"{len(paired)} rounds were paired.", "$.round")
    whole = msgspec.structs.replace(
        whole,
        title=f"Rehearsal: {tournament.title}"[:120],
        people=tuple(Person(f"Entrant {i}", each.rating) for i, each in enumerate(whole.people, 1)),
        acts=whole.acts[: paired[number - 1]],
    )
    base = uuid5(player.pk, f"rehearsal {tournament.pk} {number}")
    details = {"sign_up": False, "visibility": Tournament.Visibility.ENTRANTS}
    return _whole(by, base, whole, "", details).tournament
