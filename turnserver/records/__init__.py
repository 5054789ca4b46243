"""Games as files for people and archives: a text that can be written by hand, read, and read back.

No database, no mail.
"""
