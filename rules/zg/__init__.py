"""Z-G: the rulebook clause by clause, one module a chapter. Clauses are named `ZG ATK-7`."""
