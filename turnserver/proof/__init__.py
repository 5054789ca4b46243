"""Published formats of transparency logs: Merkle trees (RFC 6962), signed notes and checkpoints (C2SP).

No database and no clock; nothing here knows the meaning of events.
"""
