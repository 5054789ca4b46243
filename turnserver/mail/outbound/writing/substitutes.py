"""The letter about somebody who takes a seat over: to the substitute, to whoever sat there, and to the others."""

from turnserver.mail.outbound.game_words import GameDesk
from turnserver.mail.outbound.letters import Letter, Substituted
from turnserver.mail.outbound.telling.events import given, paragraph
from turnserver.mail.outbound.telling.substitutes import counts_for
from turnserver.play.events import SubstituteSeated
from turnserver.text import say


def substituted(desk: GameDesk) -> Letter:
    """Raises ValueError if nobody has taken a seat over."""
    recorded = next((one for one in reversed(desk.occasion.history) if isinstance(one.event, SubstituteSeated)), None)
    if recorded is None or not isinstance(recorded.event, SubstituteSeated):
        raise ValueError(f"nobody has taken over in {desk.name}")
    event, reader = recorded.event, desk.occasion.person.id
    former, why = desk.table.then(recorded).at(event.seat), _why(given(event.reason))
    if reader == event.player:
        told = say("You play on for {former} in {game}, against {players}.", former=former, game=desk.name, players=desk.opponents)
        return Substituted(**desk.common(paragraph(told, _next(desk), why, counts_for(event.rating))))
    player = desk.table.name(event.player)
    if desk.seat is None:
        told = say("In {game}, {player} has taken your seat over and plays on. You need do nothing more.", game=desk.name, player=player)
        return Substituted(**desk.common(paragraph(told, why, counts_for(event.rating))))
    told = say("In {game}, {player} plays on for {former}.", game=desk.name, player=player, former=former)
    return Substituted(**desk.common(paragraph(told, why)))


def _why(reason: str) -> str:
    return say("The admin's reason: {reason}.", reason=reason) if reason else ""


def _next(desk: GameDesk) -> str:
    """What the substitute has to do."""
    if desk.state.clock is None or desk.state.to_move != desk.seat:
        return say("You will get a mail when it is your turn.")
    return say("It is your move, {when}.", when=desk.when)
