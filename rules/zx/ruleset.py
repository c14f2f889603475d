"""`zx@1`: joins the chapters."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from rules import texts
from rules.capabilities import DeckList, FloorRules
from rules.chaptered import Chaptered, joined, packed
from rules.fields import Plain, Value
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
    Verdict,
    event_type,
    impossible,
)
from rules.zx import (
    battle,
    effects,
    ending,
    ignition,
    life,
    lists,
    opening,
    playing,
    practice,
    samples,
    telling,
    tools,
    turn,
    viewing,
)
from rules.zx import (
    setup as starting,
)
from rules.zx.acts import (
    ACTS,
    TURN_UP,
    EffectApplied,
    HandNoted,
    Options,
    Ruled,
    ZxOpened,
)
from rules.zx.cards import Deck
from rules.zx.consequences import CONSEQUENCES
from rules.zx.follow import follow
from rules.zx.state import SEATS, Board, Rule, State, Story, with_side
from rules.zx.waiting import not_started
from rules.zx.words import TEXTS

CHAPTERS = (opening, turn, playing, ignition, battle, life, effects, ending)
RULES: dict[type[Act], Rule]
FOLDS: dict[type[Event], Callable[[State, Any], Board]]
RULES, FOLDS = joined(CHAPTERS)
OFFERS = (
    opening.offers,
    turn.offers,
    playing.offers,
    ignition.offers,
    battle.offers,
    life.offers,
    effects.offers,
    playing.offers_of_triggers,
)
"""What depth `full` offers a seat, in this order; every depth offers what ends the game."""


class ZxRuleset(Chaptered):
    key = "zx"
    name = "Z/X"
    seats = starting.PLAYERS
    opened: type[Opened] = ZxOpened
    options_type: type[msgspec.Struct] = Options
    deck_type = Deck
    acts = ACTS
    consequences: tuple[type[Consequence], ...] = CONSEQUENCES
    texts: Mapping[str, str] = TEXTS
    tools: Mapping[str, Any] = tools.TOOLS
    rulings: tuple[type[Act], ...] = (Ruled,)
    bot_weights: Mapping[str, int] = samples.BOT_WEIGHTS
    answers: tuple[type[Act], ...] = ()

    def start(self, setup: ZxOpened) -> State:
        return starting.start(setup)

    def options(self, state: State, seat: Seat | None = None) -> tuple[Offer, ...]:
        if state.board.outcome:
            return ()
        found: list[Offer] = []
        for each in SEATS if seat is None else (seat,):
            if state.board.depth == "full":
                for chapter in OFFERS:
                    found += chapter(state, each)
            found += ending.offers(state, each)
        if seat is None:
            found += battle.offers_of_table(state)
            found += ending.offers_of_table(state)
        return tuple(found)

    def veil(self, state: State, audience: Audience) -> State:
        """Return a state in which the hands of others were not noted."""
        board = state.board
        for seat in self.secrets(state):
            if audience not in (seat, "officials"):
                board = with_side(board, seat, known=())
        return msgspec.structs.replace(state, board=board)

    def judge(self, state: State, act: Act) -> Verdict:
        """Refuse an act without meaning, object to one against the rules."""
        rule = RULES.get(type(act))
        if rule is None:
            return impossible("no-such-act", act=event_type(act))
        seat = getattr(act, "seat", None)
        if seat is not None and seat not in SEATS:
            return impossible("no-such-seat", seat=seat, seats=len(SEATS))
        if state.board.outcome:
            return impossible("game-over", state.board.outcome.clause)
        depth = state.board.depth
        if depth not in rule.depths:
            return impossible("other-depth", depth=depth)
        if rule.running and (verdict := not_started(state)):
            return verdict
        return rule.cannot(state, act) or rule.may_not(state, act) or LEGAL

    def play(self, state: State, act: Act) -> tuple[tuple[Consequence, ...], State]:
        story = Story(self.evolve(state, act), self.evolve)
        playing.resolve(story, state, act)
        RULES[type(act)].decide(story, state, act)
        follow(story)
        return tuple(story.events), story.state

    def evolve(self, state: State, event: Event) -> State:
        return State(state.setup, state.cards, state.terms, FOLDS[type(event)](state, event))

    def outcome(self, state: State) -> Outcome | None:
        return state.board.outcome

    def view(self, state: State, audience: Audience) -> dict[str, Any]:
        """Everybody sees everything except the hands of others; nobody sees decks and life."""
        return viewing.view(state, audience)

    def secrets(self, state: State) -> tuple[Seat, ...]:
        """Return the seats whose hand was noted. Rule: ZX-Z5."""
        return tuple(seat for seat in SEATS if state.board.sides[seat - 1].known)

    def hide(self, event: Event, audience: Audience) -> Event | None:
        """Return an event; a hand noted without its cards. Rule: ZX-Z5."""
        if isinstance(event, HandNoted) and audience not in (event.seat, "officials"):
            return msgspec.structs.replace(event, cards=())
        return event

    def reveals(self, act: Act) -> bool:
        """Tell whether an act turns up a card of the deck or of life, or shows one of a hand."""
        if not isinstance(act, EffectApplied):
            return isinstance(act, TURN_UP)
        return act.op == "reveal" or (act.pile in ("deck", "life") and act.card != "")

    def dump(self, state: State) -> bytes:
        return packed(state.board)

    def load(self, setup: ZxOpened, data: bytes) -> State:
        return starting.state_of(setup, msgspec.json.decode(data, type=Board))

    def check_deck(self, deck: Deck | None, options: Options) -> Sequence[Problem]:
        return starting.check_deck(deck, options)

    list_options = ("profile", "format", "copies", "bans")

    def read_list(self, text: str, known: Mapping[str, Any]) -> DeckList:
        return lists.read_list(text, known)

    def write_list(self, deck: Deck) -> str:
        return lists.write_list(deck)

    def options_on(self, options: Options, day: str) -> Options:
        """Return options with the restricted cards of that day. Rule: ZX-D6."""
        return options if options.bans else msgspec.structs.replace(options, bans=day)

    def floor_rules(self, options: Options) -> FloorRules:
        """Return the floor rules of championships. Rule: ZX-X1, ZX-X3, ZX-X4, ZX-X8."""
        return ending.floor_rules(options)

    def time_called(self, state: State) -> Act | None:
        return ending.time_called(state)

    def tell(self, event: Event, state: State, names: Mapping[Seat, str] | None = None) -> str:
        return telling.tell(event, state, texts.names_of(state.setup, names))

    def called(self, state: State, offer: Offer, field: str, value: Value) -> str | None:
        """Return squares with the Z/X on them."""
        return telling.called(state, offer, field, value)

    def headline(self, state: State, names: Mapping[Seat, str] | None = None) -> str:
        return telling.headline(state, texts.names_of(state.setup, names))

    def sample_setup(
        self, pick: Pick, seats: int | None = None, options: Mapping[str, Any] | None = None
    ) -> ZxOpened:
        return samples.sample_setup(pick, options)

    def material(self, state: State) -> tuple[int, ...]:
        """Return how much life each seat has left."""
        return tuple(len(side.life) for side in state.board.sides)

    def choices(
        self, state: State, seat: Seat, offers: Sequence[Offer], pick: Pick
    ) -> Sequence[Offer]:
        """Return what a bot at a seat chooses from."""
        return practice.choices(state, seat, offers, pick)

    def sample_value(self, shape: str, pick: Pick) -> Plain:
        return samples.sample_value(shape, pick)
