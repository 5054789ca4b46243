"""The rows that pages keep and ask for: forms that were sent already, who may see games and leagues, and players as they show themselves.

Whoever may see or do something is decided in `service`; nothing here knows of HTML or HTTP.
"""
