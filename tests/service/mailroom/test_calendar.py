"""Deadlines in the player's calendar: one entry a game, which follows the turn and is cancelled when it is no longer theirs."""

from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from icalendar import Calendar

from tests.play import small_games
from tests.service.world import SITE, World
from turnserver.config import Play, Settings, Site
from turnserver.play.commands import CheckClock, CreditClock, Retract
from turnserver.store.log.database import Database

METHODS = {("PUBLISH", "CONFIRMED"), ("CANCEL", "CANCELLED")}
"""The methods by which an entry comes and goes (RFC 5546, 3.2.1 and 3.2.5)."""


def wanting(world: World, name: str = "Ada") -> World:
    world.service.people.choose(name, [("calendar", "on")], actor="admin:test", cause=f"test:calendar:{name}")
    return world


def calendars(mail: EmailMessage) -> list[EmailMessage]:
    return [part for part in mail.walk() if part.get_content_type() == "text/calendar"]


def attached(mail: EmailMessage) -> EmailMessage | None:
    return next(iter(calendars(mail)), None)


def entries(mail: EmailMessage) -> list[Any]:
    """The entries that are attached to a mail, as another program reads them; their method is that of their part (RFC 6047, 2.4)."""
    found = []
    for part in calendars(mail):
        calendar = Calendar.from_ical(part.get_content())
        assert calendar["method"] == part.get_param("method")
        found += [(str(calendar["method"]), event) for event in calendar.walk("VEVENT")]
    assert all((method, event["status"]) in METHODS for method, event in found)
    return [event for _, event in found]


def newest(world: World, name: str = "Ada") -> Any:
    """The one entry of the player's newest mail, or None."""
    found = entries(world.mails(name)[-1])
    assert len(found) <= 1
    return found[0] if found else None


def test_a_turn_carries_its_deadline(world: World) -> None:
    game = wanting(world).open()
    part = attached(world.mails("Ada")[-1])
    assert part is not None
    assert (part.get_content_disposition(), part.get_filename(), part.get_param("method")) == ("attachment", "deadline.ics", "PUBLISH")
    event = newest(world)
    assert event["uid"] == f"game-{game}-player-1@club.example"
    assert event["summary"] == "Take 1: your move against Bob"
    assert event["status"] == "CONFIRMED"
    assert event.decoded("dtstart") == world.state(game).deadline == datetime(2026, 3, 4, 12, tzinfo=UTC)
    assert event.decoded("dtstamp") == world.now
    assert [alarm.decoded("trigger") for alarm in event.walk("VALARM")] == [-timedelta(hours=6)]
    assert event["organizer"] == "mailto:turns@club.example"


def test_the_calendar_is_well_formed(world: World) -> None:
    """RFC 5545, 3.1: lines of at most 75 octets that end in CRLF; RFC 5546, 3.2.1: what a published entry must have."""
    wanting(world).open()
    part = attached(world.mails("Ada")[-1])
    assert part is not None
    raw = part.get_payload(decode=True)
    assert isinstance(raw, bytes)
    lines = raw.split(b"\r\n")
    assert lines[0] == b"BEGIN:VCALENDAR"
    assert lines[-2:] == [b"END:VCALENDAR", b""]
    assert b"\n" not in raw.replace(b"\r\n", b"")
    assert max(map(len, lines)) <= 75
    assert {b"METHOD:PUBLISH", b"VERSION:2.0"} <= set(lines)


def test_nobody_gets_one_who_did_not_ask(world: World) -> None:
    wanting(world).open()
    assert [attached(mail) for name in ("Bob", "Cleo") for mail in world.mails(name) if attached(mail)] == []
    assert [attached(mail) for mail in world.mails("Ada")[:-1] if attached(mail)] == []


def test_the_entry_moves_and_its_sequence_only_rises(world: World) -> None:
    """Two turns of the same game, more time, a reminder, and a turn taken back."""
    game = wanting(world).open({"size": 3})
    seen = [newest(world)]
    turn = {name: world.mails(name)[-1] for name in ("Ada", "Bob")}
    world.answer("Ada", "a1", mail=turn["Ada"])
    world.answer("Bob", "c3")
    seen.append(newest(world))
    world.service.games.handle(game, CreditClock(3600, "we were slow"), actor="admin:test", cause="test:credit")
    world.settle()
    seen.append(newest(world))
    world.wait(days=2, hours=2)
    world.service.games.handle(game, CheckClock(), actor="service", cause="test:clock")
    world.settle()
    seen.append(newest(world))
    world.service.games.handle(game, Retract(1, "a mistake"), actor="admin:test", cause="test:retract")
    world.settle()
    seen.append(newest(world))
    assert len({str(event["uid"]) for event in seen}) == 1
    sequence = [int(event["sequence"]) for event in seen]
    assert sequence == sorted(set(sequence))
    assert {str(event["status"]) for event in seen} == {"CONFIRMED"}
    assert seen[-1].decoded("dtstart") == world.state(game).deadline


def test_its_sequence_is_above_the_version_that_earlier_programs_gave(world: World) -> None:
    """Entries of games that go on stand in calendars already, and a program takes none with a lower number."""
    game = wanting(world).open({"size": 3})
    assert int(newest(world)["sequence"]) > world.state(game).version


def test_the_next_mail_after_the_turn_cancels_it_once(world: World) -> None:
    game = wanting(world).open({"size": 3})
    entry = newest(world)
    world.answer("Ada", "a1\nshow")
    cancelled = newest(world)
    assert cancelled["uid"] == entry["uid"]
    assert cancelled["status"] == "CANCELLED"
    assert cancelled.decoded("dtstart") == entry.decoded("dtstart")
    assert int(cancelled["sequence"]) > int(entry["sequence"])
    assert cancelled.walk("VALARM") == []
    world.answer("Bob", "say Hello", mail=next(mail for mail in reversed(world.mails("Bob")) if "Take" in mail["Subject"]))
    assert "Hello" in world.text("Ada")
    assert newest(world) is None
    world.answer("Bob", "c3", mail=next(mail for mail in reversed(world.mails("Bob")) if "YOUR MOVE" in str(mail.get_body(("plain",)))))
    assert newest(world)["status"] == "CONFIRMED"
    assert world.state(game).line.length == 2


def test_a_move_is_answered_and_takes_its_entry_off_the_calendar(world: World) -> None:
    """Without a calendar, a player's own move is answered by silence on a site without receipts."""
    game = wanting(world).open({"size": 3})
    entry, before = newest(world), {name: len(world.mails(name)) for name in ("Ada", "Bob")}
    world.answer("Ada", "a1")
    world.answer("Bob", "c3")
    world.answer("Ada", "b1")
    own = world.mails("Ada")[before["Ada"] :]
    assert [str(mail["Message-ID"]).partition(".")[0] for mail in own] == ["<receipt", "<turn", "<receipt"]
    assert [str(event["status"]) for mail in own for event in entries(mail)] == ["CANCELLED", "CONFIRMED", "CANCELLED"]
    sequence = [int(event["sequence"]) for event in (entry, *(event for mail in own for event in entries(mail)))]
    assert sequence == sorted(set(sequence))
    assert own[0]["In-Reply-To"] is not None
    assert own[0]["Auto-Submitted"] == "auto-replied"
    assert [str(mail["Message-ID"]).partition(".")[0] for mail in world.mails("Bob")[before["Bob"] :]] == ["<turn", "<turn"]
    assert world.state(game).line.length == 3


def test_a_move_that_is_corrected_puts_the_entry_back(database_url: str, tmp_path: Path) -> None:
    db = Database.connect(database_url)
    world = World(db, tmp_path / "mail", settings=Settings(site=Site(address=SITE), play=Play(correction_minutes=5)))
    game = wanting(world).open({"size": 3})
    turn = world.mails("Ada")[-1]
    world.answer("Ada", "a1", mail=turn)
    gone = newest(world)
    world.answer("Ada", "undo", mail=turn)
    back = newest(world)
    assert [str(gone["status"]), str(back["status"])] == ["CANCELLED", "CONFIRMED"]
    assert int(gone["sequence"]) < int(back["sequence"])
    assert back.decoded("dtstart") == world.state(game).deadline
    db.close()


def test_a_move_that_ends_the_game_is_answered_by_that_alone(database_url: str, tmp_path: Path) -> None:
    db = Database.connect(database_url)
    world = World(db, tmp_path / "mail", find=small_games.find)
    wanting(world).open_any("nim", ["Ada", "Bob"], {"heap": 1})
    before = len(world.mails("Ada"))
    world.answer("Ada", "1")
    assert [str(mail["Message-ID"]).partition(".")[0] for mail in world.mails("Ada")[before:]] == ["<game_over"]
    assert str(newest(world)["status"]) == "CANCELLED"
    db.close()


def test_the_end_of_the_game_cancels_it(world: World) -> None:
    wanting(world).open()
    sequence = int(newest(world)["sequence"])
    world.answer("Bob", "confirm resign")
    event = newest(world)
    assert (event["status"], int(event["sequence"]) > sequence) == ("CANCELLED", True)


def test_a_question_about_a_pending_turn_is_answered_without_one(world: World) -> None:
    wanting(world).open()
    world.answer("Ada", "show")
    assert newest(world) is None


def test_the_digest_has_an_entry_for_each_game(world: World) -> None:
    world.service.people.choose("Bob", [("calendar", "on"), ("digest", "18:00")], actor="admin:test", cause="test:set")
    for size in (2, 3):
        world.open_any("take", ["Bob", "Ada"], {"size": size}, accepted=False)
    invited = {mail["Subject"]: mail for mail in world.mails("Ada")}
    world.now = world.now.replace(hour=18)
    world.settle()
    digest = world.mails("Bob")[-1]
    assert entries(digest) == []
    text = digest.get_body(("plain",))
    assert text is not None
    for address in [line.removeprefix("reply to: ") for line in text.get_content().splitlines() if line.startswith("reply to: ")]:
        world.answer("Bob", "accept", mail=digest, to=address)
    world.now = world.now.replace(hour=19)
    for subject, mail in invited.items():
        if "Take" in subject:
            world.answer("Ada", "accept", mail=mail)
    world.now = world.now.replace(day=2, hour=18)
    world.settle()
    found = entries(world.mails("Bob")[-1])
    assert sorted(str(event["uid"]) for event in found) == ["game-1-player-2@club.example", "game-2-player-2@club.example"]
    assert {str(event["status"]) for event in found} == {"CONFIRMED"}


def test_a_digest_that_announces_and_cancels_has_a_calendar_for_each(world: World) -> None:
    """Ada gives one game up in which Bob was to move, and moves in another."""
    games = [wanting(world, "Bob").open_any("take", ["Bob", "Ada"], {"size": size}) for size in (2, 3)]
    world.service.people.choose("Bob", [("digest", "18:00")], actor="admin:test", cause="test:digest")
    turns = [next(mail for mail in reversed(world.mails("Bob")) if f"[Take {game}]" in mail["Subject"]) for game in games]
    entry = entries(turns[0])[0]
    world.answer("Bob", "b2", mail=turns[1])
    world.answer("Ada", "c1")
    world.answer("Ada", "confirm resign", mail=next(mail for mail in world.mails("Ada") if f"[Take {games[0]}]" in mail["Subject"]))
    world.now = world.now.replace(hour=18)
    world.settle()
    found = {str(event["uid"]): str(event["status"]) for event in entries(world.mails("Bob")[-1])}
    assert found == {str(entry["uid"]): "CANCELLED", "game-2-player-2@club.example": "CONFIRMED"}
    assert [part.get_filename() for part in calendars(world.mails("Bob")[-1])] == ["deadline.ics", "cancelled.ics"]


def test_an_own_vacation_moves_the_entry_and_its_end_moves_it_back(world: World) -> None:
    game = wanting(world).open({"size": 3})
    seen = [newest(world)]
    world.answer("Ada", "vacation 10 days")
    seen.append(newest(world))
    world.wait(days=2)
    world.answer("Ada", "vacation off")
    seen.append(newest(world))
    world.answer("Ada", "a1\nshow", mail=next(mail for mail in reversed(world.mails("Ada")) if "[Take" in mail["Subject"]))
    seen.append(newest(world))
    assert [(str(event["status"]), event.decoded("dtstart").day) for event in seen[:-1]] == [("CONFIRMED", day) for day in (4, 14, 6)]
    assert str(seen[-1]["status"]) == "CANCELLED"
    assert len({str(event["uid"]) for event in seen}) == 1
    sequence = [int(event["sequence"]) for event in seen]
    assert sequence == sorted(set(sequence))
    assert world.state(game).line.length == 1


def test_a_vacation_moves_no_entry_that_is_in_no_calendar(world: World) -> None:
    """Bob waits for Ada in one game, and has a turn of another that is still to come in a digest."""
    wanting(world, "Bob").open({"size": 3})
    game = world.open_any("take", ["Bob", "Ada"], {"size": 2}, accepted=False)
    world.answer("Bob", "accept")
    world.service.people.choose("Bob", [("digest", "18:00")], actor="admin:test", cause="test:digest")
    world.answer("Ada", "accept")
    world.answer("Bob", "vacation 10 days", mail=world.welcomes["Bob"])
    assert f"Take {game}: your clock stands still." in world.text("Bob")
    assert newest(world, "Bob") is None


def test_a_repeated_mail_is_the_same_to_the_byte(world: World) -> None:
    wanting(world).open()
    newest_row = max(row.id for row in world.outbox() if row.player == 1)
    assert world.service.mail.render(newest_row).mail.raw == world.service.mail.render(newest_row).mail.raw


def test_text_alone_can_have_one_too(world: World) -> None:
    world.service.people.choose("Ada", [("calendar", "on"), ("mail", "text")], actor="admin:test", cause="test:set")
    world.open()
    assert [part.get_content_type() for part in world.mails("Ada")[-1].walk()] == ["multipart/mixed", "text/plain", "text/calendar"]
    assert newest(world)["status"] == "CONFIRMED"
