"""Zerpang!, clause by clause, one module per chapter. Clauses are named `ZP-C4`."""
