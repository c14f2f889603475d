"""`make audit`: the goals of use that a program can check, told in docs/quality.md.

What is measured here decides no test; what a test decides is named in `goals.TESTED`.
"""
