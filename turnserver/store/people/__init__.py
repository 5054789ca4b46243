"""Accounts as rows: what is kept on people, and what is left once they are erased.

The log names people by number and holds nothing of this.
"""
