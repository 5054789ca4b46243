"""Reports about decisions that a league waits for: to those who direct it, in their language, or to the admin in English."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple, assert_never

from turnserver.ids import LeagueId, PlayerId, Version
from turnserver.league.events import Role
from turnserver.league.rights import ARBITERS, DIRECTORS, SECRETARIES
from turnserver.mail.inbound.directions import usage
from turnserver.mail.outbound.context import MailContext
from turnserver.mail.outbound.game_words import common
from turnserver.mail.outbound.kinds import MailKind, Notice
from turnserver.mail.outbound.language import one_line
from turnserver.mail.outbound.letters import AdminReport, Fact, Letter
from turnserver.text import pack, say


class Matter(StrEnum):
    """The subject of a report."""

    # Games are not over at the end of their round.
    OVERDUE = "overdue"
    # Players are tied for a place and have to play it out.
    PLAYOFF = "playoff"
    # A game cannot be opened.
    UNOPENED = "unopened"
    # A player has withdrawn by mail.
    WITHDRAWN = "withdrawn"
    # A season had too few players.
    DROPPED = "dropped"
    # A result has changed after the season.
    AFTERWARDS = "afterwards"
    # A result has changed when there was a newer season already, so the tables stay.
    TOO_LATE = "too late"
    # A round could not be paired without a rematch, a second bye, or two players who are due the same move.
    FORCED = "forced"
    # A round is paired, and its games wait for approval.
    PAIRED = "paired"
    # Everything is played, and the final tables wait for approval.
    PLAYED = "played"
    # A player asks for a decision because the opponent does not move. The admin is told of it as of any game.
    CLAIM = "claim"


ROLES: Final[Mapping[Matter, frozenset[Role]]] = MappingProxyType(
    {
        Matter.OVERDUE: ARBITERS,
        Matter.PLAYOFF: ARBITERS,
        Matter.UNOPENED: SECRETARIES,
        Matter.WITHDRAWN: SECRETARIES,
        Matter.DROPPED: DIRECTORS,
        Matter.AFTERWARDS: ARBITERS,
        Matter.TOO_LATE: ARBITERS,
        Matter.FORCED: ARBITERS,
        Matter.PAIRED: ARBITERS,
        Matter.PLAYED: ARBITERS,
        Matter.CLAIM: ARBITERS,
    }
)
"""The roles of those who are told of each matter, for they may decide about it."""


def league_report(admin: str, league: LeagueId, name: str, matter: Matter, items: Sequence[tuple[str, str]]) -> Notice:
    """Return a notice to the admin's address. Detail: `about` (league), `league`, `name`, `matter`, and `items`.

    The items are pairs: a label (`Meeting 7`) and the facts about it.
    """
    told = [[str(label), str(text)] for label, text in items]
    detail = {"about": "league", "league": league, "name": name, "matter": matter.value, "items": told}
    return Notice(MailKind.ADMIN_REPORT, address=admin, detail=detail)


def duty(player: PlayerId, league: LeagueId, version: Version, matter: Matter, items: Sequence[tuple[str, str]]) -> Notice:  # a matter
    """Tell somebody who directs a league, as it is at a version, what waits for them.

    Detail: `league`, `version`, `matter`, and `items` as in `league_report`, each of the two packed as by `text.pack`.
    """
    told = [[pack(label), pack(text)] for label, text in items]
    return Notice(MailKind.LEAGUE_DUTY, player, detail={"league": league, "version": version, "matter": matter.value, "items": told})


class Said(NamedTuple):
    """The headline, its meaning, and the possible steps of the admin and of a director.

    A step of the admin is its purpose and the command after `turnserver league`, one of a director the line that is written by mail.
    """

    headline: str
    meaning: str
    steps: tuple[tuple[str, str], ...]
    lines: tuple[tuple[str, str], ...] = ()


def said(matter: Matter, name: str, league: str) -> Said:  # noqa: C901  # one branch a matter
    """Return the words about a matter of the league of that name; `league` names it in lines by mail, as `league-3`."""
    result = (say("for a result:"), usage(league, "result"))
    match matter:
        case Matter.OVERDUE:
            return Said(
                say("{name}: games are not over at the end of their round.", name=name),
                say("They go on until they end by themselves, or until you decide. The players were told that you were asked."),
                (
                    ("To see how far they are", "show {league}"),
                    ("To enter a result, which ends the game", "result {league} PLAYER PLAYER win --reason TEXT"),
                ),
                (result, (say("for more time:"), usage(league, "extend"))),
            )
        case Matter.PLAYOFF:
            return Said(
                say("{name}: everything is played, and some are tied for a place.", name=name),
                say(
                    "The season closes once it is known who of them is before whom. Let them play it out as you like, and enter the order."
                ),
                (
                    ("To see the table", "standings {league}"),
                    ("To enter the order, the best first", "playoff {league} DIVISION PLAYER PLAYER"),
                ),
                ((say("for a playoff:"), usage(league, "playoff")),),
            )
        case Matter.UNOPENED:
            return Said(
                say("{name}: a game could not be opened.", name=name),
                say("The service tries again every hour; all other games are opened. This report comes once for this meeting."),
                (
                    ("To see what waits", "show {league}"),
                    ("To have somebody else play", "substitute {league} PLAYER SUBSTITUTE --reason TEXT"),
                    ("To decide the meeting without a game", "result {league} PLAYER PLAYER win --reason TEXT"),
                ),
                ((say("to replace one:"), usage(league, "substitute")),),
            )
        case Matter.WITHDRAWN:
            return Said(
                say("{name}: a player withdrew.", name=name),
                say("Their running games were resigned or decided, and their opponents were told."),
                (("To see the table", "standings {league}"), ("To see what is left to play", "show {league}")),
                (
                    (say("if it was a mistake:"), usage(league, "return")),
                    (say("to replace one:"), usage(league, "substitute")),
                ),
            )
        case Matter.DROPPED:
            return Said(
                say("{name}: the season was dropped, since there were too few players.", name=name),
                say("Everybody who had entered was told. Nothing more happens until the next season is announced."),
                (("To announce the season once more", "open {league}"),),
                ((say("to announce it again:"), usage(league, "open")),),
            )
        case Matter.AFTERWARDS:
            return Said(
                say("{name}: a result has changed after the season.", name=name),
                say("The final tables were corrected, and the players were told."),
                (("To see the table", "standings {league}"), ("To set another result", "result {league} PLAYER PLAYER win --reason TEXT")),
                ((say("for another result:"), usage(league, "result")),),
            )
        case Matter.TOO_LATE:
            return Said(
                say("{name}: a result has changed that cannot be carried to its table.", name=name),
                say(
                    "Its season is not the latest one any more, so its tables, and who moved up and down because of them, stay as they are."
                ),
                (("To see what has happened in the league", "history {league}"),),
            )
        case Matter.FORCED:
            return Said(
                say("{name}: a round could not be paired as it should be.", name=name),
                say(
                    "No other pairing is better, mostly because players have left. "
                    "The games open by themselves, and the players were told why."
                ),
                (
                    ("To see the round", "show {league}"),
                    ("To end the season before its last round", "close {league} --reason TEXT"),
                ),
            )
        case Matter.PAIRED:
            return Said(
                say("{name}: a round is paired and waits for you.", name=name),
                say(
                    "The players know whom they meet. "
                    "Their games start when you approve the pairing, or by themselves if the league has set a time for that."
                ),
                (
                    ("To let the games start", "approve {league}"),
                    ("To pair a Swiss round again", "pair {league} --again --reason TEXT"),
                ),
                ((say("to let the games start:"), usage(league, "approve")),),
            )
        case Matter.PLAYED:
            return Said(
                say("{name}: everything is played, and the final table waits for you.", name=name),
                say("The players have seen it. It is final when you approve it, or by itself if the league has set a time for that."),
                (
                    ("To see the table", "standings {league}"),
                    ("To correct a result", "result {league} PLAYER PLAYER win --reason TEXT"),
                    ("To have it stand", "approve {league}"),
                ),
                ((say("to have it stand:"), usage(league, "approve")), (say("for another result:"), usage(league, "result"))),
            )
        case Matter.CLAIM:
            return Said(
                say("{name}: a player asks you to decide a game.", name=name),
                say("Their opponent does not move. If you enter no result, the game goes on, and a move settles the claim."),
                (),
                (result,),
            )
        case _:
            assert_never(matter)


def write_league_report(context: MailContext) -> Letter:
    """Return the report with its facts, its meaning, and the possible steps."""
    detail = context.detail
    told = said(Matter(detail["matter"]), one_line(detail["name"]), f"league-{detail['league']}")
    return AdminReport(
        **common(context, told.headline),
        facts=tuple(Fact(one_line(label), one_line(text, LONGEST)) for label, text in detail["items"]),
        meaning=(told.meaning,),
        steps=tuple(Fact(when, f"turnserver league {command.format(league=detail['league'])}") for when, command in told.steps),
    )


LONGEST: Final = 300
"""The number of characters of a fact that a report shows."""
