"""Crosstables as pictures and files: what stands in them, and that others can read it."""

import csv
import json
from collections.abc import Mapping, Sequence
from datetime import timedelta
from io import StringIO
from xml.etree import ElementTree as ET

import msgspec
import pytest

from tests.cases import for_each
from tests.league.presentation.test_crosstable import FOUR, SWISS, at_tables, climbing, four, table
from tests.league.written import ADA, BEGUN, BOB, CLEO, DAN, EVE, NAMES, Game, one, season, written
from turnserver.ids import Burden, PlayerId
from turnserver.league.events import AddedMeeting, LeagueEvent, MeetingsAdded, PlayerSubstituted, PlayerWithdrawn
from turnserver.league.presentation import svg as crosstable_svg
from turnserver.league.presentation.crosstable import Crosstable
from turnserver.league.presentation.exports import SeasonOut, as_json, lines_csv, results_csv
from turnserver.league.presentation.rating_curve import draw_history
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.ratings import Rating
from turnserver.league.scoring.tiebreaks import TieBreak
from turnserver.league.settings import Format, Settings, TierSize
from turnserver.league.state import LeagueState
from turnserver.mail.outbound.language import language
from turnserver.mail.outbound.picture import png
from turnserver.text import retold

WIN, DRAW, LOSS = Mark.WIN, Mark.DRAW, Mark.LOSS
RATINGS: Mapping[PlayerId, Rating] = {ADA: Rating(1712.4, 61.2, 30, 110), EVE: Rating(1400, 100.04, 9, 110)}
EVIL = '=HYPERLINK("http://x","<b>&\'1")'
THEN: list[LeagueEvent] = [
    PlayerWithdrawn(player=DAN, struck=False, at=BEGUN),
    PlayerSubstituted(player=BOB, substitute=EVE, rating=Burden.SEAT, reason="ill"),
]
GAMES: list[list[Game]] = [[(ADA, BOB, WIN), CLEO], [(CLEO, ADA, None), (BOB, DAN, Mark.WIN_BY_FORFEIT)]]


def swiss() -> LeagueState:
    return one(SWISS, [ADA, BOB, CLEO, DAN], *GAMES, then=THEN)


def tiers() -> LeagueState:
    settings = Settings(tiers=(TierSize(size=2, moves=1), TierSize(size=2)), tie_breaks=(TieBreak.WINS,), least=2, points={Mark.BYE: "1"})
    parts: dict[str, tuple[list[PlayerId], list[list[Game]]]] = {
        "1": ([ADA, BOB], [[(ADA, BOB, WIN)]]),
        "2": ([CLEO, DAN, EVE], [[(CLEO, DAN, LOSS), EVE]]),
    }
    return written(settings, parts)


def tables() -> dict[str, Crosstable]:
    started = Settings(format=Format.MCMAHON, bounds=(1500,), tie_breaks=(TieBreak.WINS,), least=2)
    cup: list[list[Game]] = [[(BOB, CLEO, DRAW), (CLEO, BOB, WIN)], [(ADA, CLEO, None)]]
    long = {**NAMES, ADA: "Ada Maria Magdalena von und zu Hohenstein-Falkenberg"}
    return {
        "round robin": table(four(), ratings=RATINGS),
        "swiss": table(swiss(), ratings=RATINGS),
        "upper": table(tiers()),
        "lower": table(tiers(), 1),
        "started": table(written(started, {"1": ([ADA, BOB], [[(ADA, BOB, LOSS)]])}, start={ADA: "3"})),
        "cup": table(one(Settings(format=Format.KNOCKOUT), [ADA, BOB, CLEO], *cup)),
        "tied": table(one(FOUR, [ADA, BOB, CLEO], [(ADA, BOB, DRAW), CLEO])),
        "ladder": table(climbing()),
        "tables": table(at_tables()),
        "nothing": table(one(FOUR, [ADA, BOB, CLEO])),
        "long": table(four(), names=long),
        "evil": table(four(), names={**NAMES, ADA: EVIL}),
        "forty": table(one(SWISS, [PlayerId(at) for at in range(1, 41)], [(PlayerId(at), PlayerId(at + 20), DRAW) for at in range(1, 21)])),
    }


TABLES = tables()
every_table = pytest.mark.parametrize("found", list(TABLES.values()), ids=list(TABLES))


def texts(picture: str) -> list[str]:
    root = ET.fromstring(picture)  # noqa: S314  # it is our own
    return ["".join(element.itertext()) for element in root.iter() if element.tag.endswith("}text")]


@every_table
def test_a_picture_has_every_name_sign_and_figure(found: Crosstable) -> None:
    told = texts(crosstable_svg.draw(found))
    assert told[:2] == [found.title, found.standing]
    signs = [sign for line in found.lines for cells in line.cells if cells for sign in [" ".join(cell.sign for cell in cells)]]
    for words in (*[line.name[:23] for line in found.lines], *[line.number for line in found.lines], *signs, *found.columns):
        assert any(text.startswith(str(words)) for text in told), words
    assert png(crosstable_svg.draw(found), 600).startswith(b"\x89PNG")


@every_table
def test_nothing_in_a_picture_stands_outside_of_it(found: Crosstable) -> None:
    root = ET.fromstring(crosstable_svg.draw(found))  # noqa: S314
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    for element in root.iter():
        if element.tag.endswith("}text"):
            x, size, letters = float(element.attrib["x"]), float(element.attrib["font-size"]), len(element.text or "")
            room = {"start": 1.0, "middle": 0.5, "end": 0.0}[element.attrib["text-anchor"]] * letters * size * 0.5
            assert x >= 0
            assert x + room <= width, element.text
            assert float(element.attrib["y"]) <= height


def test_what_a_picture_of_a_table_says() -> None:
    assert texts(crosstable_svg.draw(TABLES["upper"]))[2:] == [
        *["1", "2", "Pts", "W"],
        *["1", "Ada", "1", "1", "1"],
        *["2", "Bob", "↓", "0", "0", "0"],
        *["Pts: Points, W: Wins", "1 won, 0 lost, ↓ relegation"],
    ]


def test_a_picture_in_german() -> None:
    told = texts(retold(crosstable_svg.draw(TABLES["upper"]), language("de")))
    assert told[0] == "Winter, Saison 1, Staffel 1"
    assert told[-1] == "1 gewonnen, 0 verloren, ↓ Abstieg"


def history(*ratings: tuple[float, float, float]) -> str:
    """Of days, ratings and deviations."""
    return draw_history("Ada: Take", [(BEGUN + timedelta(days=day), Rating(rating, off, 1, 110)) for day, rating, off in ratings])


@for_each(
    ("ratings", "told"),
    [
        ([], ["No rated games yet."]),
        ([(0, 1500, 200)], ["1400", "1600", "2025-02-28", "2025-03-02", "1500 ± 200"]),
        ([(0, 1500, 2), (31, 1502, 2)], ["1480", "1490", "1500", "1510", "1520", "1530", "2025-03-01", "2025-04-01", "1502 ± 2"]),
        ([(0, -9000, 10), (31, 1502, 10)], ["-9000", "-8000", "2025-03-01", "2025-04-01", "1502 ± 10"]),
    ],
)
def test_a_history(ratings: Sequence[tuple[float, float, float]], told: Sequence[str]) -> None:
    found = texts(history(*ratings))
    assert found[0] == "Ada: Take"
    assert [words for words in found[1:] if words in told] == told
    assert png(history(*ratings), 600).startswith(b"\x89PNG")


def test_the_curve_goes_up_with_the_rating_and_has_a_dot_for_each_moment() -> None:
    root = ET.fromstring(history((0, 1500, 100), (5, 1600, 80), (10, 1550, 60)))  # noqa: S314
    dots = [(float(dot.attrib["cx"]), float(dot.attrib["cy"])) for dot in root.iter() if dot.tag.endswith("}circle")]
    assert dots == sorted(dots)
    assert dots[1][1] < dots[2][1] < dots[0][1]
    assert len(texts(history(*((day, 1500, 50) for day in range(60))))) > 3
    assert "<circle" not in history(*((day, 1500, 50) for day in range(60)))


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(StringIO(text)))


def test_lines_as_csv() -> None:
    assert rows(lines_csv([table(four(), ratings=RATINGS)])) == [
        [
            *[
                "division",
                "number",
                "place",
                "name",
                "rating",
                "deviation",
                "start",
                "penalty",
                "against 1",
                "against 2",
                "against 3",
                "against 4",
            ],
            *["points", "sonneborn-berger", "wins", "zone", "withdrawn"],
        ],
        ["1", "1", "1", "Ada", "1712.4", "61.2", "0", "0", "", "1", "½", "1", "2.5", "2.25", "2", "", ""],
        ["1", "2", "2", "Bob", "", "", "0", "0", "0", "", "1", "1t", "2", "0.5", "2", "", ""],
        ["1", "3", "3", "Cleo", "", "", "0", "0", "½", "0", "", "*", "0.5", "1.25", "0", "", ""],
        ["1", "4", "4", "Dan", "", "", "0", "0", "0", "0t", "*", "", "0", "0", "0", "", ""],
    ]


def test_lines_of_several_divisions_as_csv() -> None:
    head, *lines = rows(lines_csv([TABLES["upper"], TABLES["lower"]]))
    assert head[8:] == ["against 1", "against 2", "against 3", "bye", "points", "wins", "zone", "withdrawn"]
    assert [line[:4] + line[8:] for line in lines] == [
        ["1", "1", "1", "Ada", "", "1", "", "", "1", "1", "", ""],
        ["1", "2", "2", "Bob", "0", "", "", "", "0", "0", "down", ""],
        ["2", "1", "1", "Dan", "", "", "1", "", "1", "1", "up", ""],
        ["2", "2", "1", "Eve", "", "", "", "F", "1", "1", "", ""],
        ["2", "3", "3", "Cleo", "0", "", "", "", "0", "0", "", ""],
    ]
    assert rows(lines_csv([])) == [["division", "number", "place", "name", "rating", "deviation", "start", "penalty", "zone", "withdrawn"]]


def test_rounds_as_csv() -> None:
    found = rows(lines_csv([TABLES["swiss"]]))
    assert found[0][8:10] == ["round 1", "round 2"]
    assert [(line[3], *line[8:10], line[-1]) for line in found[1:]] == [
        ("Eve for Bob", "2=0", "4=+", ""),
        ("Ada", "1=1", "3=*", ""),
        ("Cleo", "F", "2=*", ""),
        ("Dan", "", "1=-", "yes"),
    ]


def test_games_of_a_ladder_as_csv() -> None:
    found = rows(lines_csv([TABLES["ladder"]]))
    assert found[0][8:10] == ["game 1", "game 2"]
    told = {line[3]: line[8:10] for line in found[1:]}
    assert told == {"Bob": ["3=1", ""], "Ada": ["4=*", "3=0"], "Cleo": ["1=0", "2=1"], "Dan": ["2=*", "5=0t"], "Eve": ["4=1t", ""]}


def test_a_name_is_no_formula_for_a_spreadsheet() -> None:
    assert rows(lines_csv([TABLES["evil"]]))[1][3] == f"'{EVIL}"


def test_results_as_csv() -> None:
    state = swiss()
    assert rows(results_csv(state, season(state), NAMES)) == [
        [
            *["league", "season", "division", "round", "meeting", "game", "at", "by", "worth"],
            *["player 1", "result 1", "place 1", "player 2", "result 2", "place 2"],
        ],
        ["Winter", "1", "1", "1", "1", "101", "2025-03-08T12:00:00+00:00", "game", "", "Ada", "win", "", "Eve for Bob", "loss", ""],
        ["Winter", "1", "1", "1", "2", "", "", "", "", "Cleo", "bye", "", "", "", ""],
        ["Winter", "1", "1", "2", "3", "103", "", "", "", "Cleo", "", "", "Ada", "", ""],
        [
            *["Winter", "1", "1", "2", "4", "104", "2025-03-15T12:00:00+00:00", "game", ""],
            *["Eve for Bob", "win by forfeit", "", "Dan", "forfeit", ""],
        ],
    ]


def test_a_bye_that_was_asked_for_says_its_worth() -> None:
    asked = MeetingsAdded(
        division="1",
        meetings=(
            AddedMeeting(number=3, round=1, players=(CLEO,), worth="1/2"),
            AddedMeeting(number=4, round=1, players=(DAN,), worth="0"),
        ),
    )
    state = one(SWISS, [ADA, BOB, CLEO, DAN, EVE], [(ADA, BOB, WIN), EVE], then=[asked])
    table = rows(results_csv(state, season(state), NAMES))
    assert [line[8:11] for line in table[1:]] == [["", "Ada", "win"], ["", "Eve", "bye"], ["0.5", "Cleo", "bye"], ["0", "Dan", "bye"]]
    (division,) = json.loads(as_json(state, season(state), NAMES))["divisions"]
    assert [one["worth"] for one in division["results"]] == [None, None, "1/2", "0"]


def test_a_season_as_json() -> None:
    state = swiss()
    found = json.loads(as_json(state, season(state), NAMES, RATINGS))
    assert {
        name: found[name] for name in ("form", "league", "game", "season", "phase", "format", "tie_breaks", "started_at", "players")
    } == {
        "form": 1,
        "league": "Winter",
        "game": "take",
        "season": 1,
        "phase": "running",
        "format": "swiss",
        "tie_breaks": ["buchholz", "playoff", "lots"],
        "started_at": "2025-03-01T12:00:00Z",
        "players": {"11": "Ada", "12": "Bob", "13": "Cleo", "14": "Dan", "15": "Eve"},
    }
    (division,) = found["divisions"]
    assert division["table"][0] == {
        "number": 1,
        "place": 1,
        "player": 12,
        "plays": 15,
        "name": "Eve for Bob",
        "rating": {"rating": 1400.0, "deviation": 100.0},
        "start": "0",
        "penalty": "0",
        "figures": {"points": "1", "buchholz": "3/2"},
        "zone": None,
        "withdrawn": False,
    }
    assert division["results"][1] == {
        "meeting": 2,
        "round": 1,
        "players": [13],
        "marks": ["bye"],
        "places": [],
        "game": None,
        "deadline": None,
        "at": None,
        "by": None,
        "worth": None,
    }
    assert division["results"][3]["marks"] == ["win by forfeit", "forfeit"]


def test_json_has_the_form_that_is_promised() -> None:
    then: list[LeagueEvent] = [PlayerWithdrawn(player=CLEO, struck=True, at=BEGUN)]
    state = one(FOUR, [ADA, BOB, CLEO, DAN], [(ADA, BOB, WIN), (CLEO, DAN, None)], then=then)
    found = msgspec.json.decode(as_json(state, season(state), {}), type=SeasonOut)
    assert found.divisions[0].struck == (CLEO,)
    assert found.players["11"] == "Player 11"
    assert [line.zone for part in decoded(tiers()).divisions for line in part.table] == [None, "down", "up", None, None]


def decoded(state: LeagueState) -> SeasonOut:
    return msgspec.json.decode(as_json(state, season(state), NAMES), type=SeasonOut)
