"""`make load`: load a server with tables that record and spectators that follow.

It runs in the topology of `tests.machine` with durable commits, and gets only real requests.
"""
