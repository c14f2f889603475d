"""The forms of a desk's pages into which numbers are typed."""

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext

from league.forms import act_of
from league.scene import Seen
from matches.errors import BadInput
from rules.desk.record import MOST_SCORE


class ScoresForm(forms.Form):
    """What everybody at a table of more than two scored, and who did not show up."""

    all_optional = True  # who did not show up needs no score

    def __init__(self, seen: Seen, data: Any = None) -> None:
        super().__init__(data, auto_id=f"t{seen.table.number}-%s")
        self.seats = [(side, f"score-{side.seat}", f"absent-{side.seat}") for side in seen.sides]
        for side, score, absent in self.seats:
            self.fields[score] = forms.IntegerField(
                label=side.name, min_value=0, max_value=MOST_SCORE, required=False
            )
            self.fields[absent] = forms.BooleanField(
                label=gettext("{name} did not show up").format(name=side.name), required=False
            )

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = super().clean() or {}
        for side, score, absent in self.seats:
            if score in said and said[score] is None and not said[absent]:
                text = gettext("Say what {name} scored, or that they did not show up.")
                self.add_error(score, text.format(name=side.name))
        return said

    def result(self) -> dict[str, Any]:
        """Return the result as an act has it. Raises: BadInput, the fields say why."""
        if not self.is_valid():
            raise BadInput("bad-scores", gettext("This could not be taken yet."), "scores")
        said = self.cleaned_data
        found: dict[str, Any] = {"scores": [said[score] or 0 for _, score, _ in self.seats]}
        if gone := [side.number for side, _, absent in self.seats if said[absent]]:
            found["absent"] = sorted(gone)
        return found


def scores_of(seen: Seen, sent: QueryDict | None = None) -> ScoresForm | None:
    """Return the form of a table of more than two, with what was `sent` of it; None at others."""
    if len(seen.sides) == 2:
        return None
    mine = sent is not None and "score-1" in sent and sent.get("table") == str(seen.table.number)
    return ScoresForm(seen, sent if mine else None)


def act_at(form: QueryDict, seen: Seen) -> dict[str, Any]:
    """Return the act that a form at a table says. Raises: BadInput."""
    scores = scores_of(seen, form)
    return act_of(form) | (scores.result() if scores and scores.is_bound else {})
