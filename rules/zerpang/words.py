"""The texts of Zerpang! by code, and the titles of its cards."""

from rules import texts
from rules.zerpang import cards

TEXTS = texts.load(
    "rules.zerpang", {f"value.card.{card}": title for card, title in cards.titles().items()}
)
