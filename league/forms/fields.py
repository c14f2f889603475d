"""Fields of several forms: choices that tell namesakes apart, times, lists of points."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django import forms
from django.contrib.postgres.forms import SimpleArrayField
from django.core.exceptions import ValidationError
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext, gettext_lazy

from league import clocks, known
from league.seasons import SIZE
from matches import canonical
from matches.forms import Lines


def offer(form: forms.BaseForm, name: str, rows: QuerySet[Any]) -> None:
    """Let a field of a form choose among some rows."""
    field = form.fields[name]
    assert isinstance(field, forms.ModelChoiceField)
    field.queryset = rows


def offer_choices(form: forms.BaseForm, name: str, choices: Iterable[tuple[Any, Any]]) -> None:
    """Let a field of a form choose among some values with their labels."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = list(choices)


class NamedField(forms.ModelChoiceField):
    """A choice of leagues or venues; those with the same name are shown with their slug."""

    def __init__(self, offered: QuerySet[Any], **kwargs: Any) -> None:
        named = offered.model.objects.filter(name__iexact=OuterRef("name"))
        others = Exists(named.exclude(pk=OuterRef("pk")))
        super().__init__(offered.annotate(shares_name=others), **kwargs)

    def label_from_instance(self, obj: Any) -> str:
        return f"{obj.name} ({obj.slug})" if obj.shares_name else str(obj.name)


class DivisionField(forms.ModelChoiceField):
    """A choice of divisions, each named with its season."""

    def label_from_instance(self, obj: Any) -> str:
        return f"{obj.season}: {obj}"


class CircuitsField(forms.ModelMultipleChoiceField):
    """Circuits to tick, each named with its season."""

    widget = forms.CheckboxSelectMultiple

    def label_from_instance(self, obj: Any) -> str:
        return f"{obj.season}: {obj}"


class PlayerField(forms.ModelChoiceField):
    """A choice of players, each with the tournament they last played."""

    def label_from_instance(self, obj: Any) -> str:
        return known.describe(obj)


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


class ByPlaceField(SimpleArrayField):
    """A list of numbers as people type it: 10, 7, 5, 3."""

    default_error_messages = {"item_invalid": gettext_lazy("Points of place %(nth)s:")}


class PointsField(forms.CharField):
    """Points by place, or lines of them, each with its minimum number of players."""

    widget = Lines(attrs={"rows": 3})

    def prepare_value(self, value: Any) -> Any:
        match value:
            case dict():
                tables = sorted(value.items(), key=lambda each: int(each[0]))
                return "\n".join(f"{least}: {', '.join(map(str, by))}" for least, by in tables)
            case list():
                return ", ".join(map(str, value))
        return value

    def to_python(self, value: Any) -> Any:
        lines = [line for line in (super().to_python(value) or "").splitlines() if line.strip()]
        by_place = ByPlaceField(forms.IntegerField())
        if len(lines) == 1 and ":" not in lines[0]:
            return by_place.clean(lines[0])
        parts = [line.partition(":") for line in lines]
        found = {least.strip(): points for least, _, points in parts}
        if len(found) < len(lines) or not all(map(SIZE.fullmatch, found)):
            text = gettext("Each line says from how many players on, none twice: 8: 10, 7, 5.")
            raise forms.ValidationError(text)
        return {least: by_place.clean(points) for least, points in found.items()} or None
