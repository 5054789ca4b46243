"""What is different between two moments of a game, or between two games."""

from collections.abc import Mapping
from itertools import zip_longest
from typing import Final

from turnserver.cli.audit.shapes import Change
from turnserver.cli.game.found import Found
from turnserver.cli.output import show
from turnserver.cli.output.tables import chosen, situation, who_plays
from turnserver.mail.outbound.telling import proposals as proposal_story
from turnserver.mail.outbound.wording import counted, span, time_left
from turnserver.play.state import GameState, Status
from turnserver.rules import Seat

WIDTH: Final = 78


def facts(found: Found, clock: show.Times) -> Mapping[str, str]:
    """What there is to compare of a game, by its names; the clock shows what it did then."""
    state, table = found.state, found.table
    offered = state.proposal
    last = state.line.numbered[-1] if state.line.length else None
    return {
        "Game": f"{state.game.entry.title} ({chosen(found.game.options)})",
        "Players": who_plays(found.game),
        "Not accepted": ", ".join([table.name(player) for player in state.players if player not in state.accepted]),
        "Now": situation(found.game, ""),
        "Turns": f"{counted(state.line.length, 'turn')}{f', the last by {table.of(last)}' if last else ''}",
        "Times taken back": str(state.edition),
        "Deadline": clock.full(state.deadline),
        "Time left": time_left(state.deadline - clock.now) if state.deadline is not None and state.deadline > clock.now else "",
        **{f"Clock of {state.seat_name(seat)}": _bank(state, seat) for seat in state.seats},
        "Standing still": "; ".join(found.standing_still(clock)),
        "Late": "; ".join(found.late(clock)),
        "On offer": proposal_story.question(offered, table.parties(offered)) if offered else "",
        "Asked to play on": "; ".join(found.asked()),
        "Gave up": ", ".join([table.at(seat) for seat in sorted(state.left)]),
        "Plans": ", ".join([state.seat_name(seat) for seat in state.seats if state.plans[seat - 1] is not None]),
        "Result": found.result if state.status is Status.ENDED else "",
    }


def _bank(state: GameState, seat: Seat) -> str:
    """What a seat has saved up between its turns; nothing if that is nothing."""
    bank = state.banks[seat - 1]
    saved = span(bank.time) if bank.time else ""
    return ", ".join(filter(None, (saved, counted(bank.periods, "period") if bank.periods else "")))


def changes(before: Mapping[str, str], after: Mapping[str, str]) -> list[Change]:
    """The facts that are not the same, in their order."""
    names = dict.fromkeys((*before, *after))
    found = [Change(name, before.get(name, ""), after.get(name, "")) for name in names]
    return [one for one in found if one.before != one.after]


def side_by_side(one: str, other: str, headings: tuple[str, str]) -> str:
    """Two boards beside each other, with `<>` between lines that differ; one above the other where the screen is too narrow.

    What both say below the board is said once.
    """
    (here, below), (there, also) = _parted(one), _parted(other)
    if below != also:
        here, there, below = one.rstrip(), other.rstrip(), ""
    left, right = here.splitlines(), there.splitlines()
    width = max(map(len, (*left, headings[0])))
    if width + len(_BETWEEN) + max(map(len, (*right, headings[1]))) > WIDTH:
        return "\n\n".join((headings[0], here, headings[1], there, *filter(None, [below])))
    rows = [f"{headings[0]:<{width}}{' ' * len(_BETWEEN)}{headings[1]}", ""]
    for before, after in zip_longest(left, right, fillvalue=""):
        between = " " * len(_BETWEEN) if before.rstrip() == after.rstrip() else _BETWEEN
        rows.append(f"{before:<{width}}{between}{after}".rstrip())
    return "\n".join([*rows, *(["", below] if below else [])])


_BETWEEN: Final = "  <>  "


def _parted(text: str) -> tuple[str, str]:
    """A board and what stands below it."""
    board, _, below = text.rstrip().rpartition("\n\n")
    return (board, below) if board else (below, "")
