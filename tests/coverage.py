"""Lines and branches that the tests reach, in percent: 95 of all, and 100 of rules, decisions, audits, proofs and who may do what.

`make test` has SlipCover measure, which costs a tenth of the time, and reads its report here. It knows no limits for single files, and what
no test can reach, and files that nothing imports, it would look for in each of its processes.
"""

import ast
import sys
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

LEAST: Final = 95
WHOLLY: Final = (
    "turnserver/rules/*",
    "turnserver/games/*",
    "turnserver/play/*",
    "turnserver/league/*",
    "turnserver/audit/*",
    "turnserver/proof/*",
    "turnserver/mail/format/tokens.py",
    "turnserver/mail/format/authentication.py",
    "turnserver/mail/inbound/admission.py",
    "turnserver/mail/inbound/directions.py",
    "turnserver/service/mailroom/reception.py",
    "turnserver/service/mailroom/authorship.py",
    "turnserver/service/mailroom/lost_history.py",
    "turnserver/service/mailroom/open_games.py",
    "turnserver/service/mailroom/correspondence.py",
    "turnserver/service/mailroom/players_mail.py",
    "turnserver/service/mailroom/questions.py",
    "turnserver/service/mailroom/command_handler.py",
    "turnserver/service/mailroom/answers.py",
    "turnserver/service/people/registration.py",
    "turnserver/service/leagues/directing.py",
    "turnserver/service/leagues/meetings.py",
    "turnserver/service/pages/*",
    "turnserver/store/people/sessions.py",
)
"""The files of which every branch is tried. A new handler of mail that decides who may do what belongs there too."""


class Reached(NamedTuple):
    """The number of lines and branches of a file that the tests reach, and those that they miss, as `12` or `12->14`."""

    name: str
    reached: int
    missed: tuple[str, ...]


def files(report: Mapping[str, Any], root: Path) -> Iterator[Reached]:
    """Yield every file of the program, by the lines that begin a statement. What no test can reach is left out."""
    for path in sorted((root / "turnserver").rglob("*.py")):
        name, source = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
        statements = [one for one in ast.walk(ast.parse(source)) if isinstance(one, ast.stmt)]
        never = _asserted(source.splitlines()).union(*_elsewhere(statements))
        # The last of several patterns is a line of its own for the measurement, and nobody comes to it whom an earlier one has met.
        begun = {one.lineno for one in statements} - never
        unknown = {"missing_lines": sorted(begun), "executed_lines": (), "missing_branches": (), "executed_branches": ()}
        file = report["files"].get(name, unknown)
        lines = [str(line) for line in file["missing_lines"] if line in begun]
        branches = [f"{begin}->{end or 'exit'}" for begin, end in file["missing_branches"] if never.isdisjoint((begin, end))]
        taken = [begin for begin, _ in file["executed_branches"] if begin not in never]
        yield Reached(name, len(begun.intersection(file["executed_lines"])) + len(taken), (*lines, *branches))


def _asserted(lines: Sequence[str]) -> set[int]:
    """Return the numbers of the lines that assert that they are never reached, and of the `case` and `else` above them."""
    asserted = {number for number, line in enumerate(lines, start=1) if line.strip().startswith("assert_never(")}
    return asserted | {number - 1 for number in asserted if lines[number - 2].strip() in ("case _:", "else:")}


def _elsewhere(statements: Sequence[ast.stmt]) -> Iterator[range]:
    """Yield the lines of what is for the type checker alone, and of what runs in a process of its own."""
    for one in statements:
        match one:
            case ast.If(test=ast.Name(id="TYPE_CHECKING") | ast.Compare(left=ast.Name(id="__name__"))):
                yield range(one.lineno, (one.body[-1].end_lineno or one.lineno) + 1)
            case ast.ClassDef() if any(ast.unparse(base).partition("[")[0] == "Protocol" for base in one.bases):
                yield range(one.lineno, (one.end_lineno or one.lineno) + 1)
            case _:
                pass


def main(path: str) -> int:
    """Print what is missed of the files that are to be reached wholly, and the whole in percent. Return 1 if that is too little."""
    found = list(files(msgspec.json.decode(Path(path).read_bytes()), Path.cwd()))
    missed = [one for one in found if one.missed and any(fnmatch(one.name, pattern) for pattern in WHOLLY)]
    said = [f"{one.name}: no test reaches {', '.join(one.missed)}\n" for one in missed]
    reached, lacking = sum(one.reached for one in found), sum(len(one.missed) for one in found)
    percent = 100 * reached / (reached + lacking)
    said.append(f"{percent:.1f} percent of {reached + lacking} lines and branches are reached, of {LEAST}; 100 in tests.coverage.WHOLLY\n")
    sys.stdout.writelines(said)
    return int(bool(missed) or percent < LEAST)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
