"""`make seasons`: a league of 128 players in 16 divisions over four seasons, and its figures."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from tests.seasons.the_league import Played


def main(arguments: Sequence[str] | None = None) -> None:
    """Play the seasons and print what happened in them. Ends with 1 if anything is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.seasons", description=__doc__)
    parser.add_argument("--divisions", type=int, default=16)
    parser.add_argument("--seasons", type=int, default=4)
    parser.add_argument("--seed", type=int, default=2027)
    parser.add_argument("--directory", type=Path, help="where to keep the database meanwhile")
    given = parser.parse_args(arguments)
    with TemporaryDirectory(prefix="turnserver-seasons-", dir=given.directory) as directory:
        played = Played(f"{directory}/seasons.db", given.divisions, given.seed)
        try:
            began = monotonic()
            played.run(given.seasons)
            played.figures["seconds"] = round(monotonic() - began)
            problems = played.problems()
        finally:
            played.close()
    sys.stdout.writelines(f"{count:>9,}  {what}\n" for what, count in sorted(played.figures.items()))
    sys.stdout.writelines(f"{problem}\n" for problem in problems)
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
