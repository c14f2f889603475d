"""Claims: an account takes over what a guest played and owns.

The person who added a guest hands out a signed link that works once. Whoever follows it with an
account is shown what would be taken over, and confirms. Then every row that names the guest names
the account's player instead, in one transaction; events name nobody and stay as they are. The
guest's row stays too, as logs refer to it, and says who claimed it.

Somebody who was added twice is merged in the same way: one of the two guests claims the other.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.contrib.auth.models import User
from django.core import serializers, signing
from django.db import transaction
from django.db.models import ManyToOneRel, Model, Q, QuerySet, UniqueConstraint
from django.utils import timezone
from django.utils.translation import gettext, ngettext_lazy

from matches import actors, links, people, policy
from matches.actors import Actor
from matches.configured import instances
from matches.errors import BadInput, Conflict, Gone, NotFound, NotSignedIn
from matches.models import Claim, Match, Player, Seat

HOLDS = timedelta(days=14)
"""How long a link holds."""

BACK = timedelta(days=14)
"""How long a claim can be undone."""

_SALT = "matches.claim"
_NAMES = 5  # shown of each kind

Moved = Mapping[str, list[str]]
"""The keys of the rows that were moved to another player, by "app.Model.field"."""


@dataclass(frozen=True)
class ClaimedPart:
    """What a guest has of one kind: how many, and the names of the first few."""

    what: str
    count: int
    names: list[str]


class Claimer:
    """What a floor contributes to a claim; named in `settings.CLAIMERS`."""

    computed: frozenset[str] = frozenset()
    """Models ("app.Model") that a follower projects: they are recomputed instead of moved."""

    def parts(self, guest: Player) -> Iterable[ClaimedPart]:
        """Yield what a guest would bring along."""
        return ()

    def require(self, guest: Player, player: Player) -> None:
        """Require that the two can be one person. Raises: Conflict."""

    def prepare(self, guest: Player, player: Player) -> None:
        """Delete what a claim must not move from the guest to the player, or rename it first."""

    def is_void(self, row: Model) -> bool:
        """Tell whether a row that a player has at most once, and must not lose, carries no value.

        A guest's row stays the guest's if the player has one. A void row of the player gives way to
        a row of the guest's that is not void, and is the guest's until the claim is undone.
        """
        return False

    def forfeits(self, row: Model, player: Player) -> bool:
        """Tell whether a row that gave way to the player's own is lost to the guest for good."""
        return False

    def moved(self, rows: Moved) -> None:
        """Recompute what depends on the rows that were moved."""


class Matches(Claimer):
    """What a guest has at tables."""

    def parts(self, guest: Player) -> Iterable[ClaimedPart]:
        sat = Match.objects.filter(seats__player=guest).distinct().order_by("-started_at")
        yield part(ngettext_lazy("match", "matches"), sat)
        helped = ngettext_lazy("match as an official", "matches as an official")
        yield part(helped, guest.officiated_matches.all())

    def require(self, guest: Player, player: Player) -> None:
        if met := Match.objects.filter(seats__player=guest).filter(seats__player=player).first():
            raise Conflict(
                "met",
                gettext(
                    "{guest} and {player} both sat at {met}, so they cannot be one person."
                ).format(guest=guest, player=player, met=met),
            )


def part(what: Any, rows: QuerySet[Any]) -> ClaimedPart:
    """Return how many rows there are, and what the first of them are called.

    `what` they are, in the singular and the plural, as `ngettext_lazy` returns it.
    """
    found = list(rows[: _NAMES + 1])
    count = len(found) if len(found) <= _NAMES else rows.count()
    return ClaimedPart(str(what % count), count, [*map(str, found[:_NAMES])])


# -- the link -----------------------------------------------------------------------------


def offer(*, by: Actor, guest: Player) -> Claim:
    """Make a claim link for a guest; an older one stops working. Raises: NotAllowed, Conflict.

    The answer's `token` goes into the link.
    """
    policy.require_invite(by, guest)
    with transaction.atomic():
        (guest,) = people.locked(Q(pk=guest.pk))
        _require_unclaimed(guest)
        Claim.objects.filter(guest=guest, taken_at=None).delete()
        ends = timezone.now() + HOLDS
        return Claim.objects.create(guest=guest, made_by=by.player, expires_at=ends)


def offered(by: Actor, guest: Player) -> Claim | None:
    """Return a guest's claim link that still works. Raises: NotAllowed."""
    policy.require_invite(by, guest)
    return guest.claims.filter(taken_at=None, expires_at__gt=timezone.now()).first()


def token_of(claim: Claim) -> str:
    """Return the signed token of a claim link."""
    return signing.Signer(salt=_SALT).sign(claim.link.hex)


def of_token(token: str) -> Claim:
    """Return the claim that a link offers.

    Raises: NotFound if it is forged or replaced, Gone if expired, Conflict if used.
    """
    claim = _found(token)
    if claim.taken_at is not None:
        raise Conflict(
            "claimed",
            gettext("This link was used: {guest} is claimed already.").format(guest=claim.guest),
        )
    _require_unclaimed(claim.guest)
    if claim.expires_at <= timezone.now():
        raise Gone(
            "link-over", gettext("This link is too old. Ask whoever gave it to you for a new one.")
        )
    return claim


def _found(token: str) -> Claim:
    try:
        link = UUID(signing.Signer(salt=_SALT).unsign(token))
        return Claim.objects.select_related("guest").get(link=link)
    except (signing.BadSignature, ValueError, Claim.DoesNotExist):
        raise NotFound(gettext("This link is not valid, or not any more."), "bad-link") from None


def parts_of(guest: Player) -> list[ClaimedPart]:
    """Return what an account would take over with a guest."""
    found = [each for claimer in claimers() for each in claimer.parts(guest)]
    return [each for each in found if each.count]


def require_fits(guest: Player, player: Player) -> None:
    """Require that a guest and a player can be the same person. Raises: Conflict."""
    for claimer in claimers():
        claimer.require(guest, player)


# -- taking over --------------------------------------------------------------------------


def take(*, by: Actor, token: str) -> Claim:
    """Take over a guest: every row that names them names the asker's player instead.

    A link works once. Raises: NotAllowed without an account, NotFound, Conflict, Gone.
    """
    player = actors.player_of(by)
    with transaction.atomic():
        if not _locked(_found(token).guest_id, player.pk)[player.pk].user_id:
            raise NotSignedIn  # erased meanwhile
        claim = of_token(token)
        _take(claim, player)
    return claim


def merge(*, by: Actor, guest: Player, into: Player) -> Claim:
    """Say that two guests are one person: every row that names the one names the other instead.

    An account that claims the other has both. Allowed to an account that may hand out the links of
    both. Raises: NotAllowed, BadInput, Conflict.
    """
    host = actors.player_of(by)
    if into.user_id is not None:
        raise Conflict(
            "has-account",
            gettext("{player} has an account: with a link it takes over a guest.").format(
                player=into
            ),
        )
    for each in (guest, into):
        policy.require_invite(by, each)
    if guest == into:
        raise BadInput("same-guest", gettext("Choose another guest than this one."), "$.into")
    with transaction.atomic():
        for each in _locked(guest.pk, into.pk).values():
            _require_unclaimed(each)
        Claim.objects.filter(guest=guest, taken_at=None).delete()
        claim = Claim(guest=guest, made_by=host, expires_at=timezone.now())
        _take(claim, into)
    return claim


def mergeable(by: Actor, guest: Player) -> QuerySet[Player]:
    """Return the guests of the actor, and those of whoever added a guest, that may be merged."""
    unclaimed = Player.objects.filter(user=None, claimed_by=None).exclude(pk=guest.pk)
    mine = Q(invited_by=by.player)
    if by.player_id != guest.invited_by_id:
        theirs = unclaimed.filter(invited_by=guest.invited_by_id)
        mine |= Q(pk__in=[each.pk for each in theirs if policy.may_invite(by, each)])
    return unclaimed.filter(mine)


def _locked(guest: UUID, player: UUID) -> dict[UUID, Player]:
    """Return a guest and who is to claim them, locked together with those merged into the guest."""
    found = people.locked(Q(pk__in=(guest, player)) | Q(claimed_by=guest))
    return {each.pk: each for each in found if each.pk in (guest, player)}


def _take(claim: Claim, player: Player) -> None:
    guest = claim.guest
    require_fits(guest, player)
    for claimer in claimers():
        claimer.prepare(guest, player)
    claim.moved, claim.dropped = _move(guest, player)
    claim.taken_by, claim.taken_at = player, timezone.now()
    claim.save()
    Player.objects.filter(pk=guest.pk).update(claimed_by=player)
    _tell(claim.moved)


def undo(*, by: Actor, guest: Player) -> Claim:
    """Undo a claim: rows that were moved and still name the player name the guest again.

    What was claimed last is undone first. Raises: NotAllowed, Conflict for a guest nobody claimed,
    or merged into one who was claimed since; Gone after `BACK`.
    """
    with transaction.atomic():
        taker = Player.objects.filter(pk=guest.pk).values("claimed_by")
        people.locked(Q(pk=guest.pk) | Q(pk__in=taker))
        guest = Player.objects.select_related("claimed_by").get(pk=guest.pk)
        claim = guest.claims.exclude(taken_at=None).filter(undone_at=None).first()
        policy.require_unclaim(by, guest, guest.claimed_by)
        if claim is None or guest.claimed_by is None:
            raise Conflict(
                "not-claimed", gettext("Nobody has claimed {guest}.").format(guest=guest)
            )
        if claim.taken_by != guest.claimed_by:
            raise Conflict(
                "claimed-since",
                gettext("{player} has been claimed since: undo that first.").format(
                    player=claim.taken_by
                ),
            )
        if timezone.now() > ends(claim):
            raise Gone(
                "too-late", gettext("A claim can be undone for {days} days.").format(days=BACK.days)
            )
        _move_back(claim, guest, guest.claimed_by)
        claim.undone_by, claim.undone_at = by.player, timezone.now()
        claim.save()
        Player.objects.filter(pk=guest.pk).update(claimed_by=None)
        _tell(claim.moved)
    return claim


def ends(claim: Claim) -> datetime:
    """Return until when a claim can be undone."""
    return (claim.taken_at or claim.made_at) + BACK


def _require_unclaimed(guest: Player) -> None:
    if guest.claimed_by_id is not None or guest.user_id is not None:
        raise Conflict("claimed", gettext("{guest} is claimed already.").format(guest=guest))


def _tell(rows: Moved) -> None:
    for claimer in claimers():
        claimer.moved(rows)


# -- seats that a link lets one have ----------------------------------------------------------


class FreeSeat(NamedTuple):
    """A seat that an account could take by a link it holds, and the token of that link."""

    seat: Seat
    token: str


def free_seats(by: Actor) -> list[FreeSeat]:
    """Return the seats without an account for which an actor's session keeps a link.

    A browser that sat down without an account keeps its links when it signs in.
    """
    if not by.seats or not isinstance(by.user, User):
        return []
    seats = (
        Seat.objects.filter(match__in={match for match, _ in by.seats}, player__user=None)
        .exclude(match__in=Seat.objects.filter(player__user=by.user).values("match"))
        .select_related("match", "player")
        .order_by("match__started_at", "number")
    )
    mine = [seat for seat in seats if (seat.match_id, seat.number) in by.seats]
    return [FreeSeat(seat, links.seat_token(seat)) for seat in mine]


# -- whose rows are whose -----------------------------------------------------------------


def _relations() -> Iterator[ManyToOneRel]:
    """Yield every relation to a player, except those of claims themselves."""
    computed = {label for claimer in claimers() for label in claimer.computed}
    for relation in Player._meta.get_fields(include_hidden=True):
        if not isinstance(relation, ManyToOneRel) or relation.related_model is Claim:
            continue
        model: Any = relation.related_model
        field = relation.field
        if field.primary_key:  # the player's settings
            continue
        if model._meta.label not in computed:
            yield relation


def _move(guest: Player, player: Player) -> tuple[dict[str, list[str]], str]:
    """Move a guest's rows to a player.

    Return what was moved, and as JSON the rows that were not, as the player had one already. None
    of those that are void is lost.
    """
    moved: dict[str, list[str]] = {}
    dropped: list[Model] = []
    for relation in _relations():
        model: Any = relation.related_model
        name = relation.field.name
        keys, aside = [], []
        for row in model._base_manager.filter(**{name: guest}):
            own = _own(row, name, player)
            if own is None or (not _is_void(row) and _is_void(own)):
                keys.append(row.pk)
                aside += [own.pk] if own else []
            elif not _is_void(row):
                dropped.append(row)
        if keys:
            _hand_over(model, name, keys, aside, guest, player)
            moved[f"{model._meta.label}.{name}"] = [str(key) for key in keys]
    kept = serializers.serialize("json", dropped)
    for row in dropped:
        row.delete()
    return moved, kept


def _own(row: Any, name: str, player: Player) -> Any:
    """Return the player's own row that a guest's row would collide with, None if there is none."""
    meta = row._meta
    once = [each.fields for each in meta.constraints if isinstance(each, UniqueConstraint)]
    once += [*meta.unique_together] + [[field.name] for field in meta.fields if field.unique]
    for fields in once:
        others = {field: getattr(row, meta.get_field(field).attname) for field in fields}
        if name not in others or None in others.values():
            continue
        found = type(row)._base_manager.filter(**others | {name: player.pk}).first()
        if found is not None:
            return found
    return None


def _is_void(row: Model) -> bool:
    return any(each.is_void(row) for each in claimers())


def _hand_over(
    model: Any, name: str, keys: list[Any], aside: list[Any], one: Player, other: Player
) -> None:
    """Point rows of one player at another; rows of the other that collide are given to the one."""
    rows = model._base_manager
    if aside:
        rows.filter(pk__in=aside).update(**{name: None})
    rows.filter(pk__in=keys).update(**{name: other})
    if aside:
        rows.filter(pk__in=aside).update(**{name: one})


def _move_back(claim: Claim, guest: Player, player: Player) -> None:
    for relation in _relations():
        model: Any = relation.related_model
        name = relation.field.name
        keys = claim.moved.get(f"{model._meta.label}.{name}", [])
        rows = list(model._base_manager.filter(pk__in=keys, **{name: player})) if keys else []
        others = {row.pk: _own(row, name, guest) for row in rows}
        back = [pk for pk, own in others.items() if own is None or _is_void(own)]
        aside = [others[pk].pk for pk in back if others[pk] is not None]
        _hand_over(model, name, back, aside, player, guest)
    for kept in serializers.deserialize("json", claim.dropped or "[]"):
        row = kept.object
        if any(claimer.forfeits(row, player) for claimer in claimers()):
            continue
        if not type(row)._base_manager.filter(pk=row.pk).exists():
            kept.save()


def claimers() -> tuple[Claimer, ...]:
    """Return the claimers that the setting names. Raises: ImproperlyConfigured."""
    return instances("CLAIMERS", Claimer)
