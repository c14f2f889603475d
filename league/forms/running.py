"""Forms to found a league and run it: its text, seasons, circuits, venues and bans."""

from typing import Any

from django import forms
from django.db.models import Q, QuerySet
from django.utils.translation import gettext, gettext_lazy

from league.adjusting import MAX_ADJUSTMENT
from league.forms.fields import NamedField, PlayerField, PointsField, ZoneField, offer
from league.models import (
    Circuit,
    Division,
    League,
    Qualifier,
    Sanction,
    Season,
    Tournament,
    Venue,
)
from matches.forms import Day, Lines, OnceForm, games
from matches.models import Player, withdrawn
from rules.cells import bare

LONG = Lines(attrs={"rows": 4})
NAME = gettext_lazy("What it is called")
ABOUT = gettext_lazy("What it is about")


class LeagueForm(OnceForm):
    """A league to found."""

    name = forms.CharField(label=NAME, max_length=80)
    game = forms.ChoiceField(label=gettext_lazy("Game"), choices=games)
    about = forms.CharField(label=ABOUT, max_length=4000, required=False, widget=LONG)
    is_open = forms.BooleanField(
        label=gettext_lazy("Anybody may join"), required=False, initial=True
    )

    field_order = ["name", "game"]


class LeagueEditForm(forms.ModelForm):
    """A league's description, and whether anybody may join."""

    venue = NamedField(
        Venue.objects.all(),
        label=gettext_lazy("At home at"),
        required=False,
        empty_label=gettext_lazy("Not said"),
    )

    class Meta:
        model = League
        fields = ["name", "about", "house_rules", "venue", "is_open"]
        widgets = {"about": LONG, "house_rules": LONG}
        labels = {
            "name": NAME,
            "about": ABOUT,
            "house_rules": gettext_lazy("House rules"),
            "is_open": gettext_lazy("Anybody may join"),
        }
        help_texts = {
            "house_rules": gettext_lazy(
                "What is agreed on beyond the rulebook; every tournament shows it."
            )
        }


class SeasonForm(forms.ModelForm):
    """The name and dates of a season."""

    class Meta:
        model = Season
        fields = ["name", "starts_on", "ends_on", "about"]
        widgets = {"about": LONG, "starts_on": Day, "ends_on": Day}
        labels = {
            "name": NAME,
            "starts_on": gettext_lazy("First day"),
            "ends_on": gettext_lazy("Last day"),
            "about": ABOUT,
        }

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        first, last = cleaned.get("starts_on"), cleaned.get("ends_on")
        if first and last and last < first:
            self.add_error("ends_on", gettext("A season ends on the day it begins, or later."))
        return cleaned


class NewSeasonForm(OnceForm, SeasonForm):
    """A season of a league, on its own or following one that has no successor yet."""

    previous = forms.ModelChoiceField(
        Season.objects.none(),
        label=gettext_lazy("Goes on from"),
        required=False,
        empty_label=gettext_lazy("None"),
        help_text=gettext_lazy(
            "Its divisions are copied, and players move up and down between them."
        ),
    )
    divisions = forms.CharField(
        label=gettext_lazy("Divisions"),
        required=False,
        max_length=2000,
        widget=LONG,
        help_text=gettext_lazy(
            "One per line, the highest first. Not needed if it goes on from another."
        ),
    )

    def __init__(self, *args: Any, league: League, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        begun = Q(following__name=bare(self.data.get("name", "")))  # the same form sent again
        before = league.seasons.filter(Q(following=None) | begun)
        offer(self, "previous", before)
        if not before.exists():  # the first of its league
            del self.fields["previous"]
            self.fields["divisions"].help_text = gettext("One per line, the highest first.")

    def clean_divisions(self) -> list[str]:
        lines = [line.strip() for line in self.cleaned_data["divisions"].splitlines()]
        most = Division._meta.get_field("name").max_length or 0
        message = gettext("Line {number} has more than {most} characters.")
        for number, line in enumerate(lines, 1):
            if len(line) > most:
                raise forms.ValidationError(message.format(number=number, most=most))
        return [line for line in lines if line]


PLAY_OFF = gettext_lazy(
    "How many above those that go down defend their places, against as many of the next division "
    "below those that go up there."
)


class DivisionForm(forms.ModelForm):
    """A level of a season."""

    class Meta:
        model = Division
        fields = ["name", "level", "up", "down", "play_off"]
        labels = {
            "name": NAME,
            "level": gettext_lazy("Level"),
            "up": gettext_lazy("Go up"),
            "down": gettext_lazy("Go down"),
            "play_off": gettext_lazy("Play-off places"),
        }
        help_texts = {
            "level": gettext_lazy("1 is the highest."),
            "up": gettext_lazy("How many go up at the season's end."),
            "down": gettext_lazy("How many go down at the season's end."),
            "play_off": PLAY_OFF,
        }


class DivisionEditForm(DivisionForm):
    """A level of a season, and the tournament that decides its play-off."""

    play_off_in = forms.ModelChoiceField(
        Tournament.objects.none(),
        label=gettext_lazy("Its play-off"),
        required=False,
        empty_label=gettext_lazy("None yet"),
        help_text=gettext_lazy(
            "The tournament of those from both divisions. The best there, as many as there are "
            "play-off places, play in this division next."
        ),
    )

    class Meta(DivisionForm.Meta):
        fields = [*DivisionForm.Meta.fields, "play_off_in"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        there = Tournament.objects.filter(league=self.instance.season.league_id, division=None)
        offer(self, "play_off_in", there.exclude(withdrawn()).order_by("-created_at"))


class OfPlayerForm(forms.Form):
    """A form about one of some `players`."""

    player = PlayerField(
        Player.objects.none(), label=gettext_lazy("Player"), empty_label=gettext_lazy("Choose")
    )

    def __init__(self, *args: Any, players: QuerySet[Player], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer(self, "player", players)


class DivisionPlayerForm(OfPlayerForm):
    """Who plays in a division, or has left."""

    active = forms.BooleanField(
        label=gettext_lazy("Plays on"),
        required=False,
        initial=True,
        help_text=gettext_lazy(
            "Not ticked: has left, neither goes up nor down, and is not in the next season."
        ),
    )


class AdjustmentForm(OnceForm, OfPlayerForm):
    """Points given to somebody in a division or a circuit, or taken."""

    points = forms.IntegerField(
        label=gettext_lazy("Points"),
        min_value=-MAX_ADJUSTMENT,
        max_value=MAX_ADJUSTMENT,
        help_text=gettext_lazy("Below 0 they are taken."),
    )
    reason = forms.CharField(
        label=gettext_lazy("Why"), max_length=200, help_text=gettext_lazy("Everyone may read it.")
    )

    field_order = ["player", "points", "reason"]


class CircuitForm(forms.ModelForm):
    """The rules of a circuit. Points are typed with commas in between."""

    points = PointsField(
        label=gettext_lazy("Points"),
        help_text=gettext_lazy(
            "For the first place, the second and so on: 10, 7, 5, 3. Or by how many play, a line "
            "each: “8: 10, 7, 5” from 8 players on. Smaller fields give none."
        ),
    )

    class Meta:
        model = Circuit
        fields = ["name", "points", "best", "direct", "by_ranking", "pass_down", "about"]
        widgets = {"about": LONG}
        labels = {
            "name": NAME,
            "best": gettext_lazy("Best results that count"),
            "direct": gettext_lazy("Places in the final from each tournament"),
            "by_ranking": gettext_lazy("Places in the final by points"),
            "pass_down": gettext_lazy("The place of a player who is in already goes"),
            "about": ABOUT,
        }
        help_texts = {"best": gettext_lazy("Of each player. 0: all.")}


class NewCircuitForm(OnceForm, CircuitForm):
    """A circuit to create."""


class CircuitEditForm(CircuitForm):
    """A circuit's rules, and its final."""

    final = forms.ModelChoiceField(
        Tournament.objects.none(),
        label=gettext_lazy("The final"),
        required=False,
        empty_label=gettext_lazy("None yet"),
    )

    class Meta(CircuitForm.Meta):
        fields = [*CircuitForm.Meta.fields, "final"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        free = Q(final_of=None) | Q(final_of=self.instance)
        offer(self, "final", _not_counted(self.instance).filter(free))


class QualifierForm(forms.ModelForm):
    """A tournament of the season, or of none, that does not count for a circuit yet."""

    tournament = forms.ModelChoiceField(
        Tournament.objects.none(),
        label=gettext_lazy("Tournament"),
        empty_label=gettext_lazy("Choose"),
    )

    class Meta:
        model = Qualifier
        fields = ["tournament", "tier", "direct"]
        labels = {
            "tier": gettext_lazy("Points times"),
            "direct": gettext_lazy("Places in the final"),
        }
        help_texts = {"direct": gettext_lazy("Empty: as many as the circuit says.")}

    def __init__(self, *args: Any, circuit: Circuit, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        of_season = Q(season=None) | Q(season=circuit.season_id)
        free = _not_counted(circuit).filter(of_season)
        offer(self, "tournament", free.exclude(final_of=circuit))


def _not_counted(circuit: Circuit) -> Any:
    """Return tournaments of players in a circuit's league, newest first, that do not count yet."""
    found = Tournament.objects.filter(league=circuit.season.league_id)
    found = found.exclude(enters=Tournament.Enters.KREWE)
    found = found.exclude(qualifiers__circuit=circuit).exclude(withdrawn())
    return found.order_by("-created_at")


class VenueForm(forms.ModelForm):
    """A venue's description."""

    class Meta:
        model = Venue
        fields = ["name", "region", "timezone", "tables", "about", "house_rules", "lore"]
        field_classes = {"timezone": ZoneField}
        widgets = {"about": LONG, "house_rules": LONG, "lore": LONG}
        labels = {
            "name": NAME,
            "region": gettext_lazy("Where it lies"),
            "timezone": gettext_lazy("Time zone"),
            "tables": gettext_lazy("How many tables it has"),
            "about": ABOUT,
            "house_rules": gettext_lazy("Terrain and house rules"),
            "lore": gettext_lazy("What is told of it"),
        }
        help_texts = {
            "region": gettext_lazy("A town, an address: how people find it."),
            "timezone": gettext_lazy("As Europe/Berlin: tournaments opened here go by its clock."),
            "tables": gettext_lazy("The console says when a round needs more."),
            "house_rules": gettext_lazy("What stands on the tables, and what goes there."),
            "lore": gettext_lazy("In the game's own time."),
        }


class NewVenueForm(OnceForm, VenueForm):
    """A venue to open, most likely where one is: a script suggests the device's time zone."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["timezone"].widget.attrs |= {"data-zone": "", "autocapitalize": "off"}


class SanctionForm(OnceForm, OfPlayerForm, forms.ModelForm):
    """A ban or exile: who, why, and how long."""

    class Meta:
        model = Sanction
        fields = ["player", "kind", "ends_on", "reason"]
        widgets = {"reason": LONG, "ends_on": Day}
        labels = {
            "kind": gettext_lazy("They are"),
            "ends_on": gettext_lazy("Last day"),
            "reason": gettext_lazy("Why"),
        }
        help_texts = {
            "kind": gettext_lazy("A ban ends by itself; an exile when it is lifted."),
            "ends_on": gettext_lazy("Of a ban."),
            "reason": gettext_lazy("For the league's officials."),
        }
