"""`make year`: a whole year of games, and its figures."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from tests.year.the_year import Year
from turnserver.store.log.database import Database


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the year and print what happened in it. Ends with a traceback at the first difference between the clocks."""
    parser = argparse.ArgumentParser(prog="python -m tests.year", description=__doc__)
    parser.add_argument("--games", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=2027)
    parser.add_argument("--directory", type=Path, help="where to keep the database meanwhile")
    given = parser.parse_args(arguments)
    began = monotonic()
    with TemporaryDirectory(prefix="turnserver-year-", dir=given.directory) as directory:
        url = f"sqlite:///{directory}/year.db"
        Database.create_or_upgrade(url).close()
        year = Year(url, given.games, given.seed)
        try:
            year.run()
        finally:
            year.close()
            figures = {**year.figures, "seconds": round(monotonic() - began)}
            sys.stdout.writelines(f"{count:>9,}  {what}\n" for what, count in sorted(figures.items()))


if __name__ == "__main__":
    main()
