"""Open tournaments, and edit what surrounds their desks."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import groupby
from typing import Any, TypedDict, Unpack
from uuid import UUID

import msgspec
from django.db import transaction
from django.db.models import Model
from django.utils.translation import gettext

from league import clocks, policy, registering, seasons, tables
from league.models import (
    MAX_HOURS,
    Circuit,
    Division,
    League,
    Qualifier,
    Season,
    StagePlan,
    Tournament,
    Venue,
)
from league.planning import floor_of, plans_of
from league.ratings import Ratings
from league.texts import of_field
from matches import canonical, followers, once
from matches import log as logs
from matches.actors import Actor
from matches.errors import BadInput, Conflict, Impossible
from matches.log import Request
from matches.models import Log, uuid7
from matches.opening import game_named, new_code, new_log, opened_before
from rules import fair, texts
from rules.capabilities import SupportsOptionChecks
from rules.desk.acts import DeskOpened, Options
from rules.ruleset import Ruleset, SetupError, Verdict, pinned_name

DESK = "desk@1"


def require_timezone(name: str) -> str:
    """Return the name of a time zone. Raises: BadInput for one that does not exist."""
    if name not in clocks.zones():
        raise BadInput(
            "bad-timezone",
            gettext("There is no time zone {name!r}.").format(name=name[:40]),
            "$.timezone",
        )
    return name


@dataclass(frozen=True)
class Opening:
    """A tournament ready to be opened, with its planned stages and the first act of its log.

    `qualifiers`: the rows by which it counts for circuits.
    """

    tournament: Tournament
    plans: Sequence[StagePlan]
    request: Request
    qualifiers: Sequence[Qualifier]

    @property
    def before(self) -> Tournament | None:
        """Return the tournament opened earlier by the same request. Raises: IdReused."""
        return opened_before(Tournament, self.request, self.tournament.pk)

    def keep(self, drafting: logs.Drafting | None = None, rows: Sequence[Model] = ()) -> Tournament:
        """Save it in one transaction, with the drafted log and the rows that go with it.

        Without a draft its log just begins. If the same request is sent twice concurrently, one is
        kept.
        """
        if drafting is None:
            drafting = logs.Drafting(self.tournament.log)
            drafting.add(self.request)
        write = partial(self._write, drafting, [*self.qualifiers, *rows])
        return once.write_down(self.tournament, write, lambda: self.before)

    def _write(self, drafting: logs.Drafting, rows: Sequence[Model]) -> None:
        tournament = self.tournament
        tournament.log.save(force_insert=True)
        tournament.code = new_code(Tournament)
        tournament.save(force_insert=True)
        for plan in self.plans:
            plan.tournament = tournament
        StagePlan.objects.bulk_create(self.plans)
        insert(rows)
        drafting.store()


def insert(rows: Sequence[Model]) -> None:
    """Insert new rows of any models, in order."""
    for model, of_it in groupby(rows, lambda row: row.__class__):
        model._default_manager.bulk_create(of_it, 500)


class Settings(TypedDict, total=False):
    """How a tournament is run; settings left out have the defaults of `Tournament`."""

    visibility: str
    decks: str
    sign_up: bool
    self_report: bool
    shared_prizes: str
    remind_hours: int


class Changes(Settings, total=False):
    """What can be edited of a tournament; what is left out stays."""

    title: str
    about: str
    division: Division | None
    venue: Venue | None
    cost_class: str
    timezone: str
    starts_at: datetime | None
    decks_shown: bool
    round_minutes: int


def open_tournament(*, by: Actor, title: str, **details: Any) -> Tournament:
    """Open a tournament: its desk's log, with the setup as first entry, and its planned stages.

    Idempotent per `act_id` and player. `details`, and Raises: as of `draft_tournament`.
    """
    opening = draft_tournament(by=by, title=title, **details)
    return opening.before or opening.keep()


def draft_tournament(
    *,
    by: Actor,
    title: str,
    ruleset: str = "zg",
    options: Mapping[str, Any] | None = None,
    desk: Options | None = None,
    league: League | None = None,
    season: Season | None = None,
    division: Division | None = None,
    venue: Venue | None = None,
    stages: Sequence[Mapping[str, Any]] = (),
    act_id: UUID | None = None,
    about: str = "",
    cost_class: str = "",
    timezone: str = "",
    starts_at: datetime | None = None,
    enters: str = Tournament.Enters.PLAYER,
    round_minutes: int | None = None,
    circuits: Sequence[Circuit] = (),
    **settings: Unpack[Settings],
) -> Opening:
    """Return a tournament ready to be opened, without writing anything.

    `desk`: the desk's own options, such as the cap. `stages`: the planned `stage-started` acts,
    with `name` and `cut`. The time zone defaults to the venue's, else UTC; `round_minutes` to the
    game's floor rules. It counts for the `circuits`, whose season it is of if none is given.
    Raises: NotAllowed, BadInput, Conflict, Impossible, IdReused.
    """
    opener = policy.require_make(by)
    league, season = _home_of(by, league, season, circuits)
    game = game_named(ruleset)
    played = canonical.convert(dict(options or {}), game.options_type, "$.options")
    _require_playable(game, played)
    floor = floor_of(game, played)
    plans = plans_of(stages, floor)
    if round_minutes is None:
        round_minutes = floor.minutes if floor else 0
    zone = timezone or (venue.timezone if venue else "") or "UTC"
    words = {"title": title, "about": about, "cost_class": cost_class, "timezone": zone}
    fields = {name: _checked(name, value) for name, value in (words | settings).items()}
    pk = once.id_of(Tournament, opener.pk, act_id) if act_id else uuid7()
    seed = secrets.token_bytes(32)
    setup = _setup(pk, desk or Options(), seed)
    tournament = Tournament(
        log=new_log(pk, setup, seed, public_version=0),
        league=league,
        season=season,
        division=division,
        venue=venue,
        ruleset=pinned_name(game),
        options=msgspec.json.encode(played).decode(),
        starts_at=starts_at,
        enters=enters,
        round_minutes=round_minutes,
        opener=opener,
        **fields,
    )
    if division is not None:
        seasons.require_players(tournament, "$.division")
    payload = _canonical(
        *(tournament.title, game.key, setup.options, played, list(stages)),
        *(about, cost_class, zone, starts_at, enters, round_minutes, settings),
        *(each and each.pk for each in (league, season, division, venue, *circuits)),
    )
    request = Request(act_id or uuid7(), setup, opener.pk, payload=payload)
    qualifiers = seasons.qualifiers_at_opening(tournament, circuits)
    return Opening(tournament, plans, request, qualifiers)


def _require_playable(game: Ruleset, options: Any) -> None:
    """Require options with which matches of a game can be opened. Raises: Impossible."""
    if not isinstance(game, SupportsOptionChecks):
        return
    try:
        game.check_options(options)
    except SetupError as error:
        verdict = Verdict("impossible", **msgspec.structs.asdict(error.problem))
        text = texts.of_finding(game.texts, verdict, {})
        raise Impossible.of(verdict, text, "$.options") from None


def _home_of(
    by: Actor, league: League | None, season: Season | None, circuits: Sequence[Circuit]
) -> tuple[League | None, Season | None]:
    """Return the league and the season of a tournament, if any. Raises: NotAllowed, BadInput."""
    found = season or next((each.season for each in circuits), None)
    league = league or (found.league if found else None)
    if league is not None:
        policy.require_run(by, league)
    if season is not None and league is not None and season.league_id != league.pk:
        raise BadInput("other-league", gettext("That season is another league's."), "$.season")
    return league, found


def _setup(pk: UUID, desk: Options, seed: bytes) -> DeskOpened:
    """Return the act that opens a desk's log."""
    promise = fair.commitment(seed)
    return DeskOpened(ruleset=DESK, options=desk, seats=(), log=str(pk), commitment=promise)


def _canonical(*arguments: Any) -> str:
    """Return the request in a canonical form, without values generated here."""
    return msgspec.json.encode(arguments, enc_hook=str, order="deterministic").decode()


def edit_tournament(*, by: Actor, tournament: Tournament, **changes: Unpack[Changes]) -> None:
    """Edit what surrounds a desk, never its log. Raises: NotAllowed, BadInput."""
    if unknown := changes.keys() - Changes.__annotations__:
        raise TypeError(f"a tournament has no editable {', '.join(sorted(unknown))}")
    policy.require_organise(by, tournament)
    if "division" in changes:
        _require_division(by, tournament, changes["division"])
    for name, value in changes.items():
        setattr(tournament, name, _checked(name, value))
    if "shared_prizes" in changes:
        _require_none_given(tournament)
    with transaction.atomic():
        was = tables.locked(tournament.pk).visibility
        tournament.save(update_fields=list(changes))
        if tournament.visibility != was:
            tables.show_as_it(tournament)
        if "starts_at" in changes:  # one recorded afterwards is rated as of its start
            followers.again(Ratings, [tournament.pk])
    if {"starts_at", "timezone"} & changes.keys():
        registering.check_again(tournament)


def _checked(name: str, value: Any) -> Any:
    """Return the value of a tournament's field as stored. Raises: BadInput."""
    match name:
        case "title" | "about" | "cost_class":
            return of_field(Tournament, name, value)
        case "timezone":
            return require_timezone(value)
        case "visibility" if value not in Tournament.Visibility.values:
            detail = gettext("Visible to `public` or `entrants`.")
            raise BadInput("unknown-value", detail, "$.visibility")
        case "decks" if value not in Tournament.Decks.values:
            detail = gettext("Decks are `none`, `optional` or `required`.")
            raise BadInput("unknown-value", detail, "$.decks")
        case "shared_prizes" if value not in Tournament.SharedPrizes.values:
            detail = gettext("Prizes of shared places are `split`, or go by `order`.")
            raise BadInput("unknown-value", detail, "$.shared_prizes")
        case "remind_hours" if not 0 <= value <= MAX_HOURS:
            detail = gettext("Players are reminded from 0 to {most} hours before.")
            raise BadInput("out-of-range", detail.format(most=MAX_HOURS), "$.remind_hours")
    return value


def _require_none_given(tournament: Tournament) -> None:
    """Raises: Conflict for another way to share prizes once one was given."""
    given = tournament.prizes.exclude(given_at=None).exists()
    was = Tournament.objects.get(pk=tournament.pk).shared_prizes
    if given and tournament.shared_prizes != was:
        text = gettext("Some prizes were given already; the others must be shared the same way.")
        raise Conflict("prizes-given", text)


def _require_division(by: Actor, tournament: Tournament, division: Division | None) -> None:
    """Require an organiser of the league and a division of the season, if that changes.

    Raises: NotAllowed, BadInput.
    """
    was = Tournament.objects.values_list("division", flat=True).get(pk=tournament.pk)
    if was == (division and division.pk):
        return
    if tournament.league is not None:
        policy.require_run(by, tournament.league)
    if division is None:
        return
    seasons.require_players(tournament, "$.division")
    if division.season_id != tournament.season_id:
        text = gettext("That division is of another season.")
        raise BadInput("other-season", text, "$.division")
    if Division.objects.filter(play_off_in=tournament).exists():
        text = gettext("A play-off counts in no division.")
        raise BadInput("is-play-off", text, "$.division")


def withdraw(*, by: Actor, tournament: Tournament) -> None:
    """Withdraw an abandoned tournament and its matches from view. Nothing is deleted."""
    policy.require_organise(by, tournament)
    with transaction.atomic():
        tables.locked(tournament.pk)
        tournament.log.status = Log.Status.WITHDRAWN
        tournament.log.save(update_fields=["status"])
        tables.show_as_it(tournament)
