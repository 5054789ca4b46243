"""The shapes that the commands about leagues print with --json; those of games are in `turnserver.cli.output.shapes`."""

from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import Meta

from turnserver.cli.output.shapes import Options


class LeaguePreset(msgspec.Struct, frozen=True):
    """A named collection of settings for leagues."""

    name: Annotated[str, Meta(description="its name, as `--preset` takes it")]
    about: Annotated[str, Meta(description="this kind of league in a sentence")]
    game: Annotated[str, Meta(description="the key of its game; empty if it fits any")]
    options: Annotated[Options, Meta(description="the options of the game that it sets")]
    time: Annotated[str, Meta(description="the time control of its games; empty if it is the site's")]
    settings: Annotated[dict[str, object], Meta(description="the settings with their values, as config/LEAGUES.md explains them")]


class LeagueOption(msgspec.Struct, frozen=True):
    """A setting of leagues."""

    name: Annotated[str, Meta(description="its name, as in `--set name=value` and in a preset")]
    may_be: Annotated[str, Meta(description="the values that it takes, as a phrase")]
    usual: Annotated[str, Meta(description="its value unless another one is set, in TOML; or that there is none")]
    meaning: Annotated[str, Meta(description="the effect that it has")]


class League(msgspec.Struct, frozen=True):
    """A league in a list."""

    id: Annotated[int, Meta(description="the league's number")]
    name: Annotated[str, Meta(description="the league's name")]
    game: Annotated[str, Meta(description="the key of the game in the catalogue")]
    season: Annotated[int, Meta(description="the number of its latest season; 0 before the first")]
    phase: Annotated[str, Meta(description="entries, ready check, running or closed; `none` without a season or if it is archived")]
    due_at: Annotated[datetime | None, Meta(description="when the service does something next, if nothing happens before")]
    opened_at: Annotated[datetime, Meta(description="when it was set up")]
    version: Annotated[int, Meta(description="the number of events in the league's history")]


class LeagueEntry(msgspec.Struct, frozen=True):
    """A player who has entered a season."""

    player: Annotated[int, Meta(description="the player's number")]
    player_name: Annotated[str, Meta(description="the player's name")]
    rating: Annotated[float, Meta(description="the player's rating at the entry")]
    ready: Annotated[bool, Meta(description="whether the player has answered the ready check")]
    waiting: Annotated[bool, Meta(description="whether the player is on the waiting list")]


class LeagueDivision(msgspec.Struct, frozen=True):
    """A division of a season."""

    name: Annotated[str, Meta(description="its name, such as 1, or 2.1 where several stand side by side")]
    tier: Annotated[int, Meta(description="its tier; 1 is the top")]
    players: Annotated[list[int], Meta(description="the numbers of its players, in the order of pairing")]
    player_names: Annotated[list[str], Meta(description="for each of them, the name of whoever plays now")]


class LeagueMeeting(msgspec.Struct, frozen=True):
    """A meeting of players, its game and its result."""

    number: Annotated[int, Meta(description="its number in the season")]
    division: Annotated[str, Meta(description="the name of its division")]
    round: Annotated[int, Meta(description="its round")]
    players: Annotated[list[int], Meta(description="the numbers of those who play now, by seats; one alone has a bye")]
    player_names: Annotated[list[str], Meta(description="their names")]
    game: Annotated[int | None, Meta(description="the number of their game; null before it is opened")]
    deadline: Annotated[datetime | None, Meta(description="when its game has to be over")]
    marks: Annotated[list[str], Meta(description="the result of each of them, such as win or loss; empty before it is over")]
    at: Annotated[datetime | None, Meta(description="when its result was recorded")]
    by: Annotated[str | None, Meta(description="the origin of the result: game, withdrawal, deadline, admin or closing")]
    overdue: Annotated[bool, Meta(description="whether it waits for an admin's decision")]
    turn: Annotated[int | None, Meta(description="the number of the pending turn of its game")]
    to_move: Annotated[int | None, Meta(description="the number of the player whose turn it is")]
    turn_deadline: Annotated[datetime | None, Meta(description="when that turn has to be played at the latest")]


class LeagueBye(msgspec.Struct, frozen=True):
    """A bye that was asked for."""

    player: Annotated[int, Meta(description="the number of the player whose line has it")]
    round: Annotated[int, Meta(description="the round")]
    points: Annotated[str, Meta(description="what it is worth, such as 1/2")]


class LeagueSeason(msgspec.Struct, frozen=True):
    """A season of a league."""

    number: Annotated[int, Meta(description="its number, from 1")]
    phase: Annotated[str, Meta(description="entries, ready check, running, closed or cancelled")]
    entries_until: Annotated[datetime | None, Meta(description="when entries end, if a time is set")]
    ready_until: Annotated[datetime | None, Meta(description="when the ready check ends")]
    started_at: Annotated[datetime | None, Meta(description="when it began")]
    entries: Annotated[list[LeagueEntry], Meta(description="the players who have entered, the earliest first")]
    divisions: Annotated[list[LeagueDivision], Meta(description="its divisions; empty before it begins")]
    meetings: Annotated[list[LeagueMeeting], Meta(description="the meetings that are paired")]
    withdrawn: Annotated[list[int], Meta(description="the numbers of the players who have left since it began")]
    byes: Annotated[list[LeagueBye], Meta(description="the byes that were asked for in rounds that are not paired yet")]


class LeagueRole(msgspec.Struct, frozen=True):
    """A player who directs a league."""

    player: Annotated[int, Meta(description="the player's number")]
    name: Annotated[str, Meta(description="the player's name")]
    roles: Annotated[list[str], Meta(description="the roles: director, arbiter, secretary")]


class LeagueDetails(msgspec.Struct, frozen=True):
    """A league with everything that holds now."""

    id: Annotated[int, Meta(description="the league's number")]
    name: Annotated[str, Meta(description="the league's name")]
    game: Annotated[str, Meta(description="the key of the game in the catalogue")]
    options: Annotated[Options, Meta(description="the options of its games")]
    time: Annotated[str, Meta(description="the time control of its games; empty if it is the site's")]
    settings: Annotated[dict[str, object], Meta(description="the settings with their values, as config/LEAGUES.md explains them")]
    season: Annotated[LeagueSeason | None, Meta(description="the latest season; null before the first")]
    seasons: Annotated[int, Meta(description="the number of seasons that were announced")]
    next_at: Annotated[datetime | None, Meta(description="when the service announces the next season")]
    due_at: Annotated[datetime | None, Meta(description="when the service does something next, if nothing happens before")]
    directors: Annotated[list[LeagueRole], Meta(description="the players who direct the league beside the admin")]
    barred: Annotated[list[list[int]], Meta(description="pairs of players who are not paired with each other")]
    to_do: Annotated[list[str], Meta(description="the tasks that wait for an admin, as sentences")]
    version: Annotated[int, Meta(description="the number of events in the league's history")]
    visible: Annotated[str, Meta(description="who may see its pages now: seats, players or public, and where that comes from")]


class LeagueEventTold(msgspec.Struct, frozen=True):
    """An event of a league's history."""

    version: Annotated[int, Meta(description="its place in the league's history, from 1")]
    position: Annotated[int, Meta(description="its place in the whole log, from 1")]
    at: Annotated[datetime, Meta(description="when it was recorded")]
    actor: Annotated[str, Meta(description="who did it: player-8, admin:name or service")]
    cause: Annotated[str, Meta(description="the request behind it: a mail, a command line or a job")]
    type: Annotated[str, Meta(description="the event's type in the event catalogue")]
    what: Annotated[str, Meta(description="the event as a sentence")]
    hash: Annotated[str, Meta(description="the event's hash in hexadecimal")]
    decided_by: Annotated[str | None, Meta(description="who decided the result that this is, as in actor; null if nobody did")] = None


class LeagueDirector(msgspec.Struct, frozen=True):
    """A role that a player has in a league."""

    league: Annotated[int, Meta(description="the number of the league")]
    league_name: Annotated[str, Meta(description="the name of the league")]
    player: Annotated[int, Meta(description="the player's number")]
    name: Annotated[str, Meta(description="the player's name")]
    role: Annotated[str, Meta(description="director (all of the league), arbiter (results and games) or secretary (players and mail)")]
    since: Annotated[datetime, Meta(description="when it was given")]
    given_by: Annotated[str, Meta(description="who gave it, as in the log")]
    reason: Annotated[str, Meta(description="why it was given")]


class LeagueMoment(msgspec.Struct, frozen=True):
    """Something that is to happen in a league."""

    at: Annotated[datetime, Meta(description="when it happens")]
    what: Annotated[str, Meta(description="the event as a phrase")]


class LeagueFigure(msgspec.Struct, frozen=True):
    """A figure of a player in a table."""

    name: Annotated[str, Meta(description="points, or the name of the tie-break in the settings")]
    text: Annotated[str, Meta(description="its exact value, such as 2½")]
    value: Annotated[float, Meta(description="its value as a number")]


class LeagueLine(msgspec.Struct, frozen=True):
    """A line of a table."""

    place: Annotated[int, Meta(description="the place; several players may share it")]
    player: Annotated[int, Meta(description="the number of the player")]
    name: Annotated[str, Meta(description="the player's name; if a substitute plays, the substitute's name before it")]
    figures: Annotated[list[LeagueFigure], Meta(description="the points, then the tie-breaks in their order")]
    zone: Annotated[str | None, Meta(description="up or down, if this place would move the player to another tier")]
    left: Annotated[bool, Meta(description="whether the player has left the season")]


class LeagueTable(msgspec.Struct, frozen=True):
    """The table of a division. For its results too, there is `turnserver league export`."""

    division: Annotated[str, Meta(description="the name of the division")]
    tier: Annotated[int, Meta(description="its tier; 1 is the top")]
    title: Annotated[str, Meta(description="league, season and division")]
    standing: Annotated[str, Meta(description="the progress of the season, as a sentence")]
    lines: Annotated[list[LeagueLine], Meta(description="its lines, the first place first")]
    notes: Annotated[list[str], Meta(description="remarks, such as who has left and where lots decided")]


class LeagueExplained(msgspec.Struct, frozen=True):
    """The reason for one line of a table."""

    heading: Annotated[str, Meta(description="the figure and its value")]
    meaning: Annotated[str, Meta(description="the meaning of the figure; may be empty")]
    summands: Annotated[list[str], Meta(description="the parts that add up to it, one a line")]


class RatingMoment(msgspec.Struct, frozen=True):
    """A player's rating from one instant on."""

    at: Annotated[datetime, Meta(description="when the last game that counts for it ended")]
    game: Annotated[int, Meta(description="the number of that game")]
    rating: Annotated[float, Meta(description="the estimated strength of the player; everybody begins with 1500")]
    deviation: Annotated[float, Meta(description="the standard deviation of the estimate")]
    games: Annotated[int, Meta(description="the number of games that had counted by then")]


class LeagueRating(msgspec.Struct, frozen=True):
    """A player's rating at a game."""

    player: Annotated[int, Meta(description="the player's number")]
    name: Annotated[str, Meta(description="the player's name")]
    rating: Annotated[float, Meta(description="the estimated strength of the player; everybody begins with 1500")]
    deviation: Annotated[float, Meta(description="the standard deviation of the estimate")]
    provisional: Annotated[bool, Meta(description="whether there are too few games to rely on it")]
    games: Annotated[int, Meta(description="the number of games that count")]
    history: Annotated[list[RatingMoment], Meta(description="the ratings over time, the earliest first, with PLAYER; else empty")]


class LeagueFinding(msgspec.Struct, frozen=True):
    """Something in a league that an admin may want to look into. It proves nothing."""

    kind: Annotated[str, Meta(description="given up in a row, wins in turn, short wins, unexpected, first moves, at once or forced")]
    players: Annotated[list[int], Meta(description="the numbers of its players")]
    games: Annotated[list[int], Meta(description="the numbers of its games")]
    says: Annotated[str, Meta(description="the finding as a sentence")]
