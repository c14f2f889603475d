"""The tournament desk: who meets whom, the standings, and the reasons for both."""
