"""Whole stories: a newcomer's first cup, an owner's secret, a spectator without JavaScript."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from characters import services as characters
from tests import factories
from tests.browser.test_desk import signed_in
from tests.characters.sheets import SHEET
from tests.factories import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.sqlite]


def test_a_newcomer_founds_a_league_and_runs_a_cup_of_four_to_its_winner(page: Any) -> None:
    """Without an account and on an empty site, by what the pages offer."""

    def press(name: str) -> None:
        page.get_by_role("button", name=re.compile(name)).first.click()

    page.goto("/signup/")
    page.get_by_label("Name at the table").fill("Rim Walker")
    page.get_by_label("Username").fill("rim")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("The password again").fill(PASSWORD)
    press("Make the account")
    page.goto("/")
    page.get_by_role("link", name="Found a league").click()
    page.get_by_label("What it is called").fill("Rim league")
    page.get_by_label("Game").select_option("score")
    press("Found the league")
    page.get_by_role("link", name="Open a tournament").click()
    page.get_by_label("What it is called").fill("Rim cup")
    page.get_by_label("Format").select_option("single-elimination")
    press("Open it")
    for number, name in enumerate(("Ana", "Bo", "Cy", "Dee"), 1):
        page.get_by_label("A guest or player by name").fill(name)
        page.get_by_label("A guest or player by name").press("Enter")
        expect(page.get_by_role("button", name=f"Drop {name}")).to_be_visible()
        expect(page.get_by_text(f"{number} entered", exact=True)).to_be_visible()
    press("^Start")
    press("^Pair Round")
    for tables in (2, 1):
        press("^Publish")
        for number in range(1, tables + 1):
            row = page.locator(f"#t{number}")
            row.locator("summary").first.click()
            row.get_by_role("button", name=re.compile("1–0")).click()
            expect(page.locator(f"#t{number}")).to_contain_text("settled")
        press("^Close")
    press("Close the tournament")
    page.get_by_role("navigation", name="Breadcrumb").get_by_role("link", name="Rim cup").click()
    first = page.get_by_role("region", name="Final order").get_by_role("listitem").first
    expect(first).to_contain_text(re.compile("Ana|Bo|Cy|Dee"))


def test_an_owner_hides_a_part_of_a_sheet_and_reveals_it(
    new_page: Callable[..., Any], live_site: str
) -> None:
    by = factories.actor("owner")
    oriel = characters.paste(by=by, text=SHEET)
    owner = signed_in(new_page, live_site, by)
    visitor = new_page(java_script_enabled=False)
    secret, public = "quick, polite and stubborn", visitor.get_by_text("quick, polite and stubborn")

    def let_know(who: str, *, asked: bool = False) -> None:
        owner.goto(f"{oriel.get_absolute_url()}sections/public/")
        owner.get_by_label("Who may know").select_option(label=who)
        owner.get_by_role("button", name="Keep").click()
        expect(owner.get_by_text(secret)).to_be_visible()
        if asked:
            owner.get_by_role("button", name="Show it to everyone").click()
            expect(owner.get_by_role("heading", level=1)).to_contain_text("Oriel Tamsin")
        visitor.goto(oriel.get_absolute_url())

    let_know("The owner alone")
    expect(visitor.get_by_role("heading", level=1)).to_contain_text("Oriel Tamsin")
    expect(public).to_have_count(0)
    let_know("Everyone", asked=True)
    expect(public).to_be_visible()


def test_one_who_looks_on_without_a_script_sees_what_came_on_asking_again(
    new_page: Callable[..., Any],
) -> None:
    match = factories.played(acts=1)
    page = new_page(java_script_enabled=False)
    page.goto(f"/matches/{match.code}/")
    expect(page.locator("#score .figure")).to_have_text(["1", "0"])
    factories.record(match, factories.points(seat=2, points=7))
    page.reload()
    expect(page.locator("#score .figure")).to_have_text(["1", "7"])
    page.get_by_role("link", name="The match after entry 2").click()
    expect(page.locator("#score .figure")).to_have_text(["1", "0"])
