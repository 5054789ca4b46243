"""Many small cases in one item: pytest and its workers take longer for an item than most cases do."""

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

MOST = 200
"""The number of characters after which a case without a name is cut off."""


def for_each(
    names: str | Sequence[str], cases: Iterable[Any], ids: Iterable[object] | Callable[[Any], object] | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test on every case, given as to `pytest.mark.parametrize`, in one item that names those which fail.

    For tests that take no fixtures but what nobody changes: all cases share them.
    """
    called = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    given = [_values(case, alone=isinstance(names, str) and len(called) == 1) for case in cases]
    assert given, "there are no cases"
    words = [None] * len(given) if ids is None else list(map(ids, (values[0] for values, _ in given)) if callable(ids) else ids)

    def decorated(test: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(test)
        rest = [one for name, one in signature.parameters.items() if name not in called]

        @functools.wraps(test)
        def run(**fixtures: Any) -> None:  # whatever the test takes
            __tracebackhide__ = True
            failed: dict[str, BaseException] = {}
            for (values, own), word in zip(given, words, strict=True):
                try:
                    test(**dict(zip(called, values, strict=True)), **fixtures)
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001  # raised below
                    failed[str(own or word or ", ".join(map(repr, values))[:MOST])] = error
            if failed:
                first = next(iter(failed.values()))
                first.add_note(f"{len(failed)} of {len(given)} cases fail:\n" + "\n".join(failed))
                raise first

        run.__signature__ = signature.replace(parameters=rest)  # type: ignore[attr-defined]  # what pytest fills in
        return run

    return decorated


def _values(case: Any, *, alone: bool) -> tuple[tuple[Any, ...], str | None]:  # a value, several, or pytest.param
    """Return the values of a case, and its name if it has one."""
    if isinstance(case, type(pytest.param())):
        assert not case.marks, "a case with marks is an item of its own"
        return tuple(case.values), case.id if isinstance(case.id, str) else None
    return ((case,) if alone else tuple(case)), None
