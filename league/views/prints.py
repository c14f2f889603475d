"""The print centre of a tournament: papers to hang on a wall or put on a table."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from characters.printing import PAPERS, paper_of
from league.displays import RoundDisplay, TableDisplay, by_name, table_rows
from league.scene import Scene
from league.views.tournament import round_in, shown, stage_in
from matches.errors import NotFound
from matches.pages import number_in
from matches.views.seats import qr

KINDS = {
    "names": (
        gettext_lazy("Pairings by name"),
        gettext_lazy("For the wall: everybody finds their table."),
    ),
    "tables": (
        gettext_lazy("Pairings by table"),
        gettext_lazy("For the wall, or for whoever runs the hall."),
    ),
    "standings": (
        gettext_lazy("Standings"),
        gettext_lazy("The table of a stage as it stands now."),
    ),
    "slips": (
        gettext_lazy("Result slips"),
        gettext_lazy("Six on a page, to be cut: names, boxes for the score, signatures."),
    ),
    "sheets": (
        gettext_lazy("Log sheets"),
        gettext_lazy("One page per table, to write a match down by hand and enter it later."),
    ),
    "badges": (gettext_lazy("Name badges"), gettext_lazy("Ten on a page, to be cut.")),
}
OF_A_ROUND = ("names", "tables", "slips", "sheets")
BLANK = range(24)
"""Lines on a log sheet."""


@never_cache
@require_safe
def print_list(request: HttpRequest, code: str) -> HttpResponse:
    """List what can be printed now, for each round and paper size."""
    scene, context = shown(request, code, live=True)
    context |= {
        "kinds": [(kind, *words, kind in OF_A_ROUND) for kind, words in KINDS.items()],
        "papers": PAPERS,
        "rounds": list(reversed(scene.rounds)),
    }
    return render(request, "league/print_list.html", context)


@never_cache
@require_safe
def print_page(request: HttpRequest, code: str, kind: str) -> HttpResponse:
    """Show one thing to print: `?paper=` a4 or letter, `?round=` by default the last."""
    if kind not in KINDS:
        raise NotFound(gettext("There is nothing like that to print."), "no-such-print")
    paper = paper_of(request.GET.get("paper", "a4"))
    scene, context = shown(request, code, live=True)
    context |= {
        "kind": kind,
        "title": KINDS[kind][0],
        "paper": paper,
        "papers": PAPERS,
        "round": _round(request, scene) if kind in OF_A_ROUND else None,
        "sheet": [f"rules/{_game(scene)}/_sheet.html", "league/_sheet.html"],
        "blank": BLANK,
        "parts": [f"league/_print_{kind}.html"],
    }
    context |= GIVES[kind](request, scene, context["round"])
    return render(request, "league/print_page.html", context)


def _game(scene: Scene) -> str:
    return str(scene.tournament.ruleset.partition("@")[0])


def _round(request: HttpRequest, scene: Scene) -> RoundDisplay | None:
    number = number_in(request, "round")
    return round_in(scene, number) if number is not None else scene.current


def _names(request: HttpRequest, scene: Scene, found: RoundDisplay | None) -> dict[str, Any]:
    return {"rows": by_name(found) if found else []}


def _tables(request: HttpRequest, scene: Scene, found: RoundDisplay | None) -> dict[str, Any]:
    return {"tables": found.tables if found else []}


def _standings(request: HttpRequest, scene: Scene, found: RoundDisplay | None) -> dict[str, Any]:
    stage = stage_in(request, scene) if scene.stages else None
    after = number_in(request, "after")
    rows = scene.standing_rows(stage, after) if stage else []
    table = table_rows(rows, scene.names, scene.stages)
    return {
        "stage": stage,
        "after": after,
        "rows": table,
        "codes": table[0]["breaks"] if table else [],
    }


def _with_codes(request: HttpRequest, scene: Scene, found: RoundDisplay | None) -> dict[str, Any]:
    """Give each table a QR code: for its match once that is open, else for the table."""
    tables = found.tables if found else []
    return {"coded": [(seen, *_code(request, scene, seen)) for seen in tables]}


def _code(request: HttpRequest, scene: Scene, seen: TableDisplay) -> tuple[str, Any]:
    if seen.matches:
        path = reverse("matches:match-detail", args=[seen.matches[-1]])
        text = gettext("QR code of the match at table {number}")
    else:
        at = [scene.tournament.code, seen.round, seen.table.number]
        path = reverse("league:table-detail", args=at)
        text = gettext("QR code of table {number}")
    link = request.build_absolute_uri(path)
    return link, qr(link, text.format(number=seen.table.number))


def _badges(request: HttpRequest, scene: Scene, found: RoundDisplay | None) -> dict[str, Any]:
    people = [
        (number, scene.names[number], scene.entries[number].player)
        for number, person in enumerate(scene.desk.people, 1)
        if person.status == "in"
    ]
    return {"people": people}


GIVES: dict[str, Callable[[HttpRequest, Scene, RoundDisplay | None], dict[str, Any]]] = {
    "names": _names,
    "tables": _tables,
    "standings": _standings,
    "slips": _with_codes,
    "sheets": _with_codes,
    "badges": _badges,
}
