"""Weight: mails come after every turn and stay in mailboxes for years, so boards are light, late in a game too."""

from dataclasses import replace
from itertools import islice, pairwise
from random import Random

import pytest

from tests.mail.outbound.occasions import ADA, begun, context
from tests.shortened import shortened
from turnserver import games
from turnserver.mail.outbound.compose import compose
from turnserver.mail.outbound.context import Form
from turnserver.mail.outbound.kinds import MailKind, Notice
from turnserver.mail.outbound.picture import png
from turnserver.rules.kit import playout

HEAVIEST_MAIL = 45_000
"""Bytes of a turn mail of Take as it is sent, with headers and all."""


@pytest.mark.parametrize("language", shortened(["de", "en"]))
def test_a_turn_mail_of_take_is_light(language: str) -> None:
    story, choose = begun(), games.house("take")
    weights = []
    for turn in range(1, 41):
        state = story.state
        assert state is not None
        story = story.play(state.game.rules.format(state.line.position, choose(state.game, state.line.position)))
        if turn % 8 == 0:
            mail = context(story, Notice(MailKind.TURN, ADA))
            weights.append(len(compose(replace(mail, form=Form(language=language))).raw))
    assert max(weights) <= HEAVIEST_MAIL


@pytest.mark.parametrize(
    ("key", "options", "steps", "heaviest"),
    [
        ("take", {}, 45, 26_000),
        pytest.param("take", {"size": 8, "variant": "high-churn"}, 120, 44_000, marks=pytest.mark.long),
        ("tako-judo", {}, 60, 36_000),
        pytest.param("tako-judo", {"variant": "teams"}, 120, 46_000, marks=pytest.mark.long),
        ("tako", {"betting": True, "stake": 15}, 30, 22_000),
        ("okago", {}, 16, 26_000),
        pytest.param("okago", {"size": 8}, 24, 28_000, marks=pytest.mark.long),
        ("sneaky-octopuses", {"players": 4}, 200, 66_000),
    ],
    ids=str,
)
def test_boards_are_light(key: str, options: dict[str, str | int | bool], steps: int, heaviest: int) -> None:
    game = games.find(key, **options)
    course = list(islice(playout(game.rules, Random(5).choice), steps))  # noqa: S311  # any game will do
    moves = [(state, step) for (_, step), (state, _) in pairwise(course)]
    weights = [len(png(game.view.svg(*moves[at]), Form().picture_width)) for at in (len(moves) // 2, len(moves) * 3 // 4, -1)]
    assert max(weights) <= heaviest
