"""Letters about how a league stands: at the end of a season, and whenever somebody asks."""

from collections.abc import Iterator

from turnserver.league.entering import waiting
from turnserver.league.events import FinalTable, SeasonClosed
from turnserver.league.scoring.tables import planned
from turnserver.league.state import LeagueState, Phase, Season
from turnserver.mail.outbound.game_words import Written
from turnserver.mail.outbound.league_words import LeagueDesk
from turnserver.mail.outbound.letters import LeagueFinal, LeagueShown, LineToWrite, Section
from turnserver.mail.outbound.writing.leagues import before_start, season_of, situation
from turnserver.text import joined, say


def final(desk: LeagueDesk) -> Written:
    """The season is over. Raises ValueError if it is not, or the reader was not in it."""
    step = next((one for one in desk.steps if isinstance(one.event, SeasonClosed)), None)
    season = step.after.season if step is not None else None
    division = desk.division(season) if season is not None else None
    if step is None or season is None or division is None or not isinstance(step.event, SeasonClosed):
        raise ValueError(f"no season of {desk.name} is over for the reader")
    own = next(table for table in step.event.tables if table.division == division.name)
    next_one = season_of(desk)
    return desk.written(
        LeagueFinal,
        _ending(desk, season, own),
        say("season {n}: final table", n=season.number),
        meaning=(
            _winner(desk, own),
            _where_to(desk, step.after),
            _rated(desk, season),
            *(_announced(desk, next_one) if next_one.number > season.number else (_to_come(desk, step.event),)),
        ),
        table=desk.table(step.after, season, division),
        also=(desk.to_leave(say("not to play this time:")),) if next_one.number > season.number else (),
    )


def _ending(desk: LeagueDesk, season: Season, own: FinalTable) -> str:
    line = next(one for one in own.lines if one.player == desk.reader)
    if len(season.divisions) > 1:
        return say(
            "{league}: season {n} is over. You have place {place} of {all} in division {division}.",
            league=desk.name,
            n=season.number,
            place=line.place,
            all=len(own.lines),
            division=own.division,
        )
    return say(
        "{league}: season {n} is over. You have place {place} of {all}.",
        league=desk.name,
        n=season.number,
        place=line.place,
        all=len(own.lines),
    )


def _winner(desk: LeagueDesk, own: FinalTable) -> str:
    best = [line.player for line in own.lines if line.place == 1]
    if desk.reader in best:
        return say("Congratulations!") if len(best) == 1 else ""
    return say("It was won by {players}.", players=desk.players(best))


def _where_to(desk: LeagueDesk, state: LeagueState) -> str:
    """Whether the reader goes up or down, if everybody stays who has played to the end."""
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
    """The reader's rating, then and now."""
    now = desk.about.rating
    before = next((entry.rating for entry in season.entries if entry.player == desk.reader), None)
    if now is None:
        return ""
    if before is None:
        return say("Your rating is now {rating}.", rating=now.told())
    return say("Your rating was {before} when you entered. Now it is {rating}.", before=round(before), rating=now.told())


def _to_come(desk: LeagueDesk, event: SeasonClosed) -> str:
    if event.next_at is None:
        return ""
    return say(
        "The next season is announced {when}. You are in it then, unless you write that you would rather not.",
        when=desk.short_time(event.next_at),
    )


def _announced(desk: LeagueDesk, season: Season) -> Iterator[str]:
    yield say("Season {n} is announced already, and you are in.", n=season.number)
    yield from before_start(desk, season)


def shown(desk: LeagueDesk) -> Written:
    """How a league stands."""
    season = desk.state.season
    if season is None:
        told = say("{league} has no season now.", league=desk.name)
        return desk.written(LeagueShown, told, say("how it stands"), meaning=(say("Nobody can enter before the next one is announced."),))
    if season.phase in (Phase.ENTRIES, Phase.READY_CHECK):
        return _entries(desk, season)
    division = desk.division(season) or season.divisions[0]
    line = desk.line(season)
    mine = [desk.open_game(season, one, line) for one in season.fixtures if line is not None and line in one.players and not one.marks]
    headline = say("This is how {season} stands.", season=desk.where(season, division))
    may_leave = season.phase is Phase.RUNNING and line is not None and line not in season.withdrawn
    return desk.written(
        LeagueShown,
        headline,
        say("how it stands"),
        sections=(Section(say("Your games that are not over:"), tuple(mine)),),
        table=desk.table(desk.state, season, division),
        also=(desk.to_leave(say("to leave the season:")),) if may_leave else (),
    )


def _entries(desk: LeagueDesk, season: Season) -> Written:
    """Who is in a season that has not begun."""
    queue = waiting(desk.state, season)
    there = [desk.player(entry.player) for entry in season.entries if entry.player not in queue]
    headline = say("{league}: {situation}", league=desk.name, situation=situation(desk, desk.about))
    own = any(entry.player == desk.reader for entry in season.entries)
    join = LineToWrite(say("to enter:"), say("join {league}", league=desk.key), say("Enter"))
    return desk.written(
        LeagueShown,
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
