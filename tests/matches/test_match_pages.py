"""Pages of one match: any moment, recording from the offers, taking back, proofs."""

import re
from html import unescape
from itertools import pairwise
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.test import Client
from django.test.utils import CaptureQueriesContext

import rules
from matches import actors, cuts, jobs, narration, selectors, services, verifications
from matches.models import Match
from matches.scene import scene_of
from matches.views.match import LIKELY
from tests import factories
from tests.html import squeezed, text_of

GOLDEN = Path(__file__).parent.parent / "golden"

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


@pytest.fixture
def match() -> Match:
    return factories.played(acts=3)


@pytest.fixture
def scribe(match: Match) -> Client:
    """The browser of the one who opened the match."""
    return factories.client_of(factories.opener_of(match))


def url(match: Match, tail: str = "") -> str:
    return f"/matches/{match.code}/{tail}"


def send(client: Client, match: Match, **data: Any) -> Any:
    match.log.refresh_from_db()
    fields = {"act_id": uuid4(), "after": match.log.head_version} | data
    return client.post(url(match, "acts/"), fields)


@pytest.mark.parametrize(
    ("turns", "heads"),
    [
        ([None], ["Entries"]),
        ([0, 1], ["Turn 1", "Before the first turn"]),
        ([None, 1], ["Turn 1", "Before the first turn"]),
    ],
)
def test_a_chapter_of_the_log_is_named_after_its_turn(
    turns: list[int | None], heads: list[str]
) -> None:
    chapters = [narration.Chapter(turn, first, []) for first, turn in enumerate(turns, 1)]
    page = text_of(HttpResponse(render_to_string("matches/_log.html", {"chapters": chapters})))
    assert page.strip() == " ".join(f"{head} 0" for head in heads)


@pytest.mark.parametrize("happened", [False, True])
def test_a_game_of_which_only_the_life_is_recorded_has_one_chapter(happened: bool) -> None:
    by = factories.actor()
    match = factories.match(by, "zx")
    factories.record(match, {"type": "options-changed", "depth": "score"})
    factories.record(match, {"type": "life-called", "seat": 1, "life": 3})
    chapters = scene_of(by, match, happened=happened).chapters
    assert [(chapter.turn, len(chapter.lines)) for chapter in chapters] == [(None, 3)]


def test_the_act_that_ends_a_turn_is_told_under_it() -> None:
    by = factories.actor()
    match = services.import_log(by=by, data=(GOLDEN / "zg-duel.zgxl").read_bytes())
    chapters = scene_of(by, match).chapters
    ends = 0
    for chapter, later in pairwise(chapters):
        assert any(told.type == "turn-began" for told in chapter.lines[-1].consequences)
        assert (chapter.turn or 0) + 1 == later.turn
        ends += 1
    assert ends >= 2


def test_a_page_reads_the_notes_of_what_it_tells_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    match = factories.match()
    by = factories.opener_of(match)
    factories.record(match, factories.points(), by=by)
    for number, to in enumerate((1, 2, 1, 2), 3):
        why = f"Note of {number}"
        services.take_back(match=match, by=by, act_id=uuid4(), to=to, note=why)
    monkeypatch.setattr(narration, "STRETCH", 2)
    rows = scene_of(by, selectors.match_for(by, match.code)).narrator.rows
    with CaptureQueriesContext(connection) as asked:
        assert [rows[version].note for version in (1, 4, 3)] == ["", "Note of 4", "Note of 3"]
    assert len(asked) == 1
    assert (len(rows), rows.get(8)) == (6, None)


def test_what_only_says_an_act_of_zerpang_again_is_not_told_after_it(client: Client) -> None:
    by = factories.actor()
    data = (GOLDEN / "zerpang-elf.zgxl").read_bytes()
    match = services.import_log(by=by, data=data)
    scene = scene_of(by, match)
    acts = [scene.narrator.line(version) for version in range(1, scene.last + 1)]
    drawn = next(line for line in acts if line.act.type == "cards-drawn")
    told = text_of(client.get(url(match, f"?at={drawn.version}&part=moment")))
    assert told.count(drawn.act.text) == 1
    paid = next(line for line in acts if line.act.type == "points-paid")
    assert "spends" not in text_of(client.get(url(match, f"?at={paid.version}&part=moment")))


# -- moments --------------------------------------------------------------------------------


def test_anyone_sees_how_a_public_match_stands(match: Match, client: Client) -> None:
    page = client.get(url(match))
    assert page.status_code == 200
    assert "Side 1 2, Side 2 1" in text_of(page)


def test_a_past_moment_shows_the_match_as_it_stood(match: Match, client: Client) -> None:
    page = client.get(url(match, "?at=2"))
    assert "Side 1 1, Side 2 0" in text_of(page)
    assert b'name="robots" content="noindex"' in page.content
    assert f'<link rel="canonical" href="{url(match)}">' in page.content.decode()


@pytest.mark.parametrize("at", ["0", "5", "-1", "x", "1.5", "9" * 30, "²", "1\0"])
def test_a_moment_that_is_not_there_is_not_found(match: Match, client: Client, at: str) -> None:
    assert client.get(url(match), {"at": at}).status_code == 404


def test_past_the_end_a_link_leads_back_to_the_match(match: Match, client: Client) -> None:
    page = client.get(url(match, "?at=99")).content.decode()
    assert f'<a class="btn main" href="{url(match)}">To the match</a>' in page
    lost = client.get("/matches/ZZZZZZ/?at=99").content.decode()
    assert "To the match" not in lost


def test_every_step_along_a_match_comes_right_after_the_score(match: Match, client: Client) -> None:
    page = client.get(url(match)).content.decode()
    places = [page.index(f'id="{part}"') for part in ("score", "scrubber", "last-act", "log")]
    assert places == sorted(places)


def official_of(match: Match) -> Client:
    actor = factories.actor()
    match.officials.add(actors.player_of(actor))
    return factories.signed_in(actor.user)


def test_an_official_can_take_another_viewpoint(match: Match, client: Client) -> None:
    official = official_of(match)
    assert 'id="viewpoint"' in official.get(url(match)).content.decode()
    assert 'id="viewpoint"' not in client.get(url(match)).content.decode()
    for eyes, audience in (("public", "public"), ("2", 2), ("", "officials")):
        answer = official.get(url(match, f"?as={eyes}&at=2"))
        assert answer.context["scene"].audience == audience
    page = official.get(url(match, "?as=2&at=2")).content.decode()
    assert 'href="?at=1&amp;as=2"' in page


def test_the_public_viewpoint_ends_where_the_public_does(match: Match) -> None:
    official = official_of(match)
    cuts.change(match, held=True)
    factories.record(match, factories.points(1, 7))
    assert "7 points" in official.get(url(match)).content.decode()
    seen = official.get(url(match, "?as=public"))
    assert "7 points" not in seen.content.decode()
    assert official.get(url(match, "?as=public&at=5")).status_code == 404
    assert "7 points" not in official.get(url(match, "?as=public&after=1")).content.decode()


@pytest.mark.parametrize(("eyes", "status"), [("2", 403), ("public", 200), ("9", 404), ("x", 404)])
def test_others_have_only_their_own_or_the_public_viewpoint(
    match: Match, client: Client, eyes: str, status: int
) -> None:
    assert client.get(url(match, f"?as={eyes}")).status_code == status


def test_the_log_tells_every_entry_and_strikes_what_was_taken_back(
    match: Match, scribe: Client
) -> None:
    scribe.post(url(match, "take-back/"), {"act_id": uuid4(), "to": 3})
    page = scribe.get(url(match))
    assert "Side 1 1, Side 2 1" in text_of(page)
    assert "Taken back: Side 1: 1 point." in text_of(page)
    assert page.content.decode().count('class="strike"') == 1


def test_a_match_of_the_table_is_hidden_from_others(client: Client) -> None:
    hidden = factories.match(visibility="table")
    for tail in ("", "acts/", "verify/", "log.ndjson", "log.zgxl"):
        assert client.get(url(hidden, tail)).status_code == 404


def test_someone_not_at_the_table_cannot_record(match: Match, client: Client) -> None:
    client.force_login(factories.user())
    assert client.get(url(match, "acts/")).status_code == 403
    answer = send(client, match, type="points-scored", seat=1, points=1)
    assert answer.status_code == 403
    assert client.post(url(match, "take-back/"), {"act_id": uuid4(), "to": 2}).status_code == 403
    match.log.refresh_from_db()
    assert match.log.head_version == 4


# -- recording ------------------------------------------------------------------------------


def test_every_offer_is_a_form(match: Match, scribe: Client) -> None:
    page = scribe.get(url(match, "acts/")).content.decode()
    for act_type in ("points-scored", "game-won", "game-drawn", "seats-placed", "conceded"):
        assert f'name="type" value="{act_type}"' in page


def test_what_happens_rarely_is_folded_away() -> None:
    match = zg_match()
    answer = factories.client_of(factories.opener_of(match)).get(url(match, "acts/"))
    likely, rarer = (answer.context[name] for name in ("likely", "rarer"))
    assert len(likely) == LIKELY
    assert len(rarer) > 3
    folded = answer.content.decode().partition("What happens rarely")[2]
    assert all(group.title in folded for group in rarer)


@pytest.mark.parametrize("sanctioned", [True, False])
def test_rulings_are_offered_to_those_who_rule(sanctioned: bool) -> None:
    match = zg_match(sanctioned=sanctioned)
    answer = factories.client_of(factories.opener_of(match)).get(url(match, "acts/"))
    types = {group.type for name in ("likely", "rarer") for group in answer.context[name]}
    assert ("ruled" in types) is not sanctioned


def zg_match(**details: Any) -> Match:
    decks = rules.get("zg").tools["sample-decks"]()
    seats = [factories.SeatRequest(label=name, deck=decks[name]) for name in ("Ensign", "Merc")]
    match = factories.match(game="zg", seats=seats, **details)
    factories.record(match, {"type": "impulse-won", "seat": 1})
    return match


def test_a_stance_is_called_as_the_reader_says(client: Client) -> None:
    match = zg_match(options={"depth": "full"})
    move = {"type": "travelled", "seat": 1, "card": "Fernlight Frontgear", "stance": "kneel"}
    factories.record(match, move, irregular=True)
    client.cookies["django_language"] = "de"
    assert "Haltung knien" in squeezed(client.get(url(match)))


def test_an_act_is_recorded_from_its_form(match: Match, scribe: Client) -> None:
    answer = send(scribe, match, type="points-scored", seat="2", points="7")
    assert (answer.status_code, answer["Location"]) == (302, url(match, "acts/"))
    assert "Side 1 2, Side 2 8" in text_of(scribe.get(url(match)))


def test_a_field_of_many_takes_all_its_values(match: Match, scribe: Client) -> None:
    send(scribe, match, type="seats-placed", seats=["1", "2"])
    assert "The next place goes to Side 1 and Side 2." in text_of(scribe.get(url(match)))


def test_one_field_can_carry_several(match: Match, scribe: Client) -> None:
    send(scribe, match, type="points-scored", with_all="seat=2&points=5")
    assert "Side 1 2, Side 2 6" in text_of(scribe.get(url(match)))


def test_an_act_is_recorded_from_a_line_of_notation(match: Match, scribe: Client) -> None:
    send(scribe, match, line="points-scored 1 40")
    assert "Side 1 42, Side 2 1" in text_of(scribe.get(url(match)))


def test_a_reason_is_kept_beside_the_act(match: Match, scribe: Client) -> None:
    send(scribe, match, type="ruled", result="win", winners=["2"], note="Table tipped over.")
    assert "Table tipped over." in text_of(scribe.get(url(match)))


def test_the_same_form_sent_twice_records_once(match: Match, scribe: Client) -> None:
    act_id = uuid4()
    for _ in range(2):
        answer = send(scribe, match, act_id=act_id, after=4, type="game-won", seat=1)
        assert answer.status_code == 302
    match.log.refresh_from_db()
    assert match.log.head_version == 5


def test_a_form_of_an_older_page_asks_first(match: Match, scribe: Client) -> None:
    answer = send(scribe, match, after=3, type="points-scored", seat=1, points=5)
    assert answer.status_code == 409
    assert "The log has moved on" in text_of(answer)
    assert b'<input type="hidden" name="points" value="5">' in answer.content


def test_an_irregular_act_stands_only_when_said_so(match: Match, scribe: Client) -> None:
    send(scribe, match, type="conceded", seat=1)
    other = factories.match(by=factories.opener_of(match), seats=3)
    send(scribe, other, type="conceded", seat=1)
    scored = {"type": "points-scored", "seat": 1, "points": 1}
    refused = send(scribe, other, **scored)
    assert refused.status_code == 409
    assert b'name="irregular" value="true"' in refused.content
    assert send(scribe, other, irregular="true", **scored).status_code == 302
    assert "irregular" in text_of(scribe.get(url(other)))


@pytest.mark.parametrize(
    ("data", "status"),
    [
        ({}, 400),
        ({"type": "attacked"}, 400),
        ({"type": "opened"}, 400),
        ({"type": "points-scored"}, 400),
        ({"type": "points-scored", "seat": "one", "points": "1"}, 400),
        ({"type": "points-scored", "seat": "1", "points": "1.5"}, 400),
        ({"type": "points-scored", "seat": "1", "points": "9" * 30}, 400),
        ({"type": "points-scored", "seat": "1", "points": str(2**63)}, 400),
        ({"type": "points-scored", "seat": "1", "points": "10000000"}, 422),
        ({"type": "points-scored", "seat": "9", "points": "1"}, 422),
        ({"type": "ruled", "result": "w\0n"}, 400),
        ({"type": "ruled", "result": "draw", "note": "a\0b"}, 400),
        ({"with": "type=points-scored&seat=1", "type": "points-scored"}, 400),
        ({"type": "seats-placed", "seats": ["2", "1"]}, 422),
        ({"line": "points-scored 1"}, 400),
        ({"line": "nonsense"}, 400),
        ({"line": 'points-scored 1 "'}, 400),
        ({"line": "points-scored 1 1\0"}, 400),
        ({"type": "game-won", "seat": "1", "act_id": "x"}, 400),
        ({"type": "game-won", "seat": "1", "after": "x"}, 404),
        ({"type": "game-won", "seat": "1", "after": "99"}, 409),
    ],
    ids=str,
)
def test_bad_input_comes_back_with_its_reason_and_records_nothing(
    match: Match, scribe: Client, data: dict[str, Any], status: int
) -> None:
    answer = send(scribe, match, **data)
    assert answer.status_code == status
    assert b'role="alert"' in answer.content
    match.log.refresh_from_db()
    assert match.log.head_version == 4


# -- taking back ----------------------------------------------------------------------------


def test_taking_back_is_one_named_button(match: Match, scribe: Client) -> None:
    page = scribe.get(url(match, "acts/")).content.decode()
    assert 'title="Take back: Side 1: 1 point."' in page
    assert '<input type="hidden" name="to" value="3">' in page


def test_a_button_takes_back_the_act_it_names_alone(match: Match, scribe: Client) -> None:
    page = scribe.get(url(match, "acts/")).content.decode()
    form = page.partition(url(match, "take-back/"))[2].partition("</form>")[0]
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
    factories.record(match)

    answer = scribe.post(url(match, "take-back/"), fields)

    assert answer.status_code == 409
    assert "Record it after that" not in text_of(answer)
    match.log.refresh_from_db()
    assert match.log.head_version == 5


@pytest.mark.parametrize("to", ["", "x", "0", "99", "4"])
def test_a_wrong_place_to_go_back_to_changes_nothing(match: Match, scribe: Client, to: str) -> None:
    answer = scribe.post(url(match, "take-back/"), {"act_id": uuid4(), "to": to})
    assert answer.status_code in (400, 404, 422)
    match.log.refresh_from_db()
    assert match.log.head_version == 4


# -- proofs ---------------------------------------------------------------------------------


def test_a_check_is_asked_for_and_its_result_shown(match: Match, scribe: Client) -> None:
    assert scribe.post(url(match, "verify/")).status_code == 302
    assert "Waiting" in text_of(scribe.get(url(match, "verify/")))
    job = verifications.last_of(match.log)
    assert job is not None
    jobs.do(job.pk)
    assert "It holds All 4 entries" in text_of(scribe.get(url(match, "verify/")))


def test_a_stranger_sees_the_proofs_and_can_not_ask_for_more(match: Match, client: Client) -> None:
    page = client.get(url(match, "verify/"))
    assert match.log.head_hash in page.content.decode()
    assert client.post(url(match, "verify/")).status_code == 403


def test_the_log_can_be_taken_along(match: Match, client: Client) -> None:
    rows = client.get(url(match, "log.ndjson"))
    assert rows["Content-Disposition"] == f'attachment; filename="{match.code}.ndjson"'
    assert len(rows.content.splitlines()) == 5
    notation = client.get(url(match, "log.zgxl")).content.decode()
    assert notation.startswith("ruleset score@1")


def test_a_log_held_back_shows_and_gives_no_more_than_may_be_seen(
    match: Match, client: Client
) -> None:
    match.log.public_version = 2
    match.log.save()
    assert "Side 1 1, Side 2 0" in text_of(client.get(url(match)))
    assert client.get(url(match, "?at=3")).status_code == 404
    assert len(client.get(url(match, "log.ndjson")).content.splitlines()) == 3
    assert match.log.head_hash not in client.get(url(match, "verify/")).content.decode()


# -- pages of a game ------------------------------------------------------------------------


def test_the_bench_opens_on_its_example(client: Client) -> None:
    page = client.get("/games/zg/bench/")
    assert page.status_code == 200
    assert "3 matches 2 strikes Slag" in text_of(page)


@pytest.mark.parametrize("options", [{}, {"strikes": "card_tests", "strict_time_order": True}])
def test_a_test_of_the_log_opens_on_the_bench_and_comes_out_alike(
    client: Client, options: dict[str, Any]
) -> None:
    match = zg_match(options=options)
    attack = {
        "type": "attacked", "seat": 1, "card": "Fernlight Frontgear", "end": "a", "foe": 2,
        "target": "Tide Shield", "target_end": "b", "augments": [1], "half_turn": True,
    }  # fmt: skip
    (tested, *_) = factories.record(match, attack).consequences
    page = squeezed(client.get(url(match)))
    (address,) = re.findall(r'class="on-bench" href="([^"]+)"', page)
    shown = client.get(unescape(address)).context["test"]
    assert (shown["result"], shown["dot_matches"], shown["strikes"]) == (
        tested.result, tested.dot_matches, tested.strikes,
    )  # fmt: skip
    assert [dot["attack"] for dot in shown["dots"]] == [dot.attack for dot in tested.dots]
    moment = squeezed(client.get(url(match, "?at=3&part=moment")))
    (announced,) = re.findall(r'data-said="([^"]+)"', moment)
    assert "Fernlight Frontgear" in announced
    assert announced.count("strike") == 1  # the result once, not again dot by dot


def test_a_draw_by_lot_becomes_part_of_the_address(client: Client) -> None:
    asked = {"draw:target_end": "a b", "target_card": "Rail Boots", "augments": ["1", "2"]}
    answer = client.get("/games/zg/bench/", asked)
    assert answer.status_code == 302
    assert re.fullmatch(
        r"/games/zg/bench/\?target_card=Rail\+Boots&augments=1&augments=2&target_end=[ab]",
        answer["Location"],
    )


@pytest.mark.parametrize(
    "path",
    ["/games/zg/nothing/", "/games/nothing/bench/", "/games/score/bench/", "/games/zg@9/bench/"],
)
def test_a_page_no_game_brings_is_not_found(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("attack=R%2B+G+X&target=R+G+B", "column 6"),
        ("attack=%00&target=R+G+B", "column 1"),
        ("target_card=%F0%9F%98%80", "no sample card"),
        ("draw:target_end=", None),
        ("draw:=x", None),
        ("augments=1&augments=", None),
        ("half_turn=" + "9" * 1000, None),
        ("attack=" + "R" * 5000 + "&target=R+G+B", "fewer than 80"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_the_bench_says_what_is_wrong_and_where(
    client: Client, query: str, told: str | None
) -> None:
    answer = client.get(f"/games/zg/bench/?{query}", follow=True)
    assert answer.status_code == (200 if told is None else 400)
    assert told is None or told in text_of(answer)


def test_the_bench_keeps_what_was_filled_in_beside_what_is_wrong(client: Client) -> None:
    query = "attack=R&attack=R+G+X&augments=1&augments=3&strikes=&unheard=of"
    context = client.get(f"/games/zg/bench/?{query}").context
    asked = context["asked"]

    assert context["errors"]["attack"]["column"] == 5
    assert (asked.attack, asked.target_card) == ("R G X", "Magnetron Generator")
    assert (asked.augments, asked.strikes) == (("1", "3"), "")


# -- what it costs --------------------------------------------------------------------------


def test_a_match_page_asks_little_of_the_database(
    match: Match, client: Client, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(13):
        client.get(url(match))


def test_a_longer_log_asks_no_more(client: Client, django_assert_num_queries: Any) -> None:
    short, long = factories.played(acts=2), factories.played(acts=40)
    client.get(url(short))
    with CaptureQueriesContext(connection) as asked:
        client.get(url(short))
    queries = len(asked)
    client.get(url(long))
    with django_assert_num_queries(queries):
        client.get(url(long))


def test_how_it_ended_cites_its_clause_and_steps_are_those_of_the_game() -> None:
    match = factories.match(game="zx", options={"depth": "score"})
    factories.record(match, {"type": "conceded", "seat": 1})
    shown = squeezed(Client().get(f"/matches/{match.code}/"))
    assert '<a class="clause" href="/rules/zx/#W4">ZX-W4</a>' in shown
    assert '<option value="pulse">phase</option>' in shown
    results = squeezed(Client().get(f"/matches/{factories.played().code}/"))
    assert '<option value="turn">' in results and '<option value="pulse">' not in results


def test_cards_in_hand_do_not_read_as_the_result_of_zerpang(client: Client) -> None:
    data = (GOLDEN / "zerpang-elf.zgxl").read_bytes()
    match = services.import_log(by=factories.actor(), data=data)
    over = client.get(url(match)).content.decode()
    before = client.get(url(match, "?at=8")).content.decode()
    assert "in hand" not in over.split('id="score"')[1].split("</section>")[0]
    assert "in hand" in before.split('id="score"')[1].split("</section>")[0]
