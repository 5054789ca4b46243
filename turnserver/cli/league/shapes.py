"""The shapes that the commands about leagues print with --json; those of games are in `turnserver.cli.output.shapes`."""

from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import Meta

from turnserver.cli.output.shapes import Options


class LeaguePreset(msgspec.Struct, frozen=True):
    """Settings under a name, with which a league may be opened."""

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


class League(msgspec.Struct, frozen=True):
    """A league in a list."""

    id: Annotated[int, Meta(description="the league's number")]
    name: Annotated[str, Meta(description="what it is called")]
    game: Annotated[str, Meta(description="which game of the catalogue, by key")]
    season: Annotated[int, Meta(description="the number of its latest season; 0 before the first")]
    phase: Annotated[str, Meta(description="entries, ready check, running or closed; none without a season")]
    due_at: Annotated[datetime | None, Meta(description="when it does something by itself next, if nothing happens before")]
    opened_at: Annotated[datetime, Meta(description="when it was set up")]
    version: Annotated[int, Meta(description="how many events its history holds")]


class LeagueEntry(msgspec.Struct, frozen=True):
    """A player who has entered a season."""

    player: Annotated[int, Meta(description="the player's number")]
    player_name: Annotated[str, Meta(description="the player's name")]
    rating: Annotated[float, Meta(description="the rating at the entry")]
    ready: Annotated[bool, Meta(description="whether the player has said that they are there")]
    waiting: Annotated[bool, Meta(description="whether the player is on the waiting list")]


class LeagueDivision(msgspec.Struct, frozen=True):
    """A division of a season."""

    name: Annotated[str, Meta(description="such as 1, or 2.1 where several stand side by side")]
    tier: Annotated[int, Meta(description="its tier; 1 is the top")]
    players: Annotated[list[int], Meta(description="the numbers of its players, in the order in which they were paired")]
    player_names: Annotated[list[str], Meta(description="who plays for each of them now, by name")]


class LeagueMeeting(msgspec.Struct, frozen=True):
    """Who meets whom, in which game, and what came of it."""

    number: Annotated[int, Meta(description="its number in the season")]
    division: Annotated[str, Meta(description="the name of its division")]
    round: Annotated[int, Meta(description="its round")]
    players: Annotated[list[int], Meta(description="who plays now, the first of them moves first; one alone has a bye")]
    player_names: Annotated[list[str], Meta(description="their names")]
    game: Annotated[int | None, Meta(description="the number of their game, once it is open")]
    deadline: Annotated[datetime | None, Meta(description="when it is to be over")]
    marks: Annotated[list[str], Meta(description="what it was to each of them, such as win or loss; empty while it is not over")]
    at: Annotated[datetime | None, Meta(description="when it got its result")]
    by: Annotated[str | None, Meta(description="where the result comes from: game, withdrawal, deadline, admin or closing")]
    overdue: Annotated[bool, Meta(description="whether it waits for an admin's decision")]
    turn: Annotated[int | None, Meta(description="the number of the pending turn of its game")]
    to_move: Annotated[int | None, Meta(description="the number of the player whose turn it is")]
    turn_deadline: Annotated[datetime | None, Meta(description="when that turn must have arrived")]


class LeagueSeason(msgspec.Struct, frozen=True):
    """A season of a league."""

    number: Annotated[int, Meta(description="its number, from 1")]
    phase: Annotated[str, Meta(description="entries, ready check, running or closed")]
    entries_until: Annotated[datetime | None, Meta(description="when entries end by themselves")]
    ready_until: Annotated[datetime | None, Meta(description="until when players say that they are there")]
    started_at: Annotated[datetime | None, Meta(description="when it began")]
    entries: Annotated[list[LeagueEntry], Meta(description="who has entered, in that order")]
    divisions: Annotated[list[LeagueDivision], Meta(description="its divisions, once it has begun")]
    meetings: Annotated[list[LeagueMeeting], Meta(description="who meets whom, as far as that is known")]
    withdrawn: Annotated[list[int], Meta(description="the numbers of players who have left since it began")]


class LeagueDetails(msgspec.Struct, frozen=True):
    """A league with everything that holds now."""

    id: Annotated[int, Meta(description="the league's number")]
    name: Annotated[str, Meta(description="what it is called")]
    game: Annotated[str, Meta(description="which game of the catalogue, by key")]
    options: Annotated[Options, Meta(description="the options of its games")]
    time: Annotated[str, Meta(description="the time control of its games; empty if it is the usual one")]
    settings: Annotated[dict[str, object], Meta(description="every setting with its value, as config/LEAGUES.md explains it")]
    season: Annotated[LeagueSeason | None, Meta(description="the latest season; none before the first")]
    seasons: Annotated[int, Meta(description="how many seasons were announced")]
    next_at: Annotated[datetime | None, Meta(description="when the next season is announced by itself")]
    due_at: Annotated[datetime | None, Meta(description="when the league does something by itself next, if nothing happens before")]
    barred: Annotated[list[list[int]], Meta(description="pairs of players who are not to meet")]
    to_do: Annotated[list[str], Meta(description="what waits for an admin, a sentence each")]
    version: Annotated[int, Meta(description="how many events the league's history holds")]
    visible: Annotated[str, Meta(description="who may see its pages now: seats, players or public, and where that comes from")]


class LeagueEventTold(msgspec.Struct, frozen=True):
    """An event of a league's history."""

    version: Annotated[int, Meta(description="its place in the league's history, from 1")]
    position: Annotated[int, Meta(description="its place in the whole log, from 1")]
    at: Annotated[datetime, Meta(description="when it was recorded")]
    actor: Annotated[str, Meta(description="who wanted it: player-8, admin:name or service")]
    cause: Annotated[str, Meta(description="what asked for it: a mail, a command line or a job")]
    type: Annotated[str, Meta(description="the event's type, as the event catalogue has it")]
    what: Annotated[str, Meta(description="what happened, as a sentence")]
    hash: Annotated[str, Meta(description="its hash in hexadecimal")]


class LeagueMoment(msgspec.Struct, frozen=True):
    """Something that is to happen in a league."""

    at: Annotated[datetime, Meta(description="when")]
    what: Annotated[str, Meta(description="what happens then, as a phrase")]


class LeagueFigure(msgspec.Struct, frozen=True):
    """A figure of a player in a table."""

    name: Annotated[str, Meta(description="points, or the tie-break as the settings name it")]
    text: Annotated[str, Meta(description="its value as it is written, exact")]
    value: Annotated[float, Meta(description="its value as a number")]


class LeagueLine(msgspec.Struct, frozen=True):
    """A line of a table."""

    place: Annotated[int, Meta(description="the place, which several may share")]
    player: Annotated[int, Meta(description="the number of the player whose line it is")]
    name: Annotated[str, Meta(description="the player's name, with the substitute's in front if there is one")]
    figures: Annotated[list[LeagueFigure], Meta(description="the points, then the tie-breaks in their order, as far as there are any")]
    zone: Annotated[str | None, Meta(description="up or down if the player would be in another tier after this")]
    left: Annotated[bool, Meta(description="whether the player has left the season")]


class LeagueTable(msgspec.Struct, frozen=True):
    """The table of a division. For its results too, there is `turnserver league export`."""

    division: Annotated[str, Meta(description="the name of the division")]
    tier: Annotated[int, Meta(description="its tier; 1 is the top")]
    title: Annotated[str, Meta(description="league, season and division")]
    standing: Annotated[str, Meta(description="how much is played, as a sentence")]
    lines: Annotated[list[LeagueLine], Meta(description="the lines from the top")]
    notes: Annotated[list[str], Meta(description="what is to be known besides: who has left, where lots decided")]


class LeagueExplained(msgspec.Struct, frozen=True):
    """The reason for one line of a table."""

    heading: Annotated[str, Meta(description="what is explained, with its value")]
    meaning: Annotated[str, Meta(description="what that is; may be empty")]
    summands: Annotated[list[str], Meta(description="what it is made of, a line each")]


class RatingMoment(msgspec.Struct, frozen=True):
    """A player's rating from one instant on."""

    at: Annotated[datetime, Meta(description="when the last game ended that counts for it")]
    game: Annotated[int, Meta(description="the number of that game")]
    rating: Annotated[float, Meta(description="how strong the player was thought to be; everybody begins with 1500")]
    deviation: Annotated[float, Meta(description="the standard deviation of that")]
    games: Annotated[int, Meta(description="how many games had counted by then")]


class LeagueRating(msgspec.Struct, frozen=True):
    """A player's rating at a game."""

    player: Annotated[int, Meta(description="the player's number")]
    name: Annotated[str, Meta(description="that player's name")]
    rating: Annotated[float, Meta(description="how strong the player is thought to be; everybody begins with 1500")]
    deviation: Annotated[float, Meta(description="the standard deviation of that")]
    provisional: Annotated[bool, Meta(description="whether too little is known to take it at its word")]
    games: Annotated[int, Meta(description="how many games have counted")]
    history: Annotated[list[RatingMoment], Meta(description="how it came about, the earliest first, with PLAYER; else empty")]


class LeagueFinding(msgspec.Struct, frozen=True):
    """Something in a league that an admin may want to look into. It proves nothing."""

    kind: Annotated[str, Meta(description="given up in a row, wins in turn, short wins, unexpected, first moves, at once or forced")]
    players: Annotated[list[int], Meta(description="the numbers of the players whom it is about")]
    games: Annotated[list[int], Meta(description="the numbers of its games")]
    says: Annotated[str, Meta(description="what was seen, as a sentence")]
