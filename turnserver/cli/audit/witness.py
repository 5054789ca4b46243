"""`turnserver audit witness`: what a digest from somebody's mail proves."""

import sys
from datetime import datetime
from typing import Annotated, Final

import msgspec
import typer
from msgspec import Meta

from turnserver.audit.checkpoints import in_text, typed
from turnserver.cli.audit.trail import Teller
from turnserver.cli.game.found import FoundGame, load, moment
from turnserver.cli.output import show
from turnserver.cli.output.shapes import times
from turnserver.cli.session import Session, session
from turnserver.errors import LogRewritten
from turnserver.ids import GameId, Position, Stream, game_stream
from turnserver.mail.outbound.language import counted
from turnserver.mail.outbound.telling.events import name_of
from turnserver.store.log import trail
from turnserver.store.log.trail import Asked, Looked, Trace
from turnserver.store.mail import told


class WitnessMail(msgspec.Struct, frozen=True):
    """A mail of ours that shows the digest."""

    mail: Annotated[int, Meta(description="its number in the outbox")]
    player: Annotated[int, Meta(description="the number of its player")]
    kind: Annotated[str, Meta(description="its kind, such as turn or reminder")]
    reached: Annotated[str, Meta(description="waiting, taken (by the next server), delivered, bounced or answered")]
    at: Annotated[datetime, Meta(description="when it got that far")]


class WitnessedEvent(msgspec.Struct, frozen=True):
    """The event of a digest, with the state at that moment and the history since."""

    position: Annotated[int, Meta(description="its place in the whole log")]
    stream: Annotated[str, Meta(description="the stream, such as game-17")]
    version: Annotated[int, Meta(description="its place in the stream")]
    at: Annotated[datetime, Meta(description="when it was recorded")]
    actor: Annotated[str, Meta(description="who did it")]
    type: Annotated[str, Meta(description="the event's type")]
    what: Annotated[str, Meta(description="the event in words")]
    hash: Annotated[str, Meta(description="the whole hash in hexadecimal")]
    board: Annotated[str | None, Meta(description="the board at that moment as text, for a game")]
    turn: Annotated[str | None, Meta(description="the player who had the turn at that moment")]
    deadline: Annotated[datetime | None, Meta(description="the deadline of that turn")]
    mails: Annotated[list[WitnessMail], Meta(description="the mails that show this digest")]
    later: Annotated[int, Meta(description="the number of events in the stream since")]
    broken: Annotated[list[int], Meta(description="positions between there and now where the chain is broken; empty if it holds")]
    sealed: Annotated[int | None, Meta(description="the size of the newest checkpoint, if its tree has this event and it still holds")]


class Witness(msgspec.Struct, frozen=True):
    """The statement that a digest proves."""

    digest: Annotated[str, Meta(description="the digits that were searched for")]
    found: Annotated[list[WitnessedEvent], Meta(description="the events whose hashes begin with them")]
    near: Annotated[list[int], Meta(description="positions of events whose hashes differ from them in one digit")]
    events: Annotated[int, Meta(description="the number of events that were searched, each with its hash worked out anew")]
    root: Annotated[str, Meta(description="the root of the tree of these events, in hexadecimal")]
    checkpoint: Annotated[int | None, Meta(description="the size of the newest checkpoint, if there is one")]
    holds: Annotated[bool, Meta(description="whether the log has grown out of that checkpoint")]


MEANS: Final = (
    "Either history was rewritten, or the database is a backup from before that mail, or the mail is of another server, or a digit is "
    "wrong. The mail itself decides: look whether its signature (DKIM) is ours."
)


@show.emits(list[Witness])
def witness_(
    ctx: typer.Context,
    digests: Annotated[
        list[str] | None,
        typer.Argument(metavar="[DIGEST]...", help="Digests as mails show them; else a mail or a text is read from the standard input."),
    ] = None,
    *,
    json: show.Json = False,
) -> None:
    """Find the events whose digests stand in mails, and show what was known then; or prove that no history here has them.

    It ends with 1 if a digest belongs to no event here, or if later events were changed.
    """
    run = session(ctx)
    # As bytes, since that is how a mail program hands on a mail.
    wanted = [typed(each) for each in digests] if digests else in_text(sys.stdin.buffer.read())
    with run.service.db.read() as conn:
        looked = trail.look(conn, wanted)
    teller = Teller(run)
    done = [_witness(run, teller, looked, digest) for digest in dict.fromkeys(wanted)]
    if json:
        show.json(done)
    else:
        for one in done:
            _show(run, one)
    if any(not one.found or any(event.broken for event in one.found) or (one.checkpoint and not one.holds) for one in done):
        raise typer.Exit(1)


def _witness(run: Session, teller: Teller, looked: Looked, digest: str) -> Witness:
    found = [_event(run, teller, looked, position) for position in looked.found[digest]]
    size = None if looked.checkpoint is None else looked.checkpoint.size
    return Witness(digest, found, [*looked.near[digest]], looked.events, looked.root.hex(), size, looked.holds)


def _event(run: Session, teller: Teller, looked: Looked, position: Position) -> WitnessedEvent:
    with run.service.db.read() as conn:
        trace = trail.at_position(conn, position)
        if trace is None:
            raise LogRewritten(f"the event at position {position} is missing")
        since = [one.position for one in trail.every(conn, Asked(trace.stream)) if one.version >= trace.version]
    game = _game(run, trace)
    checkpoint = looked.checkpoint
    # A checkpoint vouches for the event only if the log has grown out of it and the event is among its leaves.
    sealed = checkpoint.size if checkpoint is not None and looked.holds and checkpoint.size >= position else None
    to_move = game.state.to_move if game is not None else None
    return WitnessedEvent(
        position=position,
        stream=trace.stream,
        version=trace.version,
        at=trace.at,
        actor=trace.actor,
        type=trace.type,
        what=teller.tell(trace),
        hash=trace.hash,
        board=moment(game, game.state.line, legal=False).text if game is not None else None,
        turn=name_of(game.state.player_at(to_move), teller.people) if game is not None and to_move is not None else None,
        deadline=game.state.deadline if game is not None else None,
        mails=_mails(run, game, trace.stream) if game is not None else [],
        later=len(since) - 1,
        broken=[one for one in since if one in looked.unfit],
        sealed=sealed,
    )


def _game(run: Session, trace: Trace) -> FoundGame | None:
    noun, _, number = trace.stream.partition("-")
    # Only `game-17` itself names a game, and not another way to write the number.
    if noun != "game" or game_stream(GameId(int(number))) != trace.stream:
        return None
    return load(run, int(number), str(trace.version))


def _mails(run: Session, game: FoundGame, stream: Stream) -> list[WitnessMail]:
    with run.service.db.read() as conn:
        letters = [(player, one) for player in dict.fromkeys(game.state.players) for one in told.letters(conn, player, run.outside.clock())]
    return [
        WitnessMail(one.mail, player, one.kind, one.reached, one.at)
        for player, one in letters
        if (one.stream, one.version) == (stream, game.state.version)
    ]


def _show(run: Session, one: Witness) -> None:
    clock = times(run)
    for event in one.found:
        held = f"{counted(event.later, 'event')} since then; the chain of hashes to now " + (
            f"is broken at position {', '.join(map(str, event.broken))}." if event.broken else "holds."
        )
        show.facts(
            (
                ("Digest", one.digest),
                ("Event", f"#{event.position}, {event.stream} version {event.version}, {event.type}"),
                ("At", clock.full(event.at)),
                ("By", event.actor),
                ("What", event.what),
                ("Turn", event.turn or ""),
                ("Deadline", clock.full(event.deadline) if event.deadline is not None else ""),
                *(("Mail", _mail(mail, clock.full(mail.at))) for mail in event.mails),
                ("History", held),
            )
        )
        if event.board is not None:
            typer.echo(f"\n{event.board}")
        show.words(_checkpoint(one))
    if not one.found:
        show.words(
            f"No history here has the digest {one.digest}: none of {counted(one.events, 'event')} has a hash that begins with it, each "
            f"worked out anew from what stands in the log. {MEANS}"
        )
        if one.near:
            show.words(f"One digit differs from the hash at position {', '.join(map(str, one.near))}: perhaps it was misread.")
        show.words(_checkpoint(one))
        show.words(f"Whoever has a bundle of the whole log can look again: its root after {counted(one.events, 'event')} is {one.root}.")


def _mail(mail: WitnessMail, at: str) -> str:
    return f"{mail.mail}, {mail.kind}, to player {mail.player}: {mail.reached}, {at}"


def _checkpoint(one: Witness) -> str:
    if one.checkpoint is None:
        return "There is no checkpoint yet that the log could be held against."
    fits = "the log has grown out of it" if one.holds else "THE LOG HAS NOT GROWN OUT OF IT"
    return f"The newest checkpoint is of {counted(one.checkpoint, 'event')}: {fits}."
