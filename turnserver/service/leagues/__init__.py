"""Leagues as the service keeps them: load, decide, append, and open their games.

What is decided stands in `league`, what is kept in `store`.
"""
