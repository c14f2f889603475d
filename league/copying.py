"""Opening a tournament like another one: what is copied, and what is suggested."""

import re
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
from django.utils import timezone

from league import clocks, desks, finals, planning, policy, seasons, selectors
from league.models import Circuit, Qualifier, Tournament
from league.opening import Settings, draft_tournament
from matches.actors import Actor

SAME = (
    *("ruleset", "league", "venue", "timezone", "about", "cost_class", "enters", "round_minutes"),
    *Settings.__annotations__,
)
"""What is copied as it is. Decks are published anew each time, so that setting is not."""
WEEK = timedelta(weeks=1)
NUMBERED = re.compile(r"(?<![0-9./-])[0-9]{1,4}$")
"""The number at the end of a name, as in `Club night 12` or `Open 2026`; not of a date."""


def open_like(
    *, by: Actor, former: Tournament, starts_at: datetime | None = None, **changes: Any
) -> Tournament:
    """Open a tournament with the settings and planned stages of another, except for `changes`.

    It belongs to the season of its league running on its day and, within the same season, to the
    same division. Without `circuits` it counts for the same ones as far as `by` may let it.
    Entries, dates of rounds, prizes and officials are not copied. The same `act_id` opens it once.
    Raises: NotAllowed, and what `open_tournament` raises.
    """
    policy.require_organise(by, former)
    details = settings_of(former) | changes
    if "venue" in changes and "timezone" not in changes:
        details["timezone"] = ""
    if "season" not in changes:
        day = timezone.localdate(starts_at, ZoneInfo(former.timezone))
        details["season"] = selectors.season_in(details["league"], day)
    if details["season"] is not None and details["season"] == former.season:
        details.setdefault("division", former.division)
    opening = draft_tournament(by=by, starts_at=starts_at, **details)
    rows = [] if "circuits" in changes else _qualifiers(by, former, opening.tournament)
    return opening.before or opening.keep(rows=rows)


def circuits_left(former: Tournament, tournament: Tournament) -> list[Circuit]:
    """Return the circuits for which a tournament counts and the one opened like it does not."""
    found = Circuit.objects.filter(qualifiers__tournament=former)
    return list(found.exclude(qualifiers__tournament=tournament))


def _qualifiers(by: Actor, former: Tournament, tournament: Tournament) -> list[Qualifier]:
    """Return the rows by which a new tournament counts for the circuits of a former one.

    Those of another season are left out, and those that `by` does not run or whose final has begun.
    """
    found = former.qualifiers.filter(circuit__season=tournament.season)
    return [
        Qualifier(
            circuit=each.circuit,
            tournament=tournament,
            order=seasons.next_order(each.circuit),
            tier=each.tier,
            direct=each.direct,
        )
        for each in found.select_related("circuit__season__league", "circuit__final__log")
        if policy.may_run(by, each.circuit.season.league) and not finals.has_begun(each.circuit)
    ]


def settings_of(former: Tournament) -> dict[str, Any]:
    """Return the settings and planned stages of a tournament, as `open_tournament` takes them."""
    stages = planning.as_sent(former)
    for stage in stages:
        stage.pop("seed", None)  # each draws its own
    return {
        **{name: getattr(former, name) for name in SAME},
        "options": msgspec.json.decode(former.options),
        "desk": desks.setup_of(former).options,
        "stages": stages,
    }


def title_after(former: Tournament) -> str:
    """Return the name for the next one: its number raised by one, else 2; "" after a date."""
    title, found = former.title, NUMBERED.search(former.title)
    if found:
        return f"{title[: found.start()]}{int(found[0]) + 1:0{len(found[0])}}"
    return "" if title[-1:].isdecimal() else f"{title} 2"


def starts_after(former: Tournament) -> datetime | None:
    """Return when the next one would begin: same weekday and time, in the first week to come."""
    if former.starts_at is None:
        return None
    weeks = max((timezone.now() - former.starts_at) // WEEK + 1, 1)
    return clocks.later(former.starts_at, former.timezone, weeks * WEEK)
