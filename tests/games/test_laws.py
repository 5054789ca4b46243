"""The laws of every game in the catalogue, with every kind of option."""

import itertools
import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, cast
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cases import for_each
from turnserver import games
from turnserver.errors import BadOption, StepError, Unreadable
from turnserver.mail.inbound.steps import resembles_step
from turnserver.rules import Choose, Game, Leaving, Next, Over, Roll, Rules, Seat, SeveralSteps, Skipping
from turnserver.rules.kit import example_turns, format_steps, format_turn, parse_turn, playout, replay_turn
from turnserver.rules.offers import ends_turn
from turnserver.rules.options import OptionInfo, Value


def discrete(option: OptionInfo) -> tuple[Value, ...]:
    """Everything an option may be, or the default of a number out of a range."""
    if option.kind == "choice":
        return option.choices
    return (False, True) if option.kind == "flag" else option.numbers or (option.default,)


def choices(options: Sequence[OptionInfo]) -> Iterator[dict[str, Value]]:
    """Every combination of choices, flags and listed numbers; with the defaults, every range at its ends, one at a time."""
    for chosen in itertools.product(*map(discrete, options)):
        yield {option.name: value for option, value in zip(options, chosen, strict=True)}
    defaults = {option.name: option.default for option in options}
    for option in options:
        if option.kind == "whole" and not option.numbers:
            yield from ({**defaults, option.name: end} for end in (option.low, option.high) if end != option.default)


AnyGame = Game[Any, Any]


def every_game() -> Iterator[tuple[AnyGame, str, bool]]:
    """Every choice of options that a game allows, by its words, and whether it is the default or the last: some exclude each other."""
    for entry in games.CATALOGUE.values():
        found: dict[str, AnyGame] = {}
        for chosen in choices(games.describe_options(entry)):
            with suppress(BadOption):
                found[" ".join([entry.key, *map(str, chosen.values())])] = games.find(entry.key, **chosen)
        few = (games.find(entry.key), list(found.values())[-1])
        yield from ((game, words, game in few) for words, game in found.items())


def every_param() -> Iterator[Any]:
    """Every game; `make test` has two of each kind, `make long` the others."""
    for game, words, quick in every_game():
        yield pytest.param(game, id=words, marks=() if quick else pytest.mark.long)


pytestmark = pytest.mark.thorough
each_game = pytest.mark.parametrize("game", list(every_param()), scope="module")  # so that one game is tried out after the other
each_entry = pytest.mark.parametrize("key", list(games.CATALOGUE))
seeds = st.integers(0, 3)
some = settings(max_examples=20)


def chance(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311  # repeatable games, not secrets


TALK = (
    "Hello there",
    "Here is my move, I hope that this is right",
    "Best wishes from home",
    "Thank you for the game; have a good weekend!",
)

MOST = 1_200
"""Some games hardly end by chance; the position after so many steps then stands for the end."""


@lru_cache(maxsize=16)
def random_game(game: AnyGame, seed: int) -> list[tuple[Any, Any]]:
    """The positions of one random game with the steps chosen in them, and the final position with None."""
    played = list(itertools.islice(playout(game.rules, chance(seed).choice), MOST))
    return [*played, (game.rules.apply(*played[-1]), None)]


def sample(game: AnyGame, seed: int, size: int = 8) -> list[tuple[Any, Any]]:
    """The start, the end, and some positions between."""
    played = random_game(game, seed)
    return [played[0], *chance(seed).sample(played, min(size, len(played))), played[-1]]


def chosen(game: AnyGame, seed: int) -> list[tuple[Any, Any]]:
    """Some positions of a random game, each with the step that a seat chose to come there."""
    pairs = [
        (after, step)
        for (before, step), (after, _) in itertools.pairwise(random_game(game, seed))
        if isinstance(game.rules.next(before), Choose)
    ]
    return chance(seed).sample(pairs, min(8, len(pairs)))


@each_game
@for_each("seed", range(4))
def test_a_game_ends_exactly_where_there_are_no_steps(game: AnyGame, seed: int) -> None:
    rules, played = game.rules, random_game(game, seed)
    for state, _ in played:
        assert isinstance(rules.next(state), Over) == (not rules.steps(state))
    over = rules.next(played[-1][0])
    if not isinstance(over, Over):
        assert len(played) > MOST
        return
    assert over.reason
    assert len(over.scores) in (0, rules.seats)
    assert all(team <= over.winners or team.isdisjoint(over.winners) for team in rules.teams)


@each_game
@for_each("seed", range(4))
def test_seats_and_turns_go_up_in_order(game: AnyGame, seed: int) -> None:
    rules, turn = game.rules, 0
    for state, _ in random_game(game, seed)[:-1]:
        pending = rules.next(state)
        assert not isinstance(pending, Over)
        assert pending.turn in ((turn, turn + 1) if turn else (1,))
        assert 1 <= pending.seat <= rules.seats
        turn = pending.turn


@each_game
@for_each("seed", range(4))
def test_a_turn_takes_several_steps_only_where_the_entry_says(game: AnyGame, seed: int) -> None:
    pendings = [game.rules.next(state) for state, _ in random_game(game, seed)]
    several = any(before == after and isinstance(before, Choose) for before, after in itertools.pairwise(pendings))
    assert game.entry.several or not several
    assert game.entry.several == isinstance(game.rules, SeveralSteps)


@each_game
@for_each("seed", range(4))
def test_a_game_says_which_steps_end_a_turn(game: AnyGame, seed: int) -> None:
    rules = game.rules
    for state, _ in sample(game, seed):
        pending = rules.next(state)
        for step in rules.steps(state) if isinstance(pending, Choose) else ():
            after = rules.next(rules.apply(state, step))
            assert isinstance(after, Over) or ends_turn(rules, state, step) == (after != pending)


@each_game
@for_each("seed", range(4))
def test_what_resembles_a_step_is_told_by_a_square_or_a_word(game: AnyGame, seed: int) -> None:
    if game.entry.several:
        turns = [
            game.rules.format(state, step) for state, step in random_game(game, seed)[:-1] if isinstance(game.rules.next(state), Choose)
        ]
        assert [text for text in turns if not resembles_step(game.entry.step_words, text)] == []
        assert not any(resembles_step(game.entry.step_words, talk) for talk in TALK)


@each_game
@for_each("seed", range(4))
def test_chance_stands_between_turns_only_and_where_the_entry_says(game: AnyGame, seed: int) -> None:
    rules = game.rules
    kinds: dict[int, list[str]] = {}
    for state, _ in random_game(game, seed)[:-1]:
        pending = rules.next(state)
        assert not isinstance(pending, Over)
        kinds.setdefault(pending.turn, []).append(type(pending).__name__)
        if isinstance(pending, Roll):
            assert game.entry.chance
            assert len(pending.weights) == len(rules.steps(state))
            assert min(pending.weights) >= 1
            assert sum(pending.weights) < 2**53
    for turn, of_a_turn in kinds.items():
        choosing = len([kind for kind, _ in itertools.groupby(of_a_turn) if kind == "Choose"])
        assert choosing == 1 or (choosing == 0 and turn == max(kinds)), "only a roll that ends the game leaves nothing to choose"


@each_game
@for_each("seed", range(4))
def test_what_comes_of_a_step_is_told_in_sentences(game: AnyGame, seed: int) -> None:
    rules = game.rules
    for state, step in sample(game, seed, 16):
        for told in game.view.tell(state, step) if step is not None else ():
            assert told.isascii()
            assert len(told) <= 160
            assert told.endswith(".")
            with pytest.raises(Unreadable):
                rules.parse(state, told)


@each_game
@for_each("seed", range(4))
def test_somebody_may_leave_a_table_of_more_than_two(game: AnyGame, seed: int) -> None:
    rules = game.rules
    assert isinstance(rules, Leaving) == (rules.seats > 2)
    beginnings = {
        pending.turn: (state, pending)
        for state, _ in reversed(random_game(game, seed)[:-1])
        if isinstance(pending := rules.next(state), Choose)
    }
    state, pending = chance(seed).choice(list(beginnings.values()))
    left: set[Seat] = set()
    while isinstance(rules, Leaving) and not isinstance(rules.next(state), Over):
        stayed = [Seat(seat) for seat in range(1, rules.seats + 1) if seat not in left]
        left.add(leaver := pending.seat if len(left) % 2 else stayed[0])
        assert len(left) < rules.seats, "the last one left has won"
        state = rules.leave(state, leaver)
        while isinstance(rolled := rules.next(state), Roll):
            state = rules.apply(state, rules.steps(state)[0])
        assert isinstance(rolled, Over) or (rolled == pending if leaver != pending.seat else rolled.turn == pending.turn)
        assert isinstance(rolled, Over) or rolled.seat not in left
        pending = rolled if isinstance(rolled, Choose) else pending
        for seat in rolled.winners if isinstance(rolled, Over) else ():
            assert any(seat in team and not team <= left for team in rules.teams)


def waiting(rules: Rules[Any, Any], state: Any) -> Next:
    """Return who has the turn once chance has had its part, the first of all outcomes."""
    while isinstance(pending := rules.next(state), Roll):
        state = rules.apply(state, rules.steps(state)[0])
    return pending


@each_game
@for_each("seed", range(4))
def test_a_turn_may_be_skipped_at_a_table_of_more_than_two(game: AnyGame, seed: int) -> None:
    """In random games in which every third turn is skipped: who is next, under which number, and that the record gives the same end."""
    rules, luck = game.rules, chance(seed)
    assert isinstance(rules, Skipping) == (rules.seats > 2)
    if not isinstance(rules, Skipping):
        return
    state, turn, record = rules.start(), 0, list[str | None]()
    while not isinstance(pending := rules.next(state), Over) and turn < 60:
        if isinstance(pending, Choose) and pending.turn > turn and luck.random() < 1 / 3:
            skipped, without = rules.skip(state), waiting(rules, cast(Leaving[Any], rules).leave(state, pending.seat))
            assert skipped == rules.skip(state)
            after = waiting(rules, skipped)
            assert isinstance(after, Over) == (not rules.steps(skipped))
            if isinstance(after, Choose):
                assert after.turn == pending.turn + 1
                assert isinstance(without, Over) or after.seat == without.seat != pending.seat
            state = skipped
            record.append(None)
        else:
            step = luck.choice(rules.steps(state))
            record.append(rules.format(state, step))
            state = rules.apply(state, step)
        turn = pending.turn
    folded = rules.start()
    for text in record:
        folded = rules.skip(folded) if text is None else replay_turn(rules, folded, [text])[0]
    assert folded == state


@each_game
def test_as_many_play_as_the_entry_says(game: AnyGame) -> None:
    assert game.rules.seats in game.entry.seats


@each_game
def test_every_seat_is_in_one_team_and_has_a_name(game: AnyGame) -> None:
    seats = [seat for team in game.rules.teams for seat in team]
    assert sorted(seats) == list(range(1, game.rules.seats + 1))
    assert len(set(game.view.seat_names)) == game.rules.seats


@each_game
@for_each("seed", range(4))
def test_steps_are_unique_and_always_in_the_same_order(game: AnyGame, seed: int) -> None:
    rules = game.rules
    for state, _ in sample(game, seed):
        steps = list(rules.steps(state))
        assert len(set(steps)) == len(steps)
        assert steps == list(rules.steps(state))


@each_game
@for_each("seed", range(4))
def test_reading_what_was_written_gives_the_step(game: AnyGame, seed: int) -> None:
    rules = game.rules
    for state, _ in sample(game, seed):
        texts = [rules.format(state, step) for step in rules.steps(state)]
        assert len(set(texts)) == len(texts)
        assert [rules.parse(state, text) for text in texts] == list(rules.steps(state))
        assert [rules.replay(state, text) for text in texts] == list(rules.steps(state))


@each_game
@given(seed=seeds, text=st.text(max_size=12) | st.from_regex(r"[a-zA-Z]{1,2} ?[0-9]{1,2}", fullmatch=True))
@some
def test_reading_gives_a_legal_step_or_a_refusal(game: AnyGame, seed: int, text: str) -> None:
    rules = game.rules
    for state, _ in sample(game, seed):
        try:
            step = rules.parse(state, text)
        except StepError as refusal:
            assert refusal.message.endswith(".")  # noqa: PT017  # most texts are refused, and some are not
        else:
            assert step in rules.steps(state)


@each_game
@for_each("seed", range(4))
def test_positions_are_values(game: AnyGame, seed: int) -> None:
    rules = game.rules
    for state, step in random_game(game, seed)[:-1]:
        before = hash(state)
        assert rules.apply(state, step) == rules.apply(state, step)
        assert hash(state) == before


@each_game
@for_each("seed", range(4))
def test_folding_the_written_game_gives_the_same_end(game: AnyGame, seed: int) -> None:
    rules, played = game.rules, random_game(game, seed)
    log = [rules.format(state, step) for state, step in played[:-1]]
    assert replay_turn(rules, rules.start(), log)[0] == played[-1][0]


@each_game
@for_each("seed", range(4))
def test_examples_are_whole_legal_turns(game: AnyGame, seed: int) -> None:
    rules = game.rules
    for state, _ in sample(game, seed):
        pending, examples = rules.next(state), example_turns(rules, state)
        assert len(set(examples)) == len(examples) == (min(3, len(rules.steps(state))) if isinstance(pending, Choose) else 0)
        for text in examples:
            turn = parse_turn(rules, state, text)
            assert format_turn(rules, state, turn.steps) == text
            assert turn.next != pending


@each_game
@for_each("seed", range(4))
def test_text_board_fits_a_mail_and_reads_as_no_move(game: AnyGame, seed: int) -> None:
    rules = game.rules
    for state, last in chosen(game, seed):
        for board in (game.view.text(state), game.view.text(state, last)):
            for line in board.splitlines():
                assert len(line) <= 72
                assert line.isascii()
                with pytest.raises(Unreadable):
                    rules.parse(state, line)
        assert game.view.text(state, last) != game.view.text(state)


@each_game
@for_each("seed", range(2))
def test_picture_is_well_formed(game: AnyGame, seed: int) -> None:
    state, last = chosen(game, seed)[0]
    pictures = [game.view.svg(state), game.view.svg(state, last), game.view.svg(state, last, game.rules.steps(state))]
    for svg in pictures:
        root = ET.fromstring(svg)  # noqa: S314  # drawn right here
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert root.find("{http://www.w3.org/2000/svg}title") is not None
        tiles = [part.tag == root.tag for part in root]
        assert all(tiles[tiles.index(True) :]), "whatever lies above the ground is a tile, which is rendered once"
    assert pictures[0] != pictures[1]


@each_game
@for_each("seed", range(2))
def test_the_house_plays_legally(game: AnyGame, seed: int) -> None:
    player = games.house(game.entry.key)
    for state, step in sample(game, seed):
        if step is not None and not isinstance(game.rules.next(state), Roll):
            assert player(game, state) in game.rules.steps(state)
            break


@each_game
@for_each("seed", range(2))
def test_the_house_plays_whole_turns(game: AnyGame, seed: int) -> None:
    rules = game.rules
    state = chance(seed).choice([state for state, _ in random_game(game, seed) if isinstance(rules.next(state), Choose)])
    steps = games.house_turn(game, state)
    turn = parse_turn(rules, state, "; ".join(steps))
    assert format_steps(rules, state, turn.steps) == steps == games.house_turn(game, state)


@each_entry
def test_what_is_mailed_about_a_game_reads_as_no_move(key: str) -> None:
    entry, game = games.entry(key), games.find(key)
    assert 1 <= len(entry.notation.splitlines()) <= 12
    assert all(len(line) <= 72 for line in entry.notation.splitlines())
    rules_text = games.rules_text(key)
    assert all(len(line) <= 72 for line in rules_text.splitlines())
    for line in (*entry.notation.splitlines(), *rules_text.splitlines()):
        with pytest.raises(Unreadable):
            game.rules.parse(game.rules.start(), line)


@each_entry
def test_the_rules_credit_the_designer_and_describe_every_option(key: str) -> None:
    entry, text = games.entry(key), games.rules_text(key)
    assert entry.key == key
    assert text.startswith(f"# {entry.title}\n")
    assert entry.designer in text
    for option in games.describe_options(entry):
        assert f"`{option.name}`" in text
        assert option.allowed in text.replace("`", "")


@each_game
def test_seat_1_begins_unless_chance_says_who(game: AnyGame) -> None:
    first = set[Seat]()
    for seed in range(20):
        pick, state = chance(seed), game.rules.start()
        while isinstance(game.rules.next(state), Roll):
            state = game.rules.apply(state, pick.choice(game.rules.steps(state)))
        begins = game.rules.next(state)
        assert isinstance(begins, Choose)
        first.add(begins.seat)
    assert first == ({Seat(1)} if game.entry.seat_begins else {Seat(seat + 1) for seat in range(game.rules.seats)})
