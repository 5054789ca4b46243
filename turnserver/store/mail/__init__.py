"""Mails in and out as rows, with their leases, and what became of those that were sent.

Bytes and columns only: nothing here reads a mail.
"""
