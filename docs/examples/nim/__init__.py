"""Nim, as a ruleset: the example of docs/adding-a-game.md."""
