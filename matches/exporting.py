"""Everything a person owns, as one file: what they wrote and played.

A zip: `everything.json` for programs, beside it the logs of their matches and what higher floors
add. A holder of only a seat link gets what belongs to that seat. Downloaded directly it holds the
newest `MAX_MATCHES` matches; made by a worker, all of them.
"""

import zipfile
from collections.abc import Callable, Iterator
from itertools import chain
from tempfile import SpooledTemporaryFile
from typing import IO, Any

import msgspec
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from matches import policy, selectors, transfer
from matches.actors import Actor, seats_of
from matches.configured import functions
from matches.errors import NotAllowed, NotSignedIn
from matches.jobkinds import JobKind, Progress
from matches.models import Job, Match, Player
from matches.parcels import Parcel

FORM = "zgxl-everything@1"
INDEX = "everything.json"
MAX_MATCHES = 1000
MAX_IN_MEMORY = 1024 * 1024  # bytes of a zip

Exporter = Callable[[Actor, Player], tuple[dict[str, Any], dict[str, bytes]]]
"""Returns a higher floor's data of a person: parts of `everything.json`, and files by path;
named in `settings.EXPORTERS`."""


class Everything(JobKind):
    """The export of all that the person asking owns, in slices: files already made are kept."""

    name = "everything"

    def title(self, job: Job) -> str:
        return gettext("Everything of yours")

    def require(self, by: Actor, job: Job) -> None:
        if by.player is None:
            raise NotSignedIn

    def work(self, by: Actor, job: Job, progress: Progress) -> Any:
        parcel = Parcel(job.pk, progress, 1 + _matches(by).count())
        matches = list(
            _matches(by)
        )  # read after that: what is erased from now on spoils the parcel
        if not parcel.has(INDEX):
            index, files = gather(by, matches)
            for path, data in files.items():
                parcel.put(path, data)
            parcel.put(INDEX, _indented(index))
        parcel.step()
        for match in matches:
            if not parcel.has(_log_path(match)):
                for path, data in _logs(by, [match]):
                    parcel.put(path, data)
            parcel.step()
        return parcel.seal("everything.zip")


def archive(*, by: Actor) -> IO[bytes]:
    """Return all that an actor owns as a zip: an open file, in memory while it is small.

    Raises: NotAllowed.
    """
    matches = list(_matches(by)[:MAX_MATCHES])
    everything, files = gather(by, matches)
    out = SpooledTemporaryFile(MAX_IN_MEMORY)  # noqa: SIM115 (whoever sends it closes it)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(INDEX, _indented(everything))
        for path, data in chain(sorted(files.items()), _logs(by, matches)):
            packed.writestr(path, data)
    out.seek(0)
    return out


def as_data(*, by: Actor) -> dict[str, Any]:
    """Return all that an actor owns as plain data. Raises: NotAllowed."""
    return gather(by, list(_matches(by)[:MAX_MATCHES]))[0]


def gather(by: Actor, matches: list[Match]) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Return what an actor owns as plain data, and what higher floors add as files by path.

    Raises: NotAllowed.
    """
    if not by.is_signed_in and not by.seats:
        raise NotSignedIn(gettext("Sign in, or follow the link of a seat first."))
    index: dict[str, Any] = {
        "form": FORM,
        "matches": [_match(by, match) for match in matches],
        "sat_as": [_player(guest) for guest in _guests(by, matches)],
    }
    files: dict[str, bytes] = {}
    if player := by.player:
        index["player"] = _player(player)
        index["guests"] = [_player(guest) for guest in player.guests.all()]
        exporters: list[Exporter] = functions("EXPORTERS")
        for exporter in exporters:
            more, added = exporter(by, player)
            index |= more
            files |= added
    return index, files


def _indented(data: dict[str, Any]) -> bytes:
    """Return data as a file that says when it was made.

    An answer of the API does not: its ETag has to be the same for the same data.
    """
    stamped = {"form": data["form"], "exported_at": timezone.now(), **data}
    return msgspec.json.format(msgspec.json.encode(stamped))


def _player(player: Player) -> dict[str, Any]:
    user = player.user
    fields = {
        "id": player.pk,
        "name": player.name,
        "language": player.language,
        "since": player.created_at,
    }
    return fields | ({"username": user.get_username()} if user else {})


def _matches(by: Actor) -> QuerySet[Match]:
    """Return the matches that an actor opened or sat in, newest first."""
    mine = Q(pk__in=[match for match, _ in by.seats])
    if by.player:
        mine |= Q(opener=by.player) | Q(pk__in=Match.objects.filter(seats__player=by.player))
    return selectors.matches_for(by).filter(mine)


def _guests(by: Actor, matches: list[Match]) -> list[Player]:
    """Return the guests without an account whose seats an actor holds by link."""
    held = (
        seat.player
        for match in matches
        for seat in match.seats.all()
        if (match.pk, seat.number) in by.seats
    )
    return list({player for player in held if player and not player.user_id})


def _match(by: Actor, match: Match) -> dict[str, Any]:
    return {
        "code": match.code,
        "title": match.title,
        "place": match.place,
        "ruleset": match.log.ruleset,
        "opened": policy.is_opener(by, match),
        "imported": match.log.imported_version,
        "seats": sorted(seats_of(by, match)),
        "started_at": match.started_at,
    }


def _logs(by: Actor, matches: list[Match]) -> Iterator[tuple[str, bytes]]:
    """Yield the log of each match of which nothing is hidden from the actor."""
    policy.foresee(by, matches)
    for match in matches:
        try:
            upto = selectors.whole(by, match)
        except NotAllowed:
            continue
        if upto:
            yield _log_path(match), transfer.export_ndjson(match, upto)


def _log_path(match: Match) -> str:
    return f"matches/{match.code}.ndjson"
