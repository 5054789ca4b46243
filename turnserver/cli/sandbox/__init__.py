"""`turnserver mail sandbox`: the service without a mail account, on one page.

It plays the parts of mail server and mailbox. Everything else is the service itself.
"""
