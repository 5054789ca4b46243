"""The past as it was known then: games, players, ratings and mails at a moment that an admin names.

It folds the log up to that moment. It never reads rows that show the present.
"""
