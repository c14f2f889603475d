"""Template tags of the admin."""

from typing import Any

from django import template
from django.contrib import admin

register = template.Library()

OF_MANY = "delete_selected"  # one has a button of its own


@register.simple_tag(takes_context=True)
def object_actions(context: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the name and label of each action on the object that is shown."""
    model_admin = admin.site._registry[type(context["original"])]
    actions: dict[str, Any] = model_admin.get_actions(context["request"]) or {}
    return [(name, str(text)) for name, (_, _, text) in actions.items() if name != OF_MANY]
