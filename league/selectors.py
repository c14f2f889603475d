"""Reads of leagues and tournaments. Every read of a desk takes a cut."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    OuterRef,
    Q,
    QuerySet,
    When,
    prefetch_related_objects,
)
from django.utils.translation import gettext

from characters.models import Character
from league import desk_cuts, desks, policy
from league.backends import TABLE
from league.desk_cuts import Cut
from league.models import (
    Entry,
    Krewe,
    League,
    Prize,
    Role,
    Round,
    Season,
    TableMatch,
    Tournament,
    Venue,
)
from matches import audiences, rows
from matches import log as logs
from matches.actors import Actor, remembered
from matches.audiences import Shown
from matches.errors import NotAllowed, NotFound
from matches.memory import load_all
from matches.models import Log, Match, Player, withdrawn
from rules.chain import Record
from rules.desk import standings
from rules.desk.acts import BY_PLAYERS
from rules.desk.state import Desk, State, keeps_seeds
from rules.fields import Choice
from rules.replay import Timeline
from rules.ruleset import Audience, Offer, event_type

NEVER = datetime.max.replace(tzinfo=UTC)
MAX_OPEN = 60  # limit on open tournaments searched for what is on and next


# -- finding ------------------------------------------------------------------------------


def tournament_for(actor: Actor, code: str) -> Tournament:
    """Return a tournament the actor may see, with related rows for its pages. Raises: NotFound."""
    found = remembered(actor, ("tournament", code), lambda: _coded(code))
    if found is None or not policy.may_see(actor, found):
        raise NotFound(
            gettext("There is no tournament {code}.").format(code=code[:20]), "no-such-tournament"
        )
    return found


def _coded(code: str) -> Tournament | None:
    known = Tournament.objects.select_related("log", "league", "season", "venue", "opener")
    return known.filter(code=code.upper().replace("\0", "?")).first()


def tournaments_for(actor: Actor) -> QuerySet[Tournament]:
    """Return the tournaments the actor may see, newest first."""
    found = policy.visible_tournaments(actor).select_related("log", "league", "season", "venue")
    return found.order_by("-created_at", "-log_id")


def entered_as(tournaments: QuerySet[Tournament], character: Character) -> QuerySet[Tournament]:
    """Return those of some tournaments that a character entered, each once."""
    theirs = Entry.objects.filter(character=character).exclude(status=Entry.TAKEN_BACK)
    return tournaments.filter(pk__in=theirs.values("tournament"))


def entered_for(tournaments: QuerySet[Tournament], player: Player) -> QuerySet[Tournament]:
    """Return those of some tournaments that a player takes part in, alone or with a krewe."""
    return tournaments.filter(_entered(player))


def called(actor: Actor, word: str) -> QuerySet[Tournament]:
    """Return the tournaments with this code, or with a word in their title, that one may see."""
    named = Q(code=word.upper()) | Q(title__icontains=word)
    return policy.visible_tournaments(actor).filter(named)


def at_tables_of(
    matches: QuerySet[Match], tournaments: Iterable[Tournament] | QuerySet[Tournament]
) -> QuerySet[Match]:
    """Return those of some matches that were opened at a table of some tournaments."""
    found = TableMatch.objects.order_by().filter(tournament__in=tournaments)
    return matches.filter(pk__in=found.values("match"))


def table_of(actor: Actor, match: Match) -> TableMatch | None:
    """Return the table a match is played at, None without a tournament that the actor may see."""
    prefetch_related_objects([match], TABLE)
    found: TableMatch | None = getattr(match, "table", None)
    return found if found and policy.may_see(actor, found.tournament) else None


def open_first(tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Order tournaments: those open, newest first, then those closed, the last one first.

    One that was withdrawn is open no more.
    """
    closed_last = Case(When(withdrawn(), then=1), When(closed_at=None, then=0), default=1)
    return tournaments.order_by(closed_last, F("closed_at").desc(nulls_last=True), "-created_at")


def of_status(tournaments: QuerySet[Tournament], status: str) -> QuerySet[Tournament]:
    """Narrow tournaments to those open or those ended; one that was withdrawn is neither."""
    return tournaments.exclude(withdrawn()).filter(closed_at__isnull=status == Log.Status.OPEN)


def on_and_next(actor: Actor) -> tuple[list[Tournament], list[Tournament]]:
    """Return the tournaments under way, newest first, and those to come, soonest first."""
    found = tournaments_for(actor).filter(closed_at=None)
    found = found.exclude(withdrawn())
    return _on_and_next(found.annotate(begun=BEGUN)[:MAX_OPEN])


def of_league(
    actor: Actor, league: League, most: int
) -> tuple[list[Tournament], list[Tournament], list[Tournament]]:
    """Return a league's tournaments under way, to come, and the `most` last closed ones."""
    gone = Q(withdrawn(), closed_at=None)
    found = tournaments_for(actor).filter(league=league).exclude(gone).annotate(begun=BEGUN)
    open_first = F("closed_at").desc(nulls_first=True)
    rows: list[Any] = list(found.order_by(open_first, "-created_at", "-log_id")[: MAX_OPEN + most])
    on, soon = _on_and_next(each for each in rows if each.closed_at is None)
    return on, soon, [each for each in rows if each.closed_at is not None][:most]


BEGUN = Exists(Round.objects.filter(tournament=OuterRef("pk")))


def _on_and_next(rows: Iterable[Any]) -> tuple[list[Tournament], list[Tournament]]:
    open_ = list(rows)
    soon = [each for each in open_ if not each.begun]
    soon.sort(key=lambda each: each.starts_at or NEVER)
    return [each for each in open_ if each.begun], soon


def organised_by(actor: Actor) -> QuerySet[Tournament]:
    """Return the tournaments the actor organises where something is left to do, newest first."""
    if actor.player is None:
        return Tournament.objects.none()
    promised = Exists(Prize.objects.filter(tournament=OuterRef("pk"), given_at=None))
    found = tournaments_for(actor).exclude(withdrawn())
    return found.filter(policy.organised(actor.player), Q(closed_at=None) | promised)


def own(actor: Actor, tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Return those of some tournaments that the actor takes part in or organises."""
    if actor.player is None:
        return tournaments.none()
    return tournaments.filter(_entered(actor.player) | policy.organised(actor.player))


def entered_by(actor: Actor) -> QuerySet[Tournament]:
    """Return the open tournaments the actor takes part in, newest first."""
    if actor.player is None:
        return Tournament.objects.none()
    return tournaments_for(actor).filter(_entered(actor.player), closed_at=None)


def own_open(actor: Actor, most: int) -> tuple[list[Tournament], list[Tournament]]:
    """Return the open tournaments the actor takes part in, and those they organise, newest first.

    At most so many of each; both come from one query.
    """
    if actor.player is None:
        return [], []
    entered = _entered(actor.player)
    organised = policy.organised(actor.player) & ~withdrawn()
    found = tournaments_for(actor).filter(entered | organised, closed_at=None)
    rows: list[Any] = list(found.annotate(is_entered=entered, is_organised=organised)[:MAX_OPEN])
    return (
        [each for each in rows if each.is_entered][:most],
        [each for each in rows if each.is_organised][:most],
    )


def _entered(player: Player) -> Q:
    mine = Entry.objects.filter(policy.takes_part(player)).values("tournament")
    return Q(pk__in=mine)


def leagues_of(actor: Actor) -> QuerySet[League]:
    """Return the leagues the actor organises."""
    roles = {"members__player": actor.player, "members__role": Role.ORGANISER}
    return League.objects.filter(**roles).order_by("name", "pk")


def league_and_seasons(slug: str) -> tuple[League, list[Season]]:
    """Return a league as `league_for` does, and its seasons, newest first. Raises: NotFound."""
    players = Count("league__members", filter=Q(league__members__role=Role.PLAYER))
    known = Season.objects.filter(league__slug=slug.replace("\0", "?"))
    found: list[Any] = list(known.select_related("league__venue").annotate(players=players))
    if not found:
        return league_for(slug), []
    league = found[0].league
    league.players = found[0].players
    return league, found


def season_of(seasons: Iterable[Season], day: date) -> Season | None:
    """Return the season of a day: the newest running then, else the next to come."""
    left = sorted((each for each in seasons if each.ends_on >= day), key=lambda s: s.starts_on)
    running = [each for each in left if each.starts_on <= day]
    return running[-1] if running else next(iter(left), None)


def season_in(league: League | None, day: date) -> Season | None:
    """Return the season of a league on a day, None without a league or season."""
    return season_of(league.seasons.all(), day) if league else None


def league_for(slug: str) -> League:
    """Return a league, annotated with its number of `players`. Raises: NotFound."""
    players = Count("members", filter=Q(members__role=Role.PLAYER))
    known = League.objects.select_related("venue").annotate(players=players)
    found = known.filter(slug=slug.replace("\0", "?")).first()
    if found is None:
        raise NotFound(gettext("There is no such league."), "no-such-league")
    return found


def krewe_for(pk: UUID) -> Krewe:
    """Return a krewe with its players. Raises: NotFound."""
    found = Krewe.objects.select_related("league", "captain").prefetch_related("players")
    krewe = found.filter(pk=pk).first()
    if krewe is None:
        raise NotFound(gettext("There is no such krewe."), "no-such-krewe")
    return krewe


def venue_for(slug: str) -> Venue:
    """Return a venue with its keeper. Raises: NotFound."""
    found = Venue.objects.select_related("keeper").filter(slug=slug.replace("\0", "?")).first()
    if found is None:
        raise NotFound(gettext("There is no such venue."), "no-such-venue")
    return found


def seasons() -> QuerySet[Season]:
    """Return all seasons with their leagues, newest first."""
    return Season.objects.select_related("league").order_by("-starts_on", "-id")


# -- a desk, cut --------------------------------------------------------------------------


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
