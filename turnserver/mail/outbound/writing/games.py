"""Turn a context into a letter: the content in words, without its form."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, replace
from types import MappingProxyType
from typing import Final, assert_never

from turnserver.ids import Recorded
from turnserver.mail.outbound.context import MailContext
from turnserver.mail.outbound.game_words import GameDesk, WrittenLetter
from turnserver.mail.outbound.kinds import MailKind, round_told
from turnserver.mail.outbound.language import listed_time, short_time, time_left, time_of_day
from turnserver.mail.outbound.league_words import LeagueDesk
from turnserver.mail.outbound.letters import (
    BoardShown,
    GameLetter,
    GameOver,
    Happening,
    Invitation,
    Letter,
    Opened,
    Previewed,
    Receipt,
    Retracted,
    Transcript,
    YourTurn,
)
from turnserver.mail.outbound.notices.game import PLANNED_AHEAD
from turnserver.mail.outbound.telling import proposals as proposal_story
from turnserver.mail.outbound.telling.deadline_bill import clock_shown
from turnserver.mail.outbound.telling.events import because, everybody, happened, paragraph, story
from turnserver.mail.outbound.telling.history import readable
from turnserver.mail.outbound.telling.reliability import kept_to_time
from turnserver.mail.outbound.writing.accounts import ABOUT_OTHER_THINGS
from turnserver.mail.outbound.writing.deliverability import reachable, unreachable
from turnserver.mail.outbound.writing.directing import waiting
from turnserver.mail.outbound.writing.entries import answer, dropped, entry, leaving, ready_check, season_announced
from turnserver.mail.outbound.writing.league_news import news, words_to_many
from turnserver.mail.outbound.writing.notes import notes_shown
from turnserver.mail.outbound.writing.plans import answered, answered_by_plan, planned, unanswered
from turnserver.mail.outbound.writing.rounds import final, reminded, round_begun, round_paired, shown, started
from turnserver.mail.outbound.writing.seats import seat_gone, seat_news, seat_offered, substituted
from turnserver.mail.outbound.writing.timeouts import (
    after_missed_turn,
    back,
    claim,
    grace,
    may_be_reopened,
    missed,
    nudged,
    reopened,
    vacant,
)
from turnserver.mail.outbound.writing.vacations import deadline_moved
from turnserver.play import events as e
from turnserver.play.clock.clock import AGAIN
from turnserver.play.clock.live_time import zone_of
from turnserver.play.line import Numbered
from turnserver.play.second_thoughts import announced_at, unannounced
from turnserver.rules import Choose, Roll
from turnserver.rules.kit import example_turns
from turnserver.rules.options import written
from turnserver.text import joined, listing, say

_LONGEST_TURN: Final = 60


def write(context: MailContext) -> WrittenLetter:
    """Write the letter of a context. Raise ValueError if it lacks the game or league that its kind is about."""
    if context.kind in _ABOUT_A_GAME:
        desk = GameDesk.of(context)
        letter = _ABOUT_A_GAME[context.kind](desk)
        if isinstance(letter, GameLetter) and context.league is not None and (begun := round_told(context.detail)) is not None:
            letter = replace(letter, round=round_begun(LeagueDesk.of(context), MailKind(begun["kind"])))
        return WrittenLetter(letter, desk.telling_subject, desk.pictures)
    if context.kind in _ABOUT_A_LEAGUE:
        return _ABOUT_A_LEAGUE[context.kind](LeagueDesk.of(context))
    return ABOUT_OTHER_THINGS[context.kind](context)


def _invitation(desk: GameDesk) -> Letter:
    opener = desk.state.opened_by
    if opener is not None:
        headline = say("{player} invites you to a game: {game}.", player=desk.table.name(opener), game=desk.name)
    else:
        headline = say("You are invited to a game against {players}: {game}.", players=desk.opponents, game=desk.name)
    return Invitation(
        **desk.common(headline),
        seating=desk.seating(),
        time=desk.time,
        reliability=tuple(kept_to_time(desk)),
        rules_key=desk.state.game.entry.key,
        chance=desk.state.game.entry.chance,
    )


def _opened(desk: GameDesk) -> Letter:
    headline = say("Your invitation is on its way. {game} waits for {players} to accept it.", game=desk.name, players=desk.waiting_for())
    return Opened(**desk.common(headline), seating=desk.seating(), time=desk.time)


def _started(desk: GameDesk) -> Letter:
    headline = say(
        "The game has begun. {player} plays first; you will get a mail when it is your move.",
        player=desk.clock.mover if desk.clock else say("nobody"),
    )
    return desk.letter(headline, *desk.sides())


def your_turn(desk: GameDesk) -> tuple[str, str]:
    """Return the news for a reader who has the turn, in a sentence or two, and what else there is to say."""
    return answered_by_plan(desk) or _your_move(desk), unanswered(desk)


def since_your_turn(desk: GameDesk) -> tuple[Happening, ...]:
    """Return the news for a reader who has the turn, one by one."""
    news = desk.news()
    # A single turn without a story is told by the headline alone.
    return news if len(news) > 1 or any(one.told for one in news) else ()


def _turn(desk: GameDesk) -> Letter:
    return YourTurn(**desk.common(*your_turn(desk)), happenings=since_your_turn(desk))


def _your_move(desk: GameDesk) -> str:
    last, newest = desk.state.line.last, desk.state.line.entry
    news: str
    if isinstance(newest, e.SeatLeft):
        news = say("{player} has left the game.", player=desk.table.at(newest.seat))
    elif unplayed := after_missed_turn(desk):
        news = unplayed
    elif last is None:
        news = say("The game against {players} has begun.", players=desk.opponents)
    elif len(last.text) > _LONGEST_TURN:
        n = len(last.steps)
        news = say("{player} played a turn of {n} step.", "{player} played a turn of {n} steps.", player=desk.table.name_of(last), n=n)
    else:
        news = say("{player} played {moves}.", player=desk.table.name_of(last), moves=last.text)
    return paragraph(news, desk.your_move)


def is_in(desk: GameDesk) -> str:
    """Return the sentence that confirms the last turn to its player. Raise ValueError if there is none."""
    turn = desk.state.line.last
    if turn is None:
        raise ValueError(f"nothing was played in {desk.name}")
    if len(turn.text) > _LONGEST_TURN:
        return say("Your turn of {n} step is in.", "Your turn of {n} steps is in.", n=len(turn.steps))
    return say("{moves} is in.", moves=turn.text)


def _receipt(desk: GameDesk) -> Letter:
    now, headline = desk.context.now, is_in(desk)
    open_still = desk.state.to_move is not None and unannounced(desk.state, now) is not None
    until = time_of_day(announced_at(desk.state, now), desk.context.person.zone) if open_still else ""
    return Receipt(**desk.common(headline), undo_until=until)


def _reminder(desk: GameDesk) -> Letter:
    left = time_left(desk.state.deadline - desk.context.now) if desk.state.deadline else ""
    history = () if PLANNED_AHEAD in desk.context.detail else reversed(desk.context.history)
    newest = next((one.event for one in history if isinstance(one.event, e.PlayerReminded)), None)
    if newest is not None and any(mark.startswith(AGAIN) for mark in newest.marks):
        headline = say("Your clock runs again: {span} left for your move.", span=left)
    else:
        headline = say("Reminder: your move, {span} left.", span=left)
    return YourTurn(**desk.common(headline), happenings=desk.news())


def _left(desk: GameDesk) -> Letter:
    seat, late = desk.context.detail["seat"], desk.context.detail["late"]
    who = desk.table.at(seat)
    if seat == desk.seat:
        return desk.letter(say("Your time ran out, so you are out of the game. The others play on."))
    if late:
        return desk.letter(say("{player} ran out of time and is out of the game. The others play on.", player=who))
    return desk.letter(say("{player} resigned. The others play on.", player=who))


def _proposed(desk: GameDesk) -> Letter:
    proposal = desk.state.proposal
    if proposal is None:
        raise ValueError(f"nothing is on offer in {desk.name}")
    return desk.letter(proposal_story.news(proposal, desk.name, desk.table.parties(proposal)))


def _proposal_sent(desk: GameDesk) -> Letter:
    detail = desk.context.detail
    proposal, others = desk.state.proposal, desk.others
    # whoever has the seat that is to be taken over only hears of it
    if proposal is not None and proposal.kind is e.ProposalKind.SUBSTITUTE:
        others = everybody([desk.table.name(desk.state.player_at(seat)) for seat in sorted(desk.state.answering(proposal))])
    sent = proposal_story.sent(e.ProposalKind(detail["kind"]), others, detail["days"])
    return desk.letter(paragraph(is_in(desk) if detail["moved"] else "", sent))


def _declined(desk: GameDesk) -> Letter:
    detail = desk.context.detail
    return desk.letter(proposal_story.refused(e.ProposalKind(detail["kind"]), desk.name, desk.table.at(detail["seat"])))


def _said(desk: GameDesk) -> Letter:
    speakers = dict.fromkeys(desk.table.name(line["player"]) for line in desk.context.detail["said"])
    if len(speakers) == 1:
        headline = say("{player} says:", player=next(iter(speakers)))
    else:
        headline = say("{players} say:", players=listing(list(speakers), "and"))
    return YourTurn(**desk.common(headline), happenings=desk.news() if desk.shows_board else ())


def _retracted(desk: GameDesk) -> Letter:
    undone = _last_undone(desk.context.history)
    sentences = tuple(happened(one, desk.table) for one in undone if isinstance(one.event, Numbered))
    returned = [desk.table.at(one.event.seat) for one in undone if isinstance(one.event, e.SeatLeft)]
    without_plan = say("Your conditional moves were cancelled with it.") if desk.context.detail.get("plan") else ""
    words = say("What you said with it has been passed on.") if desk.context.detail.get("words") else ""
    headline = _taken_back(desk, single=len(sentences) == 1)
    return Retracted(
        **desk.common(headline, back(returned), without_plan, words),
        undone=sentences,
        unknown=desk.newest(e.TurnsRetracted).kind is e.RetractionKind.CORRECTION,
    )


def _taken_back(desk: GameDesk, *, single: bool) -> str:
    first, why = desk.context.detail["first"], because(desk.context.detail["reason"])
    match desk.newest(e.TurnsRetracted).kind:
        case e.RetractionKind.CORRECTION:
            return paragraph(say("Your move was taken back; nobody else has seen it."), desk.your_move)
        case e.RetractionKind.AGREEMENT if single:
            return say("Turn {turn} was taken back, as you all agreed.", turn=first)
        case e.RetractionKind.AGREEMENT:
            return say("The turns from {turn} on were taken back, as you all agreed.", turn=first)
        case e.RetractionKind.ADMIN if single:
            return paragraph(say("The organisers took back turn {turn}.", turn=first), why)
        case e.RetractionKind.ADMIN:
            return paragraph(say("The organisers took back the turns from {turn} on.", turn=first), why)
        case kind:
            assert_never(kind)


def _last_undone(history: Iterable[Recorded[e.GameEvent]]) -> tuple[Recorded[e.GameEvent], ...]:
    """Return the turns and the leavings that the last retraction took back."""
    standing: list[Recorded[e.GameEvent]] = []
    undone: list[Recorded[e.GameEvent]] = []
    for recorded in history:
        event = recorded.event
        if isinstance(event, Numbered | e.SeatLeft):
            standing.append(recorded)
        elif isinstance(event, e.TurnsRetracted):
            begin = next(at for at, one in enumerate(standing) if isinstance(one.event, Numbered) and one.event.turn >= event.first)
            standing, undone = standing[:begin], standing[begin:]
        # the leaving that ended the game was taken back with the end
        elif isinstance(event, e.EndRetracted) and standing and isinstance(last := standing[-1].event, e.SeatLeft) and last.ends_game:
            standing.pop()
    return tuple(undone)


def _clock_changed(desk: GameDesk) -> Letter:
    history = desk.context.history
    changes = [one for one in history if isinstance(one.event, e.ClockCredited | e.TimeGiven | e.ClockFrozen | e.ClockThawed)]
    # One request may change the clock several times: if a vacation ends early, its days can go to another one.
    news = [one for one in changes if (one.cause, one.at) == (changes[-1].cause, changes[-1].at)]
    earlier = reversed([one.event for one in history if one.version < news[0].version])
    # The newest clock in the log before the change has the old deadline.
    before, after = next((clock for event in earlier if (clock := getattr(event, "clock", None))), None), desk.state.clock
    moved = ""
    if before and after and before.deadline and after.deadline and before.deadline != after.deadline:
        moved = deadline_moved(before.deadline, after.deadline, desk.context.person.zone)
    last, (said, *more) = news[-1].event, [_own_mail_lost(desk, one.event) or happened(one, desk.table) for one in news]
    early = isinstance(last, e.ClockThawed) and last.by not in (None, desk.seat) and last.ends > news[-1].at
    return desk.letter(said, *more, moved, say('To go on at once, write "resume" as well.') if early else "")


def _own_mail_lost(desk: GameDesk, event: e.GameEvent) -> str:
    """Return the news of a freeze because no mail got through to the reader; empty for any other event."""
    if not isinstance(event, e.ClockFrozen) or event.kind is not e.FreezeKind.UNDELIVERED or event.seat != desk.seat or event.ends is None:
        return ""
    begins, ends = (short_time(at, desk.context.person.zone) for at in (event.begins, event.ends))
    return say("No mail got through to you from {begins} to {ends}. Your clock did not run.", begins=begins, ends=ends)


def _game_over(desk: GameDesk) -> Letter:
    offer = may_be_reopened(desk)
    news = desk.news(with_own_turn=True) if desk.state.line.length else ()
    notes = say('You have kept notes of this game. Reply "notes" to read or publish them.') if desk.context.notes else ""
    shown = desk.common(desk.ending(), offer, notes)
    replay = f"{desk.context.web}/games/{desk.game_id}" if desk.context.web and desk.state.line.length else ""
    return GameOver(**shown, happenings=news, played=desk.shows_board, again=_again(desk), reopen=bool(offer), replay=replay)


def _again(desk: GameDesk) -> str:
    """Return the line that invites the opponent to the same game. Empty if none was played, for tables, leagues, and whoever has left."""
    state, found = desk.state, desk.state.game
    if not state.line.length or desk.seat is None or len(state.players) != 2 or desk.context.league_game is not None:
        return ""
    usual = found.entry.options()
    options = [f"{name}={written(value)}" for name, value in asdict(found.options).items() if value != getattr(usual, name)]
    invited = say("challenge {player} {game}", player=desk.others, game=found.entry.key)
    return joined(" ", [invited, *options, say("time={time}", time=state.terms.time)])


def _resigning(desk: GameDesk) -> Letter:
    return desk.letter(say("Resign {game}? Please confirm.", game=desk.name))


def _previewed(desk: GameDesk) -> Letter:
    rules, steps = desk.state.game.rules, tuple(desk.context.detail["steps"])
    then = rules.next(desk.scene.position)
    # The turn is complete once the rules want something else than at its beginning.
    complete = then != rules.next(desk.line.position)
    if complete:
        shown = say("Your turn would look like this. Nothing has been played yet.")
    else:
        shown = say("Your turn would look like this so far. Nothing has been played yet.")
    return Previewed(
        **desk.common(shown),
        steps=steps,
        told=story(desk.state.game, desk.line.position, steps),
        complete=complete,
        chance=isinstance(then, Roll),
        more=example_turns(rules, desk.scene.position) if isinstance(then, Choose) and not complete else (),
    )


def _board_shown(desk: GameDesk) -> Letter:
    if desk.past:
        at = desk.context.detail["at"]
        if at:
            return BoardShown(**desk.common(say("The board after turn {turn}.", turn=at)), past=True)
        return BoardShown(**desk.common(say("The board before the first turn.")), past=True)
    headline = desk.ending() if desk.state.result else say("The board now.")
    return BoardShown(**desk.common(headline), past=False)


def _transcript(desk: GameDesk) -> Letter:
    zone = desk.context.person.zone
    shown = readable(desk.context.history, desk.state, desk.seat)
    record = tuple(Happening(listed_time(one.at, zone), happened(one, desk.table)) for one in shown)
    headline = say("The whole game, oldest first. Times are those of {zone}.", zone=str(zone_of(zone)))
    return Transcript(**desk.common(headline), record=record)


_ABOUT_A_GAME: Final[Mapping[MailKind, Callable[[GameDesk], Letter]]] = MappingProxyType(
    {
        MailKind.INVITATION: _invitation,
        MailKind.OPENED: _opened,
        MailKind.GAME_STARTED: _started,
        MailKind.TURN: _turn,
        MailKind.RECEIPT: _receipt,
        MailKind.ANSWERED: answered,
        MailKind.REMINDER: _reminder,
        MailKind.NUDGED: nudged,
        MailKind.CLAIM: claim,
        MailKind.GRACE: grace,
        MailKind.MISSED: missed,
        MailKind.VACANT: vacant,
        MailKind.REOPENED: reopened,
        MailKind.SUBSTITUTED: substituted,
        MailKind.SEAT_OFFERED: seat_offered,
        MailKind.SEAT_NEWS: seat_news,
        MailKind.SEAT_GONE: seat_gone,
        MailKind.PROPOSED: _proposed,
        MailKind.PROPOSAL_SENT: _proposal_sent,
        MailKind.DECLINED: _declined,
        MailKind.SAID: _said,
        MailKind.RETRACTED: _retracted,
        MailKind.CLOCK_CHANGED: _clock_changed,
        MailKind.LEFT: _left,
        MailKind.UNREACHABLE: unreachable,
        MailKind.REACHABLE: reachable,
        MailKind.GAME_OVER: _game_over,
        MailKind.RESIGNING: _resigning,
        MailKind.PREVIEW: _previewed,
        MailKind.PLAN: planned,
        MailKind.NOTES: notes_shown,
        MailKind.BOARD: _board_shown,
        MailKind.TRANSCRIPT: _transcript,
        MailKind.CLOCK: clock_shown,
    }
)

_ABOUT_A_LEAGUE: Final[Mapping[MailKind, Callable[[LeagueDesk], WrittenLetter]]] = MappingProxyType(
    {
        MailKind.LEAGUE_SEASON: season_announced,
        MailKind.LEAGUE_ENTRY: entry,
        MailKind.LEAGUE_ANSWER: answer,
        MailKind.LEAGUE_READY: ready_check,
        MailKind.LEAGUE_LEAVING: leaving,
        MailKind.LEAGUE_DROPPED: dropped,
        MailKind.LEAGUE_STARTED: started,
        MailKind.LEAGUE_ROUND: round_paired,
        MailKind.LEAGUE_REMINDER: reminded,
        MailKind.LEAGUE_NEWS: news,
        MailKind.LEAGUE_WORDS: words_to_many,
        MailKind.LEAGUE_DUTY: waiting,
        MailKind.LEAGUE_FINAL: final,
        MailKind.LEAGUE_TABLE: shown,
    }
)
