"""Accounts as rows: the data on people, and the rest of it once they are erased.

The log names people by number and holds nothing of this.
"""
