"""The demo's matches outside tournaments: finished, under way, and the golden ones."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

from django.conf import settings

import rules
from deploy.demo import ownership
from deploy.demo.match_bots import play_out
from matches import decks, services
from matches.actors import Actor
from matches.models import Match

GOLDEN = Path(settings.BASE_DIR) / "tests" / "golden"
NAMESPACE = UUID("5c1f8a52-6f0e-4f0e-9d2e-2a0c5a7e2110")
PLACES = ("Luna, Tycho hall", "Dark Side Station", "Terminus, ring four", "Earth, a kitchen table")
OPTIONS: dict[str, dict[str, Any]] = {"score": {"best_of": 3}, "zerpang": {"deck": "demo-99"}}


@dataclass(frozen=True)
class Table:
    """A match to play: its game, the number of seats, and the seed of its bots."""

    game: str
    seats: int
    seed: int
    upto: int | None = None  # stop after this many acts


def tables() -> Iterator[Table]:
    """Yield forty finished matches and one under way, then a few of the other games."""
    for seed in range(1, 41):
        if seed % 8 == 0:
            yield Table("score", 2, seed)
        else:
            yield Table("zg", 3 if seed % 6 == 0 else 2, seed)
    yield Table("zg", 2, 41, upto=24)
    for seed in (51, 52, 53):
        yield Table("zx", 2, seed)
    yield Table("zx", 2, 54, upto=60)
    yield Table("zerpang", 3, 61, upto=90)
    yield Table("zerpang", 6, 62, upto=60)


def load(people: Sequence[Actor]) -> None:
    """Play and import what is missing; a match's id is derived from its table's seed."""
    for table in tables():
        scribe = people[table.seed % len(people)]
        play_out(_open(table, people, scribe), scribe, table.seed, table.upto)
    for path in sorted(GOLDEN.glob("*.zgxl")):
        _import(path, people[0])


def _open(table: Table, people: Sequence[Actor], scribe: Actor) -> Match:
    ruleset = rules.get(table.game)
    samples = list(decks.samples(ruleset).items()) or [("Near side", None), ("Far side", None)]
    seats = []
    for place in range(table.seats):
        name, deck = samples[(table.seed + place) % len(samples)]
        player = people[(table.seed + place) % len(people)].player
        seats.append(services.SeatRequest(player=player, label=name, deck=deck))

    def make(act_id: UUID) -> Match:
        return services.open_match(
            by=scribe,
            ruleset=table.game,
            options=OPTIONS.get(table.game, {}),
            seats=seats,
            title=f"Table {table.seed}",
            place=PLACES[table.seed % len(PLACES)],
            act_id=act_id,
        )

    ids = (uuid5(NAMESPACE, f"{table.seed} {edition}") for edition in count(1))
    return ownership.match(scribe, ids, make)


def _import(path: Path, by: Actor) -> None:
    """Import a golden match once: `zg-best-of-three` as a match of Z-G called Best of three."""
    game, _, what = path.stem.partition("-")
    title = f"{what.replace('-', ' ').capitalize()}, worked by hand"
    there = Match.objects.select_related("log").filter(title=title, opener=by.player)
    last = there.filter(log__ruleset__startswith=f"{game}@").order_by("-pk").first()

    def make() -> Match:
        match = services.import_log(by=by, data=path.read_bytes(), content_type="text/plain")
        Match.objects.filter(pk=match.pk).update(title=title)
        return match

    ownership.renewed(by, last, make)
