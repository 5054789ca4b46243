"""Message-IDs of the mails that the post queues."""

from typing import Any

from tests.service.world import World
from turnserver.ids import PlayerId, Stream, Version
from turnserver.mail.outbound.kinds import MailKind, Notice


def test_mails_that_differ_in_anything_have_different_names(any_world: World) -> None:
    """And the same request has the same one, whoever works it out again."""
    write = any_world.service.ledger.post._message_id
    usual: dict[str, Any] = {
        "cause": "mail:1",
        "about": Stream("game-1"),
        "version": Version(3),
        "notice": Notice(MailKind.TURN, PlayerId(1)),
        "ordinal": 0,
    }
    others: list[dict[str, Any]] = [
        {"cause": "mail:2"},
        {"about": Stream("game-2")},
        {"about": None},
        {"version": Version(4)},
        {"notice": Notice(MailKind.HELP, PlayerId(1))},
        {"notice": Notice(MailKind.TURN, PlayerId(2))},
        {"notice": Notice(MailKind.TURN, None, address="ada@example.org")},
        {"notice": Notice(MailKind.TURN, None, address="bob@example.org")},
        {"ordinal": 1},
    ]
    with any_world.service.db.read() as conn:
        names = [write(conn, **{**usual, **other}) for other in ({}, *others)]
        # what is behind the first dots tells nothing of what the mail is about
        digests = {name.split("@")[0].rsplit(".", 1)[-1] for name in names}
        assert len(set(names)) == len(names)
        assert len(digests) == len(names)
        assert write(conn, **usual) == names[0]
