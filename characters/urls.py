"""Pages of characters."""

from django.urls import path

from characters import views

app_name = "characters"

urlpatterns = [
    path("characters/", views.character_list, name="character-list"),
    path("characters/paste/", views.character_paste, name="character-paste"),
    path("characters/<uuid:pk>/", views.character_detail, name="character-detail"),
    path("characters/<uuid:pk>/sheet.txt", views.character_sheet, name="character-sheet"),
]
