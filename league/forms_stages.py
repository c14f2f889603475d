"""The shape of the stages of a tournament as its organisers plan them."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.functional import lazy
from django.utils.translation import gettext, gettext_lazy

import rules
from league.models import FORMATS, StagePlan
from matches.errors import Refused
from rules.desk.pairing import counts_for
from rules.ruleset import HasFloor

USUAL = {
    "swiss": ["omw", "gw", "ogw"],
    "round-robin": ["de", "sb", "win"],
    "pods": ["firsts", "beaten", "omw"],
    "multi-round-robin": ["firsts", "beaten"],
}


def sizes_at(format_: str, seats: int) -> list[int]:
    """Return the sizes of tables of more than two, the usual one first."""
    if format_ == "multi-round-robin":
        return [seats]
    return [seats, seats - 1 if seats > 3 else 4]


def _counts_told() -> str:
    """Say how many can play the formats that take certain numbers only."""
    pods = ", ".join(map(str, counts_for("pod-elimination", ())))
    tables = "; ".join(
        gettext("at tables of {seats}: {counts}").format(
            seats=seats, counts=", ".join(map(str, counts_for("multi-round-robin", [seats])))
        )
        for seats in (3, 4, 5, 6)
    )
    text = gettext("A pod cut is played by {pods}, a multi-player round robin {tables}.")
    return text.format(pods=pods, tables=tables)


class StagesForm(forms.Form):
    """One stage, or two: a table of points and a bracket of its best."""

    format = forms.ChoiceField(
        label=gettext_lazy("Format"),
        choices=list(FORMATS.items()),
        help_text=lazy(_counts_told, str)(),
    )
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
        help_text=gettext_lazy("Of pods, and of a round robin of more than two."),
    )  # fmt: skip
    cut = forms.IntegerField(
        label=gettext_lazy("Then a cut to"), min_value=0, max_value=64, initial=0,
        help_text=gettext_lazy("This many go on to a bracket. 0: none."),
    )  # fmt: skip

    def refuse(self, refused: Refused) -> None:
        """Say at its field what the service did not take."""
        for error in refused.errors or [{"where": "", "detail": refused.detail}]:
            name = str(error["where"]).rpartition(".")[2]
            name = "seats" if name == "sizes" else name
            self.add_error(name if name in self.fields else None, str(error["detail"]))

    def stages(self, game: str) -> list[dict[str, Any]]:
        """Return the stages as they are planned of a game."""
        said = self.cleaned_data
        first: dict[str, Any] = {"format": said["format"]}
        if said["format"] in ("swiss", "pods", "ladder") and said["rounds"]:
            first["rounds"] = said["rounds"]
        if "pod" not in said["format"] and said["format"] != "multi-round-robin":
            first["best_of"] = said["best_of"]
        if said["format"] in ("multi-round-robin", "pods"):
            first["sizes"] = sizes_at(said["format"], said["seats"] or 4)
        floor = said["format"] == "swiss" and isinstance(rules.get(game), HasFloor)
        if said["format"] in USUAL and not floor:
            first["tiebreaks"] = USUAL[said["format"]]
        if not said["cut"]:
            return [first]
        final = {
            "format": "single-elimination",
            "best_of": said["best_of"],
            "cut": said["cut"],
        }
        return [first, final]


def initial_of(plans: Sequence[StagePlan]) -> dict[str, Any]:
    """Return what the form says of stages that are planned, as far as it can say it."""
    if not plans:
        return {}
    settings = plans[0].settings
    said = {name: settings[name] for name in ("format", "rounds", "best_of") if name in settings}
    if settings.get("sizes"):
        said["seats"] = settings["sizes"][0]
    return said | {"cut": plans[1].cut if len(plans) > 1 else 0}
