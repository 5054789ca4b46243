"""The second opinion on games: plays a recorded game again and objects to what could not follow.

It shares no decision with `play.decide`. What live games need stands in `play`.
"""
