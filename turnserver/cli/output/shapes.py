r"""The shapes that commands print with --json: frozen structures whose fields are described for the reference.

Keys are never renamed or taken away; new ones may come.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, TypeAlias, assert_never

import msgspec
from msgspec import Meta

from turnserver import games
from turnserver.cli.output.show import Times
from turnserver.cli.session import Session
from turnserver.ids import PlayerId
from turnserver.play.events import Outcome
from turnserver.play.reliability import Tally
from turnserver.play.state import Status
from turnserver.store.games.views import GameSummary
from turnserver.store.people import accounts as people
from turnserver.store.people.accounts import Person
from turnserver.text import listing

if TYPE_CHECKING:
    # Only for its type: the audit brings the rules and mails along, and lists do without them.
    from turnserver.audit.past import LogMoment

Options: TypeAlias = dict[str, str | int | bool]


class Reliability(msgspec.Struct, frozen=True):
    """A player's record of keeping to the time, over all games."""

    turns: Annotated[int, Meta(description="the number of the player's turns that are over, in time or not")]
    in_time: Annotated[int, Meta(description="the number of these that were played in time or during grace")]
    flags: Annotated[int, Meta(description="the number of times that the player's time ran out")]
    graces: Annotated[int, Meta(description="the number of times that the player got grace")]
    waits: Annotated[int, Meta(description="the number of times that the player got time back because mail did not reach them")]


class Player(msgspec.Struct, frozen=True):
    """An account."""

    id: Annotated[int, Meta(description="the player's number")]
    name: Annotated[str, Meta(description="the name that others see")]
    address: Annotated[str, Meta(description="the mail address")]
    zone: Annotated[str, Meta(description="the time zone of the player's mails")]
    created_at: Annotated[datetime, Meta(description="when the account was made")]
    confirmed_at: Annotated[datetime | None, Meta(description="when a mail first showed that the address is the player's")]
    reliability: Annotated[Reliability, Meta(description="the player's record of keeping to the time")]
    erased_at: Annotated[datetime | None, Meta(description="when the player was erased; an erased player has no address")]


class Seat(msgspec.Struct, frozen=True):
    """A place at the table."""

    seat: Annotated[int, Meta(description="1, 2, ... in playing order")]
    name: Annotated[str, Meta(description="its name in the game, such as Red")]
    player: Annotated[int, Meta(description="the number of its player")]
    player_name: Annotated[str, Meta(description="the name of its player")]
    accepted: Annotated[bool, Meta(description="whether the player has accepted the invitation")]


class Game(msgspec.Struct, frozen=True):
    """A game in a list."""

    id: Annotated[int, Meta(description="the game's number")]
    game: Annotated[str, Meta(description="the key of the game in the catalogue")]
    options: Annotated[Options, Meta(description="the options of the game with their values")]
    status: Annotated[str, Meta(description="inviting, running or ended")]
    seats: Annotated[list[Seat], Meta(description="the seats in order")]
    turn: Annotated[int, Meta(description="the number of the pending turn; if there is none, of the next one")]
    to_move: Annotated[int | None, Meta(description="the seat that has the pending turn; null unless the game runs")]
    deadline: Annotated[datetime | None, Meta(description="when that turn has to be played at the latest")]
    opened_at: Annotated[datetime, Meta(description="when the game was opened")]
    ended_at: Annotated[datetime | None, Meta(description="when it ended")]
    outcome: Annotated[str | None, Meta(description="won, drawn or void, once the game has ended")]
    ended_by: Annotated[str | None, Meta(description="the way in which it ended, such as rules, time or resignation")]
    winners: Annotated[list[int], Meta(description="the seats that won")]
    version: Annotated[int, Meta(description="the number of events in the game's history")]


class PlayerDetails(Player, frozen=True):
    """An account and its games."""

    new_address: Annotated[str | None, Meta(description="the new address, until the player confirms it")]
    settings: Annotated[dict[str, str], Meta(description="the player's settings by name, as `player set` takes them")]
    unreachable_since: Annotated[datetime | None, Meta(description="when mail to the player began to come back; null while it arrives")]
    unreachable_why: Annotated[str | None, Meta(description="the reason that the mail system gave")]
    refused_why: Annotated[
        str | None, Meta(description="the reason for which mail to the player was refused by policy; null if some arrived since")
    ]
    games: Annotated[list[Game], Meta(description="the player's games, the newest first")]


class VacationOut(msgspec.Struct, frozen=True):
    """A vacation that is declared and not over."""

    number: Annotated[int, Meta(description="its number, by which `--number` names it")]
    begins: Annotated[datetime, Meta(description="when the player's clocks stop")]
    ends: Annotated[datetime, Meta(description="when they run again")]


class VacationYear(msgspec.Struct, frozen=True):
    """A player's vacation in one calendar year."""

    year: Annotated[int, Meta(description="the year")]
    days: Annotated[int, Meta(description="the days of vacation that the player may take in it")]
    left: Annotated[int, Meta(description="the days of these that are neither taken nor declared")]


class Vacations(msgspec.Struct, frozen=True):
    """The vacations of a player."""

    vacations: Annotated[list[VacationOut], Meta(description="the vacations that are not over, in the order in which they were declared")]
    years: Annotated[list[VacationYear], Meta(description="this year and the next")]


class Turn(msgspec.Struct, frozen=True):
    """A turn that stands."""

    turn: Annotated[int, Meta(description="its number, from 1")]
    seat: Annotated[int, Meta(description="the seat that played it")]
    move: Annotated[str, Meta(description="its steps in canonical notation, joined by `; `")]
    received_at: Annotated[datetime, Meta(description="when the move arrived")]
    rolls: Annotated[list[str], Meta(description="the rolls after it, in canonical notation")]
    player: Annotated[int, Meta(description="the number of the player who had the seat then")]


class Proposal(msgspec.Struct, frozen=True):
    """A proposal that waits for the answers of the others at a table."""

    kind: Annotated[str, Meta(description="draw, pause, reopening, take back or substitute")]
    seat: Annotated[int, Meta(description="the seat that made it")]
    agreed: Annotated[list[int], Meta(description="the seats that have agreed to it")]
    days: Annotated[int | None, Meta(description="the length of a pause in days")]
    player: Annotated[int | None, Meta(description="the player who is proposed as a substitute")]
    place: Annotated[int | None, Meta(description="the seat that this player would take over")]


class SeatOffer(msgspec.Struct, frozen=True):
    """Somebody who was asked to take a seat over and has not answered."""

    seat: Annotated[int, Meta(description="the seat")]
    player: Annotated[int, Meta(description="the number of that player")]


class GameDetails(Game, frozen=True):
    """A game with everything that holds now."""

    time: Annotated[str, Meta(description="the time control")]
    edition: Annotated[int, Meta(description="the number of times that turns were taken back")]
    draw_offered_by: Annotated[int | None, Meta(description="the seat whose offer of a draw is open")]
    proposal: Annotated[Proposal | None, Meta(description="the proposal of a seat that is open")]
    seat_offers: Annotated[list[SeatOffer], Meta(description="the players who were asked to take a seat over")]
    claimed_by: Annotated[int | None, Meta(description="the seat whose claim that the other one does not move waits for an admin")]
    left: Annotated[list[int], Meta(description="the seats whose players have left while the others play on")]
    reason: Annotated[str, Meta(description="the reason for the end, in the words of the rules or of an admin; may be empty")]
    scores: Annotated[list[int], Meta(description="the final scores in seat order; empty in games without scores")]
    turns: Annotated[list[Turn], Meta(description="the turns without those that were taken back, oldest first")]
    head: Annotated[str, Meta(description="the hash of the newest event; mails show its first digits")]
    visible: Annotated[str, Meta(description="who may see its pages now: seats, players or public, and where that comes from")]


class DeadlineItem(msgspec.Struct, frozen=True):
    """Some of the time that makes a deadline; all of them and the instant at which the turn began add up to it."""

    kind: Annotated[str, Meta(description="time (the turn began with it), given (it was added) or stop (the clock stood still)")]
    source: Annotated[str, Meta(description="its origin: a part of the bank, the type of an event, weekend, vacation, outage ...")]
    seconds: Annotated[float, Meta(description="its length")]
    begins: Annotated[datetime | None, Meta(description="when the clock stopped, or when the time was given")] = None
    ends: Annotated[datetime | None, Meta(description="when the clock runs again; null if nobody knows yet")] = None
    number: Annotated[int | None, Meta(description="the number of the freeze in the game")] = None
    seat: Annotated[
        int | None, Meta(description="the seat whose clock stood still; null if all clocks did, or the calendar stopped it")
    ] = None
    actor: Annotated[str, Meta(description="who asked for it, as the log names them; empty if nobody did")] = ""
    reason: Annotated[str, Meta(description="the reason that an admin gave; may be empty")] = ""


class BankTurn(msgspec.Struct, frozen=True):
    """The change that a turn made to the clock of its seat. Spans are in seconds, None where there is no limit."""

    turn: Annotated[int, Meta(description="its number")]
    seat: Annotated[int, Meta(description="the seat that played it")]
    had: Annotated[float | None, Meta(description="the time that the seat had for it, with everything that was given")]
    used: Annotated[float | None, Meta(description="the time that the turn took, without the time that the clock stood still")]
    left: Annotated[float | None, Meta(description="the rest")]
    granted: Annotated[float, Meta(description="the time that was added after the turn")]
    bank: Annotated[float, Meta(description="the time on the clock after that")]
    periods: Annotated[int, Meta(description="the number of byo-yomi periods besides")]


class WhyDeadline(msgspec.Struct, frozen=True):
    """The explanation of the deadline of a turn."""

    id: Annotated[int, Meta(description="the game's number")]
    turn: Annotated[int, Meta(description="the number of the turn")]
    seat: Annotated[int, Meta(description="the seat that has the turn")]
    since: Annotated[datetime, Meta(description="when the turn began")]
    items: Annotated[list[DeadlineItem], Meta(description="the spans of time that are added to that")]
    deadline: Annotated[datetime | None, Meta(description="the sum of these; null if there is no time limit, or a freeze has no end yet")]
    time: Annotated[str, Meta(description="the time control")]
    banks: Annotated[list[BankTurn], Meta(description="the turns without those that were taken back, oldest first")]


class Board(msgspec.Struct, frozen=True):
    """A moment of a game."""

    id: Annotated[int, Meta(description="the game's number")]
    version: Annotated[int, Meta(description="the number of events in the history at this moment")]
    turns: Annotated[int, Meta(description="the number of turns played")]
    last: Annotated[str, Meta(description="the last turn in canonical notation; empty before the first")]
    to_move: Annotated[int | None, Meta(description="the seat that plays next by the rules; null once they end the game")]
    text: Annotated[str, Meta(description="the board in characters")]
    legal: Annotated[list[str], Meta(description="the legal steps, with --moves; else empty")]


class Event(msgspec.Struct, frozen=True):
    """An event of a game's history."""

    version: Annotated[int, Meta(description="its place in the game's history, from 1")]
    position: Annotated[int, Meta(description="its place in the whole log, from 1")]
    at: Annotated[datetime, Meta(description="when it was recorded")]
    actor: Annotated[str, Meta(description="who did it: player-8, admin:name or service")]
    cause: Annotated[str, Meta(description="the request behind it: a mail, a command line or a job")]
    type: Annotated[str, Meta(description="the event's type in the event catalogue")]
    what: Annotated[str, Meta(description="the event as a sentence")]
    undone_by: Annotated[int | None, Meta(description="the version of the event that took it back, if there is one")]
    hash: Annotated[str, Meta(description="the event's hash in hexadecimal")]


class Option(msgspec.Struct, frozen=True):
    """An option of a game."""

    name: Annotated[str, Meta(description="its name, as in `--option name=value`")]
    kind: Annotated[str, Meta(description="choice, whole or flag")]
    default: Annotated[str | int | bool, Meta(description="its value unless another one is chosen")]
    allowed: Annotated[str, Meta(description="the values that it takes, as a phrase")]
    about: Annotated[str, Meta(description="the effect that it has")]


class CatalogueGame(msgspec.Struct, frozen=True):
    """A game of the catalogue."""

    key: Annotated[str, Meta(description="its name in commands")]
    title: Annotated[str, Meta(description="its name")]
    designer: Annotated[str, Meta(description="its inventor")]
    summary: Annotated[str, Meta(description="the game in a sentence")]
    seats: Annotated[list[int], Meta(description="the numbers of players that it allows, by its options")]
    draws: Annotated[bool, Meta(description="whether players may agree on a draw")]
    revision: Annotated[int, Meta(description="the revision of its rules in force")]
    notation: Annotated[str, Meta(description="the way to write moves, in short")]
    options: Annotated[list[Option], Meta(description="its options")]


GAME_COLUMNS = ("No", "Game", "Players", "Turn", "Now")


def times(run: Session, then: "LogMoment | None" = None) -> Times:
    """Return how this run writes instants, now or as of a moment."""
    return Times(run.settings.site.zone, run.outside.clock() if then is None else then.instant)


def names(run: Session) -> Mapping[PlayerId, str]:
    """Return the players' names."""
    with run.database.read() as conn:
        return {person.id: person.name for person in people.list_players(conn)}


def name_in(names: Mapping[PlayerId, str], player: PlayerId) -> str:
    """Return the name of a player, or that player's number."""
    return names.get(player, f"player {player}")


def as_player(person: Person, tally: Tally) -> Player:
    """Return an account as --json prints it."""
    known = Reliability(*tally)
    return Player(person.id, person.name, person.address, person.zone, person.created_at, person.confirmed_at, known, person.erased_at)


def as_game(row: GameSummary, names: Mapping[PlayerId, str]) -> Game:
    """Return a game's row with the names of its seats and players."""
    found = games.find(row.game, **row.options)
    return Game(
        id=row.id,
        game=row.game,
        # In the order in which the game declares them; the row has them by the alphabet.
        options={name: row.options[name] for name in found.options.__dataclass_fields__},
        status=row.status.value,
        seats=[
            Seat(number, seat_name, player, name_in(names, player), accepted)
            for number, (seat_name, player, accepted) in enumerate(
                zip(found.view.seat_names, row.players, row.accepted, strict=True), start=1
            )
        ],
        turn=row.turn,
        to_move=row.to_move,
        deadline=row.deadline,
        opened_at=row.opened_at,
        ended_at=row.ended_at,
        outcome=row.outcome,
        ended_by=row.ended_by,
        winners=list(row.winners),
        version=row.version,
    )


def game_cells(game: Game, clock: Times) -> tuple[str, ...]:
    """Return the cells of a game in a table with GAME_COLUMNS."""
    now = situation(game, f", {clock.left(game.deadline)}")
    return str(game.id), f"{game.game} ({chosen(game.options)})", who_plays(game), str(game.turn), now


def chosen(options: Options) -> str:
    """`standard, size 5`: words stand by themselves, numbers behind their name, flags only if they are on."""
    words = []
    for name, value in options.items():
        if isinstance(value, str):
            words.append(value)
        elif value is not False:
            words.append(name if value is True else f"{name} {value}")
    return ", ".join(words)


def who_plays(game: Game) -> str:
    """`Ada (Red), Bob (Blue)`."""
    return ", ".join(f"{seat.player_name} ({seat.name})" for seat in game.seats)


def situation(game: Game, until: str) -> str:
    """Return what a running game waits for, with the words `until` behind a player's turn, or the result of an ended one."""
    match Status(game.status):
        case Status.INVITING:
            missing = [seat.player_name for seat in game.seats if not seat.accepted]
            return f"waits for {listing(missing, 'and')} to accept"
        case Status.RUNNING:
            mover = next(seat for seat in game.seats if seat.seat == game.to_move)
            return f"{mover.player_name} to move{until}"
        case Status.ENDED:
            return f"{_verdict(game)} ({game.ended_by})"
        case status:
            assert_never(status)


def _verdict(game: Game) -> str:
    match Outcome(str(game.outcome)):
        case Outcome.WON:
            return f"won by {listing([seat.player_name for seat in game.seats if seat.seat in game.winners], 'and')}"
        case Outcome.DRAWN:
            return "drawn"
        case Outcome.VOID:
            return "no result"
        case outcome:
            assert_never(outcome)
