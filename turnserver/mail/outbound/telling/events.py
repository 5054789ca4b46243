"""The events of a game as sentences for people."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, assert_never

from msgspec import structs

from turnserver.ids import PlayerId, Recorded
from turnserver.mail.outbound.language import one_line, span
from turnserver.mail.outbound.telling import proposals as proposal_story
from turnserver.mail.outbound.telling.clocks import ClockEvent, clock_story
from turnserver.mail.outbound.telling.proposals import Parties, counts_for
from turnserver.play import events as e
from turnserver.play import reasons
from turnserver.play.clock.clock import parsed
from turnserver.play.clock.controls import described
from turnserver.play.guards import reason_of, team_of
from turnserver.play.line import Entry, Line, Numbered
from turnserver.play.state import GameState, Proposal, Result
from turnserver.rules import Choose, Game, Leaving, Seat, Skipping
from turnserver.text import Words, joined, listing, say


def name_of(player: PlayerId, people: Mapping[PlayerId, str]) -> str:
    """Return the name of a player, safe to print."""
    return one_line(people.get(player, "")) or say("Player {number}", number=player)


def everybody(names: Sequence[str]) -> str:
    """Return names as one phrase, `nobody` if there is none."""
    return listing(names or [say("nobody")], "and")


@dataclass(frozen=True, slots=True)
class SeatNames:
    """The names of the players by seat, for a reader in a `zone`: now, or at the moment to which `then` sets the table."""

    state: GameState
    people: Mapping[PlayerId, str]
    zone: str = "UTC"
    # The events of the game so far: an answer does not tell what it answers.
    history: Sequence[Recorded[e.GameEvent]] = ()

    def name(self, player: PlayerId) -> str:
        """Return the name of a player; see `name_of`."""
        return name_of(player, self.people)

    def whose(self, event: ClockEvent) -> str:
        """Return the player whose clock an event is about. Empty if the event is about every clock."""
        seat = self.state.to_move if isinstance(event, e.ClockCredited) else event.seat
        if isinstance(event, e.ClockThawed) and event.by is not None:
            seat = event.by
        return self.at(seat) if seat is not None else ""

    def never_was(self, event: ClockEvent) -> bool:
        """Return whether an event ends a freeze before it has begun."""
        freezes = self.state.freezes
        return isinstance(event, e.ClockThawed) and any(one.number == event.number and one.begins == event.ends for one in freezes)

    def at(self, seat: Seat) -> str:
        """Return the player and the seat: `Bob (Blue)`."""
        return self._named(self.state.player_at(seat), seat)

    def against(self, seat: Seat | None, *, in_full: bool = False) -> str:
        """Return who plays against `seat`, or everybody without one, and who is on its side: `Bob and Dan (with Cleo on the same side)`.

        If `in_full`, with their seats, and only those who have not left.
        """
        among = [each for each in (self.state.staying if in_full else self.state.seats) if each != seat]
        side = team_of(self.state, seat) if seat is not None else frozenset[Seat]()
        named = {each: self.at(each) if in_full else self.name(self.state.player_at(each)) for each in among}
        others = everybody([named[each] for each in among if each not in side])
        friends = [named[each] for each in among if each in side]
        return say("{players} (with {friends} on the same side)", players=others, friends=listing(friends, "and")) if friends else others

    def of(self, turn: Numbered) -> str:
        """Return the player who had a turn, whoever sits there now."""
        return self.by(turn.seat, turn.turn)

    def by(self, seat: Seat, turn: int) -> str:
        """Return the player who played turn `turn` of `seat`."""
        return self._named(self.state.player_of(seat, turn), seat)

    def name_of(self, turn: Numbered) -> str:
        """Return the name of the player who had a turn, without the seat."""
        return self.name(self.state.player_of(turn.seat, turn.turn))

    def parties(self, proposal: Proposal | e.ProposalMade) -> Parties:
        """Return the people that a proposal is about."""
        if proposal.player is None or proposal.place is None:
            return Parties(self.at(proposal.seat))
        return Parties(self.at(proposal.seat), self.name(proposal.player), self.at(proposal.place))

    def answered(self, answer: Recorded[e.GameEvent]) -> e.ProposalKind | None:
        """Return what an event agrees to or declines, which is the last proposal before it. None without the history."""
        before = (one.event for one in reversed(self.history) if one.version < answer.version)
        return next((event.kind for event in before if isinstance(event, e.ProposalMade)), None)

    def then(self, recorded: Recorded[e.GameEvent]) -> "SeatNames":
        """Return the table as it was when an event of the game happened, so that sentences name the player who acted."""
        return replace(self, state=structs.replace(self.state, players=self.state.players_at(recorded.version - 1)))

    def _named(self, player: PlayerId, seat: Seat) -> str:
        return say("{player} ({seat})", player=self.name(player), seat=self.state.seat_name(seat))


def happened(recorded: Recorded[e.GameEvent], table: SeatNames, *, rolls: bool = True) -> str:
    """Return the sentence for an event, with the players who sat at the table then; see `sentence`."""
    event, then = recorded.event, table.then(recorded)
    if isinstance(event, e.ProposalAgreed | e.ProposalDeclined) and (kind := table.answered(recorded)) is not None:
        return proposal_story.answer(kind, then.at(event.seat), agreed=isinstance(event, e.ProposalAgreed))
    return sentence(event, then, rolls=rolls)


def sentence(event: e.GameEvent, table: SeatNames, *, rolls: bool = True) -> str:  # noqa: C901, PLR0912, PLR0915  # one branch an event
    """Return a sentence or two about an event. They name everybody and do not begin with a word that is a command.

    The `table` is the one at which the event happened. Without `rolls` nothing is said of chance, for readers who get its story elsewhere.
    """
    match event:
        case e.GameOpened():
            return paragraph(_set_up(event, table), _committed(event))
        case e.InvitationAccepted():
            return _accepted(event, table)
        case e.InvitationDeclined():
            return say("{player} declined the invitation.", player=table.name(event.player))
        case e.GameStarted():
            first = say("The game began with {player}.", player=table.at(event.to_move)) if event.to_move else say("The game began.")
            return paragraph(first, _rolled(event.rolls if rolls else ()))
        case e.TurnPlayed():
            return paragraph(_played(event, table.at(event.seat)), _rolled(event.rolls if rolls else ()))
        case e.PlanLaid():
            return say(
                "A plan of answers, the first to turn {turn}, was laid by {player}; its digest is {digest}.",
                turn=event.turn,
                player=table.at(event.seat),
                digest=event.digest,
            )
        case e.PlanDropped():
            return _plan_dropped(event.reason, table.at(event.seat))
        case e.PlanActed():
            return _acted(event.act, table.at(event.seat))
        case e.DrawOffered():
            return say("{player} offered a draw.", player=table.at(event.seat))
        case e.DrawAccepted() | e.DrawDeclined():
            return proposal_story.answer(e.ProposalKind.DRAW, table.at(event.seat), agreed=isinstance(event, e.DrawAccepted))
        case e.ProposalMade():
            return proposal_story.made(event, table.parties(event))
        case e.ProposalAgreed():
            return say("{player} agreed to it.", player=table.at(event.seat))
        case e.ProposalDeclined():
            return say("{player} declined it.", player=table.at(event.seat))
        case e.SeatResigned():
            return say("{player} resigned.", player=table.at(event.seat))
        case e.SeatLeft():
            return paragraph(_without(event, table), _rolled(event.rolls if rolls else ()))
        case e.PlayerReminded():
            return say("{player} was reminded of turn {turn}.", turn=event.turn, player=table.at(event.seat))
        case e.PlayerNudged():
            asking, asked = table.at(event.asked_by), table.at(event.seat)
            return say("Turn {turn}: {asking} asked {player} for the move.", turn=event.turn, asking=asking, player=asked)
        case e.GraceGranted():
            return say(
                "{player} ran out of time and got {span} more for turn {turn}. That happens once a game.",
                player=table.at(event.seat),
                turn=event.turn,
                span=span(timedelta(hours=event.hours)),
            )
        case e.TurnSkipped():
            skipped = say("Turn {turn}: {player} ran out of time, and the turn was skipped.", turn=event.turn, player=table.at(event.seat))
            return paragraph(skipped, _rolled(event.rolls if rolls else ()))
        case e.SeatVacated():
            late = table.at(event.seat)
            return say("{player} ran out of time in turn {turn}. The seat waits for a substitute.", player=late, turn=event.turn)
        case e.ClaimMade():
            who = table.at(event.seat)
            return say("{player} asked the organisers to decide the game, because turn {turn} is not played.", player=who, turn=event.turn)
        case e.ClaimDropped():
            return say("{player} took the claim back.", player=table.at(event.seat))
        case e.ClaimDecided(granted=True):
            return paragraph(say("The organisers granted the claim of {player}.", player=table.at(event.seat)), because(event.reason))
        case e.ClaimDecided():
            return paragraph(say("The organisers did not grant the claim of {player}.", player=table.at(event.seat)), because(event.reason))
        case e.GameReopened():
            return say("The players agreed to play on. {player} to move.", player=table.at(event.to_move))
        case e.SubstituteInvited():
            former = table.at(event.seat)
            return say("They agreed to ask {player} to play on for {former}.", player=table.name(event.player), former=former)
        case e.SubstituteDeclined():
            former = table.at(event.seat)
            return say("{player} declined to play on for {former}.", player=table.name(event.player), former=former)
        case e.SubstituteWithdrawn():
            return say("{player} no longer wants a substitute.", player=table.at(event.seat))
        case e.SubstituteSeated():
            told: str = say("{player} took over the seat of {former}.", player=table.name(event.player), former=table.at(event.seat))
            return paragraph(told, because(event.reason), counts_for(event.rating))
        case e.TurnTimedOut():
            return say("{player} ran out of time in turn {turn}.", turn=event.turn, player=table.at(event.seat))
        case e.TurnsRetracted():
            return _taken_back(event, table)
        case e.EndRetracted():
            return paragraph(end_taken_back(event.reason), say("{player} to move.", player=table.at(event.to_move)))
        case e.TimeGiven():
            return clock_story(event, table.at(event.seat), table.zone)
        case e.ClockCredited() | e.ClockFrozen() | e.ClockThawed():
            told = clock_story(event, table.whose(event), table.zone, called_off=table.never_was(event))
            return paragraph(told, because(event.reason))
        case e.GameEnded():
            result = Result(event.outcome, event.by, event.winners, event.reason, event.scores)
            return say("The game ended: {outcome}", outcome=outcome(result, table))
        case e.SecretRevealed():
            return say("The secret that its chance came from was {secret}.", secret=event.secret)
        case e.ResultAnnulled():
            return paragraph(say("The organisers annulled the result."), because(event.reason))
        case _:
            assert_never(event)


def paragraph(*sentences: str) -> str:
    """Join sentences, without those that are empty."""
    return joined(" ", [one for one in sentences if one])


def _set_up(event: e.GameOpened, table: SeatNames) -> str:
    if event.opened_by is None:
        told = say("The organisers set up the game.")
    else:
        told = say("{player} set up the game.", player=table.name(event.opened_by))
    return paragraph(told, described(parsed(event.terms.time)))


def _committed(event: e.GameOpened) -> str:
    if not event.commitment:
        return ""
    return say("The chance of the game comes from a secret with the SHA-256 {commitment}.", commitment=event.commitment)


def _accepted(event: e.InvitationAccepted, table: SeatNames) -> str:
    player = table.name(event.player)
    if not event.entropy:
        return say("{player} accepted the invitation.", player=player)
    return say("{player} accepted the invitation and added {entropy} to the chance of the game.", player=player, entropy=event.entropy)


def _played(event: e.TurnPlayed, who: str) -> str:
    if event.by_house:
        return say(
            "Turn {turn}: {player} ran out of time, and the house played {moves} instead.", turn=event.turn, player=who, moves=event.text
        )
    if event.by_plan:
        return say("Turn {turn}: {player} played {moves}, as planned beforehand.", turn=event.turn, player=who, moves=event.text)
    return say("Turn {turn}: {player} played {moves}.", turn=event.turn, player=who, moves=event.text)


def _plan_dropped(reason: e.PlanEnd, who: str) -> str:
    match reason:
        case e.PlanEnd.FORGOTTEN:
            return say("The plan of {player} was called off.", player=who)
        case e.PlanEnd.PLAYED_OUT:
            return say("The plan of {player} is played out.", player=who)
        case e.PlanEnd.NOT_EXPECTED:
            return say("The plan of {player} had no answer to that.", player=who)
        case e.PlanEnd.NOT_LEGAL:
            return say("The plan of {player} did not answer: its move was not legal.", player=who)
        case e.PlanEnd.ASKED:
            return say("The plan of {player} did not answer: there was something on offer.", player=who)
        case e.PlanEnd.LOST:
            return say("The plan of {player} did not answer: its text is lost.", player=who)
        case _:
            assert_never(reason)


def _acted(act: e.PlanAct, who: str) -> str:
    match act:
        case e.PlanAct.RESIGN:
            return say("{player} gave the game up, as planned beforehand.", player=who)
        case e.PlanAct.DRAW:
            return say("{player} offered a draw, as planned beforehand.", player=who)
        case _:
            assert_never(act)


def _without(event: e.SeatLeft, table: SeatNames) -> str:
    player = table.at(event.seat)
    return (
        say("The others play on without {player}.", player=player) if event.to_move else say("{player} has left the table.", player=player)
    )


def _taken_back(event: e.TurnsRetracted, table: SeatNames) -> str:
    if event.kind is e.RetractionKind.CORRECTION:
        who = table.at(event.to_move)
        return say("{player} took back turn {turn} before anybody else saw it.", turn=event.first, player=who)
    if event.kind is e.RetractionKind.AGREEMENT:
        return say("The turns from {turn} on were taken back by agreement.", turn=event.first)
    return paragraph(say("The organisers took back the turns from {turn} on.", turn=event.first), because(event.reason))


def end_taken_back(reason: str) -> str:
    """Return the sentence that an admin took back the end of a game."""
    return paragraph(say("The organisers took back the end of the game."), because(reason))


def story(game: Game[Any, Any], position: Any, steps: Iterable[str]) -> tuple[str, ...]:  # noqa: ANN401  # whatever the game's rules use
    """Return the story of these steps, beginning in `position`. They are in canonical notation, chosen or rolled one after another."""
    told: list[str] = []
    for text in steps:
        step = game.rules.replay(position, text)
        told += game.view.tell(position, step)
        position = game.rules.apply(position, step)
    return tuple(told)


def told(event: e.GameEvent, line: Line) -> tuple[str, ...]:
    """Return the story of an event on the board, with the chance after it. Empty unless the event is an entry of the line."""
    if not isinstance(event, Entry):
        return ()
    before = next((before for entry, before in line.backwards() if entry == event), None)
    if before is None:
        return ()
    position, rules = before.position, before.game.rules
    # Chance decides after the leaving or the skipping, so its story begins on the board without that seat's turn.
    if isinstance(event, e.SeatLeft) and isinstance(rules, Leaving):
        position = rules.leave(position, event.seat)
    if isinstance(event, e.TurnSkipped) and isinstance(rules, Skipping):
        position = rules.skip(position)
    steps = event.steps if isinstance(event, e.TurnPlayed) else ()
    return story(before.game, position, (*steps, *(roll.outcome for roll in event.rolls)))


def _rolled(rolls: Sequence[e.Rolled]) -> str:
    return say("Chance then gave {outcomes}.", outcomes=listing([roll.outcome for roll in rolls], "and")) if rolls else ""


def given(reason: str) -> str:
    """Return a reason that somebody gave, on one line, without its full stop, for use within a sentence."""
    line = reasons.told(one_line(reason, longest=500))
    # A sentence of ours keeps its end: cut off, it would be plain text that nobody could translate.
    return line if isinstance(line, Words) else line.rstrip(".")


def because(reason: str) -> str:
    """Return the reason that somebody gave as a sentence, empty if there is none."""
    return say("Reason: {reason}.", reason=given(reason)) if reason else ""


def outcome(result: Result, table: SeatNames, reader: Seat | None = None) -> str:
    """Return the result, its cause, and the scores if there are any, a sentence each. `reader` is spoken to as "you"."""
    return paragraph(_verdict(result, table, reader), _how(result, table), _counted_out(result, table))


def _counted_out(result: Result, table: SeatNames) -> str:
    # Games without points have fewer scores than seats: none.
    scores = [joined(" ", [table.at(seat), str(score)]) for seat, score in zip(table.state.seats, result.scores, strict=False)]
    return say("The scores are {scores}.", scores=listing(scores, "and")) if scores else ""


def _verdict(result: Result, table: SeatNames, reader: Seat | None) -> str:
    match result.outcome:
        case e.Outcome.WON if reader in result.winners:
            return _own_win(result, table, [table.at(seat) for seat in result.winners if seat != reader])
        case e.Outcome.WON:
            winners = listing([table.at(seat) for seat in result.winners], "and")
            if _shared(result, table):
                return say("{players} share the win.", players=winners)
            return say("{players} win.", players=winners) if len(result.winners) > 1 else say("{player} wins.", player=winners)
        case e.Outcome.DRAWN:
            return say("a draw.")
        case e.Outcome.VOID:
            return say("no result.")
        case _:
            assert_never(result.outcome)


def _own_win(result: Result, table: SeatNames, others: Sequence[str]) -> str:
    if not others:
        return say("you win.")
    if _shared(result, table):
        return say("you share the win with {players}.", players=listing(others, "and"))
    return say("you win, with {players}.", players=listing(others, "and"))


def _shared(result: Result, table: SeatNames) -> bool:
    # Only then have sides won that played against each other.
    return sum(not team.isdisjoint(result.winners) for team in table.state.game.rules.teams) > 1


def _how(result: Result, table: SeatNames) -> str:
    reason = given(reason_of(table.state, result))
    match result.by:
        case e.EndedBy.RULES:
            title = table.state.game.entry.title
            return (
                say("By the rules of {game}: {reason}.", game=title, reason=reason)
                if reason
                else say("By the rules of {game}.", game=title)
            )
        case e.EndedBy.RESIGNATION | e.EndedBy.TIME:
            return _how_others_left(result, table, reason)
        case e.EndedBy.AGREEMENT:
            return say("The players agreed on it.")
        case e.EndedBy.ADJUDICATION if result.reason == reasons.WITHDRAWN and len(table.state.seats) == 2 and len(result.winners) == 1:
            return say("The league ended the game: {player} has withdrawn from it.", player=_losers(result, table))
        case e.EndedBy.ADJUDICATION | e.EndedBy.ANNULMENT if result.reason in reasons.ENDS:
            return say("The league ended the game: {reason}.", reason=reason)
        case e.EndedBy.ADJUDICATION:
            return paragraph(say("The organisers decided the game."), because(result.reason))
        case e.EndedBy.CANCELLATION:
            return paragraph(say("The organisers cancelled the game."), because(result.reason))
        case e.EndedBy.ANNULMENT:
            return paragraph(say("The organisers annulled the game."), because(result.reason))
        case e.EndedBy.REFUSAL:
            return say("The invitation was declined.")
        case _:
            assert_never(result.by)


def _losers(result: Result, table: SeatNames) -> str:
    return listing([table.at(seat) for seat in table.state.seats if seat not in result.winners], "and")


def _how_others_left(result: Result, table: SeatNames, reason: str) -> str:
    """Return the cause of an end by resignation or time. Of two players, one left; with more, the rules decided the game."""
    resigned = result.by is e.EndedBy.RESIGNATION
    if result.outcome is e.Outcome.VOID:
        pending = table.state.game.rules.next(table.state.line.position)
        if isinstance(pending, Choose):
            return say("{player} ran out of time before every side had played.", player=table.at(pending.seat))
        return say("Time ran out before every side had played.")
    if len(table.state.seats) > 2 and resigned:
        return say("A resignation decided it: {reason}.", reason=reason) if reason else say("A resignation decided it.")
    if len(table.state.seats) > 2:
        return say("The clock decided it: {reason}.", reason=reason) if reason else say("The clock decided it.")
    others = _losers(result, table)
    return say("{players} resigned.", players=others) if resigned else say("{players} ran out of time.", players=others)
