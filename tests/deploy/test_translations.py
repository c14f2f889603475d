"""The German catalogue is complete, matches the sources, and is compiled."""

import re
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import polib
import pytest
from django.conf import settings
from django.test import Client
from django.utils import translation

import rules
from characters.models import LedgerEntry
from characters.templatetags.gear import came
from matches import script_words
from rules import texts
from tests import factories
from tests.deploy.words import english_fillings, messages
from tests.html import squeezed

HOW = "`make messages` brings the catalogue up to date"
STATIC = Path(settings.BASE_DIR) / "deploy" / "static"
FILE = Path(settings.LOCALE_PATHS[0]) / "de" / "LC_MESSAGES" / "django.po"
HOLES = re.compile(r"%\(\w+\)s|%%|\{\w*(?:![ars])?(?::[^}]*)?\}")
TAGS = re.compile(r"</?[a-z][^>]*>|&lt;|&gt;")


@pytest.fixture(scope="module")
def catalogue() -> list[polib.POEntry]:
    return list(polib.pofile(FILE))


def pairs(entry: polib.POEntry) -> Iterator[tuple[str, str]]:
    """Yield each text with what it is in German."""
    if not entry.msgid_plural:
        yield entry.msgid, entry.msgstr
        return
    yield entry.msgid, entry.msgstr_plural[0]
    yield entry.msgid_plural, entry.msgstr_plural[1]


def test_what_the_sources_mark_is_in_the_catalogue_and_nothing_else(
    catalogue: list[polib.POEntry],
) -> None:
    assert {entry.msgid: entry.msgid_plural for entry in catalogue} == messages(), HOW


def test_what_one_signs_in_with_has_one_name() -> None:
    """Django and its packages say "Username"."""
    assert [text for text in messages() if "user name" in text.lower()] == []


def test_no_text_is_filled_with_words_that_no_catalogue_has() -> None:
    assert list(english_fillings()) == []


def test_everything_is_translated(catalogue: list[polib.POEntry]) -> None:
    assert [entry.msgid for entry in catalogue if not entry.translated()] == []


def test_a_translation_has_the_holes_and_the_tags_of_its_text(
    catalogue: list[polib.POEntry],
) -> None:
    for text, german in (pair for entry in catalogue for pair in pairs(entry)):
        for parts in (HOLES, TAGS):
            assert sorted(parts.findall(german)) == sorted(parts.findall(text)), text
        # A text may stand in an attribute: a straight quotation mark would end it.
        assert '"' not in TAGS.sub("", german) or '"' in TAGS.sub("", text), text


def test_the_compiled_catalogue_says_the_same(catalogue: list[polib.POEntry]) -> None:
    compiled = {(each.msgctxt, each.msgid): each for each in polib.mofile(FILE.with_suffix(".mo"))}
    assert compiled.keys() == {(each.msgctxt, each.msgid) for each in catalogue}, HOW
    for entry in catalogue:
        assert list(pairs(compiled[entry.msgctxt, entry.msgid])) == list(pairs(entry)), HOW


def test_a_browser_is_answered_in_its_language_and_a_cookie_wins(client: Client, db: None) -> None:
    page = client.get("/j/", headers={"accept-language": "de-CH,de;q=0.9,en;q=0.5"})
    assert page["Content-Language"] == "de"
    assert '<html lang="de"' in page.content.decode()
    assert "E-Mail <" in squeezed(client.get("/signup/", headers={"accept-language": "de"}))
    assert {"Accept-Language", "Cookie"} <= set(page["Vary"].split(", "))
    client.post("/theme/", {"theme": "auto", "language": "en"})
    assert client.get("/j/", headers={"accept-language": "de"})["Content-Language"] == "en"
    client.post("/theme/", {"theme": "auto", "language": ""})
    assert client.get("/j/", headers={"accept-language": "de"})["Content-Language"] == "de"


def test_the_back_office_speaks_its_reader_s_language(admin_client: Client) -> None:
    german = {"accept-language": "de"}
    said = admin_client.get("/admin/league/league/add/", headers=german).content.decode()
    assert "Was über das Regelwerk hinaus verabredet ist" in said
    assert "Charaktere und Karten" in admin_client.get("/admin/", headers=german).content.decode()


def test_programs_are_answered_in_english(client: Client, db: None) -> None:
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
    for path in ("/api/v1/matches/NOSUCH/", "/feed.atom"):
        answer = client.get(path, headers={"accept-language": "de"})
        assert answer["Content-Language"] == "en", path
        assert "Accept-Language" not in answer.get("Vary", ""), path
    assert client.get("/api/v1/matches/NOSUCH/").json()["detail"] == "There is no match NOSUCH."


def test_who_records_on_a_page_is_refused_in_its_language(client: Client, db: None) -> None:
    url = "/api/v1/matches/NOSUCH/acts/"
    body = {"id": str(uuid4()), "act": factories.points()}
    sent = {"content_type": "application/json", "headers": {"accept-language": "de"}}
    assert client.post(url, body, **sent).json()["detail"] == "There is no match NOSUCH."
    sent["headers"]["sec-fetch-site"] = "same-origin"
    answer = client.post(url, body, **sent)
    assert answer["Content-Language"] == "de"
    assert answer.json()["detail"] == "Es gibt keine Partie NOSUCH."


def test_german_dates_have_one_form(catalogue: list[polib.POEntry]) -> None:
    dates = [entry.msgstr for entry in catalogue if re.match("j [FMN]", entry.msgid)]
    assert dates
    assert {re.sub(r"( Y)?(, H:i.*)?$", "", each) for each in dates} == {"j. N"}


def test_dates_in_forms_are_as_browsers_write_them() -> None:
    from django.forms import DateField, DateInput

    with translation.override("de"):
        assert DateInput().format_value(DateField().clean("2026-03-01")) == "2026-03-01"


@pytest.mark.parametrize(
    "package", ["rules", "rules.score", "rules.desk", "rules.zerpang", "rules.zg", "rules.zx"]
)
def test_the_rules_say_the_same_in_german(package: str) -> None:
    english, german = (texts.tables(package, language) for language in ("en", "de"))
    assert {name: table.keys() for name, table in german.items()} == {
        name: table.keys() for name, table in english.items()
    }
    for code, text in texts.read(package).items():
        told = texts.read(package, "de")[code]
        assert sorted(HOLES.findall(told)) == sorted(HOLES.findall(text)), code


def test_a_log_is_told_in_the_language_of_who_reads_it() -> None:
    said = rules.get("zg").texts
    with translation.override("en"):
        assert said["conceded"] == "{seat} concedes."
    with translation.override("de"):
        assert said["conceded"] == "{seat} gibt auf."
        assert texts.listed(["Una", "Bo"]) == "Una und Bo"


def test_scripts_say_what_their_pages_bring_translated() -> None:
    said: dict[str, set[str]] = {}
    for path in [STATIC / "shell.js", *(STATIC / "js").glob("*.js")]:
        text = path.read_text()
        said[path.stem] = set(re.findall(r'\bword\("([^"]+)"', text))
        for pair in re.findall(r'\bmany\(\s*\w[\w.]*,\s*"([^"]+)",\s*"([^"]+)",?\s*\)', text):
            said[path.stem] |= set(pair)
    logger = (texts for script, texts in said.items() if script.startswith("logger"))
    shell = said["shell"] | said["finder"]
    assert {page: set(words) for page, words in script_words.SCRIPTS.items()} == {
        "shell": shell,
        "match": shell | said["live"] | said["scrubber"],
        "wall": shell | said["follow"],
        "fair": shell | said["fair"],
        "logger": shell.union(*logger),
    }


def test_a_game_and_a_format_are_called_as_the_reader_says() -> None:
    with translation.override("en"):
        assert rules.get("score").name == "Any game, results only"
        assert rules.get("desk").texts["format.single-elimination"] == "single elimination"
    with translation.override("de"):
        assert rules.get("score").name == "Jedes Spiel, nur Ergebnisse"
        assert rules.get("desk").texts["format.single-elimination"] == "einfaches K.-o.-System"


def test_how_gear_came_is_told_in_one_language() -> None:
    with translation.override("en"):
        assert [came(way) for way in ("bought", "won")] == ["bought", "won"]
    with translation.override("de"):
        assert [came(way) for way in ("bought", "won")] == ["gekauft", "gewonnen"]
        assert set(map(came, LedgerEntry.Method.values)).isdisjoint({"bought", "issued", "found"})


def test_the_log_is_a_thing_where_it_is_shown_and_not_what_one_does(
    client: Client, db: None
) -> None:
    match = factories.played(acts=1)
    page = client.get(f"/matches/{match.code}/", headers={"Accept-Language": "de"})
    assert '<h2 id="log" tabindex="-1">Log</h2>' in page.content.decode()
