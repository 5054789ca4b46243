"""`turnserver audit`: commands that prove, compare and trace what the log holds.

They print what `turnserver.audit` finds, and decide nothing.
"""
