"""`turnserver demo`: a whole game through real mail on this machine."""
