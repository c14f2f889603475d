"""Forms to open a tournament, and to edit what surrounds its desk."""

from collections.abc import Iterable
from typing import Any

import msgspec
from django import forms
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from league import copying, desks, finals, policy, selectors
from league.forms.fields import (
    CircuitsField,
    DivisionField,
    MomentField,
    NamedField,
    ZoneField,
    offer,
)
from league.forms.stages import Fold, StagesForm
from league.models import Circuit, Division, League, Season, Tournament, Venue
from matches.actors import Actor
from matches.forms import Lines, ListFilter, OnceForm, games
from rules.desk import limits
from rules.desk.acts import Options


class TournamentFilter(ListFilter):
    """Filters a list of tournaments."""

    STATUSES = [
        ("", gettext_lazy("Any")),
        ("open", gettext_lazy("Open")),
        ("ended", gettext_lazy("Closed")),
    ]
    q = forms.CharField(label=gettext_lazy("Name"), required=False, max_length=80)
    league = forms.CharField(label=gettext_lazy("League"), required=False, max_length=80)
    status = forms.ChoiceField(label=gettext_lazy("Status"), required=False, choices=STATUSES)

    def narrow(self, tournaments: QuerySet[Tournament], actor: Actor) -> QuerySet[Tournament]:
        """Return the tournaments that pass the filters."""
        wanted = self.wanted
        if word := wanted.get("q"):
            tournaments = tournaments.filter(title__icontains=word)
        if game := wanted.get("game"):
            tournaments = tournaments.filter(ruleset__startswith=f"{game}@")
        if word := wanted.get("league"):
            tournaments = selectors.of_leagues(tournaments, word)
        if status := wanted.get("status"):
            tournaments = selectors.of_status(tournaments, status)
        if wanted.get("whose"):
            tournaments = selectors.own(actor, tournaments)
        return tournaments


class TournamentForm(OnceForm, StagesForm):
    """A tournament and its stages."""

    title = forms.CharField(label=gettext_lazy("What it is called"), max_length=120)
    game = forms.ChoiceField(label=gettext_lazy("Game"), choices=games)
    venue = NamedField(
        Venue.objects.all(),
        label=gettext_lazy("Venue"),
        required=False,
        empty_label=gettext_lazy("Not said"),
    )
    division = DivisionField(
        Division.objects.none(),
        label=gettext_lazy("Division"),
        required=False,
        empty_label=gettext_lazy("None"),
        help_text=gettext_lazy("Its points count in the table of that division."),
    )
    circuits = CircuitsField(
        Circuit.objects.none(),
        label=gettext_lazy("Counts for"),
        required=False,
        help_text=gettext_lazy("The circuits in which its places give points."),
    )
    starts_at = MomentField(
        label=gettext_lazy("Begins"),
        required=False,
    )
    timezone = ZoneField(
        label=gettext_lazy("Time zone"),
        required=False,
        max_length=40,
        help_text=gettext_lazy("As Europe/Berlin. Empty: that of the venue, else UTC."),
        widget=forms.TextInput(attrs={"data-zone": "", "autocapitalize": "off"}),
    )
    enters = forms.ChoiceField(
        label=gettext_lazy("Who enters"),
        choices=Tournament.Enters.choices,
        initial=Tournament.Enters.PLAYER,
        required=False,
        help_text=gettext_lazy("Krewes are the teams of a league, entered by their captains."),
    )
    cap = forms.IntegerField(
        label=gettext_lazy("Places"), min_value=0, max_value=4096, initial=0,
        help_text=gettext_lazy("Latecomers wait for a place. 0: any number."),
    )  # fmt: skip
    round_minutes = forms.IntegerField(
        label=gettext_lazy("Minutes a round"), min_value=0, max_value=1440, required=False,
        help_text=gettext_lazy("Empty: as in the floor rules of the game. 0: no clock."),
    )  # fmt: skip
    check_in = forms.BooleanField(
        label=gettext_lazy("Only those checked in are paired"),
        required=False,
        help_text=gettext_lazy(
            "Asked before a stage begins. Those entered later count as present."
        ),
    )
    confirmed_only = forms.BooleanField(
        label=gettext_lazy("A reported result counts once it is confirmed"), required=False
    )
    appeal_minutes = forms.IntegerField(
        label=gettext_lazy("Minutes in which a ruling may be appealed"),
        min_value=0, max_value=limits.MAX_APPEAL, initial=0, required=False,
        help_text=gettext_lazy("Another official decides then. 0: rulings are final."),
    )  # fmt: skip

    @property
    def folds(self) -> list[Fold]:
        """All but what has to be said: title, game, league and format."""
        stage = ("rounds", "best_of", "seats", "uneven", "groups", "cut")
        results = ("round_minutes", "confirmed_only", "appeal_minutes")
        return [
            self.fold(gettext("When and where"), ("starts_at", "timezone", "venue")),
            self.fold(gettext("Rounds, and a bracket of the best"), stage),
            self.fold(gettext("Who enters, and places"), ("enters", "cap", "check_in")),
            self.fold(gettext("Time and results"), results),
            *super().folds,
        ]

    def __init__(self, *args: Any, leagues: QuerySet[League], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["league"] = NamedField(
            leagues,
            label=gettext("League"),
            required=False,
            empty_label=gettext("None"),
            help_text=gettext(
                "It belongs to the season of that league on the day it begins, and its results "
                "count in the ratings there. None: they count in ratings without a league."
            ),
        )
        named = self.initial.get("league")
        self._offer_in_seasons([named] if named else leagues)
        self.order_fields(["title", "game", "format", "league", "division", "circuits"])

    def _offer_in_seasons(self, leagues: Iterable[League]) -> None:
        """Offer the divisions and circuits of seasons that are not over, if there are any."""
        open_ = Season.objects.filter(league__in=leagues, ends_on__gte=timezone.localdate())
        divisions = Division.objects.filter(season__in=open_).select_related("season")
        circuits = finals.to_come(Circuit.objects.filter(season__in=open_))
        for name, found, order in (
            ("division", divisions, "level"),
            ("circuits", circuits.select_related("season__league", "final__log"), "name"),
        ):
            offer(self, name, found.order_by("season__starts_on", "season", order))
            if not found.exists():
                del self.fields[name]

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = super().clean() or {}
        division = said.get("division")
        if division and division.season.league != said.get("league"):
            self.add_error("division", gettext("That division is of another league."))
        said["enters"] = said.get("enters") or Tournament.Enters.PLAYER
        if said["enters"] == Tournament.Enters.KREWE and not said.get("league"):
            self.add_error("league", gettext("Krewes are of a league: choose it."))
        return said

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of `open_tournament`, except for the season."""
        cleaned = self.cleaned_data
        own = ("act_id", "title", "league", "venue", "starts_at", "timezone")
        return {
            **{name: cleaned[name] for name in (*own, "enters", "round_minutes")},
            "division": cleaned.get("division"),
            "circuits": cleaned.get("circuits", ()),
            "ruleset": cleaned["game"],
            "stages": self.stages(cleaned["game"]),
            "desk": Options(
                cap=cleaned["cap"],
                check_in=cleaned["check_in"],
                confirmed_only=cleaned["confirmed_only"],
                appeal_minutes=cleaned["appeal_minutes"] or 0,
            ),
        }


class LikeForm(OnceForm):
    """The settings that may differ in a tournament opened like another."""

    title, starts_at, cap, check_in, confirmed_only = (
        TournamentForm.base_fields[name]
        for name in ("title", "starts_at", "cap", "check_in", "confirmed_only")
    )

    def __init__(self, *args: Any, former: Tournament, **kwargs: Any) -> None:
        self.options = desks.setup_of(former).options
        kwargs["initial"] = {
            "title": copying.title_after(former),
            "starts_at": copying.starts_after(former),
            **msgspec.structs.asdict(self.options),
        }
        super().__init__(*args, **kwargs)
        by = gettext("By the clock of {zone}.").format(zone=former.timezone)
        self.fields["starts_at"].help_text = by

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of `open_like`."""
        cleaned = dict(self.cleaned_data)
        desk = {name: cleaned.pop(name) for name in self.fields.keys() & Options.__struct_fields__}
        return cleaned | {"desk": msgspec.structs.replace(self.options, **desk)}


class TournamentEditForm(forms.ModelForm):
    """The settings around a desk."""

    division = forms.ModelChoiceField(
        Division.objects.none(),
        label=gettext_lazy("Division"),
        required=False,
        empty_label=gettext_lazy("None"),
        help_text=gettext_lazy("Its points count in the table of that division."),
    )

    class Meta:
        model = Tournament
        fields = [
            *("title", "about", "division", "starts_at", "timezone", "visibility", "decks"),
            *("decks_shown", "sign_up", "self_report", "round_minutes", "remind_hours"),
            "shared_prizes",
        ]
        field_classes = {"starts_at": MomentField, "timezone": ZoneField}
        widgets = {"about": Lines(attrs={"rows": 4})}
        labels = {
            "title": gettext_lazy("What it is called"),
            "about": gettext_lazy("What it is about"),
            "starts_at": gettext_lazy("Begins"),
            "timezone": gettext_lazy("Time zone"),
            "visibility": gettext_lazy("Who may see it"),
            "decks": gettext_lazy("Decks"),
            "decks_shown": gettext_lazy("Everybody may read the decks"),
            "sign_up": gettext_lazy("Players sign up by themselves"),
            "self_report": gettext_lazy("Players report their own results"),
            "round_minutes": gettext_lazy("Minutes a round"),
            "remind_hours": gettext_lazy("Hours before it players are reminded"),
            "shared_prizes": gettext_lazy("Prizes of places that are shared"),
        }
        help_texts = {
            "timezone": gettext_lazy(
                "Where it is played, as Europe/Berlin. Days and bans are counted there."
            ),
            "sign_up": gettext_lazy("Otherwise organisers enter everybody."),
            "self_report": gettext_lazy("Otherwise only officials do."),
            "round_minutes": gettext_lazy("0: no clock."),
            "remind_hours": gettext_lazy(
                "By letter: that it begins, and of a match not reported before a round ends. "
                "0: never."
            ),
            "shared_prizes": gettext_lazy(
                "Players who leave a bracket in the same round share a place."
            ),
        }

    def __init__(self, *args: Any, by: Actor, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        season = self.instance.season
        if season and season.divisions.exists() and policy.may_run(by, season.league):
            offer(self, "division", season.divisions.order_by("level"))
        else:
            del self.fields["division"]
        if not self.instance.has_cards:
            del self.fields["decks"], self.fields["decks_shown"]
