"""A mailbox that is gone: what Postfix sends back finds its way to the service, to the mail and to the player that it is about."""

from pathlib import Path

import pytest

from tests.jobs.serving import serving
from tests.stack.mailsystem import MAILBOX, SERVED, MailSystem
from tests.stack.test_whole_path import Club
from turnserver.ids import DeliveryStatus
from turnserver.store.mail import delivery_reports, outbox


@pytest.fixture(autouse=True)
def _trusting(mail_system: MailSystem, monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes that we start trust the mail system's authority."""
    monkeypatch.setenv("SSL_CERT_FILE", str(mail_system.authority))


@pytest.mark.long
@pytest.mark.parametrize(("domain", "source"), [(MAILBOX, "imap"), (SERVED, "lmtp")])
def test_a_bounce_by_postfix_makes_its_player_unreachable(
    mail_system: MailSystem, tmp_path: Path, sqlite_url: str, domain: str, source: str
) -> None:
    club = Club(mail_system, tmp_path, sqlite_url, domain, incoming={"lmtp_port": mail_system.ports["served"] if source == "lmtp" else 0})
    service = club.peopled()
    dora = service.people.add("Dora", "dead@example.org", actor="admin:test", cause="test:Dora")
    with serving(club.config) as served:
        served.wait("read inbox: 1 handled")
        assert served.stop() == 0, served.log
    with service.db.read() as conn:
        known = delivery_reports.deliverability(conn, dora.id)
        (mail,) = outbox.list_outbox(conn, "bounced")
    service.db.close()
    assert (mail.player, mail.report) == (dora.id, DeliveryStatus.HARD)
    assert (mail.answer or "").startswith("250 2.0.0 Ok: queued as")
    assert "550 5.1.1 No such mailbox" in (mail.reason or "")
    assert known.since is not None
