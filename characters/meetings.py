"""How cards did against each other in logged matches, as far as that is public.

This is counted from deeds: of tests in which a character fielded the attacking card, or otherwise
the attacked one. A test between two characters is recorded for both and counted for the attacker.
"""

from django.db.models import Count, F, Q, QuerySet, Sum
from msgspec import Struct

from characters import career, policy
from characters.models import Card, Deed
from matches.actors import NOBODY

Kind = Deed.Kind
TESTS = (Kind.WEAPON, Kind.TARGET)
MAX_FOES = 8
MAX_MOMENTS = 3


class Moment(Struct):
    """A test in a match: its entry `version`."""

    match: str  # its code
    title: str
    version: int
    turn: int


class Meeting(Struct):
    """The results of attacks with one card on another, called `card`."""

    card: str
    tests: int = 0
    strikes: int = 0
    slags: int = 0
    moments: list[Moment] = []


def between(game: str, attack: str, target: str) -> Meeting:
    """Return the results of attacks with one card on another, by name, and the newest tests."""
    sides = [
        _of_pieces(_designs(game, attack), Kind.WEAPON, Kind.TOOK).filter(other_card=target),
        _of_pieces(_designs(game, target), Kind.TARGET, Kind.LOST).filter(
            other_card=attack, other=None
        ),
    ]
    sums = [
        deeds.order_by().aggregate(
            tests=Count("pk", filter=Q(kind__in=TESTS)),
            strikes=Sum("strikes", default=0),
            slags=Count("pk", filter=~Q(kind__in=TESTS)),
        )
        for deeds in sides
    ]
    found = Meeting(target, *(sum(each[name] for each in sums) for name in sums[0]))
    if found.tests:
        newest = [deed for deeds in sides for deed in _newest(deeds)]
        newest.sort(
            key=lambda deed: (deed.match.started_at, deed.match_id, deed.version), reverse=True
        )
        found.moments = [
            Moment(deed.match.code, str(deed.match), deed.version, deed.turn)
            for deed in newest[:MAX_MOMENTS]
        ]
    return found


def of_card(card: Card) -> list[Meeting]:
    """Return the results of a card's attacks on others, the most frequent targets first."""
    designs = Card.objects.filter(pk=card.pk)
    rows = (
        _of_pieces(designs, Kind.WEAPON, Kind.TOOK)
        .exclude(other_card="")
        .order_by()
        .values("other_card")
        .annotate(
            tests=Count("pk", filter=Q(kind=Kind.WEAPON)),
            came=Sum("strikes"),
            slags=Count("pk", filter=Q(kind=Kind.TOOK)),
        )
        .order_by("-tests", "other_card")
    )
    return [
        Meeting(row["other_card"], row["tests"], row["came"], row["slags"])
        for row in rows[:MAX_FOES]
    ]


def _designs(game: str, name: str) -> QuerySet[Card]:
    return policy.visible_cards(NOBODY).filter(game=game, name=name)


def _of_pieces(designs: QuerySet[Card], *kinds: str) -> QuerySet[Deed]:
    """Return the deeds of pieces that were fielded with one of some designs."""
    return career.deeds(
        NOBODY,
        kind__in=kinds,
        appearance__character__in=career.with_open_gear(),
        appearance__fielded__design__in=designs,
        appearance__fielded__item=F("item"),
    )


def _newest(deeds: QuerySet[Deed]) -> QuerySet[Deed]:
    tests = deeds.filter(kind__in=TESTS).select_related("match")
    return tests.order_by("-match__started_at", "-match_id", "-version")[:MAX_MOMENTS]
