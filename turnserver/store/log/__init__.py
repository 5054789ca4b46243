"""The event log, the database beneath it on either engine, and the proof that it is as it was written.

Differences between SQLite and PostgreSQL stand in `sqlite` and `postgresql` and nowhere else.
"""
