"""Prizes of places, which are paid into the winners' books once.

Entrants who leave a knock-out in the same round share a place and also take the places below it:
two who are third win the prizes of third and fourth place. `Tournament.shared_prizes` says how
these are divided.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from uuid import UUID

from django.db import transaction
from django.db.models import prefetch_related_objects
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext

from characters import services as characters
from characters.ledger import MAX_MONEY
from characters.locking import locked
from league import desks, policy
from league.models import Entry, Prize, PrizeShare, Tournament
from league.texts import of_field
from matches import once
from matches.actors import Actor
from matches.errors import BadInput, Conflict, NotFound
from rules import texts
from rules.desk.standings import final_places
from rules.desk.state import Desk, entrants

MAX_PLACE = 4096


@dataclass(frozen=True)
class AwardedPart:
    """An entrant's part in a prize: some of its money, with or without its gear."""

    prize: Prize
    entrant: int
    place: int
    amount: int
    line: str


@dataclass(frozen=True)
class Won:
    """What an entrant wins in total. `place` may be shared."""

    entrant: int
    place: int
    amount: int
    lines: tuple[str, ...]


def parts(tournament: Tournament, desk: Desk, prizes: Iterable[Prize]) -> list[AwardedPart]:
    """Return everybody's parts in prizes by the final order; none before the close.

    If split, the money of shared places is divided equally; remaining credits go one each in the
    final order, and gear goes by that order too. Disqualified entrants win nothing.
    """
    split = tournament.shared_prizes == Tournament.SharedPrizes.SPLIT
    out = set(entrants(desk, "disqualified"))
    found = []
    at = 0
    of = sorted(prizes, key=lambda prize: (prize.place, prize.pk))
    for place, group in groupby(final_places(desk).items(), lambda each: each[1]):
        sharing = [player for player, _ in group if player not in out]
        taken = [prize for prize in of if at < prize.place <= at + len(sharing)]
        at += len(sharing)
        found += (_split if split else _by_order)(taken, sharing, place)
    return found


def _by_order(prizes: Sequence[Prize], players: Sequence[int], place: int) -> list[AwardedPart]:
    """Give each prize to the player at its place in the final order; `place` is the first one's."""
    return [
        AwardedPart(prize, players[prize.place - place], place, prize.amount, prize.line)
        for prize in prizes
    ]


def _split(prizes: Sequence[Prize], players: Sequence[int], place: int) -> list[AwardedPart]:
    """Divide the money of prizes; the remainder of one continues where the last ended."""
    found = []
    first = 0  # who gets the next remaining credit
    for prize in prizes:
        each, rest = divmod(prize.amount, len(players))
        more = {players[(first + n) % len(players)] for n in range(rest)}
        first += rest
        for number, player in enumerate(players):
            line = prize.line if number == prize.place - place else ""
            amount = each + (player in more)
            if amount or line:
                found.append(AwardedPart(prize, player, place, amount, line))
    return found


Shares = list[tuple[Entry, AwardedPart]]


def shares_of(
    tournament: Tournament, desk: Desk, entries: Mapping[int, Entry]
) -> dict[int, Shares]:
    """Return who wins each prize by the final order, and their parts; nobody before the close."""
    found: dict[int, Shares] = defaultdict(list)
    for part in parts(tournament, desk, tournament.prizes.all()):
        found[part.prize.pk].append((entries[part.entrant], part))
    return found


def won(tournament: Tournament, desk: Desk) -> list[Won]:
    """Return what everybody wins, best first, whether or not it is given yet."""
    return _summed(parts(tournament, desk, tournament.prizes.all()))


def given(tournament: Tournament, desk: Desk) -> list[Won]:
    """Return what everybody was given, best first; later corrections do not change it."""
    return _summed(given_parts(tournament, desk, tournament.prizes.all()))


def given_of(prizes: Iterable[Prize]) -> list[Prize]:
    """Return the prizes that were given, with their shares, which are read once."""
    found = [prize for prize in prizes if prize.given_at is not None]
    prefetch_related_objects(found, "shares")
    return found


def given_parts(tournament: Tournament, desk: Desk, prizes: Iterable[Prize]) -> list[AwardedPart]:
    """Return everybody's parts in prizes already given, by the current final order.

    None before the close.
    """
    places = final_places(desk)
    entrant = {desks.entry_id(tournament.pk, desk, n): n for n in places}
    found = [
        AwardedPart(prize, n := entrant[each.entry_id], places[n], each.amount, each.line)
        for prize in given_of(prizes)
        for each in prize.shares.all()
        if each.entry_id in entrant
    ]
    return sorted(found, key=lambda part: part.place)


@dataclass(frozen=True)
class Misgiven:
    """A prize that was given to others than its current winners."""

    prize: Prize
    had: list[Entry]
    win: list[Entry]

    def __str__(self) -> str:
        text = gettext(
            "The prize of place {place} went to {had}; by the order now it is for {win}."
        )
        had, win = ([each.name for each in entries] for entries in (self.had, self.win))
        return text.format(place=self.prize.place, had=texts.listed(had), win=texts.listed(win))


def misgiven(tournament: Tournament, desk: Desk, entries: Mapping[int, Entry]) -> list[Misgiven]:
    """Return the prizes whose winners changed by a correction after they were given."""
    given = given_of(tournament.prizes.all()) if desk.closed else []
    if not given:
        return []
    desks.read_entries([tournament])
    rows = {entry.pk: entry for entry in tournament.entries.all()}
    wins = shares_of(tournament, desk, entries)
    found = [
        Misgiven(
            prize,
            [rows[share.entry_id] for share in prize.shares.all()],
            [entry for entry, _ in wins[prize.pk]],
        )
        for prize in given
    ]
    return [each for each in found if {*each.had} != {*each.win}]


def _summed(every: Iterable[AwardedPart]) -> list[Won]:
    found: dict[int, Won] = {}
    for part in every:
        before = found.get(part.entrant, Won(part.entrant, part.place, 0, ()))
        lines = (*before.lines, part.line) if part.line else before.lines
        found[part.entrant] = Won(part.entrant, part.place, before.amount + part.amount, lines)
    return list(found.values())


def _outstanding(tournament: Tournament, desk: Desk) -> list[AwardedPart]:
    """Return everybody's parts in prizes not given yet; none before the close."""
    every = parts(tournament, desk, tournament.prizes.all()) if desk.closed else []
    return [part for part in every if part.prize.given_at is None]


def are_due(tournament: Tournament, desk: Desk) -> bool:
    """Return whether a prize that was won has not been given yet."""
    return bool(_outstanding(tournament, desk))


def go_to_books(tournament: Tournament, desk: Desk, entries: Mapping[int, Entry]) -> bool:
    """Return whether a character won a prize that has not been given yet."""
    due = _outstanding(tournament, desk)
    return any(entries[part.entrant].character_id is not None for part in due)


def award(*, by: Actor, tournament: Tournament) -> list[Prize]:
    """Give every outstanding prize of a closed tournament; return those given now.

    Money and gear go into the books of the characters that entered; a prize won only by entrants
    without a character waits to be handed over. Raises: NotAllowed; Conflict while the tournament
    is not closed or results are held back (which books would reveal), or for more money than books
    take; then nothing is given.
    """
    policy.require_organise(by, tournament)
    desk = desks.desk_of(tournament)
    if not desk.closed:
        raise Conflict("not-closed", gettext("Prizes are given once the tournament is closed."))
    due = [
        shares
        for _, shares in sorted(_shown_shares(tournament, desk).items())
        if shares[0][1].prize.given_at is None and any(entry.character for entry, _ in shares)
    ]
    for shares in due:
        _require_fits_books(shares)
    given = [_give(by, shares) for shares in due]
    return [prize for prize in given if prize is not None]


def hand_over(*, by: Actor, tournament: Tournament, prize: int) -> None:
    """Record that a prize was handed to winners without books, for good.

    Raises: NotAllowed; Conflict while nobody has won it or results are held back, or for more money
    than books take.
    """
    policy.require_organise(by, tournament)
    shares = _shown_shares(tournament, desks.desk_of(tournament))[prize]
    if not shares:
        raise Conflict("not-won", gettext("Nobody has won this prize."))
    _require_fits_books(shares)
    _give(by, shares)


def put_right(*, by: Actor, tournament: Tournament, prize: int) -> None:
    """Record that a prize given before a correction is now with its current winners.

    Books are not changed: what was entered there has to be given back by hand. Raises: NotAllowed,
    NotFound, Conflict for a prize not given yet or while results are held back.
    """
    policy.require_organise(by, tournament)
    shares = _shown_shares(tournament, desks.desk_of(tournament))[prize]
    with transaction.atomic():
        found = _locked(tournament, prize)
        if found.given_at is None:
            raise Conflict("not-given", gettext("That prize was not given yet."))
        _share(found, shares)


def _locked(tournament: Tournament, prize: int) -> Prize:
    """Return a prize, locked until the transaction ends. Raises: NotFound."""
    found: Prize | None = tournament.prizes.select_for_update().filter(pk=prize).first()
    if found is None:
        raise NotFound(gettext("There is no such prize."), "no-such-prize")
    return found


def _shown_shares(tournament: Tournament, desk: Desk) -> dict[int, Shares]:
    """Return who wins each prize, as `shares_of`. Raises: Conflict while results are held back."""
    if desk.held:
        detail = gettext(
            "Results are still held back, and prizes reveal who won: show the results first."
        )
        raise Conflict("results-held", detail)
    return shares_of(tournament, desk, desks.entries_by_number(tournament, desk))


def _require_fits_books(shares: Shares) -> None:
    """Raises: Conflict if a share of a prize not given yet is more money than books take."""
    for entry, part in shares:
        if entry.character and part.amount > MAX_MONEY and part.prize.given_at is None:
            detail = gettext(
                "Books take c{most:,} at once, and the prize of place {place} is more: "
                "take it back and promise less."
            )
            detail = detail.format(most=MAX_MONEY, place=part.prize.place)
            raise Conflict("prize-too-large", detail)


@transaction.atomic
def _give(by: Actor, shares: Shares) -> Prize | None:
    """Record the shares of a prize and enter them in the winners' books, atomically.

    Returns None if it was given, or withdrawn, meanwhile.
    """
    found = Prize.objects.select_for_update(of=("self",)).select_related("tournament")
    prize = found.filter(pk=shares[0][1].prize.pk, given_at=None).first()
    if prize is None:
        return None
    locked(*(entry.character_id for entry, _ in shares if entry.character_id))
    _share(prize, shares)
    for entry, part in shares:
        _enter(by, prize, entry, part, alone=len(shares) == 1)
    return prize


def _share(prize: Prize, shares: Shares) -> None:
    """Store the shares of a prize, and that it is given."""
    prize.shares.all().delete()
    PrizeShare.objects.bulk_create(
        PrizeShare(prize=prize, entry=entry, amount=part.amount, line=part.line)
        for entry, part in shares
    )
    prize.entry = shares[0][0] if len(shares) == 1 else None
    prize.given_at = prize.given_at or timezone.now()
    prize.save(update_fields=["entry", "given_at"])


def _enter(by: Actor, prize: Prize, entry: Entry, part: AwardedPart, *, alone: bool) -> None:
    """Enter a share in the winner's books.

    The act id is a keyed hash, so that nobody can guess it and occupy it with another entry.
    """
    character = entry.character
    if character is None:
        return
    context = gettext("Place {place}").format(place=part.place)
    circumstances = characters.Circumstances(party=prize.tournament.title[:80], context=context)

    def act(what: str) -> UUID:
        name = f"{prize.tournament_id} {prize.pk} {what}{'' if alone else entry.pk}"
        return UUID(bytes=salted_hmac("league.prizes", name).digest()[:16])

    if part.line:
        recording = characters.Recording(line=part.line, told=circumstances)
        characters.win(by=by, character=character, act_id=act("gear"), what=recording)
    if part.amount:
        recording = characters.Recording(amount=part.amount, told=circumstances)
        characters.win(by=by, character=character, act_id=act("money"), what=recording)


def promise_prize(
    *,
    by: Actor,
    tournament: Tournament,
    place: int,
    amount: int = 0,
    line: str = "",
    act_id: UUID | None = None,
) -> Prize:
    """Promise a prize to a place: money, a piece of gear as one line, or both.

    Idempotent per `act_id`. Raises: NotAllowed, BadInput, IdReused.
    """
    policy.require_organise(by, tournament)
    line = of_field(Prize, "line", line)
    if not amount and not line:
        raise BadInput(
            "missing-field", gettext("A prize is money, a line of gear, or both."), "$.amount"
        )
    if not 1 <= place <= MAX_PLACE:
        detail = gettext("A place is from 1 to {most}.").format(most=MAX_PLACE)
        raise BadInput("bad-place", detail, "$.place")
    if not 0 <= amount <= MAX_MONEY:
        detail = gettext("A prize of money is from 0 to {most}.").format(most=MAX_MONEY)
        raise BadInput("bad-amount", detail, "$.amount")
    return once.make(
        Prize,
        policy.require_make(by).pk,
        act_id,
        key="act_id",
        tournament=tournament,
        place=place,
        amount=amount,
        line=line,
    )


def unpromise_prize(*, by: Actor, tournament: Tournament, prize: int) -> None:
    """Withdraw a prize that was not given yet. Raises: NotAllowed, NotFound, Conflict."""
    policy.require_organise(by, tournament)
    with transaction.atomic():
        found = _locked(tournament, prize)
        if found.given_at is not None:
            raise Conflict("prizes-given", gettext("That prize was given."))
        found.delete()
