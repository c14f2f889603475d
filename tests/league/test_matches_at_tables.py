"""Matches by tournament: the filter of the list, and the table that a match is played at."""

import pytest
from django.test import Client

from league import services
from league.models import Tournament
from matches.models import Match
from tests import factories
from tests.api.client import Api, problem
from tests.html import squeezed, text_of
from tests.league import desks

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def cup(title: str = "Harbour cup", **details: str) -> tuple[Tournament, Match]:
    """Return a tournament in its first round, with a match opened at its table."""
    made = desks.tournament(title=title, **details)
    desks.entered(made, 2)
    desks.start(made)
    desks.paired(made)
    by = desks.organiser(made)
    return made, services.open_table(tournament=made, by=by, number=1, table=1)


def codes(**asked: str) -> list[str]:
    return [each["code"] for each in Api().get("matches/", **asked).json()["results"]]


def test_a_program_lists_the_matches_of_one_tournament() -> None:
    (one, match), (other, another), alone = cup(), cup("Rim cup"), factories.match()
    assert codes() == [alone.code, another.code, match.code]
    assert codes(tournament=one.code) == [match.code]
    assert codes(tournament=one.code.lower(), status="open") == [match.code]
    assert codes(tournament=other.code, status="ended") == []


def test_a_tournament_one_may_not_see_has_no_matches_to_list() -> None:
    kept, _ = cup(visibility="entrants")
    for code in (kept.code, "NOSUCH"):
        told = problem(Api().get("matches/", tournament=code), 400, "no-such-tournament")
        assert told["errors"][0]["where"] == "$.tournament"
    own = Api(desks.organiser(kept)).get("matches/", tournament=kept.code)
    assert len(own.json()["results"]) == 1


def test_a_match_says_at_which_table_it_is_played() -> None:
    (made, match), alone = cup(), factories.match()
    table = Api().get(f"matches/{match.code}/").json()["table"]
    assert table == {"tournament": made.code, "round": 1, "table": 1, "game": 1}
    assert Api().get(f"matches/{alone.code}/").json()["table"] is None


def test_a_table_that_is_being_played_leads_to_its_match_in_lists_and_brackets() -> None:
    bracket = {"format": "single-elimination", "best_of": 3}
    made = desks.tournament(stages=[bracket])
    desks.entered(made, 2)
    desks.act(made, "stage-started", **bracket, seed=7)
    desks.paired(made)
    by = desks.organiser(made)
    match = services.open_table(tournament=made, by=by, number=1, table=1)
    playing = f'<a class="chip live" href="/matches/{match.code}/">playing'
    page = squeezed(Client().get(made.get_absolute_url()))
    assert page.count(playing) == 2, "in the open round, and in the bracket"
    assert squeezed(Client().get(f"{made.get_absolute_url()}rounds/1/")).count(playing) == 1
    off = Client()
    off.cookies["results"] = "off"
    assert playing not in squeezed(off.get(made.get_absolute_url()))


def test_a_match_does_not_name_a_tournament_that_one_may_not_see() -> None:
    made, match = cup()
    Tournament.objects.filter(pk=made.pk).update(visibility="entrants")
    assert Api().get(f"matches/{match.code}/").json()["table"] is None
    own = Api(desks.organiser(made)).get(f"matches/{match.code}/")
    assert own.json()["table"]["tournament"] == made.code


@pytest.mark.parametrize("by_code", [True, False])
def test_the_page_narrows_the_list_by_code_or_by_part_of_the_name(by_code: bool) -> None:
    (one, match), (_, another) = cup(), cup("Rim cup")
    word = one.code.lower() if by_code else "harbour"
    page = Client().get("/matches/", {"tournament": word}).content.decode()
    assert f"/matches/{match.code}/" in page
    assert f"/matches/{another.code}/" not in page
    assert f'value="{word}"' in page


def test_the_page_finds_nothing_by_a_tournament_that_one_may_not_see() -> None:
    made, match = cup()
    Tournament.objects.filter(pk=made.pk).update(visibility="entrants")
    page = Client().get("/matches/", {"tournament": made.code})
    assert "No match is like this" in text_of(page)
    assert match.code not in page.content.decode()


def test_the_page_takes_any_text_for_a_tournament() -> None:
    for word in ("\0", "x" * 500, "%_", "ẞ"):
        assert Client().get("/matches/", {"tournament": word}).status_code == 200


def test_a_tournament_leads_to_its_matches_once_it_has_a_round() -> None:
    made, _ = cup()
    link = f'href="/matches/?tournament={made.code}"'
    assert link in Client().get(made.get_absolute_url()).content.decode()
    fresh = desks.tournament()
    assert "/matches/?tournament=" not in Client().get(fresh.get_absolute_url()).content.decode()
