"""Somebody is erased: nothing names them any more, in no row and in no file, and everything else is as it was."""

import base64
import quopri
import re
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import psycopg
import pytest

from tests.service.leagues.league_world import open_league, sound
from tests.service.mailroom.letters import reply_address, world_over
from tests.service.world import PEOPLE, SITE, World
from turnserver.audit.game.recheck import recheck
from turnserver.config import Site
from turnserver.errors import NotAllowed, NotFound
from turnserver.ids import GameId, PlayerId, player_stream
from turnserver.league.commands import GiveRole
from turnserver.league.events import Role
from turnserver.mail.inbound.time_phrases import Vacation
from turnserver.mail.transport.outgoing import MaildirTransport
from turnserver.play.commands import Annul
from turnserver.play.events import PlayerErased
from turnserver.service.people.erasing import Erased
from turnserver.store.games import notes, plans
from turnserver.store.log import log
from turnserver.store.log import verify as audit
from turnserver.store.mail import inbox, retention
from turnserver.store.people import accounts as people
from turnserver.store.people import erasing

NAME, ADDRESS = "Zyxwvütina Quux", "Zyx.Wvutina@quux.example"
SAID = "the walrus"
ZYX = PlayerId(4)
PLAIN_ASCII = re.compile(rb"zyxwv|zyx\.wv|walrus", re.IGNORECASE)
OPEN = Site(address=SITE, registration="open")


@pytest.fixture
def world(database_url: str, tmp_path: Path) -> Iterator[World]:
    """Ada, Bob and Cleo, on each engine in turn."""
    with world_over(database_url, tmp_path, site=OPEN) as one:
        yield one


def lived(world: World) -> GameId:
    """Let a player be added, play Bob and lose, talk, ask, be quoted in every way that mail programs have. Return the lost game."""
    world.service.people.add(NAME, ADDRESS, actor="admin:test", cause="test:zyx")
    world.settle()
    game = world.service.games.open("take", {"size": 2}, [NAME, "Bob"], actor="admin:test", cause="test:open").game
    world.settle()
    say(world, "accept")
    world.answer("Bob", "accept")
    say(world, f"say I am {SAID}\nnote remember {SAID}\na1")
    world.wait(minutes=20)
    world.settle()
    for encoding in ("8bit", "base64", "quoted-printable"):
        quote(world, encoding)
    world.answer("Bob", f"say {NAME} is here\nnote {NAME} plays fast\nb1", mail=world.mails("Bob")[-4])
    say(world, "resign")
    say(world, "confirm resign")
    world.wait(minutes=20)
    world.settle()
    return game


def say(world: World, text: str) -> None:
    """Answer the newest mail as the player who is to be erased."""
    world.answer(ADDRESS, text, sender=f"{NAME} <{ADDRESS}>")


def quote(world: World, encoding: str) -> None:
    """Answer a mail as Bob, and quote what it says of the player."""
    mail = world.mails("Bob")[-1]
    answer = EmailMessage()
    answer["From"], answer["To"], answer["Subject"] = "bob@example.org", mail["Reply-To"], f"Re: {NAME}"
    answer["Message-ID"], answer["In-Reply-To"] = f"<{encoding}@example.org>", mail["Message-ID"]
    body = f"games\n\n> {NAME.replace(' ', chr(10) + '> ')}\n> wrote from <{ADDRESS.upper()}>\n"
    answer.set_content(body, charset="utf-16" if encoding == "base64" else "utf-8", cte=encoding)
    world.deliver(answer.as_bytes())


def erase(world: World, *also: str) -> Erased:
    """As the admin does it."""
    return world.service.people.erase(ZYX, also, actor="admin:test", cause=f"test:erase:{world.now}")


def everything(url: str) -> bytes:
    """Every row of every table, or every byte of every file."""
    if url.startswith("sqlite"):
        path = Path(url.removeprefix("sqlite:///"))
        return b"".join(each.read_bytes() for each in sorted(path.parent.glob(path.name + "*")))
    with psycopg.connect(url.replace("+psycopg", "")) as connection:
        names = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        rows = [row for (name,) in names for row in connection.execute(f'SELECT * FROM "{name}"').fetchall()]  # noqa: S608
    return b"\n".join(cell if isinstance(cell, bytes) else str(cell).encode() for row in rows for cell in row)


def forms() -> list[bytes]:
    """Name and address as they may stand in bytes."""
    words = [each for word in (NAME, ADDRESS) for each in (word, word.lower(), word.upper())]
    plain = [word.encode(charset) for word in words for charset in ("utf-8", "utf-16-le", "utf-16-be", "iso-8859-1")]
    packed = [base64.b64encode(word.encode()[skip:])[2:-4] for word in words for skip in range(3)]
    return [*plain, *packed, *(quopri.encodestring(word.encode()) for word in words)]


def found(url: str) -> list[bytes]:
    """Return what is still there of them."""
    there = everything(url)
    return [form for form in forms() if form in there] + PLAIN_ASCII.findall(there)


def test_nothing_of_them_is_left_and_the_games_can_be_read(world: World, database_url: str) -> None:
    """With the service running beside: no byte of name or address in any file or row, and every hash still holds."""
    game = lived(world)
    assert len(found(database_url)) > len(PLAIN_ASCII.pattern)
    before = [row.hash for row in world.service.games.history(game)]
    erase(world)
    assert found(database_url) == []
    history = world.service.games.history(game)
    assert [row.hash for row in history] == before
    assert list(recheck([row.event for row in history], game)) == []
    with world.service.db.read() as conn:
        assert list(audit.verify(conn)) == []
        assert people.player(conn, ZYX).name == f"former player {ZYX}"
        assert [row.event for row in log.load(conn, player_stream(ZYX))][-1] == PlayerErased(player=ZYX)


def test_notes_of_others_that_name_them_stay_without_their_name(world: World) -> None:
    game = lived(world)
    erase(world)
    with world.service.db.read() as conn:
        assert notes.own(conn, ZYX, game) == []
        (left,) = notes.own(conn, world.service.people.find("Bob").id, game)
    assert left.text == f"former player {ZYX} plays fast"


def test_everybody_sees_a_former_player(world: World) -> None:
    """In mails, in the language of their reader; and the name cannot come back by an old account or an old mail."""
    lived(world)
    world.service.people.choose("Bob", [("language", "de")], actor="admin:test", cause="test:de")
    erase(world)
    world.answer("Bob", "history", mail=world.mails("Bob")[-1])
    assert "Ex-Mitglied 4" in world.text("Bob")
    assert "Ex-Mitglied 4" in world.mails("Bob")[-1]["Subject"]
    assert "former" not in world.mails("Bob")[-1]["Subject"] + world.text("Bob")
    world.service.people.choose("Bob", [("language", "en")], actor="admin:test", cause="test:en")
    world.answer("Bob", "history", mail=world.mails("Bob")[-2])
    assert "former player 4" in world.text("Bob")


def test_an_old_mail_gets_a_kind_answer_and_does_nothing(world: World) -> None:
    """The erased hear why an old reply address does nothing; they may have a new account under the same name and address."""
    game = lived(world)
    old = [mail for mail in world.mails(ADDRESS) if mail["Message-ID"].startswith("<turn")][-1]
    erase(world)
    version = world.state(game).version
    world.answer(ADDRESS, "draw", sender=ADDRESS, mail=old)
    assert world.outcome() == "done: refused: erased"
    assert "The account that your mail belongs to was erased" in " ".join(world.text(ADDRESS).split())
    assert world.state(game).version == version
    world.wait(days=2)
    world.answer(ADDRESS, f"join {NAME}", sender=ADDRESS, to=SITE)
    world.answer(ADDRESS, "confirm", sender=ADDRESS)
    anew = world.service.people.find(ADDRESS)
    assert (anew.id, anew.name) == (5, NAME)
    world.answer(ADDRESS, "games", sender=ADDRESS, mail=old)
    assert world.outcome() == "done: refused: erased"


def test_nothing_can_be_done_for_whom_was_erased(world: World) -> None:
    """No mail, no change of the account, no invitation, no vacation, no unsubscribing."""
    lived(world)
    stop = world.mails(ADDRESS)[-1]["List-Unsubscribe"] or ""
    erase(world)
    count = world.service.mail.mails_written()
    number, service = str(ZYX), world.service
    with pytest.raises(NotFound, match="was erased"):
        service.people.edit(number, name="Zoe", actor="admin:test", cause="test:edit")
    with pytest.raises(NotFound, match="was erased"):
        service.people.choose(number, [("digest", "18:00")], actor="admin:test", cause="test:set")
    with pytest.raises(NotFound, match="was erased"):
        service.people.take_vacation(number, Vacation(days=3), actor="admin:test", cause="test:away")
    with pytest.raises(NotAllowed, match="former player 4 doesn't want mail"):
        service.games.open("take", {"size": 2}, [number, "Bob"], actor="admin:test", cause="test:invite")
    service.mail.resend(number, actor="admin:test", cause="test:resend")
    token = re.search(r"turns\+([^@]+)@", stop)
    assert token is None or service.people.unsubscriber(token[1]) is None
    assert service.mail.mails_written() == count


def test_erasing_again_is_harmless_and_finds_what_has_come_since(world: World, database_url: str) -> None:
    """Another event is not logged; a mail that names them later goes with `also`."""
    lived(world)
    first = erase(world)
    assert (first.plans, first.chat, first.notes, first.renamed) == (0, 1, 1, False)
    assert first.came > 4
    world.wait(hours=1)
    world.answer("Bob", f"games\n\n> {NAME}")
    assert found(database_url)
    assert erase(world)._replace(player=PlayerId(0)) == Erased(PlayerId(0), 0, 0, 0, 0, 0, renamed=False)
    assert found(database_url)
    assert erase(world, NAME).came == 1
    assert found(database_url) == []
    with world.service.db.read() as conn:
        assert [type(row.event) for row in log.load(conn, player_stream(ZYX))].count(PlayerErased) == 1
        assert erasing.unwiped(conn) == []


def test_a_player_leaves_everything_first(world: World) -> None:
    """A running game, an invitation, a season, a vacation: refused with the list, then left as they would, and the others hear of it."""
    league = open_league(world)
    service = world.service
    service.leagues.announce(league, None, actor="admin:test", cause="test:announce")
    service.leagues.enter(league, "Ada", by_admin=True, actor="admin:test", cause="test:enter")
    running = world.open()
    invited = service.games.open("take", {"size": 2}, ["Cleo", "Ada"], actor="admin:test", cause="test:open").game
    service.people.take_vacation("Ada", Vacation(days=3), actor="admin:test", cause="test:vacation")
    world.settle()
    ada = service.people.find("Ada").id
    service.leagues.handle(league, GiveRole(ada, Role.ARBITER, "a test"), actor="admin:test", cause="test:role")
    whole = rf"league {league} \(Take Winter\), which they have entered; game {running}, which they play; game {invited}, to which"
    with pytest.raises(NotAllowed, match=whole):
        service.people.erase(ada, actor="admin:test", cause="test:erase")
    assert len(service.people.leave(ada, actor="admin:test", cause="test:leave")) == len(("league", "running", "invited"))
    assert service.people.leave(ada, actor="admin:test", cause="test:leave:again") == []
    assert service.leagues.state(league).roles == {}
    service.people.erase(ada, actor="admin:test", cause="test:erase")
    world.settle()
    told = {mail["Message-ID"].partition(".")[0] for name in ("Bob", "Cleo") for mail in world.mails(name)}
    assert "<game_over" in told
    assert (world.state(running).result is not None, world.state(invited).result is not None) == (True, True)
    assert sound(world)


def test_mail_that_has_not_been_read_yet_is_read_first(world: World, database_url: str) -> None:
    """A mail that waits may be a move; it is not thrown away."""
    lived(world)
    world.answer("Bob", f"games\n\n> {NAME}", settle=False)
    with pytest.raises(NotAllowed, match=r"Unread mail is theirs"):
        erase(world)
    assert found(database_url)
    world.settle()
    erase(world)
    assert found(database_url) == []


def test_a_mail_that_is_being_sent_meanwhile_keeps_no_text(world: World, database_url: str) -> None:
    """It was written before they were erased and is recorded as sent afterwards."""
    game = lived(world)
    world.service.games.handle(game, Annul("x"), actor="admin:test", cause="test:annul")

    class Erasing(MaildirTransport):
        """A way out on which somebody is erased."""

        def send(self, raw: bytes, sender: str, recipient: str) -> str:
            if recipient == PEOPLE["Bob"]:
                erase(world)
            return super().send(raw, sender, recipient)

    world.way_out = lambda: Erasing(world.directory)  # type: ignore[method-assign]
    world.restart()
    while any(world.service.mail.send_outbox()):
        pass
    told = next(row for row in world.outbox() if row.player == world.service.people.find("Bob").id)
    assert (told.status, told.text) == ("sent", "")
    assert found(database_url) == []


def test_a_plan_of_theirs_goes_and_the_audit_goes_on(world: World) -> None:
    """Its digest stays in the log; that its text is not there is no finding."""
    game = world.open({"size": 3})
    world.answer("Ada", "a1\nif b1 then c1")
    world.wait(minutes=20)
    world.settle()
    ada = world.service.people.find("Ada").id
    with world.service.db.read() as conn:
        assert len(plans.of_game(conn, game)) == 1
    world.service.people.leave(ada, actor="admin:test", cause="test:leave")
    assert world.service.people.erase(ada, actor="admin:test", cause="test:erase").plans == 1
    with world.service.db.read() as conn:
        assert plans.of_game(conn, game) == []
        assert list(audit.verify(conn)) == []


def test_the_bytes_of_a_mail_to_several_go_with_the_first_row_that_loses_them(world: World) -> None:
    """One mail answers a mail of the erased player's and one of Bob's; its words are left with neither."""
    lived(world)
    raw = f"From: {ADDRESS}\r\nMessage-ID: <both@quux>\r\n\r\nhelp\r\n".encode()
    world.service.mail.receive_for([reply_address(world.mails("Bob")[-1]), reply_address(world.mails(ADDRESS)[-1])], raw, ADDRESS, "lmtp")
    world.settle()
    with world.service.db.write() as tx:
        second, first = inbox.list_inbox(tx, limit=2)
        assert inbox.get(tx, second.id).raw == inbox.get(tx, first.id).raw == raw
        erasing.empty_came(tx, erasing.came(tx, second.id)._replace(raw=b""), raw)
    with world.service.db.read() as conn:
        assert [inbox.get(conn, one.id).raw for one in (first, second)] == [b"", b""]
        assert [retention.left_of_came(conn, one.id) for one in (first, second)] == [(erasing.digest(raw),)] * 2


def test_an_address_that_is_somebody_elses_by_now_is_left_to_them(world: World) -> None:
    """The erased player wrote from it once; now it is that of another account, which keeps it and all its mail."""
    lived(world)
    other = "borrowed@example.org"
    world.answer(ADDRESS, "help", sender=f"{NAME} <{other}>")
    world.service.people.add("Dora", other, actor="admin:test", cause="test:dora")
    world.settle()
    before = len(world.mails(other))
    world.answer(other, "help", sender=f"Dora <{other}>")
    assert len(world.mails(other)) == before + 1
    erase(world)
    assert world.service.people.find("Dora").address == other
    with world.service.db.read() as conn:
        kept = [inbox.get(conn, each.id) for each in inbox.list_inbox(conn) if each.sender == other]
    assert [b"Dora" in mail.raw for mail in kept] == [True]
