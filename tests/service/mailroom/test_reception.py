"""Each kind of mail with its outcome, the number of turns that were played after it, and the answer to its writer."""

from typing import Literal, NamedTuple

import pytest

from tests.service.mailroom.letters import key_of, letter, post, reply_address, said
from tests.service.world import PEOPLE, SITE, World
from turnserver.config import Incoming
from turnserver.ids import GameId
from turnserver.mail.format.tokens import Token, sign
from turnserver.play.commands import Retract
from turnserver.play.state import Status
from turnserver.service.mailroom.reception import LEASE
from turnserver.store.log.database import Database
from turnserver.store.mail import inbox
from turnserver.store.people import accounts as people


class Case(NamedTuple):
    """Ada, who has the first turn of a running game, writes `text`."""

    text: str
    outcome: str
    turns: int
    told: str = ""


MOVES = {
    "bare move": Case("a1", "done: carried out", 1),
    "with the word": Case("move a1", "done: carried out", 1),
    "shouted, spaced, stopped": Case("  MOVE   A1. ", "done: carried out", 1),
    "with a greeting": Case("Hello Bob,\n\na1\n\nCheers\nAda", "done: carried out", 1),
    "with a word to the other": Case("say good luck\na1", "done: carried out", 1),
    "illegal": Case("z9", "done: refused", 0),
    "near miss": Case("mvoe a1", "done: refused: not_understood", 0, "move a1"),
    "two moves": Case("a1\na2", "done: refused: conflict", 0, "contradict"),
    "a move and a resignation": Case("resign\na1", "done: refused: conflict", 0, "contradict"),
    "only talk": Case("What a lovely morning this is.", "done: refused: not_understood", 0, "find a move or a command in that"),
    "quoted move": Case("> a1", "done: refused: only_quoted", 0, "only quoted text"),
    "draw in a game without draws": Case("draw", "done: refused", 0, "draw"),
    "question and move": Case("show\na1", "done: carried out", 1),
    "say alone": Case("say hello", "done: said", 0),
    "show": Case("show", "done: answered", 0),
    "show a turn that was not played": Case("show turn 5", "done: refused: not_found", 0, "no turn 5"),
    "history": Case("history", "done: answered", 0),
    "clock": Case("clock", "done: answered", 0),
    "games": Case("games", "done: answered", 0),
    "rules": Case("rules", "done: answered", 0),
    "rules of an unknown game": Case("rules chess", "done: refused: bad_option", 0, "no game"),
    "help": Case("help", "done: answered", 0, "Moves of Take: A move is one cell"),
    "resign": Case("resign", "done: answered", 0, 'reply "confirm resign".'),
    "resign and confirm": Case("resign\nconfirm resign", "done: carried out", 0),
    "confirm resign": Case("confirm resign", "done: carried out", 0),
    "challenge with a move": Case("challenge Bob take\na1", "done: refused: challenge_alone", 0, "mail of its own"),
}


@pytest.mark.parametrize("case", MOVES.values(), ids=MOVES.keys())
def test_mail_on_move(world: World, case: Case) -> None:
    """A player on move answers the turn mail."""
    game = world.open()
    before = len(world.mails("Ada"))
    world.answer("Ada", case.text)
    assert world.outcome().startswith(case.outcome)
    assert world.state(game).line.length == case.turns
    if case.outcome.startswith(("done: refused", "done: answered")):
        assert len(world.mails("Ada")) == before + 1
        assert case.told in " ".join(world.text("Ada").split())


def test_a_turn_brings_the_opponent_a_mail_and_the_mover_none(world: World) -> None:
    """Silence is the receipt; the next player gets the board and the turn."""
    world.open()
    ada, bob = len(world.mails("Ada")), len(world.mails("Bob"))
    world.answer("Ada", "a1")
    assert (len(world.mails("Ada")), len(world.mails("Bob"))) == (ada, bob + 1)
    assert "a1" in world.text("Bob")


def test_what_is_said_reaches_the_other_within_the_turn_mail(world: World) -> None:
    """A line said with a move rides along in the turn mail."""
    world.open()
    bob = len(world.mails("Bob"))
    world.answer("Ada", "say good luck to you\na1")
    assert len(world.mails("Bob")) == bob + 1
    assert "good luck to you" in world.text("Bob")


@pytest.mark.parametrize(
    "text", ["say my key is {key}\na1", "say:\nI answer to turns+{first}\n{second}@club.example\n\na1", "lucky {key} a1 a2"]
)
def test_a_reply_key_is_passed_on_to_nobody(any_world: World, text: str) -> None:
    """Neither to the others, in what is said to them, nor back, in a refusal that quotes it."""
    any_world.open()
    key = key_of(any_world.mails("Ada")[-1])
    any_world.answer("Ada", text.format(key=key, first=key[:12], second=key[12:]))
    told = any_world.text("Bob") + any_world.text("Ada").partition("Key of this mail")[0]
    assert "***" in told
    assert key[-20:] not in told
    with any_world.service.db.read() as conn:
        assert all(key[-20:] not in said.text for said in people.chat(conn, GameId(1)))


def test_a_refusal_quotes_the_lines_that_were_understood(world: World) -> None:
    """The stone that is there already, and the words that asked for it."""
    world.open()
    world.answer("Ada", "a1")
    world.answer("Bob", "Hello\nMOVE a1.\nsay sorry for the wait")
    told = world.text("Bob")
    assert "MOVE a1. / say sorry for the wait" in told
    assert "stone is on a1 already" in told


def test_a_line_of_two_commands_is_quoted_once(world: World) -> None:
    world.open()
    world.answer("Ada", "undo a1")
    assert world.outcome().startswith("done: refused: ")
    assert "| undo a1\n" in world.text("Ada")


def test_same_mail_twice(any_world: World) -> None:
    """A mail that is delivered again does nothing and is answered by nothing."""
    game = any_world.open()
    raw = any_world.answer("Ada", "a1")
    sent = len(any_world.outbox())
    any_world.deliver(b"Received: from elsewhere\r\n" + raw)
    assert any_world.outcome() == "done: duplicate"
    assert any_world.state(game).line.length == 1
    assert len(any_world.outbox()) == sent


def test_the_same_words_under_another_message_id_are_told_once(world: World) -> None:
    """In the turn that they belong to, and when it is over; in another turn they may be meant again."""
    world.open()
    first = world.mails("Ada")[-1]
    outcomes = []
    for text in ("say hello", "say hello", "say hello again", "say hello\nhelp"):
        world.answer("Ada", text, mail=first)
        outcomes.append(world.outcome())
    assert outcomes == ["done: said", "done: said before", "done: said", "done: answered"]
    world.wait(minutes=5)
    world.answer("Ada", "a1", mail=first)
    world.answer("Bob", "b1")
    world.answer("Ada", "say hello", mail=first)
    assert world.outcome() == "done: said before"
    world.answer("Ada", "say hello")
    assert world.outcome() == "done: said"


def test_same_move_in_another_mail(world: World) -> None:
    """A turn that is played already is explained, not played again."""
    game = world.open()
    turn_mail = world.mails("Ada")[-1]
    world.answer("Ada", "a1", mail=turn_mail)
    world.answer("Ada", "a2", mail=turn_mail)
    assert world.outcome() == "done: refused: turn_already_played"
    assert world.state(game).line.length == 1
    assert "is played already" in " ".join(world.text("Ada").split())


def test_mail_of_a_retracted_turn(world: World) -> None:
    """An answer to the mail before a retraction is out of date, though the turn has the same number."""
    game = world.open()
    turn_mail = world.mails("Ada")[-1]
    world.answer("Ada", "a1", mail=turn_mail)
    world.service.games.handle(game, Retract(1, "wrong board shown"), actor="admin:test", cause="test:retract")
    world.settle()
    world.answer("Ada", "a2", mail=turn_mail)
    assert world.outcome() == "done: refused: turn_already_played"
    world.answer("Ada", "a2")
    world.answer("Ada", "a2", mail=[mail for mail in world.mails("Ada") if mail["Reply-To"] != turn_mail["Reply-To"]][-1])
    assert world.state(game).edition == 1


def test_late_mail(world: World) -> None:
    """A mail that arrives after the deadline is refused even before the flag falls, and does not ask for the move once more."""
    game = world.open()
    world.wait(days=3, seconds=1)
    world.answer("Ada", "a1")
    assert world.outcome() == "done: refused: too_late"
    assert world.state(game).line.length == 0
    assert ("YOUR MOVE" in world.text("Ada"), "The clock decides now." in " ".join(world.text("Ada").split())) == (False, True)


def test_mail_that_arrived_in_time_and_is_read_late(world: World) -> None:
    """The arrival counts, not the reading."""
    game = world.open()
    world.wait(days=2, hours=23)
    world.answer("Ada", "a1", settle=False)
    world.wait(days=1)
    world.service.upkeep.sweep()
    world.settle()
    assert world.outcome() == "done: carried out"
    assert world.state(game).line.length == 1


def test_giving_up_is_confirmed_where_the_game_stands(world: World) -> None:
    """A mail of an older turn does not confirm: its writer is asked, and the answer to that question counts, whatever happens meanwhile."""
    game = world.open()
    first = world.mails("Ada")[-1]
    world.answer("Ada", "a1")
    world.answer("Ada", "confirm resign", mail=first)
    assert (world.outcome(), world.state(game).status) == ("done: answered", Status.RUNNING)
    asked = world.mails("Ada")[-1]
    assert "confirm resign" in world.text("Ada")
    world.answer("Bob", "b1")
    world.answer("Ada", "confirm resign", mail=first)
    assert (world.outcome(), world.state(game).status) == ("done: answered", Status.RUNNING)
    world.answer("Ada", "confirm resign", mail=asked)
    assert (world.outcome(), world.state(game).status) == ("done: carried out", Status.ENDED)


def test_the_question_of_another_game_confirms_nothing(world: World) -> None:
    """The mail that is answered says which game was asked about, whatever address the answer goes to."""
    other = world.open()
    stale = reply_address(world.mails("Ada")[-1])
    world.answer("Ada", "a1")
    world.wait(minutes=1)
    world.open()
    world.answer("Ada", "resign")
    question = world.mails("Ada")[-1]
    headers = {"To": stale, "In-Reply-To": question["Message-ID"], "References": question["Message-ID"]}
    assert post(world, letter(PEOPLE["Ada"], "confirm resign", headers), stale) == "answered"
    assert world.state(other).status is Status.RUNNING


@pytest.mark.parametrize("word", ["resign", "confirm resign"])
def test_what_may_be_quoted_from_another_mail_does_not_end_a_game(world: World, word: str) -> None:
    """Below what looks like another mail we ask; at the top it is what it says."""
    game = world.open()
    world.answer("Ada", f"Well played!\n\nAda napsal:\n\n{word}")
    assert world.outcome() == "done: refused: below_another_mail"
    assert world.state(game).status is Status.RUNNING
    assert "below what looks like an older mail" in said(world, "Ada")
    world.answer("Ada", f"{word}\n\nAda napsal:\n\nWell played!", mail=world.mails("Ada")[-2])
    assert world.outcome().removeprefix("done: ") in ("answered", "carried out")


def test_a_plan_that_resigns_is_not_taken_from_what_may_be_quoted(world: World) -> None:
    world.open()
    world.answer("Ada", "a2")
    world.answer("Ada", "Well played!\n\nAda napsal:\n\nif b1 then resign")
    assert world.outcome() == "done: refused: below_another_mail"
    world.answer("Ada", "if b1 then a1\n\nAda napsal:\n\nWell played!", mail=world.mails("Ada")[-2])
    assert world.outcome() == "done: carried out"


def test_a_move_is_not_doubted(world: World) -> None:
    """It can be taken back, and the rules refuse most of the older ones."""
    game = world.open()
    world.answer("Ada", "Well played!\n\nMy answer:\n\na1")
    assert world.state(game).line.length == 1


def test_what_was_sent_before_is_not_carried_out_again(any_world: World) -> None:
    """Somebody who answers a mail of their own quotes it, in some programs without a mark."""
    game = any_world.open()
    number = reply_address(any_world.mails("Ada")[-1])
    older = letter(PEOPLE["Ada"], "show turn 0", {"To": number, "Message-ID": "<older@example.org>"})
    assert post(any_world, older, number) == "answered"
    newer = letter(
        PEOPLE["Ada"], "a1\n\nAda\n\nshow turn 0", {"To": number, "Message-ID": "<newer@example.org>", "References": "<older@example.org>"}
    )
    before = len(any_world.mails("Ada"))
    assert post(any_world, newer, number) == "carried out"
    assert (any_world.state(game).line.length, len(any_world.mails("Ada"))) == (1, before)


@pytest.mark.parametrize("policy", ["off", "warn", "require"])
def test_foreign_sender(sqlite_url: str, tmp_path_factory: pytest.TempPathFactory, policy: Literal["off", "warn", "require"]) -> None:
    """A mail with Ada's token from another address: done or not by policy, and reported to Ada's own address."""
    db = Database.connect(sqlite_url)
    world = World(db, tmp_path_factory.mktemp("mail"), Incoming(sender_policy=policy))
    game = world.open()
    ada = len(world.mails("Ada"))
    world.answer("Ada", "a1", sender="somebody@example.net")
    played, told = {"off": (1, 0), "warn": (1, 1), "require": (0, 1)}[policy]
    assert world.state(game).line.length == played
    assert len(world.mails("Ada")) == ada + told
    assert not world.mails("somebody@example.net")
    db.close()


def test_forged_token(world: World) -> None:
    """A token that we did not sign plays nothing; the registered address is told."""
    game = world.open()
    local, domain = SITE.split("@")
    forged = sign({1: b"x" * 32}, Token(world.service.people.find("Ada").id, game, 1, 0))
    world.answer("Ada", "a1", to=f"{local}+{forged}@{domain}")
    assert world.outcome() == "done: refused: bad_token"
    assert world.state(game).line.length == 0
    assert "isn't one of ours" in " ".join(world.text("Ada").split())


def test_token_of_another_player(world: World) -> None:
    """Bob's words to Ada's reply address, as in an answer to everybody, are not done in her name; Bob is told, not Ada."""
    game = world.open()
    ada, bob = len(world.mails("Ada")), len(world.mails("Bob"))
    for text in ("a1", "confirm resign", "say I am Ada"):
        world.answer("Bob", text, mail=world.mails("Ada")[-1])
        assert world.outcome() == "done: refused: borrowed_token"
    assert (world.state(game).line.length, world.state(game).result) == (0, None)
    assert (len(world.mails("Ada")), len(world.mails("Bob"))) == (ada, bob + 3)
    assert "another player's reply address" in " ".join(world.text("Bob").split())


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("a1", "no_token"),
        ("challenge Bob", "no_token"),
        ("help", "answered"),
        ("games", "answered"),
        ("games\nunsubscribe", "no_token"),
        ("unsubscribe\ngames", "no_token"),
    ],
)
def test_without_a_token(world: World, text: str, outcome: str) -> None:
    """Mail to the plain address: questions are answered, to the registered address; nothing is done."""
    game = world.open()
    ada = len(world.mails("Ada"))
    world.answer("Ada", text, to=SITE)
    assert world.outcome().endswith(outcome)
    assert world.state(game).line.length == 0
    assert len(world.mails("Ada")) == ada + 1
    with world.service.db.read() as conn:
        assert people.find_player(conn, "Ada").preferences.subscribed


def test_where_senders_are_not_looked_at_a_token_is_enough(sqlite_url: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A mail with a token counts as its owner's, though another player sent it."""
    db = Database.connect(sqlite_url)
    world = World(db, tmp_path_factory.mktemp("world"), Incoming(sender_policy="off"))
    game = world.open()
    world.answer("Ada", "a1", sender=PEOPLE["Bob"])
    assert (world.outcome(), world.state(game).line.length) == ("done: carried out", 1)
    db.close()


@pytest.mark.parametrize(("text", "told"), [("rules", "rules of"), ("rules take", "Take")])
def test_rules_without_a_game(world: World, text: str, told: str) -> None:
    """A question about no game in particular is answered by the list of games."""
    world.answer("Ada", text, mail=world.welcomes["Ada"])
    assert world.outcome() == "done: answered"
    assert told in world.text("Ada")


def test_unknown_sender(world: World) -> None:
    """Somebody without an account gets one explanation a day."""
    welcome = world.welcomes["Ada"]
    world.answer("Ada", "a1", mail=welcome, sender="who@example.net", to=SITE)
    assert world.outcome() == "done: refused: unknown_sender"
    assert len(world.mails("who@example.net")) == 1


def test_answers_to_one_address_are_limited(sqlite_url: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Past the limit of the day one more mail says so, and then the inbox says that nobody was answered; the next day begins anew."""
    db = Database.connect(sqlite_url)
    world = World(db, tmp_path_factory.mktemp("mail"), Incoming(answers_per_day=2))
    before = len(world.mails("Ada"))
    for _ in range(5):
        world.answer("Ada", "help", mail=world.welcomes["Ada"])
    assert len(world.mails("Ada")) == before + 3
    assert "We have sent 2 automatic answers" in " ".join(world.text("Ada").split())
    assert "limit" in world.outcome()
    world.wait(days=1, seconds=1)
    world.answer("Ada", "help", mail=world.welcomes["Ada"])
    assert len(world.mails("Ada")) == before + 4
    db.close()


def test_what_a_game_needs_is_never_limited(sqlite_url: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Somebody who gets no more answers still plays, resigns and speaks to the others."""
    db = Database.connect(sqlite_url)
    world = World(db, tmp_path_factory.mktemp("mail"), Incoming(answers_per_day=0))
    game = world.open()
    turn = world.mails("Ada")[-1]
    for _ in range(3):
        world.answer("Ada", "show", mail=turn)
    bob = len(world.mails("Bob"))
    world.answer("Ada", "say hello there\nshow", mail=turn)
    assert len(world.mails("Bob")) == bob + 1
    assert "hello there" in world.text("Bob")
    world.answer("Ada", "a1", mail=turn)
    assert world.state(game).line.length == 1
    assert len(world.mails("Bob")) == bob + 2
    db.close()


def test_challenge_accepted(world: World) -> None:
    """A player opens a game by mail; the other accepts; the first player has the turn."""
    world.answer("Ada", "challenge Bob take size=3 variant=high-churn second time=5d", mail=world.welcomes["Ada"])
    assert world.outcome() == "done: opened game 1"
    world.answer("Bob", "accept")
    game = world.service.games.state(1)  # type: ignore[arg-type]
    assert (game.status, game.terms.time) == (Status.RUNNING, "5d")
    assert game.players == (world.service.people.find("Bob").id, world.service.people.find("Ada").id)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("challenge Zoe take", "not_found"),
        ("challenge Ada take", "own_opponent"),
        ("challenge Bob take size=9", "bad_option"),
        ("challenge Bob take colour=red", "bad_option"),
        ("challenge Bob and Cleo take", "seats"),
    ],
)
def test_challenge_refused(world: World, text: str, outcome: str) -> None:
    """Each thing that can be wrong with a challenge."""
    world.answer("Ada", text, mail=world.welcomes["Ada"])
    assert world.outcome().startswith("done: refused")
    assert outcome in world.outcome() or outcome == "seats"


def test_challenge_declined(world: World) -> None:
    """Declining an invitation ends the game and tells the other."""
    game = world.open(accepted=False)
    world.answer("Bob", "decline")
    assert world.state(game).status is Status.ENDED
    assert "declined" in world.text("Ada")


def test_automatic_mail_is_neither_read_nor_answered(world: World) -> None:
    """An out-of-office reply that happens to contain a move."""
    game = world.open()
    raw = world.answer("Ada", "hello there", settle=False)
    ada = len(world.mails("Ada"))
    world.deliver(b"Auto-Submitted: auto-replied\r\n" + raw.replace(b"hello there", b"a1"))
    assert world.outcome().startswith("done: ignored")
    assert world.state(game).line.length == 0
    assert len(world.mails("Ada")) == ada + 1


def test_mail_about_a_game_that_does_not_exist(world: World) -> None:
    """A signed address of a game that this database has never seen, as after a restore."""
    local, domain = SITE.split("@")
    token = sign({1: b"k" * 32}, Token(world.service.people.find("Ada").id, 77, 1, 0))  # type: ignore[arg-type]
    world.answer("Ada", "a1", mail=world.welcomes["Ada"], to=f"{local}+{token}@{domain}")
    assert world.outcome() == "done: refused: lost"


@pytest.mark.parametrize("raw", [b"", b"\x00\xff\xfe", b"From: Ada\r\n\r\na1", b"Subject: \xff\r\n\r\n" + b"On " * 1000])
def test_malformed_mail(world: World, raw: bytes) -> None:
    """The mail is kept and finished whatever its bytes, and nothing else happens."""
    world.service.mail.receive(raw, SITE, "", "test")
    world.settle()
    assert world.outcome().startswith("done:")


def test_a_mail_that_ends_the_process_is_given_up_and_named(any_world: World) -> None:
    """Every process that claimed it died; it ends as failed, and deadlines are enforced again."""
    game = any_world.open()
    any_world.answer("Ada", "a1", settle=False)
    for _ in range(Incoming().max_attempts):
        assert len(inbox.claim(any_world.service.db, any_world.now, 9, LEASE, "somebody")) == 1
        any_world.now += LEASE
    assert any_world.service.mail.read_inbox() == (0, 1)
    assert any_world.outcome() == "failed: the process ended 5 times while this mail was being handled"
    any_world.wait(days=4)
    any_world.service.upkeep.sweep()
    any_world.service.upkeep.sweep()
    assert any_world.state(game).status is Status.ENDED


def test_a_mail_that_another_process_has_finished_meanwhile_is_handled_once(any_world: World) -> None:
    """The one that was slow finds that out as it writes, when its lease is over, and leaves everything as it is."""
    game = any_world.open()
    any_world.answer("Ada", "a1", settle=False)
    (slow,) = inbox.claim(any_world.service.db, any_world.now, 9, LEASE, "the slow one")
    any_world.now += LEASE
    any_world.settle()
    before = any_world.outbox()
    assert any_world.service.mail._reception._one(slow) is True
    assert (any_world.outcome(), any_world.state(game).line.length) == ("done: carried out", 1)
    assert any_world.outbox() == before


def test_mails_tried_before_are_tried_one_a_round_after_the_others(any_world: World) -> None:
    """So that one that ends the process uses up its own attempts only."""
    any_world.open()
    for text in ("help", "games"):
        any_world.answer("Ada", text, settle=False)
    inbox.claim(any_world.service.db, any_world.now, 9, LEASE, "somebody")
    any_world.now += LEASE
    any_world.answer("Ada", "rules", settle=False)
    assert any_world.service.mail.read_inbox() == (2, 0)
    newest = sorted(any_world.outbox(), key=lambda row: row.id)[-2:]
    assert [row.kind for row in newest] == ["rules", "help"]
    with any_world.service.db.read() as conn:
        (waiting,) = inbox.list_inbox(conn, "new")
    assert waiting.attempts == 1
    assert any_world.service.mail.read_inbox() == (1, 0)


@pytest.mark.parametrize("name", ["Message-ID", "In-Reply-To", "References", "Subject", "Reply-To", "To", "Return-Path"])
def test_bytes_beyond_ascii_in_a_header_keep_no_mail_from_being_answered(any_world: World, name: str) -> None:
    """From a player and from a stranger. A mail that cannot be handled would hold back every deadline while it is tried again."""
    for number, sender in enumerate((PEOPLE["Ada"], "eve@example.net")):
        outcome = post(any_world, letter(sender, "help", {name: "<caf\udce9\udcff@example.net>"}, number=number))
        assert outcome == ("refused: unknown_sender" if number else "answered")
        assert len(any_world.mails(sender)) == 2 - number
