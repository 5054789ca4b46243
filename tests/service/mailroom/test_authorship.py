"""The author of a mail: tokens from everywhere that mail programs leave them, in the order of trust; forged, borrowed, old, and none."""

from collections.abc import Callable
from email.message import EmailMessage
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.service.mailroom.letters import counts, key_of, letter, outcomes, post, reply_address, said
from tests.service.world import PEOPLE, SITE, World
from turnserver.ids import PlayerId
from turnserver.mail.format.tokens import Purpose, Token, sign
from turnserver.play.state import Status
from turnserver.store.incidents import restorations
from turnserver.store.log import secrets as keyring

ADA, EVE = PEOPLE["Ada"], "eve@example.net"
LOCAL, DOMAIN = SITE.split("@")


class Turn(NamedTuple):
    """Ada's turn mail: the address that answers it, its token, its Message-ID."""

    address: str
    key: str
    message_id: str


def of(mail: EmailMessage) -> Turn:
    return Turn(reply_address(mail), key_of(mail), mail["Message-ID"].strip())


def folded(address: str) -> str:
    """The address as a header that is broken before it, with a display name, and in capitals."""
    return f'"Turns (do not\r\n forward), Ada" \r\n <{address.upper()}>'


SHOWN: dict[str, tuple[Callable[[Turn], dict[str, str]], str]] = {
    "Delivered-To": (lambda turn: {"Delivered-To": turn.address}, "a1"),
    "X-Original-To": (lambda turn: {"X-Original-To": turn.address}, "a1"),
    "To": (lambda turn: {"To": turn.address}, "a1"),
    "To, folded": (lambda turn: {"To": folded(turn.address)}, "a1"),
    "To, among others": (lambda turn: {"To": f"bob@example.org, {turn.address}, {SITE}"}, "a1"),
    "Cc": (lambda turn: {"Cc": f"Turns <{turn.address}>"}, "a1"),
    "Reply-To": (lambda turn: {"Reply-To": turn.address}, "a1"),
    "a key line": (lambda _: {}, "key {key}\r\na1"),
    "a key line in capitals, below": (lambda _: {}, "a1\r\n\r\nKEY: {KEY}"),
    "the same several times": (lambda turn: {"To": turn.address, "In-Reply-To": turn.message_id}, "key {key}\r\na1"),
}


@pytest.mark.parametrize(("headers", "text"), SHOWN.values(), ids=SHOWN)
@pytest.mark.parametrize("sender", [ADA, EVE])
def test_a_token_is_found_wherever_programs_leave_it(
    world: World, headers: Callable[[Turn], dict[str, str]], text: str, sender: str
) -> None:
    """The mail came to the plain address of the service; who has the token may write from anywhere, and Ada hears of it."""
    game = world.open()
    turn = of(world.mails("Ada")[-1])
    outcome = post(world, letter(sender, text.format(key=turn.key, KEY=turn.key.upper()), headers(turn)), sender=sender)
    assert (outcome, world.state(game).line.length) == ("carried out", 1)
    assert ("not from your own address" in said(world, "Ada")) is (sender == EVE)


ANSWERING: dict[str, Callable[[Turn], dict[str, str]]] = {
    "In-Reply-To": lambda turn: {"In-Reply-To": turn.message_id},
    "References": lambda turn: {"References": f"<a@example.org>\r\n {turn.message_id}\r\n <b@example.org>"},
}
SENDERS = {
    ADA: "carried out",
    "Ada@Example.org.": "carried out",
    "ada+phone@example.org": "carried out",
    PEOPLE["Bob"]: "refused: borrowed_token",
    "bob+x@example.org": "refused: borrowed_token",
    '"bob"@example.org': "refused: borrowed_token",
    "BOB@example.org.": "refused: borrowed_token",
    "Dan.Club@googlemail.com": "refused: borrowed_token",
    "b.ob@example.org": "refused: foreign_reply",
    EVE: "refused: foreign_reply",
}


@pytest.mark.parametrize("headers", ANSWERING.values(), ids=ANSWERING)
@pytest.mark.parametrize(("sender", "outcome"), SENDERS.items())
def test_a_mail_that_is_answered_counts_as_a_token_from_its_players_mailbox_only(
    world: World, headers: Callable[[Turn], dict[str, str]], sender: str, outcome: str
) -> None:
    """Whoever gets a copy of an answer reads there what it answers, and nobody's address is their own again behind a plus."""
    world.add("Dan", "danclub+turns@gmail.com")
    game = world.open()
    turn, before = of(world.mails("Ada")[-1]), counts(world)["Ada"]
    for number, text in enumerate(("a1", "confirm resign")):
        if (world.state(game).line.length, number) != (1, 1):
            assert post(world, letter(sender, text, headers(turn), number=number), sender=sender) == outcome
    assert (world.state(game).line.length, world.state(game).result) == (outcome == "carried out", None)
    assert counts(world)["Ada"] == before + {"refused: foreign_reply": 2}.get(outcome, 0)
    assert outcome != "refused: foreign_reply" or "If you wrote it, send it again from your own address" in said(world, "Ada")


@pytest.mark.parametrize("sender", ["bob+x@example.org", "BOB@example.org."])
def test_another_spelling_of_another_players_address_is_theirs(world: World, sender: str) -> None:
    """With whatever token."""
    game = world.open()
    outcome = post(world, letter(sender, "a1", {"To": reply_address(world.mails("Ada")[-1])}), sender=sender)
    assert (outcome, world.state(game).line.length) == ("refused: borrowed_token", 0)
    assert "another player's reply address" in said(world, "Bob")


MADE_UP: dict[str, Callable[[Turn], dict[str, str]]] = {
    "nothing": lambda _: {},
    "a name that looks like an address": lambda turn: {"To": f'"{turn.address}" <{SITE}>'},
    "a comment": lambda turn: {"To": f"{SITE} ({turn.address})"},
    "another header": lambda turn: {"X-Reply-To": turn.address, "Subject": turn.key},
    "an encoded word": lambda turn: {"To": f"=?utf-8?q?{turn.address.replace('@', '=40')}?= <{SITE}>"},
    "a Message-ID of ours that is not": lambda turn: {"In-Reply-To": turn.message_id.replace("<turn.", "<turn.0")},
    "a Message-ID that others can see": lambda _: {"In-Reply-To": "<1.letter@example.org>"},
}


@pytest.mark.parametrize("headers", MADE_UP.values(), ids=MADE_UP)
@pytest.mark.parametrize("sender", [ADA, EVE])
def test_what_is_no_token_authorises_nothing(world: World, headers: Callable[[Turn], dict[str, str]], sender: str) -> None:
    game = world.open()
    before = counts(world)
    outcome = post(world, letter(sender, "a1", headers(of(world.mails("Ada")[-1]))), sender=sender)
    assert outcome == ("refused: no_token" if sender == ADA else "refused: unknown_sender")
    assert world.state(game).line.length == 0
    assert counts(world) == {**before, "Ada": before["Ada"] + (sender == ADA)}


@pytest.mark.parametrize(("sender", "outcome"), [(ADA, "refused: no_token"), (EVE, "refused: unknown_sender")])
def test_an_answer_to_a_mail_that_went_to_no_player_authorises_nothing(world: World, sender: str, outcome: str) -> None:
    """Eve has no account and was told so. The mail that said it is ours, but speaks for nobody, also if she has passed it on."""
    assert post(world, letter(EVE, "help"), sender=EVE) == "refused: unknown_sender"
    answered = {"In-Reply-To": world.mails(EVE)[-1]["Message-ID"].strip()}
    before = world.service.people.everybody()
    assert post(world, letter(sender, "accept", answered, number=2), sender=sender).startswith(outcome)
    assert world.service.people.everybody() == before


@pytest.mark.parametrize(("secret", "same"), [(b"k" * 32, True), (b"x" * 32, False)])
def test_a_message_id_is_the_same_for_the_same_request_and_the_same_secret_only(world: World, secret: bytes, same: bool) -> None:
    """So it can be computed by nobody who merely knows what the mail is about."""
    world.open()

    def resent() -> str:
        """The Message-ID of a request that is as if it were the first."""
        with world.service.db.engine.connect() as conn:
            conn.exec_driver_sql("DELETE FROM outbox")
            conn.commit()
        world.restart()
        world.service.mail.resend("Ada", actor="admin:test", cause="test:resend")
        (row,) = world.outbox()
        return row.message_id

    first = resent()
    with world.service.db.engine.connect() as conn:
        conn.exec_driver_sql("UPDATE secret SET value = ? WHERE name = 'message-id'", (secret,))
        conn.commit()
    assert (resent() == first) is same


def test_a_mail_answers_the_turn_that_the_mail_of_ours_was_about(world: World) -> None:
    """The thread of a game grows, and what is told by its oldest Message-ID is the oldest turn."""
    game = world.open()
    first = of(world.mails("Ada")[-1])
    world.answer("Ada", "a1")
    world.answer("Bob", "a2")
    second = of(world.mails("Ada")[-1])
    late = letter(ADA, "b1", {"In-Reply-To": first.message_id, "References": second.message_id}, number=1)
    assert post(world, late) == "refused: turn_already_played"
    newest = letter(ADA, "b1", {"References": f"{first.message_id} {second.message_id}"}, number=2)
    assert post(world, newest) == "carried out"
    assert world.state(game).line.length == 3


REPLAYED = [("the same mail", 1, "duplicate"), ("with another Message-ID", 2, "refused: turn_already_played")]


@pytest.mark.parametrize(("number", "outcome"), [row[1:] for row in REPLAYED], ids=[row[0] for row in REPLAYED])
def test_a_mail_that_was_good_once_is_not_good_twice(any_world: World, number: int, outcome: str) -> None:
    """Somebody who gets hold of an old mail can send it again, and nothing comes of it."""
    game = any_world.open()
    turn = of(any_world.mails("Ada")[-1])
    post(any_world, letter(ADA, "a1", {"To": turn.address}), turn.address)
    any_world.answer("Bob", "a2")
    assert post(any_world, letter(ADA, "a1", {"To": turn.address}, number=number), turn.address) == outcome
    assert any_world.state(game).line.length == 2


CONTRADICTING: dict[str, tuple[Callable[[Turn, Turn], dict[str, str]], str]] = {
    "two recipients": (lambda ada, bob: {"To": f"{ada.address}, {bob.address}"}, ""),
    "recipient and Reply-To": (lambda ada, bob: {"To": ada.address, "Reply-To": bob.address}, ""),
    "recipient and thread": (lambda ada, bob: {"To": ada.address, "In-Reply-To": bob.message_id}, ""),
    "thread and key": (lambda ada, _: {"In-Reply-To": ada.message_id}, "key {bob}\r\n"),
    "two keys": (lambda _ada, _bob: {}, "key {ada}\r\nkey {bob}\r\n"),
}


@pytest.mark.parametrize(("headers", "keys"), CONTRADICTING.values(), ids=CONTRADICTING)
@pytest.mark.parametrize("sender", [ADA, EVE])
def test_tokens_of_two_players_contradict_each_other(
    world: World, headers: Callable[[Turn, Turn], dict[str, str]], keys: str, sender: str
) -> None:
    """Nothing is done, and the one who gets to know of it is a player at their own address."""
    game = world.open()
    ada, bob = (of(world.mails(name)[-1]) for name in ("Ada", "Bob"))
    before = sum(counts(world).values())
    text = f"{keys.format(ada=ada.key, bob=bob.key)}confirm resign"
    assert post(world, letter(sender, text, headers(ada, bob)), sender=sender) == "refused: contradicting_tokens"
    assert (world.state(game).status, sum(counts(world).values())) == (Status.RUNNING, before + 1)
    assert not world.mails(EVE)


def test_a_key_of_another_game_than_the_one_answered_does_nothing(world: World) -> None:
    """The move would be played in one of two games, and only the writer knows in which."""
    one = world.open()
    world.wait(seconds=1)
    earlier = of(world.mails("Ada")[-1])
    other = world.open()
    world.answer("Ada", f"key {earlier.key}\na1")
    assert outcomes(world)[-1] == "refused: contradicting_tokens"
    assert [world.state(game).line.length for game in (one, other)] == [0, 0]


def test_a_forged_token_spoils_the_mail_whatever_else_it_shows(world: World) -> None:
    game = world.open()
    turn = of(world.mails("Ada")[-1])
    forged = sign({1: b"x" * 32}, Token(world.service.people.find("Ada").id, game, 1))
    beside = {"In-Reply-To": turn.message_id}
    for number, (headers, text) in enumerate((({"To": f"{LOCAL}+{forged}@{DOMAIN}"}, "a1"), ({}, f"key {forged}\r\na1"))):
        assert post(world, letter(ADA, text, {**beside, **headers}, number=number)) == "refused: bad_token"
    assert world.state(game).line.length == 0


@pytest.mark.parametrize("purpose", [Purpose.CONFIRM, Purpose.UNSUBSCRIBE])
def test_a_token_for_something_else_plays_nothing(world: World, purpose: Purpose) -> None:
    game = world.open()
    token = sign({1: b"k" * 32}, Token(PlayerId(1), game, 1), purpose)
    post(world, letter(ADA, "a1", {"To": f"{LOCAL}+{token}@{DOMAIN}"}), f"{LOCAL}+{token}@{DOMAIN}")
    assert world.state(game).line.length == 0


def test_a_key_alone_asks_for_nothing(world: World) -> None:
    """It says whose mail it is; what they want is still to be said."""
    world.open()
    key = of(world.mails("Ada")[-1]).key
    assert post(world, letter(ADA, f"key {key}")) == "refused: nothing_asked"
    assert "I couldn't find a command in your mail." in said(world, "Ada")


def test_several_senders_are_none(world: World) -> None:
    """The token is good, but the mail cannot be; its player hears of it, and neither of the addresses in From."""
    game = world.open()
    turn = of(world.mails("Ada")[-1])
    for number, sender in enumerate((f"{EVE}, {ADA}", f"{EVE}\r\nFrom: {ADA}", f'"{ADA}" <{EVE}>, {EVE}')):
        raw = letter(sender, "a1", {"To": turn.address}, number=number)
        assert post(world, raw, turn.address, EVE) in ("refused: no_sender", "refused: repeated_header")
    assert (world.state(game).line.length, len(world.mails(EVE))) == (0, 0)
    for raw in (letter(f"{EVE}\r\nFrom: {ADA}", "help"), letter("", "help", {"From": ""})):
        assert post(world, raw) == "ignored: no sender to answer to"


ODD = st.sampled_from([SITE, ADA, PEOPLE["Bob"], EVE, f"{LOCAL}+8-h-1-0-1-{'a' * 26}@{DOMAIN}", f"{LOCAL}+b-1-1-{'a' * 26}@{DOMAIN}", ""])
NAMES = ("From", "To", "Cc", "Reply-To", "Sender", "Delivered-To", "X-Original-To", "In-Reply-To", "References", "Return-Path", "Subject")
KEY = f"key 8-h-1-0-1-{'a' * 26}"
WORDS = (
    "a1",
    "move a1",
    "confirm resign",
    "accept",
    "say hello",
    "challenge Bob take",
    "draw",
    "set digest 18:00",
    KEY,
    "join Eve",
    "confirm",
)
HEADERS = st.dictionaries(st.sampled_from(NAMES), ODD, max_size=6)
LINES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(HEADERS, LINES, st.integers(0, 10**9))
def test_no_mail_without_a_valid_token_changes_anything(world: World, headers: dict[str, str], lines: list[str], number: int) -> None:
    """Neither its words nor the sender that it names make a difference."""
    if not world.service.mail.mails_written() > len(PEOPLE):
        world.open()
    before, people = world.service.games.history(1), world.service.people.everybody()  # type: ignore[arg-type]
    post(world, letter(headers.get("From", ADA), "\r\n".join(lines), headers, number=number), headers.get("To") or SITE)
    assert world.service.games.history(1) == before  # type: ignore[arg-type]
    assert world.service.people.everybody() == people
    assert [row.game for row in world.outbox() if row.game not in (None, 1)] == []


DOMAINS: dict[str, Callable[[str], str]] = {
    "in capitals": lambda ours: ours.replace(SITE.partition("@")[2], SITE.partition("@")[2].upper()),
    "another one": lambda ours: ours.replace(SITE.partition("@")[2], "x"),
}


@pytest.mark.parametrize("rewritten", DOMAINS.values(), ids=DOMAINS.keys())
@pytest.mark.parametrize("field", ["In-Reply-To", "References"])
def test_a_message_id_is_ours_whatever_its_domain(any_world: World, rewritten: Callable[[str], str], field: str) -> None:
    """Only the part before the domain is signed: nobody makes mail of ours look lost, and no program that rewrites domains loses a turn."""
    game = any_world.open()
    with any_world.service.db.read() as conn:
        keys = keyring.keys(conn, keyring.MESSAGE_ID)
    ours = rewritten(any_world.mails("Ada")[-1]["Message-ID"].strip())
    any_world.deliver(letter("zed@evil.example", "hello", {"To": SITE, field: ours}, number=8))
    assert any_world.outcome() == "done: refused: foreign_reply"
    any_world.deliver(letter(PEOPLE["Ada"], "a1", {"To": SITE, field: ours}, number=9))
    assert any_world.state(game).line.length == 1
    with any_world.service.db.read() as conn:
        assert (restorations.every_loss(conn), restorations.every(conn)) == ([], [])
        assert keyring.keys(conn, keyring.MESSAGE_ID) == keys
