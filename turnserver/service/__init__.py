"""The service: the only reader of the clock and of randomness, and the only writer of games.

It brings `mail`, `play`, `league` and `store` together; none of these knows of the service.
"""
