"""Keeping the books of a character: what came, what went, repairs, counter-entries.

Each call says who asks (`by`), asks the policy and writes through `ledger.post`. What goes from
one owner's character to another's lies in `trades`.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import NoReturn
from uuid import UUID

import msgspec
from django.db import transaction
from django.utils.translation import gettext

from characters import ledger, policy
from characters.ledger import Act, Certainty, Line, Method, Overspent
from characters.locking import locked
from characters.models import Audience, Campaign, Character, GearItem, LedgerEntry
from characters.pasting import make_item
from characters.sheet import grammar
from characters.sheet.shapes import Gear, Lode
from matches import canonical
from matches.actors import Actor
from matches.errors import BadInput, IdReused, Impossible

COMES = (
    *(Method.BOUGHT, Method.FOUND, Method.WON, Method.GIFT, Method.ISSUED, Method.STOLEN),
    *(Method.TRADED, Method.LENT, Method.SALVAGED, Method.RETURNED),
)
"""Ways for something to come in from the world outside, as forms list them."""

GOES = (
    *(Method.TRADED, Method.GIFT, Method.LENT, Method.DESTROYED, Method.CONFISCATED),
    *(Method.STOLEN, Method.RETURNED),
)
"""Ways for something to go out into it, as forms list them."""

PAID = {Method.BOUGHT, Method.TRADED}
"""Ways in that cost what the line says; of what came otherwise it is what it is worth."""

HANDED = {Method.TRADED, Method.GIFT, Method.LENT, Method.RETURNED, Method.WON}
"""Ways from one character to another."""

UNSEEN = {Method.STOLEN}
"""What is told to the owner alone until they say otherwise."""

MOST_ITEMS = 50
SAID = "said"
"""How a digest of what was sent ends: one of the lines that were made of it does not."""


@dataclass(frozen=True)
class Circumstances:
    """What is said about an act of the books beside what moved."""

    party: str = ""  # a shop, a person without a sheet
    place: str = ""
    context: str = ""
    certainty: str = Certainty.CERTAIN
    audience: str = ""  # for everyone, when empty; what is stolen for the owner alone
    happened_on: date | None = None

    def words(self, **more: str) -> Mapping[str, str]:
        said = {"party": self.party, "place": self.place, "context": self.context, **more}
        return {name: _line(text, name) for name, text in said.items() if text}


def _line(text: str, name: str) -> str:
    return canonical.text_from(text, f"$.{name}", 200)


@dataclass(frozen=True)
class Recording:
    """One thing to enter: something new by a line, items by serial, or money.

    `line`: `Basic Blue Feet (c20 x 2 @ zGearGo)`; its method stands when `method` is empty. Of
    another `kind` it is `Ego Lode - one artifex + another`, or what a thing is called. `amount`:
    what was paid for what was bought, else money that came or went as well. `out`: it goes, to
    the world outside. `price`: paid for a repair.
    """

    method: str = ""
    line: str = ""
    items: Sequence[str] = ()
    amount: int | None = None
    out: bool = False
    price: int | None = None
    kind: str = GearItem.Kind.PIECE
    told: Circumstances = field(default_factory=Circumstances)


def record(*, by: Actor, character: Character, act_id: UUID, what: Recording) -> list[LedgerEntry]:
    """Enter what came to a character or went from it, with what was paid.

    The same act again gives the entries it made first. Raises: NotFound, NotAllowed, BadInput,
    Impossible, IdReused.
    """
    policy.require_record(by, character)
    digest = hashlib.sha256(msgspec.json.encode([character.pk, what])).hexdigest()
    return _recorded(by, character, act_id, what, digest[: -len(SAID)] + SAID)


def win(*, by: Actor, character: Character, act_id: UUID, what: Recording) -> list[LedgerEntry]:
    """Enter a prize in the books of who won it, as one who awards it; as `record` otherwise.

    A line that is no gear of the grammar is left out. Raises: NotAllowed, BadInput, IdReused.
    """
    policy.require_award(by, character)
    line = what.line if what.line and grammar.gear(grammar.tidy(what.line), listed=True) else ""
    if not line and not what.amount:
        return []
    return _recorded(by, character, act_id, replace(what, method=Method.WON, line=line))


def _recorded(
    by: Actor, character: Character, act_id: UUID, what: Recording, digest: str = ""
) -> list[LedgerEntry]:
    """Enter a recording; `digest` is of the request, as new items have no serial to compare."""
    with transaction.atomic():
        locked(character.pk)  # before a piece is made
        if known := _already(act_id, character, digest):
            return known
        new = _new(what)
        method, told = what.method, what.told
        if isinstance(new, Gear):
            method = method or new.method
            told = replace(told, party=told.party or new.from_)
        act = replace(_act(by, act_id, method, told), said=digest)
        lines = list(_lines(character, replace(what, method=method, told=told), new))
        try:
            return ledger.post(act, lines)
        except Overspent as short:
            if policy.is_owner(by, character):
                text = gettext(
                    "The balance would be c{left}: enter first where the money came from."
                ).format(left=short.left)
                raise Impossible("overspent", text, balance=short.left) from None
            raise


def _already(act_id: UUID, character: Character, said: str) -> list[LedgerEntry]:
    """Return what an act wrote before. Raises: IdReused.

    Of what was entered before its digest was kept, whose books it is in tells alone.
    """
    known = list(LedgerEntry.objects.filter(act_id=act_id).order_by("ordinal"))
    others = all(character.pk not in (one.giver_id, one.taker_id) for one in known)
    if known and (others or (said and _differs(known[0], said))):
        raise IdReused(act_id)
    return known


def _differs(entry: LedgerEntry, said: str) -> bool:
    """Tell whether an entry was made of something else than what is said now."""
    return entry.request_digest.endswith(SAID) and entry.request_digest != said


def _act(by: Actor, act_id: UUID, method: str, told: Circumstances) -> Act:
    audience = told.audience or (Audience.OWNER if method in UNSEEN else Audience.PUBLIC)
    if audience == Audience.NAMED:
        raise BadInput(
            "bad-audience", gettext("An entry is for a group, not for people by name."), "$"
        )
    return Act(act_id, by.player_id, audience, told.certainty, told.happened_on)


New = Gear | Lode | str


def _new(what: Recording) -> New | None:
    """Return what a line says is new; a possession and an artifex are what they are called."""
    if not what.line:
        return None
    text = canonical.text_from(what.line, "$.line", 200, least=1)
    match what.kind:
        case GearItem.Kind.PIECE:
            return grammar.gear(grammar.tidy(text), listed=True) or _unread(
                gettext(
                    "Write it as “Basic Blue Feet (c20 x 2 @ zGearGo)”: "
                    "quality, colour, piece, how."
                )
            )
        case GearItem.Kind.LODE:
            return grammar.lode(grammar.tidy(text), listed=True) or _unread(
                gettext("Write it as “Ego Lode - one artifex + another”.")
            )
        case GearItem.Kind.POSSESSION | GearItem.Kind.ARTIFEX:
            return text
    kinds = ", ".join(GearItem.Kind.values)
    said = gettext("There is no such kind: {kind}. There are {kinds}.")
    raise BadInput("bad-kind", said.format(kind=what.kind[:40], kinds=kinds), "$.kind")


def _unread(said: str) -> NoReturn:
    raise BadInput("no-gear", said, "$.line")


def _lines(character: Character, what: Recording, new: New | None) -> Iterator[Line]:
    ways = GOES if what.out else COMES
    if what.method == Method.REPAIRED:
        yield from _repair(character, what)
    elif what.method not in ways:
        raise _no_such_way(what.method, {*ways, Method.REPAIRED})
    elif what.out:
        yield from _going(character, what)
    elif new is not None:
        yield from _coming(character, what, new)
    else:
        yield from _back(character, what)
    if not (new or what.items or what.amount):
        raise BadInput("nothing", gettext("Say what it is: a line, items or an amount."), "$")


def _no_such_way(method: str, ways: Iterable[str]) -> BadInput:
    text = (
        gettext("There is no such way: {method}. There are {ways}.")
        if method
        else gettext("Say how it was. There are {ways}.")
    )
    return BadInput(
        "bad-method", text.format(method=method, ways=", ".join(sorted(ways))), "$.method"
    )


def _coming(character: Character, what: Recording, new: New) -> Iterator[Line]:
    """Yield the lines by which new things come in, each with what was paid for it."""
    price, more = _paid(what, new)
    words = what.told.words(raw=new.raw if isinstance(new, Gear) else "")
    for item in _made(what.kind, new):
        cost = None if item.inside else price
        yield Line(what.method, item=item, taker=character, price=cost, words=words)
        if cost and what.method in PAID:
            yield Line(what.method, amount=cost, giver=character, words=what.told.words())
    if more:
        yield Line(what.method, amount=more, taker=character, words=what.told.words())


def _paid(what: Recording, new: New) -> tuple[int | None, int | None]:
    """Return what each new thing cost, and what money came with them. Raises: BadInput."""
    said, count = (new.price, new.count) if isinstance(new, Gear) else (None, 1)
    if not what.amount or what.method != Method.BOUGHT:
        return said, what.amount
    if said is not None:
        raise BadInput(
            "price-twice", gettext("The line says what it cost; say it once."), "$.amount"
        )
    if what.amount % count:
        told = gettext("{amount} for {count} is no whole price; say that of one in the line.")
        raise BadInput("no-price", told.format(amount=f"c{what.amount}", count=count), "$.amount")
    return what.amount // count, None


def _made(kind: str, new: New) -> Iterator[GearItem]:
    """Make new things, a lode before what is in it."""
    match new:
        case Gear(quality=quality, colour=colour, type=piece):
            for _ in range(new.count):
                yield make_item(kind, piece, quality=quality, colour=colour, slot=piece)
        case Lode(name=name):
            case = make_item(kind, name)
            yield case
            for each in new.artifex:
                yield make_item(GearItem.Kind.ARTIFEX, each, inside=case)
        case str():
            yield make_item(kind, new)


def _back(character: Character, what: Recording) -> Iterator[Line]:
    """Yield the lines of items that were out in the world, and of money that comes in."""
    for item in items_by(what.items):
        yield Line(what.method, item=item, taker=character, words=what.told.words())
    if what.amount:
        yield Line(what.method, amount=what.amount, taker=character, words=what.told.words())


def _going(character: Character, what: Recording) -> Iterator[Line]:
    for item in items_by(what.items):
        yield Line(
            what.method, item=item, giver=character, price=what.price, words=what.told.words()
        )
    if what.amount:
        yield Line(what.method, amount=what.amount, giver=character, words=what.told.words())
    if what.price and what.items:
        yield Line(what.method, amount=what.price, taker=character, words=what.told.words())


def _repair(character: Character, what: Recording) -> Iterator[Line]:
    """Yield the lines of a repair: the item stays where it is, its price is paid."""
    for item in items_by(what.items):
        yield Line(
            Method.REPAIRED,
            item=item,
            giver=character,
            taker=character,
            price=what.price,
            words=what.told.words(),
        )
    if what.price:
        yield Line(Method.REPAIRED, amount=what.price, giver=character, words=what.told.words())


def items_by(serials: Sequence[str], where: str = "$.items") -> list[GearItem]:
    """Return items by their serials, in that order. Raises: BadInput."""
    if len(serials) > MOST_ITEMS or len(set(serials)) < len(serials):
        raise BadInput(
            "bad-items",
            gettext("At most {MOST_ITEMS} items, none of them twice.").format(
                MOST_ITEMS=MOST_ITEMS
            ),
            where,
        )
    found = {item.serial: item for item in GearItem.objects.filter(serial__in=serials)}
    for number, serial in enumerate(serials):
        if serial not in found:
            said = gettext("There is no item {serial}.").format(serial=serial[:20])
            raise BadInput("no-such-item", said, f"{where}[{number}]")
    return [found[serial] for serial in serials]


# -- mending --------------------------------------------------------------------------------


def correct(*, by: Actor, entry: LedgerEntry, act_id: UUID, reason: str = "") -> list[LedgerEntry]:
    """Undo an act of the books by counter-entries, line by line from its last.

    Who keeps the books of all whom it touches may do it, or an official of each.
    """
    with transaction.atomic():
        of_act = LedgerEntry.objects.filter(act_id=entry.act_id, covers=None)
        lines = list(of_act.select_related("item", "giver", "taker").order_by("-ordinal"))
        people = {who for line in lines for who in (line.giver, line.taker) if who}
        for who in people:
            policy.require_record(by, who)
        locked(*(who.pk for who in people))  # who undoes it at the same time is told of it
        words = {"context": canonical.text_from(reason, "$.reason", 200)}
        if known := list(LedgerEntry.objects.filter(act_id=act_id, corrects__in=lines)):
            return known
        ledger.require_correctable(entry)
        return ledger.post(
            Act(act_id, by.player_id, entry.audience),
            [_counter(line, words) for line in lines],
        )


def _counter(line: LedgerEntry, words: Mapping[str, str]) -> Line:
    return Line(
        Method.CORRECTED,
        item=line.item,
        amount=line.amount,
        giver=line.taker,
        taker=line.giver,
        corrects=line,
        audience=line.audience,
        words=words,
    )


WIDER = [Audience.PUBLIC, Audience.PLAYERS, Audience.OFFICIALS, Audience.OWNER]


def cover(
    *, by: Actor, entry: LedgerEntry, act_id: UUID, method: str, told: Circumstances
) -> list[LedgerEntry]:
    """Tell another story of how something came, to those who do not know the true one."""
    if entry.taker is None or entry.item is None or entry.covers_id:
        raise Impossible("no-cover", gettext("Only the coming of an item is told in another way."))
    policy.require_edit(by, entry.taker)
    audience = told.audience or Audience.PUBLIC
    if audience not in WIDER or WIDER.index(Audience(audience)) >= _place(entry.audience):
        raise BadInput(
            "bad-audience", gettext("A cover is for those who do not know the truth."), "$"
        )
    if method not in COMES:
        raise _no_such_way(method, COMES)
    line = Line(
        method,
        item=entry.item,
        giver=None,
        taker=entry.taker,
        covers=entry,
        audience=audience,
        words=told.words(),
    )
    return ledger.post(Act(act_id, by.player_id, audience, told.certainty), [line])


def _place(audience: str) -> int:
    return WIDER.index(Audience(audience))


# -- after a slag -----------------------------------------------------------------------------


def after_slag(
    *,
    by: Actor,
    item: GearItem,
    act_id: UUID,
    match: str = "",
    roll: int | None = None,
    audience: str = "",
) -> list[LedgerEntry]:
    """Enter what follows when an item was slagged, as its holder's campaign has decided.

    Whole: nothing. Repair: paid at the campaign's price. Lost: destroyed. Roll of a die: on 1
    it is lost, on 2 or 3 it must be repaired, else it is whole. Without a campaign it is whole.
    """
    who = ledger.holder_of(item)
    holder = Character.objects.filter(pk=who).first() if who else None
    if holder is None:
        raise Impossible("not-held", gettext("Nobody holds {serial}.").format(serial=item.serial))
    policy.require_record(by, holder)
    campaign = holder.campaign
    told = Circumstances(context=f"slagged in {match}" if match else "slagged", audience=audience)
    match _follows(campaign, roll):
        case Campaign.AfterSlag.REPAIR:
            price = campaign.repair_price if campaign else 0
            what = Recording(Method.REPAIRED, items=[item.serial], price=price, told=told)
        case Campaign.AfterSlag.LOST:
            what = Recording(Method.DESTROYED, items=[item.serial], out=True, told=told)
        case _:
            return []
    return record(by=by, character=holder, act_id=act_id, what=what)


def _follows(campaign: Campaign | None, roll: int | None) -> str:
    rule = campaign.after_slag if campaign else Campaign.AfterSlag.WHOLE
    if rule != Campaign.AfterSlag.ROLL:
        return rule
    if roll is None or not 1 <= roll <= 6:
        raise BadInput(
            "no-roll", gettext("The campaign rolls for it: say what the die shows."), "$.roll"
        )
    if roll == 1:
        return Campaign.AfterSlag.LOST
    return Campaign.AfterSlag.REPAIR if roll <= 3 else Campaign.AfterSlag.WHOLE
