"""The writer of a mail, how often it counts, and who is told: copies, several recipients, several tokens, machines, strangers."""

from collections.abc import Callable
from email.message import EmailMessage

import pytest

from tests.service.world import PEOPLE, SITE, World
from turnserver.ids import GameId, PlayerId
from turnserver.mail.format.tokens import Token, sign
from turnserver.play.commands import Retract
from turnserver.play.state import Status
from turnserver.store.mail import inbox


def reply_address(mail: EmailMessage) -> str:
    """Return the address to which an answer to the mail goes."""
    address: str = mail["Reply-To"].addresses[0].addr_spec
    return address


def signed(player: int, game: int = 0) -> str:
    """A reply address that is as genuine as can be, whether or not there is such a player or game."""
    local, domain = SITE.split("@")
    return f"{local}+{sign({1: b'k' * 32}, Token(PlayerId(player), GameId(game), 1))}@{domain}"


def kinds(world: World) -> list[str]:
    """Return what went out, oldest first."""
    return [row.kind for row in reversed(world.outbox())]


def outcomes(world: World) -> list[str | None]:
    """Return what the mails of the inbox came to, oldest first."""
    with world.service.db.read() as conn:
        return [mail.outcome for mail in reversed(inbox.list_inbox(conn))]


ORDERS: dict[str, Callable[[str], list[str]]] = {
    "token first": lambda own: [own, SITE],
    "plain address first": lambda own: [SITE, own],
    "twice the token, in another case": lambda own: [own, own.upper()],
}


@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS.keys())
@pytest.mark.parametrize(("text", "told"), [("say hello", 1), ("challenge Bob take", 2), ("a1", 1), ("help", 1)])
def test_one_mail_to_two_addresses_of_ours(world: World, order: Callable[[str], list[str]], text: str, told: int) -> None:
    """A mail program that answers to From and Reply-To alike has written one mail."""
    world.open()
    raw = world.answer("Ada", text, settle=False)
    with world.service.db.read() as conn:
        answered = inbox.get(conn, inbox.list_inbox(conn)[0].id).recipient
    before = len(world.outbox())
    for recipient in order(answered):
        world.service.mail.receive(raw, recipient, PEOPLE["Ada"], "test")
    world.settle()
    assert len(world.outbox()) == before + told
    assert outcomes(world)[-2:] == ["duplicate", "duplicate"]


def test_a_mail_that_belongs_to_two_players_does_nothing(world: World) -> None:
    """One mail that names both players' reply addresses: each copy is explained to its sender, and nothing is done."""
    game = world.open()
    ada, bob = (reply_address(world.mails(name)[-1]) for name in ("Ada", "Bob"))
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Cc"], mail["Message-ID"] = PEOPLE["Ada"], bob, ada, "<both@example.org>"
    mail.set_content("confirm resign\n")
    for recipient in (bob, ada):
        world.service.mail.receive(mail.as_bytes(), recipient, PEOPLE["Ada"], "test")
    world.settle()
    assert outcomes(world)[-2:] == ["refused: contradicting_tokens"] * 2
    assert world.state(game).status is Status.RUNNING
    assert "two players" in " ".join(world.text("Ada").split())


def test_blind_copy(world: World) -> None:
    """The envelope says who is meant, where no header does."""
    game = world.open()
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Message-ID"] = PEOPLE["Ada"], "undisclosed@example.org", "<blind@example.org>"
    mail.set_content("a1\n")
    world.service.mail.receive(mail.as_bytes(), reply_address(world.mails("Ada")[-1]), PEOPLE["Ada"], "test")
    world.settle()
    assert world.state(game).line.length == 1


def test_same_message_id_but_other_words(world: World) -> None:
    """A broken mail program that repeats its Message-IDs has nevertheless written two mails."""
    world.open()
    raw = world.answer("Ada", "say one", settle=False)
    world.deliver(raw.replace(b"say one", b"say two"))
    assert kinds(world)[-2:] == ["said", "said"]


def test_challenge_twice_by_the_same_mail(world: World) -> None:
    """A mail that comes again, by another relay, opens no second game."""
    raw = world.answer("Ada", "challenge Bob take", mail=world.welcomes["Ada"])
    world.deliver(b"Received: by another.example\r\nReturn-Path: <ada@example.org>\r\n" + raw)
    assert outcomes(world) == ["opened game 1", "duplicate"]
    assert len(world.mails("Bob")) == 2


def test_challenge_without_an_account(world: World) -> None:
    """Somebody unknown opens nothing; they hear how to get an account, and the one they name hears nothing."""
    bob = len(world.mails("Bob"))
    world.answer("Ada", "challenge Bob take", mail=world.welcomes["Ada"], sender="who@example.net", to=SITE)
    assert world.outcome() == "done: refused: unknown_sender"
    assert len(world.mails("who@example.net")) == 1
    assert len(world.mails("Bob")) == bob


def test_days_that_cannot_be(world: World) -> None:
    """No days a move are not the same as nothing said about them."""
    world.answer("Ada", "challenge Bob take days=0", mail=world.welcomes["Ada"])
    assert world.outcome() == "done: refused: bad_option"


def test_invitations_received_do_not_count_as_challenges(world: World) -> None:
    """A player whom many have invited may still challenge."""
    most = world.service.settings.play.max_open_challenges
    for _ in range(most):
        world.wait(seconds=1)
        world.open(accepted=False)
    for number in range(most + 1):
        world.answer("Bob", f"challenge Cleo take size={2 + number % 5}", mail=world.welcomes["Bob"])
    assert outcomes(world)[-1] == "refused: too_many_challenges"
    assert outcomes(world)[-2] == f"opened game {2 * most}"


@pytest.mark.parametrize("words", ["challenge 3 take", "challenge Bob and 3 take", "substitute 3", "challenge 3 tennis"])
def test_nobody_learns_by_a_number_who_is_who(world: World, words: str) -> None:
    """Cleo has the number 3, and nobody but those who run the service calls players by numbers."""
    world.open()
    heard = len(world.mails("Cleo"))
    world.answer("Ada", words)
    assert outcomes(world)[-1] == "refused: not_found"
    assert "Cleo" not in world.text("Ada")
    assert len(world.mails("Cleo")) == heard


def test_challenges_that_were_called_off_make_no_room_before_the_next_day(world: World) -> None:
    """Else a player who calls off what they have asked could go on asking, whoever hears of it; what others ask them is their affair."""
    most = world.service.settings.play.max_open_challenges
    world.answer("Bob", "challenge Ada take", mail=world.welcomes["Bob"])
    world.answer("Ada", "decline")
    for _ in range(most):
        world.answer("Ada", "challenge Cleo take", mail=world.welcomes["Ada"])
        world.answer("Ada", "decline")
    heard = len(world.mails("Cleo"))
    world.answer("Ada", "challenge Cleo take", mail=world.welcomes["Ada"])
    assert (outcomes(world)[-1], len(world.mails("Cleo"))) == ("refused: too_many_challenges", heard)
    world.wait(hours=25)
    world.answer("Ada", "challenge Cleo take", mail=world.welcomes["Ada"])
    assert outcomes(world)[-1] == f"opened game {most + 2}"


@pytest.mark.parametrize(("player", "game"), [(1, 77), (99, 0)])
def test_a_token_of_a_time_that_is_gone(world: World, player: int, game: int) -> None:
    """A database that is older than the mail, as after a restore: the writer is told, by a mail that arrives."""
    ada = len(world.mails("Ada"))
    world.answer("Ada", "a1", mail=world.welcomes["Ada"], to=signed(player, game))
    assert outcomes(world) == ["refused: lost"]
    assert len(world.mails("Ada")) == ada + 1


@pytest.mark.parametrize(("sender", "outcome"), [("", "ignored: null sender"), (None, "said"), (PEOPLE["Ada"], "said")])
def test_the_null_sender_is_a_machine(world: World, sender: str | None, outcome: str) -> None:
    """Nobody answers a bounce, however human it looks; a sender that the transport does not tell is another matter."""
    world.open()
    raw = world.answer("Ada", "say first", settle=False).replace(b"say first", b"say again")
    world.service.mail.receive(raw, reply_address(world.mails("Ada")[-1]), sender, "test")
    world.settle()
    assert outcomes(world)[-1] == outcome


def test_a_mail_of_ours_that_comes_back_is_ignored(world: World) -> None:
    """Two turnservers, or one and its own mailbox, cannot talk for ever."""
    world.open()
    before = len(world.outbox())
    for mail in [*world.mails("Ada"), *world.mails("Bob")]:
        world.service.mail.receive(mail.as_bytes(), reply_address(mail), SITE, "test")
        del mail["From"]
        mail["From"] = "turns@other.example"
        world.service.mail.receive(mail.as_bytes(), reply_address(mail), "turns@other.example", "test")
    world.settle()
    assert len(world.outbox()) == before
    assert all((outcome or "").startswith(("ignored", "carried out")) for outcome in outcomes(world))


def test_only_who_wrote_a_mail_gets_an_answer_to_it(world: World) -> None:
    """The opponent's mail follows on the opponent's own thread: the Message-ID of somebody else's mail is nothing to them."""
    world.open()
    earlier = {str(mail["Message-ID"]).strip() for mail in world.mails("Bob")}
    asked = world.answer("Ada", "show")
    (own_id,) = [line.split()[1].decode() for line in asked.splitlines() if line.startswith(b"Message-ID")]
    assert world.mails("Ada")[-1]["In-Reply-To"].strip() == own_id
    world.answer("Ada", "say hi\na1", mail=world.mails("Ada")[-2])
    turn = world.mails("Bob")[-1]
    assert turn["In-Reply-To"].strip() in earlier
    assert set(turn["References"].split()) <= earlier


@pytest.mark.parametrize("text", ["say I am Ada", "a1", "confirm resign"])
def test_what_a_stranger_does_with_her_address_is_reported_to_her(world: World, text: str) -> None:
    """Ada may write from another address; in case it was not she, her own hears of it."""
    world.open()
    ada = len(world.mails("Ada"))
    world.answer("Ada", text, sender="elsewhere@example.net")
    mails = world.mails("Ada")[ada:]
    assert sum("elsewhere@example.net" in str(mail.get_body(("plain",))) for mail in mails) == 1


def test_accepting_twice(world: World) -> None:
    """The second time there is nothing to accept, and the game goes on as if it had not been said."""
    game = world.open(accepted=False)
    invitation = world.mails("Ada")[-1]
    world.answer("Ada", "accept")
    world.answer("Ada", "accept", mail=invitation)
    assert world.outcome() == "done: refused: already_accepted"
    world.answer("Bob", "accept")
    world.answer("Bob", "accept")
    assert world.outcome() == "done: refused: nothing_to_accept"
    assert world.state(game).status is Status.RUNNING


def test_a_mail_whose_inbox_row_was_erased(world: World) -> None:
    """It could be carried out once more, since an admin took the game up again; the log remembers what the inbox has forgotten."""
    game = world.open()
    world.answer("Ada", "a1")
    raw = world.answer("Bob", "pause 5 days")
    assert world.outcome() == "done: carried out"
    world.service.games.handle(game, Retract(1, "pressed the wrong key"), actor="admin:test", cause="test:retract")
    world.settle()
    with world.service.db.engine.connect() as conn:
        conn.exec_driver_sql("DELETE FROM inbox")
        conn.commit()
    sent = len(world.outbox())
    world.deliver(raw)
    assert (world.state(game).status, world.outcome(), len(world.outbox())) == (Status.RUNNING, "done: duplicate", sent)


def test_a_mail_of_ours_that_lost_its_marks_on_the_way_is_known_by_one(world: World) -> None:
    """A forwarding program has taken out what says that a machine wrote it, and has put another sender in."""
    world.open()
    before = len(world.outbox())
    mail = world.mails("Ada")[-1]
    for name in ("From", "Auto-Submitted", "List-Id", "X-Auto-Response-Suppress", "Return-Path"):
        del mail[name]
    mail["From"] = PEOPLE["Bob"]
    world.service.mail.receive(mail.as_bytes(), reply_address(mail), PEOPLE["Bob"], "test")
    world.settle()
    assert (outcomes(world)[-1], len(world.outbox())) == ("ignored: our own mail", before)
