"""Routes of this floor under /api/v1/."""

from django.urls import path

from matches.api import acts, claims, games, jobs, matches, people, scribes, seats, trust

games_urls = [
    path("games/", games.GamesView.as_view(), name="games"),
    path("games/<str:key>/", games.GameView.as_view(), name="game"),
    path("games/<str:key>/clauses/", games.ClausesView.as_view(), name="clauses"),
    path("games/<str:key>/check-deck/", games.CheckDeckView.as_view(), name="check-deck"),
    path("games/<str:key>/<slug:tool>/", games.ToolView.as_view(), name="tool"),
]
matches_urls = [
    path("matches/", matches.MatchesView.as_view(), name="matches"),
    path("matches/import/", matches.ImportView.as_view(), name="matches-import"),
    path("matches/<slug:code>/", matches.MatchView.as_view(), name="match"),
    path("matches/<slug:code>/state/", matches.StateView.as_view(), name="state"),
    path("matches/<slug:code>/options/", matches.OptionsView.as_view(), name="options"),
    path("matches/<slug:code>/events/", matches.EventsView.as_view(), name="events"),
    path("matches/<slug:code>/acts/", acts.ActsView.as_view(), name="acts"),
    path("matches/<slug:code>/bot/", acts.BotView.as_view(), name="bot"),
    path("matches/<slug:code>/take-back/", acts.TakeBackView.as_view(), name="take-back"),
    path("matches/<slug:code>/cut/", matches.CutView.as_view(), name="cut"),
    path("matches/<slug:code>/correct/", acts.CorrectView.as_view(), name="correct"),
    path("matches/<slug:code>/luck/", matches.LuckView.as_view(), name="luck"),
    path("matches/<slug:code>/went/", matches.WentView.as_view(), name="went"),
    path("matches/<slug:code>/what-if/", matches.WhatIfView.as_view(), name="what-if"),
    path("matches/<slug:code>/verify/", trust.VerifyView.as_view(), name="verify"),
    path("matches/<slug:code>/certificate/", trust.CertificateView.as_view(), name="certificate"),
    path("matches/<slug:code>/scribe/", scribes.ScribeView.as_view(), name="scribe"),
    path("matches/<slug:code>/scribe/renew/", scribes.RenewView.as_view(), name="scribe-renew"),
    path("matches/<slug:code>/scribe/end/", scribes.EndView.as_view(), name="scribe-end"),
    path("matches/<slug:code>/proposals/", scribes.ProposalsView.as_view(), name="proposals"),
    path(
        "matches/<slug:code>/proposals/<uuid:act_id>/",
        scribes.ProposalView.as_view(),
        name="proposal",
    ),
    path("matches/<slug:code>/seats/", seats.SeatsView.as_view(), name="seats"),
    path(
        "matches/<slug:code>/seats/<int:seat>/renew/",
        seats.RenewView.as_view(),
        name="seat-renew",
    ),
    path("matches/<slug:code>/officials/", seats.OfficialsView.as_view(), name="officials"),
    path(
        "matches/<slug:code>/officials/end/", seats.OfficialEndView.as_view(), name="officials-end"
    ),
    path("seats/<str:token>/", seats.SeatView.as_view(), name="seat"),
    path("feed/", matches.FeedView.as_view(), name="feed"),
]
people_urls = [
    path("token/", people.TokenView.as_view(), name="token"),
    path("export/", people.ExportView.as_view(), name="export"),
    path("players/", people.PlayersView.as_view(), name="players"),
    path("players/<uuid:player_id>/", people.PlayerView.as_view(), name="player"),
    path("players/<uuid:player_id>/claim/", claims.ClaimLinkView.as_view(), name="player-claim"),
    path("players/<uuid:player_id>/merge/", claims.MergeView.as_view(), name="player-merge"),
    path("players/<uuid:player_id>/unclaim/", claims.UnclaimView.as_view(), name="player-unclaim"),
    path("claims/<str:token>/", claims.ClaimView.as_view(), name="claim"),
]
ONE_JOB = "jobs/<uuid:job_id>/"
jobs_urls = [
    path("jobs/", jobs.JobsView.as_view(), name="jobs"),
    path(ONE_JOB, jobs.JobView.as_view(), name="job"),
    path(f"{ONE_JOB}cancel/", jobs.CancelView.as_view(), name="job-cancel"),
    path(f"{ONE_JOB}file/", jobs.FileView.as_view(), name="job-file"),
]
trust_urls = [path("heads/", trust.HeadsView.as_view(), name="heads")]
urlpatterns = [*people_urls, *games_urls, *matches_urls, *jobs_urls, *trust_urls]
