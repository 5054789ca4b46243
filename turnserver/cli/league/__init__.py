"""`turnserver league`: set leagues up, run them, and look at them.

The commands print and ask; what happens to a league is decided in `service` and `league`.
"""
