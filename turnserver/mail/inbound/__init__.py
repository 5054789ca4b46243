"""Mail that people write: from the text of a mail to the commands in it.

It decides nothing about games. `mail.outbound` writes; both share tokens and the table of commands only.
"""
