"""Answers to others: negating what was just played, helping a side of a combat, refusing help.

ZP-C7  Others may add points for a side, and offer specialties, which the helped may refuse.
ZP-L6  The owner of an abducted piece cannot help others against the Alien.
ZP 8   A negation cancels a specialty just played, also another of its kind.
"""

from collections.abc import Iterator

from rules.fields import Choice
from rules.ruleset import Offer, Seat, Verdict, impossible, irregular
from rules.zerpang import combat
from rules.zerpang.acts import AssistPlayed, AssistRefused, Role, SpecialNegated
from rules.zerpang.consequences import NegationOpened, SpecialOpened, SpecialUndone
from rules.zerpang.effects import add_rating, double
from rules.zerpang.paying import also_before, short
from rules.zerpang.specials import (
    cannot_spend,
    card_fields,
    face_of,
    fee,
    lay_out,
    may_not_spend,
    sources,
)
from rules.zerpang.state import (
    OTHER,
    Folds,
    Open,
    Rule,
    Rules,
    State,
    Story,
    Table,
    class_of,
    fight_of,
    held_by,
    owner,
    replace,
    side_of,
)

HELPFUL = ("rating", "double_values")
"""Effects a seat may play for another's side."""


# -- negating -------------------------------------------------------------------------


def offers_of_negation(state: State, seat: Seat) -> Iterator[Offer]:
    if state.table.open is None or side_of(state, seat).out:
        return
    if state.table.open.seat == seat or short(state, seat, fee(state, seat)):
        return
    for card, side, _, given in sources(state, seat, "negate".__eq__):
        yield Offer("special-negated", seat, card_fields((card,), side, given))


def cannot_negate(state: State, act: SpecialNegated) -> Verdict | None:
    if verdict := cannot_spend(state, act):
        return verdict
    face = state.deck.cards[act.card].face(act.side)
    if face is None or face.key != "negate":
        return impossible("no-effect", "ZP 8 negate", card=act.card, side=act.side or "-")
    if state.table.open is None:
        return impossible("nothing-to-negate", "ZP 8 negate", seat=act.seat)
    return None


def may_not_negate(state: State, act: SpecialNegated) -> Verdict | None:
    if verdict := may_not_spend(state, act):
        return verdict
    if state.table.open and state.table.open.seat == act.seat:
        return irregular("own-special", "ZP 8 negate", seat=act.seat)
    return short(state, act.seat, fee(state, act.seat))


def fold_negating(table: Table, act: SpecialNegated) -> Table:
    """Count the card of a fighter's seat: it fights here. Rule: ZP-N3."""
    mine = fight_of(table, act.seat)
    if mine is None:
        return table
    fight, role = mine
    cards = fight.force(role).cards + 1
    return replace(table, fight=combat.with_force(fight, role, cards=cards))


def decide_negation(story: Story, before: State, act: SpecialNegated) -> None:
    """Return the table to the state before the specialty, or after it if that was a negation.

    A card that its seat would then not have had leaves the table as it is.
    """
    lay_out(story, act, fee(before, act.seat))
    if undone := story.table.open:
        story.add(SpecialUndone(seat=undone.seat))
        story.add(NegationOpened(seat=act.seat))


# -- helping --------------------------------------------------------------------------


def offers_of_help(state: State, seat: Seat) -> Iterator[Offer]:
    fight = state.table.fight
    if fight is None or side_of(state, seat).out or fight.role_of(seat):
        return
    roles = tuple(role for role in OTHER if not _barred(state, seat, role))
    if not roles:
        return
    yield from combat.raises("assist-played", state, seat, role=Choice(roles))
    if short(state, seat, fee(state, seat)):
        return
    for card, side, _, given in sources(state, seat, HELPFUL.__contains__):
        played = card_fields((card,), side, given, special=Choice((True,)))
        yield Offer("assist-played", seat, {"role": Choice(roles), **played})


def cannot_help(state: State, act: AssistPlayed) -> Verdict | None:
    fight = state.table.fight
    if fight is None:
        return impossible("no-combat", "ZP-T6")
    if fight.role_of(act.seat):
        return impossible("fights-itself", "ZP-C7", seat=act.seat)
    if not act.special:
        if act.licence:
            return impossible("special-unclear", "ZP-A7", card=act.card, key="")
        return combat.cannot_raise(state, act.seat, act.card, act.side)
    if verdict := cannot_spend(state, act):
        return verdict
    face = state.deck.cards[act.card].face(act.side)
    if face is None or face.key not in HELPFUL:
        return impossible("no-effect", "ZP-C7", card=act.card, side=act.side or "-")
    return None


def may_not_help(state: State, act: AssistPlayed) -> Verdict | None:
    if verdict := _barred(state, act.seat, act.role):
        return verdict
    if not act.special:
        return combat.may_not_raise(state, act.seat, act.card, act.side)
    return may_not_spend(state, act) or short(state, act.seat, fee(state, act.seat))


def _barred(state: State, seat: Seat, role: Role) -> Verdict | None:
    """Object to help in a duel, or against an Alien by the owner of a piece it holds.

    Rule: ZP 8, ZP-L6.
    """
    fight = state.table.fight
    if fight is None:
        return None
    if fight.duel:
        return irregular("duel-only", "ZP 8 duel_only", seat=seat)
    alien = fight.force(OTHER[role]).seat
    if class_of(state, alien) != "alien":
        return None
    if any(owner(piece) == seat for piece in held_by(state.table, alien)):
        return irregular("assist-barred", "ZP-L6", seat=seat, foe=alien)
    return None


def decide_help(story: Story, before: State, act: AssistPlayed) -> None:
    if not act.special:
        combat.raise_by(story, act.role, act.seat, act.card, act.side)
        return
    face = face_of(before, act)
    fight = before.table.fight
    assert fight is not None
    helped = fight.force(act.role).seat
    lay_out(story, act, fee(before, act.seat))
    story.add(SpecialOpened(seat=act.seat, key=face.key, helped=helped))
    if face.key == "rating":
        add_rating(story, helped, face.n)
    else:
        double(story, helped)


def fold_help(table: Table, act: AssistPlayed) -> Table:
    fight = table.fight
    return replace(table, fight=replace(fight, passes=0)) if fight else table


def offers_of_refusal(state: State, seat: Seat) -> Iterator[Offer]:
    if state.table.open and state.table.open.helped == seat:
        yield Offer("assist-refused", seat, {})


def cannot_refuse(state: State, act: AssistRefused) -> Verdict | None:
    if state.table.open is None or state.table.open.helped != act.seat:
        return impossible("nothing-to-refuse", "ZP-C7", seat=act.seat)
    return None


def decide_refusal(story: Story, before: State, act: AssistRefused) -> None:
    assert before.table.open is not None
    story.add(SpecialUndone(seat=before.table.open.seat, final=True))


# -- folds ----------------------------------------------------------------------------


def fold_negation(table: Table, event: NegationOpened) -> Table:
    """Keep the state before the negation, in case that is negated itself."""
    assert table.open is not None
    return replace(table, open=replace(table.open, seat=event.seat, key="negate"))


def fold_undone(table: Table, event: SpecialUndone) -> Table:
    """Go back to before a specialty; what is undone is kept until that is final."""
    if table.open is None:
        return table
    undone = Open(seat=event.seat, key="", before=replace(table, open=None))
    return replace(table.open.before, open=None if event.final else undone)


RULES: Rules = {
    SpecialNegated: Rule(
        when="open",
        offers=offers_of_negation,
        cannot=cannot_negate,
        may_not=may_not_negate,
        decide=decide_negation,
        fold=also_before(fold_negating),
    ),
    AssistPlayed: Rule(
        when="fight",
        offers=offers_of_help,
        cannot=cannot_help,
        may_not=may_not_help,
        decide=decide_help,
        fold=fold_help,
    ),
    AssistRefused: Rule(
        when="open", offers=offers_of_refusal, cannot=cannot_refuse, decide=decide_refusal
    ),
}
FOLDS: Folds = {NegationOpened: fold_negation, SpecialUndone: fold_undone}
