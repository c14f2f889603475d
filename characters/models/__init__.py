"""Who fights with what: the catalogue, characters, their gear and the ledger of how it came.

Nobody's holding and no balance is stored: both are sums over the ledger, whose entries are
append-only, in the database too. What an entry says in words stands beside it, in
`LedgerWords`, and can be erased without breaking the books.
"""

from characters.models.catalogue import Card, CardSet
from characters.models.characters import (
    Audience,
    Campaign,
    Change,
    Character,
    Goal,
    Move,
    Portrait,
    Section,
)
from characters.models.fielding import Aftermath, Appearance, Deed, FieldedItem, Loadout
from characters.models.ledger import Favour, GearItem, LedgerEntry, LedgerWords, Trade

__all__ = [
    "Aftermath",
    "Appearance",
    "Audience",
    "Campaign",
    "Card",
    "CardSet",
    "Change",
    "Character",
    "Deed",
    "Favour",
    "FieldedItem",
    "GearItem",
    "Goal",
    "LedgerEntry",
    "LedgerWords",
    "Loadout",
    "Move",
    "Portrait",
    "Section",
    "Trade",
]
