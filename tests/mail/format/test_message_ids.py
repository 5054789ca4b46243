"""Message-IDs of ours: they say what a mail is about, are short, and nobody else can make one up."""

from tests.cases import for_each
from turnserver.ids import Stream
from turnserver.mail.format.tokens import Named, verify_message_id, write_message_id
from turnserver.mail.outbound.kinds import MailKind

KEYS = {1: b"first" * 8, 2: b"second" * 8}
LINE = 78
"""RFC 5322, 2.1.1: how long a line should be at most; a longer word in a header is broken by some programs that answer."""


EARLIER = "<turn.g17.y.b5cvmrb3x5bd2.4v3g3izaiuqsycc3@club.example>"
"""One in mailboxes from before, which tells the version of its game."""


def made(keys: dict[int, bytes] = KEYS, kind: str = "turn", stream: str | None = "game-17", of: str = "x") -> str:
    return write_message_id(keys, kind, Stream(stream) if stream else None, of, "club.example")


@for_each(
    ("text", "says"),
    [
        (made(), Named("turn", "game 17", 2)),
        (made({1: KEYS[1]}), Named("turn", "game 17", 1)),
        (made(stream="league-3"), Named("turn", "league 3", 2)),
        (made(kind="welcome", stream=None), Named("welcome", "", 2)),
        (EARLIER, Named("turn", "game 17", 2)),
        (EARLIER.replace(".y.", ".0."), None),
        (made().replace("g17", "g18"), None),
        (made().replace("<turn", "<board"), None),
        (made({2: b"somebody else's"}), None),
        ("<turn.0123456789abcdef@club.example>", None),
        ("", None),
    ],
)
def test_what_it_says(text: str, says: Named | None) -> None:
    assert verify_message_id(KEYS, text) == says


def test_the_same_request_has_the_same_until_there_is_another_key() -> None:
    assert made() == made()
    assert len({made(), made(of="y"), made({1: KEYS[1]})}) == 3


def test_it_fits_on_a_line() -> None:
    lines = [f"In-Reply-To: {made(kind=kind, stream='game-99999')}" for kind in MailKind]
    assert [line for line in lines if len(line) > LINE + len("club.example")] == []
