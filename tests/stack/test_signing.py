"""Signed mails through a real mail server: their signatures hold behind it."""

from pathlib import Path

import pytest

from tests.cli.club import Club, copied, found
from tests.cli.typed import configure, declared, typed
from tests.jobs.sink import LOOPBACK
from tests.stack.mailsystem import MailSystem
from turnserver.cli.mail.keys import DkimKey
from turnserver.mail.format.dkim import verdicts


@pytest.fixture
def club(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Club:
    return copied(found(tmp_path_factory.mktemp("club")), tmp_path)


def test_signatures_hold_behind_postfix(mail_system: MailSystem, club: Club) -> None:
    zone = {}
    for kind in ("rsa", "ed25519"):
        key = declared(typed(club, f"mail dkim-key --selector {kind} --type {kind} --json").stdout, "mail dkim-key")
        assert isinstance(key, DkimKey)
        zone[key.name] = key.value
    configure(club, f'\n[outgoing]\nhost = "{LOOPBACK}"\nport = {mail_system.ports["smtp"]}\n')
    configure(club, '\n[dkim]\nkey_files = ["rsa.pem", "ed25519.pem"]\n')
    assert typed(club, "tick").exit_code == 0
    signed = mail_system.players.wait_for_mails_from("turns@club.example", 10)
    mails = [raw for mail, raw in zip(mail_system.players.mails, mail_system.players.raw, strict=False) if mail in signed]
    assert all(b"\r\nReceived: " in b"\r\n" + mail for mail in mails)
    assert {tuple(verdicts(mail, zone.get)) for mail in mails} == {(("rsa", True, ""), ("ed25519", True, ""))}
