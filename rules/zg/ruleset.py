"""`zg@1`: joins the chapters."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from rules import texts
from rules.capabilities import Chance, Countdown
from rules.chaptered import Chaptered, joined, packed
from rules.fields import Plain
from rules.ruleset import (
    LEGAL,
    Act,
    Audience,
    Consequence,
    Draw,
    Event,
    Offer,
    Opened,
    Outcome,
    Pick,
    Problem,
    Question,
    Seat,
    Verdict,
    event_type,
    impossible,
    irregular,
)
from rules.zg import (
    attack,
    bench,
    blanks,
    character,
    choosing,
    earning,
    foretelling,
    hands,
    impulse,
    knockback,
    luck,
    modes,
    movement,
    moves,
    practice,
    pulse,
    retest,
    rulings,
    samples,
    score,
    slag,
    telling,
    terrain,
    tools,
    victory,
    viewing,
)
from rules.zg import (
    setup as starting,
)
from rules.zg.acts import (
    ACTS,
    CharacterSpent,
    HandTaken,
    Options,
    Retested,
    Ruled,
    ZgOpened,
)
from rules.zg.cards import Deck
from rules.zg.consequences import CONSEQUENCES
from rules.zg.state import Board, Rule, State, Story, keeps_hand, remaining, seats_of
from rules.zg.words import TEXTS

CHAPTERS = (
    hands,
    impulse,
    movement,
    moves,
    attack,
    terrain,
    slag,
    knockback,
    blanks,
    pulse,
    retest,
    modes,
    earning,
    character,
    score,
    rulings,
    victory,
)
RULES: dict[type[Act], Rule]
FOLDS: dict[type[Event], Callable[[Board, Any], Board]]
RULES, FOLDS = joined(CHAPTERS)
TESTS = (
    impulse.offers,
    attack.offers,
    blanks.offers,
    pulse.offers,
    retest.offers,
    character.offers,
    blanks.offers_to_show,
    rulings.offers_of_prime,
    victory.offers,
)
OFFERS = {
    "full": (
        hands.offers,
        movement.offers,
        knockback.offers,
        *TESTS,
        terrain.offers,
        modes.offers,
    ),
    "tests": (hands.offers_of_flameout, *TESTS, movement.offers_of_edge),
    "score": (
        movement.offers_of_edge,
        score.offers,
        character.offers,
        blanks.offers_to_show,
        rulings.offers_of_prime,
        victory.offers,
    ),
}
"""What each depth offers a seat, in this order."""

OFFERS_OUT = {
    "full": (retest.offers, blanks.offers_to_show),
    "tests": (retest.offers, blanks.offers_to_show),
    "score": (blanks.offers_to_show,),
}
"""What each depth still offers a seat that is out."""

REOPENING = (Retested, CharacterSpent, Ruled)
"""Acts that may still change how the match ended, if the table lets them stand."""


class ZgRuleset(Chaptered):
    key = "zg"
    name = "Z-G"
    seats = starting.SEATS
    opened: type[Opened] = ZgOpened
    options_type: type[msgspec.Struct] = Options
    deck_type = Deck
    acts = ACTS
    consequences: tuple[type[Consequence], ...] = CONSEQUENCES
    texts: Mapping[str, str] = TEXTS
    tools: Mapping[str, Any] = tools.TOOLS
    pages: Mapping[str, type[Question]] = {"bench": bench.Bench}
    rulings: tuple[type[Act], ...] = (Ruled,)
    bot_weights: Mapping[str, int] = samples.BOT_WEIGHTS
    answers: tuple[type[Act], ...] = practice.ANSWERS

    def start(self, setup: ZgOpened) -> State:
        return starting.start(setup)

    def options(self, state: State, seat: Seat | None = None) -> tuple[Offer, ...]:
        board = state.board
        if board.outcome:
            return ()
        found = [
            offer
            for each, side in enumerate(board.sides, 1)
            if seat in (None, each)
            for chapter in (OFFERS_OUT if side.out else OFFERS)[board.depth]
            for offer in chapter(state, each)
        ]
        if seat is None:
            found += [*rulings.offers_of_rulings(state), *rulings.offers_of_depth(state)]
        return tuple(found)

    def judge(self, state: State, act: Act) -> Verdict:
        """Refuse an act without meaning, object to one against the rules."""
        rule = RULES.get(type(act))
        if rule is None:
            return impossible("no-such-act", act=event_type(act))
        if verdict := rule.cannot(state, act):
            return verdict
        if state.board.outcome:
            if isinstance(act, Retested) and retest.decided(state):
                return rule.may_not(state, act) or irregular("test-decided", "ZG ATK-6")
            if isinstance(act, REOPENING):
                return irregular("match-over", "ZG DMG-6")
            return impossible("match-over", "ZG DMG-6")
        depth = state.board.depth
        if depth not in rule.depths:
            return irregular("other-depth", "", depth=depth)
        return rule.may_not(state, act) or LEGAL

    def play(self, state: State, act: Act) -> tuple[tuple[Consequence, ...], State]:
        story = Story(self.evolve(state, act), self.evolve)
        RULES[type(act)].decide(story, state, act)
        victory.follow(story, state)
        return tuple(story.events), story.state

    def evolve(self, state: State, event: Event) -> State:
        board = FOLDS[type(event)](state.board, event)
        return State(state.setup, state.gear, board, state.ulsters)

    def outcome(self, state: State) -> Outcome | None:
        return state.board.outcome

    def view(self, state: State, audience: Audience) -> dict[str, Any]:
        """Everybody sees everything except the hands of others."""
        return viewing.view(state, audience)

    def secrets(self, state: State) -> tuple[Seat, ...]:
        """Return the seats whose recorded hand is not all of their cards. Rule: ZG SET-2."""
        return tuple(seat for seat in seats_of(state) if keeps_hand(state, seat))

    def offers_to(self, state: State, audience: Audience) -> tuple[Offer, ...]:
        """Return what may be legal as far as an audience knows: any card may be in a hand."""
        return viewing.offers_to(self.options, state, audience)

    def veil(self, state: State, audience: Audience) -> State:
        """Return a state in which the hands of others were never recorded."""
        return viewing.veil(state, audience)

    def hide(self, event: Event, audience: Audience) -> Event | None:
        """Return an event; a hand taken without its cards. Rule: ZG SET-2."""
        if isinstance(event, HandTaken) and audience not in (event.seat, "officials"):
            return msgspec.structs.replace(event, cards=())
        return event

    def dump(self, state: State) -> bytes:
        return packed(state.board)

    def load(self, setup: ZgOpened, data: bytes) -> State:
        return starting.state_of(setup, msgspec.json.decode(data, type=Board))

    def check_deck(self, deck: Deck | None, options: Options) -> Sequence[Problem]:
        return starting.check_deck(deck, options)

    def draws(self, state: State, act: Any) -> tuple[Draw, ...]:
        if getattr(act, "spin", "table") == "table" or not state.setup.commitment:
            return ()
        return RULES[type(act)].draws(state, act)

    def tell(self, event: Event, state: State, names: Mapping[Seat, str] | None = None) -> str:
        return telling.tell(event, state, texts.names_of(state.setup, names))

    def headline(self, state: State, names: Mapping[Seat, str] | None = None) -> str:
        return telling.headline(state, texts.names_of(state.setup, names))

    def sample_setup(
        self, pick: Pick, seats: int | None = None, options: Mapping[str, Any] | None = None
    ) -> ZgOpened:
        return samples.sample_setup(pick, seats, options)

    def foretell(self, state: State) -> dict[str, Any]:
        return foretelling.foretell(state)

    def countdown(self, state: State) -> Countdown:
        return pulse.countdown(viewing.awaited(state)[1])

    def worth(self, state: State, act: Act) -> int | None:
        """Return what an act is worth to its seat, by what that seat may know."""
        return choosing.worth(state, act)

    def choices(
        self, state: State, seat: Seat, offers: Sequence[Offer], pick: Pick
    ) -> Sequence[Offer]:
        """Return what a bot at a seat chooses from."""
        return practice.choices(state, seat, offers)

    def chance_of(
        self, state: State, act: Act, consequences: Sequence[Consequence]
    ) -> Chance | None:
        """Return the expected strikes of a test, and the actual ones."""
        return luck.chance_of(state, act, consequences)

    def material(self, state: State) -> tuple[int, ...]:
        """Return how much gear each seat has left."""
        return tuple(len(remaining(state, seat)) for seat in seats_of(state))

    def sample_value(self, shape: str, pick: Pick) -> Plain:
        return samples.sample_value(shape, pick)
