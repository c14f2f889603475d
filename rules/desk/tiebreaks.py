"""Tie-breaks: one small class each, as exact fractions that open into their terms.

A `Sheet` holds what everybody did, round by round. `rank` puts players in order by points and
then by a list of tie-breaks, named by their codes in `TIEBREAKS`; what is still equal then is
drawn by lot, by a seed that is stored.

Rule: MTR C (Magic tournament rules, appendix C) · C.07 (FIDE, tie-break regulations; `@2024` is
the text of 1 August 2024, the others that of 1 March 2026) · or as said where there is none.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Literal, Protocol

import msgspec

from rules.desk.formats import chance

HALF = Fraction(1, 2)
THIRD = Fraction(1, 3)
QUARTER = Fraction(1, 4)
ZERO = Fraction(0)

Kind = Literal[
    "played",
    "bye",
    "full-bye",
    "half-bye",
    "zero-bye",
    "won-by-forfeit",
    "lost-by-forfeit",
    "absent",
]
"""How a round went for one player.

`bye`: given by the pairing; the next three were asked for. `absent`: not in the tournament,
before a late entry or after a drop.
"""

ASKED_FOR: tuple[Kind, ...] = ("half-bye", "zero-bye", "absent")
VOLUNTARY: tuple[Kind, ...] = (*ASKED_FOR, "lost-by-forfeit")


class Part(msgspec.Struct, frozen=True):
    """What one player did in one round.

    `points` were awarded for it. `result` is 1, 1/2 or 0; at a table of more, the share of the
    others that were beaten, ties half. `foes` are those met, or those that were to be met in a
    forfeit. `games` were won, lost and drawn. `seat` counts from 1. `score` and `best` are
    what was scored at the table and what its winner scored. `place` among `size`.
    """

    round: int
    kind: Kind = "played"
    points: Fraction = ZERO
    result: Fraction = ZERO
    foes: tuple[int, ...] = ()
    games: tuple[int, int, int] = (0, 0, 0)
    seat: int = 0
    score: Fraction = ZERO
    best: Fraction = ZERO
    place: int = 0
    size: int = 2

    @property
    def played(self) -> bool:
        return self.kind == "played"


class Term(msgspec.Struct, frozen=True, omit_defaults=True):
    """One part of a number: whom or which round it comes from, and whether it counts.

    `of` is what could have been had, where the number is a share. `why` says what was done to
    it: `as-draw`, `dummy`, `capped`, `raised`, `cut`.
    """

    value: Fraction
    who: int = 0
    round: int = 0
    of: Fraction = ZERO
    counted: bool = True
    why: str = ""


class Value(msgspec.Struct, frozen=True, omit_defaults=True):
    """A number and how it came about; None when there is nothing to count, which ranks last.

    `how` the counted terms make it: their sum, their mean, or the share of what could be had.
    A share below `floor` was raised to it.
    """

    number: Fraction | None
    terms: tuple[Term, ...] = ()
    how: Literal["sum", "mean", "share"] = "sum"
    floor: Fraction = ZERO


def summed(terms: Iterable[Term]) -> Value:
    found = tuple(terms)
    return Value(sum((term.value for term in found if term.counted), ZERO), found)


def averaged(terms: Iterable[Term]) -> Value:
    found = tuple(terms)
    counted = [term.value for term in found if term.counted]
    return Value(sum(counted, ZERO) / len(counted) if counted else None, found, "mean")


def shared(terms: Iterable[Term], floor: Fraction = ZERO) -> Value:
    found = tuple(terms)
    possible = sum((term.of for term in found if term.counted), ZERO)
    if not possible:
        return Value(None, found, "share", floor)
    got = sum((term.value for term in found if term.counted), ZERO)
    return Value(max(floor, got / possible), found, "share", floor)


class Sheet:
    """What everybody did. `parts` by player, in the order of rounds; one for every round.

    `win` and `draw` are the points for them, `game_win` and `game_draw` those for a game.
    `rounds` is how many were played so far. `seed` draws the lots.
    """

    def __init__(
        self,
        parts: Mapping[int, Sequence[Part]],
        *,
        win: int | Fraction = 3,
        draw: int | Fraction = 1,
        game_win: int = 3,
        game_draw: int = 1,
        ratings: Mapping[int, int] | None = None,
        round_robin: bool = False,
        seed: int = 0,
    ) -> None:
        self.parts = {player: tuple(each) for player, each in parts.items()}
        self.win, self.draw = Fraction(win), Fraction(draw)
        self.game_win, self.game_draw = game_win, game_draw
        self.ratings = dict(ratings or {})
        self.round_robin = round_robin
        self.seed = seed
        self.rounds = max((part.round for each in self.parts.values() for part in each), default=0)
        self._known: dict[Any, Any] = {}

    def known(self, key: Any, work: Callable[[], Any]) -> Any:
        """Return what was worked out before under a key."""
        if key not in self._known:
            self._known[key] = work()
        return self._known[key]

    def points(self, player: int) -> Fraction:
        found: Fraction = self.known(
            ("points", player), lambda: sum((p.points for p in self.parts[player]), ZERO)
        )
        return found

    def met(self, player: int) -> list[Part]:
        """Return the rounds in which somebody really played."""
        return [part for part in self.parts[player] if part.played]

    def foes(self, player: int) -> list[tuple[int, int]]:
        """Return everybody really faced, once for each meeting, with the round."""
        return [(foe, part.round) for part in self.met(player) for foe in part.foes]

    def with_parts(self, parts: Mapping[int, Sequence[Part]]) -> "Sheet":
        return Sheet(
            parts,
            win=self.win,
            draw=self.draw,
            game_win=self.game_win,
            game_draw=self.game_draw,
            ratings=self.ratings,
            round_robin=self.round_robin,
            seed=self.seed,
        )


class TieBreak(Protocol):
    """A way to tell apart who is equal. `low_wins`: less is better."""

    @property
    def name(self) -> str: ...
    @property
    def clause(self) -> str: ...
    @property
    def low_wins(self) -> bool: ...

    def of(self, sheet: Sheet, player: int, tied: Sequence[int]) -> Value:
        """Return the number of one player among those it is `tied` with."""


class Break(msgspec.Struct, frozen=True):
    """What tie-breaks have in common. Most are the same whoever is tied."""

    name: ClassVar[str] = ""
    clause: ClassVar[str] = ""
    low_wins: ClassVar[bool] = False

    def of(self, sheet: Sheet, player: int, tied: Sequence[int]) -> Value:
        found: Value = sheet.known((self, player), lambda: self.alone(sheet, player))
        return found

    def alone(self, sheet: Sheet, player: int) -> Value:
        raise NotImplementedError

    def number(self, sheet: Sheet, player: int) -> Fraction | None:
        return self.of(sheet, player, (player,)).number

    def over_foes(self, sheet: Sheet, player: int) -> list[Term]:
        """Return the number of everybody really faced."""
        found = []
        for foe, number in sheet.foes(player):
            value = self.number(sheet, foe)
            if value is not None:
                found.append(Term(value, who=foe, round=number))
        return found


# -- card games -----------------------------------------------------------------------


class MatchWin(Break, frozen=True):
    """Match points as a share of those that could be had, byes and all until a drop."""

    name = "Match-win percentage"
    clause = "MTR C"
    floor: Fraction = THIRD
    by_rounds: bool = False

    def alone(self, sheet: Sheet, player: int) -> Value:
        return shared(
            (
                Term(part.points, round=part.round, of=sheet.win)
                for part in sheet.parts[player]
                if self.by_rounds or part.kind != "absent"
            ),
            self.floor,
        )


class OpponentsMatchWin(Break, frozen=True):
    """The mean of the match-win percentages of everybody faced; byes face nobody."""

    name = "Opponents' match-win percentage"
    clause = "MTR C"
    floor: Fraction = THIRD

    def alone(self, sheet: Sheet, player: int) -> Value:
        return averaged(MatchWin(self.floor).over_foes(sheet, player))


class OpponentsOpponentsMatchWin(Break, frozen=True):
    """The mean of the opponents' match-win percentages of everybody faced."""

    name = "Opponents' opponents' match-win percentage"
    clause = "as used by several card games"
    floor: Fraction = THIRD

    def alone(self, sheet: Sheet, player: int) -> Value:
        return averaged(OpponentsMatchWin(self.floor).over_foes(sheet, player))


class GameWin(Break, frozen=True):
    """Game points as a share of those that could be had. The floor depends on the year."""

    name = "Game-win percentage"
    clause = "MTR C"
    floor: Fraction = ZERO

    def alone(self, sheet: Sheet, player: int) -> Value:
        terms = []
        for part in sheet.parts[player]:
            won, _, drawn = part.games
            points = won * sheet.game_win + drawn * sheet.game_draw
            possible = Fraction(sum(part.games) * sheet.game_win)
            terms.append(Term(Fraction(points), round=part.round, of=possible))
        return shared(terms, self.floor)


class OpponentsGameWin(Break, frozen=True):
    """The mean of the game-win percentages of everybody faced, each at least the floor."""

    name = "Opponents' game-win percentage"
    clause = "MTR C"
    floor: Fraction = THIRD

    def alone(self, sheet: Sheet, player: int) -> Value:
        return averaged(GameWin(self.floor).over_foes(sheet, player))


class Strength(Break, frozen=True):
    """Points a round really played, byes on neither side. Its mean over opponents is SoS."""

    name = "Points a match, without byes"
    clause = "Netrunner and FFG tournament rules"

    def alone(self, sheet: Sheet, player: int) -> Value:
        return averaged(Term(part.points, round=part.round) for part in sheet.met(player))


class StrengthOfSchedule(Break, frozen=True):
    """The mean of the points a match of everybody faced."""

    name = "Strength of schedule"
    clause = "Netrunner and FFG tournament rules"

    def alone(self, sheet: Sheet, player: int) -> Value:
        return averaged(Strength().over_foes(sheet, player))


class ExtendedStrengthOfSchedule(Break, frozen=True):
    """The mean of the strength of schedule of everybody faced."""

    name = "Extended strength of schedule"
    clause = "Netrunner and FFG tournament rules"

    def alone(self, sheet: Sheet, player: int) -> Value:
        return averaged(StrengthOfSchedule().over_foes(sheet, player))


class PointsPerMatch(Break, frozen=True):
    """Points for each match counted, byes among them."""

    name = "Points per match"
    clause = "as said"

    def alone(self, sheet: Sheet, player: int) -> Value:
        counted = (part for part in sheet.parts[player] if part.kind != "absent")
        return averaged(Term(part.points, round=part.round) for part in counted)


class PointsPerGame(Break, frozen=True):
    """Points for each round really played; nothing before there were `least`."""

    name = "Points per game"
    clause = "as said"
    least: int = 1

    def alone(self, sheet: Sheet, player: int) -> Value:
        found = averaged(Term(part.points, round=part.round) for part in sheet.met(player))
        if len(found.terms) < self.least:
            return msgspec.structs.replace(found, number=None)
        return found


# -- chess ----------------------------------------------------------------------------


def category(sheet: Sheet, player: int, part: Part) -> int:
    """Return the category of an unplayed round, 0 for one that counts as played.

    1 a bye of the pairing or a full-point bye; 2 a win by forfeit; 3 a bye asked for, with a
    later round that is no voluntary absence; 4 a loss by forfeit; 5 a bye asked for with
    nothing after it but such absences, or in the last round.

    Rule: C.07 16.2.
    """
    match part.kind:
        case "played":
            return 0
        case "bye" | "full-bye":
            return 1
        case "won-by-forfeit":
            return 0 if sheet.round_robin else 2
        case "lost-by-forfeit":
            return 0 if sheet.round_robin else 4
    later = [each for each in sheet.parts[player] if each.round > part.round]
    return 3 if any(each.kind not in VOLUNTARY for each in later) else 5


class AdjustedScore(Break, frozen=True):
    """The score somebody counts with in the sums of others. Rule: C.07 16.3."""

    name = "Adjusted score"
    clause = "C.07 16.3"

    def alone(self, sheet: Sheet, player: int) -> Value:
        terms = []
        for part in sheet.parts[player]:
            if category(sheet, player, part) == 5 and not sheet.round_robin:
                terms.append(Term(sheet.draw, round=part.round, why="as-draw"))
            else:
                terms.append(Term(part.points, round=part.round))
        return summed(terms)


class _Contribution(msgspec.Struct, frozen=True):
    """What a round brings to a sum over opponents."""

    part: Part
    foe: int
    score: Fraction
    why: str = ""

    @property
    def term(self) -> Term:
        return Term(self.score, who=self.foe, round=self.part.round, why=self.why)


def _contributions(sheet: Sheet, player: int, edition: int) -> list[_Contribution]:
    """Return the score each opponent brings, an unplayed round by a dummy.

    The dummy has the player's own score; since 2026 no more than the scheduled opponent's
    adjusted one in a forfeit, and no more than a draw a round otherwise.

    Rule: C.07 16.4.
    """
    adjusted = AdjustedScore()
    found = []
    for part in sheet.parts[player]:
        if not category(sheet, player, part):
            found += [_Contribution(part, f, adjusted.number(sheet, f) or ZERO) for f in part.foes]
            continue
        own, cap = sheet.points(player), None
        if edition >= 2026:
            cap = sheet.draw * sheet.rounds
            if part.foes:
                cap = adjusted.number(sheet, part.foes[0])
        why = "dummy" if cap is None or own <= cap else "capped"
        score = own if cap is None else min(own, cap)
        found.append(_Contribution(part, 0, score, why))
    return found


def _cut(terms: Sequence[tuple[Part, Term, Fraction]], low: int, high: int) -> list[Term]:
    """Leave out the least and the greatest terms; each comes with what it is compared by.

    A round that was left unplayed by choice is cut before any other. Rule: C.07 14, 16.5.
    """
    out: set[int] = set()
    for _ in range(min(low, len(terms))):
        left = [i for i in range(len(terms)) if i not in out]
        by_choice = [i for i in left if terms[i][0].kind in VOLUNTARY]
        out.add(min(by_choice or left, key=lambda i: (terms[i][2], terms[i][1].value)))
    for _ in range(min(high, len(terms) - len(out))):
        left = [i for i in range(len(terms)) if i not in out]
        out.add(max(left, key=lambda i: (terms[i][2], terms[i][1].value)))
    return [
        msgspec.structs.replace(term, counted=False, why="cut") if i in out else term
        for i, (_, term, _) in enumerate(terms)
    ]


class Buchholz(Break, frozen=True):
    """The sum of the opponents' scores, the `low` least and `high` greatest left out."""

    name = "Buchholz"
    clause = "C.07 8.1, 14, 16"
    low: int = 0
    high: int = 0
    edition: int = 2026

    def alone(self, sheet: Sheet, player: int) -> Value:
        found = _contributions(sheet, player, self.edition)
        return summed(_cut([(c.part, c.term, c.score) for c in found], self.low, self.high))


class AverageBuchholz(Break, frozen=True):
    """The mean of the Buchholz of everybody met over the board."""

    name = "Average of opponents' Buchholz"
    clause = "C.07 8.2"
    edition: int = 2026

    def alone(self, sheet: Sheet, player: int) -> Value:
        return averaged(Buchholz(edition=self.edition).over_foes(sheet, player))


class ForeBuchholz(Break, frozen=True):
    """Buchholz as if every game paired in the last round were drawn."""

    name = "Fore Buchholz"
    clause = "C.07 8.3"
    edition: int = 2026

    def alone(self, sheet: Sheet, player: int) -> Value:
        before: Sheet = sheet.known("fore", lambda: self._drawn(sheet))
        return Buchholz(edition=self.edition).of(before, player, (player,))

    @staticmethod
    def _drawn(sheet: Sheet) -> Sheet:
        replace = msgspec.structs.replace
        return sheet.with_parts(
            {
                player: [
                    replace(part, kind="played", points=sheet.draw, result=HALF)
                    if part.round == sheet.rounds and part.foes
                    else part
                    for part in parts
                ]
                for player, parts in sheet.parts.items()
            }
        )


class SonnebornBerger(Break, frozen=True):
    """The opponents' scores, whole for those beaten and half for draws.

    A cut leaves out the lowest-scoring opponent, of several the one that brought least.
    """

    name = "Sonneborn-Berger"
    clause = "C.07 9.1, 14, 16"
    low: int = 0
    edition: int = 2026

    def alone(self, sheet: Sheet, player: int) -> Value:
        terms = []
        for each in _contributions(sheet, player, self.edition):
            raw = sheet.round_robin and each.foe
            score = sheet.points(each.foe) if raw else each.score
            term = msgspec.structs.replace(each.term, value=score * each.part.result)
            terms.append((each.part, term, score))
        return summed(_cut(terms, self.low, 0))


class Progressive(Break, frozen=True):
    """The sum of the scores after each round; a cut leaves out the first rounds."""

    name = "Progressive score"
    clause = "C.07 7.5"
    low: int = 0

    def alone(self, sheet: Sheet, player: int) -> Value:
        terms, running = [], ZERO
        for number, part in enumerate(sheet.parts[player]):
            running += part.points
            cut = number < self.low
            terms.append(Term(running, round=part.round, counted=not cut, why="cut" if cut else ""))
        return summed(terms)


class Counted(Break, frozen=True):
    """How many rounds were so."""

    def counts(self, sheet: Sheet, part: Part) -> bool:
        raise NotImplementedError

    def alone(self, sheet: Sheet, player: int) -> Value:
        return summed(
            Term(Fraction(1), round=part.round, who=part.foes[0] if part.foes else 0)
            for part in sheet.parts[player]
            if self.counts(sheet, part)
        )


class Wins(Counted, frozen=True):
    """Rounds with the points of a win, forfeits and the pairing's byes among them."""

    name = "Number of wins"
    clause = "C.07 7.1"

    def counts(self, sheet: Sheet, part: Part) -> bool:
        won = part.kind in ("bye", "won-by-forfeit") or (part.played and part.result == 1)
        return won and part.points >= sheet.win


class WinsPlayed(Counted, frozen=True):
    """Games won over the board."""

    name = "Games won over the board"
    clause = "C.07 7.2"

    def counts(self, sheet: Sheet, part: Part) -> bool:
        return part.played and part.result == 1


class BlackGames(Counted, frozen=True):
    """Games played with black, the second seat."""

    name = "Games with black"
    clause = "C.07 7.3"

    def counts(self, sheet: Sheet, part: Part) -> bool:
        return part.played and part.seat == 2


class BlackWins(Counted, frozen=True):
    """Games won with black, the second seat."""

    name = "Wins with black"
    clause = "C.07 7.4"

    def counts(self, sheet: Sheet, part: Part) -> bool:
        return part.played and part.seat == 2 and part.result == 1


class Koya(Break, frozen=True):
    """Points against those who have at least half of the points there were."""

    name = "Koya"
    clause = "C.07 9.2"

    def alone(self, sheet: Sheet, player: int) -> Value:
        half = sheet.win * sheet.rounds / 2
        terms = []
        for part in sheet.parts[player]:
            if category(sheet, player, part):
                continue
            for foe in part.foes:
                strong = sheet.points(foe) >= half
                terms.append(Term(part.points, who=foe, round=part.round, counted=strong))
        return summed(terms)


class DirectEncounter(Break, frozen=True):
    """The score among exactly those still tied.

    When all of them met, their table decides. When not, only who can not be caught by any
    result that is missing comes first; then the rest is looked at again. `restart` makes those
    whom a table leaves equal look at a table of their own.
    """

    name = "Direct encounter"
    clause = "C.07 6"
    restart: bool = True

    def of(self, sheet: Sheet, player: int, tied: Sequence[int]) -> Value:
        among = tuple(sorted(tied))
        places: dict[int, int] = sheet.known((self, among), lambda: self._places(sheet, among))
        terms = tuple(_encounters(sheet, player, among))
        return Value(Fraction(len(among) - places[player]), terms)

    def _places(self, sheet: Sheet, tied: tuple[int, ...]) -> dict[int, int]:
        """Return everybody's place among the tied, equal numbers where nothing tells."""
        if len(tied) < 2:
            return dict.fromkeys(tied, 1)
        scores = {each: _score_among(sheet, each, tied) for each in tied}
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

    def _by_table(self, sheet: Sheet, scores: Mapping[int, Fraction]) -> dict[int, int]:
        places: dict[int, int] = {}
        for score in sorted(set(scores.values()), reverse=True):
            equal = tuple(each for each, got in scores.items() if got == score)
            smaller = self.restart and len(equal) < len(scores)
            inner = self._places(sheet, equal) if smaller else dict.fromkeys(equal, 1)
            before = len(places)
            places |= {each: before + place for each, place in inner.items()}
        return places


def _encounters(sheet: Sheet, player: int, among: Sequence[int]) -> list[Term]:
    return [
        Term(part.points, who=foe, round=part.round)
        for part in sheet.parts[player]
        if part.played or (sheet.round_robin and part.foes)
        for foe in part.foes
        if foe in among
    ]


def _score_among(sheet: Sheet, player: int, among: Sequence[int]) -> tuple[Fraction, int]:
    """Return the points against those tied, and how many of them were never met."""
    terms = _encounters(sheet, player, among)
    faced = {term.who for term in terms}
    missing = len([each for each in among if each != player and each not in faced])
    return sum((term.value for term in terms), ZERO), missing


class WhoBeatWhom(Break, frozen=True):
    """Who won between the two, where exactly two are tied."""

    name = "Who beat whom"
    clause = "as debate leagues use it"

    def of(self, sheet: Sheet, player: int, tied: Sequence[int]) -> Value:
        return summed(_encounters(sheet, player, tied) if len(tied) == 2 else ())


class RatingAverage(Break, frozen=True):
    """The mean rating of everybody met over the board, the lowest left out by a cut."""

    name = "Average rating of opponents"
    clause = "C.07 10.1"
    low: int = 0

    def alone(self, sheet: Sheet, player: int) -> Value:
        parts = [(part, foe) for part in sheet.met(player) for foe in part.foes]
        ratings = [(p, Fraction(sheet.ratings.get(foe, 0)), foe) for p, foe in parts]
        terms = [(p, Term(r, who=foe, round=p.round), r) for p, r, foe in ratings]
        found = averaged(_cut(terms, self.low, 0))
        rounded = None if found.number is None else _rounded(found.number)
        return msgspec.structs.replace(found, number=rounded)


class PerformanceRating(Break, frozen=True):
    """The average rating of opponents, and what the score against them adds."""

    name = "Tournament performance rating"
    clause = "C.07 10.2; B.02 8.1.1"

    def alone(self, sheet: Sheet, player: int) -> Value:
        average = RatingAverage().number(sheet, player)
        parts = sheet.met(player)
        if average is None:
            return Value(None)
        share = sum((part.result for part in parts), ZERO) / len(parts)
        return summed((Term(average, why="average"), Term(Fraction(expected(share)), why="score")))


class AveragePerformance(Break, frozen=True):
    """The mean performance rating of everybody met over the board."""

    name = "Average performance rating of opponents"
    clause = "C.07 10.3"

    def alone(self, sheet: Sheet, player: int) -> Value:
        found = averaged(PerformanceRating().over_foes(sheet, player))
        rounded = None if found.number is None else _rounded(found.number)
        return msgspec.structs.replace(found, number=rounded)


DIFFERENCES = (
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149,
    158, 166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336,
    351, 366, 383, 401, 422, 444, 470, 501, 538, 589, 677, 800,
)  # fmt: skip
"""The rating difference that each hundredth of a score above one half stands for."""


def expected(share: Fraction) -> int:
    """Return the rating difference that a share of the points stands for. Rule: B.02 8.1.1."""
    hundredths = int(_rounded(share * 100))
    return DIFFERENCES[hundredths - 50] if hundredths >= 50 else -DIFFERENCES[50 - hundredths]


def _rounded(number: Fraction) -> Fraction:
    """Return the nearest whole number, a half upwards."""
    return Fraction((number + HALF).__floor__())


# -- debates, wargames, e-sports ------------------------------------------------------


class DrawStrength(Break, frozen=True):
    """The sum of the wins of everybody faced."""

    name = "Draw strength"
    clause = "as debate leagues use it"

    def alone(self, sheet: Sheet, player: int) -> Value:
        return summed(Wins().over_foes(sheet, player))


class WinsStrength(Break, frozen=True):
    """The mean share of rounds won of everybody faced."""

    name = "Wins strength of schedule"
    clause = "as wargame leagues use it"

    def alone(self, sheet: Sheet, player: int) -> Value:
        terms = []
        for foe, number in sheet.foes(player):
            played = len(sheet.met(foe))
            won = WinsPlayed().number(sheet, foe) or ZERO
            terms.append(Term(won / played, who=foe, round=number))
        return averaged(terms)


class BattlePoints(Break, frozen=True):
    """All that was scored at the tables."""

    name = "Battle points"
    clause = "as wargame leagues use it"

    def alone(self, sheet: Sheet, player: int) -> Value:
        return summed(Term(part.score, round=part.round) for part in sheet.parts[player])


class GameDifference(Break, frozen=True):
    """Games won, less games lost."""

    name = "Game difference"
    clause = "as said"

    def alone(self, sheet: Sheet, player: int) -> Value:
        return summed(
            Term(Fraction(part.games[0] - part.games[1]), round=part.round)
            for part in sheet.parts[player]
        )


class MedianScore(Break, frozen=True):
    """The scores of everybody faced, without the best and the worst of them."""

    name = "Median of opponents' scores"
    clause = "as brackets on the web use it"

    def alone(self, sheet: Sheet, player: int) -> Value:
        terms = []
        for part in sheet.met(player):
            for foe in part.foes:
                score = sheet.points(foe)
                terms.append((part, Term(score, who=foe, round=part.round), score))
        return summed(_cut(terms, 1, 1))


# -- tables of three and more ---------------------------------------------------------


class Placed(Counted, frozen=True):
    """How often somebody came in a place."""

    name = "Times in a place"
    clause = "as said"
    place: int = 1

    def counts(self, sheet: Sheet, part: Part) -> bool:
        return part.played and part.place == self.place


class ShareBeaten(Break, frozen=True):
    """Opponents beaten as a share of those faced, ties half; the same at any size of table."""

    name = "Share of opponents beaten"
    clause = "as said"

    def alone(self, sheet: Sheet, player: int) -> Value:
        return shared(
            Term(part.result * len(part.foes), round=part.round, of=Fraction(len(part.foes)))
            for part in sheet.met(player)
        )


class NormalisedPlace(Break, frozen=True):
    """The mean of (k - place) / (k - 1) at tables of k."""

    name = "Normalised place"
    clause = "as said"

    def alone(self, sheet: Sheet, player: int) -> Value:
        return averaged(
            Term(Fraction(part.size - part.place, part.size - 1), round=part.round)
            for part in sheet.met(player)
            if part.size > 1 and part.place
        )


class WinnersShare(Break, frozen=True):
    """The mean of the score as a share of the winner's."""

    name = "Share of the winner's score"
    clause = "as said"

    def alone(self, sheet: Sheet, player: int) -> Value:
        return averaged(
            Term(part.score / part.best, round=part.round)
            for part in sheet.met(player)
            if part.best > 0
        )


class SeatBalance(Break, frozen=True):
    """How much oftener somebody had one seat than another. Less is better."""

    name = "Seat balance"
    clause = "as said"
    low_wins = True

    def alone(self, sheet: Sheet, player: int) -> Value:
        parts = [part for part in sheet.met(player) if part.seat]
        size = max((part.size for part in parts), default=0)
        had = [sum(part.seat == seat for part in parts) for seat in range(1, size + 1)]
        if not had:
            return summed(())
        return summed(
            (Term(Fraction(max(had)), why="most"), Term(Fraction(-min(had)), why="least"))
        )


class SeatLean(Break, frozen=True):
    """How far to the back somebody sat, over tables of any size: the mean of (seat - 1/2) / k."""

    name = "Relative seat"
    clause = "as said"

    def alone(self, sheet: Sheet, player: int) -> Value:
        return averaged(
            Term((part.seat - HALF) / part.size, round=part.round)
            for part in sheet.met(player)
            if part.seat
        )


class ByLot(Break, frozen=True):
    """A number drawn by the stored seed: the last word, and the same for ever."""

    name = "Drawn by lot"
    clause = "as said"

    def alone(self, sheet: Sheet, player: int) -> Value:
        drawn = Fraction(chance.number(sheet.seed, "lot", player))
        return Value(drawn, (Term(drawn, why="lot"),))


TIEBREAKS: Mapping[str, TieBreak] = {
    "mw": MatchWin(),
    "mw-quarter": MatchWin(QUARTER),
    "mw-bare": MatchWin(ZERO),
    "mw-rounds": MatchWin(THIRD, by_rounds=True),
    "omw": OpponentsMatchWin(),
    "omw-quarter": OpponentsMatchWin(QUARTER),
    "omw-bare": OpponentsMatchWin(ZERO),
    "oomw": OpponentsOpponentsMatchWin(),
    "oomw-quarter": OpponentsOpponentsMatchWin(QUARTER),
    "gw": GameWin(),
    "gw-third": GameWin(THIRD),
    "ogw": OpponentsGameWin(),
    "sos": StrengthOfSchedule(),
    "xsos": ExtendedStrengthOfSchedule(),
    "ppm": PointsPerMatch(),
    "ppg": PointsPerGame(),
    "bh": Buchholz(),
    "bh-c1": Buchholz(low=1),
    "bh-c2": Buchholz(low=2),
    "bh-m1": Buchholz(low=1, high=1),
    "bh-m2": Buchholz(low=2, high=2),
    "aob": AverageBuchholz(),
    "fb": ForeBuchholz(),
    "sb": SonnebornBerger(),
    "sb-c1": SonnebornBerger(low=1),
    "bh@2024": Buchholz(edition=2024),
    "bh-c1@2024": Buchholz(low=1, edition=2024),
    "bh-c2@2024": Buchholz(low=2, edition=2024),
    "bh-m1@2024": Buchholz(low=1, high=1, edition=2024),
    "bh-m2@2024": Buchholz(low=2, high=2, edition=2024),
    "aob@2024": AverageBuchholz(2024),
    "fb@2024": ForeBuchholz(2024),
    "sb@2024": SonnebornBerger(edition=2024),
    "sb-c1@2024": SonnebornBerger(low=1, edition=2024),
    "ps": Progressive(),
    "ps-c1": Progressive(low=1),
    "win": Wins(),
    "won": WinsPlayed(),
    "bpg": BlackGames(),
    "bwg": BlackWins(),
    "ks": Koya(),
    "de": DirectEncounter(),
    "de-continue": DirectEncounter(restart=False),
    "wbw": WhoBeatWhom(),
    "aro": RatingAverage(),
    "aro-c1": RatingAverage(low=1),
    "tpr": PerformanceRating(),
    "apro": AveragePerformance(),
    "ds": DrawStrength(),
    "wins-sos": WinsStrength(),
    "battle": BattlePoints(),
    "games": GameDifference(),
    "median": MedianScore(),
    "firsts": Placed(),
    "seconds": Placed(place=2),
    "thirds": Placed(place=3),
    "beaten": ShareBeaten(),
    "place": NormalisedPlace(),
    "share": WinnersShare(),
    "seats": SeatBalance(),
    "lean": SeatLean(),
    "lot": ByLot(),
}
"""Every tie-break by its permanent code."""


# -- points and places ----------------------------------------------------------------


def placement_points(table: Sequence[int], places: Sequence[int]) -> tuple[Fraction, ...]:
    """Return the points for places at one table; who ties shares the sum of the tied places.

    `table` holds the points of the first place, the second …; beyond it there are none.
    """
    found = []
    for place in places:
        tied = places.count(place)
        covered = table[place - 1 : place - 1 + tied]
        found.append(Fraction(sum(covered), tied))
    return tuple(found)


def wager(
    points: Sequence[int], winner: int | None, share: Fraction = Fraction(7, 100)
) -> tuple[int, ...]:
    """Return points after a table in which everybody puts in a share of theirs, rounded down.

    `winner` is an index and takes all of it; without one everybody takes back what they put.
    """
    put = [(share * each).__floor__() for each in points]
    if winner is None:
        return tuple(points)
    left = [each - staked for each, staked in zip(points, put, strict=True)]
    left[winner] += sum(put)
    return tuple(left)


class Standing(msgspec.Struct, frozen=True):
    """One row: a place (no two share one: the lot decides), points, and what broke the tie."""

    place: int
    player: int
    points: Fraction
    breaks: dict[str, Value]


def rank(sheet: Sheet, codes: Sequence[str], last: Iterable[int] = ()) -> tuple[Standing, ...]:
    """Return everybody in order; `last` come after all others (disqualified).

    Raises: KeyError for a code that is no tie-break.
    """
    behind = set(last)
    order = [*codes] if "lot" in codes else [*codes, "lot"]
    groups: dict[tuple[bool, Fraction], list[int]] = {}
    for player in sorted(sheet.parts):
        groups.setdefault((player in behind, -sheet.points(player)), []).append(player)
    found: list[Standing] = []
    for key in sorted(groups):
        for player, breaks in _broken(sheet, groups[key], order):
            found.append(Standing(len(found) + 1, player, sheet.points(player), breaks))
    return tuple(found)


def _broken(
    sheet: Sheet, tied: Sequence[int], codes: Sequence[str]
) -> list[tuple[int, dict[str, Value]]]:
    """Return who is tied in order, each with the numbers that were looked at."""
    if not codes:
        return [(player, {}) for player in tied]
    code, rest = codes[0], codes[1:]
    tiebreak = TIEBREAKS[code]
    values = {player: tiebreak.of(sheet, player, tied) for player in tied}
    groups: dict[tuple[bool, Fraction], list[int]] = {}
    for player, value in values.items():
        number = value.number or ZERO
        rank = (value.number is None, number if tiebreak.low_wins else -number)
        groups.setdefault(rank, []).append(player)
    return [
        (player, {code: values[player], **breaks})
        for key in sorted(groups)
        for player, breaks in _broken(sheet, groups[key], rest)
    ]
