"""`make audit`: the usability goals that a program can check, reported in docs/quality.md.

The measurements here fail no test; goals that tests decide are listed in `goals.TESTED`.
"""
