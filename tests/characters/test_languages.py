"""What pages say about characters is translated into the reader's language."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation

from characters import editing, search, services
from characters.career import Outing
from characters.services import Circumstances, Recording
from matches import rivals
from matches.actors import NOBODY
from matches.models import Match
from tests import factories
from tests.characters.sheets import AFTER, SHEET
from tests.deploy import pseudo

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


@pytest.fixture(autouse=True)
def _spoken(monkeypatch: pytest.MonkeyPatch) -> None:
    pseudo.put_in(monkeypatch)


def unmarked(page: str) -> str:
    """Return what a page says that was not looked up."""
    return "\n".join(pseudo.Seen(page).unmarked())


@translation.override("en")  # what a page was asked in does not stay
def test_the_paste_the_books_and_the_history_speak_the_language_of_the_reader() -> None:
    owner = factories.actor()
    client = factories.client_of(owner)
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = pseudo.LANGUAGE
    asked = client.post("/characters/paste/", {"text": SHEET + AFTER + "\n\n" + SHEET})
    seen = unmarked(asked.content.decode())
    for english in ("carries the star", "is left after", "the maker", "another character"):
        assert english not in seen
    assert "Background, Private/OOC" not in seen.split("\n")
    oriel = services.paste(by=owner, text=SHEET)
    gone = Recording("gift", amount=1, out=True, told=Circumstances(certainty="disputed"))
    services.record(by=owner, character=oriel, act_id=uuid4(), what=gone)
    editing.edit_section(by=owner, character=oriel, kind="public", audience="owner")
    editing.add_favour(by=owner, character=oriel, kind="grudge", text="x", audience="players")
    editing.edit_goal(
        by=owner, goal=editing.add_goal(by=owner, character=oriel, text="x"), current=True
    )
    seen = unmarked(client.get(f"{oriel.get_absolute_url()}ledger/").content.decode())
    assert "came to" not in seen
    seen = unmarked(client.get(f"{oriel.get_absolute_url()}history/").content.decode())
    assert {"public", "owner", "grudge:", "(players)", "(current)"}.isdisjoint(seen.split())


@pytest.mark.parametrize("text", ["sound:loud", "cost>much", "slot>3", "is:good", "owner:me"])
def test_what_can_not_be_searched_is_told_in_the_language_of_the_reader(text: str) -> None:
    with translation.override(pseudo.LANGUAGE):
        [term] = search.read(text, NOBODY).problems
    assert term.problem.startswith("⟦")


def test_how_a_match_came_out_is_told_in_the_language_of_the_reader() -> None:
    with translation.override(pseudo.LANGUAGE):
        won = rivals.Outing(Match(), "won", "Ada and Ben").label
        outing = Outing(
            id=uuid4(),
            match="BRWY7F",
            title="A match",
            character=uuid4(),
            name="Oriel",
            seat=1,
            fielded_at=datetime(2026, 1, 1, tzinfo=UTC),
            record=None,
            result="won",
        )
        page = render_to_string("characters/_item_outing.html", {"outing": outing})
    assert won == pseudo.stretched("Won")
    assert won.lower() in page
