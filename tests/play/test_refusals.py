"""Every refusal that play can give is given in some case."""

import ast
from pathlib import Path

from tests.play import (
    test_admin,
    test_claims,
    test_dice,
    test_draws,
    test_leaving,
    test_opening,
    test_pauses,
    test_plans,
    test_seat_offers,
    test_second_thoughts,
    test_substitutes,
    test_turns,
    test_vacations,
)
from tests.play import test_conditional_moves as test_foresight
from tests.play import test_timeouts as test_late
from tests.play.clock import test_timing
from tests.play.given import Case, Refused
from turnserver import play

CASES: list[Case] = [
    *test_opening.CASES,
    *test_turns.CASES,
    *test_draws.CASES,
    *test_pauses.CASES,
    *test_plans.CASES,
    *test_timing.CASES,
    *test_admin.CASES,
    *test_claims.CASES,
    *test_leaving.CASES,
    *test_dice.CASES,
    *test_late.CASES,
    *test_second_thoughts.CASES,
    *test_substitutes.CASES,
    *test_seat_offers.CASES,
]


def refused_in_the_source() -> set[str]:
    """The code of every `NotAllowed(...)` that is written down in the package."""
    return {
        call.args[0].value
        for directory in play.__path__
        for module in Path(directory).glob("*.py")
        for call in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "NotAllowed"
        if isinstance(call.args[0], ast.Constant) and isinstance(call.args[0].value, str)
    }


def test_every_refusal_has_a_case() -> None:
    codes = refused_in_the_source()
    assert len(codes) > 20
    decided = {case.then.code for case in CASES if isinstance(case.then, Refused)}
    assert codes - decided - {case.code for case in test_foresight.REFUSED} - {case.code for case in test_vacations.REFUSED} == set()
