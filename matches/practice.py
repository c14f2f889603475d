"""Practice alone: a bot plays a seat that nobody holds, in a match that counts for nothing more.

It has no account and is no player. Whoever may record lets it play, and what it plays is recorded
as any act of theirs.
"""

from collections.abc import Iterator
from itertools import takewhile
from uuid import UUID, uuid5

from django.utils.translation import gettext

import rules
from matches import actors, policy, scribes, selectors, services
from matches import log as logs
from matches.actors import Actor
from matches.drafting import After, Request, require_seat
from matches.errors import Conflict, IdReused, MovedOn
from matches.log import Receipt
from matches.memory import loaded
from matches.models import Match, Seat
from rules import practice
from rules.bots import Stream
from rules.capabilities import SupportsPractice
from rules.replay import Moment
from rules.ruleset import Act, Ruleset

MOST = 20
"""The most acts a bot plays for one request."""

LABEL = "Bot"
"""What a log calls the side of a bot for ever."""


def has_bot(ruleset: Ruleset) -> bool:
    """Tell whether there is a bot for a game."""
    return isinstance(ruleset, SupportsPractice)


def no_bot(ruleset: Ruleset) -> str:
    """Say that there is no bot for a game."""
    return gettext("There is no bot for {game}.").format(game=ruleset.name)


def is_bots(label: str) -> bool:
    """Tell whether a label is that of a bot's side."""
    return label.partition(" ")[0] == LABEL


def seat_awaited(match: Match) -> Seat | None:
    """Return the seat for which a bot would play now, None if there is none."""
    moment = selectors.timeline(match).at(match.log.head_version)
    open_seats = (seat for seat in match.seats.all() if not _refusal(match, seat))
    return next((seat for seat in open_seats if _chosen(match, moment, seat.number)), None)


def let_play(
    *, match: Match, by: Actor, act_id: UUID, seat: int, after: After = None
) -> list[Receipt]:
    """Let a bot play a seat until somebody else is to act, and return a receipt for each act.

    It plays at most `MOST` acts, and stops where others may answer. Each is recorded as any act is:
    the first under `act_id`, others under ids derived from it, so that nothing more is played for a
    request sent again.

    Raises: as `services.record`; Conflict `no-bot`, `match-counts`, `seat-held`, `match-over`, or
    `nothing-to-play` while the seat has nothing to choose.
    """
    policy.require_record(by, match)
    require_seat(selectors.timeline(match), seat, "$.seat")
    if played := _played_before(match, by, act_id, seat):
        return played
    if refusal := _refusal(match, match.seats.all()[seat - 1]):
        raise refusal
    scribes.require(by, match)
    logs.require_after(loaded(match.log), after)
    receipts: list[Receipt] = []
    expected = after
    for each in _ids(act_id):
        moment = selectors.timeline(match).head
        act = _chosen(match, moment, seat, goes_on=bool(receipts))
        if act is None:
            break
        try:
            receipt = services.record(
                match=match,
                by=by,
                act_id=each,
                act=act,
                after=moment.version if expected is None else expected,
            )
        except MovedOn:  # somebody else was first
            if not receipts:
                raise
            break
        receipts.append(receipt)
        expected = receipt.version
    if not receipts:
        text = gettext("The bot has nothing to choose now: it waits for somebody else.")
        raise Conflict("nothing-to-play", text)
    return receipts


def _refusal(match: Match, seat: Seat) -> Conflict | None:
    """Return why no bot may play a seat, None if it may."""
    ruleset = rules.get(match.log.ruleset)
    if not has_bot(ruleset):
        return Conflict("no-bot", no_bot(ruleset))
    if policy.counts(match):
        text = gettext("This match counts: no bot plays in it.")
        return Conflict("match-counts", text)
    if seat.player is not None:
        text = gettext("{name} sits there: no bot plays that seat.").format(name=seat.player.name)
        return Conflict("seat-held", text)
    if loaded(match.log).is_over:
        return Conflict("match-over", gettext("The match is over."))
    return None


def _chosen(match: Match, moment: Moment, seat: int, *, goes_on: bool = False) -> Act | None:
    """Return what a bot plays at a moment, the same however often it is asked.

    None while it has nothing to choose. If it `goes_on` after an act of its own, it waits for those
    who may answer that.
    """
    ruleset = rules.get(match.log.ruleset)
    if goes_on and practice.may_be_answered(ruleset, moment.state, seat):
        return None
    pick = Stream(f"bot {match.log.seed} {moment.version}")  # nobody can foretell it
    return practice.act_at(ruleset, moment.state, seat, pick)


def _ids(act_id: UUID) -> Iterator[UUID]:
    """Yield the ids of the acts that are played for a request."""
    yield act_id
    for number in range(2, MOST + 1):
        yield uuid5(act_id, f"bot {number}")


def _played_before(match: Match, by: Actor, act_id: UUID, seat: int) -> list[Receipt]:
    """Return the receipts of a request that was sent before. Raises: IdReused."""
    known = loaded(match.log)
    found = map(known.version_of, _ids(act_id))
    versions = [version for version in takewhile(bool, found) if version]
    if not versions:
        return []
    first = known.timeline.entries[versions[0] - 1].act
    if getattr(first, "seat", None) != seat:
        raise IdReused(act_id)
    scribes.require_known(match, by, Request(act_id, first, actors.recorder(by, match)))
    return logs.receipts_again(match.log, versions)
