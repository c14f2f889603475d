"""`make screens`: take screenshots of every page type, with the demo's data, into docs/screens/.

Each at the size of a phone and of a desktop, light and dark, without scrolling.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests import chromium, services

ROOT = Path(__file__).resolve().parent.parent
SCREENS = ROOT / "docs" / "screens"
SIZES = {"phone": (360, 740), "desktop": (1280, 800)}
THEMES = ("light", "dark")
LOADING = 600  # seconds that loading the rest of the demo may take
LIVE, ENDED = "Table 41", "Table 20"
TOURNAMENTS = {
    "swiss": "Tycho Open",
    "pods": "Space Gun Pods",
    "double": "Earthbound Cup",
    "final": "Dark Side Tournament",
    "harbour": "Harbour Swiss",
}

PAGES = {
    "matches:home": "/",
    "matches:match-list": "/matches/",
    "league:match-list": "/matches/?tournament=Rim",
    "matches:match-detail": "/matches/{live}/",
    "matches:match-detail, a past moment": "/matches/{ended}/?at=20",
    "matches:logger": "/matches/{live}/table/",
    "matches:act-record": "/matches/{live}/acts/",
    "matches:scribe": "/matches/{live}/scribe/",
    "matches:match-cut": "/matches/{live}/cut/",
    "matches:act-correct": "/matches/{live}/correct/12/",
    "matches:match-verify": "/matches/{ended}/verify/",
    "matches:match-if": "/matches/{ended}/if/?option-strikes=card_tests",
    "matches:match-fair": "/matches/{ended}/fair/",
    "matches:match-open": "/matches/new/",
    "matches:match-open, the table": "/matches/new/?game=score&seats=2",
    "matches:seat-list": "/matches/{live}/seats/",
    "matches:join": "/j/",
    "league:join": "/j/?code=ZZZZZZ",
    "matches:seat-join": "{seat}",
    "matches:player-detail": "{player}",
    "matches:guest-link": "/players/{guest}/claim/",
    "matches:guest-merge": "/players/{guest}/merge/",
    "matches:guest-merge, looked at": "/players/{guest}/merge/?into={twice}",
    "matches:guest-rename": "/players/{guest}/name/",
    "matches:guest-claim": "{claim}",
    "matches:account-detail": "/me/",
    "matches:account-erase": "/me/erase/",
    "matches:job-list": "/me/jobs/",
    "matches:job-detail": "{job}",
    "account_signup": "/signup/",
    "matches:theme-set": "/theme/",
    "matches:game-page": "/games/zg/bench/",
    "matches:rulebook-list": "/rules/",
    "matches:rulebook": "/rules/zg/",
    "matches:deck-check": "/games/zx/deck/?sample=Tidewatch",
    "characters:character-list": "/characters/",
    "characters:character-create": "/characters/new/",
    "characters:character-paste": "/characters/paste/",
    "characters:character-detail": "{character}",
    "characters:character-edit": "{character}edit/",
    "characters:character-history": "{character}history/",
    "characters:section-edit": "{character}sections/public/",
    "characters:ledger-list": "{character}ledger/",
    "characters:offer-list": "{character}offers/",
    "characters:item-detail": "{item}",
    "characters:item-card": "{item}card/",
    "characters:item-tag": "{item}tag/",
    "characters:career-detail": "{character}record/",
    "characters:loadout-list": "{character}loadouts/",
    "characters:loadout-create": "{character}loadouts/new/",
    "characters:loadout-detail": "{loadout}",
    "characters:match-open": "/matches/new/?game=zg&seats=2",
    "characters:character-print": "{character}print/",
    "characters:character-pocket": "{character}pocket/",
    "characters:portrait-edit": "{character}portrait/",
    "characters:favour-list": "{character}diary/",
    "characters:entry-cover": "{story}",
    "characters:move-list": "{character}moves/",
    "characters:campaign-list": "/campaigns/",
    "characters:campaign-create": "/campaigns/new/",
    "characters:campaign-detail": "{campaign}",
    "characters:campaign-prices": "{campaign}prices/",
    "characters:campaign-edit": "{own_campaign}edit/",
    "characters:card-create": "/cards/new/",
    "characters:card-import": "/cards/import/",
    "characters:card-edit": "{card}edit/",
    "characters:card-list": "/cards/",
    "characters:card-set": "{set}",
    "characters:card-detail": "{card}",
    "characters:card-compare": "/cards/compare/?{chosen}",
    "characters:card-print": "/cards/print/?{chosen}",
    "league:league-list": "/leagues/",
    "league:league-detail": "{league}",
    "league:rating-list": "{league}ratings/zg/",
    "league:league-create": "/leagues/new/",
    "league:role-list": "{league}roles/",
    "league:league-run": "{league}run/",
    "league:season-create": "{league}seasons/",
    "league:season-edit": "{season}edit/",
    "league:division-edit": "{division}",
    "league:circuit-create": "{season}circuits/",
    "league:circuit-edit": "{circuit}edit/",
    "league:venue-create": "/venues/new/",
    "league:venue-edit": "/venues/dark-side-station/edit/",
    "league:record-list": "{league}record/",
    "league:webhook-list": "{league}webhooks/",
    "league:webhook-detail": "{webhook}",
    "league:krewe-detail": "{krewe}",
    "league:season-detail": "{season}",
    "league:circuit-detail": "{circuit}",
    "league:venue-list": "/venues/",
    "league:venue-detail": "/venues/dark-side-station/",
    "league:search": "/search/?q=dark",
    "league:player-detail": "{player}",
    "league:player-compare": "{player}versus/",
    "league:player-versus": "{versus}",
    "league:wall": "{final}wall/",
    "league:print-list": "{final}print/",
    "league:print-page": "{final}print/slips/",
    "league:embed-bracket": "{swiss}embed/bracket/",
    "league:embed-standings": "{swiss}embed/standings/?stage=1",
    "league:lore-list": "/lore/",
    "league:lore-detail": "/lore/terminus/",
    "league:lore-write": "/lore/terminus/write/",
    "league:lore-edit": "{text}",
    "league:tournament-list": "/tournaments/",
    "league:tournament-create": "/tournaments/new/",
    "league:tournament-import": "/tournaments/import/",
    "league:list-import": "{final}import/",
    "league:staff-list": "{final}roles/",
    "league:date-list": "{final}dates/",
    "league:stage-list": "{final}stages/",
    "league:prize-list": "{final}prizes/",
    "league:tournament-detail": "{final}",
    "league:tournament-detail, played to its end": "{swiss}",
    "league:tournament-detail, double elimination": "{double}",
    "league:round-detail": "{swiss}rounds/2/",
    "league:pairing-names": "{swiss}rounds/2/names/",
    "league:standing-list": "{swiss}standings/?stage=1",
    "league:standing-list, pods": "{pods}standings/?stage=1",
    "league:standing-changes": "{swiss}standings/changes/",
    "league:entry-list": "{final}entries/",
    "league:tournament-rules": "{swiss}rules/",
    "league:table-detail": "{final}rounds/1/tables/1/",
    "league:deck-register": "{harbour}deck/?entrant=1",
    "league:console": "{final}console/",
    "league:undo": "{final}undo/?round=1",
    "league:tournament-edit": "{final}edit/",
    "league:result-correct": "{final}rounds/1/tables/1/correct/?scores=0-2",
    "league:my-next": "/next/",
    "league:telling-edit": "/me/told/",
    "league:letters-off": "/letters/off/gone/",
    "matches:match-detail, Z/X": "/matches/{zx}/",
    "matches:logger, Z/X": "/matches/{zx}/table/",
    "matches:match-detail, Zerpang!": "/matches/{zerpang}/",
    "matches:logger, Zerpang!": "/matches/{zerpang}/table/",
    "proof": "/proof/",
    "developers": "/developers/",
    "matches:offline": "/offline/",
    "account_login": "/login/",
    "account_change_password": "/password/change/",
    "account_reset_password": "/password/reset/",
    "account_reset_password_done": "/password/reset/done/",
    "account_reset_password_from_key": "/password/reset/key/1-gone/",
    "account_reset_password_from_key_done": "/password/reset/key/done/",
    "account_email": "/email/",
    "account_email_verification_sent": "/confirm-email/",
    "account_confirm_email": "/confirm-email/gone/",
    "account_inactive": "/inactive/",
    "account_logout": "/logout/",
    "account_reauthenticate": "/reauthenticate/",
    "matches:key-list": "/me/keys/",
    "mfa_index": "/second-factor/",
    "usersessions_list": "/sessions/",
    "not found": "/nothing/",
    "refused": "/matches/{live}/seats/",
    "admin:index": "/admin/",
    "admin:app_list": "/admin/matches/",
    "admin:login": "/admin/login/",
}
"""Every page type by the name of its route, after a comma its state."""

SHOWN = (
    "matches:home", "league:league-detail", "league:season-detail", "league:circuit-detail",
    "league:tournament-detail", "league:tournament-detail, double elimination",
    "league:round-detail", "league:standing-list", "league:console", "league:my-next",
    "league:wall", "matches:match-detail", "matches:match-detail, Z/X",
    "matches:match-detail, Zerpang!", "matches:logger", "matches:logger, Z/X",
    "matches:logger, Zerpang!", "matches:match-fair", "league:player-detail",
    "characters:character-detail", "characters:item-detail", "characters:card-list",
    "league:lore-detail", "matches:theme-set", "admin:index",
)  # fmt: skip
"""The page types that docs/screens/ shows."""

SIGNED_OUT = {
    "matches:home", "matches:match-detail", "matches:seat-join", "account_signup",
    "account_login", "admin:login", "refused",
}  # fmt: skip


@dataclass(frozen=True)
class Site:
    """A running site with the demo's data, and an account to sign in with."""

    url: str
    logins: dict[str, str]
    data: Path


@contextmanager
def demo() -> Iterator[Site]:
    """Run a separate site with the demo loaded."""
    with tempfile.TemporaryDirectory(prefix="zgxl-") as data:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--demo", "--tied"],
            cwd=ROOT,
            env={**os.environ, "DATA": data, "PORT": "0"},
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            yield Site(_told_url(process), _logins(Path(data)), Path(data))
        finally:
            process.terminate()
            process.wait(30)


def _told_url(process: "subprocess.Popen[str]") -> str:
    for line in process.stdout or ():
        if found := re.search(r"http://\S+", line):
            return found[0].rstrip("/")
    raise SystemExit(f"the demo ended with status {process.wait()}")


def _logins(data: Path) -> dict[str, str]:
    logins: dict[str, str] = json.loads((data / "demo-logins.json").read_text())
    return logins


class Photographer:
    """Opens pages in a browser, as a visitor and signed in, and takes screenshots of them."""

    def __init__(self, browser: Any, site: Site) -> None:
        self.site = site
        self.visitor = browser.new_context(base_url=site.url, reduced_motion="reduce").new_page()
        self.scribe = browser.new_context(base_url=site.url, reduced_motion="reduce").new_page()
        self._sign_in()
        self.places = self._places()

    def _sign_in(self) -> None:
        self.scribe.goto("/login/")
        self.scribe.get_by_label("Username or e-mail").fill("organiser")
        self.scribe.get_by_label("Password").fill(self.site.logins["organiser"])
        self.scribe.get_by_role("button", name="Sign in").click()

    def _places(self) -> dict[str, str]:
        """Return the values for the placeholders in the pages' paths, once the demo is loaded."""
        codes = self._codes()
        found = {"live": self._code(LIVE), "ended": self._code(ENDED)}
        self.scribe.goto(f"/matches/{found['live']}/seats/")
        seat = self.scribe.locator("#link-2").text_content().strip()
        player = self.scribe.locator("a[href^='/players/']").first.get_attribute("href")
        self.scribe.goto(player)
        met = self.scribe.locator("main a[href*='/versus/']").first
        found["versus"] = met.get_attribute("href")
        self.scribe.goto("/campaigns/")
        found["campaign"] = self.scribe.locator("main .lines a").first.get_attribute("href")
        found["own_campaign"] = f"/campaigns/{self._post('campaigns/', name='Rim belt')['id']}/"
        self.scribe.goto("/characters/?q=Yowuya")
        found["job"] = f"/me/jobs/{self._post('export/')['id']}/"
        found["character"] = self.scribe.locator(".fixture .who").first.get_attribute("href")
        self.scribe.goto(found["character"])
        found["item"] = self.scribe.locator("a[href^='/items/']").first.get_attribute("href")
        self.scribe.get_by_role("link", name="Superior Green Frontgear").click()
        story = self.scribe.get_by_role("link", name="Tell another story")
        found["story"] = story.get_attribute("href")
        self.scribe.goto(f"{found['character']}loadouts/")
        found["loadout"] = self.scribe.locator("a[href^='/loadouts/']").first.get_attribute("href")
        self.scribe.goto("/cards/")
        found["card"] = self.scribe.locator("article.card a[href^='/cards/']").first.get_attribute(
            "href"
        )
        boxes = self.scribe.locator("input[name=card]")
        found["chosen"] = "&".join(
            f"card={boxes.nth(place).get_attribute('value')}" for place in (1, 4, 7, 8)
        )
        self.scribe.goto(found["card"])
        found["set"] = self.scribe.locator("a[href^='/cards/sets/']").first.get_attribute("href")
        found |= self._of_leagues(codes) | self._of_games() | self._guest()
        return found | {"seat": seat.removeprefix(self.site.url), "player": player}

    def _of_leagues(self, codes: dict[str, str]) -> dict[str, str]:
        self.scribe.goto("/leagues/")
        own = "main a[href^='/leagues/']:not([href$='/new/'])"
        league = self.scribe.locator(own).first.get_attribute("href")
        self.scribe.goto(league)
        links = {
            what: self.scribe.locator(f"main a[href^='/{what}s/']").first.get_attribute("href")
            for what in ("season", "circuit")
        }
        titles = {name: f"/tournaments/{codes[title]}/" for name, title in TOURNAMENTS.items()}
        webhook = self._webhook(league)
        self.scribe.goto(f"{links['season']}edit/")
        divisions = self.scribe.locator("main a[href^='/divisions/']")
        links["division"] = divisions.first.get_attribute("href")
        found = {"league": league, "webhook": webhook, "text": self._text(league), **links}
        self.scribe.goto(league)
        return {**found, **titles, "krewe": self._krewe()}

    def _codes(self) -> dict[str, str]:
        """Return the codes of the tournaments by title, waiting until the whole demo is loaded."""
        for _ in range(LOADING):
            answer = self.scribe.request.get("/api/v1/tournaments/")
            told = answer.json()["results"] if answer.ok else []  # busy while it loads
            codes = {each["title"]: each["code"] for each in told}
            if codes.keys() >= {*TOURNAMENTS.values()}:
                return codes
            self.scribe.wait_for_timeout(1000)
        raise SystemExit(f"the demo has not loaded in {LOADING} s, only {', '.join(codes)}")

    def _webhook(self, league: str) -> str:
        """Register a webhook of a league, send it a test, and return its path."""
        slug = league.removeprefix("/leagues/").rstrip("/")
        address = "https://hooks.example.org/zgxl"
        made = self._post("webhooks/", league=slug, url=address, events=["match.finished"])
        self._post(f"webhooks/{made['id']}/test/")
        return f"/webhooks/{made['id']}/"

    def _text(self, league: str) -> str:
        """Add a league's text about a place, and return the path to edit it."""
        slug = league.removeprefix("/leagues/").rstrip("/")
        said = {"league": slug, "title": "Who sweeps the rings", "text": "Nobody does."}
        return f"/lore/terminus/{self._post('places/terminus/texts/', **said)['id']}/"

    def _krewe(self) -> str:
        """Create a krewe on the league page that is open, and return its path."""
        self.scribe.get_by_label("A krewe of yours").fill("Rim Runners")
        self.scribe.get_by_role("button", name="Make it").click()
        return urlsplit(self.scribe.url).path

    def _guest(self) -> dict[str, str]:
        """Add a guest, and return the guest's path and claim link."""
        guest = self._post("players/", name="Rim Walker")["id"]
        claim = self._post(f"players/{guest}/claim/")["url"]
        twice = self._post("players/", name="R. Walker")["id"]
        return {"guest": guest, "twice": twice, "claim": urlsplit(claim).path}

    def _post(self, path: str, **body: object) -> dict[str, str]:
        """POST to the API as the account signed in."""
        cookies = {each["name"]: each["value"] for each in self.scribe.context.cookies()}
        headers = {"X-CSRFToken": cookies["csrftoken"], "Referer": self.site.url}
        answer = self.scribe.request.post(f"/api/v1/{path}", data=body, headers=headers)
        told: dict[str, str] = answer.json()
        return told

    def _of_games(self) -> dict[str, str]:
        """Return a running match of each game that has a board."""
        found = {}
        for game in ("zx", "zerpang"):
            asked = self.scribe.request.get(f"/api/v1/matches/?ruleset={game}@1&status=open").json()
            found[game] = asked["results"][0]["code"]
        return found

    def _code(self, title: str) -> str:
        self.visitor.goto(f"/matches/?q={title.replace(' ', '+')}")
        match = self.visitor.locator(".fixture", has_text=re.compile(rf"{title}\b")).first
        code: str = match.locator(".code").text_content()
        return code.strip()

    def shoot(self, name: str) -> None:
        """Take screenshots of a page type in every size and theme."""
        page = self.visitor if name in SIGNED_OUT else self.scribe
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)
            for size, (width, height) in SIZES.items():
                page.set_viewport_size({"width": width, "height": height})
                page.goto(PAGES[name].format(**self.places))
                page.wait_for_load_state("networkidle")
                page.screenshot(path=SCREENS / f"{slug(name)}-{size}-{theme}.png")


def slug(name: str) -> str:
    """Return a page type as part of a file name, such as `match-detail-a-past-moment`."""
    return re.sub(r"[^a-z]+", "-", name.removeprefix("matches:").lower())


def contents() -> str:
    """Return the page that shows all screenshots."""
    lines = ["# Screens", "", "Made by `make screens` from the site with the demo's data.", ""]
    for name in SHOWN:
        shots = [f"{slug(name)}-{size}-{theme}.png" for size in SIZES for theme in THEMES]
        lines += [f"## {name.removeprefix('matches:')}", ""]
        lines += [f'<img src="{shot}" width="24%" alt="">' for shot in shots] + [""]
    return "\n".join(lines).rstrip() + "\n"


def main() -> None:
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(prog="tests.screens", description=__doc__)
    parser.add_argument("--all", action="store_true", help="every page, not the main ones alone")
    names = tuple(PAGES) if parser.parse_args().all else SHOWN
    program = chromium.require()
    os.environ.update(program.environment)
    SCREENS.mkdir(exist_ok=True)
    with demo() as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program.path, args=chromium.FLAGS)
        photographer = Photographer(browser, site)
        for old in SCREENS.glob("*.png"):
            old.unlink()
        for name in names:
            photographer.shoot(name)
            print(name, flush=True)
        browser.close()
    (SCREENS / "README.md").write_text(contents())
    taken = sum(shot.stat().st_size for shot in SCREENS.glob("*.png"))
    print(f"{len(names)} page types, {taken / 1e6:.1f} MB")


if __name__ == "__main__":
    try:
        main()
    except services.Missing as missing:
        sys.exit(str(missing))
