"""Z-G's tools for the API and the command line: pure functions that return plain data."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any

import msgspec

from rules.ruleset import Misused
from rules.zg import odds as chances
from rules.zg import samples
from rules.zg.acts import BASIC, MAX_BLAZES, Options, Places
from rules.zg.cards import BLANK_DECK, Deck, gear_of
from rules.zg.damage import RESULTS, CardTest, facing
from rules.zg.damage import compare as compare_ends
from rules.zg.ends import End, EndError
from rules.zg.odds import Odds, Retest, Target
from rules.zg.state import ENDS
from rules.zg.words import TEXTS

Blazes = Annotated[int, msgspec.Meta(ge=0, le=MAX_BLAZES)]
MAX_TEXT = 4000
DeckText = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_TEXT)]
Names = Annotated[tuple[str, ...], msgspec.Meta(max_length=99)]


def compare(
    attack: str,
    target: str,
    augments: Places = (),
    bolsters: Places = (),
    options: Options = BASIC,
) -> dict[str, Any]:
    """Compare two ends, dots written as they face each other: "G* R+ B" "G# R B".

    Returns `dot_matches`, `strikes`, `result`, its `clause` and `text`, and three `dots`, each with
    `attack`, `target`, `matched`, `strikes`, `why` (a code), `text` and `clause`.

    Raises: ValueError, with the column, for dots that cannot be read.
    """
    test = compare_ends(
        _read("attack", attack), _read("target", target), options, augments, bolsters
    )
    return explained(test)


def explained(test: CardTest) -> dict[str, Any]:
    """Return a test as plain data with its texts."""
    return {
        "dot_matches": test.dot_matches,
        "strikes": test.strikes,
        "result": test.result,
        "clause": test.clause,
        "text": TEXTS[f"result.{test.result}"],
        "dots": [{**msgspec.to_builtins(dot), "text": TEXTS[dot.why]} for dot in test.dots],
    }


def _read(which: str, dots: str, label: str = "") -> End:
    try:
        return End.parse(dots)
    except EndError as error:
        raise Misused(which, f"{label or which}, {error}") from error


def odds(
    attack: str,
    deck: Deck | DeckText,
    without: Names = (),
    augments: Blazes = 0,
    bolsters: Blazes = 0,
    retest: Retest = "none",
    options: Options = BASIC,
) -> dict[str, Any]:
    """Return the exact chances of an end against a card drawn from a deck.

    `deck`: cards as in a setup, the name of a sample deck, or ends as text, `/` between the ends of
    a card and `,` between cards: "R G B / B G R, G# G B". `without`: slagged cards. `augments` and
    `bolsters`: how many blazes, each placed where it is most effective. `retest`: who holds one.

    Returns fractions as text, with `percent` beside: `dot_matches`, `strikes`, `results`, the
    strikes `expected`, the chance to `slag`, and `unknown`, that of an unknown end.

    Raises: ValueError for dots that cannot be read, an unknown card, and an empty deck.
    """
    found = chances.odds(
        _read("attack", attack),
        targets_of(deck, without, options),
        options,
        augments=augments,
        bolsters=bolsters,
        retest=retest,
    )
    return odds_data(found)


def best_end(
    card: str,
    deck: Deck | DeckText,
    without: Names = (),
    augments: Blazes = 0,
    bolsters: Blazes = 0,
    retest: Retest = "none",
    options: Options = BASIC,
) -> dict[str, Any]:
    """Return which end of a card to attack with, and the odds of either.

    `card`: both ends as text, "R G B / B G R"; the other parameters as for `odds`. Returns `best`,
    "a" or "b": most expected strikes, then the likelier slag; and `a` and `b` as returned by
    `odds`.

    Raises: ValueError as `odds` does.
    """
    ends = [_read("card", end) for end in card.split("/")]
    if len(ends) != len(ENDS):
        raise Misused("card", f"card: expected two ends with / between them, not {len(ends)}")
    targets = targets_of(deck, without, options)
    found: dict[str, Odds] = {
        which: chances.odds(
            end, targets, options, augments=augments, bolsters=bolsters, retest=retest
        )
        for which, end in zip(ENDS, ends, strict=True)
    }
    return {
        "best": chances.best_end(found),
        **{end: odds_data(each) for end, each in found.items()},
    }


def odds_data(found: Odds) -> dict[str, Any]:
    """Return odds as plain data."""
    return {
        "expected": str(found.expected),
        "slag": _chance(found.slag),
        "unknown": _chance(found.unknown),
        "dot_matches": [_row("dot_matches", *each) for each in found.dot_matches.items()],
        "strikes": [_row("strikes", *each) for each in found.strikes.items()],
        "results": [
            {**_row("result", result, found.results[result]), "text": TEXTS[f"result.{result}"]}
            for result in RESULTS
            if result in found.results
        ],
    }


def _row(name: str, value: int | str, chance: Fraction) -> dict[str, Any]:
    return {name: value, **_chance(chance)}


def _chance(chance: Fraction) -> dict[str, Any]:
    """Return a chance exactly, and as a percentage to one place."""
    return {"chance": str(chance), "percent": round(float(100 * chance), 1)}


def targets_of(deck: Deck | str, without: Sequence[str], options: Options) -> list[Target]:
    """Return the ends that may be drawn, as they face the attack. Rule: ZG ATK-13."""
    if isinstance(deck, str) and deck not in samples.starters():
        if deck.isalpha():
            names = ", ".join(samples.starters())
            raise Misused("deck", f"deck: {deck!r} is no end, nor a sample deck; those: {names}")
        if without:
            raise Misused("without", "without: ends given as text have no names")
        return [_typed(card) for card in deck.split(",")]
    gear = gear_of(samples.starters()[deck] if isinstance(deck, str) else deck)
    if strangers := [name for name in without if name not in gear]:
        raise Misused("without", f"without: no card {strangers[0]!r} in the deck")
    left = [card for name, card in gear.items() if name not in without]
    if not left:
        raise Misused("without" if without else "deck", "no card is left to draw")
    return [[_faced(card.name, dots, options) for dots in (card.a, card.b)] for card in left]


def _typed(card: str) -> Target:
    ends = [_read("deck", end) for end in card.split("/")]
    if len(ends) > len(ENDS):
        raise Misused("deck", f"deck: {card.strip()!r} has {len(ends)} ends; a card has two")
    return ends


def _faced(name: str, dots: str, options: Options) -> End | None:
    if not dots:
        return None
    return facing(_read("deck", dots, f"deck, {name}"), options)


def sample_decks() -> dict[str, Any]:
    """Return ready-made decks by name: invented cards, as the file of cards says."""
    return {name: msgspec.to_builtins(deck) for name, deck in samples.starters().items()}


def blank_deck() -> dict[str, Any]:
    """Return a basic set that nobody has entered yet: nine cards by slot, and a character card.

    Rule: ZG SET-3.
    """
    plain: dict[str, Any] = msgspec.to_builtins(BLANK_DECK)
    return {**plain, "character": "Character card"}


def typed_columns() -> tuple[str, ...]:
    """Return the columns of a table of cards that is typed without naming them."""
    return ("name", "slot", "colour", "a", "b")


TOOLS: Mapping[str, Any] = {
    "compare": compare,
    "odds": odds,
    "best-end": best_end,
    "sample-decks": sample_decks,
    "blank-deck": blank_deck,
    "typed-columns": typed_columns,
}
