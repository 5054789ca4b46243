"""A newcomer's first minutes: the real program, a real browser, and a game that is won by tapping what the mails show."""

import json
from itertools import cycle
from pathlib import Path

import pytest

from tests.cli.test_try_out import started
from tests.web.sandbox.chromium import CHROMIUM, Browser, browser

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine")

FOUR_IN_A_ROW = ("a1", "a5", "b1", "b5", "c1", "c5", "d1")


def shows(tab: Browser, *words: str) -> None:
    """Wait until the page shows one of these: a mail that comes at once takes the place of the one that was answered."""
    tab.until(f"{json.dumps(words)}.some((one) => document.body.innerText.includes(one))")


@pytest.mark.parametrize(
    ("width", "moves"), [(390, FOUR_IN_A_ROW[:3]), pytest.param(1200, FOUR_IN_A_ROW, marks=pytest.mark.long)], ids=["begun", "won"]
)
def test_a_game_is_played_by_tapping(tmp_path: Path, width: int, moves: tuple[str, ...]) -> None:
    with started(tmp_path, "okago") as running, browser(tmp_path, width) as tab:
        tab.open(running.address)
        for name in ("Ada", "Bob"):
            tab.tap("Accept", f"Mails of {name}")
            tab.until("document.activeElement.value === 'accept'")
            tab.tap("Send", f"Mails of {name}")
            shows(tab, "accept\ncarried out", "The game against Bob has begun")
        for name, move in zip(cycle(("Ada", "Bob")), moves, strict=False):
            tab.tap("Another move", f"Mails of {name}")
            tab.until("document.activeElement.tagName === 'TEXTAREA'")
            tab.type(move)
            tab.tap("Send", f"Mails of {name}")
            shows(tab, f"{move}\ncarried out", f"{name} played {move}", "Okago 1 is over")
        assert tab.value("document.documentElement.scrollWidth") <= width
        news = tab.value("[...document.querySelectorAll('.list li:first-child')].map((one) => one.textContent)")
        if moves == FOUR_IN_A_ROW:
            assert news[0] == "Okago 1 is over: you win. By the rules of Okago: Red has four in a row."
            assert news[1].startswith("Okago 1 is over: Ada (Red) wins.")
        else:
            assert news[1].startswith("Ada played b1. Your move, ")


@pytest.mark.long
def test_more_mail_takes_no_words_away(tmp_path: Path) -> None:
    """Another terminal opens a game while somebody writes: the page says so, and shows it once nobody writes."""
    with started(tmp_path) as running, browser(tmp_path) as tab:
        tab.open(running.address)
        tab.tap("Accept", "Mails of Ada")
        assert running.other_command("game open take Ada Bob --option size=2").returncode == 0
        tab.until("!document.getElementById('more').hidden")
        assert tab.value("document.activeElement.value") == "accept"
        tab.tap("More mail has come. Show it")
        tab.until("document.querySelector('h3').textContent.includes('Take 2')")
        running.other_command("game open take Ada Bob --option size=2")
        tab.until("document.querySelector('h3')?.textContent.includes('Take 3')")
