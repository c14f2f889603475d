"""What followers write of a desk, to read: rounds, their dates, pairings, standings, ratings."""

from django.contrib import admin

from league.admin.base import OfTournament
from league.models import Pairing, Rating, Round, RoundDate, Standing
from matches.admin import ReadOnly


@admin.register(RoundDate)
class RoundDateAdmin(OfTournament):
    """When rounds are paired automatically; set on the tournament's own page."""

    list_display = ["__str__", "pairs_at", "weekly", "deadline", "set_by"]
    list_filter = ["weekly"]
    search_fields = ["tournament__title", "tournament__code"]
    list_select_related = ["tournament", "set_by"]


@admin.register(Round)
class RoundAdmin(OfTournament):
    list_display = ["tournament", "number", "stage", "by_hand", "closed"]
    list_filter = ["closed", "by_hand"]
    search_fields = ["tournament__title", "tournament__code"]
    list_select_related = ["tournament"]


@admin.register(Pairing)
class PairingAdmin(OfTournament):
    to_tournament = "round__tournament"
    list_display = ["__str__", "round", "status", "plays_at", "changed", "corrected"]
    list_filter = ["status"]
    search_fields = ["round__tournament__title", "round__tournament__code"]
    list_select_related = ["round__tournament"]


@admin.register(Standing)
class StandingAdmin(OfTournament):
    list_display = ["tournament", "round", "place", "entry", "points"]
    search_fields = ["tournament__title", "entry__player__name"]
    list_select_related = [
        *("tournament", "entry__player", "entry__character", "entry__krewe"),
    ]


@admin.register(Rating)
class RatingAdmin(ReadOnly, admin.ModelAdmin):
    """The strength of players; whoever plays in one game and league is rated together."""

    list_display = ["player", "pool", "shown", "mu", "sigma", "played", "provisional"]
    list_filter = ["pool__game", "provisional"]
    search_fields = ["player__name", "pool__league__name"]
    list_select_related = ["player", "pool__league"]
