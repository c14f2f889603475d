"""A character's sheet as text: `read` takes one in, `write` gives one out. No Django in here.

Reading never refuses and never loses a line: what it does not understand is told as `unparsed`.
What `write` gives, `read` reads back to the same sheet.
"""

from characters.sheet.reading import read
from characters.sheet.shapes import Sheet
from characters.sheet.writing import write

__all__ = ["Sheet", "read", "write"]
