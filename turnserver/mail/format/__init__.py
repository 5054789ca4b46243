"""Formats of mail: MIME, addresses, tokens, Message-IDs, bounces, DKIM, SPF.

It turns bytes into values and back. It knows no game, no league and no database.
"""
