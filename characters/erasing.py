"""Erase a person from sheets: their words go, what was played stays."""

from functools import reduce

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext, ngettext

from characters import trades
from characters.models import (
    Campaign,
    CardSet,
    Change,
    Character,
    Favour,
    GearItem,
    Goal,
    LedgerEntry,
    LedgerWords,
    Loadout,
    Move,
    Portrait,
    Section,
)
from characters.offers import settle
from matches.erasing import NAMELESS as NOBODY
from matches.erasing import blank, names_of, naming
from matches.models import Player, Seat

NAMELESS = "Erased character"
NAMELESS_CAMPAIGN = "Erased campaign"


def erase(player: Player) -> None:
    """Blank what a person wrote on their characters' sheets, and the names they gave."""
    own = _withdraw_offers(player)
    Section.objects.filter(character__in=own).update(text="")
    Portrait.objects.filter(character__in=own).delete()
    Change.objects.filter(character__in=own).update(before="", after="")
    Goal.objects.filter(character__in=own).update(text="")
    Favour.objects.filter(holder__in=own).update(who="", text="")
    entries = LedgerEntry.objects.filter(
        Q(giver__in=own) | Q(taker__in=own) | Q(recorded_by=player.pk)
    )
    LedgerWords.objects.filter(entry__in=entries).update(party="", place="", context="", raw="")
    _forget_possessions(own)
    Loadout.objects.filter(character__in=own).update(name="Erased loadout")
    CardSet.objects.filter(owner=player).update(about="")
    named = naming(names_of(player))
    for card_set in CardSet.objects.filter(owner=player):
        nameless = f"Set {card_set.pk.hex[-8:]}"
        blank(CardSet.objects.filter(pk=card_set.pk), "name", named, nameless)
    _forget_hands(player)
    _forget_names(player)
    Campaign.objects.filter(owner=player).update(name=NAMELESS_CAMPAIGN)
    own.update(name=NAMELESS, tagline="")


def describe(player: Player) -> list[str]:
    """Describe what happens to a person's characters, for whoever has to confirm it."""
    count = Character.objects.filter(owner=player).count()
    text = ngettext(
        "{count} character: its name, its portrait and all that is written on its sheet go. It"
        " stays as “{nameless}”, with its gear, its money and its record in matches.",
        "{count} characters: their names, their portraits and all that is written on their sheets"
        " go. They stay as “{nameless}”, with their gear, their money and their records in"
        " matches.",
        count,
    )
    return [text.format(count=count, nameless=gettext(NAMELESS))] if count else []


def _withdraw_offers(player: Player) -> QuerySet[Character]:
    """Withdraw what awaits an answer, by them or from them; return their characters, locked.

    Nobody is there to stand by an offer. Rows are locked as accepting locks them: characters, their
    moves, then trades. A character accepted until its move could be locked is theirs too.
    """
    mine = Character.objects.select_for_update(no_key=True).filter(owner=player).order_by("pk")
    list(mine)
    moves = Move.objects.filter(Q(by=player) | Q(to=player), status=Move.Status.OFFERED)
    for move in moves.select_for_update().order_by("pk"):
        settle(move, Move.Status.WITHDRAWN)
    own = list(mine.all())
    for character in own:
        trades.withdraw_all(character)
    return Character.objects.filter(pk__in=[each.pk for each in own])


def _forget_possessions(own: QuerySet[Character]) -> None:
    """Blank the names they gave to possessions, lodes and artifex that nobody else ever had."""
    had = LedgerEntry.objects.filter(taker__in=own).values("item")
    others = LedgerEntry.objects.filter(item=OuterRef("pk")).exclude(taker__in=own)
    passed_on = Exists(others.exclude(taker=None))
    theirs = GearItem.objects.exclude(kind=GearItem.Kind.PIECE).filter(pk__in=had)
    theirs.exclude(passed_on).update(name="Erased possession", quality="", colour="")


def _forget_hands(player: Player) -> None:
    """Remove their name from the history of characters that they gave away or took over.

    They may have had another name then, so the change is identified by the accepted move.
    """
    moves = Move.objects.filter(Q(by=player) | Q(to=player), status=Move.Status.ACCEPTED)
    for move in moves.exclude(to=None):
        past = Change.objects.filter(what="owner", character=move.character_id)
        change = past.filter(changed_at__lte=move.settled_at).order_by("-changed_at").first()
        if change is not None:
            side = {"before": NOBODY} if move.by_id == player.pk else {"after": NOBODY}
            past.filter(pk=change.pk).update(**side)


def _forget_names(player: Player) -> None:
    """Remove their name from the history of others' sheets, where a part was shown to them by name.

    The same goes for campaigns of theirs that contain their name, and for diaries that took it from
    a match they sat at.
    """
    names = names_of(player)
    sat_at = Seat.objects.filter(player=player).values("match__code")
    Favour.objects.filter(who__in=names, match__in=sat_at).update(who=NOBODY)
    for change in Change.objects.filter(_holding(names), what__endswith=" by name"):
        change.before, change.after = (
            reduce(_without, names, listed) for listed in (change.before, change.after)
        )
        change.save(update_fields=["before", "after"])
    run = Campaign.objects.filter(owner=player).values_list("name", flat=True)
    joined = Change.objects.filter(what="campaign")
    for name in filter(naming(names).search, run):
        joined.filter(before=name).update(before=NAMELESS_CAMPAIGN)
        joined.filter(after=name).update(after=NAMELESS_CAMPAIGN)


def _holding(names: list[str]) -> Q:
    held = Q(pk=None)
    for name in names:
        held |= Q(before__contains=name) | Q(after__contains=name)
    return held


def _without(listed: str, name: str) -> str:
    """Return a list of names without one of them."""
    return f", {listed}, ".replace(f", {name}, ", f", {NOBODY}, ")[2:-2]
