"""Who meets whom, one module a format: pure functions over plain records.

Players are whole numbers. Points are whole numbers in any unit: half points are twice as many.
The same input and seed give the same pairing on every machine.
"""
