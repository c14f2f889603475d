"""Benchmarks of the core, the desk, the log and the server, with plain baselines in the same run.

Each part is a module; its `figures()` yields the lines of its table.
"""
