"""The Tournament Report File: read again by its specification, column by column, and as strictly as two programs read it.

The columns are those of the FIDE Handbook, C.02.03, Annexure A. What is refused is what bbpPairings (`src/fileformats/trf.cpp`) and FIDE's
TieBreakServer (`gacrux/trf2json.py`, `gacrux/scoresystem.py`) refuse.
"""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from tests.cases import for_each
from tests.league.seasons import League
from tests.league.written import ADA, BEGUN, BOB, CLEO, DAN, EVE, NAMES, Game, closed, one, season, written
from turnserver.errors import NotAllowed
from turnserver.ids import PlayerId
from turnserver.league.commands import Withdraw
from turnserver.league.events import LeagueEvent, PenaltyGiven, PlayerWithdrawn
from turnserver.league.presentation.crosstable import crosstable
from turnserver.league.presentation.trf import report
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.tiebreaks import TieBreak
from turnserver.league.settings import Format, Settings
from turnserver.league.state import LeagueState, Phase

WIN, DRAW, LOSS = Mark.WIN, Mark.DRAW, Mark.LOSS
SWISS = Settings(format=Format.SWISS, rounds=3, tie_breaks=(TieBreak.BUCHHOLZ_CUT_1, TieBreak.HEAD_TO_HEAD, TieBreak.LOTS))
DEFAULTS = {"W": Fraction(1), "D": Fraction(1, 2), "L": Fraction(0), "A": Fraction(0)}
WORTH = {"1": "W", "+": "W", "F": "W", "=": "D", "H": "D", "0": "L", "-": "A", "Z": "A", "U": "P"}


def written_report(state: LeagueState) -> str:
    return report(state, season(state), season(state).divisions[0], NAMES).text


class Played(NamedTuple):
    opponent: int
    colour: str
    code: str


class Player(NamedTuple):
    name: str
    rating: int
    points: Fraction
    rank: int
    rounds: list[Played]


class Report:
    """A file, read by the positions that the specification gives; positions count from 1, both ends included."""

    def __init__(self, text: str) -> None:
        assert text.endswith("\r\n")
        self.tags: dict[str, str] = {}
        self.players: dict[int, Player] = {}
        self.worth = dict(DEFAULTS)
        self.abnormal: dict[tuple[str, int, int], Fraction] = {}
        self.bonus: defaultdict[int, Fraction] = defaultdict(Fraction)
        for line in text.removesuffix("\r\n").split("\r\n"):
            self._read(line.ljust(400))
        self.worth.setdefault("P", self.worth["W"])

    def _read(self, line: str) -> None:
        tag = line[0:3]
        if tag == "001":
            assert line[3] == line[8] == line[13] == line[47] == line[84] == " "
            assert line[8:14].isspace()
            assert line[52:80].isspace()
            rounds = list(self._rounds(line))
            self.players[int(line[4:8])] = Player(
                line[14:47].rstrip(), int(line[48:52]), Fraction(line[80:84].strip()), int(line[85:89]), rounds
            )
        elif tag == "162":
            for at in range(5, 50, 9):
                if not line[at].isspace():
                    self.worth[line[at]] = Fraction(line[at + 1 : at + 5].strip())
        elif tag == "299":
            points, at = Fraction(line[13:17].strip()), int(line[19:22])
            for start in range(23, 400, 5):
                if line[start : start + 4].strip():
                    player = int(line[start : start + 4])
                    if line[4] == " ":
                        self.bonus[player] += points
                    else:
                        self.abnormal[line[4], at, player] = points
        else:
            self.tags[tag] = line[4:].rstrip()

    def _rounds(self, line: str) -> Iterator[Played]:
        for start in range(91, 400, 10):
            if not line[start : start + 8].strip():
                return
            assert line[start - 2 : start].isspace()
            yield Played(int(line[start : start + 4]), line[start + 5], line[start + 7])

    def results(self, number: int) -> Fraction:
        """Return what a player's results and the points for them come to."""
        return sum((self.worth[WORTH[each.code]] for each in self.players[number].rounds), Fraction(0))

    def standing(self, number: int) -> Fraction:
        """Return what a player has in the table: the points of record 001, changed by whatever is abnormal."""
        found = self.players[number].points + self.bonus[number]
        for at, each in enumerate(self.players[number].rounds, 1):
            kind = {"1": "W", "=": "D", "0": "L"}.get(each.code, each.code)
            usual = self.worth[WORTH[each.code]]
            found += self.abnormal.get((kind, at, number), usual) - usual
        return found

    def server_refuses(self) -> bool:
        """Return whether FIDE's TieBreakServer says that no score system adds the results up to the points."""
        return any(player.points not in (0, self.results(number)) for number, player in self.players.items())

    def bbp_refuses(self) -> bool:
        """Return whether bbpPairings takes the file for invalid."""
        return (
            bool(self.abnormal or self.bonus)
            or sorted(self.players) != [*range(1, len(self.players) + 1)]
            or any(player.points != self.results(number) or player.points < 0 for number, player in self.players.items())
            or any(each.opponent and each.code not in "1=0WDL+-" for player in self.players.values() for each in player.rounds)
            or any(not each.opponent and each.code in "1=0WDL+-" for player in self.players.values() for each in player.rounds)
            or any(len(player.rounds) > int(self.tags.get("142", 99)) for player in self.players.values())
            or self.tags.get("142") == "0"
        )

    def check(self) -> None:
        """Check what has to hold in every report."""
        for number, player in self.players.items():
            assert player.points == self.results(number)
            for at, (opponent, colour, code) in enumerate(player.rounds):
                assert (opponent == 0) is (colour == "-") is (code in "ZFHU")
                if opponent:
                    back = self.players[opponent].rounds[at]
                    assert back.opponent == number
                    assert {colour, back.colour} == {"w", "b"}
                    assert (code, back.code) in {("1", "0"), ("0", "1"), ("=", "="), ("+", "-"), ("-", "+"), ("-", "-")}
        assert not self.server_refuses()
        assert self.bbp_refuses() is bool(self.abnormal or self.bonus)
        assert len({len(player.rounds) for player in self.players.values()}) == 1
        for at in range(max(len(player.rounds) for player in self.players.values())):
            assert sum(player.rounds[at].code == "U" for player in self.players.values()) <= 1


ROUNDS: list[list[Game]] = [
    [(ADA, CLEO, WIN), (DAN, BOB, Mark.WIN_ON_TIME), EVE],
    [(EVE, ADA, DRAW), (BOB, CLEO, Mark.FORFEIT)],
    [(ADA, DAN, LOSS), (CLEO, EVE, Mark.ANNULLED), BOB],
]
RUNNING: list[Game] = [(ADA, DAN, None), (CLEO, EVE, Mark.ANNULLED), BOB]
FIVE = [ADA, BOB, CLEO, DAN, EVE]


def test_every_column() -> None:
    assert written_report(one(SWISS, FIVE, *ROUNDS)).split("\r\n") == [
        "012 Winter, season 1",
        "042 2025/03/01",
        "062 5",
        "092 Individual: Swiss-System",
        "142 3",
        "152 W",
        "212 PTS,BH/C1,DE",
        "001    1      Ada                               1500                             1.5    2  0003 w 1  0005 b =  0004 w 0",
        "001    2      Bob                               1500                             1.0    4  0004 b 0  0003 w -  0000 - U",
        "001    3      Cleo                              1500                             1.0    5  0001 b 0  0002 b +  0000 - Z",
        "001    4      Dan                               1500                             2.0    1  0002 w 1  0000 - Z  0001 b 1",
        "001    5      Eve                               1500                             1.5    3  0000 - U  0001 w =  0000 - Z",
        "",
    ]


def test_what_is_read_again() -> None:
    found = Report(written_report(one(SWISS, FIVE, *ROUNDS)))
    found.check()
    assert found.players[2] == Player("Bob", 1500, Fraction(1), 4, [Played(4, "b", "0"), Played(3, "w", "-"), Played(0, "-", "U")])


REMARK = "Round {} is not over, and TRF cannot hold a running game. The report {}."


@for_each(
    ("rounds", "told", "remark"),
    [
        ([*ROUNDS[:2], RUNNING], ROUNDS[:2], REMARK.format(3, "stands after round 2")),
        ([[(ADA, BOB, None), (CLEO, DAN, WIN), EVE], [(ADA, CLEO, WIN)]], [], REMARK.format(1, "has no rounds yet")),
        ([*ROUNDS[:2], [(ADA, DAN, WIN), (CLEO, EVE, None)]], ROUNDS[:2], REMARK.format(3, "stands after round 2")),
        (ROUNDS, ROUNDS, None),
    ],
    ids=["the last", "the first, which others went on from", "half of the last", "none"],
)
def test_a_round_that_is_played_is_not_told(rounds: list[list[Game]], told: list[list[Game]], remark: str | None) -> None:
    text, expected = (written_report(one(SWISS, FIVE, *those)) for those in (rounds, told))
    assert text == (f"### {remark}\r\n" if remark else "") + expected
    Report(text).check()


def test_the_round_of_one_division_does_not_keep_back_another() -> None:
    state = written(SWISS, {"1": ([ADA, BOB], [[(ADA, BOB, WIN)]]), "2": ([CLEO, DAN], [[(CLEO, DAN, None)]])})
    reports = [report(state, season(state), division, NAMES) for division in season(state).divisions]
    assert [each.remarks for each in reports] == [(), (REMARK.format(1, "has no rounds yet"),)]
    assert [len(Report(each.text).players[1].rounds) for each in reports] == [1, 0]


def test_points_that_are_not_usual() -> None:
    points = {
        Mark.WIN: "3",
        Mark.DRAW: "1",
        Mark.WIN_BY_FORFEIT: "2",
        Mark.FORFEIT: "-1",
        Mark.BYE: "1.5",
        Mark.ANNULLED: "0.5",
        Mark.WIN_ON_TIME: "3",
    }
    settings = Settings(format=Format.SWISS, rounds=3, points=points, tie_breaks=(TieBreak.WINS,))
    state = one(settings, FIVE, *ROUNDS)
    text = written_report(state)
    assert [line for line in text.split("\r\n") if line[:3] in ("###", "162", "299")] == [
        "### Some points do not follow from results. They are in records 299, which bbpPairings does not read.",
        "162  W 3.0    D 1.0    L 0.0    P 1.5    A 0.0",
        "299 +         2.0  002 0003",
        "299 -        -1.0  002 0002",
        "299 Z         0.5  003 0003 0005",
    ]
    found = Report(text)
    found.check()
    table = crosstable(state, season(state), season(state).divisions[0], NAMES)
    assert {line.name: line.figures[0] for line in table.lines} == {
        player.name: found.standing(number) for number, player in found.players.items()
    }


@pytest.mark.parametrize(("points", "code"), [("0", "Z"), ("0.5", "H"), ("1", "F")])
def test_a_result_taken_back_is_told_by_the_bye_that_is_worth_as_much(points: str, code: str) -> None:
    settings = Settings(format=Format.SWISS, rounds=1, points={Mark.ANNULLED: points}, tie_breaks=(TieBreak.WINS,))
    found = Report(written_report(one(settings, [ADA, BOB], [(ADA, BOB, Mark.ANNULLED)])))
    found.check()
    assert {each.code for player in found.players.values() for each in player.rounds} == {code}
    assert not found.bbp_refuses()


@for_each("points", ["1/3", "0.25", "100", "-10"])
def test_points_without_columns_are_refused(points: str) -> None:
    settings = Settings(format=Format.SWISS, rounds=1, points={Mark.ANNULLED: points}, tie_breaks=(TieBreak.WINS,))
    with pytest.raises(NotAllowed) as refused:
        written_report(one(settings, [ADA, BOB], [(ADA, BOB, Mark.ANNULLED)]))
    assert refused.value.code == "not_in_columns"


def test_points_to_begin_with_are_abnormal() -> None:
    settings = Settings(format=Format.MCMAHON, bounds=(1500, 1600), tie_breaks=(TieBreak.WINS,), least=2)
    state = written(settings, {"1": ([ADA, BOB, CLEO], [[(ADA, BOB, LOSS), CLEO]])}, start={ADA: "2", CLEO: "2"})
    text = written_report(state)
    assert "092 Individual: McMahon\r\n" in text
    assert "299           2.0  001 0001 0003\r\n" in text
    Report(text).check()


def test_penalties_are_abnormal() -> None:
    then: list[LeagueEvent] = [PenaltyGiven(player=ADA, points="3/2", reason="late")]
    text = written_report(one(SWISS, [ADA, BOB], [(ADA, BOB, WIN)], then=then))
    assert "299          -1.5  001 0001\r\n" in text
    found = Report(text)
    found.check()
    assert (found.players[1].points, found.standing(1)) == (Fraction(1), Fraction(-1, 2))


def test_two_byes_in_a_round() -> None:
    text = written_report(one(SWISS, [ADA, BOB], [ADA, BOB]))
    assert [player.rounds for player in Report(text).players.values()] == [[Played(0, "-", "U")], [Played(0, "-", "F")]]
    Report(text).check()


def test_the_end_of_a_season_and_its_time() -> None:
    state = one(SWISS, [ADA, BOB], [(ADA, BOB, WIN)], then=[closed()])
    assert Report(written_report(state)).tags["052"] == "2025/03/08"
    assert "122" not in Report(written_report(state)).tags
    assert Report(written_report(replace(state, time="3d"))).tags["122"] == "3d"
    assert Report(written_report(one(SWISS, [ADA, BOB], then=[closed()]))).tags["052"] == "2025/03/01"


def test_whoever_left_has_been_away() -> None:
    then: list[LeagueEvent] = [PlayerWithdrawn(player=BOB, struck=False, at=BEGUN)]
    found = Report(written_report(one(SWISS, [ADA, BOB, CLEO, DAN], [(ADA, BOB, WIN), (CLEO, DAN, WIN)], [(ADA, CLEO, WIN)], then=then)))
    found.check()
    assert [player.rounds[1].code for player in found.players.values()] == ["1", "Z", "0", "Z"]


def test_nobody_has_played_yet() -> None:
    for players in ([ADA, BOB, CLEO, DAN], [ADA]):
        found = Report(written_report(one(SWISS, players)))
        found.check()
        assert all(not player.rounds and not player.points for player in found.players.values())
        assert len(found.players) == len(players)


def test_long_names_are_cut_and_stand_on_one_line() -> None:
    state = one(SWISS, [ADA, BOB], [(ADA, BOB, WIN)])
    names = {ADA: "Ada\r\n001 " + "x" * 60, BOB: "Bob"}
    text = report(state, season(state), season(state).divisions[0], names).text
    assert Report(text).players[1].name == "Ada 001 " + "x" * 25
    assert len(Report(text).players) == 2


@pytest.mark.parametrize("form", [Format.LADDER, Format.TABLES])
def test_only_rounds_of_two_are_reported(form: Format) -> None:
    state = one(SWISS, [ADA, BOB, CLEO])
    with pytest.raises(NotAllowed) as refused:
        report(replace(state, settings=replace(state.settings, format=form)), season(state), season(state).divisions[0], NAMES)
    assert refused.value.code == "no_trf"


ALL = [(ADA, BOB, WIN), (CLEO, DAN, DRAW)], [(DAN, ADA, LOSS), (BOB, CLEO, LOSS)], [(ADA, CLEO, DRAW), (DAN, BOB, WIN)]


@pytest.mark.parametrize("form", [Format.ROUND_ROBIN, Format.DOUBLE_ROUND_ROBIN])
def test_where_everybody_meets_everybody_rounds_are_told_by_pairing_numbers(form: Format) -> None:
    text = written_report(one(Settings(format=form), [ADA, BOB, CLEO, DAN], *ALL))
    found = Report(text)
    found.check()
    assert found.tags["092"] == {"round robin": "Individual: Round-Robin"}.get(form.value, "Individual: Double Round-Robin")
    assert found.players[1].rounds == [Played(2, "w", "1"), Played(4, "b", "1"), Played(3, "w", "=")]
    assert found.players[3].rounds == [Played(4, "w", "="), Played(2, "b", "1"), Played(1, "b", "=")]
    assert [player.rank for player in found.players.values()] == [1, 4, 2, 3]


def test_a_cup_is_told_round_by_round_and_who_is_out_is_away() -> None:
    settings = Settings(format=Format.KNOCKOUT)
    text = written_report(one(settings, [ADA, BOB, CLEO, DAN], [(ADA, DAN, WIN), (CLEO, BOB, LOSS)], [(BOB, ADA, LOSS)]))
    found = Report(text)
    found.check()
    assert found.players[1].rounds == [Played(4, "w", "1"), Played(2, "b", "1")]
    assert found.players[4].rounds == [Played(1, "b", "0"), Played(0, "-", "Z")]
    assert "299" not in [line[:3] for line in text.split("\r\n")]


def test_games_beside_others_stand_in_rounds_after_the_last() -> None:
    """So it is with somebody who came late and plays two games a round."""
    rounds: list[list[Game]] = [[(ADA, BOB, WIN), (CLEO, ADA, WIN)], [(BOB, CLEO, DRAW), (CLEO, ADA, LOSS)]]
    text = written_report(one(Settings(format=Format.DOUBLE_ROUND_ROBIN), [ADA, BOB, CLEO], *rounds))
    assert text.startswith("### A player has one game a round in TRF, so games that were played beside others stand in rounds from 3 on.")
    found = Report(text)
    found.check()
    assert [[(each.opponent, each.code) for each in player.rounds] for player in found.players.values()] == [
        [(2, "1"), (3, "1"), (3, "0"), (0, "Z")],
        [(1, "0"), (0, "Z"), (0, "Z"), (3, "=")],
        [(0, "Z"), (1, "0"), (1, "1"), (2, "=")],
    ]


@pytest.mark.thorough
@pytest.mark.parametrize("players", [5, 12, 31])
def test_a_whole_event_is_read_again_as_it_was(players: int) -> None:
    league = League(Settings(format=Format.SWISS, rounds=5))
    everybody = [PlayerId(number) for number in range(1, players + 1)]
    league.begin(everybody, [2000.4 - 20 * at for at in range(players)])
    random = Random(players)  # noqa: S311  # a test's chance
    marks = (WIN, LOSS, DRAW, Mark.WIN_ON_TIME, Mark.TIMEOUT, Mark.WIN_BY_FORFEIT, Mark.FORFEIT, Mark.NO_RESULT)
    while league.season.phase is Phase.RUNNING:
        league.play_some(random, marks)
        Report(report(league.state, league.season, league.season.divisions[0], {}).text).check()
        if players > 10 and len(league.season.withdrawn) < 3 and random.random() < 0.1:
            league.do(Withdraw(random.choice([one for one in everybody if one not in league.season.withdrawn])))
    division = league.season.divisions[0]
    found = Report(report(league.state, league.season, division, {}).text)
    found.check()
    table = crosstable(league.state, league.season, division, {})
    seeds = {player: at for at, player in enumerate(division.players, 1)}
    assert {seeds[line.player]: (line.place, line.figures[0]) for line in table.lines} == {
        number: (player.rank, player.points) for number, player in found.players.items()
    }
    assert found.tags["142"] == "5"
