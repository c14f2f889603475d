"""The forms on a desk's pages. Times are in the active time zone, see `timezone.override`."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

import rules
from league.dates import FARTHEST
from league.displays import TableDisplay
from league.forms.acts import act_of
from league.forms.fields import MomentField, offer_choices
from matches.canonical import MAX_NOTE
from matches.errors import BadInput
from rules.desk.acts import INFRACTIONS, PENALTIES, WORTHS
from rules.desk.limits import AHEAD, MAX_MINUTES, MAX_POINTS, MAX_SCORE

Choices = list[tuple[int, str]]


def _words(field: str, values: Iterable[str]) -> list[tuple[str, str]]:
    """Return values of the desk with their labels."""
    texts = rules.get("desk").texts
    return [(value, texts[f"value.{field}.{value}"]) for value in values]


class PenaltyForm(forms.Form):
    """A penalty for one of the entrants."""

    entrant = forms.ChoiceField(
        label=gettext_lazy("Who"),
        error_messages={"required": gettext_lazy("Choose who gets it.")},
    )
    infraction = forms.ChoiceField(
        label=gettext_lazy("For"), choices=lambda: _words("infraction", INFRACTIONS)
    )
    penalty = forms.ChoiceField(
        label=gettext_lazy("Penalty"),
        choices=lambda: _words("penalty", PENALTIES),
        help_text=gettext_lazy(
            "A disqualification removes them from the tournament. It and a match loss give an open "
            "match at a table of two to the other player. Other penalties change no result: change "
            "that at the table."
        ),
    )
    demerits = forms.IntegerField(
        label=gettext_lazy("Demerits"), initial=0, min_value=0, max_value=MAX_POINTS
    )
    note = forms.CharField(label=gettext_lazy("What happened"), required=False, max_length=MAX_NOTE)

    def __init__(self, people: Choices, data: Any = None) -> None:
        super().__init__(data, auto_id="penalty-%s")
        offer_choices(self, "entrant", [("", gettext("Choose")), *people])


class ByeForm(forms.Form):
    """A bye granted on request: for a coming round, or from `first` on if some were missed."""

    entrant = forms.ChoiceField(label=gettext_lazy("For"))
    round = forms.IntegerField(label=gettext_lazy("In round"))
    worth = forms.ChoiceField(label=gettext_lazy("Worth"), choices=lambda: _words("worth", WORTHS))

    def __init__(self, people: Choices, number: int, first: int, data: Any = None) -> None:
        super().__init__(data, auto_id="bye-%s")
        offer_choices(self, "entrant", people)
        self.fields["round"] = forms.IntegerField(
            label=gettext("In round"),
            initial=number,
            min_value=first,
            max_value=number + AHEAD,
            help_text=gettext("One to come, or one they missed.") if first < number else "",
        )


class ExtraForm(forms.Form):
    """Extra minutes, for a whole round or for one table."""

    minutes = forms.IntegerField(
        label=gettext_lazy("Minutes"), initial=5, min_value=1, max_value=MAX_MINUTES
    )
    table = forms.ChoiceField(label=gettext_lazy("For"))

    def __init__(self, tables: Iterable[TableDisplay], data: Any = None) -> None:
        super().__init__(data, auto_id="extra-%s")
        label = gettext("Table {number}: {names}")
        named = [
            (s.table.number, label.format(number=s.table.number, names=s.names)) for s in tables
        ]
        offer_choices(self, "table", [(0, gettext("The whole round")), *named])


class HeldForm(forms.Form):
    """The round from which on results are hidden from the public."""

    def __init__(self, number: int, rounds: int, data: Any = None) -> None:
        super().__init__(data, auto_id="held-%s")
        most = rounds + AHEAD
        message = gettext("Name a round from 1 to {most}.").format(most=most)
        self.fields["round"] = forms.IntegerField(
            label=gettext("From round"),
            initial=number,
            min_value=1,
            max_value=most,
            error_messages=dict.fromkeys(("required", "min_value", "max_value"), message),
        )


class ScoresForm(forms.Form):
    """The scores of everybody at a table of more than two, and who did not show up."""

    all_optional = True  # absent players need no score

    def __init__(self, seen: TableDisplay, data: Any = None) -> None:
        super().__init__(data, auto_id=f"t{seen.table.number}-%s")
        self.seats = [(side, f"score-{side.seat}", f"absent-{side.seat}") for side in seen.sides]
        for side, score, absent in self.seats:
            self.fields[score] = forms.IntegerField(
                label=side.name, min_value=0, max_value=MAX_SCORE, required=False
            )
            self.fields[absent] = forms.BooleanField(
                label=gettext("{name} did not show up").format(name=side.name), required=False
            )

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        for side, score, absent in self.seats:
            if score in cleaned and cleaned[score] is None and not cleaned[absent]:
                text = gettext("Say what {name} scored, or that they did not show up.")
                self.add_error(score, text.format(name=side.name))
        return cleaned

    def result(self) -> dict[str, Any]:
        """Return the result in an act's fields. Raises: BadInput; the fields hold the reasons."""
        if not self.is_valid():
            raise BadInput("bad-scores", gettext("This could not be taken yet."), "scores")
        cleaned = self.cleaned_data
        found: dict[str, Any] = {"scores": [cleaned[score] or 0 for _, score, _ in self.seats]}
        if gone := [side.number for side, _, absent in self.seats if cleaned[absent]]:
            found["absent"] = sorted(gone)
        return found


def scores_of(seen: TableDisplay, sent: QueryDict | None) -> ScoresForm | None:
    """Return the form for a table of more than two, bound to data `sent` for it, else None."""
    if len(seen.sides) == 2:
        return None
    mine = sent is not None and "score-1" in sent and sent.get("table") == str(seen.table.number)
    return ScoresForm(seen, sent if mine else None)


class TimeForm(forms.Form):
    """When a table is to be played."""

    when = MomentField(label=gettext_lazy("When"))

    def clean_when(self) -> datetime:
        when: datetime = self.cleaned_data["when"]
        if when <= timezone.now():
            raise ValidationError(gettext("This time has passed."))
        if when > timezone.now() + FARTHEST:
            raise ValidationError(gettext("This is more than a year away."))
        return when

    def time(self) -> dict[str, Any]:
        """Return the time in an act's field. Raises: BadInput; the field holds the reason."""
        if not self.is_valid():
            raise BadInput("bad-time", gettext("This could not be taken yet."), "when")
        return {"at": int(self.cleaned_data["when"].timestamp())}


def time_of(sent: QueryDict | None = None) -> TimeForm:
    """Return the form for a table's time, bound to data `sent` for it."""
    return TimeForm(sent if sent is not None and "when" in sent else None)


def act_at(form: QueryDict, seen: TableDisplay) -> dict[str, Any]:
    """Return the act that a table's form describes. Raises: BadInput."""
    scores, time = scores_of(seen, form), time_of(form)
    found = act_of(form) | (scores.result() if scores and scores.is_bound else {})
    return found | (time.time() if time.is_bound else {})
