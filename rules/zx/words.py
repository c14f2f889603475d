"""The texts of Z/X by code."""

from rules import texts

TEXTS = texts.load("rules.zx")
