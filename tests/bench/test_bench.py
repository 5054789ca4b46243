"""The benchmarks run, however little their figures mean here, and say so in the table and in JSON."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.bench.__main__ import main
from tests.bench.club import Club
from tests.bench.load import PROC
from tests.bench.measure import Budget, Figure, alternate, measured
from tests.bench.scale import QUICK, Scale
from tests.cases import for_each
from turnserver.games import CATALOGUE

LOADED = ("core", "wall", "p50", "p95", "p99", "weight", "database", "memory", "workers.wall")
KEYS = {
    "disk": None,
    **{f"accept{where}.{how}": "ratio" for where in ("", ".postgresql") for how in ("single", "batch")},
    **{f"accept{where}.{how}": None for where in ("", ".postgresql") for how in ("single.wall", "batch.wall", "batch.together")},
    **({"load": "ratio", "load.workers": "ratio"} if PROC.is_dir() else {}),
    **({f"load.{what}": None for what in LOADED} if PROC.is_dir() else {}),
    "mail": "ratio",
    **{f"mail.{key}": None for key in CATALOGUE},
    "fold": "ratio",
    "fold.board": None,
    **{f"peer.{what}.{peer}": None for what in ("append", "fold") for peer in ("eventsourcing", "sqlmodel")},
    "ply.take": "measured",
    "ply.tako-judo": "measured",
    "ply.tako": "measured",
    "ply.okago": "measured",
    "steps.sneaky-octopuses": "measured",
    "sweep": "ratio",
    "memory": "measured",
    "audit": "ratio",
    "audit.hashes": None,
    "audit.rules": None,
    "swiss": "measured",
    "standings": None,
    "ratings": None,
    "command.version": "ratio",
    "command.help": "ratio",
    "command.list": "ratio",
    "command.list.sqlalchemy": None,
    **{f"public.{what}": None for what in ("club", "game", "league", "rules")},
    "public.crowd": "ratio",
    "page": "ratio",
    **{f"page.{key}": None for key in CATALOGUE},
    **{f"page.{key}.first": None for key in CATALOGUE},
    **{f"page.{key}.weight": "ratio" for key in CATALOGUE},
}
"""Every figure, and what of it has a budget."""


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Return what a quick run writes."""
    directory = tmp_path_factory.mktemp("bench")
    main(["--quick", "--json", str(directory / "figures.json"), "--directory", str(directory)])
    assert [path.name for path in directory.iterdir()] == ["figures.json"]
    found: list[dict[str, Any]] = json.loads((directory / "figures.json").read_text("utf-8"))["figures"]
    return found


@pytest.mark.long
def test_every_figure_is_measured(figures: list[dict[str, Any]]) -> None:
    assert {figure["key"]: figure["budget"] and figure["budget"]["of"] for figure in figures} == KEYS
    assert all(figure["measured"] > 0 for figure in figures)


@pytest.mark.long
def test_every_ratio_has_its_baseline(figures: list[dict[str, Any]]) -> None:
    assert all((figure["ratio"] or 0) > 0 for figure in figures if figure["against"])
    assert all(figure["against"] for figure in figures if figure["budget"])


def test_each_is_measured_in_a_process_of_its_own(tmp_path: Path) -> None:
    figures = measured(own_process, tmp_path, QUICK)
    assert [figure.key for figure in figures] == ["process"]
    assert figures[0].measured != os.getpid()


def own_process(_directory: Path, _scale: Scale) -> Iterator[Figure]:
    yield Figure("process", "the number of the process", "", os.getpid())


def test_mail_that_is_not_handled_is_noticed(tmp_path: Path) -> None:
    club = Club.found(tmp_path / "club.db")
    letters = list(club.answers([club.open()]))
    with pytest.raises(AssertionError, match="got no move by mail"):
        club.assert_played(letters)


def test_mail_that_is_refused_is_noticed(tmp_path: Path) -> None:
    club = Club.found(tmp_path / "club.db")
    one, other = club.answers([club.open(), club.open()])
    named = [re.search(rb"In-Reply-To:\s+(<\S+>)", letter.raw) for letter in (one, other)]
    assert named[0]
    assert named[1]
    club.service.mail.receive(one.raw.replace(named[0][1], named[1][1]), one.recipient, one.sender, "lmtp")
    assert club.service.mail.read_inbox().handled == 1
    with pytest.raises(AssertionError, match="got no move by mail"):
        club.assert_played([one])


@for_each(
    ("measured", "ratio", "budget", "met"),
    [
        (7.0, 2.0, Budget(2), True),
        (1.0, 2.1, Budget(2), False),
        (60.0, 9.0, Budget(60, absolute=True), True),
        (60.1, 0.5, Budget(60, absolute=True), False),
        (1.0, 1.0, None, None),
    ],
)
def test_a_budget_is_met_up_to_its_limit(measured: float, ratio: float, budget: Budget | None, *, met: bool | None) -> None:
    assert Figure("key", "what", "ms", measured, "that", 1.0, ratio, budget).met is met


def test_sides_alternate_and_the_first_round_does_not_count() -> None:
    turns = iter([9.0, 1.0, 6.0, 2.0, 4.0, 4.0, 2.0, 1.0])
    rounds = alternate(3, {"slow": lambda: next(turns), "fast": lambda: next(turns)})
    assert rounds.times == {"slow": [6.0, 4.0, 2.0], "fast": [2.0, 4.0, 1.0]}
    assert (rounds.typical("slow"), rounds.ratio("slow", "fast")) == (4.0, 2.0)
