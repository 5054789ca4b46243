"""Vacations: a person's, and in the same moment in all of their games."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from threading import Barrier

import pytest
from msgspec.structs import replace

from tests.cases import for_each
from tests.play import small_games
from tests.service.world import BEGIN, SITE, World
from tests.terms import PLAIN
from turnserver.config import Settings, Site
from turnserver.errors import AlreadyDone, NotAllowed
from turnserver.ids import GameId, PlayerId, player_stream
from turnserver.mail.inbound.time_phrases import Vacation
from turnserver.mail.inbound.understanding import understand
from turnserver.play import events as e
from turnserver.play.commands import PlayTurn, Retract, ThawClock
from turnserver.rules import Seat
from turnserver.service.service import Service
from turnserver.store.log import log
from turnserver.store.log import verify as audit
from turnserver.store.log.database import Database

ROUNDS = 5


def kinds(world: World, name: str) -> list[str]:
    """The kinds of all mails that somebody got."""
    return [str(mail["Message-ID"]).partition(".")[0].strip("<") for mail in world.mails(name)]


def freezes(world: World, game: GameId) -> list[tuple[e.FreezeKind, int | None, datetime, datetime | None]]:
    return [(freeze.kind, freeze.seat, freeze.begins, freeze.ends) for freeze in world.state(game).freezes]


@pytest.fixture
def nim(database_url: str, tmp_path: Path) -> Iterator[World]:
    """A world of small games, over each engine in turn."""
    db = Database.connect(database_url)
    yield World(db, tmp_path / "mail", find=small_games.find)
    db.close()


def open_take(world: World, *players: str) -> GameId:
    return world.open_any("take", players, {"size": 2})


def sound(world: World) -> None:
    with world.service.db.read() as conn:
        assert list(audit.verify(conn)) == []


def test_a_vacation_stops_the_clock_in_every_game_and_each_person_hears_of_it_once(world: World) -> None:
    games = open_take(world, "Ada", "Bob"), open_take(world, "Bob", "Ada"), open_take(world, "Ada", "Cleo")
    other = open_take(world, "Bob", "Cleo")
    before = {name: len(kinds(world, name)) for name in ("Ada", "Bob", "Cleo")}
    world.wait(hours=5)
    begins = world.now
    world.answer("Ada", "vacation 10 days")
    away = (e.FreezeKind.VACATION, begins, begins + timedelta(days=10))
    assert [[(kind, begin, end) for kind, _, begin, end in freezes(world, game)] for game in games] == [[away]] * 3
    assert freezes(world, other) == []
    assert world.state(games[0]).deadline == datetime(2026, 3, 14, 12, tzinfo=UTC)
    assert {name: kinds(world, name)[count:] for name, count in before.items()} == {
        "Ada": ["vacation"],
        "Bob": ["away"],
        "Cleo": ["clock_changed"],
    }
    assert "Take 1: your clock stands still. The deadline was Wed 4 Mar, 12:00; it\n  is Sat 14 Mar, 12:00 (UTC) now." in world.text("Ada")
    assert "In 2026, you have 20 days of 30 left." in world.text("Ada")
    assert "Take 1: the clock of Ada stands still." in world.text("Bob")
    assert "The deadline was Wed 4 Mar, 12:00; it is" in " ".join(world.text("Cleo").split())
    assert "on vacation until Wed 11 Mar 2026, 17:00" in world.text("Cleo")
    sound(world)


def test_it_ends_early_and_the_days_that_have_not_begun_come_back(world: World) -> None:
    game = open_take(world, "Ada", "Bob")
    world.answer("Ada", "vacation 10 days")
    world.wait(days=2, hours=1)
    world.answer("Ada", "end vacation")
    assert freezes(world, game)[0][3] == world.now
    assert world.state(game).deadline == datetime(2026, 3, 6, 13, tzinfo=UTC)
    assert "In 2026, you have 27 days of 30 left." in world.text("Ada")
    assert kinds(world, "Bob")[-1] == "clock_changed"
    with world.service.db.read() as conn:
        told = [type(row.event) for row in log.load(conn, player_stream(world.service.people.find("Ada").id))]
    assert told[-2:] == [e.VacationDeclared, e.VacationEnded]
    sound(world)


def test_one_that_lies_ahead_is_called_off(world: World) -> None:
    game = open_take(world, "Ada", "Bob")
    world.answer("Ada", "vacation 2026-05-01 to 2026-05-14")
    assert "You will be on vacation from Fri 1 May 2026 to the end of Thu 14 May 2026." in " ".join(world.text("Ada").split())
    assert f"Take {game}: your clock will stand still." in world.text("Ada")
    world.answer("Ada", "vacation off 1")
    assert f"Take {game}: your clock runs." in world.text("Ada")
    assert freezes(world, game)[0][2] == freezes(world, game)[0][3]
    assert "Ada (Red) called off" in world.text("Bob")
    assert "In 2026, you have 30 days of 30 left." in world.text("Ada")


AWAY_TWICE = "vacation 2026-12-02 to 2026-12-31", "vacation 2027-01-10 to 2027-01-19"
"""The first takes 30 days, which is all that a game allows under `ONLY_THIRTY`, so that none are left for the second."""

ONLY_THIRTY = Settings(site=Site(address=SITE), play=replace(PLAIN, vacation_days_a_game=30))


@pytest.mark.parametrize(
    ("first", "stopped", "more"),
    [
        (AWAY_TWICE[0], [], (datetime(2027, 1, 10, tzinfo=UTC), datetime(2027, 1, 20, tzinfo=UTC))),
        (
            "vacation 2026-12-05 to 2026-12-31",
            [(datetime(2027, 1, 10, tzinfo=UTC), datetime(2027, 1, 13, tzinfo=UTC))],
            (datetime(2027, 1, 13, tzinfo=UTC), datetime(2027, 1, 20, tzinfo=UTC)),
        ),
    ],
)
def test_days_that_come_back_in_a_game_go_to_another_vacation(
    world: World, first: str, stopped: list[tuple[datetime, datetime]], more: tuple[datetime, datetime]
) -> None:
    world.restart(ONLY_THIRTY)
    game, other = open_take(world, "Ada", "Bob"), open_take(world, "Ada", "Cleo")
    assert open_take(world, "Ada", "Cleo") > other
    world.answer("Ada", first)
    world.answer("Ada", AWAY_TWICE[1])
    assert [(begins, ends) for _, _, begins, ends in freezes(world, game)[1:]] == stopped
    world.answer("Ada", "vacation off 1")
    assert [(begins, ends) for _, _, begins, ends in freezes(world, game)[1:]] == [*stopped, more]
    said = "stands still from Sun 10 Jan 2027 to the end of Tue 19 Jan 2027, for another vacation."
    for name, clock in (("Ada", "your clock"), ("Cleo", "the clock of Ada")):
        assert f"Take {other}: {clock} {said}" in " ".join(world.text(name).split())
    told = " ".join(world.text("Bob").split())
    assert "Ada (Red) called off a vacation. The clock runs. Vacation of Ada (Red) from" in told
    sound(world)


def test_one_that_follows_on_another_is_told_by_itself(world: World) -> None:
    game = open_take(world, "Ada", "Bob")
    world.answer("Ada", "vacation 2026-05-01 to 2026-05-05")
    world.answer("Ada", "vacation 2026-05-06 to 2026-05-10")
    (_, _, _, first), (_, _, second, _) = freezes(world, game)
    assert first == second
    assert "* Take 1: your clock will stand still.\n\n" in world.text("Ada")


def test_whoever_calls_one_off_during_another_is_not_told_that_their_clock_runs(world: World) -> None:
    game = open_take(world, "Ada", "Bob")
    world.answer("Ada", "vacation 10 days")
    world.answer("Ada", "vacation 2026-05-01 to 2026-05-05")
    world.answer("Ada", "vacation off 2")
    assert f"Take {game}: your clock stands still from Sun 1 Mar 2026, 12:00 to" in " ".join(world.text("Ada").split())
    assert "your clock runs" not in world.text("Ada")


def test_whoever_is_not_away_yet_is_told_that_their_clock_runs(world: World) -> None:
    world.restart(ONLY_THIRTY)
    games = open_take(world, "Ada", "Bob"), open_take(world, "Bob", "Ada")
    world.answer("Ada", "vacation 2026-12-05 to 2026-12-31")
    assert "Ada will be on vacation from Sat 5 Dec 2026 to the end of" in " ".join(world.text("Bob").split())
    assert f"Take {games[0]}: the clock of Ada will stand still." in world.text("Bob")
    world.answer("Ada", AWAY_TWICE[1])
    partly = f"Take {games[0]}: your clock will stand still until the end of Tue 12 Jan 2027 only;"
    assert partly in " ".join(world.text("Ada").split())
    world.answer("Ada", "vacation off 1")
    assert f"Take {games[0]}: your clock runs. Take {games[0]}: your clock stands still from Sun" in " ".join(world.text("Ada").split())


def test_days_that_an_earlier_program_gave_to_nobody_come_with_the_next_vacation(world: World) -> None:
    """The next one may have none left itself, and whoever shares several games hears of the other one all the same."""
    world.restart(ONLY_THIRTY)
    games = open_take(world, "Ada", "Cleo"), open_take(world, "Ada", "Cleo")
    world.answer("Ada", AWAY_TWICE[0])
    for game in games:
        world.service.games.handle(game, ThawClock(1, datetime(2026, 12, 2, tzinfo=UTC)), actor="admin:test", cause=f"test:thaw:{game}")
    world.answer("Ada", AWAY_TWICE[1])
    away = datetime(2026, 12, 2, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC)
    assert [freezes(world, game)[1][2:] for game in games] == [away, away]
    said = "stands still from Wed 2 Dec 2026 to the end of Thu 31 Dec 2026, for another vacation."
    for name, clock in (("Ada", "your clock"), ("Cleo", "the clock of Ada")):
        assert f"Take {games[0]}: {clock} {said}" in " ".join(world.text(name).split())
    sound(world)


def test_the_end_of_the_other_vacation_ends_all_its_stops(world: World) -> None:
    world.restart(ONLY_THIRTY)
    game = open_take(world, "Ada", "Bob")
    for text in ("vacation 2026-12-05 to 2026-12-31", AWAY_TWICE[1], "vacation off 1"):
        world.answer("Ada", text)
    world.wait(days=316)
    ((*_, begins, _), (_, _, again, _)) = freezes(world, game)[1:]
    assert begins < world.now < again
    world.answer("Ada", "vacation off 2")
    assert [(begins, ends) for _, _, begins, ends in freezes(world, game)[1:]] == [(begins, world.now), (again, again)]
    sound(world)


def test_a_game_that_starts_later_takes_the_vacation_over(world: World) -> None:
    game = world.open({"size": 2}, accepted=False)
    world.answer("Bob", "vacation 10 days", mail=world.welcomes["Bob"])
    begins = world.now
    world.answer("Ada", "accept")
    world.wait(days=3)
    world.answer("Bob", "accept", mail=next(mail for mail in world.mails("Bob") if str(mail["Message-ID"]).startswith("<invitation")))
    assert freezes(world, game) == [(e.FreezeKind.VACATION, 2, begins + timedelta(days=3), begins + timedelta(days=10))]
    assert [row.event for row in world.service.games.history(game)][-1] == e.ClockFrozen(
        number=1,
        kind=e.FreezeKind.VACATION,
        seat=Seat(2),
        begins=world.now,
        ends=begins + timedelta(days=10),
        clock=world.state(game).clock,
    )
    sound(world)


def test_a_vacation_off_before_a_game_starts_is_nothing_to_it(world: World) -> None:
    game = world.open({"size": 2}, accepted=False)
    world.answer("Ada", "accept")
    invitation = next(mail for mail in world.mails("Bob") if str(mail["Message-ID"]).startswith("<invitation"))
    world.answer("Bob", "vacation 10 days", mail=world.welcomes["Bob"])
    world.answer("Bob", "vacation off", mail=world.welcomes["Bob"])
    world.answer("Bob", "accept", mail=invitation)
    assert freezes(world, game) == []


def test_whoever_is_back_at_a_table_that_they_had_left_has_their_vacation_there(nim: World) -> None:
    game = nim.open_any("trio", ["Ada", "Bob", "Cleo"], {"heap": 20})
    nim.answer("Ada", "1")
    nim.answer("Ada", "resign")
    nim.answer("Ada", "confirm resign")
    nim.answer("Ada", "vacation 10 days", mail=nim.welcomes["Ada"])
    assert freezes(nim, game) == []
    begins = nim.now
    nim.wait(hours=5)
    nim.service.games.handle(game, Retract(1, "asked for it"), actor="admin:test", cause="test:retract")
    assert nim.state(game).left == frozenset()
    assert freezes(nim, game) == [(e.FreezeKind.VACATION, 1, nim.now, begins + timedelta(days=10))]
    sound(nim)


@pytest.mark.parametrize(("text", "days"), [("vacation 10 days", 2), ("vacation 2026-03-20 to 2026-03-29", 0)])
def test_one_that_ended_while_a_game_was_over_stops_no_clock_when_it_goes_on(nim: World, text: str, days: int) -> None:
    game = nim.open_any("nim", ["Ada", "Bob"])
    nim.answer("Ada", "1")
    nim.answer("Ada", text, mail=nim.welcomes["Ada"])
    ((_, _, begins, _),) = freezes(nim, game)
    nim.answer("Bob", "confirm resign", mail=nim.mails("Bob")[-2])
    nim.wait(days=2)
    nim.answer("Ada", "vacation off", mail=nim.welcomes["Ada"])
    nim.wait(days=1)
    nim.service.games.handle(game, Retract(1, "asked for it"), actor="admin:test", cause="test:retract")
    assert freezes(nim, game) == [(e.FreezeKind.VACATION, 1, begins, begins + timedelta(days=days))]
    assert nim.state(game).deadline == nim.now + timedelta(days=3)
    sound(nim)


def test_an_event_that_bars_it_is_named_in_the_answer(world: World) -> None:
    game = world.service.games.open(
        "take", {"size": 2}, ["Ada", "Bob"], time="3d, no vacation", actor="admin:test", cause="test:barred"
    ).game
    world.settle()
    for name in ("Ada", "Bob"):
        world.answer(name, "accept")
    count = len(kinds(world, "Bob"))
    world.answer("Ada", "vacation 10 days")
    assert freezes(world, game) == []
    assert "no more vacation is allowed in this game" in " ".join(world.text("Ada").split())
    assert len(kinds(world, "Bob")) == count


@pytest.mark.parametrize(("most", "stops"), [(45, "from then on"), (9, "from then until Sat 14 Mar 2026, 12:00 only")])
def test_a_turn_whose_time_was_up_is_due_all_the_same(world: World, most: int, stops: str) -> None:
    """The grace of the turn runs on, and everybody reads until when."""
    world.restart(Settings(site=Site(address=SITE), play=replace(PLAIN, grace_hours=24, vacation_days_a_game=most)))
    game, _ = open_take(world, "Ada", "Bob"), open_take(world, "Bob", "Ada")
    world.sweep_until(world.now + timedelta(days=3, hours=4))
    world.answer("Ada", "vacation 10 days")
    due = datetime(2026, 3, 5, 12, tzinfo=UTC)
    assert (world.state(game).deadline, freezes(world, game)[0][2]) == (due, due)
    own, others = (" ".join(world.text(name).split()) for name in ("Ada", "Bob"))
    up = f"Take {game}: your time for this move was up before, so play by Thu 5 Mar, 12:00 (UTC). The clock stands still {stops}."
    assert up in own
    assert f"Take {game}: the time of Ada was up before, so their clock runs until Thu 5 Mar, 12:00 (UTC). The clock stands still" in others
    sound(world)


def test_moves_are_played_in_a_vacation(world: World) -> None:
    game = open_take(world, "Ada", "Bob")
    turn = world.mails("Ada")[-1]
    world.answer("Ada", "vacation 10 days")
    world.wait(days=4)
    world.answer("Ada", "a1", mail=turn)
    assert world.outcome() == "done: carried out"
    assert world.state(game).turn == 2


@pytest.mark.parametrize("text", ["vacation 10 days\na1", "vacation 10 days\nset digest off", "say Bye!\nvacation 10 days"])
def test_it_stands_alone_in_its_mail(world: World, text: str) -> None:
    game = open_take(world, "Ada", "Bob")
    world.answer("Ada", text)
    assert world.outcome() == "done: refused: vacation_alone"
    assert freezes(world, game) == []


@for_each(
    ("text", "refused"),
    [
        ("9999-12-30 to 9999-12-31", "vacation_far"),
        ("9999-12-30 to 1.1.", "vacation_far"),
        ("2026-12-10 to 9999-12-31", "vacation_spent"),
        ("5.3. to 0001-01-01", "vacation_past"),
    ],
)
def test_days_at_the_ends_of_the_calendar_are_refused(world: World, text: str, refused: str) -> None:
    open_take(world, "Ada", "Bob")
    world.answer("Ada", f"vacation {text}")
    assert world.outcome() == f"done: refused: {refused}"


def test_the_list_is_for_anybody_who_asks_and_changes_are_not(world: World) -> None:
    world.answer("Ada", "vacation", to="turns@club.example")
    assert kinds(world, "Ada")[-1] == "vacation"
    world.answer("Ada", "vacation 10 days", to="turns@club.example")
    assert world.outcome() == "done: refused: no_token"


def test_a_mail_that_arrived_before_the_deadline_counts_although_it_is_read_later(world: World) -> None:
    game = open_take(world, "Ada", "Bob")
    world.wait(days=2, hours=23)
    world.answer("Ada", "vacation 10 days", settle=False)
    world.wait(hours=2)
    world.service.upkeep.sweep()
    world.settle()
    world.service.upkeep.sweep()
    assert world.state(game).result is None
    assert world.state(game).deadline == datetime(2026, 3, 14, 12, tzinfo=UTC)


def test_one_that_comes_from_another_address_is_told_of(world: World) -> None:
    game = open_take(world, "Ada", "Bob")
    before = len(world.mails("Ada"))
    world.answer("Ada", "vacation 10 days", sender="eve@example.net")
    assert len(freezes(world, game)) == 1
    told = [" ".join(mail.get_body(("plain",)).get_content().split()) for mail in world.mails("Ada")[before:]]  # type: ignore[union-attr]
    assert any("We carried out a mail from eve@example.net in your name." in text for text in told)


def test_a_repeated_request_changes_nothing(world: World) -> None:
    game = open_take(world, "Ada", "Bob")
    ask = Vacation(days=5)

    def once(service: Service) -> None:
        service.people.take_vacation("Ada", ask, actor="admin:test", cause="cli:once")

    once(world.service)
    with pytest.raises((AlreadyDone, NotAllowed)):
        once(world.service)
    assert len(freezes(world, game)) == 1
    sound(world)


@pytest.mark.engines
def test_a_vacation_is_in_every_game_while_others_play_in_them(database_url: str, tmp_path: Path) -> None:
    """One process has Ada go away and come back; another one plays a turn in each of her games meanwhile, in the other order."""
    world = World(Database.connect(database_url), tmp_path / "mail", find=small_games.find)
    tables = [world.open_any("nim", ["Ada", "Bob"], {"heap": 1_000_000}) for _ in range(4)]
    together = Barrier(2)

    def rest(service: Service) -> None:
        for number in range(ROUNDS):
            together.wait(30)
            for wanted in (Vacation(days=2), Vacation(off=True)):
                service.people.take_vacation("Ada", wanted, actor="player-1", cause=f"test:{number}:{wanted.off}")

    def play(service: Service) -> None:
        for number in range(ROUNDS):
            together.wait(30)
            for game in reversed(tables):
                turn = PlayTurn(PlayerId(1 + number % 2), world.now, "1", number + 1)
                service.games.handle(game, turn, actor="player", cause=f"test:{number}")

    with ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(rest, world.another_process()), pool.submit(play, world.another_process())]:
            done.result()
    happened = [Counter(type(row.event) for row in world.service.games.history(game)) for game in tables]
    assert [(each[e.ClockFrozen], each[e.ClockThawed], each[e.TurnPlayed]) for each in happened] == [(ROUNDS,) * 3] * len(tables)
    sound(world)
    world.service.db.close()


def test_whoever_is_left_of_it_is_told_by_an_admin_too(world: World) -> None:
    open_take(world, "Ada", "Bob")
    world.service.people.take_vacation("Ada", Vacation(days=5), actor="admin:test", cause="cli:away")
    world.settle()
    assert kinds(world, "Ada")[-1] == "vacation"
    assert kinds(world, "Bob")[-1] == "clock_changed"


def test_a_pause_is_proposed_agreed_on_and_ended(world: World) -> None:
    game = open_take(world, "Ada", "Bob")
    world.answer("Ada", "pause 10 days")
    assert "Ada (Red) proposes a pause of 10 days." in world.text("Bob")
    world.answer("Bob", "accept")
    assert freezes(world, game) == [(e.FreezeKind.PAUSE, None, world.now, world.now + timedelta(days=10))]
    assert kinds(world, "Ada")[-1] == kinds(world, "Bob")[-1] == "clock_changed"
    world.wait(days=1)
    world.answer("Bob", "resume")
    assert world.state(game).deadline == datetime(2026, 3, 6, 12, tzinfo=UTC)
    told = " ".join(world.text("Ada").split())
    assert "Bob (Blue) wants to end the pause. The clocks of the game run again from" in told
    assert 'To go on at once, write "resume" as well.' in told
    own = " ".join(world.text("Bob").split())
    assert ("wants to end the pause" in own, "as well" in own) == (True, False)
    world.answer("Ada", "resume")
    assert world.state(game).deadline == datetime(2026, 3, 5, 12, tzinfo=UTC)
    assert 'write "resume"' not in world.text("Bob")
    sound(world)


@for_each(
    ("text", "first", "last"),
    [
        ("10.3. - 14.3.", date(2026, 3, 10), date(2026, 3, 14)),
        ("10.2. - 14.2.", date(2027, 2, 10), date(2027, 2, 14)),
        ("27.2. - 3.3.", date(2026, 2, 27), date(2026, 3, 3)),
        ("20.12. - 5.1.", date(2026, 12, 20), date(2027, 1, 5)),
        ("20.12. - 2027-01-05", date(2026, 12, 20), date(2027, 1, 5)),
        ("20.12.2026 - 5.1.", date(2026, 12, 20), date(2027, 1, 5)),
        ("29.2. - 29.2.", date(2028, 2, 29), date(2028, 2, 29)),
    ],
)
def test_days_without_a_year_are_the_next_ones(text: str, first: date, last: date) -> None:
    phrase = understand([f"vacation {text}"], lambda _: False).phrases[0]
    assert isinstance(phrase, Vacation)
    assert phrase.whole_days(BEGIN.date()) == (first, last)


@for_each(
    ("days", "told"),
    [
        ("28.12.26 to 3.1.26", "2026-01-03 is before 2026-12-28."),
        ("14 July to 1 July", "1.7. is before 14.7."),
        ("5.3. to 4.3.", "4.3. is before 5.3."),
    ],
)
def test_a_vacation_does_not_end_before_it_begins(world: World, days: str, told: str) -> None:
    world.answer("Ada", f"vacation {days}")
    assert world.outcome() == "done: refused: last_day_first"
    assert f"{told} Write the first day first, then the last." in " ".join(world.text("Ada").split())


@for_each(
    ("text", "missing"),
    [
        ("2027-02-29 to 2027-03-05", "2027-02-29"),
        ("2027-02-27 to 2027-02-30", "2027-02-30"),
        ("from 29.2.2027 to 5.3.2027", "29.2.2027"),
        ("31.4. - 3.5.", "31.4."),
        ("29.2. - 3.3.", "2026-02-29"),
        ("29.2. - 2027-01-05", "2026-02-29"),
        ("2026-12-30 - 29.2.", "2027-02-29"),
        ("2026-02-10 - 29.2.", "2026-02-29"),
    ],
)
def test_a_day_that_does_not_exist_is_named(text: str, missing: str) -> None:
    phrase = understand([f"vacation {text}"], lambda _: False).phrases[0]
    assert isinstance(phrase, Vacation)
    with pytest.raises(NotAllowed, match=f"^{missing} does not exist. Choose another day.$"):
        phrase.whole_days(BEGIN.date())


def test_a_day_that_does_not_exist_is_refused_by_mail(nim: World) -> None:
    nim.open_any("nim", ["Ada", "Bob"])
    nim.answer("Ada", "set language German", mail=nim.welcomes["Ada"])
    nim.answer("Ada", "urlaub 29.2.2027 bis 5.3.2027", mail=nim.welcomes["Ada"])
    assert nim.outcome() == "done: refused: no_such_day"
    assert "29.2.2027 gibt es nicht. Wähle einen anderen Tag." in nim.text("Ada")


def test_a_vacation_may_be_declared_without_a_year(nim: World) -> None:
    game = nim.open_any("nim", ["Ada", "Bob"])
    nim.answer("Ada", "vacation 10.3. - 14.3.", mail=nim.welcomes["Ada"])
    assert nim.outcome() == "done: vacation"
    assert [(begins, ends) for _, _, begins, ends in freezes(nim, game)] == [
        (datetime(2026, 3, 10, tzinfo=UTC), datetime(2026, 3, 15, tzinfo=UTC))
    ]
