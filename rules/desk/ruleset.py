"""`desk@1`: a tournament as a log, from the first entry to the close.

It stores inputs only: entries, pairings, results, rulings. Standings, brackets and who advances are
computed (`standings`), and pairings proposed (`pairing`), from the state alone.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from rules.defaults import Defaults
from rules.desk import folding, record, results, telling, viewing
from rules.desk.acts import (
    ACTS,
    BY_PLAYERS,
    CONSEQUENCES,
    DeskOpened,
    Options,
    PenaltyGiven,
    PenaltyWithdrawn,
)
from rules.desk.limits import MAX_APPEAL, MAX_PEOPLE
from rules.desk.state import Desk, State
from rules.desk.words import TEXTS
from rules.fields import Plain
from rules.ruleset import (
    LEGAL,
    Act,
    Audience,
    Consequence,
    Event,
    Offer,
    Opened,
    Outcome,
    Pick,
    Problem,
    Seat,
    SetupError,
    Verdict,
    covers,
)


class DeskRuleset(Defaults):
    key = "desk"
    seats = range(1)  # nobody sits at a desk: entrants enter
    opened: type[Opened] = DeskOpened
    options_type: type[msgspec.Struct] = Options
    acts = ACTS
    consequences = CONSEQUENCES
    texts: Mapping[str, str] = TEXTS
    rulings: tuple[type[Act], ...] = tuple(act for act in ACTS if act not in BY_PLAYERS)
    bot_weights: Mapping[str, int] = {
        "entered": 500,
        "waitlisted": 4,
        "dropped": 4,
        "returned": 20,
        "disqualified": 2,
        "results-annulled": 20,
        "pair-forbidden": 3,
        "pair-allowed": 20,
        "table-fixed": 3,
        "bye-granted": 4,
        "penalty-given": 3,
        "penalty-withdrawn": 20,
        "stage-started": 60,
        "stage-ended": 40,
        "round-paired": 400,
        "pairing-changed": 40,
        "round-published": 400,
        "time-proposed": 20,
        "result-reported": 600,
        "result-confirmed": 100,
        "result-disputed": 8,
        "ruled": 30,
        "result-corrected": 5,
        "official-called": 20,
        "call-answered": 200,
        "ruling-appealed": 300,
        "appeal-rejected": 200,
        "clock-paused": 10,
        "clock-resumed": 100,
        "time-extended": 5,
        "time-called": 20,
        "round-closed": 500,
        "cut-made": 30,
        "results-held": 4,
        "results-shown": 20,
        "announced": 2,
        "unannounced": 18,
        "tournament-closed": 60,
    }

    @property
    def name(self) -> str:
        return self.texts["ruleset.name"]

    def start(self, setup: DeskOpened) -> State:
        if setup.seats:
            raise SetupError(Problem("desk-has-no-seats"))
        if not 0 <= setup.options.cap <= MAX_PEOPLE:
            raise SetupError(Problem("bad-cap", params={"most": MAX_PEOPLE}))
        if not 0 <= setup.options.appeal_minutes <= MAX_APPEAL:
            raise SetupError(Problem("bad-appeal", params={"most": MAX_APPEAL}))
        return State(setup, Desk())

    def options(self, state: State, seat: Seat | None = None) -> tuple[Offer, ...]:
        return () if seat is not None else tuple(record.offers(state))

    def judge(self, state: State, act: Act) -> Verdict:
        """An act is legal if an offer covers it; otherwise there is a reason."""
        if any(covers(offer, act) for offer in record.offers_like(state, act)):
            return LEGAL
        return record.refusal(state, act)

    def decide(self, state: State, act: Act) -> tuple[Consequence, ...]:
        return results.decide(state, act)

    def evolve(self, state: State, event: Event) -> State:
        return folding.evolve(state, event)

    def outcome(self, state: State) -> Outcome | None:
        """A tournament has no seats to place: its order is in the state.

        It is not over while results are held back.
        """
        if not state.desk.closed or state.desk.held:
            return None
        why = "played-out" if state.desk.order else "called-off"
        return Outcome(places=(), winners=(), why=why)

    def view(self, state: State, audience: Audience) -> dict[str, Any]:
        """Return everything except penalties, unpublished pairings and held results."""
        return viewing.view(state, audience)

    def hide(self, event: Event, audience: Audience) -> Event | None:
        """Penalties are visible to officials only; their effect on a match is a public ruling."""
        if isinstance(event, PenaltyGiven | PenaltyWithdrawn) and audience != "officials":
            return None
        return event

    def dump(self, state: State) -> bytes:
        return msgspec.json.encode(state.desk)

    def load(self, setup: DeskOpened, data: bytes) -> State:
        return State(setup, msgspec.json.decode(data, type=Desk))

    def tell(self, event: Event, state: State, names: Mapping[Seat, str] | None = None) -> str:
        """`names` are those of entrants."""
        return telling.tell(event, state.desk, names or {})

    def headline(self, state: State, names: Mapping[Seat, str] | None = None) -> str:
        return telling.headline(state, names or {})

    def sample_setup(
        self, pick: Pick, seats: int | None = None, options: Mapping[str, Any] | None = None
    ) -> DeskOpened:
        chosen = {"cap": 2 + pick(7), "check_in": pick(4) == 0, "confirmed_only": pick(3) == 0}
        chosen["appeal_minutes"] = 30 * (pick(4) > 0)
        return DeskOpened(
            ruleset="desk@1",
            options=msgspec.convert(chosen | dict(options or {}), Options),
            seats=(),
        )

    def sample_value(self, shape: str, pick: Pick) -> Plain:
        if shape == "note":
            return f"{pick(2**60):064x}"
        return f"Side {pick(100)}" if shape == "label" and pick(3) else ""
