"""Players whose addresses have letters beyond ASCII (RFC 6531 and 6532), or a quoted local part: mail goes out and is answered."""

from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest

from tests.service.mailroom.letters import outcomes, reply_address
from tests.service.world import World
from turnserver.addresses import on_the_wire, spelled
from turnserver.errors import NotAllowed
from turnserver.mail.format.mime import addresses, parse
from turnserver.service.service import Service
from turnserver.store.people import accounts as people

ADDRESSES = {
    "jürgen@exämple.org": ["jürgen@exämple.org", "JÜRGEN@exämple.org", "ju\u0308rgen@exämple.org", "jürgen@xn--exmple-cua.org"],
    "ada@exämple.org": ["ada@exämple.org", "ada@xn--exmple-cua.org", "ADA@XN--EXMPLE-CUA.ORG"],
    "ada@xn--exmple-cua.org": ["ada@exämple.org", "ada@xn--exmple-cua.org"],
    "ада@пример.рф": ["ада@пример.рф", "Ада@xn--e1afmkfd.xn--p1ai"],
    '"a b"@example.org': ['"a b"@example.org', '"A b"@example.org'],
    r'"a\"b"@example.org': [r'"a\"b"@example.org'],
    '"zoe"@example.org': ["zoe@example.org", '"zoe"@example.org'],
}


def newest(world: World) -> EmailMessage:
    """The newest mail to the player, as it went out."""
    path = max((world.directory / "new").iterdir(), key=lambda one: one.stat().st_mtime_ns)
    return message_from_bytes(path.read_bytes(), policy=policy.default)


def addressed(world: World) -> tuple[str, ...]:
    """The address in the To line of the newest mail."""
    path = max((world.directory / "new").iterdir(), key=lambda one: one.stat().st_mtime_ns)
    return addresses(parse(path.read_bytes()).headers.every("to"))


def joined(service: Service, address: str) -> None:
    service.people.add("Zoe", address, actor="admin:test", cause="test:zoe")


@pytest.mark.parametrize("address", ADDRESSES)
def test_who_is_written_to_can_answer(any_world: World, address: str) -> None:
    joined(any_world.service, address)
    any_world.settle()
    welcome = newest(any_world)
    assert not any(part.defects for part in welcome.walk())
    assert addressed(any_world) == (on_the_wire(spelled(address)),)
    number = reply_address(welcome)
    for count, sender in enumerate(ADDRESSES[address]):
        raw = f"From: Zoe <{sender}>\r\nTo: {number}\r\nMessage-ID: <{count}@x>\r\nSubject: Züge\r\n\r\ngames\r\n".encode()
        any_world.service.mail.receive(raw, number, sender, "test")
        any_world.settle()
        assert outcomes(any_world)[-1] == "answered"
    assert newest(any_world)["Delivered-To"] == welcome["Delivered-To"]


def test_one_address_in_two_spellings_is_taken(any_world: World) -> None:
    joined(any_world.service, "ada@exämple.org")
    for other in ("ada@xn--exmple-cua.org", '"ada"@exämple.org', "ADA@EXÄMPLE.ORG"):
        with pytest.raises(NotAllowed):
            any_world.service.people.add("Other", other, actor="admin:test", cause=f"test:{other}")


def test_an_account_from_before_domains_were_compared_in_ascii_is_found(world: World) -> None:
    joined(world.service, "ada@exämple.org")
    with world.service.db.engine.connect() as conn:
        conn.exec_driver_sql("UPDATE player SET address_key = 'ada@exämple.org' WHERE name = 'Zoe'")
        conn.commit()
    with world.service.db.read() as conn:
        for address in ("ada@exämple.org", "ada@xn--exmple-cua.org"):
            found = people.player_by_address(conn, address)
            assert found is not None
            assert found.name == "Zoe"
