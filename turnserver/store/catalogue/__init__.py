"""The event catalogue under `events/`: schemas, examples, and the text about them.

It is made from the classes of events, which stand in `play` and `league`.
"""
