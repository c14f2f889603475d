"""The demo: people, and matches played out by bots, all through the same services as anyone's.

Nothing is written by hand into a table: each act a bot chooses goes through `services.record`
and is judged, chained and stored like an act from a phone.
"""

import contextlib
import json
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction

import rules
from characters import cards
from characters.models import Card
from deploy import cast, others, own, season
from matches import decks, log, policy, services
from matches.errors import Conflict, IdReused
from matches.keeping import kept
from matches.models import Match
from rules import bots
from rules.replay import Timeline
from rules.ruleset import Act, event_type

GOLDEN = Path(settings.BASE_DIR) / "tests" / "golden"
LOGINS = settings.DATA / "demo-logins.json"
NAMESPACE = UUID("5c1f8a52-6f0e-4f0e-9d2e-2a0c5a7e2110")
PEOPLE = ("organiser", "marshal", "vega", "orbit", "quill", "sable", "tarn", "umber")
PLACES = ("Luna, Tycho hall", "Dark Side Station", "Terminus, ring four", "Earth, a kitchen table")
TRIES = 100
OPTIONS: dict[str, dict[str, Any]] = {"score": {"best_of": 3}, "zerpang": {"deck": "demo-99"}}
NOT_PLAY = {
    *("ruled", "conceded", "options-changed", "won-called", "prime-called", "test-called"),
    *("end-shown", "countdown-started", "all-lost", "seats-placed"),
    *("special-won", "time-called", "effect-applied", "auto-triggered", "startup-used"),
}


@dataclass(frozen=True)
class Table:
    """A match to be played: its game, how many sit down, and the seed of its bots."""

    game: str
    seats: int
    seed: int
    upto: int | None = None  # stop after so many acts: still under way


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


def load() -> dict[str, str]:
    """Load what is not there yet and return the passwords by login; a second run adds nothing."""
    logins = _logins()
    people = [_person(name, password) for name, password in logins.items()]
    for table in tables():
        _play(table, people)
    for path in sorted(GOLDEN.glob("*.zgxl")):
        _import(path, people[0])
    _stock(people[0])
    cast.load(people, play_out)
    season.load(people)
    return logins


def load_rest() -> None:
    """Load what nobody waits for: small tournaments of the other games."""
    people = [_person(name, password) for name, password in _logins().items()]
    others.load(people, play_out)


def _logins() -> dict[str, str]:
    """Return the passwords, made on the first run and kept beside the data."""
    made: dict[str, str] = json.loads(kept(LOGINS, _new_logins))
    return made


def _new_logins() -> str:
    return json.dumps({name: secrets.token_urlsafe(9) for name in PEOPLE}, indent=1)


@transaction.atomic
def _person(login: str, password: str) -> policy.Actor:
    """Return a login as an actor; the organiser also runs the admin."""
    user = User.objects.filter(username=login).first()
    if user is None:
        user = services.sign_up(username=login, password=password, name=login.title())
        if login == "organiser":
            user.is_staff = user.is_superuser = True
            user.save(update_fields=["is_staff", "is_superuser"])
    return policy.actor_for(user)


def _play(table: Table, people: Sequence[policy.Actor]) -> None:
    """Open a match and record what bots choose, until it ends or `upto` acts are in.

    The match's id and its acts' follow from the table's seed: a second run, also after one
    that was cut off, records only what is missing.
    """
    scribe = people[table.seed % len(people)]
    play_out(_open(table, people, scribe), scribe, table.seed, table.upto)


def play_out(match: Match, scribe: policy.Actor, seed: int, upto: int | None = None) -> None:
    """Record what bots choose in a match from its seed, until it ends or `upto` acts are in.

    One that people recorded in is left alone.
    """
    if own.is_touched(match.log, own.IN_A_MATCH):
        return
    pick = bots.Stream(f"demo {seed}")
    timeline = log.load(match.log)
    while not upto or len(timeline) < upto:
        act = _act(timeline, pick, goes_on=bool(upto))
        if act is None:
            break
        act_id = uuid5(match.pk, str(len(timeline) + 1))
        services.record(match=match, by=scribe, act_id=act_id, act=act)
        timeline = log.load(match.log)


def _act(timeline: Timeline, pick: bots.Stream, *, goes_on: bool) -> Act | None:
    """Return a bot's act of plain play; one that does not end the match if it `goes_on`.

    Officials stay out of it, and nobody gives up or calls what could be played.
    """
    ruleset = timeline.ruleset
    for _ in range(TRIES):
        act = bots.keen_act(ruleset, timeline.head.state, pick)
        if act is None or event_type(act) not in NOT_PLAY:
            ends = act is not None and goes_on and _ends(timeline, act)
            if not ends:
                return act
    return None


def _ends(timeline: Timeline, act: Act) -> bool:
    """Tell whether the match would be over after an act, its draws left as the bot chose them."""
    ruleset, state = timeline.ruleset, timeline.head.state
    after = ruleset.evolve(state, act)
    for consequence in ruleset.decide(state, act):
        after = ruleset.evolve(after, consequence)
    return ruleset.outcome(after) is not None


def _open(table: Table, people: Sequence[policy.Actor], scribe: policy.Actor) -> Match:
    ruleset = rules.get(table.game)
    samples = list(decks.samples(ruleset).items()) or [("Near side", None), ("Far side", None)]
    seats = []
    for place in range(table.seats):
        name, deck = samples[(table.seed + place) % len(samples)]
        player = people[(table.seed + place) % len(people)].player
        seats.append(services.SeatRequest(player=player, label=name, deck=deck))
    for edition in count(1):
        try:
            return services.open_match(
                by=scribe,
                ruleset=table.game,
                options=OPTIONS.get(table.game, {}),
                seats=seats,
                title=f"Table {table.seed}",
                place=PLACES[table.seed % len(PLACES)],
                act_id=uuid5(NAMESPACE, f"{table.seed} {edition}"),
            )
        except IdReused:  # an older demo opened it with other cards: that one stays
            continue
    raise AssertionError("editions do not end")


@transaction.atomic
def _stock(by: policy.Actor) -> None:
    """Share the sample cards in the catalogue, once."""
    if not Card.objects.filter(owner=by.player).exists():
        for deck in decks.samples(rules.get("zg")).values():
            for card in deck["cards"]:
                with contextlib.suppress(Conflict):  # figures share some
                    cards.add(by=by, game="zg", data=card, card_set="Samples", shared=True)


def _import(path: Path, by: policy.Actor) -> None:
    """Bring in a golden match once: `zg-best-of-three` as a match of Z-G called Best of three."""
    game, _, what = path.stem.partition("-")
    title = f"{what.replace('-', ' ').capitalize()}, worked by hand"
    there = Match.objects.filter(title=title, opener=by.player)
    if there.filter(log__ruleset__startswith=f"{game}@").exists():
        return
    with transaction.atomic():
        match = services.import_log(by=by, data=path.read_bytes(), content_type="text/plain")
        Match.objects.filter(pk=match.pk).update(title=title)
