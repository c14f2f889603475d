"""Every page type in a pseudo-language: it opens, and all of its text is translated."""

import re

import polib
import pytest
from django.conf import settings
from django.test import Client
from django.utils import translation

from tests.browser.pages import PAGES, world
from tests.deploy import pseudo
from tests.deploy.test_translations import FILE

NOT_YET = {
    *("Artifex", "Earth", "Luna", "Terminus", "The books"),  # titles of lore and of proofs
    *("Bracket", "Swiss"),  # names that the stages of the tournament here were given
    "First",  # a division
    "My cards",  # a set of cards that was kept without a name
    *("Deutsch", "English"),  # languages, each in its own
    *("blue", "open"),  # the colour of a card, a way to use a place
}
"""What some page says as it stands, though the catalogue has it. Nothing is added here."""

COMMA = re.compile(r"<[a-z]+\b[^>]* (?:c?[xy]|[xy][12]|r|width|height|value|min|max)=\"-?\d+,\d")


@pytest.mark.django_db
@pytest.mark.postgresql  # no word depends on the engine
@translation.override("en")  # what a page was asked in does not stay
def test_no_page_says_what_it_did_not_look_up(monkeypatch: pytest.MonkeyPatch) -> None:
    eye, clients, said = world(), dict[str, Client](), dict[str, str]()
    known = {entry.msgid for entry in polib.pofile(FILE)}
    pseudo.put_in(monkeypatch)
    for name, states in PAGES.items():
        for page in states if not name.startswith("admin:") else []:
            client = clients.setdefault(page.by, Client())
            client.cookies[settings.LANGUAGE_COOKIE_NAME] = pseudo.LANGUAGE
            client.cookies.load(eye.cookies(page.by))
            answer = client.get(page.at(eye))
            assert answer.status_code == page.status, name
            body = answer.content.decode()
            assert f'<html lang="{pseudo.LANGUAGE}"' in body, name
            assert not COMMA.findall(body), name  # numbers that programs read have a point
            said |= {piece: name for piece in pseudo.Seen(body).unmarked() if piece in known}
    assert {piece: name for piece, name in said.items() if piece not in NOT_YET} == {}
