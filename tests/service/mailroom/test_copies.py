"""A mail that comes twice although its bytes differ: a relay has written it in another encoding, or a scanner a notice below it."""

from datetime import timedelta

import pytest

from tests.service.mailroom.letters import letter, post, reply_address
from tests.service.world import PEOPLE, World
from turnserver.ids import GameId

ADA, BOB = PEOPLE["Ada"], PEOPLE["Bob"]
QUOTED = {"Content-Transfer-Encoding": "quoted-printable", "Content-Type": "text/plain; charset=utf-8"}
FOOTER = "\r\n\r\nScanned by a program against viruses.\r\n"
DATE = {"Date": "Sun, 1 Mar 2026 12:00:00 +0000"}


def of_bob(world: World, text: str, headers: dict[str, str] | None = None, *, number: int = 1) -> str:
    """Answer Bob's newest turn mail or invitation with a mail of that number, and return its outcome."""
    address = reply_address(world.mails("Bob")[-1])
    return post(world, letter(BOB, text, {"To": address, **DATE, **(headers or {})}, number=number), address)


def given(world: World, game: GameId) -> timedelta:
    """The time that Ada got."""
    deadline = world.state(game).deadline
    assert deadline is not None
    return deadline - world.now


@pytest.mark.parametrize(
    ("text", "headers"),
    [("give 2 =64ays", QUOTED), (f"give 2 days{FOOTER}", {})],
    ids=["quoted-printable", "a footer"],
)
def test_a_copy_is_not_carried_out_again(world: World, text: str, headers: dict[str, str]) -> None:
    game = world.open()
    before = given(world, game)
    assert of_bob(world, "give 2 days") == "carried out"
    sent = len(world.outbox())
    assert of_bob(world, text, headers) == "duplicate"
    assert (given(world, game) - before, len(world.outbox())) == (timedelta(days=2), sent)


def test_a_copy_of_a_challenge_opens_no_second_game(world: World) -> None:
    world.open()
    address = reply_address(world.mails("Bob")[-1])
    mails = [letter(BOB, text, {"To": address, **DATE}) for text in ("challenge Ada take", f"challenge Ada take{FOOTER}")]
    assert [post(world, raw, address) for raw in mails] == ["opened game 2", "duplicate"]


def test_a_copy_of_a_move_is_not_refused(world: World) -> None:
    world.open()
    address = reply_address(world.mails("Ada")[-1])
    mails = [letter(ADA, text, {"To": address, **DATE}) for text in ("a1", f"a1{FOOTER}")]
    assert [post(world, raw, address) for raw in mails] == ["carried out", "duplicate"]


@pytest.mark.parametrize(
    ("text", "headers", "number"),
    [
        ("give 3 days", {}, 1),
        ("give 2 days", {"Date": "Sun, 1 Mar 2026 12:05:00 +0000"}, 1),
        ("give 2 days\r\n ", {}, 2),
        ("give 2 days\r\n\r\nPlease.", {"Message-ID": ""}, 1),
    ],
    ids=["another command", "another date", "another name", "no name"],
)
def test_another_mail_is_no_copy(world: World, text: str, headers: dict[str, str], number: int) -> None:
    """Some programs send an edited mail under the old Message-ID."""
    game = world.open()
    before = given(world, game)
    assert of_bob(world, "give 2 days") == "carried out"
    assert of_bob(world, text, headers, number=number) == "carried out"
    assert given(world, game) - before > timedelta(days=3)


def test_one_mail_for_two_games_is_handled_in_both(world: World) -> None:
    world.open()
    first = reply_address(world.mails("Bob")[-1])
    world.open({"size": 3})
    second = reply_address(world.mails("Bob")[-1])
    raw = letter(BOB, "give 2 days", {"To": f"{first}, {second}", **DATE})
    assert [post(world, raw, address) for address in (first, second)] == ["carried out", "carried out"]


def test_a_mail_that_was_refused_may_come_again(world: World) -> None:
    world.open()
    assert of_bob(world, "z9").startswith("refused")
    assert of_bob(world, f"z9{FOOTER}").startswith("refused")


def test_mails_without_commands_are_no_copies(world: World) -> None:
    world.open(accepted=False)
    assert of_bob(world, "yes") == "carried out"
    assert of_bob(world, "yes, gladly") != "duplicate"
