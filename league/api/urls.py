"""API routes of leagues and tournaments, under /api/v1/."""

from django.urls import path

from league.api import (
    desks,
    entries,
    files,
    finding,
    leagues,
    matches,
    places,
    players,
    ratings,
    rounds,
    seasons,
    staff,
    telling,
    tournaments,
    waiting,
    webhooks,
)

ONE = "tournaments/<slug:code>/"

leagues_urls = [
    path("players/<uuid:player_id>/", players.PlayerView.as_view(), name="player"),
    path(
        "players/<uuid:player_id>/versus/<uuid:other_id>/",
        players.VersusView.as_view(),
        name="player-versus",
    ),
    path("venues/", places.VenuesView.as_view(), name="venues"),
    path("venues/<slug:slug>/", places.VenueView.as_view(), name="venue"),
    path("places/", places.PlacesView.as_view(), name="places"),
    path("places/<slug:slug>/", places.PlaceView.as_view(), name="place"),
    path("places/<slug:slug>/texts/", places.PlaceTextsView.as_view(), name="place-texts"),
    path(
        "places/<slug:slug>/texts/<uuid:text_id>/",
        places.PlaceTextView.as_view(),
        name="place-text",
    ),
    path("leagues/", leagues.LeaguesView.as_view(), name="leagues"),
    path("leagues/<slug:slug>/", leagues.LeagueView.as_view(), name="league"),
    path("leagues/<slug:slug>/export/", leagues.ExportView.as_view(), name="league-export"),
    path("leagues/<slug:slug>/krewes/", leagues.KrewesView.as_view(), name="league-krewes"),
    path("krewes/<uuid:krewe_id>/", leagues.KreweView.as_view(), name="krewe"),
    path("leagues/<slug:slug>/members/", leagues.MembersView.as_view(), name="league-members"),
    path(
        "leagues/<slug:slug>/members/end/",
        leagues.MemberEndView.as_view(),
        name="league-members-end",
    ),
    path(
        "leagues/<slug:slug>/discipline/",
        leagues.DisciplineView.as_view(),
        name="league-discipline",
    ),
    path(
        "leagues/<slug:slug>/discipline/<int:sanction_id>/lift/",
        leagues.LiftView.as_view(),
        name="sanction-lift",
    ),
    path("seasons/", seasons.SeasonsView.as_view(), name="seasons"),
    path("seasons/<uuid:season_id>/", seasons.SeasonView.as_view(), name="season"),
    path(
        "seasons/<uuid:season_id>/roll-over/",
        seasons.RolloverView.as_view(),
        name="season-roll-over",
    ),
    path(
        "seasons/<uuid:season_id>/divisions/",
        seasons.DivisionsView.as_view(),
        name="season-divisions",
    ),
    path("divisions/<int:division_id>/", seasons.DivisionView.as_view(), name="division"),
    path(
        "divisions/<int:division_id>/players/",
        seasons.DivisionPlayersView.as_view(),
        name="division-players",
    ),
    path(
        "divisions/<int:division_id>/adjustments/",
        seasons.DivisionAdjustmentsView.as_view(),
        name="division-adjustments",
    ),
    path("circuits/", seasons.CircuitsView.as_view(), name="circuits"),
    path("circuits/<uuid:circuit_id>/", seasons.CircuitView.as_view(), name="circuit"),
    path(
        "circuits/<uuid:circuit_id>/tournaments/",
        seasons.QualifiersView.as_view(),
        name="circuit-tournaments",
    ),
    path(
        "circuits/<uuid:circuit_id>/tournaments/end/",
        seasons.QualifierEndView.as_view(),
        name="circuit-tournaments-end",
    ),
    path(
        "circuits/<uuid:circuit_id>/answers/",
        seasons.InvitationsView.as_view(),
        name="circuit-answers",
    ),
    path(
        "circuits/<uuid:circuit_id>/adjustments/",
        seasons.CircuitAdjustmentsView.as_view(),
        name="circuit-adjustments",
    ),
]
desk_urls = [
    path("tournaments/", tournaments.TournamentsView.as_view(), name="tournaments"),
    path("tournaments/import/", files.ImportView.as_view(), name="tournaments-import"),
    path(f"{ONE}import/", files.ListView.as_view(), name="tournament-import"),
    path(ONE, tournaments.TournamentView.as_view(), name="tournament"),
    path(f"{ONE}state/", desks.DeskStateView.as_view(), name="tournament-state"),
    path(f"{ONE}options/", desks.DeskOptionsView.as_view(), name="tournament-options"),
    path(f"{ONE}events/", desks.DeskEventsView.as_view(), name="tournament-events"),
    path(f"{ONE}acts/", desks.DeskActsView.as_view(), name="tournament-acts"),
    path(f"{ONE}take-back/", desks.DeskTakeBackView.as_view(), name="tournament-take-back"),
    path(f"{ONE}penalties/", desks.PenaltiesView.as_view(), name="tournament-penalties"),
    path(f"{ONE}correct/", desks.DeskCorrectView.as_view(), name="tournament-correct"),
    path(f"{ONE}verify/", desks.DeskVerifyView.as_view(), name="tournament-verify"),
    path(f"{ONE}file/", files.FileView.as_view(), name="tournament-file"),
    path(f"{ONE}clinch/", rounds.ClinchView.as_view(), name="tournament-clinch"),
    path(f"{ONE}hints/", desks.HintsView.as_view(), name="tournament-hints"),
    path(f"{ONE}propose/", rounds.ProposeView.as_view(), name="tournament-propose"),
    path(f"{ONE}pair-again/", rounds.PairAgainView.as_view(), name="tournament-pair-again"),
    path(f"{ONE}withdraw/", tournaments.WithdrawView.as_view(), name="tournament-withdraw"),
    path(f"{ONE}staff/", staff.StaffView.as_view(), name="tournament-staff"),
    path(f"{ONE}staff/end/", staff.StaffEndView.as_view(), name="tournament-staff-end"),
    path(f"{ONE}dates/", rounds.RoundDatesView.as_view(), name="tournament-dates"),
    path(f"{ONE}prizes/", tournaments.PrizesView.as_view(), name="tournament-prizes"),
    path(
        f"{ONE}prizes/<int:prize_id>/hand-over/",
        tournaments.HandOverView.as_view(),
        name="tournament-prize-hand-over",
    ),
    path(
        f"{ONE}prizes/<int:prize_id>/put-right/",
        tournaments.PutRightView.as_view(),
        name="tournament-prize-put-right",
    ),
    path(
        f"{ONE}prizes/<int:prize_id>/end/",
        tournaments.PrizeEndView.as_view(),
        name="tournament-prize-end",
    ),
    path(f"{ONE}awards/", tournaments.AwardsView.as_view(), name="tournament-awards"),
    path(
        f"{ONE}rounds/<int:round>/tables/<int:table>/match/",
        rounds.TableMatchView.as_view(),
        name="tournament-table-match",
    ),
]
lists_urls = [
    path("matches/", matches.MatchesView.as_view(), name="matches"),
    path("matches/<slug:code>/", matches.MatchView.as_view(), name="match"),
    path("entries/", entries.EntriesView.as_view(), name="entries"),
    path("entries/<uuid:entry_id>/", entries.EntryView.as_view(), name="entry"),
    path("entries/<uuid:entry_id>/deck/", entries.EntryDeckView.as_view(), name="entry-deck"),
    path("rounds/", rounds.RoundsView.as_view(), name="rounds"),
    path("pairings/", rounds.PairingsView.as_view(), name="pairings"),
    path("next/", waiting.NextView.as_view(), name="next"),
    path("search/", finding.SearchView.as_view(), name="search"),
    path("ratings/", ratings.RatingsView.as_view(), name="ratings"),
    path("ratings/revisions/", ratings.RevisionsView.as_view(), name="rating-revisions"),
    path("standings/", rounds.StandingsView.as_view(), name="standings"),
]
telling_urls = [
    path("telling/", telling.TellingView.as_view(), name="telling"),
    path("telling/calendar/", telling.CalendarView.as_view(), name="telling-calendar"),
    path("telling/calendar/end/", telling.CalendarEndView.as_view(), name="telling-calendar-end"),
]
ONE_WEBHOOK = "webhooks/<uuid:webhook_id>/"
webhook_urls = [
    path("webhooks/", webhooks.WebhooksView.as_view(), name="webhooks"),
    path(ONE_WEBHOOK, webhooks.WebhookView.as_view(), name="webhook"),
    path(f"{ONE_WEBHOOK}secret/", webhooks.RotateView.as_view(), name="webhook-secret"),
    path(f"{ONE_WEBHOOK}test/", webhooks.PingView.as_view(), name="webhook-test"),
    path(f"{ONE_WEBHOOK}end/", webhooks.EndView.as_view(), name="webhook-end"),
    path(f"{ONE_WEBHOOK}deliveries/", webhooks.DeliveriesView.as_view(), name="webhook-deliveries"),
    path(
        f"{ONE_WEBHOOK}deliveries/<uuid:delivery_id>/",
        webhooks.DeliveryView.as_view(),
        name="webhook-delivery",
    ),
    path(
        f"{ONE_WEBHOOK}deliveries/<uuid:delivery_id>/send/",
        webhooks.SendView.as_view(),
        name="webhook-delivery-send",
    ),
]
urlpatterns = [*leagues_urls, *desk_urls, *lists_urls, *telling_urls, *webhook_urls]
