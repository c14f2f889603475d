"""What home tells a reader to do: first steps of a new account, and what waits for an answer.

`settings.FIRST_STEPS` names functions of the floors that yield their steps, shown until they are
done or dismissed; `settings.HOME_WAITING` names those that yield what may wait.
"""

from collections.abc import Iterator
from datetime import timedelta
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from matches.actors import actor_of
from matches.configured import functions
from matches.models import Seat

NEW_FOR = timedelta(days=30)
COOKIE = "steps"  # "off" once dismissed


class FirstStep(NamedTuple):
    """Something to begin with; one without a `url` is not done on a page of this site.

    `done`: a condition on players that tells whether one has done it.
    """

    done: Exists
    title: str
    text: str
    url: str = ""


class Waiting(NamedTuple):
    """Something that may wait for a reader's answer at `url`.

    `there`: a condition on players that tells whether it does.
    """

    there: Exists
    text: str
    url: str


def what_may_wait() -> list[Waiting]:
    """Return all that may wait for a reader's answer."""
    return [each for kinds in functions("HOME_WAITING") for each in kinds()]


def steps_for(request: HttpRequest) -> list[FirstStep]:
    """Return the first steps of a new account, done or not; nothing for others."""
    user = actor_of(request).user
    if not isinstance(user, User) or request.COOKIES.get(COOKIE) == "off":
        return []
    if user.date_joined < timezone.now() - NEW_FOR:
        return []
    return [step for steps in functions("FIRST_STEPS") for step in steps()]


def at_tables() -> Iterator[FirstStep]:
    """Yield the steps towards a first match."""
    sat = Exists(Seat.objects.filter(player=OuterRef("pk")))
    yield FirstStep(
        sat,
        gettext("Log a match"),
        gettext("Choose the game, say who sits where, and tap what happens."),
        reverse("matches:match-open"),
    )
    yield FirstStep(
        sat,
        gettext("Practise alone"),
        gettext("Choose the game: a bot plays the other side."),
        reverse("matches:match-open"),
    )
    yield FirstStep(
        sat,
        gettext("Played here before?"),
        gettext(
            "Whoever logged you as a guest makes a link for your account on the guest’s page: "
            "open it, and what you played is yours."
        ),
    )
