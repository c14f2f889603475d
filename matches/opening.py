"""Opening a match: its log with the setup as first entry, and its seats."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from string import ascii_uppercase
from typing import Any, TypeVar
from uuid import UUID, uuid5

import msgspec
from django.db.models import Model, QuerySet
from django.utils.translation import gettext

import rules
from matches import actors, canonical, cuts, labels, once, people, policy
from matches import log as logs
from matches.actors import Actor
from matches.drafting import Request
from matches.errors import BadInput, IdReused, Impossible
from matches.models import Event, Log, Match, Player, Seat, uuid7
from rules import fair, replay, texts
from rules.replay import Timeline
from rules.ruleset import Ruleset, pinned_name

Stored = TypeVar("Stored", bound=Model)

LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # none that look alike


@dataclass(frozen=True)
class SeatRequest:
    """A seat to open a match with: a player, or a new guest by name, or nobody yet.

    `label` names the side in the log (never a person), `ref` is an opaque reference of a higher
    floor, `deck` plain card data.
    """

    player: Player | UUID | None = None
    name: str = ""
    label: str = ""
    deck: Any = None
    ref: str = ""


def open_match(
    *,
    by: Actor,
    ruleset: str,
    options: Mapping[str, Any] | None = None,
    seats: Sequence[SeatRequest],
    title: str = "",
    place: str = "",
    physical: bool = True,
    sanctioned: bool = False,
    visibility: str = "public",
    held: bool = False,
    delay: int = 0,
    act_id: UUID | None = None,
    own: bool = True,
) -> Match:
    """Open a match: its log with the setup as first entry, and its seats.

    `held`: results are off for the public, who see only the setup until they are released. `delay`:
    the public sees entries this many seconds late. A match that is not the opener's `own` is
    managed only by its officials and by those whom a higher floor lets rule it.

    Idempotent by `act_id` and player. Raises: NotAllowed, BadInput, Impossible (a setup without
    meaning), IdReused.
    """
    policy.require_open(by)
    game = game_named(ruleset)
    require_shown(visibility, delay)
    cut = held or delay > 0
    title = canonical.text_from(title, "$.title", 120)
    place = canonical.text_from(place, "$.place", 120)
    opener = actors.player_of(by)
    pk = id_of(opener, act_id) if act_id else uuid7()
    seed = secrets.token_bytes(32)
    setup = _setup(game, options or {}, seats, str(pk), fair.commitment(seed))
    when_shown = [held, delay] if cut else []  # no part of the digest otherwise
    payload = _payload(setup, seats, title, place, physical, sanctioned, visibility, *when_shown)
    request = Request(act_id or uuid7(), setup, opener.pk, payload=payload)
    players = _players(seats)
    match = Match(
        log=new_log(
            pk,
            setup,
            seed,
            held=held,
            delay=delay,
            public_version=_first_cut(visibility, cut=cut),
        ),
        title=title,
        place=place,
        physical=physical,
        sanctioned=sanctioned,
        visibility=visibility,
        opener=opener if own else None,
    )
    before = partial(opened_before, Match, request, pk)
    write = partial(_create, match, request, setup, players)
    return before() or once.write_down(match, write, before)


def id_of(opener: Player, act_id: UUID) -> UUID:
    """Return the id of the match that a player's act opens, the same however often it is sent."""
    return uuid5(opener.pk, str(act_id))


def require_shown(visibility: str | None, delay: int | None) -> None:
    """Require a known visibility and a delay in range, where they are given. Raises: BadInput."""
    if visibility is not None and visibility not in Match.Visibility.values:
        raise BadInput("unknown-value", gettext("Visible to `public` or `table`."), "$.visibility")
    if delay is not None and not 0 <= delay <= cuts.MAX_DELAY:
        raise BadInput(
            "bad-delay",
            gettext("A delay has 0 to {MAX_DELAY} seconds.").format(MAX_DELAY=cuts.MAX_DELAY),
            "$.delay",
        )


def _first_cut(visibility: str, *, cut: bool) -> int | None:
    """Return the first public version: 0 for nothing, 1 for the setup, None for everything."""
    if visibility != Match.Visibility.PUBLIC:
        return 0
    return 1 if cut else None


def game_named(name: str, where: str = "$.ruleset") -> Ruleset:
    """Return the game that a request names. Raises: BadInput."""
    try:
        return rules.game(name)
    except KeyError:
        text = gettext("There is no game {name!a}, only {games}.")
        known = ", ".join(rules.keys())
        raise BadInput("unknown-ruleset", text.format(name=name, games=known), where) from None


def of_ruleset(found: QuerySet[Stored], name: str, field: str) -> QuerySet[Stored]:
    """Keep what is of a ruleset, `zg@1`, or of a game in any version, `zg`. Raises: BadInput.

    `field` is the lookup of its ruleset's name.
    """
    game_named(name)
    how = {field: name} if "@" in name else {f"{field}__startswith": f"{name}@"}
    return found.filter(**how)


def _setup(
    ruleset: Ruleset,
    options: Mapping[str, Any],
    seats: Sequence[SeatRequest],
    pk: str,
    promise: str,
) -> Any:
    """Return the act that opens the log. Raises: BadInput, Impossible."""
    setup: dict[str, Any] = {
        "type": "opened",
        "ruleset": pinned_name(ruleset),
        "options": options,
        "seats": _seats_setup(ruleset, seats),
        "log": pk,
        "commitment": promise,
    }
    act = canonical.convert(setup, ruleset.opened, "$")
    verdict = replay.judge(ruleset, Timeline(ruleset), act)
    if verdict.call == "impossible":
        text = texts.of_finding(ruleset.texts, verdict, texts.names_of(act))
        raise Impossible.of(verdict, text, _where(verdict.params))
    return act


def _where(params: Mapping[str, Any]) -> str:
    """Return the path to what a verdict on an opening is about, "" if unknown."""
    seat = params.get("seat")
    if isinstance(seat, int):
        return f"$.seats[{seat - 1}]"
    return "$.seats" if "seats" in params else ""


def _seats_setup(ruleset: Ruleset, seats: Sequence[SeatRequest]) -> list[dict[str, Any]]:
    """Return the seats of a setup; of sides with the same label, all but the first get a letter."""
    made = [_seat_setup(ruleset, number, seat) for number, seat in enumerate(seats, 1)]
    taken: set[str] = set()
    for setup in made:
        label = setup["label"]
        others = (f"{label} {letter}" for letter in ascii_uppercase[1:])
        setup["label"] = next(each for each in chain([label], others) if each not in taken)
        taken.add(setup["label"])
    return made


def _seat_setup(ruleset: Ruleset, number: int, seat: SeatRequest) -> dict[str, Any]:
    where = f"$.seats[{number - 1}]"
    label = canonical.text_from(seat.label, f"{where}.label", 80) or f"Seat {number}"
    labels.require_neutral(label, ruleset, f"{where}.label")
    setup: dict[str, Any] = {"label": label}
    if seat.ref:
        setup["ref"] = canonical.text_from(seat.ref, where, 80)
    if seat.deck is not None:
        setup["deck"] = seat.deck
    return setup


def _payload(setup: Any, seats: Sequence[SeatRequest], *rest: Any) -> str:
    """Return the request as text, without values generated here and without names of people."""
    plain = msgspec.structs.replace(setup, log="", commitment="")
    who = [str(getattr(s.player, "pk", s.player) or bool(s.name)) for s in seats]
    return msgspec.json.encode([plain, who, rest]).decode()


def _players(seats: Sequence[SeatRequest]) -> list[Player | str]:
    """Return for each seat its player, the name of a guest to create, or ""."""
    wanted = [s.player for s in seats if isinstance(s.player, UUID)]
    known = Player.objects.select_related("claimed_by").in_bulk(wanted)
    players: list[Player | str] = []
    for index, seat in enumerate(seats):
        where = f"$.seats[{index}]"
        if isinstance(seat.player, UUID):
            if seat.player not in known:
                raise BadInput(
                    "unknown-player",
                    gettext("There is no player {player}.").format(player=seat.player),
                    f"{where}.player",
                )
            player = known[seat.player]
            players.append(player.claimed_by or player)
        else:
            name = canonical.text_from(seat.name, f"{where}.name", 80)
            players.append(seat.player or name)
    return players


def _create(
    match: Match,
    request: Request,
    setup: Any,
    players: Sequence[Player | str],
) -> None:
    match.log.save(force_insert=True)
    match.code = new_code()
    match.save(force_insert=True)
    known = iter(people.by_now([each for each in players if isinstance(each, Player)]))
    Seat.objects.bulk_create(
        Seat(
            match=match,
            number=number,
            label=setup.seats[number - 1].label,
            player=_guest(player, match.opener) if isinstance(player, str) else next(known),
        )
        for number, player in enumerate(players, 1)
    )
    logs.append(match.log, request)


def _guest(name: str, opener: Player | None) -> Player | None:
    return Player.objects.create(name=name, invited_by=opener) if name else None


# -- of any log -----------------------------------------------------------------------------


def new_log(pk: UUID, setup: Any, seed: bytes, **cut: Any) -> Log:
    """Return the log of a setup, with the seed it commits to and what is shown of it."""
    options = msgspec.json.encode(setup.options).decode()
    return Log(pk=pk, ruleset=setup.ruleset, options=options, seed=seed.hex(), **cut)


def opened_before(kind: type[Stored], request: Request, pk: UUID) -> Stored | None:
    """Return what the same request opened before. Raises: IdReused for another request."""
    found = kind._default_manager.select_related("log", "opener").filter(pk=pk).first()
    if found is not None:
        first = Event.objects.get(log_id=pk, version=1, ordinal=0)
        if first.request_digest != request.digest:
            raise IdReused(request.act_id, made=once.address_of(found))
    return found


def new_code(kind: type[Model] = Match) -> str:
    """Return a short code that no row of a model (a match) has yet."""
    while True:
        code = "".join(secrets.choice(LETTERS) for _ in range(6))
        if not kind._default_manager.filter(code=code).exists():
            return code
