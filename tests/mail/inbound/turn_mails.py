"""Two turn mails of ours with decoys in them, and how an answer to each is read."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial

from tests.mail.outbound.mails import html
from tests.mail.outbound.occasions import ADA, BOB, OPENING, Story, after, begun, context
from tests.terms import THREE_DAYS
from turnserver import games
from turnserver.errors import NotAllowed
from turnserver.mail.inbound.read import Reading
from turnserver.mail.inbound.steps import resembles_step
from turnserver.mail.inbound.understanding import Understood, understand
from turnserver.mail.outbound.compose import Composed, compose
from turnserver.play.commands import Accept, OpenGame
from turnserver.play.events import SeatOrder
from turnserver.play.state import GameState
from turnserver.rules.kit import reads_as_turn

DECOYS = "Well played!\nresign\nmove b4\nI would accept, were I you."
"""The words of the opponent in both mails."""


@dataclass(frozen=True, slots=True)
class TurnMail:
    """A turn mail, and `state`, the game at that moment. `turn` is what a player may answer, as lines."""

    composed: Composed
    state: GameState
    turn: tuple[str, ...]

    @property
    def text(self) -> str:
        return self.composed.text

    @property
    def body_html(self) -> str:
        """Return what stands between the body tags of the HTML version, as a mail program puts it into a quotation."""
        return html(self.composed).partition("<body")[2].partition(">")[2].partition("</body>")[0]

    @property
    def is_move(self) -> Callable[[str], bool]:
        rules, position = self.state.game.rules, self.state.line.position
        return lambda text: reads_as_turn(rules, position, text)

    def understood(self, reading: Reading) -> Understood:
        """Return what the reception makes of an answer to this mail; nothing of one that is too long to be understood."""
        entry = self.state.game.entry
        resembles = partial(resembles_step, entry.step_words) if entry.several else None
        try:
            return understand(reading.lines, self.is_move, games.CATALOGUE, resembles=resembles)
        except NotAllowed:
            return Understood()


@cache
def take() -> TurnMail:
    """Turn 9 of a game of Take, Ada to move."""
    return _turn_mail(begun().play(*OPENING), ("b4",))


@cache
def sneaky_octopuses() -> TurnMail:
    """Turn 10 of a game of Sneaky Octopuses for two, which has several steps."""
    opened = Story().then(OpenGame("sneaky-octopuses", {"players": 2}, (ADA, BOB), SeatOrder.GIVEN, THREE_DAYS), days=0)
    story = opened.then(*(Accept(player, after(0), entropy=64 * digit) for player, digit in ((ADA, "a"), (BOB, "b"))))
    for _ in range(9):
        story = story.play("\n".join(_house_turn(_state(story))))
    return _turn_mail(story, _house_turn(_state(story)))


def _turn_mail(story: Story, turn: tuple[str, ...]) -> TurnMail:
    state = _state(story)
    assert state.to_move is not None
    notice = story.notice(state.player_at(state.to_move))
    said = {"said": [{"player": ADA if notice.player == BOB else BOB, "text": DECOYS}]}
    return TurnMail(compose(context(story, replace(notice, detail=said))), state, turn)


def _house_turn(state: GameState) -> tuple[str, ...]:
    """Return what the house player would do; the roll after it is not part of the turn."""
    return games.house_turn(state.game, state.line.position)


def _state(story: Story) -> GameState:
    assert story.state is not None
    return story.state
