"""The page that replays a game: complete, small, self-contained, and alive in a real browser."""

import dataclasses
import random
import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.cli.club import ADA, BOB, NOON, Club
from tests.histories.recorded import events_of, recorded_of
from tests.play import given, small_games
from tests.play.given import BLUE, GREEN, RED, left, played, running
from tests.play.test_dice import THREE, rolls
from tests.shortened import shortened
from tests.terms import THREE_DAYS, three_days
from tests.web.browsing import browsing, in_a_browser
from turnserver import games, resources
from turnserver.ids import GameId
from turnserver.play import events as e
from turnserver.play.evolve import FindGame, fold
from turnserver.records.check import proof_of
from turnserver.records.making import Circumstances, record_of
from turnserver.rules import Seat
from turnserver.rules.kit import playout
from turnserver.web import pages, replay
from turnserver.web.replay import Replay

pytestmark = pytest.mark.thorough


def random_game(turns: int, **options: str | int) -> Replay:
    """A game of random moves, cut off after so many turns."""
    game = games.find("take", **options)
    steps = [game.rules.format(state, step) for state, step in islice(playout(game.rules, random.Random(5).choice), turns)]  # noqa: S311  # any game will do
    events: list[e.GameEvent] = [
        e.GameOpened(
            game="take", revision=1, options=dict(options), players=(ADA, BOB), order=e.SeatOrder.LOT, terms=THREE_DAYS, opened_by=None
        ),
        *(e.InvitationAccepted(player=player, zone="UTC") for player in (ADA, BOB)),
        e.GameStarted(to_move=Seat(1), clock=three_days(NOON)),
    ]
    for turn, step in enumerate(steps, start=1):
        mover, other = (Seat(1), Seat(2)) if turn % 2 else (Seat(2), Seat(1))
        events.append(e.TurnPlayed(turn=turn, seat=mover, steps=(step,), received_at=NOON, to_move=other, clock=three_days(NOON)))
    return of(events)


def of(events: Sequence[e.GameEvent], find: FindGame = games.find) -> Replay:
    """Return what the commands make of a game."""
    state = fold(events, find=find)
    names = dict(zip(state.players, ("Ada", "Bob", "Cleo", "Dan"), strict=False))
    record = record_of(state, events, Circumstances(names=names))
    return Replay("A game", state.game, record, "", (), {}, proof=proof_of(GameId(1), state, events))


def same(picture: str) -> str:
    return ET.canonicalize(picture.replace(' xmlns="http://www.w3.org/2000/svg"', ""))


@pytest.mark.parametrize("variant", ["standard", "high-churn"])
def test_frames_make_the_pictures_again(variant: str) -> None:
    pictures = [scene.picture() for scene in replay.scenes(random_game(60, size=4, variant=variant))]
    album = replay.album(pictures)
    for picture, (box, *parts) in zip(pictures, album.frames, strict=True):
        root = picture[: picture.index(">") + 1]
        assert f'viewBox="{album.parts[box]}"' in root
        assert same(f"{root}{''.join(album.parts[part] for part in parts)}</svg>") == same(picture)


LONG = [
    (lambda: random_game(300, size=8, variant="high-churn"), 300, 301, 3_000_000),
    (lambda: of(events_of("sneaky-octopuses-4-won")), 39, 233, 1_000_000),
]


@pytest.mark.long
@pytest.mark.thorough
@pytest.mark.parametrize(("made", "turns", "stops", "most"), LONG, ids=["the largest board", "several steps a turn"])
def test_a_long_game_makes_no_large_page(made: Callable[[], Replay], turns: int, stops: int, most: int) -> None:
    game = made()
    page = replay.page(game)
    assert (page.count("data-turn="), game.turns) == (turns, turns)
    assert f'max="{stops - 1}"' in page
    assert len(page.encode()) < most


class Stop(NamedTuple):
    """A moment as it has to be: how addresses name it, what happened, some of what is told, and some of its picture."""

    name: str
    now: str
    told: tuple[str, ...] = ()
    picture: str = ""


def check_stops(game: Replay, stops: Sequence[Stop]) -> None:
    """Find these stops, and no others between them, and that each says and shows what it has to."""
    scenes = list(replay.scenes(game))
    made = list(replay.moments(scenes))
    first = next(number for number, moment in enumerate(made) if moment.name == stops[0].name)
    here = slice(first, first + len(stops))
    for stop, moment, scene in zip(stops, made[here], scenes[here], strict=True):
        assert (moment.name, moment.now, moment.told) == (stop.name, stop.now, stop.told)
        assert str(moment.turn) == stop.name.partition(".")[0]
        assert stop.picture in scene.picture()


def test_stops_at_each_step_and_roll_and_when_somebody_leaves() -> None:
    """The pictures follow what the rolls, which are drawn by hand, take from the heap."""
    takes = {number: int(rolls(number, of=THREE)[0].outcome) for number in (1, 2, 3)}
    history = (
        *running("bones", (given.ADA, given.BOB, given.CLEO), heap=20, steps=2, rolls=rolls(1, of=THREE), dice_from=1),
        played(1, RED, "1; 2", BLUE, at=1, rolls=rolls(2, of=THREE)),
        left(BLUE, GREEN, since=1, rolls=rolls(3, of=THREE)),
        played(2, GREEN, "3; 1", RED, at=2),
    )
    dealt = 20 - takes[1]
    rolled = dealt - 3 - takes[2]
    again = rolled - takes[3]
    game = of(history, small_games.find)
    assert len(list(replay.scenes(game))) == 8
    check_stops(
        game,
        [
            Stop("0", "Before the first turn", picture=f"<!-- {dealt} None"),
            Stop("1.1", "Turn 1 of 2, step 1 of 2: Red 1", picture=f"<!-- {dealt - 1} 1 "),
            Stop("1.2", "Turn 1 of 2, step 2 of 2: Red 2", picture=f"<!-- {dealt - 3} 2 "),
            Stop("1.3", f"After turn 1: chance gives {takes[2]}", picture=f"<!-- {rolled} 2 "),
            Stop("1.4", "After turn 1: Bob (Blue) has left", picture=f"<!-- {rolled} 2 "),
            Stop("1", f"After turn 1: chance gives {takes[3]}", picture=f"<!-- {again} 2 "),
            Stop("2.1", "Turn 2 of 2, step 1 of 2: Green 3", picture=f"<!-- {again - 3} 3 "),
            Stop("2", "Turn 2 of 2, step 2 of 2: Green 1", picture=f"<!-- {again - 4} 1 "),
        ],
    )


def test_tells_what_came_of_each_moment() -> None:
    game = of(events_of("sneaky-octopuses-left"))
    dealt = ("The fish are dealt into the tanks; one yellow fish stays out of the game.", "Purple is drawn to begin.")
    heard = ("Green's Speedy goes from b3 to b8.", "The west keeper hears a noise on b6 and turns west.")
    caught = ("The die shows 5: the south keeper walks from f2 by e2 to d2 and catches Purple's Speedy.",)
    check_stops(game, [Stop("0", "Before the first turn", dealt)])
    check_stops(game, [Stop("6.1", "Turn 6 of 35, step 1 of 5: Green Speedy slide b8", heard)])
    check_stops(
        game,
        [
            Stop("6.5", "Turn 6 of 35, step 5 of 5: Green keeper f2"),
            Stop("6.6", "After turn 6: chance gives die 5", caught),
            Stop("6", "After turn 6: Ada (Blue) has left"),
        ],
    )


def test_needs_nothing_from_elsewhere(club: Club) -> None:
    club.printed("game record 1 --format html -o {dir}/game.html")
    page = (club.directory / "game.html").read_text(encoding="utf-8")
    elsewhere = re.findall(r"""\b(?:src|href)=|url\(|@import|//[\w.-]+\.\w{2,}/(?!2000/svg)""", page)
    assert elsewhere == []
    assert "default-src 'none'" in page


def test_what_people_write_is_words_and_not_markup(club: Club) -> None:
    club.printed("""game result 1 draw --yes --reason '</script><b id=x>"Bob&'""")
    club.printed("game record 1 --format html -o {dir}/game.html")
    page = (club.directory / "game.html").read_text(encoding="utf-8")
    assert "<b id=x>" not in page
    assert "&lt;/script&gt;&lt;b id=x&gt;&#34;Bob&amp;" in page


@pytest.mark.parametrize(
    ("line", "fragment"),
    [
        ("game record 3 --format html -o {dir}/game.html", "Ada (Red) wins. Bob (Blue) resigned."),
        ("game record 2 --format html -o {dir}/game.html", "No turn has been played yet."),
        ("game record 1 --format html -o {dir}/game.html", "Turns that were taken back are not shown"),
        ("game record 1 --format html -o {dir}/game.html", "2026-03-01 13:00 (Europe/Berlin)"),
    ],
)
def test_says(club: Club, line: str, fragment: str) -> None:
    club.printed(line)
    assert fragment in (club.directory / "game.html").read_text(encoding="utf-8")


def test_variables_are_documented() -> None:
    written = (resources.templates_dir() / "page" / "README.md").read_text(encoding="utf-8")
    assert written == pages.readme(), "run `make docs`"


START, ONE, TWO, LAST = "Before the first turn", "Turn 1 of 3: Red a1", "Turn 2 of 3: Blue e3", "Turn 3 of 3: Red a2"
STEPS: list[tuple[Callable[[Page], None], str, str]] = [
    (lambda _: None, START, "0"),
    (lambda tab: tab.keyboard.press("ArrowRight"), ONE, "1"),
    (lambda tab: tab.keyboard.press("ArrowRight"), TWO, "2"),
    (lambda tab: tab.keyboard.press("ArrowLeft"), ONE, "1"),
    (lambda tab: tab.keyboard.press("End"), LAST, "3"),
    (lambda tab: tab.keyboard.press("ArrowRight"), LAST, "3"),
    (lambda tab: tab.keyboard.press("Home"), START, "0"),
    (lambda tab: tab.keyboard.press("ArrowLeft"), START, "0"),
    (lambda tab: tab.locator("#next").click(), ONE, "1"),
    (lambda tab: tab.locator("#last").click(), LAST, "3"),
    (lambda tab: tab.locator("#previous").click(), TWO, "2"),
    (lambda tab: tab.locator("#first").click(), START, "0"),
    (lambda tab: tab.locator("#moves button").nth(1).click(), TWO, "2"),
    (lambda tab: tab.locator("#slider").fill("3"), LAST, "3"),
    (lambda tab: tab.locator("#first").click(), START, "0"),
]
"""What somebody does, the moment that is shown then, and the number of its turn."""


@in_a_browser
@pytest.mark.parametrize("width", shortened([390, 1200]))
def test_steps_by_keys_buttons_list_and_slider_and_plays_by_itself(club: Club, browser: Browser, width: int) -> None:
    club.printed("game record 1 --format html -o {dir}/game.html")
    with browsing(browser, width) as tab:
        tab.clock.install()
        tab.goto((club.directory / "game.html").as_uri())
        for act, now, turn in STEPS:
            act(tab)
            listed = tab.locator("[aria-current]").evaluate_all("all => all.map((one) => one.dataset.turn)")
            assert (tab.locator("#now").text_content(), tab.locator("#slider").input_value()) == (now, turn)
            assert listed == ([turn] if turn != "0" else [])
            assert len(tab.locator("#board").inner_html()) > 500
        # On a button the key would press that.
        tab.evaluate("document.activeElement.blur()")
        tab.keyboard.press(" ")
        assert tab.locator("#play").text_content() == "Pause"
        tab.clock.run_for(6000)
        assert (tab.locator("#now").text_content(), tab.locator("#play").text_content()) == (LAST, "Run")
        assert tab.evaluate("location.hash") == "#3"
        assert [tab.locator(end).get_attribute("aria-disabled") for end in ("#first", "#last")] == ["false", "true"]
        assert tab.evaluate("document.documentElement.scrollWidth") <= width


@cache
def of_three() -> str:
    """The page of a game that one of three has left."""
    return replay.page(of(events_of("sneaky-octopuses-left")))


@in_a_browser
@pytest.mark.parametrize(
    ("address", "now"),
    [
        ("", "Before the first turn"),
        pytest.param("#6", "After turn 6: Ada (Blue) has left", marks=pytest.mark.long),
        ("#6.1", "Turn 6 of 35, step 1 of 5: Green Speedy slide b8"),
        pytest.param("#99", "Before the first turn", marks=pytest.mark.long),
    ],
)
def test_opens_at_the_moment_in_its_address(tmp_path: Path, browser: Browser, address: str, now: str) -> None:
    page = tmp_path / "game.html"
    page.write_text(of_three(), encoding="utf-8")
    with browsing(browser, 800) as tab:
        tab.goto(page.as_uri() + address)
        assert tab.locator("#now").text_content() == now


@in_a_browser
@pytest.mark.parametrize(
    ("spoil", "verdict"),
    [
        (("", ""), "This page has just worked out all 10 draws anew"),
        (('"value":6', '"value":7'), "Draws that are NOT what the secret gives: 1 of 10."),
        (('"commitment":"', '"commitment":"x'), "The secret is NOT the one that was committed to."),
    ],
)
def test_works_every_roll_out_anew(tmp_path: Path, browser: Browser, spoil: tuple[str, str], verdict: str) -> None:
    page = tmp_path / "game.html"
    events = events_of("tako-retracted")
    number = GameId(int(recorded_of("tako-retracted")[0].stream.removeprefix("game-")))
    made = dataclasses.replace(of(events), proof=proof_of(number, fold(events), events))
    page.write_text(replay.page(made).replace(*spoil, 1), encoding="utf-8")
    with browsing(browser, 390) as tab:
        tab.goto(page.as_uri())
        expect(tab.locator("body")).to_contain_text(verdict)
