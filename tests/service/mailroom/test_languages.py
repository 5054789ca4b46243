"""A player's language: how it is set, what is told in it from then on, and that what German mails say to write does what they say."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.mailroom.letters import letter, post, reply_address, said, world_over
from tests.service.world import PEOPLE, SITE, World
from turnserver.config import Site
from turnserver.mail.inbound.phrases import Set
from turnserver.mail.inbound.understanding import understand
from turnserver.mail.outbound.language import language
from turnserver.service.people import preferences

EVA = "eva@example.net"
ZOE = "zoe@example.net"
GERMAN = language("de")


@pytest.fixture
def german(world: World) -> World:
    """A world whose Ada reads German."""
    world.service.people.choose("Ada", [("language", "de")], actor="admin:test", cause="test:german")
    return world


@pytest.fixture(params=["en", "de"])
def open_world(sqlite_url: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[World]:
    """A world that anybody can join, whose strangers are spoken to in English or in German."""
    with world_over(sqlite_url, tmp_path, site=Site(address=SITE, registration="open", language=request.param)) as world:
        yield world


@pytest.mark.parametrize("line", ["set language German", "setzen sprache Deutsch", "Setze Sprache auf de!", "set language=DE"])
def test_the_answer_is_in_the_new_language_already(world: World, line: str) -> None:
    world.answer("Ada", line)
    assert world.outcome() == "done: settings changed"
    assert world.service.people.find("Ada").preferences.language == "de"
    assert "* sprache = Deutsch " in world.text("Ada")
    assert "setzen sammelmail 18:00\n" in world.text("Ada")
    world.answer("Ada", "setzen sprache Englisch")
    assert "* language = English " in world.text("Ada")


def test_the_form_of_a_command_is_wrapped_without_bars(world: World, german: World) -> None:
    """A bar in it means "or"."""
    german.answer("Ada", "hilfe herausfordern")
    world.answer("Bob", "help challenge")
    assert "[<option>=<wert> ...] [zuerst|danach] [bedenkzeit=<zeit>]" in " ".join(world.text("Ada").split())
    assert "[<option>=<value> ...] [first|second] [time=<time>]" in " ".join(world.text("Bob").split())


def test_a_language_that_there_is_not(world: World) -> None:
    world.answer("Ada", "set language Klingon")
    assert "-> Our mails don't come in 'Klingon'. Choose English (en) or Deutsch\n   (de)." in world.text("Ada")
    assert world.service.people.find("Ada").preferences.language == "en"


@pytest.mark.parametrize("setting", [one for one in preferences.CHOICES if one not in ("subscribed", "public")])
def test_every_line_of_the_german_settings_does_what_the_english_one_does(german: World, setting: str) -> None:
    german.answer("Ada", "einstellungen")  # each line may be copied from the mail that offers it
    person = german.service.people.find("Ada")
    (shown,) = [one for one in preferences.listed(person) if one.name == setting]
    for english, way in zip(shown.ways, GERMAN.told(shown).ways, strict=True):
        (phrase,) = understand([way.line], lambda _: False).phrases
        assert (phrase,) == understand([english.line], lambda _: False).phrases
        assert isinstance(phrase, Set)
        german.answer("Ada", way.line)
        assert german.outcome() == "done: settings changed"
        assert preferences.values(german.service.people.find("Ada"))[setting] == english.value


@pytest.mark.parametrize(
    ("line", "value"),
    [("setze öffentlich Name", "name"), ("setze öffentlich als Klein", "as Klein"), ("setzen öffentlich aus", "off")],
)
def test_what_strangers_read_is_set_in_german_and_a_pseudonym_is_not_translated(german: World, line: str, value: str) -> None:
    german.answer("Ada", line)
    assert german.outcome() == "done: settings changed"
    assert preferences.values(german.service.people.find("Ada"))["public"] == value


@pytest.mark.parametrize(("line", "value"), [("18 Uhr", "18:00"), ("auf 7.30 Uhr", "07:30"), ("nie", "off")])
def test_times_in_german(german: World, line: str, value: str) -> None:
    german.answer("Ada", f"setzen sammelmail {line}")
    assert preferences.values(german.service.people.find("Ada"))["digest"] == value


def test_quiet_hours_in_german(german: World) -> None:
    german.answer("Ada", "setzen ruhe von 22 Uhr bis 7 Uhr")
    assert "* ruhe = 22:00-07:00 " in german.text("Ada")


UNCONFIRMED = [("mitspielen Eva", "not_confirmed"), ("best\u00e4tigen", "name_taken"), ("best\u00e4tigen", "nothing_to_confirm")]
REFUSED = [
    ("aufgebn", "| aufgebn\n-> Das verstehen wir nicht.\n"),
    ("zug um Zug", "-> Das verstehen wir nicht. Meintest du: zug <dein Zug>\n"),
    ("Hallo!", "-> Darin haben wir weder einen Zug noch einen Befehl gefunden.\n"),
    ("herausfordern Ada take", "| herausfordern Ada take\n-> Dich selbst kannst du nicht herausfordern."),
    ("setzen sammelmail bald", "-> Die Einstellung sammelmail geht nicht mit „bald“. Möglich ist: aus\n   oder eine Uhrzeit wie 18:00.\n"),
    ("setzen zeitzone Berlin", "-> \u201eBerlin\u201c ist keine Zeitzone, aber Europe/Berlin ist eine.\n"),
    (
        "Herausfordern Bob take Bedenkzeit=drei Tage pro Zug",
        "| Herausfordern Bob take Bedenkzeit=drei Tage pro Zug\n-> „drei Tage pro Zug“ ist keine Bedenkzeit.",
    ),
    ("herausfordern Bob take zeit=täglich nie", "-> „täglich nie“ ist keine Bedenkzeit."),
    ("herausfordern Bob take zeit = 3 Tage, Urlaub nie", "-> „3 Tage, Urlaub nie“ kann nicht auf eine Bedenkzeit folgen."),
    ("herausfordern Bob take zeit=3 Tage, ab morgen", "-> „ab morgen“ kann nicht auf eine Bedenkzeit folgen."),
    ("Ersatz K\u00e4the", "-> Das verstehen wir nicht. So geht es: ersatz: Carl\n"),
    ("ersatz w\u00e4re mir jetzt im Grunde sehr recht", "-> Darin haben wir weder einen Zug noch einen Befehl gefunden.\n"),
    ("gib drei Tage", "-> Das verstehen wir nicht. So geht es: gib 2 Tage\n"),
    (
        "setze Farbe rot",
        "-> Diese Einstellung kennen wir nicht. Welche es gibt, sagt\n   dir \u201eeinstellungen\u201c. So geht es: ",
    ),
    (
        "mitspielen bei Sommer",
        "-> Diese Liga kennen wir nicht. Welche es gibt, sagt dir \u201eligen\u201c. So\n   geht es: mitspielen league-3\n",
    ),
    ("freilos liga-1 Rnde 9", "-> Das verstehen wir nicht. So geht es: freilos league-3\n"),
    ("Sitzen wir", "-> Darin haben wir weder einen Zug noch einen Befehl gefunden.\n"),
    ("Bye Ada", "-> Darin haben wir weder einen Zug noch einen Befehl gefunden.\n"),
    ("Freilos Liga 3 Runde 9", "| Freilos Liga 3 Runde 9\n-> "),
    ("partien\nherausfordern Bob take", "-> Eine Herausforderung braucht eine eigene Mail."),
    ("aufgeben\nannehmen", "| aufgeben / annehmen\n-> Diese Zeilen widersprechen sich"),
    ("zeigen", "| zeigen\n-> Wir wissen nicht, welche Partie du meinst."),
]


@pytest.mark.parametrize(("text", "sentence"), REFUSED)
def test_a_refusal_in_german(german: World, text: str, sentence: str) -> None:
    german.answer("Ada", text)
    assert german.outcome().startswith("done: refused: ")
    assert sentence in german.text("Ada")


def test_a_vacation_is_chosen_in_german(german: World) -> None:
    for days in ("1.8. bis 3.8.", "1.9. bis 3.9."):
        german.answer("Ada", f"urlaub {days}")
    german.answer("Ada", "urlaub aus")
    assert "\u201eurlaub aus 1\u201c oder \u201eurlaub aus 2\u201c" in " ".join(german.text("Ada").split())


def test_a_game_in_german(german: World) -> None:
    game = german.open(accepted=False)
    german.answer("Ada", "Annehmen!\n\nsagen: Auf gutes Gelingen!")
    german.answer("Bob", "accept")
    german.answer("Ada", "Sch\u00f6ne Gr\u00fc\u00dfe.\n\nzug a1")
    assert german.state(game).turn == 2
    german.answer("Bob", "move b2")
    german.answer("Ada", "Aufgeben best\u00e4tigen.")
    result = german.state(game).result
    assert result is not None
    assert result.by == "resignation"


def test_a_stranger_who_writes_german_gets_german(open_world: World) -> None:
    world = open_world
    assert post(world, letter(EVA, "Hallo,\r\n\r\nmitspielen Eva", number=1), sender=EVA) == "asked to confirm: 1"
    assert "best\u00e4tigen" in said(world, EVA)
    answer = letter(EVA, "Bestaetigen.", {"To": reply_address(world.mails(EVA)[-1])}, number=2)
    assert post(world, answer, reply_address(world.mails(EVA)[-1])) == f"registered player {len(PEOPLE) + 1}"
    assert world.service.people.find("Eva").preferences.language == "de"
    assert "Willkommen" in said(world, EVA)


def test_who_writes_english_is_answered_in_the_language_of_the_site(open_world: World) -> None:
    """As anybody may who knows no other word of ours; an account has that language then, and so has one that the admin makes."""
    world, key = open_world, open_world.service.settings.site.language
    marker = language(key).marker
    post(world, letter(ZOE, "What is this?", number=1), sender=ZOE)
    assert marker in said(world, ZOE)
    post(world, letter(EVA, "join Eva", number=2), sender=EVA)
    assert marker in said(world, EVA)
    address = reply_address(world.mails(EVA)[-1])
    post(world, letter(EVA, "confirm", {"To": address}, number=3), address)
    assert [world.service.people.find(name).preferences.language for name in ("Eva", "Ada")] == [key, key]


def test_every_answer_to_somebody_without_an_account_is_in_the_language_of_the_mail(open_world: World) -> None:
    """A word that does not confirm, a name that was given away meanwhile, and a question that was answered before."""
    world, marker = open_world, GERMAN.marker
    post(world, letter(EVA, "mitspielen Eva", number=1), sender=EVA)
    address = reply_address(world.mails(EVA)[-1])
    world.service.people.add("Eva", ZOE, actor="admin:test", cause="test:eva")
    for number, (text, outcome) in enumerate(UNCONFIRMED, 2):
        assert post(world, letter(EVA, text, {"To": address}, number=number), address) == f"refused: {outcome}"
        assert marker in said(world, EVA)
        world.wait(days=1, seconds=1)


def test_a_site_that_is_closed_says_so_in_the_language_of_the_wish(world: World) -> None:
    assert post(world, letter(EVA, "mitspielen Eva"), sender=EVA) == "refused: unknown_sender"
    assert GERMAN.marker in said(world, EVA)


def test_a_name_that_is_taken_is_refused_in_the_language_of_the_wish(open_world: World) -> None:
    assert post(open_world, letter(EVA, "mitspielen Bob", number=1), sender=EVA) == "refused: name_taken"
    assert "Der Name Bob ist vergeben." in said(open_world, EVA)


def test_a_new_address_is_asked_in_the_language_of_the_player(german: World) -> None:
    german.answer("Ada", "hilfe")  # so that the old address is known to be hers
    german.service.people.edit("Ada", address=EVA, actor="admin:test", cause="test:address")
    german.settle()
    assert "best\u00e4tigen" in said(german, EVA)
