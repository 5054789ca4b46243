"""Letters about a seat that somebody else may take over: to the person who is asked, and to the players."""

from typing import assert_never

from turnserver.ids import Burden
from turnserver.mail.outbound.game_words import GameDesk
from turnserver.mail.outbound.letters import Letter, SeatOffered
from turnserver.mail.outbound.telling.events import because, paragraph
from turnserver.mail.outbound.telling.proposals import counts_for
from turnserver.mail.outbound.telling.reliability import kept_to_time
from turnserver.play.events import SubstituteDeclined, SubstituteInvited, SubstituteSeated, SubstituteWithdrawn
from turnserver.rules import Seat
from turnserver.text import say


def substituted(desk: GameDesk) -> Letter:
    """Tell the reader that somebody has taken a seat over. Raise ValueError if nobody has."""
    recorded = next((one for one in reversed(desk.context.history) if isinstance(one.event, SubstituteSeated)), None)
    if recorded is None or not isinstance(recorded.event, SubstituteSeated):
        raise ValueError(f"nobody has taken over in {desk.name}")
    event, reader = recorded.event, desk.context.person.id
    former, why = desk.table.then(recorded).at(event.seat), because(event.reason)
    if reader == event.player:
        told = say("You now play for {former}, against {players}.", former=former, players=desk.opponents)
        return desk.letter(paragraph(told, _next(desk)), why, counts_for(event.rating))
    player = desk.table.name(event.player)
    if desk.seat is None:
        told = say("{player} took over your seat and plays on. You need do nothing more.", player=player)
        # whoever was a substitute themselves may not be the one for whom the result counted
        is_theirs = event.rating is Burden.SEAT and reader == desk.state.player_of(event.seat, 0)
        return desk.letter(told, why, say("The result counts for your rating.") if is_theirs else counts_for(event.rating))
    told = say("{player} plays on for {former}.", player=player, former=former)
    return desk.letter(told, why)


def _next(desk: GameDesk) -> str:
    if desk.state.clock is None or desk.state.to_move != desk.seat:
        return say("You will get a mail when it is your turn.")
    return desk.your_move


def seat_offered(desk: GameDesk) -> Letter:
    """Ask the reader to play on for somebody. Raise ValueError if the reader is not asked."""
    reader = desk.context.person.id
    offer = desk.state.seat_offer(reader) if reader is not None else None
    if offer is None:
        raise ValueError(f"the reader is not asked to play on in {desk.name}")
    headline = say(
        "Would you play on for {former} in {game}, against {players}?",
        former=desk.table.at(offer.seat),
        game=desk.name,
        players=desk.table.against(offer.seat, in_full=True),
    )
    return SeatOffered(
        **desk.common(headline, _until_then(desk, offer.seat)),
        terms=(_what_comes(desk, offer.seat), desk.time, counts_for(Burden.SEAT)),
        reliability=tuple(kept_to_time(desk)),
    )


def seat_news(desk: GameDesk) -> Letter:
    """Write the latest news of the search for a substitute. Raise ValueError if nobody was wanted."""
    history = (one.event for one in reversed(desk.context.history))
    event = next((one for one in history if isinstance(one, SubstituteInvited | SubstituteDeclined | SubstituteWithdrawn)), None)
    told: str
    match event:
        case SubstituteInvited(seat=seat, player=player, asked_by=proposer):
            told = say("We have asked {player} to play on for {former}.", player=desk.table.name(player), former=desk.table.at(seat))
            off = say('To call it off, reply "{line}".', line=say("substitute off")) if desk.seat == proposer else ""
            return desk.letter(told, _until_then(desk, seat), off)
        case SubstituteDeclined(seat=seat, player=player):
            told = say(
                "{player} declined to play on for {former}. The game goes on as it is.",
                player=desk.table.name(player),
                former=desk.table.at(seat),
            )
        case SubstituteWithdrawn(seat=seat):
            told = say("{player} no longer wants a substitute.", player=desk.table.at(seat))
        case None:
            raise ValueError(f"nobody was to take a seat over in {desk.name}")
        case _:
            assert_never(event)
    return desk.letter(told)


def seat_gone(desk: GameDesk) -> Letter:
    """Tell the reader that they need not answer any more. Raise ValueError if the reader was never asked."""
    reader, history = desk.context.person.id, reversed(desk.context.history)
    asked = ((one, one.event) for one in history if isinstance(one.event, SubstituteInvited) and one.event.player == reader)
    found = next(asked, None)
    if found is None:
        raise ValueError(f"the reader was not asked to play on in {desk.name}")
    recorded, event = found
    former = desk.table.then(recorded).at(event.seat)
    told = say("You need not play on for {former} in {game} any more.", former=former, game=desk.name)
    return desk.letter(told, say("Nothing for you to do."))


def _until_then(desk: GameDesk, seat: Seat) -> str:
    if seat == desk.state.vacant:
        return say("Somebody else may take over the seat, {when}.", when=desk.when)
    if seat == desk.seat:
        return say("You play on until the answer comes.")
    return say("{former} plays on until the answer comes.", former=desk.table.at(seat))


def _what_comes(desk: GameDesk, seat: Seat) -> str:
    if desk.state.vacant == seat:
        return say("It is the move of that seat. If you accept, you have a day for it.")
    if desk.state.to_move == seat:
        return say(
            "It is the move of that seat, {when}. If you accept, you have what is left of that time, and a day at least.", when=desk.when
        )
    return say("It is not the move of that seat now; if you accept, you will get a mail when it is.")
