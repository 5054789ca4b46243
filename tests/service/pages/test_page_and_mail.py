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


@pytest.mark.engines
def test_a_move_by_page_and_by_mail_is_played_once(any_world: World) -> None:
    """Ada answers each game by mail, and plays another move on its page at the same time, while four workers read the inbox."""
    world = any_world
    games = [world.open({"size": 3}) for _ in range(GAMES)]
    links = {game: link(world, game, "Ada") for game in games}
    for game in games:
        invited = next(one for one in reversed(world.mails("Ada")) if f"[Take {game}]" in one["Subject"])
        world.answer("Ada", "b2", mail=invited, settle=False)
    refused = dict[GameId, str]()
    starting = Barrier(WORKERS + 1, timeout=20)

    def work() -> None:
        mail = world.another_process().mail
        starting.wait()
        while any(mail.read_inbox()):
            pass

    def play() -> None:
        pages = world.another_process().turn_pages
        starting.wait()
        for game in games:
            try:
                pages.act(links[game], [Move("c3")], f"form of game {game}")
            except Refusal as error:
                refused[game] = error.code

    threads = [Thread(target=play), *(Thread(target=work) for _ in range(WORKERS))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    world.settle()

    for game in games:
        (turn,) = [row for row in history(world, game) if isinstance(row.event, TurnPlayed)]
        by_mail = turn.cause.startswith("mail:")
        # whoever came second was told so, and may not have played for the opponent
        assert (game in refused) is by_mail
        assert act(world, links[game], Move("d3")) != ""
    told = Counter(f"{mail['Subject']}" for mail in world.mails("Bob") if "Your move" in str(mail.get_body(("plain",))))
    assert sorted(told.values()) == [1] * GAMES
    with world.service.db.read() as conn:
        assert list(verify(conn)) == []
