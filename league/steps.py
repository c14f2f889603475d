"""First steps for a new account in leagues and tournaments."""

from collections.abc import Iterator

from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils.translation import gettext

from league.models import Entry
from matches.steps import FirstStep


def play_in_company() -> Iterator[FirstStep]:
    """Yield the step towards a first tournament or league."""
    yield FirstStep(
        Exists(Entry.objects.filter(player=OuterRef("pk"))),
        gettext("Find a tournament"),
        gettext("Enter one that is to come, join a league, or run your own."),
        reverse("league:tournament-list"),
    )
