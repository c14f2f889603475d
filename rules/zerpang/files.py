"""Boards and decks as data files: a new one is one more file in its folder."""

import json
from importlib import resources
from typing import Any, Literal

Folder = Literal["boards", "decks"]


def names(folder: Folder) -> tuple[str, ...]:
    """Return the names of all files of a kind."""
    files = (resources.files("rules.zerpang") / folder).iterdir()
    found = (file.name.removesuffix(".json") for file in files if file.name.endswith(".json"))
    return tuple(sorted(found))


def data(folder: Folder, name: str) -> Any:
    """Return the data of a file. Raises: KeyError for an unknown name."""
    if name not in names(folder):
        raise KeyError(name)
    file = resources.files("rules.zerpang") / folder / f"{name}.json"
    return json.loads(file.read_text("utf-8"))
