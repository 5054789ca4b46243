"""Mails in the manner of every mail program, and whatever becomes of them: carried out once or not at all, kept, and answered."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults import mutations, scene
from tests.faults.mutations import Case, Delivery
from tests.faults.scene import Copies, Scene
from tests.mail.inbound.answers import PROGRAMS
from tests.service.world import PEOPLE, SITE, unread
from turnserver.play.events import GameEvent
from turnserver.service.service import Service
from turnserver.store.log import verify as audit
from turnserver.store.mail import inbox

NAMES = sorted(path.stem for path in PROGRAMS.iterdir())
FEWEST = 30
"""A mail of which fewer things become is not the one that was meant."""


class Stage:
    """A scene and its copies."""

    def __init__(self, played: Scene, directory: Path) -> None:
        self.scene = played
        self._copies = Copies(played, directory / "copy.db")
        before = self.fresh()
        self.known = len(before.games.history(played.game))
        self.told = before.mail.mails_written()
        self.received = unread(before) + sum(1 for _ in self._inbox(before))
        self.close = self._copies.close

    def fresh(self) -> Service:
        return self._copies.fresh()

    def hand_in(self, service: Service, delivery: Delivery) -> inbox.InboxItem:
        """Receive and handle; what it came to."""
        to = SITE if delivery.plain else self.scene.to
        number = service.mail.receive(delivery.raw, to, PEOPLE["Ada"], delivery.source)
        while (done := service.mail.read_inbox()).handled:
            assert not done.failed
        with service.db.read() as conn:
            return inbox.get(conn, number)

    def events(self, service: Service) -> dict[str, list[GameEvent]]:
        """Return what has happened since the scene, by cause."""
        found: dict[str, list[GameEvent]] = {}
        for row in service.games.history(self.scene.game)[self.known :]:
            found.setdefault(row.cause, []).append(row.event)
        return found

    @staticmethod
    def _inbox(service: Service) -> list[inbox.InboxSummary]:
        with service.db.read() as conn:
            return inbox.list_inbox(conn, limit=1_000)


@pytest.fixture(scope="module")
def stages(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[bool, Stage]]:
    """Turns of one step and of several, by whether they have several."""
    made = {}
    for several, play in ((False, scene.take), (True, scene.sneaky_octopuses)):
        directory = tmp_path_factory.mktemp(play.__name__)
        shutil.copyfile(sqlite_template, directory / "scene.db")
        made[several] = Stage(play(f"sqlite:///{directory / 'scene.db'}", directory), directory)
    yield made
    for stage in made.values():
        stage.close()


def check(stage: Stage, case: Case, meant: list[GameEvent]) -> None:
    """Hand in what the case says; `meant` is what happens if nothing goes wrong."""
    service = stage.fresh()
    told = stage.told
    for number, delivery in enumerate(case.deliveries):
        mail = stage.hand_in(service, delivery)
        assert (mail.raw, mail.status, mail.error) == (delivery.raw, "done", None), case.name
        assert mail.outcome, case.name
        if case.ends and case.ends[number]:
            assert mail.outcome == case.ends[number], case.name
        before, told = told, service.mail.mails_written()
        silent = mail.outcome == "duplicate" or (mail.outcome.startswith("ignored: ") and not case.has_head)
        assert (told == before) == silent, (case.name, mail.outcome)
    happened = list(stage.events(service).values())
    assert happened in ([], [meant]), case.name
    if case.carried_out is not None:
        assert happened == ([meant] if meant and case.carried_out else []), case.name
    if happened:
        with service.db.read() as conn:
            assert list(audit.verify(conn)) == [], case.name


SHARE = 12
"""Each program's mail undergoes every twelfth thing, so that every thing befalls the mails of four programs."""


def every(stages: dict[bool, Stage], name: str, which: slice) -> None:
    """Hand in what becomes of one program's mail, or a part of it."""
    stage = stages[name.endswith("several-steps")]
    raw = stage.scene.answer(name)
    undisturbed = stage.fresh()
    stage.hand_in(undisturbed, Delivery(raw))
    meant = [event for events in stage.events(undisturbed).values() for event in events]
    cases = list(mutations.every(raw))
    assert len(cases) > FEWEST
    for case in cases[which]:
        check(stage, case, meant)


@pytest.mark.parametrize("name", NAMES)
def test_whatever_becomes_of_a_mail_it_is_carried_out_at_most_once(stages: dict[bool, Stage], name: str) -> None:
    every(stages, name, slice(NAMES.index(name) % SHARE, None, SHARE))


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_so_it_is_for_every_program_and_everything(stages: dict[bool, Stage], name: str) -> None:
    every(stages, name, slice(None))
