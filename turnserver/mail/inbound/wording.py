"""The words of phrases."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Worded:
    """A phrase; as text, it is what its writer may have put, for quoting it back: the name of the class, unless that says otherwise."""

    def __str__(self) -> str:
        return type(self).__name__.lower()
