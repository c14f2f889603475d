"""Routes of this floor under /api/v1/."""

from django.urls import path

from characters.api import characters

urlpatterns = [
    path("characters/", characters.CharactersView.as_view(), name="characters"),
    path("characters/paste/", characters.PasteView.as_view(), name="characters-paste"),
    path("characters/<uuid:character_id>/", characters.CharacterView.as_view(), name="character"),
    path(
        "characters/<uuid:character_id>/sheet/",
        characters.SheetView.as_view(),
        name="character-sheet",
    ),
]
