"""Games as the service keeps them: loading, deciding, appending, and what hangs on that."""
