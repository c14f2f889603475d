"""A league is run on its pages: text, seasons, circuits, venues and bans, by its organisers."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league import services
from league.models import Circuit, League, Qualifier, Role, Sanction, Season, Tournament, Venue
from matches.actors import Actor
from matches.errors import BadInput, NotAllowed, NotFound
from matches.followers import work
from tests import factories
from tests.factories import signed_in
from tests.html import squeezed
from tests.league import desks

pytestmark = pytest.mark.django_db

SEASON = {"name": "Spring", "starts_on": "2026-03-01", "ends_on": "2026-06-01"}
CIRCUIT = {"name": "Ring", "points": "5, 3, 1", "best": "0", "direct": "1", "by_ranking": "2"}
CIRCUIT |= {"pass_down": "tournament"}


class Rim:
    """A league that an account without any further right has just founded."""

    def __init__(self) -> None:
        self.host: Actor = factories.actor()
        self.league: League = desks.league(self.host)
        self.at = self.league.get_absolute_url()
        self.client: Client = signed_in(self.host.user)

    def sends(self, path: str, status: int = 302, **form: Any) -> str:
        """Send a form, and return the page that answers, or that it leads to."""
        answer = self.client.post(path, form)
        assert answer.status_code == status, answer.content
        to = getattr(answer, "url", "")
        return (self.client.get(to) if to else answer).content.decode()


@pytest.fixture
def rim() -> Rim:
    return Rim()


def test_a_tournament_is_of_the_season_of_its_day_and_the_league_shows_that_of_today(
    rim: Rim,
) -> None:
    now = timezone.localdate()
    for name, first, last in (("Past", -90, -31), ("Now", -30, 30), ("Next", 31, 90)):
        days = {"starts_on": now + timedelta(first), "ends_on": now + timedelta(last)}
        services.open_season(by=rim.host, league=rim.league, name=name, **days)
    form = {"title": "Cup", "game": "score", "league": rim.league.pk, "format": "swiss"}
    form |= {"rounds": "0", "best_of": "1", "cut": "0", "cap": "0"}

    assert ">Now</a></h2>" in rim.client.get(rim.at).content.decode()
    opened = []
    for days in (None, 40, 200):
        begins = f"{timezone.now() + timedelta(days):%Y-%m-%dT%H:%M}" if days else ""
        rim.sends("/tournaments/new/", **form | {"starts_at": begins})
        season = Tournament.objects.latest("created_at").season
        opened.append(season and season.name)
    assert opened == ["Now", "Next", None]


def test_where_results_are_rated_is_said_on_the_form_and_beside_the_rules(rim: Rim) -> None:
    assert "results count in the ratings there" in squeezed(rim.client.get("/tournaments/new/"))
    krewes = {"enters": Tournament.Enters.KREWE, "league": rim.league}
    for told, about in (
        (f'the ratings of <a href="{rim.at}">', {"league": rim.league}),
        ("results count in the ratings without a league", {}),
        ("not rated", {"visibility": Tournament.Visibility.ENTRANTS}),
        ("not rated", krewes),
    ):
        cup = desks.tournament(rim.host, **about)
        assert told in squeezed(rim.client.get(f"/tournaments/{cup.code}/rules/"))


def test_a_founder_begins_a_season_with_a_circuit_and_lets_a_tournament_count(rim: Rim) -> None:
    assert f"{rim.at}run/" in rim.client.get(rim.at).content.decode()
    rim.sends(f"{rim.at}run/", name="Rim", about="Far.", house_rules="Be kind.", is_open="on")
    assert League.objects.get().house_rules == "Be kind."
    asks = "Goes on from"  # an earlier season, once there is one
    assert asks not in rim.client.get(f"{rim.at}seasons/").content.decode()
    rim.sends(f"{rim.at}seasons/", **SEASON, divisions="First\n\nSecond\n")
    assert asks in rim.client.get(f"{rim.at}seasons/").content.decode()
    season = Season.objects.get()
    page = rim.client.get(season.get_absolute_url()).content.decode()
    assert f"/seasons/{season.pk}/circuits/" in page
    assert [each.name for each in season.divisions.order_by("level")] == ["First", "Second"]
    rim.sends(f"/seasons/{season.pk}/circuits/", **CIRCUIT)
    circuit = Circuit.objects.get()
    assert circuit.points == [5, 3, 1]
    cup, final = (desks.tournament(rim.host, league=rim.league, title=title) for title in "CF")
    at = f"/circuits/{circuit.pk}/edit/"
    new = {"do": "add", "new-tournament": str(cup.pk), "new-tier": "2", "new-direct": ""}
    assert "points times 2" in rim.sends(at, **new)
    rim.sends(at, do="edit", **CIRCUIT | {"points": "9"}, final=str(final.pk))
    circuit.refresh_from_db()
    assert (circuit.points, circuit.final) == ([9], final)
    rim.sends(at, 400, **new)  # it counts already, and is not on offer
    rim.sends(at, 400, do="edit", **CIRCUIT, final=str(cup.pk))


def test_a_text_of_lines_is_as_long_as_the_browser_counts_it(rim: Rim) -> None:
    """A browser counts a line break as one character, and sends two."""
    rules = "\n".join(["x" * 7] * 500) + "x"
    assert len(rules) == 4000
    told = {"name": "Rim", "about": "", "is_open": "on"}
    rim.sends(f"{rim.at}run/", **told, house_rules=rules.replace("\n", "\r\n"))
    assert League.objects.get().house_rules == rules
    rim.sends(f"{rim.at}run/", 400, **told, house_rules=rules + "x")


def test_a_name_that_was_pasted_with_what_nobody_sees_is_kept_without(rim: Rim) -> None:
    pasted = {"name": "\ufeffSpring\u200b"}
    rim.sends(f"{rim.at}seasons/", **SEASON | pasted)
    season = Season.objects.get(name="Spring")
    rim.sends(f"/seasons/{season.pk}/circuits/", **CIRCUIT | pasted)
    assert Circuit.objects.get().name == "Spring"
    autumn = {"name": "\ufeffAutumn", "starts_on": "2026-09-01", "ends_on": "2026-12-01"}
    for _ in range(2):  # sent again, it finds what it made
        rim.sends(f"{rim.at}seasons/", **autumn, previous=str(season.pk))


@pytest.mark.sqlite
def test_a_name_of_blanks_is_refused_with_the_length_of_one(rim: Rim) -> None:
    venue = services.open_venue(by=rim.host, name="Luna")
    with pytest.raises(BadInput, match="A text of 1 to 80 characters"):
        services.edit_league(by=rim.host, league=rim.league, name=" ")
    with pytest.raises(BadInput, match="A text of 1 to 80 characters"):
        services.edit_venue(by=rim.host, venue=venue, name=" ")


def test_what_was_refused_stands_at_its_field(rim: Rim) -> None:
    rim.sends(f"{rim.at}seasons/", **SEASON)
    told = rim.sends(f"{rim.at}seasons/", 400, **SEASON)
    assert 'id="id_name_error"' in told
    assert "There is a season Spring already." in told
    told = rim.sends(f"{rim.at}seasons/", 400, **SEASON | {"name": "X", "ends_on": "2026-02-01"})
    assert 'id="id_ends_on_error"' in told
    assert "A season ends on the day it begins, or later." in told
    season = Season.objects.get()
    told = rim.sends(f"/seasons/{season.pk}/circuits/", 400, **CIRCUIT | {"points": "5, -1"})
    assert 'id="id_points_error"' in told
    assert not Circuit.objects.exists()


def test_a_season_goes_on_from_another_once(rim: Rim) -> None:
    rim.sends(f"{rim.at}seasons/", **SEASON, divisions="First")
    first = Season.objects.get()
    autumn = {"name": "Autumn", "starts_on": "2026-09-01", "ends_on": "2026-12-01"}
    rim.sends(f"{rim.at}seasons/", **autumn, previous=str(first.pk), about="Colder.")
    second = Season.objects.get(name="Autumn")
    assert (second.previous, second.about) == (first, "Colder.")
    assert [each.name for each in second.divisions.all()] == ["First"]
    rim.sends(f"{rim.at}seasons/", 400, **autumn | {"name": "X"}, previous=str(first.pk))


def test_what_was_made_by_mistake_is_removed_while_nothing_belongs_to_it(rim: Rim) -> None:
    rim.sends(f"{rim.at}seasons/", **SEASON, divisions="First")
    season = Season.objects.get()
    rim.sends(f"/seasons/{season.pk}/circuits/", **CIRCUIT)
    circuit = Circuit.objects.get()
    cup = desks.tournament(rim.host, league=rim.league)
    services.add_qualifier(by=rim.host, circuit=circuit, tournament=cup)
    gone = [
        *(f"/seasons/{season.pk}/remove/", f"/circuits/{circuit.pk}/remove/"),
        f"/qualifiers/{Qualifier.objects.get().pk}/remove/",
        f"/divisions/{season.divisions.get().pk}/remove/",
    ]
    assert gone[1] not in rim.client.get(f"/circuits/{circuit.pk}/edit/").content.decode()
    for path in gone[:2]:
        rim.sends(path, 409)
    for path in (gone[2], gone[1], gone[3], gone[0]):
        rim.sends(path)
    assert not Season.objects.exists()
    with pytest.raises(NotFound):  # in another tab, meanwhile
        services.remove(by=rim.host, thing=circuit)


def test_a_tournament_of_another_league_counts_by_the_word_of_its_own_organiser(rim: Rim) -> None:
    rim.sends(f"{rim.at}seasons/", **SEASON, divisions="First")
    rim.sends(f"/seasons/{Season.objects.get().pk}/circuits/", **CIRCUIT)
    circuit = Circuit.objects.get()
    other = factories.actor()
    cup = desks.tournament(other, league=desks.league(other))
    with pytest.raises(NotAllowed, match="organiser of the tournament"):
        services.add_qualifier(by=rim.host, circuit=circuit, tournament=cup)
    assert rim.host.player is not None
    services.name_member(by=other, tournament=cup, player=rim.host.player, role=Role.ORGANISER)
    assert services.add_qualifier(by=rim.host, circuit=circuit, tournament=cup)

    theirs, page = signed_in(other.user), f"/tournaments/{cup.code}/rules/"
    taking_out = f"/qualifiers/{Qualifier.objects.get().pk}/remove/"
    assert taking_out in theirs.get(page).content.decode()
    assert "Counts for" in Client().get(page).content.decode()
    assert taking_out not in Client().get(page).content.decode()
    assert theirs.post(taking_out).headers["Location"] == page
    assert not circuit.qualifiers.exists()
    services.add_qualifier(by=rim.host, circuit=circuit, tournament=cup)
    desks.played_out(cup)
    work(cup.pk)
    closed = Qualifier.objects.get()
    with pytest.raises(NotAllowed, match="organiser of the league"):
        services.remove(by=other, thing=closed)


def test_a_venue_is_added_changed_and_removed_by_who_keeps_it(rim: Rim) -> None:
    rim.sends("/venues/new/", name="Pit", region="Luna")
    venue = Venue.objects.get()
    assert "/venues/pit/edit/" in rim.client.get(f"{rim.at}run/").content.decode()
    assert "Mars" in rim.sends("/venues/pit/edit/", name="The pit", region="Mars")
    told = rim.sends(
        "/venues/pit/edit/", name="The pit", tables="6", house_rules="Crates.\nNo dogs."
    )
    assert "6 tables" in told
    assert "Crates.<br>No dogs." in told
    assert "4096 tables" in rim.sends("/venues/pit/edit/", 400, name="The pit", tables="5000")
    stranger = signed_in(factories.user())
    assert stranger.post("/venues/pit/edit/", {"name": "Mine"}).status_code == 403
    assert stranger.post(f"/venues/{venue.pk}/remove/").status_code == 403
    rim.sends(f"/venues/{venue.pk}/remove/")
    assert not Venue.objects.exists()


def test_bans_are_given_and_lifted_by_organisers_and_judges_only_read(rim: Rim) -> None:
    [entry] = desks.entered(desks.tournament(rim.host, league=rim.league), 1)
    ban = {"player": str(entry.player_id), "kind": "ban", "reason": "Rude."}
    told = rim.sends(f"{rim.at}record/", 400, **ban)  # a ban has an end
    assert 'id="id_ends_on_error"' in told
    judge = factories.actor()
    assert judge.player is not None
    services.name_member(by=rim.host, league=rim.league, player=judge.player, role="judge")
    by_judge = signed_in(judge.user)
    assert "Keep somebody out" not in by_judge.get(f"{rim.at}record/").content.decode()
    assert by_judge.post(f"{rim.at}record/", ban | {"kind": "exile"}).status_code == 403
    assert "Rude." in rim.sends(f"{rim.at}record/", **ban | {"kind": "exile"})
    one = Sanction.objects.get()
    lift = f"{rim.at}record/{one.pk}/lift/"
    assert by_judge.post(lift).status_code == 403
    other = desks.league(rim.host, name="Other")
    rim.sends(f"{other.get_absolute_url()}record/{one.pk}/lift/", 404)
    assert "Rude." not in rim.sends(lift)
    one.refresh_from_db()
    assert one.lifted_on is not None


@pytest.mark.parametrize(
    ("ban", "says"),
    [
        ({"kind": "ban", "ends_on": "2126-03-01"}, "You are banned here until 1 Mar 2126."),
        ({"kind": "exile", "ends_on": ""}, "You are exiled here, until an organiser lifts it."),
    ],
)
def test_who_is_banned_is_told_and_offered_no_entry(
    rim: Rim, ban: dict[str, str], says: str
) -> None:
    vega = factories.actor()
    assert vega.player is not None
    services.join(by=vega, league=rim.league)
    rim.sends(f"{rim.at}record/", player=str(vega.player.pk), reason="Rude.", **ban)
    cup = desks.tournament(rim.host, league=rim.league)
    at = f"{cup.get_absolute_url()}entries/"
    page = signed_in(vega.user).get(at).content.decode()
    assert says in page
    assert 'id="signup"' not in page
    assert 'id="signup"' in rim.client.get(at).content.decode()


@pytest.mark.parametrize("name", ["Rats", "{Rats}"])
def test_a_krewe_that_is_refused_keeps_its_name_in_the_form(rim: Rim, name: str) -> None:
    krewes = f"{rim.at}krewes/"
    rim.sends(krewes, name=name)
    page = rim.sends(krewes, 409, name=name)
    assert f"There is a krewe {name} already." in page
    assert f'name="name" value="{name}"' in page
    assert f'action="{krewes}"' in rim.sends(krewes, 400, name=" ")


def test_a_closed_league_says_that_it_is(rim: Rim) -> None:
    says = "closed: its organisers say who plays"
    assert says not in rim.client.get(rim.at).content.decode()
    rim.sends(f"{rim.at}run/", name="Rim")
    assert says in Client().get(rim.at).content.decode()


def test_who_is_banned_twice_is_let_in_by_lifting_both(rim: Rim) -> None:
    [entry] = desks.entered(desks.tournament(rim.host, league=rim.league), 1)
    for reason in ("Rude.", "Ruder."):
        rim.sends(
            f"{rim.at}record/", player=str(entry.player_id), kind="exile", reason=reason, ends_on=""
        )
    page = squeezed(rim.client.get(f"{rim.at}record/"))
    assert page.count('<div class="whole btns"><span class="chip alarm" id="ban-') == 2
    one, other = (f"{rim.at}record/{each.pk}/lift/" for each in Sanction.objects.all())
    assert "Guest 1 is still kept out by another." in rim.sends(one)
    assert "It was lifted already." in rim.sends(one)
    assert "Guest 1 may enter again." in rim.sends(other)


def test_what_was_not_kept_names_nothing(rim: Rim) -> None:
    rim.sends(f"{rim.at}seasons/", **SEASON, divisions="First\nSecond")
    rim.sends(f"{rim.at}seasons/", **SEASON | {"name": "Autumn"})
    season = Season.objects.get(name="Spring")
    rim.sends(f"/seasons/{season.pk}/circuits/", **CIRCUIT)
    rim.sends(f"/seasons/{season.pk}/circuits/", **CIRCUIT | {"name": "Other"})
    circuit = Circuit.objects.get(name="Ring")
    first = season.divisions.get(level=1)
    for path, form in (
        (f"{rim.at}run/", {"name": "W" * 81}),
        (f"/seasons/{season.pk}/edit/", SEASON | {"name": "Autumn"}),
        (f"/circuits/{circuit.pk}/edit/", CIRCUIT | {"name": "Other"}),
        (
            f"/divisions/{first.pk}/edit/",
            {"name": "Second", "level": 1, "up": 0, "down": 0, "play_off": 0},
        ),
    ):
        page = rim.sends(path, 400, **form)
        shown = page.partition('class="crumbs"')[2].partition('<div class="split">')[0]
        shown = shown.partition('<form class="panel')[0]
        assert "Local league" in shown
        assert not any(name in shown for name in ("W" * 81, "Autumn", "Other", "Second")), path


def test_a_division_has_a_name_and_a_level_of_its_own(rim: Rim) -> None:
    told = rim.sends(f"{rim.at}seasons/", 400, **SEASON, divisions="First\nFirst")
    assert "Two divisions are called First." in told
    told = rim.sends(f"{rim.at}seasons/", 400, **SEASON, divisions=f"First\n\n{'W' * 81}")
    assert "Line 3 has more than 80 characters." in told
    rim.sends(f"{rim.at}seasons/", **SEASON, divisions="First\nSecond")
    season = Season.objects.get()
    at = f"/seasons/{season.pk}/edit/"
    new = {
        "do": "add",
        "new-name": "Third",
        "new-level": "3",
        "new-up": "0",
        "new-down": "0",
        "new-play_off": "0",
    }
    assert 'name="new-level" value="3"' in rim.client.get(at).content.decode()
    assert "There is a division First already." in rim.sends(at, 400, **new | {"new-name": "First"})
    rim.sends(at, 400, **new | {"new-level": "32768"})
    rim.sends(at, **new)
    second = season.divisions.get(name="Second")
    form = {"name": "First", "level": 2, "up": 0, "down": 0, "play_off": 0}
    told = rim.sends(f"/divisions/{second.pk}/edit/", 400, **form)
    assert 'id="id_name_error"' in told
    rim.sends(f"/divisions/{second.pk}/edit/", **form | {"name": "Second", "up": 1})


def test_points_by_how_many_play_are_typed_a_line_each(rim: Rim) -> None:
    rim.sends(f"{rim.at}seasons/", **SEASON)
    form = {"name": "Belt", "best": 0, "direct": 0, "by_ranking": 0, "pass_down": "tournament"}
    lines = "8: 5, 3\n16: 9, 6, 3"
    rim.sends(f"/seasons/{Season.objects.get().pk}/circuits/", **form, points=lines)
    circuit = Circuit.objects.get()
    assert circuit.points == {"8": [5, 3], "16": [9, 6, 3]}
    edit = rim.client.get(f"/circuits/{circuit.pk}/edit/")
    assert edit.context["form"]["points"].value() == lines


@pytest.mark.parametrize(
    ("points", "says"),
    [
        ("10; 7", "Points of place 1: Enter a whole number."),
        ("5, -1", "Points of a place are a whole number from 0 to 1,000,000."),
        (",".join(["1"] * 4097), "At most 4,096 places get points."),
        ("8: 5, 3\n9, 6", "Each line says from how many players on"),
        ("8: 5, 3\n8: 9, 6", "Each line says from how many players on"),
        ("8: 5; 3", "Points of place 1: Enter a whole number."),
    ],
)
def test_points_that_are_none_are_refused_in_plain_words(rim: Rim, points: str, says: str) -> None:
    rim.sends(f"{rim.at}seasons/", **SEASON)
    circuits = f"/seasons/{Season.objects.get().pk}/circuits/"
    assert says in rim.sends(circuits, 400, **CIRCUIT | {"points": points})


def test_venues_of_one_name_are_told_apart_where_one_is_chosen(rim: Rim) -> None:
    for name in ("Pit", "pit", "Hole"):
        services.open_venue(by=rim.host, name=name)
    for path in ("/tournaments/new/", f"{rim.at}run/"):
        page = rim.client.get(path).content.decode()
        assert all(each in page for each in (">Pit (pit)<", ">pit (pit-2)<", ">Hole<"))


def test_pages_of_those_who_run_a_league_ask_little(
    rim: Rim, django_assert_max_num_queries: Any
) -> None:
    for number in range(4):
        rim.sends(f"{rim.at}seasons/", **SEASON | {"name": f"S{number}"}, divisions="A\nB")
    season = Season.objects.earliest("pk")
    for number in range(4):
        rim.sends(f"/seasons/{season.pk}/circuits/", **CIRCUIT | {"name": f"C{number}"})
        cup = desks.tournament(rim.host, league=rim.league)
        desks.entered(cup, 3)
        circuit = Circuit.objects.latest("pk")
        services.add_qualifier(by=rim.host, circuit=circuit, tournament=cup)
    asked = {f"{rim.at}run/": 9, f"{rim.at}record/": 7, f"{rim.at}seasons/": 6, "/venues/new/": 2}
    asked |= {f"/seasons/{season.pk}/edit/": 9, f"/circuits/{circuit.pk}/edit/": 12}
    for path, most in asked.items():
        with django_assert_max_num_queries(most):
            assert rim.client.get(path).status_code == 200


@pytest.mark.parametrize("path", ["/tournaments/", "/matches/", "/characters/", "/leagues/"])
def test_an_empty_list_offers_one_way_to_begin_and_no_filter(path: str) -> None:
    page = Client().get(path).content.decode()
    assert page.count(f'href="{path}new/"') == 1
    assert 'aria-label="Filter the list"' not in page
    if path != "/leagues/":
        assert 'aria-label="Filter the list"' in Client().get(f"{path}?q=x").content.decode()


def test_leagues_of_one_name_are_told_apart_where_one_is_chosen(rim: Rim) -> None:
    services.found_league(by=rim.host, name="Pit")
    for _ in range(2):
        services.found_league(by=factories.actor(), name="Local League")
    services.found_league(by=rim.host, name="local league")
    for path in ("/tournaments/new/", "/tournaments/import/", "/lore/terminus/write/"):
        page = rim.client.get(path).content.decode()
        assert ">Local league (local-league)<" in page
        assert ">local league (local-league-4)<" in page
        assert ">Pit<" in page


def test_a_visitor_is_led_through_sign_in_to_join_an_open_league() -> None:
    league = services.found_league(by=factories.actor(), name="Rim league")
    at = league.get_absolute_url()
    link = f'href="{reverse("account_login")}?next={at}">Join</a>'
    assert link in Client().get(at).content.decode()
    league.is_open = False
    league.save()
    assert link not in Client().get(at).content.decode()


def test_rules_say_before_the_start_what_is_planned() -> None:
    stages = [
        {"format": "swiss", "rounds": 4, "best_of": 3, "tiebreaks": ["omw"]},
        {"format": "single-elimination", "cut": 4},
    ]
    cup = desks.tournament(stages=stages)
    page = squeezed(Client().get(f"{cup.get_absolute_url()}rules/"))
    for told in (
        "4 rounds, best of 3. A win is worth 3, a draw 1, a loss 0, a bye 3.",
        "(omw)",
    ):
        assert told in page
    assert "Planned, for the best 4." in page
    assert page.count("A win is worth") == 1
