"""Forms for dates of rounds. Times are in the active time zone, see `timezone.override`."""

from datetime import datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext, gettext_lazy

from league import clocks
from league.models import RoundDate
from matches import canonical


class MomentInput(forms.DateTimeInput):
    """A date and time, chosen with the browser's own picker."""

    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%dT%H:%M")


class MomentField(forms.DateTimeField):
    """A moment in the active time zone, where an hour a year does not exist and one occurs twice.

    Years are limited as in the API: databases cannot read others back in every time zone.
    """

    widget = MomentInput

    def to_python(self, value: Any) -> datetime | None:
        try:
            found: datetime | None = super().to_python(value)
        except ValidationError as error:
            if error.code != "ambiguous_timezone":
                raise
            text = gettext("The clocks change in that hour: choose a time before or after it.")
            raise ValidationError(text, error.code) from None
        except OverflowError:
            raise ValidationError(self.error_messages["invalid"], "invalid") from None
        if found is not None and found.year not in canonical.YEARS:
            raise ValidationError(self.error_messages["invalid"], "invalid")
        return found


class ZoneField(forms.CharField):
    """A time zone, also by its city alone: `new york` is `America/New_York`."""

    def to_python(self, value: Any) -> str:
        said = super().to_python(value)
        city = (said or "").strip().replace(" ", "_").casefold()
        named = [zone for zone in clocks.zones() if zone.casefold() == city]
        there = [zone for zone in clocks.zones() if zone.casefold().endswith(f"/{city}")]
        found = named or there
        return found[0] if len(found) == 1 else said or ""


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
