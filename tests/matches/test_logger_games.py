"""The logger of games other than Z-G: frequent acts take few taps, and buttons name the side."""

import json
import re
from html import unescape

import msgspec
import pytest
from django.test import Client

import rules
from matches import decks
from matches.models import Match
from matches.services import SeatRequest
from rules import encoding
from rules.ruleset import Problem
from rules.zerpang import maps
from rules.zerpang.acts import COLOURS
from tests import factories
from tests.html import squeezed

pytestmark = pytest.mark.django_db


def taps(match: Match, *lines: str) -> None:
    """Record acts given as notation."""
    for line in lines:
        act = rules.get(match.log.ruleset).read(line)
        factories.record(match, json.loads(encoding.body(act)))


def page(match: Match, query: str = "", language: str = "en", where: str = "table/") -> str:
    opener, speaking = factories.opener_of(match), {"Accept-Language": language}
    client = factories.client_of(opener, headers=speaking)
    return unescape(squeezed(client.get(f"/matches/{match.code}/{where}{query}")))


@pytest.fixture
def harbour() -> Match:
    """A game of Z/X in its first main phase, with three resources to pay with."""
    samples = decks.samples(rules.get("zx"))
    seats = [SeatRequest(label=name, deck=deck) for name, deck in samples.items()]
    match = factories.match(game="zx", seats=seats)
    taps(
        match,
        'start-card-placed 1 "Lantern Skipper"',
        "first-decided 1 1",
        "hand-kept 1",
        "hand-kept 2",
        'start-resources-placed 1 ["Choir Warden","Pier Sentry"]',
        'start-resources-placed 2 ["Rail Marauder","Spark Lancer"]',
        'resource-placed 1 "Bell Archivist"',
    )
    return match


def test_what_a_card_does_is_asked_of_its_player_effect_by_effect(harbour: Match) -> None:
    first = page(harbour, "?end=effect&seat=1&card=Gull+Courier")
    keys = re.findall(r'href="\?end=effect&seat=1&card=Gull%20Courier&target=([\w-]+)"', first)
    assert len(keys) == len(set(keys)) > 10 and {"draw", "damage"} < set(keys)
    assert "Auto, on arrival: draw 1." in first
    assert "<details" not in first.split('id="lg-desk"')[1].split('id="lg-more"')[0]

    asked = page(harbour, "?end=effect&seat=1&card=Gull+Courier&target=draw")
    assert '<input type="hidden" name="source" value="Gull Courier">' in asked
    assert '<input type="hidden" name="op" value="draw">' in asked
    assert 'name="op" value="damage"' not in asked

    damage = page(harbour, "?end=effect&seat=2&target=power")
    assert "Lantern Skipper on b1" in damage
    assert 'name="amount" type="number" min="-' in damage, "a number pad knows no minus"


def test_a_card_may_reach_into_the_hand_of_the_other_side(harbour: Match) -> None:
    first = page(harbour, "?end=effect&seat=2&card=Soot+Whisperer")
    assert 'href="?end=effect&seat=1&card=Soot%20Whisperer">Tidewatch</a>' in first

    asked = page(harbour, "?end=effect&seat=1&card=Soot+Whisperer&target=discard")
    assert '<input type="hidden" name="seat" value="1">' in asked
    assert '<input type="hidden" name="source" value="Soot Whisperer">' in asked
    assert "Auto, when destroyed: opponent discards 1." in asked
    assert 'value="Undertow"' in asked and 'value="Flashover"' not in asked


def test_what_lies_under_a_card_is_shown_with_it(harbour: Match) -> None:
    taps(
        harbour,
        "effect-applied 1 to-zone card=Undertow pile=deck zone=trash",
        "effect-applied 1 tuck card=Undertow square=b1",
    )

    assert '<span class="zx-at">1 under it</span>' in page(harbour)
    public = unescape(squeezed(Client().get(f"/matches/{harbour.code}/")))
    says = public.split('<title id="zx-field-says">')[1].split("</title>")[0]
    assert "power 2000, under it Undertow." in says
    assert "Under Lantern Skipper on b1:" in public and ">1 under it</text>" in public


def test_whose_a_card_on_the_field_is_is_said_too(harbour: Match) -> None:
    """A mark shows it, which nobody hears."""
    assert re.search(r'Lantern Skipper</span><span class="sr">\(\w+\)</span>', page(harbour))


def test_what_an_effect_does_is_told_once(harbour: Match) -> None:
    for effect, said in (
        ("player-damage foe=2 amount=1", "Cinderline takes 1 damage."),
        ("destroy square=b1", "Lantern Skipper on b1 is destroyed"),
    ):
        taps(harbour, f"effect-applied 1 {effect}")
        told = page(harbour).split('class="lg-told"')[1].split("</p>")[0]
        assert said in told and told.count(said.split()[-1]) == 1


def test_an_ability_triggers_of_a_card_in_play_with_one_key(harbour: Match) -> None:
    asked = page(harbour, "?end=trigger").split('id="lg-desk"')[1].split('id="lg-bar"')[0]
    assert re.findall(r'<button class="lg-opt zx-key" name="card" value="([^"]+)"', asked) == [
        "Lantern Skipper"
    ]
    assert "A card that is not on the field" in asked


def test_keys_that_say_it_all_are_marked_for_the_list_of_unsent_acts(harbour: Match) -> None:
    asked = page(harbour)
    assert 'data-told=""' in asked.split('value="turn-ended"')[0].rsplit("<form", 1)[1]
    assert re.search(r"data-whole> ?Tidewatch concedes", asked)


def test_both_pass_is_offered_until_one_has_passed(harbour: Match) -> None:
    entered = {"op": "enter", "card": "Rail Marauder", "pile": "deck", "to": "b2"}
    factories.record(harbour, {"type": "effect-applied", "seat": 2, **entered})
    taps(harbour, "battle-declared 1 b1 b2")
    assert 'value="both-passed"' in page(harbour)
    taps(harbour, "battle-passed 1")
    passed = page(harbour)
    assert 'value="battle-passed"' in passed
    assert 'value="both-passed"' not in passed


def test_an_event_asks_next_what_it_does(harbour: Match) -> None:
    events = page(harbour, "?card=Salt+Prayer")
    assert 'name="armed" value="end=effect&seat=1&card=Salt%20Prayer"' in events


def test_other_resources_are_named_on_the_spot(harbour: Match) -> None:
    usual = page(harbour, "?card=Gull+Courier")
    assert 'href="?card=Gull%20Courier&end=pay"' in usual and "Auto, on arrival" in usual
    bringers = page(harbour, "?card=Gull+Courier&end=pay")
    assert 'target=2" data-part>Pier Sentry</a>' in bringers
    paying = page(harbour, "?card=Gull+Courier&end=pay&target=2")
    assert 'name="with-colour" value="colour=Pier+Sentry"' in paying
    assert 'type="checkbox" name="pays" value="Bell Archivist"' in paying
    assert 'name="square" value="b2"' in paying


def test_of_cards_nobody_entered_the_table_is_asked() -> None:
    cards = [{"name": name, "copies": 10} for name in ("Alder", "Birch", "Cedar", "Dogwood", "Elm")]
    seats = [
        SeatRequest(label="Side 1", deck={"cards": cards, "start": "Elm"}),
        SeatRequest(label="Side 2", deck={"cards": cards}),
    ]
    match = factories.match(game="zx", seats=seats)
    toss = page(match)
    assert "Side 1</bdi>: Elm</span></button>" in toss and "Side 1</bdi>: Alder" not in toss
    assert "Side 2: which card?" in toss.split("<details")[1].split("</details>")[0]

    taps(
        match,
        "first-decided 1 1",
        "hand-kept 1",
        "hand-kept 2",
        'start-resources-placed 1 ["Alder","Birch"]',
        'start-resources-placed 2 ["Alder","Birch"]',
        "resource-passed 1",
    )
    paying = page(match, "?card=Cedar")
    assert 'type="checkbox" name="pays" value="Birch"' in paying
    assert "Its cost is not known" in paying and "Resources that fit" not in paying

    taps(match, "zx-played 1 Cedar b2", "battle-declared 1 b2 player", "both-passed")
    taps(match, "life-revealed 2 1 Alder played=b3")
    asked = page(match)
    for act in ("void-bringer-used", "life-recovered", "life-recovery-declined"):
        assert f'name="type" value="{act}"' in asked
    assert 'form="zx-void" name="square" value="b2"' in asked


def test_once_time_was_called_the_last_turn_is_seen_to_be_it(harbour: Match) -> None:
    taps(harbour, "time-called")
    assert "2 turns left" in page(harbour)
    taps(harbour, "turn-ended 1")
    assert "last turn" in page(harbour)


def test_of_life_totals_alone_every_ending_is_a_key(harbour: Match) -> None:
    taps(harbour, "options-changed score")
    asked = page(harbour)

    assert 'name="type" value="draw-called"' in asked and 'name="lost" value="true"' in asked
    assert asked.count('name="how" value="time"') == 2
    assert re.findall(r'<button class="lg-opt on" data-whole aria-label="([^"]+)"', asked) == [
        "Tidewatch has 4 life",
        "Cinderline has 4 life",
    ]
    more = asked.split('id="lg-more"')[1]
    assert "Tidewatch concedes" in more and f'/matches/{harbour.code}/acts/"' in more
    assert "?end=effect" not in more


@pytest.fixture
def mat() -> Match:
    """A game of Zerpang! in which the Ninja of seat 1 has just brought a piece in."""
    match = factories.match(game="zerpang", seats=2, options={"deck": "demo-99"})
    taps(
        match,
        "class-taken 1 ninja",
        "class-taken 2 pirate",
        "base-taken 1 B1 red",
        "base-taken 2 B2 green",
        "first-seat-picked 1",
        'piece-entered 1 "1-1" G1b',
    )
    return match


def test_oddities_of_a_board_are_shown_when_the_match_is_opened(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = factories.match(game="zerpang", seats=2, options={"deck": "demo-99"})
    odd = msgspec.structs.replace(
        maps.board("derived-hex91"), warnings=(Problem("board-triangles", params={"what": "x"}),)
    )
    monkeypatch.setattr(maps, "board", lambda name: odd)
    assert "Not every triangle of x has three of them." in page(match)


def test_pieces_that_move_together_are_ticked_and_sent_off_with_one_key() -> None:
    match = factories.match(game="zerpang", seats=3, options={"deck": "demo-99"})
    taps(
        match,
        *(f"class-taken {n} {cls}" for n, cls in enumerate(("robot", "ninja", "pirate"), 1)),
        *(f"base-taken {n} B{n} {paint}" for n, paint in enumerate(("red", "blue", "green"), 1)),
        "first-seat-picked 1",
        'piece-entered 1 "1-1" G1a',
        'piece-moved 1 "1-1" ["K1"]',
        *(f"cards-drawn {n} 1" for n in (1, 2, 3)),
        "points-paid 1 PT1",
        'piece-entered 1 "1-2" G1a',
    )
    asked = page(match)
    assert asked.count('value="linked-moved"') == 1
    pieces = re.findall(r'name="pieces" value="([^"]+)"> \1 <span[^>]*>([^<]+)<', asked)
    assert pieces == [("1-1", "K1"), ("1-2", "G1a")]
    assert '<button class="btn" name="with-dirs" value="dirs=4">← 1 space</button>' in asked
    assert ">Z2.2</text>" in asked, "the board calls its spaces as the log does"


def test_points_are_laid_down_with_one_key_and_the_piece_stays_chosen(mat: Match) -> None:
    asked = page(mat, "?card=1-1")
    desk, _, sheets = asked.partition('id="lg-cards"')
    assert 'name="card" value="PT1" aria-label="Lay down a card for its points: 1 point"' in desk
    assert 'name="armed" value="card=1-1"' in desk
    assert "a piece costs" not in desk, "one has entered this turn"
    specialties = sheets.split('id="lg-more"')[0].split("Play a specialty", 1)[1]
    plain, _, licensed = specialties.partition("Licence")
    assert plain.count("<form") > 1 and licensed


def test_where_the_pieces_are_is_said_and_what_the_numbers_in_the_head_count(mat: Match) -> None:
    """The board is a drawing."""
    pieces = '<ul class="sr" aria-label="Pieces"><li>Side 1 1-1: G1b</li></ul>'
    logger = page(mat)
    assert pieces in logger and pieces in page(mat, where="")
    assert re.search(r'<b class="num">\d+</b><span class="sr"> cards? in hand<', logger)


def test_the_keys_of_a_ninja_speak_german(mat: Match) -> None:
    taps(mat, "points-paid 1 PT2")
    asked = page(mat, language="de")

    assert "Sprung mit 1-1" in asked and ">Aufzeichnen</button>" in asked
    assert "Leap" not in asked and "Bilanz" not in asked
    assert "Bilanz" not in page(mat, language="de", where="acts/")


def test_whose_pieces_are_both_attacked_says_with_one_key_who_fights_first(mat: Match) -> None:
    taps(
        mat,
        "cards-drawn 1 1",
        'piece-entered 2 "2-1" G2b',
        "cards-drawn 2 1",
        "cards-drawn 1 1",
        "points-paid 2 PT1",
        'piece-entered 2 "2-2" G2a',
        "cards-drawn 2 1",
        "points-paid 1 PT2",
        "points-paid 1 PT1",
        'piece-moved 1 "1-1" ["Z2.3","Z2.4","Z2.5","K2"]',
    )
    desk = page(mat).split('id="lg-cards"')[0]
    keys = re.findall(r'name="with-order" value="order=([^&]+)&order=([^"]+)">([^<]+)<', desk)
    assert set(keys) == {("2-1", "2-2", "2-1 → 2-2"), ("2-2", "2-1", "2-2 → 2-1")}


def test_who_comes_in_beside_an_enemy_goes_on_to_the_combat_with_one_key(mat: Match) -> None:
    taps(mat, "points-paid 1 PT2", 'piece-moved 1 "1-1" ["F1b","H2","F2a"]', "cards-drawn 1 1")
    assert 'aria-label="Go on to' not in page(mat), "the cards drawn end the turn"
    taps(mat, 'piece-entered 2 "2-1" G2a')
    assert 'aria-label="Go on to: combat"' in page(mat)


@pytest.fixture
def saloon() -> Match:
    """A game of Zerpang! in which an Alien holds a Ninja's piece; it is the Ninja's turn."""
    seats = ("ninja", "alien", "gunslinger", "elf")
    match = factories.match(game="zerpang", seats=4, options={"deck": "demo-99"})
    taps(
        match,
        *(f"class-taken {n} {cls}" for n, cls in enumerate(seats, 1)),
        *(f"base-taken {n} B{n} {paint}" for n, paint in enumerate(COLOURS[:4], 1)),
        "first-seat-picked 1",
        'piece-entered 1 "1-1" G1a',
        'piece-moved 1 "1-1" ["F1a"]',
        "cards-drawn 1 1",
        'piece-entered 2 "2-1" G2a',
        "points-paid 2 PT2",
        'piece-ballooned 2 "2-1" H1',
    )
    return match


def test_who_is_behind_in_a_combat_concedes_with_one_key(saloon: Match) -> None:
    for ready, keys in (("", ["Side 2"]), ("combat-played 2 card=PT1", ["Side 1"])):
        taps(saloon, *filter(None, [ready]))
        desk = page(saloon).split('id="lg-cards"')[0]
        assert re.findall(r'aria-label="([^"]+) concedes the combat"', desk) == keys
    taps(saloon, "combat-played 1 card=PT2")
    asked = page(saloon)
    assert 'aria-label="Side 2 concedes the combat"' in asked
    assert "2-1, the aggressor" in asked and "1-1, the defender" in asked, "whom others may help"
    taps(saloon, "combat-played 2 card=PT2", "combat-passed 1")
    assert "concedes the combat" not in page(saloon), "who leads has no need to"


def test_an_alien_that_draws_along_is_told_to(saloon: Match) -> None:
    taps(saloon, "combat-played 2 card=PT1", "combat-conceded 1", "cards-drawn 2 1")
    taps(saloon, "cards-drawn 3 1", "card-discarded 3 PT1", "cards-drawn 4 1", "cards-drawn 1 1")
    told = page(saloon).split('class="lg-told"')[1].split("</p>")[0]
    log = squeezed(Client().get(f"/matches/{saloon.code}/")).split('id="log"')[1]

    for each in (told, log.split("</li>")[0]):
        assert "Side 2 draws 1 card." in each and each.count("Side 1 d") == 1


def test_cards_that_have_to_go_are_put_away_on_the_desk(saloon: Match) -> None:
    taps(saloon, "combat-conceded 2", "cards-drawn 2 1", *["card-seen 3 PT2"] * 4)
    act = {"type": "cards-drawn", "seat": 3, "n": 3}
    factories.record(saloon, act, irregular=True)
    desk = page(saloon).split('id="lg-cards"')[0]

    assert "put 3 away" in desk and 'value="card-discarded"' in desk
    assert 'value="points-paid"' not in desk, "nothing is paid for now"
    taps(saloon, *["card-discarded 3 PT1"] * 3)
    assert 'value="card-discarded"' not in page(saloon)


def test_an_elf_wins_by_the_clock_with_one_key(saloon: Match) -> None:
    more = page(saloon).split('id="lg-more"')[1]

    assert 'name="seconds" value="10801"' in more and "Three hours have passed" in more
    assert "Three hours" not in page(factories.match(game="zerpang", seats=3))


def test_whose_turn_it_is_lays_cards_down_first_and_who_may_answer_below(mat: Match) -> None:
    taps(mat, "cards-drawn 1 1")
    cards = page(mat).split('id="lg-cards"')[1].split("Play a specialty")[0]
    seats = re.findall(r'name="seat" value="(\d)"', cards)
    assert list(dict.fromkeys(seats)) == ["2", "1"]
    assert re.findall(r"<summary[^>]*>(.*?)</summary>", cards)[:1] == ["Side 1"]


def test_cards_that_count_by_either_side_are_two_fields_with_names_of_their_own() -> None:
    match = factories.match(game="zerpang", seats=3, options={"deck": "demo-99"})
    taps(
        match,
        *(f"class-taken {n} {cls}" for n, cls in enumerate(("robot", "pirate", "ninja"), 1)),
        *(f"base-taken {n} B{n} {paint}" for n, paint in enumerate(COLOURS[:3], 1)),
        "first-seat-picked 1",
        'piece-entered 1 "1-1" G1b',
    )
    cards = page(match).split('id="lg-cards"')[1].split("</section>")[0]
    own = re.findall(r"<label[^>]*>([^<]+)</label>", cards.split("<details")[0])
    assert own == ["Card: Ninjutsu", "Card: Pillage"]


def test_the_points_of_the_game_under_way_stand_beside_the_games_won() -> None:
    series = factories.match(options={"best_of": 3})
    taps(series, "points-scored 1 5", "points-scored 2 7", "game-closed")
    taps(series, "points-scored 1 4")
    told = re.findall(r'lg-who">(.*?)</span>\s*<b class="num">(\d)</b>.*?>\((\d)\)', page(series))
    assert told == [("Side 1", "0", "4"), ("Side 2", "1", "0")]
    assert "4 points in game 2" in page(series, where="")
    taps(series, "game-won 2")  # nothing is told of a third game, which nobody plays
    assert "in game 3" not in page(series, where="")
