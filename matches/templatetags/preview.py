"""Link previews of pages: a title, a line, a picture. Never a result.

Whoever follows the link is shown what they may know; the preview itself gives no score away.
"""

from typing import Any

from django import template
from django.templatetags.static import static
from django.utils.formats import date_format
from django.utils.translation import gettext

from matches.scene import Scene
from rules.texts import names_of

register = template.Library()

LIMIT = 200  # characters of the line


@register.inclusion_tag("_preview.html", takes_context=True)
def preview(context: Any, title: Any, *words: Any) -> dict[str, str]:
    """Return a page's preview: its title, and lines about it, empty ones left out."""
    request = context["request"]
    text = " · ".join(" ".join(str(word).split()) for word in words if word)
    return {
        "title": str(title),
        "text": text if len(text) <= LIMIT else text[: LIMIT - 1].rstrip() + "…",
        "url": request.build_absolute_uri(request.path),
        "image": request.build_absolute_uri(static("preview.png")),
    }


@register.inclusion_tag("_preview.html", takes_context=True)
def match_preview(context: Any, scene: Scene) -> dict[str, str]:
    """Return the preview of a match: who plays whom, at what and where."""
    match = scene.match
    who = f" {gettext('v')} ".join(names_of(scene.timeline.setup, scene.names).values())
    day = date_format(match.started_at, gettext("j F Y"))
    data: dict[str, str] = preview(
        context, who, scene.ruleset.name, match.shown_title, match.shown_place, day
    )
    return data
