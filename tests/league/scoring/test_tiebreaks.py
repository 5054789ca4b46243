"""Tie-breaks against worked examples that were published, as figures.

`SWISS` and `ROUND_ROBIN` are the tournaments of "Exercises in Tie-Breaking" of the FIDE Technical Commission (V01-1, April 2024), players
by number. `ANNEX` are examples 1, 3 and that of a withdrawal for one round in the annex to C.07 in the FIDE Arbiters' Manual 2026.
"""

from collections.abc import Mapping
from fractions import Fraction

import pytest

from tests.cases import for_each
from turnserver.ids import PlayerId
from turnserver.league.scoring.marks import OTHER_SIDE, USUAL, Mark
from turnserver.league.scoring.record import Encounter, PlayRecord
from turnserver.league.scoring.sheets import LineKind, PairingTime, SheetLine, Sheets, Worth, sheets_of
from turnserver.league.scoring.tiebreaks import AMONG_TIED, Figure, Term, TieBreak, figure, head_to_head

HALF = Fraction(1, 2)
WORTH = Worth(Fraction(1), HALF, Fraction(0))
SCORES = {"+": Fraction(1), "=": HALF, "-": Fraction(0)}


def line(number: int, told: str) -> SheetLine:
    """A line from its notation.

    `w9+` is a win against 9 as first player and `b9-` a loss as second, `f9+` was won without a game; `h` and `z` are rounds that somebody
    asked to miss, for half a point and for none, and `u` is a round without an opponent.
    """
    if told in "hzu":
        points = {"h": HALF, "z": Fraction(0), "u": Fraction(1)}[told]
        return SheetLine(number, LineKind.BYE if told == "u" else LineKind.ABSENT, points)
    other, points = PlayerId(int(told[1:-1])), SCORES[told[-1]]
    won = told[-1] == "+"
    if told[0] == "f":
        return SheetLine(number, LineKind.WALKOVER if won else LineKind.DEFAULT, points, (other,), won=won, met=((other, points),))
    return SheetLine(number, LineKind.GAME, points, (other,), 1 if told[0] == "w" else 2, won, met=((other, points),))


def sheets(told: Mapping[int, str], pairing: PairingTime = PairingTime.BY_STANDING) -> Sheets:
    lines = {PlayerId(player): [line(number, one) for number, one in enumerate(row.split(), 1)] for player, row in told.items()}
    return Sheets(lines, WORTH, pairing)


SWISS = sheets(
    {
        1: "w9+ b13= w2= b15+ w4=",
        2: "b10+ w7+ b1= w16+ b3=",
        3: "w11= b6+ w8+ b4= w2=",
        4: "b12+ h w13+ w3= b1=",
        5: "w13- b15- w11+ b7= w10+",
        6: "b14- w3- u w10+ b8+",
        7: "w15+ b2- b16- w5= b11-",
        8: "b16= w14+ b3- w13+ w6-",
        9: "b1- w10- h f11- u",
        10: "w2- b9+ w15- b6- b5-",
        11: "b3= w16- b5- f9+ w7+",
        12: "w4- u f14+ z z",
        13: "b5+ w1= b4- b8- w14-",
        14: "w6+ b8- f12- z b13+",
        15: "b7- w5+ b10+ w1- b16-",
        16: "w8= b11+ w7+ b2- w15+",
    }
)

# As published, but for stand-ins that are bounded since March 2026 (16.4): that of 4 in round 2 and that of 6 in round 3 have five draws
# at most, 2½ points, and that of 11 in round 4 has no more than the 1½ of player 9.
PUBLISHED = {
    TieBreak.POINTS: (3.5, 4, 3.5, 3.5, 2.5, 3, 1.5, 2.5, 1.5, 1, 2.5, 2, 1.5, 2, 2, 3.5),
    TieBreak.WINS: (2, 3, 2, 2, 2, 3, 1, 2, 1, 1, 2, 2, 1, 2, 2, 3),
    TieBreak.GAMES_WON: (2, 3, 2, 2, 2, 2, 1, 2, 0, 1, 1, 0, 1, 2, 2, 3),
    TieBreak.GAMES_AS_SECOND: (2, 3, 2, 2, 2, 2, 3, 2, 1, 3, 2, 0, 3, 2, 3, 2),
    TieBreak.WINS_AS_SECOND: (1, 1, 1, 1, 0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 1, 1),
    TieBreak.BUCHHOLZ: (12.5, 13, 15.5, 15 - 1, 8.5, 12 - 0.5, 14.5, 13.5, 9, 13, 13.5 - 1, 11.5, 14, 11, 12, 12.5),
    TieBreak.BUCHHOLZ_CUT_1: (11, None, 13, 11.5, 7.5, None, 12.5, 12, 7.5, None, 12 - 1, 9.5, 12, 9, 11, 11),
    TieBreak.SONNEBORN_BERGER: (8, 9.5, 10.5, 9.75 - 0.5, 4.25, 6.5 - 0.5, 3.25, 5.25, 2.25, 1.5, 5.75 - 1, 4, 4.25, 4.5, 3.5, 7.25),
}


@for_each("tie_break", PUBLISHED)
def test_swiss_exercises(tie_break: TieBreak) -> None:
    told = {player: value for player, value in enumerate(PUBLISHED[tie_break], 1) if value is not None}
    assert {player: figure(SWISS, tie_break, PlayerId(player)).value for player in told} == told


BY_HAND = {
    TieBreak.PROGRESSIVE: {1: 1 + 1.5 + 2 + 3 + 3.5, 2: 1 + 2 + 2.5 + 3.5 + 4, 4: 1 + 1.5 + 2.5 + 3 + 3.5, 12: 0 + 1 + 2 + 2 + 2},
    TieBreak.BUCHHOLZ_MEDIAN_1: {1: 12.5 - 1.5 - 4, 2: 13 - 1 - 3.5, 4: 14 - 2.5 - 3.5},
    TieBreak.KOYA: {1: 0.5 + 0.5, 4: 0.5 + 0.5, 9: 0},
}
"""Figures of the same tournament by articles 7.5, 14.3 and 9.2, for which no exercise was published."""


@pytest.mark.parametrize("tie_break", BY_HAND)
def test_figures_that_were_added_up_by_hand(tie_break: TieBreak) -> None:
    told = BY_HAND[tie_break]
    assert {player: figure(SWISS, tie_break, PlayerId(player)).value for player in told} == told


def test_scores_as_opponents() -> None:
    told = (3.5, 4, 3.5, 3.5, 2.5, 3, 1.5, 2.5, 1.5, 1, 2.5, 3, 1.5, 2, 2, 3.5)
    assert list(map(SWISS.adjusted, SWISS.players)) == list(map(Fraction, told))


ANNEX = {
    "a withdrawal for a round": (
        "w11+ w12+ w13- z w15+ w16= w17+ w18= w19+ w20+",
        (5, 5, 6.5, None, 4.5, 6, 5, 6.5, 5.5, 6),
        {TieBreak.POINTS: 7, TieBreak.BUCHHOLZ: 55, TieBreak.BUCHHOLZ_CUT_1: 50, TieBreak.SONNEBORN_BERGER: 37.25},
    ),
    "example 1": (
        "w11+ b12+ w13= b14+ w15- b16+ f17+ w18= b19+",
        (5, 5.5, 5, 4.5, 6, 5.5, 5.5, 6.5, 6),
        {TieBreak.POINTS: 7, TieBreak.BUCHHOLZ: 49.5},
    ),
    "example 3": (
        "w11+ b12+ w13+ b14= w15+ b16- w17+ b18+ f19- z",
        (3.5, 6, 6.5, 7.5, 6.5, 8, 6.5, 7, 7.5, None),
        {TieBreak.POINTS: 6.5, TieBreak.BUCHHOLZ: 63},
    ),
}


@pytest.mark.parametrize("name", ANNEX)
def test_annex(name: str) -> None:
    row, scores, told = ANNEX[name]
    ada = PlayerId(1)
    own = [line(number, one) for number, one in enumerate(row.split(), 1)]
    others = {PlayerId(10 + at): [SheetLine(1, LineKind.GAME, Fraction(score))] for at, score in enumerate(scores, 1) if score is not None}
    found = Sheets({ada: own, **others}, WORTH, PairingTime.BY_STANDING)
    assert {tie_break: figure(found, tie_break, ada).value for tie_break in told} == told


def test_the_forfeit_of_example_1() -> None:
    forfeiter = [line(number, one) for number, one in enumerate("w2+ w2+ w2+ w2= w2= w2= f1- z z".split(), 1)]
    assert Sheets({PlayerId(17): forfeiter}, WORTH, PairingTime.BY_STANDING).adjusted(PlayerId(17)) == 5.5


ROUND_ROBIN = sheets(
    {
        1: "w5= w2+ b3+ w4- b6+",
        2: "w6+ b1- w5+ w3= b4+",
        3: "w4+ b6+ w1- b2= w5+",
        4: "b3- b5- w6= b1+ w2-",
        5: "b1= w4+ b2- f6- b3-",
        6: "b2- w3- b4= f5+ w1-",
    },
    PairingTime.FIXED,
)
SIX = ROUND_ROBIN.players


@for_each(
    ("tie_break", "told"),
    [
        (TieBreak.POINTS, (3.5, 3.5, 3.5, 1.5, 1.5, 1.5)),
        (TieBreak.SONNEBORN_BERGER, (9.25, 6.25, 6.25, 4.25, 3.25, 2.25)),
        (TieBreak.KOYA, (2, 0.5, 0.5, 1, 0.5, 0)),  # by hand: 1, 2 and 3 have more than half of five points
        (TieBreak.GAMES_WON, (3, 3, 3, 1, 1, 1)),  # 6 has won without a game (15.2)
        (TieBreak.GAMES_PLAYED, (5, 5, 5, 5, 4, 4)),
    ],
)
def test_round_robin_exercises(tie_break: TieBreak, told: tuple[float, ...]) -> None:
    assert tuple(figure(ROUND_ROBIN, tie_break, player).value for player in SIX) == told


@pytest.mark.parametrize(
    ("tied", "tiers", "told"),
    [(SIX[:3], ((1,), (2, 3)), (2, 0.5, 0.5)), (SIX[3:], ((6,), (5,), (4,)), (0.5, 1, 1.5))],
)
def test_round_robin_head_to_head(tied: tuple[PlayerId, ...], tiers: tuple[tuple[int, ...], ...], told: tuple[float, ...]) -> None:
    found, applied = head_to_head(ROUND_ROBIN, tied)
    assert found == tiers
    assert tuple(figure.value for _, figure in applied[: len(tied)]) == told


ADA, BOB, CLEO, DAN = map(PlayerId, (1, 2, 3, 4))


@for_each(
    ("told", "tiers"),
    [
        ({1: "w2+ w3+", 2: "b1- u", 3: "u b1-"}, ((1,), (2, 3))),  # 2 and 3 have not met, but neither can catch up with 1
        ({1: "w2+ w3=", 2: "b1- u", 3: "u b1="}, ((1, 2, 3),)),  # 3 might have won against 2
        ({1: "w2+ w3+ z", 2: "b1- z w3-", 3: "z b1- b2+"}, ((1,), (3,), (2,))),  # all have met
        ({1: "w2+ f3+ z", 2: "b1- z w3-", 3: "z f1- b2+"}, ((1, 2, 3),)),  # a forfeit is no meeting
        ({1: "w2+ w2= b3=", 2: "b1- b1= w3+", 3: "z b2- w1="}, ((1,), (2,), (3,))),  # 1 has ¾ and ½, 2 has ¼ and 1; then 1 has ¾
        ({1: "w2+ w3- w4+", 2: "b1- w4= w3=", 3: "w4- b1+ b2=", 4: "b3+ b2= b1-"}, ((1,), (4,), (3,), (2,))),
        ({1: "w2= z", 2: "b1= z", 3: "z z"}, ((1, 2, 3),)),
        ({1: "z"}, ((1,),)),
    ],
)
def test_head_to_head(told: dict[int, str], tiers: tuple[tuple[int, ...], ...]) -> None:
    found = sheets(told)
    assert head_to_head(found, found.players)[0] == tiers


def test_several_games_of_two_count_as_one() -> None:
    found = sheets({1: "w2+ b2= w3-", 2: "b1- w1= z", 3: "z z b1+"})
    (_, figure), *_ = head_to_head(found, found.players)[1]
    assert figure == Figure(
        TieBreak.HEAD_TO_HEAD,
        (
            Term(1, (BOB,), LineKind.GAME, Fraction(1), HALF),
            Term(2, (BOB,), LineKind.GAME, HALF, HALF),
            Term(3, (CLEO,), LineKind.GAME, Fraction(0), Fraction(1)),
        ),
        (ADA, BOB, CLEO),
    )
    assert figure.value == Fraction(3, 4)


def test_it_matters_who_is_tied() -> None:
    told = {1: "w2+ w3- w4=", 2: "b1- w4+ w3=", 3: "w4- b1+ b2=", 4: "b3+ b2- b1="}
    found = sheets(told)
    tiers, applied = head_to_head(found, found.players)
    assert tiers == ((1, 2, 3, 4),)
    assert [figure.value for _, figure in applied] == [1.5] * 4
    assert head_to_head(found, (ADA, BOB, CLEO))[0] == ((3,), (1,), (2,))


def test_points_for_games_that_were_not_played() -> None:
    lines = {
        ADA: [SheetLine(1, LineKind.GAME, met=((BOB, Fraction(3)), (CLEO, Fraction(3))))],
        BOB: [SheetLine(1, LineKind.GAME, met=((ADA, Fraction(1)), (CLEO, Fraction(2)), (DAN, Fraction(3))))],
        CLEO: [SheetLine(1, LineKind.GAME, met=((ADA, Fraction(1)), (BOB, Fraction(2)), (DAN, Fraction(2))))],
        DAN: [SheetLine(1, LineKind.GAME, met=((BOB, Fraction(1)), (CLEO, Fraction(2))))],
    }
    found = Sheets(lines, Worth(Fraction(3), Fraction(2), Fraction(1)), PairingTime.BY_STANDING)
    assert head_to_head(found, found.players)[0][0] == (ADA,)  # 7 at least, as a loss has a point; Bob has 6, and Dan 6 at most


@for_each("tie_break", TieBreak)
def test_every_tie_break_has_figures(tie_break: TieBreak) -> None:
    if tie_break in AMONG_TIED:
        with pytest.raises(ValueError, match="a player alone has no figure"):
            figure(SWISS, tie_break, ADA)
    else:
        assert figure(SWISS, tie_break, ADA).tie_break is tie_break


def test_what_a_buchholz_is_made_of() -> None:
    found = figure(SWISS, TieBreak.BUCHHOLZ_CUT_1, PlayerId(4))
    assert found.terms == (
        Term(1, (PlayerId(12),), LineKind.GAME, Fraction(3)),
        Term(2, (), LineKind.ABSENT, Fraction(5, 2), Fraction(0)),
        Term(3, (PlayerId(13),), LineKind.GAME, Fraction(3, 2)),
        Term(4, (PlayerId(3),), LineKind.GAME, Fraction(7, 2)),
        Term(5, (PlayerId(1),), LineKind.GAME, Fraction(7, 2)),
    )


def test_nothing_can_be_cut_off_nothing() -> None:
    for cut in (TieBreak.BUCHHOLZ_CUT_1, TieBreak.BUCHHOLZ_MEDIAN_1):
        assert figure(sheets({1: ""}), cut, ADA).terms == ()
    assert figure(sheets({1: "w2+", 2: "b1-"}), TieBreak.BUCHHOLZ_MEDIAN_1, ADA).value == 0


def test_points_to_begin_with_are_in_every_progressive_score() -> None:
    lines = {ADA: [line(1, "w2-"), line(2, "w2+")], BOB: [line(1, "b1+"), line(2, "b1-")]}
    found = Sheets(lines, WORTH, PairingTime.BY_STANDING, {ADA: Fraction(2)})
    assert [figure(found, TieBreak.PROGRESSIVE, player).value for player in (ADA, BOB)] == [2 + 3, 1 + 1]


def test_where_everybody_meets_everybody_half_is_of_the_games_and_not_of_the_rounds() -> None:
    found = sheets({1: "w2+ b3-", 2: "b1- z", 3: "z w1+"}, PairingTime.FIXED)
    assert [figure(found, TieBreak.KOYA, player).value for player in found.players] == [0, 0, 1]


def test_there_are_no_stand_ins_where_pairings_are_fixed() -> None:
    found = sheets({1: "w2+ u w3- z", 2: "b1- w3= u z", 3: "u b2= b1+ z"}, PairingTime.FIXED)
    assert [figure(found, tie_break, ADA).value for tie_break in (TieBreak.BUCHHOLZ, TieBreak.BUCHHOLZ_CUT_1)] == [4, 2.5]
    assert figure(found, TieBreak.SONNEBORN_BERGER, ADA).value == 1.5


def test_what_is_cut_where_pairings_are_fixed() -> None:
    found = sheets({1: "f2- w3+", 2: "f1+ w3+", 3: "b2- b1-"}, PairingTime.FIXED)
    assert figure(found, TieBreak.BUCHHOLZ_CUT_1, ADA).value == 2


def of_two(number: int, first: PlayerId, second: PlayerId, mark: Mark | None) -> Encounter:
    return Encounter(number, (first, second), () if mark is None else (mark, OTHER_SIDE[mark]))


MIXED = PlayRecord(
    (ADA, BOB, CLEO, DAN),
    [
        of_two(1, ADA, BOB, Mark.WIN_ON_TIME),
        of_two(1, CLEO, DAN, Mark.FORFEIT),
        of_two(2, ADA, CLEO, Mark.NO_RESULT),
        Encounter(2, (DAN,), (Mark.BYE,)),
        of_two(3, BOB, ADA, Mark.DRAW),
        of_two(4, DAN, ADA, None),
        of_two(4, BOB, CLEO, Mark.ANNULLED),
    ],
)


@for_each(
    ("player", "kinds"),
    [
        (ADA, [LineKind.GAME, LineKind.VOID, LineKind.GAME]),  # the running game is left out
        (BOB, [LineKind.GAME, LineKind.ABSENT, LineKind.GAME, LineKind.VOID]),
        (CLEO, [LineKind.DEFAULT, LineKind.VOID, LineKind.ABSENT, LineKind.VOID]),
        (DAN, [LineKind.WALKOVER, LineKind.BYE, LineKind.ABSENT]),
    ],
)
def test_what_rounds_were(player: PlayerId, kinds: list[LineKind]) -> None:
    assert [line.kind for line in sheets_of(MIXED, USUAL, PairingTime.BY_STANDING).lines(player)] == kinds


def test_nobody_is_absent_where_pairings_are_fixed() -> None:
    assert [line.kind for line in sheets_of(MIXED, USUAL, PairingTime.FIXED).lines(BOB)] == [LineKind.GAME, LineKind.GAME, LineKind.VOID]


def test_who_is_at_it_has_not_stayed_away() -> None:
    found = sheets_of(PlayRecord((ADA, BOB, CLEO), [of_two(2, ADA, BOB, None)]), USUAL, PairingTime.BY_STANDING)
    assert [found.adjusted(player) for player in (ADA, CLEO)] == [0, 1]


def test_a_void_game_is_nobodys_choice() -> None:
    found = sheets_of(MIXED, USUAL, PairingTime.BY_STANDING)
    assert figure(found, TieBreak.BUCHHOLZ, ADA).terms[1] == Term(2, (CLEO,), LineKind.VOID, Fraction(0))
    assert [term.factor for term in figure(found, TieBreak.BUCHHOLZ_CUT_1, BOB).terms] == [1, 0, 1, 1]


def test_a_start_belongs_to_the_points() -> None:
    found = sheets_of(MIXED, USUAL, PairingTime.BY_STANDING, start={DAN: Fraction(10), BOB: Fraction(3)})
    assert figure(found, TieBreak.POINTS, DAN).terms[0] == Term(0, (), None, Fraction(10))
    assert figure(found, TieBreak.POINTS, DAN).value == 12
    assert figure(found, TieBreak.BUCHHOLZ, DAN).value == 0 + 12 + 12  # 12 is within the bound of 10 and four draws
    assert figure(found, TieBreak.BUCHHOLZ, ADA).value == 3.5 + 0 + 3.5


@for_each(
    ("tie_break", "told"),
    [(TieBreak.GAMES_WON, (1, 1)), (TieBreak.GAMES_AS_SECOND, (1, 0)), (TieBreak.WINS_AS_SECOND, (1, 0)), (TieBreak.GAMES_PLAYED, (0, 0))],
)
def test_forfeits_where_pairings_are_fixed(tie_break: TieBreak, told: tuple[Fraction, ...]) -> None:
    encounters = [of_two(1, BOB, ADA, Mark.FORFEIT), of_two(2, BOB, CLEO, Mark.WIN_BY_FORFEIT), of_two(3, DAN, BOB, Mark.WIN_BY_FORFEIT)]
    found = sheets_of(PlayRecord((ADA, BOB, CLEO, DAN), encounters), USUAL, PairingTime.FIXED)
    assert tuple(figure(found, tie_break, player).value for player in (ADA, BOB)) == told


TABLE = Encounter(1, (ADA, BOB, CLEO, DAN), (Mark.WIN, Mark.WIN, Mark.LOSS, Mark.LOSS), (1, 1, 3, 4))
PLACES = {4: tuple(map(Fraction, (6, 3, 1, 0)))}


@for_each(
    ("table", "points"),
    [
        (TABLE, (4.5, 4.5, 1, 0)),
        (Encounter(1, TABLE.players, TABLE.marks, (1, 2, 2, 2)), (6, *[Fraction(4, 3)] * 3)),
        (Encounter(1, TABLE.players, (Mark.WIN, Mark.LOSS, Mark.LOSS, Mark.FORFEIT), (1, 2, 2, 4)), (6, 2, 2, 0)),
        (Encounter(1, TABLE.players, (Mark.WIN_BY_FORFEIT, *[Mark.FORFEIT] * 3), (1, 2, 2, 2)), (6, 0, 0, 0)),
        (Encounter(1, TABLE.players, (Mark.NO_RESULT,) * 4), (0, 0, 0, 0)),
        (Encounter(1, TABLE.players, TABLE.marks), (1, 1, 0, 0)),
    ],
)
def test_points_by_place(table: Encounter, points: tuple[Fraction, ...]) -> None:
    found = sheets_of(PlayRecord(table.players, [table]), USUAL, PairingTime.FIXED, PLACES)
    assert tuple(map(found.score, table.players)) == points


def test_places_need_points() -> None:
    with pytest.raises(ValueError, match="no points for the places at a table of 4"):
        sheets_of(PlayRecord(TABLE.players, [TABLE]), USUAL, PairingTime.FIXED, {4: PLACES[4][:3]})


@for_each(
    ("tie_break", "told"),
    [
        (TieBreak.FIRST_PLACES, (HALF, HALF, 0, 0)),
        (TieBreak.SECOND_PLACES, (HALF, HALF, 0, 0)),
        (TieBreak.THIRD_PLACES, (0, 0, 1, 0)),
        (TieBreak.WINS, (1, 1, 0, 0)),
        (TieBreak.GAMES_AS_SECOND, (0, 0, 0, 0)),
        (TieBreak.BUCHHOLZ, (0, 0, 0, 0)),
    ],
)
def test_places_are_counted(tie_break: TieBreak, told: tuple[Fraction, ...]) -> None:
    found = sheets_of(PlayRecord(TABLE.players, [TABLE]), USUAL, PairingTime.BY_STANDING, PLACES)
    assert tuple(figure(found, tie_break, player).value for player in TABLE.players) == told


def test_a_larger_table_adds_nothing_to_a_buchholz() -> None:
    found = sheets_of(PlayRecord(TABLE.players, [TABLE]), USUAL, PairingTime.BY_STANDING, {4: (*[Fraction(1)] * 4,)})
    assert figure(found, TieBreak.BUCHHOLZ, ADA).terms == ()


def test_who_did_not_come_to_a_table_was_not_met() -> None:
    table = Encounter(1, TABLE.players, (Mark.WIN, Mark.LOSS, Mark.LOSS, Mark.FORFEIT), (1, 2, 2, 4))
    found = sheets_of(PlayRecord(TABLE.players, [table]), USUAL, PairingTime.FIXED, PLACES)
    assert [line.met for player in (BOB, DAN) for line in found.lines(player)] == [((ADA, 0), (CLEO, HALF)), ()]


def test_who_met_at_a_table_has_met() -> None:
    found = sheets_of(PlayRecord(TABLE.players, [TABLE]), USUAL, PairingTime.FIXED, PLACES)
    assert head_to_head(found, (DAN, ADA, CLEO, BOB))[0] == ((1, 2), (3,), (4,))
