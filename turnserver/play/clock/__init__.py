"""Clocks of games: time controls, live time, deadlines, and why a deadline is what it is.

Arithmetic on instants that it is given. It never asks what time it is.
"""
