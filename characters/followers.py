"""The follower that projects the deeds of every fielded card from the logs of matches."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.translation import gettext

from characters.games import GAMES
from characters.models import Appearance, Deed
from matches import cuts
from matches import log as logs
from matches.followers import Follower
from matches.models import Log
from rules.replay import Timeline
from rules.zg.stories import CardSlagStory, CardTestStory, Story

Kind = Deed.Kind
Row = tuple[tuple[str, Any], ...]


class Stories(Follower):
    """Projects what fielded cards did and suffered, for careers and the histories of items.

    Deeds are added and removed when a log is corrected, or results are held back or released.
    """

    def stands(self, log: Log, timeline: Timeline, since: int) -> bool:
        """A match in which no character fields anything has no deeds."""
        return not Appearance.objects.filter(seat__match=log.pk).exists()

    def project(self, log: Log) -> None:
        Deed.objects.filter(match_id=log.pk).delete()
        fielded = _fielded(log.pk)
        if not fielded:
            return
        timeline = logs.load(log)
        now = dict.fromkeys(_deeds(timeline, log.head_version, fielded))
        public = dict.fromkeys(_deeds(timeline, cuts.public_version(log), fielded))
        rows = {row: dict(row) for row in now | public}
        Deed.objects.bulk_create(
            Deed(match_id=log.pk, at_head=row in now, public=row in public, **rows[row])
            for row in sorted(rows, key=lambda row: rows[row]["version"])
        )

    def preview(self, log: Log, before: Timeline, after: Timeline) -> Iterable[str]:
        fielded = _fielded(log.pk) if before.setup.seats else {}
        if not fielded:
            return
        was, would = _slagged(before, fielded), _slagged(after, fielded)
        for seat, card in sorted(was ^ would):
            side = before.setup.seats[seat - 1].label
            text = (
                gettext(
                    "{card} of {side} is no longer slagged: "
                    "its story and what was asked about it follow."
                )
                if (seat, card) in was
                else gettext(
                    "{card} of {side} is slagged: its story and what was asked about it follow."
                )
            )
            yield text.format(card=card, side=side)


@dataclass(frozen=True)
class Fielded:
    """A character's seat in a match, and which item each of its cards is."""

    pk: UUID
    items: Mapping[str, UUID]


def _fielded(match_id: UUID) -> dict[int, Fielded]:
    found = Appearance.objects.filter(seat__match=match_id).select_related("seat")
    return {
        each.seat.number: Fielded(each.pk, {one.card: one.item_id for one in each.fielded.all()})
        for each in found.prefetch_related("fielded")
    }


def _stories(timeline: Timeline, version: int) -> Iterable[Story]:
    game = GAMES.get(timeline.ruleset.key)
    return game.stories(timeline, version) if game and version else ()


def _slagged(timeline: Timeline, fielded: Mapping[int, Fielded]) -> set[tuple[int, str]]:
    return {
        (story.seat, story.card)
        for story in _stories(timeline, len(timeline))
        if isinstance(story, CardSlagStory) and story.seat in fielded
    }


def _deeds(timeline: Timeline, version: int, fielded: Mapping[int, Fielded]) -> Iterator[Row]:
    """Yield the deeds effective at a version, for each fielded side, as the fields of a row."""
    for story in _stories(timeline, version):
        match story:
            case CardTestStory():
                rest = {
                    "version": story.version,
                    "turn": story.turn,
                    "strikes": story.strikes,
                    "blocked": story.blocked,
                    "result": story.result,
                }
                yield from _sides(
                    fielded,
                    (story.seat, story.card),
                    (story.foe, story.target),
                    Kind.WEAPON,
                    Kind.TARGET,
                    rest,
                )
            case CardSlagStory():
                rest = {"version": story.version, "turn": story.turn}
                yield from _sides(
                    fielded,
                    (story.by, story.weapon),
                    (story.seat, story.card),
                    Kind.TOOK,
                    Kind.LOST,
                    rest,
                )


Place = tuple[int | None, str]


def _sides(
    fielded: Mapping[int, Fielded],
    attack: Place,
    target: Place,
    of_attack: Kind,
    of_target: Kind,
    rest: Mapping[str, Any],
) -> Iterator[Row]:
    """Yield an event from the attacker's and from its target's side, where fielded."""
    for kind, own, other in ((of_attack, attack, target), (of_target, target, attack)):
        mine, theirs = (fielded.get(seat or 0) for seat, _ in (own, other))
        if mine is None:
            continue
        yield tuple(
            {
                **rest,
                "kind": kind.value,
                "appearance_id": mine.pk,
                "item_id": mine.items.get(own[1]),
                "card": own[1],
                "other_seat": other[0],
                "other_id": theirs.pk if theirs else None,
                "other_item_id": theirs.items.get(other[1]) if theirs else None,
                "other_card": other[1],
            }.items()
        )
