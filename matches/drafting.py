"""Drafting entries: an act judged, its draws filled in, what follows sealed; nothing is stored."""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any
from uuid import UUID

import msgspec
from django.utils import timezone
from django.utils.translation import gettext

from matches import rows
from matches.errors import Conflict, Impossible, Irregular, WrongSeat
from matches.memory import Sealed, Tip
from matches.models import Log, Note, Seat, uuid7
from rules import chain, encoding, fair, replay, texts
from rules.replay import Entry, Moment, Timeline
from rules.ruleset import Act, Opened, SeedRevealed, TakenBack, Verdict

After = int | UUID | None
Drafted = tuple[list[Sealed], list[Note]]
"""Entries ready to be stored, and the notes that go with them."""


@dataclass(frozen=True)
class Request:
    """A request to record an act.

    `after`: the version, or the id of the act, it must directly follow; `irregular`: it stood,
    though against the rules; `said_at`: the client's clock.
    """

    act_id: UUID
    act: Act
    by: UUID | None = None
    after: After = None
    irregular: bool = False
    note: str = ""
    said_at: datetime | None = None
    payload: str = ""  # what was sent, if it is not the act itself
    sent_as: str = ""  # the digest of what was sent, if that was several acts

    @cached_property
    def digest(self) -> str:
        """SHA-256 over the act as sent and `irregular`.

        `after` and the clock are left out: they say when, not what. So is the note, whose text may
        be erased one day: it is compared with the stored text while that exists.
        """
        data = [self.payload or encoding.body(self.act), self.irregular]
        return self.sent_as or hashlib.sha256(msgspec.json.encode(data)).hexdigest()

    def id_of(self, offset: int) -> UUID | None:
        return None if offset else self.act_id

    def is_by(self, player: UUID | None) -> bool:
        """Tell whether a player sent it; never true for an anonymous request."""
        return self.by is not None and self.by == player


def compute(log: Log, timeline: Timeline, tip: Tip, request: Request) -> Drafted:
    """Return the entries to store: the act's, and the seed's if the act ended the match."""
    act = request.act
    digest, note = note_of(log, request.note, request.by)
    if note:
        act = msgspec.structs.replace(act, note=digest)
    require_seat(timeline, getattr(act, "seat", None))
    if timeline.moments:
        act = with_draws(log, timeline, timeline.head, act)
    try:
        entry, moment = replay.entry_after(
            timeline.ruleset, timeline, act, irregular=request.irregular
        )
    except replay.ActRefusedError as refused:
        raise refusal_of(log, timeline, refused.verdict, (timeline.head.state, act)) from None
    first = seal(log, tip, entry, moment, request)
    return with_seed(log, timeline, [first]), [note] if note else []


def refusal_of(
    log: Log, timeline: Timeline, verdict: Verdict, judged: tuple[Any, Act] | None = None
) -> Irregular | Impossible:
    """Return a verdict as the error to raise, its text with the names of the players.

    `judged` as in `Irregular`.
    """
    names = texts.names_of(timeline.setup, _players(log)) if timeline.entries else {}
    text = texts.of_finding(timeline.ruleset.texts, verdict, names)
    if verdict.call == "irregular":
        return Irregular(verdict, text, judged)
    field = verdict.params.get("field")
    return Impossible.of(verdict, text, f"$.act.{field}" if field else "")


def _players(log: Log) -> dict[int, str]:
    """Return the players' names by seat, to be shown in place of the labels."""
    seats = Seat.objects.filter(match=log.pk, player__isnull=False)
    return dict(seats.values_list("number", "player__name"))


def note_of(log: Log, text: str, by: UUID | None) -> tuple[str, Note | None]:
    """Return the salted hash of a text and the note that holds it; "" and None for no text."""
    if not text:
        return "", None
    salt = secrets.token_bytes(chain.SALT_BYTES)
    digest = chain.note_digest(salt, text)
    return digest, Note(log_id=log.pk, digest=digest, salt=salt.hex(), text=text, author=by)


def require_seat(timeline: Timeline, seat: int | None, where: str = "$.act.seat") -> None:
    """Require a seat of the table, if one is given. Raises: WrongSeat."""
    if seat is not None and timeline.entries:
        seats = len(timeline.setup.seats)
        if not 1 <= seat <= seats:
            raise WrongSeat(seat, seats, where)


def with_draws(
    log: Log, timeline: Timeline, moment: Moment, act: Act, *, again: bool = False
) -> Act:
    """Return the act with the server's draws filled in, replacing any that were sent.

    `again`: only draws that this log has made before. Raises: Conflict `no-seed`, `seed-is-out`,
    `not-drawn`.
    """
    if isinstance(act, Opened | TakenBack | SeedRevealed):
        return act
    draws = timeline.ruleset.draws(moment.state, act)
    if not draws:
        return act
    seed = fair.seed_bytes(log.seed)
    if not seed:
        raise Conflict(
            "no-seed", gettext("The seed of this log's draws is not here; spin at the table.")
        )
    if timeline.head.revealed or again:
        made = max(each.draws for each in timeline.moments)
        if moment.draws + len(draws) > made:
            raise _not_drawn(timeline)
    return fair.fill(draws, act, seed=seed, log=timeline.setup.log, n=moment.draws)


def _not_drawn(timeline: Timeline) -> Conflict:
    """Return the refusal of a new draw: of one foretold by the seed, or one of a correction."""
    if timeline.head.revealed:
        return Conflict(
            "seed-is-out", gettext("The seed is out: draws are foretold now. Spin at the table.")
        )
    return Conflict(
        "not-drawn",
        gettext("The site did not draw here. Say how it fell, or take the act back and draw."),
    )


def with_seed(log: Log, timeline: Timeline, sealed: list[Sealed]) -> list[Sealed]:
    """Append an entry that reveals the seed, if these entries ended a match with draws."""
    last = sealed[-1]
    reveal = _reveal(log, timeline, last.entry, [each.moment for each in sealed])
    if reveal is None:
        return sealed
    request = Request(uuid7(), reveal.act)
    after = msgspec.structs.replace(
        last.moment, version=reveal.version, source=reveal.version, revealed=True
    )
    tip = last.entry.version, last.record.hash
    return [*sealed, seal(log, tip, reveal, after, request)]


def _reveal(log: Log, timeline: Timeline, last: Entry, moments: Sequence[Moment]) -> Entry | None:
    """Return the entry that reveals the seed, None unless a match with draws has just ended."""
    at = moments[-1]
    if not log.seed or at.revealed or timeline.ruleset.outcome(at.state) is None:
        return None
    if not any(each.draws for each in (*timeline.moments, *moments)):
        return None
    return Entry(last.version + 1, SeedRevealed(seed=log.seed), digest=last.digest)


def seal(
    log: Log,
    tip: Tip,
    entry: Entry,
    moment: Moment,
    request: Request,
    at: datetime | None = None,
) -> Sealed:
    """Return an entry with the record of it that is stored, chained to the entry at `tip`.

    `at`: when it is recorded, now by default. This alone says what a record holds beside the entry:
    the request's id and digest, who recorded it and when, and the salt of its leaf.
    """
    record = chain.Record(
        version=entry.version,
        act_id=str(request.act_id),
        request_digest=request.digest,
        verdict=encoding.verdict_text(entry.irregular),
        on=entry.on,
        repeats=entry.repeats,
        state_digest=entry.digest,
        recorded_at=rows.time_text(at or timezone.now()),
        recorded_by=str(request.by) if request.by else None,
        said_at=rows.time_text(request.said_at) if request.said_at else None,
        salt=secrets.token_hex(chain.SALT_BYTES),
        rows=tuple(encoding.row_of(event) for event in entry.events),
    )
    return Sealed(entry, moment, chain.sealed(str(log.pk), tip[1] or chain.GENESIS, record))
