"""`turnserver player`: accounts, one by one and from lists.

The commands print and ask; what becomes of an account is decided in `service`.
"""
