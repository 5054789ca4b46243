"""Refusals that are no game's own: told in German, and as sentences in every language."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from msgspec.structs import replace

from tests.cases import for_each
from turnserver import games
from turnserver.config import handbook, leagues, reading
from turnserver.errors import BadOption, ConfigError, Refusal, TurnserverError
from turnserver.ids import GameId, PlayerId
from turnserver.league.settings import LIMITS, Settings, complete
from turnserver.mail.outbound.language import language
from turnserver.play.clock import controls
from turnserver.play.vacations import Vacation, ended
from turnserver.records.reading import read
from turnserver.rules.kit import parse_turn
from turnserver.rules.options import check_names, describe, flag, typed, validate
from turnserver.rules.square import board, called
from turnserver.service.people import accounts, names, preferences
from turnserver.store import refusals
from turnserver.store.people.accounts import Person

TAKE = games.find("take", size=2)


@dataclass(frozen=True)
class Loud:
    loud: bool = flag(default=False, doc="a noise")


@dataclass(frozen=True)
class Nothing:
    """A game in which there is nothing to choose."""


def refuse(refusal: Refusal) -> None:
    raise refusal


def over() -> Any:
    state = TAKE.rules.start()
    while steps := TAKE.rules.steps(state):
        state = TAKE.rules.apply(state, steps[0])
    return state


NOW = datetime(2027, 3, 20, tzinfo=UTC)
TRIPS = tuple(Vacation(number, NOW + timedelta(days=30 * number), NOW + timedelta(days=30 * number + 5), "UTC") for number in (1, 2))

REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: games.find("tkae"), "Es gibt kein Spiel „tkae“. Meinst du „take“? Die Spiele heißen take, "),
    (lambda: games.find("chess"), "Es gibt kein Spiel „chess“. Die Spiele heißen take, "),
    (lambda: games.find("take", Sise=5), "Es gibt keine Option „Sise“. Meinst du „size“? Die Optionen heißen variant und size."),
    (lambda: games.find("take", colour=5), "Es gibt keine Option „colour“. Die Optionen heißen variant und size."),
    (lambda: games.find("take", size=9), "Die Option size kann nicht „9“ sein. Möglich ist 2 bis 8."),
    (
        lambda: games.find("take", variant="x" * 50),
        f"Die Option variant kann nicht „{'x' * 40}...“ sein. Möglich ist standard oder high-churn.",
    ),
    (lambda: typed(Loud, {"loud": "perhaps"}), "Die Option loud kann nicht „perhaps“ sein. Möglich ist yes oder no."),
    (lambda: validate(Loud(loud=1)), "Die Option loud kann nicht „1“ sein. Möglich ist yes oder no."),  # type: ignore[arg-type]  # that is the point
    (lambda: check_names(Nothing, {"size": 5}), "Es gibt keine Option „size“. Dieses Spiel hat keine Optionen."),
    (lambda: called(board(5, 5), "z 9"), "Dieses Brett hat kein Feld z9; seine Felder gehen von a1 bis e5."),
    (lambda: parse_turn(TAKE.rules, TAKE.rules.start(), " ; "), "Darin steht kein Zug."),
    (lambda: parse_turn(TAKE.rules, TAKE.rules.start(), "a1; a2"), "Der Zug endet mit „a1“; lass weg, was danach kommt."),
    (lambda: parse_turn(TAKE.rules, over(), "a1"), "Die Partie ist zu Ende."),
    (lambda: refuse(refusals.taken(refusals.NAME, "Ada", "ada@example.org")), "Der Name Ada ist vergeben."),
    (lambda: refuse(refusals.taken(refusals.ADDRESS, "Ada", "ada@example.org")), "Die Adresse ada@example.org hat schon jemand anders."),
    (lambda: refuse(refusals.no_player(PlayerId(7))), "Ein Konto mit der Nummer 7 gibt es hier nicht."),
    (lambda: refuse(refusals.nobody_called("Zoe")), "Hier gibt es niemanden mit der Nummer, dem Namen oder der Adresse „Zoe“."),
    (lambda: refuse(refusals.no_game(GameId(7))), "Eine Partie 7 gibt es hier nicht."),
    (
        lambda: ended(TRIPS, PlayerId(1), None, NOW),
        "Du hast mehrere Urlaube angemeldet. Sag, welcher ausfallen soll: „urlaub aus 1“ oder „urlaub aus 2“.",
    ),
]


@for_each(("attempt", "told"), REFUSED, ids=[told for _, told in REFUSED])
def test_a_refusal_is_told_in_german(attempt: Callable[[], object], told: str) -> None:
    with pytest.raises(Refusal) as refused:
        attempt()
    german = language("de").told(refused.value.message)
    assert german.startswith(told)
    assert german != refused.value.message


def test_a_game_without_options_says_so() -> None:
    with pytest.raises(Refusal, match=r"^There is no option \"size\"\. This game has no options\.$"):
        check_names(Nothing, {"size": 5})


ADA = Person(PlayerId(1), "Ada", "ada@example.org", "UTC", datetime(2026, 3, 2, tzinfo=UTC))


def environment(variable: str, text: str) -> None:
    """Refuse a setting of the service by what is said behind its place."""
    for told in reading.faults(None, {variable: text}):
        raise ConfigError(told.removeprefix("The environment: "))


def in_file(read_it: Callable[[Path], object], content: bytes) -> None:
    """Refuse a file by what is said behind its name, where that comes first."""
    with TemporaryDirectory() as directory:
        file = Path(directory, "own.toml")
        file.write_bytes(content)
        try:
            read_it(file)
        except TurnserverError as error:
            raise BadOption(str(error).removeprefix(f"{file}: ")) from error


ATTEMPTS: tuple[tuple[Callable[..., object], Iterable[tuple[Any, ...]]], ...] = (
    (lambda attempt, _told: attempt(), REFUSED),
    (
        lambda key, name: games.find(key, **{name: "?"}),
        [(key, one.name) for key in games.CATALOGUE for one in describe(games.entry(key).options)],
    ),
    (lambda key, options: games.find(key, **options), [("okago", {"size": 6, "advanced": True}), ("tako", {"stake": 5})]),
    (lambda name: preferences.changed(ADA, [(name, "?!")]), [(name,) for name in (*preferences.CHOICES, "xyz")]),
    (accounts.check_address, [("ada",), ("postmaster@example.org",), ("no-reply@example.org",)]),
    (names.check_name, [("",), ("7",), ("ada and bob",), ("a@b",), ("liga-3",), ("player 7",), ("\u0410da",)]),
    (controls.parse, [("soon",), ("1m",), ("3d, 3d",), ("3d, tea",), ("5d + 70 x 1d",), ("daily 25:00",), ("3d, nights 22:00-22:00",)]),
    (controls.exact_span, [("soon",), ("1m",)]),
    (lambda text: leagues.with_assignments(Settings(), [text]), [("rounds",), ("ronds=5",), ("rounds.win=1",)]),
    (lambda name: leagues.with_assignments(Settings(), [f"{name}=[[?"]), [(name,) for name in leagues.SETTINGS]),
    (lambda name, high: complete(replace(Settings(), **{name: high + 1})), [(name, high) for name, (_, high) in LIMITS.items()]),
    (leagues.preset, [("xyz",), ("xyz.toml",)]),
    (
        lambda content: in_file(leagues.read_preset, content),
        [(b"=",), (b"\xff",), (b"",), (b"about = 3",), (b"xyz = 3",), (b"settings = 3",), (b'about = "x"\n[settings]\nx = 1',)],
    ),
    (environment, [(one.variable, "?\n") for one in handbook.every_setting()]),
    (environment, [("TURNSERVER_SITE__XYZ", "x"), ("TURNSERVER_IMAP__CLUB__HOST", "x"), ("TURNSERVER_IMAP__CLUB__XYZ", "x")]),
    (
        lambda content: in_file(lambda file: reading.load(file, {}), content),
        [(b"=",), (b"\xff",), (b"[xyz]",), (b"port = 25",), (b"[imap]\nhost = 1",), (b"[site]\nxyz = 1",), (b"[site]\nzone = 1",)],
    ),
    (lambda path: reading.load(path, {}), [(Path("none.toml"),)]),
    (read, [("",), ("a1",), ('[Game "xyz"] *',), ('[Game "take"] *',), ('[Game "take"]\n[Options "size 9"] *',)]),
)
"""Wrong options, settings, names and files, each with the value that is tried; where the program has a table, each row of it."""

SENTENCE = re.compile("[A-Z\u00c4\u00d6\u00dc]|[\"'\u201e/0-9]")


def test_every_refusal_begins_as_a_sentence() -> None:
    """Every attempt is refused; only a setting that takes any text is not."""
    small, refusals_read = [], 0
    for attempt, inputs in ATTEMPTS:
        for given in inputs:
            try:
                attempt(*given)
            except TurnserverError as refused:
                said = str(refused)
                refusals_read += 1
                small += [told for told in (said, language("de").told(said)) if not SENTENCE.match(told)]
    assert small == []
    assert refusals_read > 200
