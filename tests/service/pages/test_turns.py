"""A game by its link: the same commands, refusals and rows as by mail, once for each form, and nothing that a mail would not tell."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Barrier, Thread

import pytest
from msgspec.structs import replace

from tests.processes import start
from tests.service.world import SITE, World
from tests.terms import PLAIN
from turnserver.config import Settings, Site
from turnserver.errors import NotFound, Refusal
from turnserver.ids import GameId, Recorded
from turnserver.mail.format.tokens import Purpose, Token, sign
from turnserver.mail.inbound.phrases import Accept, Confirm, Decline, Draw, If, Move, Note, Phrase, Publish, Say, Undo
from turnserver.mail.inbound.time_phrases import Give
from turnserver.play.events import GameEvent, TurnPlayed
from turnserver.service.pages.turns import SignedIn
from turnserver.store.log import secrets as keyring
from turnserver.store.log.database import Database
from turnserver.store.log.verify import verify
from turnserver.store.people import accounts
from turnserver.store.web import forms

STATEMENTS = 15
"""At least so many are executed on the way; a test that killed at fewer would have missed something."""

TEN_MINUTES = Settings(site=Site(address=SITE), play=replace(PLAIN, correction_minutes=10))


@pytest.fixture
def slow(sqlite_url: str, tmp_path: Path) -> Iterator[World]:
    """A world in which the others hear of a turn after ten minutes."""
    db = Database.connect(sqlite_url)
    yield World(db, tmp_path / "mail", settings=TEN_MINUTES)
    db.close()


def link(world: World, game: GameId, name: str) -> str:
    """The link of a player for the turn that the game is at."""
    state = world.state(game)
    return world.service.pages.turns.link(Token(world.service.people.find(name).id, game, state.turn, state.edition))


def act(world: World, opened_by: str | SignedIn, *phrases: Phrase, key: str = "") -> str:
    """Do something on a page; gives the code of the refusal, or nothing."""
    try:
        world.service.pages.turns.act(opened_by, phrases, key or f"key at {world.now}, {phrases}")
    except Refusal as refused:
        return refused.code
    world.settle()
    return ""


def moves(world: World, game: GameId) -> list[str]:
    return [turn.text for turn in world.state(game).line.turns]


def history(world: World, game: GameId) -> list[Recorded[GameEvent]]:
    return world.service.games.history(game)


def test_a_move_is_an_event_of_its_player_and_the_other_gets_a_mail(any_world: World) -> None:
    world = any_world
    game = world.open()
    assert act(world, link(world, game, "Ada"), Move("b2"), key="n1") == ""
    (turn,) = (row for row in history(world, game) if isinstance(row.event, TurnPlayed))
    assert (turn.actor, turn.cause) == (f"player-{world.service.people.find('Ada').id}", "web:n1")
    assert "Ada played b2. Your move" in world.text("Bob")


def test_a_form_counts_once(any_world: World) -> None:
    world = any_world
    game = world.open()
    ada = link(world, game, "Ada")
    assert [act(world, ada, Say("hello"), key="n1") for _ in range(2)] == ["", ""]
    assert [act(world, ada, Move("b2"), key="n2") for _ in range(2)] == ["", ""]
    assert act(world, ada, Move("a1"), key="another tab") == "turn_already_played"
    assert moves(world, game) == ["b2"]
    with world.service.db.read() as conn:
        assert [line.text for line in accounts.chat(conn, game)] == ["hello"]


def test_forms_are_forgotten_in_the_end(world: World) -> None:
    game = world.open()
    ada = link(world, game, "Ada")
    assert act(world, ada, Say("hello"), key="n1") == ""
    world.now += forms.KEPT
    assert act(world, ada, Say("still there?"), key="n2") == ""
    world.now += forms.KEPT / 7
    assert act(world, ada, Say("and now?"), key="n3") == ""
    person = world.service.people.find("Ada").id
    with world.service.db.write() as tx:
        fresh = [forms.take(tx, key, person, world.now) for key in ("n1", "n2", "n3")]
    assert fresh == [True, False, False]


def test_two_tabs_at_once(any_world: World) -> None:
    world = any_world
    game = world.open()
    ada, together, codes = link(world, game, "Ada"), Barrier(2), list[str]()

    def play(move: str) -> None:
        together.wait()
        try:
            world.service.pages.turns.act(ada, (Move(move),), f"tab of {move}")
            codes.append("")
        except Refusal as refused:
            codes.append(refused.code)

    tabs = [Thread(target=play, args=(move,)) for move in ("a1", "b2")]
    for tab in tabs:
        tab.start()
    for tab in tabs:
        tab.join()
    assert sorted(codes) == ["", "turn_already_played"]
    assert len(moves(world, game)) == 1


REFUSED: list[tuple[str, Sequence[Phrase], str]] = [
    ("Ada", [Move("z9")], "off_board"),
    ("Ada", [Move("a1"), Draw()], "no_draws"),
    ("Bob", [Move("b2")], "not_your_turn"),
    ("Ada", [Undo()], "nothing_to_take_back"),
    ("Ada", [Accept()], "nothing_to_accept"),
]


@pytest.mark.parametrize(("name", "phrases", "code"), REFUSED)
def test_a_refusal_leaves_everything_as_it_was(world: World, name: str, phrases: Sequence[Phrase], code: str) -> None:
    game = world.open()
    before = history(world, game), len(world.outbox())
    assert act(world, link(world, game, name), *phrases) == code
    assert (history(world, game), len(world.outbox())) == before


def test_a_link_is_for_one_turn(world: World) -> None:
    game = world.open()
    ada = link(world, game, "Ada")
    act(world, ada, Move("b2"))
    act(world, link(world, game, "Bob"), Move("a1"))
    assert act(world, ada, Move("a2")) == "other_turn"
    assert not world.service.pages.turns.see(ada).answers_present
    assert world.service.pages.turns.see(link(world, game, "Ada")).answers_present


@pytest.mark.parametrize("phrase", [Confirm(), Say("hello"), Note("mine"), Draw(), Undo(), Give(24), If("if a3 then b3"), Accept()])
def test_a_link_of_an_earlier_turn_does_nothing(world: World, phrase: Phrase) -> None:
    """Not even what a mail of that turn asks about once more, such as `resign`: a page cannot ask."""
    game = world.open({"size": 4})
    ada = link(world, game, "Ada")
    for name, move in (("Ada", "d4"), ("Bob", "a1"), ("Ada", "d6")):
        assert act(world, link(world, game, name), Move(move)) == ""
    before = history(world, game), len(world.outbox())
    assert (act(world, ada, phrase), world.service.pages.turns.see(ada).may_act) == ("other_turn", False)
    assert (history(world, game), len(world.outbox())) == before


def test_a_link_of_an_earlier_turn_shows_and_publishes_no_notes(world: World) -> None:
    game = world.open({"size": 4})
    ada = link(world, game, "Ada")
    act(world, ada, Note("watch a1"), Move("d4"))
    act(world, link(world, game, "Bob"), Move("a1"))
    last = link(world, game, "Ada")
    assert [len(world.service.pages.turns.see(one).notes) for one in (ada, last)] == [0, 1]
    act(world, last, Confirm())
    assert act(world, ada, Publish()) == "other_turn"
    assert act(world, last, Publish()) == ""


@pytest.mark.parametrize("text", ["", "x", "8-h-5-0-1-aaaaaaaaaaaaaaaaaaaaaaaaaa"])
def test_a_link_that_nobody_signed_opens_nothing(world: World, text: str) -> None:
    world.open()
    with pytest.raises(NotFound):
        world.service.pages.turns.see(text)
    with pytest.raises(NotFound):
        world.service.pages.turns.act(text, (Move("b2"),), "n1")


def test_a_link_and_a_reply_address_are_no_use_for_one_another(world: World) -> None:
    game = world.open()
    replying = str(world.mails("Ada")[-1]["Reply-To"]).partition("+")[2].partition("@")[0]
    with pytest.raises(NotFound):
        world.service.pages.turns.see(replying)
    box, _, domain = SITE.partition("@")
    world.answer("Ada", "b2", to=f"{box}+{link(world, game, 'Ada')}@{domain}")
    assert moves(world, game) == []


def test_links_of_whoever_was_erased_open_nothing(world: World) -> None:
    game = world.open()
    ada = link(world, game, "Ada")
    act(world, ada, Confirm())
    world.service.people.erase(world.service.people.find("Ada").id, actor="admin:test", cause="test:erase")
    with pytest.raises(NotFound):
        world.service.pages.turns.see(ada)


@pytest.mark.parametrize("takes", [False, True])
def test_who_is_asked_to_play_on_sees_the_game_no_longer_than_they_are_asked(world: World, takes: bool) -> None:
    """The link stays in a mailbox for years. Whoever takes the seat goes on, and whoever had it may look back."""
    game = world.open()
    world.answer("Ada", "substitute Cleo")
    world.answer("Bob", "accept")
    cleo, ada = link(world, game, "Cleo"), link(world, game, "Ada")
    assert world.service.pages.turns.see(cleo).person.name == "Cleo"
    assert act(world, cleo, Accept() if takes else Decline()) == ""
    assert world.service.pages.turns.see(ada).person.name == "Ada"
    if takes:
        assert world.service.pages.turns.see(cleo).person.name == "Cleo"
        return
    with pytest.raises(NotFound, match="nobody asks you"):
        world.service.pages.turns.see(cleo)
    assert act(world, cleo, Say("May I still look on?")) != ""


def test_who_is_asked_to_play_on_answers_by_a_link_of_an_earlier_turn(world: World) -> None:
    """They get no mail of the turns that are played until they answer."""
    game = world.open({"size": 4})
    world.answer("Ada", "substitute Cleo")
    world.answer("Bob", "accept")
    cleo = link(world, game, "Cleo")
    for name, move in (("Ada", "d4"), ("Bob", "a1"), ("Ada", "d6")):
        assert act(world, link(world, game, name), Move(move)) == ""
    assert act(world, cleo, Accept()) == ""


def test_the_last_turn_is_unseen_while_it_can_be_corrected(slow: World) -> None:
    game = slow.open()
    slow.wait(minutes=11)
    ada, bob = link(slow, game, "Ada"), link(slow, game, "Bob")
    assert act(slow, ada, Move("b2")) == ""
    shown = [slow.service.pages.turns.see(one).state.line.length for one in (ada, bob)]
    assert shown == [1, 0]
    assert act(slow, ada, Undo()) == ""
    assert moves(slow, game) == []
    assert act(slow, link(slow, game, "Ada"), Move("a1")) == ""
    slow.wait(minutes=11)
    assert slow.service.pages.turns.see(bob).state.line.length == 1


def test_the_next_game_that_waits(world: World) -> None:
    first, second = world.open(), world.open()
    ada = link(world, first, "Ada")
    assert world.service.pages.turns.see(ada, with_next=True).next == Token(world.service.people.find("Ada").id, second, 1)
    act(world, link(world, second, "Ada"), Move("b2"))
    assert world.service.pages.turns.see(ada, with_next=True).next is None


def test_answers_of_the_page_are_no_mails(world: World) -> None:
    game = world.open({"size": 4})
    act(world, link(world, game, "Ada"), Move("d4"))
    mails = len(world.mails("Ada"))
    act(world, world.service.pages.turns.link(Token(world.service.people.find("Ada").id, game, 1, 0)), If("if a1 then b1"))
    assert len(world.mails("Ada")) == mails


def test_notes_are_kept_and_shown_to_their_player(world: World) -> None:
    game = world.open()
    ada, mails = link(world, game, "Ada"), len(world.mails("Ada"))
    assert act(world, ada, Note("watch a1")) == ""
    assert act(world, ada, Note("and c2"), Move("b2")) == ""
    assert [(one.turn, one.text) for one in world.service.pages.turns.see(ada).notes] == [(1, "and c2"), (1, "watch a1")]
    assert world.service.pages.turns.see(link(world, game, "Bob")).notes == []
    assert len(world.mails("Ada")) == mails
    assert act(world, ada, Publish()) == "not_over"


def test_a_move_after_the_deadline_waits_for_mail_from_before(world: World) -> None:
    game = world.open()
    ada = link(world, game, "Ada")
    world.wait(days=2, hours=23)
    world.answer("Ada", "b2", settle=False)
    world.wait(hours=2)
    assert act(world, ada, Move("a1")) == "too_soon"
    world.settle()
    assert moves(world, game) == ["b2"]


def test_a_link_of_a_lost_history_says_so(world: World) -> None:
    game = world.open()
    with world.service.db.read() as conn:
        reply = keyring.keys(conn, keyring.REPLY)
    token = Token(world.service.people.find("Ada").id, GameId(game + 1), 3)
    assert act(world, sign(reply, token, Purpose.PAGE), Move("b2")) == "lost"


@pytest.mark.long
@pytest.mark.engines
@pytest.mark.thorough
def test_a_form_is_carried_out_once_wherever_its_process_is_killed(any_world: World, database_url: str) -> None:
    """Every life ends with nothing done or everything done, and the browser that sends the form again changes nothing."""
    world = any_world
    game = world.open_any("okago", ["Ada", "Bob"])
    arguments = (database_url, str(world.directory), link(world, game, "Ada"), "c3")
    seen, end = list[tuple[int, int]](), "killed"
    with start("page", *arguments, module="tests.service.mortal") as process:
        assert process.hear() == "ready"
        while end == "killed":
            process.say(str(len(seen) + 1))
            if (end := process.hear()) == "killed":
                seen.append(done(world, game))
    assert end == "done"
    assert done(world, game) == (1, 1)
    turning = seen.index((1, 1))
    assert turning > STATEMENTS
    assert seen == [(0, 0)] * turning + [(1, 1)] * (len(seen) - turning)
    told = Counter(mail["Message-ID"] for mail in world.mails("Bob") if "good luck" in str(mail.get_body(("plain",))))
    assert list(told.values()) == [1]


def done(world: World, game: GameId) -> tuple[int, int]:
    """Return the number of turns in the log, and of lines that were said."""
    with world.service.db.read() as conn:
        assert list(verify(conn)) == []
        lines = accounts.chat(conn, game)
    return sum(isinstance(row.event, TurnPlayed) for row in history(world, game)), len(lines)
