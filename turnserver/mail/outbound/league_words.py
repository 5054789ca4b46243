"""The words of letters about leagues: from one mail, its league as it was then, and the reader in it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Final

from turnserver import games
from turnserver.ids import PlayerId
from turnserver.league.entering import waiting
from turnserver.league.events import Division
from turnserver.league.formats.ladder import Winner
from turnserver.league.formats.seating import seat_begins
from turnserver.league.presentation.crosstable import Crosstable, crosstable
from turnserver.league.presentation.svg import draw
from turnserver.league.presentation.text import legend, text
from turnserver.league.presentation.words import FORMATS, MARKS, TIE_BREAKS, UNFINISHED, points_told
from turnserver.league.scoring.marks import WON, Mark
from turnserver.league.settings import Format, Pace
from turnserver.league.state import Fixture, LeagueState, Season
from turnserver.mail.outbound.context import LeagueContext, MailContext
from turnserver.mail.outbound.game_words import Picture, WrittenLetter, common, mailto, picture_id, site_subject
from turnserver.mail.outbound.kinds import MailKind, tells_too
from turnserver.mail.outbound.language import COLUMNS, date_and_time, deadline_time, in_days, one_line, short_time
from turnserver.mail.outbound.letters import BoardPicture, Fact, LeagueLetter, LeagueTable, LineToWrite, Section, TableRow
from turnserver.mail.outbound.notices.league import Step, division_of, steps
from turnserver.mail.outbound.telling.events import everybody, name_of, paragraph
from turnserver.mail.outbound.telling.leagues import where
from turnserver.play.clock.controls import described, parse
from turnserver.rules.options import told as options_told
from turnserver.text import joined, listing, say

_SHORT: Final = 10
"""Lines of lists and tables that may stand above what can be done; more would push it off the first screen of a phone."""


@dataclass(frozen=True)
class LeagueDesk:
    """One mail about one league."""

    context: MailContext
    about: LeagueContext

    @classmethod
    def of(cls, context: MailContext) -> "LeagueDesk":
        """Return the desk of a context. Raise ValueError if the context lacks the league that its kind is about."""
        if context.league is None:
            raise ValueError(f"a mail of the kind {context.kind} needs a league")
        return cls(context, context.league)

    @property
    def state(self) -> LeagueState:
        """The league at the moment of the mail."""
        return self.about.state

    @property
    def season(self) -> Season:
        """The current season. Raises ValueError if there is none."""
        if self.state.season is None:
            raise ValueError(f"{self.name} has no season")
        return self.state.season

    @property
    def name(self) -> str:
        """The name of the league: `Take Winter`."""
        return one_line(self.state.name)

    @property
    def key(self) -> str:
        """The name of the league in commands: `league-3`."""
        return f"league-{self.about.league}"

    @property
    def page(self) -> str:
        """The address of the league's page; empty if there are no pages."""
        return f"{self.context.web}/leagues/{self.about.league}" if self.context.web else ""

    @property
    def zone(self) -> str:
        """The time zone of the reader."""
        return self.context.person.zone

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The events that the mail is about, one step each."""
        return tuple(steps(self.about.before, self.about.events))

    def actor(self, step: Step) -> str:
        """Return the actor of one of `steps`; empty if nobody knows who it was."""
        return next((who for one, who in zip(self.steps, self.about.actors, strict=False) if one is step), "")

    @property
    def reader(self) -> PlayerId:
        """The account of the reader. Raises ValueError if they have none."""
        if self.context.person.id is None:
            raise ValueError(f"a mail of the kind {self.context.kind} is for players")
        return self.context.person.id

    def player(self, player: PlayerId) -> str:
        """Return the name of a player."""
        return name_of(player, self.context.people)

    def players(self, players: Sequence[PlayerId]) -> str:
        """Return the names of one or more players as one phrase."""
        return everybody([self.player(player) for player in players])

    def long_time(self, at: datetime) -> str:
        """Return an instant in full, in the reader's zone."""
        return date_and_time(at, self.zone)

    def deadline_time(self, at: datetime) -> str:
        """Return a deadline in short, with the zone."""
        return deadline_time(at, self.zone)

    def short_time(self, at: datetime) -> str:
        """Return an instant in short."""
        return short_time(at, self.zone)

    def where(self, season: Season, division: Division | str | None) -> str:
        """Return `season 2 of Take Winter`, with the division if there are several."""
        name = division if isinstance(division, str) or division is None else division.name
        return where(season, self.name, name)

    def line(self, season: Season) -> PlayerId | None:
        """Return the reader's line of the table, even if it was closed or the reader has withdrawn. None if there is none."""
        lines = [line for division in season.divisions for line in division.players if season.who(line) == self.reader]
        return next(iter(lines), None)

    def division(self, season: Season) -> Division | None:
        """Return the division that the reader plays in, or None."""
        line = self.line(season)
        name = None if line is None else division_of(season, line)
        return next((division for division in season.divisions if division.name == name), None)

    def waits(self, season: Season, state: LeagueState | None = None) -> int:
        """Return the reader's place on the waiting list of a season that has not begun, 0 for no place."""
        queue = waiting(state or self.state, season)
        return queue.index(self.reader) + 1 if self.reader in queue else 0

    def pair(self, season: Season, fixture: Fixture) -> str:
        """Return `Ada - Bob`, or a sentence that somebody has a bye."""
        names = [self.player(season.who(line)) for line in fixture.players]
        if len(names) < 2:
            return say("{player} has a bye", player=names[0])
        return joined(" - ", names)

    def result(self, season: Season, fixture: Fixture) -> str:
        """Return the result of a meeting: `Ada beat Bob`, or the places in games of more than two, or that it is not over."""
        if not fixture.marks:
            return say("{pair}: not over yet", pair=self.pair(season, fixture))
        if len(fixture.players) == 2 and (told := self._of_two(season, fixture)):
            return told
        marks = [MARKS[mark] for mark in fixture.marks]
        if fixture.places:
            marks = [say("place {place}", place=place) for place in fixture.places]
        names = [self.player(season.who(line)) for line in fixture.players]
        return joined(", ", [say("{player}: {mark}", player=name, mark=mark) for name, mark in zip(names, marks, strict=True)])

    def _of_two(self, season: Season, fixture: Fixture) -> str:
        """Return the result between two as a sentence; empty if nobody won and it was no draw."""
        first, second = (self.player(season.who(line)) for line in fixture.players)
        if fixture.marks == (Mark.DRAW, Mark.DRAW):
            return say("{player} and {other} drew", player=first, other=second)
        for winner, loser, mark in ((first, second, fixture.marks[0]), (second, first, fixture.marks[1])):
            if mark in WON:
                return {
                    Mark.WIN_BY_FORFEIT: say("{winner} beat {loser} by forfeit", winner=winner, loser=loser),
                    Mark.WIN_ON_TIME: say("{winner} beat {loser} on time", winner=winner, loser=loser),
                }.get(mark, say("{winner} beat {loser}", winner=winner, loser=loser))
        return ""

    def meeting(self, season: Season, fixtures: Sequence[Fixture]) -> Fixture | None:
        """Return the reader's own meeting among these, or None."""
        line = self.line(season)
        return next((one for one in fixtures if line in one.players), None)

    def own(self, season: Season, fixture: Fixture, line: PlayerId) -> str:
        """Return the opponents of a line of the table, the first mover if that is known, and the deadline."""
        others = [season.who(other) for other in fixture.players if other != line]
        if not others:
            return say("a bye")
        until = [say("until {deadline}", deadline=self.deadline_time(fixture.deadline))] if fixture.deadline is not None else []
        return joined("; ", [one for one in (self.players(others), self.first(season, fixture, line), *until) if one])

    def first(self, season: Season, fixture: Fixture, line: PlayerId) -> str:
        """Return the first mover, as told to the player of a line of the table. Empty where chance decides it in the game."""
        first = fixture.players[0]
        if not seat_begins(self.state):
            return ""
        return say("you move first") if first == line else say("{player} moves first", player=self.player(season.who(first)))

    def open_game(self, season: Season, fixture: Fixture, line: PlayerId) -> str:
        """Return a meeting that is not over: its round, its game if there is one yet, and the text of `own`."""
        meeting = self.own(season, fixture, line)
        if season.climb is not None:
            return meeting if fixture.game is None else say("{game}: {meeting}", game=self.game(fixture), meeting=meeting)
        if fixture.game is None:
            return say("Round {round}: {meeting}", round=fixture.round, meeting=meeting)
        return say("Round {round}, {game}: {meeting}", round=fixture.round, game=self.game(fixture), meeting=meeting)

    def open_games(self, season: Season) -> tuple[Section, ...]:
        """Return the section with the reader's own meetings that are not over."""
        line = self.line(season)
        mine = [self.open_game(season, one, line) for one in season.fixtures if line is not None and line in one.players and not one.marks]
        return (Section(say("Your games that are not over:"), tuple(mine)),)

    def game(self, fixture: Fixture) -> str:
        """Return the name of the game of a meeting: `Take 17`."""
        return f"{games.entry(self.state.game).title} {fixture.game}"

    def table(self, state: LeagueState, season: Season, division: Division) -> tuple[LeagueTable, Picture]:
        """Return the current table of a division, and its picture."""
        names = {player: self.player(player) for player in self.context.people}
        made = crosstable(state, season, division, names)
        own = self.line(season)
        rows = tuple(
            TableRow(str(line.place), line.name, _points(made, at), yours=line.player == own) for at, line in enumerate(made.lines)
        )
        which = say("Division {division}.", division=division.name) if len(season.divisions) > 1 else ""
        alt = say("The table of {season}.", season=self.where(season, division))
        board = BoardPicture(alt, picture_id(self.context), alt, self.context.form.shown_width)
        table = LeagueTable(paragraph(which, made.standing), text(made, COLUMNS), board, legend(made, COLUMNS), rows)
        return table, Picture(draw(made), board.cid)

    def facts(self) -> tuple[Fact, ...]:
        """Return the rules of play in the league's seasons."""
        return tuple(self._facts())

    def _facts(self) -> Iterator[Fact]:
        settings = self.state.settings
        game = games.find(self.state.game, **self.state.options)
        options = options_told(game.options)
        yield Fact(say("Game"), say("{game} ({options})", game=game.entry.title, options=options) if options else game.entry.title)
        yield Fact(say("Time"), described(parse(self.about.time)))
        yield Fact(say("Format"), self._format())
        if settings.bounds:
            ratings = listing([str(bound) for bound in settings.bounds], "and")
            reached = say("one for each of these ratings that you have reached when the season begins: {ratings}.", ratings=ratings)
            yield Fact(say("Points at the start"), reached)
        yield from self._challenges() if settings.format is Format.LADDER else self._rounds()
        if settings.tie_breaks:
            order = joined(", ", [TIE_BREAKS[one] for one in settings.tie_breaks])
            yield Fact(say("With equal points"), say("the first of these that differs decides: {order}.", order=order))

    def _format(self) -> str:
        settings = self.state.settings
        name = FORMATS[settings.format]
        if settings.format in (Format.SWISS, Format.MCMAHON):
            return say("{format}, {n} round", "{format}, {n} rounds", format=name, n=settings.rounds)
        return name

    def _rounds(self) -> Iterator[Fact]:
        settings = self.state.settings
        together = settings.pace is Pace.TOGETHER
        if settings.round_every:
            days = in_days(settings.round_every)
            begins = say("A round starts every {days}.", days=days)
            begins = begins if together else say("A round starts every {days}, but not before the last one is over.", days=days)
        else:
            begins = say("All games start when the season starts.") if together else say("A round starts when the one before is over.")
        lasts = ""
        if settings.round_days and together and not settings.round_every:
            lasts = say("The first round ends after {days}, the second after twice that, and so on.", days=in_days(settings.round_days))
        elif settings.round_days:
            lasts = say("It ends after {days}.", days=in_days(settings.round_days))
        yield Fact(say("Rounds"), paragraph(begins, lasts, UNFINISHED[settings.when_unfinished] if lasts else ""))
        if settings.at_once:
            most = say("You have at most {n} game at the same time.", "You have at most {n} games at the same time.", n=settings.at_once)
            yield Fact(say("At once"), most)

    def _challenges(self) -> Iterator[Fact]:
        settings = self.state.settings
        reach = say(
            "You may challenge whoever stands {n} place above you.",
            "You may challenge those who stand up to {n} places above you.",
            n=settings.reach,
        )
        if settings.winner is Winner.SWAPS:
            plays = say("A challenge cannot be declined. If you beat somebody above you, the two of you change places.")
        else:
            plays = say("A challenge cannot be declined. If you beat somebody above you, you get their place.")
        lifts = say("If you draw, you stand right below them.") if settings.draw_lifts else ""
        yield Fact(say("Challenges"), paragraph(reach, plays, lifts))
        own = say("{n} challenge of your own", "{n} challenges of your own", n=settings.challenges)
        rests = ""
        if settings.rest_days:
            rests = say("After you have met one, nobody may challenge you for {days}.", days=in_days(settings.rest_days))
        yield Fact(say("At once"), paragraph(say("At most {own} and {others} of others.", own=own, others=settings.defences), rests))
        if settings.round_days:
            within = say("A challenge is played within {days}.", days=in_days(settings.round_days))
            yield Fact(say("Time for a game"), paragraph(within, UNFINISHED[settings.when_unfinished]))
        drops = tuple(self._drops())
        if drops:
            yield Fact(say("Going down"), paragraph(*drops))

    def _drops(self) -> Iterator[str]:
        settings = self.state.settings
        if settings.late_drop:
            yield say(
                "Whoever loses on time or by forfeit goes down {n} more place.",
                "Whoever loses on time or by forfeit goes down {n} more places.",
                n=settings.late_drop,
            )
        if settings.idle_days and settings.idle_drop:
            yield say(
                "Whoever plays nothing for {days} goes down {n} place, and again after as long.",
                "Whoever plays nothing for {days} goes down {n} places, and again after as long.",
                days=in_days(settings.idle_days),
                n=settings.idle_drop,
            )
            yield say("A vacation does not stop that, but a challenge that is being played does. Place 1 is never idle.")

    def written(  # what such a letter has, by name
        self,
        headline: str,
        words: str,
        *,
        todo: Sequence[LineToWrite] = (),
        meaning: Sequence[str] = (),
        own: Sequence[Section] = (),
        sections: Sequence[Section] = (),
        table: tuple[LeagueTable, Picture] | None = None,
        asked: bool = False,
        facts: Sequence[Fact] = (),
        also: Sequence[LineToWrite] = (),
    ) -> WrittenLetter:
        """Return a letter with a subject of the league's own. `words` say what the mail is.

        Long sections and a long table stand last, unless the reader has `asked` for them.
        """
        subject = joined(" ", [f"[{self.name}]", words])
        made = LeagueLetter(
            **common(self.context, headline),
            mailto=mailto(self.context.reply_to, subject),
            welcome=tells_too(self.context.detail, MailKind.WELCOME),
            todo=tuple(todo),
            meaning=tuple(one for one in meaning if one),
            own=tuple(one for one in own if one.lines),
            sections=tuple(one for one in sections if one.lines),
            table=table[0] if table else None,
            long=not asked and are_long(sections, table[0] if table else None),
            facts=tuple(facts),
            also=(*also, *((self.to_see(),) if self.state.season is not None else ()), to_get_help()),
            league=self.name,
            version=self.state.version,
            digest=self.about.digest,
            page=self.page,
        )
        return WrittenLetter(made, subject, (table[1],) if table else ())

    def to_challenge(self) -> LineToWrite:
        """Return the line that challenges somebody for a place on a ladder."""
        other = "Ada" if "bob" in self.context.person.name.casefold().split() else "Bob"
        return LineToWrite(
            say("to challenge {player}:", player=other), say("challenge {player} in {league}", player=other, league=self.key)
        )

    def to_see(self) -> LineToWrite:
        """Return the line that asks for the table."""
        return LineToWrite(say("to see the table:"), self.key)

    def to_leave(self, meaning: str) -> LineToWrite:
        """Return the line that leaves the league, under the given meaning."""
        return LineToWrite(meaning, say("leave {league}", league=self.key))


def are_long(sections: Sequence[Section], table: LeagueTable | None) -> bool:
    """Return whether sections and a table would push all that stands below them off the first screens."""
    lines = sum(1 + len(line) // COLUMNS for section in sections for line in section.lines)
    return lines + (len(table.rows) if table else 0) > _SHORT


def to_get_help() -> LineToWrite:
    """Return the line that asks for the commands about leagues."""
    return LineToWrite(say("for everything else:"), say("help leagues"))


def listed(context: MailContext, headline: str, facts: Sequence[Fact], also: Sequence[LineToWrite]) -> WrittenLetter:
    """Return the letter about all leagues."""
    subject = site_subject(context, say("Leagues"))
    made = LeagueLetter(
        **common(context, headline),
        mailto=mailto(context.reply_to, subject),
        facts=tuple(facts),
        also=(*also, to_get_help()),
    )
    return WrittenLetter(made, subject)


def _points(made: Crosstable, at: int) -> str:
    # A cup has no points.
    figures = made.lines[at].figures
    return points_told(figures[0]) if figures and figures[0] is not None else ""
