"""The demo's characters: eight sheets with books, debts and grudges, and matches they fought.

All of it goes through the services, by the people who play them. Each act has a fixed id, so a
second run adds nothing. Once all fights exist they belong to the people: renames and losses are
left as they are.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from uuid import UUID, uuid5

from characters import campaigns, ledger, moving
from characters import services as characters
from characters.fielding import FieldedPlace
from characters.models import Campaign, Character, Favour, Loadout, Trade
from characters.services import Circumstances, Recording, TradeOffer
from deploy.demo import ownership
from deploy.demo.match_bots import play_out
from matches.actors import Actor
from matches.models import Match

SHEETS = Path(__file__).with_name("sheets")
NAMESPACE = UUID("0b7f2f4e-55f0-4b9a-8f56-0b6b7b0f6d11")
CAMPAIGN = "The Rim Circuit"
ALL = "All of it"  # the loadout of each

# Which of the people plays whom, by index; the first runs the site.
PLAYED_BY = {
    "yowuya-matago": 0,
    "bexley-oru": 1,
    "ketterin-vane": 2,
    "dunstan-ilvo": 3,
    "maro-quist": 4,
    "sorrel-haddo": 5,
    "ines-caldrone": 6,
    "wick-tolliver": 7,
}

MONEY_SHOWN = {
    "bexley-oru": "public",
    "dunstan-ilvo": "public",
    "sorrel-haddo": "public",
    "ines-caldrone": "players",
    "wick-tolliver": "players",
}
"""To whom characters show their money; the others keep it to themselves."""


@dataclass(frozen=True)
class Duel:
    """Two characters at a table, by the names of their sheets."""

    one: str
    other: str
    seed: int

    @property
    def ids(self) -> Iterator[UUID]:
        """The ids under which it is opened."""
        return ownership.editions(NAMESPACE, f"duel {self.seed}")


def duels() -> Iterator[Duel]:
    yield Duel("ketterin-vane", "bexley-oru", 101)
    yield Duel("dunstan-ilvo", "sorrel-haddo", 102)
    yield Duel("ines-caldrone", "wick-tolliver", 103)
    yield Duel("yowuya-matago", "maro-quist", 104)


@dataclass(frozen=True)
class Line:
    """An act of a character's books; `holding`: about the first item of that name they hold."""

    who: str
    what: Recording
    holding: str = ""


def books() -> Iterator[Line]:
    """Yield what came and went after the sheets were written: no day is told before that."""

    shop = "Basic Blue Helmet (c30 @ zGearGo)"
    yield Line("bexley-oru", Recording("won", amount=25, told=Circumstances("the Halfway purse")))
    yield Line(
        "dunstan-ilvo", Recording("lent", out=True, told=Circumstances("a docker")), "Generator"
    )
    yield Line("dunstan-ilvo", Recording("won", amount=40, told=Circumstances("night freight")))
    yield Line("sorrel-haddo", Recording("won", amount=35, told=Circumstances("mending, all week")))
    yield Line("sorrel-haddo", Recording("repaired", price=10), "Shield")
    yield Line("sorrel-haddo", Recording(line=shop, told=Circumstances(place="Terminus")))
    claimed = Circumstances("a bet nobody saw", certainty="claimed", audience="owner")
    yield Line("ketterin-vane", Recording("won", amount=60, told=claimed))
    yield Line("maro-quist", Recording("confiscated", out=True), "Generator")
    yield Line("wick-tolliver", Recording("destroyed", out=True), "Generator")
    yield Line("ines-caldrone", Recording("found", line="Basic Red Claw"))


GRUDGES = (
    ("bexley-oru", "favour", "Looked away at gate nine", "ketterin-vane", True),
    ("ketterin-vane", "favour", "Sixty credits and one night's shelter", "", False),
    ("sorrel-haddo", "grudge", "Still owes for the second mending", "wick-tolliver", True),
    ("wick-tolliver", "grudge", "Laughed back", "ines-caldrone", False),
    ("maro-quist", "grudge", "Quoted a clause that was repealed", "yowuya-matago", True),
    ("dunstan-ilvo", "favour", "Towed home from the Long Haul", "ines-caldrone", True),
)


def load(people: Sequence[Actor]) -> None:
    """Load the cast and the matches it fights."""
    by = people[0]
    cast = cache(lambda: _assemble(people))
    for duel in duels():
        match = ownership.match(by, duel.ids, partial(_open, duel, cast, by))
        play_out(match, by, duel.seed)


def _assemble(people: Sequence[Actor]) -> dict[str, Character]:
    """Return the cast by the names of their sheets, with all that happened to them."""
    cast = {path.stem: _paste(path, people) for path in sorted(SHEETS.glob("*.txt"))}
    _gather(cast, people)
    for number, line in enumerate(books()):
        _enter(cast[line.who], line, uuid5(NAMESPACE, f"books {number}"))
    _trade(cast["ketterin-vane"], cast["ines-caldrone"])
    for who, kind, text, about, told in GRUDGES:
        _remember(cast[who], kind, text, cast.get(about), told=told)
    return cast


def player_of(character: Character) -> Actor:
    return Actor(character.owner.user, character.owner)


def outfit(character: Character) -> Loadout:
    """Return the loadout of all gear a character holds."""
    return characters.outfit(by=player_of(character), character=character, name=ALL)


def _paste(path: Path, people: Sequence[Actor]) -> Character:
    """Return the character of a sheet, created once."""
    by = people[PLAYED_BY.get(path.stem, 0)]
    text = path.read_text("utf-8")
    name = characters.preview(text).name
    found = Character.objects.select_related("owner__user").filter(name=name, owner=by.player)
    if known := found.first():
        return known
    made = characters.paste(by=by, text=text)
    if audience := MONEY_SHOWN.get(path.stem):
        characters.edit_section(by=by, character=made, kind="currency", audience=audience)
    return made


def _gather(cast: Mapping[str, Character], people: Sequence[Actor]) -> None:
    """Create the campaign of the second of the people, and add the cast."""
    run = people[1]
    campaign = Campaign.objects.filter(name=CAMPAIGN, owner=run.player).first()
    if campaign is None:
        campaign = campaigns.create(by=run, name=CAMPAIGN)
        campaigns.change(by=run, campaign=campaign, after_slag="repair", repair_price=10)
    for character in cast.values():
        if character.campaign_id is None and not character.moves.exists():
            by = player_of(character)
            move = moving.ask_to_join(by=by, character=character, campaign=campaign)
            moving.accept(by=run, move=move)


def _enter(character: Character, line: Line, act_id: UUID) -> None:
    if character.given.filter(act_id=act_id).exists():
        return
    what = line.what
    if line.holding:
        held = ledger.items_of(character)
        item = next((item for item in held if item.name == line.holding), None)
        if item is None:  # a visitor of the demo used it
            return
        what = replace(what, items=[item.serial])
    characters.record(by=player_of(character), character=character, act_id=act_id, what=what)


def _trade(one: Character, other: Character) -> None:
    """Let one sell the other a pair of boots, once."""
    if Trade.objects.filter(by=one).exists():
        return
    boots = [item.serial for item in ledger.items_of(one) if item.name == "Feet"]
    what = TradeOffer(gives=boots[:1], asks=20)
    trade = characters.offer(by=player_of(one), character=one, to=other, what=what)
    characters.accept(by=player_of(other), trade=trade)


def _remember(
    character: Character, kind: str, text: str, about: Character | None, *, told: bool
) -> None:
    if not Favour.objects.filter(holder=character, text=text).exists():
        characters.add_favour(
            by=player_of(character),
            character=character,
            kind=kind,
            text=text,
            about=about,
            who="" if about else "the harbour master",
            told=told,
        )


def _open(
    duel: Duel, cast: Callable[[], Mapping[str, Character]], by: Actor, act_id: UUID
) -> Match:
    sheets = cast()
    return characters.open_match(
        by=by,
        ruleset="zg",
        seats=[FieldedPlace(loadout=outfit(sheets[who]).pk) for who in (duel.one, duel.other)],
        title=f"{CAMPAIGN} {duel.seed - 100}",
        place="Terminus, ring four",
        act_id=act_id,
    )
