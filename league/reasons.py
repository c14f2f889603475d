"""The reasons for a round's pairings: groups, floats, repeats, cost and the least possible cost."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext, gettext_lazy, ngettext
from msgspec import Struct

from league import ranking
from rules.desk import pairing
from rules.desk.acts import PairingWeighed, RematchForced, RoundDrawn
from rules.desk.formats import pods, swiss
from rules.desk.history import desks_paired
from rules.desk.standings import sheet_of
from rules.desk.state import BRACKETS, Desk, Table, made_by_hand, round_at, rounds_of
from rules.replay import Timeline

PARTS: dict[str, Any] = {
    "breaches": gettext_lazy("pairs that were not to meet"),
    "rematches": gettext_lazy("rematches"),
    "bye_group": gettext_lazy("score groups the bye lies above the lowest"),
    "squares": gettext_lazy("squared differences of points"),
    "floats": gettext_lazy("repeated floats"),
    "again": gettext_lazy("third and later meetings"),
    "repeats": gettext_lazy("repeated pairs"),
    "seats": gettext_lazy("seats had before"),
    "leans": gettext_lazy("lopsided seats"),
}


class CostPart(Struct, frozen=True):
    """One criterion of a round's cost, with the least possible value; the first weighs most.

    `cost`: that of the round. `least`: the least possible. `name`: the criterion, in words.
    """

    name: str
    cost: int
    least: int


@dataclass(frozen=True)
class Why:
    """The reasons for a round's pairings: `reasons` by table number, `byes` by entrant."""

    seed: int
    by_hand: bool
    parts: tuple[CostPart, ...]
    reasons: dict[int, tuple[str, ...]]
    byes: dict[int, str]
    proposed: tuple[tuple[int, ...], ...] = ()
    proposed_byes: tuple[int, ...] = ()
    forced: RematchForced | None = None

    @property
    def is_least(self) -> bool:
        return all(part.cost == part.least for part in self.parts)


def parts_of(desk: Desk, cost: Sequence[int], least: Sequence[int]) -> tuple[CostPart, ...]:
    """Name the criteria of a cost, which depend on the last stage's format."""
    kind = desk.stages[-1].setup.format
    names: tuple[str, ...] = {
        "swiss": swiss.Cost.__struct_fields__,
        "pods": pods.Cost.__struct_fields__,
    }.get(kind, ())
    return tuple(
        CostPart(str(PARTS[name]), mine, other)
        for name, mine, other in zip(names, cost, least, strict=False)
    )


def why(found: Timeline, version: int, desk: Desk, number: int) -> Why:
    """Return the reasons for a round's pairings, from the desk at a version.

    Points and entrants are those when it was paired; tables and byes get no reasons while results
    of earlier rounds are held back from the reader.
    """
    this_round = round_at(desk, number)
    before = desks_paired(found, version)[number - 1]
    is_shown = all(earlier.closed for earlier in desk.rounds[: number - 1])
    drawn, weighed, forced = _drawn(found, version, number)
    weights = weighed or drawn
    cost, least = (weights.cost, weights.least) if weights else ((), ())
    due = weighed.proposed_byes if weighed else this_round.byes
    return Why(
        seed=this_round.seed,
        by_hand=made_by_hand(this_round),
        parts=(*_left_out(weighed), *parts_of(before, cost, least)),
        reasons=reasons(before, this_round.tables, weighed) if is_shown else {},
        byes=byes(before, this_round.byes, due) if is_shown else {},
        proposed=weighed.proposed if weighed else (),
        proposed_byes=weighed.proposed_byes if weighed else (),
        forced=forced,
    )


def _left_out(weighed: PairingWeighed | None) -> Iterator[CostPart]:
    """Yield how many players a pairing by hand left without a table, if any."""
    if weighed and weighed.left_out:
        yield CostPart(gettext("players left without a table"), weighed.left_out, 0)


def _drawn(
    found: Timeline, version: int, number: int
) -> tuple[RoundDrawn | None, PairingWeighed | None, RematchForced | None]:
    """Return a round's events in the log: as drawn, as weighed since, and why it was forced."""
    drawn: RoundDrawn | None = None
    weighed: PairingWeighed | None = None
    forced: RematchForced | None = None
    current = 0
    for entry in found.history(version):
        for event in entry.consequences:
            match event:
                case RoundDrawn():
                    current = event.round
                    if current == number:
                        drawn = event
                case PairingWeighed() if current == number:
                    weighed = event
                case RematchForced() if current == number:
                    forced = event
    return drawn, weighed, forced


def reasons(
    before: Desk, tables: Sequence[Table], weighed: PairingWeighed | None = None
) -> dict[int, tuple[str, ...]]:
    """Describe for each table why its players meet; `weighed` is their round if made by hand."""
    kind, had = before.stages[-1].setup.format, _points(before)
    if kind == "swiss":
        known = {player.id: player for player in pairing.swiss_field(before).players}
        kept_apart = _kept_apart(before, weighed)
        return {
            table.number: tuple(_of_two(known, had, before, table, kept_apart)) for table in tables
        }
    if kind == "pods":
        seated = {player.id: player for player in pairing.pod_players(before)}
        return {table.number: tuple(_of_pod(seated, had, table)) for table in tables}
    words = {
        "round-robin": gettext("By the schedule of the round robin."),
        "multi-round-robin": gettext("By the design in which every two meet equally often."),
        "ladder": gettext("They are neighbours on the ladder."),
        "pod-elimination": gettext(
            "The best advance directly; the others are dealt back and forth."
        ),
    }.get(kind, gettext("By the bracket: earlier results lead to this match."))
    if kind in BRACKETS and not any(each.stage == len(before.stages) - 1 for each in before.rounds):
        words = gettext("First match of the bracket: the best seed meets the last.")
    proposed = {frozenset(players) for players in weighed.proposed} if weighed else None
    by_hand = gettext("Paired by hand.")
    return {
        table.number: (words if proposed is None or {*table.players} in proposed else by_hand,)
        for table in tables
    }


def _points(before: Desk) -> dict[int, Fraction]:
    """Return everybody's points in the stage, since pairing counts in units of its own."""
    sheet = sheet_of(before, len(before.stages) - 1)
    return {player: sheet.points(player) for player in sheet.parts}


def _kept_apart(before: Desk, weighed: PairingWeighed | None) -> dict[tuple[int, ...], str]:
    """Return for each pair that was not to meet what is said if they do."""
    text = gettext("They were not to meet, and no round was left without such a pair.")
    if weighed and not swiss.Cost(*weighed.least).breaches:
        text = gettext("They were not to meet.")
    return dict.fromkeys(before.forbidden, text)


def _of_two(
    known: dict[int, swiss.Player],
    had: dict[int, Fraction],
    before: Desk,
    table: Table,
    kept_apart: dict[tuple[int, ...], str],
) -> list[str]:
    if len(table.players) != 2 or not set(table.players) <= known.keys():
        return [gettext("Paired by hand with somebody who was not to be paired.")]
    one, two = (known[player] for player in table.players)
    less, more = sorted(had[player] for player in table.players)
    both = {"points": ranking.points(more), "points2": ranking.points(less)}
    many = 1 if more == 1 else 2
    sentences = []
    if less == more:
        text = ngettext("Both have {points} point.", "Both have {points} points.", many)
    else:
        text = ngettext("{points} point meets {points2}.", "{points} points meet {points2}.", many)
    sentences.append(text.format(**both))
    sentences += _ahead(before, table)
    sentences += _floats_again(one, two)
    if met := one.met.count(two.id):
        text = ngettext("They met {met} time before.", "They met {met} times before.", met)
        sentences.append(text.format(met=met))
    if said := kept_apart.get(tuple(sorted((one.id, two.id)))):
        sentences.append(said)
    return sentences


def _floats_again(one: swiss.Player, two: swiss.Player) -> Iterator[str]:
    """Describe who of a pair with different points floats the same way as in the round before."""
    if one.points == two.points:
        return
    for player in (one, two):
        if player.points == max(one.points, two.points):
            way, text = 1, gettext("{called} floats down a second time in a row.")
        else:
            way, text = -1, gettext("{called} floats up a second time in a row.")
        if player.floated == way:
            yield text.format(called=_called(player.id))


def _ahead(before: Desk, table: Table) -> Iterator[str]:
    """Describe who counts with extra points in an accelerated round."""
    stage = before.stages[-1]
    ahead = pairing.ahead_of(stage, 1 + len(rounds_of(before, len(before.stages) - 1)))
    counted = {ahead[player] for player in table.players if player in ahead}
    for points in counted:
        yield gettext("Accelerated: the better half of the seeds counts {points} more.").format(
            points=ranking.points(points)
        )


def _of_pod(known: dict[int, pods.Player], had: dict[int, Fraction], table: Table) -> list[str]:
    points = [had[player] for player in table.players if player in known]
    sentences = []
    if points:
        least, most = ranking.points(min(points)), ranking.points(max(points))
        text = gettext("From {points} to {points2} points.")
        sentences.append(text.format(points=least, points2=most))
    again = sum(
        two in known[one].met
        for place, one in enumerate(table.players)
        for two in table.players[place + 1 :]
        if one in known
    )
    sentences.append(
        ngettext("{again} pair met before.", "{again} pairs met before.", again).format(again=again)
        if again
        else gettext("No two of them met before.")
    )
    return sentences


def byes(before: Desk, chosen: Sequence[int], due: Collection[int]) -> dict[int, str]:
    """Describe for each bye why it was given; byes that are not `due` were given by hand."""
    by_hand = gettext("Given by hand.")
    kind = before.stages[-1].setup.format
    if kind not in ("swiss", "pods"):
        left = gettext("Nobody is left to meet.")
        return {player: left if player in due else by_hand for player in chosen}
    field = pairing.swiss_field(before).players if kind == "swiss" else pairing.pod_players(before)
    known = {player.id: player for player in field}
    counted = _points(before)
    fewest = min((each.byes for each in field), default=0)
    lowest = min((each.points for each in field if each.byes == fewest), default=0)
    found = {}
    for player in chosen:
        if player in known and player in due:
            had, points = known[player].byes, ranking.points(counted[player])
            text = _of_bye(kind, is_lowest=known[player].points == lowest)
            found[player] = text.format(had=had, points=points)
        else:
            found[player] = by_hand
    return found


def _of_bye(kind: str, *, is_lowest: bool) -> str:
    """Return the text that describes why the machine gave a bye."""
    if kind == "pods":
        return gettext(
            "Not everybody fits at the tables; of those with the fewest byes ({had}), the lowest"
            " take them (points: {points})."
        )
    if is_lowest:
        return gettext(
            "The field is odd; of those with the fewest byes ({had}), the lowest group takes it"
            " (points: {points})."
        )
    return gettext(
        "The field is odd; of those with the fewest byes ({had}), a higher group takes it (points:"
        " {points}): otherwise there would be more pairs who met before, or are not to meet."
    )


def of_proposal(desk: Desk, proposal: pairing.Proposal, seed: int) -> Why:
    """Return the reasons for a proposed round's pairings."""
    numbers = pairing.tables_for(desk, proposal.pairings)
    tables = [Table(n, players) for n, players in zip(numbers, proposal.pairings, strict=True)]
    return Why(
        seed=seed,
        by_hand=False,
        parts=parts_of(desk, proposal.cost, proposal.least),
        reasons=reasons(desk, tables),
        byes=byes(desk, proposal.byes, proposal.byes),
        forced=proposal.forced,
    )


def _called(number: int) -> str:
    return gettext("Entrant {number}").format(number=number)
