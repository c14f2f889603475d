"""The texts of the tournament desk by code."""

from rules import texts

TEXTS = texts.load("rules.desk")
