"""The work of pages for players: who a link is for, what they may see of a game, and their commands. Pages themselves stand in `web`.

A page comes to the same decisions, refusals and rows as a mail: only the way in is another one.
"""
