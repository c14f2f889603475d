"""Draws of the server: promised, made, revealed and checked."""

from uuid import uuid4, uuid5

import pytest

from matches import errors, selectors, services, transfer, undoing
from matches.models import Log, Match
from matches.verify import verify
from rules import fair
from rules.ruleset import SeedRevealed
from tests import factories

pytestmark = pytest.mark.django_db

SPIN = {"type": "tossed", "spin": "server"}


def spin_to_the_end(match: Match) -> None:
    while match.log.status == "open":
        turn = selectors.timeline(match).head.state.turn
        factories.record(match, SPIN | {"seat": turn})


def test_a_log_opens_with_a_promise_of_its_seed() -> None:
    match = factories.match(game="toy")
    setup = selectors.timeline(match).setup
    assert fair.keeps(setup.commitment, match.log.seed)
    assert setup.log == str(match.log.pk)
    assert match.log.seed not in transfer.export_ndjson(match).decode()


def test_the_drawn_field_is_filled_in_here_whatever_was_sent() -> None:
    match = factories.match(game="toy")
    seed = bytes.fromhex(match.log.seed)
    expected = ("heads", "tails")[fair.draw(seed, str(match.log.pk), 0, "toss", 2)]
    other = {"heads": "tails", "tails": "heads"}[expected]
    receipt = factories.record(match, SPIN | {"seat": 1, "side": other})
    assert receipt.act.side == expected


def test_taken_back_and_drawn_again_falls_the_same() -> None:
    match = factories.match(game="toy")
    first = factories.record(match, SPIN | {"seat": 1})
    services.take_back(match=match, by=factories.opener_of(match), act_id=uuid4(), to=1)
    again = factories.record(match, SPIN | {"seat": 1})
    assert first.act == again.act


def test_the_same_draw_sent_twice_is_drawn_once() -> None:
    match = factories.match(game="toy")
    act_id = uuid4()
    sent = [factories.record(match, SPIN | {"seat": 1}, act_id=act_id) for _ in range(2)]
    assert sent[0] == sent[1]


def test_the_seed_is_revealed_with_the_act_that_ends_the_match() -> None:
    match = factories.match(game="toy")
    spin_to_the_end(match)
    timeline = selectors.timeline(match)
    assert isinstance(timeline.entries[-1].act, SeedRevealed)
    assert timeline.head.revealed
    report = verify(match.log)
    assert report.ok
    assert report.draws == report.draws_checked == len(timeline) - 2


def test_no_act_takes_the_id_by_which_the_seed_is_revealed() -> None:
    match = factories.match(game="toy")
    while match.log.status == "open":
        turn = selectors.timeline(match).head.state.turn
        guessed = uuid5(match.log.pk, f"seed-revealed {match.log.head_version + 3}")
        factories.record(match, SPIN | {"seat": turn}, act_id=guessed)
    assert selectors.timeline(match).head.revealed


def test_the_act_that_ended_the_match_is_what_taking_back_takes_back() -> None:
    match = factories.match(game="toy")
    spin_to_the_end(match)
    undo, _ = undoing.moves_for(factories.opener_of(match), match)
    assert undo is not None and undo.to == match.log.head_version - 2


def test_no_seed_is_revealed_where_nothing_was_drawn() -> None:
    match = factories.match(game="toy")
    for seat in (1, 2, 1, 2, 1):
        factories.record(match, {"type": "tossed", "seat": seat, "side": "heads"})
    assert match.log.status == "ended"
    assert not selectors.timeline(match).head.revealed


def test_a_reopened_match_does_not_reveal_twice() -> None:
    match = factories.match(game="toy")
    spin_to_the_end(match)
    head = match.log.head_version
    services.take_back(match=match, by=factories.opener_of(match), act_id=uuid4(), to=head - 2)
    spin_to_the_end(match)
    acts = [entry.act for entry in selectors.timeline(match).entries]
    assert sum(isinstance(act, SeedRevealed) for act in acts) == 1
    assert verify(match.log).ok


def test_nothing_new_is_drawn_once_the_seed_is_out() -> None:
    match = factories.match(game="toy")
    factories.record(match, SPIN | {"seat": 1})
    factories.record(match, {"type": "ruled", "winner": 2})
    services.take_back(match=match, by=factories.opener_of(match), act_id=uuid4(), to=2)
    with pytest.raises(errors.Conflict) as refused:
        factories.record(match, SPIN | {"seat": 2})
    assert refused.value.code == "seed-is-out"
    assert factories.record(match, {"type": "tossed", "seat": 2, "side": "tails"}).recorded


def test_draws_are_checked_against_the_secret_seed_while_the_match_is_on() -> None:
    match = factories.match(game="toy")
    factories.record(match, SPIN | {"seat": 1})
    assert verify(match.log).draws_checked == 1


def test_a_seed_that_was_not_promised_is_named() -> None:
    match = factories.match(game="toy")
    factories.record(match, SPIN | {"seat": 1})
    Log.objects.filter(pk=match.log.pk).update(seed="00" * 32)
    assert verify(match.log).problem == "seed"


def test_without_the_seed_nothing_is_drawn_here() -> None:
    match = factories.match(game="toy")
    match.log.seed = ""
    with pytest.raises(errors.Conflict) as refused:
        factories.record(match, SPIN | {"seat": 1})
    assert refused.value.code == "no-seed"
