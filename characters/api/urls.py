"""Routes of this floor under /api/v1/."""

from django.urls import path

from characters.api import (
    books,
    cards,
    careers,
    characters,
    loadouts,
    matches,
    moves,
)

urlpatterns = [
    path("characters/", characters.CharactersView.as_view(), name="characters"),
    path("characters/paste/", characters.PasteView.as_view(), name="characters-paste"),
    path("characters/<uuid:character_id>/", characters.CharacterView.as_view(), name="character"),
    path(
        "characters/<uuid:character_id>/sheet/",
        characters.SheetView.as_view(),
        name="character-sheet",
    ),
    path(
        "characters/<uuid:character_id>/history/",
        characters.HistoryView.as_view(),
        name="character-history",
    ),
    path(
        "portraits/<uuid:character_id>/",
        characters.PortraitView.as_view(),
        name="character-portrait",
    ),
    path("campaigns/", moves.CampaignsView.as_view(), name="campaigns"),
    path("campaigns/<uuid:campaign_id>/", moves.CampaignView.as_view(), name="campaign"),
    path("campaigns/<uuid:campaign_id>/fallen/", moves.FallenView.as_view(), name="fallen"),
    path("campaigns/<uuid:campaign_id>/sales/", moves.SalesView.as_view(), name="sales"),
    path("campaigns/<uuid:campaign_id>/supply/", moves.SupplyView.as_view(), name="supply"),
    path("moves/", moves.MovesView.as_view(), name="moves"),
    path("moves/leave/", moves.LeaveView.as_view(), name="moves-leave"),
    path("moves/<uuid:move_id>/", moves.MoveView.as_view(), name="move"),
    path("cards/", cards.CardsView.as_view(), name="cards"),
    path("cards/export/", cards.CardsExportView.as_view(), name="cards-export"),
    path("cards/import/", cards.CardsImportView.as_view(), name="cards-import"),
    path("cards/sets/", cards.SetsView.as_view(), name="card-sets"),
    path("cards/sets/<uuid:set_id>/", cards.SetView.as_view(), name="card-set"),
    path("cards/<uuid:card_id>/", cards.CardView.as_view(), name="card"),
    path("gear/", books.GearView.as_view(), name="gear"),
    path("gear/<str:serial>/", books.ItemView.as_view(), name="gear-item"),
    path("ledger/", books.LedgerView.as_view(), name="ledger"),
    path("ledger/<int:ledger_entry_id>/cover/", books.CoverView.as_view(), name="ledger-cover"),
    path("ledger/<int:ledger_entry_id>/undo/", books.UndoView.as_view(), name="ledger-undo"),
    path("trades/", books.TradesView.as_view(), name="trades"),
    path("trades/<uuid:trade_id>/", books.TradeView.as_view(), name="trade"),
    path("appearances/", careers.AppearancesView.as_view(), name="appearances"),
    path("prompts/", careers.PromptsView.as_view(), name="prompts"),
    path("matches/", matches.MatchesView.as_view(), name="matches"),
    path("loadouts/", loadouts.LoadoutsView.as_view(), name="loadouts"),
    path("loadouts/<uuid:loadout_id>/", loadouts.LoadoutView.as_view(), name="loadout"),
    path("goals/", books.GoalsView.as_view(), name="goals"),
    path("goals/<uuid:goal_id>/", books.GoalView.as_view(), name="goal"),
    path("favours/", books.FavoursView.as_view(), name="favours"),
    path("favours/<uuid:favour_id>/", books.FavourView.as_view(), name="favour"),
]
