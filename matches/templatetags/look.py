"""Icons and small helpers of the shell. For pages of every game; names none.

A game's own drawing lives in `templates/rules/<key>/`; dots drawn from plain text in `dots.py`.
"""

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def icon(name: str, label: str = "") -> SafeString:
    """Draw an icon of the sprite; without a label it is decoration beside a text."""
    hidden = (
        format_html('role="img" aria-label="{}"', label)
        if label
        else SafeString('aria-hidden="true"')
    )
    return format_html(
        '<svg class="icon" width="20" height="20" {}><use href="{}#{}"/></svg>',
        hidden,
        static("icons.svg"),
        name,
    )
