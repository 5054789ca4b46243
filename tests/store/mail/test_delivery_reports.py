"""Reports about mails after they were sent, and the players whom mail does not reach."""

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import pytest

from tests.store.scene import ADA, BOB, GAME, add_players, day
from turnserver.errors import Conflict, NotFound
from turnserver.ids import DeliveryStatus, PlayerId, Version
from turnserver.store.log.database import Database
from turnserver.store.mail import delivery_reports, outbox
from turnserver.store.mail.delivery_reports import Reach

HARD, POLICY, SOFT, DELAYED, DELIVERED, UNCLASSIFIED = DeliveryStatus
MINUTE = timedelta(minutes=1)


def queue(database: Database, name: str, *, at: float = 1, version: int = 3, player: PlayerId = ADA, hold: bool = False) -> int:
    with database.write() as tx:
        number = outbox.queue(
            tx,
            kind="turn",
            player=player,
            address=None,
            game=GAME,
            version=Version(version),
            detail={},
            message_id=f"<{name}>",
            in_reply_to=None,
            at=day(at),
            status="held" if hold else "queued",
        )
    assert number is not None
    return number


def send(database: Database, at: float) -> None:
    """Everything that is queued is taken by the next server."""
    mails = outbox.claim(database, day(at), 9, MINUTE, "me")
    with database.write() as tx:
        for mail in mails:
            outbox.sent(tx, mail.id, "me", day(at), "text", "250 2.0.0 taken")


def give_up(database: Database, at: float) -> None:
    mails = outbox.claim(database, day(at), 9, MINUTE, "me")
    with database.write() as tx:
        for mail in mails:
            outbox.dead(tx, mail.id, "me", "no")


def report(database: Database, number: int, fate: DeliveryStatus, at: float) -> PlayerId | None:
    with database.write() as tx:
        return delivery_reports.returned(tx, number, fate, f"because {fate}", day(at), mail=7)


def get(database: Database, number: int) -> outbox.OutboxItem:
    with database.read() as conn:
        return outbox.get(conn, number)


def test_a_mail_that_came_back(database: Database) -> None:
    number = queue(database, "a")
    send(database, 2)
    assert get(database, number).answer == "250 2.0.0 taken"
    assert report(database, number, HARD, 3) == ADA
    mail = get(database, number)
    assert (mail.status, mail.sent_at) == ("bounced", day(2))
    assert (mail.report, mail.reported_at, mail.reason, mail.report_mail) == (HARD, day(3), "because hard", 7)


@pytest.mark.parametrize(
    ("first", "then", "counts"),
    [
        (DELAYED, HARD, True),
        (DELAYED, DELIVERED, True),
        (DELIVERED, SOFT, True),
        (SOFT, HARD, True),
        (DELAYED, DELAYED, False),
        (SOFT, SOFT, False),
        (HARD, HARD, False),
        (HARD, SOFT, False),
        (HARD, DELAYED, False),
    ],
)
def test_only_what_is_worse_than_known_counts(database: Database, first: DeliveryStatus, then: DeliveryStatus, *, counts: bool) -> None:
    number = queue(database, "a")
    send(database, 2)
    report(database, number, first, 3)
    assert (report(database, number, then, 4) is not None) is counts
    mail = get(database, number)
    assert (mail.report, mail.reported_at) == ((then, day(4)) if counts else (first, day(3)))
    assert (mail.status == "bounced") is bool({first, then} & {SOFT, HARD})


def test_a_mail_that_came_back_before_anybody_noted_that_it_was_sent_is_not_sent_again(database: Database) -> None:
    number = queue(database, "a")
    outbox.claim(database, day(2), 9, MINUTE, "somebody who died")
    report(database, number, HARD, 3)
    assert outbox.claim(database, day(4), 9, MINUTE, "me") == []
    assert get(database, number).status == "bounced"


def test_a_refusal_leaves_the_status_to_whoever_sends(database: Database) -> None:
    number = queue(database, "a")
    with database.write() as tx:
        assert delivery_reports.refused(tx, number, HARD, "550", day(2)) == ADA
    mail = get(database, number)
    assert (mail.status, mail.report, mail.report_mail) == ("queued", HARD, None)


def test_a_mail_that_came_back_may_be_sent_again(database: Database) -> None:
    number = queue(database, "a")
    send(database, 2)
    report(database, number, HARD, 3)
    with database.write() as tx:
        outbox.requeue(tx, number)
    send(database, 4)
    mail = get(database, number)
    assert (mail.status, mail.sent_at, mail.report) == ("sent", day(4), None)
    with pytest.raises(NotFound), database.write() as tx:
        outbox.requeue(tx, number)


def test_a_mail_that_there_is_not(database: Database) -> None:
    assert report(database, 99, HARD, 3) is None
    with database.read() as conn:
        assert not delivery_reports.exists(conn, 99)
        assert delivery_reports.find(conn, ["<nobody's>"]) is None


def test_a_mail_is_found_by_its_message_id(database: Database) -> None:
    queue(database, "a")
    number = queue(database, "b")
    with database.read() as conn:
        assert delivery_reports.find(conn, ["<nobody's>", "<b>", "<a>"]) == number
        assert delivery_reports.exists(conn, number)


def test_what_came_back_of_a_players_mails(database: Database) -> None:
    reports = [("a", ADA, SOFT), ("b", ADA, HARD), ("c", ADA, DELAYED), ("d", BOB, HARD), ("e", ADA, SOFT)]
    for at, (name, player, fate) in enumerate(reports):
        number = queue(database, name, player=player)
        report(database, number, fate, 2 + at)
    with database.read() as conn:
        assert delivery_reports.came_back(conn, ADA, day(2)) == [(HARD, day(3)), (SOFT, day(6))]


class Case(NamedTuple):
    """Events about the mails of a game from version 3 on, and what it comes to: due, and taken."""

    name: str
    mails: tuple[tuple[float, str], ...]
    told: tuple[float, float | None] | None


TOLD = [
    Case("nothing", (), None),
    Case("queued", ((1, "queued"),), (1, None)),
    Case("sent", ((1, "sent"),), (1, 5)),
    Case("dead", ((1, "dead"),), (1, None)),
    Case("bounced", ((1, "bounced"),), (1, None)),
    Case("held", ((1, "held"),), (1, None)),
    Case("only a later one arrived", ((1, "bounced"), (2, "sent")), (1, 5)),
    Case("a digest has it", ((1, "merged"),), (3, 5)),
    Case("a digest had nothing to tell", ((1, "forgotten"),), None),
    Case("nobody wanted it", ((1, "unwanted"),), None),
]


@pytest.mark.parametrize("case", TOLD, ids=lambda case: case.name)
def test_how_far_a_player_was_told(database: Database, case: Case) -> None:
    queue(database, "of an earlier turn", at=0, version=2)
    queue(database, "to the other", at=0, player=BOB)
    send(database, 0.5)
    for at, then in case.mails:
        number = queue(database, f"{at}", at=at, hold=then in {"held", "merged", "forgotten"})
        match then:
            case "sent":
                send(database, 5)
            case "dead":
                give_up(database, 5)
            case "bounced":
                send(database, 5)
                report(database, number, SOFT, 6)
            case "merged" | "forgotten":
                with database.write() as tx:
                    outbox.take_held(tx, ADA, datetime.max.replace(tzinfo=UTC))
                if then == "merged":
                    digest = queue(database, "digest", at=3, version=1)
                    with database.write() as tx:
                        outbox.merge_into(tx, [number], digest)
                    send(database, 5)
            case "unwanted":
                [mail] = outbox.claim(database, day(5), 9, MINUTE, "me")
                with database.write() as tx:
                    outbox.unwanted(tx, mail.id, "me")
    with database.read() as conn:
        told = delivery_reports.told(conn, GAME, ADA, Version(3), None)
    taken = None if case.told is None or case.told[1] is None else day(case.told[1])
    assert told == (None if case.told is None else (day(case.told[0]), taken, None))


@pytest.mark.parametrize(("not_before", "taken"), [(1.9, 2), (2, 2), (2.1, 4), (4.1, None)])
def test_a_mail_that_was_taken_too_early_has_told_nothing(database: Database, not_before: float, taken: float | None) -> None:
    queue(database, "a")
    send(database, 2)
    queue(database, "b", at=3)
    send(database, 4)
    with database.read() as conn:
        told = delivery_reports.told(conn, GAME, ADA, Version(3), day(not_before))
    assert told == (day(1), None if taken is None else day(taken), None)


class Answer(NamedTuple):
    """The fate of two mails, the second a day after the first, and when the mail that was answered at the end counts as read."""

    name: str
    ends: tuple[str, str]
    by_name: float | None
    newest: float


ANSWERS = [
    Answer("both arrived", ("sent", "sent"), 2, 3),
    Answer("the first came back", ("bounced", "sent"), 2, 3),
    Answer("both came back", ("bounced", "bounced"), 2, 3),
    Answer("the second has not left", ("sent", "queued"), 2, 2),
    Answer("the first was given up", ("dead", "sent"), 9, 3),
    Answer("both were given up", ("dead", "dead"), 9, 9),
    Answer("the first was not wanted", ("unwanted", "sent"), None, 3),
    Answer("in a digest", ("merged", "queued"), 2, 2),
]


@pytest.mark.parametrize("naming", [True, False], ids=["by name", "the newest"])
@pytest.mark.parametrize("case", ANSWERS, ids=lambda case: case.name)
def test_when_a_mail_that_was_answered_told_its_player(database: Database, case: Answer, *, naming: bool) -> None:
    """An answer proves that a mail was read, whatever was reported about it, and though what was sent so early has told nobody."""
    queue(database, "of an earlier turn", at=0, version=2)
    send(database, 0)
    for at, end in enumerate(case.ends, 1):
        end_as(database, f"{at}", at, end)
    with database.write() as tx:
        if naming:
            assert delivery_reports.answered(tx, BOB, "<1>", day(9)) is None
            assert delivery_reports.answered(tx, ADA, "<1>", day(9)) == (GAME, Version(3))
            delivery_reports.answered(tx, ADA, "<1>", day(10))
        else:
            delivery_reports.newest_answered(tx, GAME, ADA, Version(3), day(9))
    read = case.by_name if naming else case.newest
    with database.read() as conn:
        told = delivery_reports.told(conn, GAME, ADA, Version(3), day(20))
    assert told is not None
    assert (told.taken_at, told.read_at) == (None, None if read is None else day(read))


def end_as(database: Database, name: str, at: float, end: str) -> None:
    """A mail that is queued on a day, and what became of it a day later."""
    number = queue(database, name, at=at, hold=end == "merged")
    match end:
        case "sent":
            send(database, at + 1)
        case "bounced":
            send(database, at + 1)
            report(database, number, SOFT, at + 1.5)
        case "dead":
            give_up(database, at + 1)
        case "unwanted":
            [mail] = outbox.claim(database, day(at), 9, MINUTE, "me")
            with database.write() as tx:
                outbox.unwanted(tx, mail.id, "me")
        case "merged":
            digest = queue(database, "digest", at=at, version=1)
            with database.write() as tx:
                outbox.take_held(tx, ADA, datetime.max.replace(tzinfo=UTC))
                outbox.merge_into(tx, [number], digest)
            send(database, at + 1)


def test_what_is_reported_of_a_mail_that_was_answered_counts_against_nobody(database: Database) -> None:
    for name in ("a", "b"):
        end_as(database, name, 1, "bounced")
    with database.write() as tx:
        delivery_reports.answered(tx, ADA, "<a>", day(9))
    report(database, 2, HARD, 10)
    with database.read() as conn:
        assert delivery_reports.came_back(conn, ADA, day(0)) == [(HARD, day(10))]


def test_whom_mail_does_not_reach(database: Database) -> None:
    with database.write() as tx:
        add_players(tx)
        assert delivery_reports.deliverability(tx, ADA) == Reach(ADA, None, None, "")
        assert not delivery_reports.mark_reachable(tx, ADA, day(1))
        delivery_reports.mark_unreachable(tx, BOB, day(3), "5.1.1 unknown")
        delivery_reports.mark_unreachable(tx, ADA, day(2), "5.1.1 gone\0")
    with database.read() as conn:
        assert [one.player for one in delivery_reports.unreachable(conn)] == [ADA, BOB]
    with pytest.raises(Conflict), database.write() as tx:
        delivery_reports.mark_unreachable(tx, ADA, day(4), "again")
    with database.write() as tx:
        assert delivery_reports.mark_reachable(tx, ADA, day(5))
        assert not delivery_reports.mark_reachable(tx, ADA, day(6))
        assert delivery_reports.deliverability(tx, ADA) == Reach(ADA, None, day(5), "5.1.1 gone\N{REPLACEMENT CHARACTER}")
        delivery_reports.mark_unreachable(tx, ADA, day(7), "5.2.1 disabled")
    with database.read() as conn:
        assert delivery_reports.deliverability(conn, ADA) == Reach(ADA, day(7), day(5), "5.2.1 disabled")
