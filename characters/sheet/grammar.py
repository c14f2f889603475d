"""What single lines of a sheet mean: headings, gear, money, lodes.

ZG CRE-6  The fields of a sheet.
ZG CRE-7  Gear: quality + colour + type + (how acquired); `c20 x 2` is two pieces at c20 each.
ZG CRE-9  Artifex live in a Lode.
"""

import re
from typing import NamedTuple

from characters.sheet.shapes import Gear, Lode

MAX_PIECES = 99  # on one line
MAX_LINE = 200  # characters of a goal, a possession, a name

TITLES = {
    "private": "Background, Private/OOC",
    "public": "Background, Public/IC",
    "mode-deck": "Mode Deck",
    "maneuvers": "Maneuvers",
    "goals": "Goals",
    "gear": "Gear",
    "currency": "Currency",
    "possessions": "Possessions",
    "lode": "Lode",
    "diary": "Diary",
    "notes": "Notes",
    "unparsed": "Unparsed",
}
TEXTS = ("private", "public", "diary", "notes")
"""Sections of free text."""

METHODS = {
    "issued": "issued",
    "bought": "bought",
    "purchased": "bought",
    "found": "found",
    "stolen": "stolen",
    "won": "won",
    "gift": "gift",
    "traded": "traded",
    "lent": "lent",
    "borrowed": "lent",
    "returned": "returned",
    "repaired": "repaired",
    "salvaged": "salvaged",
    "confiscated": "confiscated",
}
"""Words for how gear was acquired, with their methods."""

QUALITIES = ("Basic", "Superior", "State of the Art")
QUALITY = "basic|superior|state[ -]of[ -]the[ -]art"
COLOURS = (
    *("Red", "Green", "Blue", "Yellow", "Orange", "Purple", "Violet", "Black", "White"),
    *("Grey", "Gray", "Silver", "Gold", "Brown", "Pink"),
)
NO_PIECE = {"gear", "set", "deck", "rules", "rule"}

_BACKGROUND = r"background\s*[,:(–—-]?\s*\(?"
_PRIVATE = r"private\s*[/,(]\s*ooc\)?|private|ooc|out of character"
_PUBLIC = r"public\s*[/,(]\s*ic\)?|public|ic|in character"
_HEADINGS = (
    ("private", rf"{_BACKGROUND}(?:{_PRIVATE})\)?"),
    ("private", rf"(?:{_PRIVATE})\s+background(?:\s*\(ooc\))?"),
    ("public", rf"{_BACKGROUND}(?:{_PUBLIC})\)?"),
    ("public", rf"(?:{_PUBLIC})\s+background(?:\s*\(ic\))?"),
    ("private", r"backgrounds?(?=\s*(?::|$))"),  # shown to nobody until its owner says so
    ("mode-deck", r"mode\s+deck"),
    ("maneuvers", r"man(?:eu|oeu)vers?|man(?:eu|oeu)vres?"),
    ("goals", r"goals?"),
    ("gear", r"z?gear"),
    ("currency", r"(?:hard\s+)?currency|cash|credits|money"),
    ("possessions", r"possessions?|belongings|other belongings|other possessions"),
    ("lode", r"lode(?:\s+and\s+artifex)?"),
    ("diary", r"diary"),
    ("notes", r"notes?"),
    ("unparsed", r"unparsed"),
)
_HEADING = [
    (
        key,
        re.compile(
            rf"(?:{label})(?![\w])\s*(?::\s*)?(?P<aside>\([^()]*\))?\s*(?::\s*)?(?P<rest>.*)",
            re.IGNORECASE,
        ),
    )
    for key, label in _HEADINGS
]
_LABEL = re.compile(r"(?P<label>character|name|tagline)\s*:\s*(?P<rest>.+)", re.I)
_DASH = re.compile(r"\s+[-–—]+\s+|\s*[–—]\s*")
_DESIGN = re.compile(
    r"(?P<which>primary|secondary|tertiary)(?:\s+design)?(?:\s+card)?\s*[:–—-]\s*(?P<card>.+)", re.I
)
_AMOUNT = r"[c¢]\s?(?P<amount>[0-9]{1,3}(?:,[0-9]{3}){1,2}|[0-9]{1,7})"
_MONEY = re.compile(rf"{_AMOUNT}(?P<kind>(?:\s+[\w.'’-]+){{0,5}})", re.I)
_MONEY_WORD = re.compile(r"\b(?:currency|credits?|cash|money|egs)\b", re.I)
_LIKE_MONEY = re.compile(r"(?<!\w)[c¢]\s?(?:[-–−+]\s?[0-9]|[0-9][0-9.,]+)", re.I)
_PRICE = re.compile(
    rf"(?:(?P<before>[0-9]{{1,6}})\s*[x×]\s*)?{_AMOUNT}(?:\s*[x×]\s*(?P<after>[0-9]{{1,6}}))?"
    r"(?:\s*(?:@|\bat\b|\bfrom\b)\s*(?P<shop>.+))?",
    re.I,
)
_METHOD = re.compile(
    rf"(?P<word>{'|'.join(METHODS)})\b\s*(?:,\s*(?P<said>.*)|(?:from|by|in|at|of)\s+(?P<by>.*)|(?P<rest>.*))",
    re.I,
)
_GEAR = re.compile(
    r"(?:(?P<before>[0-9]{1,6})\s*[x×]\s*)?"
    rf"(?:(?P<quality>{QUALITY})\s+)?"
    rf"(?:(?P<colour>{'|'.join(COLOURS)})\s+)?"
    r"(?P<type>[^()]+?)"
    r"(?:\s*[x×]\s*(?P<after>[0-9]{1,6}))?"
    r"\s*(?:\((?P<how>.*?)\)?)?",
    re.I,
)
_LODE = re.compile(r"(?P<name>[^:]*?\blode)(?:\s*[-–—:]+\s*(?P<artifex>.+))?", re.I)
_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_NAMELESS = re.compile(rf"(?P<count>{'|'.join(_COUNTS)}) artifex", re.I)
_SENTENCE = re.compile(r"[.!?][\"'”’)]?\s+\S")
_BULLET = re.compile(r"^(?:[•·‣◦▪–—-]|[0-9]{1,2}[.)])\s+")
_SPACES = re.compile(r"[\s\u00a0\u2000-\u200b\ufeff]+")


class Heading(NamedTuple):
    """The heading of a section: `rest` is what follows on its line."""

    key: str
    rest: str


def tidy(line: str) -> str:
    """Normalise a line for matching: plain spaces, no layout marks around it."""
    text = _SPACES.sub(" ", line).strip()
    marked = re.fullmatch(r"(?:#{1,6} )?(\*\*|__)(.+?)\1(.*)", text)
    if marked:
        text = marked[2] + marked[3]
    return re.sub(r"^#{1,6} ", "", text)


def unbullet(text: str) -> str:
    """Return a line of a list without its bullet."""
    return _BULLET.sub("", text, count=1)


def is_prose(text: str) -> bool:
    """Tell whether a line is running text rather than an item of a list."""
    ends = text.rstrip("\"'”’)").endswith((".", "!", "?")) and len(text.split()) > 5
    return len(text) > 100 or ends or bool(_SENTENCE.search(text) and len(text.split()) > 8)


def heading(text: str) -> Heading | None:
    """Parse a line as a heading. What follows on the line must fit its section."""
    for key, pattern in _HEADING:
        match = pattern.fullmatch(text)
        if match is None:
            continue
        rest = match["rest"].strip()
        marked = ":" in text[: len(text) - len(match["rest"])] or not match["rest"]
        if marked and (not rest or _may_follow(key, rest)):
            aside = match["aside"] or ""
            if key == "goals" or not aside:
                return Heading(key, rest)
    return None


def _may_follow(key: str, rest: str) -> bool:
    match key:
        case "mode-deck":
            return not is_prose(rest) and len(rest.split(",")) <= 3
        case "currency":
            return money(rest) is not None
        case "private" | "public" | "notes":
            return True
        case _:
            return not is_prose(rest)


def label(text: str) -> tuple[str, str] | None:
    """Return the label of a line, `character`, `name` or `tagline`, and the text."""
    match = _LABEL.fullmatch(text)
    if match is None or is_prose(match["rest"]):
        return None
    return match["label"].casefold(), match["rest"]


def name_and_tagline(text: str) -> tuple[str, str]:
    """Split `Name® – tagline`."""
    name, *tagline = _DASH.split(text, maxsplit=1)
    return name.strip().rstrip("®™ ").strip(), tagline[0].strip() if tagline else ""


def design(text: str) -> tuple[str, str] | None:
    """Return which design card a line names, and its name."""
    match = _DESIGN.fullmatch(text)
    if match is None or is_prose(text):
        return None
    return match["which"].casefold(), match["card"].strip()


def money(text: str, alone: bool = True) -> int | None:
    """Return an amount of money; with `alone`, no word needs to say that it is money."""
    match = _MONEY.fullmatch(text)
    if match is None or not (_MONEY_WORD.search(match["kind"]) or (alone and not match["kind"])):
        return None
    return _number(match["amount"])


def looks_like_money(text: str) -> bool:
    """Tell whether something in a text may be meant as an amount, read or not: `c-40`, `c12.50`."""
    return _LIKE_MONEY.search(text) is not None


def gear(text: str, listed: bool = False) -> Gear | None:
    """Parse a line of gear; `listed`: it is under a heading for gear."""
    match = _GEAR.fullmatch(text)
    if match is None or is_prose(match["type"]) or len(text) > MAX_LINE:
        return None
    kind, how = match["type"].strip(), (match["how"] or "").strip()
    quality, colour = _quality(match["quality"]), (match["colour"] or "").capitalize()
    method, from_, price, count = acquisition(how)
    enough = bool(quality and (colour or how)) or bool(colour and method)
    if kind.casefold() in NO_PIECE or not (enough or (listed and (quality or colour))):
        return None
    count *= int(match["before"] or 1) * int(match["after"] or 1)
    if not 1 <= count <= MAX_PIECES:
        return None
    return Gear(quality, colour, kind, method, from_, price, count, raw=text)


def acquisition(how: str) -> tuple[str, str, int | None, int]:
    """Parse how gear was acquired: method, from, unit price, count. No method: not understood."""
    priced = _PRICE.fullmatch(how)
    if priced:
        return ("bought", *_priced(priced))
    match = _METHOD.fullmatch(how)
    if match is None:
        return "", how, None, 1
    method = METHODS[match["word"].casefold()]
    rest = (match["said"] or match["by"] or match["rest"] or "").strip()
    priced = _PRICE.fullmatch(rest)
    return (method, *_priced(priced)) if priced else (method, rest, None, 1)


def _priced(match: re.Match[str]) -> tuple[str, int, int]:
    count = int(match["before"] or 1) * int(match["after"] or 1)
    return (match["shop"] or "").strip(), _number(match["amount"]), count


def is_belonging(text: str) -> bool:
    """Tell whether a line can only be gear, money or a lode, whatever it is under."""
    piece = gear(text)
    acquired = bool(piece and piece.method)
    return acquired or money(text, alone=False) is not None or lode(text) is not None


def lode(text: str, listed: bool = False) -> Lode | None:
    """Parse `Ego Lode - one artifex + another`. Without artifex only if `listed`."""
    match = _LODE.fullmatch(text)
    if match is None or len(text) > MAX_LINE or not (match["artifex"] or listed):
        return None
    return Lode(match["name"].strip(), _artifex(match["artifex"] or ""))


def _artifex(text: str) -> list[str]:
    """Return what lives in a lode; unnamed ones become `Artifex`."""
    if counted := _NAMELESS.fullmatch(text):
        return ["Artifex"] * _COUNTS[counted["count"].casefold()]
    return [name.strip() for name in text.split("+") if name.strip()]


def _quality(text: str | None) -> str:
    folded = " ".join((text or "").replace("-", " ").split()).casefold()
    return next((quality for quality in QUALITIES if quality.casefold() == folded), "")


def _number(text: str) -> int:
    return int(text.replace(",", ""))
