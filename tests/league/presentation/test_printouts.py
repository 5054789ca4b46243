"""Printouts: what is hung up or handed out, as lines of text, as CSV and as a page for a printer."""

import csv
from collections.abc import Mapping
from datetime import datetime
from io import StringIO

import pytest
from msgspec.structs import replace

from tests.cases import for_each
from tests.league.histories import HISTORIES
from tests.league.seasons import ADA, BOB, CLEO, DAN, League
from turnserver.errors import NotFound
from turnserver.ids import PlayerId
from turnserver.league import commands as c
from turnserver.league.evolve import fold
from turnserver.league.formats.seating import seat_begins
from turnserver.league.presentation.printouts import WIDTH, Kind, Printout, as_rows, as_text, printout
from turnserver.league.presentation.text import width_of
from turnserver.league.settings import WITHOUT_POINTS, Approval, Format, Settings
from turnserver.mail.outbound.language import language
from turnserver.web.printouts import page

NAMES: Mapping[PlayerId, str] = {PlayerId(number): f"Player {number}" for number in range(100)}
LONG: Mapping[PlayerId, str] = {PlayerId(number): f"<b>{number}</b> =Maximiliane von und zu Hohenlohe" for number in range(100)}


def told(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M}"


def made(league: League, kind: Kind, names: Mapping[PlayerId, str] = NAMES, number: int | None = None) -> Printout:
    """A printout of the last season that was played."""
    events = list(league.events)
    while not (state := fold(events)).season or not state.season.divisions:
        events.pop()
    return printout(kind, state, state.season, state.season.divisions[0], names, told, number)


@pytest.mark.parametrize("name", HISTORIES)
def test_every_printout_of_every_format_fits_and_keeps_everybody(name: str) -> None:
    league = HISTORIES[name]()
    for kind in Kind:
        for names in (NAMES, LONG):
            shown = made(league, kind, names)
            assert all(len(row) == len(shown.columns) for row in shown.rows)
            assert max(map(width_of, as_text(shown).splitlines())) <= WIDTH
            rows = list(csv.reader(StringIO(as_rows([shown]))))
            assert len(rows) == len(shown.rows) + 1
            assert not any(entry.startswith(("=", "@")) for row in rows for entry in row)
            assert page([shown]).count("<tr>") == len(shown.rows) + 1
            assert "<b>" not in page([shown])


SWISS = {
    Kind.PAIRINGS: "Board  Seat 1     Seat 2     Result  Game  Until\n    1  Player 11  Player 12  ½ : ½      3\n    2",
    Kind.CHART: "No  Player     Rating  Start  1    2    Points\n 1  Player 11    1710      2  2•+  5•½      3½\n 2  Player 15",
    Kind.CROSSTABLE: "Place  Player     Start  1    2    Pts\n    1  Player 11      2  4•+  2•½   3½\n",
    Kind.STANDINGS: "Place  Player     Start  Pts\n    1  Player 11      2   3½\n",
}


@for_each("kind", Kind)
def test_a_swiss_event_on_paper(kind: Kind) -> None:
    assert SWISS[kind] in as_text(made(HISTORIES["swiss"](), kind))


def test_pairings_are_of_the_latest_round_or_of_the_one_that_is_named() -> None:
    league = HISTORIES["swiss"]()
    assert "Pairings of round 2." in made(league, Kind.PAIRINGS).about
    first = made(league, Kind.PAIRINGS, number=1)
    assert "Pairings of round 1." in first.about
    assert first.rows[-1][1:3] == ("Player 12", "bye")
    with pytest.raises(NotFound, match="Round 9 of this division is not paired yet"):
        made(league, Kind.PAIRINGS, number=9)


def test_a_chart_has_points_only_where_there_are_any() -> None:
    assert [name for name in HISTORIES if "Points" not in [column.heading for column in made(HISTORIES[name](), Kind.CHART).columns]] == [
        name for name in HISTORIES if HISTORIES[name]().state.settings.format in WITHOUT_POINTS
    ]


def test_games_that_wait_for_an_approval_are_told_on_every_sheet() -> None:
    league = League(Settings(format=Format.SWISS, rounds=1, approve=(Approval.PAIRINGS,)))
    league.begin((ADA, BOB, CLEO, DAN))
    abouts = [made(league, kind).about for kind in Kind]
    assert all("2 games begin once the organisers approve them." in about for about in abouts)
    assert "2 Partien beginnen, sobald die Spielleitung sie freigegeben hat." in as_text(language("de").told(made(league, Kind.PAIRINGS)))
    league.do(c.Approve())
    assert not [kind for kind in Kind if "approve" in made(league, kind).about]


def test_a_ladder_without_challenges_has_no_pairings() -> None:
    league = League(Settings(format=Format.LADDER))
    league.begin((ADA, BOB, CLEO))
    with pytest.raises(NotFound, match="Nobody has challenged anybody on this ladder yet"):
        made(league, Kind.PAIRINGS)
    with pytest.raises(NotFound, match="Round 9 of this division is not paired yet"):
        made(league, Kind.PAIRINGS, number=9)


def test_a_ladder_is_told_by_months() -> None:
    league = HISTORIES["ladder"]()
    assert "Challenges of month 1 of the season." in made(league, Kind.PAIRINGS, number=1).about
    assert "In each month of the season: the numbers of the opponents" in as_text(made(league, Kind.CHART)).replace("\n", " ")
    assert not [kind for kind in Kind if "round" in as_text(made(league, kind)).casefold()]


def test_a_game_that_goes_on_has_its_deadline_and_an_empty_place_for_the_result() -> None:
    league = HISTORIES["put right"]()
    running = next(one for one in league.season.fixtures if one.deadline is not None)
    fixture = replace(running, marks=(), round=99)
    season = replace(league.season, fixtures=(fixture,))
    shown = printout(Kind.PAIRINGS, league.state, season, season.divisions[0], NAMES, told)
    assert running.deadline is not None
    assert shown.rows[0][3:] == ("", str(fixture.game or ""), told(running.deadline))


def test_a_table_of_several_has_their_places() -> None:
    league = HISTORIES["tables"]()
    places = (2, 1, 3, 4)
    season = replace(league.season, fixtures=(replace(league.season.fixtures[0], places=places),))
    shown = printout(Kind.PAIRINGS, league.state, season, season.divisions[0], NAMES, told)
    assert "2. 1. 3. 4." in shown.rows[0]


def test_no_sign_is_explained_where_none_stands() -> None:
    league = HISTORIES["swiss"]()
    season = replace(league.season, fixtures=())
    shown = printout(Kind.CROSSTABLE, league.state, season, season.divisions[0], NAMES, told)
    assert shown.rows
    assert not [note for note in shown.notes if "•" in note]


@pytest.mark.parametrize("name", HISTORIES)
def test_each_sign_is_explained_once_where_it_stands(name: str) -> None:
    """Promotion and relegation are told by arrows in a table alone, and no sheet has these."""
    for kind in (Kind.CHART, Kind.CROSSTABLE):
        shown = made(HISTORIES[name](), kind)
        told_of = "\n".join(shown.notes)
        always = kind is Kind.CHART and seat_begins(HISTORIES[name]().state)
        assert told_of.count("moved first") == (1 if always or any("•" in cell for row in shown.rows for cell in row) else 0)
        assert "promotion" not in told_of
        assert "relegation" not in told_of


def test_divisions_of_one_shape_share_their_headings() -> None:
    shown = made(HISTORIES["swiss"](), Kind.PAIRINGS)
    assert len(as_rows([shown, shown]).splitlines()) == 2 * len(shown.rows) + 1


def test_a_sheet_speaks_the_language_of_its_site_and_csv_english() -> None:
    shown = made(HISTORIES["swiss"](), Kind.PAIRINGS)
    assert "Paarungen der Runde 2." in as_text(language("de").told(shown))
    assert "Paarungen der Runde 2." in page([shown], "de")
    assert as_rows([shown]).startswith("division,Board,Seat 1,Seat 2,Result,Game,Until\r\n1,1,")
