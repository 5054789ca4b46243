"""Letters about the start of a season, its rounds and its end."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Final

from turnserver.ids import PlayerId
from turnserver.league import events as e
from turnserver.league.divisions import Why
from turnserver.league.entering import waiting
from turnserver.league.formats.formats import broken_promises
from turnserver.league.formats.ladder_decisions import challenges_end
from turnserver.league.formats.seating import seat_begins
from turnserver.league.formats.swiss import Breach
from turnserver.league.presentation.words import UNFINISHED
from turnserver.league.scoring.standings import planned
from turnserver.league.settings import Format
from turnserver.league.state import Fixture, LeagueState, Phase, Season
from turnserver.mail.outbound.game_words import WrittenLetter
from turnserver.mail.outbound.kinds import MailKind
from turnserver.mail.outbound.league_words import LeagueDesk, are_long
from turnserver.mail.outbound.letters import LeagueTable, LineToWrite, RoundBegun, Section
from turnserver.mail.outbound.telling.events import because, paragraph
from turnserver.mail.outbound.writing.entries import entered_by_admin
from turnserver.mail.outbound.writing.leagues import before_start, byes_asked, challenge_mail, challenge_told, situation
from turnserver.text import joined, say


def final(desk: LeagueDesk) -> WrittenLetter:
    """Tell the reader that the season is over. Raise ValueError if it is not, or if the reader was not in it."""
    step = next((one for one in desk.steps if isinstance(one.event, e.SeasonClosed)), None)
    season = step.after.season if step is not None else None
    division = desk.division(season) if season is not None else None
    if step is None or season is None or division is None or not isinstance(step.event, e.SeasonClosed):
        raise ValueError(f"no season of {desk.name} is over for the reader")
    own = next(table for table in step.event.tables if table.division == division.name)
    # The decision that closes a season may announce the next one.
    next_one = desk.season
    return desk.written(
        _ending(desk, season, own),
        say("season {n}: final table", n=season.number),
        meaning=(
            _winner(desk, own),
            _left(desk, season, division),
            _where_to(desk, step.after),
            _rated(desk, season),
            *(_announced(desk, next_one) if next_one.number > season.number else (_to_come(desk, step.event),)),
        ),
        table=desk.table(step.after, season, division),
        also=(desk.to_leave(say("not to play this time:")),) if next_one.number > season.number else (),
    )


def _ending(desk: LeagueDesk, season: Season, own: e.FinalTable) -> str:
    line = next(one for one in own.lines if one.player == desk.reader)
    if len(season.divisions) > 1:
        return say(
            "{league}: season {n} is over. You finished in place {place} of {all} in division {division}.",
            league=desk.name,
            n=season.number,
            place=line.place,
            all=len(own.lines),
            division=own.division,
        )
    return say(
        "{league}: season {n} is over. You finished in place {place} of {all}.",
        league=desk.name,
        n=season.number,
        place=line.place,
        all=len(own.lines),
    )


def _winner(desk: LeagueDesk, own: e.FinalTable) -> str:
    best = [line.player for line in own.lines if line.place == 1]
    if desk.reader in best:
        return say("You won. Congratulations!") if len(best) == 1 else ""
    return say("{players} won.", players=desk.players(best))


def _where_to(desk: LeagueDesk, state: LeagueState) -> str:
    """Return whether the reader goes up or down, if all players stay who have played to the end. Empty in a league with one tier."""
    if len(state.settings.tiers) < 2:
        return ""
    staying = [line.player for table in state.last for line in table.lines if not line.left]
    move = next((one for one in planned(state, staying) if one.player == desk.reader), None)
    if move is None or move.before is None or move.after is None or move.after.tier == move.before.tier:
        return say("You stay in tier {tier}.", tier=move.before.tier) if move is not None and move.before is not None else ""
    if move.after.tier < move.before.tier:
        return say("By this table, you go up to tier {tier} next season.", tier=move.after.tier)
    return say("By this table, you go down to tier {tier} next season.", tier=move.after.tier)


def _rated(desk: LeagueDesk, season: Season) -> str:
    """Return the reader's rating before and after the season; empty if they have none."""
    now = desk.about.rating
    before = next((entry.rating for entry in season.entries if entry.player == desk.reader), None)
    if now is None:
        return ""
    if before is None:
        return say("Your rating is now {rating}.", rating=now.told())
    return say("Your rating was {before} at the start. Now it is {rating}.", before=round(before), rating=now.told())


def _to_come(desk: LeagueDesk, event: e.SeasonClosed) -> str:
    if event.next_at is None:
        return ""
    return say(
        "The next season is announced {when}. You will be in it, unless you leave.",
        when=desk.short_time(event.next_at),
    )


def _announced(desk: LeagueDesk, season: Season) -> Iterator[str]:
    yield say("Season {n} is already announced, and you are in.", n=season.number)
    yield from before_start(desk, season)


def shown(desk: LeagueDesk) -> WrittenLetter:
    """Write the standings of a league."""
    season = desk.state.season
    if season is None:
        told = say("{league} has no season now.", league=desk.name)
        return desk.written(told, say("how it stands"), meaning=(say("You can enter when the next season is announced."),))
    if season.phase in (Phase.ENTRIES, Phase.READY_CHECK):
        return _entries(desk, season)
    division = desk.division(season) or season.divisions[0]
    line = desk.line(season)
    headline = say("This is how {season} stands.", season=desk.where(season, division))
    may_leave = season.phase is Phase.RUNNING and line is not None and line not in season.withdrawn
    return desk.written(
        headline,
        say("how it stands"),
        meaning=(byes_asked(desk, season),),
        own=desk.open_games(season),
        table=desk.table(desk.state, season, division),
        asked=True,
        also=(desk.to_leave(say("to leave the season:")),) if may_leave else (),
    )


def _entries(desk: LeagueDesk, season: Season) -> WrittenLetter:
    """Write the entries of a season that has not begun."""
    queue = waiting(desk.state, season)
    there = [desk.player(entry.player) for entry in season.entries if entry.player not in queue]
    headline = say("{league}: {situation}", league=desk.name, situation=situation(desk, desk.about))
    own = any(entry.player == desk.reader for entry in season.entries)
    join = LineToWrite(say("to enter:"), say("join {league}", league=desk.key), say("Enter"))
    return desk.written(
        headline,
        say("how it stands"),
        todo=(join,) if not own and season.phase is Phase.ENTRIES else (),
        meaning=tuple(before_start(desk, season)),
        sections=(
            Section(say("In the season:"), (joined(", ", there),) if there else ()),
            Section(say("On the waiting list:"), (joined(", ", [desk.player(one) for one in queue]),) if queue else ()),
        ),
        facts=desk.facts(),
        also=(desk.to_leave(say("to leave before the start:")),) if own else (),
    )


_SHOWN_PLAYERS: Final = 40
_FORCED: Final[Mapping[Breach, str]] = MappingProxyType(
    {
        Breach.REMATCH: say("You two have already met this season."),
        Breach.SECOND_BYE: say("You already got a point without a game this season."),
        Breach.CLASH: say("Both of you should move first, or both second, and only one of you can."),
        Breach.ASKED_BYE: say("You or your opponent had asked for a bye in this round."),
    }
)


def started(desk: LeagueDesk) -> WrittenLetter:
    """Tell the reader that the season begins. Raise ValueError if it does not, or if the reader is not in it."""
    began = next((step.event for step in desk.steps if isinstance(step.event, e.SeasonStarted)), None)
    season, division = desk.season, desk.division(desk.season)
    if began is None or division is None:
        raise ValueError(f"no season of {desk.name} has begun for the reader")
    on_ladder = desk.state.settings.format is Format.LADDER
    return desk.written(
        _started(desk, season, division),
        say("season {n}", n=season.number),
        meaning=(entered_by_admin(desk), _moved(began, desk.reader), _begins(desk, season)),
        own=(Section(say("You meet:"), tuple(_own_meetings(desk, season))),),
        sections=(_members(desk, season, division),),
        facts=desk.facts(),
        also=(*((desk.to_challenge(),) if on_ladder else ()), desk.to_leave(say("to leave the season:"))),
    )


def _begins(desk: LeagueDesk, season: Season) -> str:
    """Return how the reader's games begin."""
    if desk.state.settings.format is Format.LADDER:
        starts = say("A game starts when somebody challenges. You get a mail for each of yours, and there is nothing to accept.")
        ends = challenges_end(desk.state, season)
        return paragraph(starts, say("You can challenge until {when}.", when=desk.long_time(ends)) if ends is not None else "")
    waits = next((one for one in season.fixtures if one.held and desk.line(season) in one.players), None)
    if waits is not None:
        return _held(desk, waits)
    return say("Your games start by themselves. You get a mail for each, and there is nothing to accept.")


def _started(desk: LeagueDesk, season: Season, division: e.Division) -> str:
    if len(season.divisions) < 2:
        return say("{league}: season {n} has started.", league=desk.name, n=season.number)
    return say(
        "{league}: season {n} has started. You are in division {division}.", league=desk.name, n=season.number, division=division.name
    )


def _moved(began: e.SeasonStarted, player: PlayerId) -> str:
    """Return the reader's move to another tier, as a sentence; empty if they stay."""
    move = next((one for one in began.moves if one.player == player), None)
    if move is None or move.before is None or move.after is None:
        return ""
    if move.why is Why.BY_ADMIN:
        return say("The organisers put you in tier {tier}.", tier=move.after)
    if move.after < move.before:
        return say("You came up from tier {tier}.", tier=move.before)
    return say("You came down from tier {tier}.", tier=move.before) if move.after > move.before else ""


def _members(desk: LeagueDesk, season: Season, division: e.Division) -> Section:
    """Return the list of the players in the division."""
    names = [desk.player(season.who(line)) for line in division.players]
    more = len(names) - _SHOWN_PLAYERS
    lines = [joined(", ", names[:_SHOWN_PLAYERS])]
    if more > 0:
        lines.append(say("and {n} more player", "and {n} more players", n=more))
    return Section(say("Players of {season}:", season=desk.where(season, division)), tuple(lines))


def _own_meetings(desk: LeagueDesk, season: Season) -> Iterator[str]:
    line = desk.line(season)
    for fixture in season.fixtures:
        if line is not None and line in fixture.players:
            yield say("Round {round}: {meeting}", round=fixture.round, meeting=desk.own(season, fixture, line))


def round_paired(desk: LeagueDesk) -> WrittenLetter:
    """Tell the reader that a round begins in their division, or of a challenge. Raise ValueError if there is neither."""
    if challenge := challenge_mail(desk, say("a challenge")):
        return challenge
    one = _Round.of(desk)
    opens = paragraph(_opens(desk, one.season, one.now), one.until)
    return desk.written(
        one.headline,
        say("season {n}, round {round}", n=one.season.number, round=one.number),
        meaning=(
            _again(desk, one),
            _forced(desk, one),
            opens,
            _left(desk, one.season, one.division, one.number),
        ),
        sections=one.sections,
        table=desk.table(desk.state, one.season, one.division),
        also=(desk.to_leave(say("to leave the season:")),),
    )


def round_begun(desk: LeagueDesk, kind: MailKind) -> RoundBegun:
    """Tell of a round, or of the start of a season, in the mail of the reader's only game in it, instead of in a mail of its kind.

    A challenge is told so too. Raise ValueError if no round begins for the reader.
    """
    challenge = challenge_told(desk)
    if challenge is not None:
        headline, meaning = challenge
        also = (desk.to_see(), desk.to_leave(say("to leave the season:")))
        return RoundBegun(headline, _filled(*meaning), sections=(), table=None, long=False, page="", also=also)
    one = _Round.of(desk)
    if kind is MailKind.LEAGUE_ROUND:
        table = desk.table(desk.state, one.season, one.division)[0]
        left = _left(desk, one.season, one.division, one.number)
        meaning = _filled(_again(desk, one), _forced(desk, one), one.until, left)
        return _beside_a_game(desk, one, meaning, one.sections, table)
    began = next(step.event for step in desk.steps if isinstance(step.event, e.SeasonStarted))
    news = paragraph(_started(desk, one.season, one.division), _moved(began, desk.reader))
    sections = (*one.sections, _members(desk, one.season, one.division))
    return _beside_a_game(desk, one, _filled(news, one.until), sections)


def _beside_a_game(
    desk: LeagueDesk, one: "_Round", meaning: tuple[str, ...], sections: tuple[Section, ...], table: LeagueTable | None = None
) -> RoundBegun:
    """Return the round for the mail of a game, which sends its reader to the page for what is long, if there is one."""
    also = (desk.to_see(), desk.to_leave(say("to leave the season:")))
    long = are_long(sections, table)
    if long and desk.page:
        return RoundBegun(one.headline, meaning, (), None, long, desk.page, also)
    return RoundBegun(one.headline, meaning, sections, table, long, "", also)


def _filled(*texts: str) -> tuple[str, ...]:
    return tuple(text for text in texts if text)


@dataclass(frozen=True)
class _Round:
    """A round that begins in the division of the reader."""

    desk: LeagueDesk
    season: Season
    division: e.Division
    number: int
    now: Sequence[Fixture]
    deadline: datetime | None

    @classmethod
    def of(cls, desk: LeagueDesk) -> "_Round":
        """Return the latest round that the mail is about. Raise ValueError if none begins for the reader."""
        season, division = desk.season, desk.division(desk.season)
        paired = [step.event for step in desk.steps if isinstance(step.event, e.RoundPaired)]
        mine = next((one for one in reversed(paired) if division is not None and one.division == division.name), None)
        if mine is None or division is None:
            raise ValueError(f"no round begins for the reader in {desk.name}")
        numbers = {meeting.number for meeting in mine.meetings}
        # Byes that were asked for come beside the pairs.
        added = [step.event for step in desk.steps if isinstance(step.event, e.MeetingsAdded) and step.event.division == division.name]
        numbers |= {meeting.number for event in added for meeting in event.meetings if meeting.round == mine.round}
        return cls(desk, season, division, mine.round, [one for one in season.of(division) if one.number in numbers], mine.deadline)

    @property
    def headline(self) -> str:
        """The news for the reader: the players they meet, or that they have a bye."""
        desk, season, number = self.desk, self.season, self.number
        mine, line = desk.meeting(season, self.now), desk.line(season)
        if mine is None:
            return say("{league}, round {round}: you have no game in it.", league=desk.name, round=number)
        others = [season.who(other) for other in mine.players if other != line]
        if line is None or not others:
            return say("{league}, round {round}: you have a bye, so no game.", league=desk.name, round=number)
        players, first = desk.players(others), desk.first(season, mine, line)
        if not first:
            return say("{league}, round {round}: you meet {players}.", league=desk.name, round=number, players=players)
        return say("{league}, round {round}: you meet {players}; {first}.", league=desk.name, round=number, players=players, first=first)

    @property
    def until(self) -> str:
        """The deadline of the round as a sentence; empty if there is none, or if the reader has no game in it."""
        mine = self.desk.meeting(self.season, self.now)
        if self.deadline is None or mine is None or len(mine.players) < 2:
            return ""
        return say("The round ends on {deadline}.", deadline=self.desk.long_time(self.deadline))

    @property
    def sections(self) -> tuple[Section, ...]:
        """The pairings, and the results of the round before."""
        # A bye has no result to report.
        last = [one for one in self.season.of(self.division) if one.round == self.number - 1 and len(one.players) > 1]
        found = (
            Section(say("Round {round}:", round=self.number), tuple(self.desk.pair(self.season, one) for one in self.now)),
            Section(say("Round {round}:", round=self.number - 1), tuple(self.desk.result(self.season, one) for one in last)),
        )
        return tuple(one for one in found if one.lines)


def _left(desk: LeagueDesk, season: Season, division: e.Division, number: int = 0) -> str:
    """Return who has withdrawn since the round before `number`, or since the last round, as a sentence; empty if nobody has.

    A ladder has no rounds, so that is its whole season.
    """
    left: set[PlayerId] = set()
    for event in (*desk.about.earlier, *(step.event for step in desk.steps)):
        if isinstance(event, e.RoundPaired) and event.division == division.name and event.round != number:
            left.clear()
        elif isinstance(event, e.PlayerWithdrawn) and event.player in division.players and event.player != desk.reader:
            left.add(event.player)
    # Some have come back since.
    gone = [season.who(line) for line in season.withdrawn if line in left]
    if not gone:
        return ""
    if desk.state.settings.format is Format.LADDER:
        return say("Since the season began, {players} withdrew.", players=desk.players(gone))
    return say("Since the last round began, {players} withdrew.", players=desk.players(gone))


def _forced(desk: LeagueDesk, one: _Round) -> str:
    """Return the reason why the reader's own meeting could not be paired better; empty if there is none."""
    line = desk.line(one.season)
    broken = broken_promises(desk.state, one.season, one.division, one.number)
    found = [_FORCED[breach] for breach, fixture in broken if line in fixture.players]
    # Of a round that an admin has paired, nobody can say that.
    best = "" if _again(desk, one) else say("No better pairing was possible.")
    return paragraph(*found, best) if found else ""


def _again(desk: LeagueDesk, one: _Round) -> str:
    """Return that an admin has paired the round of the reader's division again; empty if not."""
    events = (step.event for step in desk.steps if isinstance(step.event, e.RoundUnpaired))
    event = next((each for each in events if each.division == one.division.name), None)
    if event is None:
        return ""
    return paragraph(
        say("The organisers paired this round again. The games of the first pairing end and do not count."), because(event.reason)
    )


def _opens(desk: LeagueDesk, season: Season, fixtures: Sequence[Fixture]) -> str:
    mine = desk.meeting(season, fixtures)
    if mine is None or len(mine.players) < 2:
        return say("Nothing for you to do.")
    starts = _held(desk, mine) if mine.held else say("Your game starts by itself, and you get a mail.")
    return paragraph(starts, say("Whoever is named first moves first.") if seat_begins(desk.state) else "")


def _held(desk: LeagueDesk, fixture: Fixture) -> str:
    """Return when a game begins whose pairing an admin has to approve."""
    if fixture.held_until is None:
        return say("The organisers look at the pairing first. You get a mail when it is approved, and then you play.")
    when = desk.long_time(fixture.held_until)
    return say(
        "The organisers look at the pairing first. You get a mail when it is approved, by {when} at the latest, and then you play.",
        when=when,
    )


def reminded(desk: LeagueDesk) -> WrittenLetter:
    """Remind the reader of their slow games. Raise ValueError if there are none."""
    season, line = desk.season, desk.line(desk.season)
    meetings = {meeting for step in desk.steps if isinstance(step.event, e.RoundReminded) for meeting in step.event.meetings}
    mine = [one for one in season.fixtures if one.number in meetings and line in one.players]
    if not mine or line is None:
        raise ValueError(f"no game of the reader's in {desk.name} is slow")
    headline = say(
        "{league}: {n} of your games is not over yet.", "{league}: {n} of your games are not over yet.", league=desk.name, n=len(mine)
    )
    meaning = (
        UNFINISHED[desk.state.settings.when_unfinished],
        say("To move, reply to the mail of the game."),
    )
    return desk.written(
        headline,
        say("reminder"),
        # What becomes of unfinished games is decided at the deadline, which not every round has.
        meaning=meaning if mine[0].deadline is not None else meaning[1:],
        own=(Section(say("Your games that are not over:"), tuple(desk.open_game(season, one, line) for one in mine)),),
        also=(desk.to_leave(say("to leave the season:")),),
    )
