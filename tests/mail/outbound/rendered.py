"""`python -m tests.mail.outbound.rendered DIRECTORY`: write every mail that the tests know a context for, in every language.

Run it before and after a change of the program, and `diff -r` shows every byte of a mail that the change has changed. The mails are those
of `occasions.py`, which tell of Take and of leagues, and those that the players of the recorded games got, which show every game.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import groupby
from pathlib import Path

from tests.histories.recorded import NAMES as HISTORIES
from tests.histories.recorded import recorded_of
from tests.mail.outbound.occasions import GAME, KEYS, SITE, Player, every_occasion, in_language
from turnserver.ids import PlayerId, Recorded
from turnserver.mail.format.tokens import Token, reply_address
from turnserver.mail.outbound.compose import compose
from turnserver.mail.outbound.context import Form, MailContext
from turnserver.mail.outbound.kinds import MailKind, Notice
from turnserver.mail.outbound.language import languages
from turnserver.mail.outbound.notices.game import board, notices
from turnserver.play.events import GameEvent
from turnserver.play.evolve import fold
from turnserver.play.state import GameState

PLAYERS = {PlayerId(number): Player(PlayerId(number), f"Player {number}", f"player{number}@example.org") for number in range(1, 20)}


def mails() -> Iterator[tuple[str, MailContext]]:
    """Give every mail and its name, which begins with its language; the English ones also with calendars and as plain text."""
    every = every_occasion()
    for key in languages():
        yield from ((f"{key}/{name}", in_language(one, key)) for name, one in every.items())
        yield from ((f"{key}/{name}", in_language(one, key)) for name, one in of_recorded_games())
    for name, one in every.items():
        yield f"calendar/{name}", replace(one, form=Form(calendar=True))
        answering = replace(one, in_reply_to="<2.fixed@example.org>", references=["<3.fixed@example.org>"])
        yield f"plain/{name}", replace(answering, form=Form(html=False))


def of_recorded_games() -> Iterator[tuple[str, MailContext]]:
    """Give what the players of each recorded game were told, and the answers to their questions at its end."""
    for history in HISTORIES:
        recorded = recorded_of(history)
        state: GameState | None = None
        for _, group in groupby(recorded, lambda one: (one.cause, one.at)):
            events = [one.event for one in group]
            before, state = state, fold(events, state)
            for notice in notices(before, events, state):
                yield f"{history}/{state.version:03} {notice.kind} to {notice.player}", _occasion(notice, state, recorded)
        assert state is not None
        for notice in (one for player in state.players for one in (board(player), Notice(MailKind.TRANSCRIPT, player))):
            yield f"{history}/{notice.kind} to {notice.player}", _occasion(notice, state, recorded)


def _occasion(notice: Notice, state: GameState, recorded: list[Recorded[GameEvent]]) -> MailContext:
    assert notice.player is not None
    return MailContext(
        kind=notice.kind,
        person=PLAYERS[notice.player],
        site=SITE,
        now=recorded[state.version - 1].at + timedelta(minutes=1),
        message_id="<1.fixed@example.org>",
        reply_to=reply_address(SITE.address, KEYS, Token(notice.player, GAME, state.turn, state.edition)),
        detail=notice.detail,
        game_id=GAME,
        state=state,
        history=recorded[: state.version],
        people={number: player.name for number, player in PLAYERS.items()},
    )


def write(directory: Path) -> None:
    """Write each mail into a file of its own. Raises FileExistsError for two mails of one name."""
    for name, one in mails():
        path = directory / (re.sub(r"[^\w/]+", "-", name) + ".eml")
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            file.write(compose(one).raw)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
