"""A character's sheet as text: `read` parses one, `write` serialises one. No Django in here.

Reading never fails and never loses a line: what it does not understand becomes `unparsed`. What
`write` returns, `read` parses back to the same sheet.
"""

from characters.sheet.reading import read
from characters.sheet.shapes import Sheet
from characters.sheet.writing import write

__all__ = ["Sheet", "read", "write"]
