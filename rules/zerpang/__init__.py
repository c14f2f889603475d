"""Zerpang!, clause by clause, one module a chapter. Clauses are named `ZP-C4`."""
