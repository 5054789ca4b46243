"""What touches of a board come to, as tables of cases write it."""

from typing import Any

from turnserver.rules import Rules, View
from turnserver.rules.touch import reach, why_not


def played(rules: Rules[Any, Any], view: View[Any, Any], state: object, touched: str) -> tuple[str, str]:
    """The steps that the touches play, as `c3; c3 down`, and the names of the places that can follow, as `a5 e1`."""
    steps, follow = reach(rules, view, state, tuple(touched.split()))
    return "; ".join(rules.format(state, step) for step in steps), " ".join(follow)


def refused(rules: Rules[Any, Any], view: View[Any, Any], state: object, touched: str) -> str:
    """Why the touches play nothing."""
    return why_not(rules, view, state, tuple(touched.split()))
