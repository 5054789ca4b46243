"""`make docs` writes `config/LEAGUES.md`: the presets, and every setting of a league."""

import textwrap
from collections.abc import Iterator
from pathlib import Path

from turnserver.config.leagues import every_league_setting, presets
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


def guide() -> str:
    """Return the text of `config/LEAGUES.md`."""
    return "\n".join((_PREFACE, *_presets(), "", "## The settings", "", *_settings()))


def _presets() -> Iterator[str]:
    yield "| preset | what it is |"
    yield "|---|---|"
    for one in presets():
        yield f"| [`{one.name}`](leagues/{one.name}.toml) | {one.about} |"


def _settings() -> Iterator[str]:
    for setting in every_league_setting():
        yield f"### {setting.name}\n"
        yield f"{_filled(setting.meaning)}\n"
        yield f"- May be {setting.may_be}."
        yield f"- Usually {setting.usual if setting.default is None else f'`{setting.usual}`'}.\n"


def _filled(text: str) -> str:
    return textwrap.fill(text, 140, break_long_words=False, break_on_hyphens=False)


def file() -> Path:
    """Return the path of the guide."""
    return config_dir() / "LEAGUES.md"


if __name__ == "__main__":
    file().write_text(guide(), encoding="utf-8")
