"""What TAKO's notation, boards and stories say in the same words."""

from typing import assert_never

from turnserver.games.tako.position import Options, Position, Throw, name, opponent, winnings
from turnserver.rules import Over, Seat
from turnserver.text import say


def counted(number: int, options: Options) -> str:
    """`1 stone`, `5 stones`; in a betting game, coins."""
    return coins(number) if options.betting else say("{n} stone", "{n} stones", n=number)


def coins(number: int) -> str:
    """`1 coin`, `5 coins`."""
    return say("{n} coin", "{n} coins", n=number)


def allows(roll: Throw, options: Options) -> str:
    """What a roll lets its player do, as an order (ruling 1)."""
    match roll.coin:
        case "HI":
            return say("take at most {stones} in all", stones=counted(roll.die, options))
        case "LO":
            return say("take at least {stones} in all", stones=counted(roll.die, options))
        case "FREE":
            return say("take any number of coins") if options.betting else say("take any number of stones")
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
        share = say(
            "{winner} wins half of {loser}'s {coins}, rounded up: {number}.",
            winner=name(winner),
            loser=name(loser),
            coins=coins(before),
            number=winnings(state.purses, winner),
        )
    else:
        share = say("{loser}'s purse is empty, so there is nothing to win.", loser=name(loser))
    final = say("The final purses: White {white}, Black {black}.", white=white, black=black)
    rest = sum(state.piles)
    left = (say("Nobody gets the {n} coin left in the piles.", "Nobody gets the {n} coins left in the piles.", n=rest),) if rest else ()
    return (share, final, *left)
