"""Cards nobody has entered: ends typed in when first flipped, or tests called by their strikes."""

from collections.abc import Iterator

from rules.fields import Choice, Field, Free, Range
from rules.ruleset import Offer, Seat, Verdict, irregular
from rules.zg import checks
from rules.zg.acts import DEPTHS, EndShown, StrikesCalled
from rules.zg.attack import Opening, cannot_meet, may_not_meet, openings, with_test
from rules.zg.damage import most_strikes
from rules.zg.ends import End
from rules.zg.moves import tell_what_is_left
from rules.zg.slag import deal_called
from rules.zg.state import (
    ENDS,
    Board,
    Offers,
    Rule,
    Rules,
    Shown,
    State,
    Story,
    dots_of,
    known_ends,
    with_side,
)


def offers(state: State, seat: Seat) -> Offers:
    return [offer for each in openings(state, seat) for offer in _called_offers(state, each)]


def _called_offers(state: State, opening: Opening) -> Iterator[Offer]:
    for dot_matches in ((None, 3), (2,), (1,), (0,)):
        fields: dict[str, Field] = {
            "card": Choice(opening.cards),
            "foe": Choice((opening.foe,)),
            "target": Choice(opening.targets),
            "strikes": Range(0, most_strikes(state.options, dot_matches[0])),
            "dot_matches": Choice(dot_matches),
        }
        yield Offer("test-called", opening.seat, fields)


def may_not_call(state: State, act: StrikesCalled) -> Verdict | None:
    most = most_strikes(state.options, act.dot_matches)
    if act.strikes > most:
        return irregular("too-many-strikes", "ZG 6.5", strikes=act.strikes, most=most)
    return may_not_meet(state, act)


def decide_call(story: Story, before: State, act: StrikesCalled) -> None:
    deal_called(story, act.strikes, act.dot_matches)
    tell_what_is_left(story, before, act)


# -- an end shown ---------------------------------------------------------------------


def offers_to_show(state: State, seat: Seat) -> Offers:
    """Offer the ends of a seat's cards that nobody has seen yet."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for card, printed in state.gear[seat - 1].items():
        if printed.a and printed.b:
            continue
        known = known_ends(state, seat, card)
        groups.setdefault(tuple(end for end in ENDS if end not in known), []).append(card)
    return [
        Offer(
            "end-shown",
            seat,
            {"card": Choice(tuple(groups[ends])), "end": Choice(ends), "dots": Free("dots")},
        )
        for ends in (ENDS, ("a",), ("b",))
        if ends in groups
    ]


def cannot_show(state: State, act: EndShown) -> Verdict | None:
    return checks.no_such_seat(state, act.seat) or checks.no_such_card(state, act.seat, act.card)


def may_not_show(state: State, act: EndShown) -> Verdict | None:
    known = dots_of(state, act.seat, act.card, act.end)
    if not known:
        return None
    return irregular("end-known", "ZG ATK-5", card=act.card, end=act.end, dots=known)


def fold_show(board: Board, act: EndShown) -> Board:
    """Remember the dots. If a table lets other dots stand, they replace the known ones."""
    shown = Shown(act.card, act.end, str(End.parse(act.dots)))
    earlier = board.sides[act.seat - 1].shown
    kept = (each for each in earlier if (each.card, each.end) != (act.card, act.end))
    return with_side(board, act.seat, shown=(*kept, shown))


RULES: Rules = {
    StrikesCalled: Rule(
        cannot=cannot_meet, may_not=may_not_call, decide=decide_call, fold=with_test
    ),
    EndShown: Rule(cannot=cannot_show, may_not=may_not_show, fold=fold_show, depths=DEPTHS),
}
