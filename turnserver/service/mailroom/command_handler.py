"""Turn the phrases of one mail into commands, chat lines and answers. Reads the database and writes nothing."""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TypeAlias, assert_never

from turnserver import config, games
from turnserver.errors import BadOption, NotAllowed, NotFound, Refusal
from turnserver.ids import PlayerId, actor
from turnserver.mail.format.tokens import Token
from turnserver.mail.inbound import phrases as p
from turnserver.mail.inbound.time_phrases import Give, Nudge, Pause, Reopen, Resume, Vacation
from turnserver.mail.outbound.kinds import MailKind, Notice
from turnserver.mail.outbound.notices import game as notices
from turnserver.mail.outbound.notices.admin import claim_report
from turnserver.mail.outbound.notices.game import NotDone, NotesNews
from turnserver.mail.outbound.notices.vacations import own_plan
from turnserver.outside import DrawLots
from turnserver.play import commands
from turnserver.play.commands import OpenGame, PlayerCommand, Propose, Withdraw
from turnserver.play.conditional_moves import SALT_BYTES
from turnserver.play.events import ClaimMade, DrawOffered, EndedBy, GameStarted, ProposalKind, ProposalMade, SeatOrder, TurnPlayed
from turnserver.play.guards import pending, seat_of
from turnserver.play.leaving import may_resign
from turnserver.play.state import GameState, Status
from turnserver.play.turns import look_ahead
from turnserver.rules.options import shown
from turnserver.service.games import new_games, notes, plans
from turnserver.service.games.folds import Decision, GameAt
from turnserver.service.games.ledger import Ledger
from turnserver.service.games.terms import terms
from turnserver.service.leagues import commands as league_commands
from turnserver.service.leagues import directing
from turnserver.service.leagues.reports import claimed
from turnserver.service.leagues.repository import Leagues
from turnserver.service.mailroom.answers import CARRIED_OUT, DAY, Answer
from turnserver.service.mailroom.open_games import Fresh, waiting_for
from turnserver.service.mailroom.scheduling import call_off
from turnserver.service.people import preferences, vacations
from turnserver.service.request import Request
from turnserver.service.upkeep.deadlines import Watch
from turnserver.store.games import views
from turnserver.store.incidents import outages
from turnserver.store.leagues import views as league_views
from turnserver.store.log.database import Transaction
from turnserver.store.people import accounts as people
from turnserver.store.people.accounts import Person
from turnserver.text import Sentence, listing, say

REPEATED = timedelta(days=7)
"""The time for which the same words, in answer to a turn that is over, are taken for a mail that came again."""

_Ordinary: TypeAlias = p.Deed | p.Substitute | Give | p.LeagueQuestion | p.Question | p.Choice | Vacation | p.Say | p.Noting
"""The phrases that may stand with others in one mail."""


@dataclass(slots=True)
class _Asked:
    """The outcome of some phrases: answers, commands to the game, words for the others, settings by name, and mails to send again."""

    told: list[Notice] = field(default_factory=list)
    wanted: list[PlayerCommand] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    chosen: list[tuple[str, str]] = field(default_factory=list)
    fresh: tuple[Fresh, ...] = ()


class TooSoonError(Exception):
    """Something arrived after a deadline, and mail from before the deadline may still meet it."""


@dataclass(frozen=True, slots=True)
class MailCommandHandler:
    """One mail being dealt with: whose it is, which turn it answers (`token`), the game as it is now (`at`), when it came, its bytes.

    `state` is the game as the writer may know it, which for some minutes may be without the last turn (`Ledger.seen`).
    """

    settings: config.Settings
    ledger: Ledger
    leagues: Leagues
    watch: Watch
    lot: DrawLots
    person: Person
    token: Token
    at: GameAt | None
    state: GameState | None
    arrived_at: datetime
    now: datetime
    raw: bytes

    def carry_out(self, tx: Transaction, phrases: Sequence[p.Phrase]) -> Answer:
        """Plan everything that the phrases ask for. Raises Refusal if any of it cannot be done, and TooSoonError if it has to wait."""
        match phrases:
            case [(p.Join() | p.Leave() | p.Ready() | p.Bye()) as deed]:
                return self._league(tx, deed)
            case [p.Direct() as direction]:
                planned = directing.decide(tx, self.leagues, self.person, direction, self.now)
                letters = directing.letters(planned, direction, self.person.id)
                return Answer(f"{direction.act} league-{planned.league}", letters, league=planned)
            case [p.Challenge(league=league) as challenge]:
                return self._league(tx, challenge) if league else self._challenge(tx, challenge)
        if any(isinstance(phrase, p.LeagueDeed | p.Direct) for phrase in phrases):
            raise NotAllowed("league_alone", say("A command about a league needs a mail of its own. Send them one by one."))
        if any(isinstance(phrase, Vacation) and not phrase.asks for phrase in phrases):
            return self._away(tx, phrases)
        together = [phrase for phrase in phrases if not isinstance(phrase, p.Challenge | p.LeagueDeed | p.Direct)]
        if len(together) < len(phrases):
            raise NotAllowed("challenge_alone", say("A challenge needs a mail of its own. Send them one by one."))
        # A mail with both words confirms: nobody has to be asked once more.
        if p.Confirm() in together:
            together = [phrase for phrase in together if not isinstance(phrase, p.Resign)]
        return self._together(tx, together)

    def _together(self, tx: Transaction, phrases: Sequence[_Ordinary]) -> Answer:
        """Plan what may stand in one mail: commands to a game, questions, settings, words for the others, and notes."""
        asked = self._asked(tx, phrases)
        kept, published, on_notes = self._noted(tx, phrases)
        told = [*asked.told, *(self._on_choices(tx, asked.chosen) if asked.chosen else []), *on_notes]
        planned = Answer(
            "",
            game=self.token.game or None,
            said=tuple(asked.said),
            notes=kept,
            published=published,
            chosen=tuple(asked.chosen),
            fresh=asked.fresh,
        )
        if not asked.wanted:
            repeats = any(isinstance(phrase, p.Say) for phrase in phrases) and not (asked.said or told)
            outcome = "settings changed" if asked.chosen else "said" if asked.said else "said before" if repeats else "answered"
            return planned._replace(outcome=outcome, told=notices.combined(told), about=self.at.state if self.at else None)
        self._wait_for_earlier(tx, self._game().state.deadline)
        wanted = sorted(asked.wanted, key=_when)
        decision, refused = self._decided(self._game(), wanted)
        told += [self._past_rolls(decision, refused)] if refused else []
        told += [*call_off(tx, decision.game, decision.before, decision.events), *self._about_plans(wanted, decision)]
        told += self._receipt(tx, decision, told)
        answer = planned._replace(outcome=CARRIED_OUT, told=tuple(told), about=decision.after, decision=decision)
        return self._with_claim(tx, answer, decision) if any(isinstance(event, ClaimMade) for event in decision.events) else answer

    def _asked(self, tx: Transaction, phrases: Sequence[_Ordinary]) -> _Asked:  # noqa: C901  # one branch a kind
        """Return what phrases other than notes come to, one by one."""
        asked, again = _Asked(), p.Undo() in phrases
        for phrase in (one for one in phrases if not isinstance(one, p.Noting)):
            if isinstance(phrase, p.Resend):
                asked.fresh = tuple(waiting_for(tx, self.ledger, self.person, self.now))
                asked.told += [] if asked.fresh else [Notice(MailKind.GAMES, self.person.id)]
            elif isinstance(phrase, p.Say):
                # Called for its refusal.
                seat_of(self._table(), self.person.id)
                if not self._was_said(tx, phrase.text):
                    asked.told += notices.said(self._table(), self.person.id, phrase.text)
                    asked.said.append(phrase.text)
            elif isinstance(phrase, p.LeagueQuestion):
                asked.told.append(league_commands.answer(tx, self.leagues, self.person.id, phrase))
            elif isinstance(phrase, p.Question | Vacation):
                asked.told.append(self._question(tx, phrase))
            elif isinstance(phrase, p.Choice):
                asked.chosen.append(_choice(phrase))
            elif isinstance(phrase, p.Substitute):
                asked.wanted.append(_about_substitute(tx, phrase, self.person.id, self.arrived_at))
            elif isinstance(phrase, Give):
                by = self.leagues.deadline(tx, self.token.game) if self.token.game else None
                asked.wanted.append(commands.GiveTime(self.person.id, self.arrived_at, phrase.hours, by))
            else:
                asked.wanted.append(self._command(phrase, again=again))
        if again and any(isinstance(command, commands.PlayTurn) for command in asked.wanted):
            asked.wanted = [replace(command, again=True) if isinstance(command, commands.Undo) else command for command in asked.wanted]
        return asked

    def _noted(self, tx: Transaction, phrases: Sequence[p.Phrase]) -> tuple[tuple[tuple[int, str], ...], bool | None, list[Notice]]:
        """Return the new notes, each with its turn, whether all notes of the writer are published from now on, and the answer."""
        noted = [phrase for phrase in phrases if isinstance(phrase, p.Noting)]
        if not noted:
            return (), None, []
        state, player, game = self._table(), self.person.id, self.token.game
        notes.refuse_stranger(state, player)
        turn = notes.turn_of(state, self.token.turn)
        kept = notes.fresh(tx, player, game, turn, [one.text for one in noted if isinstance(one, p.Note)])
        published = next((isinstance(one, p.Publish) for one in noted if not isinstance(one, p.Note)), None)
        if published is not None:
            notes.refuse_publishing(tx, player, game, state, shown=published)
        # Beside anything else, the next mail of the turn shows what was kept.
        answered = published is not None or len(noted) == len(phrases)
        news: NotesNews = "kept" if published is None else "published" if published else "hidden"
        return tuple((turn, text) for text in kept), published, [notices.notes(player, news)] if answered else []

    def _about_plans(self, wanted: Sequence[PlayerCommand], decision: Decision) -> Iterator[Notice]:
        """Yield a notice for each plan that the player has laid, or one that says that the player has no plan any more."""
        for kept in decision.laid:
            yield plans.laid(self.person.id, decision, kept)
        # A corrected turn also ends the plan for what comes after it.
        corrects = any(isinstance(one, commands.Undo) for one in wanted) and any(isinstance(one, commands.PlayTurn) for one in wanted)
        ended = corrects and not decision.laid and plans.had_plan(decision, self.person.id)
        if ended or any(isinstance(one, commands.ForgetPlan) for one in wanted):
            yield own_plan(self.person.id, "forgotten")

    def _receipt(self, tx: Transaction, decision: Decision, told: Sequence[Notice]) -> list[Notice]:
        """Confirm a proposal to its player, and a move if they want that, unless another mail tells them of it."""
        me, after = self.person.id, decision.after
        moved = any(isinstance(event, TurnPlayed) and not event.by_plan for event in decision.events)
        # Silence says that a move has counted. After an `undo` it would not say which it was: the move taken back, or the others asked.
        proposes = any(isinstance(event, DrawOffered | ProposalMade) and event.seat == after.seat_of(me) for event in decision.events)
        if proposes and after.proposal is not None:
            receipt = notices.proposal_sent(me, after.proposal, moved=moved)
        elif moved and self._wants_receipt(tx):
            receipt = notices.receipt(me)
        else:
            return []
        heard = (*told, *notices.notices(decision.before, decision.events, after))
        return [] if any(notice.player == me for notice in heard) else [receipt]

    def _with_claim(self, tx: Transaction, answer: Answer, decision: Decision) -> Answer:
        """Return the answer with the report of a claim, and of what is said of it: to those who direct its league, or to the admin."""
        said, where = " ".join(answer.said), league_views.meeting_of(tx, decision.game)
        league = self.leagues.load(tx, where.league).stored if where is not None else None
        directors = tuple(claimed(tx, where, league, self.person.name, said)) if where is not None and league is not None else ()
        if directors or not self.settings.site.admin:
            return answer._replace(directors=directors)
        state = decision.after
        mover = people.player(tx, state.player_at(state.to_move)).name if state.to_move is not None else ""
        report = claim_report(self.settings.site.admin, decision.game, self.person.name, mover, state.turn, said)
        return answer._replace(told=(*answer.told, report))

    def _wants_receipt(self, tx: Transaction) -> bool:
        chosen = self.person.preferences
        # It takes the entry of the turn off the calendar.
        if chosen.calendar:
            return True
        match chosen.receipts:
            case "first":
                return views.tally_of(tx, self.person.id).turns < self.settings.play.receipts
            case "digest":
                return chosen.digest is not None
            case "on" | "off":
                return chosen.receipts == "on"
            case _:
                assert_never(chosen.receipts)

    def _was_said(self, tx: Transaction, text: str) -> bool:
        """Return whether the others were told the same text before: in the turn that the mail answers, or lately if that turn is over."""
        # A mail that comes again under another Message-ID is not recognised as a copy. Its moves are refused by their turn, and its text by
        # this.
        state = self._table()
        answers_present = (self.token.turn, self.token.edition) == (state.turn, state.edition)
        since = state.clock.since if answers_present and state.clock is not None else self.arrived_at - REPEATED
        lines = people.chat(tx, self.token.game)
        return any((line.player, line.text) == (self.person.id, text) and line.at >= since for line in lines)

    def _away(self, tx: Transaction, phrases: Sequence[p.Phrase]) -> Answer:
        """Plan a change to the writer's vacations. It concerns all of the writer's games, so it stands alone in its mail."""
        wanted = [phrase for phrase in phrases if isinstance(phrase, Vacation)]
        if len(phrases) > 1:
            raise NotAllowed("vacation_alone", say("A vacation needs a mail of its own. Send them one by one."))
        for game in views.list_games(tx, status=Status.RUNNING, player=self.person.id):
            self._wait_for_earlier(tx, game.deadline)
        days, request = self.settings.play.vacation_days, Request(actor(self.person.id), "", self.now)
        away = vacations.decide(tx, self.ledger, self.person, wanted[0], days, request, self.arrived_at)
        told = vacations.answer(tx, self.person, days, self.now, away)
        return Answer("vacation", (told,), vacation=away)

    def _on_choices(self, tx: Transaction, chosen: Sequence[tuple[str, str]]) -> list[Notice]:
        """Refuse settings that cannot be set, and return the answers to the others."""
        # Called for its refusal.
        people.require_free(tx, preferences.changed(self.person, chosen), self.person)
        subscribing = any(name == "subscribed" for name, _ in chosen)
        setting = any(name != "subscribed" for name, _ in chosen)
        return [Notice(MailKind.SUBSCRIPTION, self.person.id)] * subscribing + [Notice(MailKind.SETTINGS, self.person.id)] * setting

    def _wait_for_earlier(self, tx: Transaction, deadline: datetime | None) -> None:
        """Let nothing be decided about a game whose deadline is over before all mail is read that came before that."""
        if self.watch.waits_for_earlier(tx, self.arrived_at, deadline, self.now):
            raise TooSoonError

    def _game(self) -> GameAt:
        if self.at is None:
            raise _which_game()
        return self.at

    def _table(self) -> GameState:
        if self.state is None:
            raise _which_game()
        return self.state

    def _decided(self, at: GameAt, wanted: Sequence[PlayerCommand]) -> tuple[Decision, list[tuple[commands.Command, Refusal]]]:
        # The writer may not know the last turn yet. The game as they know it decides first, so that no refusal tells them more. Commands
        # about conditional plans see to that themselves.
        if self._table() is at.state or all(isinstance(command, commands.LayPlan | commands.ForgetPlan) for command in wanted):
            return self.ledger.decide_past_rolls(self.token.game, at, wanted, self.now)
        self.ledger.decide(self.token.game, at._replace(state=self._table()), wanted, self.now)
        try:
            return self.ledger.decide(self.token.game, at, wanted, self.now), []
        # By what they know, it could be done, so the true reason would tell them more.
        except Refusal as error:
            message = say(
                "Something has just happened in this game, and a mail about it is on its way to you. Wait for it, then write again."
            )
            raise NotAllowed("not_told_yet", message) from error

    def _past_rolls(self, decision: Decision, refused: Sequence[tuple[commands.Command, Refusal]]) -> Notice:
        """Return the answer that tells the player what stands of their mail, since it was rolled for, and what was refused."""
        problems = [NotDone.of(getattr(command, "text", ""), refusal) for command, refusal in refused]
        return notices.refusal(problems, done=[*_what_stands(decision)], player=self.person.id)

    def _command(self, phrase: p.Deed, *, again: bool) -> PlayerCommand:  # noqa: C901, PLR0912  # one branch a deed
        player, arrived_at = self.person.id, self.arrived_at
        match phrase:
            # The mail answers the turn that is taken back, so its token does not name the turn that is played instead.
            case p.Move(text=text) if again:
                return commands.PlayTurn(player, arrived_at, text)
            case p.Move(text=text):
                return commands.PlayTurn(player, arrived_at, text, self.token.turn, self.token.edition)
            case p.If(text=text):
                return commands.LayPlan(player, arrived_at, text, self.ledger.entropy(SALT_BYTES), self.token.turn, self.token.edition)
            case p.Forget():
                return commands.ForgetPlan(player, arrived_at)
            case p.Undo():
                return commands.Undo(player, arrived_at, edition=self.token.edition)
            case p.Confirm():
                return commands.Resign(player, arrived_at)
            case p.Claim(off=off):
                return (commands.DropClaim if off else commands.MakeClaim)(player, arrived_at)
            case p.Draw():
                return commands.OfferDraw(player, arrived_at)
            case Reopen():
                return commands.Propose(player, arrived_at, ProposalKind.REOPENING)
            case Nudge():
                return commands.Nudge(player, arrived_at)
            case Pause(days=days):
                return commands.Propose(player, arrived_at, ProposalKind.PAUSE, days)
            case Resume():
                return commands.Resume(player, arrived_at)
            case p.Accept(words=words):
                return commands.Accept(player, arrived_at, self.token.turn, self.token.edition, self.person.zone, self._entropy(words))
            case p.Decline():
                return commands.Decline(player, arrived_at, self.token.turn, self.token.edition)
            case _:
                assert_never(phrase)

    def _entropy(self, words: str) -> str:
        # The words behind `accept`, or else the whole mail: bytes that the service does not choose.
        return hashlib.sha256(words.encode() or self.raw).hexdigest()

    def _question(  # noqa: C901, PLR0912  # one branch a question
        self,
        tx: Transaction,
        phrase: p.Resign | p.Preview | p.Plan | p.Show | p.History | p.Clock | p.Games | p.Notes | p.Rules | p.Help | p.Settings | Vacation,
    ) -> Notice:
        player = self.person.id
        match phrase:
            case p.Resign():
                # Called for its refusal.
                may_resign(self._table(), player, self.arrived_at)
                return Notice(MailKind.RESIGNING, player)
            case p.Preview(text=text):
                turn = commands.PlayTurn(player, self.arrived_at, text, self.token.turn, self.token.edition)
                return notices.preview(player, look_ahead(self._table(), turn))
            case p.Plan():
                return plans.shown(tx, self.token.game, self._game().state, self._table(), player)
            case p.Show(turn=after):
                return self._board(after)
            case p.History():
                self._table()
                return Notice(MailKind.TRANSCRIPT, player)
            case p.Clock():
                # Called for its refusal if no turn is pending.
                pending(self._table())
                return Notice(MailKind.CLOCK, player)
            case p.Games():
                return Notice(MailKind.GAMES, player)
            case p.Notes():
                notes.refuse_stranger(self._table(), player)
                return notices.notes(player, "shown")
            case p.Rules(game=game):
                return self._rules(game)
            case Vacation():
                return vacations.answer(tx, self.person, self.settings.play.vacation_days, self.now)
            case p.Settings():
                return Notice(MailKind.SETTINGS, player)
            case p.Help(topic=topic):
                return notices.help_on(player, topic or "")
            case _:
                assert_never(phrase)

    def _board(self, after: int | None) -> Notice:
        last = self._table().line.length
        if after is not None and not 0 <= after <= last:
            raise NotFound(_no_such_turn(after, last))
        return notices.board(self.person.id, after)

    def _rules(self, game: str | None) -> Notice:
        if game is None and self.state is None:
            return notices.help_on(self.person.id, "rules")
        return notices.rules_of(self.person.id, games.entry(games.key_of(game)).key if game else self._table().game.entry.key)

    def _challenge(self, tx: Transaction, phrase: p.Challenge) -> Answer:
        entry = games.entry(games.key_of(phrase.game) if phrase.game else next(iter(games.CATALOGUE)))
        options = games.options_from_text(entry, dict(phrase.options))
        self._refuse_one_too_many(tx)
        if not self.person.preferences.subscribed:
            message = say("You have unsubscribed, so you would hear nothing about the game. Reply subscribe first.")
            raise NotAllowed("unsubscribed", message)
        others = _opponents(tx, phrase)
        if self.person.id in others:
            raise NotAllowed("own_opponent", say("You can't challenge yourself. Name somebody else."))
        seated, order = self._seated(others, phrase.first)
        try:
            agreed = terms(self.settings, phrase.time, self.now.date(), self.person.zone)
        except BadOption as wrong:
            raise BadOption(_as_written(wrong.message, phrase.time_as_written)) from wrong
        command = OpenGame(entry.key, options, seated, order, agreed, self.person.id, self.person.zone, self._entropy(""))
        decision = new_games.invite(tx, self.ledger, command, self.now)
        return Answer(f"opened game {decision.game}", (), decision.after, decision.game, decision)

    def _league(self, tx: Transaction, phrase: p.LeagueDeed | p.Challenge) -> Answer:
        planned = league_commands.decide(tx, self.leagues, self.person, phrase, self.arrived_at)
        if isinstance(phrase, p.Leave) and not phrase.confirmed and (asked := league_commands.before_leaving(planned, self.person)):
            return Answer("answered", (asked,))
        return Answer(f"{type(phrase).__name__.casefold()} league-{planned.league}", league=planned)

    def _refuse_one_too_many(self, tx: Transaction) -> None:
        player = self.person.id
        ended = views.list_games(tx, player=player, status=Status.ENDED, since=self.now - DAY)
        # Else a challenge that is called off would make room for the next one, and each sends mails.
        called_off = [game for game in ended if game.ended_by == EndedBy.REFUSAL]
        inviting = [*views.list_games(tx, player=player, status=Status.INVITING), *called_off]
        resting = outages.quarantined_numbers(tx)
        # A game in quarantine cannot be loaded, so it does not count.
        mine = sum(self.ledger.games.load(tx, game.id).state.opened_by == player for game in inviting if game.id not in resting)
        if mine >= self.settings.play.max_open_challenges:
            message = say(
                "{n} challenge of yours is unanswered, or was called off within a day. Wait for the answer, or until tomorrow.",
                "{n} challenges of yours are unanswered, or were called off within a day. Wait for some answers, or until tomorrow.",
                n=mine,
            )
            raise NotAllowed("too_many_challenges", message)

    def _seated(self, others: tuple[PlayerId, ...], first: bool | None) -> tuple[tuple[PlayerId, ...], SeatOrder]:  # noqa: FBT001  # three answers
        if first is None:
            return self.lot((self.person.id, *others)), SeatOrder.LOT
        return ((self.person.id, *others) if first else (*others, self.person.id)), SeatOrder.GIVEN


def _about_substitute(conn: Transaction, phrase: p.Substitute, player: PlayerId, arrived_at: datetime) -> Propose | Withdraw:
    """Return the player's command. Raises NotFound for an unknown name, and NotAllowed (`unsubscribed`) for a person who wants no mail."""
    if phrase.name is None:
        return Withdraw(player, arrived_at)
    person = people.player_called(conn, phrase.name)
    if not person.preferences.subscribed:
        raise NotAllowed(
            "unsubscribed", say("{name} doesn't want mail at the moment, so we can't ask them. Name somebody else.", name=person.name)
        )
    return Propose(player, arrived_at, ProposalKind.SUBSTITUTE, substitute=person.id)


def _as_written(message: str, time: str) -> str:
    """Return a refusal of a time that quotes the `time` as it was written if it quotes something else, such as words in English."""
    if not isinstance(message, Sentence) or "text" not in message.values or str(message.values["text"]).strip('"') in time:
        return message
    return Sentence(message.template, message.plural, **{**message.values, "text": shown(time)})


def _opponents(conn: Transaction, phrase: p.Challenge) -> tuple[PlayerId, ...]:
    """Return the players that are challenged. Raises what `_opponent` raises."""
    *names, last = phrase.opponents
    # Kim At and Kim may both play here
    for size in range(len(phrase.filling), 0, -1):
        with suppress(NotFound):
            longest = people.player_called(conn, " ".join((last, *phrase.filling[:size])))
            return (*(_opponent(conn, name, phrase).id for name in names), longest.id)
    return tuple(_opponent(conn, name, phrase).id for name in phrase.opponents)


def _opponent(conn: Transaction, name: str, phrase: p.Challenge) -> Person:
    """Find a player. Raises NotFound; or NotAllowed (`no_such_game`) if it is only the words behind a player's name that nobody knows."""
    try:
        return people.player_called(conn, name)
    except NotFound as nobody:
        who, _, where = name.rpartition(" in ")
        if (league := p.numbered_league(where)) and who:
            example = say("challenge {player} in {league}", player=who, league=league)
            message = say("In a league, game and time are those of the league. Write nothing behind its name: {example}", example=example)
            raise NotAllowed("of_the_league", message) from None
        words = [] if phrase.game is not None else name.split()
        titles = listing([one.title for one in games.CATALOGUE.values()], "and")
        for size in range(len(words) - 1, 0, -1):
            with suppress(NotFound):
                people.player_called(conn, " ".join(words[:size]))
                begins = (" ".join(words[size : size + count]) for count in (3, 2, 1))
                if begun := next((name for name in begins if name.casefold() in games.NAMES), None):
                    example = say("challenge Bob take size=4 first time=3d")
                    message = say('I can\'t read what you wrote after "{game}". It works like this: {example}', game=begun, example=example)
                    raise NotAllowed("after_the_game", message) from None
                game = " ".join(words[size:])
                message = say("There is no game called {game} here. The games are {games}.", game=game, games=titles)
                raise NotAllowed("no_such_game", message) from None
        if len(words) > 1:  # perhaps a player and a game, neither of which is known
            raise NotFound(say("{problem} The games here are {games}.", problem=nobody.message, games=titles)) from None
        raise


def _what_stands(decision: Decision) -> Iterator[str]:
    for event in decision.events:
        if isinstance(event, TurnPlayed) and not event.by_plan:
            yield say("{moves} is in.", moves=event.text)
        elif isinstance(event, GameStarted):
            yield say("You have accepted, and the game has begun.")


def _when(command: PlayerCommand) -> int:
    # A turn is taken back before another is played. A turn makes offers lapse and ends plans, so those come last; time is for the answer.
    if isinstance(command, commands.Undo):
        return 0
    return 2 if isinstance(command, commands.LayPlan | commands.OfferDraw | commands.Propose | commands.GiveTime) else 1


def _which_game() -> NotAllowed:
    return NotAllowed("which_game", say("I can't tell which game you mean. Reply to a mail of that game."))


def _no_such_turn(turn: int, last: int) -> str:
    return say(
        "There is no turn {turn} yet; {n} turn has been played.",
        "There is no turn {turn} yet; {n} turns have been played.",
        turn=turn,
        n=last,
    )


def _choice(phrase: p.Choice) -> tuple[str, str]:
    match phrase:
        case p.Set(name=name, value=value):
            return name, value
        case p.Unsubscribe():
            return "subscribed", "off"
        case p.Subscribe():
            return "subscribed", "on"
        case _:
            assert_never(phrase)
