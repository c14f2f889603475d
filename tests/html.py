"""Compare pages independently of the layout of their markup."""

import re
from typing import Any

BLOCK = (
    "address|article|aside|blockquote|body|br|caption|col|colgroup|dd|details|dialog|div|dl|dt|"
    "fieldset|figcaption|figure|footer|form|h[1-6]|head|header|hr|html|legend|li|link|main|meta|"
    "nav|ol|optgroup|option|p|section|select|summary|table|tbody|td|tfoot|th|thead|title|tr|ul"
)
BESIDE_BLOCK = re.compile(rf" ?(</?(?:{BLOCK})\b[^>]*>) ?")
IN_BUTTON = re.compile(r"(<button\b[^>]*>) | (</button>)")


def text_of(answer: Any) -> str:
    """Return a page's text without markup, with single spaces between words."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


def squeezed(answer: Any) -> str:
    """Return a page's markup without insignificant white space."""
    page = BESIDE_BLOCK.sub(r"\1", re.sub(r"\s+", " ", answer.content.decode()))
    return IN_BUTTON.sub(r"\1\2", page)
