"""What every template is held to."""

import re

from django.conf import settings
from django.template import engines
from django.template.base import Lexer, TokenType
from django.template.library import import_library

TEMPLATES = settings.BASE_DIR / "templates"


def names_in(template: str) -> tuple[set[str], set[str]]:
    """Return the libraries that a template loads, and the tags and filters that it uses."""
    loaded: set[str] = set()
    used: set[str] = set()
    for token in Lexer(template).tokenize():
        if token.token_type is TokenType.BLOCK:
            tag, *words = token.split_contents()
            if tag == "load":
                loaded.update(words)
                continue
            used.update(words if tag == "filter" else [tag])
        if token.token_type in (TokenType.BLOCK, TokenType.VAR):
            used.update(re.findall(r"\|(\w+)", token.contents))
    return loaded, used


def test_templates_use_every_library_that_they_load() -> None:
    known = engines["django"].engine.libraries
    idle = []
    for file in sorted(TEMPLATES.rglob("*.*")):
        loaded, used = names_in(file.read_text("utf-8"))
        libraries = {name: import_library(known[name]) for name in loaded}
        idle += [
            (str(file.relative_to(TEMPLATES)), name)
            for name, library in libraries.items()
            if not used & {*library.tags, *library.filters}
        ]
    assert idle == []
