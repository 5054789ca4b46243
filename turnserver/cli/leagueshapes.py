"""What the commands about leagues print with --json, as `turnserver.cli.shapes` has it for games."""

from typing import Annotated

import msgspec
from msgspec import Meta

from turnserver.cli.shapes import Options


class LeaguePreset(msgspec.Struct, frozen=True):
    """What a league may be opened with."""

    name: Annotated[str, Meta(description="what `--preset` calls it")]
    about: Annotated[str, Meta(description="what such a league is like, in a sentence")]
    game: Annotated[str, Meta(description="the key of its game; empty if it is for any")]
    options: Annotated[Options, Meta(description="the options of the game that it names")]
    time: Annotated[str, Meta(description="the time control of its games; empty if it is the usual one")]
    settings: Annotated[dict[str, object], Meta(description="every setting with its value, as config/LEAGUES.md explains it")]


class LeagueOption(msgspec.Struct, frozen=True):
    """A setting of leagues."""

    name: Annotated[str, Meta(description="as written in `--set name=value` and in a preset")]
    may_be: Annotated[str, Meta(description="what it may be, as a phrase")]
    usual: Annotated[str, Meta(description="its value if nothing is said, as TOML has it, or that there is none")]
    meaning: Annotated[str, Meta(description="what it does")]
