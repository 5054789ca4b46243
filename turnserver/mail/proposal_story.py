"""What players propose to each other, as sentences: how it is told, how it is asked, and how it is answered."""

from typing import assert_never

from turnserver.mail.wording import in_days
from turnserver.play.events import ProposalKind, ProposalMade
from turnserver.play.state import Proposal
from turnserver.words import say


def news(proposal: Proposal, game: str, who: str) -> str:
    """The headline of the mail that tells the others."""
    match proposal.kind:
        case ProposalKind.DRAW:
            return say("In {game}, a draw is offered by {player}.", game=game, player=who)
        case ProposalKind.PAUSE:
            return say("In {game}, a pause of {days} is proposed by {player}.", game=game, days=in_days(proposal.days or 0), player=who)
        case ProposalKind.REOPENING:
            return say("{game} was lost on time, but {player} would rather play on with you.", game=game, player=who)
        case ProposalKind.TAKE_BACK:
            return say("In {game}, {player} asks you all to let the last move be taken back.", game=game, player=who)
        case _:
            assert_never(proposal.kind)


def question(proposal: Proposal, who: str) -> str:
    """What is on offer to the reader, as it stands above the words with which that is answered."""
    match proposal.kind:
        case ProposalKind.DRAW:
            return say("A draw is on offer from {player}.", player=who)
        case ProposalKind.PAUSE:
            return say("A pause of {days}, in which no clock runs, is proposed by {player}.", days=in_days(proposal.days or 0), player=who)
        case ProposalKind.REOPENING:
            return say("{player} offers to play on. If you agree, it is your move again, and you have at least a day for it.", player=who)
        case ProposalKind.TAKE_BACK:
            return say("The question is open whether {player} may take the last move back, and with it all that came after.", player=who)
        case _:
            assert_never(proposal.kind)


def refused(kind: ProposalKind, game: str, who: str) -> str:
    """The headline of the mail that tells the others of a no."""
    match kind:
        case ProposalKind.DRAW:
            return say("In {game}, the draw was declined by {player}. The game goes on.", game=game, player=who)
        case ProposalKind.PAUSE:
            return say("In {game}, the pause was declined by {player}. The game goes on.", game=game, player=who)
        case ProposalKind.REOPENING:
            return say("{game} stays as it ended: {player} does not want to play on.", game=game, player=who)
        case ProposalKind.TAKE_BACK:
            return say("In {game}, {player} did not agree that a move is taken back. The game goes on.", game=game, player=who)
        case _:
            assert_never(kind)


def made(event: ProposalMade, who: str) -> str:
    """What was proposed, for the history."""
    if event.kind is ProposalKind.REOPENING:
        return say("It was offered by {player} to play on.", player=who)
    if event.kind is ProposalKind.TAKE_BACK:
        return say("To take the last move back was asked for by {player}.", player=who)
    return say("A pause of {days} was proposed by {player}.", days=in_days(event.days or 0), player=who)
