"""Specialties played for what they do.

ZP-A5  A card only touches own pieces unless it says otherwise.
ZP-A6  A card usable in the draw phase can not be used in the turn it was drawn.
ZP-A7  A licence covers one card of the opposite side; its limits of time still apply.
ZP-N1  Ninjas play Ninjutsu sides freely, Pirates Pillage sides (ZP-P1).
ZP-R1  Robots play either side for 1 extra point.
ZP-G1  Gunslingers play two of the same card for its action.
ZP-Z1  For Zombies and Aliens (ZP-L1), and Elves (AM30), specialties count only as points.

What a specialty does begins at once. Until the next act it can be negated, which takes the table
back to what it was before; the cards stay spent.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from rules.ruleset import Choice, Field, Offer, Seat, Verdict, impossible, irregular
from rules.zerpang import checks, combat
from rules.zerpang.acts import (
    AssistPlayed,
    AssistRefused,
    SpecialNegated,
    SpecialPlayed,
)
from rules.zerpang.cards import Face, Which
from rules.zerpang.combat import OTHER, defeat, ended, go_on_or_end
from rules.zerpang.consequences import (
    CardSpent,
    DuelDeclared,
    EntranceGained,
    NegationOpened,
    PieceConnected,
    PiecePut,
    PieceSteppedOut,
    PieceToGate,
    RatingRaised,
    SecondStepGained,
    SpecialOpened,
    SpecialUndone,
    StepsGained,
    TurnToSkip,
    ValuesDoubled,
    ZonesDoubled,
)
from rules.zerpang.paying import (
    draw,
    holdable,
    impossible_only,
    no_such_side,
    not_holding,
    short,
    spend,
    take,
)
from rules.zerpang.ratings import base_rating, chain_of
from rules.zerpang.rings import infectious, leave_one, take_along
from rules.zerpang.state import (
    POINTS_ONLY,
    Folds,
    Open,
    Rule,
    Rules,
    State,
    Story,
    Table,
    at,
    class_of,
    closed_to,
    gates_of,
    is_active,
    occupants,
    owner,
    pieces_on_board,
    playing,
    put,
    replace,
    side_of,
    touching_at,
    with_side,
    with_turn,
)

NEEDS: Mapping[str, tuple[str, ...]] = {
    "connect_any": ("piece",),
    "step_out": ("to",),
    "step_out_end": ("to",),
    "second_adjacent": ("piece", "to"),
    "defeat_to_gate": ("piece", "to"),
    "intercept_draw": ("foe",),
    "skip_turn": ("foe",),
}
"""What each key has to name, and nothing else."""

HELPFUL = ("rating", "double_values")
"""What a seat may do for another's side."""

IN_COMBAT = (
    "rating",
    "connect_any",
    "step_out",
    "step_out_end",
    "duel_only",
    "double_values",
    "mutual_defeat",
)
BY_PHASE = {
    "free_entrance": "entrance",
    "extra_steps": "movement",
    "second_step": "movement",
    "second_adjacent": "movement",
    "redraw_two": "draw",
    "double_zone_draw": "draw",
}


# -- which side a seat may play -------------------------------------------------------


def own_side(cls: str) -> Which:
    return "N" if cls == "ninja" else "P" if cls == "pirate" else ""


def copies_needed(state: State, seat: Seat) -> int:
    """Return how many of a card its action takes. Rule: ZP-G1."""
    return 2 if class_of(state, seat) == "gunslinger" else 1


def fee(state: State, seat: Seat, *, more: bool = False) -> int:
    """Return the points a specialty costs besides its card. Rule: ZP-R1."""
    return (class_of(state, seat) == "robot") + more


def plays_specials(state: State, seat: Seat) -> bool:
    cls = class_of(state, seat)
    return cls not in POINTS_ONLY or (cls == "elf" and state.options.elf_cards == "either_side")


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
        return irregular("special-forbidden", "ZP-Z1", seat=seat)
    own = own_side(class_of(state, seat))
    if not own or side == own:
        return irregular("licence-idle", "ZP-A7", seat=seat) if licence else None
    if not licence:
        return irregular("no-licence", "ZP-A7", seat=seat, side=side)
    face = state.deck.cards[licence].face(own)
    if face is None or face.key != "licence":
        return irregular("no-licence", "ZP-A7", seat=seat, side=side)
    return not_holding(state, seat, licence)


def sources(state: State, seat: Seat) -> Iterator[tuple[str, Which, Face, tuple[str, ...]]]:
    """Yield each face a seat may play now, with the licences that would let it (or "")."""
    if not plays_specials(state, seat):
        return
    own, many = own_side(class_of(state, seat)), copies_needed(state, seat)
    allowed = licences(state, seat) if own and side_of(state, seat).hand > 1 else ()
    sides: tuple[Which, ...] = ("N", "P")
    for card in holdable(state, seat):
        if many > 1 and not_holding(state, seat, card, many):
            continue
        for side in sides:
            face = state.deck.cards[card].face(side)
            given = ("",) if not own or side == own else _others(state, seat, card, allowed)
            if face and given:
                yield card, side, face, given


def _others(state: State, seat: Seat, card: str, allowed: Sequence[str]) -> tuple[str, ...]:
    """Return the licences that may go with a card; the same card only when there are two."""
    return tuple(each for each in allowed if each != card or not not_holding(state, seat, card, 2))


# -- when -----------------------------------------------------------------------------


def untimely(state: State, seat: Seat, key: str) -> Verdict | None:
    """Object when a specialty can not be played at this moment."""
    wrong = irregular("special-timing", "ZP 8", seat=seat, key=key)
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
    if fight is None or fight.role_of(seat) != fight.to_act:
        return True
    if key == "mutual_defeat":
        return fight.to_act != "agg"
    if key == "double_values":
        return fight.force(fight.to_act).doubled
    return fight.duel and key in ("connect_any", "duel_only")


def _not_in_phase(state: State, seat: Seat, key: str) -> bool:
    turn = state.table.turn
    phase = BY_PHASE[key]
    if phase == "draw":
        return bool(
            checks.not_your_turn(state, seat)
            or checks.discard_due(state)
            or checks.combat_pending(state)
            or combat.in_contact(state)
        )
    if turn is None or checks.untimely(
        state, seat, "entrance" if phase == "entrance" else "movement"
    ):
        return True
    if checks.replaced(state, "entrance" if phase == "entrance" else "movement"):
        return True
    return key == "extra_steps" and bool(turn.moved)


def stale(state: State, seat: Seat, key: str) -> Verdict | None:
    """Object to a card of the draw phase when every card of a hand is new. Rule: ZP-A6."""
    if key not in ("redraw_two", "double_zone_draw", "skip_turn"):
        return None
    side, drew = side_of(state, seat), state.table.drew
    fresh = drew.n if key == "skip_turn" and drew else side.fresh
    if fresh >= side.hand > 0:
        return irregular("fresh-card", "ZP-A6", seat=seat)
    return None


def fallen_of(state: State, seat: Seat) -> tuple[str, ...]:
    return tuple(piece for piece in state.table.fallen if owner(piece) == seat)


def open_gates(state: State, seat: Seat) -> tuple[str, ...]:
    there = occupants(state.table)
    return tuple(gate for gate in gates_of(state, seat) if gate not in there)


# -- about what -----------------------------------------------------------------------


def targets(state: State, seat: Seat, face: Face) -> Iterator[dict[str, Field]]:
    """Yield what a specialty may be about now, as the fields of an offer."""
    key = face.key
    fight = state.table.fight
    if key == "connect_any" and fight:
        if pieces := connectable(state, seat):
            yield {"piece": Choice(pieces)}
    elif key in ("step_out", "step_out_end") and fight:
        if spaces := retreats(state, seat, key):
            yield {"to": Choice(spaces)}
    elif key == "second_adjacent":
        for piece in second_pieces(state, seat):
            if spaces := beside(state, piece):
                yield {"piece": Choice((piece,)), "to": Choice(spaces)}
    elif key == "defeat_to_gate":
        pieces, gates = fallen_of(state, seat), open_gates(state, seat)
        yield {"piece": Choice(pieces), "to": Choice(gates)}
    elif key == "intercept_draw" and state.table.drew:
        yield {"foe": Choice((state.table.drew.seat,))}
    elif key == "skip_turn":
        if foes := skippable(state, seat):
            yield {"foe": Choice(foes)}
    else:
        yield {}


def connectable(state: State, seat: Seat) -> tuple[str, ...]:
    """Return the own pieces anywhere that do not count as connected yet."""
    fight = state.table.fight
    role = fight.role_of(seat) if fight else None
    if fight is None or role is None:
        return ()
    force = fight.force(role)
    counted = {*chain_of(state, force.piece)[0], *force.linked}
    return tuple(p for p in pieces_on_board(state.table, seat) if p not in counted)


def retreats(state: State, seat: Seat, key: str) -> tuple[str, ...]:
    """Return the spaces a fighter may step to, out of reach of other enemies."""
    fight = state.table.fight
    role = fight.role_of(seat) if fight else None
    if fight is None or role is None:
        return ()
    here = at(state.table, fight.force(role).piece)
    return tuple(
        space for space in state.board.near[here] if not _no_retreat(state, seat, key, space)
    )


def _no_retreat(state: State, seat: Seat, key: str, space: str) -> Verdict | None:
    fight = state.table.fight
    role = fight.role_of(seat) if fight else None
    if fight is None or role is None:
        return None
    if space not in state.board.near[at(state.table, fight.force(role).piece)]:
        return irregular("not-adjacent", "ZP-T3", space=fight.force(role).piece, to=space)
    if space in occupants(state.table) or space in closed_to(state, seat):
        return irregular("gate-closed", "ZP-T4", space=space, foe=0)
    foe = fight.force(OTHER[role]).piece
    met = [piece for piece in touching_at(state, seat, space) if piece != foe or key != "step_out"]
    return irregular("retreat-contact", "ZP 8", space=space, piece=met[0]) if met else None


def second_pieces(state: State, seat: Seat) -> list[str]:
    """Return the pieces that may be put somewhere beside the one that moves."""
    turn = state.table.turn
    moved = {*turn.moved, *turn.seconds} if turn else set()
    return [piece for piece in pieces_on_board(state.table, seat) if piece not in moved]


def beside(state: State, piece: str) -> tuple[str, ...]:
    """Return the open spaces that touch another own piece and no enemy. Rule: AM23."""
    seat, near = owner(piece), state.board.near
    there, shut = occupants(state.table), closed_to(state, owner(piece))
    own = [at(state.table, p) for p in pieces_on_board(state.table, seat) if p != piece]
    reached = {space for place in own for space in near[place]}
    return tuple(
        space
        for space in near
        if space in reached
        and space not in there
        and space not in shut
        and not touching_at(state, seat, space)
    )


def skippable(state: State, seat: Seat) -> tuple[Seat, ...]:
    stacking = state.options.keelhaul == "stacking"
    return tuple(
        foe for foe in playing(state) if foe != seat and (stacking or not side_of(state, foe).skips)
    )


def no_target(state: State, act: SpecialPlayed, face: Face) -> Verdict | None:
    """Refuse what a specialty can not be about at all."""
    given = {"piece": bool(act.piece), "to": bool(act.to), "foe": bool(act.foe)}
    named = tuple(name for name in ("piece", "to", "foe") if given[name])
    if named != NEEDS.get(face.key, ()) or (act.more and not face.more):
        return impossible("special-unclear", "ZP 8", card=act.card, key=face.key)
    if act.foe and (verdict := checks.not_playing(state, act.foe)):
        return verdict
    if act.to and (verdict := checks.no_such_space(state, act.to)):
        return verdict
    if not act.piece:
        return checks.occupied(state, act.to) if act.to else None
    if verdict := checks.not_own_piece(state, act.seat, act.piece):
        return verdict
    if face.key == "defeat_to_gate":
        if act.piece not in state.table.fallen:
            return impossible("not-defeated", "ZP 8", piece=act.piece)
    elif verdict := checks.not_on_board(state, act.piece):
        return verdict
    return checks.occupied(state, act.to) if act.to else None


def wrong_target(state: State, act: SpecialPlayed, face: Face) -> Verdict | None:
    """Object to what a specialty may not be about."""
    match face.key:
        case "step_out" | "step_out_end":
            return _no_retreat(state, act.seat, face.key, act.to)
        case "connect_any" if act.piece not in connectable(state, act.seat):
            return irregular("connected-already", "ZP 8", piece=act.piece)
        case "second_adjacent":
            return _wrong_second(state, act)
        case "defeat_to_gate" if act.to not in gates_of(state, act.seat):
            return irregular("gate-not-own", "ZP 8", space=act.to, seat=act.seat)
        case "skip_turn" if act.foe not in skippable(state, act.seat):
            return irregular("skip-pending", "AM24", foe=act.foe)
        case "intercept_draw" if state.table.drew and act.foe != state.table.drew.seat:
            return irregular("special-timing", "ZP 8", seat=act.seat, key=face.key)
    return None


def _wrong_second(state: State, act: SpecialPlayed) -> Verdict | None:
    if act.piece not in second_pieces(state, act.seat):
        return irregular("moved-already", "ZP 8", piece=act.piece)
    if verdict := checks.closed(state, act.seat, act.to):
        return verdict
    if met := touching_at(state, act.seat, act.to):
        return irregular("retreat-contact", "AM23", space=act.to, piece=met[0])
    if act.to not in beside(state, act.piece):
        return irregular("not-adjacent", "AM23", space=act.piece, to=act.to)
    return None


Group = tuple[str, str, tuple[str, ...], int, int]
"""Faces offered together: key, side, licences, `n` and `more`."""


# -- playing one ----------------------------------------------------------------------


def offers(state: State, seat: Seat) -> Iterator[Offer]:
    if side_of(state, seat).out or not _may_be_timely(state, seat):
        return
    timely: dict[str, bool] = {}
    groups: dict[Group, list[str]] = {}
    faces: dict[Group, Face] = {}
    for card, side, face, given in sources(state, seat):
        if face.key not in timely:
            timely[face.key] = not untimely(state, seat, face.key)
        if timely[face.key]:
            group: Group = (face.key, side, given, face.n, face.more)
            groups.setdefault(group, []).append(card)
            faces[group] = face
    for group, cards in groups.items():
        for fields in targets(state, seat, faces[group]):
            yield from _offers_of(state, seat, group[1], group[2], cards, faces[group], fields)


def _may_be_timely(state: State, seat: Seat) -> bool:
    """Tell whether there is anything that a specialty of a seat could be played on."""
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
    told: dict[str, Field] = {"card": Choice(tuple(cards)), "side": Choice((side,))}
    if given != ("",):
        told["licence"] = Choice(given)
    if not short(state, seat, fee(state, seat)):
        yield Offer("special-played", seat, {**told, **fields})
    if face.more and not short(state, seat, fee(state, seat, more=True)):
        yield Offer("special-played", seat, {**told, **fields, "more": Choice((True,))})


def cannot(state: State, act: SpecialPlayed) -> Verdict | None:
    if verdict := checks.no_turn(state, act.seat) or cannot_spend(state, act):
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
        return impossible("nothing-drawn", "ZP 8", seat=seat)
    return None


def cannot_spend(
    state: State, act: SpecialPlayed | SpecialNegated | AssistPlayed
) -> Verdict | None:
    """Refuse cards that are not there, or more than a hand holds."""
    verdict = impossible_only(not_holding(state, act.seat, act.card))
    verdict = verdict or no_such_side(state, act.card, act.side)
    if verdict or not act.licence:
        many = copies_needed(state, act.seat)
        return verdict or impossible_only(not_holding(state, act.seat, act.card, many))
    if act.licence not in state.deck.cards:
        return impossible("no-such-card", "ZP-A7", card=act.licence)
    hand = side_of(state, act.seat).hand
    if hand < 1 + copies_needed(state, act.seat):
        return impossible("hand-empty", "ZP-A7", seat=act.seat, n=hand)
    return None


def may_not_spend(
    state: State, act: SpecialPlayed | SpecialNegated | AssistPlayed
) -> Verdict | None:
    """Object to cards that a seat may not play for what they do."""
    many = copies_needed(state, act.seat) + (act.licence == act.card)
    return barred_side(state, act.seat, act.side, act.licence) or not_holding(
        state, act.seat, act.card, many
    )


def may_not(state: State, act: SpecialPlayed) -> Verdict | None:
    face = _face(state, act)
    return (
        may_not_spend(state, act)
        or untimely(state, act.seat, face.key)
        or wrong_target(state, act, face)
        or short(state, act.seat, fee(state, act.seat, more=act.more))
    )


def _face(state: State, act: SpecialPlayed | SpecialNegated | AssistPlayed) -> Face:
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
    face = _face(before, act)
    lay_out(story, act, fee(before, act.seat, more=act.more))
    story.add(SpecialOpened(seat=act.seat, key=face.key))
    EFFECTS[face.key](story, act, face)


# -- what each key does ---------------------------------------------------------------


def _rating(story: Story, act: SpecialPlayed, face: Face) -> None:
    add_rating(story, act.seat, face.n)


def add_rating(story: Story, seat: Seat, n: int) -> None:
    fight = story.table.fight
    role = fight.role_of(seat) if fight else None
    if fight and role:
        rating = fight.force(role).rating + n
        story.add(RatingRaised(role=role, points=n, rating=rating))


def _double_values(story: Story, act: SpecialPlayed, face: Face) -> None:
    double(story, act.seat)


def double(story: Story, seat: Seat) -> None:
    fight = story.table.fight
    role = fight.role_of(seat) if fight else None
    if fight and role:
        force = fight.force(role)
        more = 0 if force.doubled else force.ninjutsu
        story.add(ValuesDoubled(role=role, rating=force.rating + more))


def _connect(story: Story, act: SpecialPlayed, face: Face) -> None:
    state, fight = story.state, story.table.fight
    role = fight.role_of(act.seat) if fight else None
    if fight is None or role is None:
        return
    force, foe = fight.force(role), fight.force(OTHER[role]).piece
    base = base_rating(state, force.piece, foe, (*force.linked, act.piece), duel=fight.duel)
    rating = force.rating - force.base + base
    story.add(PieceConnected(role=role, piece=act.piece, rating=rating))


def _duel(story: Story, act: SpecialPlayed, face: Face) -> None:
    state, fight = story.state, story.table.fight
    assert fight is not None
    a, d = fight.agg, fight.foe
    story.add(
        DuelDeclared(
            rating_a=a.rating - a.base + base_rating(state, a.piece, d.piece, duel=True),
            rating_d=d.rating - d.base + base_rating(state, d.piece, a.piece, duel=True),
        )
    )


def _step_out(story: Story, act: SpecialPlayed, face: Face) -> None:
    fight = story.table.fight
    role = fight.role_of(act.seat) if fight else None
    if fight is None or role is None:
        return
    piece = fight.force(role).piece
    story.add(PieceSteppedOut(seat=act.seat, piece=piece, to=act.to))
    take_along(story, piece, (act.to,))
    go_on_or_end(story, role, ends=face.key == "step_out_end")


def _mutual(story: Story, act: SpecialPlayed, face: Face) -> None:
    """Defeat the aggressor and every piece that touches it, whoever owns it."""
    state, fight = story.state, story.table.fight
    assert fight is not None
    piece, foe = fight.agg.piece, fight.foe.piece
    there = occupants(state.table)
    here, fell = at(state.table, piece), at(state.table, foe)
    around = [there[space] for space in state.board.near[here] if space in there]
    infected = infectious(state, piece, foe)
    ended(story)
    for each in (piece, *around):
        defeat(story, each)
    if infected:
        leave_one(story, fell)


def _to_gate(story: Story, act: SpecialPlayed, face: Face) -> None:
    story.add(PieceToGate(seat=act.seat, piece=act.piece, gate=act.to))
    take_along(story, act.piece, (act.to,))


def _redraw(story: Story, act: SpecialPlayed, face: Face) -> None:
    draw(story, act.seat, 2, "card")


def _entrance(story: Story, act: SpecialPlayed, face: Face) -> None:
    story.add(EntranceGained(seat=act.seat))


def _steps(story: Story, act: SpecialPlayed, face: Face) -> None:
    story.add(StepsGained(seat=act.seat, n=face.more if act.more else face.n))


def _second(story: Story, act: SpecialPlayed, face: Face) -> None:
    story.add(SecondStepGained(seat=act.seat))


def _beside(story: Story, act: SpecialPlayed, face: Face) -> None:
    story.add(PiecePut(seat=act.seat, piece=act.piece, to=act.to, second=True))
    take_along(story, act.piece, (act.to,))


def _intercept(story: Story, act: SpecialPlayed, face: Face) -> None:
    drew = story.table.drew
    if drew:
        take(story, act.seat, act.foe, drew.n)


def _skip(story: Story, act: SpecialPlayed, face: Face) -> None:
    story.add(TurnToSkip(seat=act.foe))


def _zones(story: Story, act: SpecialPlayed, face: Face) -> None:
    story.add(ZonesDoubled(seat=act.seat))


EFFECTS: Mapping[str, Callable[[Story, SpecialPlayed, Face], None]] = {
    "rating": _rating,
    "double_values": _double_values,
    "connect_any": _connect,
    "duel_only": _duel,
    "step_out": _step_out,
    "step_out_end": _step_out,
    "mutual_defeat": _mutual,
    "defeat_to_gate": _to_gate,
    "redraw_two": _redraw,
    "free_entrance": _entrance,
    "extra_steps": _steps,
    "second_step": _second,
    "second_adjacent": _beside,
    "intercept_draw": _intercept,
    "skip_turn": _skip,
    "double_zone_draw": _zones,
}


# -- negating -------------------------------------------------------------------------


def offers_of_negation(state: State, seat: Seat) -> Iterator[Offer]:
    if state.table.open is None or side_of(state, seat).out:
        return
    if state.table.open.seat == seat or short(state, seat, fee(state, seat)):
        return
    for card, side, face, given in sources(state, seat):
        if face.key == "negate":
            fields: dict[str, Field] = {"card": Choice((card,)), "side": Choice((side,))}
            if given != ("",):
                fields["licence"] = Choice(given)
            yield Offer("special-negated", seat, fields)


def cannot_negate(state: State, act: SpecialNegated) -> Verdict | None:
    if verdict := checks.no_turn(state, act.seat) or cannot_spend(state, act):
        return verdict
    face = state.deck.cards[act.card].face(act.side)
    if face is None or face.key != "negate":
        return impossible("no-effect", "ZP 8", card=act.card, side=act.side or "-")
    if state.table.open is None:
        return impossible("nothing-to-negate", "ZP 8", seat=act.seat)
    return None


def may_not_negate(state: State, act: SpecialNegated) -> Verdict | None:
    if verdict := may_not_spend(state, act):
        return verdict
    if state.table.open and state.table.open.seat == act.seat:
        return irregular("own-special", "ZP 8", seat=act.seat)
    return short(state, act.seat, fee(state, act.seat))


def decide_negation(story: Story, before: State, act: SpecialNegated) -> None:
    """Take the table back to before the specialty. A negation is negated for good."""
    undone = before.table.open
    assert undone is not None
    final = undone.key == "negate"
    story.add(SpecialUndone(seat=undone.seat, final=final))
    lay_out(story, act, fee(before, act.seat))
    if not final:
        story.add(NegationOpened(seat=act.seat))


# -- helping --------------------------------------------------------------------------


def offers_of_help(state: State, seat: Seat) -> Iterator[Offer]:
    fight = state.table.fight
    if fight is None or side_of(state, seat).out or fight.role_of(seat):
        return
    roles = tuple(role for role in OTHER if not combat.may_not_help(state, seat, role))
    if not roles:
        return
    yield from combat._raises("assist-played", state, seat, role=Choice(roles))
    if short(state, seat, fee(state, seat)):
        return
    for card, side, face, given in sources(state, seat):
        if face.key in HELPFUL:
            fields: dict[str, Field] = {
                "role": Choice(roles),
                "card": Choice((card,)),
                "side": Choice((side,)),
                "special": Choice((True,)),
            }
            if given != ("",):
                fields["licence"] = Choice(given)
            yield Offer("assist-played", seat, fields)


def cannot_help(state: State, act: AssistPlayed) -> Verdict | None:
    if verdict := combat.cannot_help(state, act):
        return verdict
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
    if verdict := combat.may_not_help(state, act.seat, act.role):
        return verdict
    if not act.special:
        return combat.may_not_raise(state, act.seat, act.card, act.side)
    return may_not_spend(state, act) or short(state, act.seat, fee(state, act.seat))


def decide_help(story: Story, before: State, act: AssistPlayed) -> None:
    if not act.special:
        combat.raise_by(story, act.role, act.seat, act.card, act.side)
        return
    face = _face(before, act)
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
    if verdict := checks.no_turn(state, act.seat):
        return verdict
    if state.table.open is None or state.table.open.helped != act.seat:
        return impossible("nothing-to-refuse", "ZP-C7", seat=act.seat)
    return None


def decide_refusal(story: Story, before: State, act: AssistRefused) -> None:
    assert before.table.open is not None
    story.add(SpecialUndone(seat=before.table.open.seat, final=True))


# -- folds ----------------------------------------------------------------------------


def fold_opened(table: Table, event: SpecialOpened) -> Table:
    """Note the table before a specialty does anything, and that it was played."""
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
            phase="draw" if phase == "draw" else turn.phase,
        )
    before = replace(table, open=None)
    return replace(
        table, open=Open(seat=event.seat, key=event.key, before=before, helped=event.helped)
    )


def fold_negation(table: Table, event: NegationOpened) -> Table:
    """Keep what was before the negation, should that be negated."""
    assert table.open is not None
    return replace(table, open=replace(table.open, seat=event.seat, key="negate"))


def fold_undone(table: Table, event: SpecialUndone) -> Table:
    """Go back to before a specialty; what is undone is kept until that is final."""
    if table.open is None:
        return table
    undone = Open(seat=event.seat, key="", before=replace(table, open=None))
    return replace(table.open.before, open=None if event.final else undone)


def fold_connected(table: Table, event: PieceConnected) -> Table:
    fight = table.fight
    if fight is None:
        return table
    force = fight.force(event.role)
    base = event.rating - force.rating + force.base
    linked = (*force.linked, event.piece)
    return replace(table, fight=combat.with_force(fight, event.role, linked=linked, base=base))


def fold_duel(table: Table, event: DuelDeclared) -> Table:
    fight = table.fight
    if fight is None:
        return table
    a, d = fight.agg, fight.foe
    fight = combat.with_force(fight, "agg", base=event.rating_a - a.rating + a.base, linked=())
    fight = combat.with_force(fight, "def", base=event.rating_d - d.rating + d.base, linked=())
    return replace(table, fight=replace(fight, duel=True))


def fold_doubled(table: Table, event: ValuesDoubled) -> Table:
    fight = table.fight
    if fight is None:
        return table
    return replace(table, fight=combat.with_force(fight, event.role, doubled=True))


def fold_stepped(table: Table, event: PieceSteppedOut) -> Table:
    return put(table, event.piece, event.to)


def fold_put(table: Table, event: PiecePut) -> Table:
    table = put(table, event.piece, event.to)
    turn = table.turn
    if turn is None or not event.second:
        return table
    seconds, arrived = (*turn.seconds, event.piece), (*turn.arrived, event.piece)
    return with_turn(table, seconds=seconds, arrived=arrived)


def fold_gate(table: Table, event: PieceToGate) -> Table:
    table = put(table, event.piece, event.gate)
    return replace(table, fallen=tuple(p for p in table.fallen if p != event.piece))


def fold_to_skip(table: Table, event: TurnToSkip) -> Table:
    return with_side(table, event.seat, skips=table.sides[event.seat - 1].skips + 1)


def fold_zones(table: Table, event: ZonesDoubled) -> Table:
    return with_turn(table, doubled=True)


RULES: Rules = {
    SpecialPlayed: Rule(offers=offers, cannot=cannot, may_not=may_not, decide=decide),
    SpecialNegated: Rule(
        offers=offers_of_negation,
        cannot=cannot_negate,
        may_not=may_not_negate,
        decide=decide_negation,
    ),
    AssistPlayed: Rule(
        offers=offers_of_help,
        cannot=cannot_help,
        may_not=may_not_help,
        decide=decide_help,
        fold=fold_help,
    ),
    AssistRefused: Rule(offers=offers_of_refusal, cannot=cannot_refuse, decide=decide_refusal),
}
FOLDS: Folds = {
    SpecialOpened: fold_opened,
    NegationOpened: fold_negation,
    SpecialUndone: fold_undone,
    PieceConnected: fold_connected,
    DuelDeclared: fold_duel,
    ValuesDoubled: fold_doubled,
    PieceSteppedOut: fold_stepped,
    PiecePut: fold_put,
    PieceToGate: fold_gate,
    TurnToSkip: fold_to_skip,
    ZonesDoubled: fold_zones,
}
