"""Games as rows: the structure that --json prints, and the cells that people see."""

from collections.abc import Mapping
from typing import assert_never

from turnserver import games
from turnserver.audit.past.moments import Moment
from turnserver.cli.output.shapes import Game, Options, Seat
from turnserver.cli.output.show import Times
from turnserver.cli.session import Session
from turnserver.ids import PlayerId
from turnserver.play.events import Outcome
from turnserver.play.state import Status
from turnserver.store.games.views import GameSummary
from turnserver.text import listing

GAME_COLUMNS = ("No", "Game", "Players", "Turn", "Now")


def times(run: Session, then: Moment | None = None) -> Times:
    """How this run writes instants, now or as of a moment."""
    return Times(run.settings.site.zone, run.outside.clock() if then is None else then.instant)


def as_game(row: GameSummary, names: Mapping[PlayerId, str]) -> Game:
    """A game's row with the names of its seats and players."""
    found = games.find(row.game, **row.options)
    return Game(
        id=row.id,
        game=row.game,
        options={name: row.options[name] for name in found.options.__dataclass_fields__},
        status=row.status.value,
        seats=[
            Seat(number, seat_name, player, names.get(player, f"player {player}"), accepted)
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
    """The cells of GAME_COLUMNS."""
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
    """What the game waits for, the words `until` behind a player's turn; or what it came to."""
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
