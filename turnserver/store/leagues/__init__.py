"""Rows about leagues that follow from the log: lists, results, ratings."""
