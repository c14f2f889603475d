"""Combat: what the sides add, who passes, who retreats.

ZP-C4  The sides add points or specialties in turns. The aggressor must end at least 1 higher;
       ties go to the defender, except that Zombies win every tie.
ZP-C5  Combat ends when a side cannot or will not raise further, or concedes.
AM6    Strict turns, aggressor first; two passes in a row end it; help by others resets them.
AM22   A fighter that steps out ends the combat once the two no longer touch.
"""

from collections.abc import Iterator

from rules.fields import Choice
from rules.ruleset import Offer, Seat, Verdict, impossible, irregular
from rules.zerpang.acts import CombatConceded, CombatPassed, CombatPlayed, Role
from rules.zerpang.cards import Which
from rules.zerpang.consequences import CardSpent, FighterChanged, PointsSpent, RatingRaised
from rules.zerpang.defeat import end, ended
from rules.zerpang.paying import (
    by_side,
    impossible_only,
    laid_down,
    no_such_side,
    not_holding,
    other_side,
    short,
)
from rules.zerpang.ratings import base_rating
from rules.zerpang.state import (
    OTHER,
    Fight,
    Folds,
    Rule,
    Rules,
    State,
    Story,
    Table,
    class_of,
    fight_of,
    owner,
    replace,
    side_of,
    touching,
)

# -- adding points --------------------------------------------------------------------


def not_in_combat(state: State, seat: Seat) -> Verdict | None:
    """Refuse a seat that has no fighter in the current combat."""
    fight = state.table.fight
    if fight is None:
        return impossible("no-combat", "ZP-T6")
    if fight.role_of(seat) is None:
        return impossible("not-in-combat", "ZP-C4", seat=seat)
    return None


def not_your_raise(state: State, seat: Seat) -> Verdict | None:
    """Object if it is the other side's turn to add something. Rule: AM6."""
    fight = state.table.fight
    if fight is None or fight.role_of(seat) == to_raise(state, fight):
        return None
    foe = fight.force(to_raise(state, fight)).seat
    return irregular("not-your-raise", "ZP-AM6", seat=seat, foe=foe)


def to_raise(state: State, fight: Fight) -> Role:
    """Return the side that is to add something: in turns, or the one that is losing. Rule: AM6."""
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
    if laid_down(state, seat):
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
    if mine := fight_of(before.table, act.seat):
        raise_by(story, mine[1], act.seat, act.card, act.side)


def raise_by(story: Story, role: Role, seat: Seat, card: str, side: Which) -> None:
    """Add the points of a card, or of what a seat has laid down, to a side."""
    if card:
        value = story.state.deck.cards[card].worth(side)
        ninjutsu = value if side == "N" else 0
        story.add(CardSpent(seat=seat, card=card, side=side))
    else:
        value = laid_down(story.state, seat)
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
    mine = fight_of(table, act.seat)
    if mine is None:
        return table
    fight, role = mine
    fight = with_force(fight, role, cards=fight.force(role).cards + 1)
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


def rebased(fight: Fight, role: Role, rating: int, **changes: object) -> Fight:
    """Return a fight in which the base of a side makes up a new rating."""
    force = fight.force(role)
    return with_force(fight, role, base=rating - force.rating + force.base, **changes)


def with_force(fight: Fight, role: Role, **changes: object) -> Fight:
    if role == "agg":
        return replace(fight, agg=replace(fight.agg, **changes))
    return replace(fight, foe=replace(fight.foe, **changes))


# -- passing, conceding ---------------------------------------------------------------


def offers_of_pass(state: State, seat: Seat) -> Iterator[Offer]:
    fight = state.table.fight
    if fight and fight.role_of(seat) == to_raise(state, fight):
        yield Offer("combat-passed", seat, {})


def may_not_pass(state: State, act: CombatPassed) -> Verdict | None:
    return not_your_raise(state, act.seat)


def cannot_end(state: State, act: CombatPassed | CombatConceded) -> Verdict | None:
    return not_in_combat(state, act.seat)


def fold_pass(table: Table, act: CombatPassed) -> Table:
    mine = fight_of(table, act.seat)
    if mine is None:
        return table
    fight, role = mine
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
    if mine := fight_of(story.table, act.seat):
        end(story, OTHER[mine[1]])


def settle(story: Story) -> None:
    """End the combat by its ratings."""
    fight = story.table.fight
    assert fight is not None
    end(story, leader(story.state, fight))


# -- retreats -------------------------------------------------------------------------


def go_on_or_end(story: Story, role: Role, *, ends: bool) -> None:
    """Continue a combat after a fighter stepped out, with another fighter, or end it.

    Rule: AM22.
    """
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
    return FighterChanged(role=role, piece=piece, rating=force.rating_from(base))


def fold_changed(table: Table, event: FighterChanged) -> Table:
    fight = table.fight
    if fight is None:
        return table
    return replace(table, fight=rebased(fight, event.role, event.rating, piece=event.piece))


RULES: Rules = {
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
FOLDS: Folds = {RatingRaised: fold_raised, FighterChanged: fold_changed}
