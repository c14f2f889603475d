"""Admin of characters, campaigns and the catalogue; the books are read-only.

Private texts of a sheet are not shown here: they are only for those its owner allows.
"""

from functools import partial
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy

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
from matches import followers
from matches.actors import actor_of
from matches.admin import Helped, ReadOnly, is_superuser, link, moment, tried
from matches.models import Log

PAGES = ["record", "ledger", "history", "sheet"]
"""A character's pages; each shows only what its reader may know."""


def _way(route: str, character: Character) -> SafeString:
    return link(reverse(route, args=[character.pk]))


@admin.register(Campaign)
class CampaignAdmin(Helped):
    """A campaign's settings; campaigns are created on their own page."""

    list_display = ["name", "game", "owner", "after_slag", "repair_price"]
    list_filter = ["game", "after_slag"]
    search_fields = ["name"]
    fields = ["name", "game", "owner", "after_slag", "repair_price", "officials"]
    readonly_fields = ["game", "owner"]
    autocomplete_fields = ["officials"]
    help_texts = {
        "after_slag": gettext_lazy(
            "What becomes of gear that was slagged, once the match is over."
        ),
        "repair_price": gettext_lazy("In hard currency, for each piece."),
        "officials": gettext_lazy(
            "They admit characters and keep the campaign's books alongside its owner."
        ),
    }

    def save_model(self, request: HttpRequest, obj: Campaign, form: Any, change: bool) -> None:
        kept = Campaign.objects.get(pk=obj.pk)
        campaigns.change(by=actor_of(request), campaign=kept, **form.cleaned_data)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Do nothing: the service has already set the officials."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False  # it is referenced by characters' books


@admin.register(Character)
class CharacterAdmin(Helped):
    """A character's owner and campaign; the rest is for its owner to change."""

    list_display = ["name", "owner", "campaign", "audience", "created_at", "page"]
    list_filter = ["audience", "campaign"]
    list_select_related = ["owner", "campaign"]
    search_fields = ["name", "owner__name", "campaign__name"]
    fields = ["name", "owner", "campaign", "created_at", ("page", *PAGES)]
    readonly_fields = ["name", "owner", "created_at", "page", *PAGES]
    autocomplete_fields = ["campaign"]
    actions = ["rebuild", "leave"]
    help_texts = {"campaign": gettext_lazy("The world it lives in; its books stay its own.")}

    @admin.display(description=gettext_lazy("Page"))
    def page(self, character: Character) -> SafeString:
        return link(character.get_absolute_url())

    @admin.display(description=gettext_lazy("Record"))
    def record(self, character: Character) -> SafeString:
        return _way("characters:career-detail", character)

    @admin.display(description=gettext_lazy("Ledger"))
    def ledger(self, character: Character) -> SafeString:
        return _way("characters:ledger-list", character)

    @admin.display(description=gettext_lazy("History"))
    def history(self, character: Character) -> SafeString:
        return _way("characters:character-history", character)

    @admin.display(description=gettext_lazy("Sheet as a file"))
    def sheet(self, character: Character) -> SafeString:
        return _way("characters:character-sheet", character)

    @admin.action(
        description=gettext_lazy("Rebuild the record from its matches"), permissions=["change"]
    )
    def rebuild(self, request: HttpRequest, characters: QuerySet[Character]) -> None:
        for character in characters:
            logs = Log.objects.filter(match__seats__appearance__character=character).distinct()
            for log in logs:
                followers.anew(log)
            self.message_user(
                request,
                gettext("{character}: a worker is rebuilding its record.").format(
                    character=character
                ),
            )

    @admin.action(description=gettext_lazy("Take out of the campaign"), permissions=["change"])
    def leave(self, request: HttpRequest, characters: QuerySet[Character]) -> None:
        for character in characters:
            work = partial(moving.place, by=actor_of(request), character=character, campaign=None)
            done = gettext("{character} is in no campaign.").format(character=character)
            tried(request, character, work, done)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Character]:
        shown = policy.visible_characters(actor_of(request))
        return super().get_queryset(request).filter(pk__in=shown.values("pk"))

    def save_model(self, request: HttpRequest, obj: Character, form: Any, change: bool) -> None:
        moving.place(by=actor_of(request), character=obj, campaign=form.cleaned_data["campaign"])

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # created on its own page

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False  # it is referenced by the books


@admin.register(CardSet)
class CardSetAdmin(Helped):
    """The site's sets, and those with a visible card; a set of private cards only is not listed."""

    list_display = ["name", "game", "owner"]
    list_filter = ["game"]
    list_select_related = ["owner"]
    search_fields = ["name"]
    fields = ["game", "name", "about", "owner"]
    help_texts = {
        "game": gettext_lazy("The short name of the game whose cards these are: zg."),
        "about": gettext_lazy("Where the cards come from, for all to read."),
    }

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return ["game", "owner"] if obj else ["owner"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[CardSet]:
        shown = policy.visible_sets(actor_of(request))
        return super().get_queryset(request).filter(pk__in=shown.values("pk"))

    def save_model(self, request: HttpRequest, obj: CardSet, form: Any, change: bool) -> None:
        by = actor_of(request)
        if change:
            kept = CardSet.objects.get(pk=obj.pk)
            cards.change_set(by=by, card_set=kept, name=obj.name, about=obj.about)
        else:
            obj.pk = cards.make_set(by=by, card_set=obj).pk


@admin.register(Card)
class CardAdmin(ReadOnly, admin.ModelAdmin):
    """Read-only: cards are changed where their game checks them. Private cards are not listed."""

    list_display = ["name", "slot", "colour", "quality", "cost", "card_set", "owner", "shared"]
    list_filter = ["game", "shared"]
    list_select_related = ["card_set", "owner"]
    search_fields = ["name", "slot", "colour", "quality"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Card]:
        shown = policy.visible_cards(actor_of(request))
        return super().get_queryset(request).filter(pk__in=shown.values("pk"))


class OfBooks(ReadOnly, admin.ModelAdmin):
    """The books contain secrets: visible to superusers only."""

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_superuser(request)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)


@admin.register(GearItem)
class GearItemAdmin(OfBooks):
    list_display = ["serial", "kind", "name", "quality", "colour", "created_at"]
    list_filter = ["kind"]
    search_fields = ["serial", "name", "quality", "colour"]
    readonly_fields = ["page"]

    @admin.display(description=gettext_lazy("Page"))
    def page(self, item: GearItem) -> SafeString:
        return link(reverse("characters:item-detail", args=[item.serial]))


@admin.register(LedgerEntry)
class LedgerEntryAdmin(OfBooks):
    list_display = ["id", "method", "item", "amount", "giver", "taker", "certainty", "recorded_at"]
    list_filter = ["method", "certainty"]
    list_select_related = ["item", "giver", "taker"]
    search_fields = ["item__serial", "giver__name", "taker__name"]
    readonly_fields = ["place"]
    show_full_result_count = False

    @admin.display(description=gettext_lazy("In the ledger"))
    def place(self, entry: LedgerEntry) -> SafeString | str:
        character = entry.taker or entry.giver
        return _way("characters:ledger-list", character) if character else "-"


@admin.register(Loadout)
class LoadoutAdmin(OfBooks):
    """Gear picked for decks; the owner picks it on the character's pages."""

    list_display = ["name", "character", "game", "game_class", "shared", "changed_at"]
    list_filter = ["game", "game_class", "shared"]
    list_select_related = ["character"]
    search_fields = ["name", "character__name"]


@admin.register(Appearance)
class AppearanceAdmin(OfBooks):
    """Which seats are whose characters; the log does not say."""

    list_display = ["character", "seat", "loadout", "fielded_at", "fielded_by"]
    list_select_related = ["character", "seat__player", "loadout", "fielded_by"]
    search_fields = ["character__name", "seat__match__code"]


@admin.register(Deed)
class DeedAdmin(OfBooks):
    """Rows of a follower: what cards did, at the head of a log and in its public version."""

    list_display = [
        "card",
        "kind",
        "at_moment",
        "other_card",
        "strikes",
        "at_head",
        "public",
    ]
    list_filter = ["kind", "at_head", "public"]
    list_select_related = ["match"]
    search_fields = ["match__code", "item__serial"]
    show_full_result_count = False

    @admin.display(description=gettext_lazy("Moment"))
    def at_moment(self, deed: Deed) -> SafeString:
        return moment(deed.match, deed.version, f"{deed.match.code} {deed.version}")


@admin.register(Aftermath)
class AftermathAdmin(OfBooks):
    """The answers to the questions after matches."""

    list_display = ["appearance", "kind", "item", "goal", "taken", "answered_by", "answered_at"]
    list_filter = ["kind", "taken"]
    list_select_related = [
        *("appearance__character", "appearance__seat", "item", "goal", "answered_by"),
    ]
    search_fields = ["appearance__character__name", "item__serial"]
