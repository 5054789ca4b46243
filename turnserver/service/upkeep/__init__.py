"""What the service does by itself: deadlines, checkpoints, restored databases, games that rest, wrong clocks.

What a player or an admin asks for stands in the other rooms of `service`.
"""
