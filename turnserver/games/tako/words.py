"""What TAKO's notation, boards and stories say in the same words."""

from typing import assert_never

from turnserver.games.tako.position import Position, Throw, name, opponent, winnings
from turnserver.rules import Over, Seat


def counted(number: int, unit: str) -> str:
    """`1 stone`, `5 stones`."""
    return f"{number} {unit}" if number == 1 else f"{number} {unit}s"


def allows(roll: Throw, unit: str) -> str:
    """What a roll lets its player do, as an order (ruling 1)."""
    match roll.coin:
        case "HI":
            return f"take at most {counted(roll.die, unit)} in all"
        case "LO":
            return f"take at least {counted(roll.die, unit)} in all"
        case "FREE":
            return f"take any number of {unit}s"
        case _:
            assert_never(roll.coin)


def purse(state: Position, seat: Seat, over: Over | None) -> str:
    """What is in a purse: `7`; at the end, how it comes to that: `7 - 4 = 3` (ruling 7)."""
    before = state.purses[seat - 1]
    if over is None:
        return str(before)
    (winner,) = over.winners
    return f"{before} {'+' if seat == winner else '-'} {winnings(state.purses, winner)} = {over.scores[seat - 1]}"


def settlement(state: Position, over: Over) -> tuple[str, ...]:
    """How the purses are settled at the end of a betting game, as sentences; nothing in another game (ruling 7)."""
    if not over.scores:
        return ()
    (winner,) = over.winners
    loser = opponent(winner)
    before, (white, black) = state.purses[loser - 1], over.scores
    if before:
        share = f"{name(winner)} wins half of {name(loser)}'s {counted(before, 'coin')}, rounded up: {winnings(state.purses, winner)}."
    else:
        share = f"{name(loser)}'s purse is empty, so there is nothing to win."
    final = f"The final purses: White {white}, Black {black}."
    rest = sum(state.piles)
    left = (f"Nobody gets the {counted(rest, 'coin')} left in the piles.",) if rest else ()
    return (share, final, *left)
