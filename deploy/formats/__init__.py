"""How dates and numbers are written, where a language's own way does not fit our forms."""
