"""Proposals: acts sent by somebody who is not the scribe. Never lost, never doubled.

An accepted proposal is recorded under its own id and judged then. It may say the same as an entry
recorded meanwhile by somebody else: then it is merged with it, and both are kept.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext

import rules
from matches import log as logs
from matches import once, policy, selectors
from matches.actors import Actor
from matches.drafting import After, Request
from matches.errors import BadInput, Conflict, IdReused, NotFound
from matches.models import Event, Match, Proposal, ScribeLease
from matches.narration import names_of
from rules import encoding
from rules.replay import Timeline
from rules.ruleset import Act, TakenBack

MAX_OPEN = 1000


def find(match: Match, act_id: UUID) -> Proposal | None:
    return Proposal.objects.filter(match=match, act_id=act_id).first()


def get(match: Match, act_id: UUID) -> Proposal:
    """Return a proposal. Raises: NotFound."""
    found = find(match, act_id)
    if found is None:
        raise NotFound(gettext("There is no such proposal."), "no-such-proposal")
    return found


def act_of(match: Match, kept: Proposal) -> Act:
    return encoding.stored_act(rules.get(match.log.ruleset), kept.act)


# -- keeping and deciding ---------------------------------------------------------------------


def keep(match: Match, by: Actor, request: Request) -> Proposal:
    """Keep an act as a proposal; idempotent by its id. Raises: IdReused; Conflict for too many."""
    is_open = Proposal.objects.filter(match=match, state=Proposal.State.OPEN)
    if find(match, request.act_id) is None and is_open.count() >= MAX_OPEN:
        raise Conflict(
            "too-many-proposals",
            gettext("At most {MAX_OPEN} proposals wait in a match.").format(MAX_OPEN=MAX_OPEN),
        )
    kept, new = Proposal.objects.get_or_create(
        match=match,
        act_id=request.act_id,
        defaults={
            "act": encoding.body(request.act),
            "after": "" if request.after is None else str(request.after),
            "since": _since(match, request.after),
            "irregular": request.irregular,
            "note": request.note,
            "said_at": request.said_at,
            "device": by.device,
            "player_id": request.by,
        },
    )
    own = new or request.is_by(kept.player_id)
    known = own or selectors.sees(by, match, act_of(match, kept))
    if not known:  # else the answer would confirm a guess
        raise IdReused(request.act_id)
    resent(kept, request)
    return once.mark(kept, new)


def _since(match: Match, after: After) -> int:
    """Return the version on top of which an act was meant.

    For an act that follows another proposal, that proposal's; for one that names nothing, the
    version at which the present scribe began.
    """
    if isinstance(after, int):
        return after
    if after is not None:
        before = find(match, after)
        return logs.version_of(match.log, after) or (before.since if before else 0)
    lease = ScribeLease.objects.filter(match=match, ended_at=None).first()
    began = lease.taken_at if lease else timezone.now()
    return Event.objects.filter(log=match.log, ordinal=0, recorded_at__lt=began).count()


def resent(kept: Proposal, request: Request, *, recorded: bool = False) -> Request:
    """Return a request for an act kept as a proposal, in the name of whoever proposed it.

    One that is recorded already is compared by the log, which knows what was erased. Raises:
    IdReused for another act.
    """
    if not recorded and (kept.act, kept.note) != (encoding.body(request.act), request.note):
        raise IdReused(request.act_id)
    irregular = kept.irregular or request.irregular
    said_at = kept.said_at or request.said_at
    return replace(request, by=kept.player_id, irregular=irregular, said_at=said_at)


def require_undecided(kept: Proposal | None) -> None:
    """Require a proposal that was neither dismissed nor merged. Raises: Conflict."""
    if kept is not None and kept.state in (Proposal.State.DISMISSED, Proposal.State.MERGED):
        detail = (
            gettext("The table has dismissed this.")
            if kept.state == Proposal.State.DISMISSED
            else gettext("The table has this already, as entry {version}.").format(
                version=kept.version
            )
        )
        raise Conflict(f"proposal-{kept.state}", detail, version=kept.version)


def mark(
    kept: Proposal, state: str, by: Actor, version: int | None = None, irregular: bool = False
) -> None:
    """Store the state of a proposal, who decided and when; only the first decision counts."""
    if kept.state == state:
        return
    kept.state, kept.version = state, version
    kept.irregular = kept.irregular or irregular
    kept.decided_at, kept.decided_by = timezone.now(), by.player
    kept.save(update_fields=["state", "version", "irregular", "decided_at", "decided_by"])


def dismiss(*, match: Match, by: Actor, act_id: UUID) -> Proposal:
    """Dismiss a proposal; it is kept, with who dismissed it and when.

    Raises: NotAllowed, NotFound, Conflict for one that is recorded.
    """
    with transaction.atomic():
        kept = _undone(match, by, act_id)
        mark(kept, Proposal.State.DISMISSED, by)
    return kept


def merge(*, match: Match, by: Actor, act_id: UUID, version: int) -> Proposal:
    """Merge a proposal with an entry that is the same act, logged twice; both are kept.

    Raises: NotAllowed, NotFound, Conflict for one that is recorded, BadInput for an entry that says
    something else.
    """
    with transaction.atomic():
        kept = _undone(match, by, act_id)
        if version not in _same(by, match, logs.load(match.log), kept):
            raise BadInput(
                "not-the-same",
                gettext("Entry {version} does not say the same.").format(version=version),
                "$.version",
            )
        mark(kept, Proposal.State.MERGED, by, version)
    return kept


def locked(kept: Proposal) -> Proposal:
    """Return a proposal as it is now, its row locked until the transaction ends."""
    found: Proposal = Proposal.objects.select_for_update().get(pk=kept.pk)
    return found


def _undone(match: Match, by: Actor, act_id: UUID) -> Proposal:
    policy.require_record(by, match)
    kept = locked(get(match, act_id))
    match.log.refresh_from_db()  # it may be recorded by now
    require_unrecorded(match, act_id)
    return kept


def require_unrecorded(match: Match, act_id: UUID) -> None:
    """Require an act that its match has not recorded. Raises: Conflict."""
    version = logs.version_of(match.log, act_id)
    if version is not None:
        raise Conflict(
            "recorded",
            gettext("It is recorded, as entry {version}.").format(version=version),
            version=version,
        )


# -- reading ----------------------------------------------------------------------------------


class ProposalShown(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A proposal as the table sees it. `same_as`: an entry that says the same, to merge with."""

    id: UUID
    act: dict[str, Any]
    text: str
    by: str = ""
    after: str = ""
    irregular: bool = False
    note: str = ""
    said_at: datetime | None = None
    kept_at: datetime
    state: str
    version: int | None = None
    same_as: int | None = None
    decided_at: datetime | None = None
    decided_by: str = ""


def waiting(match: Match) -> int:
    """Return the number of open proposals."""
    return sum(1 for _ in _open(match))


def waiting_in(matches: Iterable[Match]) -> dict[UUID, int]:
    """Return the number of open proposals of each match that has any."""
    every = {match.pk: match for match in matches}
    kept = Proposal.objects.filter(match__in=list(every), state=Proposal.State.OPEN).order_by()
    rows = kept.values_list("match", "act_id")
    return Counter(pk for pk, act in rows if logs.version_of(every[pk].log, act) is None)


def shown(by: Actor, match: Match, state: str = Proposal.State.OPEN) -> list[ProposalShown]:
    """Return the proposals in a state, in the order they were kept. Raises: NotAllowed."""
    policy.require_record(by, match)
    if state == Proposal.State.OPEN:
        rows = list(_open(match))
        same = _merges(by, match, logs.load(match.log), rows)
    else:
        rows, same = list(_rows(match).filter(state=state)), {}
    seen = (_show(by, match, row, same.get(row.act_id)) for row in rows)
    return [each for each in seen if each is not None]


def show(by: Actor, match: Match, kept: Proposal) -> ProposalShown:
    """Return a proposal as the table sees it. Raises: NotFound if it is hidden from the actor."""
    seen = _show(by, match, kept)
    if seen is None:
        raise NotFound(gettext("There is no such proposal."), "no-such-proposal")
    return seen


def _rows(match: Match) -> QuerySet[Proposal]:
    return Proposal.objects.filter(match=match).select_related("player", "decided_by")


def _open(match: Match) -> Iterator[Proposal]:
    """Yield the open proposals, without those recorded meanwhile."""
    for row in _rows(match).filter(state=Proposal.State.OPEN):
        if logs.version_of(match.log, row.act_id) is None:
            yield row


def _show(
    by: Actor, match: Match, row: Proposal, same_as: int | None = None
) -> ProposalShown | None:
    folded = logs.load(match.log)
    act = folded.ruleset.hide(act_of(match, row), policy.audience(by, match))
    if not isinstance(act, Act):
        return None
    return ProposalShown(
        id=row.act_id,
        act=msgspec.to_builtins(act),
        text=_text(match, folded, act),
        by=str(row.player) if row.player else "",
        after=row.after,
        irregular=row.irregular,
        note=row.note,
        said_at=row.said_at,
        kept_at=row.kept_at,
        state=row.state,
        version=row.version,
        same_as=same_as,
        decided_at=row.decided_at,
        decided_by=str(row.decided_by) if row.decided_by else "",
    )


def _text(match: Match, folded: Timeline, act: Act) -> str:
    """Return an act as a sentence; if it has no meaning now, in notation."""
    if isinstance(act, TakenBack):
        return gettext("Take back what came after entry {to}.").format(to=act.to)
    state, seat = folded.head.state, getattr(act, "seat", None)
    seated = seat is None or 1 <= seat <= len(folded.setup.seats)
    if not seated or folded.ruleset.judge(state, act).call == "impossible":
        return folded.ruleset.write(act)
    return folded.ruleset.tell(act, state, names_of(match))


def _merges(by: Actor, match: Match, folded: Timeline, rows: Iterable[Proposal]) -> dict[UUID, int]:
    """Return for each proposal the entry that says the same, each entry at most once."""
    found: dict[UUID, int] = {}
    for row in rows:
        taken = set(found.values())
        free = [version for version in _same(by, match, folded, row) if version not in taken]
        if free:
            found[row.act_id] = free[0]
    return found


def _same(by: Actor, match: Match, folded: Timeline, row: Proposal) -> list[int]:
    """Return the entries that say the same as a proposal, notes aside.

    Only entries that count and were recorded after what it was meant to follow. Entries hidden from
    the actor are left out, else a guessed card would be confirmed.
    """
    wanted = _bare(act_of(match, row))
    if not selectors.sees(by, match, wanted):
        return []
    return [
        entry.version
        for entry in folded.history(match.log.head_version)
        if entry.version > row.since and _bare(entry.act) == wanted
    ]


def _bare(act: Act) -> Act:
    return msgspec.structs.replace(act, note="") if "note" in act.__struct_fields__ else act
