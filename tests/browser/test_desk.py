"""A day at the desk on a phone: eight players, a cut, and all that goes wrong on the way."""

import re
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import expect

from league import services
from league.models import League, Role, Tournament
from matches.actors import Actor
from rules.desk.acts import Options
from rules.desk.state import open_round
from tests import factories
from tests.browser.held import Held
from tests.league import desks

pytestmark = [pytest.mark.browser, pytest.mark.sqlite]
ASK = "dispatchEvent(new Event('online'))"
LISTEN = """window.told = []
new MutationObserver((changes) => told.push(...changes))
  .observe(document.querySelector("main > .sr[role=status]"), {childList: true})"""
PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True}


def signed_in(new_page: Callable[..., Any], live_site: str, who: Actor) -> Any:
    """Return a phone in the hands of somebody signed in."""
    client = Client()
    assert isinstance(who.user, User)
    client.force_login(who.user)
    page = new_page(**PHONE)
    page.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_site}]
    )
    return page


class Day:
    """An organiser's console, and the players' phones."""

    def __init__(self, new_page: Callable[..., Any], live_site: str) -> None:
        self.new_page, self.live_site = new_page, live_site
        self.organiser = factories.actor("organiser")
        self.players = [factories.actor(f"player-{number}") for number in range(1, 9)]
        self.page = self.phone(self.organiser)

    def phone(self, who: Actor) -> Any:
        return signed_in(self.new_page, self.live_site, who)

    @property
    def cup(self) -> Tournament:
        return Tournament.objects.select_related("log").get()

    def address(self, tail: str = "") -> str:
        return f"/tournaments/{self.cup.code}/{tail}"

    def due(self, label: str) -> None:
        """Press the one big button, which says what is due."""
        if not self.page.url.endswith("/console/"):
            self.page.goto(self.address("console/"))
        self.page.get_by_role("button", name=re.compile(label)).click()
        expect(self.page.get_by_role("alert")).to_have_count(0)

    def results(self) -> None:
        """Enter the first result of every open table by the console, and close the round."""
        number = len(desks.desk(self.cup).rounds)
        self.page.goto(self.address("console/"))
        for table in desks.desk(self.cup).rounds[-1].tables:
            if table.status == "open":
                row = self.page.locator(f"#t{table.number}")
                row.locator("summary").first.click()
                row.get_by_role("button", name=re.compile("2–0")).click()
                expect(self.page.locator(f"#t{table.number}")).to_contain_text("settled")
        self.due(f"Close .*{'' if number > 3 else number}")

    def player(self, number: int) -> Actor:
        """Return who has a number at the desk."""
        person = desks.desk(self.cup).people[number - 1]
        entry = self.cup.entries.get(pk=person.ref)
        return next(one for one in self.players if one.player_id == entry.player_id)

    def round(self) -> None:
        """Publish a round; only the first of a stage is not paired yet."""
        if not open_round(desks.desk(self.cup)):
            self.due("Pair Round")
        self.due("Publish")


def test_a_day_runs_from_check_in_to_champion(
    transactional_db: None, new_page: Callable[..., Any], live_site: str
) -> None:
    day = Day(new_page, live_site)
    _open(day)
    _check_in(day)
    day.due("Start Swiss")
    day.round()
    _people_stand_beside_tables(day)
    _dispute(day)
    day.results()
    _drop(day)
    day.due("Pair Round 2 again")
    day.round()
    assert len(desks.desk(day.cup).rounds[1].byes) == 1
    _correct(day)
    day.results()
    day.round()
    day.results()
    day.due("Start Final bracket with the best 4")
    for _ in range(2):
        day.round()
        day.results()
    day.due("Close the tournament")
    day.page.goto(day.address())
    champion = desks.desk(day.cup).order[0]
    first = day.page.get_by_role("region", name="Final order").get_by_role("listitem").first
    expect(first).to_contain_text(day.player(champion).player.name)
    expect(day.page.get_by_role("region", name="Bracket as a bracket")).to_be_visible()


def _open(day: Day) -> None:
    """Go from the home page of an empty site to a first league and its first tournament."""
    day.page.goto("/")
    day.page.get_by_role("link", name="Found a league").click()
    day.page.get_by_label("What it is called").fill("Rim league")
    day.page.get_by_label("Game").select_option("score")
    day.page.get_by_role("button", name="Found the league").click()
    day.page.get_by_role("link", name="Open a tournament").click()
    expect(day.page.get_by_label("League (optional)")).to_have_value(str(League.objects.get().pk))
    day.page.get_by_label("What it is called").fill("Rim cup")
    day.page.get_by_label("Format").select_option("swiss")
    day.page.get_by_text("Rounds, and a bracket of the best").click()
    day.page.get_by_label("Rounds").fill("3")
    day.page.get_by_label("Best of").fill("3")
    day.page.get_by_label("Then a bracket of the best").fill("4")
    day.page.get_by_text("Who enters, and places").click()
    day.page.get_by_label("Only those checked in are paired").check()
    day.page.get_by_role("button", name="Open it").click()
    expect(day.page.get_by_role("heading", name="Due now")).to_be_visible()
    phone = day.phone(day.players[0])
    phone.goto(day.address("entries/"))
    phone.get_by_role("button", name="Enter").click()
    expect(phone.get_by_text("You are in as player-1")).to_be_visible()
    for player in day.players[1:]:
        services.enter(tournament=day.cup, by=player, act_id=uuid4())
    phone.get_by_role("button", name="I am here").click()
    expect(phone.get_by_text("checked in").first).to_be_visible()


def _check_in(day: Day) -> None:
    day.page.goto(day.address("console/"))
    for number in range(2, 9):
        day.page.get_by_role("button", name=f"Here: player-{number}").click()
        expect(day.page.get_by_text(f"8 entered, {number} checked in")).to_be_visible()
        expect(day.page.locator(f"#p{number}")).to_be_in_viewport()


def _people_stand_beside_tables(day: Day) -> None:
    """On a wide screen; on a phone below one another, and all tabs stand in one row."""
    for width, beside in ((1280, True), (360, False)):
        day.page.set_viewport_size({"width": width, "height": 740})
        due, people = (day.page.locator(f"#{name}").bounding_box() for name in ("due", "people"))
        assert (people["y"] < due["y"] + due["height"]) is beside, width
    tabs = day.page.get_by_role("navigation", name="This tournament").get_by_role("link").all()
    assert len({tab.bounding_box()["y"] for tab in tabs if tab.is_visible()}) == 1


def _dispute(day: Day) -> None:
    """Two tell a table differently, from their own phones; a judge settles it."""
    table = desks.desk(day.cup).rounds[0].tables[0]
    for player, told in zip(table.players, ("2–0", "0–2"), strict=True):
        phone = day.phone(day.player(player))
        phone.goto("/next/")
        phone.get_by_role("link", name=re.compile(f"^Table {table.number}:")).click()
        phone.get_by_role("button", name=re.compile(f"^{told}")).click()
        expect(phone.get_by_text("Recorded.")).to_be_visible()
        expect(phone.get_by_role("button", name=re.compile("^1–1"))).to_be_hidden()
    expect(phone.get_by_text("In dispute: 2–0. Another says 0–2. An official")).to_be_visible()
    judge = factories.actor("judge")
    assert judge.player is not None
    services.name_member(by=day.organiser, player=judge.player, role=Role.JUDGE, tournament=day.cup)
    phone = day.phone(judge)
    phone.goto(day.address("console/"))
    expect(phone.locator("#due").get_by_text("Disputed")).to_be_visible()
    phone.locator(f"#t{table.number} summary").first.click()
    phone.get_by_role("link", name=f"Rule on table {table.number}").click()
    phone.get_by_role("button", name=re.compile("^2–0")).click()
    phone.get_by_label("Why").fill("Both agree now.")
    phone.get_by_role("button", name="Record it").click()
    expect(phone.get_by_text("It is ruled.")).to_be_visible()


def _drop(day: Day) -> None:
    day.page.goto(day.address("console/"))
    day.page.get_by_role("button", name="Drop player-8").click()
    expect(day.page.get_by_role("button", name="Back: player-8")).to_be_visible()


def _correct(day: Day) -> None:
    """Correct a table of round 1 after round 2 was published: pairings stay, places move."""
    before = desks.desk(day.cup)
    table = before.rounds[0].tables[1]
    day.page.goto(day.address(f"rounds/1/tables/{table.number}/"))
    day.page.get_by_role("link", name="Correct the result").click()
    day.page.get_by_role("button", name=re.compile("^0–2")).click()
    expect(day.page.get_by_role("heading", name="Places that move")).to_be_visible()
    day.page.get_by_label("Why").fill("Written upside down.")
    day.page.get_by_role("button", name="Record it").click()
    expect(day.page.get_by_text("The result is corrected.")).to_be_visible()
    after = desks.desk(day.cup)
    assert after.rounds[0].tables[1].corrected == 1
    assert [t.players for t in after.rounds[1].tables] == [
        t.players for t in before.rounds[1].tables
    ]


def test_a_list_of_tables_keeps_up_with_the_score_of_one_being_played(
    transactional_db: None, new_page: Callable[..., Any], live_site: str
) -> None:
    by = factories.actor("organiser")
    cup = desks.tournament(by=by)
    desks.entered(cup, 4)
    desks.start(cup)
    desks.paired(cup)
    match = services.open_table(tournament=cup, by=by, number=1, table=1)
    page = new_page(**PHONE)
    page.goto(f"/tournaments/{cup.code}/")
    score = page.get_by_role("region", name="Round 1").locator("[data-score]")
    expect(score).to_have_text(re.compile(r" 0, .* 0$"))
    factories.record(match, factories.points(1), by=by)
    page.evaluate(f"{LISTEN}; {ASK}")
    expect(score).to_have_text(re.compile(r" 1, .* 0$"))
    assert page.evaluate("told") == [], "a score is not read out with every point"
    score.evaluate("each => each.textContent = 'older'")  # the part replaced, as of a moment before
    page.evaluate(ASK)
    expect(score).to_have_text(re.compile(r" 1, .* 0$"))


def test_a_console_shows_what_others_tell_and_keeps_what_is_typed(
    transactional_db: None, new_page: Callable[..., Any], live_site: str
) -> None:
    by = factories.actor("organiser")
    cup = desks.tournament(by=by)
    desks.entered(cup, 4)
    desks.start(cup)
    desks.paired(cup)
    page = signed_in(new_page, live_site, by)
    page.goto(f"/tournaments/{cup.code}/console/")
    page.locator("#t2 summary").first.click()
    page.get_by_label("A guest or player by name").fill("Wick")
    page.locator("#more summary").first.click()
    held = Held(page, "**/?part=live", times=1)
    page.evaluate(f"{LISTEN}; {ASK}; {ASK}")
    asked = held.next()
    desks.act(cup, "result-reported", round=1, table=1, scores=[2, 0])
    asked.continue_()
    expect(page.locator("#t1")).to_contain_text("settled")
    with page.expect_response("**/?part=live"):
        page.evaluate(ASK)
    assert len(page.evaluate("told")) == 1
    expect(page.locator("#t2 details")).to_have_attribute("open", "")
    expect(page.get_by_label("A guest or player by name")).to_have_value("Wick")
    page.get_by_label("To everybody").fill("Lunch.")
    desks.act(cup, "result-reported", round=1, table=2, scores=[2, 0])
    expect(page.locator("#t2")).to_contain_text("settled")
    expect(page.get_by_label("To everybody")).to_be_focused()
    page.get_by_role("button", name="Announce").click()
    expect(page.get_by_text("Announced: “Lunch.”")).to_be_visible()
    page.goto("/tournaments/new/")
    groups = page.locator("[name=groups]")
    fold = page.get_by_text("Rounds, and a bracket of the best")
    fold.click()
    for stage, typed in (("round-robin", "0"), ("swiss", "2")):
        page.locator("[name=format]").select_option(stage)
        expect(groups).to_be_visible()  # 0 is refused, also where it is not read
        groups.fill(typed)
    expect(groups).to_be_hidden()
    page.locator("[name=rounds]").fill("31")
    fold.click()
    page.get_by_role("button", name="Open it").click()
    expect(page.locator("[name=rounds]")).to_be_visible()  # an error unfolds its field
    expect(page.get_by_text("Who enters", exact=True)).to_be_hidden()


def test_a_console_shows_who_came_while_the_next_name_is_typed(
    transactional_db: None, new_page: Callable[..., Any], live_site: str
) -> None:
    by = factories.actor("organiser")
    cup = desks.tournament(by=by, desk=Options(check_in=True))
    desks.entered(cup, 2)
    page = signed_in(new_page, live_site, by)
    page.goto(f"/tournaments/{cup.code}/console/")
    typing = page.get_by_label("A guest or player by name")
    typing.press_sequentially("Wi")
    desks.act(cup, "checked-in", entrant=1)
    expect(page.locator("#p1")).to_contain_text("here")
    expect(page.locator("#p1").get_by_role("button", name="Here")).to_have_count(0)
    expect(page.get_by_text("1 checked in")).to_be_visible()
    expect(typing).to_be_focused()
    typing.press_sequentially("ck")
    typing.press("Enter")
    expect(page.locator("#p3")).to_contain_text("Wick")


def test_the_standings_on_a_phone_break_no_name_of_usual_length(
    new_page: Callable[..., Any], live_site: str
) -> None:
    cup = desks.tournament()
    for name in ("Grandfather", "Stonemason", "Clockmaker", "Bricklayer"):
        services.enter(
            tournament=cup, by=desks.organiser(cup), act_id=uuid4(), name=f"Young {name}"
        )
    desks.start(cup)
    for _ in range(2):
        desks.paired(cup)
        desks.play(cup)
    page = new_page(**PHONE)
    page.goto(f"{cup.get_absolute_url()}standings/")
    lines = "names => names.map((name) => name.getClientRects().length)"
    assert page.eval_on_selector_all(".standings th a", lines) == [2] * 4


def test_on_paper_a_bracket_shows_all_its_rounds_and_nothing_lies_over_the_next(
    new_page: Callable[..., Any], live_site: str
) -> None:
    bracket = {"format": "single-elimination", "rounds": 0, "tiebreaks": ()}
    cup = desks.tournament(stages=[bracket])
    desks.entered(cup, 20)
    desks.start(cup, **bracket)
    page = new_page(viewport={"width": 718, "height": 1047})  # A4 without its margins
    page.emulate_media(media="print")
    page.goto(cup.get_absolute_url())
    sizes = "all => all.map((each) => [each.scrollWidth, each.clientWidth])"
    [[needed, given]] = page.eval_on_selector_all(".bracket-scroll", sizes)
    assert needed <= given
    for part in page.locator("main .stack").all():  # grids do, where a page ends within one
        expect(part).not_to_have_css("display", "grid")


def test_where_another_part_of_a_table_was_opened_none_opens_in_its_place(
    transactional_db: None, new_page: Callable[..., Any], live_site: str
) -> None:
    cup, people = desks.playing()

    def tell(number: int, kind: str, **told: Any) -> None:
        act = {"type": kind, "round": 1, "table": 1, "by": number, **told}
        who = people[number - 1]
        services.record(tournament=cup, by=who, act_id=uuid4(), act=act)

    tell(1, "result-reported", scores=[2, 0])
    page = signed_in(new_page, live_site, people[0])
    page.goto(f"{cup.get_absolute_url()}rounds/1/tables/1/")
    page.get_by_text("Report another result").click()
    tell(2, "result-confirmed")
    page.evaluate(ASK)
    expect(page.locator("#meets")).to_contain_text("Settled")
    expect(page.locator("#wrong")).not_to_have_attribute("open", "")


def test_a_table_that_is_taken_back_while_its_page_is_open_is_said_to_be_gone(
    transactional_db: None, new_page: Callable[..., Any], live_site: str
) -> None:
    cup, people = desks.playing()
    page = signed_in(new_page, live_site, people[0])
    page.goto(f"{cup.get_absolute_url()}rounds/1/tables/1/")
    cup.log.refresh_from_db()
    before = cup.log.head_version - 2
    services.take_back(tournament=cup, by=desks.organiser(cup), act_id=uuid4(), to=before)
    page.evaluate(ASK)
    expect(page.locator("h1")).to_have_text("Nothing at this address")
