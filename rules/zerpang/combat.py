"""Combat: who meets whom, what the sides add, who is defeated.

ZP-C1  The piece that moved into contact is the aggressor.
ZP-C4  The sides add points or specialties in turns. The aggressor must end at least 1 higher;
       ties go to the defender, except that Zombies win every tie.
ZP-C5  Combat ends when a side can or will not raise further, or concedes. The loser's fighter
       goes to its home base. Cards played are discarded.
ZP-C6  If enemies still touch afterwards a new combat follows.
ZP-C7  Others may add points for a side, and offer specialties, which the helped may refuse.
ZP-C8  One aggressor against several players: clockwise by defender. Several pieces of one
       defender: that defender picks the order.
ZP-L3  A piece the Alien defeats goes into the Alien's base while that holds fewer than 6.
ZP-L4  Losing a combat to the owner sends all its abducted pieces home.
ZP-L6  The owner of an abducted piece can not help others against the Alien.
ZP-N3  A Ninja who was not here to fight: with no card played, concede, and take a random card.
AM6    Strict turns, aggressor first; two passes in a row end it; help by others resets them.
"""

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any

from rules.chaptered import kept
from rules.fields import Choice, Ordered
from rules.ruleset import Offer, Seat, Verdict, impossible, irregular
from rules.zerpang import checks
from rules.zerpang.acts import (
    PIECES,
    AssistPlayed,
    CombatConceded,
    CombatOrderChosen,
    CombatPassed,
    CombatPlayed,
    Role,
)
from rules.zerpang.cards import Which
from rules.zerpang.consequences import (
    BaseFull,
    CardSpent,
    CombatEnded,
    CombatOrderAsked,
    CombatStarted,
    FighterChanged,
    PieceAbducted,
    PieceDefeated,
    PieceSentHome,
    PiecesReleased,
    PointsSpent,
    RatingRaised,
)
from rules.zerpang.paying import (
    NOTHING_LAID,
    by_side,
    impossible_only,
    no_such_side,
    not_holding,
    other_side,
    short,
    worth,
)
from rules.zerpang.ratings import base_rating, chain_of
from rules.zerpang.rings import infectious, leave_one, lose_one
from rules.zerpang.state import (
    HELD,
    HOME,
    Fight,
    Folds,
    Force,
    Rule,
    Rules,
    State,
    Story,
    Table,
    at,
    class_of,
    clockwise,
    held_by,
    keep,
    owner,
    put,
    replace,
    side_of,
    touching,
    with_turn,
)

OTHER: dict[Role, Role] = {"agg": "def", "def": "agg"}


# -- who meets whom -------------------------------------------------------------------


@kept
def contacts(state: State) -> Sequence[tuple[str, list[str]]]:
    """Return each piece that came to rest with the enemies it touches. Rule: ZP-T6, AM7."""
    turn = state.table.turn
    if turn is None or not turn.arrived:
        return ()
    meets_on_entry = state.options.entry_combat != "off"
    met = [
        (piece, touching(state, piece))
        for piece in turn.arrived
        if meets_on_entry or piece in turn.moved or piece in turn.seconds
    ]
    return [(piece, foes) for piece, foes in met if foes]


def in_contact(state: State) -> bool:
    return bool(contacts(state))


def next_combat(story: Story) -> bool:
    """Start the next combat there is, or ask a defender for its order; tell whether one did."""
    state = story.state
    for piece, foes in contacts(state):
        seats = [s for s in clockwise(state, owner(piece)) if any(owner(f) == s for f in foes)]
        mine = sorted(foe for foe in foes if owner(foe) == seats[0])
        turn = state.table.turn
        assert turn is not None
        ordered = [foe for foe in turn.order if foe in mine]
        if len(mine) > max(1, len(ordered)):
            story.add(CombatOrderAsked(seat=seats[0], agg=piece, pieces=tuple(mine)))
        else:
            start(story, piece, (ordered or mine)[0])
        return True
    return False


def start(story: Story, piece: str, foe: str) -> None:
    state = story.state
    story.add(
        CombatStarted(
            agg=piece,
            defender=foe,
            rating_a=base_rating(state, piece, foe),
            rating_d=base_rating(state, foe, piece),
            chain_a=tuple(chain_of(state, piece)[0][1:]),
            chain_d=tuple(chain_of(state, foe)[0][1:]),
        )
    )


def is_early(table: Table, seat: Seat) -> bool:
    """Tell whether a combat came as a piece of a seat moved, and nobody did anything in it yet.

    Until then cards of movement may be played, and put it off. Rule: ZP-T1, ZP 8.
    """
    turn, fight = table.turn, table.fight
    if turn is None or turn.seat != seat or not turn.early:
        return False
    return fight.untouched if fight else bool(turn.asked)


def put_off(table: Table) -> Table:
    """Return the table back in movement, before a combat that came early."""
    table = with_turn(table, phase="movement", early=False, asked=0, asked_by="")
    return replace(table, fight=None)


def _meeting(table: Table) -> dict[str, Any]:
    """Return what changes of a turn as a combat comes."""
    turn = table.turn
    early = turn is not None and (turn.early or turn.phase == "movement")
    return {"phase": "combat", "early": early}


def fold_asked(table: Table, event: CombatOrderAsked) -> Table:
    return with_turn(table, asked=event.seat, asked_by=event.agg, **_meeting(table))


def fold_started(table: Table, event: CombatStarted) -> Table:
    fight = Fight(
        agg=Force(piece=event.agg, base=event.rating_a),
        foe=Force(piece=event.defender, base=event.rating_d),
    )
    return replace(with_turn(table, asked=0, asked_by="", **_meeting(table)), fight=fight)


# -- the order of a defender ----------------------------------------------------------


def touched(state: State) -> list[str]:
    """Return the pieces of the defender who is asked for an order."""
    turn = state.table.turn
    if turn is None or not turn.asked:
        return []
    return sorted(p for p in touching(state, turn.asked_by) if owner(p) == turn.asked)


def offers_of_order(state: State, seat: Seat) -> Iterator[Offer]:
    turn = state.table.turn
    if turn and turn.asked == seat:
        pieces = tuple(touched(state))
        many = len(pieces)
        yield Offer("combat-order-chosen", seat, {"order": Ordered(pieces, most=many, least=many)})


def cannot_order(state: State, act: CombatOrderChosen) -> Verdict | None:
    if verdict := checks.no_turn(state, act.seat):
        return verdict
    turn = state.table.turn
    if turn is None or turn.asked != act.seat:
        return impossible("no-order-asked", "ZP-C8", seat=act.seat)
    if tuple(act.order) not in permutations(touched(state)):
        return impossible("not-the-pieces", "ZP-C8", seat=act.seat)
    return None


def fold_order(table: Table, act: CombatOrderChosen) -> Table:
    return with_turn(table, order=act.order, asked=0, asked_by="")


# -- adding points --------------------------------------------------------------------


def not_in_combat(state: State, seat: Seat) -> Verdict | None:
    """Refuse a seat that has no fighter in a combat under way."""
    if verdict := checks.no_turn(state, seat):
        return verdict
    fight = state.table.fight
    if fight is None:
        return impossible("no-combat", "ZP-T6")
    if fight.role_of(seat) is None:
        return impossible("not-in-combat", "ZP-C4", seat=seat)
    return None


def not_your_raise(state: State, seat: Seat) -> Verdict | None:
    """Object when the other side is to add something now. Rule: AM6."""
    fight = state.table.fight
    if fight is None or fight.role_of(seat) == to_raise(state, fight):
        return None
    foe = fight.force(to_raise(state, fight)).seat
    return irregular("not-your-raise", "ZP-AM6", seat=seat, foe=foe)


def to_raise(state: State, fight: Fight) -> Role:
    """Return the side that is to add something: in turns, or who would lose now. Rule: AM6."""
    if state.options.combat == "trailing_side_acts":
        return OTHER[leader(state, fight)]
    return fight.to_act


def offers_of_play(state: State, seat: Seat) -> Iterator[Offer]:
    fight = state.table.fight
    if fight and fight.role_of(seat) and not not_your_raise(state, seat):
        yield from raises("combat-played", state, seat)


def raises(kind: str, state: State, seat: Seat, **fields: Choice) -> Iterator[Offer]:
    """Yield what a seat may raise with: one card, or what it has laid down."""
    if class_of(state, seat) != "gunslinger":
        for cards, side in by_side(state, seat):
            yield Offer(kind, seat, {**fields, "card": Choice(cards), "side": Choice((side,))})
    if worth(state, seat):
        yield Offer(kind, seat, {**fields, "card": Choice(("",))})


def cannot_play(state: State, act: CombatPlayed) -> Verdict | None:
    return not_in_combat(state, act.seat) or cannot_raise(state, act.seat, act.card, act.side)


def cannot_raise(state: State, seat: Seat, card: str, side: str) -> Verdict | None:
    if card:
        return impossible_only(not_holding(state, seat, card)) or no_such_side(state, card, side)
    if side or not side_of(state, seat).purse:
        return impossible("nothing-laid-down", "ZP-A3", seat=seat)
    return None


def may_not_play(state: State, act: CombatPlayed) -> Verdict | None:
    return not_your_raise(state, act.seat) or may_not_raise(state, act.seat, act.card, act.side)


def may_not_raise(state: State, seat: Seat, card: str, side: str) -> Verdict | None:
    if not card:
        return short(state, seat, 1)
    if class_of(state, seat) == "gunslinger":
        return irregular("single-card", "ZP-G1", seat=seat)
    return other_side(state, seat, side) or not_holding(state, seat, card)


def decide_play(story: Story, before: State, act: CombatPlayed) -> None:
    fight = before.table.fight
    role = fight.role_of(act.seat) if fight else None
    if role:
        raise_by(story, role, act.seat, act.card, act.side)


def raise_by(story: Story, role: Role, seat: Seat, card: str, side: Which) -> None:
    """Add the points of a card, or of what a seat has laid down, to a side."""
    if card:
        value = story.state.deck.cards[card].worth(side)
        ninjutsu = value if side == "N" else 0
        story.add(CardSpent(seat=seat, card=card, side=side))
    else:
        value = worth(story.state, seat)
        ninjutsu = min(value, side_of(story.state, seat).ninjutsu)
        story.add(PointsSpent(seat=seat, need=value, total=value, lost=0))
    if value > ninjutsu or not value:
        raise_rating(story, role, value - ninjutsu)
    if ninjutsu:
        raise_rating(story, role, ninjutsu, ninjutsu=True)


def raise_rating(story: Story, role: Role, points: int, *, ninjutsu: bool = False) -> None:
    fight = story.table.fight
    assert fight is not None
    force = fight.force(role)
    rating = force.rating + points * (2 if ninjutsu and force.doubled else 1)
    story.add(RatingRaised(role=role, points=points, rating=rating, ninjutsu=ninjutsu))


def fold_play(table: Table, act: CombatPlayed) -> Table:
    """Pass the turn in a combat to the other side; what was laid down is used up."""
    fight = table.fight
    role = fight.role_of(act.seat) if fight else None
    if fight is None or role is None:
        return table
    force = fight.force(role)
    fight = with_force(fight, role, cards=force.cards + 1)
    return replace(table, fight=replace(fight, to_act=OTHER[role], passes=0))


def fold_raised(table: Table, event: RatingRaised) -> Table:
    fight = table.fight
    if fight is None:
        return table
    force = fight.force(event.role)
    more = {"ninjutsu": force.ninjutsu + event.points} if event.ninjutsu else {}
    return replace(
        table, fight=with_force(fight, event.role, added=force.added + event.points, **more)
    )


def with_force(fight: Fight, role: Role, **changes: object) -> Fight:
    if role == "agg":
        return replace(fight, agg=replace(fight.agg, **changes))
    return replace(fight, foe=replace(fight.foe, **changes))


# -- help -----------------------------------------------------------------------------


def barred(state: State, seat: Seat, role: Role) -> Verdict | None:
    """Object to help against the Alien by the owner of a piece it holds. Rule: ZP-L6."""
    fight = state.table.fight
    if fight is None:
        return None
    alien = fight.force(OTHER[role]).seat
    if class_of(state, alien) != "alien":
        return None
    if any(owner(piece) == seat for piece in held_by(state.table, alien)):
        return irregular("assist-barred", "ZP-L6", seat=seat, foe=alien)
    return None


def may_not_help(state: State, seat: Seat, role: Role) -> Verdict | None:
    fight = state.table.fight
    if fight and fight.duel:
        return irregular("duel-only", "ZP 8", seat=seat)
    return barred(state, seat, role)


def cannot_help(state: State, act: AssistPlayed) -> Verdict | None:
    if verdict := checks.no_turn(state, act.seat):
        return verdict
    fight = state.table.fight
    if fight is None:
        return impossible("no-combat", "ZP-T6")
    if fight.role_of(act.seat):
        return impossible("fights-itself", "ZP-C7", seat=act.seat)
    return None


# -- passing, conceding ----------------------------------------------------------------


def offers_of_pass(state: State, seat: Seat) -> Iterator[Offer]:
    fight = state.table.fight
    if fight and fight.role_of(seat) == to_raise(state, fight):
        yield Offer("combat-passed", seat, {})


def may_not_pass(state: State, act: CombatPassed) -> Verdict | None:
    return not_your_raise(state, act.seat)


def cannot_end(state: State, act: CombatPassed | CombatConceded) -> Verdict | None:
    return not_in_combat(state, act.seat)


def fold_pass(table: Table, act: CombatPassed) -> Table:
    fight = table.fight
    role = fight.role_of(act.seat) if fight else None
    if fight is None or role is None:
        return table
    return replace(table, fight=replace(fight, to_act=OTHER[role], passes=fight.passes + 1))


def decide_pass(story: Story, before: State, act: CombatPassed) -> None:
    """End the combat after two passes in a row, or when the side that is behind passes."""
    fight = story.table.fight
    assert fight is not None
    trailing = before.options.combat == "trailing_side_acts"
    if fight.passes >= 2 or (trailing and leader(story.state, fight) != fight.role_of(act.seat)):
        settle(story)


def leader(state: State, fight: Fight) -> Role:
    """Return the side that would win now. Rule: ZP-C4."""
    a, d = fight.agg.rating, fight.foe.rating
    if a == d and class_of(state, fight.agg.seat) == "zombie":
        return "agg"
    return "agg" if a > d else "def"


def offers_of_concession(state: State, seat: Seat) -> Iterator[Offer]:
    fight = state.table.fight
    if fight and fight.role_of(seat):
        yield Offer("combat-conceded", seat, {})


def decide_concession(story: Story, before: State, act: CombatConceded) -> None:
    fight = story.table.fight
    role = fight.role_of(act.seat) if fight else None
    if role:
        end(story, OTHER[role])


# -- how it ends ----------------------------------------------------------------------


def settle(story: Story) -> None:
    """End the combat by its ratings."""
    fight = story.table.fight
    assert fight is not None
    end(story, leader(story.state, fight))


def end(story: Story, winner: Role) -> None:
    """End the combat: the other side's fighter is defeated."""
    fight = story.table.fight
    assert fight is not None
    ended(story, winner)
    lost, won = fight.force(OTHER[winner]), fight.force(winner)
    infected = infectious(story.state, lost.piece, won.piece)
    defeat(story, lost.piece, won.seat)
    if infected:
        leave_one(story, _space_of(story, lost.piece))
    release_after(story, won.seat, lost.seat)


def ended(story: Story, winner: Role | str = "") -> None:
    fight = story.table.fight
    assert fight is not None
    story.add(CombatEnded(rating_a=fight.agg.rating, rating_d=fight.foe.rating, winner=str(winner)))


def _space_of(story: Story, piece: str) -> str:
    """Return the space a piece was just defeated on."""
    found = [e for e in story.events if isinstance(e, PieceDefeated) and e.piece == piece]
    return found[-1].space


def defeat(story: Story, piece: str, foe: Seat = 0) -> None:
    """Take a piece off the board: home, or into the base of the Alien who defeated it."""
    seat = owner(piece)
    space = at(story.table, piece)
    story.add(PieceDefeated(seat=seat, piece=piece, space=space, foe=foe))
    lose_one(story, piece)
    if foe and class_of(story.state, foe) == "alien":
        if room(story.state, foe):
            story.add(PieceAbducted(seat=seat, piece=piece, foe=foe))
            return
        story.add(BaseFull(seat=foe))
    send_home(story, piece)


def send_home(story: Story, piece: str) -> None:
    """Put a piece into its own base; an Alien's that is full lets a piece of another go first.

    The rulebook says that such a base never holds more than six, own ones counted (ZP-L3), not
    what gives way to an own one.
    """
    seat = owner(piece)
    if class_of(story.state, seat) == "alien" and not room(story.state, seat):
        held = held_by(story.table, seat)[-1]
        story.add(PiecesReleased(seat=owner(held), foe=seat, pieces=(held,)))
    story.add(PieceSentHome(seat=seat, piece=piece))


def room(state: State, alien: Seat) -> int:
    """Return how many more pieces fit into an Alien's base. Rule: ZP-L3."""
    own = side_of(state, alien).at.count(HOME)
    return PIECES - own - len(held_by(state.table, alien))


def release_after(story: Story, winner: Seat, loser: Seat) -> None:
    """Give the winner back what the Alien it beat holds of it. Rule: ZP-L4."""
    held = tuple(p for p in held_by(story.table, loser) if owner(p) == winner)
    if held:
        story.add(PiecesReleased(seat=winner, foe=loser, pieces=held))


# -- who retreats ---------------------------------------------------------------------


def go_on_or_end(story: Story, role: Role, *, ends: bool) -> None:
    """Go on with a combat after a fighter stepped out, with another, or not at all. Rule: AM22."""
    state, fight = story.state, story.table.fight
    assert fight is not None
    mine, other = fight.force(role), fight.force(OTHER[role])
    near = touching(state, other.piece)
    if ends:
        ended(story)
    elif mine.piece in near:
        story.add(changed(state, fight, role, mine.piece))
    elif state.options.retreat == "continues_with_chain" and (
        taking := sorted(piece for piece in near if owner(piece) == mine.seat)
    ):
        story.add(changed(state, fight, role, taking[0]))
    else:
        ended(story)


def changed(state: State, fight: Fight, role: Role, piece: str) -> FighterChanged:
    force, foe = fight.force(role), fight.force(OTHER[role]).piece
    base = base_rating(state, piece, foe, force.linked, duel=fight.duel)
    return FighterChanged(role=role, piece=piece, rating=base + force.rating - force.base)


# -- folds ----------------------------------------------------------------------------


def fold_changed(table: Table, event: FighterChanged) -> Table:
    fight = table.fight
    if fight is None:
        return table
    force = fight.force(event.role)
    base = event.rating - force.rating + force.base
    return replace(table, fight=with_force(fight, event.role, piece=event.piece, base=base))


def fold_ended(table: Table, event: CombatEnded) -> Table:
    """Close the combat. What was laid down and not used is lost. Rule: ZP-C5."""
    sides = tuple(replace(side, **NOTHING_LAID) if side.purse else side for side in table.sides)
    return replace(with_turn(table, early=False), sides=sides, fight=None)


def fold_defeated(table: Table, event: PieceDefeated) -> Table:
    return replace(table, fallen=(*table.fallen, event.piece))


def fold_home(table: Table, event: PieceSentHome) -> Table:
    return gone(put(table, event.piece, HOME), event.piece)


def fold_abducted(table: Table, event: PieceAbducted) -> Table:
    return gone(put(table, event.piece, f"{HELD}{event.foe}"), event.piece)


def gone(table: Table, piece: str) -> Table:
    """Return the table once a piece has left the board: it has not come to rest there."""
    turn = table.turn
    if turn is None or piece not in turn.arrived:
        return table
    return with_turn(table, arrived=tuple(each for each in turn.arrived if each != piece))


def fold_released(table: Table, event: PiecesReleased) -> Table:
    for piece in event.pieces:
        table = put(table, piece, HOME)
    return table


RULES: Rules = {
    CombatOrderChosen: Rule(offers=offers_of_order, cannot=cannot_order, fold=fold_order),
    CombatPlayed: Rule(
        when="fight",
        offers=offers_of_play,
        cannot=cannot_play,
        may_not=may_not_play,
        decide=decide_play,
        fold=fold_play,
    ),
    CombatPassed: Rule(
        when="fight",
        offers=offers_of_pass,
        cannot=cannot_end,
        may_not=may_not_pass,
        decide=decide_pass,
        fold=fold_pass,
    ),
    CombatConceded: Rule(
        when="fight", offers=offers_of_concession, cannot=cannot_end, decide=decide_concession
    ),
}
FOLDS: Folds = {
    CombatOrderAsked: fold_asked,
    CombatStarted: fold_started,
    RatingRaised: fold_raised,
    FighterChanged: fold_changed,
    CombatEnded: fold_ended,
    PieceDefeated: fold_defeated,
    PieceSentHome: fold_home,
    PieceAbducted: fold_abducted,
    PiecesReleased: fold_released,
    BaseFull: keep,
}
