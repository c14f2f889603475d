"""A finished season as files that prove themselves and can be imported again."""

import hashlib
from datetime import date
from pathlib import Path
from uuid import uuid4

import msgspec
import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from league import services
from league.models import Season, TableMatch, Tournament
from matches import transfer
from matches.errors import Conflict
from matches.models import Event
from tests import database, factories
from tests.league import desks

pytestmark = pytest.mark.django_db


@pytest.fixture
def season() -> Season:
    """A closed season with a match, and beside it one that is none of its."""
    by = factories.actor()
    league = desks.league(by)
    made = services.open_season(
        by=by, league=league, name="Spring", starts_on=date(2026, 3, 1), ends_on=date(2026, 6, 1)
    )
    factories.played(2)
    cup = desks.tournament(by, season=made, league=league)
    TableMatch.objects.create(
        tournament=cup, round=1, table=1, players="1-2", match=factories.played(3)
    )
    Tournament.objects.filter(pk=cup.pk).update(closed_at=timezone.now())
    return made


def test_an_archive_lists_the_heads_of_files_that_are_their_logs(
    season: Season, tmp_path: Path
) -> None:
    folder = tmp_path / "spring"
    call_command("archive", str(season.pk), str(folder), verbosity=0)
    manifest = msgspec.json.decode((folder / "manifest.json").read_bytes())
    (kept,) = manifest["matches"]
    log = TableMatch.objects.get().match.log
    assert (kept["log"], kept["version"], kept["hash"]) == (str(log.pk), 4, log.head_hash)
    data = (folder / kept["file"]).read_bytes()
    assert hashlib.sha256(data).hexdigest() == kept["digest"]
    with pytest.raises(Conflict) as there:  # it is whole, and here already
        transfer.import_log(by=factories.actor(), data=data)
    assert there.value.code == "log-exists"
    with pytest.raises(CommandError, match="there already; name a new folder"):
        call_command("archive", str(season.pk), str(folder))


def test_a_season_that_is_not_over_is_not_archived(season: Season, tmp_path: Path) -> None:
    Tournament.objects.update(closed_at=None)
    with pytest.raises(CommandError, match="is not closed"):
        call_command("archive", str(season.pk), str(tmp_path / "spring"))
    with pytest.raises(CommandError, match="no season"):
        call_command("archive", str(uuid4()), str(tmp_path / "spring"))
    for each in Tournament.objects.all():  # abandoned, it never closes
        services.withdraw(by=desks.organiser(each), tournament=each)
    call_command("archive", str(season.pk), str(tmp_path / "spring"), verbosity=0)


def test_a_log_that_does_not_hold_is_not_archived(season: Season, tmp_path: Path) -> None:
    database.unprotect()
    log = TableMatch.objects.get().match_id
    Event.objects.filter(log=log, version=2, ordinal=0).update(body='{"type":"points-scored"}')
    with pytest.raises(CommandError, match="entry 2"):
        call_command("archive", str(season.pk), str(tmp_path / "spring"))
    assert not (tmp_path / "spring" / "manifest.json").exists()
