"""What the log promises, put to the proof: one module an experiment.

`make prove` runs all at full size on durable databases and writes docs/proof.md and
deploy/proof.json; `test_short.py` runs each in its short form as part of `make test`.
"""
