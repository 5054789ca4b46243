"""`resend`: everything that waits for a player, once more, to their own address only, and counted."""

from pathlib import Path

import pytest

from tests.service.mailroom.letters import counts, letter, outcomes, post, world_over
from tests.service.world import PEOPLE, World
from turnserver.config import Incoming

ADA = PEOPLE["Ada"]


@pytest.fixture
def busy(world: World) -> World:
    """Ada has the turn in one game and is invited to another; a third is Bob's turn, and a fourth is over."""
    for accepted, mover in ((True, "Ada"), (False, ""), (True, "Bob"), (True, "nobody")):
        world.wait(seconds=1)
        world.open(accepted=accepted)
        if mover in ("Bob", "nobody"):
            world.answer("Ada", "a1")
        if mover == "nobody":
            world.answer("Bob", "confirm resign")
    return world


@pytest.mark.parametrize("sender", [ADA, ADA.upper()])
def test_what_waits_for_a_player_is_sent_again(busy: World, sender: str) -> None:
    """No token is needed, since the registered address gets it; each mail answers its own game, under a fresh address."""
    before = counts(busy)
    assert post(busy, letter(sender, "resend", number=2)) == "answered"
    assert counts(busy) == {**before, "Ada": before["Ada"] + 2}
    turn, invitation = busy.mails("Ada")[-2:]
    assert [mail["Auto-Submitted"] for mail in (turn, invitation)] == ["auto-replied"] * 2
    assert turn["In-Reply-To"].strip() == "<2.letter@example.org>"
    assert ["[Take 1]" in turn["Subject"], "[Take 2]" in invitation["Subject"]] == [True, True]
    busy.answer("Ada", "a1", mail=turn)
    busy.answer("Ada", "accept", mail=invitation)
    assert outcomes(busy)[-2:] == ["carried out"] * 2


def test_the_admin_may_send_again_too(busy: World) -> None:
    before = counts(busy)
    assert busy.service.mail.resend("Ada", actor="admin:test", cause="test:again") == 2
    assert busy.service.mail.resend("Ada", actor="admin:test", cause="test:again") == 2
    assert busy.service.mail.resend("Cleo", actor="admin:test", cause="test:again") == 1
    busy.settle()
    assert counts(busy) == {"Ada": before["Ada"] + 2, "Bob": before["Bob"], "Cleo": before["Cleo"] + 1}
    assert "no game" in busy.text("Cleo")


def test_where_nothing_waits_the_list_of_games_comes(busy: World) -> None:
    post(busy, letter(PEOPLE["Cleo"], "resend"))
    assert "Your games" in busy.mails("Cleo")[-1]["Subject"]


def test_it_is_no_way_to_flood_somebody(sqlite_url: str, tmp_path: Path) -> None:
    """Each mail is counted, whoever asked under her name; her moves are played all the same."""
    with world_over(sqlite_url, tmp_path, Incoming(answers_per_day=2)) as world:
        game = world.open()
        world.wait(seconds=1)
        world.open(accepted=False)
        turn = [mail for mail in world.mails("Ada") if "[Take 1]" in mail["Subject"]][-1]
        before = counts(world)
        for number in range(5):
            post(world, letter(ADA, "resend", number=number), sender="eve@example.net")
        assert counts(world) == {**before, "Ada": before["Ada"] + 3}
        assert outcomes(world)[-1] == "answered; not answered: limit of the day"
        world.answer("Ada", "a1", mail=turn)
        assert world.state(game).line.length == 1


def test_a_stranger_gets_nothing_sent_again(busy: World) -> None:
    before = counts(busy)
    assert post(busy, letter("eve@example.net", "resend")) == "refused: unknown_sender"
    assert post(busy, letter("eve@example.net", "resend", {"Reply-To": ADA, "Sender": ADA}, number=2)).startswith("refused: unknown_sender")
    assert counts(busy) == before
