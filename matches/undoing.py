"""Undoing, redoing and correcting: where each leads, and who may do it without an official."""

from collections.abc import Iterable
from typing import NamedTuple

from django.utils.translation import gettext

from matches import actors, policy, selectors
from matches.actors import Actor
from matches.corrections import Correction
from matches.errors import NotAllowed
from matches.models import Match
from rules.capabilities import SupportsReveals
from rules.replay import Timeline
from rules.ruleset import Act, SeedRevealed


class Move(NamedTuple):
    """A step along the log: the version it leads to, and the entry it undoes or restores."""

    to: int
    version: int
    act: Act


class Moves(NamedTuple):
    """Where undo and redo lead; None where there is nothing to do."""

    undo: Move | None
    redo: Move | None


def moves(timeline: Timeline, at: int) -> Moves:
    """Return what undo and redo would do at a version.

    An entry that the site adds when a match ends goes with the act that ended it.
    """
    acts = _acts(timeline, at)
    to = timeline.redo(at)
    return Moves(
        undo=_move(timeline, acts[-2], acts[-1]) if len(acts) > 1 else None,
        redo=_move(timeline, to, _acts(timeline, to)[-1]) if to else None,
    )


def moves_for(actor: Actor, match: Match) -> Moves:
    """Return what undo and redo would do now, as far as the actor may do it.

    Whether it takes another seat is not asked: then it is offered, and refused with the reason.
    """
    timeline, head = selectors.timeline(match), match.log.head_version
    found = moves(timeline, head)
    if policy.may_rule(actor, match):
        return found
    return Moves(
        *(None if each and why_not_go(timeline, head, each.to) else each for each in found)
    )


def why_not_go(timeline: Timeline, at: int, to: int) -> str:
    """Say why only officials may go from one version to another, "" if anyone at the table may."""
    if timeline.ruleset.outcome(timeline.at(at).state) is not None:
        return gettext(
            "The match is over; an official may reopen it "
            "or, unless the match is sanctioned, whoever opened it."
        )
    is_redo = redoes(timeline, at, to)
    if _is_ruling(timeline, _acts(timeline, to if is_redo else at)[-1]):
        return _for_rulings()
    if not is_redo and timeline.at(to).source not in timeline.effective(at)[-2:-1]:
        return _for_older_acts()
    return ""


def redoes(timeline: Timeline, at: int, to: int) -> bool:
    """Tell whether going from one version to another restores the act that was taken back last."""
    if timeline.at(to).source != timeline.redo(at):
        return False
    restored = timeline.since(timeline.at(at).source, to) or ()
    return len(_without_seeds(timeline, restored)) == 1


def _is_ruling(timeline: Timeline, version: int) -> bool:
    """Tell whether an entry is an official's ruling."""
    return isinstance(timeline.entries[version - 1].act, timeline.ruleset.rulings)


def _move(timeline: Timeline, to: int, version: int) -> Move:
    return Move(to, version, timeline.entries[version - 1].act)


def _acts(timeline: Timeline, at: int) -> list[int]:
    """Return the entries that count at a version, without revealed seeds, oldest first."""
    return _without_seeds(timeline, timeline.effective(at))


def _without_seeds(timeline: Timeline, versions: Iterable[int]) -> list[int]:
    return [v for v in versions if not isinstance(timeline.entries[v - 1].act, SeedRevealed)]


def correctable(actor: Actor, match: Match) -> frozenset[int]:
    """Return the entries an actor may correct now: all that count, or only the last."""
    if not policy.may_record(actor, match) or match.log.is_withdrawn:
        return frozenset()
    timeline, head = selectors.timeline(match), match.log.head_version
    acts = _acts(timeline, head)[1:]
    if policy.may_rule(actor, match):
        return frozenset(acts)
    return frozenset(v for v in acts[-1:] if not why_not_correct(timeline, head, v))


def why_not_correct(timeline: Timeline, at: int, version: int) -> str:
    """Say why only officials may correct an entry, "" if anyone at the table may."""
    if timeline.ruleset.outcome(timeline.at(at).state) is not None:
        return gettext(
            "The match is over; an official may correct it "
            "or, unless the match is sanctioned, whoever opened it."
        )
    if not is_last_act(timeline, at, version):
        return _for_older_acts()
    if _is_ruling(timeline, version):
        return _for_rulings()
    return ""


def _for_rulings() -> str:
    return gettext("An official ruled that; only an official may change it.")


def _for_older_acts() -> str:
    return gettext(
        "Only the last act; for older ones ask an official "
        "or, unless the match is sanctioned, whoever opened it."
    )


def is_last_act(timeline: Timeline, at: int, version: int) -> bool:
    """Tell whether an entry is the last act that counts at a version, the opening aside."""
    return version in _acts(timeline, at)[1:][-1:]


# -- what it takes of an actor ------------------------------------------------------------------


def permit_taking_back(match: Match, by: Actor, to: int, timeline: Timeline) -> None:
    """Require that an actor may take back what came after a version. Raises: NotAllowed."""
    if policy.may_rule(by, match) or not 1 <= to <= len(timeline):
        return  # judging refuses an unknown version
    if why := why_not_go(timeline, len(timeline), to):
        raise NotAllowed("officials-only", why)
    if not redoes(timeline, len(timeline), to):
        _require_another_seat(match, by, to, timeline)


def _require_another_seat(match: Match, by: Actor, to: int, timeline: Timeline) -> None:
    """Require another seat than the last act's to take back a server draw or a reveal.

    Raises: NotAllowed.
    """
    last = timeline.entries[timeline.head.source - 1].act
    if actors.seats_of(by, match) - {getattr(last, "seat", None)}:
        return
    if timeline.head.draws > timeline.at(to).draws:
        raise NotAllowed(
            "needs-another-seat",
            gettext("Something was drawn by the site: another seat or an official takes it back."),
        )
    if isinstance(timeline.ruleset, SupportsReveals) and timeline.ruleset.reveals(last):
        raise NotAllowed(
            "needs-another-seat",
            gettext("A hidden card was turned up: another seat or an official takes it back."),
        )


def permit_correction(
    match: Match, by: Actor, correction: Correction, timeline: Timeline, version: int
) -> bool:
    """Return whether correcting an entry needs a reason. Raises: NotAllowed."""
    _require_seen(match, by, correction, timeline, version)
    head = len(timeline)
    if not policy.may_rule(by, match):
        if why := why_not_correct(timeline, head, version):
            raise NotAllowed("officials-only", why)
        _require_another_seat(match, by, timeline.at(version - 1).source, timeline)
    is_over = timeline.ruleset.outcome(timeline.head.state) is not None
    return is_over or not is_last_act(timeline, head, version)


def _require_seen(
    match: Match, by: Actor, correction: Correction, timeline: Timeline, version: int
) -> None:
    """Require that nothing of the act to be replaced is hidden from the actor. Raises: NotAllowed.

    Nor may the hand be hidden from which the new act is made. Otherwise the answer, or only its
    preview, would confirm a guess; striking it out reveals nothing.
    """
    if correction.act is None:
        return
    seat, before = getattr(correction.act, "seat", None), timeline.at(version - 1).state
    if seat in selectors.hidden_from(by, match, before):
        raise NotAllowed(
            "hidden-act",
            gettext("That hand is hidden from you: take the act back, and record it anew."),
        )
    if not selectors.sees(by, match, timeline.entries[version - 1].act):
        raise NotAllowed(
            "hidden-act",
            gettext("You may strike out what is hidden from you, but not correct it."),
        )
