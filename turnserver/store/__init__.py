"""The storage of everything: the log, the views folded from it, mail in and out, people, and the keys.

`database` opens transactions, `log` appends and reads events, `audit` proves that nobody touched them; the other modules each own the
rows of one purpose. SQL exists in this package only, written once in SQLAlchemy Core for both engines; what differs between SQLite and
PostgreSQL is in the modules `sqlite` and `postgresql` and nowhere else.
"""
