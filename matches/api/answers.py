"""Answers made from what selectors and services return."""

from typing import Any

import msgspec
from rest_framework.request import Request
from rest_framework.reverse import reverse

from matches import policy, selectors
from matches.api import shapes
from matches.errors import MovedOn
from matches.log import Receipt
from matches.models import Match, Player
from matches.policy import Actor
from matches.selectors import Shown

UNDER_A_MATCH = (
    *("state", "options", "events", "acts", "take-back", "cut", "verify", "scribe", "proposals"),
)


def plain(value: Any) -> Any:
    """Return a struct as plain data."""
    return msgspec.to_builtins(value)


def player_answer(player: Player, request: Request) -> shapes.PlayerAnswer:
    return shapes.PlayerAnswer(
        id=player.pk,
        name=player.name,
        guest=player.user_id is None,
        url=reverse("api:player", args=[player.pk], request=request),
    )


def _of_line(match: Match, actor: Actor, request: Request) -> dict[str, Any]:
    head = selectors.head_shown(actor, match)
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
        "seats": [
            shapes.SeatAnswer(
                seat=seat.number,
                label=seat.label,
                name=seat.player.name if seat.player else "",
                player=seat.player_id,
            )
            for seat in match.seats.all()
        ],
        "url": reverse("api:match", args=[match.code], request=request),
    }


def match_line(match: Match, actor: Actor, request: Request) -> shapes.MatchLine:
    return shapes.MatchLine(**_of_line(match, actor, request))


def match_answer(match: Match, actor: Actor, request: Request) -> shapes.MatchAnswer:
    return shapes.MatchAnswer(
        **_of_line(match, actor, request),
        log=match.pk,
        hash=selectors.head_shown(actor, match).hash,
        options=msgspec.json.decode(match.log.options),
        opener=match.opener_id,
        officials=[official.pk for official in match.officials.all()],
        may=shapes.Rights(
            record=policy.may_record(actor, match),
            rule=policy.may_rule(actor, match),
            manage=policy.may_manage(actor, match),
        ),
        links={
            name: reverse(f"api:{name}", args=[match.code], request=request)
            for name in UNDER_A_MATCH
        },
    )


def head_after(match: Match) -> shapes.Head:
    """Return the end of a match's log as its row, or what was just recorded, names it."""
    log, timeline = match.log, selectors.timeline(match)
    outcome = timeline.ruleset.outcome(timeline.at(log.head_version).state)
    return shapes.Head(log.head_version, log.head_hash, log.headline, log.status, plain(outcome))


def receipt_answer(match: Match, receipt: Receipt) -> shapes.ReceiptAnswer:
    return shapes.ReceiptAnswer(
        version=receipt.version,
        position=receipt.position,
        hash=receipt.hash,
        act=plain(receipt.act),
        consequences=plain(receipt.consequences),
        head=head_after(match),
    )


def missed_answer(match: Match, actor: Actor, moved: MovedOn) -> list[shapes.EntryAnswer]:
    """Return the entries a request did not know of, as the asker may see them."""
    match.log.refresh_from_db()
    last, eyes = selectors.cut(actor, match)
    after = moved.missed[0].version - 1
    shown = selectors.entries(match, after, len(moved.missed), last, eyes)
    return [entry_answer(entry) for entry in shown]


def entry_answer(shown: Shown, match: Match | None = None) -> shapes.EntryAnswer:
    told = plain(shown)
    return shapes.EntryAnswer(match=match.code if match else "", **told)
