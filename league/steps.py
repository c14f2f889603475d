"""What a new account is told to begin with on this floor."""

from collections.abc import Iterator

from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils.translation import gettext

from league.models import Entry
from matches.steps import Step


def play_in_company() -> Iterator[Step]:
    """Yield the way to a first tournament or league."""
    yield Step(
        Exists(Entry.objects.filter(player=OuterRef("pk"))),
        gettext("Find a tournament"),
        gettext("Enter one that is to come, join a league, or run your own."),
        reverse("league:tournament-list"),
    )
