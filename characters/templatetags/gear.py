"""Words for a sheet and its gear: how a piece came, audiences, what goes where."""

from django import template
from django.utils.translation import gettext_lazy

from characters.comparing import facts_of, has_ends
from characters.editing import TYPED
from characters.hints import HINTS, Kind
from characters.models import Card, Favour, Section

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
    "destroyed": gettext_lazy("lost for good"),
    "corrected": gettext_lazy("corrected"),
    "certain": gettext_lazy("certain"),
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

KINDS = dict(Favour.Kind.choices)

MARKS = EYES | {
    "current": gettext_lazy("current"),
    "reached": gettext_lazy("Reached"),
    "told": gettext_lazy("they know"),
    "settled": gettext_lazy("Settled"),
}
"""What a sheet's history adds to the line of a goal, a favour or a grudge."""

CHANGED = {
    **dict(Section.Kind.choices),
    "name": gettext_lazy("Name"),
    "tagline": gettext_lazy("Tagline"),
    "owner": gettext_lazy("Owner"),
    "campaign": gettext_lazy("Campaign"),
    "portrait": gettext_lazy("Portrait"),
    "audience": gettext_lazy("Who may know"),
    "by name": gettext_lazy("By name"),
    "favours": gettext_lazy("Favours and grudges"),
}


BECAME = CHANGED | {
    "heading": gettext_lazy("Heading"),
    "mode deck": Section.Kind.MODE_DECK.label,
    "maneuver": Section.Kind.MANEUVERS.label,
    "goal": Section.Kind.GOALS.label,
    "possession": Section.Kind.POSSESSIONS.label,
}


@register.filter
def became(word: str) -> str:
    """Return what a line of a pasted sheet became, in the sheet's words."""
    part = word.removeprefix("section ")
    return str(BECAME.get(part, part))


@register.filter
def changed(what: str) -> str:
    """Return which part of a sheet was changed: `gear audience` as "Gear: who may know"."""
    part, _, of = what.partition(" ") if what not in CHANGED else (what, "", "")
    parts = [str(CHANGED.get(each, each)) for each in (part, of) if each]
    return ": ".join(parts)


@register.filter
def change_text(text: str, what: str) -> str:
    """Return the old or new value of a changed part, with what the site itself wrote translated."""
    if what.endswith("audience"):
        return eyes(text)
    if what == "goals":
        return _marked(text)
    if what == "favours":
        kind, colon, said = text.partition(": ")
        return f"{KINDS.get(kind, kind)}{colon}{_marked(said)}"
    return text


def _marked(line: str) -> str:
    """Return a line with the marks at its end, `(current, reached)`, in the reader's language."""
    text, _, end = line.rpartition(" (")
    marks = end.removesuffix(")").split(", ")
    if not text or not all(mark in MARKS for mark in marks):
        return line
    return f"{text} ({', '.join(str(MARKS[mark]).lower() for mark in marks)})"


@register.filter
def came(word: str) -> str:
    """Return a method or a certainty of the books in the reader's language."""
    return str(CAME.get(word, word)).lower()


@register.filter
def eyes(audience: str) -> str:
    """Return an audience in a word or two."""
    return str(EYES.get(audience, audience))


@register.filter
def hint(kind: str) -> str:
    """Return what belongs in a part of a sheet."""
    return str(HINTS[Kind(kind)]) if kind in HINTS else ""


@register.filter
def entered_as(kind: str) -> str:
    """Return the kind of item that is entered for a part of a sheet."""
    return {Kind.POSSESSIONS: "possession", Kind.LODE: "lode"}.get(Kind(kind), "piece")


@register.filter
def typed(kind: str) -> bool:
    """Tell whether a part of a sheet is typed text, not kept in the books."""
    return kind in TYPED


register.filter(has_ends)


@register.filter
def in_words(card: Card) -> str:
    """Return what stands on a card whose game draws no ends, in a line; "" for others."""
    if has_ends(card):
        return ""
    said = [value for name, value in facts_of(card) if name != "cost" and value != "none"]
    return " · ".join(said)
