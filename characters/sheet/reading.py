"""Parse a sheet from a text: every line once, as a part of the sheet or as unparsed."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from characters.sheet import grammar
from characters.sheet.grammar import MAX_LINE, TEXTS, TITLES
from characters.sheet.shapes import Currency, Gear, Goal, Lode, Question, Section, Sheet, SheetLine

ESCAPE = "\\"
"""Before a line of a text or a list: what follows is not a heading, whatever it looks like."""

_MATCH = re.compile(r"\bmatch\b", re.I)
_STAR = re.compile(r"^\*\s*(.+?)$|^(.+?)\s*\*$")


class Line(NamedTuple):
    """A line of the text: `text` normalised for matching, after `blanks` blank lines."""

    number: int
    raw: str
    text: str
    blanks: int


Look = Callable[[str], str]
"""Translates a text into the reader's language."""


def read(text: str, gettext: Look = str) -> Sheet:
    """Parse a sheet. Never fails; `questions` say what is left open, translated by `gettext`."""
    lines = _undouble(list(_lines(text)))
    first, last, named = _borders(lines)
    reader = _Reader()
    for line in lines[:first]:
        reader.leave(line)
    if named:
        reader.name(lines[first])
        first += 1
    for line in lines[first:last]:
        reader.take(line)
    reader.finish()
    for line in lines[last:]:
        reader.leave(line)
    return reader.sheet_of(any(_starts(line) for line in lines[last:]), gettext)


# -- where it begins and ends ---------------------------------------------------------------


def _lines(text: str) -> Iterator[Line]:
    blanks = 0
    for number, raw in enumerate(text.splitlines(), 1):
        tidy = grammar.tidy(raw)
        if not tidy:
            blanks += 1
            continue
        yield Line(number, raw.strip("\ufeff").rstrip(), tidy, blanks)
        blanks = 0


def _undouble(lines: list[Line]) -> list[Line]:
    """Remove the blank lines of a text in which every other line is blank."""
    if len(lines) < 3 or not all(line.blanks % 2 for line in lines[1:]):
        return lines
    return [lines[0], *(line._replace(blanks=(line.blanks - 1) // 2) for line in lines[1:])]


def _starts(line: Line) -> bool:
    label = grammar.label(line.text)
    return label is not None and label[0] in ("character", "name")


def _borders(lines: list[Line]) -> tuple[int, int, bool]:
    """Return where the sheet begins and ends, and whether its first line is a bare name.

    Of several possible beginnings, the first followed by the most sections is used.
    """
    starts = [place for place, line in enumerate(lines) if _starts(line)]
    if not starts:
        return *_without_name(lines), _has_bare_name(lines)
    ends = [*starts[1:], len(lines)]
    spans = list(zip(starts, ends, strict=True))
    best = max(spans, key=lambda span: _wealth(lines[slice(*span)]))
    return *best, False


def _wealth(lines: list[Line]) -> int:
    """Count the kinds of sections in some lines."""
    headings = [grammar.heading(line.text) for line in lines]
    return len({heading.key for heading in headings if heading})


def _without_name(lines: list[Line]) -> tuple[int, int]:
    first = next((n for n, line in enumerate(lines) if grammar.heading(line.text)), 0)
    return first - _has_bare_name(lines), len(lines)


def _has_bare_name(lines: list[Line]) -> bool:
    """Tell whether a short line is alone right before the first heading."""
    headings = [n for n, line in enumerate(lines) if grammar.heading(line.text)]
    if not headings or headings[0] == 0:
        return False
    line = lines[headings[0] - 1]
    alone = headings[0] == 1 or line.blanks > 0
    item = grammar.gear(line.text) or grammar.design(line.text)
    plain = not (item or grammar.is_prose(line.text) or ":" in line.text)
    return alone and plain and grammar.money(line.text) is None


# -- line by line ---------------------------------------------------------------------------


class _Reader:
    """Parses lines one by one; `state` is the current section, empty between sections."""

    def __init__(self) -> None:
        self.sheet = Sheet()
        self.state = ""
        self.fresh = False  # the section has only its heading yet
        self.texts: dict[str, list[str]] = {}
        self.stars: list[bool] = []
        self.loose: list[tuple[Line, bool]] = []  # belongings: whether they were understood
        self.lines_read: dict[int, SheetLine] = {}

    # the ways to use a line

    def tell(self, line: Line, became: str) -> None:
        self.lines_read[line.number] = SheetLine(line.number, line.raw.strip(), became)

    def leave(self, line: Line, text: str | None = None) -> None:
        self.sheet.unparsed.append(line.raw.strip() if text is None else text)
        self.tell(line, "unparsed")

    def name(self, line: Line) -> None:
        self.sheet.name, self.sheet.tagline = grammar.name_and_tagline(line.text)
        self.tell(line, "name")

    def take(self, line: Line) -> None:
        if line.text.startswith(ESCAPE) and self.state:
            self.literal(line)
        elif not (self.labelled(line) or self.headed(line) or self.designed(line)):
            if self.state in TEXTS and not (line.blanks and grammar.is_belonging(line.text)):
                self.text(line, line.raw)
            else:
                self.item(line)

    def labelled(self, line: Line) -> bool:
        label = grammar.label(line.text) if not self.state else None
        if label is None:
            return False
        which, text = label
        if which == "character":
            self.sheet.name, self.sheet.tagline = grammar.name_and_tagline(text)
            self.tell(line, "name")
        elif which == "name":
            self.sheet.name = text
            self.tell(line, "name")
        elif not self.sheet.tagline:
            self.sheet.tagline = text
            self.tell(line, "tagline")
        else:
            return False
        return True

    def headed(self, line: Line) -> bool:
        heading = grammar.heading(line.text)
        if heading is None or (self.state == "unparsed" and heading.key == "unparsed"):
            return False
        self.state, self.fresh = heading.key, not heading.rest
        self.tell(line, "heading")
        if heading.rest:
            self.beside_heading(line, heading)
        return True

    def beside_heading(self, line: Line, heading: grammar.Heading) -> None:
        """Take what follows on a heading's own line."""
        rest = line._replace(raw=heading.rest, text=heading.rest, blanks=0)
        if heading.key == "mode-deck":
            names = [name.strip() for name in heading.rest.split(",")]
            for which, name in zip(("primary", "secondary", "tertiary"), names, strict=False):
                setattr(self.sheet.mode_deck, which, name)
            self.tell(line, "mode deck")
        elif heading.key in ("maneuvers", "possessions"):
            for name in heading.rest.split(","):
                self.item(rest._replace(raw=name.strip(), text=name.strip()))
        elif heading.key in TEXTS:
            self.text(rest, heading.rest)
        else:
            self.item(rest)
        self.lines_read[line.number].text = line.raw.strip()

    def designed(self, line: Line) -> bool:
        card = None if self.state in (*TEXTS, "unparsed") else grammar.design(line.text)
        if card is None or getattr(self.sheet.mode_deck, card[0]):
            return False
        setattr(self.sheet.mode_deck, *card)
        self.fresh = False
        self.tell(line, "mode deck")
        return True

    def literal(self, line: Line) -> None:
        bare = line.raw.strip().removeprefix(ESCAPE)
        if self.state in TEXTS:
            self.text(line, bare)
        elif self.state == "unparsed":
            self.leave(line, bare)
        else:
            self.listed(line._replace(raw=bare, text=bare), literal=True)

    def text(self, line: Line, text: str) -> None:
        kept = self.texts.setdefault(self.state, [])
        if kept:
            kept.extend([""] * line.blanks)
        kept.append(text)
        self.tell(line, f"section {self.state}")

    def item(self, line: Line) -> None:
        """Take a line of a list, or of belongings without a heading."""
        if self.state == "unparsed":
            self.leave(line)
            return
        if line.blanks and not self.fresh and self.state in ("goals", "mode-deck", "maneuvers"):
            self.state = ""
        may_end = self.state in (*TEXTS, "goals", "mode-deck", "maneuvers")
        if may_end and grammar.is_belonging(line.text):
            self.state = ""
        self.listed(line)

    def listed(self, line: Line, literal: bool = False) -> None:
        self.fresh = False
        if len(line.text) > MAX_LINE:
            self.leave(line)
        elif self.state == "goals":
            self.goal(line, literal)
        elif self.state == "maneuvers":
            self.sheet.maneuvers.append(line.text if literal else grammar.unbullet(line.text))
            self.tell(line, "maneuver")
        elif self.state == "mode-deck":
            self.leave(line)
        else:
            self.belonging(line, literal)

    def goal(self, line: Line, literal: bool) -> None:
        text, star = line.text, None
        if not literal:
            text = grammar.unbullet(text)
            star = _STAR.match(text)
        goal = (star[1] or star[2]).removeprefix(ESCAPE) if star else text
        self.sheet.goals.append(Goal(goal))
        self.stars.append(star is not None)
        self.tell(line, "goal")

    def belonging(self, line: Line, literal: bool) -> None:
        """Take gear, money, a lode or a possession."""
        text = line.text if literal else grammar.unbullet(line.text)
        sheet, listed = self.sheet, self.state
        piece = None if literal or listed == "lode" else grammar.gear(text, listed == "gear")
        amount = None if literal else grammar.money(text)
        lode = None if sheet.lode else _lode(text, listed, literal)
        if piece and sum(gear.count for gear in sheet.gear) + piece.count <= 500:
            sheet.gear.append(piece)
            self.belongs(line, "gear")
        elif amount is not None and sheet.currency.amount is None:
            sheet.currency.amount = amount
            self.belongs(line, "currency")
        elif lode:
            sheet.lode = lode
            self.belongs(line, "lode")
        elif listed == "possessions":
            sheet.possessions.append(text)
            self.belongs(line, "possession")
        else:
            self.loose.append((line, False))

    def belongs(self, line: Line, became: str) -> None:
        self.loose.append((line, True))
        self.tell(line, became)

    # at the end

    def finish(self) -> None:
        """Settle the loose lines: possessions among belongings, all others unparsed."""
        for block, is_within in _blocks(self.loose):
            prose = any(grammar.is_prose(line.text) for line, known in block if not known)
            beside = any(known for _, known in block) and not prose
            for line, known in block:
                if known:
                    continue
                if not (beside or line.number in is_within) or grammar.is_prose(line.text):
                    self.leave(line)
                elif not self.sheet.lode and (lode := grammar.lode(line.text, listed=True)):
                    self.sheet.lode = lode
                    self.tell(line, "lode")
                else:
                    self.sheet.possessions.append(grammar.unbullet(line.text))
                    self.tell(line, "possession")

    def sheet_of(self, several: bool, gettext: Look) -> Sheet:
        sheet = self.sheet
        sheet.sections = [
            Section(key, TITLES[key], "\n".join(self.texts[key]))
            for key in TEXTS
            if key in self.texts
        ]
        if sum(self.stars) == 1:
            sheet.goals[self.stars.index(True)].current = True
        sheet.currency = _currency(sheet)
        sheet.lines = [self.lines_read[number] for number in sorted(self.lines_read)]
        sheet.questions = list(_questions(sheet, several, gettext))
        return sheet


def _lode(text: str, listed: str, literal: bool) -> Lode | None:
    if listed == "lode" and not grammar.is_prose(text):
        return grammar.lode(text, listed=True) or Lode(text)
    return None if literal else grammar.lode(text)


def _blocks(
    loose: list[tuple[Line, bool]],
) -> Iterator[tuple[list[tuple[Line, bool]], range]]:
    """Yield blocks of adjacent lines, and the range from the first to the last understood line."""
    known = [line.number for line, understood in loose if understood]
    within = range(known[0], known[-1] + 1) if known else range(0)
    block: list[tuple[Line, bool]] = []
    for line, understood in loose:
        if block and line.blanks:
            yield block, within
            block = []
        block.append((line, understood))
    if block:
        yield block, within


def _currency(sheet: Sheet) -> Currency:
    amount = sheet.currency.amount
    if amount is None and not sheet.spent:
        return Currency()
    return Currency(amount, (amount or 0) + sheet.spent)


def _questions(sheet: Sheet, several: bool, gettext: Look) -> Iterator[Question]:
    if not sheet.name:
        yield Question("name", gettext("No line says `Character:`. What is the name?"))
    if sheet.goals and not any(goal.current for goal in sheet.goals):
        question = gettext("No goal carries the star. Which is the current one?")
        yield Question("current-goal", question, [goal.text for goal in sheet.goals])
    if sheet.currency.opening:
        yield Question("opening", _opening(sheet, gettext))
    for number, piece in enumerate(sheet.gear, 1):
        yield from _of_gear(number, piece, gettext)
    if unread := [str(line.number) for line in _unread_amounts(sheet)]:
        question = gettext("No amount could be read on line {lines}: none is counted there.")
        yield Question("amount", question.format(lines=", ".join(unread[:20])))
    if several:
        question = gettext("There is another character in this text. Paste it by itself.")
        yield Question("several", question)


def _unread_amounts(sheet: Sheet) -> Iterator[SheetLine]:
    """Yield the lines on which an amount seems to stand, but none was read."""
    priced = {piece.raw for piece in sheet.gear if piece.price is not None}
    for line in sheet.lines:
        text = grammar.unbullet(grammar.tidy(line.text))
        listed = line.became in ("gear", "possession", "unparsed")
        if listed and text not in priced and grammar.looks_like_money(text):
            yield line


def _of_gear(number: int, piece: Gear, gettext: Look) -> Iterator[Question]:
    if piece.method == "stolen" and piece.from_:
        question = gettext("{piece}, “{words}”: is that the victim, the maker or the issue?")
        question = question.format(piece=piece.title, words=piece.from_)
        yield Question("stolen-from", question, ["victim", "maker", "issue"], number)
    elif _MATCH.search(piece.from_):
        question = gettext("{piece}, “{words}”: which match was it?")
        question = question.format(piece=piece.title, words=piece.from_)
        yield Question("match", question, gear=number)


def _opening(sheet: Sheet, gettext: Look) -> str:
    if sheet.spent:
        question = gettext(
            "c{left} is left after c{spent} was spent, so at least c{opening} came in. "
            "Enter c{opening} as an opening?"
        )
    else:
        question = gettext(
            "c{opening} came in, and nothing says from where. Enter it as an opening?"
        )
    left, opening = sheet.currency.amount or 0, sheet.currency.opening
    return question.format(left=left, spent=sheet.spent, opening=opening)
