"""`turnserver game` and `turnserver games`: open games, look at them, and step in."""
