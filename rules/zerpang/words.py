"""What the game says, by code."""

from rules import texts

TEXTS = texts.load("rules.zerpang")
