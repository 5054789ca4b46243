"""Clocks of games: time controls, live time, deadlines, and the reasons of a deadline.

Arithmetic on instants that it is given. It never reads a clock.
"""
