"""Direct encounters: the results of tied players among themselves."""

from collections.abc import Collection, Mapping, Sequence

from rules.desk.tiebreaks.base import Column, ScaledTerm, Sheet, Term, TieBreak, opened


class DirectEncounter(TieBreak, frozen=True):
    """The score among exactly those still tied.

    If all of them met, their table decides. If not, only a leader who cannot be caught by any
    missing result comes first; then the rest is compared again. `restart` makes those whom a table
    leaves equal compare in a table of their own.
    """

    name = "Direct encounter"
    clause = "C.07 6"
    restart: bool = True

    def among(self, sheet: Sheet, tied: Sequence[int]) -> Column:
        places = self._places(sheet, tuple(sorted(tied)))
        return Column({each: (len(tied) - place, 1) for each, place in places.items()})

    def terms(self, sheet: Sheet, player: int, tied: Sequence[int]) -> tuple[Term, ...]:
        return opened(_encounters(sheet, player, tied), sheet.unit)

    def _places(self, sheet: Sheet, tied: tuple[int, ...]) -> dict[int, int]:
        """Return everybody's place among the tied, equal numbers where nothing decides."""
        if len(tied) < 2:
            return dict.fromkeys(tied, 1)
        among = frozenset(tied)
        scores = {each: _score_among(sheet, each, among) for each in tied}
        if all(missing == 0 for _, missing in scores.values()):
            return self._by_table(sheet, {each: score for each, (score, _) in scores.items()})
        leader = max(tied, key=lambda each: scores[each][0])
        safe = all(
            scores[each][0] + scores[each][1] * sheet.win < scores[leader][0]
            for each in tied
            if each != leader
        )
        if not safe:
            return dict.fromkeys(tied, 1)
        rest = self._places(sheet, tuple(each for each in tied if each != leader))
        return {leader: 1} | {each: place + 1 for each, place in rest.items()}

    def _by_table(self, sheet: Sheet, scores: Mapping[int, int]) -> dict[int, int]:
        places: dict[int, int] = {}
        for score in sorted(set(scores.values()), reverse=True):
            equal = tuple(each for each, got in scores.items() if got == score)
            smaller = self.restart and len(equal) < len(scores)
            inner = self._places(sheet, equal) if smaller else dict.fromkeys(equal, 1)
            before = len(places)
            places |= {each: before + place for each, place in inner.items()}
        return places


def _encounters(sheet: Sheet, player: int, among: Collection[int]) -> list[ScaledTerm]:
    return [
        ScaledTerm(part.points, part.round, foe)
        for part in sheet.wholes[player]
        if part.played or (sheet.round_robin and part.foes)
        for foe in part.foes
        if foe in among
    ]


def _score_among(sheet: Sheet, player: int, among: frozenset[int]) -> tuple[int, int]:
    """Return the points against the other tied players, and how many of them were never met."""
    items = _encounters(sheet, player, among)
    faced = {item.who for item in items} - {player}
    return sum(item.value for item in items), len(among) - 1 - len(faced)


class WhoBeatWhom(TieBreak, frozen=True):
    """Who won between the two, if exactly two are tied."""

    name = "Who beat whom"
    clause = "as debate leagues use it"

    def among(self, sheet: Sheet, tied: Sequence[int]) -> Column:
        points = {each: sum(i.value for i in _between(sheet, each, tied)) for each in tied}
        return Column({each: (got, sheet.unit) for each, got in points.items()})

    def terms(self, sheet: Sheet, player: int, tied: Sequence[int]) -> tuple[Term, ...]:
        return opened(_between(sheet, player, tied), sheet.unit)


def _between(sheet: Sheet, player: int, tied: Sequence[int]) -> list[ScaledTerm]:
    return _encounters(sheet, player, tied) if len(tied) == 2 else []
