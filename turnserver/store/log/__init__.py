"""The event log, the database beneath it on either engine, and the proof that it is as it was written.

What differs between SQLite and PostgreSQL stands in `sqlite` and `postgresql` and nowhere else.
"""
