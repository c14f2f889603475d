"""Z-G: the rulebook clause by clause, one module per chapter. Clauses are named `ZG ATK-7`."""

from rules.zg.acts import Options
from rules.zg.damage import CardTest, compare
from rules.zg.ends import End

__all__ = ["CardTest", "End", "Options", "compare"]
