"""Rows about games that follow from the log, the texts of conditional moves, and the archive.

The events of games stand in `store.log`.
"""
