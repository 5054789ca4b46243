"""The page of a player who is signed in: games, leagues, vacation, settings, calendar, and where else they are signed in."""
