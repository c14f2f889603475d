"""Create, edit and remove seasons with their divisions, and circuits with their qualifiers."""

import re
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import date
from typing import Any
from uuid import UUID

from django.utils.formats import number_format
from django.utils.translation import gettext

from league import finals, policy, texts
from league.models import Circuit, Division, League, Qualifier, Season, Tournament
from matches import once
from matches.actors import Actor
from matches.errors import BadInput, Conflict

MAX_POINTS = 10**6
MAX_PLACES = 4096
MAX_SIZES = 16
SIZE = re.compile("[1-9][0-9]{0,3}")
"""A minimum number of players for a list of points."""
COUNTS = ("best", "direct", "by_ranking")
"""How many results of a circuit count, and how many places in its final there are."""
MAX_SMALL = 32767
"""The maximum level or count: what a small integer column holds on either database."""

# -- seasons ------------------------------------------------------------------------------


def open_season(
    *,
    by: Actor,
    league: League,
    name: str,
    starts_on: date,
    ends_on: date,
    about: str = "",
    previous: Season | None = None,
    divisions: Sequence[str] = (),
    act_id: UUID | None = None,
) -> Season:
    """Begin a season of a league; `divisions` by name, the highest first.

    Idempotent per `act_id`. Raises: NotAllowed, BadInput, Conflict.
    """
    policy.require_run(by, league)
    _require_dates(starts_on, ends_on)
    name = texts.name(name)
    titles = [texts.text(title, "divisions", 80, 1) for title in divisions]
    if twice := next((each for each in titles if titles.count(each) > 1), None):
        detail = gettext("Two divisions are called {name}.").format(name=twice)
        raise BadInput("name-taken", detail, "$.divisions")

    def keep(season: Season) -> None:
        season.save(force_insert=True)
        Division.objects.bulk_create(
            Division(season=season, level=level, name=title)
            for level, title in enumerate(titles, 1)
        )

    def same(season: Season) -> bool:
        return list(season.divisions.values_list("name", flat=True)) == titles

    with _only_season_called(name):
        return once.make(
            Season,
            policy.require_make(by).pk,
            act_id,
            keep=keep,
            same=same,
            league=league,
            name=name,
            starts_on=starts_on,
            ends_on=ends_on,
            about=texts.of_field(Season, "about", about),
            previous=previous,
        )


def edit_season(*, by: Actor, season: Season, **changes: Any) -> None:
    """Edit the name, dates or text of a season. Raises: NotAllowed, BadInput, Conflict."""
    policy.require_run(by, season.league)
    _set(season, changes)
    _require_dates(season.starts_on, season.ends_on)
    with _only_season_called(season.name):
        season.save(update_fields=list(changes))


def _only_season_called(name: str) -> AbstractContextManager[None]:
    text = gettext("There is a season {name} already.").format(name=name)
    return once.only_one("name-taken", text, "$.name")


def _require_dates(starts_on: date, ends_on: date) -> None:
    if ends_on < starts_on:
        raise BadInput("bad-date", gettext("A season cannot end before it starts."), "$.ends_on")


def add_division(*, by: Actor, season: Season, **fields: Any) -> Division:
    """Add a division to a season: its name, level, and how many move at the end.

    Raises: NotAllowed, BadInput, Conflict for a taken name or level.
    """
    policy.require_run(by, season.league)
    division = Division(season=season)
    _set(division, fields)
    _require_own_name(division)
    _require_play_off(by, division)
    with _only_one_at(division.level):
        division.save(force_insert=True)
    return division


def edit_division(*, by: Actor, division: Division, **changes: Any) -> None:
    """Edit a division's name, level, or numbers of moves. Raises: as `add_division`."""
    policy.require_run(by, division.season.league)
    _set(division, changes)
    _require_own_name(division)
    if "play_off_in" in changes:
        _require_play_off(by, division)
    with _only_one_at(division.level):
        division.save(update_fields=list(changes))


def _only_one_at(level: int) -> AbstractContextManager[None]:
    text = gettext("There is a level {level} already.").format(level=level)
    return once.only_one("level-taken", text, "$.level")


def free_level(season: Season) -> int:
    """Return the highest level of a season without a division."""
    used = set(season.divisions.values_list("level", flat=True))
    return next(level for level in range(1, len(used) + 2) if level not in used)


def _require_own_name(division: Division) -> None:
    others = Division.objects.filter(season=division.season, name=division.name)
    if others.exclude(pk=division.pk).exists():
        detail = gettext("There is a division {name} already.").format(name=division.name)
        raise Conflict("name-taken", detail, where="$.name")


def _require_play_off(by: Actor, division: Division) -> None:
    """Raises: NotAllowed, BadInput for a tournament that cannot decide who keeps a place."""
    tournament = division.play_off_in
    if tournament is None:
        return
    policy.require_organise(by, tournament)
    if tournament.league_id != division.season.league_id:
        raise BadInput(
            "other-league", gettext("That tournament is not of this league."), "$.play_off_in"
        )
    if tournament.division_id is not None:
        text = gettext("A tournament that counts in a division is no play-off.")
        raise BadInput("counts-in-division", text, "$.play_off_in")


def _set(thing: Season | Division | Circuit, changes: dict[str, Any]) -> None:
    """Set fields of a row after validating texts and numbers. Raises: BadInput."""
    for field, value in changes.items():
        if isinstance(value, int) and not 0 <= value <= MAX_SMALL:
            detail = gettext("A whole number from 0 to {most}.").format(
                most=number_format(MAX_SMALL)
            )
            raise BadInput("bad-number", detail, f"$.{field}")
        if field in ("name", "about"):
            value = texts.of_field(type(thing), field, value)
        setattr(thing, field, value)


# -- circuits -----------------------------------------------------------------------------


def open_circuit(
    *,
    by: Actor,
    season: Season,
    name: str,
    points: Sequence[int] | Mapping[str, Sequence[int]],
    best: int = 0,
    direct: int = 0,
    by_ranking: int = 0,
    pass_down: str = Circuit.PassDown.TOURNAMENT,
    about: str = "",
    act_id: UUID | None = None,
) -> Circuit:
    """Create a circuit in a season. `points` are for the first, second … place.

    They may also be a list per minimum number of players. Idempotent per `act_id`. Raises:
    NotAllowed, BadInput, Conflict.
    """
    policy.require_run(by, season.league)
    counts = dict(zip(COUNTS, (best, direct, by_ranking), strict=True))
    circuit = Circuit(season=season, pass_down=pass_down, points=points)
    _set(circuit, {"name": name, "about": about, **counts})
    _require_rules(circuit)
    names = ("season", "name", "points", "pass_down", "about", *counts)
    fields = {name: getattr(circuit, name) for name in names}
    with _only_circuit_called(circuit.name):
        return once.make(Circuit, policy.require_make(by).pk, act_id, **fields)


def edit_circuit(*, by: Actor, circuit: Circuit, **changes: Any) -> None:
    """Edit a circuit's name and, until its final begins, its rules.

    Raises: NotAllowed, BadInput, Conflict.
    """
    policy.require_run(by, circuit.season.league)
    was = _rules_of(circuit)
    _set(circuit, changes)
    _require_rules(circuit)
    if _rules_of(circuit) != was:
        finals.require_to_come(circuit)
    with _only_circuit_called(circuit.name):
        circuit.save(update_fields=list(changes))


def _only_circuit_called(name: str) -> AbstractContextManager[None]:
    text = gettext("There is a circuit {name} already.").format(name=name)
    return once.only_one("name-taken", text, "$.name")


def _rules_of(circuit: Circuit) -> list[Any]:
    """Return what decides who is in the final of a circuit."""
    return [getattr(circuit, name) for name in ("points", *COUNTS, "pass_down")]


def _require_rules(circuit: Circuit) -> None:
    """Raises: BadInput for invalid points or an unknown way of passing places down."""
    circuit.points = _points(circuit.points)
    if circuit.pass_down not in Circuit.PassDown.values:
        text = gettext("A place passes to `tournament` or `ranking`.")
        raise BadInput("unknown-value", text, "$.pass_down")


def _points(given: Any) -> list[int] | dict[str, list[int]]:
    """Return points by place, or such lists by number of players, as stored. Raises: BadInput."""
    if not isinstance(given, dict):
        return _by_place(given)
    if not 1 <= len(given) <= MAX_SIZES:
        text = gettext("Points can depend on at most {most} numbers of players.")
        raise BadInput("bad-points", text.format(most=MAX_SIZES), "$.points")
    if not all(SIZE.fullmatch(str(least)) for least in given):
        text = gettext("A number of players is from 1 to {most}.")
        raise BadInput("bad-points", text.format(most=number_format(9999)), "$.points")
    return {str(least): _by_place(points) for least, points in given.items()}


def _by_place(given: Any) -> list[int]:
    """Return the points of places as stored. Raises: BadInput."""
    points = list(given) if isinstance(given, list | tuple) else []
    if len(points) > MAX_PLACES:
        text = gettext("At most {most} places get points.")
        raise BadInput(
            "bad-points",
            text.format(most=number_format(MAX_PLACES, force_grouping=True)),
            "$.points",
        )
    if not points:
        raise BadInput(
            "bad-points", gettext("Points are a list: of the first, second … place."), "$.points"
        )
    if any(type(each) is not int or not 0 <= each <= MAX_POINTS for each in points):
        text = gettext("Points of a place are a whole number from 0 to {most}.")
        raise BadInput(
            "bad-points",
            text.format(most=number_format(MAX_POINTS, force_grouping=True)),
            "$.points",
        )
    return points


def add_qualifier(
    *, by: Actor, circuit: Circuit, tournament: Tournament, tier: int = 1, direct: int | None = None
) -> Qualifier:
    """Let a tournament count for a circuit, until its final begins.

    One of another league, or of no season, may; one of another season of the league may not.
    Raises: NotAllowed, BadInput, Conflict.
    """
    policy.require_run(by, circuit.season.league)
    policy.require_organise(by, tournament)
    require_players(tournament, "$.tournament")
    if circuit.final_id == tournament.pk:
        detail = gettext("The final does not count for its own circuit.")
        raise Conflict("is-the-final", detail, where="$.tournament")
    _require_counts(circuit, tournament, "$.tournament")
    found, _ = Qualifier.objects.get_or_create(
        circuit=circuit,
        tournament=tournament,
        defaults={"order": next_order(circuit), "tier": tier, "direct": direct},
    )
    return found


def qualifiers_at_opening(tournament: Tournament, circuits: Sequence[Circuit]) -> list[Qualifier]:
    """Return the rows by which a tournament that is being opened counts for circuits of its season.

    Who may open it in that season runs the league. Raises: BadInput, Conflict.
    """
    if circuits:
        require_players(tournament, "$.circuits")
    for number, circuit in enumerate(circuits):
        where = f"$.circuits[{number}]"
        if circuit.season.league_id != tournament.league_id:
            text = gettext("{circuit} is a circuit of another league.").format(circuit=circuit)
            raise BadInput("other-league", text, where)
        _require_counts(circuit, tournament, where)
    return [
        Qualifier(circuit=each, tournament=tournament, order=next_order(each))
        for each in dict.fromkeys(circuits)
    ]


def _require_counts(circuit: Circuit, tournament: Tournament, where: str) -> None:
    """Require that a tournament is of no other season of a circuit's league, and its final to come.

    Raises: BadInput, Conflict.
    """
    of_league = circuit.season.league_id == tournament.league_id
    if of_league and tournament.season_id not in (None, circuit.season_id):
        text = gettext("{circuit} is of the season {season}; the tournament is not.")
        detail = text.format(circuit=circuit, season=circuit.season)
        raise BadInput("other-season", detail, where)
    finals.require_to_come(circuit, where)


def require_players(tournament: Tournament, where: str) -> None:
    """Raises: BadInput for a tournament of krewes: divisions and circuits rank players."""
    if tournament.enters == Tournament.Enters.KREWE:
        text = gettext("Krewes enter {tournament}; divisions and circuits rank players.")
        raise BadInput("enters-krewes", text.format(tournament=tournament), where)


def next_order(circuit: Circuit) -> int:
    """Return the place of a further tournament in the order of a circuit's."""
    last = circuit.qualifiers.order_by("order").last()
    return last.order + 1 if last else 1


def edit_qualifier(*, by: Actor, qualifier: Qualifier, **changes: int | None) -> None:
    """Edit how much a tournament counts for a circuit, until its final begins.

    Raises: NotAllowed, Conflict.
    """
    policy.require_run(by, qualifier.circuit.season.league)
    finals.require_to_come(qualifier.circuit)
    for field, value in changes.items():
        setattr(qualifier, field, value)
    qualifier.save(update_fields=list(changes))


def name_final(*, by: Actor, circuit: Circuit, tournament: Tournament | None) -> None:
    """Make a tournament the final of a circuit, or None, until its final begins.

    Raises: NotAllowed, BadInput, Conflict.
    """
    policy.require_run(by, circuit.season.league)
    if tournament == circuit.final:
        return
    finals.require_to_come(circuit, "$.final")
    if tournament is not None:
        policy.require_organise(by, tournament)
        require_players(tournament, "$.final")
        if circuit.qualifiers.filter(tournament=tournament).exists():
            raise Conflict("is-a-qualifier", gettext("A qualifier of a circuit is not its final."))
    circuit.final = tournament
    text = gettext("{tournament} is the final of another circuit.").format(tournament=tournament)
    with once.only_one("is-a-final", text):
        circuit.save(update_fields=["final"])
