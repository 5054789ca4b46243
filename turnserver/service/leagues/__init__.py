"""Leagues as the service keeps them: loading, deciding, appending, opening their games."""
