"""Look things up in the log that a scene shows; the templates of a game name its events."""

from typing import Any

from django import template

from matches.scene import Scene

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
