"""Organisers' texts about places in the games' stories, beside those that ship with the site."""

from datetime import UTC, date, datetime
from operator import itemgetter
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import Min, QuerySet
from django.utils.translation import gettext

from league import lore, policy, selectors
from league.models import League, PlaceText, PlaceTextVersion, Venue, format_day
from league.texts import of_field
from matches import once
from matches import selectors as logged
from matches.actors import Actor
from matches.errors import BadInput, Conflict, NotFound
from matches.models import Match

FIELDS = ("title", "text", "audience", "when", "calendar", "is_removed")
LIMIT = 12
"""Limit of each: tournaments, matches, and real-world events listed for a place."""


class EditClash(Conflict):
    """Somebody else changed the text meanwhile: nothing was saved; `kept` is the current text."""

    def __init__(self, kept: PlaceText) -> None:
        current = {name: getattr(kept, name) for name in (*FIELDS, "version")}
        super().__init__(
            "edit-clash",
            gettext("Somebody has changed this text since you began. Neither version is lost."),
            current=current,
        )
        self.kept = kept


# -- reading ------------------------------------------------------------------------------


def texts_for(actor: Actor, place: str) -> QuerySet[PlaceText]:
    """Return the texts about a place that the actor may see, oldest first."""
    found = policy.visible_texts(actor).filter(place=place)
    found = found.annotate(written_at=Min("versions__at"))
    return found.select_related("league").order_by("written_at", "pk")


def text_for(actor: Actor, place: str, pk: UUID) -> PlaceText:
    """Return a text about a place that the actor may see. Raises: NotFound."""
    found = PlaceText.objects.select_related("league").filter(place=place, pk=pk).first()
    if found is None:
        raise NotFound(gettext("There is no such text."), "no-such-text")
    policy.require_know(actor, found)
    return found


def versions_of(actor: Actor, of: PlaceText) -> QuerySet[PlaceTextVersion]:
    """Return all versions of a text, newest first, for those who may change it."""
    policy.require_run(actor, of.league)
    return of.versions.select_related("by")


class DatedText(NamedTuple):
    """Something dated: by an added text, or by what ships with the site."""

    when: str
    title: str
    text: str
    row: PlaceText | None = None

    @property
    def day(self) -> str:
        return format_day(self.when)


def story_of(place: lore.Place, added: list[PlaceText]) -> list[DatedText]:
    """Return what happened at a place by the story's calendar, oldest first."""
    events = [DatedText(year, "", text) for year, text in place.dated]
    events += [_dated(each) for each in added if each.when and each.calendar == each.Calendar.STORY]
    return sorted(events, key=lambda each: each.when)


class Happened(NamedTuple):
    """A tournament, a match or a real-world event, with its time as sort key."""

    at: str
    kind: str
    what: Any


def happened_at(
    actor: Actor, place: lore.Place, venues: list[Venue], added: list[PlaceText]
) -> list[Happened]:
    """Return what really happened at a place, as far as the actor may see it, newest first."""
    played = selectors.tournaments_for(actor).filter(venue__in=venues)[:LIMIT]
    matches = played_at(place, logged.seen_by(actor))
    events = [each for each in added if each.when and each.calendar == each.Calendar.REAL]
    events.sort(key=lambda each: each.when, reverse=True)
    found = [Happened(_moment(t.starts_at or t.created_at), "tournament", t) for t in played]
    found += [Happened(_moment(m.started_at), "match", m) for m in matches[:LIMIT]]
    found += [Happened(each.when, "event", _dated(each)) for each in events[:LIMIT]]
    return sorted(found, key=itemgetter(0), reverse=True)


def played_at(place: lore.Place, matches: QuerySet[Match]) -> QuerySet[Match]:
    """Narrow matches to those whose place, as it was typed, names a place of the stories."""
    return matches.filter(place__icontains=place.known_as or place.name)


def _dated(row: PlaceText) -> DatedText:
    return DatedText(row.when, row.title, row.text, row)


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).isoformat()


# -- writing ------------------------------------------------------------------------------


def write_text(
    *, by: Actor, place: str, league: League | None, act_id: UUID | None = None, **chosen: Any
) -> PlaceText:
    """Add a text about a place in the name of a league, or of the site.

    Idempotent per `act_id`. Raises: NotAllowed, BadInput, IdReused.
    """
    policy.require_run(by, league)
    maker, slug = policy.require_make(by), lore.place_for(place).slug

    def keep(made: PlaceText) -> None:
        made.save(force_insert=True)
        _note(by, made)

    fields = {"place": slug, "league": league, **_checked(chosen)}
    return once.make(PlaceText, maker.pk, act_id, keep=keep, **fields)


def edit_text(*, by: Actor, of: PlaceText, version: int, **changes: Any) -> PlaceText:
    """Change a text last read at `version`; removing it, or restoring it, is a change too.

    Raises: NotAllowed, BadInput, EditClash if it was changed since to something else.
    """
    policy.require_run(by, of.league)
    changes = _checked(changes)
    with transaction.atomic():
        kept = PlaceText.objects.select_for_update().get(pk=of.pk)
        if all(getattr(kept, name) == value for name, value in changes.items()):
            return kept
        if kept.version != version:
            raise EditClash(kept)
        for name, value in changes.items():
            setattr(kept, name, value)
        kept.version += 1
        kept.save(update_fields=[*changes, "version"])
        _note(by, kept)
    return kept


def _note(by: Actor, kept: PlaceText) -> None:
    """Store a text's current version in its history."""
    fields = {name: getattr(kept, name) for name in (*FIELDS, "version")}
    PlaceTextVersion.objects.create(of=kept, by=by.player, **fields)


def _checked(given: dict[str, Any]) -> dict[str, Any]:
    """Return a text's fields as they are stored. Raises: BadInput."""
    found = dict(given)
    for name in ("title", "text"):
        if name in found:
            found[name] = of_field(PlaceText, name, found[name])
    for name, known in (("audience", PlaceText.Audience), ("calendar", PlaceText.Calendar)):
        if name in found and found[name] not in known.values:
            detail = gettext("One of {named}.").format(named=", ".join(known.values))
            raise BadInput("unknown-value", detail, f"$.{name}")
    if "when" in found:
        found["when"] = _when(found["when"])
    return found


def _when(value: str) -> str:
    """Return a day, a month or a year as it is stored. Raises: BadInput."""
    value = of_field(PlaceText, "when", value)
    whole = value + {4: "-01-01", 7: "-01"}.get(len(value), "")
    try:
        if value and date.fromisoformat(whole).isoformat() != whole:
            raise ValueError
    except ValueError:
        raise BadInput(
            "bad-day",
            gettext("Write a day as 2110-05-31, a month as 2110-05, or a year."),
            "$.when",
        ) from None
    return value
