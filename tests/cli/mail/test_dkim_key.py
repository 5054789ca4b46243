"""Keys to sign with: making one, publishing it, and what happens while it is missing."""

import stat
from pathlib import Path

import pytest

from tests.cli.club import Club
from tests.cli.typed import MAILDIR, configure, declared, typed
from turnserver.cli.mail.keys import DkimKey
from turnserver.config import reading
from turnserver.mail.format.dkim import verdicts


def made(club: Club, line: str) -> DkimKey:
    key = declared(typed(club, f"mail dkim-key {line} --json").stdout, "mail dkim-key")
    assert isinstance(key, DkimKey)
    return key


def leaving(club: Club) -> list[bytes]:
    return [path.read_bytes() for path in (club.directory / "leaving" / "new").glob("*")]


def test_mails_are_signed_with_the_keys_that_were_made(club: Club) -> None:
    keys = [made(club, "--selector s1"), made(club, "--selector s2.2026 --type ed25519")]
    assert [(key.file, key.name) for key in keys] == [
        (str(club.directory / "s1.pem"), "s1._domainkey.club.example"),
        (str(club.directory / "s2.2026.pem"), "s2.2026._domainkey.club.example"),
    ]
    configure(club, f'{MAILDIR}\n[dkim]\nkey_files = ["s1.pem", "s2.2026.pem"]\n')
    assert typed(club, "tick").exit_code == 0
    zone = {key.name: key.value for key in keys}
    mails = leaving(club)
    assert len(mails) > 3
    assert {tuple(verdicts(mail, zone.get)) for mail in mails} == {(("s1", True, ""), ("s2.2026", True, ""))}
    raw = typed(club, "mail outbox show 1 --raw").stdout_bytes
    assert [verdict.good for verdict in verdicts(raw, zone.get)] == [True, True]


def test_without_keys_no_mail_is_signed(club: Club) -> None:
    configure(club, MAILDIR)
    assert typed(club, "tick").exit_code == 0
    assert [verdicts(mail, lambda _: None) for mail in leaving(club)] == [[]] * len(leaving(club))


@pytest.mark.parametrize("content", [None, "no key"])
def test_no_mail_leaves_unsigned(club: Club, content: str | None) -> None:
    """The mails wait untried until the key is there, and whoever starts the service is told."""
    configure(club, f'{MAILDIR}\n[dkim]\nkey_files = ["s1.pem"]\n[web]\nserve = false\nhealth = ""\n')
    if content is not None:
        (club.directory / "s1.pem").write_text(content)
    before = typed(club, "mail outbox list --json").stdout
    for line in ("serve", "tick", "mail outbox show 1 --raw"):
        result = typed(club, line)
        assert (result.exit_code, result.stdout) == (1, "")
        assert f"turnserver: dkim.key_files: {club.directory}/s1.pem " in result.stderr
    assert leaving(club) == []
    assert typed(club, "mail outbox list --json").stdout == before
    result = typed(club, "doctor")
    assert (result.exit_code, "outgoing: dkim.key_files: " in result.stdout) == (1, True), result.stdout
    (club.directory / "s1.pem").unlink(missing_ok=True)
    key = made(club, "--selector s1")
    assert typed(club, "tick").exit_code == 0
    assert {verdict.good for mail in leaving(club) for verdict in verdicts(mail, {key.name: key.value}.get)} == {True}


def test_a_key_is_for_its_owner_and_never_overwritten(club: Club) -> None:
    made(club, "--selector s1")
    file = club.directory / "s1.pem"
    before = file.read_bytes()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    result = typed(club, "mail dkim-key --selector s1")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "exists already and was not changed" in result.stderr
    assert file.read_bytes() == before


@pytest.mark.parametrize("kind", ["rsa", "ed25519"])
def test_says_what_to_publish_and_what_to_configure(club: Club, kind: str, tmp_path: Path) -> None:
    elsewhere = tmp_path / "keys"
    elsewhere.mkdir()
    said = typed(club, f"mail dkim-key --selector s1 --type {kind} --directory {elsewhere}").stdout
    assert "  name   s1._domainkey.club.example\n  type   TXT\n  value  v=DKIM1; k=" in said
    (line,) = (line.strip() for line in said.splitlines() if " IN TXT " in line)
    name, _, strings = line.partition(" IN TXT ")
    parts = [part.strip('"') for part in strings.split('" "')]
    assert (name, f"  value  {''.join(parts)}\n" in said, max(map(len, parts)) <= 255) == ("s1._domainkey.club.example.", True, True)
    assert f'key_files = ["{elsewhere}/s1.pem"]' in said


REFUSED = {
    "a path": ("--selector ../s1", "must be a name"),
    "a hyphen first": ("--selector=-s1", "must be a name"),
    "nothing": ("--selector ''", "must be a name"),
    "too long": (f"--selector {'s' * 64}", "must be a name"),
    "no such place": ("--selector s1 --directory {dir}/nowhere", "No such file or directory"),
    "no such type": ("--selector s1 --type dsa", "dsa"),
}


@pytest.mark.parametrize(("line", "says"), REFUSED.values(), ids=REFUSED)
def test_refuses(club: Club, line: str, says: str) -> None:
    before = sorted(club.directory.rglob("*"))
    result = typed(club, f"mail dkim-key {line}")
    assert (result.exit_code in (1, 2), says in result.stderr, result.stderr.count("\n")) == (True, True, 1), result.output
    assert sorted(club.directory.rglob("*")) == before


def test_a_wrong_configuration_leaves_no_key_behind(club: Club) -> None:
    configure(club, '\n[web]\nurl = "no address"\n')
    assert typed(club, "mail dkim-key --selector s1").exit_code == 1
    assert list(club.directory.glob("s1*")) == []


def test_another_domain_may_sign(club: Club) -> None:
    configure(club, '\n[dkim]\ndomain = "example.org"\n')
    assert reading.load(club.config, {}).signing_domain == "example.org"
    assert made(club, "--selector s1").name == "s1._domainkey.example.org"
