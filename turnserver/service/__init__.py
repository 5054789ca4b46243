"""The service: the only reader of the clock and of randomness, and the only writer of games."""

from turnserver.service.service import Service, Ticked

__all__ = ["Service", "Ticked"]
