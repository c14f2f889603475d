"""Experiments that test the guarantees of the log, one module each.

`make prove` runs them all at full size on durable databases and writes docs/proof.md and
deploy/proof.json; `test_short.py` runs each in its short form as part of `make test`.
"""
