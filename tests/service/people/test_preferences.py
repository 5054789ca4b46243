"""Preferences that players set by mail and admins on the command line, those that are refused, and the mails after them."""

from concurrent.futures import ThreadPoolExecutor
from email.message import EmailMessage
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.service.world import PEOPLE, World
from tests.store.scene import wait_for_lock
from turnserver.errors import BadOption, NotAllowed
from turnserver.ids import player_stream
from turnserver.mail.inbound.phrases import SETTABLE
from turnserver.play.commands import CheckClock
from turnserver.play.events import PlayerEdited
from turnserver.service.people import accounts, preferences
from turnserver.service.request import Request
from turnserver.store.log import log
from turnserver.store.log.database import Database
from turnserver.store.mail import outbox

READ = [
    ("zone", "Europe/Berlin", "Europe/Berlin"),
    ("zone", "asia/TOKYO", "Asia/Tokyo"),
    ("Zone", "UTC", "UTC"),
    ("mail", "Text", "text"),
    ("mail", "html", "html"),
    ("board", "LARGE", "large"),
    ("digest", "18:00", "18:00"),
    ("digest", "7", "07:00"),
    ("digest", "7.30", "07:30"),
    ("digest", "6pm", "18:00"),
    ("digest", "12:15 am", "00:15"),
    ("digest", "12 pm", "12:00"),
    ("digest", "off", "off"),
    ("digest", "none", "off"),
    ("quiet", "22:00-07:00", "22:00-07:00"),
    ("quiet", "22-7", "22:00-07:00"),
    ("quiet", "from 22:00 to 7:00", "22:00-07:00"),
    ("quiet", "10 pm until 7 am", "22:00-07:00"),
    ("quiet", "never", "off"),
    ("reminders", "Off", "off"),
    ("reminders", "yes", "on"),
    ("calendar", "on", "on"),
    ("subscribed", "off", "off"),
    ("public", "Name", "name"),
    ("public", "as  Blue   Fox", "as Blue Fox"),
    ("public", "als Klein Paul", "as Klein Paul"),
    ("public", "aus", "off"),
]
REFUSED = [
    ("zone", "Mars", "'Mars' isn't a time zone. Write it like Europe/Berlin, or UTC."),
    ("zone", "Factory", "'Factory' isn't a time zone."),
    ("zone", "localtime", "'localtime' isn't a time zone."),
    ("zone", "Berlin", "'Berlin' isn't a time zone, but Europe/Berlin is."),
    ("zone", "", "'' isn't a time zone."),
    ("mail", "pdf", "The setting mail can't be 'pdf'. It can be html or text."),
    ("board", "huge", "It can be small, medium or large."),
    ("digest", "soon", "It can be off, or a time such as 18:00."),
    ("digest", "24:00", "It can be off"),
    ("digest", "18:60", "It can be off"),
    ("digest", "13pm", "It can be off"),
    ("digest", "0 am", "It can be off"),
    ("digest", "on", "It can be off"),
    ("digest", "\u0667:\u0660\u0660", "It can be off"),
    ("quiet", "22:00", "two different times such as 22:00-07:00."),
    ("quiet", "22:00-22:00", "two different times"),
    ("quiet", "22:00-07:00-09:00", "two different times"),
    ("reminders", "maybe", "It can be on or off."),
    ("public", "yes", "It can be off, name, or as and a pseudonym."),
    ("public", "as", "It can be off, name, or as and a pseudonym."),
    ("public", "as Player 7", "A player's name can't be Player 7: others would read it as somebody else."),
    ("public", "as former PLAYER 123", "A player's name can't be"),
    ("public", "as Spieler 4", "A player's name can't be"),
    ("public", "as 42", "and not a number"),
    ("public", "as Ada & Bob", "can't have the marks"),
    ("digst", "off", "There is no setting 'digst'; the settings are language, zone, mail, board, subjects, digest"),
]


@pytest.fixture
def world(world: World) -> World:
    """A world whose players have chosen nothing yet."""
    world.want("html", *PEOPLE)
    return world


@pytest.fixture
def any_world(any_world: World) -> World:
    """The same over each engine."""
    any_world.want("html", *PEOPLE)
    return any_world


@pytest.mark.parametrize(("name", "text", "shown"), READ)
def test_a_value_is_read_kept_and_shown(world: World, name: str, text: str, shown: str) -> None:
    world.service.people.choose("Ada", [(name, text)], actor="admin:test", cause="test:set")
    assert preferences.values(world.another_process().people.find("Ada"))[name.casefold()] == shown


@pytest.mark.parametrize(("name", "text", "sentence"), REFUSED)
def test_a_value_is_refused(world: World, name: str, text: str, sentence: str) -> None:
    before = world.service.people.find("Ada")
    with pytest.raises(BadOption) as caught:
        world.service.people.choose("Ada", [("mail", "text"), (name, text)], actor="admin:test", cause="test:set")
    assert sentence in str(caught.value)
    assert world.service.people.find("Ada") == before


def test_a_pseudonym_is_nobody_else_s_name(any_world: World) -> None:
    """Nor their pseudonym, in any case; nor can anybody take it for a name afterwards."""
    people = any_world.service.people
    any_world.answer("Cleo", "set public as Blue Fox")
    any_world.answer("Ada", "set public as BLUE FOX")
    assert "The name BLUE FOX is taken." in any_world.text("Ada")
    any_world.answer("Ada", "setze öffentlich als bob")
    assert "The name bob is taken." in any_world.text("Ada")
    with pytest.raises(NotAllowed, match="The name blue fox is taken"):
        people.edit("Bob", name="blue fox", actor="admin:test", cause="test:name")
    with pytest.raises(NotAllowed, match="is taken"):
        people.add("Blue fox", "fox@example.org", actor="admin:test", cause="test:fox")
    assert preferences.values(people.find("Ada"))["public"] == "off"
    any_world.answer("Cleo", "set public off")
    any_world.answer("Ada", "set public as blue fox")
    assert preferences.values(people.find("Ada"))["public"] == "as blue fox"
    # one's own name is no other's
    any_world.answer("Ada", "set public as Ada")
    assert preferences.values(people.find("Ada"))["public"] == "as Ada"


def test_what_can_be_set_by_mail_is_what_there_is() -> None:
    assert {*SETTABLE, "subscribed"} == set(preferences.CHOICES)


@pytest.mark.parametrize("setting", list(preferences.CHOICES))
def test_every_example_can_be_set(world: World, setting: str) -> None:
    for example in preferences.CHOICES[setting].examples:
        person = world.service.people.choose("Ada", [(setting, example)], actor="admin:test", cause=f"test:{example}")
        assert preferences.values(person)[setting] == example


def test_several_lines_are_set_together_and_answered_by_the_list(any_world: World) -> None:
    any_world.answer("Ada", "set digest 18:00\nSet quiet = 22-7\nset mail text")
    assert any_world.outcome() == "done: settings changed"
    text = any_world.text("Ada")
    assert "* digest = 18:00 " in text
    assert "* quiet = 22:00-07:00 " in text
    assert "* mail = text " in text
    with any_world.service.db.read() as conn:
        noted = log.load(conn, player_stream(any_world.service.people.find("Ada").id))[-1]
    assert noted.event == PlayerEdited(player=any_world.service.people.find("Ada").id, fields=("digest", "mail", "quiet"))
    assert noted.actor == "player-1"


@pytest.mark.parametrize(
    "lines",
    ["set digest 18:00\nset mail pdf", "set digest 18:00\nset digst off", "set digest 18:00\nresign", "set digest 18:00\nset digest 19:00"],
)
def test_all_or_nothing(world: World, lines: str) -> None:
    before = preferences.values(world.service.people.find("Ada"))
    world.answer("Ada", lines)
    assert world.outcome().startswith("done: refused: ")
    assert preferences.values(world.service.people.find("Ada")) == before


def test_a_move_and_a_setting_in_one_mail(any_world: World) -> None:
    game = any_world.open()
    any_world.answer("Ada", "a1\nset mail text")
    assert any_world.outcome() == "done: carried out"
    assert any_world.state(game).line.length == 1
    assert any_world.service.people.find("Ada").preferences.mail == "text"
    assert "* mail = text " in any_world.text("Ada")


OTHER = {"digest": "20:00", "quiet": "23:00-06:00", "zone": "Asia/Tokyo", "public": "Heron"}


@pytest.mark.parametrize("line", ["set digest 18:00", "set quiet 22:00-07:00", "set zone Europe/Berlin", "set public as Blue Fox"])
def test_a_line_that_the_mail_shows_may_be_copied(world: World, line: str) -> None:
    """It is our words, and long enough to be taken for a quotation."""
    for before in ("settings", f"{line.rpartition(' ')[0]} {OTHER[line.split()[1]]}"):
        world.answer("Ada", before)
        world.answer("Ada", line)
        assert world.outcome() == "done: settings changed"


def test_the_same_again_is_no_event(world: World) -> None:
    for _ in range(2):
        world.answer("Ada", "set mail text")
    with world.service.db.read() as conn:
        assert len(log.load(conn, player_stream(world.service.people.find("Ada").id))) == 2
    assert world.outcome() == "done: settings changed"


class Unauthorised(NamedTuple):
    """A mail to the plain address, from a registered one: what it may not and may do."""

    text: str
    outcome: str


@pytest.mark.parametrize(
    "case",
    [
        Unauthorised("set mail text", "done: refused: no_token"),
        Unauthorised("unsubscribe", "done: refused: no_token"),
        Unauthorised("settings", "done: answered"),
    ],
)
def test_changing_needs_a_mail_of_ours_to_answer(world: World, case: Unauthorised) -> None:
    before = world.service.people.find("Ada")
    world.answer("Ada", case.text, to="turns@club.example")
    assert (world.outcome(), world.service.people.find("Ada")) == (case.outcome, before)


def pictures(mail: EmailMessage) -> list[int]:
    """The widths of the pictures in a mail."""
    return [int.from_bytes(BytesIO(part.get_content()).getvalue()[16:20]) for part in mail.walk() if part.get_content_type() == "image/png"]


@pytest.mark.parametrize(("size", "width", "shown"), [("small", 420, 340), ("medium", 640, 520), ("large", 960, 760)])
def test_the_board_is_as_large_as_wanted(world: World, size: str, width: int, shown: int) -> None:
    world.answer("Ada", f"set board {size}")
    world.open()
    assert pictures(world.mails("Ada")[-1]) == [width]
    page = world.mails("Ada")[-1].get_body(("html",))
    assert page is not None
    assert f'width="{shown}"' in page.get_content()


def test_text_alone(world: World) -> None:
    world.answer("Ada", "set mail text")
    world.open()
    mail = world.mails("Ada")[-1]
    assert [part.get_content_type() for part in mail.walk()] == ["text/plain"]
    assert "YOUR MOVE, until" in world.text("Ada")
    assert pictures(world.mails("Bob")[-1])


def test_reminders_off_leaves_the_event_and_sends_nothing(world: World) -> None:
    game = world.open()
    world.answer("Ada", "set reminders off")
    before = len(world.mails("Ada"))
    world.wait(days=2.5)
    world.service.games.handle(game, CheckClock(), actor="service", cause="test:clock")
    world.settle()
    assert world.state(game).reminded
    assert len(world.mails("Ada")) == before
    assert not [row for row in world.outbox() if row.kind == "reminder"]


def test_quiet_hours_move_what_comes_and_not_what_is_asked_for(world: World) -> None:
    world.answer("Bob", "set quiet 10:00-20:00")
    before = len(world.mails("Bob"))
    world.open(accepted=False)
    assert len(world.mails("Bob")) == before
    (row,) = [row for row in world.outbox() if row.player == world.service.people.find("Bob").id and row.kind == "invitation"]
    assert (row.status, row.due_at.hour) == ("queued", 20)
    world.answer("Bob", "games", mail=world.welcomes["Bob"])
    assert len(world.mails("Bob")) == before + 1
    world.wait(hours=8)
    world.settle()
    assert len(world.mails("Bob")) == before + 2


@pytest.mark.parametrize(
    ("chosen", "status", "hour"),
    [
        ("set quiet off", "sent", 12),
        ("set quiet 10:00-15:00", "queued", 15),
        ("set digest 18:00", "held", 18),
        ("set zone UTC", "queued", 20),
    ],
)
def test_mails_that_wait_for_the_end_of_quiet_hours_follow_a_change(world: World, chosen: str, status: str, hour: int) -> None:
    world.answer("Bob", "set quiet 10:00-20:00")
    world.open(accepted=False)
    world.answer("Bob", chosen, mail=world.welcomes["Bob"])
    (row,) = [row for row in world.outbox() if row.player == world.service.people.find("Bob").id and row.kind == "invitation"]
    assert (row.status, row.due_at.hour) == (status, hour)


def test_two_changes_at_once_lose_neither(postgresql_url: str, tmp_path: Path) -> None:
    """The later one has read the account before the first one was committed, and is made again."""
    world = World(Database.connect(postgresql_url), tmp_path / "mail")
    world.want("html", "Ada")
    ada = world.service.people.find("Ada").id
    with ThreadPoolExecutor(1) as pool:
        with world.service.db.write() as tx:
            accounts.choose(tx, world.service.ledger, ada, [("mail", "text")], Request("admin:test", "test:one", world.now))
            slower = pool.submit(world.another_process().people.choose, "Ada", [("digest", "18:00")], actor="admin:test", cause="test:two")
            wait_for_lock(postgresql_url, slower)
        values = preferences.values(slower.result())
    assert (values["mail"], values["digest"]) == ("text", "18:00")
    world.service.db.close()


def test_nobody_else_gets_what_one_has_set(world: World) -> None:
    world.answer("Ada", "set digest 18:00\nset mail text")
    assert {name: preferences.values(world.service.people.find(name))["digest"] for name in PEOPLE} == {
        "Ada": "18:00",
        "Bob": "off",
        "Cleo": "off",
    }


def test_a_kept_mail_is_written_as_its_reader_wants_it_now(world: World) -> None:
    """A mail that was queued before a change is rendered after it."""
    world.service.games.open("take", {"size": 2}, ["Ada", "Bob"], actor="admin:test", cause="test:open")
    world.service.people.choose("Bob", [("mail", "text")], actor="admin:test", cause="test:set")
    world.settle()
    assert not world.mails("Bob")[-1].is_multipart()
    with world.service.db.read() as conn:
        assert outbox.counts(conn)["sent"] == len(world.outbox())
