"""Pages of the log, grouped by whom they are for."""

from django.urls import path

from matches.views import (
    accounts,
    claims,
    correct,
    cut,
    decks,
    fair,
    games,
    home,
    jobs,
    join,
    logger,
    match,
    matches,
    opening,
    phone,
    rules,
    scribe,
    seats,
    what_if,
)

app_name = "matches"

shell = [
    path("", home.home, name="home"),
    path("theme/", home.theme_set, name="theme-set"),
    path("language/", home.language_set, name="language-set"),
    path("results/", home.results_set, name="results-set"),
    path("steps/end/", home.steps_end, name="steps-end"),
    path("log/", matches.log, name="log"),
    path("logger-worker.js", phone.worker, name="logger-worker"),
    path("offline/", phone.offline, name="offline"),
    path("offline-worker.js", phone.offline_worker, name="offline-worker"),
    path("manifest.webmanifest", phone.manifest, name="manifest"),
]
mine = [
    path("me/", accounts.account_detail, name="account-detail"),
    path("me/erase/", accounts.account_erase, name="account-erase"),
    path("me/everything.zip", accounts.account_export, name="account-export"),
    path("me/keys/", accounts.key_list, name="key-list"),
    path("me/keys/<uuid:key>/end/", accounts.key_end, name="key-end"),
    path("me/jobs/", jobs.job_list, name="job-list"),
    path("me/jobs/<uuid:pk>/", jobs.job_detail, name="job-detail"),
    path("me/jobs/<uuid:pk>/cancel/", jobs.job_cancel, name="job-cancel"),
    path("me/jobs/<uuid:pk>/again/", jobs.job_again, name="job-again"),
    path("me/jobs/<uuid:pk>/file/", jobs.job_file, name="job-file"),
    path("players/<uuid:pk>/", matches.player_detail, name="player-detail"),
    path("players/<uuid:pk>/name/", claims.guest_rename, name="guest-rename"),
    path("players/<uuid:pk>/claim/", claims.guest_link, name="guest-link"),
    path("players/<uuid:pk>/merge/", claims.guest_merge, name="guest-merge"),
    path("players/<uuid:pk>/claim/undo/", claims.claim_undo, name="claim-undo"),
    path("claim/<str:token>/", claims.guest_claim, name="guest-claim"),
]
joining = [
    path("j/", join.join, name="join"),
    path("j/<str:token>/", join.seat_join, name="seat-join"),
]
finding = [
    path("matches/", matches.match_list, name="match-list"),
    path("matches/new/", opening.match_open, name="match-open"),
]
seating = [
    path("matches/<str:code>/seats/", seats.seat_list, name="seat-list"),
    path("matches/<str:code>/seats/<int:number>/renew/", seats.seat_renew, name="seat-renew"),
]
table = [
    path("matches/<str:code>/", match.match_detail, name="match-detail"),
    path("matches/<str:code>/acts/", match.act_record, name="act-record"),
    path("matches/<str:code>/table/", logger.logger, name="logger"),
    path("matches/<str:code>/scribe/", scribe.scribe, name="scribe"),
    path("matches/<str:code>/scribe/end/", scribe.scribe_end, name="scribe-end"),
    path(
        "matches/<str:code>/proposals/<uuid:act_id>/",
        scribe.proposal_decide,
        name="proposal-decide",
    ),
    path("matches/<str:code>/take-back/", match.act_take_back, name="act-take-back"),
    path("matches/<str:code>/correct/<int:version>/", correct.act_correct, name="act-correct"),
    path("matches/<str:code>/cut/", cut.match_cut, name="match-cut"),
    path("matches/<str:code>/verify/", match.match_verify, name="match-verify"),
    path("matches/<str:code>/fair/", fair.match_fair, name="match-fair"),
    path("matches/<str:code>/if/", what_if.match_if, name="match-if"),
    path("matches/<str:code>/log.ndjson", match.match_log_file, name="match-log-file"),
    path(
        "matches/<str:code>/certificate.json",
        match.match_certificate,
        name="match-certificate",
    ),
    path("matches/<str:code>/log.zgxl", match.match_notation, name="match-notation"),
    path("rules/", rules.rulebook_list, name="rulebook-list"),
    path("rules/<str:key>/", rules.rulebook, name="rulebook"),
    path("games/<str:key>/deck/", decks.deck_check, name="deck-check"),
    path("games/<str:key>/<str:page>/", games.game_page, name="game-page"),
]
urlpatterns = [*shell, *mine, *joining, *finding, *seating, *table]
