"""TAKO written a second time, slowly, from the rules alone: the yardstick for the product's engine.

Two piles, two purses, a die and a coin, written down as a person would; nothing is remembered between calls. It shares no code with
`turnserver` and imports none of it.
"""

from dataclasses import dataclass, replace

VARIANTS = ("standard", "adept")
STANDARD, ADEPT = VARIANTS


@dataclass(frozen=True)
class Position:
    """All that has a bearing on what may happen; `piles`, `purses`, `passes` and `adds` are dictionaries by pile or by seat.

    `player` is None until it is known who begins. `roll` is the text of the roll to be answered, None if one is due. `passes` and `adds`
    tell who may still pass and add.
    """

    variant: str
    betting: bool
    piles: dict[str, int]
    purses: dict[int, int]
    passes: dict[int, bool]
    adds: dict[int, bool]
    player: int | None
    turn: int
    roll: str | None
    winner: int | None


def start(variant: str = STANDARD, betting: bool = False, stake: int = 11) -> Position:
    """Full piles, empty purses, both options unused, and a roll for who begins."""
    piles = {"a": stake, "b": stake} if betting else {"a": 11, "b": 11}
    return Position(variant, betting, piles, {1: 0, 2: 0}, {1: True, 2: True}, {1: True, 2: True}, None, 1, None, None)


def faces(position: Position) -> range:
    """Return what the die can show."""
    return range(1, 11) if position.variant == ADEPT else range(1, 7)


def weights(position: Position) -> dict[str, int]:
    """The outcomes of the roll that is due, all of them alike: both dice for the start, later coin and die."""
    if position.player is None:
        return {f"{first} {second}": 1 for first in faces(position) for second in faces(position)}
    coins = ["HI", "LO", "FREE"] if position.variant == ADEPT else ["HI", "LO"]
    return {f"{coin} {number}": 1 for coin in coins for number in faces(position)}


def legal(position: Position) -> set[str]:
    """The outcomes of the roll that is due, or else what the player may do; none once the game is over."""
    if position.winner is not None:
        return set()
    return set(weights(position)) if position.roll is None else answers(position)


def answers(position: Position) -> set[str]:
    """Return what the player may do about the roll: takes, and the options that are left."""
    found = {text for text, take in takes(position).items() if allowed(position, sum(take.values()))}
    if position.player is not None and position.passes[position.player]:
        found.add("pass")
    if position.player is not None and position.adds[position.player]:
        found |= {"add a", "add b"}
    return found


def takes(position: Position) -> dict[str, dict[str, int]]:
    """Every take that the piles permit, whatever the roll says: how many stones go from which pile."""
    found = {}
    for count in range(1, max(position.piles.values()) + 1):
        for piles in ("a", "b", "ab"):
            if all(position.piles[pile] >= count for pile in piles):
                found[f"{piles}{count}"] = dict.fromkeys(piles, count)
    return found


def allowed(position: Position, total: int) -> bool:
    """Return whether the roll permits to take so many stones. The very first choice of the game may not empty both piles."""
    if position.turn == 1 and total == sum(position.piles.values()):
        return False
    coin, number = str(position.roll).split()
    if coin == "HI":
        return total <= int(number)
    if coin == "LO":
        return total >= int(number)
    return True


def turn(position: Position) -> tuple[str, int, int] | tuple[str, frozenset[int], tuple[int, ...]]:
    """Return who chooses, or for whom is rolled, in which turn; or who won, and the purses if there were bets."""
    if position.winner is not None:
        scores = tuple(position.purses[seat] for seat in (1, 2)) if position.betting else ()
        return "over", frozenset({position.winner}), scores
    if position.player is None:
        return "roll", 1, 1
    return "choose" if position.roll is not None else "roll", position.player, position.turn


def play(position: Position, text: str) -> Position:
    """Play a roll or an answer to one; a player who then has a roll to answer and cannot has lost."""
    if text not in legal(position):
        raise ValueError(f"{text} is not legal")
    after = rolled(position, text) if position.roll is None else answered(position, text)
    if after.roll is not None and not answers(after):
        return settle(after)
    return after


def rolled(position: Position, text: str) -> Position:
    """The higher die begins, and a tie is rolled again; later the roll is there to be answered."""
    if position.player is not None:
        return replace(position, roll=text)
    first, second = map(int, text.split())
    if first == second:
        return position
    return replace(position, player=1 if first > second else 2)


def answered(position: Position, text: str) -> Position:
    """Give the turn to the other player, with a new roll unless this one was passed on."""
    player = position.player
    if player is None:
        raise ValueError("nobody has begun")
    piles, purses = dict(position.piles), dict(position.purses)
    passes, adds = dict(position.passes), dict(position.adds)
    if text == "pass":
        passes[player] = False
    elif text in ("add a", "add b"):
        adds[player] = False
        piles[text[-1]] += 1
        if purses[player] > 0:
            purses[player] -= 1
    else:
        for pile, count in takes(position)[text].items():
            piles[pile] -= count
            purses[player] += count
    return replace(
        position,
        piles=piles,
        purses=purses,
        passes=passes,
        adds=adds,
        player=3 - player,
        turn=position.turn + 1,
        roll=position.roll if text == "pass" else None,
    )


def settle(position: Position) -> Position:
    """End the game of a player who cannot do anything: the other one has won, and takes half of the loser's purse, rounded up."""
    loser = 1 if position.player == 1 else 2
    winner = 3 - loser
    half = (position.purses[loser] + 1) // 2
    purses = {winner: position.purses[winner] + half, loser: position.purses[loser] - half}
    return replace(position, purses=purses, winner=winner)
