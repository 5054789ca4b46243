"""`turnserver league presets` and `settings`: what leagues can be opened with."""

from typing import Annotated

import msgspec
import typer

from turnserver.cli import complete, show
from turnserver.cli.leagueshapes import LeagueOption, LeaguePreset
from turnserver.config import leagues
from turnserver.config.league_settings import LeagueSetting
from turnserver.config.leagues import Preset
from turnserver.league.settings import complete as completed


@show.emits(list[LeaguePreset])
def presets(
    name: Annotated[
        str | None, typer.Argument(metavar="PRESET", autocompletion=complete.presets, help="Show this preset, or the file of that name.")
    ] = None,
    *,
    json: show.Json = False,
) -> None:
    """List the presets that leagues can be opened with, or print one with all that it says."""
    found = leagues.presets() if name is None else (leagues.preset(name),)
    if json:
        show.json([_as_preset(one) for one in found])
    elif name is None:
        note = "`turnserver league presets NAME` prints one of them."
        show.table(("Preset", "What it is"), [(one.name, one.about) for one in found], note=note)
    else:
        typer.echo(found[0].path.read_text("utf-8").rstrip())


@show.emits(list[LeagueOption])
def settings(
    name: Annotated[
        str | None, typer.Argument(metavar="SETTING", autocompletion=complete.league_settings, help="Show this setting only.")
    ] = None,
    *,
    json: show.Json = False,
) -> None:
    """List what can be set in a preset or with `--set`, or explain one setting."""
    known = [leagues.SETTINGS[leagues.known(name)]] if name is not None else [*leagues.SETTINGS.values()]
    if json:
        show.json([LeagueOption(one.name, one.may_be, one.usual, one.meaning) for one in known])
    elif name is None:
        rows = [(one.name, one.usual.partition(":")[0], f"{one.meaning.partition('. ')[0].rstrip('.')}.") for one in known]
        note = "`turnserver league settings NAME` says more of one, and what it may be."
        show.table(("Setting", "Usually", "What it does"), rows, note=note)
    else:
        _explain(known[0])


def _explain(setting: LeagueSetting) -> None:
    show.facts((("Setting", setting.name), ("May be", setting.may_be), ("Usually", setting.usual)))
    typer.echo()
    show.words(setting.meaning)


def _as_preset(one: Preset) -> LeaguePreset:
    return LeaguePreset(one.name, one.about, one.game, one.options, one.time, msgspec.to_builtins(completed(one.settings)))
