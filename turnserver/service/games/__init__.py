"""Games as the service keeps them: load, decide, append, and what hangs on that.

What is decided stands in `play`, what is kept in `store`.
"""
