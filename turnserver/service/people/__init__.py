"""Accounts as the service keeps them: join, choose, go on vacation, leave, be erased.

Their rows stand in `store.people`.
"""
