"""People: users with their players, and guests without a user."""

from collections.abc import Iterable, Sequence
from uuid import UUID

from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db.models import F, Q
from django.utils.translation import gettext

from matches import actors, canonical, once, policy
from matches.actors import Actor
from matches.errors import BadInput, NotSignedIn
from matches.models import Player


def sign_up(*, username: str, password: str, name: str = "") -> User:
    """Create a user and their player. Raises: BadInput, Conflict for a name that is taken."""
    username = canonical.text_from(username, "$.username", 150, least=1)
    name = canonical.text_from(name, "$.name", 80) or username[:80]
    user = User(username=username)
    try:
        User.username_validator(username)
        validate_password(password, user)
    except ValidationError as error:
        raise BadInput("bad-account", " ".join(error.messages)) from None
    user.set_password(password)
    taken = gettext("There is a user {username} already.").format(username=username)
    with once.only_one("name-taken", taken):
        user.save()
        Player.objects.create(user=user, name=name)
    return user


def locked(chosen: Q) -> list[Player]:
    """Return players as they are now, their rows locked until the transaction ends.

    A claim, its undoing and an erasure all lock both rows this way, accounts first, so that of two
    at once the second sees what the first left. Rows that name a player can be written meanwhile:
    an erasure would deadlock with a request that waits to name the player in what it has locked.
    """
    accounts_first = F("user").asc(nulls_last=True)
    rows = Player.objects.select_for_update(no_key=True)
    return list(rows.filter(chosen).order_by(accounts_first, "pk"))


def require_not_erased(actor: UUID | None) -> None:
    """Require that the player who acts was not erased since their request began.

    Reliable once something is locked that an erasure of them locks too. Raises: NotSignedIn.
    """
    if actor and Player.objects.filter(pk=actor, user=None).exists():
        raise NotSignedIn


def by_now(players: Sequence[Player]) -> list[Player]:
    """Return who players are by now: for a guest whoever claimed them since they were read.

    Guests stay locked until the transaction ends, so that no claim misses what is theirs then.
    """
    guests = [each.pk for each in players if each.user_id is None]
    claimed = {each.pk: each.claimed_by for each in locked(Q(pk__in=guests))} if guests else {}
    return [claimed.get(each.pk) or each for each in players]


def add_guest(*, by: Actor, name: str, act_id: UUID | None = None) -> Player:
    """Create a player without a user. Idempotent by `act_id`.

    Raises: NotAllowed, BadInput, IdReused.
    """
    policy.require_open(by)
    name = canonical.text_from(name, "$.name", 80, least=1)
    host = actors.player_of(by)
    return once.make(Player, host.pk, act_id, name=name, invited_by=host)


def rename(*, by: Actor, player: Player, name: str) -> None:
    """Change a player's name. Allowed for one's own and that of a guest one added."""
    if player != by.player:
        policy.require_rename_guest(by, player)
    player.name = canonical.text_from(name, "$.name", 80, least=1)
    still = Player.objects.filter(
        pk=player.pk, user=player.user_id, invited_by=player.invited_by_id
    )
    still.update(name=player.name)  # who was erased meanwhile stays without a name


def speak_to(player: Player, language: str) -> None:
    """Set the language of mail to a player, "" for the site's."""
    player.language = language
    player.save(update_fields=["language"])


def known_as(ids: Iterable[UUID], there: Iterable[Player] = ()) -> dict[UUID | None, str]:
    """Return players' names by id; a claimed guest has the name of the claimer.

    Players in `there` are not queried again.
    """
    names: dict[UUID | None, str] = {one.pk: one.name for one in there if not one.claimed_by_id}
    if wanted := set(ids) - names.keys():
        found = Player.objects.filter(pk__in=wanted).select_related("claimed_by")
        names |= {each.pk: (each.claimed_by or each).name for each in found}
    return names
