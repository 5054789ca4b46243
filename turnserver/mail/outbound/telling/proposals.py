"""The proposals of players as sentences: how each is told, asked and answered."""

from typing import NamedTuple, assert_never

from turnserver.ids import Burden
from turnserver.mail.outbound.language import in_days
from turnserver.play import events as e
from turnserver.play.state import Proposal
from turnserver.text import joined, say


def counts_for(rating: Burden) -> str:
    """Return the sentence that says for whose rating the result of the seat counts."""
    match rating:
        case Burden.SEAT:
            return say("The result counts for the rating of whoever had the seat before.")
        case Burden.SUBSTITUTE:
            return say("The result counts for the rating of the substitute.")
        case Burden.NONE:
            return say("The result counts for nobody's rating at that seat.")
        case _:
            assert_never(rating)


class Parties(NamedTuple):
    """The people that a proposal is about, in words: `who` proposes. If it is about a `substitute`, `place` is the player of the seat."""

    who: str
    substitute: str = ""
    place: str = ""

    @property
    def own(self) -> bool:
        """True if the seat belongs to the player who proposes."""
        return self.place == self.who


def news(proposal: Proposal, game: str, parties: Parties) -> str:
    """Return the headline of the mail that tells the others about a proposal."""
    who = parties.who
    match proposal.kind:
        case e.ProposalKind.DRAW:
            return say("{player} offers a draw.", player=who)
        case e.ProposalKind.PAUSE:
            return say("{player} proposes a pause of {days}.", days=in_days(proposal.days or 0), player=who)
        case e.ProposalKind.REOPENING:
            return say("{game} was lost on time, but {player} offers to play on.", game=game, player=who)
        case e.ProposalKind.TAKE_BACK:
            return say("{player} asks to take back a move.", player=who)
        case e.ProposalKind.SUBSTITUTE:
            return _substitute_news(parties)
        case _:
            assert_never(proposal.kind)


def question(proposal: Proposal, parties: Parties, until: str = "") -> str:
    """Return the proposal to the reader, as it stands above the words with which it can be answered.

    `until` is the end of an offer to play on.
    """
    who = parties.who
    match proposal.kind:
        case e.ProposalKind.DRAW:
            return say("{player} offers a draw.", player=who)
        case e.ProposalKind.PAUSE:
            return say("{player} proposes a pause of {days}, in which no clock runs.", days=in_days(proposal.days or 0), player=who)
        case e.ProposalKind.REOPENING:
            told = say("{player} offers to play on. If you agree, it is your move again, and you have at least a day for it.", player=who)
            return joined(" ", [told, say("You can agree until {deadline}.", deadline=until)]) if until else told
        case e.ProposalKind.TAKE_BACK:
            return say("{player} asks to take back their last move, and with it all that came after.", player=who)
        case e.ProposalKind.SUBSTITUTE:
            return _substitute_question(parties)
        case _:
            assert_never(proposal.kind)


def sent(kind: e.ProposalKind, others: str, days: int) -> str:
    """Return the sentences that confirm a proposal to whoever made it. `others` are asked; `days` is the length of a pause."""
    match kind:
        case e.ProposalKind.DRAW:
            told = say("Your draw offer is on its way to {players}.", players=others)
        case e.ProposalKind.PAUSE:
            told = say("Your proposal of a pause of {days} is on its way to {players}.", days=in_days(days), players=others)
        case e.ProposalKind.REOPENING:
            told = say("Your offer to play on is on its way to {players}.", players=others)
        case e.ProposalKind.TAKE_BACK:
            told = say("Your last move is known already, so {players} will be asked whether you may take it back.", players=others)
        case e.ProposalKind.SUBSTITUTE:
            told = say("Your proposal of a substitute is on its way to {players}.", players=others)
        case _:
            assert_never(kind)
    return joined(" ", [told, say("Nothing changes unless they agree.")])


def refused(kind: e.ProposalKind, game: str, who: str) -> str:
    """Return the headline of the mail that tells the others about a no."""
    match kind:
        case e.ProposalKind.DRAW:
            return say("{player} declined the draw. The game goes on.", player=who)
        case e.ProposalKind.PAUSE:
            return say("{player} declined the pause. The game goes on.", player=who)
        case e.ProposalKind.REOPENING:
            return say("{game} stays as it ended: {player} does not want to play on.", game=game, player=who)
        case e.ProposalKind.TAKE_BACK:
            return say("{player} declined to take back a move. The game goes on.", player=who)
        case e.ProposalKind.SUBSTITUTE:
            return say("{player} declined the substitute. The game goes on.", player=who)
        case _:
            assert_never(kind)


def answer(kind: e.ProposalKind, who: str, *, agreed: bool) -> str:
    """Return the answer to a proposal as the history tells it."""
    match kind:
        case e.ProposalKind.DRAW:
            return say("{player} accepted the draw.", player=who) if agreed else say("{player} declined the draw.", player=who)
        case e.ProposalKind.PAUSE:
            return say("{player} agreed to the pause.", player=who) if agreed else say("{player} declined the pause.", player=who)
        case e.ProposalKind.REOPENING:
            return say("{player} agreed to play on.", player=who) if agreed else say("{player} declined to play on.", player=who)
        case e.ProposalKind.TAKE_BACK:
            if agreed:
                return say("{player} agreed that a move is taken back.", player=who)
            return say("{player} declined to take back a move.", player=who)
        case e.ProposalKind.SUBSTITUTE:
            return say("{player} agreed to the substitute.", player=who) if agreed else say("{player} declined the substitute.", player=who)
        case _:
            assert_never(kind)


def made(event: e.ProposalMade, parties: Parties) -> str:
    """Return the proposal as the history tells it."""
    who = parties.who
    if event.kind is e.ProposalKind.SUBSTITUTE:
        return _substitute_story(parties)
    if event.kind is e.ProposalKind.REOPENING:
        return say("{player} offered to play on.", player=who)
    if event.kind is e.ProposalKind.TAKE_BACK:
        return say("{player} asked to take back their last move.", player=who)
    return say("{player} proposed a pause of {days}.", days=in_days(event.days or 0), player=who)


def _substitute_news(parties: Parties) -> str:
    who, substitute = parties.who, parties.substitute
    if parties.own:
        return say("{player} would like {substitute} to take over their seat.", player=who, substitute=substitute)
    return say("{player} proposes that {substitute} plays on for {former}.", player=who, substitute=substitute, former=parties.place)


def _substitute_question(parties: Parties) -> str:
    if parties.own:
        return say(
            "{player} would like us to ask {substitute} to play on instead. Nothing changes until the answer comes.",
            player=parties.who,
            substitute=parties.substitute,
        )
    return say(
        "{player} would like us to ask {substitute} to play on for {former}. Nothing changes until the answer comes.",
        player=parties.who,
        substitute=parties.substitute,
        former=parties.place,
    )


def _substitute_story(parties: Parties) -> str:
    who, substitute = parties.who, parties.substitute
    if parties.own:
        return say("{player} proposed to hand the seat over to {substitute}.", player=who, substitute=substitute)
    return say("{player} proposed to ask {substitute} to play on for {former}.", player=who, substitute=substitute, former=parties.place)
