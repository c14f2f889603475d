"""How the matches at tables stand while they are played: in the lists of a round."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from league import services
from league.models import Entry, Tournament
from matches import services as logged
from matches.actors import Actor
from matches.models import Event, Match
from tests import factories
from tests.html import squeezed
from tests.league import desks

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

SCORES = "rounds/1/?part=scores"
WALL = "wall/?show=tables"
LISTS = ("", "rounds/1/", "rounds/1/tables/1/", SCORES)


def cup(**details: str) -> tuple[Tournament, Match]:
    """Return a tournament of four with one of its two tables being played."""
    made = desks.tournament(**details)
    desks.entered(made, 4)
    desks.start(made)
    desks.paired(made)
    by = desks.organiser(made)
    return made, services.open_table(tournament=made, by=by, number=1, table=1)


def scored(made: Tournament, match: Match, points: int) -> None:
    act = {"type": "points-scored", "seat": 1, "points": points}
    logged.record(match=match, by=desks.organiser(made), act_id=uuid4(), act=act)


def won(made: Tournament, match: Match) -> None:
    act = {"type": "game-won", "seat": 1}
    logged.record(match=match, by=desks.organiser(made), act_id=uuid4(), act=act)


def seen(made: Tournament, path: str, by: Actor | None = None, **cookies: str) -> str:
    client = Client()
    if by is not None:
        assert isinstance(by.user, User)
        client.force_login(by.user)
    for name, value in cookies.items():
        client.cookies[name] = value
    return squeezed(client.get(f"{made.get_absolute_url()}{path}"))


def headline(match: Match) -> str:
    match = Match.objects.get(pk=match.pk)
    return match.named(match.log.headline)


def test_lists_of_a_round_tell_how_a_match_being_played_stands() -> None:
    made, match = cup()
    scored(made, match, 3)
    told = headline(match)
    assert " 3, " in told
    for path in LISTS:
        assert f'data-score="1-1">{told}</span>' in seen(made, path), path
    assert 'data-score="1-2"' not in seen(made, ""), "nothing is played at the second table"
    assert told in seen(made, "console/", desks.organiser(made))
    assert f'{told}</span><b class="num">Table 1</b>' in seen(made, WALL)


def test_its_score_changes_though_nothing_happens_at_the_desk() -> None:
    made, match = cup()
    url, client = f"{made.get_absolute_url()}{SCORES}", Client()
    first = client.get(url)
    again = client.get(url, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    scored(made, match, 5)
    fresh = client.get(url, headers={"If-None-Match": first["ETag"]})
    assert fresh.status_code == 200
    assert headline(match) in squeezed(fresh)
    assert fresh["Cache-Control"] == "private, no-cache"


def test_a_result_ends_it() -> None:
    made, _ = cup()
    desks.act(made, "result-reported", round=1, table=1, scores=[2, 0])
    for path in LISTS:
        assert "data-score=" not in seen(made, path), path


@pytest.mark.parametrize("path", LISTS)
def test_who_wants_no_results_and_whoever_results_are_held_back_from_is_told_none(
    path: str,
) -> None:
    made, match = cup()
    scored(made, match, 3)
    assert "data-score=" not in seen(made, path, results="off")
    assert "Table 1" not in seen(made, WALL, results="off")
    desks.act(made, "results-held", round=1)
    assert "data-score=" not in seen(made, path)
    assert "Table 1" not in seen(made, WALL)
    assert headline(match) in seen(made, path, desks.organiser(made)), "officials go on"


def test_a_bracket_tells_the_scores_of_its_open_tables_on_its_page_and_the_wall() -> None:
    made = desks.tournament()
    desks.entered(made, 4)
    desks.act(made, "stage-started", format="single-elimination", best_of=3, seed=1)
    desks.paired(made)
    match = services.open_table(tournament=made, by=desks.organiser(made), number=1, table=1)
    scored(made, match, 3)
    lines = seen(made, WALL).partition('class="screen-lines')[2].split("<li>")[1:]
    assert len(lines) == 2
    assert headline(match) in lines[0]
    assert " 3, " not in lines[1]
    told = f'data-score="1-1">{headline(match)}</span>'
    assert seen(made, "").count(told) == 2, "the round's list and the bracket"
    desks.act(made, "result-reported", round=1, table=2, scores=[2, 1])
    lines = seen(made, WALL).partition('class="screen-lines')[2].split("<li>")[1:]
    assert "Table 1" in lines[0]
    assert "2–1" in lines[1] and "Table 2" not in lines[1]
    assert all("<small>" in line for line in lines), lines


def test_sides_are_called_as_the_tournament_calls_them() -> None:
    """So are krewes, whose seats their players hold, and people of one name."""
    by = factories.actor()
    home, sams = desks.league(by), desks.tournament(by)
    krewes = desks.tournament(by, league=home, enters="krewe")
    for name in ("Cinders", "Embers"):
        captain = factories.actor()
        services.join(by=captain, league=home)
        krewe = services.make_krewe(by=captain, league=home, name=name)
        services.enter(tournament=krewes, by=captain, krewe=krewe, act_id=uuid4())
        services.enter(tournament=sams, by=by, name="Sam", act_id=uuid4())
    for made, names in ((krewes, ["Cinders", "Embers"]), (sams, ["Sam (no. 1)", "Sam (no. 2)"])):
        desks.start(made)
        desks.paired(made)
        scored(made, services.open_table(tournament=made, by=by, number=1, table=1), 3)
        one, other = (names[n - 1] for n in desks.desk(made).rounds[0].tables[0].players)
        told = f"{one} 3, {other} 0"
        for path in ("rounds/1/", WALL, SCORES):
            assert told in seen(made, path), path


def test_a_delay_shows_the_score_that_the_public_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    made, match = cup()
    scored(made, match, 3)
    logged.change_cut(match=match, by=desks.organiser(made), delay=600)
    before = headline(match)
    scored(made, match, 4)
    after = headline(match)
    assert before != after
    assert before in seen(made, "rounds/1/")
    assert after not in seen(made, "rounds/1/")
    assert after in seen(made, "rounds/1/", desks.organiser(made))
    later = timezone.now() + timedelta(seconds=601)
    monkeypatch.setattr("matches.cuts.timezone.now", lambda: later)
    assert after in seen(made, "rounds/1/"), "its delay is over"


def test_the_score_of_a_match_that_is_not_for_everybody_is_not_told() -> None:
    made, match = cup()
    scored(made, match, 3)
    assert headline(match) in seen(made, SCORES)
    Match.objects.filter(pk=match.pk).update(visibility=Match.Visibility.TABLE)
    assert "data-score=" not in seen(made, SCORES)
    assert headline(match) in seen(made, SCORES, desks.organiser(made))


def test_a_past_version_tells_no_score_of_now() -> None:
    made, match = cup()
    scored(made, match, 3)
    at = made.log.head_version
    assert headline(match) in seen(made, f"?at={at}")
    desks.act(made, "announced", note="Pizza at seven.")
    for path in (f"?at={at}", f"rounds/1/?at={at}"):
        assert "data-score=" not in seen(made, path), path


def test_of_the_matches_of_a_table_the_last_is_told_until_it_is_over() -> None:
    made, first = cup()
    won(made, first)
    for path in LISTS:
        assert "data-score=" not in seen(made, path), path
    by = desks.organiser(made)
    second = services.open_table(tournament=made, by=by, number=1, table=1)
    assert second != first
    scored(made, second, 4)
    for path in LISTS:
        assert headline(second) in seen(made, path), path


def test_only_those_of_a_closed_tournament_are_told_of_it() -> None:
    made, match = cup(visibility="entrants")
    scored(made, match, 3)
    by = factories.actor("stranger")
    assert isinstance(by.user, User)
    client = Client()
    client.force_login(by.user)
    assert client.get(f"{made.get_absolute_url()}{SCORES}").status_code == 404
    assert headline(match) in seen(made, SCORES, desks.organiser(made))
    me = factories.actor()
    entry = made.entries.exclude(player__seats__match=match)[0]
    Entry.objects.filter(pk=entry.pk).update(player=me.player)
    for each in (me, desks.organiser(made)):
        wall = seen(made, "wall/", each)
        assert "Table 1" in wall
        assert headline(match) not in wall + seen(made, WALL, each), "others may stand before it"
    assert headline(match) not in seen(made, SCORES, me), "they do not sit there"


def test_officials_are_told_how_long_a_table_has_been_quiet(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made, match = cup()
    scored(made, match, 3)
    by, quiet = desks.organiser(made), "last act 12 min ago"
    assert "min ago" not in seen(made, "console/", by), "it was just now"
    at = Event.objects.get(log=match.log_id, version=2, ordinal=0).recorded_at
    assert at is not None
    later = at + timedelta(minutes=12, seconds=59)
    monkeypatch.setattr("league.live_scores.timezone.now", lambda: later)
    for path in ("console/", SCORES):
        assert quiet in seen(made, path, by), path
        assert "min ago" not in seen(made, path.replace("console/", "")), "others are not"


def test_an_unknown_round_has_no_scores() -> None:
    made, _ = cup()
    assert Client().get(f"{made.get_absolute_url()}rounds/9/?part=scores").status_code == 404
