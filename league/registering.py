"""Entrants' decks: registered, checked by the day of play, and shown or kept secret."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

import rules
from characters import fielding, loadouts
from characters.loadouts import EvaluatedLoadout
from characters.models import GearItem, Loadout
from league import desks, policy
from league.models import Entry, Tournament
from matches import canonical, decks
from matches.actors import NOBODY, Actor
from matches.errors import BadInput, Conflict, NotAllowed
from rules.capabilities import SupportsDeckLists


def register_deck(
    *, by: Actor, entry: Entry, deck: Any = None, text: str | None = None
) -> decks.Checked | None:
    """Register an entry's deck, as data or as a list, and return how it was read.

    None if the deck is withdrawn. Until the first stage starts entrants may do so, then only
    organisers. A deck with problems is stored, but does not count where a deck is required. Raises:
    NotFound, NotAllowed, BadInput, Conflict.
    """
    _require_registers(by, entry)
    checked = take_deck(entry, deck, text, by)
    keep(entry)
    return checked


def register_loadout(*, by: Actor, entry: Entry, loadout: Loadout) -> decks.Checked | None:
    """Register the gear of a loadout of the entry's character as its deck, as it is now.

    At its tables the character fields that gear. Raises: as `register_deck`, and Impossible for
    gear that is gone, or whose slag has yet to be dealt with.
    """
    _require_registers(by, entry)
    of_game = loadout.game == rules.get(entry.tournament.ruleset).key
    if loadout.character_id != entry.character_id or not of_game:
        text = gettext("{loadout} is no loadout of {entry} for this game.")
        text = text.format(loadout=loadout, entry=entry)
        raise BadInput("other-character", text, "$.loadout")
    found = loadouts.evaluate(loadout)
    fielding.require_fit(found, "$.loadout")
    checked = take_deck(entry, found.deck, None, by)
    keep(entry, found.items)
    return checked


def fielded(entry: Entry) -> EvaluatedLoadout | None:
    """Return the gear that an entry's deck was made of, None if it was not.

    None too once its character is another player's: nothing they do not play is on its record.
    """
    character, deck = entry.character, deck_of(entry)
    if character is None or deck is None or character.owner_id != entry.player_id:
        return None
    pieces = list(entry.pieces.select_related("card"))
    if not pieces or len(pieces) != len(deck["cards"]):  # a piece was erased since
        return None
    key = rules.get(entry.tournament.ruleset).key
    return loadouts.as_registered(character, key, pieces, deck)


def keep(entry: Entry, pieces: Iterable[GearItem] = ()) -> None:
    """Store the deck of an entry, and the gear it was made of."""
    with transaction.atomic():
        entry.save(update_fields=["deck", "deck_text", "deck_problems", "deck_at"])
        entry.pieces.set(pieces)


def _require_registers(by: Actor, entry: Entry) -> None:
    """Raises: NotFound, NotAllowed, Conflict for who may not register a deck, or not any more."""
    tournament = entry.tournament
    policy.require_see(by, tournament)
    if not policy.is_organiser(by, tournament):
        if by.player is None or not policy.answers_for(by.player, entry):
            raise NotAllowed(
                "not-allowed", gettext("Only the entrant, or an organiser, can register the deck.")
            )
        if decks_locked(tournament):
            raise Conflict("decks-locked", gettext("Play has begun; ask an organiser."))


def decks_locked(tournament: Tournament) -> bool:
    """Return whether the first stage has started, after which decks can no longer be changed."""
    return bool(desks.desk_of(tournament).stages)


def day_of(tournament: Tournament) -> date:
    """Return the local day on which a tournament begins; today if that is not set."""
    at = tournament.starts_at or timezone.now()
    return at.astimezone(ZoneInfo(tournament.timezone)).date()


def game_options(tournament: Tournament) -> Any:
    """Return the options of a tournament's game."""
    plain = msgspec.json.decode(tournament.options)
    return canonical.convert(plain, rules.get(tournament.ruleset).options_type, "$.options")


def deck_options(tournament: Tournament) -> Any:
    """Return the options to check decks under: the tournament's own, as of its day."""
    ruleset, options = rules.get(tournament.ruleset), game_options(tournament)
    if isinstance(ruleset, SupportsDeckLists):
        return ruleset.options_on(options, day_of(tournament).isoformat())
    return options


def take_deck(entry: Entry, deck: Any, text: str | None, by: Actor) -> decks.Checked | None:
    """Set an entry's deck, from data or a list, without saving it, and return how it was read.

    None if both are empty, which removes it. Raises: BadInput, Conflict for a tournament or a game
    without decks.
    """
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
    """Check an entry's deck as of the tournament's day, set its fields, and return the result."""
    ruleset, options = rules.get(entry.tournament.ruleset), deck_options(entry.tournament)
    text = canonical.newlines(text) if isinstance(text, str) else text
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
    """Check every deck again after the tournament's day changed, except ones registered since."""
    for entry in tournament.entries.exclude(deck="").select_related("player__user"):
        player = entry.player
        by = Actor(player.user, player) if player and player.user else NOBODY
        _check(entry, deck_of(entry), entry.deck_text or None, by)
        same = Entry.objects.filter(pk=entry.pk, deck_at=entry.deck_at)
        same.update(deck=entry.deck, deck_problems=entry.deck_problems)


def read_again(entry: Entry, by: Actor) -> decks.Checked | None:
    """Return how a registered list is read, None if there is none."""
    ruleset = rules.get(entry.tournament.ruleset)
    text = entry.deck_text or decks.written(ruleset, deck_of(entry))
    if not text:
        return None
    return decks.check_list(ruleset, text, deck_options(entry.tournament), by)


def decks_public(tournament: Tournament) -> bool:
    """Return whether everybody may read the decks: published, or the tournament is closed."""
    return tournament.decks_shown or tournament.closed_at is not None


def deck_for_table(entry: Entry) -> Mapping[str, Any] | None:
    """Return the deck to open a table's match with, which everybody there can read.

    For games with secret lists it is None while decks are hidden: the match starts with blanks.
    """
    if decks.reads_lists(rules.get(entry.tournament.ruleset)) and not decks_public(
        entry.tournament
    ):
        return None
    return deck_of(entry)


def deck_of(entry: Entry) -> Mapping[str, Any] | None:
    """Return an entry's deck, None if it has none."""
    if not entry.deck:
        return None
    found: Mapping[str, Any] = msgspec.json.decode(entry.deck)
    return found


def may_see_deck(by: Actor, entry: Entry) -> bool:
    """Return whether an actor may see a deck: its owner, judges, everybody once it is public."""
    if decks_public(entry.tournament) or policy.may_rule(by, entry.tournament):
        return True
    mine = policy.entry_of(by, entry.tournament)
    return mine is not None and mine.pk == entry.pk


def require_deck(entry: Entry | None) -> None:
    """Raises: Conflict if no legal deck is registered."""
    if entry is None or not entry.deck:
        raise Conflict("deck-missing", gettext("A deck has to be registered first."))
    if entry.deck_problems:
        raise Conflict("deck-illegal", gettext("The deck that is registered is not legal."))
