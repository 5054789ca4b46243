"""Games as files for people and archives: a text that can be read, written by hand and read back. No database, no mail."""
