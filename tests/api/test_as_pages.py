"""What a page can change or show, so can a program: every page × its endpoints."""

import re
from pathlib import Path

import pytest
from django.conf import settings

from tests.api import test_bad_forms as forms
from tests.api.test_matrix import endpoints
from tests.browser import pages
from tests.league import test_forms as league

OF_AN_ACCOUNT = "an account's own"
OF_A_BROWSER = "how one browser shows the site"

# Each page, and the endpoints that do what its forms do; or why none does.
DONE: dict[str, str] = {
    "account_login": "token post",
    "account_logout": OF_A_BROWSER,
    "account_signup": OF_AN_ACCOUNT,
    "account_change_password": OF_AN_ACCOUNT,
    "matches:theme-set": OF_A_BROWSER,
    "matches:language-set": OF_A_BROWSER,
    "matches:results-set": OF_A_BROWSER,
    "matches:steps-end": OF_A_BROWSER,
    "matches:account-erase": OF_AN_ACCOUNT,
    "matches:key-list": OF_AN_ACCOUNT,
    "matches:key-end": OF_AN_ACCOUNT,
    "matches:account-detail": "player patch",
    "matches:guest-rename": "player patch",
    "matches:guest-link": "player-claim post",
    "matches:guest-merge": "player-merge post",
    "matches:guest-claim": "claim post",
    "matches:claim-undo": "player-unclaim post",
    "matches:match-open": "matches post",
    "matches:deck-check": "check-deck post",
    "matches:seat-list": "seats get, officials post",
    "matches:seat-renew": "seat-renew post",
    "matches:seat-join": "seat post",
    "matches:match-cut": "cut patch",
    "matches:act-record": "acts post",
    "matches:logger": "acts post, bot post",
    "matches:scribe": "scribe post",
    "matches:scribe-end": "scribe-end post",
    "matches:proposal-decide": "proposal post",
    "matches:act-take-back": "take-back post",
    "matches:act-correct": "correct post",
    "matches:match-verify": "verify post",
    "matches:job-list": "export post",
    "matches:job-cancel": "job-cancel post",
    "matches:job-again": "export post, verify post, league-export post",
    "characters:match-open": "matches post",
    "characters:character-create": "characters-paste post",
    "characters:character-paste": "characters-paste post",
    "characters:character-edit": "character patch",
    "characters:section-edit": "character patch",
    "characters:goal-add": "goals post",
    "characters:goal-change": "goal patch",
    "characters:ledger-list": "ledger post",
    "characters:entry-undo": "ledger-undo post",
    "characters:entry-cover": "ledger-cover post",
    "characters:offer-list": "trades post",
    "characters:offer-answer": "trade post",
    "characters:favour-list": "favours post",
    "characters:favour-change": "favour patch",
    "characters:move-list": "moves post, moves-leave post",
    "characters:move-answer": "move post",
    "characters:campaign-create": "campaigns post",
    "characters:campaign-edit": "campaign patch",
    "characters:portrait-edit": "character-portrait put",
    "characters:card-create": "cards post",
    "characters:card-edit": "card patch",
    "characters:card-import": "cards-import post",
    "characters:card-set": "card-set patch",
    "characters:prompt-answer": "prompts post",
    "characters:loadout-create": "loadouts post",
    "characters:loadout-detail": "loadout patch",
    "characters:loadout-remove": "loadout patch",
    "characters:item-card": "gear-item patch",
    "league:league-create": "leagues post",
    "league:league-run": "league patch",
    "league:league-join": "league-members post",
    "league:league-export": "league-export post",
    "league:record-list": "league-discipline post",
    "league:sanction-lift": "sanction-lift post",
    "league:role-list": "league-members post",
    "league:role-end": "league-members-end post",
    "league:krewe-create": "league-krewes post",
    "league:krewe-detail": "krewe patch",
    "league:season-create": "seasons post, season-roll-over post",
    "league:season-edit": "season patch, season-divisions post",
    "league:season-remove": "season patch",
    "league:division-edit": "division patch, division-players post, division-adjustments post",
    "league:division-remove": "division patch",
    "league:circuit-create": "circuits post",
    "league:circuit-edit": "circuit patch, circuit-tournaments post, circuit-adjustments post",
    "league:circuit-remove": "circuit patch",
    "league:qualifier-remove": "circuit-tournaments-end post",
    "league:venue-create": "venues post",
    "league:venue-edit": "venue patch",
    "league:venue-remove": "venue patch",
    "league:lore-write": "place-texts post",
    "league:lore-edit": "place-text patch",
    "league:webhook-list": "webhooks post",
    "league:webhook-detail": "webhook patch",
    "league:webhook-rotate": "webhook-secret post",
    "league:webhook-test": "webhook-test post",
    "league:webhook-end": "webhook-end post",
    "league:delivery-send": "webhook-delivery-send post",
    "league:telling-edit": "telling patch, telling-calendar post, telling-calendar-end post",
    "league:letters-off": "telling patch",
    "league:tournament-create": "tournaments post",
    "league:tournament-import": "tournaments-import post",
    "league:tournament-edit": "tournament patch",
    "league:tournament-withdraw": "tournament-withdraw post",
    "league:stage-list": "tournament patch",
    "league:staff-list": "tournament-staff post",
    "league:staff-end": "tournament-staff-end post",
    "league:date-list": "tournament-dates post",
    "league:list-import": "tournament-import post",
    "league:prize-list": (
        "tournament-prizes post, tournament-prize-end post, tournament-prize-hand-over post, "
        "tournament-prize-put-right post"
    ),
    "league:console": (
        "tournament-propose post, tournament-acts post, tournament-pair-again post, "
        "tournament patch, entries post, tournament-awards post, tournament-penalties post"
    ),
    "league:undo": "tournament-take-back post",
    "league:result-correct": "tournament-correct post",
    "league:table-detail": "tournament-acts post",
    "league:table-play": "tournament-table-match post",
    "league:self-act": "tournament-acts post",
    "league:entry-list": "entries post",
    "league:deck-register": "entry-deck post",
}
ELSEWHERE = "the same as other pages, laid out for a wall, paper, another site or a phone"
IN_WORDS = "words for people"
# Each page that only shows something, and the endpoints that answer it; or why none does.
SHOWN: dict[str, str] = {
    "matches:home": "matches get, tournaments get, next get",
    "league:my-next": "next get, leagues get",
    "league:search": "search get",
    "proof": IN_WORDS,
    "developers": IN_WORDS,
    "refused": IN_WORDS,
    "not found": IN_WORDS,
    "account_inactive": IN_WORDS,
    "matches:offline": IN_WORDS,
    **dict.fromkeys(
        ("account_reset_password", "account_reset_password_done", "account_email"), OF_AN_ACCOUNT
    ),
    **dict.fromkeys(
        (
            "account_reset_password_from_key",
            "account_reset_password_from_key_done",
            "account_email_verification_sent",
            "account_confirm_email",
            "account_reauthenticate",
            "mfa_index",
            "usersessions_list",
        ),
        OF_AN_ACCOUNT,
    ),
    "matches:job-detail": "job get, job-file get",
    "matches:player-detail": "player get, matches get",
    "league:player-detail": "player get, matches get, tournaments get",
    "league:player-compare": "players get, search get",
    "league:player-versus": "player-versus get",
    "matches:match-list": "matches get",
    "league:match-list": "matches get",
    "matches:join": "seat get",
    "league:join": "tournament get, seat get",
    "matches:match-detail": "match get, state get, events get, luck get, went get, options get",
    "matches:match-if": "what-if post",
    "matches:match-fair": "events get, verify get, player get",
    "matches:rulebook-list": "games get",
    "matches:rulebook": "clauses get",
    "matches:game-page": "tool post",
    "characters:character-list": "characters get, moves get, trades get, next get",
    "characters:character-detail": "character get, gear get, goals get",
    "characters:character-print": ELSEWHERE,
    "characters:character-pocket": ELSEWHERE,
    "characters:character-history": "character-history get",
    "characters:campaign-list": "campaigns get",
    "characters:campaign-detail": "campaign get, fallen get",
    "characters:campaign-prices": "sales get, supply get",
    "characters:card-list": "cards get, card-sets get",
    "characters:card-detail": "card get",
    "characters:card-compare": "cards get, tool post",
    "characters:card-print": ELSEWHERE,
    "characters:career-detail": "appearances get, tournaments get",
    "characters:loadout-list": "loadouts get",
    "characters:item-tag": ELSEWHERE,
    "characters:item-detail": "gear-item get, appearances get",
    "league:league-list": "leagues get",
    "league:league-detail": "league get, seasons get, tournaments get, ratings get",
    "league:rating-list": "ratings get, rating-revisions get",
    "league:season-detail": "season get",
    "league:circuit-detail": "circuit get",
    "league:venue-list": "venues get",
    "league:venue-detail": "venue get",
    "league:lore-list": "places get",
    "league:lore-detail": "place get",
    "league:tournament-list": "tournaments get",
    "league:tournament-detail": (
        "tournament get, rounds get, pairings get, standings get, tournament-prizes get"
    ),
    "league:round-detail": "rounds get, pairings get",
    "league:pairing-names": "pairings get",
    "league:standing-list": "standings get, tournament-clinch get",
    "league:standing-changes": "standings get",
    "league:tournament-rules": "tournament get, clauses get",
    "league:wall": ELSEWHERE,
    "league:print-list": ELSEWHERE,
    "league:print-page": ELSEWHERE,
    "league:embed-bracket": ELSEWHERE,
    "league:embed-standings": ELSEWHERE,
}
WHY = (OF_AN_ACCOUNT, OF_A_BROWSER, ELSEWHERE, IN_WORDS)
PAGES = {*forms.PAGES, *forms.BARE, *league.NAMES}


def test_every_page_that_takes_a_form_is_in_the_table() -> None:
    assert set(DONE) == PAGES


def test_every_page_that_shows_something_is_in_one_of_the_tables() -> None:
    shown = {page for page in pages.PAGES if not page.startswith("admin:")}
    assert shown - set(DONE) == set(SHOWN)


@pytest.mark.parametrize("page", [*DONE, *SHOWN])
def test_a_program_does_and_is_shown_what_a_page_does_and_shows(page: str) -> None:
    there = {" ".join(key) for key in endpoints()}
    found = DONE.get(page) or SHOWN[page]
    if found not in WHY:
        assert set(found.split(", ")) <= there


def test_the_guide_says_what_is_left_to_the_pages() -> None:
    guide = (Path(settings.BASE_DIR) / "docs" / "api.md").read_text("utf-8")
    told = re.sub(r"\s+", " ", guide.partition("## Conventions")[0])
    assert "What the pages change, a program can change" in told
    assert "signing up, a password" in told
