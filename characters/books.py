"""Keep the books of a character: what came, what went, repairs, counter-entries.

Each function takes the actor (`by`), checks the policy and writes through `ledger.post`. Exchanges
between characters of different owners are in `trades`.
"""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from typing import NoReturn
from uuid import UUID

import msgspec
from django.db import transaction
from django.utils.translation import gettext

from characters import ledger, policy
from characters.ledger import Certainty, LedgerAct, LedgerLine, Method, Overspent
from characters.locking import locked
from characters.models import Audience, Campaign, Character, GearItem, LedgerEntry
from characters.pasting import make_item
from characters.sheet import grammar
from characters.sheet.shapes import Gear, Lode
from matches import canonical
from matches.actors import Actor
from matches.errors import BadInput, IdReused, Impossible, NotAllowed

COMES = (
    *(Method.BOUGHT, Method.FOUND, Method.WON, Method.GIFT, Method.ISSUED, Method.STOLEN),
    *(Method.TRADED, Method.LENT, Method.SALVAGED, Method.RETURNED),
)
"""Methods by which something comes in from the outside world, in the order of forms."""

GOES = (
    *(Method.TRADED, Method.GIFT, Method.LENT, Method.DESTROYED, Method.CONFISCATED),
    *(Method.STOLEN, Method.RETURNED),
)
"""Methods by which something goes out to it, in the order of forms."""

PAID = {Method.BOUGHT, Method.TRADED}
"""Methods whose line price was paid; for all others the price is only the value."""

HANDED = {Method.TRADED, Method.GIFT, Method.LENT, Method.RETURNED, Method.WON}
"""Methods of passing something from one character to another."""

UNSEEN = {Method.STOLEN}
"""Methods whose entries are for the owner only, unless an audience is given."""

MAX_ITEMS = 50
SAID = "said"
"""Suffix that marks a digest of the request, as opposed to a digest of its lines."""


@dataclass(frozen=True)
class Circumstances:
    """The circumstances of an act of the books, besides what moved."""

    party: str = ""  # a shop, a person without a sheet
    place: str = ""
    context: str = ""
    certainty: str = Certainty.CERTAIN
    audience: str = ""  # public if empty, except that stolen things are for the owner only
    happened_on: date | None = None

    def words(self, **more: str) -> Mapping[str, str]:
        texts = {"party": self.party, "place": self.place, "context": self.context, **more}
        return {name: _line(text, name) for name, text in texts.items() if text}


def _line(text: str, name: str) -> str:
    return canonical.text_from(text, f"$.{name}", 200)


@dataclass(frozen=True)
class Recording:
    """One thing to enter: something new by a line, items by serial, or money.

    `line`: `Basic Blue Feet (c20 x 2 @ zGearGo)`; its method applies if `method` is empty. For
    another `kind` it is `Ego Lode - one artifex + another`, or the name of a thing. `amount`: the
    price of something bought, otherwise money that came or went as well. `out`: it goes to the
    outside world. `price`: paid for a repair.
    """

    method: str = ""
    line: str = ""
    items: Sequence[str] = ()
    amount: int | None = None
    out: bool = False
    price: int | None = None
    kind: str = GearItem.Kind.PIECE
    told: Circumstances = field(default_factory=Circumstances)  # named in stored digests


def record(*, by: Actor, character: Character, act_id: UUID, what: Recording) -> list[LedgerEntry]:
    """Enter what came to a character or went from it, with what was paid.

    Idempotent: the same act again returns the entries it made first. Raises: NotFound, NotAllowed,
    BadInput, Impossible, IdReused.
    """
    policy.require_record(by, character)
    _require_one_way(what)
    digest = hashlib.sha256(msgspec.json.encode([character.pk, what])).hexdigest()
    return _recorded(by, character, act_id, what, digest[: -len(SAID)] + SAID)


def _require_one_way(what: Recording) -> None:
    """Require that words of a line, as `(found, a gutter)`, do not contradict the method."""
    piece = grammar.gear(grammar.tidy(what.line), listed=True) if what.line else None
    said = piece.method if piece and what.kind == GearItem.Kind.PIECE else ""
    if said and said != Method.BOUGHT and what.method not in ("", said):
        detail = gettext("The line says otherwise how it came; say it once.")
        raise BadInput("way-twice", detail, "$.line")


def win(*, by: Actor, character: Character, act_id: UUID, what: Recording) -> list[LedgerEntry]:
    """Enter a prize in the winner's books, on behalf of whoever awards it; otherwise like `record`.

    A line that is not gear by the grammar is left out. Raises: NotAllowed, BadInput, IdReused.
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
        locked(character.pk)  # before a piece is created
        if known := _already(act_id, character, digest):
            return known
        new = _new(what)
        method, circumstances = what.method, what.told
        if isinstance(new, Gear):
            method = method or new.method
            circumstances = replace(circumstances, party=circumstances.party or new.from_)
        act = replace(_act(by, act_id, method, circumstances), request_digest=digest)
        lines = list(_lines(character, replace(what, method=method, told=circumstances), new))
        try:
            return ledger.post(act, lines)
        except Overspent as short:
            if policy.is_owner(by, character):
                text = gettext(
                    "The balance would be c{left}: enter first where the money came from."
                ).format(left=short.left)
                raise Impossible("overspent", text, balance=short.left) from None
            raise


def _already(act_id: UUID, character: Character, digest: str) -> list[LedgerEntry]:
    """Return what an act wrote before. Raises: IdReused.

    Entries older than stored digests are matched by character only.
    """
    known = list(LedgerEntry.objects.filter(act_id=act_id).order_by("ordinal"))
    others = all(character.pk not in (one.giver_id, one.taker_id) for one in known)
    if known and (others or (digest and _differs(known[0], digest))):
        raise IdReused(act_id)
    return known


def _differs(entry: LedgerEntry, digest: str) -> bool:
    """Tell whether an entry was made by a request other than the present one."""
    return entry.request_digest.endswith(SAID) and entry.request_digest != digest


def _act(by: Actor, act_id: UUID, method: str, circumstances: Circumstances) -> LedgerAct:
    audience = circumstances.audience or (Audience.OWNER if method in UNSEEN else Audience.PUBLIC)
    if audience == Audience.NAMED:
        raise BadInput(
            "bad-audience",
            gettext("An entry is for a group, not for people by name."),
            "$.audience",
        )
    return LedgerAct(
        act_id, by.player_id, audience, circumstances.certainty, circumstances.happened_on
    )


New = Gear | Lode | str


def _new(what: Recording) -> New | None:
    """Parse the new things of a line; for a possession or an artifex the text is its name."""
    if not what.line:
        return None
    text = canonical.text_from(what.line, "$.line", 200, least=1)
    match what.kind:
        case GearItem.Kind.PIECE:
            return grammar.gear(grammar.tidy(text), listed=True) or _unread(
                gettext(
                    "Begin with its quality ({qualities}) or its colour, "
                    "as “Basic Blue Feet (c20 x 2 @ zGearGo)”."
                ).format(qualities=", ".join(grammar.QUALITIES))
            )
        case GearItem.Kind.LODE:
            return grammar.lode(grammar.tidy(text), listed=True) or _unread(
                gettext("Write it as “Ego Lode - one artifex + another”.")
            )
        case GearItem.Kind.POSSESSION | GearItem.Kind.ARTIFEX:
            return text
    kinds = ", ".join(GearItem.Kind.values)
    detail = gettext("There is no such kind: {kind}. There are {kinds}.")
    raise BadInput("bad-kind", detail.format(kind=what.kind[:40], kinds=kinds), "$.kind")


def _unread(detail: str) -> NoReturn:
    raise BadInput("no-gear", detail, "$.line")


def _lines(character: Character, what: Recording, new: New | None) -> Iterator[LedgerLine]:
    ways = GOES if what.out else COMES
    if new is not None and (what.out or what.items or what.method == Method.REPAIRED):
        detail = gettext(
            "A line brings something new. What goes, comes back or is repaired is chosen, "
            "or named by its tag."
        )
        raise BadInput("not-new", detail, "$.line")
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


def _coming(character: Character, what: Recording, new: New) -> Iterator[LedgerLine]:
    """Yield the lines by which new things come in, each with what was paid for it."""
    price, more = _paid(what, new)
    words = what.told.words(raw=new.raw if isinstance(new, Gear) else "")
    for item in _made(what.kind, new):
        cost = None if item.inside else price
        yield LedgerLine(what.method, item=item, taker=character, price=cost, words=words)
        if cost and what.method in PAID:
            yield LedgerLine(what.method, amount=cost, giver=character, words=what.told.words())
    if more:
        yield LedgerLine(what.method, amount=more, taker=character, words=what.told.words())


def _paid(what: Recording, new: New) -> tuple[int | None, int | None]:
    """Return the price of each new thing, and the money that came with them. Raises: BadInput."""
    price, count = (new.price, new.count) if isinstance(new, Gear) else (None, 1)
    if not what.amount or what.method != Method.BOUGHT:
        return price, what.amount
    if price is not None:
        raise BadInput(
            "price-twice", gettext("The line says what it cost; say it once."), "$.amount"
        )
    if what.amount % count:
        detail = gettext(
            "{amount} for {count} is not a whole price each; give the price of one in the line."
        )
        raise BadInput("no-price", detail.format(amount=f"c{what.amount}", count=count), "$.amount")
    return what.amount // count, None


def _made(kind: str, new: New) -> Iterator[GearItem]:
    """Create new things, a lode before its contents."""
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


def _back(character: Character, what: Recording) -> Iterator[LedgerLine]:
    """Yield the lines of items that come back from the outside world, and of incoming money."""
    line = partial(LedgerLine, what.method, taker=character, words=what.told.words())
    items = items_by(what.items)
    if what.method != Method.SALVAGED:
        _require_not_destroyed(items)
    for item, where in _named(items):
        yield line(item=item, where=where)
    if what.amount:
        yield line(amount=what.amount)


def _require_not_destroyed(items: Iterable[GearItem]) -> None:
    """Require that nothing was destroyed and not salvaged since. Raises: Impossible."""
    ends = ledger.moving().filter(
        item__in=items, method__in=(Method.DESTROYED, Method.SALVAGED), corrections=None
    )
    rows = ends.select_related("item").order_by("pk")
    for item, last in {end.item: end.method for end in rows}.items():
        if item and last == Method.DESTROYED:
            detail = gettext("{serial} was destroyed: it comes back only as salvaged.")
            raise Impossible("destroyed", detail.format(serial=item.serial))


def _going(character: Character, what: Recording) -> Iterator[LedgerLine]:
    line = partial(LedgerLine, what.method, words=what.told.words())
    for item, where in _named(items_by(what.items)):
        yield line(item=item, giver=character, price=what.price, where=where)
    if what.amount:
        yield line(amount=what.amount, giver=character)
    if what.price and what.items:
        yield line(amount=what.price, taker=character)


def _repair(character: Character, what: Recording) -> Iterator[LedgerLine]:
    """Yield the lines of a repair: the item stays where it is, its price is paid."""
    line = partial(LedgerLine, Method.REPAIRED, giver=character, words=what.told.words())
    for item, where in _named(items_by(what.items)):
        yield line(item=item, taker=character, price=what.price, where=where)
    if what.price:
        yield line(amount=what.price)


def _named(items: Iterable[GearItem]) -> Iterator[tuple[GearItem, str]]:
    """Yield the items that a recording names, each with the path to it."""
    return ((item, f"$.items[{number}]") for number, item in enumerate(items))


def items_by(serials: Sequence[str], where: str = "$.items") -> list[GearItem]:
    """Return items by their serials, in that order. Raises: BadInput."""
    if len(serials) > MAX_ITEMS or len(set(serials)) < len(serials):
        raise BadInput(
            "bad-items",
            gettext("At most {MAX_ITEMS} items, none of them twice.").format(MAX_ITEMS=MAX_ITEMS),
            where,
        )
    found = {item.serial: item for item in GearItem.objects.filter(serial__in=serials)}
    for number, serial in enumerate(serials):
        if serial not in found:
            detail = gettext("There is no item {serial}.").format(serial=serial[:20])
            raise BadInput("no-such-item", detail, f"{where}[{number}]")
    return [found[serial] for serial in serials]


# -- corrections -------------------------------------------------------------------------------


def correct(*, by: Actor, entry: LedgerEntry, act_id: UUID, reason: str = "") -> list[LedgerEntry]:
    """Undo an act of the books by counter-entries, from its last line to its first.

    Allowed for an actor who may keep the books of all characters involved.
    """
    with transaction.atomic():
        of_act = LedgerEntry.objects.filter(act_id=entry.act_id, covers=None)
        lines = list(of_act.select_related("item", "giver", "taker").order_by("-ordinal"))
        people = {who for line in lines for who in (line.giver, line.taker) if who}
        _require_all(by, people)
        locked(*(who.pk for who in people))  # concurrent corrections wait here
        words = {"context": canonical.text_from(reason, "$.reason", 200)}
        if known := list(LedgerEntry.objects.filter(act_id=act_id, corrects__in=lines)):
            return known
        ledger.require_correctable(entry)
        return ledger.post(
            LedgerAct(act_id, by.player_id, entry.audience),
            [_counter(line, words) for line in lines],
        )


def _require_all(by: Actor, people: Collection[Character]) -> None:
    """Require that an actor may keep the books of all. Raises: NotFound, NotAllowed."""
    others = [who for who in people if not policy.may_record(by, who)]
    if 0 < len(others) < len(people):
        detail = gettext(
            "It passed between two players' characters: offer it back, or ask an official of both."
        )
        raise NotAllowed("not-allowed", detail)
    for who in others:
        policy.require_record(by, who)


def _counter(line: LedgerEntry, words: Mapping[str, str]) -> LedgerLine:
    return LedgerLine(
        Method.CORRECTED,
        item=line.item,
        amount=line.amount,
        giver=line.taker,
        taker=line.giver,
        corrects=line,
        audience=line.audience,
        words=words,
    )


def cover(
    *, by: Actor, entry: LedgerEntry, act_id: UUID, method: str, circumstances: Circumstances
) -> list[LedgerEntry]:
    """Write a cover story of how something came, for those who do not know the true one."""
    if entry.taker is None or entry.item is None or entry.covers_id:
        raise Impossible("no-cover", gettext("A cover story can only be told of how an item came."))
    policy.require_edit(by, entry.taker)
    audience = circumstances.audience or Audience.PUBLIC
    groups = policy.NARROWING
    if audience not in groups or groups.index(audience) >= groups.index(entry.audience):
        raise BadInput(
            "bad-audience",
            gettext("A cover is for those who do not know the truth."),
            "$.audience",
        )
    if method not in COMES:
        raise _no_such_way(method, COMES)
    line = LedgerLine(
        method,
        item=entry.item,
        giver=None,
        taker=entry.taker,
        covers=entry,
        audience=audience,
        words=circumstances.words(),
    )
    return ledger.post(LedgerAct(act_id, by.player_id, audience, circumstances.certainty), [line])


# -- after a slag -----------------------------------------------------------------------------


def after_slag(
    *,
    by: Actor,
    character: Character,
    item: GearItem,
    act_id: UUID,
    match: str = "",
    roll: int | None = None,
    audience: str = "",
) -> list[LedgerEntry]:
    """Enter the consequences of an item's slag in the books of its holder, by its campaign.

    Whole: nothing. Repair: paid at the campaign's price. Lost: destroyed. Die roll: on 1 it is
    lost, on 2 or 3 it must be repaired, otherwise it is whole. Without a campaign it is whole.
    """
    policy.require_record(by, character)
    campaign = character.campaign
    where = gettext("slagged in {match}").format(match=match) if match else gettext("slagged")
    circumstances = Circumstances(context=where, audience=audience)
    match _follows(character.after_slag, roll):
        case Campaign.AfterSlag.REPAIR:
            price = campaign.repair_price if campaign else 0
            what = Recording(Method.REPAIRED, items=[item.serial], price=price, told=circumstances)
        case Campaign.AfterSlag.LOST:
            what = Recording(Method.DESTROYED, items=[item.serial], out=True, told=circumstances)
        case _:
            return []
    return record(by=by, character=character, act_id=act_id, what=what)


def _follows(rule: str, roll: int | None) -> str:
    if rule != Campaign.AfterSlag.ROLL:
        return rule
    if roll is None or not 1 <= roll <= 6:
        raise BadInput(
            "no-roll", gettext("The campaign rolls for it: say what the die shows."), "$.roll"
        )
    if roll == 1:
        return Campaign.AfterSlag.LOST
    return Campaign.AfterSlag.REPAIR if roll <= 3 else Campaign.AfterSlag.WHOLE
