"""Forms for dates of rounds. Times are in the active time zone, see `timezone.override`."""

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy

from league.forms.fields import MomentField
from league.models import RoundDate


class DateForm(forms.Form):
    """The dates of a round, in the active time zone, the tournament's. Empty means no date."""

    all_optional = True  # so that no field is marked optional

    pairs_at = MomentField(label=gettext_lazy("Paired and published at"), required=False)
    weekly = forms.BooleanField(
        label=gettext_lazy("Repeat weekly for the rounds after it"), required=False
    )
    deadline = MomentField(
        label=gettext_lazy("To be played by"),
        required=False,
        help_text=gettext_lazy("Overdue matches are listed for you; nothing else happens."),
    )

    def __init__(
        self, data: QueryDict | None, *, number: int, kept: RoundDate | None, is_paired: bool
    ) -> None:
        names = ("pairs_at", "weekly", "deadline")
        initial = {name: getattr(kept, name) for name in names} if kept else {}
        super().__init__(data, initial=initial, prefix=f"round-{number}")
        self.number, self.kept = number, kept
        if is_paired:
            del self.fields["pairs_at"], self.fields["weekly"]

    def clean(self) -> dict[str, Any]:
        """Keep the seconds, which no field shows, of a time that was not edited.

        Without a time nothing is weekly, so that emptying the time is enough.
        """
        cleaned = self.cleaned_data
        for name in ("pairs_at", "deadline"):
            was = getattr(self.kept, name, None)
            if was and cleaned.get(name) == was.replace(second=0, microsecond=0):
                cleaned[name] = was
        if cleaned.get("pairs_at") is None:
            cleaned["weekly"] = False
        return cleaned
