"""Icons and small helpers of the shell, for pages of every game; names none.

A game's own drawing is in `templates/rules/<key>/`; dots drawn from plain text are in `dots.py`.
"""

from datetime import datetime
from functools import lru_cache
from typing import Any

from django import template
from django.contrib.staticfiles.storage import staticfiles_storage
from django.forms import BoundField, PasswordInput
from django.template import Context
from django.utils import timezone
from django.utils.dateformat import format as date_format
from django.utils.html import format_html, json_script
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, gettext_noop

from matches import agents, icons, pages, script_words

register = template.Library()


@register.simple_tag
def icon(name: str, label: str = "") -> SafeString:
    """Return an icon; without a label it is decoration beside a text."""
    return _icon(name, str(label))


@lru_cache(maxsize=512)
def _icon(name: str, label: str) -> SafeString:
    hidden = (
        format_html('role="img" aria-label="{}"', label)
        if label
        else SafeString('aria-hidden="true"')
    )
    return format_html(
        '<svg class="icon{}{}" width="20" height="20" viewBox="0 0 24 24" {}><path d="{}"/></svg>',
        " full" if name in icons.FULL else "",
        " along" if name in icons.ALONG else "",
        hidden,
        icons.LINES[name],
    )


@register.simple_tag
def words_of(page: str) -> SafeString | str:
    """Return a page's script texts in the active language; nothing on an English page."""
    words = script_words.of(page)
    return json_script(words, "script-words") if words else ""


@register.simple_tag
def release() -> str:
    """Return the mark of this release: it changes with any static file, "" if they have no hashes.

    A page that gets a part with another mark than its own is loaded anew: its scripts and styles
    were not made for that part.
    """
    return str(getattr(staticfiles_storage, "manifest_hash", ""))


@register.simple_tag(takes_context=True)
def written(context: Context) -> list[str]:
    """Return the texts of a form of ours that was not taken, for the page that says so."""
    return pages.written_in(context["request"])


@register.filter
def when(time: datetime | None, form: str = gettext_noop("j M Y, H:i e")) -> SafeString | str:
    """Return a time for people and programs; the shell's script converts it to the reader's zone.

    `{{ match.started_at|when }}`; `{{ line.recorded_at|clock }}` where the day is plain.
    """
    if time is None:
        return ""
    local = timezone.localtime(time)
    return format_html(
        '<time datetime="{}" data-local="{}">{}</time>',
        local.isoformat(timespec="seconds"),
        "day" if "j" in form else "clock",
        date_format(local, gettext(form)),
    )


@register.filter(is_safe=True)
def minus(number: object) -> str:
    """Write a number that may be negative with a minus sign, as wide as a plus, not a hyphen."""
    return str(number).replace("-", "−")


@register.filter(is_safe=True)
def sentence(heading: str) -> str:
    """Return a library's heading in this site's style: in English with one capital, the first."""
    words = heading.split()
    if words and (get_language() or "").startswith("en"):
        low = [word.lower() if word.istitle() else word for word in words]
        words = [words[0][0] + low[0][1:], *low[1:]]
    return " ".join(words)


@register.filter
def browser(agent: str) -> str:
    """Return a user agent in words: `Firefox on Android`."""
    return agents.plain(agent)


@register.filter
def clock(time: datetime | None) -> SafeString | str:
    """Return the time of a day."""
    return when(time, "H:i")


@register.filter
def has_password(form: Any) -> bool:
    """Tell whether a form has a password field: it is not filled in again."""
    return any(isinstance(field.field.widget, PasswordInput) for field in form)


@register.filter
def target(field: BoundField) -> str:
    """Return the id of a field's input; of several, that of the first."""
    return f"{field.auto_id}_0" if field.use_fieldset else str(field.id_for_label)


@register.filter
def colon(label: object) -> str:
    """Return the colon after a label, "" after one that is a sentence, as in forms."""
    return "" if str(label).endswith((":", "?", ".", "!")) else ":"
