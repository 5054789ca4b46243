"""Pages that are a player's own, by their session: once it is over nothing is shown or done; nobody is told more than by mail."""

import pytest

from tests.service.signing import signed_in
from tests.service.world import World
from turnserver.errors import NotFound, Refusal
from turnserver.ids import PlayerId
from turnserver.mail.inbound.phrases import Phrase, Set
from turnserver.mail.inbound.time_phrases import Vacation
from turnserver.play.commands import Cancel, Decline, Resign
from turnserver.play.events import PlayerEdited
from turnserver.service.pages.turns import SignedIn
from turnserver.service.people import player_log
from turnserver.store.log.verify import verify


def test_a_setting_is_an_event_of_its_player_once_for_each_form(any_world: World) -> None:
    world = any_world
    pages, secret = world.service.pages.own, signed_in(world, "Ada")
    for _ in range(2):
        pages.act(secret, [Set("board", "large"), Set("digest", "18:00")], "one form")
    with world.service.db.read() as conn:
        edited = [row for row in player_log.load(conn, pages.see(secret).person.id) if isinstance(row.event, PlayerEdited)]
        assert list(verify(conn)) == []
    assert [(row.actor, row.cause, row.event) for row in edited] == [
        ("player-1", "web:one form", PlayerEdited(player=pages.see(secret).person.id, fields=("board", "digest")))
    ]


@pytest.mark.parametrize("phrases", [[Set("board", "large")], [Vacation(days=3)]])
def test_nothing_is_shown_or_done_once_the_session_is_over(world: World, phrases: list[Phrase]) -> None:
    pages, secret = world.service.pages.own, signed_in(world, "Ada")
    before = world.service.people.find("Ada")
    world.service.pages.sessions.leave(secret)
    with pytest.raises(NotFound):
        pages.see(secret)
    with pytest.raises(NotFound):
        pages.act(secret, phrases, "one form")
    game = world.open()
    with pytest.raises(NotFound):
        world.service.pages.turns.see(SignedIn(secret, game))
    assert world.service.people.find("Ada") == before


def test_a_challenge_that_nobody_took_up_is_no_game_that_is_over(any_world: World) -> None:
    world = any_world
    over, cancelled = world.open(), world.open()
    declined, called_off = world.open(accepted=False), world.open(accepted=False)
    for game, command, actor in (
        (over, Resign(PlayerId(1), world.now), "player-1"),
        (cancelled, Cancel("the table broke"), "admin:test"),
        (declined, Decline(PlayerId(2), world.now), "player-2"),
        (called_off, Cancel("nobody answers"), "admin:test"),
    ):
        world.service.games.handle(game, command, actor=actor, cause=f"test:{game}")
    assert {game.id for game in world.service.pages.own.see(signed_in(world, "Ada")).ended} == {over, cancelled}


def test_a_refusal_leaves_everything_as_it_was(world: World) -> None:
    pages, secret = world.service.pages.own, signed_in(world, "Ada")
    before = world.service.people.find("Ada")
    with pytest.raises(Refusal):
        pages.act(secret, [Set("board", "large"), Set("zone", "Atlantis")], "one form")
    assert world.service.people.find("Ada") == before
    pages.act(secret, [Set("board", "large")], "one form")
    assert world.service.people.find("Ada").preferences.board == "large"
