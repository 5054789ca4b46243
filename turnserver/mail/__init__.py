"""Mail: from events to messages, from messages to commands, and the ways out and in.

Nothing here knows of a database, and nothing decides about a game. The service brings both together.
"""
