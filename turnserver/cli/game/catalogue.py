"""`turnserver games`: which games there are and what can be chosen in them."""

from typing import Annotated

import typer

from turnserver import games as rules_of
from turnserver.cli import complete
from turnserver.cli.output import show
from turnserver.cli.output.shapes import CatalogueGame, Option
from turnserver.rules import Entry
from turnserver.text import listing


@show.emits(list[CatalogueGame])
def games(
    key: Annotated[str | None, typer.Argument(metavar="KEY", autocompletion=complete.keys, help="Show this game with its options.")] = None,
    *,
    json: show.Json = False,
) -> None:
    """List the games that can be played, or show one with its options."""
    entries = list(rules_of.CATALOGUE.values()) if key is None else [rules_of.entry(key)]
    listed = [_as_game(entry) for entry in entries]
    if json:
        show.json(listed)
    elif key is None:
        rows = [(game.key, game.title, _players(game), game.summary) for game in listed]
        show.table(("Key", "Game", "Players", "What it is about"), rows, note="`turnserver games KEY` shows a game's options.")
    else:
        _show(listed[0])


def _show(game: CatalogueGame) -> None:
    agreed = "players may agree on one" if game.draws else "none"
    show.facts((("Game", f"{game.title}, by {game.designer}"), ("Key", game.key), ("Players", _players(game)), ("Draws", agreed)))
    typer.echo()
    show.words(game.summary)
    typer.echo(f"\n{game.notation}\n")
    rows = [(option.name, option.allowed, _written(option.default), option.about) for option in game.options]
    show.table(("Option", "May be", "Default", "What it changes"), rows, empty="There is nothing to choose.")
    if game.options:
        first = game.options[0]
        typer.echo(
            f"\nChoose with --option, as in\n    turnserver game open {game.key} A B --option {first.name}={_written(first.default)}"
        )


def _as_game(entry: Entry) -> CatalogueGame:
    return CatalogueGame(
        key=entry.key,
        title=entry.title,
        designer=entry.designer,
        summary=entry.summary,
        seats=list(entry.seats),
        draws=entry.draws,
        revision=entry.revision,
        notation=entry.notation,
        options=[Option(one.name, one.kind, one.default, one.allowed, one.doc) for one in rules_of.describe_options(entry)],
    )


def _players(game: CatalogueGame) -> str:
    return listing([str(number) for number in game.seats])


def _written(value: str | int | bool) -> str:  # noqa: FBT001  # an option's value may be a flag
    # As `--option` takes them.
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
