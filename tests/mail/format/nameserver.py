"""A name server on loopback that knows a table and nothing else."""

import socket
from collections.abc import Mapping, Sequence
from threading import Thread
from typing import Self

import dns.flags
import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset

from tests.jobs.sink import LOOPBACK

Zone = Mapping[tuple[str, str], Sequence[str]]
"""Records as a zone file has them, by name and type."""


class NameServer:
    """Answers by UDP from `with` to its end; for names in `broken` with SERVFAIL. `asked` are the questions, in order."""

    def __init__(self, zone: Zone, broken: Sequence[str] = ()) -> None:
        self.zone, self.broken = zone, broken
        self.asked: list[tuple[str, str]] = []
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind((LOOPBACK, 0))
        self.port: int = self._socket.getsockname()[1]
        self._thread = Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as knock:
            knock.sendto(b"", (LOOPBACK, self.port))
        self._thread.join()
        self._socket.close()

    def _serve(self) -> None:
        while True:
            question, asker = self._socket.recvfrom(4096)
            if not question:
                return
            self._socket.sendto(self._answer(dns.message.from_wire(question)).to_wire(), asker)

    def _answer(self, query: dns.message.Message) -> dns.message.Message:
        answer = dns.message.make_response(query)
        answer.flags |= dns.flags.RA
        (wanted,) = query.question
        name, kind = wanted.name.to_text(omit_final_dot=True).lower(), dns.rdatatype.to_text(wanted.rdtype)
        self.asked.append((name, kind))
        if name in self.broken:
            answer.set_rcode(dns.rcode.SERVFAIL)
        elif found := self.zone.get((name, kind)):
            answer.answer.append(dns.rrset.from_text_list(wanted.name, 300, "IN", kind, found))
        elif name not in {known for known, _ in self.zone}:
            answer.set_rcode(dns.rcode.NXDOMAIN)
        return answer
