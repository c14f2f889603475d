"""Every ruleset keeps every law, and every law notices a ruleset that breaks it."""

import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import rules
from rules.conformance import LEAST_SECRETS, laws
from rules.conformance.cases import Cases, Try, cases_for, codes_reached, own_codes
from rules.ruleset import Ruleset, event_type
from tests.rules import toys
from tests.rules.coverage import coverage

EVERY_RULESET = list(rules.RULESETS)


@cache
def cases_of(name: str) -> Cases:
    return cases_for(rules.get(name), acts=2)


@pytest.mark.parametrize("law", laws.LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("name", EVERY_RULESET)
def test_a_ruleset_keeps_the_law(name: str, law: Any) -> None:
    law(cases_of(name))


@pytest.mark.parametrize("name", EVERY_RULESET)
def test_a_ruleset_is_the_same_everywhere(name: str) -> None:
    laws.the_same_everywhere(name)


@pytest.mark.parametrize("name", EVERY_RULESET)
def test_a_ruleset_hides_what_is_hidden(name: str) -> None:
    pairs = laws.nobody_sees_what_is_hidden(cases_of(name))

    assert pairs >= LEAST_SECRETS or not rules.get(name).secretive


def test_random_play_closes_a_tournament_whose_results_are_held_back() -> None:
    desks = [state.desk for state in cases_of("desk@1").states()]

    assert any(desk.closed and desk.held for desk in desks)


def test_a_game_with_secrets_keeps_the_laws() -> None:
    cases = cases_for(toys.Secrets())

    for law in laws.LAWS:
        law(cases)
    assert laws.nobody_sees_what_is_hidden(cases) >= 50


@pytest.mark.parametrize("name", EVERY_RULESET)
def test_at_least_half_of_the_generated_acts_are_illegal(name: str, record_property: Any) -> None:
    cases = cases_of(name)
    calls = Counter(verdict.call for _, verdict in cases.judged())
    share = 1 - calls["legal"] / calls.total()

    figure = f"{name}: {share:.0%} of {len(cases.tries)} generated acts are not legal"
    record_property("figure", figure)
    print(figure)
    assert share >= 0.5


@pytest.mark.parametrize("name", EVERY_RULESET)
def test_every_code_and_consequence_is_produced_by_some_test(
    name: str, record_property: Any
) -> None:
    ruleset = rules.get(name)
    cases = cases_of(name)
    reached = codes_reached(cases)
    tests = Path(__file__).parent / ruleset.key
    asked_for = "\n".join(file.read_text("utf-8") for file in tests.glob("*.py"))

    played = coverage(cases.played)
    for what, counts in played.items():
        figure = f"{name}: {what} " + ", ".join(f"{k} {n}" for k, n in counts.most_common())
        record_property("figure", figure)
        print(figure)
    kinds = {event_type(kind) for kind in (*ruleset.acts, *ruleset.consequences)}
    codes = own_codes(ruleset) | kinds
    named = {code for code in codes if re.search(rf'["\s]{code}"', asked_for)}
    missed = codes - set(reached) - named
    assert not missed


BROKEN = {
    laws.legal_is_what_an_offer_covers: (toys.TooLenient,),
    laws.every_offer_is_legal: (toys.OffersTooMuch,),
    laws.judging_never_raises: (toys.Raises,),
    laws.deciding_and_evolving_are_total: (toys.NotTotal,),
    laws.the_outcome_is_stable: (toys.NeverOver,),
    laws.a_fold_can_be_resumed: (toys.Remembers,),
    laws.a_dump_is_the_whole_state: (toys.Forgets,),
    laws.a_dump_is_canonical: (toys.BigDefault, toys.Fractions),
    laws.a_replay_decides_the_same: (toys.Wavers,),
    laws.notation_reads_back: (toys.WritesLess,),
    laws.a_written_match_is_the_match: (toys.Wavers,),
    laws.every_code_has_a_text: (toys.Speechless,),
    laws.nobody_sees_what_is_hidden: (
        toys.SecretsSeen,
        toys.SecretsOffered,
        toys.SecretsJudged,
        toys.SecretsAwaited,
    ),
}


def test_every_law_has_a_ruleset_that_breaks_it() -> None:
    assert {*laws.LAWS, laws.nobody_sees_what_is_hidden} == set(BROKEN)


def sound_cases_for(broken: Ruleset) -> Cases:
    """Return cases played by the parent class of a broken ruleset, to be judged by that one."""
    sound: Ruleset = type(broken).__mro__[1]()
    cases = cases_for(sound)
    cases.ruleset = broken
    cases.tries = [Try(each.state, broken.options(each.state), each.act) for each in cases.tries]
    return cases


@pytest.mark.parametrize(
    ("law", "broken"),
    [
        pytest.param(law, kind, id=f"{law.__name__}-{kind.__name__}")
        for law, kinds in BROKEN.items()
        for kind in kinds
    ],
)
def test_a_law_notices_a_ruleset_that_breaks_it(law: Any, broken: Any) -> None:
    cases = sound_cases_for(broken())

    with pytest.raises(AssertionError):
        law(cases)


@pytest.mark.parametrize("name", ["SetOrder", "Local", "Lucky"])
def test_the_law_of_equal_behaviour_everywhere_notices_a_breach(name: str) -> None:
    with pytest.raises(AssertionError):
        laws.the_same_everywhere(f"tests.rules.toys:{name}")
