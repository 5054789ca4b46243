"""Phrases about leagues, and conversation that begins like one."""

import pytest

from tests.cases import for_each
from turnserver.mail.inbound import phrases as p
from turnserver.mail.inbound.understanding import Understood, understand

NAMES = ("take winter", "open", "the masters")


def read(text: str, league: str = "") -> Understood:
    return understand([text], lambda _: False, ["take"], leagues=NAMES, league=league)


SAID: list[tuple[str, p.Phrase]] = [
    ("join league-3", p.Join("league-3")),
    ("Join League 3!", p.Join("league-3")),
    ("join 3", p.Join("league-3")),
    ("join the league-03", p.Join("league-3")),
    ("enter league-3", p.Join("league-3")),
    ("join The Masters", p.Join("The Masters")),
    ("join for the Masters", p.Join("the Masters")),
    ("join Take Winter", p.Join("Take Winter")),
    ("leave take winter.", p.Leave("take winter")),
    ("leave league #3", p.Leave("league-3")),
    ("confirm leave league-3", p.Leave("league-3", confirmed=True)),
    ("Confirm: leave take winter", p.Leave("take winter", confirmed=True)),
    ("Bestätige abmelden liga-3", p.Leave("league-3", confirmed=True)),
    ("Ready for league-3", p.Ready("league-3")),
    ("ready: league-3", p.Ready("league-3")),
    ("bye league-3", p.Bye("league-3")),
    ("bye league-3 0", p.Bye("league-3", worthless=True)),
    ("bye 3 0", p.Bye("league-3", worthless=True)),
    ("Freilos liga-3 0", p.Bye("league-3", worthless=True)),
    ("bye Take Winter 0", p.Bye("Take Winter", worthless=True)),
    ("bye league-3 round 4", p.Bye("league-3", round=4)),
    ("bye league-3 in round 4", p.Bye("league-3", round=4)),
    ("bye 3 0 round 4", p.Bye("league-3", worthless=True, round=4)),
    ("bye Take Winter, round 4 0", p.Bye("Take Winter", worthless=True, round=4)),
    ("Freilos Liga 3 0 Runde 4", p.Bye("league-3", worthless=True, round=4)),
    ("freilos liga-3 für runde 4", p.Bye("league-3", round=4)),
    ("ready league-3 round 4", p.Ready("league-3", 4)),
    ("bereit liga-3 Runde 4", p.Ready("league-3", 4)),
    ("league-3", p.Table("league-3")),
    ("league-3?", p.Table("league-3")),
    ("table league-3", p.Table("league-3")),
    ("standings of Open", p.Table("Open")),
    ("leagues", p.Leagues()),
    ("challenge Bob in league-3", p.Challenge(("Bob",), league="league-3")),
    ("challenge Bob Miller in Take Winter", p.Challenge(("Bob Miller",), league="Take Winter")),
    ("mitspielen league-3", p.Join("league-3")),
    ("anmelden Liga 3", p.Join("league-3")),
    ("abmelden liga-3", p.Leave("league-3")),
    ("bereit league-3", p.Ready("league-3")),
    ("Tabelle Take Winter", p.Table("Take Winter")),
    ("liga-3", p.Table("league-3")),
    ("Liga 3", p.Table("league-3")),
    ("ligen", p.Leagues()),
    ("herausfordern Bob in liga-3", p.Challenge(("Bob",), league="league-3")),
    ("league-3 result 4 win-loss", p.Direct("league-3", "result", ("4", "win-loss"))),
    ("League 3 result 4 win by forfeit-forfeit!", p.Direct("league-3", "result", ("4", "win by forfeit-forfeit"))),
    ("league-3: result Ada and Bob Miller draw", p.Direct("league-3", "result", ("Ada", "Bob Miller", "draw"))),
    ("direct league-3 result 4 no result because both are away", p.Direct("league-3", "result", ("4", "no result"), "both are away")),
    ("liga-3 ergebnis 4 sieg-niederlage, weil Bob fehlt", p.Direct("league-3", "result", ("4", "win-loss"), "Bob fehlt")),
    ("liga-3 ergebnis 4 Sieg kampflos", p.Direct("league-3", "result", ("4", "win by forfeit"))),
    (
        "liga-3 ergebnis 4 sieg kampflos-niederlage kampflos",
        p.Direct("league-3", "result", ("4", "win by forfeit-loss by forfeit")),
    ),
    ("liga-3 ergebnis 4 nichtantritt", p.Direct("league-3", "result", ("4", "forfeit"))),
    ("liga-3 ergebnis Zoe, Max Kein sieg auf Zeit", p.Direct("league-3", "result", ("Zoe", "Max Kein", "win on time"))),
    ("liga-3 ergebnis 4 sieg auf zeit-zeitüberschreitung", p.Direct("league-3", "result", ("4", "win on time-timeout"))),
    ("liga-3 ergebnis 4 kein ergebnis", p.Direct("league-3", "result", ("4", "no result"))),
    ("liga-3 ergebnis 4 annulliert", p.Direct("league-3", "result", ("4", "annulled"))),
    (
        "leiten liga-3 ergebnis 4 ergebnislos weil sie kein Brett auf dem Tisch hatten",
        p.Direct("league-3", "result", ("4", "no result"), "sie kein Brett auf dem Tisch hatten"),
    ),
    ("liga-3 ergebnis 4 sieg-niederlage grund: Bob ist krank", p.Direct("league-3", "result", ("4", "win-loss"), "Bob ist krank")),
    ("liga-3 abmelden Bob Grund", p.Direct("league-3", "withdraw", ("Bob Grund",), "")),
    ("leiten liga-3 verlängern 4 3 tage", p.Direct("league-3", "extend", ("4", "72"))),
    ("league-3 extend 2 weeks because of the holidays", p.Direct("league-3", "extend", ("336",), "of the holidays")),
    ("league-3 extend Bea, Abe 2 days", p.Direct("league-3", "extend", ("Bea", "Abe", "48"))),
    ("league-3 extend game-16 a week more", p.Direct("league-3", "extend", ("game-16", "168"))),
    ("league-3 extend them 2 days", p.Direct("league-3", "extend", ("48",))),
    ("league-3 extend 3 them 2 days", p.Direct("league-3", "extend", ("3", "48"))),
    ("league-3 extend all by 2 days", p.Direct("league-3", "extend", ("48",))),
    ("liga-3 verlängern Ada, Bob noch 2 Tage", p.Direct("league-3", "extend", ("Ada", "Bob", "48"))),
    ("liga-3 verlängern um 2 tage", p.Direct("league-3", "extend", ("48",))),
    ("league-3 extend 4 1 day", p.Direct("league-3", "extend", ("4", "24"))),
    ("league-3 playoff 1.2 Ada, Bob and Cleo", p.Direct("league-3", "playoff", ("1.2", "Ada", "Bob", "Cleo"))),
    ("league-3 substitute Ada, Bob", p.Direct("league-3", "substitute", ("Ada", "Bob"))),
    ("league-3 withdraw Bob Miller", p.Direct("league-3", "withdraw", ("Bob Miller",))),
    ("league-3 pause because of the holidays", p.Direct("league-3", "pause", (), "of the holidays")),
    ("LEAGUE-3 START", p.Direct("league-3", "start")),
]


@for_each(("text", "phrase"), SAID)
def test_a_line_about_a_league(text: str, phrase: p.Phrase) -> None:
    assert read(text) == Understood((phrase,))


@for_each(
    "text",
    [
        "league-3 is fun",
        "League 3 results look odd",
        "Open start on Monday",
        "Join us on Thursday!",
        "ready when you are",
        "Leave it to me",
        "table for two, please",
        "bereit, wenn du es bist",
    ],
)
def test_conversation_that_begins_like_it(text: str) -> None:
    said = understand([text, "resign"], lambda _: False, leagues=NAMES)
    assert said.unclear == ()
    assert len(said.phrases) == 1


@for_each(
    ("text", "suggestion"),
    [
        ("join leage-3", "join league-3"),
        ("jion league-3", "join league-3"),
        ("leave Take Wintre", "leave take winter"),
        ("bye leage-3 0", "bye league-3 0"),
        ("bye leage-3 0 round 4", "bye league-3 0 round 4"),
        ("ready leage-3 round 4", "ready league-3 round 4"),
        ("bye league-3 9", "bye league-3 round 9"),
        ("Bereit Take Winter 12", "bereit Take Winter round 12"),
        ("bye league-3 09", "None"),
        ("join league-3 9", "None"),
        ("mitspielen lgia-3", "mitspielen league-3"),
        ("ready", "ready <league>"),
        ("leave", "leave <league>"),
        ("confirm leave", "confirm leave <league>"),
        ("Bestätige Abmeldung", "bestätigen abmeldung <league>"),
        ("Confirm: leave the dark side", "confirm leave <league>"),
        ("join league-3?", "join league-3"),
        ("league-3 result 4 win-loss?", "league-3 result 4 win-loss"),
        ("league-3 reslut 4 win-loss because x", "league-3 result 4 win-loss because x"),
        ("league-3 result", "league-3 result <meeting> <result>"),
        ("league-3 playoff 1 Ada", "league-3 playoff <division> <players>"),
        ("league-3 substitute Ada", "league-3 substitute <player>, <player>"),
        ("league-3 pause now", "league-3 pause"),
        ("leages", "leagues"),
        ("liga-3 ergebns 4 remis weil sie es so wollten", "liga-3 ergebnis 4 remis weil sie es so wollten"),
        ("Liga 3 strten", "liga-3 starten"),
        ("league-3 abmeldn Bob", "liga-3 abmelden Bob"),
        ("liga-3 withdrw Bob", "liga-3 abmelden Bob"),
        ("liga-3 pausiren wegen Ostern", "liga-3 pausieren wegen Ostern"),
    ],
)
def test_what_is_nearly_one_is_handed_back(text: str, suggestion: str) -> None:
    said = read(text)
    assert said.phrases == ()
    assert [str(one.suggestion) for one in said.unclear] == [suggestion]


@for_each(
    ("text", "phrase"),
    [("ready", p.Ready("league-3")), ("Bereit!", p.Ready("league-3")), ("leave", p.Leave("league-3")), ("join", p.Join("league-3"))]
    + [(line, p.Leave("league-3", confirmed=True)) for line in ("confirm leave", "Bestätige Abmeldung", "Ich bestätige die Abmeldung.")],
)
def test_a_word_alone_is_enough_in_an_answer_to_the_league(text: str, phrase: p.Phrase) -> None:
    assert read(text, league="league-3") == Understood((phrase,))


@pytest.mark.parametrize("text", ["bye", "Bye!", "Bye, Ada"])
def test_whoever_takes_leave_asks_for_no_bye(text: str) -> None:
    assert read(text, league="league-3").phrases == ()
    assert read(text).phrases == ()
    assert not any("league" in str(one.suggestion) for one in (*read(text).unclear, *read(text, league="league-3").unclear))


def test_a_league_that_nobody_knows_is_not_guessed() -> None:
    assert read("join the dark side").phrases == ()
    assert read("challenge Bob in June").phrases == (p.Challenge(("Bob in June",)),)
