"""Mail as the service handles it: read what came, answer, send what is due, and note what comes back.

How a mail is read and written stands in `mail`; rows of mails stand in `store.mail`.
"""
