"""The first steps suggested to a new account on this floor."""

from collections.abc import Iterator

from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils.translation import gettext

from characters.models import Character
from matches.steps import FirstStep


def make_a_character() -> Iterator[FirstStep]:
    """Yield the step to a first character."""
    yield FirstStep(
        Exists(Character.objects.filter(owner=OuterRef("pk"))),
        gettext("Make a character"),
        gettext("With gear and money of its own, and a record of what it did in matches."),
        reverse("characters:character-create"),
    )
