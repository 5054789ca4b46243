"""Leagues: who meets whom, what the results come to, how strong players are. Pure, like `play`, of which it knows nothing."""
