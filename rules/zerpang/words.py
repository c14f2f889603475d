"""The texts of Zerpang! by code."""

from rules import texts

TEXTS = texts.load("rules.zerpang")
