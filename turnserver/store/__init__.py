"""The storage of everything: the log, the views folded from it, mail in and out, people, and the keys.

`log.database` opens transactions, `log.log` appends and reads events, `log.verify` proves that nobody touched them; the other modules each
own the rows of one purpose. SQL exists in this package only, written once in SQLAlchemy Core for both engines. The differences between
SQLite and PostgreSQL are in the modules `sqlite` and `postgresql` and nowhere else.
"""
