"""Everything that we write: from events to notices, from notices to letters, from letters to mails.

It reads no mail and no database. The service gathers everything that a letter needs.
"""
