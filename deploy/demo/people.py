"""The logins of the demo and their passwords."""

import json
import secrets
from collections.abc import Mapping

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction

from matches import services
from matches.actors import Actor, actor_for
from matches.keeping import kept

LOGINS = settings.DATA / "demo-logins.json"
PEOPLE = ("organiser", "marshal", "vega", "orbit", "quill", "sable", "tarn", "umber")


def logins() -> dict[str, str]:
    """Return the passwords, created on the first run and kept beside the data."""
    made: dict[str, str] = json.loads(kept(LOGINS, _new_logins))
    return made


def _new_logins() -> str:
    return json.dumps({name: secrets.token_urlsafe(9) for name in PEOPLE}, indent=1)


def signed_up(logins: Mapping[str, str]) -> list[Actor]:
    """Return all people as actors, signed up on the first run."""
    return [_person(name, password) for name, password in logins.items()]


@transaction.atomic
def _person(login: str, password: str) -> Actor:
    """Return a login as an actor; the organiser also runs the admin."""
    user = User.objects.filter(username=login).first()
    if user is None:
        user = services.sign_up(username=login, password=password, name=login.title())
        if login == "organiser":
            user.is_staff = user.is_superuser = True
            user.save(update_fields=["is_staff", "is_superuser"])
    return actor_for(user)
