"""The page of a player who lets themself be seen."""
