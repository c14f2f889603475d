"""Reads of matches. Every read is of a cut: up to a version, for an audience."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce
from django.utils.translation import get_language, gettext

from matches import cuts, headlines, policy, rows
from matches import log as logs
from matches.actors import Actor
from matches.corrections import corrected_at
from matches.errors import NotAllowed, NotFound
from matches.models import Event, Log, Match, Player, Proposal, ScribeLease, Seat, withdrawn
from matches.prepared import Prepared
from matches.seating import as_read, seat, table_json, with_table
from rules import rebase
from rules.capabilities import SupportsVeiledOffers
from rules.replay import Entry, Timeline
from rules.ruleset import Act, Audience, Offer, Ruleset, Verdict

NOBODY = UUID(int=0)
_DISPUTED = Exists(ScribeLease.objects.filter(match=OuterRef("pk"))) | Exists(
    Proposal.objects.filter(match=OuterRef("pk"))
)


def _by_code(code: Any, player: Any) -> QuerySet[Match]:
    found = policy.with_ruled(policy.with_officiated(Match.objects.order_by(), player))
    found = found.annotate(  # type: ignore[no-redef]  # declared by Match
        disputed=_DISPUTED, seats_json=table_json()
    )
    return found.filter(code=code).select_related("log", "opener")


_BY_CODE = Prepared(_by_code, code="?", player=NOBODY)
_IN_VIEW = (Log.Status.OPEN, Log.Status.ENDED)
_ALIKE = Prepared(
    lambda code: (
        Match.objects.order_by("seats__number")
        .filter(code=code, visibility=Match.Visibility.PUBLIC, log__public_version=None)
        .filter(log__status__in=_IN_VIEW)
        .values_list("log__head_version", "log__head_hash", "seats__player__name")
    ),
    code="?",
)


def match_for(actor: Actor, code: str) -> Match:
    """Return a match that an actor may see, with its log and its seats.

    Raises: NotFound.
    """
    found = _BY_CODE.first(code=_readable(code), player=actor.player_id or NOBODY)
    if found is not None:
        found.asked_by = actor.player_id  # as `with_part` does
        seat(found)
        if policy.may_see(actor, found):
            return cuts.move(found)
    raise NotFound(gettext("There is no match {code}.").format(code=code[:20]), "no-such-match")


def _readable(code: str) -> str:
    """Return a code as it is stored. PostgreSQL accepts no NUL, not even in a query."""
    return code.upper().replace("\0", "?")


def tag(match: Match, version: int, mark: str, reader: str = "") -> str:
    """Return the ETag of a match shown up to this newest entry.

    It changes with the names of the players, which are shown in place of labels, and with the
    reader's language; programs are always answered in English.
    """
    return _tag(version, mark, [name for _, name in match.sides()], reader)


def _tag(version: int, mark: str, names: Sequence[str | None], reader: str = "") -> str:
    language = get_language() or settings.LANGUAGE_CODE
    table = hashlib.sha256(json.dumps(names).encode()).hexdigest()
    parts = [str(version), mark[:16], table[:8]]
    if language != settings.LANGUAGE_CODE:
        parts.append(language)
    if reader:
        parts.append(reader)
    return f'"{"-".join(parts)}"'


def public_tag(code: str, reader: str = "") -> str | None:
    """Return the ETag of a match that all spectators are shown alike, in one query.

    `reader`: identifies the reader where each reads something else; it becomes part of the tag.
    None if what is shown depends on the actor, or there is no such match.
    """
    found = _ALIKE(code=_readable(code))  # a row per seat
    if not found:
        return None
    version, mark, _ = found[0]
    return _tag(version, mark, [as_read(name) for *_, name in found], reader)


def public_tag_of(match: Match, reader: str = "") -> str | None:
    """Return what `public_tag` does, for a match that was read already."""
    log = match.log
    alike = match.visibility == Match.Visibility.PUBLIC and log.public_version is None
    if not alike or log.status not in _IN_VIEW:
        return None
    return tag(match, log.head_version, log.head_hash, reader)


def matches_for(actor: Actor) -> QuerySet[Match]:
    """Return the matches an actor may see, newest first, with what a list shows.

    `of_status` and `last_ended` narrow them by what the actor may know.
    """
    cuts.move_all()
    return seen_by(actor)


def seen_by(actor: Actor) -> QuerySet[Match]:
    """Return what `matches_for` does, without advancing delayed matches first."""
    matches = policy.visible_matches(actor).select_related("log__public_line", "opener")
    whole = (
        Q(log__public_version=None)
        | Q(log__public_version__gte=F("log__head_version"))
        | withdrawn()
        | policy.seen_whole(actor)
    )
    status = Coalesce("log__public_line__status", Value(Log.Status.OPEN.value))
    matches = matches.alias(
        shown_status=Case(When(whole, then="log__status"), default=status),
        shown_ended_at=Case(When(whole, then="ended_at"), default="log__public_line__ended_at"),
    )
    return with_table(policy.with_part(actor, matches)).order_by("-started_at", "-log_id")


def with_last_act(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Annotate matches with when the act at their head was recorded, as `last_act_at`."""
    heads = Event.objects.filter(
        log=OuterRef("pk"), version=OuterRef("log__head_version"), ordinal=0
    )
    at = Subquery(heads.order_by().values("recorded_at")[:1])
    return matches.annotate(last_act_at=at)  # type: ignore[no-redef]  # declared by Match


def matches_at(actor: Actor, keys: Iterable[UUID]) -> dict[UUID, Match]:
    """Return matches by id, with what a list shows. Permission must have been checked before."""
    found = Match.objects.select_related("log__public_line", "opener")
    return with_table(policy.with_part(actor, found)).in_bulk(list(keys))


def of_status(matches: QuerySet[Any], status: str) -> QuerySet[Any]:
    """Narrow `matches_for` to those that are open or ended, as far as the actor may know."""
    whole = Q(log__public_version=None)  # most; the planner has statistics of their status
    shown = matches.filter((whole & Q(log__status=status)) | (~whole & Q(shown_status=status)))
    if status != Log.Status.OPEN:
        return shown
    unsettled = Q(status=Log.Status.OPEN) | Q(public_version__isnull=False)  # few, by an index
    return shown.filter(log__in=Log.objects.order_by().filter(unsettled))


def count_open(actor: Actor) -> int:
    """Return how many open matches an actor may see."""
    return of_status(seen_by(actor), Log.Status.OPEN).count()


def begun_first(matches: QuerySet[Any]) -> QuerySet[Any]:
    """Order matches, newest first, with those last of which nothing is told but their opening."""
    begun = Q(log__public_version=None, log__head_version__gt=1) | Q(log__public_version__gt=1)
    waits = Case(When(begun, then=0), default=1)
    return matches.order_by(waits, "-started_at", "-log_id")


def last_ended(matches: QuerySet[Any], count: int) -> QuerySet[Any]:
    """Narrow `matches_for` to those that ended last, as far as the actor may know.

    Those shown whole are found by an index; those held back are few.
    """
    ended = of_status(matches, Log.Status.ENDED)
    whole = matches.filter(log__public_version=None, log__status=Log.Status.ENDED)
    last = whole.filter(ended_at__isnull=False).order_by("-ended_at", "-pk")[:count].values("pk")
    kept = ended.filter(log__public_version__isnull=False).order_by().values("pk")
    found = Match.objects.order_by().filter(pk__in=last).values("pk").union(kept)
    return ended.filter(pk__in=found).order_by("-shown_ended_at", "-pk")[:count]


def matches_of(actor: Actor, player: Player) -> QuerySet[Match]:
    """Return the matches of a player that an actor may see."""
    return matches_for(actor).filter(pk__in=Seat.objects.filter(player=player).values("match"))


def matches_between(actor: Actor, one: Player, other: Player) -> QuerySet[Match]:
    """Return the matches of two players that an actor may see."""
    return matches_of(actor, one).filter(pk__in=Seat.objects.filter(player=other).values("match"))


def own_open(actor: Actor) -> QuerySet[Match]:
    """Return the open matches at which an actor sits, as the player or by a seat link."""
    sat = Q(match__in=[match for match, _ in actor.seats])
    if actor.player is not None:
        sat |= Q(player=actor.player)
    seats = Seat.objects.filter(sat).values("match")
    return matches_for(actor).filter(pk__in=seats, log__status=Log.Status.OPEN)


def timeline(match: Match) -> Timeline:
    """Return a match's folded log. It may be ahead of `match.log.head_version`."""
    return logs.load(match.log)


def shown_version(actor: Actor, match: Match, at: int | None = None) -> int:
    """Return the last version an actor may see: the head, or where the public is held back.

    With results off that is the setup, or the moment `at` that the reader asks for.
    """
    if not held_back(actor, match):
        return match.log.head_version
    last = cuts.public_version(match.log)
    return min(last, at or 1) if actor.results_off else last


def held_back(actor: Actor, match: Match) -> bool:
    """Tell whether an actor sees a match only as the public does, and not at its head.

    True even when nothing is held back right now, since that itself is secret; also true for a
    spectator with results off.
    """
    return _is_kept(actor, match) and not policy.may_record(actor, match)


def _is_kept(actor: Actor, match: Match) -> bool:
    """Tell whether something of a match is held back from spectators."""
    return actor.results_off or match.log.public_version is not None


def look_ahead(actor: Actor, matches: Iterable[Match]) -> None:
    """Prefetch for a list what `held_back` needs of each match."""
    kept = [match for match in matches if _is_kept(actor, match)]
    policy.foresee(actor, [match for match in kept if not policy.has_seat(actor, match)])


class HeadShown(NamedTuple):
    """The head of a log, or what an actor is shown of it."""

    version: int
    headline: str
    status: str
    ended_at: datetime | None
    cut: bool
    """Whether the actor sees it only as the public does, so that there may be more."""


def head_shown(actor: Actor, match: Match) -> HeadShown:
    """Return the head of a match as far as an actor may know it.

    A reader with results off learns whether it is over, no more.
    """
    if actor.results_off and held_back(actor, match):
        return head_shown(replace(actor, results_off=False), match)._replace(headline="", cut=True)
    row, last, cut = match.log, shown_version(actor, match), held_back(actor, match)
    if last == row.head_version:
        headline = match.named(row.localized_headline)
        return HeadShown(last, headline, row.status, match.ended_at, cut)
    if not last:
        return HeadShown(0, "", Log.Status.OPEN, None, cut=True)
    line = getattr(row, "public_line", None)
    if line is None or line.version != last:
        line = headlines.line_at(row, last)
    headline = match.named(line.localized_headline)
    return HeadShown(last, headline, line.status, line.ended_at, cut=True)


def hash_shown(match: Match, version: int) -> str:
    """Return the hash of the entry at the version of `head_shown`, "" for none.

    Not part of it, as lists do not need it: of a match that is held back it costs a query.
    """
    if version == match.log.head_version:
        return match.log.head_hash
    return rows.hash_at(match.pk, version) if version else ""


def cut(
    actor: Actor, match: Match, at: int | None = None, as_: Audience | None = None
) -> tuple[int, Audience]:
    """Return the version and audience of a read that asks for a moment or another audience.

    Officials may look as any audience, and so may everybody once all is public; others as
    themselves and as the public. Raises: NotFound, NotAllowed.
    """
    last = shown_version(actor, match, at)
    if at is not None and not 1 <= at <= last:
        raise no_such_entry(at, last)
    if isinstance(as_, int) and as_ not in {seat.number for seat in match.seats.all()}:
        raise NotFound(gettext("There is no seat {seat}.").format(seat=as_), "no-such-seat")
    own = eyes(actor, match, last)
    if as_ not in (None, "public", own) and own != "officials":
        raise NotAllowed("not-your-eyes", gettext("Only officials may look as somebody else."))
    return (last if at is None else at), (own if as_ is None else as_)


def no_such_entry(at: int, last: int) -> NotFound:
    """Return the error for a version that a log, as far as it is shown, does not have."""
    return NotFound(
        gettext("There is no entry {at}: the log has 1 to {last}.").format(at=at, last=last),
        "no-such-entry",
    )


def eyes(actor: Actor, match: Match, last: int) -> Audience:
    """Return as which audience an actor sees a match up to a version: officials once it is over."""
    if match.log.status == Log.Status.ENDED and last == match.log.head_version:
        return "officials"
    return policy.audience(actor, match)


def sees(actor: Actor, match: Match, act: Act) -> bool:
    """Tell whether nothing of an act is hidden from an actor."""
    hide = timeline(match).ruleset.hide
    if hide(act, "public") == act:
        return True
    return bool(hide(act, _eyes_at_head(actor, match)) == act)


def is_open(ruleset: Ruleset, entry: Entry, audience: Audience) -> bool:
    """Tell whether nothing of an entry is hidden from an audience."""
    return all(ruleset.hide(event, audience) == event for event in entry.events)


def offers(folded: Timeline, state: Any, audience: Audience) -> tuple[Offer, ...]:
    """Return the legal offers at a state, except those that reveal secrets to an audience."""
    secret = set(folded.ruleset.secrets(state)) - {audience}
    is_veiled = bool(secret) and audience != "officials"
    if is_veiled and isinstance(folded.ruleset, SupportsVeiledOffers):
        return folded.ruleset.offers_to(state, audience)
    found: tuple[Offer, ...] = folded.ruleset.options(state)
    return tuple(offer for offer in found if offer.seat not in secret) if is_veiled else found


def verdict_for(actor: Actor, match: Match, state: Any, act: Act) -> Verdict | None:
    """Return how an act is judged by what an actor may know of a state, None if that is all."""
    ruleset = timeline(match).ruleset
    if not hidden_from(actor, match, state) or not isinstance(ruleset, SupportsVeiledOffers):
        return None
    return ruleset.judge(ruleset.veil(state, _eyes_at_head(actor, match)), act)


def hidden_from(actor: Actor, match: Match, state: Any) -> frozenset[Any]:
    """Return the seats of which something in a state is hidden from an actor."""
    seen_as = _eyes_at_head(actor, match)
    secret = timeline(match).ruleset.secrets(state)
    return frozenset() if seen_as == "officials" else frozenset(secret) - {seen_as}


def _eyes_at_head(actor: Actor, match: Match) -> Audience:
    return eyes(actor, match, match.log.head_version)


def whole(actor: Actor, match: Match) -> int:
    """Return up to which version an actor may have the log as a file.

    Raises: NotAllowed while something in it is hidden from them.
    """
    last, eyes = cut(actor, match)
    folded = timeline(match)
    for entry in folded.entries[:last]:
        if not is_open(folded.ruleset, entry, eyes):
            raise NotAllowed(
                "hidden",
                gettext("Entry {version} is hidden from you for now.").format(
                    version=entry.version
                ),
            )
    return last


class Happened(NamedTuple):
    """A log as it happened, up to a version: which entry counts in place of each older one.

    `counts` are the entries that count, `head` the newest of them; `replaced` maps corrected
    entries to those that replaced them.
    """

    upto: int
    head: int
    stands: dict[int, int]
    counts: frozenset[int]
    replaced: dict[int, int]

    def at(self, version: int) -> int:
        """Return the entry whose state counts in place of another's.

        If none does, that of the nearest entry before.
        """
        if version == self.upto:
            return self.head
        return next(self.stands[n] for n in range(version, 0, -1) if n in self.stands)


def happened(match: Match, upto: int) -> Happened:
    """Return a log as it happened, up to a version."""
    folded = timeline(match)
    replaced = dict(rebase.replacements(folded, upto, corrected_at(match.log)))
    stands = rebase.successors(folded, upto, replaced.items())
    return Happened(
        upto, folded.at(upto).source, stands, frozenset(folded.effective(upto)), replaced
    )
