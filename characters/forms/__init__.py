"""Forms about characters."""

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.http import QueryDict
from django.utils.html import format_html
from django.utils.translation import gettext, gettext_lazy

from characters.books import COMES, GOES, Circumstances, Recording
from characters.editing import TYPED
from characters.ledger import MAX_MONEY
from characters.models import Audience, Campaign, Character, Favour, GearItem, LedgerEntry, Section
from characters.pasting import MAX_TEXT, GearOrigin
from characters.selectors import called, with_player
from characters.sheet import Sheet
from characters.sheet.shapes import Question
from characters.telling import LedgerFilter
from characters.templatetags.gear import came
from characters.trades import TradeOffer
from matches.forms import Day, OnceForm, player_by
from matches.models import Player

KNOWN = 50  # characters suggested where one is named
GROUPS = [choice for choice in Audience.choices if choice[0] != Audience.NAMED]


class PasteForm(OnceForm):
    """A sheet as text."""

    text = forms.CharField(
        label=gettext_lazy("The sheet"),
        max_length=MAX_TEXT,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 14, "spellcheck": "false"}),
        help_text=gettext_lazy(
            "Paste all of it, as it is. You see what becomes of each line before it is kept."
        ),
    )


class AnswersForm(forms.Form):
    """The questions a sheet leaves open, each with the answer that is used unless changed."""

    def __init__(self, sheet: Sheet, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.gear: list[int] = []  # the lines of gear that are asked about
        for question in sheet.questions:
            if question.code in ("name", "current-goal", "opening"):
                self.fields[question.code] = self._field(question.code, question.text, sheet)
            elif question.gear:
                self.gear.append(question.gear)
                self.fields |= _fields_of_gear(question, sheet.gear[question.gear - 1].title)

    def _field(self, code: str, text: str, sheet: Sheet) -> forms.Field:
        if code == "name":
            return forms.CharField(label=gettext("Name"), help_text=text, max_length=200)
        if code == "current-goal":
            goals = [(str(n), goal.text) for n, goal in enumerate(sheet.goals, 1)]
            return forms.ChoiceField(
                label=gettext("Current goal"),
                help_text=text,
                required=False,
                choices=[("", gettext("None yet")), *goals],
            )
        return forms.IntegerField(
            label=gettext("Opening, in credits"),
            help_text=text,
            min_value=sheet.spent,
            max_value=MAX_MONEY,
            initial=sheet.currency.opening,
        )

    def answers(self) -> dict[str, object]:
        """Return the answers as a service takes them."""
        given = self.cleaned_data
        goal = given.get("current-goal")
        return {
            "name": given.get("name", ""),
            "current_goal": int(goal) if goal else None,
            "opening": given.get("opening"),
            "gear": [GearOrigin(number, *self._of_gear(number)) for number in self.gear],
        }

    def _of_gear(self, number: int) -> list[str]:
        return [self.cleaned_data.get(f"{name}-{number}", "") for name in OF_GEAR]


OF_GEAR = ("from", "audience", "match")


def _fields_of_gear(question: Question, piece: str) -> dict[str, forms.Field]:
    """Return the fields for a line of gear; its text is never put into a help text."""
    if question.code == "match":
        code = forms.CharField(
            label=question.text,
            required=False,
            max_length=8,
            help_text=gettext("Its code, where it was logged here."),
        )
        return {f"match-{question.gear}": code}
    whose = forms.ChoiceField(
        label=question.text,
        required=False,
        choices=[
            ("victim", gettext("The victim")),
            ("maker", gettext("The maker")),
            ("issue", gettext("The issue")),
            ("", gettext("Left open")),
        ],
        widget=forms.RadioSelect,
    )
    known = forms.ChoiceField(
        label=gettext("Who may know that it was stolen: {piece}").format(piece=piece),
        choices=GROUPS,
        initial=Audience.OWNER,
    )
    return {f"from-{question.gear}": whose, f"audience-{question.gear}": known}


class CharacterForm(forms.Form):
    """A character's name, and who may see it at all."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=200)
    tagline = forms.CharField(label=gettext_lazy("Tagline"), max_length=200, required=False)
    audience = forms.ChoiceField(
        label=gettext_lazy("Who may know of this character"),
        choices=GROUPS,
        initial=Audience.PUBLIC,
    )


class NewCharacterForm(OnceForm, CharacterForm):
    """The same form, for a character to be created."""


class SectionForm(forms.Form):
    """A section's text, and who may read it."""

    text = forms.CharField(
        label=gettext_lazy("Text"),
        required=False,
        max_length=20_000,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8}),
    )
    audience = forms.ChoiceField(
        label=gettext_lazy("Who may know"),
        choices=Audience.choices,
        help_text=gettext_lazy("Anyone who could read it until now may have done so."),
    )
    named = forms.CharField(
        label=gettext_lazy("By name"),
        required=False,
        max_length=400,
        help_text=gettext_lazy(
            "User names, with commas between. They count when you choose people by name."
        ),
    )

    def __init__(self, section: Section, *args: Any, **kwargs: Any) -> None:
        users = (player.user for player in section.named.select_related("user"))
        initial = {
            "text": section.text,
            "audience": section.audience,
            "named": ", ".join(user.get_username() for user in users if user),
        }
        kwargs["initial"] = initial
        super().__init__(*args, **kwargs)
        self.section = section
        self.players: list[Player] = []
        if section.kind not in TYPED:
            del self.fields["text"]
        elif section.kind == Section.Kind.MODE_DECK:
            self.fields["text"].help_text = gettext("Primary, secondary, tertiary: one a line.")
        elif section.kind == Section.Kind.MANEUVERS:
            self.fields["text"].help_text = gettext("One a line.")

    @property
    def reveals(self) -> bool:
        """Whether everyone would be able to read what they could not before."""
        audience: str = self.cleaned_data["audience"]
        return audience == Audience.PUBLIC != self.section.audience

    def clean_named(self) -> str:
        self.players = players_by(self.cleaned_data["named"])
        return ", ".join(name.strip() for name in self.cleaned_data["named"].split(","))


class GoalForm(OnceForm):
    text = forms.CharField(label=gettext_lazy("New goal"), max_length=200)


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
        label=gettext_lazy("With whom or where"), required=False, max_length=200
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
        return [with_player(each) for each in self.among.order_by("-pk")[:KNOWN]]

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
        label=gettext_lazy("You pay"), required=False, min_value=0, max_value=MAX_MONEY
    )
    wants = forms.CharField(
        label=gettext_lazy("You want"),
        required=False,
        max_length=400,
        help_text=gettext_lazy("Tags such as ZG-7K2P9Q, with commas between."),
    )
    asks = forms.IntegerField(
        label=gettext_lazy("You ask"), required=False, min_value=0, max_value=MAX_MONEY
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


class PortraitForm(forms.Form):
    """A picture, and who may see it."""

    image = forms.FileField(
        label=gettext_lazy("Picture"),
        required=False,
        widget=forms.FileInput(attrs={"accept": "image/jpeg,image/png,image/webp,image/gif"}),
        help_text=gettext_lazy(
            "JPEG, PNG, WebP or GIF, at most 5 MB. It is made small and written anew: "
            "nothing of the file stays."
        ),
    )
    audience = forms.ChoiceField(label=gettext_lazy("Who may see it"), choices=GROUPS)
    remove = forms.BooleanField(label=gettext_lazy("Take it away"), required=False)


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


class MoveForm(forms.Form):
    """The user name of the player who gets a character."""

    to = forms.CharField(label=gettext_lazy("User name"), max_length=150)

    def clean_to(self) -> Player:
        return player_by(self.cleaned_data["to"])


class JoinCampaignForm(forms.Form):
    """The campaign that a character asks to join."""

    campaign = forms.ModelChoiceField(
        Campaign.objects.none(),
        label=gettext_lazy("Campaign"),
        empty_label=gettext_lazy("Choose"),
    )

    def __init__(self, campaigns: QuerySet[Campaign], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["campaign"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = campaigns


class CampaignForm(forms.Form):
    """A campaign's settings."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=80)
    after_slag = forms.ChoiceField(
        label=gettext_lazy("After a match, slagged gear is"),
        choices=Campaign.AfterSlag.choices,
    )
    repair_price = forms.IntegerField(
        label=gettext_lazy("A repair costs, in credits"), min_value=0, max_value=9999
    )
    officials = forms.CharField(
        label=gettext_lazy("Officials"),
        required=False,
        max_length=400,
        help_text=gettext_lazy("User names, with commas between."),
    )

    def clean_officials(self) -> list[Player]:
        return players_by(self.cleaned_data["officials"])


class ChangeCampaignForm(CampaignForm):
    """The same form, for a campaign that may be handed to one of its officials."""

    owner = forms.ModelChoiceField(
        Player.objects.none(),
        label=gettext_lazy("Run by"),
        required=False,
        help_text=gettext_lazy("An official may take it over; who ran it is an official then."),
    )

    def __init__(self, campaign: Campaign, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        owner = self.fields["owner"]
        assert isinstance(owner, forms.ModelChoiceField)
        owner.queryset, owner.empty_label = campaign.officials.all(), campaign.owner.name


class NewCampaignForm(OnceForm, CampaignForm):
    """The same form, for a campaign to be created."""


def players_by(names: str) -> list[Player]:
    """Return the players with these comma-separated user names. Raises: ValidationError."""
    return [player_by(name) for name in _listed(names)]


def tags_in(text: str) -> list[str]:
    """Return the comma-separated serials in a text."""
    return [tag.upper() for tag in _listed(text)]


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]
