"""README and the pages beside the code are true: their transcripts run, their tables hold all that there is, their links lead somewhere."""

import os
import re
import subprocess
import sys
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import get_args

import pytest
from PIL import Image

from tests.cases import for_each
from tests.histories.recorded import events_of
from tests.readme.turn import BOARD, PHONE, TURN, played, text_of
from tests.service.world import World
from turnserver import games
from turnserver.cli.app import app
from turnserver.cli.commands import COMMANDS as TYPED
from turnserver.config import leagues, reading
from turnserver.mail.inbound.commands import COMMANDS
from turnserver.mail.inbound.phrases import If, Preview
from turnserver.mail.inbound.steps import resembles_step
from turnserver.mail.inbound.understanding import understand
from turnserver.play.clock.controls import PRESETS, Control, TimeControl, parse
from turnserver.play.conditional_moves import read_plan
from turnserver.play.evolve import fold
from turnserver.rules.kit import parse_turn, reads_as_turn
from turnserver.store.log.database import Database
from turnserver.tools import command_reference

ROOT = Path(__file__).parents[2]
README, PLAYING, RUNNING, AUDIT, SETUP = (
    (ROOT / name).read_text(encoding="utf-8")
    for name in ("README.md", "turnserver/PLAYING.md", "turnserver/RUNNING.md", "turnserver/AUDIT.md", "turnserver/SETUP.md")
)
PAGES = sorted(
    path.relative_to(ROOT)
    for top in ("*.md", "turnserver/**/*.md", "config/*.md", "events/*.md", "templates/*.md", "templates/languages/*.md")
    for path in ROOT.glob(top)
)
LINES = 200
"""README is read by people who do not know yet whether they want to."""
PICTURE_BYTES = 60_000
BLOCK = re.compile(r"(?:^<!-- (?P<kind>\w+): (?P<name>\S+) -->\n)?^ *```(?P<language>\w+)\n(?P<body>.*?)^ *```", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\((?!https?:)(?P<file>[^)#]*)(?:#(?P<anchor>[^)]+))?\)")
IMAGE = re.compile(r'<img [^>]*alt="(?P<alt>[^"]+)" src="(?P<file>[^"]+)">')
COMMAND = re.compile(r"^\$ (.*)$", re.MULTILINE)


def blocks(page: str, language: str) -> list[re.Match[str]]:
    """The code blocks of a page in a language."""
    return [block for block in BLOCK.finditer(page) if block["language"] == language]


def expected(body: str) -> re.Pattern[str]:
    """Return what a transcript's output must look like: its lines, where `...` stands for anything."""
    escaped = re.escape(body).replace(re.escape("..."), ".*?")
    return re.compile(escaped, re.DOTALL)


def transcript(pages: tuple[str, ...]) -> list[tuple[str, str]]:
    """Every command of the pages with the output that they show, in order."""
    found: list[tuple[str, str]] = []
    for block in (block for page in pages for block in blocks(page, "console")):
        parts = COMMAND.split(block["body"])[1:]
        found += [(command, output.lstrip("\n")) for command, output in zip(parts[::2], parts[1::2], strict=True)]
    return found


# RUNNING takes the file of README, and AUDIT goes on in the shell of RUNNING; both say so.
@pytest.mark.long  # every command of it is a process of its own
@pytest.mark.timeout(900)
@pytest.mark.parametrize("pages", [(README,), (RUNNING, AUDIT)], ids=["README", "RUNNING-AUDIT"])
def test_the_transcript_runs(pages: tuple[str, ...], tmp_path: Path) -> None:
    """All commands in one shell, in an empty directory; each one's output as the page shows it."""
    for block in blocks(README, "toml"):
        (tmp_path / block["name"]).write_text(block["body"], encoding="utf-8")
    steps = transcript(pages)
    assert len(steps) > 10
    script = "".join(f"{command}\necho '---- {number}'\n" for number, (command, _) in enumerate(steps))
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    environment = {"PATH": path, "HOME": str(tmp_path), "LANG": "C.UTF-8", "COLUMNS": "80"}
    ran = subprocess.run(["bash", "-e"], input=script, text=True, capture_output=True, cwd=tmp_path, env=environment, check=False)  # noqa: S607  # the shell of README's reader
    assert ran.returncode == 0, ran.stderr + ran.stdout
    outputs = re.split(r"^---- \d+\n", ran.stdout, flags=re.MULTILINE)
    for (command, output), printed in zip(steps, outputs, strict=False):
        assert expected(output).fullmatch(printed), f"$ {command}\n{printed}"


def test_the_mail_is_one_of_ours() -> None:
    """The mail that PLAYING.md shows is written anew and compared; so is its board."""
    (shown,) = (block["body"] for block in blocks(PLAYING, "text") if block["kind"] == "mail")
    mail, picture = played()
    assert shown == text_of(mail) == TURN.read_text(encoding="utf-8")
    assert picture == BOARD.read_text(encoding="utf-8")


def test_readme_is_short_and_begins_with_a_phone() -> None:
    """The picture is in the first screen, told to those who cannot see it, and light; its pixels depend on the fonts of a machine."""
    assert len(README.splitlines()) <= LINES
    (shown,) = IMAGE.finditer("\n".join(README.splitlines()[:5]))
    assert ROOT / shown["file"] == PHONE
    assert len(shown["alt"]) > 40
    assert PHONE.stat().st_size <= PICTURE_BYTES
    with Image.open(PHONE) as picture:
        width, height = picture.size
        assert picture.format == "PNG"
        assert 400 <= width <= 1000
        assert 1.5 < height / width < 3


def first_cells(page: str, heading: str) -> list[list[str]]:
    """The code in the first cell of each row of the table with this heading."""
    rows = page.partition(f"\n{heading}\n")[2].partition("\n\n")[0].splitlines()[1:]
    return [re.findall(r"`([^`]+)`", row.split(" | ")[0]) for row in rows]


def how_many(seats: tuple[int, ...]) -> str:
    """Return the numbers of players as text: `2`, `2 or 4`, `2 to 4`."""
    return f"{seats[0]} to {seats[-1]}" if len(seats) > 2 else " or ".join(map(str, seats))


def test_all_games_are_shown() -> None:
    """Each by its key, title, designer and number of players, with its own rules."""
    row = r"^\| `([a-z-]+)` \| (.+?), by (.+?) \| ([^|,]+)(?:, .+)? \| \[.+\]\(turnserver/games/(\w+)/RULES.md\) \|$"
    assert re.findall(row, README, re.MULTILINE) == [
        (one.key, one.title, one.designer, how_many(one.seats), one.key.replace("-", "_")) for one in games.CATALOGUE.values()
    ]


def phrases_shown(page: str) -> set[type]:
    """Each line that a page shows in its table of commands is read as a command; the kinds of these."""
    rules = games.find("take").rules
    position = rules.start()
    lines = [line for cell in first_cells(page, "| write | to |") for line in cell]
    read = [understand([line], lambda text: reads_as_turn(rules, position, text), games.CATALOGUE, leagues=["league-1"]) for line in lines]
    assert [line for line, said in zip(lines, read, strict=True) if said.unclear or not said.phrases] == []
    return {type(said.phrases[0]) for said in read}


def test_the_commands_of_readme_are_commands() -> None:
    assert len(phrases_shown(README)) > 10


def test_all_commands_are_shown() -> None:
    shown = phrases_shown(PLAYING)
    assert [one.word for one in COMMANDS if one.phrase not in shown] == []


def test_all_time_controls_are_shown() -> None:
    """Each way to clock a game is in the table by an example, and each short form in the section around it, as what it is short for."""
    shown = {type(parse(text).control) for cell in first_cells(PLAYING, "| written | means |") for text in cell}
    assert [one.__name__ for one in get_args(Control) if one not in shown] == []
    section = PLAYING.partition("\n## Time\n")[2].partition("\n## ")[0]
    assert [name for name in PRESETS if f"`{name}`" not in section] == []
    row = {name: row for row in section.splitlines() for name in PRESETS if row.startswith("|") and f"`{name}`" in row}
    assert {name: parse(name, "Europe/Berlin").control for name in row} == {
        name: parse(line.split("`")[1]).control for name, line in row.items()
    }


def test_all_that_stops_clocks_is_shown() -> None:
    """Each part of a time control behind the control itself, as it stands behind a comma."""
    (words,) = re.findall(r"Behind a comma, clocks can be told to stand still: (.+?bars vacations)\.", PLAYING, re.DOTALL)
    plain = parse("3d")
    told = [parse(f"3d, {part}") for part in re.findall(r"`([^`]+)`", words)]
    parts = [one.name for one in fields(TimeControl) if one.name != "control"]
    assert [name for name in parts if all(getattr(one, name) == getattr(plain, name) for one in told)] == []
    assert plain not in told


def test_all_presets_are_shown() -> None:
    """Each by its name in README, and with what it is where that leads."""
    section = README.partition("\n## Leagues\n")[2].partition("\n## ")[0]
    assert [one.name for one in leagues.presets() if f"`{one.name}`" not in section] == []
    assert "(config/LEAGUES.md)" in section
    guide = (ROOT / "config" / "LEAGUES.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[`([a-z-]+)`\]\(leagues/([a-z-]+)\.toml\) \| (.+) \|$", guide, re.MULTILINE)
    assert rows == [(one.name, one.name, one.about) for one in leagues.presets()]


def test_the_turn_of_several_lines_can_be_played() -> None:
    """As the answer at the beginning of a game in which purple begins."""
    (answer,) = (block for block in blocks(PLAYING, "text") if block["kind"] == "answer")
    line = fold(events_of("sneaky-octopuses-left")[:6]).line
    rules, position = line.game.rules, line.position
    resembles = partial(resembles_step, line.game.entry.step_words)
    said = understand(answer["body"].splitlines(), lambda text: reads_as_turn(rules, position, text), resembles=resembles)
    (preview,) = said.phrases
    assert isinstance(preview, Preview)
    assert len(parse_turn(rules, position, preview.text).steps) == 4


def test_the_plan_can_be_laid() -> None:
    """By whoever has begun a game, and waits."""
    (block,) = (block for block in blocks(PLAYING, "text") if block["kind"] == "plan")
    rules = games.find(block["name"]).rules
    position = parse_turn(rules, rules.start(), "d3").state
    (plan,) = understand(block["body"].splitlines(), lambda text: reads_as_turn(rules, position, text)).phrases
    assert isinstance(plan, If)
    assert len(read_plan(rules, position, plan.text)) == 3


def anchors(page: str) -> set[str]:
    """The headings of a page, as a browser asks for them."""
    heads = re.findall(r"^#+ (.+)$", re.sub(r"^ *```.*?^ *```", "", page, flags=re.DOTALL | re.MULTILINE), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


@for_each("page", PAGES, ids=str)
def test_links_lead_somewhere(page: Path) -> None:
    """Every relative link names a file of the tree, and a heading of it if it says one. So does every picture."""
    text = (ROOT / page).read_text(encoding="utf-8")
    astray = [image[0] for image in IMAGE.finditer(text) if not (ROOT / page.parent / image["file"]).exists()]
    assert len(IMAGE.findall(text)) == text.count("<img ")
    for link in LINK.finditer(text):
        to = ROOT / page.parent / link["file"] if link["file"] else ROOT / page
        if not to.exists() or (link["anchor"] and link["anchor"] not in anchors(to.read_text(encoding="utf-8"))):
            astray.append(link[0])
    assert astray == []


def test_the_database_answers_as_it_is_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The program that RUNNING shows, beside a database with a game."""
    (program,) = blocks(RUNNING, "python")
    db = Database.create_or_upgrade(f"sqlite:///{tmp_path / 'turnserver.db'}")
    World(db, tmp_path / "mail").open()
    db.close()
    monkeypatch.chdir(tmp_path)
    exec(compile(program["body"], "RUNNING.md", "exec"), {})  # noqa: S102  # it is ours
    assert capsys.readouterr().out == "Ada take 2026-03-04T12:00:00.000000Z\n"


def test_make_targets_exist() -> None:
    """The make targets that README and the page of setting up name."""
    named = set(
        re.findall(r"^ *make (\w+)", "\n".join(block["body"] for page in (README, SETUP) for block in blocks(page, "sh")), re.MULTILINE)
    )
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert named == {"demo", "help", "install", "wheel"}
    assert [target for target in named if not re.search(rf"^{target}:", makefile, re.MULTILINE)] == []


@for_each("page", [README, PLAYING, RUNNING, SETUP], ids=["README", "PLAYING", "RUNNING", "SETUP"])
def test_commands_exist(page: str) -> None:
    """Each command that a page names between backticks or in a block of code, up to its arguments."""
    known = {one.path for one in command_reference.commands(app)}
    code = [*re.findall(r"`[^`]+`", BLOCK.sub("", page)), *COMMAND.findall(page), *(block["body"] for block in blocks(page, "sh"))]
    named = {f"turnserver{line}" for line in re.findall(r"(?:^|`|bin/)turnserver((?: [a-z][a-z-]*)+)", "\n".join(code), re.MULTILINE)}
    assert len(named) > 3
    groups = {path.rpartition(" ")[0] for path in known} - {
        f"turnserver {name}" for name, what in TYPED.items() if getattr(what, "place", "")
    }
    assert [line for line in sorted(named) if longest(line, known) in groups | {""}] == []


def longest(line: str, known: set[str]) -> str:
    """The longest beginning of a line, in whole words, that is a command or a group of them."""
    words = line.split()
    return next((start for end in range(len(words), 0, -1) if (start := " ".join(words[:end])) in known), "")


def test_settings_of_the_setup_are_settings(tmp_path: Path) -> None:
    """Each block of settings, below the first one, which every case needs."""
    first, *more = [block["body"] for block in BLOCK.finditer(SETUP) if block["body"].startswith("[")]
    needed = "[site]" + first.partition("[site]")[2].partition("\n[")[0]
    assert len(more) > 1
    for number, text in enumerate([first, *(f"{needed}\n{one}" for one in more)]):
        written = tmp_path / f"{number}.toml"
        written.write_text(text, encoding="utf-8")
        secrets = dict(line.split("=") for line in re.findall(r"^TURNSERVER_\w+=.+$", SETUP, re.MULTILINE) if "[imap" in text)
        assert reading.load(written, secrets).site.name == "Our club"
