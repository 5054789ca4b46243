"""`turnserver audit replay-all`: every game played again by the installed program, to see in which it would come to something else."""

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import msgspec
import typer
from msgspec import Meta
from rich.progress import Progress

from turnserver.audit.bundle.playing import Outcome
from turnserver.audit.replaying import processors, replay
from turnserver.cli.audit.group import Workers, progress
from turnserver.cli.output import show
from turnserver.cli.session import session
from turnserver.config import DatabaseSettings
from turnserver.ids import GameId
from turnserver.mail.outbound.wording import counted
from turnserver.store.log import verify as audit


class Difference(msgspec.Struct, frozen=True):
    """Something in a game that the installed program does not come to."""

    game: Annotated[int, Meta(description="the game's number")]
    version: Annotated[int | None, Meta(description="the event after which it differs; nothing if the game cannot be played at all")]
    problem: Annotated[str, Meta(description="what differs")]


class Replayed(msgspec.Struct, frozen=True):
    """What came of playing every game again."""

    games: Annotated[int, Meta(description="games that were played again, open and finished")]
    events: Annotated[int, Meta(description="their events")]
    differing: Annotated[int, Meta(description="games that would differ")]
    differences: Annotated[list[Difference], Meta(description="what differs, by game; empty if nothing does")]


@show.emits(Replayed)
def replay_all(ctx: typer.Context, *, workers: Workers = None, json: show.Json = False) -> None:
    """Play every game again with this program, and compare boards, turns, deadlines and results; ends with 1 if any game would differ."""
    run = session(ctx)
    with run.service.db.read() as conn:
        games = audit.games(conn)
    with progress() as shown:
        done = played(run.settings.database, games, workers, shown).found
    if json:
        show.json(done)
    elif done.differences:
        rows = [(str(one.game), str(one.version or ""), one.problem) for one in done.differences]
        note = f"{counted(done.games, 'game')} were played again, {done.differing} would differ."
        show.table(("Game", "Version", "What differs"), rows, right=("Game", "Version"), note=note)
    else:
        typer.echo(f"{counted(done.games, 'game')} of {counted(done.events, 'event')} were played again: none would differ.")
    if done.differences:
        raise typer.Exit(1)


class Played(NamedTuple):
    """What came of playing games again: how many, their events, and the outcomes with something wrong, in the order of the games."""

    games: int
    events: int
    wrong: list[Outcome]

    @property
    def found(self) -> Replayed:
        """What a command says of it."""
        found = [Difference(one.game, finding.version, finding.problem) for one in self.wrong for finding in one.findings]
        return Replayed(self.games, self.events, len(self.wrong), found)


def played(database: DatabaseSettings, games: Sequence[GameId], workers: int | None, shown: Progress) -> Played:
    """Play games again, several at a time, and show how far that is."""
    task = shown.add_task("Games", total=len(games))
    events, wrong = 0, []
    for outcome in replay(database.url, games, workers or processors(), busy_timeout_seconds=database.busy_timeout_seconds):
        events += outcome.events
        wrong += [outcome] if outcome.findings else []
        shown.advance(task)
    places = {outcome.game: 0 for outcome in wrong}
    places.update((game, place) for place, game in enumerate(games) if game in places)
    return Played(len(games), events, sorted(wrong, key=lambda outcome: places[outcome.game]))
