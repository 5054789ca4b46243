"""The club of the command line, copied for each test, and the sandbox that serves it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.club import Club, copied, found
from tests.web.sandbox.boxes import Box, opened


@pytest.fixture(scope="session")
def club_template(tmp_path_factory: pytest.TempPathFactory) -> Club:
    """The club that is copied."""
    return found(tmp_path_factory.mktemp("club"))


@pytest.fixture
def club(tmp_path: Path, club_template: Club) -> Club:
    """A club with three players and three games; see `tests.cli.club`."""
    return copied(club_template, tmp_path)


@pytest.fixture(scope="session")
def sent_template(tmp_path_factory: pytest.TempPathFactory, club_template: Club) -> Club:
    """The club after its sandbox has sent all mails, which takes longer than most tests."""
    club = copied(club_template, tmp_path_factory.mktemp("sent"))
    with opened(club):
        return club


@pytest.fixture
def box(tmp_path: Path, sent_template: Club) -> Iterator[Box]:
    """The club's sandbox, all of whose mails have been sent."""
    with opened(copied(sent_template, tmp_path)) as box:
        yield box
