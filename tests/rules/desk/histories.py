"""Random Swiss tournaments with drops, late entries and byes, every round checked separately.

The checker knows who met whom and everyone's points. With a plain matching of its own it minimizes
in order: the rematches, then the rank of the player with the bye, then the sum of squares.
"""

from collections import Counter
from collections.abc import Iterable

import msgspec
import rustworkx

from rules.bots import Stream
from rules.desk.formats.swiss import Drawn, Field, Player, pair

BIG = 1 << 40


class Avoidable(AssertionError):
    """A round that could have been paired better."""


def run(seed: str, most: int = 64) -> Counter[str]:
    """Play a random tournament and check every round; return what it covered.

    Raises: Avoidable.
    """
    pick = Stream(seed)
    players = {i: Player(id=i) for i in range(1, 3 + pick(most - 1))}
    rounds = 1 + pick(9)
    seen: Counter[str] = Counter(tournaments=1)
    for number in range(rounds):
        field = Field(tuple(players.values()))
        drawn = pair(field, number)
        seen += check(field, drawn)
        players = after(players, drawn, pick)
        if pick(3) == 0 and len(players) > 2:
            del players[pick.choice(list(players))]
            seen["drops"] += 1
        if pick(4) == 0 and len(players) < most:
            players[1000 + number] = Player(id=1000 + number)
            seen["late entries"] += 1
        if pick(5) == 0:
            asked = pick.choice(list(players))
            players[asked] = msgspec.structs.replace(players[asked], byes=players[asked].byes + 1)
            seen["byes asked for"] += 1
    return seen


def after(players: dict[int, Player], drawn: Drawn, pick: Stream) -> dict[int, Player]:
    """Return all players after a round with random results."""
    done = {each: msgspec.structs.replace(p, floated=0) for each, p in players.items()}
    for each in drawn.pairs:
        points = ((3, 0), (0, 3), (3, 0), (0, 3), (1, 1))[pick(5)]
        for i, (one, two) in enumerate((each.players, each.players[::-1])):
            before = done[one]
            done[one] = msgspec.structs.replace(
                before,
                points=before.points + points[i],
                met=(*before.met, two),
                floated=each.floats[i],
                firsts=before.firsts + 1 - 2 * i,
            )
    if drawn.bye is not None:
        before = done[drawn.bye]
        done[drawn.bye] = msgspec.structs.replace(
            before, points=before.points + 3, byes=before.byes + 1, floated=1
        )
    return done


def check(field: Field, drawn: Drawn) -> Counter[str]:
    """Check a round and return what it covered. Raises: Avoidable."""
    players = {player.id: player for player in field.players}
    seated = [each for table in drawn.pairs for each in table.players]
    byes = [] if drawn.bye is None else [drawn.bye]
    if sorted([*seated, *byes]) != sorted(players) or len(byes) != len(players) % 2:
        raise Avoidable("somebody is missing, or sits twice")
    rematches = sum(two in players[one].met for one, two in (e.players for e in drawn.pairs))
    squares = sum((players[a].points - players[b].points) ** 2 for a, b in _pairs(drawn))
    bye = drawn.bye
    takers: list[int | None] = [None]
    if bye is not None:
        fewest = min(player.byes for player in field.players)
        if players[bye].byes > fewest:
            raise Avoidable("a second bye while another had none")
        takers = [player.id for player in field.players if player.byes == fewest]
    if rematches and rematches > min(least_squares(field, each)[0] for each in takers):
        raise Avoidable(f"{rematches} rematches, and fewer were possible")
    for taker in takers:
        lower = players[taker].points - players[bye].points if taker and bye else 0
        if lower <= 0:
            possible = least_squares(field, taker)
            if (lower < 0 and rematches >= possible[0]) or (rematches, squares) > possible:
                raise Avoidable(f"{rematches} rematches and {squares}, {possible} with bye {taker}")
    return Counter({"rounds": 1, "byes": len(byes), "rounds with a rematch": int(rematches > 0)})


def _pairs(drawn: Drawn) -> Iterable[tuple[int, int]]:
    return (each.players for each in drawn.pairs)


def least_squares(field: Field, bye: int | None) -> tuple[int, int]:
    """Return the fewest rematches and then the least squares of a round with this bye."""
    there = [player for player in field.players if player.id != bye]
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
    graph.add_nodes_from(range(len(there)))
    graph.add_edges_from(
        [
            (i, j, (two.id in one.met) * BIG + (one.points - two.points) ** 2)
            for i, one in enumerate(there)
            for j, two in enumerate(there[i + 1 :], i + 1)
        ]
    )
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=lambda w: -w)
    cost = sum(graph.get_edge_data(i, j) for i, j in matched)
    return divmod(cost, BIG)
