"""Words of a piece of gear: how it came, and how sure that is."""

from django import template
from django.utils.translation import gettext_lazy

register = template.Library()

CAME = {
    "issued": gettext_lazy("issued"),
    "bought": gettext_lazy("bought"),
    "found": gettext_lazy("found"),
    "stolen": gettext_lazy("stolen"),
    "won": gettext_lazy("Won"),
    "gift": gettext_lazy("gift"),
    "traded": gettext_lazy("traded"),
    "lent": gettext_lazy("lent"),
    "returned": gettext_lazy("returned"),
    "repaired": gettext_lazy("repaired"),
    "salvaged": gettext_lazy("salvaged"),
    "confiscated": gettext_lazy("confiscated"),
    "corrected": gettext_lazy("corrected"),
    "probable": gettext_lazy("probable"),
    "claimed": gettext_lazy("claimed"),
    "disputed": gettext_lazy("disputed"),
}


@register.filter
def came(word: str) -> str:
    """Return a way or a certainty of the books in the reader's language."""
    return str(CAME.get(word, word)).lower()
