"""A change of a league from a terminal: what would happen, the question, the command, and what has happened, in words for an admin."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Final, NamedTuple

import typer

from turnserver.cli import complete
from turnserver.cli.game.found import actor_told
from turnserver.cli.league.group import LeagueFound, load
from turnserver.cli.league.shapes import LeagueEventTold
from turnserver.cli.output import show
from turnserver.cli.session import Session
from turnserver.errors import BadOption, NotAllowed, Unplayable
from turnserver.ids import GameId, LeagueId
from turnserver.league import commands as c
from turnserver.league.events import (
    EVENT_TYPES,
    DecidedBy,
    LeagueEvent,
    ResultCorrected,
    ResultRecorded,
    ResultReopened,
    TablesCorrected,
)
from turnserver.league.evolve import evolve, fold
from turnserver.league.formats.formats import undecided_ties
from turnserver.league.state import LeagueState
from turnserver.mail.outbound.telling.leagues import happened
from turnserver.play import events as play
from turnserver.service.leagues.folds import LeagueDecision
from turnserver.store.games.views import BY_HAND, games_ended_by_hand
from turnserver.store.people.accounts import Person

Who = Annotated[str, typer.Argument(metavar="PLAYER", autocompletion=complete.players, help="The player's number, name or mail address.")]
Whom = Annotated[
    list[str], typer.Argument(metavar="PLAYER", autocompletion=complete.players, help="Each player's number, name or mail address.")
]

Again = Annotated[
    str,
    typer.Option(
        metavar="WHICH",
        help="Which games that ended by the withdrawal are played after all: `in-time` those whose deadline has not passed, and those that "
        "were not paired meanwhile; `all`; `none`; or the numbers of their meetings, such as 4,7.",
    ),
]

OF_PLAYER: Final = {
    "already_entered": "{name} has entered season {season} of {league} already.",
    "not_entered": "{name} has not entered season {season} of {league}.",
    "already_ready": "{name} is ready for season {season} of {league} already.",
    "not_in_season": "{name} is not in season {season} of {league}. `turnserver league show {number}` lists who is.",
    "has_left": "{name} has left season {season} of {league}. `turnserver league withdraw --back` undoes that.",
    "not_withdrawn": "{name} has not withdrawn from season {season} of {league}, so there is nothing to undo.",
    "not_late": "{name} was in season {season} of {league} from its start. `turnserver league withdraw` takes them out of it.",
    "has_played": "{name} has played a game of season {season} of {league} to its end, so the entry stays. `turnserver league withdraw` "
    "takes them out of it.",
    "sits_with_others": "{name} sits at a table with others in season {season} of {league}, who play on. "
    "`turnserver league withdraw` takes them out of it.",
    "is_built_on": "The rounds to come in {league} follow from the entry of {name}, and others came later. "
    "`turnserver league withdraw` takes them out of it.",
    "not_on_ladder": "Both have to be on the ladder of {league}. `turnserver league standings` shows who is.",
    "not_above": "{name} can challenge only players who stand above.",
    "out_of_reach": "{name} cannot challenge somebody who stands so far above. `turnserver league show` shows how far the reach is.",
    "open_already": "There is a challenge between the two already. It is to be played to its end first.",
    "too_many_games": "{name} has as many own challenges as a player may have. One of them is to be played to its end first.",
    "season_full": "Season {season} of {league} has all the players that it takes. {name} can come back when somebody has left.",
    "has_bye": "{name} has a bye in that round of {league} already. `turnserver league bye --back` takes it back.",
    "no_ready_check": "Nobody has been asked yet whether they will play for season {season} of {league}.",
}
"""The words of refusals about a player to an admin, by their codes."""
OF_LEAGUE: Final = {
    "no_season": "This league has no season now. `turnserver league open {number}` announces one.",
    "season_open": "Season {season} of {league} is not over yet. `turnserver league close {number}` ends it; if it has not begun, "
    "`turnserver league drop {number}` calls it off.",
    "season_not_begun": "Season {season} of {league} has not begun. `turnserver league start {number}` begins it.",
    "entries_closed": "Entries for season {season} of {league} are closed. Once it has begun, `turnserver league enter {number} --past` "
    "lets players in.",
    "not_by_withdrawal": "Only meetings that the withdrawal has decided can be played after all: `turnserver league history {number}` has "
    "them.",
    "decided": "That meeting has a result already. `turnserver league result {number}` changes it.",
    "season_running": "Season {season} of {league} has begun. `turnserver league enter --past` lets players in, `turnserver league "
    "substitute` lets somebody play on for a player, `turnserver league close` ends it, and `turnserver league drop --begun` calls it off.",
    "not_paused": "Season {season} of {league} is not paused, so there is nothing to resume.",
    "season_cancelled": "Season {season} of {league} was cancelled and has no table. `turnserver league reopen {number}` goes on with it.",
    "no_late_entry": "{league} takes nobody once it has begun: `turnserver league substitute {number}` lets somebody play on for a player.",
    "no_more_rounds": "All rounds of season {season} of {league} are paired, so nobody new would play in it.",
    "not_swiss": "Only rounds of Swiss and McMahon events can be paired again, and {league} is none.",
    "no_ladder": "{league} is no ladder: nobody challenges there, and who meets is decided by its format.",
    "nothing_to_approve": "Nothing waits for approval in {league}. `turnserver league show {number}` says how it stands.",
    "rounds_follow": "Each round of {league} begins when the one before is over, so no dates of rounds can be moved. "
    "`turnserver league extend {number} --longer 7d` gives its games more time.",
    "no_dates": "Season {season} of {league} has no dates to come. `turnserver league extend {number} --longer 7d` gives its games more "
    "time.",
    "archived": "{league} is archived. `turnserver league archive {number} --back` brings it back.",
    "barred": "The two are barred from meeting in {league}. `turnserver league bar --allow` lets them meet again.",
}
"""The words of refusals about a league to an admin, where a player reads what an admin may do."""


@contextmanager
def about(found: LeagueFound, person: Person | None = None) -> Iterator[None]:
    """Raise a refusal of the body in words for an admin, in place of those for a player."""
    try:
        yield
    except NotAllowed as refused:
        raise for_admin(refused, found, person.name if person is not None else None) from refused


def for_admin(refused: NotAllowed, found: LeagueFound, name: str | None) -> NotAllowed:
    """Return a refusal in words for an admin: it is about somebody else, and says what an admin can do."""
    # The words about a player have a place for the name, and not every command is about one.
    words = OF_LEAGUE.get(refused.code) or (OF_PLAYER.get(refused.code) if name is not None else None)
    if words is None:
        return refused
    return NotAllowed(refused.code, words.format(name=name, season=found.state.seasons, league=found.state.name, number=found.id))


def act(
    run: Session,
    found: LeagueFound,
    command: c.LeagueCommand,
    question: str = "",
    *,
    person: Person | None = None,
    then: str = "",
    yes: bool = False,
    json: bool,
) -> None:
    """Ask unless there is nothing to ask, carry a command out, which may be about a person, and say what it came to.

    Before the question, everything is told that would happen. `then` follows the question, or what has happened if nobody was asked.
    """
    # With --yes nobody reads what would happen, and deciding twice takes time.
    if question and not yes:
        with about(found, person):
            would = run.service.leagues.preview(found.id, command, actor=run.actor)
        warn(told_beforehand(would, found))
    show.confirm(f"{question} {then}".rstrip(), yes=yes or not question)
    with about(found, person):
        plan = run.service.leagues.handle(found.id, command, actor=run.actor, cause=run.cause)
    report(run, plan, json=json, then=f"{then} {_undecided(plan, found, 'now')}".strip() if yes else "")


def warn(sentences: Iterable[str]) -> None:
    """Tell what would happen, before a question."""
    typer.echo("This would happen:", err=True)
    for words in sentences:
        typer.echo(f"  {words}", err=True)


def report(run: Session, plan: LeagueDecision, *, json: bool, then: str = "", news: bool = False) -> None:
    """Say what has happened to a league in one decision, and what to do then; with `news`, also what the league has heard of its games."""
    first = (plan.before.version if plan.before is not None else 0) + (0 if news else len(plan.heard.events))
    # Cut at both ends: the service may have decided more meanwhile.
    tell(told_events(run, plan.league)[first : plan.after.version], json=json, then=then)


def tell(events: Sequence[LeagueEventTold], *, json: bool, then: str = "") -> None:
    """Say what has happened, and, to people, what to do then."""
    if json:
        show.json(events)
        return
    for event in events:
        show.words(event.what)
    if then:
        show.words(then)


def told_beforehand(would: LeagueDecision, found: LeagueFound) -> Iterator[str]:
    """Yield a sentence for each event of a decision that is not written."""
    # The decision is about the league as it is once it has heard what its games have come to.
    state = would.before if not would.heard.events else fold(would.heard.events, would.before)
    for event in would.own:
        yield happened(event, state, found.told)
        state = evolve(state, event)
    if missing := _undecided(would, found, "then"):
        yield missing


def _undecided(decision: LeagueDecision, found: LeagueFound, when: str) -> str:
    """Return what a cup that is over lacks `when` a correction has others meet; empty without a correction, or if it lacks nothing."""
    season = decision.after.season
    if season is None or not any(isinstance(event, TablesCorrected) for event in decision.own):
        return ""
    ties = undecided_ties(decision.after, season)
    if not ties:
        return ""
    told = [
        f"{f'meeting {meeting.number} of ' if meeting else ''}{found.told.all(map(season.who, tie.players))} in round {tie.round}"
        for tie, meeting in ties
    ]
    todo = f"`turnserver league reopen {found.id} --reason TEXT` lets it be played."
    if all(meeting is not None for _, meeting in ties):
        todo = f"Enter it by `turnserver league result {found.id} MEETING win|loss --reason TEXT`, or {todo}"
    return f"Not decided {when}: {'; '.join(told)}. {todo}"


def told_of_two(would: Iterable[LeagueDecision], *leagues: LeagueFound) -> Iterator[str]:
    """Yield the sentences of `told_beforehand` for decisions about several leagues, each behind the name of its league."""
    # An event of one league may name a player whom only the other one knows.
    found = leagues[0]._replace(names={player: name for league in leagues for player, name in league.names.items()})
    for decision in would:
        yield from (f"{decision.after.name}: {words}" for words in told_beforehand(decision, found))


def told_events(run: Session, league: LeagueId) -> list[LeagueEventTold]:
    """Return every event of a league, each told in a sentence."""
    found, rows = load(run, str(league)), run.service.leagues.history(league)
    with run.service.db.read() as conn:
        # The event of the league says only that the game came to this: the league knows nothing of `play`, and who decided a game stands in
        # the game's own log. Most games end by themselves, so only those that an admin has ended are read.
        by_hand = games_ended_by_hand(conn, league)
    # An earlier result of a game that went on may have been an admin's too.
    reopened = {row.event.meeting for row in rows if isinstance(row.event, ResultReopened)}
    sentences: list[LeagueEventTold] = []
    state: LeagueState | None = None
    for row in rows:
        event: LeagueEvent = row.event
        words, decided_by = happened(event, state, found.told), None
        if isinstance(event, ResultCorrected) or (isinstance(event, ResultRecorded) and event.by is DecidedBy.ADMIN):
            decided_by = row.actor
        elif isinstance(event, ResultRecorded) and event.by is DecidedBy.GAME and state is not None and state.season is not None:
            game = state.season.fixtures[event.meeting - 1].game
            if game is not None and (game in by_hand or event.meeting in reopened):
                decided_by, how = _by_hand(run, found, game, row.position)
                words += how
        kind = EVENT_TYPES[type(event)].name
        sentences.append(LeagueEventTold(row.version, row.position, row.at, row.actor, row.cause, kind, words, row.hash.hex(), decided_by))
        # Only after the sentence, which needs the league as it was before the event.
        state = evolve(state, event)
    return sentences


def _by_hand(run: Session, found: LeagueFound, game: GameId, before: int) -> tuple[str | None, str]:
    """Return who decided a game whose result the league then recorded at a position of the log, and how as a sentence.

    None and nothing if it ended by itself, or if this program cannot read it.
    """
    try:
        # What came later belongs to a later result of the same game.
        rows = [row for row in run.service.games.history(game) if row.position < before]
    except Unplayable:
        return None, ""
    ended_at, end = next((row, row.event) for row in reversed(rows) if isinstance(row.event, play.GameEnded | play.ResultAnnulled))
    if isinstance(end, play.GameEnded) and end.by not in BY_HAND:
        return None, ""
    # Of the same request: a claim may have been granted before, and the game taken up again since.
    granted = any(isinstance(row.event, play.ClaimDecided) and row.event.granted and row.cause == ended_at.cause for row in rows)
    did = f"granted the claim in game {game}" if granted else f"decided game {game}"
    why = f' ("{end.reason}")' if end.reason else ""
    return ended_at.actor, f" {actor_told(ended_at.actor, found.names)} {did}{why}."


class PlayedAgain(NamedTuple):
    """The meetings of a line that are played after all, None for those that are in time, and whether rounds that it missed are played."""

    meetings: tuple[int, ...] | None
    missed: bool


def played_again(found: LeagueFound, person: Person, again: str) -> PlayedAgain:
    """Read --again. Raises BadOption."""
    if again == "in-time":
        return PlayedAgain(None, missed=True)
    if again == "none":
        return PlayedAgain((), missed=False)
    season = found.season
    if again == "all":
        decided = (one for one in season.fixtures if one.by is DecidedBy.WITHDRAWAL)
        theirs = (one.number for one in decided if any(person.id in (line, season.who(line)) for line in one.players))
        return PlayedAgain(tuple(theirs), missed=True)
    words = again.split(",")
    if not all(word.strip().isascii() and word.strip().isdigit() and len(word) < 10 for word in words):
        raise BadOption(f"{again!r} are no meetings. Write in-time, all, none, or their numbers, such as 4,7.")
    # Whoever names meetings wants these and no others.
    return PlayedAgain(tuple(dict.fromkeys(int(word) for word in words)), missed=False)
