"""What waits for a person: where they play next, what they run, and what others asked of them."""

from collections.abc import Sequence
from typing import NamedTuple

from characters import selectors as characters
from characters.models import Move, Trade
from league import due, finals, journal, prizes, selectors
from league.finals import InvitedPlace
from league.journal import Announcement
from league.models import Circuit, Tournament
from league.scene import Scene, scenes_of
from matches import cuts, proposals
from matches import selectors as logged
from matches.actors import Actor
from matches.models import Match

LIMIT = 30
"""At most so many of each kind, the newest."""


class Playing(NamedTuple):
    """A tournament under way in which somebody plays, and what was announced there."""

    scene: Scene
    announced: list[Announcement]


class Running(NamedTuple):
    """A tournament that somebody organises, and what is due there in a sentence."""

    tournament: Tournament
    due: str


class Own(NamedTuple):
    """The tournaments in which somebody plays, and those they organise, newest first."""

    entered: list[Tournament]
    organised: list[Tournament]

    @property
    def every(self) -> list[Tournament]:
        return [*self.entered, *self.organised]


def own_tournaments(actor: Actor) -> Own:
    """Return the tournaments with something to do for an actor."""
    entered = list(selectors.entered_by(actor)[:LIMIT])
    return Own(entered, list(selectors.organised_by(actor)[:LIMIT]))


def at_tournaments(actor: Actor, own: Own) -> tuple[list[Playing], list[Running]]:
    """Return where an actor plays, and what is due at what they organise."""
    mine, run = scenes_of(actor, own.entered, own.organised)
    playing = map(Playing, mine, journal.announced_in(mine))
    return list(playing), [
        Running(each.tournament, due.describe_due(each)) for each in run if _is_left(each)
    ]


def _is_left(scene: Scene) -> bool:
    """Tell whether something is left to do at a desk."""
    return not scene.desk.closed or prizes.are_due(scene.tournament, scene.desk)


class ToLog(NamedTuple):
    """An open match at which somebody sits, and how many proposals wait there."""

    match: Match
    proposals: int


def to_log(actor: Actor) -> list[ToLog]:
    """Return the open matches at which an actor sits, newest first."""
    found = cuts.move_each(logged.own_open(actor)[:LIMIT])
    logged.look_ahead(actor, found)
    waiting = proposals.waiting_in(found)
    return [ToLog(match, waiting.get(match.pk, 0)) for match in found]


class Asked(NamedTuple):
    """What others asked an actor: trades, characters offered, and places in finals."""

    trades: Sequence[Trade]
    moves: Sequence[Move]
    invitations: Sequence[tuple[Circuit, InvitedPlace]]


def asked(actor: Actor) -> Asked:
    """Return what waits for an actor's answer."""
    trades = characters.offers_to_own(actor).prefetch_related("gives", "wants")
    moves = characters.moves_to(actor)
    invitations = finals.unanswered(actor, LIMIT)
    return Asked(list(trades[:LIMIT]), list(moves[:LIMIT]), invitations)
