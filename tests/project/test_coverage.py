"""The limits of what tests reach: a branch that is missed is named; what only an error of the type checker could reach does not count."""

from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from tests.coverage import main

SOURCE = (
    """def named(kind: Kind) -> str:
    match kind:
        case Kind.ONE:
            return "one"
        case _:
            assert_never(kind)


def is_known(kind: Kind) -> bool:
    match kind:
        case (
            Kind.ONE
            | Kind.TWO
        ):
            return True
    return False
"""
    + "ONE = 1\n" * 200
    + """if TYPE_CHECKING:
    from kinds import Kind
class Named(Protocol):
    name: str
if __name__ == "__main__":
    main()
"""
)


class Case(NamedTuple):
    """A file, what is missed of it, how many lines are reached, how the program ends, and what it says."""

    name: str
    lines: list[int]
    branches: list[list[int]]
    reached: int
    ends: int
    says: str


CASES = [
    Case("turnserver/rules/kind.py", [5, 6, 13], [[2, 6]], 9, 0, "100.0 percent of 9 "),
    Case("turnserver/rules/kind.py", [4], [[2, 4]], 98, 1, "turnserver/rules/kind.py: no test reaches 4, 2->4\n98.0 percent of 100 "),
    Case("turnserver/cli/kind.py", [4], [[2, 4]], 98, 0, "98.0 percent of 100 "),
    Case("turnserver/cli/kind.py", [4], [[2, 4]], 28, 1, "93.3 percent of 30 "),
    Case("turnserver/rules/kind.py", [218, 220, 222], [[217, 218], [221, 222]], 9, 0, "100.0 percent of 9 "),
    Case("turnserver/proof/kind.py", [], [[2, 0]], 99, 1, "turnserver/proof/kind.py: no test reaches 2->exit\n"),
]


@pytest.mark.parametrize("case", CASES)
def test_limits(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    _write(tmp_path / case.name)
    reached = {"executed_lines": [*range(20, 20 + case.reached)], "executed_branches": []}
    report = {"files": {case.name: {**reached, "missing_lines": case.lines, "missing_branches": case.branches}}}
    (tmp_path / "report.json").write_bytes(msgspec.json.encode(report))
    monkeypatch.chdir(tmp_path)
    assert main("report.json") == case.ends
    assert capsys.readouterr().out.startswith(case.says)


def test_what_nothing_imports_is_not_reached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    _write(tmp_path / "turnserver/rules/kind.py")
    (tmp_path / "report.json").write_bytes(msgspec.json.encode({"files": {}}))
    monkeypatch.chdir(tmp_path)
    assert main("report.json") == 1
    assert capsys.readouterr().out.startswith("turnserver/rules/kind.py: no test reaches 1, 2, 4, 9, 10, 15, 16, 17, ")


def _write(file: Path) -> None:
    file.parent.mkdir(parents=True)
    file.write_text(SOURCE)
