"""Slow, silent and many clients: they hold nothing up, and requests under way are finished."""

import re
import socket
from contextlib import ExitStack, suppress
from threading import Thread
from time import monotonic

import pytest

from tests.web.serving import PATIENCE_SECONDS, Answer, Few, few
from turnserver.errors import ConfigError
from turnserver.web.app import guarded
from turnserver.web.guard import MOST_AT_ONCE
from turnserver.web.server import LOOPBACK, SECONDS, WebServer

HALVES = {
    "nothing": b"",
    "half a line": b"GET / HT",
    "half a header": b"GET / HTTP/1.1\r\nX: a",
    "half a body": b"POST /anywhere HTTP/1.1\r\nHost: localhost:%d\r\nContent-Length: 5\r\n\r\na=",
    "half of the next request": b"GET / HTTP/1.1\r\nHost: localhost:%d\r\n\r\nGET / HT",
}


def half(name: str, port: int) -> bytes:
    """Return what a client says that does not end its request."""
    return HALVES[name] % port if b"%d" in HALVES[name] else HALVES[name]


def connected_by_halves(served: Few, clients: ExitStack) -> dict[str, socket.socket]:
    """Clients each of whom has sent another half of a request."""
    found = {name: clients.enter_context(served.connected()) for name in HALVES}
    for name, client in found.items():
        client.sendall(half(name, served.server.port))
    return found


def test_clients_that_send_half_a_request_do_not_hold_up_the_end() -> None:
    with few() as served, ExitStack() as clients:
        connected_by_halves(served, clients)
        assert served.ask("GET", "/").status == 200
        begin = monotonic()
        served.server.stop()
        assert monotonic() - begin < SECONDS / 3
        assert served.done == []


def test_a_client_that_never_ends_its_request_is_hung_up_on() -> None:
    with few(seconds=0.2) as served, ExitStack() as clients:
        for name, client in connected_by_halves(served, clients).items():
            try:
                while client.recv(1000):
                    pass
            except ConnectionError:
                pass
            except TimeoutError as error:
                raise AssertionError(name) from error
        assert served.done == []


def test_a_client_that_dribbles_is_hung_up_on() -> None:
    """Each byte is in time, but not the whole."""
    with few(seconds=0.2) as served, served.connected() as client, suppress(ConnectionError):
        client.settimeout(0.01)
        client.sendall(b"GET / HTTP/1.0\r\nX: ")
        begin, answer = monotonic(), b"."
        while answer and monotonic() - begin < SECONDS / 3:
            client.sendall(b"a")
            with suppress(TimeoutError):
                answer = client.recv(1)
        assert not answer


def test_a_client_that_does_not_take_its_answer_is_hung_up_on() -> None:
    with few(seconds=0.2) as served, served.connected() as client:
        client.sendall(b"GET /long HTTP/1.1\r\nHost: localhost:%d\r\n\r\n" % served.server.port)
        while served.server.connections:
            pass
        assert served.ask("GET", "/").status == 200


def test_an_answer_may_take_longer_than_a_request() -> None:
    """The deadline is the client's: it does not run while we work."""
    with few(seconds=0.2) as served, served.connected() as client, served.connected() as other:
        client.sendall(b"GET /slow HTTP/1.1\r\nHost: localhost:%d\r\n\r\n" % served.server.port)
        assert served.began.wait(PATIENCE_SECONDS)
        assert other.recv(1) == b""  # it came later, and its time is over
        served.goes_on.set()
        assert client.recv(12) == b"HTTP/1.1 200"


def test_clients_that_say_nothing_shut_nobody_out() -> None:
    with few(most=8) as served, ExitStack() as clients:
        for _ in range(50):
            clients.enter_context(served.connected()).sendall(b"GET / HTTP/1.0\r\nX: ")
        assert served.ask("GET", "/").status == 200


def test_whoever_waits_for_an_answer_keeps_the_place() -> None:
    with few(most=2) as served, ExitStack() as clients:
        first, second, third = (clients.enter_context(served.connected()) for _ in range(3))
        with suppress(ConnectionError):  # the second has taken the place of the first
            assert first.recv(1) == b""
        for one in (second, third):
            one.sendall(b"GET /slow HTTP/1.1\r\nHost: localhost:%d\r\n\r\n" % served.server.port)
        assert served.began.wait(PATIENCE_SECONDS)
        while served.guard.counts.under_way < 2:
            pass
        assert clients.enter_context(served.connected()).recv(12) == b"HTTP/1.1 503"
        served.goes_on.set()
        assert [one.recv(12) for one in (second, third)] == [b"HTTP/1.1 200"] * 2


def test_who_gets_no_thread_in_time_is_sent_away() -> None:
    with few(patience=0.05) as served:
        answers: list[Answer] = []
        asking = [Thread(target=lambda: answers.append(served.ask("GET", "/slow"))) for _ in range(MOST_AT_ONCE + 1)]
        for one in asking:
            one.start()
        while not answers:
            pass
        assert (answers[0].status, answers[0].headers["retry-after"]) == (503, "60")
        served.goes_on.set()
        for one in asking:
            one.join()
        assert [answer.status for answer in answers[1:]] == [200] * MOST_AT_ONCE


def test_a_request_under_way_is_finished() -> None:
    with few() as served, served.connected() as client:
        client.sendall(b"POST /slow HTTP/1.1\r\nHost: localhost:%d\r\nSec-Fetch-Site: same-origin\r\n\r\n" % served.server.port)
        assert served.began.wait(PATIENCE_SECONDS)
        end = Thread(target=served.server.stop)
        end.start()
        with suppress(ConnectionRefusedError, ConnectionResetError):
            while True:
                served.connected().close()
        assert end.is_alive()
        served.goes_on.set()
        end.join()
        assert client.recv(1000).endswith(b"at last")


@pytest.mark.parametrize("host", [LOOPBACK, "::1", "localhost"])
def test_a_port_that_is_taken_is_one_sentence(host: str) -> None:
    app = guarded([], "", "en")
    with (
        WebServer(app, host, 0, choose="") as first,
        pytest.raises(ConfigError, match=rf"at {re.escape(host)} port {first.port}: Address already in use\. Take another\."),
    ):
        WebServer(app, host, first.port, choose="Take another.")


def test_a_host_that_is_none_is_one_sentence() -> None:
    with pytest.raises(ConfigError, match=r"at nowhere\.invalid port 1: .*\. Take another\."):
        WebServer(guarded([], "", "en"), "nowhere.invalid", 1, choose="Take another.")


def test_a_server_that_never_began_gives_its_port_back() -> None:
    server = WebServer(guarded([], "", "en"), LOOPBACK, 0, choose="")
    server.stop()
    socket.create_server((LOOPBACK, server.port)).close()
