"""The final of a circuit: who is in it and why, and who declined. Computed, but for the answers."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.utils.translation import gettext, ngettext

from league import desks, policy
from league.circuits import (
    Ending,
    Finisher,
    RankingRow,
    counting,
    endings_of,
    qualifiers_of,
    shown_to,
    table_from,
)
from league.models import Circuit, Invitation, Qualifier, Standing, Tournament
from matches.actors import Actor
from matches.errors import BadInput, Conflict, NotAllowed
from matches.models import Log, Player, withdrawn


@dataclass(frozen=True)
class InvitedPlace:
    """A place in the final: who has it, and why. `passed`: over whom it was passed down.

    `direct`: it comes from a tournament, not from points.
    """

    player: Player
    why: str
    passed: tuple[Player, ...] = ()
    answer: str = ""
    direct: bool = True


@dataclass
class Finalists:
    """Who is in a final, and who declined. `by_ranking` places are given by the `table`."""

    circuit: Circuit
    table: list[RankingRow] = field(default_factory=list)
    by_ranking: int = 0
    places: list[InvitedPlace] = field(default_factory=list)
    taken: set[UUID] = field(default_factory=set)
    out: set[UUID] = field(default_factory=set)
    answers: dict[UUID, Invitation] = field(default_factory=dict)

    def give(
        self,
        player: Player,
        why: str,
        instead: str,
        passed: Sequence[Player] = (),
        *,
        direct: bool = True,
    ) -> bool:
        """Give a player a place, or who is named `instead`, in words; False if nobody gets it."""
        stand_in = self._stand_in(player)
        if stand_in is not None:
            self._take(stand_in, instead.format(player=player, why=why), (player,), direct)
        elif self._is_free(player):
            self._take(player, why, tuple(passed), direct)
        else:
            return False
        return True

    def _stand_in(self, player: Player) -> Player | None:
        """Return the replacement named for a player who declined, while they are free."""
        named = self.answers[player.pk].replacement if player.pk in self.out else None
        return named if named is not None and self._is_free(named) else None

    def _is_free(self, player: Player) -> bool:
        return player.pk not in self.taken and player.pk not in self.out

    def _take(self, player: Player, why: str, passed: tuple[Player, ...], direct: bool) -> None:
        invitation = self.answers.get(player.pk)
        answer = invitation.answer if invitation else ""
        self.places.append(InvitedPlace(player, why, passed, answer, direct))
        self.taken.add(player.pk)


def qualified(
    circuit: Circuit,
    endings: Sequence[Ending] | None = None,
    answers: Iterable[Invitation] | None = None,
) -> list[InvitedPlace]:
    """Return the places in a circuit's final, in the order they were given, see `finalists_of`."""
    return finalists_of(circuit, endings, answers).places


def finalists_of(
    circuit: Circuit,
    endings: Sequence[Ending] | None = None,
    answers: Iterable[Invitation] | None = None,
) -> Finalists:
    """Return who is in a circuit's final.

    `endings` are those of all its tournaments, `answers` those given, if known already. First come
    the direct places of each qualifier in order, then those by points. Players who declined are
    passed over; a named replacement takes their place.
    """
    if answers is None:
        answers = circuit.invitations.select_related("replacement")
    invitations = {each.player_id: each for each in answers}
    gone = {pk for pk, each in invitations.items() if each.answer == Invitation.Answer.DECLINED}
    found = Finalists(circuit, by_ranking=circuit.by_ranking, out=gone, answers=invitations)
    if endings is None:
        endings = endings_of(qualifiers_of(circuit))
    for qualifier, rows, _ in endings:
        direct = direct_of(qualifier, circuit)
        if rows:
            found.by_ranking += direct - _give_direct(found, qualifier, rows, direct)
    found.table = table_from(circuit, endings)
    left = found.by_ranking
    for row in found.table:
        if left <= 0:
            break
        instead = gettext("instead of {player}")
        left -= found.give(row.player, _by_points(row), instead, direct=False)
    return found


@dataclass(frozen=True)
class InFinal:
    """Who is in the final of a circuit as it stands; what is `unfinished` may still change that."""

    circuit: Circuit
    players: list[Player]
    unfinished: list[Tournament]


def in_final(tournament: Tournament, actor: Actor) -> list[InFinal]:
    """Return who is in the final that a tournament is, if it is one, as an actor may know."""
    found = []
    for circuit in Circuit.objects.filter(final=tournament):
        known = shown_to(actor, qualifiers_of(circuit))
        places = qualified(circuit, endings_of(known))
        unfinished = [each.tournament for each in known if each.tournament.closed_at is None]
        found.append(InFinal(circuit, [each.player for each in places], unfinished))
    return found


def unanswered(actor: Actor, most: int) -> list[tuple[Circuit, InvitedPlace]]:
    """Return the places of an actor in finals to come for which they have not answered yet.

    Only of circuits whose tournaments are all over, as far as the actor may see them: until then a
    place may still be lost.
    """
    if actor.player is None:
        return []
    came = Standing.objects.filter(entry__player=actor.player, round=0).values("tournament")
    played = Qualifier.objects.filter(tournament__in=came).values("circuit")
    answers = Invitation.objects.filter(circuit=OuterRef("pk"))
    under_way = Qualifier.objects.filter(circuit=OuterRef("pk"), tournament__closed_at=None)
    found = Circuit.objects.select_related("season", "final__log")
    found = found.filter(Q(pk__in=played) | Exists(answers.filter(replacement=actor.player)))
    found = found.filter(final__closed_at=None, final__isnull=False)
    found = found.exclude(Exists(under_way.exclude(withdrawn("tournament__log__"))))
    found = found.exclude(Exists(answers.filter(player=actor.player)))
    return [
        (circuit, place)
        for circuit, places in _places_shown(found[:most], actor)
        for place in places
        if place.player == actor.player and not has_begun(circuit)
    ]


def _places_shown(
    found: QuerySet[Circuit], actor: Actor
) -> Iterator[tuple[Circuit, list[InvitedPlace]]]:
    """Yield the places in finals of which an actor may see all tournaments they rest on."""
    circuits = found.prefetch_related(
        Prefetch("qualifiers", counting(Qualifier.objects.all())),
        Prefetch("invitations", Invitation.objects.select_related("replacement")),
        "adjustments",
    )
    ended: dict[UUID, list[Ending]] = defaultdict(list)
    for ending in endings_of(each for circuit in circuits for each in circuit.qualifiers.all()):
        ended[ending.qualifier.circuit_id].append(ending)
    for circuit in circuits:
        every = circuit.qualifiers.all()
        if len(shown_to(actor, every)) == len(every):
            yield circuit, qualified(circuit, ended[circuit.pk], circuit.invitations.all())


def direct_of(qualifier: Qualifier, circuit: Circuit) -> int:
    """Return how many places in the final a tournament of a circuit gives."""
    return circuit.direct if qualifier.direct is None else qualifier.direct


def _by_points(row: RankingRow) -> str:
    return ngettext(
        "{points} point, place {place} of the ranking",
        "{points} points, place {place} of the ranking",
        row.points,
    ).format(points=row.points, place=row.place)


def _give_direct(
    found: Finalists, qualifier: Qualifier, rows: Sequence[Finisher], direct: int
) -> int:
    """Give the direct places of a tournament and return how many were taken.

    Of those who share the last of them, who comes first in its final order is in: `rows` are in it.
    """
    given = 0
    passed: list[Player] = []
    down = found.circuit.pass_down == Circuit.PassDown.TOURNAMENT
    for place, player, sharing in rows:
        if given >= direct or (place > direct and not down):
            break
        where = {"place": place, "tournament": qualifier.tournament}
        why = gettext("place {place} at {tournament}").format(**where)
        if place - 1 + sharing > direct >= place:
            why = gettext("{why}, shared and first in its final order").format(why=why)
        if found.give(player, why, gettext("instead of {player}, {why}"), passed):
            given += 1
        else:
            passed.append(player)
    return given


def answer(
    *,
    by: Actor,
    circuit: Circuit,
    player: Player,
    comes: bool,
    replacement: Player | None = None,
) -> Invitation:
    """Record whether a player comes to the final; an organiser may name a replacement.

    Raises: NotAllowed, BadInput, Conflict once the final has begun.
    """
    organises = policy.may_run(by, circuit.season.league)
    if not organises:
        if by.player_id != player.pk:
            policy.require_run(by, circuit.season.league)
        _require_invited(circuit, player)
    if replacement is not None and (comes or not organises):
        raise BadInput(
            "bad-replacement",
            gettext("Only an organiser can name who comes instead."),
            "$.replacement",
        )
    if has_begun(circuit):
        raise Conflict("final-begun", gettext("The final has begun."))
    choice = Invitation.Answer.ACCEPTED if comes else Invitation.Answer.DECLINED
    return Invitation.objects.create(
        circuit=circuit, player=player, answer=choice, replacement=replacement, said_by=by.player
    )


def has_begun(circuit: Circuit) -> bool:
    """Return whether the final of a circuit has begun, and was not withdrawn."""
    final = circuit.final
    if final is None or final.log.status == Log.Status.WITHDRAWN:
        return False
    return bool(desks.desk_of(final).stages)


def require_to_come(circuit: Circuit, where: str = "$") -> None:
    """Raises: Conflict once the final of a circuit has begun, in which who is in it is settled."""
    if has_begun(circuit):
        text = gettext(
            "The final of {circuit} has begun, so who is in it no longer changes. "
            "First undo the start of {final} on its console."
        ).format(circuit=circuit, final=circuit.final)
        raise Conflict("final-begun", text, where=where)


def to_come(circuits: QuerySet[Circuit]) -> QuerySet[Circuit]:
    """Narrow circuits to those whose final has not begun."""
    named = circuits.filter(final__isnull=False).select_related("final__log")
    return circuits.exclude(pk__in=[each.pk for each in named if has_begun(each)])


def _require_invited(circuit: Circuit, player: Player) -> None:
    """Raises: NotAllowed for a player who is not in the final and did not answer before."""
    places = [place.player.pk for place in qualified(circuit)]
    if player.pk not in places and not circuit.invitations.filter(player=player).exists():
        raise NotAllowed(
            "not-invited", gettext("Only players in the final can say whether they come.")
        )
