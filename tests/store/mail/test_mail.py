"""Mail that came in and mail that goes out: leases, ends, copies."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import NamedTuple

import pytest

from tests.store.scene import ADA, BOB, GAME, add_players, day
from turnserver.errors import AlreadyHandled, NotFound
from turnserver.ids import GameId, PlayerId, Version
from turnserver.store.log.database import Database, Transaction
from turnserver.store.mail import delivery_reports, inbox, mailboxes, outbox
from turnserver.store.mail.inbox import InboxItem
from turnserver.store.mail.outbox import OutboxItem

HOUR = timedelta(hours=1)
RAW = bytes(range(256))


def receive(database: Database, identity: str, at: datetime, raw: bytes = RAW, bytes_of: int | None = None) -> int:
    with database.write() as tx:
        return inbox.receive(
            tx,
            identity=identity,
            source="lmtp",
            recipient="turns+x@example.org",
            sender="Ada@example.org",
            received_at=at,
            raw=raw,
            bytes_of=bytes_of,
        )


def queue(
    database: Database,
    name: str,
    at: datetime,
    *,
    player: PlayerId | None = ADA,
    address: str | None = None,
    game: GameId | None = GAME,
    kind: str = "turn",
) -> None:
    with database.write() as tx:
        outbox.queue(
            tx,
            kind=kind,
            player=player,
            address=address,
            game=game,
            version=Version(3) if game else None,
            detail={"b": 1, "a": ["ä", None]},
            message_id=f"<{name}>",
            in_reply_to="<0>",
            at=at,
        )


def test_to_claim_a_mail_does_not_wait_for_the_disk(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    number = receive(database, "a", day(1))
    with monkeypatch.context() as patched:
        patched.delattr(Database, "write")
        assert [item.id for item in inbox.claim(database, day(2), 1, HOUR, "somebody")] == [number]


def test_a_mail_is_kept_as_it_came(database: Database) -> None:
    number = receive(database, "m", day(1))
    with database.read() as conn:
        item = inbox.get(conn, number)
        (listed,) = inbox.list_inbox(conn)
    assert item == InboxItem(
        id=number,
        identity="m",
        copy_of=None,
        source="lmtp",
        recipient="turns+x@example.org",
        sender="Ada@example.org",
        received_at=day(1),
        status="new",
        outcome=None,
        attempts=0,
        handled_at=None,
        error=None,
        raw=RAW,
    )
    assert all(getattr(listed, name) == getattr(item, name) for name in listed.__struct_fields__)


def test_a_copy_is_kept_but_not_handled(database: Database) -> None:
    first = receive(database, "m", day(1))
    copies = [receive(database, "m", day(2), raw=b"again"), receive(database, "m", day(3))]
    other = receive(database, "n", day(2))

    with database.read() as conn:
        kept = [inbox.get(conn, number) for number in copies]
    assert [(each.status, each.outcome, each.copy_of) for each in kept] == [("done", "duplicate", first)] * 2
    assert kept[0].raw == b"again"
    assert [item.id for item in inbox.claim(database, day(9), 9, HOUR, "somebody")] == [first, other]

    with database.write() as tx:
        inbox.done(tx, first, "played", day(9))
    receive(database, "m", day(10))
    assert inbox.claim(database, day(20), 9, HOUR, "somebody")[0].id == other  # a copy of a mail that is done is no new mail


def test_the_bytes_of_a_mail_to_several_are_kept_once_and_read_by_each(database: Database) -> None:
    first = receive(database, "a", day(1))
    others = [receive(database, "b", day(1), bytes_of=first), receive(database, "b", day(2), bytes_of=first)]  # the last is a copy
    with database.read() as conn:
        assert [inbox.get(conn, number).raw for number in others] == [RAW] * 2
    with database.engine.connect() as conn:
        assert conn.exec_driver_sql("SELECT count(*) FROM inbox WHERE length(raw) > 0").scalar_one() == 1
    assert [item.raw for item in inbox.claim(database, day(9), 9, HOUR, "somebody")] == [RAW] * 2


class Step(NamedTuple):
    """One claim: when, and which mails it gets."""

    at: datetime
    gets: tuple[str, ...]
    limit: int = 9


@pytest.mark.parametrize(
    ("name", "steps"),
    [
        ("the oldest first, however they came in", (Step(day(5), ("a", "b", "c", "d")),)),
        ("no more than asked for", (Step(day(5), ("a", "b"), 2), Step(day(5), ("c",), 1), Step(day(5), ("d",)), Step(day(5), ()))),
        ("a lease holds", (Step(day(5), ("a",), 1), Step(day(5) + HOUR - timedelta(microseconds=1), ("b", "c", "d")))),
        ("a lease ends", (Step(day(5), ("a",), 1), Step(day(5) + HOUR, ("a", "b", "c", "d")))),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_claims(database: Database, name: str, steps: tuple[Step, ...]) -> None:
    for identity, at in (("d", day(4)), ("b", day(2)), ("a", day(1)), ("c", day(3))):
        receive(database, identity, at)
        queue(database, identity, at)
    for step in steps:
        items = inbox.claim(database, step.at, step.limit, HOUR, "somebody")
        assert tuple(item.identity for item in items) == step.gets, name
        mails = outbox.claim(database, step.at, step.limit, HOUR, "me")
        assert tuple(mail.message_id.strip("<>") for mail in mails) == step.gets, name


def test_attempts_at_handling_are_counted_when_they_begin(database: Database) -> None:
    number = receive(database, "m", day(1))
    for attempt in (1, 2, 3):
        assert [item.attempts for item in inbox.claim(database, day(attempt), 1, HOUR, "somebody")] == [attempt]
    with database.read() as conn:
        assert inbox.get(conn, number).attempts == 3


@pytest.mark.parametrize(
    ("end", "attempts", "begun"),
    [
        (None, 0, 2),  # whoever held it has died
        (outbox.release, 0, 1),
        (lambda tx, number, owner: outbox.postpone(tx, number, owner, "closed", day(2)), 0, 1),
        (lambda tx, number, owner: outbox.retry(tx, number, owner, "busy", day(2)), 1, 1),
    ],
    ids=["nothing was heard", "released", "postponed", "tried"],
)
def test_attempts_at_sending_are_counted_when_they_are_over(
    database: Database, end: Callable[[Transaction, int, str], None] | None, attempts: int, begun: int
) -> None:
    queue(database, "m", day(1))
    (mail,) = outbox.claim(database, day(1), 1, HOUR, "me")
    assert (mail.attempts, mail.begun) == (0, 1)
    if end is not None:
        with database.write() as tx:
            end(tx, mail.id, "me")
    (mail,) = outbox.claim(database, day(2), 1, HOUR, "me")
    assert (mail.attempts, mail.begun) == (attempts, begun)


def test_what_somebody_holds_is_free_at_once_when_the_lease_is_ended(database: Database) -> None:
    receive(database, "m", day(1))
    queue(database, "m", day(1))
    inbox.claim(database, day(1), 1, HOUR, "dead")
    outbox.claim(database, day(1), 1, HOUR, "dead")
    with database.write() as tx:
        mailboxes.hold(tx, "club", "dead", day(1), day(2))
    with database.read() as conn:
        assert mailboxes.lease_holders(conn) == ["dead"]
    with database.write() as tx:
        assert mailboxes.end_leases(tx, "alive") == 0
        assert mailboxes.end_leases(tx, "dead") == 3
        assert mailboxes.end_leases(tx, "dead") == 0
        assert mailboxes.lease_holders(tx) == []
        assert mailboxes.hold(tx, "club", "alive", day(1), day(2))
    assert [item.attempts for item in inbox.claim(database, day(1), 1, HOUR, "alive")] == [2]
    assert [mail.begun for mail in outbox.claim(database, day(1), 1, HOUR, "alive")] == [2]


def inbox_state(database: Database, number: int) -> tuple[object, ...]:
    with database.read() as conn:
        item = inbox.get(conn, number)
    return item.status, item.outcome, item.handled_at, item.error


def test_a_mail_is_done_once(database: Database) -> None:
    number = receive(database, "m", day(1))
    with database.write() as tx:
        inbox.done(tx, number, "played", day(2))
    for again in (_done(number, "other"), _failed(number, final=False), _failed(number, final=True)):
        with pytest.raises(AlreadyHandled), database.write() as tx:
            again(tx)
    assert inbox_state(database, number) == ("done", "played", day(2), None)
    assert inbox.claim(database, day(9), 9, HOUR, "somebody") == []


def _done(number: int, outcome: str) -> Callable[[Transaction], None]:
    return lambda tx: inbox.done(tx, number, outcome, day(3))


def _failed(number: int, *, final: bool) -> Callable[[Transaction], None]:
    return lambda tx: inbox.failed(tx, number, "Error: x\0y", day(3), final=final)


def test_a_mail_that_failed_is_tried_again_when_its_lease_ends(database: Database) -> None:
    number = receive(database, "m", day(1))
    inbox.claim(database, day(2), 1, HOUR, "somebody")
    with database.write() as tx:
        _failed(number, final=False)(tx)
    assert inbox_state(database, number) == ("new", None, None, "Error: x\N{REPLACEMENT CHARACTER}y")
    assert inbox.claim(database, day(2), 1, HOUR, "somebody") == []
    assert [item.id for item in inbox.claim(database, day(2) + HOUR, 1, HOUR, "somebody")] == [number]


def test_a_mail_that_failed_for_good_waits_for_the_admin(database: Database) -> None:
    number = receive(database, "m", day(1))
    inbox.claim(database, day(2), 1, HOUR, "somebody")
    with pytest.raises(NotFound), database.write() as tx:
        inbox.requeue(tx, number)
    with database.write() as tx:
        _failed(number, final=True)(tx)
    assert inbox_state(database, number) == ("failed", None, day(3), "Error: x\N{REPLACEMENT CHARACTER}y")
    assert inbox.claim(database, day(9), 1, HOUR, "somebody") == []

    with database.write() as tx:
        inbox.requeue(tx, number)
    assert [(item.id, item.attempts) for item in inbox.claim(database, day(2), 1, HOUR, "somebody")] == [(number, 1)]


def test_how_long_mail_has_been_waiting(database: Database) -> None:
    def oldest() -> datetime | None:
        with database.read() as conn:
            return inbox.oldest_waiting(conn)

    assert oldest() is None
    late, early = receive(database, "late", day(2)), receive(database, "early", day(1))
    assert oldest() == day(1)
    inbox.claim(database, day(3), 9, HOUR, "somebody")
    assert oldest() == day(1)
    for number, left in ((early, day(2)), (late, None)):
        with database.write() as tx:
            inbox.done(tx, number, "x", day(3))
        assert oldest() == left


def test_the_inbox_is_listed_newest_first(database: Database) -> None:
    numbers = [receive(database, str(number), day(number)) for number in range(3)]
    with database.write() as tx:
        inbox.done(tx, numbers[1], "x", day(3))
    with database.read() as conn:
        assert [each.id for each in inbox.list_inbox(conn)] == numbers[::-1]
        assert [each.id for each in inbox.list_inbox(conn, limit=1)] == numbers[2:]
        assert [each.id for each in inbox.list_inbox(conn, "new")] == [numbers[2], numbers[0]]
        assert inbox.counts(conn) == {"new": 2, "done": 1}
        with pytest.raises(NotFound):
            inbox.get(conn, 99)


def test_a_notice_is_kept_as_it_was_queued(database: Database) -> None:
    queue(database, "m", day(1))
    with database.read() as conn:
        (mail,) = outbox.list_outbox(conn)
        assert outbox.get(conn, mail.id) == mail
    assert mail == OutboxItem(
        id=mail.id,
        kind="turn",
        player=ADA,
        address=None,
        game=GAME,
        league=None,
        version=Version(3),
        detail={"a": ["ä", None], "b": 1},
        message_id="<m>",
        in_reply_to="<0>",
        created_at=day(1),
        status="queued",
        attempts=0,
        begun=0,
        due_at=day(1),
        next_at=day(1),
        last_error=None,
        sent_at=None,
        text=None,
        merged_into=None,
        answer=None,
        report=None,
        reported_at=None,
        reason=None,
        report_mail=None,
        answered_at=None,
    )


def test_the_same_message_is_queued_once(database: Database) -> None:
    queue(database, "m", day(1))
    queue(database, "m", day(2), kind="other")
    with database.read() as conn:
        assert [(mail.kind, mail.created_at) for mail in outbox.list_outbox(conn)] == [("turn", day(1))]


def test_a_notice_is_not_sent_before_its_time(database: Database) -> None:
    queue(database, "m", day(2))
    assert outbox.claim(database, day(1), 9, HOUR, "me") == []
    assert len(outbox.claim(database, day(2), 9, HOUR, "me")) == 1


def outbox_state(database: Database) -> tuple[object, ...]:
    with database.read() as conn:
        (mail,) = outbox.list_outbox(conn)
    return mail.status, mail.next_at, mail.last_error, mail.sent_at, mail.text


ENDS: list[tuple[str, Callable[[Transaction, int, str], None], tuple[object, ...]]] = [
    (
        "sent",
        lambda tx, number, owner: outbox.sent(tx, number, owner, day(3), "Hello\0"),
        ("sent", day(1), None, day(3), "Hello\N{REPLACEMENT CHARACTER}"),
    ),
    ("retry", lambda tx, number, owner: outbox.retry(tx, number, owner, "busy", day(4)), ("queued", day(4), "busy", None, None)),
    ("dead", lambda tx, number, owner: outbox.dead(tx, number, owner, "no such user"), ("dead", day(1), "no such user", None, None)),
]


@pytest.mark.parametrize(("name", "end", "state"), ENDS, ids=[each[0] for each in ENDS])
def test_whoever_holds_a_mail_ends_it_and_nobody_else(
    database: Database, name: str, end: Callable[[Transaction, int, str], None], state: tuple[object, ...]
) -> None:
    queue(database, "m", day(1))
    with database.read() as conn:
        (mail,) = outbox.list_outbox(conn)
    with pytest.raises(AlreadyHandled), database.write() as tx:
        end(tx, mail.id, "me")  # not claimed yet
    outbox.claim(database, day(2), 9, HOUR, "me")
    with pytest.raises(AlreadyHandled), database.write() as tx:
        end(tx, mail.id, "other")
    assert outbox_state(database) == ("queued", day(1), None, None, None)

    with database.write() as tx:
        end(tx, mail.id, "me")

    assert outbox_state(database) == state
    with pytest.raises(AlreadyHandled), database.write() as tx:
        end(tx, mail.id, "me")
    claimed_again = [each.id for each in outbox.claim(database, day(4), 9, HOUR, "other")]
    assert claimed_again == ([mail.id] if name == "retry" else [])


def test_whoever_was_too_slow_has_lost_the_mail(database: Database) -> None:
    queue(database, "m", day(1))
    (mail,) = outbox.claim(database, day(2), 9, HOUR, "slow")
    outbox.claim(database, day(2) + HOUR, 9, HOUR, "fast")
    with pytest.raises(AlreadyHandled), database.write() as tx:
        outbox.sent(tx, mail.id, "slow", day(3), "x")
    with database.write() as tx:
        outbox.sent(tx, mail.id, "fast", day(3), "y")
        assert outbox.sent_text(tx, "<m>") == "y"


def test_a_dead_mail_is_raised_by_the_admin(database: Database) -> None:
    queue(database, "m", day(1))
    (mail,) = outbox.claim(database, day(2), 9, HOUR, "me")
    with pytest.raises(NotFound), database.write() as tx:
        outbox.requeue(tx, mail.id)
    with database.write() as tx:
        outbox.dead(tx, mail.id, "me", "no such user")
    with database.write() as tx:
        assert outbox.counts(tx) == {"dead": 1}
        outbox.requeue(tx, mail.id)
    assert [(each.id, each.attempts) for each in outbox.claim(database, day(2), 9, HOUR, "me")] == [(mail.id, 0)]


def test_a_thread_is_what_one_player_was_told_before_about_one_game(database: Database) -> None:
    with database.write() as tx:
        add_players(tx)
    for name, player, game in (
        ("1", ADA, GAME),
        ("2", BOB, GAME),
        ("3", ADA, GameId(2)),
        ("4", ADA, None),
        ("5", ADA, GAME),
        ("6", ADA, GAME),
    ):
        queue(database, name, day(1), player=player, game=game)
    for mail in reversed(outbox.claim(database, day(2), 5, HOUR, "me")):
        with database.write() as tx:
            outbox.sent(tx, mail.id, "me", day(10 - mail.id), f"text {mail.id}")
    with database.read() as conn:
        assert outbox.thread(conn, GAME, ADA, 6) == ["<1>", "<5>"]  # in whatever order they were sent
        assert outbox.thread(conn, GAME, ADA, 7) == ["<1>", "<5>", "<6>"]  # and if they were not
        assert outbox.sent_text(conn, "<5>") == "text 5"
        assert outbox.sent_text(conn, "<6>") is None
        assert outbox.sent_text(conn, "<nobody's>") is None


def test_answers_to_an_address_are_counted(database: Database) -> None:
    for name, address, at in (
        ("1", "Eve@example.org", 1),
        ("2", "eve@EXAMPLE.org", 2),
        ("3", "eve@example.org", 3),
        ("4", "bob@example.org", 3),
    ):
        queue(database, name, day(at), player=None, address=address, game=None)
    queue(database, "5", day(3), player=ADA)
    with database.read() as conn:
        assert outbox.answers_since(conn, "EVE@example.org", day(2)) == 2
        assert outbox.answers_since(conn, "eve@example.org", day(0)) == 3
        assert outbox.answers_since(conn, "nobody@example.org", day(0)) == 0
        assert outbox.answers_since(conn, "\0", day(0)) == 0


def test_the_outbox_is_listed_newest_first(database: Database) -> None:
    for name in ("1", "2", "3"):
        queue(database, name, day(int(name)))
    (first,) = outbox.claim(database, day(9), 1, HOUR, "me")
    with database.write() as tx:
        outbox.sent(tx, first.id, "me", day(9), "x")
    with database.read() as conn:
        assert [mail.message_id for mail in outbox.list_outbox(conn)] == ["<3>", "<2>", "<1>"]
        assert [mail.message_id for mail in outbox.list_outbox(conn, "queued", 1)] == ["<3>"]
        assert outbox.counts(conn) == {"queued": 2, "sent": 1}
        with pytest.raises(NotFound):
            outbox.get(conn, 99)


DOMAINS = {
    "<a.b@club.example>": "a.b",
    "<a.b@CLUB.EXAMPLE>": "a.b",
    "<a.b@x>": "a.b",
    "<a.b@x@y>": "a.b",
    "<a.b@>": "a.b",
    "<a@club.example>": "a",
}


def test_a_mail_is_found_by_its_message_id_whatever_the_domain(database: Database) -> None:
    """Whoever answers it may have a program that rewrites the domain, which we have not signed."""
    for name in ("a.b@club.example", "a.b.c@club.example", "a@club.example", "A.B@club.example", "a.b-@x", "a", "a.bA@x"):
        queue(database, name, day(1))
    strangers = ("<b@club.example>", "<a.b>", "<.b@club.example>", "<a.b%@club.example>", "<a_b@club.example>", "<ab@club.example>", "")
    with database.read() as conn:
        found = {given: outbox.by_message_id(conn, given) for given in (*DOMAINS, *strangers)}
        numbers = {given: delivery_reports.find(conn, [given]) for given in found}
    assert {given: item.message_id for given, item in found.items() if item} == {
        given: f"<{local}@club.example>" for given, local in DOMAINS.items()
    }
    assert numbers == {given: item and item.id for given, item in found.items()}
