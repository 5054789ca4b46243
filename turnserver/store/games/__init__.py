"""Rows about games that follow from the log, the texts of plans, and the archive."""
