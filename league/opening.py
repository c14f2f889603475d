"""Founding leagues, venues and seasons, and opening tournaments: what stands around a desk."""

import secrets
import zoneinfo
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby
from typing import Any
from uuid import UUID, uuid5

import msgspec
from django.db import IntegrityError, transaction
from django.db.models import Model
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext

import rules
from league import entering, policy, roles, tables, texts
from league.models import (
    MOST_HOURS,
    Division,
    League,
    Prize,
    Role,
    Sanction,
    Season,
    StagePlan,
    Tournament,
    Venue,
)
from league.texts import text
from matches import canonical
from matches import log as logs
from matches.errors import BadInput, Conflict, IdReused, NotFound
from matches.log import Request
from matches.models import Event, Log, Player, uuid7
from matches.opening import new_code
from matches.policy import Actor
from rules import fair
from rules.desk.acts import DeskOpened, Options, StageStarted
from rules.desk.formats import cuts
from rules.desk.pairing import counts_for
from rules.desk.stages import planned
from rules.desk.state import KNOCKOUTS
from rules.ruleset import Choice, Field, Floor, HasFloor, Ordered, Range, Row, Ruleset

DESK = "desk@1"
MOST_PLACE = 4096
MOST_TRIES = 9
MOST_AMOUNT = 10**9
TIMED = ("swiss", "round-robin", "ladder")
"""Formats in which floor rules may decide a table of two by the clock."""


@transaction.atomic
def _insert_named(row: Venue | League) -> None:
    """Write down a new row under a short name for its address that nobody has yet.

    Of rows of one name that come at once each tries again, under the next.
    """
    for _ in range(MOST_TRIES):
        row.slug = _slug(type(row), row.name)
        with suppress(IntegrityError), transaction.atomic():
            row.save(force_insert=True)
            return
    row.slug = f"{row.slug[:50]}-{row.pk.hex[-8:]}"
    row.save(force_insert=True)


def _slug(model: type[Venue] | type[League], name: str) -> str:
    """Return a short name for the address that nobody has yet."""
    base = slugify(name)[:50] or model.__name__.lower()
    taken = {"new", *model.objects.filter(slug__startswith=base).values_list("slug", flat=True)}
    wanted = base
    for number in range(2, len(taken) + 3):
        if wanted not in taken:
            break
        wanted = f"{base}-{number}"
    return wanted


# -- leagues and venues -------------------------------------------------------------------


def found_league(
    *,
    by: Actor,
    name: str,
    game: str = "zg",
    about: str = "",
    house_rules: str = "",
    venue: Venue | None = None,
    is_open: bool = True,
) -> League:
    """Found a league; who does is its organiser. Raises: NotAllowed, BadInput."""
    founder = policy.require_make(by)
    _game(game)
    league = League(
        name=texts.name(name),
        game=game,
        about=text(about, "about"),
        house_rules=text(house_rules, "house_rules"),
        venue=venue,
        is_open=is_open,
    )
    with transaction.atomic():
        _insert_named(league)
        roles.given(by, league=league, player=founder, role=Role.ORGANISER)
    return league


def edit_league(*, by: Actor, league: League, **changes: Any) -> None:
    """Change what a league tells of itself. Raises: NotAllowed, BadInput."""
    policy.require_run(by, league)
    for name, value in changes.items():
        if isinstance(value, str):
            value = text(value, name, 80 if name == "name" else texts.MOST, name == "name")
        setattr(league, name, value)
    league.save(update_fields=list(changes))


def open_venue(*, by: Actor, name: str, region: str = "", about: str = "", lore: str = "") -> Venue:
    """Open a venue; who does keeps it. Raises: NotAllowed, BadInput."""
    keeper = policy.require_make(by)
    venue = Venue(
        name=texts.name(name),
        region=text(region, "region", 80),
        about=text(about, "about"),
        lore=text(lore, "lore"),
        keeper=keeper,
    )
    _insert_named(venue)
    return venue


def edit_venue(*, by: Actor, venue: Venue, **changes: Any) -> None:
    """Change what a venue tells of itself, or who keeps it. Raises: NotAllowed, BadInput."""
    policy.require_keep(by, venue)
    for name, value in changes.items():
        if name != "keeper":
            most = 80 if name in ("name", "region") else texts.MOST
            value = text(value, name, most, name == "name")
        setattr(venue, name, value)
    venue.save(update_fields=list(changes))


def sanction(
    *,
    by: Actor,
    league: League,
    player: Player,
    kind: str = Sanction.Kind.BAN,
    ends_on: date | None = None,
    reason: str,
) -> Sanction:
    """Ban a player from a league's tournaments from today, or exile them. Raises: NotAllowed."""
    policy.require_run(by, league)
    if kind not in Sanction.Kind.values:
        raise BadInput("unknown-value", gettext("A player is banned or exiled."), "$.kind")
    if (kind == Sanction.Kind.BAN) != (ends_on is not None):
        raise BadInput("bad-date", gettext("A ban has an end, an exile has none."), "$.ends_on")
    today = timezone.localdate()
    if ends_on is not None and ends_on < today:
        raise BadInput("bad-date", gettext("A ban ends today or later."), "$.ends_on")
    return Sanction.objects.create(
        league=league,
        player=player,
        kind=kind,
        starts_on=today,
        ends_on=ends_on,
        reason=text(reason, "reason", 2000, 1),
        given_by=by.player,
    )


def lift(*, by: Actor, sanction: Sanction) -> None:
    """Lift a ban or an exile today. Raises: NotAllowed."""
    policy.require_run(by, sanction.league)
    if sanction.lifted_on is None:
        sanction.lifted_on = timezone.localdate()
        sanction.save(update_fields=["lifted_on"])


# -- tournaments --------------------------------------------------------------------------


def _game(name: str) -> Ruleset:
    try:
        return rules.game(name)
    except KeyError:
        raise BadInput(
            "unknown-ruleset", gettext("There is no game {name!a}.").format(name=name), "$.ruleset"
        ) from None


def require_timezone(name: str) -> str:
    if name not in zoneinfo.available_timezones():
        raise BadInput(
            "bad-timezone",
            gettext("There is no time zone {name!a}.").format(name=name[:40]),
            "$.timezone",
        )
    return name


@dataclass(frozen=True)
class Opening:
    """A tournament that may be opened, with its planned stages and the act that begins its log."""

    tournament: Tournament
    plans: Sequence[StagePlan]
    request: Request

    @property
    def before(self) -> Tournament | None:
        """The tournament that the same request opened before. Raises: IdReused."""
        return _opened_before(self.request, self.tournament.pk)

    def keep(self, drafting: logs.Drafting | None = None, rows: Sequence[Model] = ()) -> Tournament:
        """Write it down in one transaction, with what is drafted of its log and what goes with it.

        Without a draft its log begins. Of the same request sent twice at once one is kept.
        """
        tournament = self.tournament
        if drafting is None:
            drafting = logs.Drafting(tournament.log)
            drafting.add(self.request)
        try:
            with transaction.atomic():
                tournament.log.save(force_insert=True)
                tournament.code = new_code(Tournament)
                tournament.save(force_insert=True)
                for plan in self.plans:
                    plan.tournament = tournament
                StagePlan.objects.bulk_create(self.plans)
                insert(rows)
                drafting.store()
        except IntegrityError:  # the same request, a moment ago
            if found := self.before:
                return found
            raise
        tournament.just_opened = True
        return tournament


def insert(rows: Sequence[Model]) -> None:
    """Insert new rows of any models, in their order."""
    for model, of_it in groupby(rows, lambda row: row.__class__):
        model._default_manager.bulk_create(of_it, 500)


def open_tournament(*, by: Actor, title: str, **details: Any) -> Tournament:
    """Open a tournament: its desk's log with the setup as first entry, and its planned stages.

    The same `act_id` of the same player opens it once. Raises: as `draft_tournament`.
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
    timezone_name: str = "UTC",
    starts_at: datetime | None = None,
    **details: Any,
) -> Opening:
    """Return a tournament as it would be opened; nothing is written.

    `desk`: the desk's own options, such as the cap. `stages`: what each `stage-started` will
    say, with `name` and `cut`.

    Raises: NotAllowed, BadInput, Impossible, IdReused.
    """
    opener = policy.require_make(by)
    league = league or (season.league if season else None)
    if league is not None:
        policy.require_run(by, league)
    if season is not None and league is not None and season.league_id != league.pk:
        raise BadInput("other-league", gettext("That season is another league's."), "$.season")
    game = _game(ruleset)
    settings = canonical.convert(dict(options or {}), game.options_type, "$.options")
    floor = _floor(game, settings)
    plans = _plans([_on(floor, stage) for stage in stages])
    if details.get("round_minutes") is None:
        details["round_minutes"] = floor.minutes if floor else 0
    pk = uuid5(opener.pk, f"tournament {act_id}") if act_id else uuid7()
    seed = secrets.token_bytes(32)
    setup = DeskOpened(
        ruleset=DESK,
        options=desk or Options(),
        seats=(),
        log=str(pk),
        commitment=fair.commitment(seed),
    )
    title = text(title, "title", 120, 1)
    beside = league, season, division, venue
    said = msgspec.json.encode(
        [
            *(title, game.key, setup.options, settings, list(stages)),
            *(about, cost_class, timezone_name, starts_at, details),
            *(each and each.pk for each in beside),
        ],
        enc_hook=str,
        order="deterministic",
    ).decode()
    request = Request(act_id or uuid7(), setup, opener.pk, said=said)
    tournament = Tournament(
        log=Log(
            pk=pk,
            ruleset=DESK,
            options=msgspec.json.encode(setup.options).decode(),
            seed=seed.hex(),
            public_version=0,
        ),
        title=title,
        about=text(about, "about"),
        league=league,
        season=season,
        division=division,
        venue=venue,
        ruleset=f"{game.key}@{game.version}",
        options=msgspec.json.encode(settings).decode(),
        cost_class=text(cost_class, "cost_class", 40),
        timezone=require_timezone(timezone_name),
        starts_at=starts_at,
        opener=opener,
        **details,
    )
    return Opening(tournament, plans, request)


def _opened_before(request: Request, pk: UUID) -> Tournament | None:
    found = Tournament.objects.select_related("log").filter(pk=pk).first()
    if found is not None:
        first = Event.objects.get(log_id=pk, version=1, ordinal=0)
        if first.request_digest != request.digest:
            raise IdReused(request.act_id)
    return found


EDITABLE = {
    "title": 120,
    "about": texts.MOST,
    "cost_class": 40,
}


def edit_tournament(*, by: Actor, tournament: Tournament, **changes: Any) -> None:
    """Change what stands around a desk; nothing in its log. Raises: NotAllowed, BadInput."""
    policy.require_organise(by, tournament)
    for name, value in changes.items():
        if name in EDITABLE:
            value = text(value, name, EDITABLE[name], int(name == "title"))
        elif name == "timezone":
            value = require_timezone(value)
        elif name == "visibility" and value not in Tournament.Visibility.values:
            raise BadInput(
                "unknown-value", gettext("Visible to `public` or `entrants`."), "$.visibility"
            )
        elif name == "decks" and value not in Tournament.Decks.values:
            raise BadInput(
                "unknown-value", gettext("Decks are `none`, `optional` or `required`."), "$.decks"
            )
        elif name == "shared_prizes":
            _require_way(tournament, value)
        elif name == "remind_hours":
            _require_hours(value)
        setattr(tournament, name, value)
    with transaction.atomic():
        was = Tournament.objects.select_for_update().get(pk=tournament.pk).visibility
        tournament.save(update_fields=list(changes))
        if tournament.visibility != was:
            tables.show_as_it(tournament)
    if {"starts_at", "timezone"} & changes.keys():
        entering.check_again(tournament)


def _require_way(tournament: Tournament, value: str) -> None:
    """Raises: BadInput for no way to share prizes; Conflict for another once one was given."""
    if value not in Tournament.SharedPrizes.values:
        text = gettext("Prizes of shared places are `split`, or go by `order`.")
        raise BadInput("unknown-value", text, "$.shared_prizes")
    given = tournament.prizes.exclude(given_at=None).exists()
    if given and value != Tournament.objects.get(pk=tournament.pk).shared_prizes:
        text = gettext("Some prizes were given; the others go the same way.")
        raise Conflict("prizes-given", text)


def _require_hours(hours: int) -> None:
    """Raises: BadInput for hours that nobody is reminded before."""
    if not 0 <= hours <= MOST_HOURS:
        text = gettext("Players are reminded from 0 to {most} hours before.").format(
            most=MOST_HOURS
        )
        raise BadInput("out-of-range", text, "$.remind_hours")


def withdraw(*, by: Actor, tournament: Tournament) -> None:
    """Take an abandoned tournament from view, with its matches. Nothing of it is removed."""
    policy.require_organise(by, tournament)
    with transaction.atomic():
        tournament.log.status = Log.Status.WITHDRAWN
        tournament.log.save(update_fields=["status"])
        tables.show_as_it(tournament)


def plan_stages(*, by: Actor, tournament: Tournament, stages: Sequence[Mapping[str, Any]]) -> None:
    """Plan the stages anew. Those that started stay as they are in the log.

    Raises: NotAllowed, BadInput for what the desk would refuse when a stage starts.
    """
    policy.require_organise(by, tournament)
    game = rules.get(tournament.ruleset)
    settings = msgspec.json.decode(tournament.options, type=game.options_type)
    plans = _plans([_on(_floor(game, settings), stage) for stage in stages])
    with transaction.atomic():
        Tournament.objects.select_for_update().get(pk=tournament.pk)
        tournament.plans.all().delete()
        for plan in plans:
            plan.tournament = tournament
        StagePlan.objects.bulk_create(plans)


def _floor(game: Ruleset, options: Any) -> Floor | None:
    """Return the floor rules of a game, None where it has none."""
    return game.floor(options) if isinstance(game, HasFloor) else None


def _on(floor: Floor | None, stage: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a planned stage; where it is silent, as the game's floor rules have it."""
    if floor is None or stage.get("format") not in TIMED:
        return stage
    usual: dict[str, Any] = {"best_of": floor.best_of, "time_up": floor.time_up}
    if stage.get("format") == "swiss":
        usual["tiebreaks"] = list(floor.tiebreaks)
    return {**usual, **stage}


def _plans(stages: Sequence[Mapping[str, Any]]) -> list[StagePlan]:
    """Return planned stages. Raises: BadInput for what the desk would refuse when they start."""
    plans: list[StagePlan] = []
    for order, stage in enumerate(stages, 1):
        plan = _plan(order, stage)
        _require_cut(plan, plans[-1] if plans else None)
        plans.append(plan)
    return plans


def _plan(order: int, stage: Mapping[str, Any]) -> StagePlan:
    """Return a planned stage. Raises: BadInput."""
    where = f"$.stages[{order - 1}]"
    settings = dict(stage)
    name = canonical.text_from(settings.pop("name", ""), f"{where}.name", 80)
    cut = settings.pop("cut", 0)
    for own in ("players", "type"):
        if own in settings:
            raise BadInput("unknown-field", f"`{own}` is said when the stage starts.", where)
    setup = canonical.convert(settings, StageStarted, where)
    for field, domain in planned(setup):
        text = _may_be(setup.format, field, domain)
        raise BadInput("out-of-range", text, f"{where}.{field}")
    return StagePlan(order=order, name=name, settings=settings, cut=cut)


def _may_be(format_: str, field: str, domain: Field | None) -> str:
    """Say what a field of a stage may be."""
    match domain:
        case Range(low, high):
            return f"`{field}` is from {low} to {high}."
        case Row(low, high, most):
            return f"`{field}` are at most {most} numbers from {low} to {high}."
        case Ordered(values, most):
            return f"`{field}` are at most {most}, none twice, of {', '.join(map(str, values))}."
        case Choice(values):
            known = (", ".join(map(str, v)) if isinstance(v, tuple) else str(v) for v in values)
            return f"`{field}` is one of {', '.join(known)}."
    return gettext("A stage of {format} has no `{field}`.").format(format=format_, field=field)


def _require_cut(plan: StagePlan, before: StagePlan | None) -> None:
    """Raises: BadInput for a cut that can not be made, or that its stage can not be played by."""
    where = f"$.stages[{plan.order - 1}].cut"
    cut, format_ = plan.cut, plan.settings["format"]
    if type(cut) is not int or not (cut == 0 or 2 <= cut <= cuts.CUTS[-1]):
        raise BadInput(
            "bad-cut",
            gettext("A cut is from 2 to {CUTS}, or 0 for none.").format(CUTS=cuts.CUTS[-1]),
            where,
        )
    if cut and before is None:
        raise BadInput("bad-cut", gettext("There is no stage before the first to cut."), where)
    if cut and before is not None and before.settings["format"] in KNOCKOUTS:
        raise BadInput(
            "bad-cut", gettext("A knock-out is not cut: it is played to its end."), where
        )
    known = counts_for(format_, plan.settings.get("sizes", ()))
    if cut and known and cut not in known:
        counts = ", ".join(map(str, known))
        raise BadInput(
            "bad-cut",
            gettext("A stage of {format} is played by {counts}.").format(
                format=format_, counts=counts
            ),
            where,
        )


def promise_prize(
    *, by: Actor, tournament: Tournament, place: int, amount: int = 0, line: str = ""
) -> Prize:
    """Promise a place a prize: money, a piece of gear as one line, or both.

    Raises: NotAllowed, BadInput.
    """
    policy.require_organise(by, tournament)
    line = text(line, "line", 200)
    if not amount and not line:
        raise BadInput(
            "missing-field", gettext("A prize is money, a line of gear, or both."), "$.amount"
        )
    if not 1 <= place <= MOST_PLACE:
        said = gettext("A place is from 1 to {most}.").format(most=MOST_PLACE)
        raise BadInput("bad-place", said, "$.place")
    if not 0 <= amount <= MOST_AMOUNT:
        said = gettext("A prize of money is from 0 to {most}.").format(most=MOST_AMOUNT)
        raise BadInput("bad-amount", said, "$.amount")
    return Prize.objects.create(tournament=tournament, place=place, amount=amount, line=line)


def unpromise_prize(*, by: Actor, tournament: Tournament, prize: int) -> None:
    """Take a promise back that was not kept yet. Raises: NotAllowed, NotFound, Conflict."""
    policy.require_organise(by, tournament)
    with transaction.atomic():
        found = tournament.prizes.select_for_update().filter(pk=prize).first()
        if found is None:
            raise NotFound(gettext("There is no such prize."), "no-such-prize")
        if found.given_at is not None:
            raise Conflict("prizes-given", gettext("That prize was given."))
        found.delete()
