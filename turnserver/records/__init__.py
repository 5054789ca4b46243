"""Games as files for people and archives. No database, no mail."""
