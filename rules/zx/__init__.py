"""Z/X: the rules of the card game, one module a chapter.

`ruleset.py` joins the chapters; `acts.py` and `consequences.py` say what can happen, `state.py`
what is known, `follow.py` what follows by itself.
"""
