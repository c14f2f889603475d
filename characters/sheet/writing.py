"""Write a sheet as a text that `read` parses back to the same sheet."""

from collections.abc import Iterator

from characters.sheet import grammar
from characters.sheet.grammar import TITLES
from characters.sheet.reading import ESCAPE
from characters.sheet.shapes import Gear, Goal, Lode, ModeDeck, Sheet


def write(sheet: Sheet) -> str:
    """Return a sheet as text; empty parts are left out."""
    return "\n".join(_all(sheet)).rstrip("\n") + "\n"


def _all(sheet: Sheet) -> Iterator[str]:
    yield from _named(sheet)
    for section in sheet.sections:
        yield from _section(section.key, [_text_line(line) for line in section.text.split("\n")])
    yield from _section("mode-deck", list(_mode_deck(sheet.mode_deck)))
    yield from _section("maneuvers", [_listed(name) for name in sheet.maneuvers])
    if sheet.goals:
        yield from ("Goals: (* current goal)", *map(_goal, sheet.goals), "")
    yield from _section("gear", [gear_line(piece) for piece in sheet.gear])
    if sheet.currency.amount is not None:
        yield from _section("currency", [f"c{sheet.currency.amount} hard EGS currency"])
    if sheet.lode:
        yield from _section("lode", [lode_line(sheet.lode)])
    yield from _section("possessions", [_listed(name) for name in sheet.possessions])
    yield from _section("unparsed", [_text_line(line) for line in sheet.unparsed])


def _named(sheet: Sheet) -> Iterator[str]:
    whole = f"{sheet.name} – {sheet.tagline}" if sheet.tagline else sheet.name
    if grammar.name_and_tagline(whole) == (sheet.name, sheet.tagline) and sheet.name:
        yield from (f"Character: {whole}", "")
        return
    if sheet.name:
        yield f"Name: {sheet.name}"
    if sheet.tagline:
        yield f"Tagline: {sheet.tagline}"
    yield ""


def _section(key: str, lines: list[str]) -> Iterator[str]:
    if lines:
        yield from (f"{TITLES[key]}:", *lines, "")


def _text_line(line: str) -> str:
    """Return a line of a text, escaped if it could be read as anything else."""
    return ESCAPE + line if _stands_out(grammar.tidy(line)) else line


def _stands_out(text: str) -> bool:
    return (
        text.startswith(ESCAPE)
        or grammar.heading(text) is not None
        or grammar.label(text) is not None
        or grammar.is_belonging(text)
    )


def _listed(text: str) -> str:
    """Return an item of a list, escaped if it could be read as anything else."""
    plain = grammar.unbullet(grammar.tidy(text)) == text
    known = grammar.gear(text) or grammar.design(text) or grammar.money(text) is not None
    return text if plain and not known and not _stands_out(text) else ESCAPE + text


def _goal(goal: Goal) -> str:
    text = goal.text
    odd = "*" in (text[:1], text[-1:]) or grammar.design(text) or _stands_out(text)
    if odd or grammar.unbullet(grammar.tidy(text)) != text:
        text = ESCAPE + text
    return f"* {text}" if goal.current else text


def _mode_deck(deck: ModeDeck) -> Iterator[str]:
    for which in ("primary", "secondary", "tertiary"):
        if card := getattr(deck, which):
            yield f"{which.capitalize()} Design Card: {card}"


def gear_line(piece: Gear) -> str:
    """Return a piece of gear by the grammar: `Basic Blue Feet (c20 x 2 @ zGearGo)`."""
    what = piece.title
    how = _how(piece)
    if piece.price is None and piece.count > 1:
        what = f"{piece.count} x {what}"
    return f"{what} ({how})" if how else what


def _how(piece: Gear) -> str:
    price = ""
    if piece.price is not None:
        times = f" x {piece.count}" if piece.count > 1 else ""
        price = f"c{piece.price}{times}" + (f" @ {piece.from_}" if piece.from_ else "")
    if piece.method == "bought" and price:
        return price
    return ", ".join(word for word in (piece.method, price or piece.from_) if word)


def lode_line(lode: Lode) -> str:
    """Return a lode as `Ego Lode - one artifex + another`."""
    return lode.name + (f" - {' + '.join(lode.artifex)}" if lode.artifex else "")
