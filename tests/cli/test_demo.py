"""The demo as a newcomer sees it: a short game to its end, a real mail, its picture, and one command to go on with."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.jobs.serving import environment

TURNSERVER = str(Path(sys.executable).with_name("turnserver"))


def test_shows_a_game_a_mail_and_a_picture(tmp_path: Path) -> None:
    """It leaves the picture and nothing else, and opens it if that is wanted."""
    opened, browser = tmp_path / "opened", tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}\n')
    browser.chmod(0o755)
    (tmp_path / "tmp").mkdir()
    env = {**environment(), "TMPDIR": str(tmp_path / "tmp"), "BROWSER": f"{browser} %s", "PATH": os.environ["PATH"]}
    ran = subprocess.run([TURNSERVER, "demo", "--open"], cwd=tmp_path, env=env, text=True, capture_output=True, check=True, timeout=120)
    assert ran.stderr == ""
    turns = re.findall(r"^ +(\d+)  House(?: Two)? plays \S", ran.stdout, re.MULTILINE)
    assert turns == [str(turn) for turn in range(1, 12)]
    assert "\nOkago 1 is over: House (Red) wins. By the rules of Okago: Red has four in a row.\n" in ran.stdout
    assert "  | House played c4. Your move, " in ran.stdout
    found = re.search(r"with this picture: (\S+)\n\nNow play yourself:  (\S+) try\n$", ran.stdout)
    assert found is not None, ran.stdout[-500:]
    assert Path(found[1]).read_bytes().startswith(b"\x89PNG")
    assert (found[2], [*(tmp_path / "tmp").iterdir()]) == (TURNSERVER, [Path(found[1]).parent])
    assert opened.read_text() == f"{Path(found[1]).as_uri()}\n"
