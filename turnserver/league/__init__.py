"""Leagues: who meets whom, what the results come to, how strong players are, and seasons as commands and events.

Pure, like `play`, of which it knows nothing: no clock, no database, no mail.
"""
