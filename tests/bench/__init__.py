"""What the core, the desk, the log and the server do here, beside plain baselines of the same run.

One module a part; each has `figures()`, which yields the lines of its table.
"""
