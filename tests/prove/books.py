"""The ledgers of characters: random histories against an oracle, and races for trades."""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any
from unittest.mock import patch
from uuid import uuid4

from characters import audit, ledger, services
from characters.ledger import LedgerAct
from characters.models import Character, LedgerEntry, Trade
from characters.services import Recording, TradeOffer
from characters.trades import MAX_OPEN
from matches.actors import Actor
from matches.errors import Refused
from tests import factories
from tests.prove import crowd
from tests.prove.crowd import WRITERS
from tests.prove.experiment import Found, batches, experiment, must_break, require

HANDS, ACTS = 3, 12

Move = tuple[str | None, int | None, int | None, int | None]
"""An item's serial or an amount, from whom, to whom; nobody is the world outside."""


@dataclass
class Oracle:
    """The expected balances, kept the simple way: mutable, adjusted in place."""

    balance: Counter[int] = field(default_factory=Counter)
    holder: dict[str, int | None] = field(default_factory=dict)

    def takes(self, moves: list[Move]) -> bool:
        """Apply all moves or none; return whether they could be applied."""
        balance, holder = Counter(self.balance), dict(self.holder)
        for item, amount, giver, taker in moves:
            if item is not None:
                if holder.get(item) != giver:
                    return False
                holder[item] = taker
            else:
                balance[giver] -= amount
                balance[taker] += amount
        if any(balance[who] < min(0, self.balance[who]) for who in range(HANDS)):
            return False
        self.balance, self.holder = balance, holder
        return True


class History:
    """A random history of a few characters, with its oracle."""

    def __init__(self, seed: int) -> None:
        self.pick = random.Random(seed)
        self.oracle = Oracle()
        self.owners: list[Actor] = [factories.actor() for _ in range(HANDS)]
        self.characters = [
            services.paste(by=by, text=f"Character: Hand {number}")
            for number, by in enumerate(self.owners)
        ]
        self.done: list[tuple[LedgerEntry, list[Move]]] = []
        self.corrected: set[int] = set()
        self.counts: Counter[str] = Counter()

    def run(self, acts: int = ACTS) -> None:
        for _ in range(acts):
            act = self.pick.choice([self.earn, self.buy, self.buy, self.sell, self.give, self.mend])
            act(self.pick.randrange(HANDS))
            self.compare()

    def compare(self) -> None:
        for who, character in enumerate(self.characters):
            found, said = ledger.balance(character), self.oracle.balance[who]
            require(found == said, f"a balance is {found}, the oracle says {said}")
            held = {item.serial for item in ledger.items_of(character)}
            wanted = {item for item, holder in self.oracle.holder.items() if holder == who}
            require(held == wanted, f"{len(held)} items are held, the oracle says {len(wanted)}")

    def do(
        self, what: str, who: int, recording: Recording, moves: Callable[[Any], list[Move]]
    ) -> None:
        """Record an act and apply its moves to the oracle; both must accept it or neither."""
        try:
            entries = services.record(
                by=self.owners[who],
                character=self.characters[who],
                act_id=uuid4(),
                what=recording,
            )
        except Refused:
            self.refused(what, moves([]))
            return
        self.taken(what, moves(entries), entries)

    def taken(self, what: str, moves: list[Move], entries: list[LedgerEntry]) -> None:
        require(self.oracle.takes(moves), f"{what} was accepted, and should have been refused")
        self.done.append((entries[0], moves))
        self.counts[what] += 1

    def refused(self, what: str, moves: list[Move]) -> None:
        require(not self.oracle.takes(moves), f"{what} was refused, and should have been accepted")
        self.counts["refused"] += 1

    # the acts

    def earn(self, who: int) -> None:
        amount = self.pick.randint(1, 60)
        moves: list[Move] = [(None, amount, None, who)]
        self.do("earned", who, Recording("won", amount=amount), lambda _: moves)

    def buy(self, who: int) -> None:
        pieces, price = self.pick.randint(1, 3), self.pick.randint(0, 40)
        line = f"Basic Blue Feet (c{price} x {pieces} @ a shop)"

        def moves(entries: list[LedgerEntry]) -> list[Move]:
            serials = [entry.item.serial for entry in entries if entry.item]
            names = serials or [f"new {number}" for number in range(pieces)]
            paid: list[Move] = [(None, price, who, None)] * (pieces if price else 0)
            return [*((name, None, None, who) for name in names), *paid]

        self.do("bought", who, Recording(line=line), moves)

    def item(self) -> str | None:
        return self.pick.choice(sorted(self.oracle.holder)) if self.oracle.holder else None

    def sell(self, who: int) -> None:
        """Sell an item, whether the seller owns it or not."""
        item, price = self.item(), self.pick.randint(1, 30)
        if item is None:
            return
        moves: list[Move] = [(item, None, who, None), (None, price, None, who)]
        what = Recording("traded", items=[item], out=True, price=price)
        self.do("sold", who, what, lambda _: moves)

    def give(self, who: int) -> None:
        """Offer an item for sale to another character, who accepts after a further act."""
        to, item, asks = (who + 1) % HANDS, self.item(), self.pick.randint(0, 30)
        if item is None or self.oracle.holder[item] != who:
            return
        trade = services.offer(
            by=self.owners[who],
            character=self.characters[who],
            to=self.characters[to],
            what=TradeOffer(gives=[item], asks=asks),
        )
        self.pick.choice([self.earn, self.sell])(self.pick.randrange(HANDS))
        moves: list[Move] = [(item, None, who, to)]
        moves += [(None, asks, to, who)] if asks else []
        try:
            entries = services.accept(by=self.owners[to], trade=trade)
        except Refused:
            self.refused("traded", moves)
        else:
            self.taken("traded", moves, entries)

    def mend(self, _: int) -> None:
        """Undo any earlier act that was not undone yet."""
        if not self.done:
            return
        place = self.pick.randrange(len(self.done))
        entry, moves = self.done[place]
        back = [(item, amount, taker, giver) for item, amount, giver, taker in reversed(moves)]
        boss = self.owners[0]
        with patch.object(services.correct.__globals__["policy"], "may_record", lambda *_: True):
            try:
                services.correct(by=boss, entry=entry, act_id=uuid4())
            except Refused:
                if place not in self.corrected:
                    self.refused("undone", back)
                return
        require(place not in self.corrected, "an act was undone twice")
        require(self.oracle.takes(back), "an act was undone, and should not have been")
        self.corrected.add(place)
        self.counts["undone"] += 1


@experiment(
    section="The books",
    promise="Every holder and every balance is the sum of the ledger entries.",
    full={"histories": 1000},
    short={"histories": 10},
)
def ledger_histories(*, histories: int) -> Found:
    counts: Counter[str] = Counter()
    for seed in range(histories):
        history = History(seed)
        history.run()
        counts += history.counts
    flaws = list(audit.problems())
    require(not flaws, f"the audit finds {flaws[:1]}")
    broke = must_break(unguarded)
    return Found(
        asked=f"{histories:,} random histories of {HANDS} characters compared with an oracle",
        found=f"every holder and balance agreed after each of {sum(counts.values()):,} acts",
        counts={"histories": histories, **dict(sorted(counts.items()))},
        bite=f"With unguarded balances: {broke}.",
    )


def unguarded() -> None:
    with patch.object(ledger, "_require_money", lambda lines: None):
        for seed in count():
            History(seed).run()


@experiment(
    section="The books",
    promise="An offer that sixteen accept at once changes hands once.",
    full={"rounds": 100},
    short={"rounds": 3},
)
def trades_once(*, rounds: int) -> Found:
    for waiting in batches(rounds, MAX_OPEN):
        race(waiting, services.accept)
        sold_once(waiting)
    broke = must_break(lambda: race(1, stale))
    return Found(
        asked=f"{rounds:,} offers accepted by {WRITERS} at once, {rounds:,} pieces offered to all",
        found="each offer happened once, each piece went to one",
        counts={"offers": rounds, "entries": LedgerEntry.objects.count()},
        bite=f"With the offer's state read before the lock: {broke}.",
    )


def pair(purse: int) -> tuple[list[Actor], list[Character]]:
    owners = [factories.actor() for _ in range(2)]
    both = [services.paste(by=by, text="Character: Side") for by in owners]
    for by, character in zip(owners, both, strict=True):
        what = Recording("won", amount=purse)
        services.record(by=by, character=character, act_id=uuid4(), what=what)
    return owners, both


def race(rounds: int, accept: Callable[..., Any]) -> None:
    """Race to accept an offer of c1: each round must move it exactly once."""
    owners, (giver, taker) = pair(purse=1000)
    trades = [
        services.offer(by=owners[0], character=giver, to=taker, what=TradeOffer(pays=1))
        for _ in range(rounds)
    ]
    own = [[Trade.objects.get(pk=trade.pk) for _ in range(WRITERS)] for trade in trades]

    def write(number: int, writer: int) -> Any:
        return [entry.pk for entry in accept(by=owners[1], trade=own[number][writer])]

    for answers in crowd.rounds(write, rounds):
        same = all(answer == answers[0] for answer in answers)
        require(same or accept is stale, f"the takers were answered differently: {answers[:3]}")
    moved = ledger.balance(taker) - 1000
    require(moved == rounds, f"c{moved} changed hands, of c{rounds} offered")


def stale(*, by: Actor, trade: Trade) -> list[LedgerEntry]:
    """Accept an offer trusting an earlier read: the broken variant."""
    if trade.status != Trade.Status.OFFERED:
        return []
    lines = list(services.accept.__globals__["_handed"](trade))
    return ledger.post(LedgerAct(uuid4(), by.player_id), lines)


def sold_once(rounds: int) -> None:
    """Offer one piece to sixteen buyers who accept at once: exactly one gets it."""
    giver = factories.actor()
    seller = services.paste(by=giver, text="Character: Seller")
    takers = [factories.actor() for _ in range(WRITERS)]
    buyers = [services.paste(by=by, text=f"Character: Buyer {n}") for n, by in enumerate(takers)]
    offers = []
    for _ in range(rounds):
        what = Recording("found", line="Basic Red Helmet")
        services.record(by=giver, character=seller, act_id=uuid4(), what=what)
        item = ledger.items_of(seller)[-1]
        gift = TradeOffer(gives=[item.serial], method="gift")
        offers.append(
            [services.offer(by=giver, character=seller, to=to, what=gift) for to in buyers]
        )

    def write(number: int, writer: int) -> Any:
        return services.accept(by=takers[writer], trade=offers[number][writer])

    for answers in crowd.rounds(write, rounds):
        got = [answer for answer in answers if not isinstance(answer, Exception)]
        require(len(got) == 1, f"{len(got)} of {WRITERS} got the one piece")
    held = sum(len(ledger.items_of(buyer)) for buyer in buyers)
    require(held == rounds, f"{held} of {rounds} pieces arrived")
