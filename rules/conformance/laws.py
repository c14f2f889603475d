"""The laws every ruleset keeps, each a function that raises AssertionError if it is broken.

Each law examines `Cases`: matches, and acts generated at every state of them.
"""

import hashlib
import json
import os
import subprocess
import sys
from typing import Any

import msgspec
from msgspec import inspect

from rules import bots, notation, practice, texts
from rules.capabilities import SupportsCountdown, SupportsMaterial, SupportsVeiledOffers
from rules.checking import check
from rules.conformance.cases import Cases
from rules.conformance.generator import generated_act, words_of
from rules.replay import Entry, Moment, Timeline, step
from rules.ruleset import (
    Act,
    Audience,
    Consequence,
    Event,
    Offer,
    Ruleset,
    SeedRevealed,
    TakenBack,
    Verdict,
    covers,
    event_type,
)

SHOWN = 12
"""The number of later acts for which it is checked whether they give away something hidden."""


# -- judging --------------------------------------------------------------------------


def legal_is_what_an_offer_covers(cases: Cases) -> None:
    """A well-formed act is legal exactly when an offer covers it."""
    for each, verdict in cases.judged():
        covered = any(covers(offer, each.act) for offer in each.offers)
        assert covered == (verdict.call == "legal"), (each.act, verdict, covered)


def every_offer_is_legal(cases: Cases) -> None:
    """Any value picked from an offer is legal; a seat's own offers are those offered to it."""
    ruleset, pick = cases.ruleset, bots.Stream("offers")
    for state in cases.states():
        offers = ruleset.options(state)
        assert offers == ruleset.options(state), "the order of offers is not fixed"
        for seat in range(1, len(state.setup.seats) + 1):
            own = tuple(offer for offer in offers if offer.seat == seat)
            assert ruleset.options(state, seat) == own
        if offers:
            act = bots.act_of(ruleset, pick.choice(offers), pick)
            assert ruleset.judge(state, act).call == "legal", (act, ruleset.judge(state, act))


def judging_never_raises(cases: Cases) -> None:
    """Any well-formed act gets a verdict and a tuple of draws, whatever its values are."""
    for each in cases.tries:
        try:
            verdict = cases.ruleset.judge(each.state, each.act)
            draws = cases.ruleset.draws(each.state, each.act)
        except Exception as error:
            raise AssertionError(f"{each.act} raises {error!r}") from error
        assert isinstance(verdict, Verdict)
        assert isinstance(draws, tuple)
        assert bool(verdict.code) == (verdict.call != "legal"), verdict


def deciding_and_evolving_are_total(cases: Cases) -> None:
    """Every possible act has consequences of known types and a next state, and can be told."""
    ruleset = cases.ruleset
    for each, verdict in cases.judged():
        if verdict.call == "impossible":
            continue
        try:
            consequences = ruleset.decide(each.state, each.act)
            state = each.state
            events: tuple[Event, ...] = (each.act, *consequences)
            for event in events:
                assert ruleset.tell(event, state)
                state = ruleset.evolve(state, event)
            assert isinstance(ruleset.headline(state), str)
            for audience in cases.audiences(state):
                msgspec.json.encode(ruleset.view(state, audience))
            ruleset.options(state)
            ruleset.dump(state)
        except Exception as error:
            raise AssertionError(f"{each.act} ({verdict.call}) raises {error!r}") from error
        assert isinstance(consequences, tuple)
        assert all(type(each) in ruleset.consequences for each in consequences), consequences


def the_outcome_is_stable(cases: Cases) -> None:
    """Nothing is offered or legal after the outcome, which has a place for every seat."""
    ruleset = cases.ruleset
    ended = 0
    for each, verdict in cases.judged():
        outcome = ruleset.outcome(each.state)
        if outcome is None:
            continue
        ended += 1
        assert not each.offers, "an offer after the end"
        assert verdict.call != "legal", each.act
        seats = len(each.state.setup.seats)
        assert len(outcome.places) == seats
        assert set(outcome.winners) <= set(range(1, seats + 1))
        again = ruleset.load(each.state.setup, ruleset.dump(each.state))
        assert ruleset.outcome(again) == outcome, "the outcome depends on the way to it"
    assert ended, "no match came to an end"


# -- folding --------------------------------------------------------------------------


def a_fold_can_be_resumed(cases: Cases) -> None:
    """fold(a + b) equals folding b onto fold(a), and folding on does not change earlier states."""
    ruleset = cases.ruleset
    for timeline in cases.timelines:
        dumps = [ruleset.dump(moment.state) for moment in timeline.moments]
        again = Timeline(ruleset, timeline.entries)
        for moment, resumed, dump in zip(timeline.moments, again.moments, dumps, strict=True):
            assert ruleset.dump(resumed.state) == dump
            assert ruleset.dump(moment.state) == dump, "an earlier state was changed"
        middle = len(timeline) // 2
        moments = timeline.moments[:middle]
        for entry in timeline.entries[middle:]:
            moments = [*moments, step(ruleset, moments, entry)]
            assert ruleset.dump(moments[-1].state) == dumps[entry.version - 1], entry


def a_dump_is_the_whole_state(cases: Cases) -> None:
    """A loaded state dumps to the same bytes, has the same offers and the same future."""
    ruleset = cases.ruleset
    for timeline in cases.timelines:
        moments: list[Moment] = []
        for entry in timeline.entries:
            moment = step(ruleset, moments, entry)
            dump = ruleset.dump(moment.state)
            assert timeline.digest(moment.state) == entry.digest, "another future"
            loaded = ruleset.load(timeline.setup, dump)
            assert ruleset.dump(loaded) == dump
            assert ruleset.options(loaded) == ruleset.options(moment.state)
            assert ruleset.view(loaded, "officials") == ruleset.view(moment.state, "officials")
            moments.append(msgspec.structs.replace(moment, state=loaded))


def a_dump_is_canonical(cases: Cases) -> None:
    """There are no floats, no sets, and no defaults that are written only sometimes."""
    for state in cases.states():
        json.loads(cases.ruleset.dump(state), parse_float=_no_float, parse_constant=_no_float)
    kinds = {type(state) for state in cases.states()}
    for kind in (*kinds, *_event_types(cases.ruleset)):
        _assert_defaults(inspect.type_info(kind), set())


def _no_float(text: str) -> None:
    raise AssertionError(f"{text} is a float")


def _event_types(ruleset: Ruleset) -> tuple[type, ...]:
    return (*ruleset.acts, *ruleset.consequences, ruleset.opened)


def _assert_defaults(kind: Any, seen: set[Any]) -> None:
    """Assert that every struct within a type only has fields and defaults with one encoding."""
    assert not isinstance(kind, inspect.SetType | inspect.FrozenSetType), "a set has no order"
    assert not isinstance(kind, inspect.FloatType), "a float has no canonical form"
    if isinstance(kind, inspect.StructType):
        if kind.cls in seen:
            return
        seen.add(kind.cls)
        for each in kind.fields:
            assert _is_single(each), f"{kind.cls.__name__}.{each.name} = {each.default!r}"
            _assert_defaults(each.type, seen)
    for name in ("type", "item_type", "key_type", "value_type"):
        if hasattr(kind, name):
            _assert_defaults(getattr(kind, name), seen)
    for inner in (*getattr(kind, "types", ()), *getattr(kind, "item_types", ())):
        _assert_defaults(inner, seen)


def _is_single(each: Any) -> bool:
    """Tell whether a default is one object in Python, so that msgspec recognises it."""
    default = each.default
    if default is msgspec.NODEFAULT:
        return each.default_factory in (msgspec.NODEFAULT, list, dict)
    if default is None or isinstance(default, bool):
        return True
    if isinstance(default, str):
        return default == "" or default in _literals(each.type)
    if isinstance(default, int):
        return -5 <= default <= 256
    return bool(default == ())


def _literals(kind: Any) -> tuple[Any, ...]:
    if isinstance(kind, inspect.UnionType):
        return tuple(value for inner in kind.types for value in _literals(inner))
    return tuple(getattr(kind, "values", ()))


def a_replay_decides_the_same(cases: Cases) -> None:
    """Deciding a log again gives the recorded verdicts, consequences, draws and digests."""
    for timeline in cases.timelines:
        found = check(cases.ruleset, timeline.entries)
        assert found is None, str(found)


# -- the same everywhere --------------------------------------------------------------

_ELSEWHERE = """
import random, sys, time, os, uuid, secrets
def refuse(*args, **kwargs):
    raise SystemExit("the rules asked for the time or for chance")
maker, seeds = sys.argv[1:]
for module, names in (
    (random, "random randrange randint choice choices shuffle sample getrandbits"),
    (time, "time monotonic time_ns monotonic_ns localtime gmtime"),
    (os, "urandom"), (uuid, "uuid1 uuid4"), (secrets, "token_bytes randbelow choice"),
):
    for name in names.split():
        setattr(module, name, refuse)
from rules.conformance.laws import fingerprint, ruleset_from
print(fingerprint(ruleset_from(maker), int(seeds)))
"""


def fingerprint(ruleset: Ruleset, seeds: int) -> str:
    """Return one digest of everything in some matches, including offers and texts."""
    total = hashlib.sha256()
    for seed in range(seeds):
        timeline = bots.playout(ruleset, bots.sample_setup(ruleset, seed), seed)
        for entry, moment in zip(timeline.entries, timeline.moments, strict=True):
            total.update(entry.digest.encode())
            total.update(msgspec.json.encode(ruleset.options(moment.state)))
            total.update(msgspec.json.encode(ruleset.view(moment.state, "public")))
            total.update(ruleset.headline(moment.state).encode())
    return total.hexdigest()


def ruleset_from(maker: str) -> Ruleset:
    """Return a ruleset by its name in the registry, or an instance of a class `module:Class`."""
    module, _, name = maker.rpartition(":")
    if not module:
        import rules

        return rules.get(name)
    made: Ruleset = getattr(__import__(module, fromlist=[name]), name)()
    return made


def the_same_everywhere(maker: str, seeds: int = 3) -> None:
    """A log is the same under any hash seed, time zone and hour, without clock or randomness."""
    running = [
        subprocess.Popen(
            [sys.executable, "-c", _ELSEWHERE, maker, str(seeds)],
            env={
                **os.environ,
                "PYTHONHASHSEED": hash_seed,
                "TZ": zone,
                "PYTHONPATH": os.pathsep.join(filter(None, sys.path)) or os.curdir,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for hash_seed, zone in (("0", "UTC"), ("7", "Asia/Tokyo"), ("1234", "America/Lima"))
    ]
    answers = [(*process.communicate(), process.returncode) for process in running]
    for _, problem, status in answers:
        assert status == 0, problem
    assert len({answer for answer, _, _ in answers}) == 1, answers


# -- hidden information ---------------------------------------------------------------


def nobody_sees_what_is_hidden(cases: Cases) -> int:
    """States that differ only in what a seat may not see look and behave the same to it.

    To make such pairs, an act that a seat may not see is replaced by another that looks the same to
    it; both are then continued for as long as they look the same. Returns the number of pairs, 0
    for a game without secrets.
    """
    ruleset, pick = cases.ruleset, bots.Stream("hidden")
    pairs = 0
    for timeline in cases.played:
        effective = timeline.effective()
        for entry in timeline.entries[1:]:
            if isinstance(entry.act, TakenBack | SeedRevealed):
                continue
            before = timeline.at(entry.base).state
            offers = ruleset.options(before)
            for audience in cases.audiences(before):
                other = _seen_the_same(ruleset, before, entry, audience, offers, pick)
                if other is None:
                    continue
                pairs += 1
                one, two = (_after(ruleset, before, each) for each in (entry.act, other))
                _assert_alike(ruleset, one, two, audience, pick)
                for later in timeline.entries[entry.version : entry.version + SHOWN]:
                    if later.version not in effective:
                        break
                    after = _both_after(ruleset, one, two, later.act, audience)
                    if after is None:
                        break
                    one, two = after
                    pairs += 1
                    _assert_alike(ruleset, one, two, audience, pick)
    return pairs


def _both_after(
    ruleset: Ruleset, one: Any, two: Any, act: Act, audience: Audience
) -> tuple[Any, Any] | None:
    """Return both states after an act, None if an audience can then tell them apart."""
    if isinstance(act, TakenBack | SeedRevealed):
        return None
    seen, calls, after = [], [], []
    for state in (one, two):
        verdict = ruleset.judge(state, act)
        if verdict.call == "impossible":
            return None
        calls.append(verdict)
        seen.append(_hidden(ruleset, act, ruleset.decide(state, act), audience))
        after.append(_after(ruleset, state, act))
    return (after[0], after[1]) if seen[0] == seen[1] and calls[0] == calls[1] else None


def _seen_the_same(
    ruleset: Ruleset,
    before: Any,
    entry: Entry,
    audience: Audience,
    offers: tuple[Offer, ...],
    pick: bots.Stream,
) -> Act | None:
    """Return another act whose events look to an audience like those of an entry."""
    if ruleset.hide(entry.act, audience) == entry.act:
        return None
    seen = _hidden(ruleset, entry.act, entry.consequences, audience)
    same = [each for each in offers if covers(each, entry.act)]
    for _ in range(5):
        other = bots.act_of(ruleset, pick.choice(same), pick)
        consequences = ruleset.decide(before, other)
        if other != entry.act and _hidden(ruleset, other, consequences, audience) == seen:
            return other
    return None


def _hidden(
    ruleset: Ruleset, act: Act, consequences: tuple[Consequence, ...], audience: Audience
) -> list[Any]:
    events: tuple[Event, ...] = (act, *consequences)
    return [ruleset.hide(event, audience) for event in events]


def _after(ruleset: Ruleset, state: Any, act: Act) -> Any:
    events: tuple[Event, ...] = (act, *ruleset.decide(state, act))
    for event in events:
        state = ruleset.evolve(state, event)
    return state


def _assert_alike(
    ruleset: Ruleset, one: Any, two: Any, audience: Audience, pick: bots.Stream
) -> None:
    assert ruleset.view(one, audience) == ruleset.view(two, audience), "the view tells"
    if isinstance(ruleset, SupportsMaterial):
        assert ruleset.material(one) == ruleset.material(two), "what is left tells"
    if isinstance(ruleset, SupportsCountdown):
        assert ruleset.countdown(one) == ruleset.countdown(two), "who is awaited tells"
    if isinstance(ruleset, SupportsVeiledOffers) and audience != "officials":
        offered = ruleset.offers_to(one, audience)
        assert offered == ruleset.offers_to(two, audience), "what others may do tells"
        act = generated_act(ruleset, offered, words_of(one), pick)
        judged = [ruleset.judge(ruleset.veil(each, audience), act) for each in (one, two)]
        assert judged[0] == judged[1], f"what others are told of an act tells: {act}"
    if not isinstance(audience, int):
        return
    offers = ruleset.options(one, audience)
    assert offers == ruleset.options(two, audience), "the offers tell"
    played = [practice.act_at(ruleset, each, audience, bots.Stream(1)) for each in (one, two)]
    assert played[0] == played[1], f"a bot at that seat tells: {played}"
    words = words_of(one)
    for _ in range(6):
        act = generated_act(ruleset, offers, words, pick)
        if getattr(act, "seat", None) == audience:
            verdicts = ruleset.judge(one, act), ruleset.judge(two, act)
            assert verdicts[0] == verdicts[1], f"the verdict tells: {act}"


# -- texts ----------------------------------------------------------------------------


def notation_reads_back(cases: Cases) -> None:
    """A line reads back as the act it was written from, even if that makes no sense."""
    ruleset = cases.ruleset
    for each in cases.tries:
        line = ruleset.write(each.act)
        assert "\n" not in line
        assert ruleset.read(line) == each.act, line
        assert ruleset.write(ruleset.read(f"  {line}   # said")) == line


def a_written_match_is_the_match(cases: Cases) -> None:
    """A whole match reads back as the same acts, verdicts, digests and text."""
    for timeline in cases.timelines:
        text = notation.write_match(cases.ruleset, timeline.entries, digests=True)
        try:
            again = notation.play(notation.read_match(text, lambda name: cases.ruleset))
        except notation.NotationError as error:
            raise AssertionError(f"{error}\n{text}") from error
        assert again.entries == timeline.entries
        assert notation.write_match(cases.ruleset, again.entries, digests=True) == text


def every_code_has_a_text(cases: Cases) -> None:
    """Every code that a ruleset answers has a text that fits its parameters."""
    try:
        for _, verdict in cases.judged():
            if verdict.code:
                texts.of_finding(cases.ruleset.texts, verdict, {})
        for timeline in cases.timelines:
            if outcome := cases.ruleset.outcome(timeline.head.state):
                params = msgspec.structs.asdict(outcome)
                texts.sentence(cases.ruleset.texts, outcome.why, params, {})
    except KeyError as error:
        raise AssertionError(f"no text, or no parameter, for {error}") from error
    missing = {event_type(kind) for kind in _event_types(cases.ruleset)} - set(cases.ruleset.texts)
    assert not missing, f"no text for {missing}"


LAWS = (
    legal_is_what_an_offer_covers,
    every_offer_is_legal,
    judging_never_raises,
    deciding_and_evolving_are_total,
    the_outcome_is_stable,
    a_fold_can_be_resumed,
    a_dump_is_the_whole_state,
    a_dump_is_canonical,
    a_replay_decides_the_same,
    notation_reads_back,
    a_written_match_is_the_match,
    every_code_has_a_text,
)
"""The laws that need only cases.

Not `the_same_everywhere`, which starts processes, and `nobody_sees_what_is_hidden`, which checks
something only in a game with secrets.
"""
