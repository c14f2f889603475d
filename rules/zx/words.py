"""What Z/X says, in English, by code."""

from rules import texts

TEXTS = texts.load("rules.zx")
