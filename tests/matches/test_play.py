"""Complete matches of every game, played by bots through the services, and verified afterwards."""

from uuid import uuid4

import msgspec
import pytest

import rules
from matches import selectors, services, transfer
from matches.models import Match
from matches.services import SeatRequest
from matches.verify import verify
from rules import bots, notation
from rules.replay import Timeline
from rules.ruleset import Ruleset
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)  # so that logs are held in memory

MATCHES = [
    pytest.param(name, seed, id=f"{name}-{seed}")
    for name in ("score@1", "zg@1")
    for seed in range(3)
]


def open_sample(game: Ruleset, seed: int) -> Match:
    """Open a match on a sample setup of a game."""
    setup = bots.sample_setup(game, seed)
    seats = [
        SeatRequest(label=seat.label, deck=msgspec.to_builtins(seat.deck)) for seat in setup.seats
    ]
    return factories.match(game=game.key, seats=seats, options=msgspec.to_builtins(setup.options))


def play(game: Ruleset, match: Match, seed: int, limit: int = 120) -> Timeline:
    """Record a bot's acts, one taken back now and then."""
    pick, by = bots.Stream(f"play {seed}"), factories.opener_of(match)
    for _ in range(limit):
        timeline = selectors.timeline(match)
        act = bots.random_act(game, timeline.head.state, pick)
        if act is None:
            break
        services.record(
            match=match, by=by, act_id=uuid4(), act=msgspec.to_builtins(act),
            after=match.log.head_version,
        )  # fmt: skip
        if pick(20) == 0:
            history = selectors.timeline(match).effective()
            services.take_back(match=match, by=by, act_id=uuid4(), to=history[-2])
    return selectors.timeline(match)


@pytest.mark.parametrize(("name", "seed"), MATCHES)
def test_a_match_played_through_the_services_holds(name: str, seed: int) -> None:
    game = rules.get(name)
    match = open_sample(game, seed)
    timeline = play(game, match, seed)
    assert len(timeline) > 1
    report = verify(match.log)
    assert (report.ok, report.detail) == (True, "")
    assert report.draws == report.draws_checked


@pytest.mark.parametrize(("name", "seed"), MATCHES)
def test_its_notation_makes_the_same_match(name: str, seed: int) -> None:
    game = rules.get(name)
    match = open_sample(game, seed)
    entries = play(game, match, seed).entries
    copy = services.import_log(by=factories.actor(), data=transfer.export_notation(match).encode())
    again = selectors.timeline(copy).entries
    assert [entry.digest for entry in again] == [entry.digest for entry in entries]
    assert verify(copy.log).ok


@pytest.mark.parametrize(("name", "seed"), MATCHES)
def test_a_play_out_of_the_core_is_the_same_when_stored(name: str, seed: int) -> None:
    game = rules.get(name)
    timeline = bots.playout(game, bots.sample_setup(game, seed), seed)
    text = notation.write_match(game, timeline.entries, digests=True)
    copy = services.import_log(by=factories.actor(), data=text.encode())
    assert [entry.digest for entry in selectors.timeline(copy).entries] == [
        entry.digest for entry in timeline.entries
    ]
    report = verify(copy.log)
    assert (report.ok, report.draws_checked) == (True, report.draws)
