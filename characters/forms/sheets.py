"""Forms about a character's sheet."""

from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from characters import editing
from characters.forms import GROUPS, players_by
from characters.ledger import MAX_MONEY
from characters.models import Audience, Section
from characters.pasting import MAX_TEXT, GearOrigin
from characters.sheet import Sheet
from characters.sheet.shapes import Question
from matches.forms import Lines, OnceForm
from matches.models import Player


class PasteForm(OnceForm):
    """A sheet as text."""

    text = forms.CharField(
        label=gettext_lazy("The sheet"),
        max_length=MAX_TEXT,
        strip=False,
        widget=Lines(attrs={"rows": 14, "spellcheck": "false"}),
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
        max_length=editing.MAX_TEXT,
        strip=False,
        widget=Lines(attrs={"rows": 8}),
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
            "Usernames, with commas between. They count when you choose people by name."
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
        if section.kind not in editing.TYPED:
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
