"""From an occasion to a letter: what is said, in words, without its form."""

from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from types import MappingProxyType
from typing import Final

from turnserver.mail.gamedesk import GameDesk, Written
from turnserver.mail.letters import (
    BoardShown,
    Credited,
    DrawOffer,
    DrawRefused,
    GameOver,
    Happening,
    Invitation,
    Left,
    Letter,
    Opened,
    Previewed,
    Reminder,
    Retracted,
    Said,
    Started,
    Transcript,
    YourTurn,
)
from turnserver.mail.narrate import because, sentence, story
from turnserver.mail.notices import Kind
from turnserver.mail.occasion import Occasion
from turnserver.mail.wording import counted, record_time, short_time, span, zone_of
from turnserver.mail.write_other import ABOUT_OTHER_THINGS
from turnserver.mail.write_reach import reachable, unreachable
from turnserver.play.events import (
    GameEvent,
    SeatLeft,
    TurnPlayed,
    TurnsRetracted,
)
from turnserver.rules import Choose, Roll
from turnserver.rules.kit import example_turns
from turnserver.words import listing

_LONGEST_TURN: Final = 60


def write(occasion: Occasion) -> Written:
    """Say what there is to say. Raises ValueError if the occasion lacks the game that its kind is about."""
    if occasion.kind in _ABOUT_A_GAME:
        desk = GameDesk.of(occasion)
        letter = _ABOUT_A_GAME[occasion.kind](desk)
        return Written(letter, desk.subject, desk.pictures)
    return ABOUT_OTHER_THINGS[occasion.kind](occasion)


def _invitation(desk: GameDesk) -> Letter:
    opener = desk.state.opened_by
    by = f"by {desk.table.name(opener)} to play" if opener is not None else f"to play against {desk.opponents}:"
    return Invitation(
        **desk.common(f"You are invited {by} {desk.name}."),
        seating=desk.seating(),
        pace=counted(desk.state.days_per_move, "day"),
        rules_key=desk.state.game.entry.key,
        chance=desk.state.game.entry.chance,
    )


def _opened(desk: GameDesk) -> Letter:
    headline = f"Your challenge is on its way: {desk.name}. It begins when everybody has accepted; missing so far: {desk.waiting_for()}."
    return Opened(**desk.common(headline), seating=desk.seating(), pace=counted(desk.state.days_per_move, "day"))


def _started(desk: GameDesk) -> Letter:
    first = desk.clock.mover if desk.clock else "nobody"
    return Started(**desk.common(f"{desk.name} has begun. The first move is made by {first}; you will get a mail when it is yours."))


def _turn(desk: GameDesk) -> Letter:
    last, newest, deadline = desk.state.line.last, desk.state.line.entry, desk.state.deadline
    until_when = f"until {short_time(deadline, desk.occasion.person.zone)}" if deadline else ""
    if isinstance(newest, SeatLeft):
        headline = f"In {desk.name}, {desk.table.at(newest.seat)} has left. It is your move now, {until_when}."
    elif last is None:
        headline = f"{desk.name} against {desk.opponents} has begun. The first move is yours, {until_when}."
    else:
        played = last.text if len(last.text) <= _LONGEST_TURN else f"a turn of {counted(len(last.steps), 'step')}"
        headline = f"In {desk.name}, {desk.table.at(last.seat)} played {played}. It is your move, {until_when}."
    news = desk.news()
    return YourTurn(**desk.common(headline), happenings=news if len(news) > 1 or any(one.told for one in news) else ())


def _reminder(desk: GameDesk) -> Letter:
    left = span(desk.state.deadline - desk.occasion.now) if desk.state.deadline else ""
    return Reminder(**desk.common(f"{desk.name} waits for your move, and your time runs out: {left} left."), happenings=desk.news())


def _left(desk: GameDesk) -> Letter:
    seat, late = desk.occasion.detail["seat"], desk.occasion.detail["late"]
    if seat == desk.seat:
        return Left(**desk.common(f"Your time ran out, so you have left {desk.name}. The others play on."))
    why = "ran out of time and has left" if late else "gave up and has left"
    return Left(**desk.common(f"In {desk.name}, {desk.table.at(seat)} {why}. The others play on."))


def _draw_offered(desk: GameDesk) -> Letter:
    return DrawOffer(**desk.common(f"In {desk.name}, a draw is offered by {desk.table.at(desk.occasion.detail['seat'])}."))


def _draw_declined(desk: GameDesk) -> Letter:
    by = desk.table.at(desk.occasion.detail["seat"])
    return DrawRefused(**desk.common(f"In {desk.name}, the draw was declined by {by}. The game goes on."))


def _said(desk: GameDesk) -> Letter:
    speakers = dict.fromkeys(desk.table.name(line["player"]) for line in desk.occasion.detail["said"])
    return Said(**desk.common(f"In {desk.name}, there is a word for you from {listing(list(speakers), 'and')}:"))


def _retracted(desk: GameDesk) -> Letter:
    first, reason = desk.occasion.detail["first"], desk.occasion.detail["reason"]
    undone = _last_undone(one.event for one in desk.occasion.history)
    sentences = tuple(sentence(event, desk.table) for event in undone if isinstance(event, TurnPlayed))
    turns = f"turn {first}" if len(sentences) == 1 else f"the turns from {first} on"
    returned = [desk.table.at(event.seat) for event in undone if isinstance(event, SeatLeft)]
    back = f" {listing(returned, 'and')} {'is' if len(returned) == 1 else 'are'} back at the table." if returned else ""
    headline = f"In {desk.name}, an admin took back {turns}{because(reason)}.{back}"
    return Retracted(**desk.common(headline), undone=sentences)


def _last_undone(events: Iterator[GameEvent]) -> tuple[TurnPlayed | SeatLeft, ...]:
    """The turns and the leavings that the last retraction took back."""
    standing: list[TurnPlayed | SeatLeft] = []
    undone: list[TurnPlayed | SeatLeft] = []
    for event in events:
        if isinstance(event, TurnPlayed | SeatLeft):
            standing.append(event)
        elif isinstance(event, TurnsRetracted):
            begin = next(at for at, one in enumerate(standing) if isinstance(one, TurnPlayed) and one.turn >= event.first)
            standing, undone = standing[:begin], standing[begin:]
    return tuple(undone)


def _credited(desk: GameDesk) -> Letter:
    more = span(timedelta(seconds=desk.occasion.detail["seconds"]))
    return Credited(**desk.common(f"In {desk.name}, you have {more} more for your move{because(desk.occasion.detail['reason'])}."))


def _game_over(desk: GameDesk) -> Letter:
    return GameOver(
        **desk.common(desk.ending()), happenings=desk.news(with_own_turn=True) if desk.state.line.length else (), played=desk.shows_board
    )


def _previewed(desk: GameDesk) -> Letter:
    rules, steps = desk.state.game.rules, tuple(desk.occasion.detail["steps"])
    then = rules.next(desk.scene.position)
    complete = then != rules.next(desk.line.position)
    how = "would come out like this" if complete else "would come out like this so far"
    again = " A yes cannot play it: its lines have to be sent." if desk.occasion.detail.get("again") else ""
    return Previewed(
        **desk.common(f"In {desk.name}, your turn {how}. Nothing has been played.{again}"),
        steps=steps,
        told=story(desk.state.game, desk.line.position, steps),
        complete=complete,
        chance=isinstance(then, Roll),
        more=example_turns(rules, desk.scene.position) if isinstance(then, Choose) and not complete else (),
    )


def _board_shown(desk: GameDesk) -> Letter:
    if desk.past:
        at = desk.occasion.detail["at"]
        moment = f"after turn {at}" if at else "before the first turn"
        return BoardShown(**desk.common(f"{desk.name} as it stood {moment}."), past=True)
    ended = desk.ending() if desk.state.result else f"{desk.name} as it stands."
    return BoardShown(**desk.common(ended), past=False)


def _transcript(desk: GameDesk) -> Letter:
    zone = desk.occasion.person.zone
    record = tuple(Happening(record_time(one.at, zone), sentence(one.event, desk.table)) for one in desk.occasion.history)
    headline = f"Everything that has happened in {desk.name}, oldest first, in the time of {zone_of(zone)}."
    return Transcript(**desk.common(headline), record=record)


_ABOUT_A_GAME: Final[Mapping[Kind, Callable[[GameDesk], Letter]]] = MappingProxyType(
    {
        Kind.INVITATION: _invitation,
        Kind.OPENED: _opened,
        Kind.GAME_STARTED: _started,
        Kind.TURN: _turn,
        Kind.REMINDER: _reminder,
        Kind.DRAW_OFFERED: _draw_offered,
        Kind.DRAW_DECLINED: _draw_declined,
        Kind.SAID: _said,
        Kind.RETRACTED: _retracted,
        Kind.CREDITED: _credited,
        Kind.LEFT: _left,
        Kind.UNREACHABLE: unreachable,
        Kind.REACHABLE: reachable,
        Kind.GAME_OVER: _game_over,
        Kind.PREVIEW: _previewed,
        Kind.BOARD: _board_shown,
        Kind.TRANSCRIPT: _transcript,
    }
)
