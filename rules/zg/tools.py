"""What Z-G adds to the API and the command line: pure functions, plain data out."""

from collections.abc import Mapping
from typing import Any

import msgspec

from rules.zg import samples
from rules.zg.acts import BASIC, Options, Places
from rules.zg.cards import BLANK_DECK
from rules.zg.damage import CardTest
from rules.zg.damage import compare as compare_ends
from rules.zg.ends import End, EndError
from rules.zg.words import TEXTS


def compare(
    attack: str,
    target: str,
    augments: Places = (),
    bolsters: Places = (),
    options: Options = BASIC,
) -> dict[str, Any]:
    """Compare two ends, dots written as they face each other: "G* R+ B" "G# R B".

    Returns `dot_matches`, `strikes`, `result`, its `clause` and `text`, and three `dots`, each
    with `attack`, `target`, `matched`, `strikes`, `why` (a code), `text` and `clause`.

    Raises: ValueError, with the column, for dots that can not be read.
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


def _read(which: str, dots: str) -> End:
    try:
        return End.parse(dots)
    except EndError as error:
        raise ValueError(f"{which}, {error}") from error


def sample_decks() -> dict[str, Any]:
    """Return decks to play with at once, by name: invented cards, as the file of cards says."""
    return {name: msgspec.to_builtins(deck) for name, deck in samples.starters().items()}


def blank_deck() -> dict[str, Any]:
    """Return a deck of nine cards that nobody has entered yet: slots and names."""
    plain: dict[str, Any] = msgspec.to_builtins(BLANK_DECK)
    return plain


TOOLS: Mapping[str, Any] = {
    "compare": compare,
    "sample-decks": sample_decks,
    "blank-deck": blank_deck,
}
