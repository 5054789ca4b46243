"""Mail that came back: how an admin sees it, and what they can do about it."""

from pathlib import Path

import pytest

from tests.cli.club import ADA, NOON, Club
from tests.cli.typed import MAILDIR, configure, declared, service_of, typed
from tests.mail.format.returned import dsn, group
from turnserver.cli.mail.outbox import OutMail, OutMailDetails
from turnserver.cli.output.shapes import PlayerDetails
from turnserver.ids import DeliveryStatus

GONE = dsn(group("failed", "5.1.1", "smtp; 550 5.1.1 no such user"))
WHY = "5.1.1 550 5.1.1 no such user"


@pytest.fixture
def bounced(club: Club) -> Club:
    """Everything was sent, and Ada's welcome, mail 1, came back."""
    return came_back(club, GONE)


def came_back(club: Club, report: bytes) -> Club:
    """Everything is sent, and mail 1 comes back."""
    configure(club, MAILDIR)
    service = service_of(club)
    service.mail.send_outbox()
    sent = [path.read_text(encoding="utf-8") for path in Path(club.directory, "leaving", "new").iterdir()]
    (path,) = [text.partition(">")[0].removeprefix("Return-Path: <") for text in sent if "+b-1-" in text.partition("\n")[0]]
    service.mail.receive(report, path, "", "test")
    service.mail.read_inbox()
    service.db.close()
    return club


def test_the_outbox_says_what_came_back(bounced: Club) -> None:
    listed = declared(bounced.printed("mail outbox list --status bounced --json"), "mail outbox list")
    assert isinstance(listed, list)
    (mail,) = listed
    assert isinstance(mail, OutMail)
    assert (mail.id, mail.status, mail.report, mail.reason, mail.report_mail) == (1, "bounced", DeliveryStatus.HARD, WHY, 1)
    assert (mail.sent_at, mail.reported_at) == (NOON, NOON)
    assert f"came back 2026-03-01 13:00, hard: {WHY}" in " ".join(typed(bounced, "mail outbox list --status bounced").stdout.split())


def test_a_mail_shows_what_became_of_it(bounced: Club) -> None:
    mail = declared(bounced.printed("mail outbox show 1 --json"), "mail outbox show")
    assert isinstance(mail, OutMailDetails)
    assert mail.answer == f"kept in {bounced.directory / 'leaving'}"
    shown = " ".join(typed(bounced, "mail outbox show 1").stdout.split())
    assert "Status bounced, tried 1 time" in shown
    assert f"hard on 2026-03-01 13:00 (Europe/Berlin): {WHY}, says mail 1 of the inbox" in shown
    assert "Heard since" not in typed(bounced, "mail outbox show 2").stdout
    assert "hard bounce of mail 1" in typed(bounced, "mail inbox show 1").stdout


def test_a_mail_that_came_back_is_sent_again(bounced: Club) -> None:
    assert "1 mail will be sent again" in bounced.printed("mail outbox retry 1")
    assert typed(bounced, "mail outbox retry 2").stderr == "turnserver: No mail 2 in the outbox is dead or bounced.\n"


def test_a_player_is_shown_as_unreachable_until_an_admin_knows_better(bounced: Club) -> None:
    player = declared(bounced.printed("player show Ada --json"), "player show")
    assert isinstance(player, PlayerDetails)
    assert (player.id, player.unreachable_since, player.unreachable_why) == (ADA, NOON, WHY)
    assert f"comes back since 2026-03-01 13:00 (Europe/Berlin): {WHY}" in " ".join(typed(bounced, "player show Ada").stdout.split())
    assert "comes back" not in bounced.printed("player show Bob")
    assert "comes back" not in bounced.printed("player set Ada reachable yes")
    assert "comes back" not in bounced.printed("player set Ada reachable yes")


def test_an_admin_sees_whose_mail_is_refused(club: Club) -> None:
    """Though that is no fault of the player, they were not told."""
    came_back(club, dsn(group("failed", "5.7.1", "smtp; 550 5.7.1 blocked")))
    player = declared(club.printed("player show Ada --json"), "player show")
    assert isinstance(player, PlayerDetails)
    assert (player.unreachable_since, player.refused_why) == (None, "5.7.1 550 5.7.1 blocked")
    assert "is refused: 5.7.1 550 5.7.1 blocked" in club.printed("player show Ada")
    assert "refused" not in club.printed("player show Bob")
    assert "Players: Mail to Ada (1) is refused by policy: 5.7.1 550 5.7.1 blocked." in " ".join(club.printed("status").split())
