"""`turnserver mail`: look at mails that came and went, try them again, and take them in from a pipe."""
