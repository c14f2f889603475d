"""Pages of the log, grouped by who they are for."""

from django.urls import path

from matches import (
    views_accounts,
    views_claims,
    views_correct,
    views_cut,
    views_decks,
    views_fair,
    views_home,
    views_if,
    views_jobs,
    views_join,
    views_logger,
    views_match,
    views_matches,
    views_open,
    views_phone,
    views_rules,
    views_scribe,
    views_seats,
)

app_name = "matches"

shell = [
    path("", views_home.home, name="home"),
    path("theme/", views_home.theme_set, name="theme-set"),
    path("language/", views_home.language_set, name="language-set"),
    path("results/", views_home.results_set, name="results-set"),
    path("steps/end/", views_home.steps_end, name="steps-end"),
    path("log/", views_matches.log, name="log"),
    path("logger-worker.js", views_phone.worker, name="logger-worker"),
    path("offline/", views_phone.offline, name="offline"),
    path("offline-worker.js", views_phone.offline_worker, name="offline-worker"),
    path("manifest.webmanifest", views_phone.manifest, name="manifest"),
]
accounts = [
    path("me/", views_accounts.account_detail, name="account-detail"),
    path("me/erase/", views_accounts.account_erase, name="account-erase"),
    path("me/everything.zip", views_accounts.account_export, name="account-export"),
    path("me/keys/", views_accounts.key_list, name="key-list"),
    path("me/keys/<uuid:key>/end/", views_accounts.key_end, name="key-end"),
    path("me/jobs/", views_jobs.job_list, name="job-list"),
    path("me/jobs/<uuid:pk>/", views_jobs.job_detail, name="job-detail"),
    path("me/jobs/<uuid:pk>/cancel/", views_jobs.job_cancel, name="job-cancel"),
    path("me/jobs/<uuid:pk>/again/", views_jobs.job_again, name="job-again"),
    path("me/jobs/<uuid:pk>/file/", views_jobs.job_file, name="job-file"),
    path("players/<uuid:pk>/", views_matches.player_detail, name="player-detail"),
    path("players/<uuid:pk>/name/", views_claims.guest_rename, name="guest-rename"),
    path("players/<uuid:pk>/claim/", views_claims.guest_link, name="guest-link"),
    path("players/<uuid:pk>/claim/undo/", views_claims.claim_undo, name="claim-undo"),
    path("claim/<str:token>/", views_claims.guest_claim, name="guest-claim"),
]
joining = [
    path("j/", views_join.join, name="join"),
    path("j/<str:token>/", views_join.seat_join, name="seat-join"),
]
finding = [
    path("matches/", views_matches.match_list, name="match-list"),
    path("matches/new/", views_open.match_open, name="match-open"),
]
seats = [
    path("matches/<str:code>/seats/", views_seats.seat_list, name="seat-list"),
    path("matches/<str:code>/seats/<int:number>/renew/", views_seats.seat_renew, name="seat-renew"),
]
table = [
    path("matches/<str:code>/", views_match.match_detail, name="match-detail"),
    path("matches/<str:code>/acts/", views_match.act_record, name="act-record"),
    path("matches/<str:code>/table/", views_logger.logger, name="logger"),
    path("matches/<str:code>/scribe/", views_scribe.scribe, name="scribe"),
    path("matches/<str:code>/scribe/end/", views_scribe.scribe_end, name="scribe-end"),
    path(
        "matches/<str:code>/proposals/<uuid:act_id>/",
        views_scribe.proposal_decide,
        name="proposal-decide",
    ),
    path("matches/<str:code>/take-back/", views_match.act_take_back, name="act-take-back"),
    path(
        "matches/<str:code>/correct/<int:version>/", views_correct.act_correct, name="act-correct"
    ),
    path("matches/<str:code>/cut/", views_cut.match_cut, name="match-cut"),
    path("matches/<str:code>/verify/", views_match.match_verify, name="match-verify"),
    path("matches/<str:code>/fair/", views_fair.match_fair, name="match-fair"),
    path("matches/<str:code>/if/", views_if.match_if, name="match-if"),
    path("matches/<str:code>/log.ndjson", views_match.match_log_file, name="match-log-file"),
    path(
        "matches/<str:code>/certificate.json",
        views_match.match_certificate,
        name="match-certificate",
    ),
    path("matches/<str:code>/log.zgxl", views_match.match_notation, name="match-notation"),
    path("rules/", views_rules.rulebook_list, name="rulebook-list"),
    path("rules/<str:key>/", views_rules.rulebook, name="rulebook"),
    path("games/<str:key>/deck/", views_decks.deck_check, name="deck-check"),
    path("games/<str:key>/<str:page>/", views_match.game_page, name="game-page"),
]
urlpatterns = [*shell, *accounts, *joining, *finding, *seats, *table]
