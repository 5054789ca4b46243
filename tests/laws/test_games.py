"""What holds for every game in the catalogue, with every kind of option."""

import itertools
import random
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnserver import games
from turnserver.errors import StepError, Unreadable
from turnserver.rules import Choose, Game, Over, Roll
from turnserver.rules.kit import example_turns, format_turn, parse_turn, playout, replay_turn
from turnserver.rules.options import OptionInfo, Value


def values(option: OptionInfo) -> tuple[Value, ...]:
    """Every choice, both sides of a flag; the ends and the default of a number."""
    if option.kind == "choice":
        return option.choices
    return tuple(dict.fromkeys((option.low, option.default, option.high))) if option.kind == "whole" else (False, True)


def every_game() -> Iterator[Any]:
    for entry in games.CATALOGUE.values():
        options = games.describe_options(entry)
        for chosen in itertools.product(*map(values, options)):
            named = {option.name: value for option, value in zip(options, chosen, strict=True)}
            yield pytest.param(games.find(entry.key, **named), id=" ".join([entry.key, *map(str, chosen)]))


AnyGame = Game[Any, Any]
each_game = pytest.mark.parametrize("game", list(every_game()))
each_entry = pytest.mark.parametrize("key", list(games.CATALOGUE))
seeds = st.integers(0, 2**32)
few = settings(max_examples=20, deadline=None, derandomize=True)


def chance(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311  # repeatable games, not secrets


def random_game(game: AnyGame, seed: int) -> list[tuple[Any, Any]]:
    """The positions of one random game with the steps chosen in them, and the final position with None."""
    played = list(playout(game.rules, chance(seed).choice))
    return [*played, (game.rules.apply(*played[-1]), None)]


def sample(game: AnyGame, seed: int) -> list[tuple[Any, Any]]:
    """The start, the end, and some positions between."""
    played = random_game(game, seed)
    return [played[0], *chance(seed).sample(played, min(8, len(played))), played[-1]]


@each_game
@given(seed=seeds)
@few
def test_a_game_ends_exactly_where_there_are_no_steps(game: AnyGame, seed: int) -> None:
    rules, played = game.rules, random_game(game, seed)
    for state, step in played:
        assert isinstance(rules.next(state), Over) == (step is None) == (not rules.steps(state))
    over = rules.next(played[-1][0])
    assert isinstance(over, Over)
    assert over.reason
    assert not over.winners or any(over.winners == team for team in rules.teams) or len(rules.teams) > 2


@each_game
@given(seed=seeds)
@few
def test_seats_and_turns_go_up_in_order(game: AnyGame, seed: int) -> None:
    rules, turn = game.rules, 0
    for state, _ in random_game(game, seed)[:-1]:
        pending = rules.next(state)
        assert not isinstance(pending, Over)
        assert pending.turn in ((turn, turn + 1) if turn else (1,))
        assert 1 <= pending.seat <= rules.seats
        assert isinstance(pending, Choose) or len(pending.weights) == len(rules.steps(state))
        turn = pending.turn


@each_game
def test_every_seat_is_in_one_team_and_has_a_name(game: AnyGame) -> None:
    seats = [seat for team in game.rules.teams for seat in team]
    assert sorted(seats) == list(range(1, game.rules.seats + 1))
    assert len(set(game.view.seat_names)) == game.rules.seats


@each_game
@given(seed=seeds)
@few
def test_steps_are_unique_and_always_in_the_same_order(game: AnyGame, seed: int) -> None:
    rules = game.rules
    for state, _ in sample(game, seed):
        steps = list(rules.steps(state))
        assert len(set(steps)) == len(steps)
        assert steps == list(rules.steps(state))


@each_game
@given(seed=seeds)
@few
def test_reading_what_was_written_gives_the_step(game: AnyGame, seed: int) -> None:
    rules = game.rules
    for state, _ in sample(game, seed):
        texts = [rules.format(state, step) for step in rules.steps(state)]
        assert len(set(texts)) == len(texts)
        assert [rules.parse(state, text) for text in texts] == list(rules.steps(state))
        assert [rules.replay(state, text) for text in texts] == list(rules.steps(state))


@each_game
@given(seed=seeds, text=st.text(max_size=12) | st.from_regex(r"[a-zA-Z]{1,2} ?[0-9]{1,2}", fullmatch=True))
@few
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
@given(seed=seeds)
@few
def test_positions_are_values(game: AnyGame, seed: int) -> None:
    rules = game.rules
    for state, step in random_game(game, seed)[:-1]:
        before = hash(state)
        assert rules.apply(state, step) == rules.apply(state, step)
        assert hash(state) == before


@each_game
@given(seed=seeds)
@few
def test_folding_the_written_game_gives_the_same_end(game: AnyGame, seed: int) -> None:
    rules, played = game.rules, random_game(game, seed)
    log = [rules.format(state, step) for state, step in played[:-1]]
    assert replay_turn(rules, rules.start(), log)[0] == played[-1][0]


@each_game
@given(seed=seeds)
@few
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
@given(seed=seeds)
@few
def test_text_board_fits_a_mail_and_reads_as_no_move(game: AnyGame, seed: int) -> None:
    rules, played = game.rules, random_game(game, seed)
    for (_, last), (state, _) in chance(seed).sample(list(itertools.pairwise(played)), min(8, len(played) - 1)):
        for board in (game.view.text(state), game.view.text(state, last)):
            for line in board.splitlines():
                assert len(line) <= 72
                assert line.isascii()
                with pytest.raises(Unreadable):
                    rules.parse(state, line)
        assert game.view.text(state, last) != game.view.text(state)


@each_game
@given(seed=seeds)
@settings(max_examples=2, deadline=None, derandomize=True)
def test_picture_is_well_formed(game: AnyGame, seed: int) -> None:
    played = random_game(game, seed)
    (_, last), (state, _) = chance(seed).choice(list(itertools.pairwise(played)))
    pictures = [game.view.svg(state), game.view.svg(state, last), game.view.svg(state, last, game.rules.steps(state))]
    for svg in pictures:
        root = ET.fromstring(svg)  # noqa: S314  # drawn right here
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert root.find("{http://www.w3.org/2000/svg}title") is not None
    assert pictures[0] != pictures[1]


@each_game
@given(seed=seeds)
@settings(max_examples=2, deadline=None, derandomize=True)
def test_the_house_plays_legally(game: AnyGame, seed: int) -> None:
    player = games.house(game.entry.key)
    for state, step in sample(game, seed):
        if step is not None and not isinstance(game.rules.next(state), Roll):
            assert player(game, state) in game.rules.steps(state)
            break


@each_entry
def test_what_is_mailed_about_a_game_reads_as_no_move(key: str) -> None:
    entry, game = games.entry(key), games.find(key)
    assert 1 <= len(entry.notation.splitlines()) <= 3
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
