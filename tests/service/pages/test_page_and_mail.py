"""A move by page while several workers handle mail: it is played once, whoever is first, and told once."""

from collections import Counter
from threading import Barrier, Thread

import pytest

from tests.service.pages.test_turns import act, history, link
from tests.service.world import World
from turnserver.errors import Refusal
from turnserver.ids import GameId
from turnserver.mail.inbound.phrases import Move
from turnserver.play.events import TurnPlayed
from turnserver.store.log.verify import verify

WORKERS = 4
GAMES = 8
ROUNDS = 6
"""So often the two race at most until each has been first in some game."""


@pytest.mark.engines
def test_a_move_by_page_and_by_mail_is_played_once(any_world: World) -> None:
    world, first = any_world, Counter[str]()
    for _ in range(ROUNDS):
        first += race(world)
        if len(first) == len(("mail", "web")):
            break
    assert first.keys() == {"mail", "web"}
    with world.service.db.read() as conn:
        assert list(verify(conn)) == []


def race(world: World) -> "Counter[str]":
    """Ada answers each game by mail, which four workers take in and handle, and on its page at the same time; gives who was first."""
    games = [world.open({"size": 3}) for _ in range(GAMES)]
    links = {game: link(world, game, "Ada") for game in games}
    mails = {game: next(one for one in reversed(world.mails("Ada")) if f"[Take {game}]" in one["Subject"]) for game in games}
    refused = dict[GameId, str]()
    starting = Barrier(WORKERS + 1, timeout=20)

    def work(number: int) -> None:
        mail = world.another_process().mail
        starting.wait()
        for game in games[number::WORKERS]:
            world.answer("Ada", "b2", mail=mails[game], settle=False)
            mail.read_inbox()

    def play() -> None:
        pages = world.another_process().pages.turns
        starting.wait()
        # from the other end, so that they meet
        for game in reversed(games):
            try:
                pages.act(links[game], [Move("c3")], f"form of game {game}")
            except Refusal as error:
                refused[game] = error.code

    threads = [Thread(target=play), *(Thread(target=work, args=(number,)) for number in range(WORKERS))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    world.settle()

    causes = Counter[str]()
    for game in games:
        (turn,) = [row for row in history(world, game) if isinstance(row.event, TurnPlayed)]
        causes[turn.cause.partition(":")[0]] += 1
        # whoever came second was told so, and may not have played for the opponent
        assert (game in refused) is turn.cause.startswith("mail:")
        assert act(world, links[game], Move("d3")) != ""
        told = [one for one in world.mails("Bob") if f"[Take {game}]" in one["Subject"] and "Your move" in str(one.get_body(("plain",)))]
        assert len(told) == 1
    return causes
