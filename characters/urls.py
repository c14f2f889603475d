"""Pages of characters, grouped by what they are about."""

from django.urls import path

from characters import (
    views,
    views_books,
    views_cards,
    views_career,
    views_diary,
    views_edit,
    views_loadouts,
    views_moves,
    views_prints,
)

app_name = "characters"

ONE = "characters/<uuid:pk>/"

finding = [
    path("characters/", views.character_list, name="character-list"),
    path("characters/paste/", views.character_paste, name="character-paste"),
    path("characters/new/", views_edit.character_create, name="character-create"),
]
sheets = [
    path(ONE, views.character_detail, name="character-detail"),
    path(f"{ONE}sheet.txt", views.character_sheet, name="character-sheet"),
    path(f"{ONE}print/", views_prints.character_print, name="character-print"),
    path(f"{ONE}pocket/", views_prints.character_pocket, name="character-pocket"),
    path(f"{ONE}portrait.jpg", views_prints.character_portrait, name="character-portrait"),
    path(f"{ONE}portrait/", views_prints.portrait_edit, name="portrait-edit"),
    path(f"{ONE}edit/", views_edit.character_edit, name="character-edit"),
    path(f"{ONE}history/", views_edit.character_history, name="character-history"),
    path(f"{ONE}sections/<slug:kind>/", views_edit.section_edit, name="section-edit"),
    path(f"{ONE}goals/", views_edit.goal_add, name="goal-add"),
    path(f"{ONE}goals/<uuid:goal>/", views_edit.goal_change, name="goal-change"),
    path(f"{ONE}diary/", views_diary.favour_list, name="favour-list"),
    path(f"{ONE}diary/<uuid:favour>/", views_diary.favour_change, name="favour-change"),
]
books = [
    path(f"{ONE}ledger/", views_books.ledger_list, name="ledger-list"),
    path(f"{ONE}ledger/<int:entry>/undo/", views_books.entry_undo, name="entry-undo"),
    path(f"{ONE}ledger/<int:entry>/cover/", views_books.entry_cover, name="entry-cover"),
    path(f"{ONE}offers/", views_books.offer_list, name="offer-list"),
    path("offers/<uuid:pk>/", views_books.offer_answer, name="offer-answer"),
    path("items/<str:serial>/", views_books.item_detail, name="item-detail"),
]
fielding = [
    path(f"{ONE}loadouts/", views_loadouts.loadout_list, name="loadout-list"),
    path(f"{ONE}loadouts/new/", views_loadouts.loadout_create, name="loadout-create"),
    path("loadouts/<uuid:pk>/", views_loadouts.loadout_detail, name="loadout-detail"),
    path("loadouts/<uuid:pk>/remove/", views_loadouts.loadout_remove, name="loadout-remove"),
    path(f"{ONE}record/", views_career.career_detail, name="career-detail"),
    path(f"{ONE}after/", views_career.prompt_answer, name="prompt-answer"),
    path("items/<str:serial>/card/", views_loadouts.item_card, name="item-card"),
    path("matches/new/", views_loadouts.match_open, name="match-open"),
]
catalogue = [
    path("cards/", views_cards.card_list, name="card-list"),
    path("cards/new/", views_cards.card_create, name="card-create"),
    path("cards/import/", views_cards.card_import, name="card-import"),
    path("cards/export/", views_cards.card_export, name="card-export"),
    path("cards/<uuid:pk>/", views_cards.card_detail, name="card-detail"),
    path("cards/<uuid:pk>/edit/", views_cards.card_edit, name="card-edit"),
]
belonging = [
    path(f"{ONE}moves/", views_moves.move_list, name="move-list"),
    path("moves/<uuid:pk>/", views_moves.move_answer, name="move-answer"),
    path("campaigns/", views_moves.campaign_list, name="campaign-list"),
    path("campaigns/new/", views_moves.campaign_create, name="campaign-create"),
    path("campaigns/<uuid:pk>/", views_moves.campaign_detail, name="campaign-detail"),
    path("campaigns/<uuid:pk>/edit/", views_moves.campaign_edit, name="campaign-edit"),
]
urlpatterns = [*finding, *sheets, *books, *fielding, *belonging, *catalogue]
