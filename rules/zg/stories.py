"""The stories of single cards in a match: the tests they were in, and what slagged what.

ZG ATK-5   A test compares an end of the attacker's card with one of the target card.
ZG ATK-6   A retest takes the place of the test it repeats; so does a ruling on its strikes.
ZG 6.1     Two strikes slag; what is given back later was not slagged.

Only public knowledge is used: tests are flipped in the open.
"""

from collections.abc import Iterator

import msgspec

from rules.replay import Entry, Timeline
from rules.ruleset import Seat
from rules.zg.acts import Attacked, Retested, Ruled, SlagCalled, StrikesCalled
from rules.zg.consequences import CardRestored, CardSlagged, CardTested


class CardTestStory(msgspec.Struct, frozen=True, kw_only=True):
    """A test as it counts: `blocked` are matches that gave no strike. At entry `version`."""

    version: int
    turn: int
    seat: Seat
    card: str
    foe: Seat
    target: str
    dot_matches: int | None
    strikes: int
    blocked: int
    result: str


class CardSlagStory(msgspec.Struct, frozen=True, kw_only=True):
    """A card that stays slagged, at entry `version`.

    `by` is None if an official ruled so; `weapon` is empty if it was not recorded.
    """

    version: int
    turn: int
    seat: Seat
    card: str
    by: Seat | None = None
    weapon: str = ""


Story = CardTestStory | CardSlagStory


def stories(timeline: Timeline, version: int) -> list[Story]:
    """Return the stories effective at a version of a log, oldest first."""
    tests: list[CardTestStory] = []
    heap: dict[tuple[Seat, str], CardSlagStory] = {}
    for entry in timeline.history(version)[1:]:
        at, turn = entry.version, timeline.at(entry.base).state.turn
        for event in entry.consequences:
            match event:
                case CardTested():
                    if isinstance(entry.act, Retested | Ruled):
                        _count_again(tests, at, event)
                    else:
                        tests += _first(entry, turn, event)
                case CardSlagged(seat=seat, card=card):
                    by, weapon = _by(entry, tests)
                    heap[seat, card] = CardSlagStory(
                        version=at, turn=turn, seat=seat, card=card, by=by, weapon=weapon
                    )
                case CardRestored(seat=seat, card=card):
                    heap.pop((seat, card), None)
    found: list[Story] = [*tests, *heap.values()]
    return sorted(found, key=lambda story: (story.version, isinstance(story, CardSlagStory)))


def _first(entry: Entry, turn: int, event: CardTested) -> Iterator[CardTestStory]:
    act = entry.act
    if isinstance(act, Attacked | StrikesCalled):
        yield CardTestStory(
            version=entry.version,
            turn=turn,
            seat=act.seat,
            card=act.card,
            foe=act.foe,
            target=act.target,
            dot_matches=event.dot_matches,
            strikes=event.strikes,
            blocked=_blocked(event),
            result=event.result,
        )


def _count_again(tests: list[CardTestStory], version: int, event: CardTested) -> None:
    """Replace the result of the last test by the new one."""
    if tests:
        tests[-1] = msgspec.structs.replace(
            tests[-1],
            version=version,
            dot_matches=event.dot_matches,
            strikes=event.strikes,
            blocked=_blocked(event),
            result=event.result,
        )


def _blocked(event: CardTested) -> int:
    if event.dots:
        return sum(dot.matched and not dot.strikes for dot in event.dots)
    return max(0, (event.dot_matches or 0) - event.strikes)


def _by(entry: Entry, tests: list[CardTestStory]) -> tuple[Seat | None, str]:
    """Return the seat responsible for a slag, and the card it used if that was recorded."""
    match entry.act:
        case Attacked(seat=seat, card=card) | StrikesCalled(seat=seat, card=card):
            return seat, card
        case SlagCalled(seat=seat):
            return seat, ""
        case Retested() | Ruled(what="strikes") if tests:
            return tests[-1].seat, tests[-1].card
    return None, ""
