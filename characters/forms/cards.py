"""Forms about cards; which fields a card has is up to its game."""

from typing import Any

import msgspec
from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy

from characters.importing import MAX_TEXT
from matches import decks
from matches.forms import Lines, OnceForm
from rules.ruleset import Ruleset
from rules.zg.cards import SLOTS

SORTS = {
    "name": gettext_lazy("Name"),
    "slot": gettext_lazy("Slot"),
    "colour": gettext_lazy("Colour"),
    "quality": gettext_lazy("Quality"),
    "cost": gettext_lazy("Cost, the least first"),
    "-cost": gettext_lazy("Cost, the most first"),
    "-move": gettext_lazy("Move, the most first"),
    "-range": gettext_lazy("Range, the most first"),
    "-dots": gettext_lazy("Dots, the most first"),
}
"""The orders of a list of cards."""

MAX_BYTES = 1_500_000  # of a file of cards


class OfferedField(forms.CharField):
    """A short text; the page offers known ones, in a list named `known-` and what it is."""

    def __init__(self, label: Any, name: str) -> None:
        widget = forms.TextInput(attrs={"list": f"known-{name}"})
        super().__init__(label=label, required=False, max_length=80, widget=widget)


class CardFilter(forms.Form):
    """Narrow the catalogue. An invalid value is ignored."""

    all_optional = True

    q = forms.CharField(
        label=gettext_lazy("Search"),
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"autocapitalize": "off", "spellcheck": "false"}),
    )
    slot = OfferedField(gettext_lazy("Slot"), "slot")
    colour = OfferedField(gettext_lazy("Colour"), "colour")
    quality = OfferedField(gettext_lazy("Quality"), "quality")
    sort = forms.ChoiceField(label=gettext_lazy("Sort by"), required=False, choices=SORTS)


LABELS = {
    "a": gettext_lazy("End A"),
    "b": gettext_lazy("End B"),
    "colour": gettext_lazy("Colour"),
    "colours": gettext_lazy("Colours"),
    "copies": gettext_lazy("Copies"),
    "cost": gettext_lazy("Cost"),
    "exceptions": gettext_lazy("Exceptions"),
    "icon": gettext_lazy("Icon"),
    "impulse": gettext_lazy("Impulse"),
    "keywords": gettext_lazy("Keywords"),
    "limit": gettext_lazy("Copies allowed by its text"),
    "move": gettext_lazy("Move"),
    "name": gettext_lazy("Name"),
    "no": gettext_lazy("Number"),
    "power": gettext_lazy("Power"),
    "powerups": gettext_lazy("Powerups"),
    "quality": gettext_lazy("Quality"),
    "range": gettext_lazy("Range"),
    "shared": gettext_lazy("Shared"),
    "slot": gettext_lazy("Slot"),
    "text": gettext_lazy("Text"),
    "tribes": gettext_lazy("Tribes"),
    "type": gettext_lazy("Type"),
}
HELP = {
    "a": gettext_lazy(
        "Three dots, as R+ G B##o: + is armour-piercing, * explosive, "
        "# and ## armour, o a weak point."
    ),
    "b": gettext_lazy("Three dots."),
    "range": gettext_lazy("0 is hand to hand."),
    "exceptions": gettext_lazy("Rules its text overrides, with commas between."),
    "slot": format_lazy(gettext_lazy("One of: {known}."), known=", ".join(SLOTS)),
}


NEEDED = {"slot"}
"""Fields that every card of the catalogue has, though cards in a log may lack them."""


class CardForm(OnceForm):
    """A card of a game, field by field."""

    def __init__(self, ruleset: Ruleset, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.kinds = decks.card_fields(ruleset)
        for name, kind in self.kinds.items():
            self.fields[name] = _field(name, kind)
        self.fields["set"] = forms.CharField(
            label=gettext("Set"),
            required=False,
            max_length=80,
            help_text=gettext("“My cards” when it has no name."),
        )
        self.fields["shared"] = forms.BooleanField(
            label=gettext("Everyone may see and use it"), required=False
        )

    def data_of_card(self) -> dict[str, Any]:
        """Return the input in the game's format; empty fields are unknown."""
        cleaned = {name: self.cleaned_data[name] for name in self.kinds}
        return {
            name: [word.strip() for word in value.split(",") if word.strip()]
            if _is_list(self.kinds[name])
            else value
            for name, value in cleaned.items()
            if value not in (None, "")
        }


def face_of(fields: dict[str, Any]) -> dict[str, Any]:
    """Return a card's face as initial values of a form."""
    return {
        name: ", ".join(value) if isinstance(value, list) else value
        for name, value in fields.items()
    }


def label_of(name: str) -> str:
    """Return what a field of a card is called."""
    return str(LABELS.get(name, name.capitalize()))


def _field(name: str, kind: msgspec.inspect.Field) -> forms.Field:
    arguments: dict[str, Any] = {
        "label": LABELS.get(name, name.capitalize()),
        "required": kind.required or name in NEEDED,
        "help_text": HELP.get(name) or _help_of(kind),
    }
    match _type_of(kind):
        case msgspec.inspect.IntType(ge=least, le=most):
            return forms.IntegerField(min_value=least, max_value=most, **arguments)
        case msgspec.inspect.StrType(max_length=most):
            return forms.CharField(max_length=most, **arguments)
        case _:
            return forms.CharField(max_length=1600, **arguments)


def _help_of(kind: msgspec.inspect.Field) -> str:
    """Return which values a field takes, if they are given, and how to separate several."""
    is_list = _is_list(kind)
    of = getattr(_type_of(kind), "item_type", None) if is_list else _type_of(kind)
    known = ", ".join(value for value in getattr(of, "values", ()) if value)
    if known and is_list:
        return gettext("With commas between: {known}.").format(known=known)
    if known:
        return gettext("One of: {known}.").format(known=known)
    return gettext("With commas between.") if is_list else ""


def _is_list(kind: msgspec.inspect.Field) -> bool:
    return isinstance(_type_of(kind), msgspec.inspect.VarTupleType)


def _type_of(kind: msgspec.inspect.Field) -> msgspec.inspect.Type:
    """Return the type of a field, if it is known."""
    if isinstance(kind.type, msgspec.inspect.UnionType):
        return next(t for t in kind.type.types if not isinstance(t, msgspec.inspect.NoneType))
    return kind.type


class SetForm(forms.Form):
    """A set of cards: what it is called, and what it is about."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=80)
    about = forms.CharField(
        label=gettext_lazy("About"),
        required=False,
        max_length=2000,
        widget=Lines(attrs={"rows": 4}),
        help_text=gettext_lazy("Where the cards come from, for all to read."),
    )


class CardsForm(forms.Form):
    """A file of cards, pasted or uploaded."""

    text = forms.CharField(
        label=gettext_lazy("Cards"),
        required=False,
        max_length=MAX_TEXT,
        strip=False,
        widget=Lines(attrs={"rows": 12, "spellcheck": "false"}),
        help_text=gettext_lazy("A table whose first line names the columns, or JSON."),
    )
    file = forms.FileField(label=gettext_lazy("Or a file"), required=False)
    set = forms.CharField(
        label=gettext_lazy("Set"),
        required=False,
        max_length=80,
        help_text=gettext_lazy("For cards that name no set; “My cards” when it has no name."),
    )
    shared = forms.BooleanField(
        label=gettext_lazy("Everyone may see and use them"),
        required=False,
        help_text=gettext_lazy("For new cards of which the file does not say."),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if sent := cleaned.get("file"):
            cleaned["text"] = _text_of(sent)
        if not cleaned.get("text", "").strip() and not self.errors:
            raise forms.ValidationError(gettext("Paste the cards, or choose a file."))
        return cleaned


def _text_of(sent: UploadedFile) -> str:
    if (sent.size or 0) > MAX_BYTES:
        raise forms.ValidationError(
            gettext("A file has at most {MAX_BYTES:,} bytes.").format(MAX_BYTES=MAX_BYTES)
        )
    try:
        return str(sent.read(), "utf-8-sig")
    except UnicodeDecodeError:
        raise forms.ValidationError(
            gettext("This file is not UTF-8 text: save it as “CSV UTF-8”.")
        ) from None
