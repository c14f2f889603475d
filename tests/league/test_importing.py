"""Import and export of tournaments as files."""

import io
import re
from codecs import BOM_UTF8
from datetime import date
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid4

import msgspec
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import translation

from league import desks, exporting, files, importing, intake, services
from league.models import Tournament
from matches import followers
from matches import log as logs
from matches import services as matches
from matches.actors import Actor
from matches.errors import BadInput, Conflict
from matches.models import Player
from rules.desk.standings import order_of
from tests import factories
from tests.api.client import Api, problem
from tests.factories import signed_in
from tests.html import squeezed
from tests.league import desks as tables
from tests.rules.desk.test_papers import FOUR
from tests.rules.desk.test_retold import PUBLISHED, ROWS

pytestmark = pytest.mark.django_db

RESULTS = """round,table,first,second,won,lost,drawn,absent
1,1,Ada,Bo,2,1,,
1,,Cy,,,,,
2,1,Cy,Ada,,,,Cy
2,,Bo,,,,,loss
"""


def published() -> bytes:
    rows = [msgspec.to_builtins(row) for row in ROWS]
    return msgspec.json.encode({**PUBLISHED, "expected_standings": rows})


def taken(data: bytes, kind: str, **more: Any) -> importing.Imported:
    return importing.import_tournament(by=factories.actor(), data=data, kind=kind, **more)


def test_a_published_tournament_comes_in_through_the_services() -> None:
    found = taken(published(), "published")

    assert found.differences == ()
    assert found.compared == 6
    assert [each.published.squares for each in found.weighed] == [0, 1, 13]
    assert all(each.ours <= each.published for each in found.weighed)
    tournament = found.tournament
    tournament.refresh_from_db()
    desk = desks.desk_of(tournament)
    assert desk.closed
    names = desks.names_of(tournament, desk)
    assert [names[number] for number in desk.order][:2] == ["A", "C"]
    assert not any(person.label for person in desk.people)


def test_the_same_file_of_the_same_player_comes_in_once() -> None:
    by = factories.actor()
    first = importing.import_tournament(by=by, data=published(), kind="published")
    again = importing.import_tournament(by=by, data=published(), kind="published")

    assert again.tournament.pk == first.tournament.pk
    assert Tournament.objects.count() == 1
    assert logs.load(again.tournament.log).entries == logs.load(first.tournament.log).entries


@pytest.mark.parametrize(
    ("data", "kind", "order"),
    [
        pytest.param(BOM_UTF8 + FOUR.encode(), "trf", ["Di", "Ada", "Cy", "Bo"], id="report file"),
        pytest.param(RESULTS.encode(), "results", ["Ada", "Cy", "Bo"], id="table of results"),
    ],
)
def test_other_files_come_in(data: bytes, kind: str, order: list[str]) -> None:
    tournament = taken(data, kind).tournament
    tournament.log.refresh_from_db()
    desk = desks.desk_of(tournament)

    names = desks.names_of(tournament, desk)
    points = [names[number] for number in order_of(desk, 0)]
    assert points[0] == order[0]
    assert sorted(points) == sorted(order)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (FOUR.replace("Ada    ", "Ada\u200b\ufeff  "), "trf"),
        (RESULTS.replace("Ada", "\u200bAda\u2060", 1), "results"),
        ('{"file": "zgxl-tournament", "title": "Cup", "people": [{"name": "\u200bAda"}], '
         '"acts": [{"type": "entered"}]}', "tournament"),
    ],
)  # fmt: skip
def test_a_name_in_a_file_is_bare_at_its_ends_as_one_that_is_typed(data: str, kind: str) -> None:
    tournament = taken(data.encode(), kind).tournament
    names = desks.names_of(tournament, tables.desk(tournament)).values()
    assert [name for name in names if "Ada" in name] == ["Ada"]


def test_a_whole_tournament_goes_out_and_comes_in_again() -> None:
    old = tables.played_out(tables.tournament(), players=5, rounds=3)
    old.log.refresh_from_db()
    data = exporting.export_whole(by=factories.actor(), tournament=old)

    new = taken(BOM_UTF8 + data, "tournament").tournament

    assert files.kind_of("x.json", data) == "tournament"
    was, now = desks.desk_of(old), desks.desk_of(new)
    assert now.order == was.order
    assert [each.tables for each in now.rounds] == [each.tables for each in was.rounds]
    assert desks.names_of(new, now) == desks.names_of(old, was)
    assert exporting.export_whole(by=factories.actor(), tournament=new) == data


def test_a_whole_tournament_names_those_who_are_known_here() -> None:
    by = factories.actor()
    league = tables.league(by)
    day = date(2026, 1, 1)
    season = services.open_season(by=by, league=league, name="One", starts_on=day, ends_on=day)
    old = tables.played_out(tables.tournament(by, league=league), players=4, rounds=1)
    old.log.refresh_from_db()
    whole = msgspec.json.decode(exporting.export_whole(by=by, tournament=old))
    known = old.entries.get(player__name=whole["people"][0]["name"]).player_id

    def send(*players: UUID | None) -> Any:
        named = [each | {"player": pk} for each, pk in zip(whole["people"], players, strict=False)]
        data = msgspec.json.encode({**whole, "people": named + whole["people"][len(named) :]})
        path = "tournaments/import/?kind=tournament&dry_run=false"
        return Api(by).post(f"{path}&season={season.pk}", data)

    wrong = problem(send(None, known), 400, "bad-file")
    assert wrong["errors"][0]["where"] == "$.acts[1]"
    twice = problem(send(known, known), 400, "entered-already")
    assert [each["where"] for each in twice["errors"]] == ["$.people[1].player"]
    new = Tournament.objects.get(code=send(known).json()["tournament"])
    assert new.season == season
    assert new.entries.filter(player=known).count() == 1
    assert Player.objects.filter(entries__tournament__in=[old, new]).distinct().count() == 7


@pytest.mark.parametrize("kind", ["trf", "results", "entries"])
def test_a_stage_goes_out_as_text(kind: str) -> None:
    tournament = tables.played_out(tables.tournament(), players=4, rounds=2)
    tournament.log.refresh_from_db()

    text = exporting.export_stage(by=factories.actor(), tournament=tournament, kind=kind)

    assert text.count("Guest 1") >= 1


def test_entries_go_out_with_how_they_stand_and_results_with_byes_that_were_asked_for() -> None:
    tournament, by = tables.tournament(), factories.actor()
    tables.entered(tournament, 4)
    tables.act(tournament, "checked-in", entrant=1)
    tables.act(tournament, "bye-granted", entrant=2, round=1)
    tables.act(tournament, "dropped", entrant=3)
    tables.act(tournament, "disqualified", entrant=4)
    tables.entered(tournament, 1)
    tables.start(tournament, rounds=1)
    tables.paired(tournament)

    text = exporting.export_stage(by=by, tournament=tournament, kind="entries")
    said = [row.split(",")[2] for row in text.splitlines()[1:]]
    assert said == ["checked-in", "in", "dropped", "disqualified", "in"]
    tables.play(tournament)
    text = exporting.export_stage(by=by, tournament=tournament, kind="results")
    assert "1,,Guest 2,,,,,half" in text.splitlines()


def test_results_of_larger_tables_go_out_with_place_and_points_of_each_player() -> None:
    by = factories.actor()
    cup = tables.tournament(by)
    tables.entered(cup, 8)
    tables.act(cup, "bye-granted", entrant=8, round=1, worth="full")
    points: dict[str, Any] = {"table_points": [7, 5, 3, 1], "short_points": [7, 4, 1]}
    tables.start(cup, format="pods", rounds=1, best_of=1, tiebreaks=[], **points)
    tables.paired(cup)
    four, three = sorted(tables.desk(cup).rounds[0].tables, key=lambda each: -len(each.players))
    told: dict[str, Any] = {"round": 1, "table": four.number, "scores": [9, 20, 9, 1]}
    tables.act(cup, "result-reported", **told)
    gone = three.players[2]
    told = {"round": 1, "table": three.number, "scores": [2, 3, 0], "absent": [gone]}
    tables.act(cup, "result-reported", **told)

    text = exporting.export_stage(by=by, tournament=cup, kind="results")

    a, b, c, d = four.players
    e, f, _ = three.players
    heads, *rows = text.splitlines()
    assert heads == "round,table,seat,name,score,place,points,kind"
    assert sorted(rows) == sorted(
        [
            f"1,{four.number},1,Guest {a},9,2,4,played",
            f"1,{four.number},2,Guest {b},20,1,7,played",
            f"1,{four.number},3,Guest {c},9,2,4,played",
            f"1,{four.number},4,Guest {d},1,4,1,played",
            f"1,{three.number},1,Guest {e},2,2,4,played",
            f"1,{three.number},2,Guest {f},3,1,7,played",
            f"1,{three.number},3,Guest {gone},,3,0,lost-by-forfeit",
            "1,,,Guest 8,,,7,full-bye",
        ]
    )
    page = Client().get(f"/tournaments/{cup.code}/").text
    assert page.count("kind=results&amp;stage=1") == 1
    assert "kind=trf" not in page
    with pytest.raises(BadInput, match="two at a table"):
        exporting.export_stage(by=by, tournament=cup, kind="trf")


def test_a_report_file_of_ours_comes_in_again_as_it_went_out() -> None:
    tournament = tables.played_out(tables.tournament(), players=7, rounds=3)
    tournament.log.refresh_from_db()
    by = factories.actor()
    text = exporting.export_stage(by=by, tournament=tournament, kind="trf")

    found = taken(text.encode(), "trf", dry_run=True)

    assert (found.compared, found.differences) == (7, ())


def test_a_list_of_results_of_ours_comes_in_again_though_two_have_one_name() -> None:
    tournament = tables.played_out(tables.tournament(), players=5, rounds=2)
    Player.objects.filter(name__in=("Guest 2", "Guest 4")).update(name="Bo")
    by = factories.actor()
    with translation.override("de"):
        text = exporting.export_stage(by=by, tournament=tournament, kind="results")

    new = taken(text.encode(), "results").tournament

    names = desks.names_of(new, desks.desk_of(new)).values()
    assert sorted(names) == ["Bo (no. 2)", "Bo (no. 4)", "Guest 1", "Guest 3", "Guest 5"]
    assert exporting.export_stage(by=by, tournament=new, kind="results") == text


def test_a_list_from_a_page_has_the_mark_by_which_spreadsheet_programs_know_its_letters() -> None:
    by, cup = factories.actor(), tables.tournament()
    services.enter(tournament=cup, by=tables.organiser(cup), act_id=uuid4(), name="Zoë")
    page = Client().get(f"/tournaments/{cup.code}/").text
    (link,) = re.findall(r'href="([^"]*kind=entries[^"]*)"', page)
    marked = Client().get(unescape(link)).content
    assert marked == BOM_UTF8 + Api().get(f"tournaments/{cup.code}/file/", kind="entries").content
    other = tables.tournament(by)
    assert sent_list(by, other, marked.decode()).json()["rows"] == 1
    assert other.entries.get().name == "Zoë"


def test_what_is_held_back_does_not_go_out() -> None:
    tournament = tables.tournament()
    tables.entered(tournament, 4)
    tables.start(tournament)
    tables.act(tournament, "results-held", round=1)
    tables.paired(tournament)
    tables.play(tournament)
    tournament.log.refresh_from_db()

    with pytest.raises(Conflict, match="not shown yet"):
        exporting.export_whole(by=factories.actor(), tournament=tournament)
    text = exporting.export_stage(by=factories.actor(), tournament=tournament, kind="results")
    assert text.splitlines()[1:] == []
    with pytest.raises(BadInput, match="There is no stage 2"):
        exporting.export_stage(by=factories.actor(), tournament=tournament, kind="trf", stage=2)


WHOLE = (
    b'{"file": "zgxl-tournament", "title": "x", "people": [{"name": "A"}, {"name": "B"}], "acts": ['
    b'{"type": "entered"}, {"type": "entered"}, {"type": "stage-started", "format": "swiss"}, %s]}'
)


def test_a_file_of_no_kind_that_is_known_is_refused() -> None:
    with pytest.raises(BadInput) as refused:
        files.kind_of("cup.pdf", b"%PDF")
    assert (refused.value.code, refused.value.where) == ("unknown-file", "$.file")


@pytest.mark.parametrize(
    ("data", "kind", "code"),
    [
        (b"{", "published", "bad-file"),
        (b"\xff", "trf", "bad-file"),
        (b"001", "trf", "bad-file"),
        (b"round,first,second\nx,Ada,\n", "results", "bad-file"),
        (b"{}", "tournament", "bad-file"),
        (b'{"title": "x", "people": [], "acts": [{"type": "entered"}]}', "tournament", "bad-file"),
        (WHOLE % b'{"type": "seed-revealed", "seed": "00"}', "tournament", "bad-file"),
        (
            b'{"file": "zgxl-tournament", "title": "x", "people": [{"name": "A"}],'
            b' "acts": [{"type": "entered", "seats": 5}]}',
            "tournament",
            "wrong-type",
        ),
        (b'{"title": ' + b"[" * 100_000, "published", "bad-file"),
        (b'{"else": ' + b"[" * 100_000, "published", "too-deep"),
        (b'{"file": "zgxl-tournament", "else": ' + b"[" * 100_000, "tournament", "too-deep"),
        (b"", "paper", "unknown-value"),
        (b" " * (files.MAX_BYTES + 1), "published", "too-large"),
    ],
)
def test_a_file_that_means_nothing_is_refused(data: bytes, kind: str, code: str) -> None:
    with pytest.raises(BadInput) as refused:
        taken(data, kind)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("data", "kind", "where"),
    [
        (RESULTS.replace("Ada", "A" * 81).encode(), "results", "$.file"),
        (RESULTS.replace(",2,1,", ",9999,1,").encode(), "results", "round 1, table 1"),
        (b"round,first,second\n1,Ada,\n", "results", "$.file"),
        (WHOLE % b'{"type": "round-published", "round": 9}', "tournament", "$.acts[3]"),
        (WHOLE % b'{"type": "nothing"}', "tournament", "$.acts[3].type"),
        (WHOLE % b'{"type": "entered"}', "tournament", "$.acts[3]"),
        (WHOLE.replace(b'"B"', b'" "') % b"{}", "tournament", "$.people[1].name"),
        (WHOLE.replace(b'"title"', b'"options": {"cap": 1}, "title"') % b"{}", "tournament", "$"),
    ],
)
def test_a_file_that_goes_wrong_later_leaves_nothing(data: bytes, kind: str, where: str) -> None:
    with pytest.raises(BadInput) as refused:
        taken(data, kind)

    assert refused.value.where.startswith(where)
    assert not Tournament.objects.exists()
    assert not Player.objects.filter(user=None).exists()


def test_the_command_records_a_file_and_says_what_differs(tmp_path: Path) -> None:
    user = factories.actor().user
    right, wrong = tmp_path / "cup.json", tmp_path / "other.json"
    right.write_bytes(published())
    wrong.write_bytes(published().replace(b'"omw":0.537037', b'"omw":0.5'))
    out = io.StringIO()

    call_command("import_tournament", right, organiser=user.username, stdout=out)

    assert "0 differences to 6 published rows" in out.getvalue()
    with pytest.raises(CommandError, match="1 differences, 0 rounds"):
        call_command("import_tournament", wrong, organiser=user.username, stdout=out)
    with pytest.raises(CommandError, match="no account"):
        call_command("import_tournament", right, organiser="nobody", stdout=out)
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("import_tournament", tmp_path / "none.json", organiser=user.username)


# -- practice -------------------------------------------------------------------------------


def test_a_tournament_is_practised_from_before_a_round() -> None:
    old = tables.played_out(tables.tournament(title="Cup"), players=4, rounds=3)
    old.log.refresh_from_db()
    by = factories.actor()

    new = importing.practise(by=by, tournament=old, number=2)

    was, now = desks.desk_of(old), desks.desk_of(new)
    assert now.rounds == was.rounds[:1]
    assert not now.closed
    assert new.visibility == Tournament.Visibility.ENTRANTS
    assert list(desks.names_of(new, now).values()) == [f"Entrant {i}" for i in range(1, 5)]
    tables.paired(new, seed=7)
    again = importing.practise(by=by, tournament=old, number=2)
    assert again.pk == new.pk
    with pytest.raises(BadInput, match="3 rounds were paired"):
        importing.practise(by=by, tournament=old, number=4)


def test_the_command_opens_the_last_that_was_closed() -> None:
    user = factories.actor().user
    old = tables.played_out(tables.tournament(title="Cup"), players=2, rounds=1)
    followers.work(old.pk)
    out = io.StringIO()

    call_command("practise", user.username, stdout=out)

    assert out.getvalue().startswith("Practice: Cup")
    with pytest.raises(CommandError, match="no account"):
        call_command("practise", "nobody")
    with pytest.raises(CommandError, match="no such tournament"):
        call_command("practise", user.username, tournament="NONE")
    with pytest.raises(CommandError, match="1 round was paired"):
        call_command("practise", user.username, round=2)


def test_a_file_comes_in_by_the_api_after_a_dry_run() -> None:
    api = Api(factories.actor())
    path = "tournaments/import/?kind=published&title=Cup"

    tried = api.post(path, published())
    assert tried.status_code == 200
    assert not Tournament.objects.exists()
    kept = api.post(f"{path}&dry_run=false", published())
    assert kept.status_code == 201
    told = kept.json()
    assert (told["players"], told["rounds"], told["compared"], told["differences"]) == (6, 3, 6, [])
    assert told["weighed"] == tried.json()["weighed"]
    again = api.post(f"{path}&dry_run=false", published())
    assert (again.status_code, again.json()) == (200, told)
    assert api.get(f"tournaments/{told['tournament']}/").json()["title"] == "Cup"
    assert Tournament.objects.count() == 1


def test_all_that_is_wrong_with_a_file_is_answered_with_its_place() -> None:
    api = Api(factories.actor())
    table = "round,first,second,won,lost,absent\nx,Ada,Bo,2,0,\n1,Cy,Cy,2,0,\n1,Di,Ed,2,z,Fay\n"
    told = problem(api.post("tournaments/import/?kind=results", table.encode()), 400, "bad-file")
    assert [each["where"] for each in told["errors"]] == [
        "row 2, column round",
        "row 3, column first",
        "row 4, column absent",
    ]
    report = FOUR.replace(" 1 ", " ? ", 1).replace("001    4", "001    x", 1)
    told = problem(api.post("tournaments/import/?kind=trf", report.encode()), 400, "bad-file")
    assert {each["where"].split()[0] for each in told["errors"]} == {"line"}
    acts = b'{"type": "nothing"}, {"type": "round-published", "round": "x"}'
    told = problem(
        api.post("tournaments/import/?kind=tournament", WHOLE % acts), 400, "unknown-value"
    )
    assert [each["where"] for each in told["errors"]] == ["$.acts[3].type", "$.acts[4].round"]
    acts = b'{"type": "round-published", "round": 8}, {"type": "round-closed", "round": 9}'
    told = problem(api.post("tournaments/import/?kind=tournament", WHOLE % acts), 400, "bad-file")
    assert [each["where"] for each in told["errors"]] == ["$.acts[3]", "$.acts[4]"]
    assert not Tournament.objects.exists()


def sent_list(by: Actor, cup: Tournament, table: str, **query: str) -> Any:
    """Send a list of a tournament, of entries unless it is said, to be kept at once."""
    asked = {"kind": "entries", "id": str(uuid4()), "dry_run": "false", **query}
    path = f"tournaments/{cup.code}/import/?{urlencode(asked)}"
    return Api(by).post(path, table.encode(), content_type="text/csv")


def test_lists_come_in_whole_or_not_at_all() -> None:
    by = factories.actor()
    cup = tables.tournament(by)

    def send(kind: str, table: str, **query: str) -> Any:
        return sent_list(by, cup, table, kind=kind, **query)

    wrong = send("entries", "name,rating\nAda,1500\n,3\nBo,x\nAda,3\n")
    places = [each["where"] for each in problem(wrong, 400, "bad-file")["errors"]]
    assert places == ["row 3, column name", "row 4, column rating", "row 5, column name"]
    people = "name,rating\nAda,1500\nBo,\nCy,\nDi,\nEd,\n"
    act_id = str(uuid4())
    assert send("entries", people, dry_run="true").json() == {
        "rows": 5,
        "kept": False,
        "namesakes": [],
    }
    assert not cup.entries.exists()
    for _ in range(2):  # sent again it is recorded once
        assert send("entries", people, id=act_id).json()["kept"]
    assert cup.entries.count() == 5
    for other in (people.replace("Ed", "Fay"), people + "Fay,\n", people.replace("1500", "9")):
        for dry_run in ("true", "false"):
            problem(send("entries", other, id=act_id, dry_run=dry_run), 409, "id-reused")
    problem(send("results", "round,first,second\n1,Ada,Bo\n", id=act_id), 409, "id-reused")
    assert cup.entries.count() == 5
    told = problem(send("entries", "name\nBo\nFay\n"), 400, "entered-already")
    assert [each["where"] for each in told["errors"]] == ["row 2, column name"]

    tables.start(cup)
    tables.paired(cup)
    desk = tables.desk(cup)
    names = desks.names_of(cup, desk)
    one, two = desk.rounds[0].tables
    first, second = (names[number] for number in one.players)
    third, fourth = (names[number] for number in two.players)
    out = names[desk.rounds[0].byes[0]]
    Player.objects.filter(name__in=(second, fourth)).update(name="Gil")
    problem(send("results", f"round,first,second\n1,{first},Gil\n"), 400, "unknown-name")
    second, fourth = (f"Gil (no. {each.players[1]})" for each in (one, two))
    heads = "round,first,second,won,lost,absent\n"
    rows = f"1,{second},{first},0,2,\n1,{third},{fourth},,,{fourth}\n1,{out},,,,\n"
    version, act_id = cup.log.head_version, str(uuid4())
    bad = f"1,{first},{third},2,0,\n2,{second},{fourth},2,0,\n1,Zoe,,,,\n"
    told = problem(send("results", heads + bad), 400, "not-paired")
    assert [each["code"] for each in told["errors"]] == [
        "not-paired",
        "other-round",
        "unknown-name",
    ]
    assert told["errors"][-1]["detail"] == "Nobody here is called Zoe."
    told = problem(send("results", heads + rows.replace("0,2", "7,9")), 400, "irregular")
    assert [each["where"] for each in told["errors"]] == ["row 2"]
    assert tables.desk(cup).rounds[0].tables == desk.rounds[0].tables
    assert cup.log.head_version == version
    both_lost = f"{heads}1,{first},{second},,,lost\n"
    assert send("results", both_lost, dry_run="true").json()["rows"] == 1
    for _ in range(2):
        assert send("results", heads + rows, id=act_id).json()["rows"] == 3
    other = rows.replace("0,2", "1,2")
    problem(send("results", heads + other, id=act_id), 409, "id-reused")
    problem(send("entries", people, id=act_id), 409, "id-reused")
    found = tables.desk(cup).rounds[0].tables
    assert [table.status for table in found] == ["settled", "settled"]
    assert found[0].result is not None
    assert found[0].result.scores == (2, 0)
    assert found[1].result is not None
    assert found[1].result.absent == (two.players[1],)
    followers.work(cup.pk)
    assert cup.rounds.get().pairings.count() == 3


def test_a_list_asks_whom_a_known_name_means_and_takes_nobody_for_another_by_it() -> None:
    by = factories.actor()
    league = tables.league(by)
    old, new = (tables.tournament(by, title=title, league=league) for title in ("Old", "New"))
    ada, bo = (
        services.enter(tournament=old, by=by, act_id=uuid4(), name=name).player
        for name in ("Ada", "Bo")
    )
    stranger = factories.user("Ada").player
    assert ada is not None
    assert bo is not None

    def send(text: str, dry_run: str = "false", act_id: str = "") -> Any:
        return sent_list(by, new, text, dry_run=dry_run, id=act_id or str(uuid4()))

    told = send("name\nada\nADA\nCy\n", "true").json()["namesakes"]
    known = [{"player": str(ada.pk), "name": "Ada", "last": "Old"}]
    assert told == [
        {"row": row, "name": name, "players": known} for row, name in ((2, "ada"), (3, "ADA"))
    ]
    for wrong in (stranger, bo):
        problem(send(f"name,player\nAda,{wrong.pk}\n"), 400, "no-such-player")
    assert not new.entries.exists()
    text, act_id = f"name,player\nada,{ada.pk}\nBo,\nCy,\n", str(uuid4())
    for _ in range(2):
        assert send(text, act_id=act_id).json()["kept"]
    problem(send(text.replace("Bo,", f"Bo,{bo.pk}"), act_id=act_id), 409, "id-reused")
    entered = set(new.entries.values_list("player", flat=True))
    assert len(entered) == 3
    assert entered & {ada.pk, bo.pk} == {ada.pk}


@pytest.mark.parametrize("named", ["Zo\u00eb", "Zoe\u0308"])
def test_a_name_of_a_list_is_the_same_however_its_accent_is_spelled(named: str) -> None:
    other = {"Zo\u00eb": "Zoe\u0308", "Zoe\u0308": "Zo\u00eb"}[named]
    by = factories.actor()
    cup = tables.tournament(by)
    zoe = matches.add_guest(by=by, name=named)
    text = f"name\n{other}\nBo\n"
    (asked,) = sent_list(by, cup, text, dry_run="true").json()["namesakes"]
    assert (asked["name"], asked["players"][0]["player"]) == ("Zo\u00eb", str(zoe.pk))
    found = intake.take_in_list(
        by=by, tournament=cup, act_id=uuid4(), kind="entries", text=text, chosen={named: zoe.pk}
    )
    assert found.kept
    assert cup.entries.filter(player=zoe).exists()
    problem(sent_list(by, cup, f"name\n{named}\n{other}\n"), 400, "bad-file")
    tables.start(cup)
    tables.paired(cup)
    followers.work(cup.pk)
    result = f"round,first,second,won\n1,{other},Bo,1\n"
    assert sent_list(by, cup, result, kind="results").json()["kept"]


def test_a_list_drafted_again_asks_anew_who_may_be_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    by = factories.actor()
    cup = tables.tournament(by)
    ada = matches.add_guest(by=by, name="Ada")
    asked: list[Any] = []

    def found(*about: Any) -> Any:
        asked.append(intake_known(*about))
        if len(asked) == 1:
            own = Tournament.objects.get(pk=cup.pk)
            services.enter(tournament=own, by=by, act_id=uuid4(), player=ada)
        return asked[-1]

    intake_known = intake.namesakes_of
    monkeypatch.setattr(intake, "namesakes_of", found)
    text = f"name,player\nada,{ada.pk}\n"
    problem(sent_list(by, cup, text, dry_run="false", id=str(uuid4())), 400, "entered-already")
    assert len(tables.desk(cup).people) == 1
    assert len(asked) > 1


def test_a_list_on_its_page_offers_who_is_known_and_whose_entry_was_taken_back() -> None:
    by = factories.actor()
    cup = tables.tournament(by)
    client, path = signed_in(by.user), f"/tournaments/{cup.code}/import/"
    first = services.enter(tournament=cup, by=by, act_id=uuid4(), name="Ada")
    services.take_back(tournament=cup, by=by, act_id=uuid4(), to=1)
    sent = {"kind": "entries", "text": "Ada\nBo\n", "act_id": str(uuid4())}
    assert first.player is not None
    tried = squeezed(client.post(path, sent))
    assert f'<option value="{first.player.pk}" selected>The same Ada' in tried
    assert 'name="who-Bo"' not in tried
    kept = client.post(path, {**sent, "keep": "1", "who-Ada": str(first.player.pk)})
    assert kept.status_code == 302
    assert list(desks.names_of(cup, tables.desk(cup)).values()) == ["Ada", "Bo"]
    assert cup.entries.get(player=first.player).pk == first.pk
    again = {**sent, "act_id": str(uuid4()), "keep": "1"}
    services.take_back(tournament=cup, by=by, act_id=uuid4(), to=1)
    named = again | {"text": f"name,player\nAda,{first.player.pk}\n", "who-Ada": "new"}
    assert client.post(path, named).status_code == 302  # what is chosen goes before the list
    assert not desks.number_of(tables.desk(cup), first)
    unsaid = {**sent, "text": "Cy", "act_id": str(uuid4()), "keep": "1", "who-Cy": ""}
    assert client.post(path, unsaid).status_code == 400
    assert client.post(path, {**unsaid, "who-Cy": "new"}).status_code == 302


def test_what_is_wrong_with_a_list_is_said_in_the_language_of_the_page() -> None:
    by = factories.actor()
    client, path = signed_in(by.user), f"/tournaments/{tables.tournament(by).code}/import/"
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "de"
    sent = {"kind": "entries", "act_id": str(uuid4())}
    refused = client.post(path, {**sent, "text": "name,rating\nAda,\nAda,\nBo,x\n"})
    told = unescape(squeezed(refused))
    assert "Ada steht zweimal da." in told
    assert "'x' ist keine Zahl für rating." in told
    assert "Zeile 3, Spalte name" in told
    report = {"text": "001    1", "title": "Cup", "act_id": str(uuid4())}
    told = unescape(squeezed(client.post("/tournaments/import/", report)))
    assert "Kein Name steht da, in den Spalten 15 bis 47." in told
    assert ">Zeile 1<" in told


def test_a_file_comes_in_by_its_page() -> None:
    by = factories.actor()
    client = signed_in(by.user)
    path = "/tournaments/import/"

    tried = client.post(path, {"file": SimpleUploadedFile("cup.json", published())})
    assert tried.status_code == 200
    assert "0 differences to 6 published rows" in tried.content.decode()
    text = tried.context["form"].initial["text"]
    kept = client.post(path, {"text": text, "title": "Cup", "keep": "1"})
    assert kept.status_code == 302
    assert Tournament.objects.get().title == "Cup"
    wrong = client.post(path, {"text": "round,first,second\nx,Ada,\ny,Bo,\n", "keep": "1"})
    assert wrong.status_code == 400
    assert "2 problems; nothing was kept" in wrong.content.decode()
    assert "row 3, column round" in wrong.content.decode()
    assert Tournament.objects.count() == 1


@pytest.mark.parametrize("coding", ["latin-1", "utf-16"])
@pytest.mark.parametrize("at", ["tournament", "list"])
def test_a_file_in_another_coding_is_refused_and_not_offered_in_pieces(
    coding: str, at: str
) -> None:
    by = factories.actor()
    paths = {
        "tournament": "/tournaments/import/",
        "list": f"/tournaments/{tables.tournament(by).code}/import/",
    }
    rows = "name\nZoë\n" if at == "list" else RESULTS.replace("Ada", "Zoë")
    sent = SimpleUploadedFile("list.csv", rows.encode(coding))
    page = signed_in(by.user).post(
        paths[at], {"file": sent, "kind": "entries", "act_id": str(uuid4())}
    )
    line = 2 if coding == "latin-1" else 1
    assert page.status_code == 400
    told = squeezed(page)
    assert f"line {line}" in told
    assert "The file is not text in UTF-8." in told
    assert page.context["form"].initial["text"] == ""


def test_points_and_places_of_a_report_file_are_compared_before_it_is_kept() -> None:
    client = signed_in(factories.user())
    page = client.post("/tournaments/import/", {"text": FOUR}).content.decode()
    assert "Nothing is wrong with it" not in page
    assert "its standings come out differently" in page
    assert "Di: place 1, published 3" in page
    assert "Cy: points 1, published 1.5" in page


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("012 X\n001    1 Foo", "No name is there"),
        ("round,table,first,second,won,lost\n", "Nobody plays in this file."),
        ('{"rounds": [], "expected_standings": []}', "Nobody plays in this file."),
    ],
)
def test_a_file_without_players_is_not_kept(text: str, said: str) -> None:
    page = signed_in(factories.user()).post("/tournaments/import/", {"text": text, "keep": "1"})

    assert page.status_code == 400
    assert said in page.content.decode()
    assert not Tournament.objects.exists()


def test_a_file_of_more_than_a_tournament_holds_says_how_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(files, "MAX_PEOPLE", 3)
    with pytest.raises(files.BadFile, match="holds at most 3 entrants") as refused:
        taken(FOUR.encode(), "trf")

    assert refused.value.code == "too-many"
    assert not Tournament.objects.exists()


def test_a_list_of_more_than_a_tournament_holds_says_which_row_is_too_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    by = factories.actor()
    cup = tables.tournament(by)
    tables.entered(cup, 2)
    for module in (files, intake):
        monkeypatch.setattr(module, "MAX_PEOPLE", 3)
    with pytest.raises(files.BadFile, match="holds at most 3 entrants") as refused:
        intake.take_in_list(
            by=by, tournament=cup, act_id=uuid4(), kind="entries", text="name\nCy\nDi\nEve\n"
        )

    assert [each["where"] for each in refused.value.errors] == ["row 3"]


def test_the_same_file_under_another_title_says_that_it_is_here() -> None:
    client = signed_in(factories.user())
    client.post("/tournaments/import/", {"text": FOUR, "title": "Mine", "keep": "1"})
    cup = Tournament.objects.get(title="Mine")

    again = client.post("/tournaments/import/", {"text": FOUR, "title": "Other"})

    assert again.status_code == 409
    page = again.content.decode()
    assert "This file was imported already, as Mine." in page
    assert f'<a href="{cup.get_absolute_url()}">Mine</a>' in page
    assert Tournament.objects.count() == 1


def test_what_comes_out_otherwise_is_told_in_german() -> None:
    client = signed_in(factories.user())
    form = {"text": FOUR}
    page = client.post("/tournaments/import/", form, HTTP_ACCEPT_LANGUAGE="de").content.decode()
    assert "Di: Platz 1, veröffentlicht 3" in page
    assert "Cy: Punkte 1, veröffentlicht 1.5" in page


def test_a_column_of_standings_has_one_number_of_decimals() -> None:
    found = taken(FOUR.encode(), "trf")
    page = Client().get(f"{found.tournament.get_absolute_url()}standings/").content.decode()
    rows = [re.findall(r'<td class="num[^>]*>([^<]*)', row) for row in page.split("<tr")[2:]]
    points = [row[0] for row in rows]
    assert "2.5" in points
    assert {len(each.partition(".")[2]) for each in points} == {1}
