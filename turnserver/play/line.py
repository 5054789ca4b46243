"""The turns that stand, as an immutable linked list whose positions are computed when first asked for.

Most readers of a game (lists, sweeps, reminders) never look at the board, and those that do usually hold the previous position
already, so a fold records the turns and leaves the rules engine to `Line.position`. A retraction walks back along the list.
"""
