"""`turnserver game` and `turnserver games`: open games, look at them, and step in.

The commands print and ask; what they do to a game is decided in `service` and `play`.
"""
