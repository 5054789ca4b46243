"""Everything that is kept on a player, in a ZIP for that player."""

import json
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

from tests.service.mailroom.letters import reply_address
from tests.service.people.test_erasing import ADDRESS, NAME, SAID, ZYX, lived
from tests.service.world import SITE, World


def unpacked(world: World) -> dict[str, bytes]:
    """The files by their names."""
    names, packed = world.service.people.data(ZYX)
    with ZipFile(BytesIO(packed)) as archive:
        assert archive.namelist() == names
        return {name: archive.read(name) for name in names}


def lines(file: bytes) -> list[dict[str, object]]:
    return [json.loads(line) for line in file.splitlines()]


def test_a_player_gets_what_is_kept_and_nothing_of_others(any_world: World) -> None:
    """Mails to the byte, events, chat, preferences; no address of anybody else, and no mail of theirs."""
    world = any_world
    game = lived(world)
    raw = world.answer(ADDRESS, "games", sender=f"{NAME} <{ADDRESS}>")
    files = unpacked(world)
    assert lines(files["account/player.jsonl"])[0] | {"name": NAME, "address": ADDRESS} == lines(files["account/player.jsonl"])[0]
    assert [line["text"] for line in lines(files["account/chat.jsonl"])] == [f"I am {SAID}"]
    assert [line["text"] for line in lines(files["account/note.jsonl"])] == [f"remember {SAID}"]
    assert len(lines(files["events.jsonl"])) == 1 + len(world.service.games.history(game))
    assert raw in files.values()
    sent = [mail for mail in world.outbox() if mail.player == ZYX]
    assert [line["id"] for line in lines(files["outbox.jsonl"])] == sorted(mail.id for mail in sent)
    assert {f"out-{mail.id}.eml" for mail in sent} <= files.keys()
    assert not [name for name, content in files.items() if b"bob@example.org" in content.lower()]
    assert not [name for name, content in files.items() if name.startswith("in-") and b"> wrote from" in content]


def test_a_mail_to_several_of_our_addresses_is_there_for_each(any_world: World) -> None:
    world = any_world
    lived(world)
    raw = f"From: {ADDRESS}\r\nMessage-ID: <both@quux>\r\n\r\nhelp\r\n".encode()
    world.service.mail.receive_for([SITE, reply_address(world.mails(ADDRESS)[-1])], raw, ADDRESS, "lmtp")
    world.settle()
    assert list(unpacked(world).values()).count(raw) == 2


def test_the_same_is_written_each_time(world: World, tmp_path: Path) -> None:
    """Byte for byte; and hardly anything of whom was erased."""
    lived(world)
    assert world.service.people.data(ZYX)[1] == world.service.people.data(ZYX)[1]
    world.service.people.erase(ZYX, actor="admin:test", cause="test:erase")
    (tmp_path / "after.zip").write_bytes(world.service.people.data(ZYX)[1])
    files = unpacked(world)
    assert not [name for name in files if name.endswith(".eml")]
    assert not [name for name, content in files.items() if NAME.encode() in content or ADDRESS.lower().encode() in content.lower()]
