"""Rows about leagues that follow from the log: lists, results, ratings.

The events of leagues stand in `store.log`.
"""
