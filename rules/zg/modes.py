"""Modes, the arena, powerups and the character's power at depth `full`.

ZG MOD-2  Mode cards are shuffled and lie face down.
ZG MOD-3  The control panel holds the active ones, face up.
ZG MOD-4  One is there from the start; every other is earned in play.
ZG ARN-1  Arena cards have ways to interact with them; their names and texts are not known (U4).
ZG MOD-5  An interaction with an Arena card that is new draws one.
ZG U3     Other ways are not known: a draw for another reason is recorded as such.
ZG GEN-7  Mode cards and powerups belong to a step of the turn, where they say so.
ZG POW-0  A powerup is Extra, in addition to an attack, or Replace, in place of one. Scan is Extra.
ZG CHR-1  The character's powerup works once a turn.
ZG 11 Character  That it was used is recorded.
ZG U1     What powerups, modes and characters do is not known: the log keeps that they were used.
"""

from collections.abc import Iterator

from rules.fields import Choice, Field, Free
from rules.ruleset import Draw, Offer, Seat, Verdict, impossible, irregular
from rules.zg import checks, powerups
from rules.zg.acts import ArenaUsed, CharacterUsed, ModeDrawn, ModeUsed, PowerupUsed
from rules.zg.attack import attacking_cards
from rules.zg.cards import Card, name_of
from rules.zg.earning import earn
from rules.zg.moves import tell_what_is_left
from rules.zg.pulse import play
from rules.zg.state import (
    Board,
    Offers,
    Rule,
    Rules,
    State,
    Story,
    Way,
    modes_of,
    remaining,
    side_of,
    with_side,
)


def offers(state: State, seat: Seat) -> Offers:
    return [
        *_offers_of_draws(state, seat),
        *_offers_of_modes(state, seat),
        *_offers_of_arenas(state, seat),
        *_offers_of_powerups(state, seat),
        *_offers_of_character(state, seat),
    ]


# -- the Mode deck --------------------------------------------------------------------


def mode_deck(state: State, seat: Seat) -> tuple[str, ...]:
    """Return the Mode cards that are not in the control panel."""
    panel = side_of(state, seat).panel
    return tuple(name for name in modes_of(state, seat) if name not in panel)


def _offers_of_draws(state: State, seat: Seat) -> Iterator[Offer]:
    left = mode_deck(state, seat)
    if not left:
        return
    reasons = tuple(
        why
        for why in ("other", "start", "earned")
        if not may_not_draw(state, ModeDrawn(seat=seat, card=left[0], why=why))
    )
    spins = ("table", "server") if state.setup.commitment else ("table",)
    fields: dict[str, Field] = {
        "card": Choice(left),
        "why": Choice(reasons),
        "spin": Choice(spins),
        "note": Free("note"),
    }
    yield Offer("mode-drawn", seat, fields)


def cannot_draw(state: State, act: ModeDrawn) -> Verdict | None:
    return _no_such_mode(state, act) or checks.no_server_draws(state, act.spin)


def _no_such_mode(state: State, act: ModeDrawn | ModeUsed) -> Verdict | None:
    if verdict := checks.not_in_play(state, act.seat):
        return verdict
    if act.card in modes_of(state, act.seat):
        return None
    return impossible("no-such-mode", "ZG MOD-2", seat=act.seat, card=act.card)


def may_not_draw(state: State, act: ModeDrawn) -> Verdict | None:
    side = side_of(state, act.seat)
    if act.card in side.panel:
        return irregular("mode-in-panel", "ZG MOD-3", seat=act.seat, card=act.card)
    if side.unseen:
        return None
    if (act.why == "start") == bool(side.panel) and act.why != "earned":
        return irregular("mode-not-first", "ZG MOD-4", seat=act.seat)
    if act.why == "earned" and not side.earned:
        return irregular("no-mode-earned", "ZG MOD-4", seat=act.seat)
    return None


def fold_draw(board: Board, act: ModeDrawn) -> Board:
    side = board.sides[act.seat - 1]
    panel = side.panel if act.card in side.panel else (*side.panel, act.card)
    earned = max(0, side.earned - 1) if act.why == "earned" else side.earned
    unseen = side.unseen and act.why != "start"
    return with_side(board, act.seat, panel=panel, earned=earned, unseen=unseen)


def draws(state: State, act: ModeDrawn) -> tuple[Draw, ...]:
    if checks.no_such_seat(state, act.seat):
        return ()
    left = mode_deck(state, act.seat)
    return (Draw("card", "mode", left),) if left else ()


# -- modes in use ---------------------------------------------------------------------


def _offers_of_modes(state: State, seat: Seat) -> Iterator[Offer]:
    times, side = modes_of(state, seat), side_of(state, seat)
    panel = times if side.unseen else side.panel
    usable = tuple(name for name in panel if not powerups.untimely(state, seat, times[name]))
    if usable:
        yield Offer("mode-used", seat, {"card": Choice(usable)})


def may_not_use(state: State, act: ModeUsed) -> Verdict | None:
    side = side_of(state, act.seat)
    if act.card not in side.panel and not side.unseen:
        return irregular("not-in-panel", "ZG MOD-3", seat=act.seat, card=act.card)
    return powerups.untimely(state, act.seat, modes_of(state, act.seat)[act.card])


def fold_use(board: Board, act: ModeUsed) -> Board:
    """Change nothing, unless this use is the first sign that the card is in the panel."""
    side = board.sides[act.seat - 1]
    if act.card in side.panel or not side.unseen:
        return board
    return with_side(board, act.seat, panel=(*side.panel, act.card))


# -- the arena ------------------------------------------------------------------------


def _offers_of_arenas(state: State, seat: Seat) -> Iterator[Offer]:
    for arena in state.options.arenas:
        if arena.ways:
            yield Offer(
                "arena-used", seat, {"arena": Choice((arena.name,)), "how": Choice(arena.ways)}
            )


def cannot_interact(state: State, act: ArenaUsed) -> Verdict | None:
    if verdict := checks.not_in_play(state, act.seat):
        return verdict
    ways = [way for arena in state.options.arenas if arena.name == act.arena for way in arena.ways]
    if act.how in ways:
        return None
    return impossible("no-such-way", "ZG ARN-1", arena=act.arena, how=act.how)


def decide_interact(story: Story, before: State, act: ArenaUsed) -> None:
    if Way(act.arena, act.how) not in side_of(before, act.seat).ways:
        earn(story, act.seat, "arena")


def fold_interact(board: Board, act: ArenaUsed) -> Board:
    way, ways = Way(act.arena, act.how), board.sides[act.seat - 1].ways
    return board if way in ways else with_side(board, act.seat, ways=(*ways, way))


# -- powerups -------------------------------------------------------------------------


def usable_powerups(card: Card) -> tuple[str, ...]:
    """Return the powerups the players carry out themselves; all named ones for an unread card."""
    if card.is_unread:
        return powerups.NAMED
    return tuple(each for each in card.powerups if not powerups.is_by_the_core(each))


def _offers_of_powerups(state: State, seat: Seat) -> Iterator[Offer]:
    for instead, cards in ((False, remaining(state, seat)), (True, _replaceable(state, seat))):
        for name in cards:
            usable = tuple(
                each
                for each in usable_powerups(state.gear[seat - 1][name])
                if not _may_not_now(state, seat, each, instead=instead)
            )
            if usable:
                fields: dict[str, Field] = {"card": Choice((name,)), "powerup": Choice(usable)}
                if instead:
                    fields["instead"] = Choice((True,))
                yield Offer("powerup-used", seat, fields)


def _replaceable(state: State, seat: Seat) -> tuple[str, ...]:
    """Return the cards whose attack a powerup may replace now."""
    return () if checks.undecided(state) or checks.drawn(state) else attacking_cards(state, seat)


def _may_not_now(state: State, seat: Seat, printed: str, *, instead: bool) -> Verdict | None:
    """Object to a powerup of the other kind, or out of its time. Rule: ZG POW-0, GEN-7."""
    kind, time = powerups.kind_of(printed), powerups.time_of(printed)
    if instead and kind == "extra":
        return irregular("is-extra", "ZG POW-0", powerup=printed)
    if not instead and kind == "replace":
        return irregular("is-replace", "ZG POW-0", powerup=printed)
    answers = name_of(printed) in powerups.OF_BOTH
    if not (instead or answers or _may_move(state, seat)) and time is None:
        return irregular("not-your-move", "ZG POW-0", seat=seat)
    return powerups.untimely(state, seat, time)


def _may_move(state: State, seat: Seat) -> bool:
    """Tell whether a seat may be in its pulse, or has just attacked."""
    current, check = state.board.current, state.board.check
    return current in (0, seat) or (check is not None and check.seat == seat)


def cannot_power(state: State, act: PowerupUsed) -> Verdict | None:
    verdict = checks.not_in_play(state, act.seat) or checks.no_such_card(state, act.seat, act.card)
    if verdict:
        return verdict
    if act.powerup in usable_powerups(state.gear[act.seat - 1][act.card]):
        return None
    return impossible("no-such-powerup", "ZG POW-0", card=act.card, powerup=act.powerup)


def may_not_power(state: State, act: PowerupUsed) -> Verdict | None:
    if verdict := checks.slagged(state, act.seat, act.card):
        return verdict
    if verdict := _may_not_now(state, act.seat, act.powerup, instead=act.instead):
        return verdict
    if not act.instead:
        return None
    return checks.untimely(state, act.seat, act.card) or checks.played(state, act.seat, act.card)


def decide_power(story: Story, before: State, act: PowerupUsed) -> None:
    if act.instead:
        tell_what_is_left(story, before, act)


def fold_power(board: Board, act: PowerupUsed) -> Board:
    return play(board, act.seat, act.card) if act.instead else board


# -- the character --------------------------------------------------------------------


def _offers_of_character(state: State, seat: Seat) -> Iterator[Offer]:
    if not may_not_act(state, CharacterUsed(seat=seat)):
        yield Offer("character-used", seat, {})


def may_not_act(state: State, act: CharacterUsed) -> Verdict | None:
    side = side_of(state, act.seat)
    if verdict := checks.no_character(state, act.seat):
        return verdict
    if side.character_spent:
        return irregular("character-is-spent", "ZG CHR-1", seat=act.seat)
    if side.character_used:
        return irregular("character-was-used", "ZG CHR-1", seat=act.seat)
    return None


def fold_act(board: Board, act: CharacterUsed) -> Board:
    return with_side(board, act.seat, character_used=True)


RULES: Rules = {
    ModeDrawn: Rule(
        cannot=cannot_draw, may_not=may_not_draw, fold=fold_draw, draws=draws, depths=("full",)
    ),
    ModeUsed: Rule(cannot=_no_such_mode, may_not=may_not_use, fold=fold_use, depths=("full",)),
    ArenaUsed: Rule(
        cannot=cannot_interact, decide=decide_interact, fold=fold_interact, depths=("full",)
    ),
    PowerupUsed: Rule(
        cannot=cannot_power,
        may_not=may_not_power,
        decide=decide_power,
        fold=fold_power,
        depths=("full",),
    ),
    CharacterUsed: Rule(
        cannot=checks.actor_not_in_play, may_not=may_not_act, fold=fold_act, depths=("full",)
    ),
}
