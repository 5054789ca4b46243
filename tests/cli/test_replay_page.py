"""The page that replays a game: complete, small, self-contained, and alive in a real browser."""

import json
import random
import re
import shutil
import subprocess
from datetime import timedelta
from itertools import islice
from pathlib import Path
from xml.etree import ElementTree as ET

import msgspec
import pytest

from tests.cli.club import ADA, BOB, NOON, Club
from tests.cli.typed import typed
from tests.decide import small_games
from tests.decide.given import BLUE, GREEN, RED, left, played
from tests.decide.test_dice import BONES, THREE, rolls
from turnserver import resources
from turnserver.cli import replay
from turnserver.cli.found import Found
from turnserver.cli.replay import Replay
from turnserver.cli.shapes import Game
from turnserver.cli.show import Times
from turnserver.envelope import GameId
from turnserver.games import find
from turnserver.mail.narrate import Table
from turnserver.play.events import GameEvent, GameOpened, GameStarted, InvitationAccepted, SeatOrder, TurnPlayed
from turnserver.play.evolve import fold
from turnserver.play.line import Line
from turnserver.rules import Seat
from turnserver.rules.kit import playout

CHROMIUM = shutil.which("chromium")
in_a_browser = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine")


def random_game(turns: int, **options: str | int) -> Replay:
    """A game of random moves, cut off after so many turns."""
    game = find("take", **options)
    steps = [game.rules.format(state, step) for state, step in islice(playout(game.rules, random.Random(5).choice), turns)]  # noqa: S311  # any game will do
    later = NOON + timedelta(days=3)
    events: list[GameEvent] = [
        GameOpened(
            game="take", revision=1, options=dict(options), players=(ADA, BOB), order=SeatOrder.LOT, days_per_move=3, opened_by=None
        ),
        *(InvitationAccepted(player=player) for player in (ADA, BOB)),
        GameStarted(to_move=Seat(1), deadline=later, remind_at=later),
    ]
    for turn, step in enumerate(steps, start=1):
        mover, other = (Seat(1), Seat(2)) if turn % 2 else (Seat(2), Seat(1))
        events.append(TurnPlayed(turn=turn, seat=mover, steps=(step,), received_at=NOON, to_move=other, deadline=later, remind_at=later))
    state = fold(events)
    lines = [Line.empty(game)]
    for turn_played in state.line.turns:
        lines.append(lines[-1].played(turn_played))
    return Replay(GameId(9), state, Table(state, {ADA: "Ada", BOB: "Bob"}), "ab" * 32, "", tuple(lines), Times("UTC", NOON))


def same(picture: str) -> str:
    return ET.canonicalize(picture.replace(' xmlns="http://www.w3.org/2000/svg"', ""))


@pytest.mark.parametrize("variant", ["standard", "high-churn"])
def test_frames_make_the_pictures_again(variant: str) -> None:
    game = random_game(60, size=4, variant=variant)
    pictures = [game.state.game.view.svg(line.position, line.last_step) for line in game.lines]
    album = replay.album(pictures)
    for picture, (box, *parts) in zip(pictures, album.frames, strict=True):
        root = picture[: picture.index(">") + 1]
        assert f'viewBox="{album.parts[box]}"' in root
        assert same(f"{root}{''.join(album.parts[part] for part in parts)}</svg>") == same(picture)


def test_300_turns_on_the_largest_board_stay_below_3_megabytes() -> None:
    game = random_game(300, size=8, variant="high-churn")
    page = replay.page(game)
    assert game.state.line.length == 300
    assert len(page.encode()) < 3_000_000
    assert page.count("data-turn=") == 300


def test_every_moment_has_what_chance_and_leaving_made_of_it(club: Club) -> None:
    """The start with the opening roll, and each turn with the rolls after it and with who left before the next."""
    history = (*BONES, played(1, RED, "1", BLUE, at=1, rolls=rolls(2, of=THREE)), left(BLUE, GREEN, since=1, rolls=rolls(3, of=THREE)))
    state = fold(history, find=small_games.find)
    row = msgspec.json.decode(typed(club, "game list --json").stdout, type=list[Game])[0]
    lines = list(Found(GameId(9), [], state, Table(state, {}), row).lines())
    assert [(line.length, line.position.left, sorted(line.position.gone)) for line in lines] == [(0, 7, []), (1, 4, [BLUE])]
    assert lines[-1] is state.line


def test_needs_nothing_from_elsewhere(club: Club) -> None:
    club.printed("game replay 1 --html {dir}/game.html")
    page = (club.directory / "game.html").read_text(encoding="utf-8")
    elsewhere = re.findall(r"""\b(?:src|href)=|url\(|@import|//[\w.-]+\.\w{2,}/(?!2000/svg)""", page)
    assert elsewhere == []
    assert "default-src 'none'" in page


def test_what_people_write_is_words_and_not_markup(club: Club) -> None:
    club.printed("""game adjudicate 1 --draw --yes --reason '</script><b id=x>"Bob&'""")
    club.printed("game replay 1 --html {dir}/game.html")
    page = (club.directory / "game.html").read_text(encoding="utf-8")
    assert "<b id=x>" not in page
    assert "&lt;/script&gt;&lt;b id=x&gt;&#34;Bob&amp;" in page


@pytest.mark.parametrize(
    ("line", "fragment"),
    [
        ("game replay 3 --html {dir}/game.html", "Ada (Red) wins. The game was given up by Bob (Blue)."),
        ("game replay 2 --html {dir}/game.html", "No turn has been played yet."),
        ("game replay 1 --html {dir}/game.html", "Turns that were taken back are not shown"),
        ("game replay 1 --html {dir}/game.html", "2026-03-01 13:00 (Europe/Berlin)"),
    ],
)
def test_says(club: Club, line: str, fragment: str) -> None:
    club.printed(line)
    assert fragment in (club.directory / "game.html").read_text(encoding="utf-8")


def test_variables_are_documented() -> None:
    written = (resources.templates_dir() / "page" / "README.md").read_text(encoding="utf-8")
    assert written == replay.readme(), "run `python -m turnserver.cli.replay`"


PROBE = """<pre id="probe"></pre><script>
const seen = [], at = (id) => document.getElementById(id);
const note = (what) => seen.push([what, at("now").textContent, at("slider").value,
  [...document.querySelectorAll("[aria-current]")].map((one) => one.dataset.turn).join(), at("board").innerHTML.length > 500]);
const key = (name) => {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
  note(name);
};
const click = (id) => { at(id).click(); note(id); };
note("opened");
["ArrowRight", "ArrowRight", "ArrowLeft", "End", "ArrowRight", "Home", "ArrowLeft"].forEach(key);
["next", "last", "previous", "first"].forEach(click);
document.querySelectorAll("#moves button")[1].click(); note("move");
at("slider").value = 3; at("slider").dispatchEvent(new Event("input")); note("slider");
click("first"); key(" ");
const playing = at("play").textContent;
setTimeout(() => {
  note("played");
  at("probe").textContent = JSON.stringify({
    seen, playing, after: at("play").textContent, wide: document.documentElement.scrollWidth, room: innerWidth,
    hash: location.hash, ends: ["first", "last"].map((id) => at(id).getAttribute("aria-disabled")),
  });
}, 6000);
</script></body>"""

START, ONE, TWO, LAST = "Before the first turn", "Turn 1 of 3: Red a1", "Turn 2 of 3: Blue e3", "Turn 3 of 3: Red a2"
STEPS = [
    ("opened", START, "0", ""),
    ("ArrowRight", ONE, "1", "1"),
    ("ArrowRight", TWO, "2", "2"),
    ("ArrowLeft", ONE, "1", "1"),
    ("End", LAST, "3", "3"),
    ("ArrowRight", LAST, "3", "3"),
    ("Home", START, "0", ""),
    ("ArrowLeft", START, "0", ""),
    ("next", ONE, "1", "1"),
    ("last", LAST, "3", "3"),
    ("previous", TWO, "2", "2"),
    ("first", START, "0", ""),
    ("move", TWO, "2", "2"),
    ("slider", LAST, "3", "3"),
    ("first", START, "0", ""),
    (" ", START, "0", ""),
    ("played", LAST, "3", "3"),
]


def opened(page: Path, width: int, turn: str = "") -> str:
    """The document after its scripts have run, as a browser has it."""
    assert CHROMIUM is not None
    quiet = ("background-networking", "component-update", "sync", "gpu", "extensions")
    command = (
        CHROMIUM,
        "--headless=new",
        "--no-sandbox",
        *(f"--disable-{what}" for what in quiet),
        "--no-first-run",
        f"--user-data-dir={page.parent / 'profile'}",
        f"--window-size={width},1000",
        "--virtual-time-budget=10000",
        "--dump-dom",
        page.as_uri() + turn,
    )
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout


@in_a_browser
@pytest.mark.parametrize("width", [390, 1200])
def test_steps_by_keys_buttons_list_and_slider_and_plays_by_itself(club: Club, width: int) -> None:
    page = club.directory / "game.html"
    club.printed("game replay 1 --html {dir}/game.html")
    page.write_text(page.read_text(encoding="utf-8").replace("</body>", PROBE), encoding="utf-8")
    found = re.search(r'<pre id="probe">(.+?)</pre>', opened(page, width))
    assert found is not None
    probed = json.loads(found[1])
    assert probed["seen"] == [[*step, True] for step in STEPS]
    assert (probed["playing"], probed["after"], probed["hash"], probed["ends"]) == ("Pause", "Play", "#3", ["false", "true"])
    assert probed["wide"] <= probed["room"]


@in_a_browser
def test_opens_at_the_turn_in_its_address(club: Club) -> None:
    club.printed("game replay 1 --html {dir}/game.html")
    assert TWO in opened(club.directory / "game.html", 800, "#2")
