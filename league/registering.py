"""Decks of those who enter: registered, read by the day they are played, shown or kept."""

from collections.abc import Mapping
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
from django.utils import timezone
from django.utils.translation import gettext

import rules
from league import desks, policy
from league.models import Entry, Tournament
from matches import canonical, decks
from matches.actors import NOBODY, Actor, actor_for
from matches.errors import Conflict, NotAllowed
from rules.ruleset import ReadsLists


def register_deck(
    *, by: Actor, entry: Entry, deck: Any = None, text: str | None = None
) -> decks.Checked | None:
    """Register the deck an entry brings, as data or as a list, and return how it was read.

    None when it is taken back. Until the first stage starts by who enters, then by organisers. A
    deck with problems is kept, and counts as none where one is required.

    Raises: NotFound, NotAllowed, BadInput, Conflict.
    """
    tournament = entry.tournament
    policy.require_see(by, tournament)
    me = by.player
    own = me is not None and (
        entry.player_id == me.pk or (entry.krewe is not None and entry.krewe.captain_id == me.pk)
    )
    if not policy.is_organiser(by, tournament):
        if not own:
            raise NotAllowed("not-allowed", gettext("Only who enters registers a deck."))
        if decks_locked(tournament):
            raise Conflict("decks-locked", gettext("Play has begun; ask an organiser."))
    checked = take_deck(entry, deck, text, by)
    entry.save(update_fields=["deck", "deck_text", "deck_problems", "deck_at"])
    return checked


def decks_locked(tournament: Tournament) -> bool:
    """Tell whether the first stage has started: from then on decks stay as they are."""
    return bool(desks.desk_of(tournament).stages)


def day_of(tournament: Tournament) -> date:
    """Return the day a tournament begins, where it is played; today while nobody said."""
    at = tournament.starts_at or timezone.now()
    return at.astimezone(ZoneInfo(tournament.timezone)).date()


def game_options(tournament: Tournament) -> Any:
    """Return the options of a tournament's game."""
    plain = msgspec.json.decode(tournament.options)
    return canonical.convert(plain, rules.get(tournament.ruleset).options_type, "$.options")


def deck_options(tournament: Tournament) -> Any:
    """Return the options decks are checked under: the tournament's own, as of its day."""
    ruleset, options = rules.get(tournament.ruleset), game_options(tournament)
    if isinstance(ruleset, ReadsLists):
        return ruleset.options_on(options, day_of(tournament).isoformat())
    return options


def take_deck(
    entry: Entry, deck: Any, text: str | None = None, by: Actor = NOBODY
) -> decks.Checked | None:
    tournament = entry.tournament
    if tournament.decks == Tournament.Decks.NONE:
        raise Conflict("no-decks", gettext("This tournament registers no decks."))
    ruleset = rules.get(tournament.ruleset)
    if not decks.takes_cards(ruleset):
        raise Conflict(
            "no-decks", gettext("{name} is played without decks.").format(name=ruleset.name)
        )
    if text is None and deck in (None, ""):
        entry.deck, entry.deck_text, entry.deck_problems, entry.deck_at = "", "", [], None
        return None
    checked = _check(entry, deck, text, by)
    entry.deck_at = timezone.now()
    return checked


def _check(entry: Entry, deck: Any, text: str | None, by: Actor) -> decks.Checked:
    """Return how the deck of an entry is read, by the day of its tournament, and note that."""
    ruleset, options = rules.get(entry.tournament.ruleset), deck_options(entry.tournament)
    if text is not None:
        checked = decks.check_list(ruleset, text, options, by)
    else:
        canonical.require_plain(deck, "$.deck")
        typed = canonical.convert(deck, ruleset.deck_type, "$.deck")
        problems = ruleset.check_deck(typed, options)
        checked = decks.Checked(deck, (), [decks.finding_of(ruleset, each) for each in problems])
    entry.deck, entry.deck_text = msgspec.json.encode(checked.deck).decode(), text or ""
    entry.deck_problems = [
        {"code": each.code, "clause": each.clause, "line": each.line, "detail": each.detail}
        for each in checked.findings
    ]
    return checked


def check_again(tournament: Tournament) -> None:
    """Check every deck by the day the tournament has now; one registered meanwhile was."""
    for entry in tournament.entries.exclude(deck="").select_related("player__user"):
        by = actor_for(entry.player.user) if entry.player and entry.player.user else NOBODY
        _check(entry, deck_of(entry), entry.deck_text or None, by)
        same = Entry.objects.filter(pk=entry.pk, deck_at=entry.deck_at)
        same.update(deck=entry.deck, deck_problems=entry.deck_problems)


def read_again(entry: Entry, by: Actor) -> decks.Checked | None:
    """Return a registered list as it is read, None where there is none."""
    ruleset = rules.get(entry.tournament.ruleset)
    text = entry.deck_text or decks.written(ruleset, deck_of(entry))
    if not text:
        return None
    return decks.check_list(ruleset, text, deck_options(entry.tournament), by)


def decks_public(tournament: Tournament) -> bool:
    """Tell whether everybody may read the decks: published, or all is over."""
    return tournament.decks_shown or tournament.closed_at is not None


def deck_for_table(entry: Entry) -> Mapping[str, Any] | None:
    """Return the deck a match at a table is opened with: everybody there reads it.

    A game whose lists are secret plays with blanks while they are hidden.
    """
    if decks.reads_lists(rules.get(entry.tournament.ruleset)) and not decks_public(
        entry.tournament
    ):
        return None
    return deck_of(entry)


def deck_of(entry: Entry) -> Mapping[str, Any] | None:
    """Return the deck an entry plays with, None for none."""
    if not entry.deck:
        return None
    found: Mapping[str, Any] = msgspec.json.decode(entry.deck)
    return found


def may_see_deck(by: Actor, entry: Entry) -> bool:
    """Tell who knows a deck: its own side, the judges, everybody once it is published or over."""
    if decks_public(entry.tournament) or policy.may_rule(by, entry.tournament):
        return True
    mine = policy.entry_of(by, entry.tournament)
    return mine is not None and mine.pk == entry.pk


def require_deck(entry: Entry | None) -> None:
    """Raises: Conflict where no legal deck is registered."""
    if entry is None or not entry.deck:
        raise Conflict("deck-missing", gettext("A deck has to be registered first."))
    if entry.deck_problems:
        raise Conflict("deck-illegal", gettext("The deck that is registered is not legal."))
