"""The wall: a tournament on a projector, in screens that follow one another in large type.

It shows what the public may know, whoever is signed in at the computer.
"""

from fractions import Fraction
from typing import Any
from unicodedata import east_asian_width

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from league import due, journal, selectors
from league.displays import StageDisplay, TableDisplay, TableSide, by_name, table_rows
from league.live_scores import live_scores
from league.scene import Scene
from league.texts import alphabetical
from matches.actors import NOBODY, actor_of
from matches.pages import number_in, of_results
from matches.views.seats import qr
from rules.desk import standings
from rules.desk.standings import final_places

ROWS = 16
"""Lines on a screen if each is short: two columns of eight on a wide one."""
FEW = 8
"""Lines in one column: they are larger."""
LENGTH = 90
"""Letters of a short line; one twice as long takes the room of two."""
SMALL = 0.7
"""The size of what stands beside a name."""
EVERY = 15
"""Seconds that a screen is shown."""
KINDS: dict[str, Any] = {
    "pairings": gettext_lazy("Pairings"),
    "tables": gettext_lazy("Tables"),
    "standings": gettext_lazy("Standings"),
    "people": gettext_lazy("Entries"),
}

Screen = dict[str, Any]


@require_safe
@of_results
def wall(request: HttpRequest, code: str) -> HttpResponse:
    """Show a screen: `?screen=` counts from 0 and wraps around; `?show=` restricts to a kind."""
    tournament = selectors.tournament_for(actor_of(request), code)
    scene = Scene(NOBODY, tournament)
    show = request.GET.get("show", "")
    show = show if show in KINDS else ""
    screens = [screen for screen in screens_of(scene) if not show or screen["kind"] == show]
    number = (number_in(request, "screen") or 0) % max(len(screens), 1)
    context = {
        "tournament": tournament,
        "scene": scene,
        "screen": screens[number] if screens else None,
        "number": number + 1,
        "count": len(screens),
        "after": (number + 1) % max(len(screens), 1),
        "show": show,
        "announced": journal.announced(scene)[:1],
        "every": EVERY,
        "timer": due.timer(scene),
        "qr": qr(
            request.build_absolute_uri(tournament.get_absolute_url()),
            gettext("This tournament on one's phone"),
        ),
    }
    answer = render(request, "league/wall.html", context)
    patch_cache_control(answer, private=True, no_cache=True)
    return answer


def screens_of(scene: Scene) -> list[Screen]:
    """Return the screens shown now, in order."""
    found: list[Screen] = []
    now = scene.open_round
    if now is not None:
        lines = [
            {
                "name": name,
                "end": _table(seen) if seen else gettext("Bye"),
                "with": _foes(seen, side) if seen else "",
            }
            for name, seen, side in by_name(now)
        ]
        found += _screens("pairings", gettext("{stage}: pairings").format(stage=now.name), lines)
    if scene.stages:
        found += _stage(scene)
    elif scene.names:
        lines = [{"name": name} for name in sorted(scene.names.values(), key=alphabetical)]
        found += _screens("people", gettext("Who takes part"), lines)
    return found


def _foes(seen: TableDisplay, side: TableSide) -> str:
    foes = ", ".join(each.name for each in seen.sides if each != side)
    return gettext("v {foes}").format(foes=foes)


def _stage(scene: Scene) -> list[Screen]:
    """Return the screens of the last stage: the tables of its last round, then its standings.

    For a closed tournament the final order.
    """
    if scene.desk.order:
        lines = [
            {"place": place, "name": scene.names[one]}
            for one, place in final_places(scene.desk).items()
        ]
        return _screens("standings", gettext("Final order"), lines)
    stage = scene.stages[-1]
    rows = scene.standing_rows(stage)
    if not stage.counts_points:  # entrants still in a bracket have no place yet
        out = standings.left_at(scene.desk, stage.index)
        rows = [row for row in rows if row.entrant in out or row.stage is not None]
    lines = [
        {
            "place": each["row"].place,
            "name": each["name"],
            "with": each["of"] or each["group"],
            "end": "" if each["of"] else _points(each["row"].points, each["points"]),
        }
        for each in table_rows(rows, scene.names, scene.stages)
    ]
    title = gettext("{stage}: standings").format(stage=stage.name)
    return [*_tables(scene, stage), *_screens("standings", title, lines)]


def _tables(scene: Scene, stage: StageDisplay) -> list[Screen]:
    """Return the screens of the last round's tables: those being played, in a bracket all."""
    last = scene.current
    if last is None:
        return []
    scores = live_scores(scene, last.number)
    lines = []
    for seen in last.tables:
        score = scores.get((seen.round, seen.table.number))
        if score or not stage.counts_points:
            name = score.headline if score else seen.names
            lines.append({"name": name, "end": seen.result_text or _table(seen), "with": seen.what})
    return _screens("tables", last.name, lines)


def _table(seen: TableDisplay) -> str:
    return gettext("Table {number}").format(number=seen.table.number)


def _points(number: Fraction | None, text: str) -> str:
    if number is None:
        return ""
    one = 1 if number == 1 else 2
    worded: str = ngettext("{points} point", "{points} points", one)
    return worded.format(points=text)


def _screens(kind: str, title: str, lines: list[dict[str, Any]]) -> list[Screen]:
    """Split lines into as many screens as they need: fewer on each where they are long."""
    screens: list[Screen] = []
    room = 0.0
    for line in lines:
        takes = _room_for(line)
        if not screens or room + takes > ROWS:
            screens.append({"kind": kind, "title": title, "lines": []})
            room = 0
        screens[-1]["lines"].append(line)
        room += takes
        screens[-1]["few"] = room <= FEW
    return screens


def _room_for(line: dict[str, Any]) -> float:
    """Return how many short lines take as much room as a line does, at least 1."""
    return max(1, (_width(line["name"]) + SMALL * _width(line.get("with", ""))) / LENGTH)


def _width(text: str) -> float:
    """Return about how wide a text is, in small letters: capitals and signs are wider."""
    return sum(3 if east_asian_width(c) in "WF" else 1.5 if c.isupper() else 1 for c in text)
