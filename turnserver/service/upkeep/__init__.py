"""The work of the service that nobody asks for: deadlines, checkpoints, restored databases, games that rest, wrong clocks.

Requests of players and admins stand in the other rooms of `service`.
"""
