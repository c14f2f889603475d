"""The pages of clauses and codes agree with the modules, and leave nothing out."""

import re
from pathlib import Path

import pytest

import rules
from rules import texts
from tests import rulebook

PACKAGE = rulebook.ROOT / "rules" / "zg"

CITED = re.compile(
    r"\b(?:(?:GEN|SET|IMP|MOV|ATK|DMG|TER|TAC|CHR|STA|POW|MOD|ARN|CRE|LEA|CAR|CON)-\d+|U\d{1,2})\b"
    r"|(?<=ZG )(?:6\.\d(?:\.\d)?|1[016] [A-Z][\w-]+)"
)


@pytest.mark.parametrize("file", rulebook.PAGES, ids=lambda file: file.name)
def test_a_rulebook_page_is_up_to_date(file: Path) -> None:
    assert file.read_text("utf-8") == rulebook.PAGES[file](), "run python -m tests.rulebook"


def test_every_clause_that_is_kept_is_cited_where_it_is() -> None:
    kept = [each for each in rulebook.clauses_of("zg") if each.clause.how != "told"]
    assert [each.clause.name for each in kept if not each.where] == []


def test_whatever_is_not_enforced_has_a_reason() -> None:
    clauses = [each.clause for each in rulebook.clauses_of("zg")]
    assert {clause.how for clause in clauses} == set(rulebook.HOW)
    assert [clause.name for clause in clauses if clause.how != "enforced" and not clause.why] == []


def test_every_clause_a_module_cites_is_one_of_the_rulebook() -> None:
    names = {each.clause.name for each in rulebook.clauses_of("zg")}
    cited = {
        name for file in PACKAGE.glob("*.py") for name in CITED.findall(file.read_text("utf-8"))
    }

    assert cited - names == set()


def test_every_code_that_is_given_has_a_sentence_and_every_sentence_is_given() -> None:
    tables = texts.tables("rules.zg")
    of_any_game = set(texts.read("rules"))

    assert set(rulebook.codes_of("zg")) - of_any_game == {*tables["verdicts"], *tables["problems"]}


def test_a_code_rests_on_a_clause_unless_it_is_of_the_log() -> None:
    bare = {code for code, found in rulebook.codes_of("zg").items() if not found.clauses}

    assert bare == {
        "no-such-act",
        "no-such-seat",
        "no-server-draws",
        "other-depth",
        "depth-unchanged",
    }


def test_every_kind_of_event_says_what_it_is() -> None:
    ruleset = rules.get("zg")

    page = rulebook.codes_page(ruleset)
    assert re.findall(r"\| `([\w-]+)` \|  \|", page) == []
