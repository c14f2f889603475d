"""A player's page: ratings, form and rivals, as far as the viewer may see."""

import re
from datetime import date
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.db.models import Q
from django.template.defaultfilters import floatformat
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from characters import fielding
from characters.models import Card, Character, Section
from characters.services import FieldedPlace
from league import profile, ratings, services
from league.models import Circuit, Rating, RatingPool, Tournament
from league.profile import Rated, Step
from matches import cuts, records, rivals, selectors
from matches.actors import NOBODY, Actor
from matches.followers import work
from matches.models import Match, Player
from matches.services import SeatRequest
from tests import factories
from tests.api.client import Api
from tests.characters import duels
from tests.factories import signed_in
from tests.html import squeezed
from tests.league import desks

pytestmark = pytest.mark.django_db


def duel(
    one: Actor, two: Actor, winner: int = 1, *, held: bool = False, seen: str = "public"
) -> Match:
    seats = [SeatRequest(player=one.player), SeatRequest(player=two.player)]
    match = factories.match(one, "score", seats, options={"best_of": 1}, visibility=seen)
    if held:
        cuts.change(match, held=True)
    for act in (factories.points(winner), {"type": "game-closed"}):
        factories.record(match, act, by=one)
    work(match.pk)
    return match


def player(actor: Actor) -> Player:
    assert actor.player is not None
    return actor.player


def letters(actor: Actor, one: Actor) -> str:
    known = records.known_among(records.sat_of(actor, player(one)))
    matches = selectors.matches_at(actor, (each.match for each in known))
    return "".join(each.label[0] for each in rivals.form_of(known, matches))


def test_form_and_rivals_count_what_one_may_know() -> None:
    one, two, three = (factories.actor() for _ in range(3))
    duel(one, two)
    duel(one, two, winner=2)
    duel(one, three, seen="table")
    duel(one, two, held=True)
    assert letters(NOBODY, one) == "WL"
    assert letters(one, one) == "WLWW"
    told = {
        each.player: (each.played, each.won, each.lost)
        for each in rivals.rivals_of(records.known_among(records.sat_of(NOBODY, player(one))))
    }
    assert told == {two.player: (2, 1, 1)}
    known = records.known_among(records.sat_of(one, player(one)))
    told = {each.player: each.played for each in rivals.rivals_of(known)}
    assert told == {two.player: 3, three.player: 1}


def test_a_rating_is_drawn_step_by_step(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    cup = desks.tournament(title="Rated cup")
    entries = desks.entered(cup, 4)
    desks.start(cup, rounds=2)
    for _ in range(2):
        desks.paired(cup)
        desks.play(cup)
    work(cup.pk)
    best = entries[0].player
    assert best is not None
    [rated] = profile.ratings_of(NOBODY, best)
    assert [step.place for step in rated.steps] == [1, 1]
    assert rated.steps[-1].shown == Rating.objects.get(player=best).shown
    first, second = rated.steps
    for told in (first.shown, first.moved, second.shown, second.moved):
        assert told == round(told, ratings.DIGITS)
    assert (first.moved, second.moved) == pytest.approx((first.shown, second.shown - first.shown))
    assert len(rated.path.split()) == 2
    assert len(rated.band.split()) == 4
    assert rated.sentence.startswith("Over 2 tables it rose from")
    with translation.override("de"):
        assert re.search(r"von -?\d+,\d auf", rated.sentence)
    page = squeezed(client.get(best.get_absolute_url()))
    assert rated.sentence in page
    assert "Rated cup" in page
    assert "provisional: 6 to go" in page
    assert rated.band not in page  # a line of two points tells no more than the sentence
    monkeypatch.setattr(profile, "PROVISIONAL", 2)
    page = squeezed(client.get(best.get_absolute_url()))
    assert rated.band in page
    assert f"rated {rated.now.shown:.1f} in Any game" in page.partition('<div class="split')[0]
    assert "reported at a desk" not in page  # there is no record to count


def test_where_a_rating_comes_from_is_told_to_those_who_may_see_it(client: Client) -> None:
    cup = desks.tournament(title="Rated cup")
    [one, *_] = desks.entered(cup, 2)
    desks.start(cup, rounds=1)
    desks.paired(cup)
    desks.play(cup)
    work(cup.pk)
    cup.visibility = "entrants"
    cup.save()
    assert one.player is not None
    page = client.get(one.player.get_absolute_url()).content.decode()
    assert "Rated cup" not in page


def test_a_player_of_many_matches_costs_no_more_queries(client: Client) -> None:
    one, two = factories.actor(), factories.actor()
    counts = []
    for _ in range(2):
        for _ in range(2):
            duel(one, two)
        client.get(player(one).get_absolute_url())  # what is kept beside the heads is kept now
        with CaptureQueriesContext(connection) as asked:
            client.get(player(one).get_absolute_url())
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_a_rating_is_said_in_words_as_it_is_headed() -> None:
    steps = [Step(shown, 0.0, 1.0, 1, timezone.now(), "", None) for shown in (3.4, 5.9598)]
    rated = Rated(RatingPool(), 2, steps, "", "", 1.0, 0.0)
    assert "rose from 3.4 to 6.0; the best was 6.0" in rated.sentence
    assert floatformat(rated.now.shown, 1) == "6.0"
    once = Rated(RatingPool(), 1, steps[:1], "", "", 1.0, 0.0)
    assert once.sentence == "After one table it is 3.4."
    steps[0] = steps[0]._replace(shown=-1.84)
    assert "rose from −1.8 to 6.0" in rated.sentence
    steps[0] = steps[0]._replace(shown=6.04)
    assert rated.sentence == "Over 2 tables it stayed at 6.0; the best was 6.0."


@pytest.mark.parametrize("seen", ["public", "table"])
def test_a_guest_of_a_table_of_its_own_is_nobody_to_who_is_not_signed_in(seen: str) -> None:
    by = factories.actor()
    match = factories.match(by, seats=[SeatRequest(name="Ezut"), SeatRequest()], visibility=seen)
    seat = match.seats.get(number=1)
    paths = (f"/players/{seat.player_id}/", f"/api/v1/players/{seat.player_id}/")
    for path in (*paths, f"/players/{seat.player_id}/feed.atom"):
        answer = Client().get(path)
        assert answer.status_code == (200 if seen == "public" else 404)
        assert ("Ezut" in answer.content.decode()) == (seen == "public")
    member = signed_in(by.user)
    assert [member.get(path).status_code for path in paths] == [200, 200]


def test_the_api_tells_what_the_page_does(client: Client) -> None:
    one, two = factories.actor("one"), factories.actor("two")
    won, lost = duel(one, two), duel(one, two, winner=2)
    duel(one, two, held=True)
    told = Api().get(f"players/{one.player_id}/").json()
    assert told["form"] == [
        {"match": won.code, "result": "won"},
        {"match": lost.code, "result": "lost"},
    ]
    [rival] = told["rivals"]
    assert rival == {
        "player": str(two.player_id),
        "name": "two",
        "played": 2,
        "won": 1,
        "drawn": 0,
        "lost": 1,
    }
    assert told["ratings"] == []
    assert len(Api(one).get(f"players/{one.player_id}/").json()["form"]) == 3


def places_told(client: Client, player: Player) -> dict[str, int | None]:
    """Return a player's places at the end of tournaments as the API tells them."""
    told = client.get("/api/v1/tournaments/", {"player": player.pk}).json()["results"]
    return {each["code"]: each["place"] for each in told}


def test_a_place_at_the_end_stands_beside_the_tournament_unless_results_are_off() -> None:
    cup = desks.played_out(desks.tournament())
    work(cup.pk)
    other = desks.tournament()
    for entry in cup.entries.all():
        by = desks.organiser(other)
        services.enter(tournament=other, by=by, act_id=uuid4(), player=entry.player)
    for entry in cup.entries.all():
        page = squeezed(Client().get(f"/players/{entry.player_id}/"))
        place = entry.standings.get(round=0).place
        assert f'<span class="chip">place {place}</span>' in page
        assert places_told(Client(), entry.player) == {other.code: None, cup.code: place}
    spared = factories.spared()
    first = cup.entries.get(number=1).player
    assert places_told(spared, first) == {other.code: None, cup.code: None}
    told = squeezed(spared.get(f"/players/{first.pk}/"))
    assert cup.title in told
    assert "place " not in told


def trophies_told(client: Client, player: Player) -> list[tuple[str, int, int]]:
    """Return a player's trophies as the API tells them: code, place, and size of the field."""
    told = client.get(f"/api/v1/players/{player.pk}/").json()["trophies"]
    return [(each["tournament"], each["place"], each["field"]) for each in told]


def test_trophies_are_first_three_places_in_the_upper_half_of_the_field_best_first() -> None:
    cup = desks.played_out(desks.tournament(), players=6)
    work(cup.pk)
    first, second, third, *others = (each.entry.player for each in cup.standings.filter(round=0))
    assert trophies_told(Client(), third) == [(cup.code, 3, 6)]
    assert [trophies_told(Client(), each) for each in others] == [[]] * 3
    four = desks.stand(None, [others[0], second, third, others[1]])
    three = desks.stand(None, [second, first, third])
    later = desks.stand(None, [second, first])
    assert trophies_told(Client(), second) == [
        (later.code, 1, 2),
        (three.code, 1, 3),
        (four.code, 2, 4),
        (cup.code, 2, 6),
    ]
    assert trophies_told(Client(), first) == [(cup.code, 1, 6)]
    assert trophies_told(Client(), third) == [(cup.code, 3, 6)]
    page = squeezed(Client().get(second.get_absolute_url()))
    told = page.partition('id="trophies"')[2].partition("</section>")[0]
    assert re.findall("First place|Second place|Third place|of [0-9]", told) == [
        *("First place", "of 2", "of 3"),
        *("Second place", "of 4", "of 6"),
    ]


def test_a_trophy_says_how_many_share_its_place() -> None:
    cup = desks.tournament()
    desks.entered(cup, 6)
    desks.act(cup, "stage-started", format="single-elimination", best_of=3, seed=1)
    for _ in range(3):
        desks.paired(cup)
        desks.play(cup)
    desks.act(cup, "tournament-closed")
    work(cup.pk)
    for place, sharing in ((1, 1), (2, 1), (3, 2)):
        player = cup.standings.filter(round=0, place=place)[0].entry.player
        (told,) = Client().get(f"/api/v1/players/{player.pk}/").json()["trophies"]
        assert (told["place"], told["sharing"]) == (place, sharing)
        page = squeezed(Client().get(player.get_absolute_url()))
        assert ("of 6, shared by 2</span>" in page) is (sharing > 1)


def test_a_trophy_of_a_circuits_final_says_so_and_is_told_before_others() -> None:
    by, made, other = factories.actor(), *(factories.actor().player for _ in range(2))
    days = {"starts_on": date(2026, 1, 1), "ends_on": date(2026, 12, 31)}
    season = services.open_season(by=by, league=desks.league(by), name="One", **days)
    circuit = services.open_circuit(by=by, season=season, name="Dust", points=[10])
    final, later = (desks.stand(None, [made, other]) for _ in range(2))
    Circuit.objects.filter(pk=circuit.pk).update(final=final)
    told = Client().get(f"/api/v1/players/{made.pk}/").json()["trophies"]
    assert [(each["tournament"], each["final_of"]) for each in told] == [
        (final.code, str(circuit.pk)),
        (later.code, None),
    ]
    page = squeezed(Client().get(made.get_absolute_url()))
    assert page.count(f'<a href="/circuits/{circuit.pk}/">final of Dust</a>') == 1


def test_no_trophy_is_told_to_who_has_results_off_or_may_not_see_the_tournament() -> None:
    made, other = (factories.actor().player for _ in range(2))
    cup = desks.stand(None, [made, other])
    assert trophies_told(Client(), made) == [(cup.code, 1, 2)]
    spared = factories.spared()
    assert trophies_told(spared, made) == []
    assert 'id="trophies"' not in squeezed(spared.get(made.get_absolute_url()))
    Tournament.objects.filter(pk=cup.pk).update(visibility="entrants")
    assert trophies_told(Client(), made) == []
    Tournament.objects.filter(pk=cup.pk).update(visibility="public", closed_at=None)
    assert trophies_told(Client(), made) == []


def test_the_api_tells_ratings_with_their_steps_naming_only_tournaments_one_may_see() -> None:
    cup = desks.played_out(desks.tournament())
    work(cup.pk)
    first = cup.entries.get(number=1).player
    assert first is not None
    [rated] = Api().get(f"players/{first.pk}/").json()["ratings"]
    assert (rated["game"], rated["league"], rated["played"]) == ("score", "", 2)
    assert rated["provisional"]
    assert [step["tournament"] for step in rated["steps"]] == [cup.code, cup.code]
    assert rated["steps"][-1]["shown"] == rated["shown"]
    row = Rating.objects.get(player=first)
    assert rated["shown"] == pytest.approx(row.shown)
    spared = factories.spared()
    assert spared.get(f"/api/v1/players/{first.pk}/").json()["ratings"] == []
    Tournament.objects.filter(pk=cup.pk).update(visibility="entrants")
    met = Api(desks.organiser(cup)).get(f"players/{first.pk}/").json()["ratings"]
    assert [step["tournament"] for each in met for step in each["steps"]] == [cup.code] * 2


def favourites(one: Actor, client: Client | None = None) -> dict[str, dict[str, int]]:
    """Return how often a player's favourites were played, by name, as a client is told."""
    told = (client or Client()).get(f"/api/v1/players/{one.player_id}/").json()
    kinds = ("games", "characters", "cards")
    return {kind: {each["name"]: each["matches"] for each in told[kind]} for kind in kinds}


def show(character: Character, audience: str, gear: str) -> None:
    Character.objects.filter(pk=character.pk).update(audience=audience)
    Section.objects.filter(character=character, kind=Section.Kind.GEAR).update(audience=gear)


def test_favourites_are_counted_by_match_and_most_come_first() -> None:
    fight = duels.duel()
    duel(fight.ada, fight.ben)
    seats = [FieldedPlace(loadout=each.loadouts.get().pk) for each in (fight.bor, fight.una)]
    again = fielding.open_match(by=fight.ada, ruleset="zg", seats=seats)
    alone = [FieldedPlace(SeatRequest(player=fight.ada.player), seats[0].loadout), FieldedPlace()]
    fielding.open_match(by=fight.ada, ruleset="zg", seats=alone)
    for each in (fight.una, fight.bor):
        show(each, "public", "public")
    hers = fight.match.seats.get(player=fight.ada.player).appearance
    twice = {"item": fight.item(fight.bor, "Shield"), "design": hers.fielded.all()[0].design}
    hers.fielded.create(card="another", **twice)
    told = favourites(fight.ada)
    assert [*told["games"].items()] == [("Z-G", 3), ("Any game, results only", 1)]
    assert [*told["characters"].items()] == [("Una", 2), ("Bor", 1)]
    assert [*told["cards"].values()] == [3] * 5
    assert all(name.startswith("Duel ") for name in told["cards"])
    page = squeezed(Client().get(player(fight.ada).get_absolute_url()))
    assert (
        f'<a href="{fight.una.get_absolute_url()}">Una</a> <span class="num soft">2</span>' in page
    )
    assert 'Z-G <span class="num soft">3</span>' in page
    where = "Characters and cards are counted where everybody may see them."
    assert where in page
    assert where not in squeezed(Client().get(player(factories.actor()).get_absolute_url()))
    assert again.seats.count() == 2


def test_favourites_are_those_everybody_may_see_whoever_asks() -> None:
    fight = duels.duel()
    ada, una = fight.ada, fight.una
    owner = signed_in(ada.user)

    def told() -> list[list[str]]:
        found = favourites(ada)
        mine = favourites(ada, owner)
        assert [mine[kind] for kind in ("characters", "cards")] == [*found.values()][1:]
        return [[*found[kind]] for kind in ("characters", "cards")]

    show(una, "public", "public")
    [[name], cards] = told()
    assert (name, len(cards)) == ("Una", 5)
    Card.objects.exclude(name=cards[0]).update(owner=ada.player, shared=False)
    assert told() == [["Una"], cards[:1]]
    show(una, "public", "owner")
    assert told() == [["Una"], []]
    show(una, "players", "public")
    assert told() == [[], []]
    show(una, "public", "public")
    Match.objects.filter(pk=fight.match.pk).update(visibility="table")
    assert told() == [[], []]
    assert (favourites(ada)["games"], favourites(ada, owner)["games"]) == ({}, {"Z-G": 1})


def every_match(actor: Actor) -> Q:
    return Q(pk__isnull=False)


def test_favourites_do_not_tell_who_has_results_off_that_somebody_played_on(settings: Any) -> None:
    fight = duels.duel()
    show(fight.una, "public", "public")
    spared = factories.spared()
    assert favourites(fight.ada, spared)["characters"] == {"Una": 1}
    settings.MATCH_SPOILERS = [f"{__name__}.every_match"]
    assert favourites(fight.ada, spared) == {"games": {}, "characters": {}, "cards": {}}
    assert favourites(fight.ada)["characters"] == {"Una": 1}
