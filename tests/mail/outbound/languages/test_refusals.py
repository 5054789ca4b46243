"""Refusals that are no game's own, told in German."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from turnserver import games
from turnserver.errors import Refusal
from turnserver.ids import GameId, PlayerId
from turnserver.mail.outbound.language import language
from turnserver.rules.kit import parse_turn
from turnserver.rules.options import check_names, flag, typed, validate
from turnserver.rules.square import board, called
from turnserver.store import refusals

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


REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: games.find("tkae"), "Es gibt kein Spiel „tkae“. Meinst du „take“? Die Spiele heißen take, "),
    (lambda: games.find("chess"), "Es gibt kein Spiel „chess“. Die Spiele heißen take, "),
    (lambda: games.find("take", Sise=5), "Es gibt keine Option „Sise“. Meinst du „size“? Die Optionen heißen variant und size."),
    (lambda: games.find("take", colour=5), "Es gibt keine Option „colour“. Die Optionen heißen variant und size."),
    (lambda: games.find("take", size=9), "size kann nicht „9“ sein. Möglich ist 2 bis 8."),
    (lambda: games.find("take", variant="x" * 50), f"variant kann nicht „{'x' * 40}...“ sein. Möglich ist standard oder high-churn."),
    (lambda: typed(Loud, {"loud": "perhaps"}), "loud kann nicht „perhaps“ sein. Möglich ist yes oder no."),
    (lambda: validate(Loud(loud=1)), "loud kann nicht „1“ sein. Möglich ist yes oder no."),  # type: ignore[arg-type]  # that is the point
    (lambda: check_names(Nothing, {"size": 5}), "Es gibt keine Option „size“. Dieses Spiel hat keine Optionen."),
    (lambda: called(board(5, 5), "z 9"), "Dieses Brett hat kein Feld z9; seine Felder gehen von a1 bis e5."),
    (lambda: parse_turn(TAKE.rules, TAKE.rules.start(), " ; "), "Darin steht kein Zug."),
    (lambda: parse_turn(TAKE.rules, TAKE.rules.start(), "a1; a2"), "Der Zug endet mit „a1“; lass weg, was danach kommt."),
    (lambda: parse_turn(TAKE.rules, over(), "a1"), "Die Partie ist zu Ende."),
    (lambda: refuse(refusals.taken(refusals.NAME, "Ada", "ada@example.org")), "Der Name Ada ist vergeben."),
    (lambda: refuse(refusals.taken(refusals.ADDRESS, "Ada", "ada@example.org")), "Die Adresse ada@example.org hat schon jemand anders."),
    (lambda: refuse(refusals.no_player(PlayerId(7))), "Ein Konto mit der Nummer 7 gibt es hier nicht."),
    (lambda: refuse(refusals.nobody_called("Zoe")), "Hier gibt es niemanden mit der Nummer, dem Namen oder der Adresse 'Zoe'."),
    (lambda: refuse(refusals.no_game(GameId(7))), "Eine Partie 7 gibt es hier nicht."),
]


@pytest.mark.parametrize(("attempt", "told"), REFUSED, ids=[told for _, told in REFUSED])
def test_a_refusal_is_told_in_german(attempt: Callable[[], object], told: str) -> None:
    with pytest.raises(Refusal) as refused:
        attempt()
    german = language("de").told(refused.value.message)
    assert german.startswith(told)
    assert german != refused.value.message


def test_a_game_without_options_says_so() -> None:
    with pytest.raises(Refusal, match=r"^There is no option \"size\"\. This game has no options\.$"):
        check_names(Nothing, {"size": 5})
