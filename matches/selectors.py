"""What one can read of matches. Every read is of a cut: up to a version, by an audience."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce
from django.utils.translation import get_language, gettext

from matches import cuts, headlines, policy, rows
from matches import log as logs
from matches.actors import Actor
from matches.corrections import corrected_at
from matches.errors import NotAllowed, NotFound
from matches.models import Log, Match, Player, Proposal, ScribeLease, Seat
from matches.prepared import Prepared
from matches.seating import seat, told_table, with_table
from matches.transfer import export_ndjson, export_notation
from rules import rebase
from rules.capabilities import Veils
from rules.replay import Timeline
from rules.ruleset import Act, Audience, Event, Offer, SeedRevealed

__all__ = [
    "correctable",
    "cut",
    "export_ndjson",
    "export_notation",
    "happened",
    "hash_shown",
    "head_shown",
    "held_back",
    "last_ended",
    "look_ahead",
    "match_for",
    "matches_at",
    "matches_for",
    "matches_of",
    "moves",
    "names",
    "of_status",
    "public_tag",
    "public_tag_of",
    "seen_by",
    "shown_version",
    "tag",
    "timeline",
    "whole",
    "with_table",
]
NOBODY = UUID(int=0)
_DISPUTED = Exists(ScribeLease.objects.filter(match=OuterRef("pk"))) | Exists(
    Proposal.objects.filter(match=OuterRef("pk"))
)


def _by_code(code: Any, player: Any) -> QuerySet[Match]:
    found = policy.with_ruled(policy.with_officiated(Match.objects.order_by(), player))
    found = found.annotate(disputed=_DISPUTED)  # type: ignore[no-redef]  # declared by Match
    found = found.annotate(table_told=told_table()).select_related("log", "opener")
    return found.filter(code=code).defer("opener__created_at", "log__created_at")


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
    """Return a match one may see, with its log and with who sits there.

    Raises: NotFound. `disputed` says whether it ever had a scribe or a proposal.
    """
    found = _BY_CODE.first(code=_readable(code), player=actor.player_id or NOBODY)
    if found is not None:
        found.asked_by = actor.player_id  # as `with_part` does
        seat(found)
        if policy.may_see(actor, found):
            return cuts.move(found)
    raise NotFound(gettext("There is no match {code}.").format(code=code[:20]), "no-such-match")


def _readable(code: str) -> str:
    """Return a code as it is kept. PostgreSQL takes no NUL, not even to look for one."""
    return code.upper().replace("\0", "?")


def tag(match: Match, version: int, mark: str, reader: str = "") -> str:
    """Return the ETag of what is shown of a match whose newest entry is this one.

    Names stand in the place of labels, so it changes with who sits there, too. Programs are
    answered in English; a reader who changes the language is shown all anew.
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
    """Return the tag of a match that is shown alike to all spectators, in one query.

    `reader`: who reads it, where what they read differs; it becomes a part of the tag. None when
    what is shown depends on who looks, or there is no such match.
    """
    found = _ALIKE(code=_readable(code))  # a row for each who sits there
    if not found:
        return None
    version, mark, _ = found[0]
    return _tag(version, mark, [name for *_, name in found], reader)


def public_tag_of(match: Match, reader: str = "") -> str | None:
    """Return what `public_tag` does, of a match that was read already."""
    log = match.log
    alike = match.visibility == Match.Visibility.PUBLIC and log.public_version is None
    if not alike or log.status not in _IN_VIEW:
        return None
    return tag(match, log.head_version, log.head_hash, reader)


def matches_for(actor: Actor) -> QuerySet[Match]:
    """Return the matches one may see, newest first, with what a list shows.

    `of_status` and `last_ended` narrow it by what the actor may know of them.
    """
    cuts.move_all()
    return seen_by(actor)


def seen_by(actor: Actor) -> QuerySet[Match]:
    """Return what `matches_for` does, with those that wait for a delay as they were last seen."""
    matches = policy.visible_matches(actor).select_related("log__public_line", "opener")
    whole = (
        Q(log__public_version=None)
        | Q(log__public_version__gte=F("log__head_version"))
        | Q(log__status=Log.Status.WITHDRAWN)
        | policy.seen_whole(actor)
    )
    status = Coalesce("log__public_line__status", Value(Log.Status.OPEN.value))
    matches = matches.alias(
        shown_status=Case(When(whole, then="log__status"), default=status),
        shown_ended_at=Case(When(whole, then="ended_at"), default="log__public_line__ended_at"),
    )
    return with_table(policy.with_part(actor, matches)).order_by("-started_at", "-log_id")


def matches_at(actor: Actor, keys: Iterable[UUID]) -> dict[UUID, Match]:
    """Return matches by id, with what a list shows; whether one may see them was asked before."""
    found = Match.objects.select_related("log__public_line", "opener")
    return with_table(policy.with_part(actor, found)).in_bulk(list(keys))


def of_status(matches: QuerySet[Any], status: str) -> QuerySet[Any]:
    """Return those of `matches_for` that are open or ended, as far as the actor may know."""
    whole = Q(log__public_version=None)  # of most, whose status an estimate can be made of
    shown = matches.filter((whole & Q(log__status=status)) | (~whole & Q(shown_status=status)))
    if status != Log.Status.OPEN:
        return shown
    unsettled = Q(status=Log.Status.OPEN) | Q(public_version__isnull=False)  # few, by an index
    return shown.filter(log__in=Log.objects.order_by().filter(unsettled))


def last_ended(matches: QuerySet[Any], count: int) -> QuerySet[Any]:
    """Return those of `matches_for` that ended last, as far as the actor may know.

    Of those shown whole the last are found by an index; those held back are few.
    """
    ended = of_status(matches, Log.Status.ENDED)
    whole = matches.filter(log__public_version=None, log__status=Log.Status.ENDED)
    last = whole.filter(ended_at__isnull=False).order_by("-ended_at", "-pk")[:count].values("pk")
    kept = ended.filter(log__public_version__isnull=False).order_by().values("pk")
    found = Match.objects.order_by().filter(pk__in=last).values("pk").union(kept)
    return ended.filter(pk__in=found).order_by("-shown_ended_at", "-pk")[:count]


def matches_of(actor: Actor, player: Player) -> QuerySet[Match]:
    """Return those of the matches one may see in which a player sits."""
    return matches_for(actor).filter(pk__in=Seat.objects.filter(player=player).values("match"))


def own_open(actor: Actor) -> QuerySet[Match]:
    """Return the open matches one sits at, by one's player or by the link of a seat."""
    sat = Q(match__in=[match for match, _ in actor.seats])
    if actor.player is not None:
        sat |= Q(player=actor.player)
    seats = Seat.objects.filter(sat).values("match")
    return matches_for(actor).filter(pk__in=seats, log__status=Log.Status.OPEN)


def timeline(match: Match) -> Timeline:
    """Return a match's log folded. It may already be ahead of `match.log.head_version`."""
    return logs.load(match.log)


def shown_version(actor: Actor, match: Match, at: int | None = None) -> int:
    """Return the last version one may see: the head, or where the public is held back.

    Who has results off sees it as it was set up, and no further than the moment they ask for.
    """
    if not held_back(actor, match):
        return match.log.head_version
    last = cuts.public_version(match.log)
    return min(last, at or 1) if actor.results_off else last


def held_back(actor: Actor, match: Match) -> bool:
    """Tell whether an actor is shown a match only as the public is, and not at its head.

    It is so whether or not there is more at the moment: that is nobody else's to know. And it is
    so for who has results off and no part in the match.
    """
    return _is_kept(actor, match) and not policy.may_record(actor, match)


def _is_kept(actor: Actor, match: Match) -> bool:
    """Tell whether something of a match is kept from whoever has no part in it."""
    return actor.results_off or match.log.public_version is not None


def look_ahead(actor: Actor, matches: Iterable[Match]) -> None:
    """Ask at once for a list what `held_back` asks of each of its matches."""
    asked = [match for match in matches if _is_kept(actor, match)]
    policy.foresee(actor, [match for match in asked if not policy.has_seat(actor, match)])


class HeadShown(NamedTuple):
    """The end of a log, or of what an actor is shown of it."""

    version: int
    headline: str
    status: str
    ended_at: datetime | None
    cut: bool
    """Whether the actor sees it only as the public does, so that there may be more."""


def head_shown(actor: Actor, match: Match) -> HeadShown:
    """Return how a match stands as far as an actor may know.

    Who has results off is told whether it is over, no more.
    """
    if actor.results_off and held_back(actor, match):
        return head_shown(replace(actor, results_off=False), match)._replace(headline="", cut=True)
    row, last, cut = match.log, shown_version(actor, match), held_back(actor, match)
    if last == row.head_version:
        headline = match.named(row.told)
        return HeadShown(last, headline, row.status, match.ended_at, cut)
    if not last:
        return HeadShown(0, "", Log.Status.OPEN, None, cut=True)
    line = getattr(row, "public_line", None)
    if line is None or line.version != last:
        line = headlines.line_at(row, last)
    headline = match.named(line.told)
    return HeadShown(last, headline, line.status, line.ended_at, cut=True)


def hash_shown(match: Match, version: int) -> str:
    """Return the hash of the entry at a version that `head_shown` names, "" for none.

    Apart from it, for lists have no use for it: it costs a query of a match that is held back.
    """
    if version == match.log.head_version:
        return match.log.head_hash
    return rows.hash_at(match.pk, version) if version else ""


def cut(
    actor: Actor, match: Match, at: int | None = None, as_: Audience | None = None
) -> tuple[int, Audience]:
    """Return the version and audience of a read that asks for a moment or for other eyes.

    Officials look with anyone's eyes, and everybody once all is told; else with their own and the
    public's.
    Raises: NotFound, NotAllowed.
    """
    last = shown_version(actor, match, at)
    if at is not None and not 1 <= at <= last:
        raise NotFound(
            gettext("There is no entry {at}: the log has 1 to {last}.").format(at=at, last=last),
            "no-such-entry",
        )
    if isinstance(as_, int) and as_ not in {seat.number for seat in match.seats.all()}:
        raise NotFound(gettext("There is no seat {seat}.").format(seat=as_), "no-such-seat")
    own = eyes(actor, match, last)
    if as_ not in (None, "public", own) and own != "officials":
        raise NotAllowed("not-your-eyes", gettext("Only officials look with the eyes of another."))
    return (last if at is None else at), (own if as_ is None else as_)


def eyes(actor: Actor, match: Match, last: int) -> Audience:
    """Return what an actor may know of a match shown up to a version: all of it once it is over."""
    if match.log.status == Log.Status.ENDED and last == match.log.head_version:
        return "officials"
    return policy.audience(actor, match)


def sees(actor: Actor, match: Match, act: Act) -> bool:
    """Tell whether nothing of an act of a match is hidden from an actor."""
    hide = timeline(match).ruleset.hide
    if hide(act, "public") == act:
        return True
    return bool(hide(act, eyes(actor, match, match.log.head_version)) == act)


def offers(folded: Timeline, state: Any, audience: Audience) -> tuple[Offer, ...]:
    """Return what is legal at a state, without what would tell an audience a seat's secrets."""
    secret = set(folded.ruleset.secrets(state)) - {audience}
    found: tuple[Offer, ...] = folded.ruleset.options(state)
    if audience == "officials" or not secret:
        return found
    if isinstance(folded.ruleset, Veils):
        return folded.ruleset.offers_to(state, audience)
    return tuple(offer for offer in found if offer.seat not in secret)


def whole(actor: Actor, match: Match) -> int:
    """Return up to which version one may have the log as a file.

    Raises: NotAllowed while something in it is hidden from them.
    """
    last, eyes = cut(actor, match)
    folded = timeline(match)
    for entry in folded.entries[:last]:
        events: Sequence[Event] = (entry.act, *entry.consequences)
        if any(folded.ruleset.hide(event, eyes) != event for event in events):
            raise NotAllowed(
                "hidden",
                gettext("Entry {version} is hidden from you for now.").format(
                    version=entry.version
                ),
            )
    return last


def names(match: Match) -> dict[int, str]:
    """Return who sits where, to be told in place of the labels of the setup."""
    return {seat.number: seat.player.name for seat in match.seats.all() if seat.player}


class Happened(NamedTuple):
    """A log as it happened, up to a version: which entry counts for each of the older ones.

    `counts` are the entries that do, `head` the newest of them; `replaced` names corrected
    entries with those that took their place.
    """

    upto: int
    head: int
    stands: dict[int, int]
    counts: frozenset[int]
    replaced: dict[int, int]

    def at(self, version: int) -> int:
        """Return the entry whose state counts in the place of one.

        Where nothing came to count for it, that of the nearest entry before.
        """
        if version == self.upto:
            return self.head
        return next(self.stands[n] for n in range(version, 0, -1) if n in self.stands)


def happened(match: Match, upto: int) -> Happened:
    """Return what still counts at a version."""
    folded = timeline(match)
    replaced = dict(rebase.replacements(folded, upto, corrected_at(match)))
    stands = rebase.successors(folded, upto, replaced.items())
    return Happened(
        upto, folded.at(upto).source, stands, frozenset(folded.effective(upto)), replaced
    )


class Move(NamedTuple):
    """A step along the log: the version it goes to, and the entry it takes or brings back."""

    to: int
    version: int
    act: Act


class Moves(NamedTuple):
    """Where undo and redo lead; None where there is nothing to do."""

    undo: Move | None
    redo: Move | None


def moves(folded: Timeline, at: int) -> Moves:
    """Return what undo and redo would do at a version.

    What the site adds when a match ends goes with the act that ended it.
    """
    acts = _acts(folded, at)
    to = folded.redo(at)
    return Moves(
        undo=_move(folded, acts[-2], acts[-1]) if len(acts) > 1 else None,
        redo=_move(folded, to, _acts(folded, to)[-1]) if to else None,
    )


def _move(folded: Timeline, to: int, version: int) -> Move:
    return Move(to, version, folded.entries[version - 1].act)


def _acts(folded: Timeline, at: int) -> list[int]:
    """Return what counts at a version: the setup and the acts of the table, oldest first."""
    history = folded.effective(at)
    return [v for v in history if not isinstance(folded.entries[v - 1].act, SeedRevealed)]


def correctable(actor: Actor, match: Match) -> frozenset[int]:
    """Return the entries whose acts an actor may correct now: all that count, or the last."""
    if not policy.may_record(actor, match) or match.log.status == Log.Status.WITHDRAWN:
        return frozenset()
    folded, head = timeline(match), match.log.head_version
    acts = _acts(folded, head)[1:]
    if policy.may_rule(actor, match):
        return frozenset(acts)
    is_over = folded.ruleset.outcome(folded.at(head).state) is not None
    return frozenset(() if is_over else acts[-1:])
