"""The tournament desk: who meets whom, who stands where, and why."""
