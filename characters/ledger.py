"""The books: who holds what and how much money, and the only writer of the ledger.

Nothing is updated: entries are only added, holders and balances are sums, and errors are fixed by
counter-entries. Writers compute under a lock on the items and characters involved, so that no piece
is given away twice and no balance is spent twice.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any
from uuid import UUID

import msgspec
from django.db import IntegrityError, transaction
from django.db.models import Count, Q, QuerySet, Sum
from django.utils import timezone
from django.utils.translation import gettext

from characters.locking import locked
from characters.models import Audience, Character, GearItem, LedgerEntry, LedgerWords
from matches import once, people
from matches.errors import Conflict, IdReused, Impossible

Method = LedgerEntry.Method
Certainty = LedgerEntry.Certainty
MAX_MONEY = 9_999_999


class Overspent(Impossible):
    """A balance would be negative; the amount is only for those who may know it."""

    def __init__(self, who: Character, left: int) -> None:
        super().__init__(
            "overspent", gettext("{who} does not have that much money.").format(who=who)
        )
        self.who, self.left = who, left


@dataclass(frozen=True)
class LedgerLine:
    """A line to write: an item or an amount, from one hand to another.

    `where`: the path to its item in what was sent, for a refusal; "" if the item was not named.
    """

    method: str
    item: GearItem | None = None
    amount: int | None = None
    giver: Character | None = None
    taker: Character | None = None
    price: int | None = None
    corrects: LedgerEntry | None = None
    covers: LedgerEntry | None = None
    audience: str = ""  # that of the act, if empty
    words: Mapping[str, str] = field(default_factory=dict)  # party, place, context, raw
    where: str = ""


@dataclass(frozen=True)
class LedgerAct:
    """The fields shared by all lines of one act. `id` is the caller's and makes it idempotent.

    `request_digest`: for acts whose lines differ each time they are made.
    """

    id: UUID
    by: UUID | None
    audience: str = Audience.PUBLIC
    certainty: str = Certainty.CERTAIN
    happened_on: date | None = None
    request_digest: str = ""


# -- sums -----------------------------------------------------------------------------------


def moving() -> QuerySet[LedgerEntry]:
    """Return the entries that move something: all but cover stories."""
    return LedgerEntry.objects.filter(covers=None)


def balance(character: Character) -> int:
    """Return a character's money."""
    sums = (
        moving()
        .filter(touching(character), amount__isnull=False)
        .aggregate(
            came=Sum("amount", filter=Q(taker=character), default=0),
            went=Sum("amount", filter=Q(giver=character), default=0),
        )
    )
    return int(sums["came"] - sums["went"])


def touching(character: Character) -> Q:
    """Return the condition of the entries that a character gave or took something by."""
    return Q(giver=character) | Q(taker=character)


def holders(items: Iterable[GearItem]) -> dict[UUID, Counter[UUID]]:
    """Return who holds each item: a character's count is 1 if they do, 0 or absent if not."""
    rows = moving().filter(item__in=[item.pk for item in items])
    return _held(rows.values_list("item_id", "giver_id", "taker_id"))


def _held(moves: Iterable[tuple[UUID, UUID | None, UUID | None]]) -> dict[UUID, Counter[UUID]]:
    held: dict[UUID, Counter[UUID]] = defaultdict(Counter)
    for item, giver, taker in moves:
        if giver:
            held[item][giver] -= 1
        if taker:
            held[item][taker] += 1
    return held


def holder_of(item: GearItem) -> Character | None:
    """Return the character who holds an item; None if it is lost or destroyed."""
    who = _holder(holders([item])[item.pk])
    return Character.objects.get(pk=who) if who else None


def last_of(item: GearItem, rows: Iterable[LedgerEntry]) -> UUID | None:
    """Return the character who holds an item, given all of its entries."""
    moves = [(item.pk, row.giver_id, row.taker_id) for row in rows if not row.covers_id]
    return _holder(_held(moves)[item.pk])


def _holder(hands: Mapping[UUID, int]) -> UUID | None:
    return next((who for who, count in hands.items() if count > 0), None)


def items_of(character: Character) -> list[GearItem]:
    """Return what a character holds, oldest first."""
    moves = moving().filter(touching(character), item__isnull=False).order_by().values("item")
    came = Count("pk", filter=Q(taker=character))
    went = Count("pk", filter=Q(giver=character))
    held = moves.annotate(count=came - went).filter(count__gt=0).values("item")
    return list(GearItem.objects.filter(pk__in=held).select_related("card", "inside"))


# -- the writer -----------------------------------------------------------------------------


def post(act: LedgerAct, lines: Sequence[LedgerLine]) -> list[LedgerEntry]:
    """Write the lines of one act, all or nothing.

    Idempotent: repeated, it returns the first entries.

    Raises: IdReused; NotSignedIn for the erased; Impossible for what nobody holds or has; Conflict
    for what was already corrected.
    """
    digest = act.request_digest or _digest(act, lines)
    try:
        return _post(act, lines, digest)
    except IntegrityError:  # the same id was used concurrently in other books
        if LedgerEntry.objects.filter(act_id=act.id).exists():
            raise IdReused(act.id) from None
        raise


@transaction.atomic
def _post(act: LedgerAct, lines: Sequence[LedgerLine], digest: str) -> list[LedgerEntry]:
    _lock(lines)
    people.require_not_erased(act.by)
    if written := list(LedgerEntry.objects.filter(act_id=act.id).order_by("ordinal")):
        if written[0].request_digest != digest:
            raise IdReused(act.id)
        return written
    _require_held(lines)
    _require_money(lines)
    return _write(act, lines, digest)


def _write(act: LedgerAct, lines: Sequence[LedgerLine], digest: str) -> list[LedgerEntry]:
    now = timezone.now()
    entries = [
        LedgerEntry(
            act_id=act.id,
            ordinal=ordinal,
            method=line.method,
            item=line.item,
            amount=line.amount,
            giver=line.giver,
            taker=line.taker,
            price=line.price,
            certainty=act.certainty,
            audience=line.audience or act.audience,
            corrects=line.corrects,
            covers=line.covers,
            happened_on=act.happened_on,
            recorded_at=now,
            recorded_by=act.by,
            request_digest="" if ordinal else digest,
        )
        for ordinal, line in enumerate(lines)
    ]
    LedgerEntry.objects.bulk_create(entries)
    for entry in entries:
        once.mark(entry)
    LedgerWords.objects.bulk_create(
        LedgerWords(entry=entry, **line.words)
        for entry, line in zip(entries, lines, strict=True)
        if any(line.words.values())
    )
    return entries


def _digest(act: LedgerAct, lines: Sequence[LedgerLine]) -> str:
    content = [act.audience, act.certainty, act.happened_on, *(_plain(line) for line in lines)]
    return hashlib.sha256(msgspec.json.encode(content, enc_hook=str)).hexdigest()


def _plain(line: LedgerLine) -> list[Any]:
    rows = (line.item, line.giver, line.taker, line.corrects, line.covers)
    plain = [line.method, line.amount, line.price, line.audience, dict(line.words)]
    return [*plain, *(row and str(row.pk) for row in rows)]


def _lock(lines: Sequence[LedgerLine]) -> None:
    """Lock the rows involved, always in the same order: characters, then items."""
    hands = {who.pk for line in lines for who in (line.giver, line.taker) if who}
    items = {line.item.pk for line in lines if line.item}
    locked(*hands)
    list(GearItem.objects.select_for_update(no_key=True).filter(pk__in=items).order_by("pk"))


def _require_held(lines: Sequence[LedgerLine]) -> None:
    """Require that each item is where the lines take it from, one line after the other.

    A repair is undone wherever the item is now: only its price moves.
    """
    held = holders({line.item for line in lines if line.item})
    for line in lines:
        if line.item is None or line.covers is not None:
            continue
        if line.corrects is not None and line.giver == line.taker:
            continue
        where = held[line.item.pk]
        if _holder(where) != (line.giver.pk if line.giver else None):
            detail = _elsewhere(line).format(serial=line.item.serial)
            raise Impossible("not-held", detail, where=line.where)
        if line.giver:
            where[line.giver.pk] -= 1
        if line.taker:
            where[line.taker.pk] += 1


def _elsewhere(line: LedgerLine) -> str:
    """Say that an item is not where a line takes it from."""
    if line.corrects is not None:
        return gettext("{serial} has moved on since: undo that first.")
    if line.giver is not None:
        return gettext("{serial} is not in those hands.")
    return gettext("{serial} is in somebody's hands already: it cannot come in.")


def _require_money(lines: Sequence[LedgerLine]) -> None:
    """Require that no balance becomes negative."""
    change: Counter[Character] = Counter()
    for line in lines:
        if line.amount and line.covers is None:
            if not 0 < line.amount <= MAX_MONEY:
                raise Impossible(
                    "bad-amount",
                    gettext("An amount is from c1 to c{MAX_MONEY:,}.").format(MAX_MONEY=MAX_MONEY),
                )
            if line.giver:
                change[line.giver] -= line.amount
            if line.taker:
                change[line.taker] += line.amount
    for who, sum_ in change.items():
        if sum_ < 0 and (left := balance(who) + sum_) < 0:
            raise Overspent(who, left)


def require_correctable(entry: LedgerEntry) -> None:
    if entry.covers_id is not None:
        raise Impossible(
            "cover-story", gettext("A cover story moves nothing; there is nothing to undo.")
        )
    if entry.method == Method.CORRECTED:
        raise Conflict("is-correction", gettext("This is a counter-entry itself."))
    if LedgerEntry.objects.filter(corrects=entry).exists():
        raise Conflict("already-corrected", gettext("This entry has its counter-entry already."))
