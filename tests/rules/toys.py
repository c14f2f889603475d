"""A small game with a secret, and rulesets that each break one law."""

import os
from collections.abc import Mapping
from typing import Any

import msgspec

from rules import texts
from rules.capabilities import Countdown
from rules.fields import Choice
from rules.ruleset import (
    LEGAL,
    Act,
    Audience,
    Consequence,
    Event,
    Offer,
    Outcome,
    Seat,
    Verdict,
    covers,
    impossible,
)
from rules.score.acts import ACTS, GameClosed, PointsScored
from rules.score.ruleset import ScoreRuleset
from rules.score.state import State

# -- a game with a secret -------------------------------------------------------------


class Chosen(Act, frozen=True, tag="chosen"):
    seat: Seat
    number: int


class Shown(Consequence, frozen=True, tag="shown"):
    numbers: tuple[int, ...]


class Table(msgspec.Struct, frozen=True, omit_defaults=True):
    setup: Any = None
    numbers: tuple[int, ...] = ()
    shown: bool = False


class Secrets(ScoreRuleset):
    """Each seat in turn chooses a number nobody else sees; then all are shown."""

    key = "secrets"
    secretive = True
    acts: tuple[type[Act], ...] = (Chosen,)
    consequences: tuple[type[Consequence], ...] = (Shown,)
    texts: Mapping[str, str] = {
        **texts.load("rules.score"),
        "chosen": "{seat} chooses a number.",
        "shown": "The numbers are {numbers}.",
        "not-now": "It is another seat's choice.",
    }
    rulings: tuple[type[Act], ...] = ()

    def start(self, setup: Any) -> Any:
        return Table(setup)

    def options(self, state: Any, seat: Seat | None = None) -> tuple[Offer, ...]:
        turn = len(state.numbers) + 1
        if turn > len(state.setup.seats) or seat not in (None, turn):
            return ()
        return (Offer("chosen", turn, {"number": Choice((1, 2, 3))}),)

    def judge(self, state: Any, act: Act) -> Verdict:
        if any(covers(offer, act) for offer in self.options(state)):
            return LEGAL
        return impossible("match-over" if state.shown else "not-now")

    def decide(self, state: Any, act: Act) -> tuple[Any, ...]:
        numbers = self.evolve(state, act).numbers
        return (Shown(numbers=numbers),) if len(numbers) == len(state.setup.seats) else ()

    def evolve(self, state: Any, event: Event) -> Any:
        match event:
            case Chosen(number=number):
                return msgspec.structs.replace(state, numbers=(*state.numbers, number))
            case Shown():
                return msgspec.structs.replace(state, shown=True)
        return state

    def outcome(self, state: Any) -> Outcome | None:
        if not state.shown:
            return None
        return Outcome(tuple(1 for _ in state.numbers), (), "by-draw")

    def view(self, state: Any, audience: Audience) -> dict[str, Any]:
        own = {
            seat: number
            for seat, number in enumerate(state.numbers, 1)
            if state.shown or audience in (seat, "officials")
        }
        return {"numbers": [own.get(seat) for seat in range(1, len(state.numbers) + 1)]}

    def secrets(self, state: Any) -> tuple[Seat, ...]:
        return () if state.shown else tuple(n for n, own in enumerate(state.numbers, 1) if own)

    def hide(self, event: Event, audience: Audience) -> Event | None:
        if isinstance(event, Chosen) and audience not in (event.seat, "officials"):
            return None
        return event

    def dump(self, state: Any) -> bytes:
        return msgspec.json.encode(msgspec.structs.replace(state, setup=None))

    def load(self, setup: Any, data: bytes) -> Any:
        return msgspec.structs.replace(msgspec.json.decode(data, type=Table), setup=setup)

    def headline(self, state: Any, names: Mapping[Seat, str] | None = None) -> str:
        return f"{len(state.numbers)} chosen"

    def sample_setup(self, pick: Any, seats: int | None = None, options: Any = None) -> Any:
        setup = super().sample_setup(pick, seats or 3, options)
        return msgspec.structs.replace(setup, ruleset="secrets@1")


class SecretsSeen(Secrets):
    """The view reveals the secrets."""

    def view(self, state: Any, audience: Audience) -> dict[str, Any]:
        return {"total": sum(state.numbers)}


class SecretsOffered(Secrets):
    """The offers depend on another seat's choice."""

    def options(self, state: Any, seat: Seat | None = None) -> tuple[Offer, ...]:
        if 1 in state.numbers:
            return super().options(state, seat)
        return tuple(
            msgspec.structs.replace(offer, fields={"number": Choice((1, 2))})
            for offer in super().options(state, seat)
        )


class SecretsJudged(Secrets):
    """A verdict's parameter reveals another seat's choice."""

    def judge(self, state: Any, act: Act) -> Verdict:
        verdict = super().judge(state, act)
        if verdict.code != "not-now":
            return verdict
        return impossible("not-now", total=sum(state.numbers))


class SecretsAwaited(Secrets):
    """Whom the table waits for, by its countdown, depends on another seat's choice."""

    def countdown(self, state: Any) -> Countdown:
        return Countdown(Chosen, Chosen, seconds=60, awaited=1 + sum(state.numbers) % 3)


# -- each breaks one law --------------------------------------------------------------


class TooLenient(ScoreRuleset):
    """An act that is legal but not offered."""

    def judge(self, state: State, act: Act) -> Verdict:
        verdict = super().judge(state, act)
        return LEGAL if verdict.call == "irregular" else verdict


class OffersTooMuch(ScoreRuleset):
    """An offer of points that are not legal."""

    def judge(self, state: State, act: Act) -> Verdict:
        if isinstance(act, PointsScored) and act.points % 5 == 0:
            return impossible("nothing-scored")
        return super().judge(state, act)


class Raises(ScoreRuleset):
    """Raises for a seat that does not exist."""

    def judge(self, state: State, act: Act) -> Verdict:
        if isinstance(act, PointsScored):
            assert state.score.tallies[act.seat] is not None
        return super().judge(state, act)


class NotTotal(ScoreRuleset):
    """Has no consequences for an irregular act."""

    def decide(self, state: State, act: Act) -> Any:
        if isinstance(act, GameClosed):
            best = max(tally.points for tally in state.score.tallies)
            return super().decide(state, act)[: 100 // best]
        return super().decide(state, act)


class NeverOver(ScoreRuleset):
    """Goes on after the end."""

    def options(self, state: State, seat: Seat | None = None) -> tuple[Offer, ...]:
        running = msgspec.structs.replace(state.score, outcome=None)
        return super().options(State(state.setup, running), seat)


class Remembers(ScoreRuleset):
    """Keeps data outside the state."""

    events = 0

    def evolve(self, state: State, event: Event) -> State:
        self.events += 1
        state = super().evolve(state, event)
        game = state.score.game + self.events % 2
        return State(state.setup, msgspec.structs.replace(state.score, game=game))


class Forgets(ScoreRuleset):
    """Dumps less than the state."""

    def dump(self, state: State) -> bytes:
        tallies = tuple(msgspec.structs.replace(tally, place=0) for tally in state.score.tallies)
        return msgspec.json.encode(msgspec.structs.replace(state.score, tallies=tallies))


class Timed(Act, frozen=True, tag="timed"):
    seat: Seat
    minutes: int = 1000


class BigDefault(ScoreRuleset):
    """Has a default that is sometimes serialized and sometimes omitted."""

    acts: tuple[type[Act], ...] = (*ACTS, Timed)

    def judge(self, state: State, act: Act) -> Verdict:
        return impossible("match-over") if isinstance(act, Timed) else super().judge(state, act)


class Fractions(ScoreRuleset):
    """Dumps a float."""

    def dump(self, state: State) -> bytes:
        return super().dump(state)[:-1] + b',"share":0.5}'


class Wavers(ScoreRuleset):
    """Decides differently the second time."""

    decided = 0

    def decide(self, state: State, act: Act) -> Any:
        self.decided += 1
        return super().decide(state, act)[self.decided % 2 :]


class WritesLess(ScoreRuleset):
    """Leaves a field out of its notation."""

    def write(self, act: Act) -> str:
        if isinstance(act, PointsScored):
            act = msgspec.structs.replace(act, points=abs(act.points))
        return super().write(act)


class Speechless(ScoreRuleset):
    """Has no text for a verdict."""

    texts: Mapping[str, str] = {
        code: text for code, text in ScoreRuleset.texts.items() if code != "no-such-seat"
    }


class SetOrder(ScoreRuleset):
    """Offers in the order of a set of words."""

    def options(self, state: State, seat: Seat | None = None) -> tuple[Offer, ...]:
        offers = super().options(state, seat)
        kinds = list({offer.type for offer in offers})
        return tuple(sorted(offers, key=lambda offer: kinds.index(offer.type)))


class Local(ScoreRuleset):
    """Reads the time zone of the machine."""

    def headline(self, state: State, names: Mapping[Seat, str] | None = None) -> str:
        return os.environ["TZ"]


class Lucky(ScoreRuleset):
    """Uses its own random numbers."""

    def headline(self, state: State, names: Mapping[Seat, str] | None = None) -> str:
        import random

        return str(random.random())
