"""The texts of Z-G by code."""

from rules import texts

TEXTS = texts.load("rules.zg")
