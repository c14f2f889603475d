"""URLs of the pages about characters, grouped by subject."""

from django.urls import path

from characters.views import (
    books,
    cards,
    career,
    characters,
    chosen,
    diary,
    edit,
    loadouts,
    moves,
    prints,
)

app_name = "characters"

ONE = "characters/<uuid:pk>/"

finding = [
    path("characters/", characters.character_list, name="character-list"),
    path("characters/paste/", characters.character_paste, name="character-paste"),
    path("characters/new/", edit.character_create, name="character-create"),
]
sheets = [
    path(ONE, characters.character_detail, name="character-detail"),
    path(f"{ONE}sheet.txt", characters.character_sheet, name="character-sheet"),
    path(f"{ONE}print/", prints.character_print, name="character-print"),
    path(f"{ONE}pocket/", prints.character_pocket, name="character-pocket"),
    path(f"{ONE}portrait.jpg", prints.character_portrait, name="character-portrait"),
    path(f"{ONE}portrait/", prints.portrait_edit, name="portrait-edit"),
    path(f"{ONE}edit/", edit.character_edit, name="character-edit"),
    path(f"{ONE}history/", edit.character_history, name="character-history"),
    path(f"{ONE}sections/<slug:kind>/", edit.section_edit, name="section-edit"),
    path(f"{ONE}goals/", edit.goal_add, name="goal-add"),
    path(f"{ONE}goals/<uuid:goal>/", edit.goal_change, name="goal-change"),
    path(f"{ONE}diary/", diary.favour_list, name="favour-list"),
    path(f"{ONE}diary/<uuid:favour>/", diary.favour_change, name="favour-change"),
]
owning = [
    path(f"{ONE}ledger/", books.ledger_list, name="ledger-list"),
    path(f"{ONE}ledger/<int:entry>/undo/", books.entry_undo, name="entry-undo"),
    path(f"{ONE}ledger/<int:entry>/cover/", books.entry_cover, name="entry-cover"),
    path(f"{ONE}offers/", books.offer_list, name="offer-list"),
    path("offers/<uuid:pk>/", books.offer_answer, name="offer-answer"),
    path("items/<str:serial>/", books.item_detail, name="item-detail"),
    path("items/<str:serial>/tag/", prints.item_tag, name="item-tag"),
]
fielding = [
    path(f"{ONE}loadouts/", loadouts.loadout_list, name="loadout-list"),
    path(f"{ONE}loadouts/new/", loadouts.loadout_create, name="loadout-create"),
    path("loadouts/<uuid:pk>/", loadouts.loadout_detail, name="loadout-detail"),
    path("loadouts/<uuid:pk>/remove/", loadouts.loadout_remove, name="loadout-remove"),
    path(f"{ONE}record/", career.career_detail, name="career-detail"),
    path(f"{ONE}after/", career.prompt_answer, name="prompt-answer"),
    path("items/<str:serial>/card/", loadouts.item_card, name="item-card"),
    path("matches/new/", loadouts.match_open, name="match-open"),
]
catalogue = [
    path("cards/", cards.card_list, name="card-list"),
    path("cards/new/", cards.card_create, name="card-create"),
    path("cards/import/", cards.card_import, name="card-import"),
    path("cards/export/", cards.card_export, name="card-export"),
    path("cards/compare/", chosen.card_compare, name="card-compare"),
    path("cards/print/", chosen.card_print, name="card-print"),
    path("cards/sets/<uuid:pk>/", cards.set_detail, name="card-set"),
    path("cards/<uuid:pk>/", cards.card_detail, name="card-detail"),
    path("cards/<uuid:pk>/edit/", cards.card_edit, name="card-edit"),
]
belonging = [
    path(f"{ONE}moves/", moves.move_list, name="move-list"),
    path("moves/<uuid:pk>/", moves.move_answer, name="move-answer"),
    path("campaigns/", moves.campaign_list, name="campaign-list"),
    path("campaigns/new/", moves.campaign_create, name="campaign-create"),
    path("campaigns/<uuid:pk>/", moves.campaign_detail, name="campaign-detail"),
    path("campaigns/<uuid:pk>/prices/", moves.campaign_prices, name="campaign-prices"),
    path("campaigns/<uuid:pk>/edit/", moves.campaign_edit, name="campaign-edit"),
]
urlpatterns = [*finding, *sheets, *owning, *fielding, *belonging, *catalogue]
