"""With results off no sheet, ledger, item or card reveals the outcome of a match."""

from collections.abc import Iterator
from itertools import product

import pytest
from django.test import Client
from django.urls import NoReverseMatch, reverse

from characters.models import Audience, Section
from tests.characters.duels import Duel, duel
from tests.characters.test_career import asked, take
from tests.league.test_results_off import crawled, reader, still, without_results
from tests.prove.results_off import NOT_ASKED, routes

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

MARKS = (b"slagged in", b"Slagged my")
LISTS = ("gear", "ledger", "goals", "favours", "appearances")


def addresses(fight: Duel) -> Iterator[str]:
    """Yield every named URL about the two, what they hold and the cards it is."""
    gear = [fight.item(who, "Shield") for who in (fight.una, fight.bor)]
    cards = {item.card_id for item in gear}
    people = [fight.una.pk, fight.bor.pk]
    values = {
        "pk": [*people, *cards],
        "character_id": people,
        "card_id": [*cards],
        "serial": [item.serial for item in gear],
    }
    for name, parameters in routes():
        of_characters = name.startswith(("characters:", "api:"))
        if not of_characters or not parameters or not {*parameters} <= values.keys():
            continue
        for chosen in product(*(values[each] for each in parameters)):
            try:
                url = reverse(name, kwargs=dict(zip(parameters, chosen, strict=True)))
            except NoReverseMatch:
                continue
            if not NOT_ASKED.search(url):
                yield url
    yield from (f"/api/v1/{kind}/?character={pk}" for kind in LISTS for pk in people)
    yield from (f"/api/v1/appearances/?item={item.serial}" for item in gear)


def played(fight: Duel) -> None:
    for piece in ("Helmet", "Frontgear", "Backgear"):
        fight.attack(1, piece, "Shield")
    fight.end()
    fight.follow()


def test_what_came_of_a_match_is_told_by_no_sheet_book_or_card() -> None:
    fight = duel("repair")
    Section.objects.update(audience=Audience.PUBLIC)
    urls = [*dict.fromkeys(addresses(fight))]
    off = without_results()
    before = crawled(urls, off)

    played(fight)
    shown, after = crawled(urls), crawled(urls, off)

    wrong = [url for url in urls if still(after[url]) != still(before[url])]
    assert not wrong
    assert sum(answer.startswith(b"200") for answer in after.values()) > 12
    assert sum(still(shown[url]) != still(after[url]) for url in urls) > 8

    for prompt in asked(fight):
        take(fight, prompt)
    told = [url for url, answer in crawled(urls).items() if _marked(answer)]
    assert len(told) > 4, told
    assert not [url for url, answer in crawled(urls, off).items() if _marked(answer)]


def _marked(answer: bytes) -> bool:
    return any(mark in answer for mark in MARKS)


def test_who_keeps_the_books_sees_them_with_results_off() -> None:
    fight = duel("repair")
    played(fight)
    for prompt in asked(fight):
        take(fight, prompt)
    client = without_results()
    client.force_login(fight.ben.user)
    shield = fight.item(fight.bor, "Shield").serial
    for path in (f"{fight.bor.get_absolute_url()}ledger/", f"/items/{shield}/"):
        assert "slagged in" in client.get(path).content.decode(), path
        assert "slagged in" not in without(path), path


def without(path: str) -> str:
    client: Client = reader()
    client.cookies["results"] = "off"
    return client.get(path).content.decode()


def test_what_prizes_added_to_the_money_of_a_campaign_is_not_told() -> None:
    fight = duel("repair")
    Section.objects.update(audience=Audience.PUBLIC)
    page = f"/campaigns/{fight.una.campaign_id}/prices/"
    assert "Hard currency in play" in reader().get(page).content.decode()
    assert "Hard currency in play" not in without(page)
    told = without_results().get(f"/api/v1/campaigns/{fight.una.campaign_id}/supply/")
    assert (told.status_code, told.json()["code"]) == (403, "results-off")
