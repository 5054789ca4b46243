"""Keys of reply addresses: a new one is noticed by everybody at once, an old one goes on counting until it is retired."""

import pytest

from tests.service.mailroom.letters import key_of, outcomes, said
from tests.service.world import World
from turnserver.errors import BadOption


@pytest.mark.engines
def test_a_new_key_is_noticed_without_a_restart(any_world: World) -> None:
    """By the process that was there before, in what it sends and in what it takes."""
    world = any_world
    game = world.open()
    before = world.mails("Ada")[-1]
    other = world.another_process()
    assert other.mail.rotate_key() == (2, ())
    world.answer("Ada", "show", mail=before)
    after = world.mails("Ada")[-1]
    assert [key_of(mail).split("-")[4] for mail in (before, after)] == ["1", "2"]
    world.answer("Ada", "a1", mail=after)
    world.answer("Bob", "a2")
    assert world.state(game).line.length == 2
    assert [key.version for key in world.service.mail.reply_keys()] == [1, 2]


def test_a_retired_key_counts_no_more_and_the_writer_hears_how_to_go_on(world: World) -> None:
    game = world.open()
    before = world.mails("Ada")[-1]
    world.service.mail.rotate_key()
    assert world.another_process().mail.rotate_key(retire=1) == (3, (1,))
    world.answer("Ada", "a1", mail=before)
    assert outcomes(world)[-1] == "refused: bad_token"
    assert "Reply to our newest mail" in said(world, "Ada")
    world.answer("Ada", "resend", to="turns@club.example")
    world.answer("Ada", "a1")
    assert world.state(game).line.length == 1


def test_keys_are_retired_by_the_time_since_they_were_replaced(world: World) -> None:
    """However old they are: what they signed was sent until then."""
    world.wait(days=400)
    assert world.service.mail.rotate_key(retire_days=90) == (2, ())
    world.wait(days=60)
    assert world.service.mail.rotate_key(retire_days=90) == (3, ())
    world.wait(days=31)
    assert world.service.mail.rotate_key(retire_days=90) == (4, (1,))
    assert [key.version for key in world.service.mail.reply_keys()] == [2, 3, 4]


@pytest.mark.parametrize("version", [2, 9])
def test_a_key_that_never_was_is_not_retired(world: World, version: int) -> None:
    with pytest.raises(BadOption, match=f"no key version {version} .*: 1"):
        world.service.mail.rotate_key(retire=version)
    assert [key.version for key in world.service.mail.reply_keys()] == [1]
