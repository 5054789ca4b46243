"""`make docs` writes `config/LEAGUES.md`: the presets, and every setting of a league."""

import textwrap
from collections.abc import Iterator
from pathlib import Path

from turnserver.config.leagues import every_league_setting, presets
from turnserver.league.scoring.tiebreaks import TieBreak
from turnserver.resources import config_dir

_PREFACE = """\
# Leagues: presets and settings

Made by `make docs` from the presets and the settings themselves.

`turnserver league add NAME --preset PRESET --game GAME` opens a league. A preset is a file in TOML; those below come with the program, in
[`config/leagues/`](leagues), each with comments that say why it is as it is. A file of your own is named by its path:
`--preset ./winter.toml`. Single settings go on top of it, each with a `--set`:

    turnserver league add "Take Winter" --game take --preset swiss --set rounds=7 --set tie_breaks="buchholz, wins, lots"
    turnserver league add "Take Spring" --game take --set points.draw=1/3 --set 'tiers=[{size=8, moves=2}, {size=8}]'

A preset says what it is `about`. It may name a `game`, its `[options]` and the time control of its games (`time`), and it has
`[settings]`; what it leaves out is as usual.

    about = "Seven Swiss rounds of Take on the small board."
    game = "take"
    time = "3d"

    [options]
    size = 4

    [settings]
    format = "swiss"
    rounds = 7

What does not go together is refused with a sentence. A season keeps the settings that it was announced with.

## The presets
"""


_FIGURES = """\
Articles are those of the FIDE Handbook, C.07, in force since 1 March 2026; everything else is ours. Of all figures the higher is the
better, and each parts only those whom the ones before have not parted.

- *A game* here is a round that was played; in round robins also one that was won or lost without play (15.2).
- *An opponent's points* are all that the opponent has, with points from the start and without penalties: these are taken from whoever
  has them, never from the figures of others. In Swiss and McMahon events, absences and byes that were asked for count as draws where they
  are the last rounds of the opponent (16.3).
- *The stand-in* takes the place of an opponent in a Swiss or McMahon round without a game: a bye, an absence, a forfeit. It has as many
  points as the player, but no more than the opponent who was paired with them (16.4), or, where there was none, than a draw in every
  round and the points from the start.

| tie-break | how it is worked out | article |
|---|---|---|
"""

_TIE_BREAKS: dict[TieBreak, tuple[str, str]] = {
    TieBreak.POINTS: ("points from the start, of games and of byes, less penalties", ""),
    TieBreak.HEAD_TO_HEAD: (
        (
            "the score of the tied players against each other; of several games of two the average, so each of two counts half. "
            "If not all of them have met, somebody is first only if nobody could have caught up by winning all missing games"
        ),
        "6",
    ),
    TieBreak.SONNEBORN_BERGER: ("each opponent's, or stand-in's, points times the points of that round", "9.1"),
    TieBreak.BUCHHOLZ: ("the points of all opponents and stand-ins", "8.1"),
    TieBreak.BUCHHOLZ_CUT_1: (
        "Buchholz without the least of them; if rounds were left out by choice, without the least of those",
        "14.1, 16.5",
    ),
    TieBreak.BUCHHOLZ_MEDIAN_1: ("Buchholz cut-1, and then without the greatest of the others", "14.3"),
    TieBreak.PROGRESSIVE: ("the points after each round, added up; those from the start count in each round", "7.5"),
    TieBreak.KOYA: ("the points of games against opponents who have at least half of what could be won", "9.2"),
    TieBreak.WINS: ("rounds worth a win or more, played or not; at larger tables those that were won", "7.1"),
    TieBreak.GAMES_WON: ("games that were won", "7.2"),
    TieBreak.GAMES_AS_SECOND: (
        (
            "games in which the player moved second, but those lost by not coming; where chance decides who begins, games in seat 2, "
            "which says nothing: leave this out there, and the next one"
        ),
        "7.3",
    ),
    TieBreak.WINS_AS_SECOND: ("games that were won by moving second", "7.4"),
    TieBreak.GAMES_PLAYED: ("rounds that were played", ""),
    TieBreak.FIRST_PLACES: ("first places at larger tables; two who share it have half of it each, and half of the second", ""),
    TieBreak.SECOND_PLACES: ("second places, likewise", ""),
    TieBreak.THIRD_PLACES: ("third places, likewise", ""),
    TieBreak.PLAYOFF: ("the order after games between the tied players, as an admin enters it", ""),
    TieBreak.LOTS: ("lots, drawn from the secret of the season when it is over", ""),
}


def guide() -> str:
    """Return the text of `config/LEAGUES.md`."""
    tables = ("", "## How tie-breaks are worked out", "", _FIGURES + "\n".join(_tie_breaks()))
    return "\n".join((_PREFACE, *_presets(), *tables, "", "## The settings", "", *_settings()))


def _tie_breaks() -> Iterator[str]:
    for one in TieBreak:
        how, article = _TIE_BREAKS[one]
        yield f"| {one.value} | {how} | {article} |"


def _presets() -> Iterator[str]:
    yield "| preset | what it is |"
    yield "|---|---|"
    for one in presets():
        yield f"| [`{one.name}`](leagues/{one.name}.toml) | {one.about} |"


def _settings() -> Iterator[str]:
    for setting in every_league_setting():
        yield f"### {setting.name}\n"
        yield f"{textwrap.fill(setting.meaning, 140, break_long_words=False, break_on_hyphens=False)}\n"
        yield f"- May be {setting.may_be}."
        yield f"- Usually {setting.usual if setting.default is None else f'`{setting.usual}`'}.\n"


def file() -> Path:
    """Return the path of the guide."""
    return config_dir() / "LEAGUES.md"


if __name__ == "__main__":
    file().write_text(guide(), encoding="utf-8")
