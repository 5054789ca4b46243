"""Reports to the admin about decisions that a league waits for. They are in English, as all mails to admins."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple

from turnserver.ids import LeagueId
from turnserver.mail.outbound.context import MailContext
from turnserver.mail.outbound.game_words import common
from turnserver.mail.outbound.kinds import MailKind, Notice
from turnserver.mail.outbound.language import one_line
from turnserver.mail.outbound.letters import AdminReport, Fact, Letter


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


def league_report(admin: str, league: LeagueId, name: str, matter: Matter, items: Sequence[tuple[str, str]]) -> Notice:
    """Return a notice to the admin's address. Detail: `about` (league), `league`, `name`, `matter`, and `items`.

    The items are pairs: a label (`Meeting 7`) and the facts about it.
    """
    detail = {"about": "league", "league": league, "name": name, "matter": matter.value, "items": [list(item) for item in items]}
    return Notice(MailKind.ADMIN_REPORT, address=admin, detail=detail)


class _Said(NamedTuple):
    """The headline, its meaning, and the possible steps. A step is its purpose and the command after `turnserver league`."""

    headline: str
    meaning: str
    steps: tuple[tuple[str, str], ...]


_SAID: Final[Mapping[Matter, _Said]] = MappingProxyType(
    {
        Matter.OVERDUE: _Said(
            "{name}: games are not over at the end of their round.",
            "They go on until they end by themselves, or until you decide. The players were told that you were asked.",
            (
                ("To see how far they are", "show {league}"),
                ("To enter a result, which ends the game", "result {league} PLAYER PLAYER win --reason TEXT"),
            ),
        ),
        Matter.PLAYOFF: _Said(
            "{name}: everything is played, and some are tied for a place.",
            "The season closes once it is known who of them is before whom. Let them play it out as you like, and enter the order.",
            (
                ("To see the table", "standings {league}"),
                ("To enter the order, the best first", "playoff {league} DIVISION PLAYER PLAYER"),
            ),
        ),
        Matter.UNOPENED: _Said(
            "{name}: a game could not be opened.",
            "The service tries again every hour; all other games are opened. This report comes once for this meeting.",
            (
                ("To see what waits", "show {league}"),
                ("To have somebody else play", "substitute {league} PLAYER SUBSTITUTE --reason TEXT"),
                ("To decide the meeting without a game", "result {league} PLAYER PLAYER win --reason TEXT"),
            ),
        ),
        Matter.WITHDRAWN: _Said(
            "{name}: a player withdrew.",
            "Their running games were resigned or decided, and their opponents were told.",
            (("To see the table", "standings {league}"), ("To see what is left to play", "show {league}")),
        ),
        Matter.DROPPED: _Said(
            "{name}: the season was dropped, since there were too few players.",
            "Everybody who had entered was told. Nothing more happens until the next season is announced.",
            (("To announce the season once more", "open {league}"),),
        ),
        Matter.AFTERWARDS: _Said(
            "{name}: a result has changed after the season.",
            "The final tables were corrected, and the players were told.",
            (("To see the table", "standings {league}"), ("To set another result", "result {league} PLAYER PLAYER win --reason TEXT")),
        ),
        Matter.TOO_LATE: _Said(
            "{name}: a result has changed that cannot be carried to its table.",
            "Its season is not the latest one any more, so its tables, and who moved up and down because of them, stay as they are.",
            (("To see what has happened in the league", "history {league}"),),
        ),
        Matter.FORCED: _Said(
            "{name}: a round could not be paired as it should be.",
            "No other pairing is better, mostly because players have left. The games open by themselves, and the players were told why.",
            (
                ("To see the round", "show {league}"),
                ("To end the season before its last round", "close {league} --reason TEXT"),
            ),
        ),
        Matter.PAIRED: _Said(
            "{name}: a round is paired and waits for you.",
            "The players know whom they meet. Their games start when you approve the pairing, or when the time for that is over.",
            (
                ("To let the games start", "approve {league}"),
                ("To pair a Swiss round again", "pair {league} --again --reason TEXT"),
            ),
        ),
        Matter.PLAYED: _Said(
            "{name}: everything is played, and the final table waits for you.",
            "The players have seen it. It is final when you approve it, or when the time for that is over.",
            (
                ("To see the table", "standings {league}"),
                ("To correct a result", "result {league} PLAYER PLAYER win --reason TEXT"),
                ("To have it stand", "approve {league}"),
            ),
        ),
    }
)


def report_title(context: MailContext) -> str:
    """Return the headline of the report."""
    detail = context.detail
    return _SAID[Matter(detail["matter"])].headline.format(name=one_line(detail["name"]))


def write_league_report(context: MailContext) -> Letter:
    """Return the report with its facts, its meaning, and the possible steps."""
    detail = context.detail
    said = _SAID[Matter(detail["matter"])]
    return AdminReport(
        **common(context, report_title(context)),
        facts=tuple(Fact(one_line(label), one_line(text, _LONGEST)) for label, text in detail["items"]),
        meaning=(said.meaning,),
        steps=tuple(Fact(when, f"turnserver league {command.format(league=detail['league'])}") for when, command in said.steps),
    )


_LONGEST: Final = 300
