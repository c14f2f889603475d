"""`zerpang@1`: joins the chapters."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from rules import texts
from rules.chaptered import Chaptered, joined, packed
from rules.fields import Value
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
    Seat,
    Verdict,
    event_type,
    impossible,
    irregular,
)
from rules.zerpang import (
    abilities,
    answers,
    checks,
    choosing,
    combat,
    contact,
    course,
    defeat,
    drawing,
    effects,
    entrance,
    linked,
    movement,
    paying,
    practice,
    rings,
    rulings,
    samples,
    specials,
    telling,
    tools,
    turns,
    victory,
    viewing,
)
from rules.zerpang import (
    setup as starting,
)
from rules.zerpang.acts import (
    ACTS,
    AssistPlayed,
    AssistRefused,
    CardDiscarded,
    CardSeen,
    Options,
    PointsPaid,
    Ruled,
    SpecialNegated,
    SpecialPlayed,
    ZerpangOpened,
)
from rules.zerpang.consequences import CONSEQUENCES
from rules.zerpang.state import Rule, State, Story, Table, is_active, replace, with_side
from rules.zerpang.words import TEXTS

CHAPTERS = (
    starting,
    paying,
    entrance,
    movement,
    linked,
    abilities,
    contact,
    combat,
    defeat,
    specials,
    effects,
    answers,
    turns,
    drawing,
    rings,
    course,
    victory,
    rulings,
)
"""In this order their acts are offered."""

RULES: dict[type[Act], Rule]
FOLDS: dict[type[Event], Callable[[Table, Any], Table]]
RULES, FOLDS = joined(CHAPTERS)
OFFERED, OFFERED_AT_SCORE = (
    tuple(rule for rule in RULES.values() if depth in rule.depths) for depth in ("full", "score")
)
ANSWERS = (PointsPaid, CardSeen, SpecialPlayed, SpecialNegated, AssistPlayed, AssistRefused)
"""Acts that leave open what was just played, drawn or defeated; a specialty closes it itself."""

CLOSING = frozenset(kind for kind in ACTS if kind not in ANSWERS)
"""Acts that close what is open. A discard belongs to the draw just made."""


class ZerpangRuleset(Chaptered):
    key = "zerpang"
    name = "Zerpang!"
    seats = starting.SEATS
    opened: type[Opened] = ZerpangOpened
    options_type: type[msgspec.Struct] = Options
    acts = ACTS
    consequences: tuple[type[Consequence], ...] = CONSEQUENCES
    texts: Mapping[str, str] = TEXTS
    tools: Mapping[str, Any] = tools.TOOLS
    rulings: tuple[type[Act], ...] = (Ruled,)
    bot_weights: Mapping[str, int] = samples.BOT_WEIGHTS
    answers: tuple[type[Act], ...] = practice.ANSWERS

    def start(self, setup: ZerpangOpened) -> State:
        return starting.start(setup)

    def check_options(self, options: Options) -> None:
        starting.files_of(options)

    def options(self, state: State, seat: Seat | None = None) -> tuple[Offer, ...]:
        table = state.table
        if table.outcome:
            return ()
        found: list[Offer] = []
        for each in range(1, len(table.sides) + 1) if seat is None else (seat,):
            for rule in _rules_for(state, each):
                found += rule.offers(state, each)
        if seat is None:
            if table.depth == "full":
                found += victory.offers_of_clock(state)
            found += [*rulings.offers_of_rulings(state), *rulings.offers_of_depth(state)]
        return tuple(found)

    def judge(self, state: State, act: Act) -> Verdict:
        """Refuse an act without meaning, object to one against the rules."""
        rule = RULES.get(type(act))
        if rule is None:
            return impossible("no-such-act", act=event_type(act))
        if state.table.outcome:
            return impossible("game-over", "ZP-T9")
        seat = getattr(act, "seat", None)
        if seat is not None and (verdict := checks.not_playing(state, seat)):
            return verdict
        if rule.running and state.table.turn is None:
            return impossible("not-begun", "ZP-S6")
        if verdict := rule.cannot(state, act):
            return verdict
        depth = state.table.depth
        if depth not in rule.depths:
            return irregular("other-depth", "", depth=depth)
        return rule.may_not(state, act) or LEGAL

    def play(self, state: State, act: Act) -> tuple[tuple[Consequence, ...], State]:
        story = Story(self.evolve(state, act), self.evolve)
        RULES[type(act)].decide(story, state, act)
        course.follow(story)
        return tuple(story.events), story.state

    def evolve(self, state: State, event: Event) -> State:
        table = state.table
        if (table.fallen or table.drew or table.open) and type(event) in CLOSING:
            drew = table.drew if type(event) is CardDiscarded else None
            table = replace(table, fallen=(), drew=drew, open=None)
        return State(state.setup, state.board, state.deck, FOLDS[type(event)](table, event))

    def outcome(self, state: State) -> Outcome | None:
        return state.table.outcome

    def view(self, state: State, audience: Audience) -> dict[str, Any]:
        """Everybody sees everything except the cards that others recorded of their hands."""
        return viewing.view(state, audience)

    def secrets(self, state: State) -> tuple[Seat, ...]:
        """Return the seats that recorded cards of their hand."""
        return tuple(seat for seat, side in enumerate(state.table.sides, 1) if side.known)

    def veil(self, state: State, audience: Audience) -> State:
        """Return a state in which others recorded no cards of their hands."""
        table = state.table
        for seat in self.secrets(state):
            if audience not in (seat, "officials"):
                table = with_side(table, seat, known=())
        return State(state.setup, state.board, state.deck, table)

    def hide(self, event: Event, audience: Audience) -> Event | None:
        """Return an event; a recorded card without its name."""
        if isinstance(event, CardSeen) and audience not in (event.seat, "officials"):
            return msgspec.structs.replace(event, card="")
        return event

    def dump(self, state: State) -> bytes:
        return packed(state.table)

    def load(self, setup: ZerpangOpened, data: bytes) -> State:
        return starting.state_of(setup, msgspec.json.decode(data, type=Table))

    def tell(self, event: Event, state: State, names: Mapping[Seat, str] | None = None) -> str:
        return telling.tell(event, state, texts.names_of(state.setup, names))

    def called(self, state: State, offer: Offer, field: str, value: Value) -> str | None:
        """Return the titles of cards for their ids."""
        return telling.called(state, offer, field, value)

    def headline(self, state: State, names: Mapping[Seat, str] | None = None) -> str:
        return telling.headline(state, texts.names_of(state.setup, names))

    def ending(self, state: State, names: Mapping[Seat, str]) -> str:
        return telling.ending(state, texts.names_of(state.setup, names))

    def worth(self, state: State, act: Act) -> int | None:
        """Return what an act is worth to its seat, None for one better avoided."""
        return choosing.worth(state, act)

    def choices(
        self, state: State, seat: Seat, offers: Sequence[Offer], pick: Pick
    ) -> Sequence[Offer]:
        """Return what a bot at a seat chooses from."""
        return practice.choices(state, seat, offers, pick)

    def sample_setup(
        self, pick: Pick, seats: int | None = None, options: Mapping[str, Any] | None = None
    ) -> ZerpangOpened:
        return samples.sample_setup(pick, seats, options)


def _rules_for(state: State, seat: Seat) -> tuple[Rule, ...]:
    """Return the rules of acts that may be offered to a seat."""
    table = state.table
    if table.depth == "score":
        return OFFERED_AT_SCORE
    return _offered(
        setup=table.turn is None,
        own_turn=is_active(state, seat),
        fight=table.fight is not None,
        opened=table.open is not None,
    )


@cache
def _offered(*, setup: bool, own_turn: bool, fight: bool, opened: bool) -> tuple[Rule, ...]:
    """Return the rules of acts that may be offered at such a moment."""
    now = {"": True, "setup": setup, "own-turn": own_turn, "fight": fight, "open": opened}
    return tuple(rule for rule in OFFERED if now[rule.when])
