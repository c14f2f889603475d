"""What home tells a reader to do on this floor: the first steps, and offers to answer."""

from collections.abc import Iterator

from django.db.models import Exists, OuterRef, Q
from django.urls import reverse
from django.utils.translation import gettext

from characters.models import Character, Move, Trade
from matches.steps import FirstStep, Waiting


def make_a_character() -> Iterator[FirstStep]:
    """Yield the step to a first character."""
    yield FirstStep(
        Exists(Character.objects.filter(owner=OuterRef("pk"))),
        gettext("Make a character"),
        gettext("With gear and money of its own, and a record of what it did in matches."),
        reverse("characters:character-create"),
    )


def offers() -> Iterator[Waiting]:
    """Yield that an offer, or a character, waits for its answer."""
    me, url = OuterRef("pk"), reverse("characters:character-list")
    trades = Trade.objects.filter(to__owner=me, status=Trade.Status.OFFERED)
    yield Waiting(Exists(trades), gettext("An offer waits for your answer."), url)
    run = Q(campaign__owner=me) | Q(campaign__officials=me)
    moves = Move.objects.filter(Q(to=me) | run, status=Move.Status.OFFERED)
    yield Waiting(Exists(moves), gettext("A character waits for your answer."), url)
