"""What one can do with characters. Every writing route of pages and API ends here."""

from characters.pasting import Answers, paste, preview

__all__ = ["Answers", "paste", "preview"]
