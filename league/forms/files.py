"""Forms that take a file, or its text: a whole tournament, or a list for one."""

from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from league.files import MAX_BYTES
from league.forms.fields import NamedField, offer_choices
from matches.forms import Lines


class FileForm(forms.Form):
    """An uploaded file, or its text."""

    file = forms.FileField(label=gettext_lazy("File"), required=False)
    text = forms.CharField(
        label=gettext_lazy("Or its text"),
        required=False,
        strip=False,
        max_length=MAX_BYTES,
        widget=Lines(attrs={"rows": 8, "spellcheck": "false", "class": "code"}),
    )

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        file = cleaned.get("file")
        if not file and not cleaned.get("text", "").strip():
            raise forms.ValidationError(gettext("Choose a file, or paste its text."))
        if file and file.size > MAX_BYTES:
            self.add_error(
                "file",
                gettext("A file has at most {MAX_BYTES:,} bytes.").format(MAX_BYTES=MAX_BYTES),
            )
        return cleaned

    def data_of_file(self) -> bytes:
        """Return what was sent: the file or else the text."""
        if "sent" not in self.__dict__:
            file = self.cleaned_data["file"]
            self.sent: bytes = file.read() if file else self.cleaned_data["text"].encode()
        return self.sent

    def name_of_file(self) -> str:
        file = self.cleaned_data["file"]
        return str(file.name) if file else ""

    def with_text(self) -> "FileForm":
        """Return the form with what was sent as its text; without it, if it cannot be decoded."""
        try:
            text = self.data_of_file().decode("utf-8").replace("\0", "")
        except UnicodeDecodeError:
            text = ""
        return self.again({**self.cleaned_data, "text": text, "file": None})

    def again(self, initial: dict[str, Any]) -> "FileForm":
        return type(self)(initial=initial)


class TournamentFileForm(FileForm):
    """A whole tournament, in any supported format."""

    title = forms.CharField(label=gettext_lazy("What it is called"), max_length=120, required=False)

    def __init__(self, *args: Any, leagues: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.leagues = leagues
        self.fields["league"] = NamedField(
            leagues, label=gettext("League"), required=False, empty_label=gettext("None")
        )

    def again(self, initial: dict[str, Any]) -> "FileForm":
        return type(self)(initial=initial, leagues=self.leagues)


RESULTS = ("results", gettext_lazy("Results of the round under way"))


class ListFileForm(FileForm):
    """A list for an existing tournament."""

    kind = forms.ChoiceField(
        label=gettext_lazy("What it is"),
        choices=[
            ("entries", gettext_lazy("Who enters")),
            RESULTS,
        ],
    )

    def __init__(self, *args: Any, may_enter: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.may_enter = may_enter
        if not may_enter:
            offer_choices(self, "kind", [RESULTS])

    def again(self, initial: dict[str, Any]) -> "FileForm":
        return type(self)(initial=initial, may_enter=self.may_enter)
