"""Events and rules as sentences that several letters and the terminal share.

A sentence that only one kind of letter says stands in `writing`.
"""
