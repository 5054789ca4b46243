"""The record of what was played, and its points."""

from fractions import Fraction

import pytest

from tests.cases import for_each
from turnserver.ids import PlayerId
from turnserver.league.scoring.marks import OTHER_SIDE, USUAL, WON, Mark, Scoring
from turnserver.league.scoring.record import Encounter, PlayerPart, PlayRecord

ADA, BOB, CLEO, DAN = map(PlayerId, (1, 2, 3, 4))


def game(number: int, first: PlayerId, second: PlayerId, mark: Mark | None = None) -> Encounter:
    return Encounter(number, (first, second), () if mark is None else (mark, OTHER_SIDE[mark]))


RECORD = PlayRecord(
    (ADA, BOB, CLEO, DAN),
    [
        game(3, ADA, CLEO),
        game(1, ADA, BOB, Mark.WIN),
        Encounter(2, (BOB,), (Mark.BYE,)),
        game(2, DAN, ADA, Mark.FORFEIT),
        game(1, CLEO, DAN, Mark.DRAW),
    ],
)


@for_each("mark", OTHER_SIDE)
def test_the_other_sides_other_side_is_ones_own(mark: Mark) -> None:
    assert OTHER_SIDE[OTHER_SIDE[mark]] is mark


@for_each("mark", [mark for mark in OTHER_SIDE if mark not in (Mark.NO_RESULT, Mark.ANNULLED)])
def test_two_sides_share_one_point(mark: Mark) -> None:
    assert USUAL.points[mark] + USUAL.points[OTHER_SIDE[mark]] == 1


@pytest.mark.parametrize("mark", sorted(WON))
def test_nobody_wins_against_a_winner(mark: Mark) -> None:
    assert OTHER_SIDE[mark] not in WON


def test_every_mark_needs_points() -> None:
    with pytest.raises(ValueError, match="no points for draw, loss"):
        Scoring({mark: Fraction(1) for mark in Mark if mark not in (Mark.DRAW, Mark.LOSS)}, frozenset(), frozenset())


@for_each(
    ("players", "marks", "places", "why"),
    [
        ((ADA, BOB), (Mark.WIN,), (), "every player has a mark"),
        ((ADA, BOB), (), (1,), "every player has a mark"),
        ((ADA, ADA), (), (), "in the meeting twice"),
        ((ADA, BOB), (Mark.BYE, Mark.BYE), (), "a bye is for one"),
        ((ADA,), (Mark.WIN,), (), "whoever is alone"),
        ((ADA,), (), (), "whoever is alone"),
    ],
)
def test_what_cannot_be_is_refused(players: tuple[PlayerId, ...], marks: tuple[Mark, ...], places: tuple[int, ...], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Encounter(1, players, marks, places)


def test_strangers_are_refused() -> None:
    with pytest.raises(ValueError, match="player 2 is not in this division"):
        PlayRecord((ADA,), [game(1, ADA, BOB)])


@for_each(("player", "points"), [(ADA, 2), (BOB, 1), (CLEO, Fraction(1, 2)), (DAN, Fraction(1, 2))])
def test_points_are_added_up(player: PlayerId, points: Fraction) -> None:
    assert RECORD.score(player, USUAL) == points


def test_a_player_has_parts_in_the_order_of_rounds() -> None:
    assert RECORD.parts(ADA) == (
        PlayerPart(1, 1, (BOB,), Mark.WIN, None),
        PlayerPart(2, 2, (DAN,), Mark.WIN_BY_FORFEIT, None),
        PlayerPart(3, 1, (CLEO,), None, None),
    )


@pytest.mark.parametrize(("player", "number", "opponents"), [(ADA, 0, (BOB,)), (BOB, 1, ())])
def test_there_is_one_opponent_or_none(player: PlayerId, number: int, opponents: tuple[PlayerId, ...]) -> None:
    assert RECORD.parts(player)[number].opponents == opponents


def test_who_does_not_come_is_not_met() -> None:
    assert RECORD.met(USUAL) == {frozenset({ADA, BOB}), frozenset({CLEO, DAN}), frozenset({ADA, CLEO})}


def test_who_was_first() -> None:
    assert RECORD.firsts(USUAL) == {ADA: (True, True), BOB: (False,), CLEO: (True, False), DAN: (False,)}


def test_more_than_two_have_places() -> None:
    table = Encounter(1, (ADA, BOB, CLEO), (Mark.WIN, Mark.LOSS, Mark.LOSS), (1, 2, 2))
    assert PlayRecord((ADA, BOB, CLEO), [table]).parts(BOB) == (PlayerPart(1, 2, (ADA, CLEO), Mark.LOSS, 2),)
