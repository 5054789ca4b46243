"""The verdict of our own mail server on a sender: beside a token by the settings, never instead of one; no answer to a disproven one."""

from pathlib import Path
from typing import Literal, NamedTuple

import pytest

from tests.service.mailroom.letters import counts, key_of, letter, post, said, world_over
from tests.service.world import PEOPLE
from turnserver.config import Incoming

US = "mx.club.example"
ADA = PEOPLE["Ada"]
PROVEN = f"{US}; dmarc=pass header.from=example.org"
DISPROVEN = f"{US}; dmarc=fail header.from=example.org"
FOREIGN = "mx.example.net; dmarc=pass header.from=example.org"


class Case(NamedTuple):
    """Ada plays a1 under a policy, in a mail with such headers: whether it counts, and what she hears of it."""

    policy: Literal["off", "warn", "require"]
    results: str
    played: bool
    told: str = ""


CASES = {
    "off, nothing known": Case("off", "", played=True),
    "off, disproven": Case("off", DISPROVEN, played=True),
    "warn, proven": Case("warn", PROVEN, played=True),
    "warn, nothing known": Case("warn", "", played=True, told="we can't tell whether it really came from ada@example.org"),
    "warn, disproven": Case("warn", DISPROVEN, played=True, told="we can't tell whether it really came"),
    "require, proven": Case("require", PROVEN, played=True),
    "require, nothing known": Case("require", "", played=False, told="could verify neither"),
    "require, disproven": Case("require", DISPROVEN, played=False, told="could verify neither"),
    "require, another server's word": Case("require", FOREIGN, played=False, told="could verify neither"),
    "require, forged below": Case("require", f"{DISPROVEN}\r\nAuthentication-Results: {PROVEN}", played=False, told="could verify neither"),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_token_and_what_is_known_of_its_sender(sqlite_url: str, tmp_path: Path, case: Case) -> None:
    incoming = Incoming(authserv_id=US, authentication="off")
    with world_over(sqlite_url, tmp_path, incoming) as world:
        game = world.open()
    incoming = Incoming(authserv_id=US, authentication=case.policy)
    with world_over(sqlite_url, tmp_path, incoming, again=True) as world:
        before, key = counts(world), key_of(world.mails("Ada")[-1])
        outcome = post(world, letter(ADA, f"key {key}\r\na1", {"Authentication-Results": case.results}))
        assert outcome == ("carried out" if case.played else "refused: not_authenticated")
        assert world.state(game).line.length == case.played
        assert counts(world)["Ada"] == before["Ada"] + bool(case.told)
        assert case.told in said(world, "Ada")


FOREIGNERS: list[tuple[Literal["off", "warn", "require"], bool, str]] = [
    ("off", True, ""),
    ("warn", True, "came from eve@example.net and not from your own address"),
    ("require", False, "Your mail came from eve@example.net, and we know you by another address."),
]


@pytest.mark.parametrize(("policy", "played", "told"), FOREIGNERS, ids=[policy for policy, _, _ in FOREIGNERS])
def test_a_token_from_an_address_that_is_not_known(
    sqlite_url: str, tmp_path: Path, policy: Literal["off", "warn", "require"], played: bool, told: str
) -> None:
    """All answers go to the player's own address."""
    with world_over(sqlite_url, tmp_path, Incoming(sender_policy=policy)) as world:
        game = world.open()
        before, key = counts(world), key_of(world.mails("Ada")[-1])
        outcome = post(world, letter("eve@example.net", f"key {key}\r\na1"))
        assert outcome == ("carried out" if played else "refused: foreign_sender")
        assert world.state(game).line.length == played
        assert counts(world)["Ada"] == before["Ada"] + bool(told)
        assert told in said(world, "Ada")
        assert not world.mails("eve@example.net")


def test_a_mail_from_another_address_is_told_by_its_move(sqlite_url: str, tmp_path: Path) -> None:
    with world_over(sqlite_url, tmp_path, Incoming(sender_policy="warn")) as world:
        world.open()
        post(world, letter("eve@example.net", f"key {key_of(world.mails('Ada')[-1])}\r\na1"))
        text = said(world, "Ada")
        assert "We carried out a mail from eve@example.net in your name." in text
        assert "The mail says: | a1 -> It went to your reply address" in text
        assert "If that wasn't you, tell the admin now." in text
        assert "did not work" not in text


@pytest.mark.parametrize("policy", ["off", "warn", "require"])
def test_what_stands_behind_a_plus_makes_no_other_sender(
    sqlite_url: str, tmp_path: Path, policy: Literal["off", "warn", "require"]
) -> None:
    """Ada's provider puts her mail for `ada+club` into her mailbox, and she writes from there."""
    with world_over(sqlite_url, tmp_path, Incoming(sender_policy=policy)) as world:
        world.open()
        key = key_of(world.mails("Ada")[-1])
        assert post(world, letter(ADA.replace("@", "+club@"), f"key {key}\r\na1")) == "carried out"
        assert "If that wasn't you" not in said(world, "Ada")


@pytest.mark.parametrize("policy", ["off", "warn", "require"])
def test_a_proven_sender_without_a_token_may_do_nothing(sqlite_url: str, tmp_path: Path, policy: Literal["off", "warn", "require"]) -> None:
    with world_over(sqlite_url, tmp_path, Incoming(authserv_id=US, authentication=policy)) as world:
        raw = letter(ADA, "challenge Bob take", {"Authentication-Results": PROVEN})
        assert post(world, raw) == "refused: no_token"


@pytest.mark.parametrize("sender", [ADA, "eve@example.org"])
@pytest.mark.parametrize("policy", ["off", "warn", "require"])
def test_a_disproven_sender_without_a_token_gets_no_answer(
    sqlite_url: str, tmp_path: Path, sender: str, policy: Literal["off", "warn", "require"]
) -> None:
    """The answer would go to somebody who has nothing to do with it."""
    with world_over(sqlite_url, tmp_path, Incoming(authserv_id=US, authentication=policy)) as world:
        before = len(world.outbox())
        raw = letter(sender, "help", {"Authentication-Results": DISPROVEN})
        assert post(world, raw) == "ignored: not from the domain that it names"
        assert len(world.outbox()) == before
        assert post(world, letter(sender, "help", number=2)) != "ignored: not from the domain that it names"
        assert len(world.outbox()) == before + 1


def test_a_disproven_sender_who_answers_a_mail_of_ours_without_its_address_gets_no_answer(sqlite_url: str, tmp_path: Path) -> None:
    """Whoever has read a Message-ID of ours can write Ada's address beside it."""
    with world_over(sqlite_url, tmp_path, Incoming(authserv_id=US)) as world:
        game = world.open()
        answered = {"In-Reply-To": world.mails("Ada")[-1]["Message-ID"].strip()}
        assert (
            post(world, letter(ADA, "a1", {**answered, "Authentication-Results": DISPROVEN}))
            == "ignored: not from the domain that it names"
        )
        assert world.state(game).line.length == 0
