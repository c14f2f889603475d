"""An organiser annuls what somebody who left a round robin has played: pages, rows and files."""

import pytest
from django.test import Client

from league import exporting, importing, services
from league.models import RatedTable, Role, Standing, Tournament
from matches.errors import Impossible, NotAllowed
from matches.followers import work
from tests import factories
from tests.api.client import Api
from tests.html import squeezed
from tests.league import desks
from tests.league.consoles import Console

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

ROBIN = {"format": "round-robin", "best_of": 3, "tiebreaks": ["de", "sb"]}
CHIP = '<span class="chip">results annulled</span>'


@pytest.fixture
def cup() -> Tournament:
    """Return a round robin of four after two rounds: 4 has beaten 1, lost to 3, and dropped."""
    cup = desks.tournament(stages=[ROBIN])
    desks.entered(cup, 4)
    desks.act(cup, "stage-started", **ROBIN, seed=7)
    for _ in range(2):
        desks.paired(cup)
        desks.play(cup, lambda t: (0, 2) if {*t.players} == {1, 4} else desks.first_wins(t))
    desks.act(cup, "dropped", entrant=4)
    work(cup.pk)
    return cup


def rows(cup: Tournament, number: int) -> list[tuple[int, str]]:
    """Return the stored standings after a round: entrants, best first, with their points."""
    work(cup.pk)
    found = Standing.objects.filter(tournament=cup, round=number).order_by("place")
    return list(found.values_list("entry__number", "points"))


def test_results_are_annulled_at_the_console_and_it_is_undone(cup: Tournament) -> None:
    console, rated = Console(cup), RatedTable.objects.count()
    before = rows(cup, 1), rows(cup, 2)
    assert console.page().count("Annul their results: Guest ") == 1

    form = {"type": "results-annulled", "entrant": 4}
    assert "This needs a reason." in console.post(422, **form, note="")
    page = console.post(**form, note="Moved away.")
    assert "The results of Guest 4 in this stage are annulled." in page
    assert "Moved away." in page and CHIP in page
    assert "Annul their results" not in page and "Back: Guest 4" not in page
    asked = console.client.get(f"/tournaments/{cup.code}/console/?name=Guest+4")
    assert "Which Guest 4?" in squeezed(asked) and "is back" not in squeezed(asked)

    assert rows(cup, 1) == [(2, "3"), (1, "0"), (3, "0"), (4, "0")]
    assert rows(cup, 2) == [(1, "3"), (2, "3"), (3, "0"), (4, "0")]
    assert RatedTable.objects.count() == rated == 4

    cup.log.refresh_from_db()
    console.post(url=f"/tournaments/{cup.code}/undo/", to=cup.log.head_version - 1)
    assert (rows(cup, 1), rows(cup, 2)) == before


def test_everybody_is_told(cup: Tournament) -> None:
    url, since = f"/tournaments/{cup.code}/", cup.log.head_version
    desks.act(cup, "results-annulled", entrant=4, note="Moved away.")
    client = Client()

    page = squeezed(client.get(f"{url}standings/"))
    assert page.count(CHIP) == 1 and page.rindex("Guest 4") < page.index(CHIP)
    assert CHIP in squeezed(client.get(f"{url}print/standings/"))
    counts = [
        "does not count" in squeezed(client.get(f"{url}rounds/2/tables/{table.number}/"))
        for table in desks.desk(cup).rounds[1].tables
    ]
    assert counts == [4 in table.players for table in desks.desk(cup).rounds[1].tables]
    assert squeezed(client.get(f"{url}rounds/2/")).count("does not count") == 1
    moved = squeezed(client.get(f"{url}standings/changes/?since={since}"))
    assert "The results of Guest 4 in this stage are annulled." in moved

    told = Api().get("standings/", tournament=cup.code).json()["results"]
    assert {row["entrant"]: (row["won"], row["lost"], row["annulled"]) for row in told} == {
        1: (1, 0, False), 2: (1, 1, False), 3: (0, 1, False), 4: (0, 0, True),
    }  # fmt: skip
    state = Api().get(f"tournaments/{cup.code}/state/").json()["state"]
    assert state["stages"][0]["annulled"] == [4]


def test_who_was_to_meet_them_rests_and_files_keep_the_games(cup: Tournament) -> None:
    desks.act(cup, "results-annulled", entrant=4, note="Moved away.")
    desks.paired(cup)
    assert ">Rests<" in squeezed(Client().get(f"/tournaments/{cup.code}/rounds/3/"))
    desks.play(cup)
    desks.act(cup, "tournament-closed")
    assert rows(cup, 0) == [(1, "6"), (2, "3"), (3, "0"), (4, "0")]

    whole = exporting.export_whole(by=desks.organiser(cup), tournament=cup)
    by = factories.actor()
    again = importing.import_tournament(by=by, data=whole, kind="tournament").tournament
    assert desks.desk(again).stages[0].annulled == (4,)
    results, report = (
        exporting.export_stage(by=by, tournament=cup, kind=kind) for kind in ("results", "trf")
    )
    assert results.count("Guest 4") == 2
    found = importing.import_tournament(by=by, data=report.encode(), kind="trf", dry_run=True)
    assert any("Guest 4" in each or "Guest 1" in each for each in found.differences)


def test_only_an_organiser_annuls_and_only_a_round_robin(cup: Tournament) -> None:
    judge = factories.actor()
    services.name_member(
        by=desks.organiser(cup), tournament=cup, player=judge.player, role=Role.JUDGE
    )
    with pytest.raises(NotAllowed):
        desks.act(cup, "results-annulled", by=judge, entrant=4, note="Moved away.")
    assert "Annul their results" not in Console(cup, judge).page()

    swiss = desks.tournament()
    desks.entered(swiss, 4)
    desks.start(swiss)
    desks.act(swiss, "dropped", entrant=4)
    with pytest.raises(Impossible, match="only in the current stage, if it is a round robin"):
        desks.act(swiss, "results-annulled", entrant=4, note="Moved away.")
