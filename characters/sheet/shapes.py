"""The parts of a sheet."""

from msgspec import Struct, field


class Section(Struct):
    """A section of text: `key` is its kind, `title` its heading.

    `key`: its kind.
    """

    key: str
    title: str
    text: str


class ModeDeck(Struct):
    """The three design cards; an empty text for an unnamed one.

    `primary`, `secondary` and `tertiary` are their words.
    """

    primary: str = ""
    secondary: str = ""
    tertiary: str = ""


class Goal(Struct):
    text: str
    current: bool = False


class Gear(Struct):
    """One line of gear: `count` identical pieces. `price` is for one piece.

    `method` is how they were acquired, empty if the line does not say it; `from` is the shop, the
    person or the occasion in the line's own words.
    """

    quality: str
    colour: str
    type: str
    method: str = ""
    from_: str = field(default="", name="from")
    price: int | None = None
    count: int = 1
    raw: str = ""

    @property
    def title(self) -> str:
        """`Superior Red Frontgear`."""
        return " ".join(word for word in (self.quality, self.colour, self.type) if word)


class Currency(Struct):
    """The money left, and the unexplained income needed to have it left after the purchases.

    `opening`: that income, in credits; null if unknown.
    """

    amount: int | None = None
    opening: int | None = None


class Lode(Struct):
    """A holographic computer, and the artifex programs that live in it."""

    name: str
    artifex: list[str] = []


class Question(Struct):
    """What the sheet leaves open. `choices` are the possible answers, if they are known.

    `gear`: the number, from 1, of the line of gear it is about.
    """

    code: str
    text: str
    choices: list[str] = []
    gear: int | None = None


class SheetLine(Struct):
    """What a line of the text became: `name`, `gear`, `section public` …, or `unparsed`.

    `became`: that.
    """

    number: int
    text: str
    became: str


class Sheet(Struct):
    """A parsed sheet. Every non-blank line is in `lines` once."""

    name: str = ""
    tagline: str = ""
    sections: list[Section] = []
    mode_deck: ModeDeck = field(default_factory=ModeDeck)
    maneuvers: list[str] = []
    goals: list[Goal] = []
    gear: list[Gear] = []
    currency: Currency = field(default_factory=Currency)
    possessions: list[str] = []
    lode: Lode | None = None
    unparsed: list[str] = []
    questions: list[Question] = []
    lines: list[SheetLine] = []

    @property
    def spent(self) -> int:
        """The known spending on gear."""
        return sum((gear.price or 0) * gear.count for gear in self.gear)
