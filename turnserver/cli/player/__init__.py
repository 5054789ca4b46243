"""`turnserver player`: accounts, vacations, personal data."""
