"""The news that an event means for each player, as values.

Pure: no sentence, no address, no delivery. `writing` makes letters of notices.
"""
