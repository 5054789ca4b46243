"""Commands in German, one a line: what they are taken for, what is asked about, and what is left alone as conversation."""

import re
from datetime import date

import pytest

from tests.cases import for_each
from tests.mail.inbound.test_phrases import GAMES, is_move
from turnserver.errors import BadOption
from turnserver.ids import GameId, PlayerId
from turnserver.mail.format.tokens import Token, sign
from turnserver.mail.inbound import phrases as p
from turnserver.mail.inbound.admission import confirms, keyed, names_wanted, spoken
from turnserver.mail.inbound.commands import COMMANDS, MailCommand
from turnserver.mail.inbound.synonyms import synonyms
from turnserver.mail.inbound.time_phrases import DayOfYear, Vacation
from turnserver.mail.inbound.understanding import Unclear, Understood, understand
from turnserver.mail.outbound.language import languages
from turnserver.play.clock.controls import Byoyomi, FixedHour, Increment, PerMove, Total, parse

PHRASES: list[tuple[str, p.Phrase]] = [
    ("setze öffentlich als Klein Paul", p.Set("public", "as Klein Paul")),
    ("setze öffentlich aus", p.Set("public", "off")),
    ("zug d3", p.Move("d3")),
    ("ZUG  D3.", p.Move("D3")),
    ("Zug: d3", p.Move("d3")),
    ("zug:d3", p.Move("d3")),
    ("*Zug* d3", p.Move("d3")),
    ("ziehe d3", p.Move("d3")),
    ("zug d33", p.Move("d33")),
    ("vorschau d3", p.Preview("d3")),
    ("aufgeben", p.Resign()),
    ("AUFGEBEN!", p.Resign()),
    ("Ich gebe auf.", p.Resign()),
    ("gebe auf", p.Resign()),
    ("remis", p.Draw()),
    ("Remis?", p.Draw()),
    ("Ich biete Remis an.", p.Draw()),
    ("unentschieden", p.Draw()),
    ("annehmen", p.Accept()),
    ("Annehmen!", p.Accept()),
    ("Ich nehme an.", p.Accept()),
    ("Einladung annehmen", p.Accept()),
    ("Ich nehme die Einladung an!", p.Accept()),
    ("ablehnen", p.Decline()),
    ("Ich lehne ab.", p.Decline()),
    ("herausfordern Bob", p.Challenge(("Bob",))),
    ("Herausfordern: Bob und Cleo take", p.Challenge(("Bob", "Cleo"), "take")),
    ("herausfordern Bob, Cleo und Dan", p.Challenge(("Bob", "Cleo", "Dan"))),
    ("herausfordern Bob zu einer Partie Take", p.Challenge(("Bob",), "take", filling=("zu", "einer", "Partie"))),
    ("herausfordern Sabine Tag take", p.Challenge(("Sabine Tag",), "take")),
    ("herausfordern Per Kein und Pro Ohne", p.Challenge(("Per Kein", "Pro Ohne"))),
    ("herausfordern Kim Um take", p.Challenge(("Kim",), "take", filling=("Um",))),
    ("herausfordern Hans take 3 Tage pro Zug", p.Challenge(("Hans take 3 Tage pro Zug",))),
    ("Ersatz: Karl Aus", p.Substitute("Karl Aus")),
    ("leiten liga-3 austragen Paul Sieg", p.Direct("league-3", "remove", ("Paul Sieg",), "", "liga-3 austragen Paul Sieg")),
    ("herausfordern Bob take bedenkzeit=3 Tage pro Zug", p.Challenge(("Bob",), "take", (), "3 days per move")),
    ("herausfordern Bob take zeit=36 Std, keine Wochenenden", p.Challenge(("Bob",), "take", (), "36 hours, no weekends")),
    ("herausfordern Bob take zeit=täglich um 20 Uhr", p.Challenge(("Bob",), "take", (), "daily at 20 o'clock")),
    ("herausfordern Bob take zeit=täglich um 20:00 Uhr", p.Challenge(("Bob",), "take", (), "daily at 20:00 o'clock")),
    ("herausfordern Bob take zeit=5 Tage + 36 Std. höchstens 10 Tage", p.Challenge(("Bob",), "take", (), "5 days + 36 hours. max 10 days")),
    ("herausfordern Bob take zeit=3 Tage/Zug, Feiertage DE-BY", p.Challenge(("Bob",), "take", (), "3 days/move, holidays DE-BY")),
    ("herausfordern Bob take zeit=eine Woche", p.Challenge(("Bob",), "take", (), "a week")),
    ("challenge Bob take time=next 20:00 Europe/Berlin", p.Challenge(("Bob",), "take", (), "next 20:00 Europe/Berlin")),
    ("herausfordern Bob take Größe=4", p.Challenge(("Bob",), "take", (("größe", "4"),))),
    ("urlaub 10.3. - 14.3.", Vacation(DayOfYear(3, 10), DayOfYear(3, 14))),
    ("urlaub vom 1. August bis 14. August 2027", Vacation(DayOfYear(8, 1), date(2027, 8, 14))),
    ("urlaub vom 3. bis zum 14. August", Vacation(DayOfYear(8, 3), DayOfYear(8, 14))),
    ("urlaub 1. Maerz - 2. M\u00c4RZ", Vacation(DayOfYear(3, 1), DayOfYear(3, 2))),
    ("urlaub vom 10.3. bis 14.3.", Vacation(DayOfYear(3, 10), DayOfYear(3, 14))),
    ("herausfordern Bob take size=4 zuerst bedenkzeit=5d", p.Challenge(("Bob",), "take", (("size", "4"),), "5d", first=True)),
    ("herausfordern Bob take danach Zeit = 5 Tage", p.Challenge(("Bob",), "take", (), "5 days", first=False)),
    ("zeigen", p.Show()),
    ("Brett zeigen?", p.Show()),
    ("zeige das Brett", p.Show()),
    ("zeigen zug 12", p.Show(12)),
    ("zeige mir das Brett nach Zug 12", p.Show(12)),
    ("verlauf", p.History()),
    ("uhr", p.Clock()),
    ("Frist?", p.Clock()),
    ("partien", p.Games()),
    ("Meine Partien?", p.Games()),
    ("spiele", p.Games()),
    ("nochmal", p.Resend()),
    ("noch einmal senden", p.Resend()),
    ("regeln", p.Rules()),
    ("regeln take", p.Rules("take")),
    ("Spielregeln von Tako Judo", p.Rules("tako judo")),
    ("sagen Gut gespielt!", p.Say("Gut gespielt!")),
    ("Sagen: Gut gespielt!", p.Say("Gut gespielt!")),
    ("sagen:Gut", p.Say("Gut")),
    ("SAGEN  *hallo*", p.Say("*hallo*")),
    ("**sagen**: hallo", p.Say("hallo")),
    ("sag: hallo", p.Say("hallo")),
    ("sagen aufgeben", p.Say("aufgeben")),
    ("einstellungen", p.Settings()),
    ("setzen digest aus", p.Set("digest", "off")),
    ("setzen sammelmail aus", p.Set("digest", "off")),
    ("setzen Sammelmail auf 18:00", p.Set("digest", "18:00")),
    ("Setze Sammelmail: 18 Uhr", p.Set("digest", "18 o'clock")),
    ("setzen sammelmail=18:00", p.Set("digest", "18:00")),
    ("setzen ruhe von 22 Uhr bis 7 Uhr", p.Set("quiet", "from 22 o'clock to 7 o'clock")),
    ("setzen brett gro\u00df", p.Set("board", "large")),
    ("SETZEN BRETT GROSS", p.Set("board", "large")),
    ("setzen sprache Deutsch", p.Set("language", "Deutsch")),
    ("setzen sprache Englisch", p.Set("language", "English")),
    ("setzen zeitzone Europe/Berlin", p.Set("zone", "Europe/Berlin")),
    ("setzen kalender ein", p.Set("calendar", "on")),
    ("abbestellen", p.Unsubscribe()),
    ("bestellen", p.Subscribe()),
    ("hilfe", p.Help()),
    ("Hilfe!", p.Help()),
    ("Ersatz: Carl", p.Substitute("Carl")),
    ("ersatz: aus", p.Substitute()),
    ("hilfe herausfordern", p.Help("challenge")),
    ("hilfe ersatz", p.Help("substitute")),
]

ASKED: list[tuple[str, str | None]] = [
    ("aufgebn", "aufgeben"),
    ("augfeben", "aufgeben"),
    ("aufgeben?", "aufgeben"),
    ("aufgeben bitte", "aufgeben"),
    ("Ich gebe auff", "aufgeben"),
    ("Aufgeben gilt nicht!", "aufgeben"),
    ("annemhen", "annehmen"),
    ("annehmen gern", "annehmen"),
    ("annehmen?", "annehmen"),
    ("ablehnen bitte", "ablehnen"),
    ("zug", "zug <your move>"),
    ("zug d3?", "zug d3"),
    ("zgu d3", "zug d3"),
    ("Zug um Zug kommst du n\u00e4her", "zug <your move>"),
    ("vorschua d3", "vorschau d3"),
    ("vorschau", "vorschau <your move>"),
    ("Vorschau auf morgen: ich bin weg", "vorschau <your move>"),
    ("sagen", "sagen <words>"),
    ("sagen:", "sagen <words>"),
    ("herausfordern", "herausfordern <player> <game>"),
    ("herasfordern Bob take tage=5", "herausfordern Bob take tage=5"),
    ("herasfordern Per Day take zuerst", "herausfordern Per Day take zuerst"),
    ("setzn sammelmail aus", "setzen sammelmail aus"),
    ("setzen sammelmal aus", "setzen sammelmail aus"),
    ("setzen sammelmail aus?", "setzen sammelmail aus"),
    ("setzen", "einstellungen"),
    ("einstelungen", "einstellungen"),
    ("abbestelen", "abbestellen"),
    ("Bestellen wir Pizza?", "bestellen"),
    ("hilf", "hilfe"),
    ("Spiele gern mit dir", "partien"),
]

PROSE = [
    "Zug um Zug kommst du n\u00e4her.",
    "Zug verpasst, wie dumm!",
    "Ziehe n\u00e4chste Woche um.",
    "Hilfe, das war knapp!",
    "Spiele gern mit dir",
    "Partie war sch\u00f6n.",
    "gib nicht auf",
    "Gib nie auf!",
    "Ich gebe nicht auf.",
    "Ich gebe auf keinen Fall auf.",
    "Aufgabe erledigt!",
    "Aufgeben ist f\u00fcr mich keine Option.",
    "Angenommen, du gewinnst.",
    "Angenommen dass du gewinnst.",
    "Nehmen wir an, du gewinnst.",
    "Annehmen kann ich das so nicht.",
    "Ablehnen kann ich es immer noch.",
    "Remis w\u00e4re mir jetzt sehr recht gewesen.",
    "Unentschieden ging es gestern im Fu\u00dfball aus.",
    "Sag mal, wie geht es dir?",
    "Sage nichts weiter!",
    "Setzen wir uns mal zusammen.",
    "Sitzen wir",
    "Zeig mal her.",
    "Zeige d3 keinem Menschen.",
    "Brett ist gerade umgefallen.",
    "Brett",
    "Regeln sind eben Regeln.",
    "Verlauf der Partie: wie immer.",
    "Nochmal von vorn w\u00e4re sch\u00f6n.",
    "Mitspielen macht Spa\u00df!",
    "Zu sp\u00e4t gesehen.",
    "Sch\u00f6ne Gr\u00fc\u00dfe",
]

TOGETHER: list[tuple[str, Understood]] = [
    ("Hallo Bob,\n\nzug d3\n\nsagen: Viel Gl\u00fcck!", Understood((p.Move("d3"), p.Say("Viel Gl\u00fcck!")))),
    ("sagen:\naufgeben\nist feige\n\nd4", Understood((p.Say("aufgeben\nist feige"), p.Move("d4")))),
    ("vorschau\nd3", Understood((p.Preview("d3"),))),
    ("zug d3\naufgeben", Understood(conflict=("zug d3", "aufgeben"))),
    ("annehmen\nablehnen", Understood(conflict=("annehmen", "ablehnen"))),
    ("zug d3\nmove d3", Understood((p.Move("d3"),))),
    ("d3\naufgebn", Understood(conflict=("d3", "aufgebn"))),
    ("setzen sammelmail aus\nset mail text", Understood((p.Set("digest", "off"), p.Set("mail", "text")))),
    ("vorschau d3\nremis?", Understood((p.Preview("d3"), p.Draw()))),
]

LUCKY: list[tuple[str, Understood]] = [
    ("annehmen", Understood((p.Accept(),))),
    ("annehmen: sieben blaue Kraken", Understood((p.Accept("sieben blaue Kraken"),))),
    ("Annehmen:sieben", Understood((p.Accept("sieben"),))),
    ("annehmen sieben Kraken", Understood((), (Unclear("annehmen sieben Kraken", "annehmen: sieben Kraken"),))),
    ("Annehmen kann ich nicht", Understood((), (Unclear("Annehmen kann ich nicht", "annehmen: kann ich nicht"),))),
    ("Angenommen dass du gewinnst", Understood((), (Unclear("Angenommen dass du gewinnst", None),))),
]

KEY = sign({1: b"k" * 32}, Token(PlayerId(8), GameId(17), 12, 1))


@for_each(("line", "phrase"), PHRASES)
def test_a_line_that_is_a_command(line: str, phrase: p.Phrase) -> None:
    assert understand([line], is_move, GAMES) == Understood((phrase,))


QUOTED = [
    ("Setze Erinnerungen aus!", ("Setze Erinnerungen aus!",)),
    ("move d3\nfreilos liga-3 Runde 9", ("move d3", "freilos liga-3 Runde 9")),
    ("sagen:\nHallo\n\nsage: So\nund so\n\nNotiz\n\nsay", ("sagen:\nHallo", "sage: So\nund so", "Notiz")),
    ("wenn d3 dann d4\nsonst e5", ("wenn d3 dann d4 / sonst e5",)),
]


@for_each(("text", "quotes"), QUOTED)
def test_commands_are_quoted_as_they_were_written(text: str, quotes: tuple[str, ...]) -> None:
    assert understand(text.split("\n"), is_move, GAMES).quotes == quotes


@for_each("line", ["urlaub 1 tag", "urlaub 2 tage", "gib 1 stunde", "gib 5 stunden", "gib 1 tag", "gib 2 tage"])
def test_a_question_about_a_command_has_the_words_of_its_language(line: str) -> None:
    [unclear] = understand([f"{line}?", "", "d3"], is_move, GAMES).unclear
    assert unclear.suggestion is not None
    assert unclear.suggestion.casefold() == line


@for_each(("line", "suggestion"), ASKED)
def test_a_line_that_is_nearly_one_is_asked_about_in_its_own_words(line: str, suggestion: str | None) -> None:
    assert understand([line], is_move, GAMES) == Understood((), (Unclear(line, suggestion),))


@for_each("line", PROSE)
@for_each("lucky", [False, True])
def test_conversation_does_nothing(line: str, lucky: bool) -> None:
    assert understand([line], is_move, GAMES, lucky=lucky).phrases == ()


@for_each("line", [line for line in PROSE if not line.startswith("Annehmen")])
def test_conversation_does_not_hold_up_a_move(line: str) -> None:
    assert understand([line, "", "d3"], is_move, GAMES) == Understood((p.Move("d3"),))


@for_each(("text", "expected"), TOGETHER)
def test_several_lines(text: str, expected: Understood) -> None:
    assert understand(text.split("\n"), is_move, GAMES) == expected


@for_each(("text", "expected"), LUCKY)
def test_lucky_words_stand_behind_a_colon(text: str, expected: Understood) -> None:
    assert understand([text], is_move, GAMES, lucky=True) == expected


def test_a_turn_of_several_lines() -> None:
    reads = lambda part: all(is_move(step.strip()) for step in part.split(";"))  # noqa: E731  # as the service's, with these moves
    said = understand(
        ["zug d3, dann", "1) d4 und dann e5", "zuerst f6", "vorschau"], reads, GAMES, resembles=lambda line: line[-1].isdigit()
    )
    assert said.phrases == (p.Preview("d3\nd4; e5\nf6"),)


def test_a_move_wins_over_a_command() -> None:
    assert understand(["aufgeben"], lambda text: text == "aufgeben", GAMES).phrases == (p.Move("aufgeben"),)


@pytest.mark.parametrize(("written", "umlauts"), [("bestaetigen", "best\u00e4tigen"), ("BESTA\u0308TIGEN", "best\u00e4tigen")])
def test_umlauts_are_read_however_they_are_written(written: str, umlauts: str) -> None:
    assert synonyms().read(written).text == synonyms().read(umlauts).text == "confirm"


@pytest.mark.parametrize("word", ["schl\u00fcssel", "Schluessel:", "SCHL\u00dcSSEL"])
def test_a_key(word: str) -> None:
    assert keyed(["Hallo", f"{word} {KEY}", "d3"]) == ((KEY,), ("Hallo", "d3"))
    assert keyed([f"{word} zum Erfolg"]) == ((), (f"{word} zum Erfolg",))


def test_an_account() -> None:
    assert names_wanted(["Hallo,", "Mitspielen: Eva Lang!"]) == ("Eva Lang",)
    assert confirms(["Best\u00e4tigen."])
    assert not confirms(["Best\u00e4tigen kann ich das nicht"])
    assert (spoken(["mitspielen Eva"]), spoken(["join Eve"]), spoken(["Hallo"])) == ("de", None, None)


@for_each("usage", COMMANDS, ids=lambda usage: usage.word)
@for_each("key", list(languages()))
def test_an_example_does_the_same_in_every_language(usage: MailCommand, key: str) -> None:
    told = languages()[key].told(usage)
    kinds = [type(phrase) for phrase in understand([usage.example], is_move, GAMES).phrases]
    said = understand([told.example], is_move, GAMES)
    assert [type(phrase) for phrase in said.phrases] == kinds
    if usage.word not in {"say", "note"}:
        assert said == understand([usage.example], is_move, GAMES)
    assert told.usage.split()[0].partition("[")[0] == told.example.split()[0]


@for_each("key", list(languages()))
def test_the_times_that_a_refusal_offers_are_read(key: str) -> None:
    with pytest.raises(BadOption) as refused:
        parse("soon")
    offered = re.findall(r"\(([^()]+)\)", languages()[key].told(refused.value.message))
    said = [understand([f"challenge Bob take time={text}"], is_move, GAMES).phrases for text in offered]
    times = [phrase.time for phrases in said for phrase in phrases if isinstance(phrase, p.Challenge) and phrase.time]
    assert [type(parse(time).control) for time in times] == [PerMove, Increment, Total, Byoyomi, FixedHour]


@for_each("usage", COMMANDS, ids=lambda usage: usage.word)
def test_help_is_given_by_the_word_of_every_language(usage: MailCommand) -> None:
    for language in languages().values():
        line = language.told(COMMANDS[-1]).example.split()[0] + " " + language.told(usage).example.split()[0]
        assert understand([line], is_move, GAMES).phrases == (p.Help(usage.word),)


def test_no_word_of_another_language_is_an_english_command() -> None:
    for book in synonyms().books:
        for word in (*book.lines, *book.words, *book.marked):
            english = understand([word], is_move, GAMES).phrases
            assert synonyms().read(word).book is not None or word in book.marked
            assert word not in {usage.word for usage in COMMANDS}, english
