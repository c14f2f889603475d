"""Response bodies, made from what selectors and services return."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from django.conf import settings
from rest_framework.request import Request
from rest_framework.reverse import reverse

import rules
from matches import audiences, policy, selectors
from matches.actors import Actor
from matches.api import shapes
from matches.audiences import Shown
from matches.changes import Change, Ending, Preview
from matches.draws import Tally
from matches.errors import MovedOn
from matches.log import Receipt
from matches.models import Match, Player, Seat
from matches.narration import Narrator
from matches.records import games_of, known_among, records_of, sat_of
from matches.rivals import Rival, form_of, last_of, rivals_of
from matches.selectors import HeadShown
from matches.tallies import tallies_of
from matches.undoing import Move
from matches.what_if import Judged, WhatIf
from rules.ruleset import Event, event_type

UNDER_A_MATCH = (
    *("state", "options", "events", "acts", "bot", "take-back", "correct", "cut", "verify"),
    *("scribe", "proposals", "seats", "officials", "certificate", "luck", "went", "what-if"),
)


def plain(value: Any) -> Any:
    """Return a struct as plain data."""
    return msgspec.to_builtins(value)


def player_response(player: Player, request: Request) -> shapes.PlayerResponse:
    return shapes.PlayerResponse(
        id=player.pk,
        name=player.name,
        guest=player.user_id is None,
        url=reverse("api:player", args=[player.pk], request=request),
        claimed_by=player.claimed_by_id,
    )


def player_detail(player: Player, actor: Actor, request: Request) -> shapes.PlayerDetail:
    sat = sat_of(actor, player)
    known = known_among(sat)
    last = selectors.matches_at(actor, (each.match for each in last_of(known)))
    return shapes.PlayerDetail(
        **msgspec.structs.asdict(player_response(player, request)),
        records=[shapes.RecordResponse(**row._asdict()) for row in records_of(known)],
        games=[shapes.PlayedResponse(*row) for row in games_of(sat)],
        spins=[spins_response(row) for row in tallies_of(actor, player)],
        form=[shapes.OutingResponse(each.match.code, each.result) for each in form_of(known, last)],
        rivals=[_rival(each) for each in rivals_of(known)],
    )


def _rival(rival: Rival) -> shapes.RivalResponse:
    player = rival.player
    counts = rival.played, rival.won, rival.drawn, rival.lost
    return shapes.RivalResponse(player.pk, player.name, *counts)


def spins_response(tally: Tally) -> shapes.SpinsResponse:
    return shapes.SpinsResponse(tally.purpose, tally.source, tally.counts, tally.as_uneven)


def _of_line(match: Match, head: HeadShown, request: Request) -> dict[str, Any]:
    return {
        "code": match.code,
        "title": match.title,
        "place": match.place,
        "ruleset": match.log.ruleset,
        "status": head.status,
        "headline": head.headline,
        "version": head.version,
        "physical": match.physical,
        "sanctioned": match.sanctioned,
        "visibility": match.visibility,
        "started_at": match.started_at,
        "ended_at": head.ended_at,
        "held": match.log.held,
        "delay": match.log.delay,
        "seats": [seat_response(seat) for seat in match.seats.all()],
        "url": reverse("api:match", args=[match.code], request=request),
    }


def seat_response(seat: Seat) -> shapes.SeatResponse:
    return shapes.SeatResponse(
        seat=seat.number,
        label=seat.label,
        name=seat.player.name if seat.player else "",
        player=seat.player_id,
    )


def match_line(match: Match, actor: Actor, request: Request) -> shapes.MatchLine:
    return shapes.MatchLine(**_of_line(match, selectors.head_shown(actor, match), request))


def match_response(match: Match, actor: Actor, request: Request) -> shapes.MatchResponse:
    head = selectors.head_shown(actor, match)
    return shapes.MatchResponse(
        **_of_line(match, head, request),
        log=match.pk,
        hash=selectors.hash_shown(match, head.version),
        options=msgspec.json.decode(match.log.options),
        opener=match.opener_id,
        imported=min(match.log.imported_version, head.version),
        officials=[official.pk for official in match.officials.all()],
        may=shapes.Rights(
            record=policy.may_record(actor, match),
            rule=policy.may_rule(actor, match),
            manage=policy.may_manage(actor, match),
        ),
        links={
            name: reverse(f"api:{name}", args=[match.code], request=request)
            for name in UNDER_A_MATCH
        }
        | stream_link("api:match", match.code, request),
    )


def stream_link(route: str, code: str, request: Request) -> dict[str, str]:
    """Return the address of the live stream of a match or tournament, if the site has streams."""
    url = reverse(route, args=[code], request=request)
    return {"stream": f"{url}stream/"} if settings.STREAMS else {}


def head_after(match: Match) -> shapes.Head:
    """Return the head of a match's log after recording."""
    log, timeline = match.log, selectors.timeline(match)
    outcome = timeline.ruleset.outcome(timeline.at(log.head_version).state)
    headline = match.named(log.localized_headline)
    return shapes.Head(log.head_version, log.head_hash, headline, log.status, outcome)


def seen(match: Match, actor: Actor, event: Event) -> dict[str, Any]:
    """Return an act or consequence as an actor may see it; of one that is hidden, only its type.

    The actor's audience is looked up only if something is hidden from the public.
    """
    hide = rules.get(match.log.ruleset).hide
    visible = hide(event, "public")
    if visible != event:
        visible = hide(event, selectors.eyes(actor, match, match.log.head_version))
    return {"type": event_type(event)} if visible is None else plain(visible)


def _of_receipt(match: Match, actor: Actor, receipt: Receipt) -> dict[str, Any]:
    return {
        "version": receipt.version,
        "position": receipt.position,
        "hash": receipt.hash,
        "act": seen(match, actor, receipt.act),
        "consequences": [seen(match, actor, each) for each in receipt.consequences],
    }


def receipt_response(match: Match, actor: Actor, receipt: Receipt) -> shapes.ReceiptResponse:
    return shapes.ReceiptResponse(**_of_receipt(match, actor, receipt), head=head_after(match))


def receipts_response(match: Match, actor: Actor, receipts: Sequence[Receipt]) -> shapes.Receipts:
    entries = [shapes.EntryReceipt(**_of_receipt(match, actor, each)) for each in receipts]
    return shapes.Receipts(entries[-1].version, entries, head_after(match))


def step_response(
    move: Move | None, to_json: Callable[[Event], dict[str, Any]] = plain
) -> shapes.StepResponse | None:
    """Return a step along the log; `to_json` converts its act to what the actor may see."""
    return shapes.StepResponse(move.to, move.version, to_json(move.act)) if move else None


def preview_response(preview: Preview) -> shapes.PreviewResponse:
    """Return what a correction would do."""
    return shapes.PreviewResponse(
        head=preview.head,
        version=preview.version,
        needs_reason=preview.needs_reason,
        corrected=_change(preview.corrected),
        changes=[_change(change) for change in preview.changes],
        same=preview.same,
        hidden=preview.hidden,
        before=_ending(preview.before),
        after=_ending(preview.after),
        followers=[shapes.FollowerChange(each.follower, each.text) for each in preview.followers],
    )


def _change(change: Change) -> shapes.ChangeResponse:
    was, now = change.was, change.now
    return shapes.ChangeResponse(
        version=was.version,
        act_before=was.act.data,
        told_before=was.act.text,
        irregular_before=was.irregular,
        consequences_before=[line.text for line in was.consequences],
        act=now.act.data if now else None,
        told=now.act.text if now else "",
        irregular=now.irregular if now else "",
        consequences=[line.text for line in now.consequences] if now else [],
        left_out=change.verdict.code if change.verdict else "",
        why=change.why,
    )


def tell(entries: Sequence[shapes.EntryResponse], teller: Narrator) -> None:
    """Put entries of a match that may be seen into words."""
    for entry in entries:
        if entry.act is not None:
            line = teller.line(entry.version)
            entry.told = line.act.text
            entry.told_consequences = [each.text for each in line.consequences]


def what_if_response(found: WhatIf) -> shapes.WhatIfResponse:
    """Return what other options would have changed."""
    changes = [
        shapes.WhatIfChange(
            each.version, plain(each.act), each.told, _judged(each.before), _judged(each.after)
        )
        for each in found.changes
    ]
    before, after = _ending(found.before), _ending(found.after)
    return shapes.WhatIfResponse(found.asked, changes, before, after)


def _judged(judged: Judged) -> shapes.JudgedResponse:
    verdict, events = judged.verdict, plain(judged.consequences)
    return shapes.JudgedResponse(
        verdict.call, verdict.code, verdict.clause, judged.why, events, list(judged.told)
    )


def _ending(ending: Ending) -> shapes.EndingResponse:
    return shapes.EndingResponse(ending.headline, ending.outcome)


def missed_response(match: Match, actor: Actor, moved: MovedOn) -> shapes.Entries:
    """Return the entries that a request did not know of, as the actor may see them."""
    match.log.refresh_from_db()
    last, eyes = selectors.cut(actor, match)
    after = moved.missed[0].version - 1
    shown = audiences.entries(match, after, len(moved.missed), last, eyes)
    return entries_response(shown, after, last)


def entries_response(shown: Sequence[Shown], after: int, last: int) -> shapes.Entries:
    """Return consecutive entries after a version; `last` is the newest the actor may read."""
    reached = shown[-1].version if shown else min(after, last)
    return shapes.Entries([entry_response(each) for each in shown], reached, more=reached < last)


def entry_response(shown: Shown, of: Mapping[str, str] | None = None) -> shapes.EntryResponse:
    """Return an entry; in the feed with `of`, the code of its log by the log's kind."""
    fields: dict[str, Any] = {**(of or {}), **plain(shown)}
    return shapes.EntryResponse(**fields)
