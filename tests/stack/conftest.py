"""The mail system of this directory's tests: one for all tests of a process."""

from collections.abc import Iterator

import pytest

from tests.stack.mailsystem import MailSystem, missing


@pytest.fixture(scope="session")
def mail_system() -> Iterator[MailSystem]:
    """A running one, or else the reason why there is none."""
    why = missing()
    if why:
        pytest.skip(why)
    with MailSystem() as running:
        yield running
