"""Accounts as rows: what is kept on people, and what is left once they are erased."""
