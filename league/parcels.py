"""A league as a zip file for its organisers: all logs, certificates, entries and results.

league.json                      the index: seasons with the tables of their divisions and circuits,
                                 tournaments, matches, and which matches are left out
tournaments/CODE/log.ndjson      the desk's log, row by row
tournaments/CODE/tournament.json the whole tournament, importable at any site like this one
tournaments/CODE/entries.csv     entrants with their ratings
tournaments/CODE/results-1.csv   results of a stage, if its tables seat two
matches/CODE.ndjson              a match's log, importable with its id and hashes
matches/CODE.certificate.json    if the match is over and all of it is public
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import msgspec
from django.utils import timezone
from django.utils.translation import gettext

from league import circuits, desks, divisions, exporting, policy, selectors
from league.models import Circuit, League, Season, TableMatch, Tournament
from matches import certificates, transfer
from matches import selectors as logged
from matches.actors import Actor
from matches.errors import Conflict, NotAllowed, NotFound
from matches.jobkinds import JobKind, Progress
from matches.models import Job
from matches.parcels import Parcel

FORM = "zgxl-league@1"
INDEX = "league.json"
DIVISION = ("name", "level", "up", "down", "play_off")
CIRCUIT = ("name", "about", "points", "best", "direct", "by_ranking", "pass_down")


class LeagueParcel(JobKind):
    """All of a league, built in slices that do not repeat files already there.

    A match with something an organiser who plays in it may not see yet, such as an opponent's hand,
    is left out.
    """

    name = "league"

    def title(self, job: Job) -> str:
        return gettext("All of {league}").format(league=_league_of(job))

    def require(self, by: Actor, job: Job) -> None:
        policy.require_run(by, _league_of(job))

    def work(self, by: Actor, job: Job, progress: Progress) -> Any:
        league = _league_of(job)
        codes = list(league.tournaments.order_by("pk").values_list("code", flat=True))
        matches = _matches_of(league)
        parcel = Parcel(job.pk, progress, len(codes) + len(matches) + 1)
        for code in codes:
            _put_tournament(parcel, by, code)
            parcel.step()
        for match, _ in matches:
            _put_match(parcel, by, match)
            parcel.step()
        if not parcel.has(INDEX):
            parcel.put(INDEX, _index(by, league, codes, matches, parcel))
        parcel.step()
        return parcel.seal(f"{league.slug}.zip")


def _league_of(job: Job) -> League:
    league = League.objects.filter(pk=job.about).first() if job.about else None
    if league is None:
        raise NotFound(gettext("There is no such league."), "no-such-league")
    return league


def _matches_of(league: League) -> list[tuple[str, str]]:
    """Return the codes of a league's matches, each with its tournament's."""
    played = TableMatch.objects.filter(tournament__league=league).order_by("match")
    return list(played.values_list("match__code", "tournament__code"))


def _put_tournament(parcel: Parcel, by: Actor, code: str) -> None:
    """Add the files of a tournament, its log last: if that exists, all do."""
    folder = f"tournaments/{code}"
    if parcel.has(f"{folder}/log.ndjson"):
        return
    tournament = selectors.tournament_for(by, code)
    for name, data in _files_of(by, tournament):
        parcel.put(f"{folder}/{name}", data)


def _files_of(by: Actor, tournament: Tournament) -> Iterator[tuple[str, bytes | str]]:
    yield "tournament.json", exporting.export_whole(by=by, tournament=tournament)
    arguments: dict[str, Any] = {"by": by, "tournament": tournament}
    yield "entries.csv", exporting.export_stage(kind="entries", **arguments)
    for stage, _ in enumerate(desks.desk_of(tournament).stages, 1):
        text = exporting.export_stage(kind="results", stage=stage, **arguments)
        yield f"results-{stage}.csv", text
    yield "log.ndjson", transfer.export_log(tournament.log, title=tournament.title)


def _put_match(parcel: Parcel, by: Actor, code: str) -> None:
    """Add the log of a match and its certificate, unless something in it is hidden."""
    path = f"matches/{code}.ndjson"
    if parcel.has(path):
        return
    with suppress(NotFound, NotAllowed):
        match = logged.match_for(by, code)
        upto = logged.whole(by, match)
        with suppress(Conflict):  # it is not over, or not all public
            certificate = certificates.certificate_of(match)
            parcel.put(f"matches/{code}.certificate.json", msgspec.json.encode(certificate))
        parcel.put(path, transfer.export_ndjson(match, upto))


def _index(
    by: Actor, league: League, codes: list[str], matches: list[tuple[str, str]], parcel: Parcel
) -> bytes:
    index = {
        "form": FORM,
        "league": {"slug": league.slug, "name": league.name, "game": league.game},
        "exported_at": timezone.now(),
        "seasons": [_season(each, by) for each in league.seasons.order_by("starts_on", "pk")],
        "tournaments": codes,
        "matches": [
            {
                "code": code,
                "tournament": tournament,
                "left_out": not parcel.has(f"matches/{code}.ndjson"),
            }
            for code, tournament in matches
        ],
    }
    return msgspec.json.format(msgspec.json.encode(index))


def _season(season: Season, by: Actor) -> dict[str, Any]:
    return {
        "name": season.name,
        "starts_on": season.starts_on,
        "ends_on": season.ends_on,
        "about": season.about,
        "divisions": [
            {
                **{name: getattr(division, name) for name in DIVISION},
                "play_off_in": division.play_off_in.code if division.play_off_in else None,
                "table": [_ranked(row) for row in rows],
            }
            for division, rows in divisions.division_tables(season, by)
        ],
        "circuits": [_circuit(each, by) for each in season.circuits.all()],
    }


def _ranked(row: divisions.Ranked) -> dict[str, Any]:
    return {
        "place": row.place,
        "name": row.player.name,
        "points": str(row.points),
        "active": row.active,
        "moves": row.moves,
        "adjustments": _adjustments(row),
    }


def _adjustments(row: divisions.Ranked | circuits.RankingRow) -> list[dict[str, Any]]:
    return [
        {"points": each.points, "reason": each.reason, "at": each.made_at}
        for each in row.adjustments
    ]


def _circuit(circuit: Circuit, by: Actor) -> dict[str, Any]:
    qualifiers = circuits.shown_to(by, circuits.qualifiers_of(circuit))
    table = circuits.table_from(circuit, circuits.endings_of(qualifiers))
    return {
        **{name: getattr(circuit, name) for name in CIRCUIT},
        "tournaments": [
            {"code": each.tournament.code, "tier": each.tier, "direct": each.direct}
            for each in qualifiers
        ],
        "final": circuit.final.code if circuit.final else None,
        "table": [
            {
                "place": row.place,
                "name": row.player.name,
                "points": row.points,
                "adjustments": _adjustments(row),
            }
            for row in table
        ],
    }
