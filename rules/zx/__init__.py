"""Z/X: the rules of the card game, one module per chapter.

`ruleset.py` joins the chapters; `acts.py` and `consequences.py` list what can happen, `state.py`
what is known, `follow.py` what happens automatically.
"""
