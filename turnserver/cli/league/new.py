"""`turnserver league add`, `presets` and `settings`: how a league is set up, and what it can be set up with."""

from typing import Annotated

import msgspec
import typer

from turnserver import games as catalogue
from turnserver.cli import complete
from turnserver.cli.game.commands import Chosen, assignments
from turnserver.cli.league.group import load
from turnserver.cli.league.shapes import LeagueDetails, LeagueOption, LeaguePreset
from turnserver.cli.league.status import details, played_as
from turnserver.cli.output import show
from turnserver.cli.output.visible import league_visibility
from turnserver.cli.session import session
from turnserver.config import leagues
from turnserver.config.leagues import LeagueSetting, Preset
from turnserver.league.commands import OpenLeague
from turnserver.league.settings import complete as completed


@show.emits(LeagueDetails)
def add(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The league's name, such as 'Take Winter'.")],
    *,
    preset: Annotated[
        str,
        typer.Option(
            metavar="PRESET",
            autocompletion=complete.presets,
            help="The kind of league: one of `turnserver league presets`, or a file of yours.",
        ),
    ] = "round-robin",
    game: Annotated[
        str | None,
        typer.Option(metavar="KEY", autocompletion=complete.keys, help="The game, by its key in `turnserver games`; else the preset's."),
    ] = None,
    option: Chosen = None,
    time: Annotated[
        str | None, typer.Option(metavar="TEXT", help="The time control of its games, such as `3d`; else the preset's, or the site's.")
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            autocompletion=complete.league_settings,
            help="Change a setting of the preset, as `turnserver league settings` lists them; may be repeated.",
        ),
    ] = None,
    json: show.Json = False,
) -> None:
    """Set up a league. Nobody hears of it before its first season is announced."""
    run = session(ctx)
    chosen = leagues.preset(preset)
    key = game or chosen.game
    if not key:
        raise typer.BadParameter("give the --game; the preset is for any. `turnserver games` lists them", ctx=ctx)
    # Options of the preset's game mean nothing to another one.
    own = chosen.options if key == chosen.game else {}
    options = {**own, **catalogue.options_from_text(catalogue.entry(key), assignments(option or []))}
    chosen_settings = leagues.with_assignments(chosen.settings, set_ or [])
    command = OpenLeague(name, key, options, chosen_settings, chosen.time if time is None else time)
    number = run.service.leagues.open(command, actor=run.actor, cause=run.cause)
    found = load(run, str(number))
    if json:
        show.json(details(found, {}, league_visibility(run, [found.id])[found.id]))
        return
    show.words(f"{found.title}, is set up: {played_as(found.state)}.")
    show.words(f"Announce its first season with `turnserver league open {number}`; `turnserver league schedule {number}` shows its dates.")


@show.emits(list[LeaguePreset])
def presets(
    name: Annotated[
        str | None, typer.Argument(metavar="PRESET", autocompletion=complete.presets, help="Print this preset, or the file of that name.")
    ] = None,
    *,
    json: show.Json = False,
) -> None:
    """List the presets for leagues, or print one in full."""
    found = leagues.presets() if name is None else (leagues.preset(name),)
    if json:
        show.json([_as_preset(one) for one in found])
    elif name is None:
        note = "`turnserver league presets NAME` prints one of them."
        show.table(("Preset", "What it is"), [(one.name, one.about) for one in found], note=note)
    else:
        # The file as it is, so that a preset of one's own can begin as a copy.
        typer.echo(found[0].path.read_text("utf-8").rstrip())


@show.emits(list[LeagueOption])
def settings(
    name: Annotated[
        str | None, typer.Argument(metavar="SETTING", autocompletion=complete.league_settings, help="Show this setting only.")
    ] = None,
    *,
    json: show.Json = False,
) -> None:
    """List the settings for presets and `--set`, or explain one."""
    known = [leagues.SETTINGS[leagues.known(name)]] if name is not None else [*leagues.SETTINGS.values()]
    if json:
        show.json([LeagueOption(one.name, one.may_be, one.usual, one.meaning) for one in known])
    elif name is None:
        # The first sentence fits into a table; the rest is for whoever asks about one.
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
