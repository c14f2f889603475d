"""Forms about the books: entries, offers, cover stories and favours."""

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.http import QueryDict
from django.utils.html import format_html
from django.utils.translation import gettext, gettext_lazy

from characters.books import COMES, GOES, Circumstances, Recording
from characters.forms import GROUPS, listed
from characters.ledger import MAX_MONEY
from characters.models import Audience, Character, Favour, GearItem, LedgerEntry
from characters.selectors import called, with_player
from characters.telling import LedgerFilter
from characters.templatetags.gear import came
from characters.trades import TradeOffer
from matches.forms import Day, OnceForm

KNOWN = 50  # characters suggested where one is named

Method = LedgerEntry.Method
LABELS_IN = {
    Method.BOUGHT: gettext_lazy("Bought"),
    Method.FOUND: gettext_lazy("Found"),
    Method.WON: gettext_lazy("Won"),
    Method.GIFT: gettext_lazy("Was given"),
    Method.ISSUED: gettext_lazy("Was issued"),
    Method.STOLEN: gettext_lazy("Stole"),
    Method.TRADED: gettext_lazy("Took in trade"),
    Method.LENT: gettext_lazy("Borrowed"),
    Method.SALVAGED: gettext_lazy("Salvaged"),
    Method.RETURNED: gettext_lazy("Got back"),
}
LABELS_OUT = {
    Method.TRADED: gettext_lazy("Sold or traded away"),
    Method.GIFT: gettext_lazy("Gave away"),
    Method.LENT: gettext_lazy("Lent"),
    Method.DESTROYED: gettext_lazy("Lost for good"),
    Method.CONFISCATED: gettext_lazy("Had confiscated"),
    Method.STOLEN: gettext_lazy("Was robbed of"),
    Method.RETURNED: gettext_lazy("Gave back"),
}
WAYS_IN = [(method.value, LABELS_IN[method]) for method in COMES if method != Method.RETURNED]
WAYS = [
    *WAYS_IN,
    (Method.REPAIRED.value, gettext_lazy("Repaired")),
    *((f"out:{method.value}", LABELS_OUT[method]) for method in GOES),
    (Method.RETURNED.value, LABELS_IN[Method.RETURNED]),
]


class RecordForm(OnceForm):
    """One act of the books: pieces by the grammar of a sheet, something held, or money."""

    way = forms.ChoiceField(label=gettext_lazy("What happened"), choices=WAYS)
    kind = forms.ChoiceField(
        label=gettext_lazy("Something new"), required=False, choices=GearItem.Kind.choices
    )
    line = forms.CharField(
        label=gettext_lazy("What it is"),
        required=False,
        max_length=200,
        help_text=gettext_lazy(
            "zGear as on a sheet: Basic Blue Feet (c20 x 2 @ zGearGo). "
            "A lode with its artifex: Ego Lode - one artifex + another."
        ),
    )
    item = forms.ChoiceField(label=gettext_lazy("Or something held"), required=False)
    amount = forms.IntegerField(
        label=gettext_lazy("Credits"), required=False, min_value=1, max_value=MAX_MONEY
    )
    party = forms.CharField(
        label=gettext_lazy("With whom or where"),
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"list": "parties"}),
    )
    tags = forms.CharField(
        label=gettext_lazy("Something that comes back"),
        required=False,
        max_length=400,
        help_text=gettext_lazy("Tags such as ZG-7K2P9Q, with commas between."),
    )
    place = forms.CharField(label=gettext_lazy("Where"), required=False, max_length=200)
    context = forms.CharField(label=gettext_lazy("And how"), required=False, max_length=200)
    happened_on = forms.DateField(label=gettext_lazy("Day"), required=False, widget=Day)
    certainty = forms.ChoiceField(
        label=gettext_lazy("Certainty"), required=False, choices=LedgerEntry.Certainty.choices
    )
    audience = forms.ChoiceField(
        label=gettext_lazy("Who may know"),
        required=False,
        choices=[("", gettext_lazy("As usual")), *GROUPS],
    )

    @property
    def first(self) -> list[forms.BoundField]:
        return [self[name] for name in ("act_id", "way", "kind", "line", "item", "amount", "party")]

    @property
    def more(self) -> list[forms.BoundField]:
        return [
            self[name]
            for name in ("tags", "place", "context", "happened_on", "certainty", "audience")
        ]

    def __init__(self, items: list[GearItem], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named = [(item.serial, f"{item} · {item.serial}") for item in items]
        item = self.fields["item"]
        assert isinstance(item, forms.ChoiceField)
        item.choices = [("", gettext("Nothing held")), *named]

    def recording(self) -> Recording:
        """Return the input as the books take it."""
        cleaned = self.cleaned_data
        way, out = cleaned["way"].removeprefix("out:"), cleaned["way"].startswith("out:")
        items = [cleaned["item"]] if cleaned["item"] else []
        items += tags_in(cleaned["tags"])
        priced = bool(items) and way in ("repaired", "traded")
        return Recording(
            method=way,
            line=cleaned["line"],
            items=items,
            amount=None if priced or way == "repaired" else cleaned["amount"],
            price=cleaned["amount"] if priced else None,
            out=out,
            kind=cleaned["kind"] or GearItem.Kind.PIECE,
            told=Circumstances(
                party=cleaned["party"],
                place=cleaned["place"],
                context=cleaned["context"],
                certainty=cleaned["certainty"] or LedgerEntry.Certainty.CERTAIN,
                audience=cleaned["audience"],
                happened_on=cleaned["happened_on"],
            ),
        )


def _methods() -> list[tuple[str, str]]:
    return [("", gettext("Anything")), *((method, came(method)) for method in Method.values)]


class BooksFilter(forms.Form):
    """Narrow the books. An invalid value is ignored."""

    all_optional = True

    q = forms.CharField(
        label=gettext_lazy("Words"), required=False, max_length=80, widget=forms.SearchInput
    )
    method = forms.ChoiceField(
        label=gettext_lazy("What happened"), required=False, choices=_methods
    )
    item = forms.CharField(label=gettext_lazy("Thing or its tag"), required=False, max_length=80)
    person = forms.CharField(label=gettext_lazy("With whom"), required=False, max_length=80)
    place = forms.CharField(label=gettext_lazy("Where"), required=False, max_length=80)
    since = forms.DateField(label=gettext_lazy("From"), required=False, widget=Day)
    until = forms.DateField(label=gettext_lazy("Until"), required=False, widget=Day)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.auto_id = "filter-%s"  # it is on the same page as the form for entries

    def wanted(self) -> LedgerFilter:
        self.is_valid()
        cleaned = self.cleaned_data
        return LedgerFilter(word=cleaned.pop("q", ""), **cleaned)


class CharacterField(forms.CharField):
    """One of the characters `among`, by a typed name; if it means several, one is chosen."""

    among: QuerySet[Character]

    def __init__(self, **kwargs: Any) -> None:
        kwargs["help_text"] = gettext_lazy("The name of a character, or of its player.")
        super().__init__(max_length=200, **kwargs)
        self.widget.attrs |= {"list": "known", "autocomplete": "off"}

    def known(self) -> list[str]:
        """Return the newest of them, to suggest."""
        return [with_player(each) for each in self.among.order_by("-created_at", "-pk")[:KNOWN]]

    def clean(self, value: Any) -> Character | None:
        typed = super().clean(value)
        found = called(self.among, typed) if typed else []
        if typed and not found:
            text = gettext("No character is called that, and no player of one: {typed}.")
            raise forms.ValidationError(text.format(typed=typed))
        if len(found) > 1:
            choices = [("", gettext("Choose")), *((each.pk, with_player(each)) for each in found)]
            self.widget = forms.Select(choices=choices)
            raise forms.ValidationError(gettext("Several may be meant. Choose one."))
        return found[0] if found else None


class OfferForm(OnceForm):
    """An offer to another character."""

    to = CharacterField(label=gettext_lazy("To whom"))
    gives = forms.MultipleChoiceField(
        label=gettext_lazy("You give"), required=False, widget=forms.CheckboxSelectMultiple
    )
    pays = forms.IntegerField(
        label=gettext_lazy("You pay, in credits"), required=False, min_value=0, max_value=MAX_MONEY
    )
    wants = forms.CharField(
        label=gettext_lazy("You want"),
        required=False,
        max_length=400,
        help_text=gettext_lazy("Tags such as ZG-7K2P9Q, with commas between."),
    )
    asks = forms.IntegerField(
        label=gettext_lazy("You ask, in credits"), required=False, min_value=0, max_value=MAX_MONEY
    )
    way = forms.ChoiceField(
        label=gettext_lazy("As"),
        choices=[
            ("traded", gettext_lazy("A trade")),
            ("gift", gettext_lazy("A gift")),
            ("lent", gettext_lazy("A loan")),
        ],
    )

    def __init__(
        self, others: QuerySet[Character], items: list[GearItem], *args: Any, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        gives = self.fields["gives"]
        assert isinstance(gives, forms.MultipleChoiceField)
        gives.choices = [
            (item.serial, format_html('{} <span class="code">{}</span>', item, item.serial))
            for item in items
        ]
        self.fields["to"].among = others  # type: ignore[attr-defined]

    @staticmethod
    def begun(query: QueryDict, others: QuerySet[Character]) -> dict[str, Any]:
        """Return the values that a link to the form brings along."""
        to = query.get("to", "")
        found = called(others, to) if to else []
        texts = {name: query.get(name) for name in ("wants", "pays", "asks")}
        to = with_player(found[0]) if len(found) == 1 else to
        return texts | {"to": to, "gives": query.getlist("gives")}

    def offer(self) -> TradeOffer:
        cleaned = self.cleaned_data
        return TradeOffer(
            gives=cleaned["gives"],
            wants=tags_in(cleaned["wants"]),
            pays=cleaned["pays"] or 0,
            asks=cleaned["asks"] or 0,
            method=cleaned["way"],
        )


class CoverForm(OnceForm):
    """A cover story of how something came, and who reads it."""

    method = forms.ChoiceField(label=gettext_lazy("How they are told it came"), choices=WAYS_IN)
    party = forms.CharField(
        label=gettext_lazy("From whom or where"), required=False, max_length=200
    )
    context = forms.CharField(label=gettext_lazy("And how"), required=False, max_length=200)
    audience = forms.ChoiceField(label=gettext_lazy("Who is told this"), choices=GROUPS[:3])

    def circumstances(self) -> Circumstances:
        cleaned = self.cleaned_data
        return Circumstances(
            party=cleaned["party"], context=cleaned["context"], audience=cleaned["audience"]
        )


class FavourForm(OnceForm):
    """A favour owed or a grudge borne."""

    kind = forms.ChoiceField(label=gettext_lazy("It is a"), choices=Favour.Kind.choices)
    text = forms.CharField(label=gettext_lazy("What it is about"), max_length=500)
    about = CharacterField(label=gettext_lazy("With whom"), required=False)
    who = forms.CharField(
        label=gettext_lazy("Or somebody without a sheet"), required=False, max_length=200
    )
    match = forms.CharField(
        label=gettext_lazy("From match"),
        required=False,
        max_length=8,
        help_text=gettext_lazy("Its code."),
    )
    told = forms.BooleanField(label=gettext_lazy("They find it in their diary too"), required=False)
    audience = forms.ChoiceField(
        label=gettext_lazy("Who may know"),
        choices=[(Audience.NAMED.value, gettext_lazy("Whoever may read the diary")), *GROUPS],
    )

    def __init__(self, others: QuerySet[Character], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["about"].among = others  # type: ignore[attr-defined]


def tags_in(text: str) -> list[str]:
    """Return the comma-separated serials in a text."""
    return [tag.upper() for tag in listed(text)]
