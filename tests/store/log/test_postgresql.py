"""A PostgreSQL that says nothing, and what may stand between it and us."""

import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Thread

import pytest
from sqlalchemy import make_url, text

from tests.jobs.sink import LOOPBACK
from turnserver.errors import ConfigError, DatabaseUnavailable
from turnserver.store.log import log
from turnserver.store.log.database import Database, Transaction
from turnserver.store.log.postgresql import Connection
from turnserver.store.log.statement import Statement

_BACKEND = Statement(text("SELECT pg_backend_pid()"))
_SLEEP = Statement(text("SELECT pg_sleep(0.5)"))

READY_FOR_QUERY = b"Z\0\0\0\5"
BACKEND_KEY_DATA = b"K\0\0\0\x0c"
REFUSED = b"SFATAL\0VFATAL\0C08P01\0Munsupported startup parameter: options\0\0"


@pytest.fixture
def database(postgresql_url: str) -> Iterator[Database]:
    found = Database.connect(postgresql_url)
    yield found
    found.close()


def impatient(tx: Transaction) -> None:
    """The connection waits a moment only."""
    tx._driver.silence_seconds = 0.2


def test_a_server_that_says_nothing_is_given_up_and_another_connection_is_made(database: Database) -> None:
    with database.read() as conn:
        [(backend,)] = conn.rows(_BACKEND)
    # used next, as it is open already
    impatient(conn)
    os.kill(backend, signal.SIGSTOP)
    try:
        with database.write() as tx:
            assert log.next_number(tx, "game") == 1
            assert tx.rows(_BACKEND) != [(backend,)]
    finally:
        os.kill(backend, signal.SIGCONT)


def test_when_one_connection_is_lost_the_other_ones_are_not_tried(database: Database) -> None:
    """After a restart of the server or of a firewall each of them may be as long in finding out."""
    with database.read() as one, database.read() as other:
        backends = [conn.rows(_BACKEND)[0][0] for conn in (one, other)]
    impatient(one)
    impatient(other)
    for backend in backends:
        os.kill(backend, signal.SIGSTOP)
    try:
        with database.read():
            # both of those were kept
            assert database._idle == []
    finally:
        for backend in backends:
            os.kill(backend, signal.SIGCONT)


def test_a_silence_in_a_transaction_ends_it(database: Database) -> None:
    def interrupted() -> None:
        with database.write() as tx:
            log.next_number(tx, "game")
            impatient(tx)
            tx.rows(_SLEEP)

    with pytest.raises(DatabaseUnavailable, match=r"cannot be reached: its server has said nothing for 0\.2 seconds"):
        interrupted()
    with database.write() as tx:
        assert log.next_number(tx, "game") == 1


def test_what_goes_through_whole_tables_takes_as_long_as_it_takes(database: Database) -> None:
    with database.unhurried() as connection:
        driver = connection.connection.driver_connection
        assert isinstance(driver, Connection)
        assert driver.silence_seconds > 3600
    # the pool lends it out again
    with database.engine.connect() as connection:
        again = connection.connection.driver_connection
    assert (again, driver.silence_seconds) == (driver, 65)


def test_how_long_the_wire_is_waited_for_can_be_chosen(postgresql_url: str) -> None:
    database = Database.connect(f"{postgresql_url}&keepalives_idle=7")
    with database.read() as conn:
        chosen = conn._driver.info.get_parameters()
    assert (chosen["keepalives_idle"], chosen["tcp_user_timeout"], chosen["connect_timeout"]) == ("7", "20000", "10")
    database.close()


@contextmanager
def listening(serve: Callable[[socket.socket], None]) -> Iterator[int]:
    """The port at which somebody serves one connection after the other."""
    with socket.create_server((LOOPBACK, 0)) as server:

        def accept() -> None:
            with suppress(OSError):
                while True:
                    client, _ = server.accept()
                    with client, suppress(OSError):
                        serve(client)

        thread = Thread(target=accept, daemon=True)
        thread.start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)
        thread.join()


def pooling(url: str) -> Callable[[socket.socket], None]:
    """Lead clients to a server, up to its first readiness, with another number for its process, as PgBouncer does."""
    where = make_url(url)

    def serve(client: socket.socket) -> None:
        with socket.socket(socket.AF_UNIX) as server:
            server.connect(f"{where.query['host']}/.s.PGSQL.5432")
            said = b""
            server.sendall(client.recv(65_536))
            while READY_FOR_QUERY not in said:
                said += server.recv(65_536)
            at = said.index(BACKEND_KEY_DATA) + len(BACKEND_KEY_DATA)
            client.sendall(said[:at] + b"\0\0\0\1" + said[at + 4 :])
            while asked := client.recv(65_536):
                server.sendall(asked)
                client.sendall(server.recv(65_536))

    return serve


def refusing(client: socket.socket) -> None:
    """Refuse what PgBouncer does not know."""
    client.recv(65_536)
    client.sendall(b"E" + (len(REFUSED) + 4).to_bytes(4, "big") + REFUSED)


@pytest.mark.parametrize("kind", ["transparent", "ignorant"])
def test_a_pooler_in_between_is_refused(postgresql_url: str, kind: str) -> None:
    with listening(pooling(postgresql_url) if kind == "transparent" else refusing) as port:
        url = make_url(postgresql_url).set(host=LOOPBACK, port=port, query={"sslmode": "disable", "gssencmode": "disable"})
        with pytest.raises(ConfigError, match="leads to a pooler, such as PgBouncer"):
            Database.connect(url.render_as_string(hide_password=False))
