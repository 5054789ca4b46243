"""The mail system of this directory's tests: one for all of them, which therefore run in one process."""

from collections.abc import Iterator

import pytest

from tests.stack.mailsystem import MailSystem, missing


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep whatever uses the mail system together."""
    for item in items:
        if "mail_system" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("mail_system"))


@pytest.fixture(scope="session")
def mail_system() -> Iterator[MailSystem]:
    """A running one, or else the reason why there is none."""
    why = missing()
    if why:
        pytest.skip(why)
    with MailSystem() as running:
        yield running
