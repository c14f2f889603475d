"""Wall displays and the print centre."""

import re
from uuid import uuid4

import pytest
from django.test import Client

from league import services
from league.models import Tournament
from league.views.prints import KINDS
from tests import factories
from tests.factories import signed_in
from tests.html import squeezed, text_of
from tests.league import desks

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

CELL = re.compile(r"<t[hd].*?</t[hd]>", re.S)


@pytest.fixture
def cup(client: Client) -> Tournament:
    """A cup of 20 in its first round, looked at by who runs it."""
    made = desks.tournament(title="Rim cup", round_minutes=50)
    desks.entered(made, 20)
    desks.start(made)
    client.force_login(desks.organiser(made).user)
    return made


def seen(client: Client, cup: Tournament, tail: str) -> str:
    answer = client.get(f"{cup.get_absolute_url()}{tail}")
    assert answer.status_code == 200
    return squeezed(answer)


def test_a_wall_goes_from_screen_to_screen_and_round_again(client: Client, cup: Tournament) -> None:
    desks.paired(cup)
    pages = [seen(client, cup, f"wall/?screen={number}") for number in range(5)]
    assert ["1 of 4" in pages[0], "4 of 4" in pages[3], "1 of 4" in pages[4]] == [True] * 3
    assert 'content="15; url=?screen=1"' in pages[0]
    assert 'content="15; url=?screen=0"' in pages[3]
    assert all(f"Guest {number}<" in pages[0] + pages[1] for number in range(1, 21))
    assert "data-left" in pages[0]
    assert all("<title>This tournament on one's phone</title>" in page for page in pages)
    assert "Swiss: standings" in pages[2]
    assert [page.count("<li>") for page in pages[:2]] == [16, 4]
    assert "Swiss: standings" in seen(client, cup, "wall/?show=standings&screen=0")
    assert "1 of 4" in seen(client, cup, "wall/?show=posters"), "there is no such kind"


def test_a_wall_tells_everybody_of_a_round_whom_they_meet_and_what_points_they_have(
    client: Client,
) -> None:
    cup = desks.tournament()
    desks.entered(cup, 5)
    desks.start(cup)
    desks.paired(cup)
    page = text_of(client.get(f"{cup.get_absolute_url()}wall/?show=pairings"))
    assert len(re.findall(r"Guest \d v Guest \d Table [12]", page)) == 4
    assert len(re.findall(r"Guest \d Bye", page)) == 1
    desks.play(cup, lambda table: (1, 1) if table.number == 1 else (0, 2))
    page = text_of(client.get(f"{cup.get_absolute_url()}wall/?show=standings"))
    assert sorted(re.findall(r"\d points?", page)) == [
        *("0 points", "1 point", "1 point", "3 points", "3 points"),
    ]


def test_the_code_that_leads_to_a_tournament_is_told_before_its_start(client: Client) -> None:
    made = desks.tournament()
    client.force_login(desks.organiser(made).user)
    for tail in ("", "wall/", "console/"):
        assert f"<b>{made.code}</b>" in seen(client, made, tail)
    answer = client.get("/j/", {"code": made.code.lower()})
    assert (answer.status_code, answer.headers["Location"]) == (302, made.get_absolute_url())


def test_a_code_leads_to_no_tournament_that_one_may_not_see(client: Client) -> None:
    made = desks.tournament()
    Tournament.objects.filter(pk=made.pk).update(visibility="entrants")
    page = squeezed(client.get("/j/", {"code": made.code}))
    assert "Nothing you may see has this code." in page
    assert 'href="/j/" aria-current="page"' in page


def test_names_are_looked_up_where_their_letters_stand(client: Client) -> None:
    made = desks.tournament()
    for name in ("Zoë", "Ömer", "anna", "Nia"):
        by, act_id = desks.organiser(made), uuid4()
        services.enter(tournament=made, by=by, act_id=act_id, name=name)
    order = re.compile(">anna<.*>Nia<.*>Ömer<.*>Zoë<")
    assert order.search(seen(client, made, "wall/"))
    desks.start(made)
    desks.paired(made)
    assert order.search(seen(client, made, "rounds/1/names/"))


@pytest.mark.parametrize("tail", ["rounds/1/names/", "print/names/"])
def test_those_at_a_larger_table_are_told_apart(client: Client, tail: str) -> None:
    pods = {"format": "pods", "rounds": 1, "sizes": [4], "tiebreaks": []}
    made = desks.tournament(stages=[pods])
    desks.entered(made, 4)
    desks.start(made, **pods, best_of=1)
    desks.paired(made)
    found = re.findall(
        r"Guest \d, Guest \d and Guest \d", text_of(client.get(f"/tournaments/{made.code}/{tail}"))
    )
    assert len(found) == 4


def test_a_wall_shows_who_runs_it_no_more_than_everybody(client: Client, cup: Tournament) -> None:
    assert "pairings" not in seen(client, cup, "wall/")
    services.pair(tournament=cup, by=desks.organiser(cup), act_id=uuid4(), seed=1)
    assert "pairings" not in seen(client, cup, "wall/")
    desks.act(cup, "round-published", round=1)
    assert "pairings" in seen(client, cup, "wall/")


def test_a_wall_tells_shared_places_as_the_page_does(client: Client) -> None:
    made = desks.tournament(title="Small cup")
    desks.entered(made, 4)
    desks.act(made, "stage-started", format="single-elimination", best_of=3, seed=1)
    for _ in range(2):
        desks.paired(made)
        desks.play(made)
    desks.act(made, "tournament-closed")
    wall = seen(client, made, "wall/")
    places = [wall.count(f'<b class="num">{place}</b>') for place in (1, 2, 3, 4)]
    assert places == [1, 1, 2, 0]


def test_what_is_announced_stands_on_the_page_the_wall_and_the_log(
    client: Client, cup: Tournament
) -> None:
    services.record(
        tournament=cup,
        by=desks.organiser(cup),
        act_id=uuid4(),
        act={"type": "announced"},
        note="Pizza at seven.",
    )
    assert "Pizza at seven." in seen(Client(), cup, "")
    assert "Pizza at seven." in seen(Client(), cup, "wall/")
    assert "Announced: “Pizza at seven.”" in seen(client, cup, "console/")
    desks.act(cup, "announced", note="Water is there.")
    assert "Pizza at seven." in seen(Client(), cup, "")
    assert "Pizza at seven." not in seen(Client(), cup, "wall/"), "it has room for the newest"


def test_what_is_announced_goes_with_its_round_and_the_tournament(
    client: Client, cup: Tournament
) -> None:
    desks.act(cup, "announced", note="Round 1 at noon.")
    desks.paired(cup)
    assert "Round 1 at noon." in seen(Client(), cup, "")
    desks.act(cup, "announced", note="Water is there.")
    for tail in ("", "wall/"):
        page = seen(Client(), cup, tail)
        assert "Water is there." in page
        assert "Round 1 at noon." not in page
    said = seen(Client(), cup, "").partition("Water is there.")[2]
    assert "<time" in said.partition("</p>")[0]
    desks.play(cup)
    closed = {"type": "tournament-closed", "act_id": str(uuid4()), "irregular": "1"}
    assert client.post(f"{cup.get_absolute_url()}console/", closed).status_code == 302
    assert "Water is there." not in seen(Client(), cup, "")
    assert "Water is there." not in seen(Client(), cup, "wall/")
    assert "Correct the result" not in seen(client, cup, "rounds/1/tables/1/")
    page = seen(client, cup, "rounds/1/tables/1/correct/")
    assert "once the close is undone" in page
    assert "What it was" not in page


def test_who_plays_reads_what_is_announced_beside_their_next_table() -> None:
    me = factories.actor()
    cup, other = desks.tournament(title="Loud cup"), desks.tournament(title="Quiet cup")
    for each in (cup, other):
        services.enter(tournament=each, by=me, act_id=uuid4())
    desks.act(cup, "announced", note="Pizza at seven.")
    reader = signed_in(me.user)
    page = reader.get("/next/").content.decode()
    assert page.count("Pizza at seven.") == 1
    cup.log.refresh_from_db()
    undone = cup.log.head_version - 1
    services.take_back(tournament=cup, by=desks.organiser(cup), act_id=uuid4(), to=undone)
    assert "Pizza" not in reader.get("/next/").content.decode()


def test_standings_on_paper_say_what_the_page_says(client: Client, cup: Tournament) -> None:
    desks.paired(cup)
    for table, scores in ((1, [2, 0]), (2, [2, 1])):
        desks.act(cup, "result-reported", round=1, table=table, scores=scores)
        desks.act(cup, "result-disputed", round=1, table=table)
    for tail in ("", "?after=1"):
        page, paper = (
            [
                [re.sub(r"<[^>]+>", "", cell).strip() for cell in re.findall(CELL, row)]
                for row in re.findall(r"<tr.*?</tr>", seen(client, cup, f"{at}{tail}"), re.S)
            ]
            for at in ("standings/", "print/standings/")
        )
        assert page == paper
        assert sum("provisional" in row[1] for row in paper) == 4


def test_standings_say_who_left(client: Client, cup: Tournament) -> None:
    desks.paired(cup)
    desks.play(cup)
    desks.act(cup, "dropped", entrant=3)
    desks.act(cup, "disqualified", entrant=4, note="Hit the table.")
    for tail in ("standings/", "print/standings/", "embed/standings/"):
        rows = re.findall(r"<tr.*?</tr>", seen(client, cup, tail), re.S)
        told = {
            name: [
                word for word in ("dropped", "disqualified") if f'<span class="chip">{word}<' in row
            ]
            for row in rows
            for name in re.findall(r"Guest \d+", row)[:1]
        }
        assert (told["Guest 3"], told["Guest 4"]) == (["dropped"], ["disqualified"])
        assert sum(map(len, told.values())) == 2
    assert "18 of 20 in" in seen(client, cup, "entries/")
    for tail in ("standings/?after=1", "print/standings/?after=1"):
        assert 'class="chip">dropped' not in seen(client, cup, tail), "then they were in"


def test_a_wall_of_a_closed_circle_is_for_the_circle() -> None:
    secret = desks.tournament(visibility="entrants")
    assert Client().get(f"{secret.get_absolute_url()}wall/").status_code == 404
    assert Client().get(f"{secret.get_absolute_url()}print/").status_code == 404


def test_everything_prints_before_the_first_round_and_in_it(
    client: Client, cup: Tournament
) -> None:
    for kind in KINDS:
        assert "Rim cup" in seen(client, cup, f"print/{kind}/?paper=letter")
    desks.paired(cup)
    assert seen(client, cup, "print/sheets/").count('class="page log-sheet"') == 10
    slips = seen(client, cup, "print/slips/?round=1")
    assert slips.count('class="slip"') == 10
    assert slips.count("QR code of table") == 10
    assert seen(client, cup, "print/badges/").count('class="badge"') == 20
    assert seen(client, cup, "print/names/").count('<th scope="row">') == 20


@pytest.mark.parametrize(
    ("tail", "status"),
    [("print/posters/", 404), ("print/names/?paper=a5", 400), ("print/names/?round=9", 404)],
)
def test_what_can_not_be_printed_is_refused(
    client: Client, cup: Tournament, tail: str, status: int
) -> None:
    assert client.get(f"{cup.get_absolute_url()}{tail}").status_code == status


def test_an_announcement_is_taken_down_and_brings_no_older_one_back(
    client: Client, cup: Tournament
) -> None:
    desks.act(cup, "announced", note="Round 1 at noon.")
    desks.paired(cup)
    desks.act(cup, "announced", note="Water is there.")
    console = seen(client, cup, "console/")
    assert 'name="announcement" value="2"' in console
    form = {"act_id": str(uuid4()), "type": "unannounced", "announcement": "2"}
    assert client.post(f"{cup.get_absolute_url()}console/", form).status_code == 302
    for tail in ("", "wall/"):
        page = seen(Client(), cup, tail)
        assert "Water is there." not in page
        assert "Round 1 at noon." not in page
    log = seen(client, cup, "console/")
    assert "Announced: “Water is there.”" in log
    assert "Announcement 2 is taken down." in log


def test_who_missed_the_cut_stands_below_it_wherever_standings_are_told(client: Client) -> None:
    cup = desks.tournament(title="Rim cup", stages=[desks.SWISS])
    desks.entered(cup, 6)
    desks.start(cup, rounds=1)
    desks.paired(cup)
    desks.play(cup)
    desks.act(cup, "cut-made", size=2)
    desks.act(cup, "stage-started", format="round-robin", best_of=3, tiebreaks=["ps"], seed=1)
    desks.paired(cup)
    desks.play(cup)
    below = Client().get("/api/v1/standings/", {"tournament": cup.code}).json()["below"]
    assert [row["place"] for row in below] == [3, 4, 5, 6]
    for tail in ("standings/", "embed/standings/", "wall/?show=standings", "print/standings/"):
        page = seen(client, cup, tail)
        for row in below:
            assert row["name"] in page, tail
        assert "Swiss" in page, tail
    wall = seen(client, cup, "wall/?show=standings")
    assert len(re.findall(r"points?</b>", wall)) == 2, "who missed the cut has no points after it"
    [row, *_] = (
        Client()
        .get("/api/v1/standings/", {"tournament": cup.code, "terms": True})
        .json()["results"]
    )
    assert [term["round"] for term in row["tiebreaks"][0]["terms"]] == [2]


def test_a_bracket_says_who_left_and_who_missed_it_and_its_rounds_have_names(
    client: Client,
) -> None:
    cup = desks.tournament(title="Rim cup", stages=[desks.SWISS])
    desks.entered(cup, 20)
    desks.start(cup, rounds=1)
    desks.paired(cup)
    desks.play(cup)
    desks.act(cup, "cut-made", size=16)
    desks.act(cup, "stage-started", format="single-elimination", best_of=3, seed=1)
    desks.paired(cup)
    desks.play(cup)
    wall = seen(client, cup, "wall/?show=standings")
    assert [wall.count(f'<b class="num">{place}</b>') for place in (8, 9, 17, 20)] == [0, 8, 1, 1]
    page = seen(client, cup, "")
    assert all(name in page for name in ("Last 16", "Quarter-finals", "Semi-finals"))
    assert "Round 1<" not in page


def test_standings_keep_the_first_tie_break_on_a_phone_and_say_what_columns_are(
    client: Client,
) -> None:
    made = desks.tournament()
    desks.entered(made, 4)
    desks.start(made)
    desks.paired(made)
    desks.play(made)
    page = seen(client, made, "standings/")
    head = re.findall(r'<th scope="col" class="num( rest)?"><abbr title="[^"]+">(\w+)', page)
    assert head == [("", "omw"), (" rest", "gw"), (" rest", "ogw")]
    assert page.count('<td class="num rest">') == 4 * 2
    legend = page.partition("What the columns say")[2].partition("</details>")[0]
    assert "<strong>ogw</strong></dt><dd>Opponents&#x27; game-win percentage" in legend
