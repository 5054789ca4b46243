"""Lines and branches that the tests reach, in percent: 95 of all, and 100 of rules, decisions, audits, proofs and who may do what.

`make test` has SlipCover measure, which costs a tenth of the time, and reads its report here: it knows no limits for single files.
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
    "turnserver/service/mailroom/kept_mail.py",
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
    """Yield every file of a report, by the lines that begin a statement. What only an error of the type checker could reach is left out."""
    for name, file in sorted(report["files"].items()):
        source = (root / name).read_text(encoding="utf-8")
        never, begun = _never(source.splitlines()), _begun(source)
        lines = [str(line) for line in file["missing_lines"] if line in begun - never]
        branches = [f"{begin}->{end or 'exit'}" for begin, end in file["missing_branches"] if end not in never]
        yield Reached(name, len(begun.intersection(file["executed_lines"])) + len(file["executed_branches"]), (*lines, *branches))


def _begun(source: str) -> set[int]:
    # The last of several patterns is a line of its own for the measurement, and nobody comes to it whom an earlier one has met.
    return {one.lineno for one in ast.walk(ast.parse(source)) if isinstance(one, ast.stmt)}


def _never(lines: Sequence[str]) -> set[int]:
    """Return the numbers of the lines that assert that they are never reached, and of the `case` and `else` above them."""
    asserted = {number for number, line in enumerate(lines, start=1) if line.strip().startswith("assert_never(")}
    return asserted | {number - 1 for number in asserted if lines[number - 2].strip() in ("case _:", "else:")}


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
