"""Completions for shells. Each is imported from `candidates` when a shell asks for it, since a command that runs needs none."""

from collections.abc import Callable
from importlib import import_module

import typer

Completion = Callable[[typer.Context, str], list[tuple[str, str]]]


def _later(name: str) -> Completion:
    def complete(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
        found: list[tuple[str, str]] = getattr(import_module("turnserver.cli.candidates"), name)(ctx, incomplete)
        return found

    return complete


players = _later("players")
games = _later("games")
leagues = _later("leagues")
versions = _later("versions")
keys = _later("keys")
options = _later("options")
presets = _later("presets")
league_settings = _later("league_settings")
results = _later("results")
