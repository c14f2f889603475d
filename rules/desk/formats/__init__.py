"""Who meets whom, one module per format: pure functions over plain records.

Players are whole numbers. Points are whole numbers in any unit; with half points, count in halves.
The same input and seed give the same pairing on every machine.
"""
