"""A table of every named page of the site: its path, and who views it.

A new page gets a row, and one more for each state that looks different. Routes that are not pages
are listed in `NOT_PAGES` with a reason. `test_every_page.py` opens every page.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import uuid4

import msgspec
from allauth.account.models import EmailAddress
from axes.models import AccessAttempt
from django.contrib import admin
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

import rules
from characters import aftermath, campaigns, cards, ledger, moving, portraits
from characters import services as characters
from characters.models import (
    Campaign,
    Card,
    Character,
    LedgerEntry,
    Loadout,
)
from matches import claiming, decks, proposals, selectors, services
from matches.actors import RESULTS_COOKIE, Actor
from matches.models import Checkpoint, Event, FollowJob, Job, Log, Match, Note, Player, Proposal
from rules import bots, notation
from tests import factories
from tests.characters.api_rows import picture
from tests.characters.duels import Duel, duel
from tests.characters.sheets import SHEET
from tests.league import pages as league_pages
from tests.league.world import leagues

GOLDEN = Path(__file__).parent.parent / "golden"


@dataclass(frozen=True)
class World:
    """The objects that the pages are about."""

    live: Match
    ended: Match
    argued: Match
    corrected: Match
    opener: User
    staff: User
    character: Character
    fight: Duel
    field: Match
    whole: Match

    def match(self, tail: str = "", match: Match | None = None) -> str:
        return f"/matches/{(match or self.live).code}/{tail}"

    def sheet(self, tail: str = "") -> str:
        return f"/characters/{self.character.pk}/{tail}"

    def job(self, state: str) -> str:
        """Return the path of the opener's job in a state."""
        mine = Job.objects.filter(kind="everything")
        return next(job for job in mine if job.state == state).get_absolute_url()

    def chosen(self, page: str) -> str:
        """Return the path of a page with two chosen cards, side by side or on paper."""
        query = "&".join(f"card={card.pk}" for card in Card.objects.order_by("name")[:2])
        return f"/cards/{page}/?{query}"

    def card(self) -> str:
        return f"/cards/{Card.objects.get(name='Grip').pk}/"

    def set(self) -> str:
        return f"/cards/sets/{Card.objects.get(name='Grip').card_set_id}/"

    def item(self) -> str:
        return f"/items/{ledger.items_of(self.character)[0].serial}/"

    def duellist(self, tail: str = "") -> str:
        return f"/characters/{self.fight.una.pk}/{tail}"

    def fought(self) -> str:
        return f"/items/{self.fight.item(self.fight.una, 'Shield').serial}/"

    def loadout(self) -> str:
        return f"/loadouts/{Loadout.objects.get(name='Rim duel').pk}/"

    def story(self) -> str:
        return self.sheet(f"ledger/{LedgerEntry.objects.filter(method='stolen').first().pk}/cover/")

    def campaign(self) -> str:
        return f"/campaigns/{Campaign.objects.order_by('pk')[0].pk}/"

    def seat(self) -> str:
        return f"/j/{services.seat_link(self.live.seats.get(number=2))}/"

    @property
    def guest(self) -> Player:
        return Player.objects.get(seats__match=self.live, seats__number=2)

    def merge(self) -> str:
        """Return the path by which the guest is looked at as another guest of the opener."""
        twice = Player.objects.get(name="Guest again")
        return f"/players/{self.guest.pk}/merge/?into={twice.pk}"

    def claim(self) -> str:
        return f"/claim/{claiming.token_of(self.guest.claims.get())}/"

    def cookies(self, who: str) -> dict[str, str]:
        """Return a viewer's cookies; `spared` is a visitor with results switched off."""
        match who:
            case "visitor":
                return {}
            case "spared":
                return {RESULTS_COOKIE: "off"}
        return {"sessionid": self._session(who)}

    def _session(self, who: str) -> str:
        """Return the session key of the `opener`, of `staff`, or of a guest at `seat` 2."""
        client = Client()
        if who == "seat":
            client.post(self.seat())
        else:
            client.force_login(getattr(self, who))
        return client.cookies["sessionid"].value


def world() -> World:
    by = factories.actor("opener")
    assert isinstance(by.user, User)
    staff = User.objects.create_superuser("staff", password=factories.PASSWORD)
    zg = rules.get("zg")
    samples = list(decks.samples(zg).values())
    seats = [
        services.SeatRequest(player=by.player, label="Yellow", deck=samples[0]),
        services.SeatRequest(name="Ezut" + "marr" * 19, label="Grey", deck=samples[1]),
    ]
    live = factories.match(by, "zg", seats, title="Rim duel", place="Crater hall")
    pick = bots.Stream("a duel to look at")
    for _ in range(12):
        offers = zg.options(selectors.timeline(live).head.state)
        played = [offer for offer in offers if offer.type in ("impulse-won", "attacked")]
        factories.record(live, bots.act_of(zg, pick.choice(played), pick))
    live.log.refresh_from_db()
    ended = services.import_log(by=by, data=(GOLDEN / "zg-duel.zgxl").read_bytes())
    services.request_verify(match=ended, by=by)
    character = characters.paste(by=by, text=SHEET)
    cards.add(
        by=by,
        game="zg",
        data={"name": "Grip", "slot": "Claw", "a": "R+ G B", "b": "G# Bo R", "cost": 40},
        shared=True,
    )
    gear = [item for item in ledger.items_of(character) if item.kind == "piece"]
    characters.print_as(by=by, item=gear[0], card=Card.objects.get(name="Grip"))
    characters.make_loadout(
        by=by, character=character, name="Rim duel", items=[item.serial for item in gear]
    )
    portraits.put(by=by, character=character, data=picture())
    belt = campaigns.create(by=by, name="Belt")
    moving.ask_to_join(by=by, character=character, campaign=belt)
    other = factories.actor("ezut")
    marr = characters.create(by=other, name="Ezut Marr")
    moving.ask_to_join(by=other, character=marr, campaign=belt)
    for text, about in (("He broke my shield", marr), ("A lift to Ceres", None)):
        characters.add_favour(by=by, character=character, kind="grudge", text=text, about=about)
    leagues(by)
    services.add_guest(by=by, name="Guest again")
    services.offer_claim(by=by, guest=Player.objects.get(seats__match=live, seats__number=2))
    asked(by)
    made = World(
        live,
        ended,
        argued(by),
        corrected(by),
        by.user,
        staff,
        character,
        fought(by),
        on_a_field(by),
        by_the_whole_rulebook(by),
    )
    behind(made)
    return made


def behind(world: World) -> None:
    """Create one object of each other model that the admin shows."""
    Group.objects.create(name="Judges")
    EmailAddress.objects.create(user=world.opener, email="opener@example.org")
    AccessAttempt.objects.create(username="x", path_info="/login/", failures_since_start=1)
    LogEntry.objects.create(user=world.staff, object_repr="Rim", action_flag=CHANGE)
    Note.objects.get_or_create(log=world.live.log, digest="0" * 64, text="A note")
    Checkpoint.objects.create(log=world.live.log, follower="x", error="It cannot.")
    FollowJob.objects.get_or_create(log=world.live.log, defaults={"created_at": timezone.now()})


def asked(by: Actor) -> None:
    """Create a job in each state."""
    over, packed = timezone.now(), {"file": "everything.zip", "bytes": 48_213}
    for row in (
        {},
        {"started_at": over, "done": 12, "total": 40},
        {"done_at": over, "done": 40, "total": 40, "result": packed},
        {"done_at": over, "error": "no-such-league: Rim league is gone."},
        {"done_at": over, "is_cancelled": True},
    ):
        about = {"kind": "everything", "title": "All of Rim league", "asked_by": by.player_id}
        Job.objects.create(**about, **row)


def by_the_whole_rulebook(by: Actor) -> Match:
    """Return a Z-G match at depth `full` in its first pulse: a hand, impulse, terrain, modes."""
    zg = rules.get("zg")
    samples = [deck | {"modes": ["Wits", "Ambition"]} for deck in decks.samples(zg).values()]
    for deck in samples:
        deck.pop("character", None)
    seats = [services.SeatRequest(player=by.player, deck=samples[0])]
    seats.append(services.SeatRequest(name="Kleer Vann", deck=samples[1]))
    arena = {
        "terrain": [{"name": "Crate", "length": 1, "height": 1, "width": 1}],
        "arenas": [{"name": "Airlock", "ways": ["open", "vent"]}],
    }
    match = factories.match(
        by, "zg", seats, title="By the book", options={"depth": "full", **arena}
    )
    for line in (
        'hand-taken 1 ["Ridge Helm","Spacewing Backgear","Thorn Claw"]',
        'impulse-called 1 "8-6-4"',
        'impulse-called 2 "6-6-4"',
        "mode-drawn 1 Wits start",
        'travelled 1 "Spacewing Backgear" stance=kneel',
    ):
        factories.record(match, msgspec.to_builtins(zg.read(line)))
    match.log.refresh_from_db()
    return match


def on_a_field(by: Actor) -> Match:
    """Return a game of Z/X in the main phase of its third turn, as its golden game has it."""
    text = (GOLDEN / "zx-duel.zgxl").read_text("utf-8")
    golden = notation.play(notation.read_match(text, rules.get))
    seats = [
        services.SeatRequest(label=seat.label, deck=msgspec.to_builtins(seat.deck))
        for seat in golden.setup.seats
    ]
    match = factories.match(by, "zx", seats, title="Harbour game")
    main = [m.version for m in golden.moments if (m.state.turn, m.state.board.phase) == (3, "main")]
    for version in golden.effective(main[0])[1:]:
        factories.record(match, msgspec.to_builtins(golden.entries[version - 1].act))
    return match


def fought(by: Actor) -> Duel:
    """Return a finished duel that leaves a question about a slag to answer."""
    fight = duel("repair", by)
    fight.attack(1, "Backgear", "Helmet")
    fight.attack(1, "Frontgear", "Shield")
    fight.attack(1, "Helmet", "Ulster")
    factories.record(fight.match, {"type": "impulse-won", "seat": 2}, by=by, irregular=True)
    fight.attack(2, "Backgear", "Shield")
    fight.end()
    fight.follow()
    [goal] = [one for one in aftermath.prompts_of(by, fight.una) if one.kind == "goal"]
    aftermath.answer(
        by=by, character=fight.una, appearance=goal.appearance, kind="goal", take=False
    )
    return fight


def corrected(by: Actor) -> Match:
    """Return a match with acts struck, replaced, irregular, recorded again and omitted."""
    match = factories.match(by, "score", title="Second thoughts", options={"best_of": 3})
    ids = [uuid4() for _ in range(5)]
    for number, act_id in enumerate(ids):
        factories.record(match, factories.points(1 + number % 2), act_id=act_id)
    for act_id, act in (
        (ids[0], {"type": "game-closed"}),
        (ids[1], None),
        (ids[3], {"type": "conceded", "seat": 2}),
    ):
        asked = services.CorrectionRequest(
            act_id, act, reason="It was read from the wrong sheet.", irregular=True
        )
        services.correct(match=match, by=by, correction_id=uuid4(), request=asked)
    return match


def argued(by: Actor) -> Match:
    """Return a match with a scribe and another phone's proposals: open ones and a decided one."""
    other = replace(factories.actor("other"), device=uuid4())
    seats = [services.SeatRequest(player=by.player), services.SeatRequest(player=other.player)]
    match = factories.match(by, "score", seats, title="Two phones")
    factories.record(match, by=other)
    for number in (1, 2, 1):
        services.propose(match=match, by=by, act_id=uuid4(), act=factories.points(number))
    proposals.dismiss(match=match, by=other, act_id=Proposal.objects.earliest("id").act_id)
    return match


@dataclass(frozen=True)
class Page:
    """A page in one state. `by`: visitor, spared, seat, opener or staff; `status`: as expected."""

    at: Callable[[World], str]
    by: str = "visitor"
    status: int = 200


def fixed(url: str, by: str = "visitor", status: int = 200) -> Page:
    return Page(lambda world: url, by, status)


PAGES: dict[str, list[Page]] = {
    # the shell
    "matches:home": [fixed("/"), fixed("/", "opener"), fixed("/", "spared")],
    "matches:theme-set": [fixed("/theme/")],
    "not found": [fixed("/nothing/", status=404)],
    "proof": [fixed("/proof/")],
    "developers": [fixed("/developers/")],
    "refused": [Page(lambda world: world.match("seats/"), status=403)],
    # accounts
    "account_login": [fixed("/login/")],
    "account_signup": [fixed("/signup/")],
    "account_change_password": [fixed("/password/change/", "opener")],
    "account_reset_password": [fixed("/password/reset/")],
    "account_reset_password_done": [fixed("/password/reset/done/")],
    "account_reset_password_from_key_done": [fixed("/password/reset/key/done/")],
    "account_email": [fixed("/email/", "opener")],
    "account_email_verification_sent": [fixed("/confirm-email/")],
    "account_confirm_email": [fixed("/confirm-email/gone/", status=404)],
    "account_reset_password_from_key": [fixed("/password/reset/key/1-gone/")],
    "account_inactive": [fixed("/inactive/")],
    "account_logout": [fixed("/logout/", "opener")],
    "account_reauthenticate": [fixed("/reauthenticate/", "opener")],
    "matches:key-list": [fixed("/me/keys/", "opener")],
    "mfa_index": [fixed("/second-factor/", "opener")],
    "usersessions_list": [fixed("/sessions/", "opener")],
    "matches:account-detail": [fixed("/me/", "opener")],
    "matches:account-erase": [fixed("/me/erase/", "opener")],
    "matches:job-list": [fixed("/me/jobs/", "opener")],
    "matches:job-detail": [
        Page(lambda world, state=state: world.job(state), "opener")
        for state in ("working", "waiting", "done", "failed", "cancelled")
    ],
    "matches:player-detail": [Page(lambda world: f"/players/{world.live.opener_id}/")],
    "matches:guest-rename": [Page(lambda world: f"/players/{world.guest.pk}/name/", "opener")],
    "matches:guest-merge": [
        Page(lambda world: f"/players/{world.guest.pk}/merge/", "opener"),
        Page(World.merge, "opener"),
    ],
    "matches:guest-link": [Page(lambda world: f"/players/{world.guest.pk}/claim/", "opener")],
    "matches:guest-claim": [Page(World.claim), Page(World.claim, "opener")],
    # finding and joining
    "matches:match-list": [fixed("/matches/"), fixed("/matches/?q=nowhere", "opener")],
    "league:match-list": [fixed("/matches/?tournament=Rim")],
    "matches:offline": [fixed("/offline/")],
    "matches:join": [fixed("/j/")],
    "league:join": [fixed("/j/?code=ZZZZZZ")],
    "matches:seat-join": [Page(World.seat), Page(lambda world: f"/j/{world.live.code}/", "seat")],
    "matches:match-open": [
        fixed("/matches/new/", "opener"),
        fixed("/matches/new/?game=zg&seats=2", "opener"),
        fixed("/matches/new/?game=score&seats=99", "opener"),
    ],
    "matches:seat-list": [Page(lambda world: world.match("seats/"), "opener")],
    # the table
    "matches:match-detail": [
        Page(lambda world: world.match("", world.whole)),
        Page(World.match),
        Page(lambda world: world.match(match=world.ended)),
        Page(lambda world: world.match(match=world.ended), "spared"),
        Page(lambda world: world.match(match=world.fight.match), "opener"),
        Page(lambda world: world.match("?at=2")),
        Page(lambda world: world.match(match=world.field)),
        Page(lambda world: world.match("?happened=1"), "opener"),
        Page(lambda world: world.match(match=world.corrected), "opener"),
        Page(lambda world: world.match("?at=3&happened=1", world.corrected)),
    ],
    "matches:act-correct": [
        Page(lambda world: world.match("correct/4/"), "opener"),
        Page(lambda world: world.match("correct/4/?strike=1"), "opener"),
        Page(lambda world: world.match("correct/14/?line=dance", world.corrected), "opener", 400),
        Page(lambda world: world.match("correct/2/", world.corrected), "opener", 404),
        Page(lambda world: world.match("correct/4/"), "seat", 403),
    ],
    "matches:scribe": [
        Page(lambda world: world.match("scribe/"), "opener"),
        Page(lambda world: world.match("scribe/", world.argued), "opener"),
    ],
    "matches:act-record": [
        Page(lambda world: world.match("acts/", world.argued), "opener"),
        Page(lambda world: world.match("acts/"), "seat"),
    ],
    "matches:logger": [
        Page(lambda world: world.match("table/"), "seat"),
        Page(lambda world: world.match("table/?card=-"), "opener"),
        Page(lambda world: world.match("table/", world.argued), "opener"),
        Page(lambda world: world.match("table/", world.whole), "opener"),
        Page(lambda world: world.match("table/", world.ended), "opener"),
        Page(lambda world: world.match("table/", world.field), "opener"),
        Page(lambda world: world.match("table/?card=Lantern%20Skipper", world.field), "opener"),
        Page(lambda world: world.match("table/?end=effect", world.field), "opener"),
        Page(lambda world: world.match("table/?part=shell"), "seat"),
    ],
    "matches:match-cut": [Page(lambda world: world.match("cut/"), "opener")],
    "matches:match-verify": [
        Page(lambda world: world.match("verify/"), "opener"),
        Page(lambda world: world.match("verify/", world.ended)),
    ],
    "matches:match-if": [
        Page(lambda world: world.match("if/")),
        Page(lambda world: world.match("if/?option-strikes=card_tests", world.ended)),
    ],
    "matches:match-fair": [
        Page(lambda world: world.match("fair/")),
        Page(lambda world: world.match("fair/", world.ended)),
    ],
    "matches:deck-check": [fixed("/games/zx/deck/?sample=Tidewatch")],
    "matches:rulebook-list": [fixed("/rules/")],
    "matches:rulebook": [fixed("/rules/zg/"), fixed("/rules/zerpang/", "opener")],
    "matches:game-page": [
        fixed("/games/zg/bench/"),
        fixed("/games/zg/bench/?attack=R%2B+G+X&target=Ro+G+B", status=400),
        fixed("/games/zg/bench/?attack=R%2B+G+B&target=Ro+G+B%23&augments=3"),
    ],
    # characters
    "characters:character-list": [fixed("/characters/"), fixed("/characters/?q=nobody", "opener")],
    "characters:character-paste": [fixed("/characters/paste/", "opener")],
    "characters:character-detail": [
        Page(World.sheet),
        Page(World.sheet, "opener"),
        Page(lambda world: world.sheet("?as=public"), "opener"),
        Page(lambda world: world.sheet("?on=2026-05-01")),
        Page(World.duellist, "opener"),
    ],
    "characters:character-create": [fixed("/characters/new/", "opener")],
    "characters:character-edit": [Page(lambda world: world.sheet("edit/"), "opener")],
    "characters:character-history": [Page(lambda world: world.sheet("history/"), "opener")],
    "characters:section-edit": [Page(lambda world: world.sheet("sections/public/"), "opener")],
    "characters:ledger-list": [
        Page(lambda world: world.sheet("ledger/")),
        Page(lambda world: world.sheet("ledger/"), "opener"),
    ],
    "characters:offer-list": [Page(lambda world: world.sheet("offers/"), "opener")],
    "characters:character-print": [
        Page(lambda world: world.sheet("print/")),
        Page(lambda world: world.sheet("print/?paper=letter"), "opener"),
    ],
    "characters:character-pocket": [Page(lambda world: world.sheet("pocket/"), "opener")],
    "characters:portrait-edit": [Page(lambda world: world.sheet("portrait/"), "opener")],
    "characters:favour-list": [Page(lambda world: world.sheet("diary/"), "opener")],
    "characters:entry-cover": [Page(World.story, "opener")],
    "characters:move-list": [Page(lambda world: world.sheet("moves/"), "opener")],
    "characters:campaign-list": [fixed("/campaigns/")],
    "characters:campaign-create": [fixed("/campaigns/new/", "opener")],
    "characters:campaign-detail": [Page(World.campaign), Page(World.campaign, "opener")],
    "characters:campaign-prices": [Page(lambda world: f"{world.campaign()}prices/", "opener")],
    "characters:campaign-edit": [Page(lambda world: f"{world.campaign()}edit/", "opener")],
    "characters:card-list": [fixed("/cards/"), fixed("/cards/?q=sound:loud+nothing", "opener")],
    "characters:card-detail": [Page(World.card), Page(World.card, "opener")],
    "characters:card-compare": [
        Page(lambda world: world.chosen("compare")),
        fixed("/cards/compare/"),
    ],
    "characters:card-print": [Page(lambda world: world.chosen("print"))],
    "characters:card-create": [fixed("/cards/new/", "opener")],
    "characters:card-edit": [Page(lambda world: f"{world.card()}edit/", "opener")],
    "characters:card-set": [Page(World.set), Page(World.set, "opener")],
    "characters:card-import": [fixed("/cards/import/", "opener")],
    "characters:career-detail": [
        Page(lambda world: world.duellist("record/")),
        Page(lambda world: world.duellist("record/"), "opener"),
        Page(lambda world: world.duellist("record/"), "spared"),
        Page(lambda world: world.sheet("record/")),
    ],
    "characters:loadout-list": [
        Page(lambda world: world.sheet("loadouts/")),
        Page(lambda world: world.sheet("loadouts/"), "opener"),
    ],
    "characters:loadout-create": [Page(lambda world: world.sheet("loadouts/new/"), "opener")],
    "characters:loadout-detail": [Page(World.loadout, "opener"), Page(World.loadout, status=404)],
    "characters:item-card": [Page(lambda world: f"{world.item()}card/", "opener")],
    "characters:match-open": [fixed("/matches/new/?game=zg&seats=2", "opener")],
    "characters:item-detail": [
        Page(World.item),
        Page(World.item, "opener"),
        Page(World.fought, "opener"),
    ],
    "characters:item-tag": [
        Page(lambda world: f"{world.item()}tag/"),
        Page(lambda world: f"{world.item()}tag/?paper=letter", "opener"),
    ],
    # the admin's own; its lists and forms are added below
    "admin:index": [fixed("/admin/", "staff")],
    "admin:login": [fixed("/admin/login/")],
    "admin:app_list": [fixed("/admin/matches/", "staff")],
}

NOT_PAGES = {
    "robots": "data",
    "sitemap": "data",
    "sitemap-part": "data",
    "logout": "takes POST alone",
    "admin:logout": "takes POST alone",
    "matches:log": "leads to another page",
    "matches:logger-worker": "a script",
    "matches:offline-worker": "a script",
    "matches:manifest": "data",
    "account_confirm_login_code": "leads to sign in",
    "account_set_password": "leads to account_change_password",
    "mfa_activate_totp": "asks for the password anew; the same elements as mfa_index",
    "mfa_deactivate_totp": "asks for the password anew; the same elements as mfa_index",
    "mfa_generate_recovery_codes": "asks for the password anew; the same elements as mfa_index",
    "mfa_view_recovery_codes": "asks for the password anew; the same elements as mfa_index",
    "mfa_authenticate": "follows a sign-in; the same elements as account_reauthenticate",
    "mfa_reauthenticate": "follows a sign-in; the same elements as account_reauthenticate",
    "mfa_download_recovery_codes": "a file",
    "matches:account-export": "a file",
    "matches:key-end": "takes POST alone",
    "matches:job-cancel": "takes POST alone",
    "matches:job-again": "takes POST alone",
    "matches:job-file": "a file",
    "matches:language-set": "takes POST alone",
    "matches:results-set": "takes POST alone",
    "matches:steps-end": "takes POST alone",
    "matches:seat-renew": "takes POST alone",
    "matches:claim-undo": "takes POST alone",
    "matches:act-take-back": "takes POST alone",
    "matches:scribe-end": "takes POST alone",
    "matches:proposal-decide": "takes POST alone",
    "guide": "a file",
    "client": "a file",
    "matches:match-log-file": "a file",
    "characters:character-sheet": "a file",
    "characters:card-export": "a file",
    "characters:goal-add": "takes POST alone",
    "characters:goal-change": "takes POST alone",
    "characters:entry-undo": "takes POST alone",
    "characters:character-portrait": "a picture",
    "characters:favour-change": "takes POST alone",
    "characters:move-answer": "takes POST alone",
    "characters:offer-answer": "takes POST alone",
    "characters:loadout-remove": "takes POST alone",
    "characters:prompt-answer": "takes POST alone",
    "matches:match-notation": "a file",
    "matches:match-certificate": "a file",
    "admin:autocomplete": "data",
    "admin:jsi18n": "a script",
    "admin:view_on_site": "leads to another page",
    "admin:auth_user_password_change": "the form of account_change_password for another user",
    "admin:password_change": "leads to account_change_password",
    "admin:password_change_done": "account_change_password says so itself",
}

PAGES |= {name: [Page(*row) for row in rows] for name, rows in league_pages.ROWS.items()}
NOT_PAGES |= league_pages.NOT_PAGES

ADMIN_VERBS = ("changelist", "add", "change", "delete", "history")


def admin_pages(world: World) -> dict[str, list[Page]]:
    """Return the admin's pages for every model, each with an existing object of it."""
    objects = {
        User: world.opener,
        Match: world.live,
        Log: world.live,
        Player: world.live.opener,
        Event: Event.objects.filter(log=world.live.log).first(),
        Job: Job.objects.first(),
    }
    pages = {}
    for model in admin.site._registry:
        row = objects.get(model) or model._default_manager.first()
        assert row is not None, f"no {model._meta.label} to look at"
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        for verb in ADMIN_VERBS:
            args = [] if verb in ("changelist", "add") else [row.pk]
            pages[f"{name}_{verb}"] = [fixed(reverse(f"{name}_{verb}", args=args), "staff", 0)]
    return pages


def names(resolver: URLResolver | None = None, space: str = "") -> set[str]:
    """Return the names of all routes except those of the API."""
    found: set[str] = set()
    for pattern in (resolver or get_resolver()).url_patterns:
        if isinstance(pattern, URLPattern):
            found |= {space + pattern.name} if pattern.name else set()
        elif pattern.namespace != "api":
            found |= names(pattern, f"{space}{pattern.namespace}:" if pattern.namespace else space)
    return found
