"""What the service does by itself: deadlines, checkpoints, restored databases, games that rest, wrong clocks."""
