"""The shape of what people type about characters."""

from django import forms

from characters.pasting import MOST_TEXT
from characters.sheet import Sheet


class PasteForm(forms.Form):
    """A sheet as text."""

    text = forms.CharField(
        label="The sheet",
        max_length=MOST_TEXT,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 14, "spellcheck": "false"}),
        help_text="Paste all of it, as it is. You see what becomes of each line before it is kept.",
    )


class AnswersForm(forms.Form):
    """The questions a sheet leaves open, each with the answer that is kept unless changed."""

    def __init__(self, sheet: Sheet, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        for question in sheet.questions:
            if question.code in ("name", "current-goal", "opening"):
                self.fields[question.code] = self._field(question.code, question.text, sheet)

    def _field(self, code: str, text: str, sheet: Sheet) -> forms.Field:
        if code == "name":
            return forms.CharField(label="Name", help_text=text, max_length=200)
        if code == "current-goal":
            goals = [(str(n), goal.text) for n, goal in enumerate(sheet.goals, 1)]
            return forms.ChoiceField(
                label="Current goal",
                help_text=text,
                required=False,
                choices=[("", "None yet"), *goals],
            )
        return forms.IntegerField(
            label="Opening, in credits",
            help_text=text,
            min_value=sheet.spent,
            max_value=9_999_999,
            initial=sheet.currency.opening,
        )

    def said(self) -> dict[str, object]:
        """Return the answers as a service takes them."""
        given = self.cleaned_data
        goal = given.get("current-goal")
        return {
            "name": given.get("name", ""),
            "current_goal": int(goal) if goal else None,
            "opening": given.get("opening"),
        }
