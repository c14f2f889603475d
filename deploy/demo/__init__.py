"""The demo: people, and what bots play for them, all through the same services as anyone's.

Nothing is written by hand into a table: each act a bot chooses goes through the services and is
judged, chained and stored like an act from a phone. A second run adds only what is missing.
"""

import contextlib

from django.db import transaction

import rules
from characters import cards
from characters.models import Card
from deploy.demo import cast, people, season, single_matches, small_tournaments
from matches import decks
from matches.actors import Actor
from matches.errors import Conflict


def load() -> dict[str, str]:
    """Create what is missing and return the passwords by login."""
    logins = people.logins()
    actors = people.signed_up(logins)
    single_matches.load(actors)
    _stock(actors[0])
    cast.load(actors)
    season.load(actors)
    return logins


def load_rest() -> None:
    """Create what nobody waits for: small tournaments of the other games."""
    small_tournaments.load(people.signed_up(people.logins()))


@transaction.atomic
def _stock(by: Actor) -> None:
    """Share the sample cards in the catalogue, once."""
    if not Card.objects.filter(owner=by.player).exists():
        for deck in decks.samples(rules.get("zg")).values():
            for card in deck["cards"]:
                with contextlib.suppress(Conflict):  # figures share some
                    cards.add(by=by, game="zg", data=card, card_set="Samples", shared=True)
