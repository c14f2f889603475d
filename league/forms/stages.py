"""Forms for the stages of a tournament, as organisers plan them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.functional import lazy
from django.utils.translation import gettext, gettext_lazy

import rules
from league import tiebreaks
from league.models import FORMATS, StagePlan
from league.planning import USUAL, Uneven, sizes_at
from rules.capabilities import SupportsFloorRules
from rules.desk.limits import MAX_POINTS
from rules.desk.pairing import counts_for

POINTS = ("win", "draw", "loss", "bye")
BREAKS = tuple(f"tiebreak_{place}" for place in range(1, 6))
MORE = (*POINTS, *BREAKS, "third_place")
"""Fields folded away: most organisers leave them to the game or format."""
UNEVEN: list[tuple[Uneven, Any]] = [
    ("smaller", gettext_lazy("smaller tables")),
    ("larger", gettext_lazy("a larger table rather than several smaller ones")),
    ("byes", gettext_lazy("a bye for everybody left over")),
]


AS_SET = "as-set"
"""Sizes that a program set, and that none of these ways gives."""


def _breaks() -> list[tuple[str, str]]:
    """Return the tie-breaks to choose from, sorted by name; "" leaves it to game and format."""
    return [("", gettext("As usual")), *tiebreaks.choices()]


def _describe_counts() -> str:
    """Describe how many entrants can play the formats that take certain numbers only."""
    pods = ", ".join(map(str, counts_for("pod-elimination", ())))
    tables = "; ".join(
        gettext("at tables of {seats}: {counts}").format(
            seats=seats, counts=", ".join(map(str, counts_for("multi-round-robin", [seats])))
        )
        for seats in (3, 4, 5, 6)
    )
    text = gettext("A pod cut needs {pods} players, a multi-player round robin {tables}.")
    of = gettext("For pods, and for a multi-player round robin.")
    return f"{of} {text.format(pods=pods, tables=tables)}"


@dataclass(frozen=True)
class Fold:
    """Fields folded away under a title, since most organisers leave them as they are."""

    title: str
    fields: list[forms.BoundField]
    note: str = ""

    @property
    def unfolds(self) -> bool:
        """Whether any field has errors or is not as usual."""
        return any(
            each.errors or each.field.has_changed(each.field.initial, each.value())
            for each in self.fields
        )


class StagesForm(forms.Form):
    """One stage, or two: a stage with points and a bracket of its best."""

    field_of = {"sizes": "seats", "tiebreaks": BREAKS[0]}

    format = forms.ChoiceField(label=gettext_lazy("Format"), choices=list(FORMATS.items()))
    rounds = forms.IntegerField(
        label=gettext_lazy("Rounds"),
        min_value=0,
        max_value=30,
        initial=0,
        help_text=gettext_lazy("0: as many as it needs."),
    )
    best_of = forms.IntegerField(label=gettext_lazy("Best of"), min_value=1, max_value=9, initial=1)
    seats = forms.IntegerField(
        label=gettext_lazy("Seats at a table"), min_value=3, max_value=6, initial=4, required=False,
        help_text=lazy(_describe_counts, str)(),
    )  # fmt: skip
    uneven = forms.ChoiceField(
        label=gettext_lazy("If the players do not fill all tables"),
        choices=UNEVEN,
        required=False,
    )
    groups = forms.IntegerField(
        label=gettext_lazy("Groups"), min_value=1, max_value=16, initial=1, required=False,
        help_text=gettext_lazy("Each has a table of its own. 1: all play in one."),
    )  # fmt: skip
    cut = forms.IntegerField(
        label=gettext_lazy("Then a bracket of the best"), min_value=0, max_value=64, initial=0,
        help_text=gettext_lazy(
            "So many go on to a knock-out. 0: none. "
            "From groups the winners go on first, then the best runners-up, and so on."
        ),
    )  # fmt: skip

    win, draw, loss, bye = (
        forms.IntegerField(label=label, min_value=0, max_value=MAX_POINTS, required=False)
        for label in (
            gettext_lazy("Points for a win"),
            gettext_lazy("Points for a draw"),
            gettext_lazy("Points for a loss"),
            gettext_lazy("Points for a bye"),
        )
    )
    tiebreak_1, tiebreak_2, tiebreak_3, tiebreak_4, tiebreak_5 = (
        forms.ChoiceField(label=label, choices=_breaks, required=False)
        for label in (
            gettext_lazy("Level in points: first by"),
            gettext_lazy("then by"),
            gettext_lazy("third by"),
            gettext_lazy("fourth by"),
            gettext_lazy("fifth by"),
        )
    )
    third_place = forms.BooleanField(
        label=gettext_lazy("A match for third place in the bracket"), required=False
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if sizes := self.initial.get("sizes"):
            text = gettext("as it is set, tables of: {sizes}")
            label = text.format(sizes=", ".join(map(str, sizes)))
            uneven: Any = self.fields["uneven"]
            uneven.choices = [*UNEVEN, (AS_SET, label)]

    @property
    def plain(self) -> list[forms.BoundField]:
        """Fields that are always shown."""
        folded = {field.name for fold in self.folds for field in fold.fields}
        return [field for field in self if field.name not in folded]

    @property
    def folds(self) -> list[Fold]:
        return [
            self.fold(
                gettext("More: points, tie-breaks, third place"),
                MORE,
                gettext(
                    "Fields left empty follow the game and the format: usually 3 points for a win "
                    "or a bye, 1 for a draw, 0 for a loss."
                ),
            )
        ]

    def fold(self, title: str, names: Sequence[str], note: str = "") -> Fold:
        return Fold(title, [self[name] for name in names if name in self.fields], note)

    def stages(self, game: str) -> list[dict[str, Any]]:
        """Return the stages as a game's tournament plans them."""
        cleaned = self.cleaned_data
        first: dict[str, Any] = {"format": cleaned["format"]}
        if cleaned["format"] in ("swiss", "pods", "ladder") and cleaned["rounds"]:
            first["rounds"] = cleaned["rounds"]
        if "pod" not in cleaned["format"] and cleaned["format"] != "multi-round-robin":
            first["best_of"] = cleaned["best_of"]
        if cleaned["format"] in ("multi-round-robin", "pods"):
            first["sizes"] = self._sizes()
        if cleaned["format"] == "round-robin" and (cleaned["groups"] or 1) > 1:
            first["groups"] = cleaned["groups"]
        floor = cleaned["format"] == "swiss" and isinstance(rules.get(game), SupportsFloorRules)
        if cleaned["format"] in USUAL and not floor:
            first["tiebreaks"] = USUAL[cleaned["format"]]
        if chosen := [cleaned[name] for name in BREAKS if cleaned[name]]:
            first["tiebreaks"] = chosen
        first |= {name: cleaned[name] for name in POINTS if cleaned[name] is not None}
        if cleaned["win"] is not None:
            first.setdefault("bye", cleaned["win"])
        third = {"third_place": True} if cleaned["third_place"] else {}
        if not cleaned["cut"]:
            return [first | third]
        final = {
            "format": "single-elimination",
            "best_of": cleaned["best_of"],
            "cut": cleaned["cut"],
        }
        return [first, final | third]

    def _sizes(self) -> list[int]:
        seats, uneven = self.cleaned_data["seats"] or 4, self.cleaned_data["uneven"]
        kept: list[int] = self.initial.get("sizes", [])
        if uneven == AS_SET:
            return kept if kept[0] == seats else sizes_at(self.cleaned_data["format"], seats)
        return sizes_at(self.cleaned_data["format"], seats, uneven or "smaller")


def initial_of(plans: Sequence[StagePlan]) -> dict[str, Any]:
    """Return the form's initial data for planned stages, as far as it can express them."""
    if not plans:
        return {}
    settings = plans[0].settings
    plain = ("format", "rounds", "best_of", "groups", *POINTS)
    initial = {name: settings[name] for name in plain if name in settings}
    breaks = settings.get("tiebreaks", [])
    if breaks != USUAL.get(settings["format"]):
        initial |= dict(zip(BREAKS, breaks, strict=False))
    initial["third_place"] = any(plan.settings.get("third_place") for plan in plans)
    if sizes := settings.get("sizes"):
        initial["seats"] = sizes[0]
        initial["uneven"] = next(
            (way for way, _ in UNEVEN if sizes_at(settings["format"], sizes[0], way) == sizes),
            AS_SET,
        )
        initial |= {"sizes": sizes} if initial["uneven"] == AS_SET else {}
    return initial | {"cut": plans[1].cut if len(plans) > 1 else 0}
