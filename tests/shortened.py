"""Tests of many cases: `make test` runs some of them, and `make long` the others."""

from collections.abc import Iterable
from typing import Any

import pytest


def shortened(cases: Iterable[Any], first: int = 1) -> list[Any]:
    """Return the parameters of a test, of which all but the first ones are left to `make long`. A case of several values is a tuple."""
    return [
        case if at < first else pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.long)
        for at, case in enumerate(cases)
    ]


def sampled(cases: Iterable[Any], every: int) -> list[Any]:
    """Return the parameters of a test, of which all but one in so many are left to `make long`. A case of several values is a tuple."""
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=[pytest.mark.long] if at % every else [])
        for at, case in enumerate(cases)
    ]
