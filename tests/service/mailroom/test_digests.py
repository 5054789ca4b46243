"""One mail a day: what waits for it, what does not, and that nothing is lost or told twice."""

import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.processes import start
from tests.service.mailroom.digesting import DIGEST_AT
from tests.service.world import World
from turnserver.ids import GameId
from turnserver.play.commands import Adjudicate, Cancel, CheckClock, CreditClock, DecideClaim, FreezeClock, Release, Reopen
from turnserver.play.events import FreezeKind
from turnserver.rules import Seat
from turnserver.store.log.database import Database

pytestmark = pytest.mark.thorough

STATEMENTS = 15
"""At least so many are executed for a digest; a test that killed at fewer would have missed something."""


def wanting(world: World, name: str = "Bob", hour: str = "18:00") -> World:
    """The player wants a digest; it is noon."""
    world.service.people.choose(name, [("digest", hour)], actor="admin:test", cause=f"test:{name}:{hour}")
    return world


def statuses(world: World, name: str = "Bob") -> Counter[tuple[str, str]]:
    """Return what became of the player's mails, less the welcome."""
    player = world.service.people.find(name).id
    return Counter((row.kind, row.status) for row in world.outbox() if row.player == player and row.kind != "welcome")


def at(world: World, text: str) -> None:
    """It becomes that time of the day, and everything that is due happens."""
    hour, minute = map(int, text.split(":"))
    then = world.now.replace(hour=hour, minute=minute)
    world.now = then if then > world.now else then + timedelta(days=1)
    world.settle()


def addresses(mail: EmailMessage) -> dict[str, str]:
    """The answer address of each game in a digest, by the game's name."""
    body = mail.get_body(("plain",))
    assert body is not None
    return dict(re.findall(r"^=== (\w+ \d+) against .*?^reply to: (\S+)$", body.get_content(), re.MULTILINE | re.DOTALL))


def two_games(world: World) -> tuple[GameId, GameId]:
    """Ada invites Bob to two games and moves in none: both wait for Bob."""
    games = tuple(world.open_any("take", ["Ada", "Bob"], {"size": size}, accepted=False) for size in (2, 3))
    return games[0], games[1]


def test_several_mails_become_one_at_the_hour(any_world: World) -> None:
    world = wanting(any_world)
    two_games(world)
    assert statuses(world) == {("invitation", "held"): 2}
    at(world, "17:59")
    assert len(world.mails("Bob")) == 1
    at(world, "18:00")
    assert statuses(world) == {("invitation", "merged"): 2, ("digest", "sent"): 1}
    (digest,) = [row for row in world.outbox() if row.kind == "digest"]
    assert {row.merged_into for row in world.outbox() if row.status == "merged"} == {digest.id}
    assert "News of 2 games. All of them wait for you." in world.text("Bob")
    at(world, "17:00")
    at(world, "19:00")
    assert len(world.mails("Bob")) == 2


def test_what_waits_since_an_earlier_digest_is_not_counted(world: World) -> None:
    wanting(world)
    two_games(world)
    at(world, "18:00")
    world.open(accepted=False)
    at(world, "18:00")
    assert "News of 1 game. It waits for you." in world.text("Bob")


def test_each_game_is_answered_at_its_own_address(any_world: World) -> None:
    world = wanting(any_world)
    games = two_games(world)
    at(world, "18:00")
    digest = world.mails("Bob")[-1]
    found = addresses(digest)
    assert list(found) == [f"Take {game}" for game in games]
    for address in found.values():
        world.answer("Bob", "accept", mail=digest, to=address)
        assert world.outcome() == "done: carried out"
    world.answer("Bob", "accept", mail=digest)
    assert world.outcome() == "done: refused: which_game"
    assert [world.service.people.find("Bob").id in world.state(game).accepted for game in games] == [True, True]


def test_a_digest_of_one_game_is_answered_like_any_mail(world: World) -> None:
    game = wanting(world).open(accepted=False)
    at(world, "18:00")
    assert "just reply to this mail" in world.text("Bob")
    world.answer("Bob", "accept")
    assert world.service.people.find("Bob").id in world.state(game).accepted


def playing(world: World, days: int = 3) -> GameId:
    """Ada has moved against Bob, who wants a digest from now on."""
    opened = world.service.games.open("take", {"size": 3}, ["Ada", "Bob"], time=f"{days}d", actor="admin:test", cause="test:open").game
    world.settle()
    for name in ("Ada", "Bob"):
        world.answer(name, "accept")
    wanting(world)
    world.answer("Ada", "a1", mail=next(mail for mail in reversed(world.mails("Ada")) if "YOUR MOVE" in str(mail.get_body(("plain",)))))
    return opened


def test_the_newest_state_of_a_game_is_told_once(world: World) -> None:
    playing(world)
    world.answer("Ada", "say Hello Bob")
    world.answer("Ada", "say And good luck")
    assert statuses(world)["turn", "held"] == 1
    assert statuses(world)["said", "held"] == 2
    at(world, "18:00")
    text = world.text("Bob")
    assert text.count("=== Take 1 against Ada") == 1
    assert text.index("| Hello Bob") < text.index("| And good luck")
    assert ">> Your move, until Wed 4 Mar, 12:00 (UTC), in 2 days 18 hours." in text
    assert "  e.g. " in text


def test_a_turn_that_cannot_wait_comes_at_once(world: World) -> None:
    playing(world, days=1)
    assert statuses(world)["turn", "sent"] == 1
    assert "YOUR MOVE" in world.text("Bob")


def test_a_reminder_comes_at_once(world: World) -> None:
    game = playing(world)
    world.wait(days=2, minutes=1)
    world.service.games.handle(game, CheckClock(), actor="service", cause="test:clock")
    world.service.mail.send_outbox()
    assert statuses(world)["reminder", "sent"] == 1


def test_a_draw_that_was_offered_on_the_turn_of_another_is_told(world: World) -> None:
    """A game waits for its player although the turn does not."""
    world.open_any("tako-judo", ["Ada", "Bob"])
    wanting(world)
    world.answer("Ada", "draw")
    assert statuses(world)["proposed", "held"] == 1
    at(world, "18:00")
    assert statuses(world)["proposed", "merged"] == 1
    assert "Ada (North) offers a draw." in world.text("Bob")


def test_what_has_been_answered_before_the_hour_is_not_told(world: World) -> None:
    """The player has looked into the game unasked, and played."""
    playing(world)
    world.want("html", "Bob")
    world.answer("Bob", "games", mail=world.welcomes["Bob"])
    page = world.mails("Bob")[-1].get_body(("html",))
    assert page is not None
    address = re.search(r'href="mailto:([^?"]+)', page.get_content())
    assert address is not None
    world.answer("Bob", "c3", to=unquote(address[1]))
    assert world.outcome() == "done: carried out"
    before = len(world.mails("Bob"))
    at(world, "18:00")
    assert len(world.mails("Bob")) == before
    assert statuses(world)["turn", "merged"] == 1
    assert [row.merged_into for row in world.outbox() if row.status == "merged"] == [None]


def test_words_are_told_even_so(world: World) -> None:
    playing(world)
    world.answer("Ada", "say Good luck")
    world.service.games.handle(GameId(1), Cancel("the club is closed"), actor="admin:test", cause="test:cancel")
    at(world, "18:00")
    text = " ".join(world.text("Bob").split())
    assert "News of 1 game. It does not wait for you." in text
    assert "| Good luck" in text
    assert "Take 1 is over: no result. The organisers cancelled the game. Reason: the club is closed." in text


def test_without_news_there_is_no_digest(world: World) -> None:
    wanting(world)
    before = len(world.mails("Bob"))
    for _ in range(3):
        at(world, "18:00")
    assert len(world.mails("Bob")) == before


@pytest.mark.parametrize(
    ("setting", "value", "status", "hour"),
    [
        ("digest", "20:00", "held", 20),
        ("digest", "off", "queued", 12),
        ("zone", "Asia/Tokyo", "held", 9),
        ("quiet", "10:00-14:00", "held", 18),
    ],
)
def test_what_is_held_follows_the_player(any_world: World, setting: str, value: str, status: str, hour: int) -> None:
    """To another hour, or out of the digest altogether."""
    world = wanting(any_world)
    world.open(accepted=False)
    world.service.people.choose("Bob", [(setting, value)], actor="admin:test", cause="test:change")
    (row,) = [row for row in world.outbox() if row.kind == "invitation" and row.player == world.service.people.find("Bob").id]
    assert (row.status, row.due_at.hour) == (status, hour)
    at(world, f"{hour}:30")
    assert len(world.mails("Bob")) == 2


def test_a_credit_to_a_turn_waits_like_the_turn(world: World) -> None:
    game = playing(world)
    world.service.games.handle(game, CreditClock(3600, "we were slow"), actor="admin:test", cause="test:credit")
    assert statuses(world)["clock_changed", "held"] == 1
    at(world, "18:00")
    assert "until Wed 4 Mar, 13:00" in world.text("Bob")


def test_two_processes_make_one_digest(postgresql_url: str, tmp_path: Path) -> None:
    world = wanting(World(Database.connect(postgresql_url), tmp_path / "mail"))
    two_games(world)
    world.now = world.now.replace(hour=18)
    services = [world.another_process() for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda service: service.mail.send_outbox(), services))
    world.settle()
    assert statuses(world) == {("invitation", "merged"): 2, ("digest", "sent"): 1}
    world.service.db.close()


@pytest.mark.long
@pytest.mark.engines
def test_killed_at_every_statement_it_is_told_once(database: Database, database_url: str, tmp_path: Path) -> None:
    """Held or merged with its digest, never neither and never both; the mail that may be sent twice has one Message-ID."""
    world = wanting(World(database, tmp_path / "mail"))
    two_games(world)
    assert world.now < DIGEST_AT
    ends: Counter[str] = Counter()
    with start(database_url, str(tmp_path / "mail"), module="tests.service.mailroom.digesting") as process:
        assert process.hear() == "ready"
        while not ends["done"]:
            process.say(str(ends.total() + 1))
            ends[process.hear()] += 1
            seen = Counter("digest" if row.kind == "digest" else row.status for row in world.outbox() if row.kind != "welcome")
            assert (seen["held"], seen["merged"], seen["digest"]) in {(2, 0, 0), (0, 2, 1)}
    assert ends["killed"] > STATEMENTS
    assert set(ends) == {"done", "killed"}
    sent = [mail for mail in world.mails("Bob") if "News of 2 games" in str(mail.get_body(("plain",)))]
    assert len({mail["Message-ID"] for mail in sent}) == 1


def waiting_for_ada(world: World) -> GameId:
    """Ada has the turn, and Bob, who wants a digest, waits for her."""
    game = world.open({"size": 3})
    wanting(world)
    return game


def told(world: World) -> str:
    """Return the text of this day's digest to Bob."""
    before = len(world.mails("Bob"))
    at(world, "18:00")
    assert len(world.mails("Bob")) == before + 1
    assert "Your games today" in world.mails("Bob")[-1]["Subject"]
    return " ".join(world.text("Bob").split())


def test_that_the_clock_of_another_stands_still_is_told(world: World) -> None:
    waiting_for_ada(world)
    world.answer("Ada", "vacation 5 days", mail=world.welcomes["Ada"])
    assert "The others have been told." in " ".join(world.text("Ada").split())
    assert "Vacation of Ada (Red) from" in told(world)


def test_that_the_organisers_stop_the_clocks_and_that_they_run_again_is_told(world: World) -> None:
    game = waiting_for_ada(world)
    world.service.games.handle(
        game, FreezeClock(FreezeKind.HALT, None, world.now, None, "the hall is closed"), actor="admin:test", cause="1"
    )
    assert "the hall is closed" in told(world)
    world.wait(hours=1)
    world.service.games.handle(game, Release("it is open again"), actor="admin:test", cause="2")
    assert "run again" in told(world)


def test_the_decision_about_a_claim_is_told_to_whoever_was_promised_it(world: World) -> None:
    game = waiting_for_ada(world)
    world.wait(hours=25)
    world.answer("Bob", "claim", mail=world.mails("Bob")[-1])
    assert world.outcome() == "done: carried out"
    world.service.games.handle(game, DecideClaim(granted=False, reason="she is ill"), actor="admin:test", cause="test:claim")
    assert "The organisers did not grant the claim of Bob (Blue). Reason: she is ill." in told(world)


def test_that_an_end_is_taken_back_is_told(world: World) -> None:
    game = waiting_for_ada(world)
    world.service.games.handle(game, Adjudicate((Seat(2),), "no show"), actor="admin:test", cause="test:result")
    assert "you win" in told(world)
    world.wait(hours=1)
    world.service.games.handle(game, Reopen("wrong table"), actor="admin:test", cause="test:reopen")
    assert "The organisers took back the end of the game. Reason: wrong table." in told(world)


def test_what_was_told_of_another_is_no_secret_once_the_reader_has_played(world: World) -> None:
    """A player who answers an earlier mail has not read the later one."""
    game = playing(world, days=1)
    turn = world.mails("Bob")[-1]
    world.service.games.handle(
        game, FreezeClock(FreezeKind.HALT, None, world.now, None, "the hall is closed"), actor="admin:test", cause="1"
    )
    world.service.games.handle(game, Release("it is open again"), actor="admin:test", cause="2")
    world.answer("Bob", "c3", mail=turn)
    assert world.outcome() == "done: carried out"
    text = told(world)
    assert text.index("the hall is closed") < text.index("Turn 2: Bob (Blue) played c3.")
    assert "Turn 1" not in text


def test_a_nudge_and_a_claim_are_told_to_whoever_has_the_turn(world: World) -> None:
    playing(world, days=5)
    at(world, "18:00")
    world.wait(hours=20)
    world.answer("Ada", "nudge", mail=world.mails("Ada")[-1])
    assert world.outcome() == "done: carried out"
    assert "Ada (Red) asked Bob (Blue) for the move." in told(world)
    world.answer("Ada", "claim")
    assert world.outcome() == "done: carried out"
    assert "If you play it before the organisers have decided, the claim is settled." in told(world)
