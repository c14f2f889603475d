"""Models of the catalogue, of characters, and of their gear and its ledger.

Holdings and balances are not stored: both are sums over the ledger, whose entries are append-only,
also in the database. The words of an entry are in a separate table, `LedgerWords`, so that they can
be erased without breaking the books.
"""

from characters.models.catalogue import Card, CardSet
from characters.models.characters import (
    Answerable,
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
