"""Characters, campaigns and the catalogue by hand; the books are only to be looked at.

Private texts of a sheet are not in here: they are for those whom their owner lets know.
"""

from typing import Any

from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString

from characters import campaigns, cards, moving, policy
from characters.models import (
    Aftermath,
    Appearance,
    Campaign,
    Card,
    CardSet,
    Character,
    Deed,
    GearItem,
    LedgerEntry,
    Loadout,
)
from matches.admin import ReadOnly
from matches.policy import actor_of


@admin.register(Campaign)
class CampaignAdmin(admin.ModelAdmin):
    """What a campaign decided; it is begun on its own page."""

    list_display = ["name", "game", "owner", "after_slag", "repair_price"]
    list_filter = ["game", "after_slag"]
    search_fields = ["name"]
    fields = ["name", "game", "owner", "after_slag", "repair_price", "officials"]
    readonly_fields = ["game", "owner"]
    raw_id_fields = ["officials"]

    def save_model(self, request: HttpRequest, obj: Campaign, form: Any, change: bool) -> None:
        kept = Campaign.objects.get(pk=obj.pk)
        campaigns.change(by=actor_of(request), campaign=kept, **form.cleaned_data)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Leave the officials to the service, which has set them."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False  # characters' books tell of it


@admin.register(Character)
class CharacterAdmin(admin.ModelAdmin):
    """Whose a character is and which campaign it is in; the rest is its owner's."""

    list_display = ["name", "owner", "campaign", "audience", "created_at", "page"]
    list_filter = ["audience"]
    list_select_related = ["owner", "campaign"]
    search_fields = ["name", "owner__name"]
    fields = ["name", "owner", "campaign", "created_at", "page"]
    readonly_fields = ["name", "owner", "created_at", "page"]
    raw_id_fields = ["campaign"]

    @admin.display(description="Page")
    def page(self, character: Character) -> SafeString:
        return format_html('<a href="{}">Open</a>', character.get_absolute_url())

    def get_queryset(self, request: HttpRequest) -> QuerySet[Character]:
        shown = policy.visible_characters(actor_of(request))
        return super().get_queryset(request).filter(pk__in=shown.values("pk"))

    def save_model(self, request: HttpRequest, obj: Character, form: Any, change: bool) -> None:
        moving.place(by=actor_of(request), character=obj, campaign=form.cleaned_data["campaign"])

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # made on its own page

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False  # the books name it


@admin.register(CardSet)
class CardSetAdmin(admin.ModelAdmin):
    """Sets of the site and those others see something of; whose cards are private has no set."""

    list_display = ["name", "game", "owner"]
    list_filter = ["game"]
    search_fields = ["name"]
    fields = ["game", "name", "about", "owner"]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return ["game", "owner"] if obj else ["owner"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[CardSet]:
        shown = policy.visible_sets(actor_of(request))
        return super().get_queryset(request).filter(pk__in=shown.values("pk"))

    def save_model(self, request: HttpRequest, obj: CardSet, form: Any, change: bool) -> None:
        keep = cards.change_set if change else cards.make_set
        obj.pk = keep(by=actor_of(request), card_set=obj).pk


@admin.register(Card)
class CardAdmin(ReadOnly, admin.ModelAdmin):
    """Cards are changed where their game checks them; those kept to their owner are not here."""

    list_display = ["name", "slot", "colour", "quality", "cost", "card_set", "owner", "shared"]
    list_filter = ["game", "shared"]
    list_select_related = ["card_set", "owner"]
    search_fields = ["name", "slot", "colour", "quality"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Card]:
        shown = policy.visible_cards(actor_of(request))
        return super().get_queryset(request).filter(pk__in=shown.values("pk"))


class OfBooks(ReadOnly, admin.ModelAdmin):
    """The books tell secrets: they are shown to who runs the site, and to no lesser role."""

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return isinstance(request.user, User) and request.user.is_superuser

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)


@admin.register(GearItem)
class GearItemAdmin(OfBooks):
    list_display = ["serial", "kind", "name", "quality", "colour", "created_at"]
    list_filter = ["kind"]
    search_fields = ["serial", "name", "quality", "colour"]


@admin.register(LedgerEntry)
class LedgerEntryAdmin(OfBooks):
    list_display = ["id", "method", "item", "amount", "giver", "taker", "certainty", "recorded_at"]
    list_filter = ["method", "certainty"]
    list_select_related = ["item", "giver", "taker"]
    search_fields = ["item__serial"]
    show_full_result_count = False


@admin.register(Loadout)
class LoadoutAdmin(OfBooks):
    """Gear picked for decks; its owner picks on the character's pages."""

    list_display = ["name", "character", "game", "game_class", "shared", "changed_at"]
    list_filter = ["game", "game_class", "shared"]
    list_select_related = ["character"]
    search_fields = ["name", "character__name"]


@admin.register(Appearance)
class AppearanceAdmin(OfBooks):
    """Whose seats are whose characters: the log says none of it."""

    list_display = ["character", "seat", "loadout", "fielded_at", "fielded_by"]
    list_select_related = ["character", "seat__player", "loadout", "fielded_by"]
    search_fields = ["character__name", "seat__match__code"]


@admin.register(Deed)
class DeedAdmin(OfBooks):
    """A follower's rows: what cards did, at the head of a log and as the public is shown it."""

    list_display = [
        "card",
        "kind",
        "match",
        "version",
        "other_card",
        "strikes",
        "at_head",
        "public",
    ]
    list_filter = ["kind", "at_head", "public"]
    list_select_related = ["match"]
    search_fields = ["match__code", "item__serial"]
    show_full_result_count = False


@admin.register(Aftermath)
class AftermathAdmin(OfBooks):
    """What was answered to the questions after matches."""

    list_display = ["appearance", "kind", "item", "goal", "taken", "answered_by", "answered_at"]
    list_filter = ["kind", "taken"]
    list_select_related = ["appearance__character", "appearance__seat", "item", "answered_by"]
    search_fields = ["appearance__character__name", "item__serial"]
