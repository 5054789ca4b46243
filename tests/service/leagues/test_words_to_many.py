"""Words of an admin to many, from the command to the mailboxes."""

from hashlib import sha256

from tests.service.leagues.league_world import ADMIN, begin, number, open_league, sound
from tests.service.world import World
from turnserver.ids import LeagueId
from turnserver.league.commands import SendWords
from turnserver.mail.outbound.kinds import MailKind

WORDS = "The final is on Sunday.\n\n- Bring a board,\n  if you have one.\n- <b>Doors</b> open at ten."


def send(world: World, league: LeagueId, words: str, cause: str) -> None:
    command = SendWords(sha256(words.encode()).hexdigest())
    world.service.leagues.send_words(league, words, command, actor=ADMIN, cause=cause)
    world.settle()


def test_everybody_gets_the_words_once_but_who_wants_no_mail(world: World) -> None:
    world.want("html", "Ada")
    league = open_league(world)
    begin(world, league)
    world.answer("Cleo", "unsubscribe")
    before = len(world.mails("Cleo"))
    send(world, league, WORDS, "test:1")
    rows = [row for row in world.outbox() if row.kind == MailKind.LEAGUE_WORDS]
    assert {row.player: row.status for row in rows} == {
        number(world, name): "unwanted" if name == "Cleo" else "sent" for name in ("Ada", "Bob", "Cleo", "Dan")
    }
    assert len(world.mails("Cleo")) == before
    text = world.text("Ada")
    assert "The organisers write to the players of season 1 of Take Winter." in " ".join(text.split())
    assert "- Bring a board, if you have one.\n" in text
    html = world.mails("Ada")[-1].get_body(("html",))
    assert html is not None
    assert "&lt;b&gt;Doors&lt;/b&gt; open at ten." in html.get_content()
    assert "unsubscribe" in text
    assert sound(world)
