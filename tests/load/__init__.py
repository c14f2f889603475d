"""`make load`: what a server does under tables that record and spectators that follow.

On the topology of `tests.machine`, with durable commits, asked by real requests alone.
"""
