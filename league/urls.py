"""Pages of leagues and tournaments, grouped by subject."""

from django.urls import path

from league import feeds
from league.models import Circuit, Division, Qualifier, Season, Venue
from league.views import (
    console,
    dates,
    embed,
    entries,
    files,
    leagues,
    lore,
    matches,
    opening,
    players,
    prints,
    prizes,
    roles,
    running,
    search,
    stages,
    tables,
    telling,
    tournament,
    undo,
    wall,
    webhooks,
)

app_name = "league"

ONE = "tournaments/<slug:code>/"
TABLE = f"{ONE}rounds/<int:number>/tables/<int:table>/"

around = [
    path("leagues/", leagues.league_list, name="league-list"),
    path("leagues/new/", leagues.league_create, name="league-create"),
    path("leagues/<slug:slug>/", leagues.league_detail, name="league-detail"),
    path("leagues/<slug:slug>/ratings/<slug:game>/", leagues.rating_list, name="rating-list"),
    path("leagues/<slug:slug>/join/", leagues.league_join, name="league-join"),
    path("leagues/<slug:slug>/run/", running.league_run, name="league-run"),
    path("leagues/<slug:slug>/record/", running.record_list, name="record-list"),
    path(
        "leagues/<slug:slug>/record/<int:sanction>/lift/",
        running.sanction_lift,
        name="sanction-lift",
    ),
    path("leagues/<slug:slug>/seasons/", running.season_create, name="season-create"),
    path("leagues/<slug:slug>/roles/", roles.role_list, name="role-list"),
    path("leagues/<slug:slug>/roles/<int:member>/end/", roles.role_end, name="role-end"),
    path("leagues/<slug:slug>/export/", files.league_export, name="league-export"),
    path("leagues/<slug:slug>/webhooks/", webhooks.webhook_list, name="webhook-list"),
    path("webhooks/<uuid:pk>/", webhooks.webhook_detail, name="webhook-detail"),
    path("webhooks/<uuid:pk>/secret/", webhooks.webhook_rotate, name="webhook-rotate"),
    path("webhooks/<uuid:pk>/test/", webhooks.webhook_test, name="webhook-test"),
    path("webhooks/<uuid:pk>/end/", webhooks.webhook_end, name="webhook-end"),
    path(
        "webhooks/<uuid:pk>/<uuid:delivery>/send/",
        webhooks.delivery_send,
        name="delivery-send",
    ),
    path("leagues/<slug:slug>/krewes/", leagues.krewe_create, name="krewe-create"),
    path("krewes/<uuid:pk>/", leagues.krewe_detail, name="krewe-detail"),
    path("seasons/<uuid:pk>/", leagues.season_detail, name="season-detail"),
    path("seasons/<uuid:pk>/edit/", running.season_edit, name="season-edit"),
    path("seasons/<uuid:pk>/circuits/", running.circuit_create, name="circuit-create"),
    path("divisions/<int:division>/edit/", running.division_edit, name="division-edit"),
    path("circuits/<uuid:pk>/", leagues.circuit_detail, name="circuit-detail"),
    path("circuits/<uuid:pk>/edit/", running.circuit_edit, name="circuit-edit"),
    path("venues/", leagues.venue_list, name="venue-list"),
    path("venues/new/", running.venue_create, name="venue-create"),
    path("venues/<slug:slug>/edit/", running.venue_edit, name="venue-edit"),
    path("venues/<slug:slug>/", leagues.venue_detail, name="venue-detail"),
    path("lore/", lore.lore_list, name="lore-list"),
    path("lore/<slug:slug>/", lore.lore_detail, name="lore-detail"),
    path("lore/<slug:slug>/write/", lore.lore_write, name="lore-write"),
    path("lore/<slug:slug>/<uuid:pk>/", lore.lore_edit, name="lore-edit"),
    path("j/", matches.join, name="join"),
    path("matches/", matches.match_list, name="match-list"),
    path("search/", search.search_page, name="search"),
    path("next/", tournament.my_next, name="my-next"),
]
removing = [
    path(
        f"{kind}s/<{key}>/remove/",
        running.thing_remove,
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
    path("tournaments/", tournament.tournament_list, name="tournament-list"),
    path("tournaments/new/", opening.tournament_create, name="tournament-create"),
    path("tournaments/import/", files.tournament_import, name="tournament-import"),
    path(ONE, tournament.tournament_detail, name="tournament-detail"),
    path(f"{ONE}rounds/<int:number>/", tournament.round_detail, name="round-detail"),
    path(f"{ONE}rounds/<int:number>/names/", tournament.pairing_names, name="pairing-names"),
    path(f"{ONE}standings/", tournament.standing_list, name="standing-list"),
    path(f"{ONE}standings/changes/", tournament.standing_changes, name="standing-changes"),
    path(f"{ONE}entries/", entries.entry_list, name="entry-list"),
    path(f"{ONE}rules/", tournament.tournament_rules, name="tournament-rules"),
]
outward = [
    path("feed.atom", feeds.site_feed, name="site-feed"),
    path("leagues/<slug:slug>/feed.atom", feeds.league_feed, name="league-feed"),
    path("players/<uuid:pk>/", players.player_detail, name="player-detail"),
    path("players/<uuid:pk>/versus/", players.player_compare, name="player-compare"),
    path("players/<uuid:pk>/versus/<uuid:other>/", players.player_versus, name="player-versus"),
    path("players/<uuid:pk>/feed.atom", feeds.player_feed, name="player-feed"),
    path(f"{ONE}feed.atom", feeds.tournament_feed, name="tournament-feed"),
    path(f"{ONE}embed/bracket/", embed.embed_bracket, name="embed-bracket"),
    path(f"{ONE}embed/standings/", embed.embed_standings, name="embed-standings"),
    path(f"{ONE}wall/", wall.wall, name="wall"),
    path(f"{ONE}print/", prints.print_list, name="print-list"),
    path(f"{ONE}print/<slug:kind>/", prints.print_page, name="print-page"),
]
playing = [
    path(TABLE, tables.table_detail, name="table-detail"),
    path(f"{TABLE}play/", tables.table_play, name="table-play"),
    path(f"{ONE}me/", entries.self_act, name="self-act"),
    path(f"{ONE}deck/", entries.deck_register, name="deck-register"),
]
officiating = [
    path(f"{ONE}console/", console.console, name="console"),
    path(f"{ONE}import/", files.list_import, name="list-import"),
    path(f"{ONE}undo/", undo.undo, name="undo"),
    path(f"{ONE}roles/", roles.staff_list, name="staff-list"),
    path(f"{ONE}roles/<int:member>/end/", roles.staff_end, name="staff-end"),
    path(f"{ONE}edit/", opening.tournament_edit, name="tournament-edit"),
    path(f"{ONE}stages/", stages.stage_list, name="stage-list"),
    path(f"{ONE}dates/", dates.date_list, name="date-list"),
    path(f"{ONE}prizes/", prizes.prize_list, name="prize-list"),
    path(f"{ONE}withdraw/", opening.withdraw, name="tournament-withdraw"),
    path(f"{TABLE}correct/", undo.result_correct, name="result-correct"),
]
writing = [
    path("me/told/", telling.telling_edit, name="telling-edit"),
    path("letters/off/<str:token>/", telling.letters_off, name="letters-off"),
    path("calendars/<str:token>.ics", telling.calendar, name="calendar"),
]
urlpatterns = [*around, *removing, *watching, *outward, *playing, *officiating, *writing]
