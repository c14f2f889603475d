"""Setting up: the board and the deck, classes, home bases, the first seat.

ZP-S1  Each player takes a pawn colour and a home base and puts the 6 pieces there.
ZP-S2  At least one player is Ninja or Pirate; every other class is there at most once.
ZP-S3  With two players only Ninjas and Pirates.
ZP-S5  Four cards to each player.
ZP-S6  Any agreed way picks the first player; turns go clockwise.
"""

from collections.abc import Iterator

from rules.chaptered import kept
from rules.fields import Choice
from rules.ruleset import Offer, Problem, Seat, SetupError, Verdict, impossible, irregular
from rules.zerpang import cards, files, maps
from rules.zerpang.acts import (
    CLASSES,
    COLOURS,
    DEPTHS,
    PIECES,
    BaseTaken,
    ClassTaken,
    FirstSeatPicked,
    Options,
    ZerpangOpened,
)
from rules.zerpang.consequences import CardsDealt, TurnStarted
from rules.zerpang.state import (
    HAND,
    HOME,
    LOYAL,
    Folds,
    Rule,
    Rules,
    Side,
    State,
    Story,
    Table,
    playing,
    replace,
    side_of,
    with_side,
)

SEATS = range(2, 7)


@kept
def start(setup: ZerpangOpened) -> State:
    """Return the first state. Raises: SetupError."""
    if len(setup.seats) not in SEATS:
        raise SetupError(Problem("seat-count", "ZP-S1", {"seats": len(setup.seats)}))
    board, deck = files_of(setup.options)
    table = Table(
        sides=tuple(Side(at=(HOME,) * PIECES) for _ in setup.seats),
        board=f"{board.id}:{board.fingerprint}",
        depth=setup.options.depth,
        deck=deck.size,
    )
    return state_of(setup, table)


def state_of(setup: ZerpangOpened, table: Table) -> State:
    """Join a table to the setup it belongs to."""
    board, deck = setup.options.board or maps.USUAL, setup.options.deck or cards.USUAL
    return State(setup, maps.board(board), cards.deck(deck), table)


def files_of(options: Options) -> tuple[maps.Board, cards.Deck]:
    """Return the board and the deck named in the options. Raises: SetupError."""
    name = options.board or maps.USUAL
    try:
        board = maps.board(name)
    except KeyError:
        known = ", ".join(files.names("boards"))
        raise SetupError(Problem("no-such-board", params={"board": name, "known": known})) from None
    except maps.BoardError as error:
        raise SetupError(error.problems[0]) from None
    if options.board_print not in ("", board.fingerprint):
        params: dict[str, int | str] = {"board": name, "fingerprint": board.fingerprint}
        raise SetupError(Problem("board-changed", params=params))
    name = options.deck or cards.USUAL
    try:
        return board, cards.deck(name)
    except KeyError:
        known = ", ".join(files.names("decks"))
        raise SetupError(Problem("no-such-deck", params={"deck": name, "known": known})) from None


# -- classes --------------------------------------------------------------------------


def offers_of_class(state: State, seat: Seat) -> Iterator[Offer]:
    if state.table.turn or side_of(state, seat).cls or side_of(state, seat).out:
        return
    fitting = tuple(cls for cls in CLASSES if not _misfit(state, seat, cls))
    yield Offer("class-taken", seat, {"cls": Choice(fitting)})


def _misfit(state: State, seat: Seat, cls: str) -> Verdict | None:
    """Object to a class that does not fit the others. Rule: ZP-S2, ZP-S3."""
    if cls in LOYAL:
        return None
    sides = state.table.sides
    if len(sides) == 2:
        return irregular("class-2p", "ZP-S3", cls=cls)
    others = [side.cls for other, side in enumerate(sides, 1) if other != seat]
    if cls in others:
        return irregular("class-duplicate", "ZP-S2", cls=cls)
    if all(others) and not {*others} & {*LOYAL}:
        return irregular("class-needs-np", "ZP-S2", cls=cls)
    return None


def cannot_take(state: State, act: ClassTaken | BaseTaken) -> Verdict | None:
    return impossible("begun", "ZP-S6") if state.table.turn else None


def may_not_take_class(state: State, act: ClassTaken) -> Verdict | None:
    if side_of(state, act.seat).cls:
        return irregular("class-chosen", "ZP-S2", seat=act.seat, cls=side_of(state, act.seat).cls)
    return _misfit(state, act.seat, act.cls)


def fold_class(table: Table, act: ClassTaken) -> Table:
    return with_side(table, act.seat, cls=act.cls)


# -- bases ----------------------------------------------------------------------------


def offers_of_base(state: State, seat: Seat) -> Iterator[Offer]:
    side, sides = side_of(state, seat), state.table.sides
    if state.table.turn or side.out or side.base:
        return
    bases = tuple(b for b in state.board.gates if all(s.base != b for s in sides))
    colours = tuple(c for c in COLOURS if all(s.colour != c for s in sides))
    yield Offer("base-taken", seat, {"base": Choice(bases), "colour": Choice(colours)})


def cannot_take_base(state: State, act: BaseTaken) -> Verdict | None:
    if verdict := cannot_take(state, act):
        return verdict
    if act.base not in state.board.gates:
        return impossible("no-such-base", "ZP-S1", base=act.base)
    for seat, side in enumerate(state.table.sides, 1):
        if seat != act.seat and side.base == act.base:
            return impossible("base-taken", "ZP-S1", base=act.base, foe=seat)
        if seat != act.seat and side.colour == act.colour:
            return impossible("colour-taken", "ZP-S1", colour=act.colour, foe=seat)
    return None


def may_not_take_base(state: State, act: BaseTaken) -> Verdict | None:
    side = side_of(state, act.seat)
    if side.base:
        return irregular("base-chosen", "ZP-S1", seat=act.seat, base=side.base)
    return None


def fold_base(table: Table, act: BaseTaken) -> Table:
    return with_side(table, act.seat, base=act.base, colour=act.colour)


# -- the first seat -------------------------------------------------------------------


def offers_of_first(state: State, seat: Seat) -> Iterator[Offer]:
    if not state.table.turn and not side_of(state, seat).out and not unready(state):
        yield Offer("first-seat-picked", seat, {})


def unready(state: State) -> Verdict | None:
    """Refuse to begin while a seat has no class or no base."""
    for seat in playing(state):
        side = side_of(state, seat)
        if not side.cls or not side.base:
            return impossible("not-set-up", "ZP-S1", seat=seat)
    return None


def cannot_pick(state: State, act: FirstSeatPicked) -> Verdict | None:
    return impossible("begun", "ZP-S6") if state.table.turn else unready(state)


def decide_pick(story: Story, before: State, act: FirstSeatPicked) -> None:
    for seat in playing(before):
        story.add(CardsDealt(seat=seat, n=HAND))
    story.add(TurnStarted(seat=act.seat, no=1))


def fold_pick(table: Table, act: FirstSeatPicked) -> Table:
    return replace(table, first=act.seat)


def fold_dealt(table: Table, event: CardsDealt) -> Table:
    hand = table.sides[event.seat - 1].hand + event.n
    return replace(with_side(table, event.seat, hand=hand), deck=table.deck - event.n)


RULES: Rules = {
    ClassTaken: Rule(
        when="setup",
        offers=offers_of_class,
        cannot=cannot_take,
        may_not=may_not_take_class,
        fold=fold_class,
        depths=DEPTHS,
        running=False,
    ),
    BaseTaken: Rule(
        when="setup",
        offers=offers_of_base,
        cannot=cannot_take_base,
        may_not=may_not_take_base,
        fold=fold_base,
        running=False,
    ),
    FirstSeatPicked: Rule(
        when="setup",
        offers=offers_of_first,
        cannot=cannot_pick,
        decide=decide_pick,
        fold=fold_pick,
        running=False,
    ),
}
FOLDS: Folds = {CardsDealt: fold_dealt}
