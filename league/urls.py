"""Pages of leagues and tournaments, grouped by what they are about."""

from django.urls import path

from league import (
    feeds,
    views,
    views_console,
    views_dates,
    views_embed,
    views_entries,
    views_files,
    views_lore,
    views_players,
    views_prints,
    views_prizes,
    views_roles,
    views_running,
    views_search,
    views_stages,
    views_tables,
    views_telling,
    views_tournament,
    views_undo,
    views_wall,
    views_webhooks,
)
from league.models import Circuit, Division, Qualifier, Season, Venue

app_name = "league"

ONE = "tournaments/<slug:code>/"
TABLE = f"{ONE}rounds/<int:number>/tables/<int:table>/"

around = [
    path("leagues/", views.league_list, name="league-list"),
    path("leagues/new/", views.league_create, name="league-create"),
    path("leagues/<slug:slug>/", views.league_detail, name="league-detail"),
    path("leagues/<slug:slug>/ratings/<slug:game>/", views.rating_list, name="rating-list"),
    path("leagues/<slug:slug>/join/", views.league_join, name="league-join"),
    path("leagues/<slug:slug>/run/", views_running.league_run, name="league-run"),
    path("leagues/<slug:slug>/record/", views_running.record_list, name="record-list"),
    path(
        "leagues/<slug:slug>/record/<int:sanction>/lift/",
        views_running.sanction_lift,
        name="sanction-lift",
    ),
    path("leagues/<slug:slug>/seasons/", views_running.season_create, name="season-create"),
    path("leagues/<slug:slug>/roles/", views_roles.role_list, name="role-list"),
    path("leagues/<slug:slug>/roles/<int:member>/end/", views_roles.role_end, name="role-end"),
    path("leagues/<slug:slug>/export/", views_files.league_export, name="league-export"),
    path("leagues/<slug:slug>/webhooks/", views_webhooks.webhook_list, name="webhook-list"),
    path("webhooks/<uuid:pk>/", views_webhooks.webhook_detail, name="webhook-detail"),
    path("webhooks/<uuid:pk>/secret/", views_webhooks.webhook_rotate, name="webhook-rotate"),
    path("webhooks/<uuid:pk>/test/", views_webhooks.webhook_test, name="webhook-test"),
    path("webhooks/<uuid:pk>/end/", views_webhooks.webhook_end, name="webhook-end"),
    path(
        "webhooks/<uuid:pk>/<uuid:delivery>/send/",
        views_webhooks.delivery_send,
        name="delivery-send",
    ),
    path("leagues/<slug:slug>/krewes/", views.krewe_create, name="krewe-create"),
    path("krewes/<uuid:pk>/", views.krewe_detail, name="krewe-detail"),
    path("seasons/<uuid:pk>/", views.season_detail, name="season-detail"),
    path("seasons/<uuid:pk>/edit/", views_running.season_edit, name="season-edit"),
    path("seasons/<uuid:pk>/circuits/", views_running.circuit_create, name="circuit-create"),
    path("divisions/<int:division>/edit/", views_running.division_edit, name="division-edit"),
    path("circuits/<uuid:pk>/", views.circuit_detail, name="circuit-detail"),
    path("circuits/<uuid:pk>/edit/", views_running.circuit_edit, name="circuit-edit"),
    path("venues/", views.venue_list, name="venue-list"),
    path("venues/new/", views_running.venue_create, name="venue-create"),
    path("venues/<slug:slug>/edit/", views_running.venue_edit, name="venue-edit"),
    path("venues/<slug:slug>/", views.venue_detail, name="venue-detail"),
    path("lore/", views_lore.lore_list, name="lore-list"),
    path("lore/<slug:slug>/", views_lore.lore_detail, name="lore-detail"),
    path("lore/<slug:slug>/write/", views_lore.lore_write, name="lore-write"),
    path("lore/<slug:slug>/<uuid:pk>/", views_lore.lore_edit, name="lore-edit"),
    path("search/", views_search.search_page, name="search"),
    path("next/", views_tournament.my_next, name="my-next"),
]
removing = [
    path(
        f"{kind}s/<{key}>/remove/",
        views_running.thing_remove,
        {"model": model},
        name=f"{kind}-remove",
    )
    for kind, key, model in (
        ("season", "uuid:pk", Season),
        ("division", "int:id", Division),
        ("circuit", "uuid:pk", Circuit),
        ("qualifier", "int:id", Qualifier),
        ("venue", "uuid:pk", Venue),
    )
]
watching = [
    path("tournaments/", views_tournament.tournament_list, name="tournament-list"),
    path("tournaments/new/", views_tournament.tournament_create, name="tournament-create"),
    path("tournaments/import/", views_files.tournament_import, name="tournament-import"),
    path(ONE, views_tournament.tournament_detail, name="tournament-detail"),
    path(f"{ONE}rounds/<int:number>/", views_tournament.round_detail, name="round-detail"),
    path(f"{ONE}rounds/<int:number>/names/", views_tournament.pairing_names, name="pairing-names"),
    path(f"{ONE}standings/", views_tournament.standing_list, name="standing-list"),
    path(f"{ONE}standings/changes/", views_tournament.standing_changes, name="standing-changes"),
    path(f"{ONE}entries/", views_entries.entry_list, name="entry-list"),
    path(f"{ONE}rules/", views_tournament.tournament_rules, name="tournament-rules"),
]
outward = [
    path("feed.atom", feeds.site_feed, name="site-feed"),
    path("leagues/<slug:slug>/feed.atom", feeds.league_feed, name="league-feed"),
    path("players/<uuid:pk>/", views_players.player_detail, name="player-detail"),
    path("players/<uuid:pk>/feed.atom", feeds.player_feed, name="player-feed"),
    path(f"{ONE}feed.atom", feeds.tournament_feed, name="tournament-feed"),
    path(f"{ONE}embed/bracket/", views_embed.embed_bracket, name="embed-bracket"),
    path(f"{ONE}embed/standings/", views_embed.embed_standings, name="embed-standings"),
    path(f"{ONE}wall/", views_wall.wall, name="wall"),
    path(f"{ONE}print/", views_prints.print_list, name="print-list"),
    path(f"{ONE}print/<slug:kind>/", views_prints.print_page, name="print-page"),
]
playing = [
    path(TABLE, views_tables.table_detail, name="table-detail"),
    path(f"{TABLE}play/", views_tables.table_play, name="table-play"),
    path(f"{ONE}me/", views_entries.self_act, name="self-act"),
    path(f"{ONE}deck/", views_entries.deck_register, name="deck-register"),
]
running = [
    path(f"{ONE}console/", views_console.console, name="console"),
    path(f"{ONE}import/", views_files.list_import, name="list-import"),
    path(f"{ONE}undo/", views_undo.undo, name="undo"),
    path(f"{ONE}roles/", views_roles.staff_list, name="staff-list"),
    path(f"{ONE}roles/<int:member>/end/", views_roles.staff_end, name="staff-end"),
    path(f"{ONE}edit/", views_console.tournament_edit, name="tournament-edit"),
    path(f"{ONE}stages/", views_stages.stage_list, name="stage-list"),
    path(f"{ONE}dates/", views_dates.date_list, name="date-list"),
    path(f"{ONE}prizes/", views_prizes.prize_list, name="prize-list"),
    path(f"{ONE}withdraw/", views_console.withdraw, name="tournament-withdraw"),
    path(f"{TABLE}correct/", views_undo.result_correct, name="result-correct"),
]
telling = [
    path("me/told/", views_telling.telling_edit, name="telling-edit"),
    path("letters/off/<str:token>/", views_telling.letters_off, name="letters-off"),
    path("calendars/<str:token>.ics", views_telling.calendar, name="calendar"),
]
urlpatterns = [*around, *removing, *watching, *outward, *playing, *running, *telling]
