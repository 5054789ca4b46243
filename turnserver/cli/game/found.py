"""A game as the commands look at it, now or at a moment of its past."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias, assert_never

from turnserver.audit.past import LogMoment, summary
from turnserver.cli.output import moments
from turnserver.cli.output.shapes import Board, Event, Game, GameDetails, Proposal, SeatOffer, Turn, as_game, names, who_plays
from turnserver.cli.output.show import Times
from turnserver.cli.output.visible import game_visibility
from turnserver.cli.session import Session
from turnserver.errors import NotFound
from turnserver.ids import GameId, PlayerId, Recorded, Version
from turnserver.mail.outbound.language import counted, span
from turnserver.mail.outbound.telling.events import SeatNames, happened, outcome
from turnserver.play import events as e
from turnserver.play.clock.controls import Bank, Byoyomi, Control, FixedHour, Increment, PerMove, Total, Unlimited
from turnserver.play.line import Line
from turnserver.play.proposals import reopening_until
from turnserver.play.state import GameState
from turnserver.rules import Choose, Seat
from turnserver.text import capitalised, listing


def events_of(rows: Sequence[Recorded[e.GameEvent]], table: SeatNames) -> list[Event]:
    """Return every event in words."""
    undone = undone_by(rows)
    return [
        Event(
            version=row.version,
            position=row.position,
            at=row.at,
            actor=row.actor,
            cause=row.cause,
            type=e.EVENT_TYPES[type(row.event)].name,
            what=happened(row, table),
            undone_by=undone.get(row.version),
            hash=row.hash.hex(),
        )
        for row in rows
    ]


_TakesBack: TypeAlias = e.TurnsRetracted | e.EndRetracted | e.ResultAnnulled | e.GameReopened


def undone_by(rows: Sequence[Recorded[e.GameEvent]]) -> dict[Version, Version]:
    """Return the version that took a turn or a result back, by the version of that turn or result."""
    undone: dict[Version, Version] = {}
    for row in rows:
        if isinstance(row.event, _TakesBack):
            for earlier in rows[: row.version - 1]:
                if _takes_back(row.event, earlier.event):
                    # Turns that were taken back once stay taken back by that event: a later one means turns with the same numbers.
                    undone.setdefault(earlier.version, row.version)
    return undone


def _takes_back(event: _TakesBack, earlier: e.GameEvent) -> bool:
    if isinstance(earlier, e.GameEnded):
        return True
    return isinstance(event, e.TurnsRetracted) and isinstance(earlier, e.TurnPlayed | e.TurnSkipped) and earlier.turn >= event.first


def bank_told(control: Control, bank: Bank) -> str:
    """Return what a bank holds by a control: `20 days and 5 periods`; empty for nothing."""
    parts = [span(bank.time)] if bank.time else []
    match control:
        case Byoyomi():
            parts.append(counted(bank.periods, "period"))
        case PerMove() | Increment() | Total() | FixedHour() | Unlimited():
            pass
        case _:
            assert_never(control)
    return " and ".join(parts)


def actor_told(actor: str, people: Mapping[PlayerId, str]) -> str:
    """Return a player by name; an admin, the service or a player without an account as the log has it."""
    kind, _, number = actor.partition("-")
    return people.get(PlayerId(int(number)), actor) if kind == "player" and number.isdigit() else actor


def cause_told(cause: str) -> str:
    """Return `mail:3f9c02ab...`: enough to find it among the others."""
    kind, colon, key = cause.partition(":")
    return f"{kind}{colon}{key[:8]}"


_WHY: Final = {
    e.FreezeKind.VACATION: "on vacation",
    e.FreezeKind.PAUSE: "paused by agreement",
    e.FreezeKind.HALT: "stopped by the organisers",
    e.FreezeKind.UNDELIVERED: "no mail gets through",
    e.FreezeKind.OUTAGE: "an outage",
}


class FoundGame(NamedTuple):
    """A game: its history up to a moment, the state after it, who sits there, and what its row said then; `then` is None for now."""

    id: GameId
    rows: list[Recorded[e.GameEvent]]
    state: GameState
    table: SeatNames
    game: Game
    then: LogMoment | None = None

    def as_of(self, clock: Times) -> str:
        """Return `2026-11-24 08:00 (Europe/Berlin), after 9 of its events` for a moment of the past; empty for now."""
        return "" if self.then is None else f"{clock.full(self.then.instant)}, after {counted(len(self.rows), 'event')}"

    @property
    def title(self) -> str:
        """`Game 3, Take`."""
        return f"Game {self.id}, {self.state.game.entry.title}"

    @property
    def called(self) -> str:
        """`Game 3, Take (Ada (Red), Bob (Blue))`."""
        return f"{self.title} ({who_plays(self.game)})"

    def standing_still(self, clock: Times) -> Iterator[str]:
        """Yield a sentence for each pause that holds clocks now: whose clocks, why, and until when. None if the game is over."""
        for freeze in self.state.freezes if self.state.result is None else ():
            if freeze.begins <= clock.now and (freeze.ends is None or clock.now < freeze.ends):
                whose = "all clocks" if freeze.seat is None else self.table.at(freeze.seat)
                yield f"{whose}: {_WHY[freeze.kind]} until {clock.full(freeze.ends) or 'somebody ends that'}"

    @property
    def head(self) -> str:
        """The hash of the last event, in hexadecimal."""
        return self.rows[-1].hash.hex()

    @property
    def result(self) -> str:
        """Return the end of the game as sentences. Empty while the game goes on."""
        words = outcome(self.state.result, self.table) if self.state.result else ""
        return capitalised(words)

    def late(self, clock: Times) -> Iterator[str]:
        """Yield sentences about time that ran out, and about players who were invited as substitutes."""
        state = self.state
        if state.vacant is not None:
            yield f"{self.table.at(state.vacant)} ran out of time, and the seat waits for a substitute"
        elif state.grace and state.to_move is not None:
            yield f"{self.table.at(state.to_move)} plays on grace"
        if had := [self.table.at(seat) for seat in sorted(state.graces) if not (state.grace and seat == state.to_move)]:
            yield f"{listing(had, 'and')} had grace"
        if state.nudged_at is not None and state.result is None:
            yield f"last asked for a move on {clock.full(state.nudged_at)}"
        until = reopening_until(state)
        if until is not None and until > clock.now:
            yield f"may be taken up again until {clock.full(until)}"

    @property
    def claimed(self) -> str:
        """Return a phrase about the claim that waits for an admin. Empty if none does."""
        claim = self.state.open_claim
        return f"{self.table.at(claim.seat)} asks you to decide it, as turn {claim.turn} is not played" if claim is not None else ""

    def asked(self) -> Iterator[str]:
        """Yield a phrase for each player who was asked to take a seat over and has not answered."""
        for offer in self.state.seat_offers:
            yield f"{self.table.name(offer.player)} for {self.table.at(offer.seat)}"

    def lines(self) -> Iterator[Line]:
        """Return the game after no turn, after one, and so on; each with what happened before the next turn."""
        # Cutting off one turn at a time from the end reuses the chain that is there.
        backwards = [self.state.line]
        for turn in reversed(self.state.line.numbered):
            backwards.append(backwards[-1].before(turn.turn))
        return reversed(backwards)

    def line_at(self, turns: int) -> Line:
        """Return the game after that many turns. Raises NotFound."""
        if turns > self.state.line.length:
            raise NotFound(f"Game {self.id} has had {self.state.line.length} turns so far; there is no turn {turns}.")
        return self.state.line.before(turns + 1)

    def seat(self, who: str) -> Seat:
        """Return the seat that is meant by its number, its name or its player's name. Raises NotFound naming them all."""
        word = who.strip().casefold()
        for seat in self.game.seats:
            if word in (str(seat.seat), seat.name.casefold(), seat.player_name.casefold()):
                return Seat(seat.seat)
        known = listing([f"{seat.seat} {seat.name} ({seat.player_name})" for seat in self.game.seats], "and")
        raise NotFound(f"Nobody in game {self.id} is called {who!r}; its seats are {known}.")

    def when(self, line: Line) -> str:
        """Return `after turn 3 of 12: Ada (Red) played d3`."""
        if not line.length:
            return "before the first turn"
        newest = line.numbered[-1]
        what = "let it pass" if isinstance(newest, e.TurnSkipped) else f"played {newest.text}"
        return f"after turn {newest.turn} of {self.state.line.length}: {self.table.of(newest)} {what}"

    def board(self, line: Line) -> str:
        """Return the board in characters."""
        return self.state.game.view.text(line.position, line.last_step)


def load(run: Session, game: int, at: str | None = None) -> FoundGame:
    """Return a game as it is, or as it was at a moment as `--at` takes it. Raises NotFound and BadOption."""
    number = GameId(game)
    with run.service.db.read() as conn:
        rows = run.service.ledger.games.history(conn, number)
        then = moments.stream_moment(run, conn, rows, at, f"Game {game}")
    happened = rows if then is None else then.upto(rows)
    # Folded for the present too, so that now and then are shown by the same code; the row of the database has no past.
    state, row = summary(number, happened, run.service.ledger.find)
    known = names(run)
    return FoundGame(number, happened, state, SeatNames(state, known, history=happened), as_game(row, known), then)


def details(run: Session, found: FoundGame) -> GameDetails:
    """Return a game as --json prints it."""
    state, game, on_offer = found.state, found.game, found.state.proposal
    return GameDetails(
        **{name: getattr(game, name) for name in game.__struct_fields__},
        time=state.terms.time,
        edition=state.edition,
        draw_offered_by=on_offer.seat if on_offer and on_offer.kind is e.ProposalKind.DRAW else None,
        proposal=Proposal(on_offer.kind, on_offer.seat, sorted(on_offer.agreed), on_offer.days, on_offer.player, on_offer.place)
        if on_offer
        else None,
        seat_offers=[SeatOffer(offer.seat, offer.player) for offer in state.seat_offers],
        claimed_by=state.open_claim.seat if state.open_claim is not None else None,
        left=sorted(state.left),
        reason=state.result.reason if state.result else "",
        scores=list(state.result.scores) if state.result else [],
        turns=[
            Turn(
                turn.turn,
                turn.seat,
                turn.text,
                turn.received_at,
                [roll.outcome for roll in turn.rolls],
                state.player_of(turn.seat, turn.turn),
            )
            for turn in state.line.turns
        ],
        head=found.head,
        visible=game_visibility(run, found.id),
    )


def moment(found: FoundGame, line: Line, *, legal: bool) -> Board:
    """Return a board as --json prints it, with every legal step if `legal`."""
    rules = found.state.game.rules
    coming = rules.next(line.position)
    return Board(
        id=found.id,
        version=found.state.version,
        turns=line.length,
        last=line.last.text if line.last else "",
        to_move=coming.seat if isinstance(coming, Choose) else None,
        text=found.board(line),
        legal=[rules.format(line.position, step) for step in rules.steps(line.position)] if legal else [],
    )
