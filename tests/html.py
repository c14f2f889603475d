"""What a page says, however its markup is laid out."""

import re
from typing import Any


def text_of(answer: Any) -> str:
    """Return what a page says, without its markup, one space between words."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))
