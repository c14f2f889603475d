"""Template helpers for pages of desks."""

from collections.abc import Mapping
from datetime import datetime
from fractions import Fraction
from uuid import uuid4
from zoneinfo import ZoneInfo

from django import template
from django.template import Context
from django.template.defaulttags import CsrfTokenNode
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

import rules
from league import clocks, ranking, stage_words
from league.displays import TableDisplay, TableSide
from league.live_scores import LiveScore
from league.models import Tournament
from rules.desk.acts import StageStarted
from rules.texts import listed

register = template.Library()
TOKEN = CsrfTokenNode()


@register.simple_tag(takes_context=True)
def act(context: Context, **fields: object) -> SafeString:
    """Return the hidden inputs of a form at a desk: CSRF token, act id, and these fields.

    Each form has an act id of its own, unless its page keeps that of a form that was refused: two
    that are sent before either is answered are two acts.

    A tag rather than a template, for speed: a list of people or tables has a form per row.
    """
    sent: dict[str, object] = {"act_id": context.get("act_id") or uuid4(), **fields}
    hidden = [
        f'<input type="hidden" name="{name}" value="{conditional_escape(str(value))}">'
        for name, value in sent.items()
    ]
    return SafeString(TOKEN.render(context) + "".join(hidden))


@register.filter
def called(number: int, names: Mapping[int, str]) -> str:
    """Return the name of an entrant."""
    return names.get(number, gettext("Entrant {number}").format(number=number))


@register.filter
def against(seen: TableDisplay, side: TableSide) -> str:
    """Return the names of the others at a table."""
    return listed([other.name for other in seen.sides if other.number != side.number])


@register.filter
def live_score(
    scores: Mapping[tuple[int, int], LiveScore] | None, seen: TableDisplay
) -> LiveScore | None:
    """Return how the match at a table stands, None if none is played or its page does not tell."""
    return scores.get((seen.round, seen.table.number)) if scores else None


@register.filter
def desk_word(value: str, field: str) -> str:
    """Return the label of a value of the desk: `{{ person.status|desk_word:"status" }}`."""
    return rules.get("desk").texts.get(f"value.{field}.{value}", value)


@register.filter
def points(number: Fraction) -> str:
    """Format points in the reader's locale."""
    return ranking.points(number)


@register.filter
def describe_stage(setup: StageStarted) -> str:
    """Describe a stage in sentences."""
    return stage_words.describe(setup)


@register.filter
def game_name(ruleset: str) -> str:
    """Return the name of a ruleset's game; the ruleset itself if there is none."""
    try:
        return rules.get(ruleset).name
    except KeyError:
        return ruleset


@register.filter
def within(name: str) -> str:
    """Return a name as written within a sentence: "after round 1", but "nach Runde 1"."""
    return name if get_language() == "de" else name[:1].lower() + name[1:]


@register.filter
def there(at: datetime | None, tournament: Tournament) -> SafeString | str:
    """Format a moment on a tournament's local clock; the shell's script adds the reader's own time.

    `{{ tournament.starts_at|there:tournament }}`; `clock_there` if the day is clear.
    """
    return _there(at, tournament, clocks.DAY)


@register.filter
def clock_there(at: datetime | None, tournament: Tournament) -> SafeString | str:
    """Format the time of day on a tournament's local clock."""
    return _there(at, tournament, clocks.CLOCK)


def _there(at: datetime | None, tournament: Tournament, form: str) -> SafeString | str:
    if at is None:
        return ""
    return format_html(
        '<time datetime="{}" data-there>{}</time>',
        at.astimezone(ZoneInfo(tournament.timezone)).isoformat(timespec="seconds"),
        clocks.format_time(at, tournament.timezone, form),
    )
