"""Specialties played for their effects.

ZP-A5  A card only touches own pieces unless it says otherwise.
ZP-A6  A card usable in the draw phase cannot be used in the turn it was drawn.
ZP-A7  A licence covers one card of the opposite side; its limits of time still apply.
ZP-N1  Ninjas play Ninjutsu sides freely, Pirates Pillage sides (ZP-P1).
ZP-R1  Robots play either side for 1 extra point.
ZP-G1  Gunslingers play two of the same card for its action.
ZP-Z1  For Zombies and Aliens (ZP-L1), and Elves (AM30), specialties count only as points.

A specialty takes effect at once. Until the next act it can be negated, which returns the table to
its earlier state; the cards stay spent.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache

from rules.chaptered import kept
from rules.fields import Choice, Field
from rules.ruleset import Offer, Seat, Verdict, impossible, irregular
from rules.zerpang import checks, combat, contact
from rules.zerpang.acts import PHASES, AssistPlayed, Phase, SpecialNegated, SpecialPlayed
from rules.zerpang.cards import Deck, Face, Which
from rules.zerpang.consequences import CardSpent, SpecialOpened
from rules.zerpang.effects import EFFECTS
from rules.zerpang.paying import (
    holdable,
    impossible_only,
    no_such_side,
    not_holding,
    short,
    spend,
)
from rules.zerpang.state import (
    FOR_POINTS,
    OTHER,
    Folds,
    Open,
    Rule,
    Rules,
    State,
    Story,
    Table,
    class_of,
    is_active,
    open_gates,
    replace,
    side_of,
    with_turn,
)
from rules.zerpang.targets import fallen_of, no_target, targets, wrong_target

IN_COMBAT = (
    "rating",
    "connect_any",
    "step_out",
    "step_out_end",
    "duel_only",
    "double_values",
    "mutual_defeat",
)
BY_PHASE: Mapping[str, Phase] = {
    "free_entrance": "entrance",
    "extra_steps": "movement",
    "second_step": "movement",
    "second_adjacent": "movement",
    "redraw_two": "draw",
    "double_zone_draw": "draw",
}

SECOND = ("second_step", "second_adjacent")
"""Effects that move a second piece, even if the first has met an enemy."""

Group = tuple[str, str, tuple[str, ...], int, int]
"""Faces offered together: key, side, licences, `n` and `more`."""


# -- which side a seat may play -------------------------------------------------------


def own_side(cls: str) -> Which:
    return "N" if cls == "ninja" else "P" if cls == "pirate" else ""


def copies_needed(state: State, seat: Seat) -> int:
    """Return how many copies of a card its action takes. Rule: ZP-G1."""
    return 2 if class_of(state, seat) == "gunslinger" else 1


def fee(state: State, seat: Seat, *, more: bool = False) -> int:
    """Return the points a specialty costs besides its card. Rule: ZP-R1."""
    return (class_of(state, seat) == "robot") + more


def plays_specials(state: State, seat: Seat) -> bool:
    cls = class_of(state, seat)
    return cls not in FOR_POINTS or (cls == "elf" and state.options.elf_cards == "either_side")


def licences(state: State, seat: Seat) -> tuple[str, ...]:
    """Return the cards of a seat that may let it play the side of others."""
    side = own_side(class_of(state, seat))
    cards = state.deck.cards
    found = []
    for card in holdable(state, seat):
        face = cards[card].face(side)
        if face and face.key == "licence":
            found.append(card)
    return tuple(found)


def barred_side(state: State, seat: Seat, side: str, licence: str) -> Verdict | None:
    """Object to a side the class may not play. Rule: ZP-A7, ZP-N1, ZP-P1."""
    if not plays_specials(state, seat):
        clause = FOR_POINTS[class_of(state, seat)]
        return irregular("special-forbidden", clause, seat=seat)
    own = own_side(class_of(state, seat))
    if not own or side == own:
        return irregular("licence-idle", "ZP-A7", seat=seat) if licence else None
    if not licence:
        return irregular("no-licence", "ZP-A7", seat=seat, side=side)
    face = state.deck.cards[licence].face(own)
    if face is None or face.key != "licence":
        return irregular("no-licence", "ZP-A7", seat=seat, side=side)
    return not_holding(state, seat, licence)


def sources(
    state: State, seat: Seat, wanted: Callable[[str], bool]
) -> Iterator[tuple[str, Which, Face, tuple[str, ...]]]:
    """Yield each face a seat may play now whose key is wanted, with its licences (or "")."""
    if not plays_specials(state, seat):
        return
    own, many = own_side(class_of(state, seat)), copies_needed(state, seat)
    allowed = licences(state, seat) if own and side_of(state, seat).hand > 1 else ()
    for card, side, face in _faces(holdable(state, seat), state.deck):
        if not wanted(face.key) or (many > 1 and not_holding(state, seat, card, many)):
            continue
        given = ("",) if not own or side == own else _others(state, seat, card, allowed)
        if given:
            yield card, side, face, given


@kept
def _faces(held: tuple[str, ...], deck: Deck) -> list[tuple[str, Which, Face]]:
    """Return the faces of cards, each with its card and side."""
    cards = deck.cards
    sides: tuple[Which, ...] = ("N", "P")
    faces = [(card, side, cards[card].face(side)) for card in held for side in sides]
    return [(card, side, face) for card, side, face in faces if face]


def _others(state: State, seat: Seat, card: str, allowed: Sequence[str]) -> tuple[str, ...]:
    """Return the licences that may go with a card; the same card only if there are two."""
    return tuple(each for each in allowed if each != card or not not_holding(state, seat, card, 2))


# -- timing ---------------------------------------------------------------------------


def untimely(state: State, seat: Seat, key: str) -> Verdict | None:
    """Object if a specialty cannot be played at this moment."""
    wrong = irregular("special-timing", f"ZP 8 {key}", seat=seat, key=key)
    if key in IN_COMBAT:
        return wrong if _not_in_combat_now(state, seat, key) else None
    if key in BY_PHASE:
        return wrong if _not_in_phase(state, seat, key) else stale(state, seat, key)
    drew = state.table.drew
    if key == "defeat_to_gate":
        return None if fallen_of(state, seat) and open_gates(state, seat) else wrong
    if key == "skip_turn":
        return wrong if drew is None or drew.seat != seat else stale(state, seat, key)
    if key == "intercept_draw":
        fits = drew and drew.seat != seat and drew.n and not drew.salvage
        return None if fits else wrong
    return wrong


def _not_in_combat_now(state: State, seat: Seat, key: str) -> bool:
    fight = state.table.fight
    if fight is None:
        return True
    role = combat.to_raise(state, fight)
    if fight.role_of(seat) != role:
        return True
    if key == "mutual_defeat":
        return role != "agg"
    if key == "double_values":
        return fight.force(role).doubled
    return fight.duel and key in ("connect_any", "duel_only")


def _not_in_phase(state: State, seat: Seat, key: str) -> bool:
    turn = state.table.turn
    phase = BY_PHASE[key]
    if phase == "draw":
        return bool(checks.not_ready(state, seat)) or contact.in_contact(state)
    early = key in SECOND and contact.is_early(state.table, seat)
    if turn is None or not (early or not checks.untimely(state, seat, phase)):
        return True
    if checks.replaced(state, phase):
        return True
    return key == "extra_steps" and bool(turn.moved)


def stale(state: State, seat: Seat, key: str) -> Verdict | None:
    """Object to a card of the draw phase if every card of a hand is new. Rule: ZP-A6."""
    if key not in ("redraw_two", "double_zone_draw", "skip_turn"):
        return None
    side, drew = side_of(state, seat), state.table.drew
    fresh = drew.fresh if key == "skip_turn" and drew else side.fresh
    if side.hand - fresh < copies_needed(state, seat):
        return irregular("fresh-card", "ZP-A6", seat=seat)
    return None


# -- playing one ----------------------------------------------------------------------


def offers(state: State, seat: Seat) -> Iterator[Offer]:
    if side_of(state, seat).out or not _may_be_timely(state, seat):
        return
    timely = cache(lambda key: not untimely(state, seat, key))
    groups: dict[Group, list[str]] = {}
    faces: dict[Group, Face] = {}
    for card, side, face, given in sources(state, seat, timely):
        group: Group = (face.key, side, given, face.n, face.more)
        groups.setdefault(group, []).append(card)
        faces[group] = face
    for group, cards in groups.items():
        for fields in targets(state, seat, faces[group]):
            yield from _offers_of(state, seat, group[1], group[2], cards, faces[group], fields)


def _may_be_timely(state: State, seat: Seat) -> bool:
    """Tell whether there is anything that a seat's specialty could be played on."""
    table = state.table
    if table.fight:
        return bool(table.fallen or table.drew) or table.fight.role_of(seat) is not None
    return bool(table.fallen or table.drew) or is_active(state, seat)


def _offers_of(
    state: State,
    seat: Seat,
    side: str,
    given: tuple[str, ...],
    cards: Sequence[str],
    face: Face,
    fields: dict[str, Field],
) -> Iterator[Offer]:
    common = card_fields(cards, side, given)
    if not short(state, seat, fee(state, seat)):
        yield Offer("special-played", seat, {**common, **fields})
    if face.more and not short(state, seat, fee(state, seat, more=True)):
        yield Offer("special-played", seat, {**common, **fields, "more": Choice((True,))})


def card_fields(
    cards: Iterable[str], side: str, given: tuple[str, ...], **more: Field
) -> dict[str, Field]:
    """Return the fields of an offer that say which card is played, and by which licences."""
    fields: dict[str, Field] = {"card": Choice(tuple(cards)), "side": Choice((side,)), **more}
    return fields if given == ("",) else {**fields, "licence": Choice(given)}


def cannot(state: State, act: SpecialPlayed) -> Verdict | None:
    if verdict := cannot_spend(state, act):
        return verdict
    face = state.deck.cards[act.card].face(act.side)
    if face is None or face.key in ("licence", "negate"):
        return impossible("no-effect", "ZP 8", card=act.card, side=act.side or "-")
    return no_target(state, act, face) or _nowhere(state, act.seat, face.key)


def _nowhere(state: State, seat: Seat, key: str) -> Verdict | None:
    """Refuse what has no meaning outside a combat of one's own, or without a draw to answer."""
    if key in IN_COMBAT:
        return combat.not_in_combat(state, seat)
    if key == "intercept_draw" and state.table.drew is None:
        return impossible("nothing-drawn", "ZP 8 intercept_draw", seat=seat)
    return None


def cannot_spend(
    state: State, act: SpecialPlayed | SpecialNegated | AssistPlayed
) -> Verdict | None:
    """Refuse cards that do not exist, or more than a hand holds."""
    verdict = impossible_only(not_holding(state, act.seat, act.card))
    verdict = verdict or no_such_side(state, act.card, act.side)
    many = copies_needed(state, act.seat)
    if verdict or (many == 1 and not act.licence):
        return verdict
    if not act.licence:
        return impossible_only(not_holding(state, act.seat, act.card, many))
    if act.licence not in state.deck.cards:
        return impossible("no-such-card", "ZP-A7", card=act.licence)
    hand = side_of(state, act.seat).hand
    if hand < 1 + copies_needed(state, act.seat):
        return impossible("hand-empty", "ZP-A7", seat=act.seat, n=hand)
    return None


def may_not_spend(
    state: State, act: SpecialPlayed | SpecialNegated | AssistPlayed
) -> Verdict | None:
    """Object to cards that a seat may not play for their effects."""
    many = copies_needed(state, act.seat) + (act.licence == act.card)
    return barred_side(state, act.seat, act.side, act.licence) or not_holding(
        state, act.seat, act.card, many
    )


def may_not(state: State, act: SpecialPlayed) -> Verdict | None:
    face = face_of(state, act)
    return (
        may_not_spend(state, act)
        or untimely(state, act.seat, face.key)
        or wrong_target(state, act, face)
        or short(state, act.seat, fee(state, act.seat, more=act.more))
    )


def face_of(state: State, act: SpecialPlayed | SpecialNegated | AssistPlayed) -> Face:
    face = state.deck.cards[act.card].face(act.side)
    assert face is not None
    return face


def lay_out(story: Story, act: SpecialPlayed | SpecialNegated | AssistPlayed, need: int) -> None:
    """Spend the cards and points of a specialty."""
    seat = act.seat
    if act.licence:
        side = own_side(class_of(story.state, seat))
        story.add(CardSpent(seat=seat, card=act.licence, side=side))
    for _ in range(copies_needed(story.state, seat)):
        story.add(CardSpent(seat=seat, card=act.card, side=act.side))
    spend(story, seat, need)


def decide(story: Story, before: State, act: SpecialPlayed) -> None:
    face = face_of(before, act)
    lay_out(story, act, fee(before, act.seat, more=act.more))
    story.add(SpecialOpened(seat=act.seat, key=face.key))
    EFFECTS[face.key](story, act, face)


def fold_opened(table: Table, event: SpecialOpened) -> Table:
    """Keep the table as it was before a specialty takes effect, and note that it was played.

    It closes what was drawn and defeated before, unless it answers that, or is help.
    """
    if (event.key in IN_COMBAT or event.key in BY_PHASE) and not event.helped:
        table = replace(table, fallen=(), drew=None)
    if event.key in SECOND and contact.is_early(table, event.seat):
        table = contact.put_off(table)
    fight, turn = table.fight, table.turn
    if event.key in IN_COMBAT and fight and not event.helped:
        role = fight.role_of(event.seat)
        if role:
            fight = combat.with_force(fight, role, cards=fight.force(role).cards + 1)
            table = replace(table, fight=replace(fight, to_act=OTHER[role], passes=0))
    phase = BY_PHASE.get(event.key)
    if phase and turn and turn.seat == event.seat:
        table = with_turn(
            table,
            acted=True,
            special=(*turn.special, phase) if phase not in turn.special else turn.special,
            phase=max(turn.phase, phase, key=PHASES.index),
        )
    before = replace(table, open=None)
    return replace(
        table, open=Open(seat=event.seat, key=event.key, before=before, helped=event.helped)
    )


RULES: Rules = {SpecialPlayed: Rule(offers=offers, cannot=cannot, may_not=may_not, decide=decide)}
FOLDS: Folds = {SpecialOpened: fold_opened}
