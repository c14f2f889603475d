"""The logger's countdown: any game that declares one has it, in its own acts and seconds."""

from datetime import timedelta
from unittest import mock

import msgspec
import pytest
from django.utils import timezone

import rules
from matches.countdowns import CountdownDisplay, countdown_of
from matches.forms.acts import form_groups
from matches.models import Match
from matches.scene import scene_of
from rules.capabilities import Countdown
from rules.ruleset import Act, Event, Offer, Seat
from tests import factories
from tests.html import squeezed
from tests.matches.toy import State, Toy

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


class Hurried(Act, frozen=True, tag="hurried"):
    seat: Seat


class Late(Act, frozen=True, tag="late"):
    seat: Seat


class Hurrying(State, frozen=True):
    hurried: Seat = 0


class HurryingToy(Toy):
    """A toss for which a seat has ninety seconds once it is hurried."""

    acts = (*Toy.acts, Hurried, Late)
    texts = {**Toy.texts, "hurried": "{seat} is hurried.", "late": "{seat} is late."}

    def start(self, setup: object) -> Hurrying:
        state = super().start(setup)  # type: ignore[arg-type]
        return Hurrying(state.setup, state.heads)

    def options(self, state: State, seat: Seat | None = None) -> tuple[Offer, ...]:
        assert isinstance(state, Hurrying)
        clock = [Offer("late", state.hurried, {})] if state.hurried else []
        start = [Offer("hurried", each, {}) for each in (1, 2) if each != state.hurried]
        return (*super().options(state, seat), *clock, *start)

    def evolve(self, state: State, event: Event) -> State:
        match event:
            case Hurried(seat=seat):
                return msgspec.structs.replace(state, hurried=seat)
            case Late():
                return msgspec.structs.replace(state, hurried=0)
        return super().evolve(state, event)

    def countdown(self, state: State) -> Countdown:
        return Countdown(Hurried, Late, seconds=90, awaited=state.turn)


@pytest.fixture
def toss(monkeypatch: pytest.MonkeyPatch) -> Match:
    monkeypatch.setitem(rules.RULESETS, "toy@1", HurryingToy())
    return factories.match(game="toy")


def shown(match: Match, after: int = 0) -> CountdownDisplay | None:
    """Return what the logger shows of the countdown, some seconds after now."""
    match.log.refresh_from_db()
    scene = scene_of(factories.opener_of(match), match)
    groups = form_groups(scene.ruleset, scene.offers, scene.names, state=scene.state)
    later = timezone.now() + timedelta(seconds=after)
    with mock.patch("matches.countdowns.timezone.now", return_value=later):
        return countdown_of(scene, groups)


def running(match: Match, after: int = 0) -> list[tuple[str, int | None, int]]:
    """Return the type, the seat and the seconds left of each countdown under way."""
    display = shown(match, after)
    assert display is not None
    return [(each.form.type, each.form.seat, each.left) for each in display.running]


def test_the_seat_that_is_awaited_may_be_hurried(toss: Match) -> None:
    display = shown(toss)
    assert display is not None and display.start is not None
    assert (display.start.type, display.start.seat, display.running) == ("hurried", 1, [])

    factories.record(toss, {"type": "tossed", "seat": 1, "side": "tails"})
    display = shown(toss)
    assert display is not None and display.start is not None
    assert display.start.seat == 2


def test_a_countdown_has_the_seconds_of_its_game_since_its_last_start(toss: Match) -> None:
    factories.record(toss, {"type": "hurried", "seat": 1})
    assert running(toss, after=31) == [("late", 1, 59)]
    assert running(toss, after=1000) == [("late", 1, 0)]

    factories.record(toss, {"type": "late", "seat": 1})
    assert running(toss) == []

    factories.record(toss, {"type": "hurried", "seat": 2})
    assert running(toss, after=1) == [("late", 2, 89)]


def test_the_page_of_the_logger_counts_the_seconds_down(toss: Match) -> None:
    client = factories.client_of(factories.opener_of(toss))
    page = f"/matches/{toss.code}/table/"
    assert "Start the countdown for Side 1" in client.get(page).content.decode()

    factories.record(toss, {"type": "hurried", "seat": 1})
    found = squeezed(client.get(page))
    assert 'data-left="89"' in found or 'data-left="90"' in found
    assert "Time is up for Side 1" in found
    assert "Start the countdown" not in found.split('id="lg-desk"')[0]


def test_a_game_without_one_has_no_clock() -> None:
    assert shown(factories.match(game="toy")) is None
    assert shown(factories.duel()) is not None
