"""`turnserver mail`: what came, what goes, and the keys that both are signed with.

The commands print and ask; what becomes of a mail is decided in `service`.
"""
