"""A deck list on its page and in the API: parsed, checked, never stored."""

import pytest
from django.test import Client

from characters import cards
from tests import factories
from tests.api.client import Api
from tests.html import text_of

pytestmark = pytest.mark.django_db
PAGE = "/games/zx/deck/"
WRONG = "5 Pier Sentry\nMy deck\n1 Moss Ferrier\n"


def told(text: str, by: object = None, **options: str) -> dict[tuple[int, str], str]:
    body = {"text": text, "options": options}
    answer = Api(by).post("games/zx/check-deck/", body)
    assert answer.status_code == 200, answer.json()
    return {(each["line"], each["code"]): each["clause"] for each in answer.json()["problems"]}


def test_every_problem_is_told_with_its_line_and_clause() -> None:
    assert told(WRONG, bans="2026-05-01") == {
        (0, "deck-size"): "ZX-D1",
        (0, "deck-icons"): "ZX-D3",
        (1, "deck-copies"): "ZX-D2",
        (2, "list-line"): "",
        (3, "deck-banned"): "ZX-D6",
    }
    assert (3, "deck-banned") not in told(WRONG, bans="2025-05-01")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"text": ""}, 400, "no-cards"),
        ({"text": 7}, 400, "wrong-type"),
        ({"text": "1 Pier Sentry", "deck": {"cards": []}}, 400, "twice"),
        ({"text": "1 Pier Sentry", "options": {"bans": "soon"}}, 400, ""),
        ({"text": "1 x\n" * 30_000}, 413, "too-large"),
    ],
)
def test_what_can_not_be_read_is_400(body: dict[str, object], status: int, code: str) -> None:
    answer = Api().post("games/zx/check-deck/", body)

    assert answer.status_code == status
    assert code in ("", answer.json()["code"])


def test_a_game_that_reads_no_lists_says_so() -> None:
    assert Api().post("games/zg/check-deck/", {"text": "1 Grip"}).json()["code"] == "no-lists"
    assert Client().get("/games/zg/deck/").status_code == 404
    assert Client().get("/games/xy/deck/").status_code == 404


def test_the_catalogue_tells_what_is_on_a_card_to_whom_may_see_it() -> None:
    owner, other = factories.actor(), factories.actor()
    icon = {"name": "Kelp Tender", "icon": "ignition", "cost": 2, "keywords": ["void-bringer"]}
    cards.add(by=owner, game="zx", data=icon)
    text = "5 kelp tender"

    assert (0, "deck-void-bringer") in told(text, owner)
    assert (0, "deck-void-bringer") not in told(text, other)


def test_the_page_says_the_same_without_a_login() -> None:
    answer = Client().post(PAGE, {"text": WRONG, "option-bans": "2026-05-01"})

    assert answer.status_code == 200
    for code in ("deck-size", "deck-icons", "deck-copies", "list-line", "deck-banned"):
        assert code in answer.content.decode()
    page = text_of(Client().get(f"{PAGE}?sample=Tidewatch"))
    assert "It is legal" in page
    assert "ignition, Void Bringer" in page


@pytest.mark.parametrize(
    "form", [{}, {"text": " "}, {"text": "4 a\0b"}, {"text": "4 a", "option-bans": "soon"}]
)
def test_a_form_that_can_not_be_taken_is_shown_again(form: dict[str, str]) -> None:
    assert Client().post(PAGE, form).status_code == 400


def test_the_colours_of_a_list_are_named_in_the_readers_language() -> None:
    read = Client(headers={"Accept-Language": "de"}).get(PAGE, {"sample": "Tidewatch"})
    assert '<td class="rest">weiß</td>' in read.content.decode()
