"""Mails in and out as rows, with their leases, and the fate of those that were sent.

Bytes and columns only: nothing here reads a mail.
"""
