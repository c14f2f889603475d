"""Audit the ledger: every sum is recomputed from the entries alone."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Literal, NamedTuple
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext

from characters.ledger import Certainty, Method, moving, touching
from characters.models import Character, FieldedItem, GearItem, LedgerEntry

Code = Literal["balance", "two-hands", "after-destruction", "fielded-unheld", "unexplained"]


class LedgerFlaw(NamedTuple):
    """A flaw, and where it is. `unexplained` money is not an error, but worth a question."""

    code: Code
    entry: int
    detail: str


def problems() -> Iterator[str]:
    """Yield the errors in the ledger as a whole, for `manage.py verify`."""
    entries = moving().order_by("pk").values_list(*LedgerRow._fields)
    names = {who.pk: who.name for who in Character.objects.all()}
    serials = dict(GearItem.objects.values_list("pk", "serial"))
    for flaw in audit(map(LedgerRow._make, entries), names, serials):
        if flaw.code != "unexplained":
            yield f"ledger entry {flaw.entry}, {flaw.code}: {flaw.detail}"


def flaws_of(character: Character) -> list[LedgerFlaw]:
    """Return the flaws in the books of one character and of the items that passed through them."""
    mine = touching(character)
    items = LedgerEntry.objects.filter(mine, item__isnull=False).values("item")
    entries = moving().filter(mine | Q(item__in=items)).order_by("pk")
    fields = entries.values_list(*LedgerRow._fields, "item__serial")
    found = [(LedgerRow(*row), serial) for *row, serial in fields]
    rows = [row for row, _ in found]
    serials = {row.item: serial for row, serial in found if row.item}
    return [*audit(rows, {character.pk: character.name}, serials), *fielded(character)]


def fielded(character: Character) -> Iterator[LedgerFlaw]:
    """Yield what a character fielded while not holding it: given away, lost, destroyed.

    Based on the clocks of match and entry, so it is shown to the owner only and proves nothing.
    """
    shown = FieldedItem.objects.select_related("item", "appearance__seat__match")
    used = list(shown.filter(appearance__character=character))
    moves: dict[UUID, list[LedgerEntry]] = defaultdict(list)
    entries = moving().filter(item__in={one.item_id for one in used})
    for entry in entries.order_by("pk"):
        if entry.item_id:
            moves[entry.item_id].append(entry)
    for one in used:
        who, when = character.pk, one.appearance.fielded_at
        before = [entry for entry in moves[one.item_id] if entry.recorded_at <= when]
        if sum((entry.taker_id == who) - (entry.giver_id == who) for entry in before) < 1:
            code = one.appearance.seat.match.code
            detail = gettext("{serial} was fielded in {code} and was not in hand")
            detail = detail.format(serial=one.item.serial, code=code)
            yield LedgerFlaw("fielded-unheld", before[-1].pk if before else 0, detail)


class LedgerRow(NamedTuple):
    """The fields of an entry that an audit needs."""

    id: int
    act_id: UUID
    method: str
    item: UUID | None
    amount: int | None
    giver: UUID | None
    taker: UUID | None
    certainty: str
    corrects: int | None


def audit(
    rows: Iterable[LedgerRow], names: Mapping[UUID, str], serials: Mapping[UUID, str]
) -> Iterator[LedgerFlaw]:
    """Yield the flaws of entries in order; balances are checked for named characters only."""
    rows = list(rows)
    books = _Books(names, serials, {row.corrects for row in rows if row.corrects})
    for _, lines in groupby(rows, key=lambda row: row.act_id):
        act = list(lines)
        for row in act:
            yield from books.item(row) if row.item else books.money(row)
        yield from books.balances(act)


class _Books:
    """Running sums over the entries."""

    def __init__(
        self, names: Mapping[UUID, str], serials: Mapping[UUID, str], corrected: set[int]
    ) -> None:
        self.names, self.serials, self.corrected = names, serials, corrected
        self.balance: Counter[UUID] = Counter()
        self.held: dict[UUID, Counter[UUID]] = defaultdict(Counter)
        self.destroyed: set[UUID] = set()

    def money(self, row: LedgerRow) -> Iterator[LedgerFlaw]:
        _move(self.balance, row, row.amount or 0)
        doubtful = row.certainty in (Certainty.CLAIMED, Certainty.DISPUTED)
        came = row.giver is None and row.id not in self.corrected
        if came and doubtful and row.taker and (name := self.names.get(row.taker)):
            yield LedgerFlaw("unexplained", row.id, _came(row, name))

    def balances(self, act: list[LedgerRow]) -> Iterator[LedgerFlaw]:
        """Yield who has a negative balance once all lines of an act are counted."""
        moved = {who for row in act if row.amount for who in (row.giver, row.taker) if who}
        for who in moved & self.names.keys():
            if self.balance[who] < 0:
                detail = gettext("{name} has c{balance}")
                detail = detail.format(name=self.names[who], balance=self.balance[who])
                yield LedgerFlaw("balance", act[-1].id, detail)

    def item(self, row: LedgerRow) -> Iterator[LedgerFlaw]:
        assert row.item is not None
        hands = self.held[row.item]
        _move(hands, row, 1)
        serial = self.serials.get(row.item, str(row.item))
        if min(hands.values(), default=0) < 0 or sum(hands.values()) > 1:
            detail = gettext("{serial} is not in one pair of hands").format(serial=serial)
            yield LedgerFlaw("two-hands", row.id, detail)
        mends = row.method in (Method.SALVAGED, Method.CORRECTED)
        if row.item in self.destroyed and not mends:
            detail = gettext("{serial} was destroyed before").format(serial=serial)
            yield LedgerFlaw("after-destruction", row.id, detail)
        if row.method == Method.DESTROYED and row.id not in self.corrected:
            self.destroyed.add(row.item)
        elif row.method == Method.SALVAGED:
            self.destroyed.discard(row.item)


def _came(row: LedgerRow, name: str) -> str:
    if row.certainty == Certainty.DISPUTED:
        text = gettext("c{amount} came to {name}, and it is disputed")
    else:
        text = gettext("c{amount} came to {name}, and it is claimed")
    return text.format(amount=row.amount, name=name)


def _move(sums: Counter[UUID], row: LedgerRow, much: int) -> None:
    if row.giver:
        sums[row.giver] -= much
    if row.taker:
        sums[row.taker] += much
