"""Pages of the log, grouped by who they are for."""

from django.urls import path

from matches import views_accounts, views_home, views_join, views_matches

app_name = "matches"

shell = [
    path("", views_home.home, name="home"),
    path("theme/", views_home.theme_set, name="theme-set"),
    path("log/", views_matches.log, name="log"),
]
accounts = [
    path("me/", views_accounts.account_detail, name="account-detail"),
    path("players/<uuid:pk>/", views_matches.player_detail, name="player-detail"),
]
joining = [
    path("j/", views_join.join, name="join"),
]
finding = [
    path("matches/", views_matches.match_list, name="match-list"),
]
urlpatterns = [*shell, *accounts, *joining, *finding]
