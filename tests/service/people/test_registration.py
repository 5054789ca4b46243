"""Accounts and addresses that hold only once the address itself has said so, and how little is kept of people until then."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.mailroom.letters import counts, letter, outcomes, post, reply_address, said, world_over
from tests.service.world import PEOPLE, SITE, World
from turnserver.config import Site
from turnserver.errors import NotAllowed, NotFound
from turnserver.ids import player_stream
from turnserver.play.events import PlayerEdited
from turnserver.rules.writing import skeleton
from turnserver.store.log import log
from turnserver.store.mail import outbox
from turnserver.store.people import confirmations

EVE = "eve@example.net"
NEW = "ada@example.com"


@pytest.fixture
def open_world(sqlite_url: str, tmp_path: Path) -> Iterator[World]:
    """A world that anybody can join."""
    with world_over(sqlite_url, tmp_path, site=Site(address=SITE, registration="open")) as world:
        yield world


@pytest.fixture
def any_open_world(database_url: str, tmp_path: Path) -> Iterator[World]:
    """The same over each engine in turn."""
    with world_over(database_url, tmp_path, site=Site(address=SITE, registration="open")) as world:
        yield world


def asked(world: World, text: str = "Hello,\r\n\r\njoin Eve", number: int = 1) -> str:
    """Somebody without an account writes."""
    return post(world, letter(EVE, text, number=number), sender=EVE)


def test_an_account_is_asked_for_confirmed_and_used(any_open_world: World) -> None:
    """From the first mail of a stranger to a game against Bob."""
    world = any_open_world
    assert asked(world) == "asked to confirm: 1"
    assert 'eply "confirm"' in said(world, EVE)
    assert "4 March 2026, 12:00" in said(world, EVE)
    with pytest.raises(NotFound):
        world.service.people.find("Eve")
    world.wait(days=2, hours=23)

    confirm = letter(EVE, "Confirm.\r\n\r\n> join", {"To": reply_address(world.mails(EVE)[-1])}, number=2)
    assert post(world, confirm, reply_address(world.mails(EVE)[-1])) == "registered player 4"
    person = world.service.people.find("Eve")
    assert (person.address, person.confirmed_at) == (EVE, world.now)
    assert "Welcome to turnserver, Eve" in said(world, EVE)
    invite = letter(EVE, "challenge Bob take", {"To": reply_address(world.mails(EVE)[-1])}, number=3)
    assert post(world, invite) == "opened game 1"
    assert len(world.service.people.everybody()) == len(PEOPLE) + 1


CLOSED_OR_OPEN = [("closed", "join Eve", 0), ("open", "Please, I would like to play.", 1), ("open", "join", 1)]


@pytest.mark.parametrize(("registration", "text", "invited"), CLOSED_OR_OPEN)
def test_whoever_does_not_ask_is_told_how(sqlite_url: str, tmp_path: Path, registration: str, text: str, invited: int) -> None:
    site = Site(address=SITE, registration="open" if registration == "open" else "closed")
    with world_over(sqlite_url, tmp_path, site=site) as world:
        assert asked(world, text) == "refused: unknown_sender"
        assert said(world, EVE).count("join <the name you want>") == invited
        with world.service.db.read() as conn:
            assert confirmations.pending(conn, 1, world.now) is None


REFUSED = {
    "a name that is taken": ("join bob", "name_taken", "The name bob is taken"),
    "a number": ("join 17", "bad_option", "not a number"),
    "a name that cannot be written in a challenge": ("join Eve and Adam", "bad_option", "and"),
    "two names": ("join Eve\r\njoin Eva", "conflict", "more than one name"),
    "a league": ("join league-1", "no_account", "Once you have the account, write join league-1 again"),
    "a league with a filler": ("join the League 1", "no_account", "Reply join and the name you want."),
    "a league in German": ("mitspielen LIGA-12", "no_account", "schreib noch einmal mitspielen LIGA-12"),
    "a name and a league": ("join Eve\r\njoin league-1", "no_account", "Reply join and the name you want."),
    "a name that is too long": (f"join {'a' * 41}", "bad_option", "40 characters"),
}


@pytest.mark.parametrize(("text", "code", "told"), REFUSED.values(), ids=REFUSED)
def test_a_name_that_cannot_be_had_is_explained(open_world: World, text: str, code: str, told: str) -> None:
    assert asked(open_world, text) == f"refused: {code}"
    assert told in said(open_world, EVE)
    assert asked(open_world, "join Eve", 2) == "asked to confirm: 1"


def test_a_name_that_was_given_away_meanwhile(open_world: World) -> None:
    asked(open_world)
    address = reply_address(open_world.mails(EVE)[-1])
    open_world.service.people.add("Eve", "other@example.net", actor="admin:test", cause="test:eve")
    assert post(open_world, letter(EVE, "confirm", {"To": address}, number=2), address) == "refused: name_taken"
    assert len(open_world.service.people.everybody()) == 4


UNCONFIRMED = {
    "too late": (3, "confirm", "refused: nothing_to_confirm"),
    "a mere yes": (0, "Yes, gladly!", "registered player 4"),
    "a yes with its reason": (0, "Hallo,\nja, das war ich!\nÄnne", "registered player 4"),
    "it was another": (0, "No, that was not me!", "refused: not_confirmed"),
    "in German": (0, "Ja", "registered player 4"),
    "a no": (0, "No", "refused: not_confirmed"),
    "another word": (0, "Who are you?", "refused: not_confirmed"),
    "a yes in a quotation": (0, "> yes", "refused: not_confirmed"),
    "the word in a quotation": (0, "> confirm", "refused: not_confirmed"),
    "just in time": (2.99, "confirm", "registered player 4"),
}


@pytest.mark.parametrize(("days", "text", "outcome"), UNCONFIRMED.values(), ids=UNCONFIRMED)
def test_only_a_yes_in_time_confirms(open_world: World, days: float, text: str, outcome: str) -> None:
    asked(open_world)
    address = reply_address(open_world.mails(EVE)[-1])
    open_world.wait(days=days)
    assert post(open_world, letter(EVE, text, {"To": address}, number=2), address) == outcome
    assert len(open_world.service.people.everybody()) == 3 + outcome.startswith("registered")


def test_the_deadline_is_told_by_the_clock_of_the_site(sqlite_url: str, tmp_path: Path) -> None:
    with world_over(sqlite_url, tmp_path, site=Site(address=SITE, registration="open", zone="Europe/Berlin")) as world:
        asked(world)
        assert "4 March 2026, 13:00 (Europe/Berlin)" in " ".join(said(world, EVE).split())


def test_an_automatic_answer_confirms_nothing(open_world: World) -> None:
    """A victim's vacation program answers for them."""
    asked(open_world)
    address = reply_address(open_world.mails(EVE)[-1])
    automatic = letter(EVE, "confirm", {"To": address, "Auto-Submitted": "auto-replied"}, number=2)
    assert post(open_world, automatic, address).startswith("ignored: Auto-Submitted")
    assert len(open_world.service.people.everybody()) == 3


def test_a_confirmation_counts_once_and_by_its_thread_too(open_world: World) -> None:
    """A mail program that answers to the From address still names the mail that it answers."""
    asked(open_world)
    message_id = open_world.mails(EVE)[-1]["Message-ID"].strip()
    confirm = [letter(EVE, "confirm", {"In-Reply-To": message_id}, number=number) for number in (2, 3)]
    assert [post(open_world, raw) for raw in confirm] == ["registered player 4", "refused: nothing_to_confirm"]
    assert len(open_world.service.people.everybody()) == 4


def test_a_number_of_a_confirmation_is_no_secret_and_opens_nothing(open_world: World) -> None:
    """Only the token says that the mail was read; it is signed for this purpose, and a reply token is not."""
    asked(open_world)
    own = reply_address(open_world.welcomes["Ada"])
    assert post(open_world, letter(EVE, "confirm", number=2)) == "refused: unknown_sender; not answered: limit of the day"
    open_world.answer("Ada", "confirm", mail=open_world.welcomes["Ada"])
    assert own
    assert len(open_world.service.people.everybody()) == 3


def test_of_a_stranger_one_row_is_kept_and_this_for_three_days(any_open_world: World) -> None:
    world = any_open_world
    asked(world)
    world.wait(days=2.9)
    world.service.upkeep.sweep()
    with world.service.db.read() as conn:
        assert confirmations.pending(conn, 1, world.now) is not None
    world.wait(days=0.2)
    world.service.upkeep.sweep()
    with world.service.db.engine.connect() as conn:
        assert conn.exec_driver_sql("SELECT count(*) FROM confirmation").scalar() == 0


def test_an_address_that_never_wrote_gets_three_mails_a_day_at_most(open_world: World) -> None:
    """However often somebody asks in its name; and one, if nobody asks for an account."""
    for number in range(6):
        asked(open_world, f"join Eve{number}", number)
    assert len(open_world.mails(EVE)) == 3
    for number in range(6, 9):
        post(open_world, letter("zoe@example.net", "hello", number=number))
    assert len(open_world.mails("zoe@example.net")) == 1
    open_world.wait(days=1, seconds=1)
    asked(open_world, "join Eve", 9)
    assert len(open_world.mails(EVE)) == 4


def test_the_last_mail_that_asks_can_be_answered_however_often_it_was_asked_for(open_world: World) -> None:
    """By somebody impatient, or by somebody else in their name: what is asked for beyond the limit takes back nothing."""
    for number in range(5):
        asked(open_world, "join Eve", number)
    address = reply_address(open_world.mails(EVE)[-1])
    assert post(open_world, letter(EVE, "confirm", {"To": address}, number=9), address) == "registered player 4"


def test_nobody_takes_the_new_address_of_a_player_back_by_asking_for_an_account(any_open_world: World) -> None:
    """Until it is confirmed or the days for it are over; afterwards its owner may have an account of their own."""
    world = any_open_world
    world.open()
    edit(world, "Ada", NEW)
    address = reply_address(world.mails(NEW)[-1])
    assert post(world, letter(NEW, "join Foe"), sender=NEW) == "refused: address_taken"
    assert post(world, letter(NEW, "confirm", {"To": address}, number=2), address) == "address confirmed"
    edit(world, "Bob", "bob@example.com")
    world.wait(days=3)
    world.service.upkeep.sweep()
    assert post(world, letter("bob@example.com", "join Foe"), sender="bob@example.com") == "asked to confirm: 3"


def test_an_account_of_an_admin_is_confirmed_by_the_first_mail_that_is_its_own(world: World) -> None:
    """A mail without a token proves nothing; one with it does, whatever becomes of it; and so does accepting."""
    world.open(accepted=False)
    post(world, letter(PEOPLE["Ada"], "help"))
    assert [person.confirmed_at for person in world.service.people.everybody()] == [None] * 3
    world.wait(hours=1)
    world.answer("Ada", "what a nice mail")
    world.answer("Bob", "accept")
    world.wait(hours=1)
    world.answer("Ada", "accept")
    assert [person.confirmed_at is not None for person in world.service.people.everybody()] == [True, True, False]
    assert world.service.people.find("Ada").confirmed_at == world.service.people.find("Bob").confirmed_at


def edit(world: World, who: str, address: str) -> None:
    """An admin gives a player another address."""
    world.service.people.edit(who, address=address, actor="admin:test", cause=f"test:{who}:{address}:{world.now}")
    world.settle()


def test_a_new_address_holds_once_it_has_answered(any_world: World) -> None:
    """Until then the old one holds, and has been told; mails that were sent there can still be answered afterwards."""
    world = any_world
    game = world.open()
    turn = world.mails("Ada")[-1]
    edit(world, "Ada", NEW)
    assert NEW in said(world, "Ada")
    assert world.service.people.find("Ada").address == PEOPLE["Ada"]
    assert [found and found.address for found in map(world.service.people.new_address, (1, 2))] == [NEW, None]  # type: ignore[arg-type]
    address = reply_address(world.mails(NEW)[-1])
    assert post(world, letter(NEW, "confirm", {"To": address}), address) == "address confirmed"
    assert world.service.people.find("Ada").address == NEW
    assert "From now on" in said(world, NEW)
    assert world.service.people.new_address(1) is None  # type: ignore[arg-type]
    world.answer("Ada", "a1", mail=turn, sender=NEW)
    assert world.state(game).line.length == 1
    world.answer("Bob", "a2")
    assert "a2" in said(world, NEW)
    with world.service.db.read() as conn:
        newest = log.load(conn, player_stream(world.service.people.find("Ada").id))[-1]
    assert isinstance(newest.event, PlayerEdited)
    assert (newest.actor, newest.event.fields) == ("player-1", ("address",))


def test_a_new_address_that_does_not_answer_never_holds(world: World) -> None:
    world.open()
    edit(world, "Ada", NEW)
    address = reply_address(world.mails(NEW)[-1])
    world.wait(days=3)
    world.service.upkeep.sweep()
    assert post(world, letter(NEW, "confirm", {"To": address}), address) == "refused: nothing_to_confirm"
    assert world.service.people.find("Ada").address == PEOPLE["Ada"]


def test_a_new_address_that_somebody_has_is_refused(world: World) -> None:
    """It is refused both when it is asked for and when it is confirmed."""
    world.open()
    with pytest.raises(NotAllowed, match="Another player has the address"):
        edit(world, "Ada", PEOPLE["Bob"])
    edit(world, "Ada", NEW)
    address = reply_address(world.mails(NEW)[-1])
    world.service.people.add("Eve", NEW, actor="admin:test", cause="test:eve")
    assert post(world, letter(NEW, "confirm", {"To": address}), address) == "refused: address_taken"
    assert world.service.people.find("Ada").address == PEOPLE["Ada"]


def test_an_address_that_never_wrote_is_replaced_at_once(world: World) -> None:
    """A mistyped address can neither confirm nor object, and its owner need not hear of the right one."""
    before = counts(world)
    edit(world, "Cleo", NEW)
    assert world.service.people.find("Cleo").address == NEW
    assert counts(world) == before
    assert "Welcome to turnserver, Cleo" in said(world, NEW)


def test_the_same_address_in_another_spelling_needs_no_answer(world: World) -> None:
    world.open()
    edit(world, "Ada", "Ada@Example.ORG")
    assert world.service.people.find("Ada").address == "Ada@Example.ORG"
    assert [row for row in world.outbox() if row.kind == "new_address"] == []


def test_a_player_who_joins_again_is_not_asked_to_confirm(open_world: World) -> None:
    post(open_world, letter(PEOPLE["Ada"], "join Ada"))
    assert outcomes(open_world)[-1] == "refused: no_token"
    with open_world.service.db.read() as conn:
        assert "confirm" not in {row.kind for row in outbox.list_outbox(conn)}


IMPERSONATING = [
    "\u0410da",
    "\uff21da",
    "ad\u0430",
    "\uff22OB",
    "A\u0501\u0430",
    "\u3164",
    "Eve\u3164",
    "E\u115fve",
    "The organisers",
    "organisers",
    "\uff21dmin",
    "admin",
    "Die Spielleitung",
    "house",
    "The House",
    "System",
    "Player 1",
    "Spieler 12",
    "Ada (you)",
    "Tuesday Club",
    "tuesday CLUB",
]
HARMLESS = [
    "Housemann",
    "\u0418\u0432\u0430\u043d",
    "\u0393\u03b9\u03ce\u03c1\u03b3\u03bf\u03c2",
    "M\u00fcller 3",
    "\u67f4\u7530 Ken",
    "O\u2019Neil",
]


@pytest.mark.parametrize(
    ("name", "answered"),
    [("http://evil.example/win", "asked for an account"), ("evil.example", "asked for"), ("win at evil.example, now", "marks")],
)
def test_nobody_reads_the_words_of_a_stranger_who_gives_their_address(open_world: World, name: str, answered: str) -> None:
    """The question whether an address is right, and a refusal of the name, go to somebody who may have written nothing."""
    asked(open_world, f"join {name}")
    (mail,) = open_world.mails(EVE)
    both = " ".join(part.get_content() for part in mail.walk() if part.get_content_maintype() == "text")
    assert answered in " ".join(both.split())
    assert "evil" not in both + str(mail["Subject"])


@pytest.mark.parametrize("name", [*IMPERSONATING, *HARMLESS], ids=ascii)
def test_nobody_is_called_as_somebody_else_looks(sqlite_url: str, tmp_path: Path, name: str) -> None:
    with world_over(sqlite_url, tmp_path, site=Site(address=SITE, name="Tuesday Club", registration="open")) as world:
        outcome = asked(world, f"join {name}")
        assert outcome.startswith("refused") is (name in IMPERSONATING)
        assert (" asked for an account" in said(world, EVE)) is (name in HARMLESS)
        if name in IMPERSONATING and skeleton(name) != "tuesday club":
            chosen = letter(PEOPLE["Cleo"], f"set public as {name}", {"To": reply_address(world.welcomes["Cleo"])}, number=2)
            assert post(world, chosen).startswith("refused")


def test_whoever_is_called_so_already_stays(world: World) -> None:
    """Bob's name has a Cyrillic letter and looks like Ada's, from before that was looked at."""
    with world.service.db.engine.connect() as conn:
        conn.exec_driver_sql("UPDATE player SET name = '\u0410da', name_key = '\u0430da' WHERE id = 2")
        conn.commit()
    post(world, letter(PEOPLE["Bob"], "set zone Europe/Berlin", {"To": reply_address(world.welcomes["Bob"])}))
    post(world, letter(PEOPLE["Ada"], "set zone Europe/Berlin", {"To": reply_address(world.welcomes["Ada"])}, number=2))
    assert outcomes(world)[-2:] == ["settings changed"] * 2
    assert [world.service.people.find(name).id for name in ("Ada", "\u0410da")] == [1, 2]
    with pytest.raises(NotAllowed, match="taken"):
        world.service.people.edit("Cleo", name="\u0410\u0501\u0430", actor="admin:test", cause="test:cleo")
