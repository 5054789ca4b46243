"""Tables: who has which place, and why."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnserver.ids import PlayerId
from turnserver.league.scoring.marks import OTHER_SIDE, USUAL, Mark
from turnserver.league.scoring.record import Encounter, PlayRecord
from turnserver.league.scoring.sheets import PairingTime, sheets_of
from turnserver.league.scoring.standings import Open, Table, table
from turnserver.league.scoring.tiebreaks import TieBreak, head_to_head

ADA, BOB, CLEO, DAN = map(PlayerId, (1, 2, 3, 4))
HALF = Fraction(1, 2)
WIN, DRAW, LOSS = Mark.WIN, Mark.DRAW, Mark.LOSS
some = settings(max_examples=40)


def of_two(number: int, first: PlayerId, second: PlayerId, mark: Mark) -> Encounter:
    return Encounter(number, (first, second), (mark, OTHER_SIDE[mark]))


# Ada, Bob and Cleo have two points each, from beating one another in a ring; Dan has none.
RING = PlayRecord(
    (DAN, CLEO, BOB, ADA),
    [
        of_two(1, ADA, BOB, WIN),
        of_two(1, CLEO, DAN, WIN),
        of_two(2, BOB, CLEO, WIN),
        of_two(2, DAN, ADA, LOSS),
        of_two(3, CLEO, ADA, WIN),
        of_two(3, BOB, DAN, WIN),
    ],
)


def places(found: Table) -> list[tuple[int, PlayerId]]:
    return [(standing.place, standing.player) for standing in found.standings]


def ring(*order: TieBreak, playoffs: Mapping[PlayerId, Fraction] | None = None, lots: Mapping[PlayerId, Fraction] | None = None) -> Table:
    return table(sheets_of(RING, USUAL, PairingTime.FIXED), order, playoffs or {}, lots or {})


def numbers(*drawn: tuple[PlayerId, int]) -> dict[PlayerId, Fraction]:
    return {player: Fraction(number) for player, number in drawn}


@pytest.mark.parametrize("order", [(), (TieBreak.HEAD_TO_HEAD, TieBreak.SONNEBORN_BERGER, TieBreak.WINS)])
def test_players_whom_nothing_parts_share_a_place(order: tuple[TieBreak, ...]) -> None:
    found = ring(*order)
    assert places(found) == [(1, CLEO), (1, BOB), (1, ADA), (4, DAN)]
    assert found.open == ()


def test_each_tie_break_is_for_those_whom_the_ones_before_have_not_parted() -> None:
    found = ring(TieBreak.WINS_AS_SECOND, TieBreak.LOTS, lots=numbers((BOB, 1), (CLEO, 2), (ADA, 3)))
    assert places(found) == [(1, ADA), (2, CLEO), (3, BOB), (4, DAN)]
    told = {standing.player: tuple(figure.value for figure in standing.explain(TieBreak.LOTS)) for standing in found.standings}
    assert told == {ADA: (), CLEO: (2,), BOB: (1,), DAN: ()}
    assert [figure.tie_break for figure in found.standings[1].figures] == [TieBreak.POINTS, TieBreak.WINS_AS_SECOND, TieBreak.LOTS]
    assert [figure.tie_break for figure in found.standings[0].figures] == [TieBreak.POINTS, TieBreak.WINS_AS_SECOND]


@pytest.mark.parametrize("playoffs", [{}, numbers((ADA, 2), (BOB, 1))])
def test_a_playoff_is_open_until_all_of_its_players_have_figures(playoffs: Mapping[PlayerId, Fraction]) -> None:
    found = ring(TieBreak.PLAYOFF, TieBreak.WINS_AS_SECOND, playoffs=playoffs)
    assert places(found) == [(1, CLEO), (1, BOB), (1, ADA), (4, DAN)]
    assert found.open == (Open(TieBreak.PLAYOFF, 1, (CLEO, BOB, ADA)),)


def test_who_is_tied_after_a_playoff_goes_on() -> None:
    found = ring(TieBreak.PLAYOFF, TieBreak.LOTS, playoffs=numbers((ADA, 1), (BOB, 1), (CLEO, 2)), lots=numbers((ADA, 7)))
    assert places(found) == [(1, CLEO), (2, BOB), (2, ADA), (4, DAN)]
    assert found.open == (Open(TieBreak.LOTS, 2, (BOB, ADA)),)
    assert found.standings[1].explain(TieBreak.PLAYOFF)[0].among == (CLEO, BOB, ADA)


def test_a_figure_for_each_time_that_players_were_compared() -> None:
    record = PlayRecord(
        (ADA, BOB, CLEO, DAN),
        [
            of_two(1, ADA, BOB, WIN),
            of_two(1, DAN, CLEO, WIN),
            of_two(2, ADA, CLEO, LOSS),
            of_two(2, BOB, DAN, DRAW),
            of_two(3, ADA, DAN, WIN),
            of_two(3, BOB, CLEO, DRAW),
        ],
    )
    start = {BOB: Fraction(1), CLEO: HALF, DAN: HALF}  # so that all have two points
    found = table(sheets_of(record, USUAL, PairingTime.FIXED, start=start), [TieBreak.HEAD_TO_HEAD])
    assert places(found) == [(1, ADA), (2, DAN), (3, CLEO), (4, BOB)]
    told = {standing.player: [figure.value for figure in standing.explain(TieBreak.HEAD_TO_HEAD)] for standing in found.standings}
    assert told == {ADA: [2], DAN: [1.5, 1], CLEO: [1.5, 0], BOB: [1]}


def test_a_table_of_nobody() -> None:
    assert table(sheets_of(PlayRecord((), []), USUAL, PairingTime.BY_STANDING), [TieBreak.BUCHHOLZ]) == Table((), ())


def test_places_part_players_of_larger_tables() -> None:
    marks = (WIN, LOSS, LOSS)
    record = PlayRecord(
        (ADA, BOB, CLEO),
        [Encounter(1, (ADA, BOB, CLEO), marks, (1, 2, 3)), Encounter(2, (CLEO, ADA, BOB), marks, (1, 3, 2))],
    )
    sheets = sheets_of(record, USUAL, PairingTime.FIXED, {3: (Fraction(2), Fraction(1), Fraction(0))})
    assert places(table(sheets, [TieBreak.FIRST_PLACES])) == [(1, ADA), (1, CLEO), (3, BOB)]
    assert places(table(sheets, [TieBreak.HEAD_TO_HEAD])) == [(1, ADA), (1, BOB), (1, CLEO)]


# What follows counts once more, by the book: from rows of what each round was, with nothing shared with the code but the marks.


class Was(NamedTuple):
    what: str
    points: Fraction
    other: PlayerId | None = None
    second: bool = False


ONE = Fraction(1)
POINTS = {WIN: ONE, DRAW: HALF, Mark.WIN_BY_FORFEIT: ONE, Mark.WIN_ON_TIME: ONE}
PLAYED = (WIN, DRAW, LOSS, Mark.WIN_ON_TIME, Mark.TIMEOUT)
VOLUNTARY = ("absent", "forfeit lost")


def rows_of(players: Sequence[PlayerId], encounters: Sequence[Encounter], rounds: int) -> dict[PlayerId, list[Was]]:
    rows = {player: [Was("absent", Fraction(0))] * rounds for player in players}
    for encounter in encounters:
        at = encounter.round - 1
        if len(encounter.players) == 1:
            rows[encounter.players[0]][at] = Was("bye", Fraction(1))
            continue
        if not encounter.marks:
            for player in encounter.players:
                rows[player][at] = Was("running", Fraction(0))
            continue
        first, second = encounter.players
        for player, other, mark, is_second in ((first, second, encounter.marks[0], False), (second, first, encounter.marks[1], True)):
            what = {Mark.FORFEIT: "forfeit lost", Mark.WIN_BY_FORFEIT: "forfeit won"}.get(mark, "game" if mark in PLAYED else "void")
            rows[player][at] = Was(what, POINTS.get(mark, Fraction(0)), other, is_second)
    return rows


class ByTheBook:
    def __init__(self, rows: Mapping[PlayerId, list[Was]]) -> None:
        self.rows = rows

    def points(self, player: PlayerId) -> Fraction:
        total = Fraction(0)
        for was in self.rows[player]:
            total += was.points
        return total

    def for_opponents(self, player: PlayerId) -> Fraction:
        total, row = Fraction(0), self.rows[player]
        for at, was in enumerate(row):
            followed_by_nothing = all(later.what in VOLUNTARY for later in row[at + 1 :])
            total += HALF if was.what == "absent" and followed_by_nothing else was.points
        return total

    def opponents(self, player: PlayerId) -> list[tuple[Fraction, Was]]:
        found = []
        for was in self.rows[player]:
            if was.what == "running":
                continue
            if was.what == "game":
                assert was.other is not None
                found.append((self.for_opponents(was.other), was))
            elif was.other is not None:
                found.append((min(self.points(player), self.for_opponents(was.other)), was))
            else:
                found.append((min(self.points(player), len(self.rows[player]) * HALF), was))
        return found

    def value(self, tie_break: TieBreak, player: PlayerId) -> Fraction | int:
        row, opponents = self.rows[player], self.opponents(player)
        games = [was for was in row if was.what == "game"]
        match tie_break:
            case TieBreak.POINTS:
                return self.points(player)
            case TieBreak.BUCHHOLZ:
                return sum(score for score, _ in opponents)
            case TieBreak.BUCHHOLZ_CUT_1:
                voluntary = [score for score, was in opponents if was.what in VOLUNTARY]
                everything = [score for score, _ in opponents]
                return sum(everything) - min(voluntary or everything, default=0)
            case TieBreak.SONNEBORN_BERGER:
                return sum(score * was.points for score, was in opponents)
            case TieBreak.WINS:
                return sum(was.points == 1 for was in row)
            case TieBreak.GAMES_WON:
                return sum(was.points == 1 for was in games)
            case TieBreak.GAMES_AS_SECOND:
                return sum(was.second for was in games)
            case TieBreak.WINS_AS_SECOND:
                return sum(was.second and was.points == 1 for was in games)
            case _:
                return len(games)


BY_ONESELF = (
    TieBreak.BUCHHOLZ_CUT_1,
    TieBreak.BUCHHOLZ,
    TieBreak.SONNEBORN_BERGER,
    TieBreak.WINS,
    TieBreak.GAMES_WON,
    TieBreak.WINS_AS_SECOND,
    TieBreak.GAMES_AS_SECOND,
    TieBreak.GAMES_PLAYED,
)


@st.composite
def seasons(draw: st.DrawFn) -> tuple[tuple[PlayerId, ...], list[Encounter]]:
    """A Swiss event in which people stay away, come late, and leave games without a result."""
    players = tuple(map(PlayerId, range(1, draw(st.integers(2, 7)) + 1)))
    encounters = []
    for number in range(1, draw(st.integers(1, 5)) + 1):
        there = draw(st.permutations(players))[: draw(st.integers(0, len(players)))]
        for first, second in zip(there[::2], there[1::2], strict=False):
            mark = draw(st.sampled_from([*OTHER_SIDE, WIN, LOSS, DRAW, None]))
            encounters.append(Encounter(number, (first, second)) if mark is None else of_two(number, first, second, mark))
        if len(there) % 2:
            encounters.append(Encounter(number, (there[-1],), (Mark.BYE,)))
    return players, encounters


@some
@given(seasons(), st.sets(st.sampled_from(BY_ONESELF)))
def test_tables_are_as_counted_by_the_book(season: tuple[tuple[PlayerId, ...], list[Encounter]], chosen: set[TieBreak]) -> None:
    players, encounters = season
    order = [tie_break for tie_break in BY_ONESELF if tie_break in chosen]
    found = table(sheets_of(PlayRecord(players, encounters), USUAL, PairingTime.BY_STANDING), order)
    book = ByTheBook(rows_of(players, encounters, max((one.round for one in encounters), default=0)))
    told = {player: tuple(book.value(tie_break, player) for tie_break in (TieBreak.POINTS, *order)) for player in players}
    assert {standing.player: tuple(figure.value for figure in standing.figures) for standing in found.standings} == told
    expected = {player: 1 + sum(told[other] > told[player] for other in players) for player in players}
    assert {standing.player: standing.place for standing in found.standings} == expected
    assert [standing.place for standing in found.standings] == sorted(expected.values())


@some
@given(seasons(), st.permutations(range(7)), st.permutations(range(30)))
def test_nothing_depends_on_the_order_of_players_or_games(
    season: tuple[tuple[PlayerId, ...], list[Encounter]], others: list[int], mixed: list[int]
) -> None:
    players, encounters = season
    order = (TieBreak.HEAD_TO_HEAD, *BY_ONESELF)
    record = PlayRecord([players[at] for at in others if at < len(players)], [encounters[at] for at in mixed if at < len(encounters)])
    one, other = (
        {standing.player: (standing.place, [figure.value for figure in standing.figures]) for standing in table(sheets, order).standings}
        for sheets in (sheets_of(each, USUAL, PairingTime.BY_STANDING) for each in (PlayRecord(players, encounters), record))
    )
    assert one == other


Scores = Mapping[tuple[PlayerId, PlayerId], Fraction]


def completed(group: tuple[PlayerId, ...], scores: Scores) -> Iterator[dict[PlayerId, Fraction]]:
    """Yield what each of the group could have, for all ways in which those who have not met could have."""
    missing = [pair for pair in combinations(group, 2) if pair not in scores]
    for ends in product((Fraction(1), HALF, Fraction(0)), repeat=len(missing)):
        full = {**scores, **dict(zip(missing, ends, strict=True))}
        full |= {(b, a): 1 - full[a, b] for a, b in missing}
        yield {player: sum((full[player, other] for other in group if other != player), Fraction(0)) for player in group}


def naive_head_to_head(group: tuple[PlayerId, ...], scores: Scores) -> list[set[PlayerId]]:
    if all(pair in scores for pair in combinations(group, 2)):
        (total,) = completed(group, scores)
        tiers = [{player for player in group if total[player] == value} for value in sorted(set(total.values()), reverse=True)]
        if len(tiers) == 1:
            return tiers
        return [part for tier in tiers for part in naive_head_to_head(tuple(sorted(tier)), scores)]
    for player in group:
        if all(total[player] > max(total[other] for other in group if other != player) for total in completed(group, scores)):
            return [{player}, *naive_head_to_head(tuple(other for other in group if other != player), scores)]
    return [set(group)]


@some
@given(seasons(), st.integers(1, 4))
def test_head_to_head_is_as_counted_by_the_book(season: tuple[tuple[PlayerId, ...], list[Encounter]], many: int) -> None:
    players, encounters = season
    group = players[:many]
    ends: dict[tuple[PlayerId, PlayerId], list[Fraction]] = {}
    for encounter in encounters:
        if len(encounter.players) == 2 and encounter.marks and encounter.marks[0] in PLAYED:
            (first, second), points = encounter.players, POINTS.get(encounter.marks[0], Fraction(0))
            ends.setdefault((first, second), []).append(points)
            ends.setdefault((second, first), []).append(1 - points)
    scores = {pair: sum(each, Fraction(0)) / len(each) for pair, each in ends.items()}
    tiers, applied = head_to_head(sheets_of(PlayRecord(players, encounters), USUAL, PairingTime.BY_STANDING), group)
    assert [set(tier) for tier in tiers] == naive_head_to_head(group, scores)
    assert all(figure.value == sum(scores.get((player, other), 0) for other in figure.among) for player, figure in applied)
