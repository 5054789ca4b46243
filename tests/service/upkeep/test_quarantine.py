"""A game that the installed program cannot play again is not served, loses nothing and nobody's time, and goes on by itself."""

from datetime import timedelta
from typing import NamedTuple

import pytest

from tests.service.games import two_readings
from tests.service.games.test_revisions import newest, play, upgraded
from tests.service.mailroom.letters import letter, post, reply_address
from tests.service.world import PEOPLE, SITE, World
from tests.terms import PLAIN
from turnserver.audit.game.recheck import recheck
from turnserver.config import Incoming, Jobs, Settings, Site
from turnserver.errors import Unplayable
from turnserver.ids import GameId
from turnserver.mail.outbound.kinds import MailKind
from turnserver.service.games.claims import waiting_claims
from turnserver.store.incidents import outages
from turnserver.store.mail import inbox

ADMIN = "admin@club.example"


def hours(count: float) -> timedelta:
    return timedelta(hours=count)


class Scene(NamedTuple):
    """Two games of Take, each by another reading, in both of which Bob has the move; the second is resting."""

    world: World
    other: GameId
    resting: GameId


@pytest.fixture
def scene(any_world: World) -> Scene:
    """The program is replaced by one that lacks the newer reading, two days before the deadlines."""
    world = any_world
    world._settings = Settings(site=Site(address=SITE, admin=ADMIN), incoming=Incoming(), play=PLAIN, jobs=Jobs(outage_minutes=10_000))
    first = world.open({"size": 3})
    play(world, first, "c3")
    upgraded(world, two_readings.find)
    world.wait(minutes=1)
    second = world.open({"size": 3})
    play(world, second, "c3")
    world.service.upkeep.sweep()
    world.wait(minutes=20)
    upgraded(world, two_readings.without_the_second)
    world.wait(hours=24)
    return Scene(world, first, second)


def waiting(world: World) -> list[GameId]:
    with world._db.read() as conn:
        return [rest.game for rest in outages.quarantined_games(conn)]


def test_whoever_writes_hears_that_it_rests_and_the_other_game_goes_on(scene: Scene) -> None:
    world, other, resting = scene
    world.answer("Bob", "c1", mail=newest(world, "Bob", resting))
    assert world.outcome() == f"resting: game-{resting}"
    told = " ".join(world.text("Bob").split())
    assert "We keep your mail until the game can go on." in told
    assert f"Game {resting} rests for the moment" in told
    assert waiting(world) == [resting]
    play(world, other, "c1")
    assert world.state(other).turn == 3
    with pytest.raises(Unplayable, match=f"Game {resting} rests, because .* Take is not installed in revision 2"):
        world.state(resting)


def test_what_may_be_a_machine_hears_of_no_rest(scene: Scene) -> None:
    """Its mail is kept like any other, and read when the game goes on."""
    world, _, resting = scene
    before = len(world.mails("Bob"))
    address = reply_address(newest(world, "Bob", resting))
    post(world, letter(PEOPLE["Bob"], "c1", {"To": address, "List-Id": "<x.example>"}), address)
    assert (world.outcome(), len(world.mails("Bob"))) == (f"resting: game-{resting}", before)


def test_a_mail_that_only_its_thread_connects_with_a_resting_game_is_left_to_the_admin(scene: Scene) -> None:
    """It came to the plain address, so nobody can say whom to tell. It waits visibly, and does no harm to the mails behind it."""
    world, other, resting = scene
    thread = {"In-Reply-To": newest(world, "Bob", resting)["Message-ID"].strip()}
    post(world, letter(PEOPLE["Bob"], "c1", thread))
    assert world.outcome().startswith(f"failed: Game {resting} rests, because ")
    assert waiting(world) == [resting]
    play(world, other, "c1")
    assert world.state(other).turn == 3


def test_german_players_hear_it_in_german(scene: Scene) -> None:
    world, _, resting = scene
    world.service.people.choose("Bob", [("language", "de")], actor="admin:test", cause="test:de")
    world.answer("Bob", "c1", mail=newest(world, "Bob", resting))
    assert f"Partie {resting} ruht im Moment" in " ".join(world.text("Bob").split())


def test_the_admin_hears_of_it_once(scene: Scene) -> None:
    world, _, resting = scene
    for text_ in ("c1", "history"):
        world.answer("Bob", text_, mail=newest(world, "Bob", resting))
    world.restart()
    world.answer("Ada", "history", mail=newest(world, "Ada", resting))
    assert [row.detail["game"] for row in world.outbox() if row.kind == MailKind.ADMIN_REPORT] == [resting]
    body = " ".join(world.text(ADMIN).split())
    assert f"Game {resting} rests: this program cannot follow its log." in body
    assert "Take is not installed in revision 2 of its rules, only in 1" in body


def test_no_deadline_counts_and_the_sweep_goes_on_with_the_others(scene: Scene) -> None:
    world, other, resting = scene
    world.wait(hours=72)
    # The other game, and the report of the week.
    assert world.service.upkeep.sweep().acted == 2
    assert world.state(other).result is not None
    assert waiting(world) == [resting]
    for _ in range(3):
        assert world.service.upkeep.sweep().acted == 0
    upgraded(world, two_readings.find)
    world.service.upkeep.sweep()
    state = world.state(resting)
    assert (waiting(world), state.result) == ([], None)
    assert state.deadline is not None
    assert state.deadline > world.now


def test_the_time_is_given_back_and_the_mail_is_handled(scene: Scene) -> None:
    """The deadline moves by as long as the program could not serve the game; the mail counts from when it came."""
    world, _, resting = scene
    world.service.upkeep.sweep()
    since = world.now - hours(24)
    world.answer("Bob", "c1", mail=newest(world, "Bob", resting))
    world.wait(hours=10)
    upgraded(world, two_readings.find)
    world.settle()
    assert waiting(world) == []
    state = world.state(resting)
    assert [(freeze.begins, freeze.ends) for freeze in state.freezes] == [(since, world.now)]
    assert state.turn == 3, world.outcome()
    history = world.service.games.history(resting)
    assert list(recheck((row.event for row in history), resting, two_readings.find, recorded=[row.at for row in history])) == []
    with world._db.read() as conn:
        assert inbox.counts(conn).keys() == {"done"}


def test_news_of_a_resting_game_wait_for_it(scene: Scene) -> None:
    """A mail that cannot be written now is tried again, however long that takes."""
    world, _, resting = scene
    upgraded(world, two_readings.find)
    world.answer("Bob", "c1", mail=newest(world, "Bob", resting), settle=False)
    world.service.mail.read_inbox()
    upgraded(world, two_readings.without_the_second)
    before = len(world.mails("Ada"))
    for _ in range(20):
        world.wait(minutes=16)
        world.settle()
    assert len(world.mails("Ada")) == before
    assert not [row for row in world.outbox() if row.status == "dead"]
    upgraded(world, two_readings.find)
    world.wait(minutes=16)
    world.settle()
    assert "Bob (Blue) played c1" in " ".join(world.text("Ada").split()) or len(world.mails("Ada")) > before


def test_a_list_of_games_leaves_a_resting_one_out(scene: Scene) -> None:
    world, other, _ = scene
    world.answer("Bob", "games", to=SITE, mail=newest(world, "Bob", other))
    assert world.outcome() == "done: answered"
    world.answer("Bob", "vacation 3 days", mail=newest(world, "Bob", other))
    assert world.outcome().startswith("done: ")
    assert [freeze.kind.value for freeze in world.state(other).freezes] == ["vacation"]


def test_a_vacation_that_was_declared_meanwhile_holds_when_the_game_goes_on(scene: Scene) -> None:
    world, other, resting = scene
    world.answer("Bob", "vacation 3 days", mail=newest(world, "Bob", other))
    world.wait(hours=1)
    upgraded(world, two_readings.find)
    world.service.upkeep.sweep()
    assert [freeze.kind.value for freeze in world.state(resting).freezes] == ["outage", "vacation"]


def test_a_claim_is_told_only_while_the_game_can_be_followed(scene: Scene) -> None:
    world, _, resting = scene
    for find, told in ((two_readings.find, [resting]), (two_readings.without_the_second, [])):
        upgraded(world, find)
        if told:
            world.answer("Ada", "claim", mail=newest(world, "Ada", resting))
        with world._db.read() as conn:
            assert list(waiting_claims(conn, world.service.ledger.games)) == told


def test_a_digest_leaves_without_it_and_its_news_come_when_it_goes_on(scene: Scene) -> None:
    """Nothing that was held for the player is lost: not what happened, and not what the other player said."""
    world, other, resting = scene
    world.service.people.choose("Ada", [("digest", "18:00")], actor="admin:test", cause="test:digest")
    upgraded(world, two_readings.find)
    for game in (other, resting):
        world.answer("Bob", "c1\nsay: Good luck in this one.", mail=newest(world, "Bob", game))
    upgraded(world, two_readings.without_the_second)
    world.wait(hours=24)
    world.settle()
    first = world.text("Ada")
    upgraded(world, two_readings.find)
    world.settle()
    second = world.text("Ada")
    assert [[game for game in (other, resting) if f"Take {game} " in text] for text in (first, second)] == [[other], [resting]]
    assert all("Good luck in this one." in text for text in (first, second))
