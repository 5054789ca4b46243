"""Bundles: events that leave the database, written for and checked by people who do not trust the service.

`verify` is one file that a bundle carries along and needs nothing of ours. Nothing here reads the database but `writing`.
"""
