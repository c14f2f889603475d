"""Words of a sheet and its gear: how a piece came, who may know, what goes where."""

from django import template
from django.utils.translation import gettext_lazy

from characters.editing import TYPED
from characters.hints import HINTS, Kind

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

EYES = {
    "public": gettext_lazy("Everyone"),
    "players": gettext_lazy("Players"),
    "officials": gettext_lazy("Officials"),
    "owner": gettext_lazy("The owner"),
    "named": gettext_lazy("By name"),
}


@register.filter
def came(word: str) -> str:
    """Return a way or a certainty of the books in the reader's language."""
    return str(CAME.get(word, word)).lower()


@register.filter
def eyes(audience: str) -> str:
    """Return an audience in a word or two."""
    return str(EYES.get(audience, audience))


@register.filter
def hint(kind: str) -> str:
    """Return what belongs into a part of a sheet."""
    return str(HINTS[Kind(kind)]) if kind in HINTS else ""


@register.filter
def typed(kind: str) -> bool:
    """Tell whether a part of a sheet is a text, not kept in the books."""
    return kind in TYPED
