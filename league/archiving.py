"""Archive a finished season as files: its matches' logs, and a manifest of their heads.

Nothing is removed from the database. The files are the exports offered on a match's page, and can
be imported the same way, keeping ids and hashes.
"""

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from league.models import Season
from matches import rows
from matches.models import Match, withdrawn
from matches.transfer import export_ndjson
from matches.verify import verify

FORM = "zgxl-archive-1"
MANIFEST = "manifest.json"


class CannotArchive(Exception):
    """The archive was not completed; the message says why."""


class Kept(msgspec.Struct, frozen=True):
    """One match: its file with its SHA-256, and the head of its log."""

    match: str
    tournament: str
    file: str
    digest: str
    log: str
    version: int
    hash: str


class Manifest(msgspec.Struct, frozen=True):
    form: str
    time: str
    season: str
    name: str
    league: str
    matches: tuple[Kept, ...]


def archive(season: Season, folder: Path) -> Manifest:
    """Verify a season's matches and write them into a new folder, the manifest last.

    Raises: CannotArchive, OSError.
    """
    still_open = season.tournaments.filter(closed_at=None).exclude(withdrawn())
    if still := still_open.order_by("code").first():
        raise CannotArchive(f"The tournament {still.code} of {season} is not closed.")
    try:
        folder.mkdir(parents=True, mode=0o700)
    except FileExistsError as error:
        raise CannotArchive(f"{folder} is there already; name a new folder.") from error
    manifest = Manifest(
        FORM,
        rows.time_text(datetime.now(UTC)),
        str(season.pk),
        season.name,
        season.league.name,
        tuple(_kept(season, folder)),
    )
    data = msgspec.json.format(msgspec.json.encode(manifest), indent=1)
    (folder / MANIFEST).write_bytes(data)
    return manifest


def _kept(season: Season, folder: Path) -> Iterator[Kept]:
    of_season = Match.objects.filter(table__tournament__season=season)
    for match in of_season.select_related("log", "table__tournament").order_by("pk"):
        report = verify(match.log)
        if not (report.ok or report.unverified):
            raise CannotArchive(f"{match.code}, entry {report.first_bad}: {report.detail}")
        data = export_ndjson(match, report.entries)
        file = folder / f"{match.code}.ndjson"
        file.write_bytes(data)
        yield Kept(
            match.code,
            match.table.tournament.code,
            file.name,
            hashlib.sha256(data).hexdigest(),
            report.log,
            report.entries,
            report.head_hash,
        )
