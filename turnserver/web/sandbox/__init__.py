"""The page of `turnserver try`: mails as they will look, and a box to answer each.

It plays the parts of mail server and mailbox. Everything else is the service itself.
"""
