"""How players are told by letter: who is written to and where, and how they end it."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.module_loading import import_string
from django.utils.translation import gettext

from league.models import Telling, Tournament
from matches.errors import NotFound
from matches.models import Player

_SALT = "league.letters"


# -- a player's choice --------------------------------------------------------------------


def telling_of(player: Player) -> Telling:
    """Return how a player is notified; the default if they never changed it."""
    return Telling.objects.filter(player=player).first() or Telling(player=player)


def set_letters(player: Player, *, letters: bool) -> None:
    """Switch a player's letters on or off."""
    Telling.objects.update_or_create(player=player, defaults={"letters": letters})


def off_token(player: Player) -> str:
    """Return the signed token that switches a player's letters off, and does nothing else."""
    return signing.Signer(salt=_SALT, sep="~").sign(player.pk.hex)


def player_of(token: str) -> Player:
    """Return the player whose letters a token switches off. Raises: NotFound for a forged one."""
    try:
        pk = UUID(signing.Signer(salt=_SALT, sep="~").unsign(token))
        return Player.objects.get(pk=pk)
    except (signing.BadSignature, ValueError, Player.DoesNotExist):
        raise NotFound(gettext("This link is not valid."), "bad-link") from None


# -- letters ------------------------------------------------------------------------------


def people_of(tournament: Tournament) -> Mapping[UUID, Collection[UUID]]:
    """Return the players with an account of every entry: its player, or those of its krewe."""
    found: dict[UUID, set[UUID]] = defaultdict(set)
    for path in ("player", "krewe__captain", "krewe__players"):
        rows = tournament.entries.filter(**{f"{path}__user__isnull": False})
        for entry, player in rows.values_list("pk", path):
            found[entry].add(player)
    return found


def message_to(
    player: Player,
    address: str,
    name: str,
    subject: str,
    template: str,
    context: Mapping[str, Any],
) -> EmailMessage:
    """Return a message to a player in the active language; `name` makes its Message-ID unique."""
    off = address_of("league:letters-off", off_token(player))
    ways = {"player": player, "settings": address_of("league:telling-edit"), "off": off}
    return EmailMessage(
        subject=" ".join(subject.split())[:200],
        body=render_to_string(template, {**context, **ways}),
        to=[address],
        headers={
            "Message-ID": f"<{name}@{_host()}>",
            "List-Unsubscribe": f"<{off}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        },
    )


def addresses(players: Collection[UUID]) -> dict[UUID, str]:
    """Return the addresses for letters to players: confirmed ones of those who want letters."""
    off = Telling.objects.filter(player__in=players, letters=False).values("player")
    users = dict(
        Player.objects.filter(pk__in=players, user__isnull=False)
        .exclude(pk__in=off)
        .values_list("user", "pk")
    )
    known = confirmed(list(users))
    return {users[user]: address for user, address in known.items()}


def confirmed(users: Collection[int]) -> dict[int, str]:
    """Return the confirmed addresses of accounts, by the site's `ADDRESS_BOOK`."""
    found: dict[int, str] = import_string(settings.ADDRESS_BOOK)(users)
    return found


def address_of(name: str, *parts: Any) -> str:
    """Return the absolute URL of a page, for use outside the site."""
    return f"{settings.SITE_URL}{reverse(name, args=parts)}"


def _host() -> str:
    return urlsplit(settings.SITE_URL).hostname or "localhost"
