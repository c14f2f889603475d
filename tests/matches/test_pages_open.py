"""Opening a match on its page: first the game, then the seats and decks."""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from matches import selectors
from matches.actors import Actor
from matches.models import Match, Player
from matches.services import SeatRequest
from tests import factories
from tests.html import squeezed, text_of

pytestmark = pytest.mark.django_db

URL = "/matches/new/?game=score&seats=2"


@pytest.fixture
def by() -> Actor:
    return factories.actor("rim")


@pytest.fixture
def member(client: Client, by: Actor) -> Client:
    client.force_login(by.user)
    return client


def said(by: Actor, **changes: Any) -> dict[str, Any]:
    """What a filled-in form sends; `None` leaves a field out."""
    assert by.player is not None
    fields = {
        "title": "Rim duel",
        "place": "",
        "physical": "yes",
        "visibility": "public",
        "seat1-who": str(by.player.pk),
        "seat1-label": "Yellow",
        "seat2-who": "guest",
        "seat2-name": "Ezut",
        "option-best_of": "3",
    } | {name.replace("__", "-"): value for name, value in changes.items()}
    return {name: value for name, value in fields.items() if value is not None}


def test_the_first_page_asks_for_game_and_seats(member: Client) -> None:
    page = member.get("/matches/new/").content.decode()
    assert 'name="game"' in page
    assert 'name="seats"' in page
    page = squeezed(member.get("/matches/new/?game=zx"))
    assert re.search(r'<input[^>]*value="zx"[^>]*checked', page)
    assert "errorlist" not in page


@pytest.mark.parametrize(
    "query", ["game=chess&seats=2", "game=score&seats=9", "game=score&seats=x", "game=%00&seats=2"]
)
def test_an_impossible_choice_is_asked_for_again(member: Client, query: str) -> None:
    answer = member.get(f"/matches/new/?{query}")
    assert answer.status_code == 200
    assert "errorlist" in answer.content.decode()


def led_to(page: str) -> dict[str, str]:
    """Return what the summary above a form names, and which fields it leads to."""
    links = re.findall(r'<a href="#([^"]+)">([^<]+)</a>: ', page)
    assert all(f'id="{target}"' in page for target, _ in links)
    return {unescape(name): target for target, name in links}


def test_what_is_wrong_is_named_above_and_led_to(member: Client, by: Actor) -> None:
    assert led_to(squeezed(member.get("/matches/new/?game=chess&seats=9"))) == {
        "Game": "id_game_0",
        "Seats": "id_seats",
    }
    wrong = said(by, seat2__name="", visibility="all", option__best_of="none")
    page = squeezed(member.post(URL, wrong))
    assert led_to(page) == {
        "Seat 2, Guest's name": "id_seat2-name",
        "Who may watch": "id_visibility_0",
        "Best of": "id_option-best_of",
    }
    assert led_to(squeezed(member.get(URL))) == {}


def test_a_game_says_how_many_it_takes(member: Client) -> None:
    page = member.get("/matches/new/?game=toy&seats=8").content.decode()
    assert "takes 1 to 4 seats" in page
    page = member.get("/matches/new/?game=zx&seats=3").content.decode()
    assert "takes 2 seats" in page


def test_the_form_has_a_field_for_every_option_of_the_game(member: Client) -> None:
    page = member.get(URL).content.decode()
    assert 'name="option-best_of"' in page
    assert 'name="option-low_wins"' in page


def test_how_much_is_recorded_is_asked_before_the_readings_that_are_folded(member: Client) -> None:
    page = member.get("/matches/new/?game=zx&seats=2").content.decode()
    asked, _, folded = page.partition("Rules and readings")
    assert 'name="option-depth"' in asked and 'name="option-draw"' in folded
    assert 'name="option-depth"' not in folded
    asked, _, folded = asked.partition("Names of the sides")
    assert 'name="seat2-who"' in asked and 'name="seat2-label"' in folded


def test_a_filled_in_form_opens_the_match(member: Client, by: Actor) -> None:
    member.post(URL, said(by))
    match = Match.objects.get()
    assert match.title == "Rim duel"
    assert match.log.options == '{"best_of":3}'
    assert [seat.player.name for seat in match.seats.all() if seat.player] == ["rim", "Ezut"]


def test_then_the_seats_are_shown(member: Client, by: Actor) -> None:
    answer = member.post(URL, said(by))
    assert answer.headers["Location"] == f"/matches/{Match.objects.get().code}/seats/"


def test_a_seat_may_stay_open(member: Client, by: Actor) -> None:
    member.post(URL, said(by, seat2__who="nobody", seat2__name="Ezut"))
    assert Match.objects.get().seats.get(number=2).player is None


def test_someone_met_before_can_be_chosen(member: Client, by: Actor) -> None:
    factories.match(by, seats=[SeatRequest(player=by.player), SeatRequest(name="Ezut")])
    ezut = Player.objects.get(name="Ezut")
    member.post(URL, said(by, seat2__who=str(ezut.pk)))
    assert ezut.seats.count() == 2


def test_namesakes_can_be_told_apart(member: Client, by: Actor) -> None:
    assert by.player is not None
    by.player.name = "Ezut"
    by.player.save()
    other = factories.actor("ezut").player
    assert other is not None
    Player.objects.filter(pk=other.pk).update(name="ezut")
    seats = [SeatRequest(player=by.player), SeatRequest(name="Ezut"), SeatRequest(player=other)]
    match = factories.match(by, seats=[*seats, SeatRequest(name="Kaua"), SeatRequest(name="Ezut")])
    opening, account = member.get(URL), member.get("/me/")
    page = opening.content.decode()
    assert all(told in page for told in ("Ezut (you)", "ezut (account, met ", ">Kaua<"))
    for page in map(text_of, (opening, account)):
        for seat in (2, 5):  # met in the same minute
            assert re.search(rf"Ezut \(guest, met [^)]+ in {match.code}, seat {seat}\)", page)


def test_a_stranger_can_not_be_seated(member: Client, by: Actor) -> None:
    stranger = factories.actor().player
    assert stranger is not None
    assert member.post(URL, said(by, seat2__who=str(stranger.pk))).status_code == 400
    assert not Match.objects.exists()


def test_the_same_form_sent_twice_opens_one_match(member: Client, by: Actor) -> None:
    act_id = "0190b1a0-0000-7000-8000-000000000001"
    for _ in range(2):
        member.post(URL, said(by, act_id=act_id))
    assert Match.objects.count() == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"seat2__name": ""},
        {"seat2__who": None},
        {"seat2__who": "x\0y"},
        {"seat2__name": "x" * 81},
        {"seat1__label": "a\0b"},
        {"title": "x" * 121},
        {"title": "a\0b"},
        {"physical": "perhaps"},
        {"visibility": "friends"},
        {"option-best_of": "0"},
        {"option-best_of": "many"},
        {"option-best_of": str(2**63)},
    ],
    ids=lambda changes: "-".join(changes),
)
def test_bad_input_is_said_and_kept_and_opens_nothing(
    member: Client, by: Actor, changes: dict[str, Any]
) -> None:
    answer = member.post(URL, said(by, place="Crater hall", **changes))
    assert answer.status_code == 400
    page = answer.content.decode()
    assert 'role="alert"' in page
    assert "errorlist" in page
    assert 'value="Crater hall"' in page
    assert not Match.objects.exists()


def test_a_form_without_an_id_opens_a_match_all_the_same(member: Client, by: Actor) -> None:
    member.post(URL, said(by, act_id=""))
    assert Match.objects.count() == 1


def test_opening_needs_an_account(client: Client, by: Actor) -> None:
    answer = client.post(URL, said(by))
    assert answer.status_code == 403
    assert re.search(r'"btn main"\s+href="/login/\?next=/matches/', answer.content.decode())
    assert not Match.objects.exists()


# -- cards --------------------------------------------------------------------------------------

ZG = "/matches/new/?game=zg&seats=2"


def carded(by: Actor, **changes: Any) -> dict[str, Any]:
    """What a filled-in form sends for a game with cards."""
    fields = {"option__best_of": None, "seat1__deck": "Ensign", "seat2__deck": "blank"}
    return said(by, **fields | {"option__depth": "tests", "option__strikes": "basic"} | changes)


def decks_of(match: Match) -> list[Any]:
    timeline = selectors.timeline(match)
    return [seat.deck for seat in timeline.at(1).state.setup.seats]


def test_a_sample_deck_and_blank_cards_can_be_chosen(member: Client, by: Actor) -> None:
    member.post(ZG, carded(by))
    sample, blank = decks_of(Match.objects.get())
    assert len(sample.cards) == len(blank.cards) == 9
    assert sample.cards[0].a
    assert not blank.cards[0].a


def test_cards_can_be_typed_and_played_again(member: Client, by: Actor, client: Client) -> None:
    table = "Rim Helm|Helmet|red|R+ G B\nDust Shield|Shield\nRim Ulster|Ulster"
    member.post(ZG, carded(by, seat2__deck="typed", seat2__cards=table, option__depth="full"))
    match = Match.objects.get()
    sample, typed = decks_of(match)
    assert [card.name for card in typed.cards] == ["Rim Helm", "Dust Shield", "Rim Ulster"]

    again = f"{ZG}&after={match.code}"
    page = squeezed(member.get(again))
    for chosen in (str(match.seats.get(number=2).player_id), "typed", "full"):
        assert f'<option value="{chosen}" selected>' in page
    cards = unescape(page.split('name="seat2-cards"')[1].split(">", 1)[1].split("</textarea>")[0])
    member.post(again, carded(by, seat2__deck="typed", seat2__cards=cards))
    assert decks_of(Match.objects.exclude(pk=match.pk).get()) == [sample, typed]
    assert member.get(f"{ZG}&after=NOSUCH").status_code == 404
    assert member.get(again.replace("game=zg", "game=score")).status_code == 200
    stranger = factories.actor()
    client.force_login(stranger.user)
    assert '"typed" selected' not in squeezed(client.get(again))


@pytest.mark.parametrize(
    ("cards", "says"),
    [
        ("name|wings\nx|y", "“wings” is no column"),
        ("{", "errorlist"),
        ("name|a\nx|R+ Q\ny|\nz|", ">Seat 2, Typed cards</a>"),
        ("name\nonly one", ">Seat 2, Typed cards</a>"),
    ],
    ids=["column", "json", "dots", "few"],
)
def test_a_deck_that_can_not_be_played_says_why(
    member: Client, by: Actor, cards: str, says: str
) -> None:
    answer = member.post(ZG, carded(by, seat2__deck="typed", seat2__cards=cards))
    assert answer.status_code in (400, 422)
    assert says in answer.content.decode()
    assert not Match.objects.exists()


def test_the_whole_rulebook_can_be_chosen_with_its_arena(member: Client, by: Actor) -> None:
    arena = {
        "option__depth": "full",
        "option__terrain": "Crate | 1 | 1 | 2\n\nPipe rack|4|2|1",
        "option__arenas": "Airlock | open, vent",
    }
    member.post(ZG, carded(by, **arena))
    state = selectors.timeline(Match.objects.get()).head.state

    assert state.board.depth == "full"
    assert [piece.name for piece in state.options.terrain] == ["Crate", "Pipe rack"]
    assert state.options.arenas[0].ways == ("open", "vent")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("Crate", "“Crate” has 1 field, not 4"),
        ("Crate|1", "“Crate|1” has 2 fields, not 4"),
        *[(line, "") for line in ("Crate | 1 | 1 | x", "Crate | 1 | 1 | 999", "|||")],
    ],
)
def test_a_piece_that_can_not_be_read_is_named_beside_its_field(
    member: Client, by: Actor, line: str, says: str
) -> None:
    answer = member.post(ZG, carded(by, option__terrain=line))

    assert f"That cannot be read: {says}" in answer.content.decode()
    assert not Match.objects.exists()
