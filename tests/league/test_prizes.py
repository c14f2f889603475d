"""Prizes: for a place, for shared places, previewed before they are awarded."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from typing import Any
from uuid import uuid4, uuid5

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from characters import services as characters
from characters.ledger import MAX_MONEY
from characters.locking import locked
from characters.models import LedgerEntry
from league import desks as cuts
from league import prizes, services
from league.models import Entry, Prize, PrizeShare, Tournament
from matches.errors import BadInput, Conflict
from tests import factories
from tests.api.client import Api
from tests.factories import signed_in
from tests.html import squeezed, text_of
from tests.league import desks

pytestmark = pytest.mark.django_db

PROMISED = [
    (1, 100, ""),
    (3, 51, "Basic Blue Feet"),
    (4, 50, "The golden ticket"),
    (5, 7, ""),
    (9, 1, ""),
]


def cup(*, held: bool = False, **details: Any) -> Tournament:
    """Return a knock-out of six characters, played out: two share third, two share fifth."""
    opener = factories.actor()
    made = desks.tournament(opener, enters="character", **details)
    for number in range(6):
        owner = factories.actor()
        one = characters.create(by=owner, name=f"Side {number + 1}")
        services.enter(tournament=made, by=owner, act_id=uuid4(), character=one)
    for place, amount, line in PROMISED:
        services.promise_prize(by=opener, tournament=made, place=place, amount=amount, line=line)
    desks.act(made, "stage-started", format="single-elimination", best_of=3, seed=1)
    while not desks.desk(made).closed:
        if len(desks.desk(made).rounds) == 3:
            if held:
                desks.act(made, "results-held", round=3)
            desks.act(made, "tournament-closed")
            break
        desks.paired(made)
        desks.play(made)
    return made


def told(tournament: Tournament) -> dict[int, tuple[int, int, tuple[str, ...]]]:
    """Return what everybody wins: place, money, gear."""
    won = prizes.won(tournament, desks.desk(tournament))
    return {each.entrant: (each.place, each.amount, each.lines) for each in won}


def booked(tournament: Tournament) -> Counter[str]:
    found: Counter[str] = Counter()
    for entry in Entry.objects.filter(tournament=tournament).select_related("character"):
        assert entry.character is not None
        for row in LedgerEntry.objects.filter(taker=entry.character, method="won"):
            found[entry.character.name] += row.amount or 0
    return found


def test_money_of_a_shared_place_is_divided_to_the_last_credit() -> None:
    one = cup()
    order = desks.desk(one).order
    third, fourth, fifth, sixth = order[2:]
    assert told(one) == {
        order[0]: (1, 100, ()),
        third: (3, 26 + 25, ("Basic Blue Feet",)),  # 51 is 26 and 25, 50 is 25 each
        fourth: (3, 25 + 25, ("The golden ticket",)),
        fifth: (5, 4, ()),
        sixth: (5, 3, ()),
    }
    page = Client().get(f"{one.get_absolute_url()}rules/").content.decode()
    assert "c51" in page
    assert not LedgerEntry.objects.filter(method="won").exists()  # told before it is given
    by = desks.organiser(one)
    assert "c51" in signed_in(by.user).get(f"{one.get_absolute_url()}console/").content.decode()
    given = services.award(by=by, tournament=one)
    assert [prize.place for prize in given] == [1, 3, 4, 5]
    assert sorted(booked(one).values(), reverse=True) == [100, 51, 50, 4, 3]
    [gear] = LedgerEntry.objects.filter(method="won").exclude(item=None)
    assert gear.taker == cuts.entries_by_number(one, desks.desk(one))[third].character
    assert services.award(by=by, tournament=one) == []
    assert sum(booked(one).values()) == 100 + 51 + 50 + 7
    for prize in Prize.objects.filter(tournament=one).exclude(place=9):
        assert sum(share.amount for share in prize.shares.all()) == prize.amount
    answer = Api().get(f"tournaments/{one.code}/prizes/").json()
    assert answer["shared"] == "split"
    assert [len(each["shares"]) for each in answer["results"]] == [1, 2, 2, 2, 0]
    with pytest.raises(Conflict, match="shared the same way"):
        services.edit_tournament(by=by, tournament=one, shared_prizes="order")


@pytest.mark.parametrize(
    ("place", "amount", "line", "code"),
    [
        (1, 0, "Basic Red Claw", ""),
        (prizes.MAX_PLACE, MAX_MONEY, "", ""),
        (0, 5, "", "bad-place"),
        (prizes.MAX_PLACE + 1, 5, "", "bad-place"),
        (1, -1, "", "bad-amount"),
        (1, MAX_MONEY + 1, "", "bad-amount"),
        (1, 0, "", "missing-field"),
    ],
)
def test_a_prize_is_something_for_a_place_that_there_may_be(
    place: int, amount: int, line: str, code: str
) -> None:
    one = desks.tournament()
    by, said = desks.organiser(one), ""
    try:
        services.promise_prize(by=by, tournament=one, place=place, amount=amount, line=line)
    except BadInput as refused:
        said = refused.code
    assert (said, one.prizes.count()) == (code, 0 if code else 1)


def test_each_prize_goes_by_the_final_order_where_that_is_the_setting() -> None:
    one = cup(shared_prizes="order")
    order = desks.desk(one).order
    assert told(one) == {
        order[0]: (1, 100, ()),
        order[2]: (3, 51, ("Basic Blue Feet",)),
        order[3]: (3, 50, ("The golden ticket",)),
        order[4]: (5, 7, ()),
    }


def test_who_was_disqualified_wins_nothing_and_nobody_knows_what_is_held_back() -> None:
    one = desks.tournament()
    desks.entered(one, 3)
    for place in (1, 2, 3):
        services.promise_prize(by=desks.organiser(one), tournament=one, place=place, amount=9)
    desks.start(one, rounds=1)
    desks.paired(one)
    desks.play(one)
    desks.act(one, "results-held", round=1)
    desks.act(one, "disqualified", entrant=1)
    desks.act(one, "tournament-closed")
    assert 1 not in told(one)
    assert len(told(one)) == 2
    for answer in Api().get(f"tournaments/{one.code}/prizes/").json()["results"]:
        assert answer["shares"] == []


def test_prizes_wait_for_results_that_are_held_back() -> None:
    one = cup(held=True)
    by = desks.organiser(one)
    first = one.prizes.get(place=1)
    for give in (
        lambda: services.award(by=by, tournament=one),
        lambda: services.hand_over(by=by, tournament=one, prize=first.pk),
    ):
        with pytest.raises(Conflict, match="held back"):
            give()
    assert not one.prizes.exclude(given_at=None).exists()
    desks.act(one, "results-shown")
    assert services.award(by=by, tournament=one)


def test_nobody_takes_the_ids_of_the_entries_of_prizes() -> None:
    made, spoiler = cup(), factories.actor()
    purse = characters.create(by=spoiler, name="Spoiler")
    for prize in made.prizes.all():
        recording = characters.Recording(method="found", amount=1)
        act_id = uuid5(made.pk, f"prize {prize.pk} money")
        characters.record(by=spoiler, character=purse, act_id=act_id, what=recording)
    services.award(by=desks.organiser(made), tournament=made)
    assert sum(booked(made).values()) == 100 + 51 + 50 + 7


def test_an_organiser_promises_prizes_on_a_page_and_reads_who_was_given_them() -> None:
    one = cup()
    client = signed_in(desks.organiser(one).user)
    path = f"/tournaments/{one.code}/prizes/"
    page = squeezed(client.get(path))
    assert "The golden ticket, c50 in hard currency" in page
    assert page.count("not yet") == len(PROMISED)

    form = {"place": "2", "amount": "70", "line": ""}
    assert client.post(path, form).status_code == 302
    assert one.prizes.filter(place=2, amount=70).count() == 1

    services.award(by=desks.organiser(one), tournament=one)
    page = squeezed(client.get(path))
    assert page.count("not yet") == 1  # the ninth of six
    winner = Entry.objects.get(won__prize__tournament=one, won__prize__place=1)
    assert f"{winner.name}: c100 in hard currency" in page


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"place": "", "amount": "5"}, "Say which place wins it"),
        ({"place": "0", "amount": "5"}, "The first place is 1."),
        ({"place": "1"}, "A prize is money, a line of gear, or both."),
        ({"place": "1", "amount": "-5"}, "greater than or equal to 0"),
        ({"place": "5000", "amount": "5"}, "less than or equal to 4096"),
    ],
)
def test_what_is_no_prize_is_refused_in_words(form: dict[str, str], said: str) -> None:
    one = desks.tournament()
    client = signed_in(desks.organiser(one).user)
    answer = client.post(f"/tournaments/{one.code}/prizes/", form)
    assert answer.status_code == 400
    assert said in answer.content.decode()
    assert not one.prizes.exists()


@pytest.mark.parametrize("amount", [-1, MAX_MONEY + 1])
def test_no_way_promises_what_no_book_holds(amount: int) -> None:
    one = desks.tournament()
    with pytest.raises(BadInput):
        services.promise_prize(by=desks.organiser(one), tournament=one, place=1, amount=amount)


def test_a_prize_that_no_book_takes_is_named_and_others_are_given_without_it() -> None:
    made = cup()
    by = desks.organiser(made)
    large = Prize.objects.create(tournament=made, place=1, amount=20_000_000)  # of an older site
    with pytest.raises(Conflict, match="place 1 is more") as refused:
        services.award(by=by, tournament=made)
    assert refused.value.code == "prize-too-large"
    assert not PrizeShare.objects.filter(prize__tournament=made).exists()
    assert not booked(made)

    services.unpromise_prize(by=by, tournament=made, prize=large.pk)
    services.award(by=by, tournament=made)
    assert sum(booked(made).values()) == 100 + 51 + 50 + 7


def test_a_prize_is_given_whole_or_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    made = cup()
    by = desks.organiser(made)
    second = made.prizes.get(place=4)  # third place is shared by two
    real, asked = characters.win, list[int]()

    def fails(**details: Any) -> Any:
        asked.append(1)
        if len(asked) > 3:
            raise KeyboardInterrupt
        return real(**details)

    with monkeypatch.context() as patched:
        patched.setattr(characters, "win", fails)
        with pytest.raises(KeyboardInterrupt):
            services.award(by=by, tournament=made)
    given = {prize.pk for prize in made.prizes.exclude(given_at=None)}
    shared = set(PrizeShare.objects.filter(prize__tournament=made).values_list("prize", flat=True))
    assert (shared, second.pk in given) == (given, False)
    assert sum(booked(made).values()) == sum(
        share.amount for share in PrizeShare.objects.filter(prize__tournament=made)
    )
    services.award(by=by, tournament=made)
    assert sum(booked(made).values()) == 100 + 51 + 50 + 7


def given_to_another() -> tuple[Tournament, int, int]:
    """Return a tournament with a prize given before a correction, who had it, and who wins it."""
    one = desks.tournament()
    by = desks.organiser(one)
    services.promise_prize(by=by, tournament=one, place=1, amount=50)
    desks.played_out(one)
    services.hand_over(by=by, tournament=one, prize=one.prizes.get().pk)
    before, second = desks.desk(one).order[:2]
    console = signed_in(by.user).get(f"/tournaments/{one.code}/console/")
    assert "The prize of place" not in squeezed(console)
    services.take_back(tournament=one, by=by, act_id=uuid4(), to=one.log.head_version - 1)
    desks.act(one, "disqualified", entrant=before)
    desks.act(one, "tournament-closed")
    return one, before, second


def test_who_was_given_a_prize_was_given_it_whoever_wins_after_a_correction() -> None:
    one, before, second = given_to_another()
    name = f"Guest {second}"
    page = squeezed(Client().get(f"/tournaments/{one.code}/rules/"))
    assert f"{name}</bdi>: c50 in hard currency</span></li>" in page.replace("\n", "")
    assert f'Guest {before}</bdi>: nothing</span> <span class="soft">(given so far: c50' in page
    (answer,) = Api().get(f"tournaments/{one.code}/prizes/").json()["results"]
    assert [each["name"] for each in answer["shares"]] == [f"Guest {before}"]


def test_a_prize_that_others_were_given_is_told_until_it_is_put_right() -> None:
    one, before, second = given_to_another()
    by = desks.organiser(one)
    client, at = signed_in(by.user), f"/tournaments/{one.code}/"
    told = f"place 1 went to Guest {before}; by the order now it is for Guest {second}."
    prize = one.prizes.get()

    for tail in ("console/", "prizes/"):
        with CaptureQueriesContext(connection) as asked:
            assert told in squeezed(client.get(f"{at}{tail}"))
        assert len([each for each in asked if 'FROM "league_prize' in each["sql"]]) == 2
    assert client.post(f"{at}prizes/", {"do": "put-right", "prize": prize.pk}).status_code == 302
    for tail in ("console/", "prizes/"):
        assert "went to Guest" not in squeezed(client.get(f"{at}{tail}"))
    answer = Api(by).post(f"tournaments/{one.code}/prizes/{prize.pk}/put-right/", {}).json()
    assert [each["name"] for each in answer["shares"]] == [f"Guest {second}"]
    assert one.prizes.get().given_at == prize.given_at
    other = services.promise_prize(by=by, tournament=one, place=2, amount=1)
    with pytest.raises(Conflict, match="not given yet"):
        services.put_right(by=by, tournament=one, prize=other.pk)


def test_the_pages_of_a_tournament_say_what_each_place_wins() -> None:
    one = desks.tournament()
    services.promise_prize(by=desks.organiser(one), tournament=one, place=1, amount=50)
    for tail in ("", "rules/"):
        page = text_of(Client().get(f"/tournaments/{one.code}/{tail}"))
        assert "Place 1 c50 in hard currency" in page
    console = signed_in(desks.organiser(one).user).get(f"/tournaments/{one.code}/console/")
    assert f"/tournaments/{one.code}/prizes/" in squeezed(console)


def test_what_guests_won_is_handed_over_and_ticked_by_hand() -> None:
    one = desks.tournament()
    by = desks.organiser(one)
    services.promise_prize(by=by, tournament=one, place=1, amount=50)
    desks.played_out(one)
    (prize,) = one.prizes.all()
    client = signed_in(by.user)
    path = f"/tournaments/{one.code}/prizes/"

    assert services.award(by=by, tournament=one) == []
    page = squeezed(client.get(path))
    assert "no character here: hand it over yourself" in page
    assert client.post(path, {"do": "hand-over", "prize": prize.pk}).status_code == 302

    prize.refresh_from_db()
    assert prize.given_at is not None
    assert "Guest 1: c50 in hard currency" in squeezed(client.get(path))
    answer = client.post(path, {"do": "take-back", "prize": prize.pk}, follow=True)
    assert "That prize was given." in squeezed(answer)
    assert one.prizes.count() == 1


def test_what_is_handed_over_is_told_and_nothing_else_offered_where_nobody_has_books() -> None:
    one = desks.tournament()
    by = desks.organiser(one)
    for line in ("A mug", "A cap"):
        services.promise_prize(by=by, tournament=one, place=1, line=line)
    desks.played_out(one)
    mug, cap = one.prizes.order_by("pk")
    client = signed_in(by.user)
    path, console = f"/tournaments/{one.code}/prizes/", f"/tournaments/{one.code}/console/"
    for page in (path, console):
        assert "Give the prizes" not in client.get(page).content.decode()
    assert "Prizes won without a character go into no books" in squeezed(client.get(console))
    assert "Hand the prizes over." in client.get("/next/").content.decode()

    answer = client.post(path, {"do": "hand-over", "prize": mug.pk}, follow=True)
    page = answer.content.decode()
    assert "It is on record as handed over." in page
    assert "(given so far: A mug)" in page
    answer = client.post(path, {"do": "hand-over", "prize": cap.pk}, follow=True)
    assert '<span class="chip fine">given</span>' in answer.content.decode()


def test_a_promise_is_taken_back_and_a_place_nobody_takes_is_told() -> None:
    one = desks.tournament()
    desks.entered(one, 2)
    client = signed_in(desks.organiser(one).user)
    path = f"/tournaments/{one.code}/prizes/"
    form = {"place": "99", "amount": "5", "line": ""}
    assert "nobody can take place 99" in client.post(path, form, follow=True).content.decode()
    gone = client.post(path, {"do": "take-back", "prize": one.prizes.get().pk}, follow=True)
    assert "The promise is withdrawn." in gone.content.decode()
    assert not one.prizes.exists()
    refused = client.post(path, {"do": "take-back", "prize": "7"}, follow=True)
    assert "There is no such prize." in refused.content.decode()


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql  # on SQLite one transaction writes at a time
def test_a_shared_prize_takes_its_winners_in_the_order_of_a_trade() -> None:
    one = cup()
    entries = cuts.entries_by_number(one, desks.desk(one))
    every = prizes.parts(one, desks.desk(one), one.prizes.filter(place=3))
    shares = [(entries[part.entrant], part) for part in every]
    shares.sort(key=lambda share: str(share[0].character_id), reverse=True)
    last, first = (entry.character_id for entry, _ in shares)

    def give() -> None:
        with closing(connection):
            prizes._give(desks.organiser(one), shares)

    with ThreadPoolExecutor(1) as other, transaction.atomic():
        locked(first)
        given = other.submit(give)
        with suppress(TimeoutError):
            given.result(timeout=0.5)  # it waits for the first
        locked(last)
    given.result()
    assert PrizeShare.objects.count() == len(shares)
