"""A plugin of pytest: it stops a run that would test another copy of the program than the one in the current directory."""

from pathlib import Path

import pytest

import turnserver


def pytest_configure() -> None:
    """Raise UsageError, which is pytest's exit code 4, unless the program is imported from the current directory."""
    imported = Path(turnserver.__file__).resolve()
    if not imported.is_relative_to(Path.cwd().resolve()):
        raise pytest.UsageError(f"the program is imported from {imported} and not from {Path.cwd()}")
