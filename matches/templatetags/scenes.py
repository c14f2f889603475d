"""Lookups in the log of a scene; the templates of a game name its events."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django import template
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from matches.line_cache import written
from matches.narration import EntryLine
from matches.scene import Scene
from rules.ruleset import event_type

register = template.Library()


@register.simple_tag
def entry_of(scene: Scene, event: str, **fields: Any) -> int | None:
    """Return the last version that still counts and had this consequence.

    `{% entry_of scene "card-slagged" seat=side.seat card=card.name as version %}`
    """
    for version, consequence in reversed(scene.consequences.get(event, ())):
        if all(getattr(consequence, name) == value for name, value in fields.items()):
            return version
    return None


@register.simple_tag(takes_context=True)
def entry_url(context: Any, version: int) -> str:
    """Return the address of an entry: on this page, else on that of its own moment."""
    scene: Scene = context["scene"]
    here = scene.since <= version <= scene.version
    return f"#entry-{version}" if here else f"?at={version}{scene.query_suffix}#entry-{version}"


@register.simple_tag(takes_context=True)
def log_line(context: Any, line: EntryLine) -> SafeString:
    """Return a line of the log, from the cache if it was rendered for the same audience."""
    scene: Scene = context["scene"]

    def write() -> SafeString:
        page = context.template.engine.get_template("matches/_log_line.html")
        with context.push(line=line):
            text: SafeString = page.render(context)
        return text

    if not (line.hash and line.stands) or line.version == scene.version:
        return write()
    key = (
        line.hash,
        scene.audience,
        tuple(scene.names.items()),
        get_language(),
        scene.match.code,
        context["eyes"],
        line.version in context["correctable"],
        line.by,
        line.recorded_at,
        line.note,
    )
    return written(key, write)


@dataclass(frozen=True)
class Mark:
    """A mark on the scrubber, in percent from its left; hollow where an entry was taken back."""

    left: float
    hollow: bool


@register.simple_tag
def marks(scene: Scene, events: str = "") -> list[Mark]:
    """Return the marks of the entries that had one of these consequences, or were taken back.

    `{% marks scene "card-slagged figure-stunned" as found %}`
    """
    return list(_marks(scene, set(events.split())))


def _marks(scene: Scene, wanted: set[str]) -> Iterator[Mark]:
    undone = set(scene.track.undone)
    for entry in scene.timeline.entries[: scene.last]:
        hollow = entry.version in undone
        if hollow or any(event_type(event) in wanted for event in entry.consequences):
            way = (entry.version - 1) / max(scene.last - 1, 1)
            yield Mark(round(100 * way, 2), hollow)


@register.filter
def spaced(numbers: list[int]) -> str:
    """Return numbers joined for a data attribute: `1 4 9`."""
    return " ".join(map(str, numbers))
