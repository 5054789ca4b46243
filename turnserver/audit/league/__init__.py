"""The second opinion on leagues: decides a recorded league again, and holds leagues and their games against each other.

It reads histories. What live leagues need stands in `league`.
"""
