"""What becomes of outbox rows when mail cannot leave."""

from collections import Counter
from datetime import timedelta
from pathlib import Path

from tests.service.world import BEGIN, SITE
from turnserver.config import Outgoing, Settings, Site
from turnserver.mail.transport import transport_for
from turnserver.service import Service, keys
from turnserver.store import outbox
from turnserver.store.database import Database

MAILS = 3


def attempts(db: Database) -> Counter[tuple[str, int]]:
    """How many mails have which status after how many attempts."""
    with db.read() as conn:
        return Counter((mail.status, mail.attempts) for mail in outbox.list_outbox(conn))


def test_a_closed_way_out_costs_one_mail_an_attempt_and_the_others_nothing(database: Database, tmp_path: Path) -> None:
    """Round after round one mail is tried and the rest wait untried; when the way is open again, all of them leave."""
    outgoing = Outgoing(transport="maildir", maildir=tmp_path / "mail" / "box")
    (tmp_path / "mail").write_text("a file where a directory should be")
    with database.write() as tx:
        keys.ensure(tx, lambda count: b"k" * count)
    now = BEGIN
    settings = Settings(site=Site(address=SITE), outgoing=outgoing)
    service = Service(database, settings, clock=lambda: now, transport=lambda: transport_for(outgoing))
    for number in range(MAILS):
        service.add_player(f"Player {number}x", f"p{number}@example.org", actor="admin:test", cause=f"test:{number}")
    for tried in range(1, MAILS + 1):
        assert service.send_outbox() == (0, 1, 0)
        assert attempts(database) == Counter({("queued", 1): tried, ("queued", 0): MAILS - tried}) - Counter()
    assert service.send_outbox() == (0, 0, 0)
    (tmp_path / "mail").unlink()
    now += timedelta(seconds=outgoing.retry_seconds[0])
    assert service.send_outbox() == (MAILS, 0, 0)
    assert len(list((tmp_path / "mail" / "box" / "new").iterdir())) == MAILS
