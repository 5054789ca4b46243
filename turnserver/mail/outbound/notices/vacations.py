"""The notices about plans and vacations, and the form of their details; see also `turnserver.mail.outbound.notices.game`."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Literal, NamedTuple, TypeAlias

from turnserver.ids import GameId, PlayerId, Version
from turnserver.mail.outbound.kinds import Detail, MailKind, Notice
from turnserver.play.conditional_moves import Plan
from turnserver.play.vacations import Span, Vacation

PlanNews: TypeAlias = Literal["laid", "shown", "forgotten"]
"""The reason why a player is shown their plan: they have laid it, asked for it, or forgotten it."""


def own_plan(player: PlayerId, news: PlanNews, plan: Plan = (), digest: str = "") -> Notice:
    """Show a player their plan, or the rest of it, with its digest in the log. Both are empty if there is no plan.

    Detail: `news`; `digest`; `branches`, in the order of their writing a list of {`number`, `expected`, `reply`}. A number such as `2.1` is
    the first branch in the brackets of the second. Turns are lists of steps; `expected` is null for any turn.
    """
    return Notice(MailKind.PLAN, player, detail={"news": news, "digest": digest, "branches": list(_numbered(plan))})


def _numbered(plan: Plan, above: str = "") -> Iterator[dict[str, str | Sequence[str] | None]]:
    for at, branch in enumerate(plan, start=1):
        number = f"{above}{at}"
        yield {"number": number, "expected": branch.expected and list(branch.expected), "reply": list(branch.reply)}
        yield from _numbered(branch.then, f"{number}.")


class Year(NamedTuple):
    """The days of vacation of a player in a calendar year, and the days among them that are neither taken nor declared."""

    year: int
    days: int
    left: int


class Stopped(NamedTuple):
    """A game of a player on vacation, such as `Take 17`: its deadline before and after, and the end of the stop of the player's clock.

    `until` is None where no vacation is allowed any more, and when one has ended. `late` is the beginning of the stop where the time of the
    turn was up when the vacation was declared; else None. `others` are the stops for other vacations: all of them once one has ended, else
    those to which days came back. With `mine`, the player has the turn. `version` is that of the game then.
    """

    game: GameId
    name: str
    before: datetime | None
    after: datetime | None
    until: datetime | None
    others: tuple[Span, ...]
    mine: bool
    version: Version
    late: datetime | None = None


class VacationChange(NamedTuple):
    """A vacation with the games that it concerns. It was declared or, if `over`, has ended or was called off."""

    vacation: Vacation
    games: tuple[Stopped, ...]
    over: bool


def vacation(player: PlayerId, ahead: Iterable[Vacation], years: Iterable[Year], change: VacationChange | None = None) -> Notice:
    """Tell a player about their vacations, after a change if there was one.

    Detail: `ahead`, a list of {`number`, `begins`, `ends`}; `years`, a list of {`year`, `days`, `left`}; `change`, as `away` has it.
    """
    detail = {
        "ahead": [_as_json(each) for each in ahead],
        "years": [year._asdict() for year in years],
        "change": change and _change(change),
    }
    return Notice(MailKind.VACATION, player, detail=detail)


def away(player: PlayerId, name: str, change: VacationChange) -> Notice:
    """Tell somebody that a player with whom they play several games is away or back. Instants are in ISO 8601.

    Detail: `name`; `vacation`, {`number`, `begins`, `ends`}; `over`; `games`, a list of {`game`, `version`, `name`, `before`, `after`,
    `until`, `others`, `mine`, `late`}; `others` are lists of {`begins`, `ends`}.
    """
    return Notice(MailKind.AWAY, player, detail={"name": name, **_change(change)})


def _change(change: VacationChange) -> Detail:
    return {"vacation": _as_json(change.vacation), "over": change.over, "games": [_stopped(game) for game in change.games]}


def _stopped(game: Stopped) -> Detail:
    others = [{"begins": _iso(span.begins), "ends": _iso(span.ends)} for span in game.others]
    instants = {"before": _iso(game.before), "after": _iso(game.after), "until": _iso(game.until), "late": _iso(game.late)}
    return {**game._asdict(), **instants, "others": others}


def _as_json(vacation: Vacation) -> Detail:
    return {"number": vacation.number, "begins": _iso(vacation.begins), "ends": _iso(vacation.ends)}


def _iso(at: datetime | None) -> str | None:
    return at.isoformat() if at else None
